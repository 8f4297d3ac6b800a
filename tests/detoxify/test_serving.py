"""A toxicity model in its process, and behind a server: from a line to the moderators' queue."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from models.toxicity.find import locate
from models.toxicity.scoring import ToxicityModel
from moderation.detoxify import REVIEW_AT, categories
from tests.detoxify.made import SAID, make_model, sum_up
from tests.web.client import Server, serving
from voice.second_opinions.service import SecondOpinions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from moderation import Verdict


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not true():  # noqa: ASYNC110 - it is another process that is waited for
            await asyncio.sleep(0.02)


async def test_the_process_thinks_what_the_model_does(tmp_path: Path) -> None:
    make_model(tmp_path / "model", "multilingual")
    service = SecondOpinions(tmp_path / "data", str(tmp_path / "model"))
    told: dict[str, Verdict] = {}
    await service.start()
    try:
        for text in SAID:
            service.ask(text, "en", lambda verdict, text=text: told.update({text: verdict}))
        await until(lambda: len(told) == len(SAID))
        assert service.precision == "int8"
    finally:
        await service.stop()
    model = ToxicityModel(locate(str(tmp_path / "model"), tmp_path / "data"))
    scores = categories(model.scores(["you are an idiot number five"])[0])
    assert told["you are an idiot number five"].scores == pytest.approx(scores, abs=1e-6)
    assert all(verdict.severity is None and verdict.category is None for verdict in told.values())


async def test_a_folder_that_is_damaged_is_said(tmp_path: Path) -> None:
    make_model(tmp_path / "model")
    (tmp_path / "model" / "made.ckpt").write_bytes(b"x")
    sum_up(tmp_path / "model")
    service = SecondOpinions(tmp_path / "data", str(tmp_path / "model"))
    await service.start()
    try:
        await until(lambda: service.why_not is not None)
        assert service.why_not is not None
        assert "made.ckpt" in service.why_not
    finally:
        await service.stop()


def _abusive(folder: Path) -> str:
    """A model by whose scores one of the texts is for a person; and that text."""
    for seed in range(1, 50):
        make_model(folder, "unbiased", seed)
        model = ToxicityModel(locate(str(folder), folder.parent / "data"))
        for text in ("we vote today", "i think number three is honest"):
            if max(categories(model.scores([text])[0]).values()) > REVIEW_AT + 0.1:
                return text
    raise AssertionError("no such model")


async def _say(server: Server, text: str) -> Any:
    made = await server.table("Anna", options={"agreement_s": 0.05})
    anna = await server.seat(made["token"])
    await anna.of("lobby")
    await anna.send(type="start")
    mic = await anna.event("mic")
    *_, table = server.house.tables
    (seat,) = mic["event"]["seats"]
    now = time.monotonic()
    table._heard(
        SimpleNamespace(id="1", seat=seat, text=text, words=(), start_s=now, end_s=now, lang="en", others=None)  # type: ignore[arg-type] - a line
    )
    await anna.of("line", text=text)
    return anna


async def test_a_served_line_comes_to_the_queue_late_and_harms_nobody(tmp_path: Path) -> None:
    text = _abusive(tmp_path / "model")
    async with serving(tmp_path / "data", toxicity=str(tmp_path / "model")) as server:
        anna = await _say(server, text)
        bearer = {"authorization": f"Bearer {server.moderator}"}
        lines: list[Any] = []
        async with asyncio.timeout(120):
            while not lines:
                await asyncio.sleep(0.05)
                lines = (await server.http.get("/api/moderation/lines", headers=bearer)).json()["lines"]
        (line,) = lines
        assert (line["text"], line["source"], line["severity"], line["review"]) == (text, "model", None, True)
        assert {reason["rule"] for reason in line["why"]} == {"model.detoxify"}
        assert not [
            frame
            for frame in anna.frames
            if frame["type"] == "event" and frame["event"]["event"] in ("warned", "fouled")
        ]
        stats = (await server.http.get("/api/moderation/stats", headers=bearer)).json()["second"]["toxicity"]
        assert (stats["precision"], stats["for_a_person"]) == ("int8", 1)
