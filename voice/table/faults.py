"""A fault in the log: its kind and its place, without its message, which may hold what somebody said."""

from __future__ import annotations

import traceback


def place(error: BaseException) -> str:
    """Where the error was raised, the innermost three calls: `file:line in function`, the last one first."""
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    return ", ".join(f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in reversed(frames))
