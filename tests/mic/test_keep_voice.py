"""What ends the player's care for its voice link: quitting, and not a session that ends meanwhile."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from tests.media.conftest import until
from voice.mic.player import MicPlayer


def make_player() -> Any:
    """One in a running game, with a connection of which nothing is asked."""
    none: Any = SimpleNamespace()
    made: Any = MicPlayer("", "", none, none, none, none, none)
    made._state = SimpleNamespace(seat=1, state="running")
    made._session = object()
    return made


async def test_quitting_is_not_held_up_by_a_link_being_made_for_a_session_that_ended() -> None:
    player = make_player()
    begun = asyncio.Event()

    async def connect(session: object) -> None:
        begun.set()
        await asyncio.Event().wait()

    player._connect = connect
    keeping = asyncio.create_task(player._keep_voice())
    await begun.wait()
    player._session = None
    keeping.cancel()
    done, _ = await asyncio.wait({keeping}, timeout=5.0)
    keeping.cancel()
    assert done == {keeping}
    assert keeping.cancelled()


async def test_a_session_that_ends_while_a_link_is_made_does_not_end_the_voice() -> None:
    player = make_player()
    asked: list[object] = []

    async def connect(session: object) -> None:
        asked.append(session)
        raise asyncio.CancelledError

    player._connect = connect
    keeping = asyncio.create_task(player._keep_voice())
    await until(lambda: len(asked) == 2)
    assert not keeping.done()
    keeping.cancel()
    await asyncio.wait({keeping})
    assert keeping.cancelled()
