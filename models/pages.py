"""A loaded model's memory in huge pages, where the system has them.

A decode reads all of a model's weights, some hundred megabytes in pages of 4 KiB, each of which costs a look-up, and
much more where the machine is a virtual one that keeps count of what is touched. Measured on one such, tiny.en and
base in int8: a fifth to a third less time for a decode in a row with others, half of it for one after two seconds of
rest, for 45 and 95 MB more memory (`benchmarks/speech/pages.py`).
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

HUGE_BYTES: Final = 2 << 20
PAGE_BYTES: Final = 4096
LEAST_SHARE: Final = 0.1
"""Of a huge page that must be in use already: the rest of it is memory that is taken for nothing. At a half, a decode
by `base` after a rest took half as long again as at a tenth; at nothing it took no less, for twice the memory."""
_MADV_COLLAPSE: Final = 25
"""Since Linux 6.1 (madvise(2)); older kernels refuse it."""


def gather() -> int:
    """Lay this process's memory together in huge pages, but for what is hardly used; how many there are now.

    For a process at rest: takes up to a second or two. Changes no content. Does nothing, and gives 0, where the system
    can't (other systems, kernels before 6.1, other page sizes).
    """
    if sys.platform != "linux" or ctypes.sizeof(ctypes.c_void_p) != 8:
        return 0
    library = ctypes.CDLL(None)
    library.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    library.mincore.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p]
    if library.getpagesize() != PAGE_BYTES:
        return 0
    pages = HUGE_BYTES // PAGE_BYTES
    resident = ctypes.create_string_buffer(pages)
    gathered = 0
    for at in _places():
        if library.mincore(at, HUGE_BYTES, resident) == 0:
            used = sum(page & 1 for page in resident.raw)
            if used >= LEAST_SHARE * pages and library.madvise(at, HUGE_BYTES, _MADV_COLLAPSE) == 0:
                gathered += 1
    return gathered


def _places() -> Iterator[int]:
    """Where a huge page can lie in memory that is private, writable and of no file (proc_pid_maps(5))."""
    try:
        lines = Path("/proc/self/maps").read_text("ascii", "replace").splitlines()
    except OSError:
        return
    for line in lines:
        span, rights, _, _, inode, *_ = line.split()
        if rights == "rw-p" and inode == "0":
            first, end = (int(bound, 16) for bound in span.split("-"))
            yield from range(-(-first // HUGE_BYTES) * HUGE_BYTES, end - HUGE_BYTES + 1, HUGE_BYTES)
