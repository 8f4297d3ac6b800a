"""`voicetable serve`."""

from __future__ import annotations


def run(given: dict[str, object]) -> int:
    """Run the server with what the command line gave, until it is told to stop; the exit status."""
    from voice.serve import run as run_server

    return run_server(given)
