"""Loads tool files: each alone, so that a broken one harms no other."""
import os
import sys
import types
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    PathFinder,
)
from importlib.util import spec_from_file_location

from . import registered as registry
from .answers import describe_error, tool_folders, traceback_end
from .byte_code import CachedLoader
from .specs import BadSpec, Tool, check_spec, line_of

TRACEBACK_END = 6


class GivenFinder(FileFinder):
    """Finds the files whose text Haft has given, also where they are gone, before those on disk."""

    def find_spec(self, fullname, target=None):
        path = os.path.join(self.path, fullname.rpartition(".")[2])
        if path + ".py" in CachedLoader.texts and not os.path.isdir(path):
            return spec_from_file_location(fullname, path + ".py", loader=CachedLoader(fullname, path + ".py"))
        return super().find_spec(fullname, target)


def cache_below(folder):
    """Makes imports from a folder and those below it use CachedLoader."""
    loaders = (ExtensionFileLoader, EXTENSION_SUFFIXES), (CachedLoader, [".py"])

    def find(path):
        if path != folder and not path.startswith(folder + os.sep):
            raise ImportError(path)
        return GivenFinder(path, *loaders)

    sys.path_hooks.insert(0, find)
    for path in [path for path in sys.path_importer_cache if path == folder or path.startswith(folder + os.sep)]:
        del sys.path_importer_cache[path]


class Loader:
    """Loads files of some folders into one table of tools, by file and name."""

    def __init__(self, folders):
        self.tools = {}
        for folder in folders:
            add_folder(folder)
        # Empty where one file is loaded.
        self._first = list_first() if folders else {}

    def load(self, path):
        """Loads a file and returns what is to be reported of it."""
        add_folder(os.path.dirname(path))
        report = {"path": path, "tools": [], "problems": [], "rules": []}
        collected = registry.begin_file()
        try:
            module = import_file(path, self._first)
            self._take_specs(module, path, report)
            self._take_registered(module, collected, report)
            if not report["tools"] and not report["problems"] and not collected.rules:
                report["problems"].append({"reason": "it defines no tools; expected a list called TOOL_SPECS"})
            report["imported"] = True
        except BaseException as error:
            report["problems"].append(describe_failure(error, path))
        finally:
            registry.end_file()
        report["rules"] = [registry.describe_rule(rule) for rule in collected.rules]
        return report

    def _take_specs(self, module, path, report):
        specs = getattr(module, "TOOL_SPECS", [])
        if not isinstance(specs, (list, tuple)):
            reason = f"TOOL_SPECS is a {type(specs).__name__}; expected a list of dicts"
            report["problems"].append({"line": line_of_spec(path, None), "reason": reason})
            return
        for index, spec in enumerate(specs):
            try:
                check_spec(spec)
                self._take(Tool(spec, line_of(spec["handler"], path)), path, report)
            except BadSpec as problem:
                reason = f"TOOL_SPECS[{index}]: {problem}"
                report["problems"].append({"line": line_of_spec(path, index), "reason": reason})

    def _take_registered(self, module, collected, report):
        path = report["path"]
        for tool in registry.find_tools(module, collected):
            line = registry.tool_line(tool, path)
            try:
                spec = registry.spec_of(tool)
                check_spec(spec)
                self._take(Tool(spec, line), path, report)
            except Exception as error:
                text = str(error) if isinstance(error, BadSpec) else describe_error(error)
                report["problems"].append({"line": line, "reason": f"{registry.kind_of(tool).__name__}: {text}"})

    def _take(self, tool, path, report):
        # Haft skips the second tool of a name.
        self.tools.setdefault((path, tool.name), tool)
        report["tools"].append(dict(tool.description, line=tool.line))


def add_folder(folder):
    """Lets files of a folder import one another."""
    if folder not in tool_folders:
        tool_folders.append(folder)
    if folder not in sys.path:
        cache_below(folder)
        # Behind everything else: a tool file must not take the place of a library.
        sys.path.append(folder)


def list_first():
    """Returns, by module name, the first entry of the import path that may be that module; "" where there may be two."""
    first = {}
    for folder in sys.path:
        try:
            names = os.listdir(folder)
        except OSError:
            continue
        for name in names:
            stem = name.partition(".")[0]
            given = first.setdefault(stem, os.path.join(folder, name))
            if os.path.dirname(given) == folder and os.path.basename(given) != name:
                first[stem] = ""
    return first


def import_file(path, first):
    """Imports a file and returns its module; it has its own name among modules unless a library has that name."""
    stem = os.path.basename(path)[:-3]
    name = stem if stem.isidentifier() and is_free(stem, path, first) else f"haft_tools.{stem}_{abs(hash(path))}"
    loader = CachedLoader(name, path)
    module = types.ModuleType(name)
    module.__file__ = path
    module.__loader__ = loader
    module.__spec__ = ModuleSpec(name, loader, origin=path)
    module.__spec__.has_location = True
    code = loader.get_code(name)
    sys.modules[name] = module
    try:
        exec(code, module.__dict__)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def is_free(name, path, first):
    """True where importing this name gives this file, or gave it before. `first` answers at once where it can."""
    if name in sys.modules:
        return getattr(sys.modules[name], "__file__", None) == path
    if name in sys.builtin_module_names:
        return False
    if first.get(name) == path:
        return True
    found = PathFinder.find_spec(name)
    return found is None or found.origin == path


def describe_failure(error, path):
    """Returns why a file could not be imported: where in it, the error, and the end of the traceback."""
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == path else None
    frames = 0
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = line if isinstance(error, SyntaxError) else trace.tb_lineno
            frames = 0
        frames += 1
        trace = trace.tb_next
    reason = f"it could not be imported: {describe_error(error)}"
    if frames > 1 and not isinstance(error, SyntaxError):
        end = [text for text in traceback_end(error).splitlines()[1:] if not set(text.strip()) <= set("^~")]
        reason += "\n" + "\n".join(end[-TRACEBACK_END - 1 : -1])
    return {"line": line, "reason": reason}


def line_of_spec(path, index):
    """Returns the line of TOOL_SPECS in a file, or of one of its members; None where it is not known."""
    import ast

    try:
        tree = ast.parse(CachedLoader("", path).get_data(path))
    except (OSError, SyntaxError, ValueError):
        return None
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if not any(isinstance(target, ast.Name) and target.id == "TOOL_SPECS" for target in targets):
            continue
        members = getattr(getattr(node, "value", None), "elts", [])
        return node.lineno if index is None or index >= len(members) else members[index].lineno
    return None
