"""A connection whose network is gone: no end of it comes, and the player must notice all the same."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any

from websockets.asyncio.server import serve

from voice.player import session as session_module
from voice.player.session import PlayerSession

if TYPE_CHECKING:
    import pytest
    from websockets.asyncio.server import ServerConnection


class Cable:
    """Between a client and a server, until it is pulled: then nothing passes, and nothing is closed."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.pulled = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def plug(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        ways = [self._pass(reader, far_writer), self._pass(far_reader, writer)]
        await asyncio.gather(*ways)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(4096):
                if not self.pulled:
                    writer.write(data)
        writer.close()


async def test_a_server_that_answers_no_ping_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert session_module.PING_S + session_module.PONG_WITHIN_S <= 10.0
    monkeypatch.setattr(session_module, "PING_S", 0.2)
    monkeypatch.setattr(session_module, "PONG_WITHIN_S", 0.5)

    async def table(socket: ServerConnection) -> None:
        await socket.send(json.dumps({"type": "welcome"}))
        with contextlib.suppress(Exception):  # however it ends
            async for _ in socket:
                pass

    async with serve(table, "127.0.0.1", 0, ping_interval=None, close_timeout=0.5) as server:
        cable = Cable(server.sockets[0].getsockname()[1])
        relay: Any = await asyncio.start_server(cable.plug, "127.0.0.1", 0)
        async with relay, PlayerSession(f"http://127.0.0.1:{relay.sockets[0].getsockname()[1]}", "token") as session:
            messages = session.messages()
            assert (await anext(messages))["type"] == "welcome"
            await asyncio.sleep(1.0)
            assert session.close_code is None, "it lives while pings are answered"
            cable.pulled = True
            async with asyncio.timeout(20):
                assert [message async for message in messages] == []
            assert session.close_code == 1006  # RFC 6455, 7.4.1: without a word of the other side
