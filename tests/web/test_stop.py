"""Report 13: a server with many voice links ends at once when it is told to."""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING

import httpx

from tests.web.client import CONSENT
from tests.web.processes import process, seat
from voice.media.client import VoiceClient

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.client import Client

TABLES = 3
PEOPLE = 10
STOP_S = 5.0
"""The report's own bound."""


async def _full_table(address: str, number: int) -> list[Client]:
    async with httpx.AsyncClient(base_url=address) as http:
        made = (
            await http.post("/api/tables", json={"name": f"Club {number}", "display_name": "Anna", **CONSENT})
        ).json()
        tokens = [made["token"]]
        for guest in range(1, PEOPLE):
            answer = await http.post(
                f"/api/invites/{made['invite']}/join", json={"display_name": f"Guest {guest}", **CONSENT}
            )
            tokens.append(answer.json()["token"])
    clients = [await seat(address, token) for token in tokens]
    for client in clients:
        await client.of("lobby")
    await clients[0].send(type="start")
    for client in clients:
        await client.of("seated")
    return clients


async def _voice(client: Client) -> VoiceClient:
    link = VoiceClient()
    await client.send(type="offer", id=1, sdp=await link.offer())
    await link.accept((await client.of("answer", id=1))["sdp"])
    await link.connected()
    return link


async def test_report_13_told_to_stop_with_thirty_voice_links_it_ends_in_five_seconds(tmp_path: Path) -> None:
    async with process(tmp_path) as server:
        await server.listens()
        clients = [client for number in range(TABLES) for client in await _full_table(server.address, number)]
        links = [await _voice(client) for client in clients]
        server.child.send_signal(signal.SIGTERM)
        async with asyncio.timeout(STOP_S):
            assert await server.ends() == 0
        assert "Traceback" not in server.said
        for link in links:
            await link.close()
        for client in clients:
            await client.close()
