"""A change of the speaker, and an ICE restart, as a real Chromium has them."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser_here import HOW_TO_GET_ONE, find_browser
from voice.media.gate import Intake
from voice.media.listener import Listener
from voice.media.settings import MediaSettings

from .chromium import chromium
from .conftest import Voices, until
from .test_chromium_slots import HZ, LISTENER, ORIGIN, PAGE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(find_browser() is None, reason=HOW_TO_GET_ONE),
    # Playwright leaves its pipes to the collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

SPEAKERS = (1, 2, 3)
CHANGES = 12
LOUD = 0.2
AGAIN = """async () => {
  const before = pc.localDescription.sdp.match(/a=ice-ufrag:(.*)/)[1];
  pc.restartIce();
  await pc.setLocalDescription(await pc.createOffer());
  const after = pc.localDescription.sdp.match(/a=ice-ufrag:(.*)/)[1];
  await pc.setRemoteDescription({type: 'answer', sdp: await window.answer(pc.localDescription.sdp)});
  return [before, after];
}"""


@asynccontextmanager
async def pages(voices: Voices, *seats: int) -> AsyncIterator[dict[int, Any]]:
    """A page for each of these seats; all but the listener's send a tone of their own all the time."""
    voices.room._settings = MediaSettings()
    async with chromium() as browser:
        made: dict[int, Any] = {}
        for seat in seats:
            page = made[seat] = await browser.new_page()
            await page.route(
                f"{ORIGIN}**", lambda route: route.fulfill(content_type="text/html; charset=utf-8", body=PAGE)
            )
            await page.expose_function("answer", lambda offer, seat=seat: voices.room.connect(seat, offer))
            await page.goto(ORIGIN)
            await page.evaluate(f"join({HZ.get(seat, 440)})")
            if seat != LISTENER:
                await page.evaluate(f"voice.gain.value = {LOUD}")
        await until(lambda: voices.links[-1] == set(seats))
        yield made
        await browser.close()
        await until(lambda: voices.links[-1] == set())


async def changes(voices: Voices, listener: Any) -> list[int]:
    """How many samples the listener had to make up at each of some changes of the only speaker."""
    voices.room.mic([])
    voices.room.mic([SPEAKERS[0]])
    await asyncio.sleep(2.0)  # its jitter buffer has found its size
    await listener.evaluate("keep()")
    found = []
    for change in range(1, CHANGES + 1):
        _, before, _ = (await listener.evaluate("played()"))[0]
        voices.room.mic([SPEAKERS[change % len(SPEAKERS)]])
        await asyncio.sleep(0.5)
        _, after, lost = (await listener.evaluate("played()"))[0]
        assert lost == 0
        found.append(after - before)
    return found


async def test_a_change_of_the_speaker_is_neither_a_click_nor_a_gap(
    voices: Voices, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy machine is late now and then; what our numbers did wrong would be wrong at each change."""
    refuses, first = Intake.refuses, Counter[int]()

    def late(self: Intake, sequence: int) -> str | None:
        first[self._gate.epoch] += 1
        return "late" if first[self._gate.epoch] <= 8 * len(SPEAKERS) else refuses(self, sequence)

    async with pages(voices, *SPEAKERS, LISTENER) as made:
        concealed = await changes(voices, made[LISTENER])
        print(f"concealed at each change: {concealed}")
        assert concealed.count(0) >= CHANGES // 3
        step, top = (await made[LISTENER].evaluate("steps()"))[0]
        # A sine's largest step is 2 pi f A / rate; a jump between two of these would be A.
        fastest = 2 * 3.14159 * max(HZ[seat] for seat in SPEAKERS) / 48_000
        print(f"steps of {step:.4f} at most, samples of {top:.4f}")
        assert top > 0.5 * LOUD
        assert 0 < step < 1.6 * fastest * top, "a click"
        # A moment that is missing at each change is found, where no silence of the server's own stands in for it.
        monkeypatch.setattr(Intake, "refuses", late)
        monkeypatch.setattr(Listener, "tail", lambda self, now: False)
        concealed = await changes(voices, made[LISTENER])
        print(f"concealed at each change that begins 0.16 s late: {concealed}")
        assert concealed.count(0) < CHANGES // 3


async def test_report_25_an_ice_restart_is_answered_by_a_new_connection(voices: Voices) -> None:
    async with pages(voices, 1, LISTENER) as made:
        voices.room.mic([1])
        await until(lambda: len(voices.tapped) > 20)
        old = voices.room._peers[1].link
        before, after = await made[1].evaluate(AGAIN)
        assert before != after
        assert voices.room._peers[1].link is not old
        await until(lambda: old.down)
        await until(lambda: voices.links[-1] == {1, LISTENER})
        voices.tapped.clear()
        await until(lambda: len(voices.tapped) > 50, 20.0)
        assert await made[1].evaluate("pc.connectionState") == "connected"
        assert voices.room.stats()["peers"] == 2
