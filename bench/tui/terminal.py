"""Runs a program in a terminal of 80 by 24 and prints, as JSON, how long it took to show a text and then to echo each key."""
import fcntl, json, os, pty, select, signal, struct, sys, termios, time

order = json.loads(sys.argv[1])
started = time.monotonic()
child, master = pty.fork()
if child == 0:
    os.chdir(order["folder"])
    os.environ.pop("CI", None)
    os.execvpe(order["command"][0], order["command"], {**os.environ, **order["env"]})
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))


def answer_questions(piece):
    """Answers what a program asks a terminal: where the cursor is, and what kind of terminal it is."""
    for question, answer in ((b"\x1b[6n", b"\x1b[1;1R"), (b"\x1b[c", b"\x1b[?62;22c")):
        if question in piece:
            os.write(master, answer)


def wait_for(text, seconds=20):
    """Reads until the text was written; returns the seconds that took."""
    begun, seen = time.monotonic(), b""
    while time.monotonic() - begun < seconds:
        if select.select([master], [], [], 0.5)[0]:
            piece = os.read(master, 65536)
            answer_questions(piece)
            seen = seen[-4096:] + piece
            if text.encode() in seen:
                return time.monotonic() - begun
    raise SystemExit(f"the program never showed {text!r}: {seen[-500:]!r}")


try:
    wait_for(order["shows"])
    frame = time.monotonic() - started
    echoes = []
    if order.get("types"):
        # The first frame comes a moment before the terminal is told to pass on single keys.
        time.sleep(1)
        os.write(master, order["types"].encode() + b"\r")
        wait_for(order["until"])
        for key in order["keys"]:
            os.write(master, key.encode())
            echoes.append(wait_for(key) * 1000)
            time.sleep(0.1)
    print(json.dumps({"frame": frame * 1000, "echoes": echoes}))
finally:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
