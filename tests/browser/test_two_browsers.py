"""Two people in two browsers: in the first one's minute the second hears, reads and sees it judged; else nothing."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from playwright.async_api import expect

from voice.bench.sound import FRAME_S, loudness, utterance_ends_s
from voice.player.audio import RATE_HZ, read_pcm

from .conftest import ROOT, Server, chromium, write_wav
from .hearing import envelope, heard, likeness, listen

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.async_api import BrowserContext, Page, Route

SPEECH = ROOT / "voice" / "cli" / "demo_speech" / "en.flac"
SPEECH_S = 24.0
"""A minute in this test: the recording fits in at least three times, wherever in it the minute begins."""

SETTLE_S = 0.7
"""Around the gate's move: the browser's jitter buffer, and the clocks of two processes."""

NEVER_SILENT = """
const replace = RTCRtpSender.prototype.replaceTrack;
RTCRtpSender.prototype.replaceTrack = function (track) {
  return track ? replace.call(this, track) : Promise.resolve();
};
"""
"""A client that goes on sending when its minute is over."""


def _harmless_and_insulting() -> bytes:
    """The demo's recording without its clear insult: a harmless line and a milder insult, again and again."""
    pcm = read_pcm(SPEECH)
    step = round(RATE_HZ * FRAME_S) * 2
    ends_s = utterance_ends_s([loudness(pcm[at : at + step]) for at in range(0, len(pcm) - step, step)])
    return pcm[: round((ends_s[1] + 0.9) * RATE_HZ) * 2]


async def _sit_down(page: Page, name: str) -> None:
    await page.get_by_test_id("mic-allow").click()
    await expect(page.get_by_test_id("mic-check")).to_have_attribute("data-state", "ready")
    await page.get_by_test_id("display-name").fill(name)
    await page.get_by_test_id("consent").check()


async def _make_table(context: BrowserContext, server: Server) -> Page:
    page = context.pages[0]

    async def short(route: Route) -> None:
        body = json.loads(route.request.post_data or "{}")
        body["options"] = {"agreement_s": 4, "speech_s": SPEECH_S}
        await route.continue_(post_data=json.dumps(body))

    await page.route("**/api/tables", short)
    await page.goto(server.address)
    await _sit_down(page, "Ann")
    await page.get_by_test_id("create").click()
    await expect(page.get_by_test_id("lobby")).to_be_visible()
    return page


async def _own_seat(page: Page) -> int:
    """The seat that the page says is one's own, from what the server told the page."""
    return int((await page.locator(".seat.me").get_attribute("data-testid") or "").removeprefix("seat-"))


async def _phase_of(page: Page, seat: int) -> None:
    await expect(page.get_by_test_id("phase")).to_have_attribute("data-seat", str(seat), timeout=240_000)


def _said(server: Server, seat: int) -> list[dict[str, Any]]:
    with sqlite3.connect(f"file:{server.data / 'voicetable.sqlite3'}?mode=ro", uri=True) as store:
        rows = store.execute("select body from log where kind = 'line' order by number").fetchall()
    store.close()
    lines = [json.loads(body) for (body,) in rows]
    return [line for line in lines if line["seat"] == seat and line["by"] == "voice"]


