"""The leak test over whole games on bad links, with reconnects and a hostile client; 200 games: see `leak_games`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from voice.media.gate import Gate, Intake
from voice.media.writer import SlotWriter

from . import leak_games
from .leak_games import play

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

GAMES = 4


async def test_reports_18_19_20_and_21_nothing_of_a_closed_microphone_in_whole_games() -> None:
    book = await play(GAMES, seed=1)
    assert book.leaks == []
    counts = book.counts
    # The control: what was open was heard, and all that should have been refused was tried.
    assert counts["openings that were heard"] > 0.8 * counts["openings"] > 60
    assert counts["connections"] > 20
    assert counts["let through"] > 500
    assert counts["overheard by the moderator"] > 0.9 * counts["let through alone"] > 200
    assert counts["heard in a further slot"] > 200
    assert counts["samples looked at"] > 100 * 960
    for reason in ("closed", "before_opening", "first", "srtp", "ssrc"):
        assert counts[f"dropped: {reason}"] > 0, reason


async def _sabotaged(monkeypatch: pytest.MonkeyPatch, seed: int = 1) -> list[str]:
    phases = leak_games.microphones(seed)[:14]
    monkeypatch.setattr(leak_games, "microphones", lambda seed, ruleset: phases)
    return (await play(1, seed)).leaks


async def test_a_gate_that_lets_all_pass_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Intake, "refuses", lambda self, sequence: None)
    assert any("are open" in leak for leak in await _sabotaged(monkeypatch))


async def test_a_gate_that_forgets_what_it_saw_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    keeps = Intake.refuses
    monkeypatch.setattr(Intake, "refuses", lambda s, n: None if s._gate.opened.get(s._seat) else keeps(s, n))
    assert any("before its opening" in leak for leak in await _sabotaged(monkeypatch))


async def test_a_gate_that_closes_late_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(self: Gate, seats: frozenset[int], _set: Callable[..., bool] = Gate.set) -> bool:
        return _set(self, seats | self.open if len(seats) < 2 else seats)

    monkeypatch.setattr(Gate, "set", late)
    assert any("are open" in leak for leak in await _sabotaged(monkeypatch))


async def test_a_speaker_who_hears_itself_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    forward = SlotWriter.forward
    monkeypatch.setattr(SlotWriter, "forward", lambda s, *args: forward(s, *args[:-1], None))
    assert any("listener" in leak for leak in await _sabotaged(monkeypatch))
