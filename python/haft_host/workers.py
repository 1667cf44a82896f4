"""Threads that read requests and run handlers.

Handing a call to another thread costs several times what a quick handler does, so the thread that reads runs handlers
itself that were quick before. Should one of those take long this time, another thread goes on reading.
"""
import collections
import json
import os
import queue
import threading
import time


# A handler that took less than this, in seconds, is run by the reader next time.
QUICK = 0.002
# How long the reader may be in a handler before another thread reads, in seconds.
PATIENCE = 0.02


# Faster than json.loads, which first finds out what it was given.
read_message = json.JSONDecoder().decode


class Workers:
    """Reads requests until Haft is gone. `receive` turns a message into a call to run, or deals with it and returns None."""

    def __init__(self, channel, receive):
        self._channel = channel
        self._receive = receive
        self._lines = collections.deque()
        self._answers = []
        self._lock = threading.Lock()
        # Who reads: the thread that was started with this number.
        self._turn = 0
        self._runs = 0
        self._is_running = False
        self._is_watching = False
        self._wake = threading.Event()
        self._waiting = queue.SimpleQueue()
        self._idle = 0

    def start(self, lines):
        """Starts to read; `lines` were read already."""
        self._lines.extend(lines)
        self._start_thread(self._read, 0)
        self._start_thread(self._watch)

    def _start_thread(self, target, *given):
        threading.Thread(target=target, args=given, daemon=True).start()

    def _read(self, turn):
        while True:
            if not self._lines:
                self._flush()
                lines = self._channel.read_lines()
                if not lines:
                    os._exit(0)
                self._lines.extend(lines)
            call = self._receive(read_message(self._lines.popleft().decode()))
            if call is None:
                continue
            if not call.tool.is_quick:
                self._hand_over(call)
            elif not self._run_here(call, turn):
                return

    def _run_here(self, call, turn):
        """Runs a call in the reading thread; False where another thread reads now."""
        self._is_running = True
        self._runs += 1
        if not self._is_watching:
            self._is_watching = True
            self._wake.set()
        line = run_timed(call)
        with self._lock:
            is_mine = self._turn == turn
            if is_mine:
                self._is_running = False
        if line is not None:
            if is_mine:
                self._answers.append(line)
            else:
                self._channel.write(line)
        return is_mine

    def _flush(self):
        if self._answers:
            answers, self._answers = self._answers, []
            self._channel.write(b"".join(answers))

    def _watch(self):
        """Lets another thread read while the reader is in a handler that does not end. Sleeps while nothing runs."""
        while True:
            self._wake.wait()
            seen = self._runs
            time.sleep(PATIENCE)
            with self._lock:
                is_quiet = self._runs == seen
                is_stuck = is_quiet and self._is_running
                if is_stuck:
                    self._turn += 1
                    self._is_running = False
            if is_stuck:
                self._start_thread(self._read, self._turn)
            elif is_quiet:
                self._wake.clear()
                self._is_watching = False
                # The reader sets the first before it looks at the second, so one of the two sees the other.
                if self._is_running:
                    self._is_watching = True
                    self._wake.set()

    def _hand_over(self, call):
        """Gives a call to a thread of its own: one that waits, or a new one."""
        with self._lock:
            is_new = self._idle == 0
            if not is_new:
                self._idle -= 1
        if is_new:
            self._start_thread(self._work, call)
        else:
            self._waiting.put(call)

    def _work(self, call):
        while True:
            line = run_timed(call)
            if line is not None:
                self._channel.write(line)
            with self._lock:
                self._idle += 1
            call = self._waiting.get()


def run_timed(call):
    """Runs a call and remembers whether its tool is quick: since its last run was, or all but the last."""
    started = time.perf_counter()
    line = call.run()
    tool = call.tool
    if time.perf_counter() - started < QUICK:
        tool.is_quick = True
        tool.slow_runs = 0
    else:
        # Once may be the doing of a busy machine.
        tool.slow_runs += 1
        if tool.slow_runs > 1:
            tool.is_quick = False
    return line
