"""Starts the host for Python tools. Kept to what every Python 3 can read, so that an old one can say so.

Arguments: the folder for byte code or "-", and for a single call the path of the file that describes it.
"""
import sys

if sys.version_info < (3, 9):
    sys.stdout.write('{"unsupported": "%d.%d.%d"}\n' % sys.version_info[:3])
    sys.stdout.flush()
else:
    # Imported first: the byte code of the standard library lies beside it, only that of our own files in the folder.
    import collections, contextvars, importlib.util, json, marshal, queue, struct, threading  # noqa: E401, F401

    cache = None if sys.argv[1] == "-" else sys.argv[1]
    before = sys.pycache_prefix, sys.dont_write_bytecode
    sys.pycache_prefix, sys.dont_write_bytecode = cache, cache is None
    from haft_host.main import main

    sys.pycache_prefix, sys.dont_write_bytecode = before
    main(cache, *sys.argv[2:])
