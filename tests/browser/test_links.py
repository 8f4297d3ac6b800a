"""A real browser on links that fail: it comes back by itself, to its own seat, with the microphone as the rules say."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from playwright.async_api import expect

from tests.media.conftest import tone
from tests.web.client import Server, serving
from voice.bench.link import Impairment
from voice.speech.lines import Line, Timings
from voice.table import lobby

from .conftest import chromium, write_wav
from .wire import Wire, in_order, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import BrowserContext, Page

OPTIONS = {"agreement_s": 2.0, "speech_s": 600.0, "away_s": 120.0}
COUNT_PEERS = """
window.peers = [];
const Made = RTCPeerConnection;
window.RTCPeerConnection = class extends Made {
  constructor(...given) { super(...given); window.peers.push(this); }
};
"""
SENT = """async () => {
  const peer = window.peers.at(-1);
  for (const report of (await peer.getStats()).values()) if (report.type === 'outbound-rtp') return report.packetsSent;
  return 0;
}"""


@dataclasses.dataclass
class Seated:
    """One person in a browser, at seat 1 of a table of bots; the first minute of the day is theirs."""

    server: Server
    context: BrowserContext
    page: Page
    wire: Wire

    @property
    def room(self) -> Any:
        (running,) = [table.running for table in self.server.house.tables if table.running is not None]
        return running.voices._room

    @property
    def away(self) -> set[int]:
        (running,) = [table.running for table in self.server.house.tables if table.running is not None]
        return set(running.play.away)

    def accepted(self) -> int:
        return int(self.room.stats()["seats"].get(1, {}).get("accepted", 0))

    def says(self, text: str) -> None:
        """The recogniser has a line of the seat's."""
        (table,) = [table for table in self.server.house.tables if table.running is not None]
        now = time.monotonic()
        table._heard(Line("t1", 1, text, (), now - 1.0, now, "en", Timings(0.1, 0.1, 0.1)))

    async def speaks(self) -> None:
        """The seat is heard again, from now on."""
        before = self.accepted()
        await until(lambda: self.accepted() > before + 20)
        await expect(self.page.get_by_test_id("mic-pill")).to_have_attribute("data-state", "open")


@contextlib.asynccontextmanager
async def seated(
    tmp_path: Path, weather: Impairment | None = None, speech_s: float = 600.0, media_workers: int = 0
) -> AsyncIterator[Seated]:
    write_wav(tmp_path / "tone.wav", tone(440, 10, 16_000), 16_000)
    wire = Wire(weather)
    with contextlib.closing(wire), mock.patch.object(lobby, "draw", in_order):
        async with (
            serving(tmp_path / "data", media=True, media_workers=media_workers, rate_limits=False) as server,
            chromium(tmp_path / "one", tmp_path / "tone.wav") as context,
        ):
            page = context.pages[0]
            await context.add_init_script(COUNT_PEERS)
            await wire.between(page)

            async def short(route: Any) -> None:
                body = json.loads(route.request.post_data or "{}")
                body["options"] = {**OPTIONS, "speech_s": speech_s}
                await route.continue_(post_data=json.dumps(body))

            await page.route("**/api/tables", short)
            await page.goto(server.address)
            await page.get_by_test_id("mic-allow").click()
            await expect(page.get_by_test_id("mic-check")).to_have_attribute("data-state", "ready")
            await page.get_by_test_id("display-name").fill("Ann")
            await page.get_by_test_id("consent").check()
            await page.get_by_test_id("create").click()
            await page.get_by_test_id("start").click()
            await expect(page.get_by_test_id("phase")).to_have_attribute("data-phase", "speech", timeout=20_000)
            made = Seated(server, context, page, wire)
            await until(lambda: bool(wire.links))
            await made.speaks()
            if not media_workers:
                made.room._settings = dataclasses.replace(made.room._settings, offers_burst=1e6)
                made.room._offers.clear()
            yield made


async def test_reports_10_16_21_23_24_27_and_30_whatever_fails_the_own_minute_goes_on(tmp_path: Path) -> None:
    async with seated(tmp_path) as ann:
        page, wire = ann.page, ann.wire
        await page.evaluate("window.mark = 'never reloaded'")

        # 23: a NAT rebinds; nothing is signalled. A stable Chromium checks its path every 2.5 s: its speech tells it.
        sent, accepted = await page.evaluate(SENT), ann.accepted()
        await wire.links[-1].rebind()
        await ann.speaks()
        await ann.speaks()
        lost = (await page.evaluate(SENT) - sent) - (ann.accepted() - accepted)
        assert lost < 50
        assert len(wire.links) == 1, "the same connection"

        # 10: the path of the voice dies, the signalling lives on: a whole new connection.
        wire.links[-1].dead = True
        await until(lambda: len(wire.links) == 2)
        await ann.speaks()

        # 24: the network changes: nothing passes any more, then the browser says that it is online.
        wire.dead = wire.links[-1].dead = True
        await expect(page.get_by_test_id("lost")).to_be_visible(timeout=20_000)
        ann.says("Nobody saw this being said.")
        captions = page.locator('[data-testid="caption"][data-by="voice"]', has_text="Nobody saw this being said.")
        await asyncio.sleep(0.5)
        assert await captions.count() == 0
        wire.dead = False
        await page.evaluate("window.dispatchEvent(new Event('online'))")
        await expect(page.get_by_test_id("lost")).to_be_hidden(timeout=15_000)
        await expect(captions, "what was missed is told, once").to_have_count(1)
        await ann.speaks()

        # 16 and 27: twenty times in one page, the microphone is open in one's own minute each time.
        for _ in range(20):
            before = len(wire.links)
            await wire.sockets[-1].close(code=1012)
            await until(lambda before=before: len(wire.links) > before)  # type: ignore[misc]
            await ann.speaks()
        assert await page.evaluate("window.mark") == "never reloaded"
        assert await captions.count() == 1
        assert await page.evaluate("window.peers.filter(each => each.connectionState !== 'closed').length") == 1

        # 30: the device takes the microphone away (a phone call), and gives it back when the page is seen again.
        await page.evaluate(
            """() => { const track = window.peers.at(-1).getSenders()[0].track;
            track.stop(); track.dispatchEvent(new Event('ended')); }"""
        )
        await expect(page.get_by_test_id("mic-pill")).to_have_attribute("data-state", "trouble")
        await expect(page.get_by_test_id("mic-mend")).to_be_visible()
        await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        await ann.speaks()

        # 21: after the minute it is closed, and stays closed after another connection.
        await page.keyboard.press("p")
        await page.keyboard.press("p")
        await expect(page.get_by_test_id("mic-pill")).to_have_attribute("data-state", "closed")
        accepted, before = ann.accepted(), len(wire.links)
        await wire.sockets[-1].close(code=1012)
        await until(lambda: len(wire.links) > before)
        await expect(page.get_by_test_id("mic-pill")).to_have_attribute("data-state", "closed")
        await asyncio.sleep(1.0)
        assert ann.accepted() == accepted
        own = page.locator(".seat.me")
        await expect(own).to_have_attribute("data-testid", "seat-1")


