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


class Told:
    """A voice link and what the table tells of it, at times of the test's own."""

    def __init__(self) -> None:
        self.player = make_player()
        self.state = self.player._state = SimpleNamespace(seat=3, linked=frozenset())
        self.link = SimpleNamespace(down=False, connected=True, heard_at=0.0)

    def gone(self, now: float) -> bool:
        return bool(self.player._has_gone(SimpleNamespace(link=self.link), now))


def test_a_link_without_a_datagram_is_dead_and_one_that_is_being_made_is_not() -> None:
    told = Told()
    assert not told.gone(2.9)
    assert told.gone(3.1)
    told.link.connected = False
    assert not told.gone(3.1)
    told.link.down = True
    assert told.gone(0.0)


def test_a_link_that_the_table_has_lost_is_dead_though_it_believes_to_live() -> None:
    """As when the media worker that carried it has died."""
    told = Told()
    assert not told.gone(1.0), "the table has not told of it yet"
    told.link.heard_at = 100.0
    assert not told.gone(100.0)
    told.state.linked = frozenset({3, 4})
    assert not told.gone(100.1)
    told.state.linked = frozenset({4})
    assert not told.gone(100.2), "another one may be told in the next moment"
    told.state.linked = frozenset({3})
    assert not told.gone(101.3)
    told.state.linked = frozenset()
    assert not told.gone(101.4)
    assert told.gone(102.5)
