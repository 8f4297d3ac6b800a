"""The pool of real processes with a recogniser that hears nothing: order, counts, and what a table is told."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from tests.speech.made_up import MODULE, said
from voice.speech.service import SpeechService
from voice.speech.settings import SpeechSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from voice.speech.stream import SpeechStream


async def until(true: Callable[[], bool], within_s: float = 60.0) -> None:
    """Wait for what other processes do; a bound for a broken run, not a measurement."""
    async with asyncio.timeout(within_s):
        while not true():  # noqa: ASYNC110 - it is other processes that are waited for
            await asyncio.sleep(0.01)


@dataclass
class Heard:
    """A table and what it was told, in order."""

    stream: SpeechStream
    told: list[tuple[Any, ...]] = field(default_factory=list)

    @property
    def lines(self) -> list[tuple[int, str]]:
        return [(seat, text) for what, seat, text in self.told if what == "line"]

    @property
    def states(self) -> list[tuple[str, int]]:
        return [(state, lost) for what, state, lost in self.told if what == "captions"]

    def says(self, *numbers: int, seat: int = 1, stage: str = "final") -> None:
        for number in numbers:
            self.stream.heard(said(self.stream.number, seat, number, stage))


@contextlib.asynccontextmanager
async def pool(tmp_path: Path, model: str | dict[str, str], **settings: Any) -> AsyncIterator[SpeechService]:
    models = model if isinstance(model, dict) else {"en": model}
    service = SpeechService(tmp_path, SpeechSettings(models=models, recogniser=MODULE, **settings))
    await service.start()
    try:
        yield service
    finally:
        await service.stop()


def opened(service: SpeechService, table: str, lang: str = "en") -> Heard:
    told: list[tuple[Any, ...]] = []
    stream = service.open(
        table,
        lang,
        lambda line: told.append(("line", line.seat, line.text)),
        lambda seat, *interim: told.append(("interim", seat, interim)),
        lambda state, lost: told.append(("captions", state, lost)),
    )
    return Heard(stream, told)


def texts(*numbers: int) -> list[str]:
    return [f"line {number}" for number in numbers]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Late is what is late by a tenth of what is late at a table, so that a test need not wait for it."""
    monkeypatch.setattr("voice.speech.captions.LATE_S", 0.3)
    monkeypatch.setattr("voice.speech.captions.CAUGHT_UP_S", 0.1)
    monkeypatch.setattr(
        "voice.speech.captions._HOLDS_S", dict.fromkeys(("loading", "live", "finals", "late", "off"), 0.0)
    )
    monkeypatch.setattr("voice.speech.service.LOOK_S", 0.05)
    monkeypatch.setattr("voice.speech.settings.BEHIND_S", 0.2)


@pytest.mark.usefixtures("quick")
async def test_beyond_capacity_interims_go_first_and_finals_are_late_and_all_there(tmp_path: Path) -> None:
    async with pool(tmp_path, "slow 0.1") as service:
        tables = [opened(service, f"t{number}") for number in range(3)]
        await until(lambda: service.ready("en"))
        for number in range(1, 7):
            for table in tables:
                table.says(number, seat=1 + number % 2)
        for table in tables:
            table.says(7, seat=3, stage="draft")
        await service.scheduler.until_idle()
        for table in tables:
            assert sorted(table.lines) == sorted((1 + number % 2, f"line {number}") for number in range(1, 7))
            for seat in (1, 2):
                own = [text for each, text in table.lines if each == seat]
                assert own == sorted(own)
            kinds = [what for what, *_ in table.told if what != "captions"]
            assert kinds[:6] == ["line"] * 6, "no caption of speech that goes on before the last whole line"
        assert service.stats()["recogniser"]["dropped_overload"] == 0
        for table in tables:
            await until(lambda table=table: table.states[-1] == ("live", 0))  # type: ignore[misc]
            states = [state for state, _ in table.states]
            assert "late" in states
            assert states.index("late") > 0
        later = opened(service, "later")
        await until(lambda: service.scheduler.draft_every_s > 0)
        later.says(1, stage="draft")
        await until(lambda: any(what == "interim" for what, *_ in later.told))


