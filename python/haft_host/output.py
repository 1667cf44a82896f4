"""What tools print: streamed with the call that printed it, or written to descriptor 2 where there is none."""
import contextvars
import io
import os
import sys

current_call = contextvars.ContextVar("haft_call", default=None)


class PrintedText(io.TextIOBase):
    """Takes the place of sys.stdout and sys.stderr."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, descriptor):
        self._descriptor = descriptor
        self.buffer = PrintedBytes(self)

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        call = current_call.get()
        if call is None:
            _write_all(self._descriptor, text.encode("utf-8", "replace"))
        else:
            call.print(text)
        return len(text)

    def writable(self):
        return True

    def isatty(self):
        return False

    def fileno(self):
        return self._descriptor

    def flush(self):
        call = current_call.get()
        if call is not None:
            call.flush()


class PrintedBytes(io.RawIOBase):
    """The `buffer` of the same stream."""

    def __init__(self, text):
        self._text = text

    def write(self, data):
        self._text.write(bytes(data).decode("utf-8", "replace"))
        return len(data)

    def writable(self):
        return True


def _write_all(descriptor, data):
    try:
        while data:
            data = data[os.write(descriptor, data):]
    except OSError:
        pass


def capture_output():
    """From here on print() and logging are harmless, whatever thread they are used in."""
    sys.stdout = sys.__stdout__ = PrintedText(1)
    sys.stderr = sys.__stderr__ = PrintedText(2)
