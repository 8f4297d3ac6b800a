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
    async with pool(tmp_path, "echo") as service:
        table = opened(service, "t")
        await until(lambda: service.ready("en"))
        monkeypatch.setattr("voice.speech.patience.IDLE_S", 1.0)
        assert service.stats()["recogniser"]["hung"] == 0
        (pid,) = service.scheduler.pids
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        await until(lambda: service.stats()["recogniser"]["hung"] == 1)
        await until(lambda: service.scheduler.pids not in ([pid], [None]) and service.ready("en"))
        table.says(1)
        await service.scheduler.until_idle()
        assert [text for _, text in table.lines] == texts(1)


@pytest.mark.parametrize("device", ["cpu", "cuda"])
async def test_one_that_stands_still_while_it_loads_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, device: str
) -> None:
    """For a GPU too: what its processor does tells while it loads."""
    monkeypatch.setattr("voice.speech.patience.LOAD_STILL_S", 3.0)
    async with pool(tmp_path, "echo", device=device) as service:
        (pid,) = service.scheduler.pids
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        table = opened(service, "t")
        await until(lambda: service.ready("en"))
        assert service.stats()["recogniser"]["hung"] >= 1
        assert service.scheduler.pids != [pid]
        table.says(1)
        await service.scheduler.until_idle()
        assert [text for _, text in table.lines] == texts(1)


async def test_a_process_that_has_no_memory_for_a_model_turns_nothing_off(tmp_path: Path) -> None:
    """Nor does its try later on: the other one has it."""
    folder = tmp_path / "loaded"
    folder.mkdir()
    async with pool(tmp_path, f"few {folder} 1", workers=2) as service:
        table = opened(service, "t")
        await until(lambda: len(list(folder.iterdir())) == 2 and not service.scheduler.pool.loading)
        assert service.ready("en")
        assert service.problem("en") is None
        table.says(1, 2, 3)
        await service.scheduler.until_idle()
        assert [text for _, text in table.lines] == texts(1, 2, 3)
        assert service.stats()["recogniser"]["dropped_no_model"] == 0


async def test_a_model_that_could_not_be_loaded_is_tried_again_while_its_table_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("voice.speech.languages.AGAIN_AFTER_S", (0.2,))
    folder = tmp_path / "loaded"
    folder.mkdir()
    another = folder / str(os.getpid())
    another.touch()
    async with pool(tmp_path, f"few {folder} 1") as service:
        table = opened(service, "t")
        await until(lambda: service.problem("en") == "no memory for one more")
        table.says(1)
        assert service.stats()["recogniser"]["dropped_no_model"] == 1
        another.unlink()
        await until(lambda: service.ready("en"))
        assert service.problem("en") is None
        table.says(2)
        await service.scheduler.until_idle()
        assert [text for _, text in table.lines] == texts(2)


async def test_a_spare_that_has_no_memory_beside_its_elder_leaves_it_in_its_place(tmp_path: Path) -> None:
    folder = tmp_path / "loaded"
    folder.mkdir()
    async with pool(tmp_path, f"few {folder} 1") as service:
        table = opened(service, "t")
        await until(lambda: service.ready("en"))
        (pid,) = service.scheduler.pids
        (elder,) = service.scheduler.pool
        service.scheduler.pool._renew(elder)
        await until(lambda: len(list(folder.iterdir())) == 2 and len(service.scheduler.pool) == 1)
        table.says(1, 2)
        await service.scheduler.until_idle()
        assert [text for _, text in table.lines] == texts(1, 2)
        assert service.problem("en") is None
        assert (service.scheduler.pids, service.stats()["recogniser"]["recycled"]) == ([pid], 0)


async def test_a_spare_has_the_number_and_so_the_gpu_of_its_elder_however_often(tmp_path: Path) -> None:
    async with pool(tmp_path, "echo", workers=2) as service:
        opened(service, "t")
        renewed = service.scheduler.pool
        for number in (0, 1, 0):
            await until(lambda: all("en" in worker.loaded for worker in renewed) and len(renewed) == 2)
            before = renewed.recycled
            renewed._renew(next(worker for worker in renewed if worker.number == number))
            await until(lambda before=before: renewed.recycled == before + 1)  # type: ignore[misc]
            assert sorted(worker.number for worker in renewed) == [0, 1]


async def test_what_nobody_speaks_any_more_is_not_loaded_again(tmp_path: Path) -> None:
    path = tmp_path / "go"
    async with pool(tmp_path, {"en": f"until {path}", "ru": "echo"}) as service:
        russian, english = opened(service, "r", "ru"), opened(service, "e")
        await until(lambda: service.ready("ru") and service.ready("en"))
        russian.stream.close()
        english.says(1)
        (pid,) = service.scheduler.pids
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        path.touch()
        await until(lambda: len(english.lines) == 1)
        assert not service.ready("ru")
        opened(service, "r", "ru")
        await until(lambda: service.ready("ru"))


async def test_lines_that_wait_come_before_a_model_that_no_line_waits_for(tmp_path: Path) -> None:
    """With one process: what was said first is done first, be it by a model that is there or one that is not."""
    path = tmp_path / "go"
    async with pool(tmp_path, {"en": "slow 0.02", "ru": f"loads {path} base"}) as service:
        english = opened(service, "e")
        await until(lambda: service.ready("en"))
        english.says(*range(1, 6))
        russian = opened(service, "r", "ru")
        await until(lambda: "ru" in service.scheduler.pool.loading)
        assert len(english.lines) == 5
        english.says(6)
        assert russian.lines == []


