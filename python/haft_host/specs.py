"""Tools as their authors describe them, checked."""
from .values import Unsendable, to_json

EFFECTS = ("none", "read", "write", "run", "network")
TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")
TOUCHES = ("reads", "writes", "deletes", "connects")


class BadSpec(Exception):
    """A spec that cannot be used; the message says what was expected."""


class Tool:
    """A tool that was loaded: what is reported to Haft, and its handler."""

    __slots__ = ("name", "handler", "line", "description", "takes_context", "is_quick", "slow_runs")

    def __init__(self, spec, line):
        self.name = spec["name"]
        self.handler = spec["handler"]
        self.line = line
        self.takes_context = takes_context(self.handler) and "context" not in spec["parameters"].get("properties", {})
        # Known after the first run.
        self.is_quick = False
        self.slow_runs = 0
        self.description = {key: value for key, value in spec.items() if key in REPORTED}

    def call(self, call):
        """Calls the handler with the arguments of a call."""
        if self.takes_context:
            return self.handler(**call.given, context=call.context())
        return self.handler(**call.given)


REPORTED = ("name", "description", "parameters", "effect", "approval", "touches", "hosts", "timeout")


def check_spec(spec):
    """Raises BadSpec where a member of TOOL_SPECS is no tool."""
    if not isinstance(spec, dict):
        raise BadSpec(f"it is a {type(spec).__name__}; expected a dict with name, description, parameters and handler")
    missing = [key for key in ("name", "description", "parameters", "handler") if key not in spec]
    if missing:
        raise BadSpec(f"{' and '.join(repr(key) for key in missing)} is missing" + _named(spec))
    _check_text(spec, "name")
    _check_text(spec, "description")
    _check_parameters(spec)
    if not callable(spec["handler"]):
        raise BadSpec(f"'handler' is a {type(spec['handler']).__name__}; expected a function" + _named(spec))
    _check_options(spec)


def _named(spec):
    name = spec.get("name")
    return f" (tool {name!r})" if isinstance(name, str) else ""


def _check_text(spec, key):
    value = spec[key]
    if not isinstance(value, str) or not value.strip():
        raise BadSpec(f"{key!r} is {value!r}; expected a text that is not empty" + _named(spec))


def _check_parameters(spec):
    parameters = spec["parameters"]
    if not isinstance(parameters, dict) or parameters.get("type") != "object":
        given = parameters.get("type") if isinstance(parameters, dict) else type(parameters).__name__
        raise BadSpec(
            f"'parameters' must be a JSON Schema with \"type\": \"object\", it has {given!r}; "
            'expected {"type": "object", "properties": {...}, "required": [...]}' + _named(spec)
        )
    properties = parameters.get("properties", {})
    if not isinstance(properties, dict) or not all(isinstance(one, (dict, bool)) for one in properties.values()):
        raise BadSpec("'properties' must map names to JSON Schemas" + _named(spec))
    required = parameters.get("required", [])
    if not isinstance(required, (list, tuple)) or not all(isinstance(name, str) for name in required):
        raise BadSpec("'required' must be a list of property names" + _named(spec))
    wrong = _find_wrong_type(parameters)
    if wrong is not None:
        raise BadSpec(f"'parameters' has the type {wrong!r}; expected one of {', '.join(TYPES)}" + _named(spec))
    try:
        to_json(parameters)
    except Unsendable as problem:
        raise BadSpec(f"'parameters' cannot be written as JSON: {problem}" + _named(spec)) from None


def _find_wrong_type(schema):
    """Returns the first `type` in a schema that JSON Schema does not know, or None."""
    if not isinstance(schema, dict):
        return None
    kind = schema.get("type", [])
    for one in kind if isinstance(kind, (list, tuple)) else [kind]:
        if one not in TYPES:
            return one
    properties = schema.get("properties", {})
    inner = [*(properties.values() if isinstance(properties, dict) else []), schema.get("items")]
    for part in inner:
        wrong = _find_wrong_type(part)
        if wrong is not None:
            return wrong
    return None


def _check_options(spec):
    effect = spec.get("effect")
    if effect is not None and effect not in EFFECTS:
        raise BadSpec(f"'effect' is {effect!r}; expected one of {', '.join(EFFECTS)}" + _named(spec))
    approval = spec.get("approval")
    if approval is not None and not isinstance(approval, bool):
        raise BadSpec(f"'approval' is {approval!r}; expected True or False" + _named(spec))
    timeout = spec.get("timeout")
    if timeout is not None and (isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not timeout > 0):
        raise BadSpec(f"'timeout' is {timeout!r}; expected seconds" + _named(spec))
    hosts = spec.get("hosts", [])
    if not isinstance(hosts, (list, tuple)) or not all(isinstance(host, str) and host and "/" not in host for host in hosts):
        raise BadSpec(f"'hosts' is {hosts!r}; expected a list of hosts such as [\"api.example.com\"]" + _named(spec))
    _check_touches(spec)


def _check_touches(spec):
    touches = spec.get("touches")
    if touches is None:
        return
    if not isinstance(touches, dict) or not set(touches) <= set(TOUCHES):
        raise BadSpec(f"'touches' must have the keys {', '.join(TOUCHES)} and no others" + _named(spec))
    properties = spec["parameters"].get("properties", {})
    for key, names in touches.items():
        if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
            raise BadSpec(f"'touches': {key!r} must be a list of parameter names" + _named(spec))
        unknown = [name for name in names if name not in properties]
        if unknown:
            raise BadSpec(f"'touches': {key!r} names {unknown[0]!r}, which is no parameter" + _named(spec))


def takes_context(handler):
    """True where a handler has a parameter called `context`."""
    code = getattr(handler, "__code__", None)
    if code is not None:
        return "context" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    import inspect

    try:
        return "context" in inspect.signature(handler).parameters
    except (TypeError, ValueError):
        return False


def line_of(handler, path):
    """Returns the line of a handler that is defined in a file; None for any other."""
    code = getattr(handler, "__code__", None)
    return code.co_firstlineno if code is not None and code.co_filename == path else None
