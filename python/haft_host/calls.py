"""One call: what its handler is given, and how it runs and is stopped."""
import types
from _thread import allocate_lock, get_ident

from .answers import PLAIN, delta_line, error_line, stopped_line, value_line
from .output import current_call

WAITING, RUNNING, ENDED = range(3)
PRINTED_AT_ONCE = 8192


class Interrupted(BaseException):
    """Raised inside a handler whose call was stopped."""


class Call:
    """A call under way."""

    __slots__ = (
        *("number", "slot", "tool", "given", "session", "id", "host", "state"),
        *("lock", "thread", "task", "is_cancelled", "is_interrupted", "printed"),
    )

    def __init__(self, request, tool, host):
        self.number = request["id"]
        self.slot = request.get("slot")
        self.given = request["arguments"]
        self.session = request.get("session")
        self.id = request.get("call")
        self.tool = tool
        self.host = host
        self.state = WAITING
        self.lock = allocate_lock()
        self.thread = None
        self.task = None
        self.is_cancelled = False
        self.is_interrupted = False
        self.printed = ""

    def run(self):
        """Runs the handler in this thread. Returns the answer, or None where the event loop goes on with it."""
        current_call.set(self)
        try:
            return self._run()
        finally:
            current_call.set(None)

    def _run(self):
        self.thread = get_ident()
        self.state = RUNNING
        self.host.note_started(self)
        try:
            try:
                value = self._begin()
                if value is HANDED_ON:
                    return None
                line = value_line(self.number, value)
            finally:
                self.end()
        except Interrupted:
            line = stopped_line(self.number)
        except BaseException as error:
            line = stopped_line(self.number) if self.is_interrupted else error_line(self.number, error)
        self.host.forget(self)
        return self.last_printed() + line if self.printed else line

    def _begin(self):
        if self.is_cancelled:
            raise Interrupted
        value = self.tool.call(self)
        if type(value) in PLAIN:
            return value
        if isinstance(value, types.GeneratorType):
            return self._drain(value)
        if isinstance(value, types.AsyncGeneratorType) or hasattr(value, "__await__"):
            self.end()
            self.host.loop.submit(self, value)
            return HANDED_ON
        return value

    def _drain(self, generator):
        """Streams what a generator yields; its result is what it returns, else all of that."""
        pieces = []
        while True:
            try:
                piece = next(generator)
            except StopIteration as end:
                return "".join(pieces) if end.value is None else end.value
            pieces.append(self.stream(piece))

    def stream(self, piece):
        """Sends something yielded as a delta and returns it as text."""
        from .values import to_json

        text = piece if isinstance(piece, str) else to_json(piece) + "\n"
        self.delta(text)
        return text

    def end(self):
        """From here on no interrupt reaches this thread in the name of this call."""
        while True:
            try:
                with self.lock:
                    self.state = ENDED
                if self.is_interrupted:
                    raise_in_thread(self.thread, None)
                return
            except Interrupted:
                continue

    def cancel(self):
        """Asks the handler to stop: `cancelled()` is true from here on, and a coroutine is cancelled."""
        self.is_cancelled = True
        if self.task is not None:
            self.host.loop.cancel(self.task)

    def interrupt(self):
        """Raises Interrupted in the handler's thread; code that waits inside C gets it only when that returns."""
        self.cancel()
        with self.lock:
            if self.state == RUNNING:
                self.is_interrupted = True
                raise_in_thread(self.thread, Interrupted)

    def print(self, text):
        """Takes printed text; sends it line by line."""
        self.printed += text
        if "\n" in text or len(self.printed) > PRINTED_AT_ONCE:
            self.flush()

    def flush(self):
        text, self.printed = self.printed, ""
        if text:
            self.delta(text)

    def last_printed(self):
        """Returns the message for what was printed and not sent yet."""
        text, self.printed = self.printed, ""
        return delta_line(self.number, text) if text else b""

    def delta(self, text):
        self.host.channel.write(delta_line(self.number, text))

    def context(self):
        """Makes the `context` of a handler that takes one."""
        return {
            "session_id": self.session,
            "workspace": self.host.workspace,
            "call_id": self.id,
            "tool": self.tool.name,
            "log": lambda text: self.delta(f"{text}\n"),
            "progress": self._progress,
            "cancelled": lambda: self.is_cancelled,
        }

    def _progress(self, done, total=None, message=""):
        """Streams how far the call is: a text, a share from 0 to 1, or so many of a total."""
        if isinstance(done, str):
            text = done
        else:
            share = done / total if total else done
            text = f"{share:.0%}" if isinstance(share, (int, float)) and share <= 1 else f"{share}"
        self.delta(f"{text} {message}".rstrip() + "\n")


HANDED_ON = object()


def raise_in_thread(thread, exception):
    """Raises an exception in another thread, or takes back one that was not raised yet."""
    import ctypes

    given = ctypes.py_object() if exception is None else ctypes.py_object(exception)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), given)
