"""Runs a command a number of times and prints a JSON list of what each run cost: wall ms, cpu ms, peak RSS in bytes.

The kernel's own account of a finished process (wait4) counts its start, its end and its children, whatever it is written in.
"""

import json
import os
import sys
import time

runs, command = int(sys.argv[1]), sys.argv[2:]
costs = []
for _ in range(runs):
    start = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        os.execvp(command[0], command)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    costs.append({
        "wall": wall * 1000,
        "cpu": (usage.ru_utime + usage.ru_stime) * 1000,
        "rss": usage.ru_maxrss * 1024,
    })
print(json.dumps(costs))
