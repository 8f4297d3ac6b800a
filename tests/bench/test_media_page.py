"""The Chromium that listens in `bench media`: it finds what a browser has to make up, and says what is wrong."""

from __future__ import annotations

import asyncio
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.browser_here import HOW_TO_GET_ONE, find_browser
from tests.media.conftest import CLIENT, LOCAL, opus_tone, until
from voice.bench import chromium, media_page
from voice.bench.chromium import ChromiumError, Page
from voice.bench.media_page import ListeningPage
from voice.cli.bench_media import run
from voice.media.client import VoiceClient
from voice.media.listener import Listener
from voice.media.room import MediaRoom

if TYPE_CHECKING:
    from pathlib import Path


async def heard() -> list[dict[str, int]]:
    """What a page made up while one spoke, and then while nobody did."""
    room = MediaRoom("t", lambda packet: None, lambda seats: None, LOCAL)
    client = VoiceClient(settings=CLIENT)
    loop = asyncio.get_running_loop()
    page = await asyncio.to_thread(ListeningPage)
    try:
        await client.accept(await room.connect(1, await client.offer()))
        await client.connected()

        def answered(sdp: str) -> str:
            return asyncio.run_coroutine_threadsafe(room.connect("page", sdp), loop).result(20)

        await asyncio.to_thread(page.offer, answered)
        await asyncio.to_thread(page.connected)
        await until(lambda: room.stats()["peers"] == 2)
        room.mic([1])
        payloads = opus_tone(440, 50)
        begun = time.monotonic()
        for number in range(150):
            await asyncio.sleep(max(0.0, begun + number * 0.02 - time.monotonic()))
            client.send(payloads[number % 50])
            if number == 50:
                page.look()
        page.look()
        room.mic([])
        await asyncio.sleep(3.0)
        page.look()
        return await asyncio.to_thread(page.made_up)
    finally:
        await asyncio.to_thread(page.close)
        await asyncio.gather(client.close(), room.close())


@pytest.mark.browser
@pytest.mark.skipif(find_browser() is None, reason=HOW_TO_GET_ONE)
async def test_it_hears_a_speaker_and_then_nobody_and_makes_little_up() -> None:
    speech, nobody = await heard()
    assert speech["samples"] > 48_000
    assert nobody["samples"] > 96_000
    assert nobody["concealed"] < 0.2 * nobody["samples"]


@pytest.mark.browser
@pytest.mark.skipif(find_browser() is None, reason=HOW_TO_GET_ONE)
async def test_a_server_that_sends_nothing_between_speakers_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Listener, "fill", lambda self, now: now + 1.0)
    monkeypatch.setattr(Listener, "tail", lambda self, now: False)
    _, nobody = await heard()
    assert nobody["concealed"] > 0.5 * nobody["samples"]
    assert nobody["events"] > 0


@pytest.mark.browser
@pytest.mark.skipif(find_browser() is None, reason=HOW_TO_GET_ONE)
def test_what_fails_in_the_page_is_said_and_a_page_that_has_gone_too(tmp_path: Path) -> None:
    program = find_browser()
    assert program is not None
    page = Page(program)
    try:
        assert page.evaluate("Promise.resolve(6 * 7)") == 42
        with pytest.raises(ChromiumError, match="ReferenceError: nothing"):
            page.evaluate("nothing()")
        asked = page.ask("1"), page.ask("2")
        assert [page.answer(number) for number in reversed(asked)] == [2, 1]
        folder = page._folder
        page._process.kill()
        page._process.wait()
        with pytest.raises(ChromiumError, match=r"does not answer|is gone"):
            page.evaluate("1")
    finally:
        page.close()
    assert not folder.exists()


def test_a_program_that_is_no_chromium_is_said_to_be_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ChromiumError, match="can't be started"):
        Page(str(tmp_path / "none"))
    with pytest.raises(ChromiumError, match="exit status"):
        Page(sys.executable, ("false",))
    monkeypatch.setattr(chromium, "START_WITHIN_S", 0.3)
    with pytest.raises(ChromiumError, match="no page"):
        Page("-c", (sys.executable, "-c", "import time; time.sleep(30)"))


def test_without_chromium_it_is_said_and_where_it_was_asked_for_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(media_page, "find", lambda: None)
    none = {"tables": 1, "listeners": 1, "seconds": 1.0, "json_file": None, "plot_file": None}
    assert run(only="ours", browser=True, **none) == 2  # type: ignore[arg-type]  # one of the values
    said = capsys.readouterr().err
    assert "no Chromium found" in said
    assert said.count("\n") == 1
