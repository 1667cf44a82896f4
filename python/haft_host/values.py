"""Values as JSON text."""
import json

MAX_RESULT = 100_000_000


class Unsendable(Exception):
    """A value that JSON cannot carry; the message says which part of it."""


def to_plain(value):
    """Returns what stands for an object that JSON does not know; raises TypeError where there is nothing."""
    kind = type(value)
    if kind in (set, frozenset):
        return sorted(value, key=repr)
    if hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        return {name: getattr(value, name) for name in value.__dataclass_fields__}
    if kind.__module__ == "datetime" and hasattr(value, "isoformat"):
        return value.isoformat()
    if kind.__module__ in ("decimal", "fractions", "pathlib", "pathlib._local", "uuid"):
        return str(value)
    raise TypeError(f"it is a {kind.__name__}, which JSON cannot carry")


# Made once: json.dumps would make an encoder for every call.
_encode = json.JSONEncoder(allow_nan=False, default=to_plain, separators=(",", ":")).encode


def to_json(value):
    """Returns a value as JSON text. Raises Unsendable with the place of what JSON cannot carry."""
    try:
        return _encode(value)
    except (TypeError, ValueError, RecursionError, OverflowError) as error:
        raise Unsendable(_explain(value, error)) from None


def _explain(value, error):
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    found = _find(value, "result", set(), 0)
    return found or str(error)


def _find(value, place, above, depth):
    """Returns what is wrong with the first wrong part, or None."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return f"{place} is {value}, which JSON cannot carry; return None or a text instead"
    if isinstance(value, (bytes, bytearray, memoryview)):
        return (
            f"{place} is {type(value).__name__}, which JSON cannot carry; return text, "
            'or an image as {"image": data, "mime_type": "image/png"}'
        )
    if depth > 200:
        return f"{place} is nested too deep"
    if isinstance(value, (dict, list, tuple)):
        return _find_inside(value, place, above, depth)
    try:
        _encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        return f"{place}: {error}"
    return None


def _find_inside(value, place, above, depth):
    if id(value) in above:
        return f"{place} is part of itself (a circular reference)"
    inner = above | {id(value)}
    if isinstance(value, dict):
        members = [(f"{place}[{key!r}]", key, member) for key, member in value.items()]
    else:
        members = [(f"{place}[{index}]", 0, member) for index, member in enumerate(value)]
    for at, key, member in members:
        if not isinstance(key, (str, int, float, bool, type(None))):
            return f"{at}: a key must be text, it is a {type(key).__name__}"
        found = _find(member, at, inner, depth + 1)
        if found:
            return found
    return None
