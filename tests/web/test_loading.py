"""A server while a speech model loads: pages and tables are answered, and the table says what it waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.speech.made_up import MODULE
from tests.web.client import serving

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.speech


async def test_the_server_answers_while_a_model_loads_and_captions_say_so(tmp_path: Path) -> None:
    """The model is a real one; that it is still loading is made certain by a file that it waits for first."""
    path = tmp_path / "go"
    async with serving(tmp_path / "data", speech=True, recogniser=MODULE, asr=f"loads {path} tiny.en") as server:
        _, tokens = await server.people(1)
        page = await server.seat(tokens[0])
        await page.of("lobby")
        await page.send(type="start")
        assert (await page.of("captions"))["state"] == "loading"

        answer = await server.http.get("/api/health")
        assert answer.json()["ok"]
        await page.send(type="command", id=1, phase=0, command={"do": "vote", "target": 1})
        assert (await page.of("refused", id=1))["code"] == "late"
        another = await server.table("Boris")
        await (await server.seat(another["token"])).of("lobby")
        assert [frame["state"] for frame in page.frames if frame["type"] == "captions"] == ["loading"]

        path.touch()
        assert (await page.of("captions", state="live"))["lost"] == 0
        told = [frame["type"] for frame in page.frames if frame["type"] in ("captions", "refused")]
        assert told == ["captions", "refused", "captions"]
        late = await server.seat(tokens[0])
        assert (await late.of("captions"))["state"] == "live"
