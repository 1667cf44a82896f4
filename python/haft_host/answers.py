"""What became of a call, as lines for Haft."""
import os
import sys

from .byte_code import CachedLoader
from .values import MAX_RESULT, Unsendable, to_json

PLAIN = (dict, list, str, int, float, bool, type(None))
IMAGE_KEYS = {"image", "image_path", "mime_type", "text", "name"}
MAX_IMAGE = 20_000_000
TRACEBACK_LINES = 24
OWN_FRAMES = 5
SHOWN_SOURCE = 200

# The folders that tool files were loaded from.
tool_folders = []


def value_line(number, value):
    """Returns the answer that carries what a handler returned, or a failure where JSON cannot carry it."""
    try:
        kind = type(value)
        if kind is dict and ("image" in value or "image_path" in value) and IMAGE_KEYS.issuperset(value):
            return _image_line(number, value)
        if kind not in PLAIN and _is_tool_result(value):
            return _tool_result_line(number, value)
        text = to_json(value)
    except Unsendable as problem:
        return problem_line(number, f"The tool ran, but its result cannot be turned into JSON: {problem}.")
    except OSError as error:
        return problem_line(number, f"The tool ran, but its image cannot be read: {error}.")
    if len(text) > MAX_RESULT:
        reason = f"The tool ran, but its result is {len(text)} bytes of JSON; at most {MAX_RESULT} are taken."
        return problem_line(number, reason, code="TOO_LARGE")
    return f'{{"id":{number},"value":{text}}}\n'.encode()


def problem_line(number, text, code="EXECUTION_ERROR", traceback=None):
    """Returns the answer for a call that failed."""
    error = {"code": code, "text": text}
    if traceback:
        error["traceback"] = traceback
    return f'{{"id":{number},"error":{to_json(error)}}}\n'.encode()


def stopped_line(number):
    """Returns the answer for a call that ended because it was stopped."""
    return f'{{"id":{number},"stopped":true}}\n'.encode()


def delta_line(number, text):
    """Returns the message that carries a piece of output."""
    return f'{{"id":{number},"delta":{to_json(text)}}}\n'.encode()


def error_line(number, error):
    """Returns the answer for a call whose handler raised."""
    return problem_line(number, describe_error(error) + own_frames(error), traceback=traceback_end(error))


def describe_error(error):
    """Returns an exception in one line: `ValueError: no such city`."""
    if isinstance(error, SystemExit):
        return f"SystemExit: the tool called sys.exit({error.code!r}); a tool ends by returning"
    name = type(error).__name__
    try:
        text = str(error)
    except Exception:
        text = "(its message cannot be shown)"
    return f"{name}: {text}" if text else name


def own_frames(error):
    """Returns where in the tool files an exception passed, last the place that raised it: `\\n  words.py:4 in fail: raise ValueError("x")`."""
    frames = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        path = code.co_filename
        folder = next((one for one in tool_folders if path.startswith(one + os.sep)), None)
        if folder is not None and "site-packages" not in path:
            name = os.path.relpath(path, folder)
            frames.append(f"\n  {name}:{trace.tb_lineno} in {code.co_name}: {source_line(path, trace.tb_lineno)}")
        trace = trace.tb_next
    return "".join(frames[-OWN_FRAMES:])


def source_line(path, number):
    """Returns a line of a file as it was loaded."""
    try:
        lines = CachedLoader("", path).get_data(path).decode("utf-8", "replace").splitlines()
        return lines[number - 1].strip()[:SHOWN_SOURCE]
    except (OSError, IndexError):
        return ""


def traceback_end(error):
    """Returns the last lines of a traceback, frames of the host left out."""
    import traceback

    own = os.path.dirname(__file__)
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(own):
        trace = trace.tb_next
    lines = "".join(traceback.format_exception(type(error), error, trace)).splitlines()
    return "\n".join(lines[-TRACEBACK_LINES:])


def _is_tool_result(value):
    types = sys.modules.get("core.types")
    return types is not None and isinstance(value, types.ToolResult)


def _tool_result_line(number, result):
    if result.success:
        return value_line(number, result.output)
    return problem_line(number, str(result.error or result.output or "The tool reported a failure without a reason."))


def _image_line(number, value):
    """An image: its bytes with a MIME type, or the path of a file."""
    import base64

    data, path = value.get("image"), value.get("image_path")
    if path is not None:
        with open(path, "rb") as file:
            data = file.read(MAX_IMAGE + 1)
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise Unsendable(f"result['image'] must be bytes, it is {type(data).__name__}")
    if len(data) > MAX_IMAGE:
        return problem_line(number, f"The image is larger than {MAX_IMAGE} bytes.", code="TOO_LARGE")
    kind = value.get("mime_type") or _guess_type(path)
    if not isinstance(kind, str) or not kind.startswith("image/"):
        raise Unsendable('an image needs a "mime_type" such as "image/png"')
    image = {
        "name": str(value.get("name") or (os.path.basename(path) if path else "image")),
        "mediaType": kind,
        "content": base64.b64encode(data).decode(),
        "encoding": "base64",
    }
    text = value.get("text")
    answer = {"id": number, "image": image, "size": len(data)}
    if text is not None:
        answer["text"] = str(text)
    return (to_json(answer) + "\n").encode()


def _guess_type(path):
    import mimetypes

    return mimetypes.guess_type(path)[0] if path else None
