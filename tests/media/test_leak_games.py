"""The leak test over whole games, wherever the voice is, and that it finds leaks; 200 games: `leak_games`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from voice.media.fallback import FallbackLink
from voice.media.gate import Gate, Intake
from voice.media.peer import PeerLink
from voice.media.workers.keeper import WorkerKeeper
from voice.media.workers.remote import RemoteRoom
from voice.media.workers.wire import FromWorker, Move, Ready
from voice.media.writer import SlotWriter

from .leak import games
from .leak.games import play
from .leak.speech import SEATS, foreign_tones, tone_of

if TYPE_CHECKING:
    from collections.abc import Callable


async def test_reports_18_19_20_and_21_nothing_of_a_closed_microphone_in_whole_games() -> None:
    outcome = await play(4, seed=1, where=("worker", "room", "fallback", "room"))
    assert outcome.leaks == []
    counts = outcome.counts
    # The control: what was open was heard, and all that should have been refused was tried. How much of each depends on
    # how the machine's other work fell between the packets; a part of what is usual is enough to say that it was there.
    assert counts["openings that were heard"] > 0.5 * counts["openings"] > 30
    assert counts["connections"] > 30
    assert counts["let through"] > 100
    assert counts["heard"] > counts["let through"]
    assert counts["heard in a further slot"] > 20
    assert counts["samples of the tap"] > 5 * 960
    assert counts["samples of listeners"] > 50 * 960
    assert counts["seats that came late"] == counts["moderators that came late"] == 4
    assert counts["moves of a late server"] > 0
    assert counts["a worker stood still"] > 0
    assert counts["a worker was killed"] + counts["a worker hung"] == counts["deaths of workers"] == 1
    for reason in ("closed", "before_opening", "first", "srtp", "ssrc"):
        assert counts[f"dropped: {reason}"] > 0, reason


async def _sabotaged(
    monkeypatch: pytest.MonkeyPatch, where: str = "room", phases: list[tuple[int, ...]] | None = None
) -> list[str]:
    shown = phases or games.microphones(1)[:14]
    monkeypatch.setattr(games, "microphones", lambda seed, ruleset: shown)
    return (await play(1, 1, [where])).leaks


async def test_a_gate_that_lets_all_pass_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Intake, "refuses", lambda self, sequence: None)
    leaks = await _sabotaged(monkeypatch)
    assert any("are open" in leak for leak in leaks)
    assert any(" seat 2: packet" in leak and "which was closed" in leak for leak in leaks)
    assert any(" moderator: packet" in leak and "which was closed" in leak for leak in leaks)


async def test_a_gate_that_forgets_what_it_saw_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    keeps = Intake.refuses
    monkeypatch.setattr(Intake, "refuses", lambda s, n: None if s._gate.opened.get(s._seat) else keeps(s, n))
    assert any("before its opening" in leak for leak in await _sabotaged(monkeypatch))


async def test_a_gate_that_closes_late_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(self: Gate, seats: frozenset[int], _set: Callable[..., bool] = Gate.set) -> bool:
        return _set(self, seats | self.open if len(seats) < 2 else seats)

    monkeypatch.setattr(Gate, "set", late)
    assert any("are open" in leak for leak in await _sabotaged(monkeypatch))


@pytest.mark.parametrize(("where", "link"), [("room", PeerLink), ("fallback", FallbackLink)])
async def test_a_late_server_that_does_not_read_before_it_opens_is_found(
    where: str, link: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "drain", lambda self: None)
    monkeypatch.setattr(games, "LATE", 1.0)
    assert any("before its opening" in leak for leak in await _sabotaged(monkeypatch, where))


async def test_a_speaker_who_hears_itself_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    forward = SlotWriter.forward
    monkeypatch.setattr(SlotWriter, "forward", lambda s, *args: forward(s, *args[:-1], None))
    assert any("hears itself" in leak for leak in await _sabotaged(monkeypatch))


async def test_a_worker_that_opens_what_it_was_not_told_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def tell(self: RemoteRoom) -> None:
        self._serial += 1
        self._worker.send(Move(self._number, list(SEATS), self._serial))

    monkeypatch.setattr(RemoteRoom, "_tell", tell)
    leaks = await _sabotaged(monkeypatch, "worker", [(seat,) for seat in SEATS[:6]])
    assert any("are open" in leak for leak in leaks)
    assert any("which was closed" in leak for leak in leaks)


async def test_a_worker_that_comes_back_with_its_old_gate_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    gates: list[frozenset[int]] = []
    ended, said = RemoteRoom.ended, WorkerKeeper._said

    def dies(self: RemoteRoom) -> None:
        gates.append(self._open)
        ended(self)

    def is_back(self: WorkerKeeper, message: FromWorker) -> None:
        said(self, message)
        if isinstance(message, Ready) and gates:
            for room in self.rooms.values():
                room._serial += 1
                self.send(Move(room._number, sorted(gates[-1]), room._serial))

    monkeypatch.setattr(RemoteRoom, "ended", dies)
    monkeypatch.setattr(WorkerKeeper, "_said", is_back)
    monkeypatch.setattr(games, "HANGS", 0.0)
    monkeypatch.setattr(games, "DOWN_PHASES", (3, 3))
    leaks = await _sabotaged(monkeypatch, "worker", [(seat,) for seat in SEATS * 2])
    assert any("are open" in leak for leak in leaks)
    assert any("which was closed" in leak for leak in leaks)


def test_the_samples_of_another_seat_are_found_whatever_the_numbers_say() -> None:
    own, other = tone_of(3), tone_of(7)
    assert foreign_tones({3: own * 2}) == ([], 960 * 2 * len(own))
    found, looked = foreign_tones({3: own + other})
    assert found == ["samples: seat 7 in the speech of 3"]
    assert looked == 960 * (len(own) + len(other))
    short = {3: own[:20]}
    assert foreign_tones(short) == ([], 0)
    assert len(short[3]) == 20
