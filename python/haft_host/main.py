"""The host: loads files, reports what they hold, and serves calls until Haft is gone."""
import json
import os
import struct
import threading

from .answers import problem_line
from .byte_code import CachedLoader
from .calls import Call
from .channel import Channel, leave
from .load import Loader, cache_below
from .loop import Loop
from .output import capture_output
from .values import to_json
from .workers import Workers


write_mark = struct.Struct("<q").pack_into


class Host:
    """What all calls share."""

    def __init__(self, channel, order, answered=None):
        self.channel = channel
        self.workspace = order["workspace"]
        # Called with each call that the event loop has answered.
        self.loop = Loop(channel, answered or self.forget)
        self._calls = {}
        CachedLoader.texts = order["texts"]
        self._loader = Loader(order.get("folders", []))
        self._started = open_marks(order.get("marks"))

    def load(self, path):
        """Loads a file and reports what it holds."""
        self._send({"file": self._loader.load(path)})

    def receive(self, message):
        """Returns the call that a message asks for; other messages are dealt with here."""
        name = message.get("tool")
        if name is None:
            self._stop(message)
            return None
        tool = self._loader.tools.get((message["file"], name))
        if tool is None:
            self.channel.write(problem_line(message["id"], f"There is no tool {name!r} here.", code="UNAVAILABLE"))
            return None
        call = Call(message, tool, self)
        self._calls[call.number] = call
        return call

    def _stop(self, message):
        call = self._calls.get(message.get("cancel") or message.get("interrupt"))
        if call is None:
            return
        if "interrupt" in message:
            call.interrupt()
        else:
            call.cancel()

    def forget(self, call):
        """Takes note that a call has ended."""
        self._calls.pop(call.number, None)

    def note_started(self, call):
        """Notes, where Haft can read it after a crash, that a handler begins: such a call is never run twice."""
        if self._started is not None:
            write_mark(self._started, call.slot * 8, call.number)

    def _send(self, message):
        self.channel.write((to_json(message) + "\n").encode())


def open_marks(path):
    """Maps the file in which started calls are noted; None where there is none."""
    if path is None:
        return None
    import mmap

    with open(path, "r+b") as file:
        return mmap.mmap(file.fileno(), 0)


def main(cache, call=None):
    """Reads the first order and serves; with the path of a call, runs that one and ends."""
    channel = Channel.take_standard()
    capture_output()
    CachedLoader.folder = cache
    cache_below(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if call is not None:
        run_once(channel, call)
    # Sent first: whoever starts this process may not send anything before it reads.
    channel.write(b'{"ready":true}\n')
    lines = channel.read_lines()
    if not lines:
        os._exit(0)
    host = Host(channel, json.loads(lines[0]))
    Workers(channel, host.receive).start(load_files(host, channel, lines[1:]))
    host.loop.serve()


def load_files(host, channel, lines):
    """Loads one file after another, as Haft asks for them, until it says to serve; returns the lines that follow."""
    while True:
        for index, line in enumerate(lines):
            path = json.loads(line).get("load")
            if path is None:
                return lines[index + 1 :]
            host.load(path)
        lines = channel.read_lines()
        if not lines:
            leave()


def run_once(channel, path):
    """Loads one file, runs one call of one of its tools and ends the process."""
    with open(path, "rb") as file:
        order = json.loads(file.read())
    host = Host(channel, order, answered=lambda call: os._exit(0))
    host.load(order["file"])
    call = host.receive(order["request"])

    def run():
        line = b"" if call is None else call.run()
        if line is not None:
            channel.write(line)
            os._exit(0)

    threading.Thread(target=run, daemon=True).start()
    host.loop.serve()
