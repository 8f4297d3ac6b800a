"""The soak's server: one process with N tables' rooms, or with media workers that carry them; orders by standard input.

An order is one JSON object a line with an `id`, and its answer, in whatever order they get done, has the same:
`connect` (table, seat, sdp) gives `sdp` or `error`; `disconnect` (table, seat); `mic` (table, seats);
`sample` (collect: what nothing holds any more is freed first); `close`.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import resource
import sys
import time
from typing import TYPE_CHECKING, Any

import structlog

from voice.lag import LagWatch
from voice.logs import configure_logs
from voice.media import selftest
from voice.media.errors import MediaError
from voice.media.room import MediaRoom
from voice.media.settings import MediaSettings
from voice.memory import settle

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from voice.media.workers.pool import MediaWorkers
    from voice.media.workers.remote import RemoteRoom

LINE_BYTES = 1 << 22
LOCAL = MediaSettings(addresses=())
"""127.0.0.1 alone; every limit and the pace of connections as they are by themselves."""


def process(pid: int) -> dict[str, float]:
    """Memory, threads and open descriptors of a process."""
    with open(f"/proc/{pid}/status") as file:
        fields = dict(line.split(":", 1) for line in file)
    return {
        "rss_mb": int(fields["VmRSS"].split()[0]) / 1024,
        "threads": int(fields["Threads"]),
        "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
    }


class Server:
    """The rooms, and the orders."""

    def __init__(self, tables: int, workers: MediaWorkers | None) -> None:
        self._workers = workers
        opened: Callable[[str], MediaRoom | RemoteRoom]
        if workers is None:

            def opened(table: str) -> MediaRoom | RemoteRoom:
                return MediaRoom(table, lambda packet: None, lambda seats: None, LOCAL)
        else:

            def opened(table: str) -> MediaRoom | RemoteRoom:
                return workers.open(table, lambda packet: None, lambda seats: None)

        self._rooms = [opened(str(table)) for table in range(tables)]
        self._lag = LagWatch("soak")
        self._running: set[asyncio.Task[None]] = set()

    async def serve(self) -> None:
        """Follow the orders until standard input ends, or `close`."""
        if self._workers is None:  # as a worker does
            await selftest.link_factory()
            settle()
        self._lag.start()
        reader = asyncio.StreamReader(limit=LINE_BYTES)
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        while line := await reader.readline():
            order = json.loads(line)
            task = asyncio.create_task(self._follow(order))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
            if order["do"] == "close":
                await task
                break
        self._lag.stop()

    async def _follow(self, order: Mapping[str, Any]) -> None:
        answer: dict[str, Any] = {}
        try:
            answer = await self._done(order) or {}
        except MediaError as error:
            answer = {"error": error.code}
        print(json.dumps({"id": order["id"], **answer}), flush=True)

    async def _done(self, order: Mapping[str, Any]) -> dict[str, Any] | None:
        what = order["do"]
        if what == "connect":
            return {"sdp": await self._rooms[order["table"]].connect(order["seat"], order["sdp"])}
        if what == "disconnect":
            await self._rooms[order["table"]].disconnect(order["seat"])
        elif what == "mic":
            self._rooms[order["table"]].mic(order["seats"])
        elif what == "sample":
            if order.get("collect"):
                gc.collect()
            return self.sample()
        elif what == "close":
            await asyncio.gather(*(room.close() for room in self._rooms))
        return None

    def sample(self) -> dict[str, Any]:
        """What this process, and its workers, hold now. Tasks: of this process, without the orders' own."""
        pids = [os.getpid(), *(each["pid"] for each in (self._workers.stats() if self._workers is not None else []))]
        found = [process(pid) for pid in pids if pid]
        used = resource.getrusage(resource.RUSAGE_SELF)
        lag = self._lag.stats()
        return {
            "at": time.monotonic(),
            **{name: round(sum(each[name] for each in found), 2) for name in ("rss_mb", "threads", "descriptors")},
            "tasks": len(asyncio.all_tasks()) - len(self._running),
            "cpu_s": round(used.ru_utime + used.ru_stime, 2),
            "lag_p99_ms": lag["p99"],
            "lag_max_ms": lag["max"],
            "lag_alarms": lag["alarms"],
            "peers": sum(_number(room.stats().get("peers")) for room in self._rooms),
        }


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


async def _main(tables: int, workers: int) -> None:
    if not workers:
        await Server(tables, None).serve()
        return
    from voice.media.workers.pool import MediaWorkers

    pool = MediaWorkers(workers, LOCAL)
    await pool.start()
    try:
        await pool.ready(60.0)
        await Server(tables, pool).serve()
    finally:
        await pool.stop()


def main(arguments: Sequence[str]) -> None:
    """`python -m benchmarks.soak.server TABLES WORKERS`."""
    import uvloop

    configure_logs()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 65_536)), hard))
    structlog.get_logger().info("soak.server", tables=int(arguments[0]), workers=int(arguments[1]))
    uvloop.run(_main(int(arguments[0]), int(arguments[1])))


if __name__ == "__main__":
    main(sys.argv[1:])
