"""Second opinions from a real process with a made-up model: what comes back, and what deaths, hangs and floods cost."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import pytest

from moderation import Hit, Verdict
from voice.second_opinions import service as module
from voice.second_opinions.service import SecondOpinions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MODULE", "tests.second_opinions.made_up")


@contextlib.asynccontextmanager
async def opinions(tmp_path: Path, name: str = "made", device: str = "cpu") -> AsyncIterator[SecondOpinions]:
    service = SecondOpinions(tmp_path, name, device)
    await service.start()
    try:
        yield service
    finally:
        await service.stop()


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not true():  # noqa: ASYNC110 - it is another process that is waited for
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("device", ["cpu", "cuda"])
async def test_lines_come_back_with_what_is_thought_of_them(tmp_path: Path, device: str) -> None:
    told: list[tuple[str, Verdict]] = []
    async with opinions(tmp_path, device=device) as service:
        for text in ("rude one", "kind one", "fail", "rude two"):
            service.ask(text, "en", lambda verdict, text=text: told.append((text, verdict)))
        await until(lambda: len(told) == 3 and service.counts["lost"] == 1)
        stats = service.stats()
    assert [text for text, _ in told] == ["rude one", "kind one", "rude two"]
    assert told[0][1] == Verdict(
        scores={"insult": 0.9, "hate": 0.0, "sexual": 0.0}, why=(Hit(0, 8, "model.detoxify", "insult"),), review=True
    )
    assert (told[1][1].review, told[1][1].why) == (False, ())
    assert (stats["asked"], stats["answered"], stats["for_a_person"], stats["lost"]) == (4, 3, 2, 1)
    assert (stats["precision"], stats["waiting"], stats["why_not"]) == ("int8", 0, None)
    assert stats["line_ms"]["p50"] == 10.0


async def test_a_line_that_kills_the_process_is_asked_twice_and_costs_no_other(tmp_path: Path) -> None:
    told: list[str] = []
    async with opinions(tmp_path) as service:
        for text in ("rude one", "die", "rude two"):
            service.ask(text, "en", lambda _, text=text: told.append(text))
        await until(lambda: told == ["rude one", "rude two"])
        assert service.stats()["deaths"] == 2
        assert service.counts["lost"] == 1


async def test_one_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HANG_S", 0.2)
    told: list[str] = []
    async with opinions(tmp_path) as service:
        service.ask("hang", "en", lambda _: told.append("hang"))
        await until(lambda: service.counts["lost"] == 1)
        monkeypatch.setattr(module, "HANG_S", 60.0)
        service.ask("rude", "en", lambda _: told.append("rude"))
        await until(lambda: told == ["rude"])


async def test_a_model_that_can_not_be_used_is_said_once_and_nothing_waits_for_it(tmp_path: Path) -> None:
    async with opinions(tmp_path, "broken") as service:
        service.ask("rude", "en", lambda _: pytest.fail("nobody thinks anything"))
        await until(lambda: service.why_not is not None)
        service.ask("rude", "en", lambda _: pytest.fail("nobody thinks anything"))
        await until(lambda: service.pid is None)
        assert service.why_not == "the files are damaged"
        assert service.stats()["dropped"] == 2
        assert service.stats()["deaths"] == 0


async def test_what_is_too_much_is_dropped_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 3)
    told: list[int] = []
    service = SecondOpinions(tmp_path, "made")
    for number in range(5):
        service.ask("kind", "en", lambda _, number=number: told.append(number))
    assert service.counts["dropped"] == 2
    await service.start()
    await until(lambda: told == [0, 1, 2])
    await service.stop()


async def test_after_the_stop_nobody_is_told(tmp_path: Path) -> None:
    service = SecondOpinions(tmp_path, "made")
    service.ask("rude", "en", lambda _: pytest.fail("it has ended"))
    await service.start()
    await service.stop()
    assert service.pid is None