@pytest.mark.usefixtures("quick")
async def test_beyond_all_bounds_the_oldest_lines_of_that_table_are_lost_and_it_is_told(tmp_path: Path) -> None:
    path = tmp_path / "go"
    async with pool(tmp_path, f"until {path}", max_waiting_s=4.0) as service:
        crowded, other = opened(service, "crowded"), opened(service, "other")
        await until(lambda: service.ready("en"))
        crowded.says(*range(1, 10))
        other.says(1)
        await until(lambda: ("late", 4) in crowded.states)
        path.touch()
        await service.scheduler.until_idle()
        assert [text for _, text in crowded.lines] == texts(1, 6, 7, 8, 9)
        assert [text for _, text in other.lines] == texts(1)
        assert service.stats()["recogniser"]["dropped_overload"] == 4
        await until(lambda: crowded.states[-1] == ("live", 4))
        assert {lost for _, lost in other.states} == {0}


async def test_several_processes_share_the_work_and_a_seats_lines_keep_their_order(tmp_path: Path) -> None:
    async with pool(tmp_path, "slow 0.02", workers=3) as service:
        table = opened(service, "t")
        await until(lambda: all("en" in worker.loaded for worker in service.scheduler.pool))
        table.says(*range(1, 31))
        assert len(service.scheduler.pool.jobs) == 3
        await service.scheduler.until_idle()
        assert [text for _, text in table.lines] == texts(*range(1, 31))


async def test_a_process_that_takes_several_at_once_is_given_so_many_and_dies_of_one_alone(tmp_path: Path) -> None:
    path = tmp_path / "go"
    async with pool(tmp_path, f"until {path}", batch=4) as service:
        table = opened(service, "t")
        await until(lambda: service.ready("en"))
        table.says(*range(1, 8))
        assert len(service.scheduler.pool.jobs) == 4
        (pid,) = service.scheduler.pids
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        await until(lambda: service.scheduler.pids != [pid] and service.scheduler.busy)
        assert [job.attempts for job in service.scheduler.pool.jobs] == [2], "what it died of harms no other"
        path.touch()
        await service.scheduler.until_idle()
        assert [text for _, text in table.lines] == texts(*range(1, 8))
        assert service.stats()["recogniser"]["retried"] == 4


async def test_a_language_that_loads_holds_nobody_elses_lines(tmp_path: Path) -> None:
    path = tmp_path / "go"
    models = {"en": "echo", "ru": f"loads {path} base"}
    async with pool(tmp_path, models, workers=2) as service:
        english = opened(service, "e")
        await until(lambda: all("en" in worker.loaded for worker in service.scheduler.pool))
        russian = opened(service, "r", "ru")
        await until(lambda: "ru" in service.scheduler.pool.loading)
        russian.says(1)
        english.says(*range(1, 11))
        await until(lambda: len(english.lines) == 10)
        assert russian.states == [("loading", 0)]
        assert russian.lines == []
        assert len(service.scheduler.pool.loading) == 1, "the other one goes on with what it knows"


async def test_a_process_that_has_grown_is_replaced_and_no_line_waits_for_it(tmp_path: Path) -> None:
    path = tmp_path / "grow"
    async with pool(tmp_path, f"grows {path}") as service:
        table = opened(service, "t")
        await until(lambda: service.ready("en"))
        (pid,) = service.scheduler.pids
        table.says(1, 2)
        await service.scheduler.until_idle()
        path.touch()
        said_so_far = 2

        def replaced() -> bool:
            nonlocal said_so_far
            if not service.scheduler.busy:
                path.unlink(missing_ok=True) if said_so_far > 2 else None  # one process grows
                said_so_far += 1
                table.says(said_so_far)
            return bool(service.stats()["recogniser"]["recycled"])

        await until(replaced)
        await service.scheduler.until_idle()
        assert [text for _, text in table.lines] == texts(*range(1, said_so_far + 1))
        assert service.scheduler.pids != [pid]
        assert len(service.scheduler.pids) == 1
        counts = service.stats()["recogniser"]
        assert (counts["deaths"], counts["retried"], counts["recycled"]) == (0, 0, 1)
        await until(lambda: gone(pid))


def gone(pid: int | None) -> bool:
    assert pid is not None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


async def test_an_idle_process_that_stands_still_is_found_before_anybody_speaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("voice.speech.patience.IDLE_S", 1.0)
    async with pool(tmp_path, "echo") as service:
        table = opened(service, "t")
        await until(lambda: service.ready("en"))
        (pid,) = service.scheduler.pids
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        await until(lambda: service.stats()["recogniser"]["hung"] == 1)
        await until(lambda: service.scheduler.pids not in ([pid], [None]) and service.ready("en"))
        table.says(1)
        await service.scheduler.until_idle()
        assert [text for _, text in table.lines] == texts(1)
