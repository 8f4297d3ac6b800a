"""Killed again and again in the middle of games: nothing that anybody was told is missing or different afterwards."""

from __future__ import annotations

import asyncio
import json
import random
import signal
from typing import TYPE_CHECKING, Any

import httpx
from websockets.exceptions import ConnectionClosed

from tests.web.client import CONSENT
from tests.web.processes import process, seat

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.client import Client
    from tests.web.processes import Process

KILLS = 15
DOWN_S = 5.0  # once: time that no table may count
PHASES = (
    *("agreement", "speech", "short_speech", "short_turn", "vote", "tie_speech", "lift"),
    *("shot", "don_check", "sheriff_check", "best_move", "last_word"),
)
# Slow enough that a few seconds of life do not play the game to its end.
SHORT: dict[str, object] = {f"{phase}_s": 0.4 for phase in PHASES}
ACTS: dict[str, dict[str, Any]] = {
    "speech": {"do": "sign", "sentence": ["red"]},
    "vote": {"do": "vote", "target": 1},
    "lift": {"do": "lift", "yes": False},
    "shot": {"do": "shoot", "target": 1},
}


class Viewer:
    """Everything that one person was ever told, over all lives of the server."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.told: list[dict[str, Any]] = []
        self.done = 0
        self._client: Client | None = None

    async def come(self, server: Process) -> Client:
        self._client = await seat(server.address, self.token, after=len(self.told))
        return self._client

    async def keep(self) -> None:
        """After the connection's end: the numbers go on without a gap from what there was."""
        assert self._client is not None
        await self._client.end()
        assert not [frame for frame in self._client.frames if frame["type"] == "error"]
        self.told += self._client.numbered
        assert [frame["n"] for frame in self.told] == list(range(1, len(self.told) + 1))
        self.done += sum(frame["type"] == "done" for frame in self._client.frames)

    async def act(self, chance: random.Random) -> None:
        """Command whatever the phase allows, at any time, often."""
        assert self._client is not None
        number = 0
        while self._client.closed is None:
            phases = [frame for frame in self._client.frames if frame.get("event", {}).get("event") == "phase"]
            wanted = ACTS.get(phases[-1]["event"]["name"]) if phases else None
            if wanted is not None:
                number += 1
                target = {"target": chance.randrange(1, 11)} if "target" in wanted else {}
                frame = {"type": "command", "id": number, "phase": phases[-1]["phase"], "command": {**wanted, **target}}
                try:
                    await self._client.socket.send(json.dumps(frame))
                except ConnectionClosed:  # the server was killed: that is what this is about
                    return
            await asyncio.sleep(chance.uniform(0.05, 0.2))


async def table(server: Process, people: int) -> list[Viewer]:
    """A table with its people, the owner first."""
    async with httpx.AsyncClient(base_url=server.address) as http:
        body = {"name": "Club", "display_name": "Anna", "options": SHORT, **CONSENT}
        made = (await http.post("/api/tables", json=body)).json()
        viewers = [Viewer(made["token"])]
        for i in range(1, people):
            body = {"display_name": f"Guest {i}", **CONSENT}
            joined = (await http.post(f"/api/invites/{made['invite']}/join", json=body)).json()
            viewers.append(Viewer(joined["token"]))
    return viewers


def check_times(told: list[dict[str, Any]], lived_s: float) -> None:
    """Events are in the order of time, and no second passed at the table while there was no server."""
    events = [frame["event"] for frame in told if frame["type"] == "event"]
    times = [event["t"] for event in events]
    assert times == sorted(times)
    assert times[-1] <= lived_s


async def test_killed_at_any_moment_nothing_told_is_lost_or_changed(tmp_path: Path) -> None:
    chance = random.Random(20)
    viewers: list[Viewer] = []
    tables: list[list[Viewer]] = []
    lived_s = 0.0
    loop = asyncio.get_running_loop()
    for number in range(KILLS):
        begun_s = loop.time()  # tables go on before the server listens
        async with process(tmp_path) as server:
            await server.listens()
            # A game takes long by its numbers and short by its kills: a new one joins those that go on.
            if len(tables) < 3:
                tables.append(await table(server, people=3))
                viewers += tables[-1]
            new = [await viewer.come(server) for viewer in viewers]
            for at, seats in enumerate(tables):
                if not seats[0].told:
                    owner = new[3 * at]
                    await owner.of("lobby")
                    await owner.send(type="start")
            acting = [asyncio.create_task(viewer.act(chance)) for viewer in viewers]
            await asyncio.sleep(chance.uniform(0.1, 1.6))
            server.child.send_signal(signal.SIGKILL)
            await server.child.wait()
            lived_s += loop.time() - begun_s
            await asyncio.gather(*acting)
            for viewer in viewers:
                await viewer.keep()
        if number == 1:
            await asyncio.sleep(DOWN_S)
    assert sum(viewer.done for viewer in viewers) > 0
    async with process(tmp_path) as server:
        await server.listens()
        for viewer in viewers:
            whole = await seat(server.address, viewer.token)
            await whole.of(viewer.told[-1]["type"], n=len(viewer.told))
            assert whole.numbered[: len(viewer.told)] == viewer.told
            check_times(viewer.told, lived_s)
            await whole.close()
    assert max(len(viewer.told) for viewer in viewers) > 30
