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
    """Returns the tools that a file made with BaseTool: those it registered, else those it holds and its classes."""
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
    return made + kinds


def spec_of(given):
    """Returns a BaseTool, or a class of one, as a spec."""
    tool = given() if isinstance(given, type) else given
    spec = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
        "handler": lambda **arguments: tool.execute(arguments),
    }
    for key in ("effect", "approval", "touches", "hosts", "timeout"):
        value = getattr(tool, key, None)
        if value is not None:
            spec[key] = value
    return spec


def kind_of(given):
    """Returns the class of a tool that is given by itself or by its class."""
    return given if isinstance(given, type) else type(given)


def tool_line(given, path):
    """Returns the line of a tool's `execute` in a file."""
    return line_of(kind_of(given).execute, path)


def describe_rule(rule):
    """Returns a SafetyRule as it is reported to Haft."""
    return {"name": str(rule.name), "forbidden": [str(pattern) for pattern in rule.forbidden_patterns]}