async def test_a_page_in_bad_weather_connects_and_is_heard(tmp_path: Path) -> None:
    weather = Impairment(loss=0.05, burst=2.0, delay_s=0.01, jitter_s=0.03, reorder=0.05, duplicate=0.05)
    async with seated(tmp_path, weather) as ann:
        sent, accepted = await ann.page.evaluate(SENT), ann.accepted()
        for _ in range(6):
            await ann.speaks()
        sent, accepted = await ann.page.evaluate(SENT) - sent, ann.accepted() - accepted
        assert accepted > 0.8 * sent


def family(folder: Path) -> list[int]:
    """The processes of the browser that has this profile, its children last."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            if entry.name.isdigit() and f"--user-data-dir={folder}".encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    for pid in found:
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                found += [int(child) for child in children.read_text().split() if int(child) not in found]
    return found


def tell(folder: Path, number: signal.Signals) -> None:
    pids = family(folder)
    assert pids
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


async def test_a_laptop_that_sleeps_in_its_own_minute_speaks_on_when_it_wakes(tmp_path: Path) -> None:
    async with seated(tmp_path) as ann:
        tell(tmp_path / "one", signal.SIGSTOP)
        try:
            await until(lambda: ann.room.stats()["alive"] == [], 15.0)
            await until(lambda: ann.away == {1}, 20.0)
        finally:
            tell(tmp_path / "one", signal.SIGCONT)
        await ann.speaks()
        assert ann.away == set()
        await expect(ann.page.locator(".seat.me")).to_have_attribute("data-testid", "seat-1")
        assert len(ann.room._peers) == 1


async def test_a_killed_browser_frees_its_seat_and_a_new_one_has_it(tmp_path: Path) -> None:
    async with seated(tmp_path) as ann:
        address = ann.page.url
        await asyncio.sleep(8.0)  # Chromium writes what a page keeps (the seat's token) to the disk every few seconds
        tell(tmp_path / "one", signal.SIGKILL)
        await until(lambda: ann.away == {1} and not ann.room._peers, 10.0)
        async with chromium(tmp_path / "one", tmp_path / "tone.wav") as again:
            page = again.pages[0]
            await page.goto(address)
            await expect(page.locator(".seat.me")).to_have_attribute("data-testid", "seat-1", timeout=15_000)
            await until(lambda: ann.away == set())
            await page.get_by_test_id("mic-mend").click()
            await Seated(ann.server, again, page, ann.wire).speaks()
            assert len(ann.room._peers) == 1


async def test_a_media_worker_that_is_killed_costs_a_speaker_a_moment_of_the_own_minute(tmp_path: Path) -> None:
    """The page has a new connection by itself, long before it would have noticed the silence, thrice."""
    async with seated(tmp_path, media_workers=1) as ann:
        await ann.page.evaluate("window.mark = 'never reloaded'")
        for deaths in (1, 2, 3):
            pid = ann.room._worker.pid
            os.kill(pid, signal.SIGKILL)
            await until(lambda deaths=deaths: len(ann.wire.links) == deaths + 1)  # type: ignore[misc]
            await ann.speaks()
            assert ann.room._worker.pid != pid
        assert ann.away == set()
        assert await ann.page.evaluate("window.mark") == "never reloaded"


async def test_report_26_two_tabs_are_one_voice(tmp_path: Path) -> None:
    async with seated(tmp_path) as ann:
        second = await ann.context.new_page()
        await second.goto(ann.page.url)
        await expect(second.locator(".seat.me")).to_have_attribute("data-testid", "seat-1")
        await expect(ann.page.get_by_test_id("take-back")).to_be_visible()
        assert await ann.page.evaluate("window.peers.every(each => each.connectionState === 'closed')")
        await until(lambda: ann.room.stats()["alive"] == [1])
        assert len(ann.room._peers) == 1
        assert await ann.page.locator("audio").count() == 0, "the old tab plays nothing"
