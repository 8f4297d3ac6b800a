"""A real Chromium at the table's voice: it is heard, it hears, and silence is not concealed loss."""

from __future__ import annotations

import asyncio
import wave
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.browser_here import HOW_TO_GET_ONE, find_browser
from voice.media.client import OpusDecoder

from .chromium import chromium
from .conftest import Voices, energy, tone, until

if TYPE_CHECKING:
    from pathlib import Path

ORIGIN = "http://127.0.0.1:9/"
"""Never reached: the page is served from the test itself; the address makes it a secure context."""

PAGE = """<!doctype html><script>
window.join = async (listenOnly) => {
  const pc = window.pc = new RTCPeerConnection({iceServers: []});
  if (listenOnly) pc.addTransceiver('audio', {direction: 'recvonly'});
  else {
    const stream = await navigator.mediaDevices.getUserMedia(
      {audio: {echoCancellation: false, noiseSuppression: false, autoGainControl: false}});
    pc.addTrack(stream.getAudioTracks()[0], stream);
  }
  pc.ontrack = ({track}) => {
    const stream = new MediaStream([track]);
    const audio = new Audio(); audio.srcObject = stream; audio.play(); window.audio = audio;
    const context = window.context = new AudioContext();
    window.analyser = context.createAnalyser(); analyser.fftSize = 4096; analyser.smoothingTimeConstant = 0;
    context.createMediaStreamSource(stream).connect(analyser);
  };
  await pc.setLocalDescription(await pc.createOffer());
  const offer = pc.localDescription.sdp;
  await pc.setRemoteDescription({type: 'answer', sdp: await window.answer(offer)});
  while (pc.connectionState !== 'connected') {
    if (pc.connectionState === 'failed') throw new Error('failed');
    await new Promise(done => setTimeout(done, 20));
  }
};
window.level = () => {
  const samples = new Float32Array(analyser.fftSize);
  analyser.getFloatTimeDomainData(samples);
  return Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length);
};
window.stats = async (type) => {
  for (const report of (await pc.getStats()).values()) if (report.type === type) return report;
  return null;
};
</script>"""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(find_browser() is None, reason=HOW_TO_GET_ONE),
    # Playwright leaves its pipes to the collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


async def becomes(page: Any, loud: bool) -> None:
    """Wait until the page hears the tone, or has heard nothing for half a second; the test fails if it never does."""
    quiet = 0
    async with asyncio.timeout(10):
        while True:
            heard = await page.evaluate("level()")
            quiet = quiet + 1 if heard < 0.001 else 0
            if heard > 0.05 if loud else quiet >= 10:
                return
            await asyncio.sleep(0.05)


class Heard(NamedTuple):
    """How many samples a page played, and how many of them it had to make up."""

    samples: int
    concealed: int


async def heard(page: Any) -> Heard:
    """Since its beginning."""
    stats = await page.evaluate("stats('inbound-rtp')")
    return Heard(stats["totalSamplesReceived"], stats["concealedSamples"])


async def test_chromium_is_heard_and_hears_without_concealment(voices: Voices, tmp_path: Path) -> None:
    voices.room._settings = type(voices.room._settings)()
    microphone = tmp_path / "microphone.wav"
    with wave.open(str(microphone), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(48_000)
        file.writeframes(tone(440, 60, 48_000))

    async def answer(viewer: int | str, offer: str) -> str:
        return await voices.room.connect(viewer, offer)

    async with chromium(
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-audio-capture={microphone}%noloop",
    ) as browser:
        pages = {}
        viewers: tuple[int | str, ...] = (1, 2, "moderator")
        for viewer in viewers:
            page = pages[viewer] = await browser.new_page()
            await page.route(
                f"{ORIGIN}**", lambda route: route.fulfill(content_type="text/html; charset=utf-8", body=PAGE)
            )
            await page.expose_function("answer", lambda offer, viewer=viewer: answer(viewer, offer))
            await page.goto(ORIGIN)
            await page.evaluate(f"join({'true' if isinstance(viewer, str) else 'false'})")
        await until(lambda: voices.links[-1] == {1, 2})

        await becomes(pages[2], loud=False)  # both microphones send, and both are closed
        for seat, listener in ((1, 2), (2, 1), (1, 2)):
            voices.room.mic([seat])
            await becomes(pages[listener], loud=True)
            await becomes(pages["moderator"], loud=True)
            voices.room.mic([])
            await becomes(pages[listener], loud=False)
            await becomes(pages["moderator"], loud=False)
            await asyncio.sleep(1.0)

        # 0 on a quiet machine, both; 73 % where the server sends nothing between two speakers.
        begun = await heard(pages["moderator"])
        for seat in (1, 2, 1, 2):
            voices.room.mic([seat])
            await asyncio.sleep(0.7)
        voices.room.mic([])
        changes = await heard(pages["moderator"])
        assert changes.samples - begun.samples > 48_000
        assert changes.concealed - begun.concealed <= 0.1 * (changes.samples - begun.samples), "changes of the speaker"
        await asyncio.sleep(3.0)
        silence = await heard(pages["moderator"])
        assert silence.samples - changes.samples > 48_000
        assert silence.concealed - changes.concealed <= 0.1 * (silence.samples - changes.samples), "nobody speaks"

        decoder = OpusDecoder()
        seat_1 = b"".join(decoder.decode(packet.payload) for packet in voices.tapped if packet.seat == 1)
        # By pieces: the tone goes on at another phase after each opening.
        assert max(energy(seat_1[at : at + 9_600], 440) for at in range(0, len(seat_1) - 9_600, 9_600)) > 0.1
        stats = await pages["moderator"].evaluate("stats('inbound-rtp')")
        assert stats["packetsLost"] == 0
        assert stats["concealedSamples"] <= 0.1 * stats["totalSamplesReceived"], stats
        sent = await pages["moderator"].evaluate("stats('remote-outbound-rtp')")
        assert sent["packetsSent"] > 20, "our sender reports are understood"
        received = await pages[1].evaluate("stats('remote-inbound-rtp')")
        assert received["packetsLost"] == 0, "and our receiver reports"
        assert 0 <= received["roundTripTime"] < 1
        await browser.close()
        await until(lambda: voices.links[-1] == set())