async def test_heard_read_and_judged_in_ones_minute_and_nowhere_else(server: Server, tmp_path: Path) -> None:
    pcm = _harmless_and_insulting()
    write_wav(tmp_path / "speech.wav", pcm, RATE_HZ)
    write_wav(tmp_path / "quiet.wav", bytes(RATE_HZ * 2 * 5), RATE_HZ)
    async with (
        chromium(tmp_path / "first", tmp_path / "speech.wav") as one,
        chromium(tmp_path / "second", tmp_path / "quiet.wav") as two,
    ):
        await one.add_init_script(NEVER_SILENT)
        first = await _make_table(one, server)
        invite = await first.get_by_test_id("invite").input_value()
        second = two.pages[0]
        await second.goto(invite)
        await _sit_down(second, "Bob")
        await second.get_by_test_id("join").click()
        await expect(first.get_by_test_id("people")).to_contain_text("Bob")
        await first.get_by_test_id("start").click()
        for page in (first, second):
            await expect(page.get_by_test_id("table")).to_be_visible()
            await expect(page.get_by_test_id("mic-pill")).to_have_attribute("data-state", "closed", timeout=20_000)
        await listen(second)
        seat = await _own_seat(first)

        await _phase_of(first, seat)
        opened = time.time()
        await expect(first.get_by_test_id("mic-pill")).to_have_attribute("data-state", "open")
        await expect(second.get_by_test_id("seat-" + str(seat))).to_have_attribute("data-speaking", "true")

        # A stream a slot, the speaker in the first; whoever listens can mute that seat on the own page.
        await expect(second.locator("audio")).to_have_count(3)
        stream, hush = second.get_by_test_id("remote-audio"), second.get_by_test_id(f"hush-{seat}")
        await expect(stream).to_have_attribute("data-seat", str(seat))
        for muted in (True, False):
            await hush.click()
            await expect(hush).to_have_attribute("aria-pressed", str(muted).lower())
            assert await stream.evaluate("audio => audio.muted") is muted

        # Read on both pages.
        for page in (first, second):
            caption = page.locator(f'[data-testid="caption"][data-seat="{seat}"][data-by="voice"]')
            await expect(caption.filter(has_text="left side of the table").first).to_be_attached(timeout=30_000)

        # Judged on both pages: a warning with seat and category and without the words, then a foul.
        for page in (first, second):
            warning = page.locator(f'[data-testid="warning"][data-seat="{seat}"]').first
            await expect(warning).to_be_attached(timeout=30_000)
            await expect(warning).to_have_attribute("data-category", "insult")
            said = (await warning.text_content() or "").lower()
            assert str(seat) in said
            assert "brick" not in said
            foul = page.locator(f'[data-testid="foul"][data-seat="{seat}"]').first
            await expect(foul).to_be_attached(timeout=30_000)
            assert "brick" not in (await foul.text_content() or "").lower()

        await expect(first.get_by_test_id("mic-pill")).to_have_attribute("data-state", "closed", timeout=30_000)
        closed = time.time()
        await asyncio.sleep(6)  # the client sends on: nobody hears it
        rows = await heard(second)

        # Heard: the energy in the page is that of the file.
        minute = rows[(rows[:, 0] > opened + SETTLE_S) & (rows[:, 0] < closed - SETTLE_S)]
        assert np.max(minute[:, 2]) > 0.02
        assert likeness(minute, envelope(pcm, RATE_HZ)) > 0.8

        # Not heard: before its minute, and after it.
        outside = rows[(rows[:, 0] < opened - SETTLE_S) | (rows[:, 0] > closed + SETTLE_S)]
        assert len(outside) > 100
        assert np.max(outside[:, 2]) < 0.002

        # The transcript has lines of the minute alone, and the disk no audio but the encrypted clips of cases.
        began = await _minute_s(server, seat)
        lines = _said(server, seat)
        assert lines
        assert all(began - 0.1 <= line["start"] <= line["end"] <= began + SPEECH_S + 0.1 for line in lines)
        assert not _said(server, await _own_seat(second))
        files = {path.name for path in server.data.rglob("*") if path.is_file()}
        kept = {"voicetable.sqlite3", "voicetable.sqlite3-shm", "voicetable.sqlite3-wal"}
        assert files - kept <= {"lock", "secret", "moderator-token", "clip-keys", "verified.json"}
        assert "brick" not in server.log
        assert "Ann" not in server.log


async def _minute_s(server: Server, seat: int) -> float:
    with sqlite3.connect(f"file:{server.data / 'voicetable.sqlite3'}?mode=ro", uri=True) as store:
        bodies = [body for (body,) in store.execute("select body from log order by number")]
    store.close()
    for body in bodies:
        for event in json.loads(body).get("events", []):
            if event["event"] == "phase" and event["name"] == "speech" and event["seat"] == seat:
                return float(event["t"])
    raise AssertionError(f"seat {seat} had no minute")
