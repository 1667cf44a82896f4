"""The one event loop, in the main thread; made for the first coroutine."""
import queue
import threading
import types

from .answers import error_line, stopped_line, value_line
from .output import current_call


class Loop:
    """Runs coroutines and asynchronous generators that handlers return."""

    def __init__(self, channel, answered):
        self._channel = channel
        self._answered = answered
        self._first = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._loop = None

    def submit(self, call, awaitable):
        """Takes a call whose handler gave something to await."""
        with self._lock:
            if self._loop is None:
                self._first.put((call, awaitable))
                return
        self._loop.call_soon_threadsafe(self._begin, call, awaitable)

    def cancel(self, task):
        self._loop.call_soon_threadsafe(task.cancel)

    def serve(self):
        """Waits for the first coroutine and then runs the loop; to be called in the main thread, does not return."""
        waiting = [self._first.get()]
        import asyncio

        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        with self._lock:
            self._loop = loop
            while not self._first.empty():
                waiting.append(self._first.get())
        for call, awaitable in waiting:
            loop.call_soon(self._begin, call, awaitable)
        while True:
            try:
                loop.run_forever()
            except BaseException:
                # A task that a tool started raised SystemExit; the other calls go on.
                continue

    def _begin(self, call, awaitable):
        call.task = self._loop.create_task(self._run(call, awaitable))
        if call.is_cancelled:
            call.task.cancel()

    async def _run(self, call, awaitable):
        current_call.set(call)
        try:
            if isinstance(awaitable, types.AsyncGeneratorType):
                pieces = [call.stream(piece) async for piece in awaitable]
                value = "".join(pieces)
            else:
                value = await awaitable
            line = value_line(call.number, value)
        except BaseException as error:
            line = stopped_line(call.number) if call.is_cancelled else error_line(call.number, error)
        self._channel.write(call.last_printed() + line)
        self._answered(call)
