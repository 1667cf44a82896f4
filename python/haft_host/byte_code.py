"""Byte code of tool files, kept under Haft's home: nothing is written into a folder of tools, and libraries keep their own."""
import marshal
import os
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import MAGIC_NUMBER, source_hash


class CachedLoader(SourceFileLoader):
    """Loads source whose byte code is kept by content: a file that is saved twice in a second is never mistaken for the first."""

    # The folder for byte code; None keeps none.
    folder = None
    # The bytes of files by path, each byte a character, as Haft has read them: what lies on disk may have changed since.
    texts = {}

    def get_data(self, path):
        text = self.texts.get(path)
        return super().get_data(path) if text is None else text.encode("latin-1")

    def get_code(self, fullname):
        path = self.get_filename(fullname)
        source = self.get_data(path)
        if self.folder is None:
            return self.source_to_code(source, path)
        header = MAGIC_NUMBER + source_hash(source)
        kept = f"{self.folder}{path}.{sys.implementation.cache_tag}"
        code = read_code(kept, header)
        if code is None:
            code = self.source_to_code(source, path)
            write_code(kept, header, code)
        return code


def read_code(path, header):
    """Returns the byte code that is kept for a source, or None."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        return marshal.loads(data[len(header):]) if data.startswith(header) else None
    except (OSError, ValueError, EOFError, TypeError):
        return None


def write_code(path, header, code):
    """Keeps byte code; where that cannot be written it is compiled again next time."""
    temporary = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(temporary, "wb") as file:
            file.write(header + marshal.dumps(code))
        os.replace(temporary, path)
    except (OSError, ValueError):
        pass
