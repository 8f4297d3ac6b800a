"""A model's memory in huge pages: what is in it stays, and what is not used is not taken."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import mmap
from pathlib import Path

from models.pages import HUGE_BYTES, LEAST_SHARE, gather

def told(name):
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name + ":"))

used = mmap.mmap(-1, 16 * HUGE_BYTES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
for at in range(0, len(used), 4096):
    used[at : at + 8] = at.to_bytes(8, "big")
hardly = mmap.mmap(-1, 64 * HUGE_BYTES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
for at in range(0, len(hardly), HUGE_BYTES):
    hardly[at] = 7
huge, resident = told("AnonHugePages"), told("Rss")
gathered = gather()
print(gathered, told("AnonHugePages") - huge, told("Rss") - resident)
assert all(used[at : at + 8] == at.to_bytes(8, "big") for at in range(0, len(used), 4096))
assert all(hardly[at] == 7 for at in range(0, len(hardly), HUGE_BYTES))
assert gather() == gathered, "what is huge stays so"
"""


def test_what_is_used_is_gathered_and_stays_as_it_is_and_the_rest_is_not_taken() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 0, ran.stderr
    gathered, huge_bytes, more_bytes = map(int, ran.stdout.split())
    if gathered:
        assert gathered >= 15  # the first and the last may share theirs with others
        assert huge_bytes >= 15 * (2 << 20)
    else:  # a system that has none
        assert huge_bytes == 0
    assert more_bytes < 32 << 20, "what is hardly used was taken whole"