async def test_what_can_not_be_done_costs_its_own_line_and_no_process(tmp_path: Path) -> None:
    async with pool(tmp_path, "odd") as service:
        table = opened(service, "t")
        await until(lambda: service.ready("en"))
        pids = service.scheduler.pids
        table.says(*range(1, 6))
        await service.scheduler.until_idle()
        counts = service.stats()["recogniser"]
        assert [text for _, text in table.lines] == texts(2, 4)
        assert (counts["retried"], counts["dropped_failed"], counts["deaths"]) == (3, 3, 0)
        assert service.scheduler.pids == pids
        assert service.stats()["streams"]["t"]["lines_dropped"] == 3


async def test_what_ruins_a_process_ends_it(tmp_path: Path) -> None:
    async with pool(tmp_path, "heavy") as service:
        table = opened(service, "t")
        await until(lambda: service.ready("en"))
        table.says(1, 2, 3)
        await service.scheduler.until_idle()
        counts = service.stats()["recogniser"]
        assert [text for _, text in table.lines] == texts(1, 3)
        assert (counts["deaths"], counts["dropped_crash"], counts["dropped_failed"]) == (2, 1, 0)


async def test_what_came_while_a_process_worked_is_one_batch_however_long_it_is(tmp_path: Path) -> None:
    """Seven utterances of twelve seconds are ten times what a socket holds."""
    path = tmp_path / "go"
    async with pool(tmp_path, f"together {path}", batch=8) as service:
        table = opened(service, "t")
        path.touch()
        await until(lambda: service.ready("en"))
        path.unlink()
        table.says(1)
        (worker,) = service.scheduler.pool
        await until(lambda: not worker._child.waiting_bytes)
        await asyncio.sleep(0.1)  # it has begun with that one
        for number in range(2, 9):
            table.stream.heard(said(table.stream.number, 1, number, seconds=12.0))
        await until(lambda: not worker._child.waiting_bytes)
        path.touch()
        await service.scheduler.until_idle()
        assert [text for _, text in table.lines] == ["1 of 1", *(f"{number} of 7" for number in range(2, 9))]


@pytest.mark.parametrize(("workers", "batch"), [(1, 8), (2, 8), (2, 1), (3, 1)])
async def test_places_for_whole_utterances_are_kept_free_of_drafts(workers: int, batch: int, tmp_path: Path) -> None:
    path = tmp_path / "go"
    async with pool(tmp_path, f"until {path}", workers=workers, batch=batch) as service:
        tables = [opened(service, f"t{number}") for number in range(20)]
        await until(lambda: all("en" in worker.loaded for worker in service.scheduler.pool))
        for table in tables:
            table.says(1, stage="draft")
        in_hand = sorted(len(worker.jobs) for worker in service.scheduler.pool)
        each = max(1, batch - 2)
        assert in_hand == ([each] if workers == 1 else [0, *[each] * (workers - 1)])
        tables[0].says(2)
        assert sum(job.final for job in service.scheduler.pool.jobs) == (workers > 1 or batch > 1)
        path.touch()
        await service.scheduler.until_idle()


async def test_a_table_has_one_draft_in_hand_and_the_newest_of_the_others_waits(tmp_path: Path) -> None:
    path = tmp_path / "go"
    async with pool(tmp_path, f"until {path}", workers=4) as service:
        table = opened(service, "t")
        await until(lambda: all("en" in worker.loaded for worker in service.scheduler.pool))
        table.says(1, 2, 3, stage="draft")
        assert len(service.scheduler.pool.jobs) == 1
        path.touch()
        await service.scheduler.until_idle()
        shown = [what[-1][0] for what in table.told if what[0] == "interim"]
        assert shown == texts(1, 3)


@pytest.mark.usefixtures("quick")
async def test_a_fault_in_looking_after_speech_ends_no_looking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voice.speech.service.HEARTBEAT_S", 0.05)
    async with pool(tmp_path, "echo") as service:
        table = opened(service, "t")
        await until(lambda: service.ready("en"))
        faults = 0

        def fault(*_: object) -> None:
            nonlocal faults
            faults += 1
            raise KeyError(faults)

        with monkeypatch.context() as broken:
            broken.setattr(service.scheduler, "beat", fault)
            broken.setattr(table.stream.memory, "forget", fault)
            await until(lambda: faults > 8)
        assert not any(task.done() for task in service._tasks)
        table.says(1)
        await service.scheduler.until_idle()
        assert [text for _, text in table.lines] == texts(1)


async def test_a_server_that_stops_while_a_process_is_replaced_leaves_none_behind(tmp_path: Path) -> None:
    async with pool(tmp_path, "echo") as service:
        opened(service, "t")
        await until(lambda: service.ready("en"))
        replaced = service.scheduler.pool
        (elder,) = replaced
        pids = set(service.scheduler.pids)
        assert elder.pid is not None
        os.kill(elder.pid, signal.SIGSTOP)  # so that it does not end by itself
        replaced._renew(elder)
        await until(lambda: replaced.recycled == 1)
        pids |= set(service.scheduler.pids)
        assert len(pids) == 2
    assert all(gone(pid) for pid in pids)
