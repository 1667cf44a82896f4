"""Tools and rules of the `tool` and `core` packages, as far as the file that is being loaded made them."""
import sys

from .specs import line_of


class Registered:
    """What the file that is being loaded has registered; `tool` and `core` add to it."""

    def __init__(self):
        self.tools = []
        self.rules = []


# None while no file is being loaded: what is made then is nobody's.
loading = None


def begin_file():
    """Starts to collect; returns where."""
    global loading
    loading = Registered()
    return loading


def end_file():
    global loading
    loading = None


def find_tools(module, registered):
    """Returns the tools of a file that it made with BaseTool: those it registered, else one of each of its classes."""
    bases = sys.modules.get("tool.bases")
    if bases is None:
        return []
    if registered.tools:
        return registered.tools
    made = [value for value in vars(module).values() if isinstance(value, bases.BaseTool)]
    kinds = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, bases.BaseTool)
        and value.__module__ == module.__name__
        and not getattr(value, "__abstractmethods__", None)
        and not any(type(tool) is value for tool in made)
    ]
    return made + [kind() for kind in kinds]


def spec_of(tool):
    """Returns a BaseTool as a spec."""
    spec = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
        "handler": lambda **arguments: tool.execute(arguments),
    }
    for key in ("effect", "approval", "touches", "timeout"):
        value = getattr(tool, key, None)
        if value is not None:
            spec[key] = value
    return spec


def tool_line(tool, path):
    return line_of(type(tool).execute, path)


def describe_rule(rule):
    """Returns a SafetyRule as Haft is told of it."""
    return {"name": str(rule.name), "forbidden": [str(pattern) for pattern in rule.forbidden_patterns]}
