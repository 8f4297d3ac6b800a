"""`voicetable replay FILE`: plays a scenario and prints its events. Imports nothing heavy."""

from __future__ import annotations

import json
import sys

from engine.errors import GameError
from engine.scenario import load, play

DONE, BAD_INPUT = 0, 2
LARGEST_BYTES = 16 << 20


def run(path: str) -> int:
    """Writes every event of the scenario at `path` as one JSON object a line on standard output.

    Returns the exit status: 2, and one line on standard error, for a file that can't be read or is not valid.
    """
    try:
        with open(path, "rb") as file:  # a pipe will do, an endless one will not
            data = file.read(LARGEST_BYTES + 1)
        if len(data) > LARGEST_BYTES:
            return _bad(path, f"expected a scenario of at most {LARGEST_BYTES} bytes")
        events = play(load(data))
    except OSError as why:
        return _bad(path, why.strerror or type(why).__name__)
    except GameError as why:
        return _bad(path, str(why))
    lines = "".join(json.dumps(event.to_json(), separators=(", ", ": ")) + "\n" for event in events)
    sys.stdout.write(lines)
    sys.stdout.flush()
    return DONE


def _bad(path: str, why: str) -> int:
    name = path if path.isprintable() else ascii(path)
    sys.stderr.write(f"{name}: {why}\n")
    return BAD_INPUT
