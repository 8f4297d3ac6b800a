"""A server's process of `voicetable bench media`, at its standard input and output, and the cores it may use."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


class BenchError(Exception):
    """The bench could not be run; one line says why."""


class Server:
    """A server's process and its orders."""

    def __init__(self, way: str, tables: int, cores: Sequence[int]) -> None:
        self._process = subprocess.Popen(
            [*pinned(cores), sys.executable, "-m", "voice.bench.media_server", way, str(tables)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def ask(self, **order: object) -> Any:
        """Send an order, wait for its answer. Raises BenchError if the server has ended."""
        self.send(**order)
        return self.answer()

    def send(self, **order: object) -> None:
        """Send an order; its answer is to be taken later."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()
        except OSError as why:
            raise BenchError(f"the server's process has ended: {why}") from why

    def answer(self) -> Any:
        """The next answer."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise BenchError(f"the server's process ended with exit status {self._process.wait()}")
        return json.loads(line)

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()


def pinned(cores: Sequence[int]) -> list[str]:
    """What stands before a command that may use these cores alone; nothing for none."""
    return ["taskset", "-c", ",".join(map(str, cores))] if cores else []
