"""Starts the host for Python tools. Kept to what every Python 3 can read, so that an old one can say so.

Arguments: "own-group" to become the leader of a process group, or "same-group"; the folder for byte code, or "-"; and for a
single call the path of the file that describes it.
"""
import os
import sys


def leave_terminal():
    """Gives up the terminal that Haft may run in: a tool that asks for a password fails, instead of stopping the process."""
    try:
        terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
    except OSError:
        return
    import fcntl
    import termios

    fcntl.ioctl(terminal, termios.TIOCNOTTY)
    os.close(terminal)


def start():
    """Starts the host, or says that this Python is too old."""
    if sys.version_info < (3, 9):
        sys.stdout.write('{"unsupported": "%d.%d.%d"}\n' % sys.version_info[:3])
        sys.stdout.flush()
        return
    # Imported first: the byte code of the standard library lies beside it, only that of our own files in the folder.
    import collections, contextvars, importlib.util, json, marshal, queue, struct, threading  # noqa: E401, F401

    # A group of the same session: in a session of its own the process would be scheduled apart from Haft, and each call
    # would take about a third longer on a busy machine.
    if sys.argv[1] == "own-group":
        os.setpgid(0, 0)
        leave_terminal()
    cache = None if sys.argv[2] == "-" else sys.argv[2]
    before = sys.pycache_prefix, sys.dont_write_bytecode
    sys.pycache_prefix, sys.dont_write_bytecode = cache, cache is None
    from haft_host.main import main

    sys.pycache_prefix, sys.dont_write_bytecode = before
    main(cache, *sys.argv[3:])


# Processes that a tool starts with multiprocessing may import this file again, under another name.
if __name__ == "__main__":
    start()
