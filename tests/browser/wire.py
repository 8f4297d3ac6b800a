"""Between a page and the server: links that fail."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from voice.bench.link import BadLink, Impairment, without_candidates

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from playwright.async_api import Page, WebSocketRoute


class Wire:
    """Between a page and the server: its WebSocket, which can be cut, and its voice, which takes bad links."""

    def __init__(self, weather: Impairment | None = None) -> None:
        self.weather = weather or Impairment()
        self.links: list[BadLink] = []
        self.sockets: list[WebSocketRoute] = []
        self.dead = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def between(self, page: Page) -> None:
        await page.route_web_socket("**/ws", self._open)

    def _open(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        self.sockets.append(page)

        def up(text: str | bytes) -> None:
            frame = json.loads(text)
            if frame["type"] == "offer":
                frame["sdp"] = without_candidates(frame["sdp"])
            if not self.dead:
                server.send(json.dumps(frame))

        def down(text: str | bytes) -> None:
            frame = json.loads(text)
            if self.dead:
                return
            if frame["type"] != "answer":
                page.send(text)
                return
            task = asyncio.ensure_future(self._answer(page, frame))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        page.on_message(up)
        server.on_message(down)

    async def _answer(self, page: WebSocketRoute, frame: dict[str, Any]) -> None:
        link = await BadLink.start(self.weather, self.weather, seed=len(self.links))
        self.links.append(link)
        frame["sdp"] = link.between(frame["sdp"])
        page.send(json.dumps(frame))

    def close(self) -> None:
        for link in self.links:
            link.close()


async def until(condition: Callable[[], bool], within_s: float = 40.0) -> None:
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.05)


def in_order(people: Mapping[str, object], seats: int) -> tuple[dict[int, str], list[int], int]:
    """Seats in the order of coming, so that a person has the first minute."""
    taken = dict(enumerate(people, 1))
    return taken, [seat for seat in range(1, seats + 1) if seat not in taken], 7
