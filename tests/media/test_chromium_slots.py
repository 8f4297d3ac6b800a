"""An open discussion in a real Chromium: four pages that talk and one that listens to three of them at once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from engine import Game
from tests.browser_here import HOW_TO_GET_ONE, find_browser
from voice.media.settings import MediaSettings
from voice.media.slot import KEEP_S, WITHIN_S

from .chromium import chromium
from .conftest import Voices, until

if TYPE_CHECKING:
    from collections.abc import Callable

ORIGIN = "http://127.0.0.1:9/"
"""Never reached: the page is served from the test itself; the address makes it a secure context."""
HZ = {1: 400, 2: 700, 3: 1000, 4: 1300}
LOUDNESS = {1: 0.06, 2: 0.06, 3: 0.06, 4: 0.4}
LISTENER = 5

PAGE = """<!doctype html><script>
const context = window.context = new AudioContext({sampleRate: 48000});
// On the audio thread, so that a busy page leaves out no sample.
const tap = URL.createObjectURL(new Blob([`registerProcessor('tap', class extends AudioWorkletProcessor {
  process([input]) { if (input.length) this.port.postMessage(input[0].slice()); return true; }
});`], {type: 'text/javascript'}));
window.join = async (hz) => {
  await context.audioWorklet.addModule(tap);
  const pc = window.pc = new RTCPeerConnection({iceServers: [], bundlePolicy: 'max-bundle'});
  const talk = context.createMediaStreamDestination();
  const slots = [pc.addTransceiver(talk.stream.getAudioTracks()[0], {direction: 'sendrecv'})];
  for (let slot = 1; slot < 3; slot++) slots.push(pc.addTransceiver('audio', {direction: 'recvonly'}));
  const voice = window.voice = context.createGain();
  voice.gain.value = 0;
  const tone = context.createOscillator();
  tone.frequency.value = hz;
  tone.connect(voice).connect(talk);
  tone.start();
  window.slots = [];
  pc.ontrack = ({track, transceiver}) => {
    const slot = slots.indexOf(transceiver);
    const stream = new MediaStream([track]);
    const audio = new Audio(); audio.srcObject = stream; audio.play();
    const analyser = context.createAnalyser(); analyser.fftSize = 8192; analyser.smoothingTimeConstant = 0;
    const source = context.createMediaStreamSource(stream);
    const ear = new AudioWorkletNode(context, 'tap', {numberOfOutputs: 0});
    const made = window.slots[slot] = {audio, analyser, transceiver, kept: null};
    ear.port.onmessage = ({data}) => made.kept && made.kept.push(...data);
    source.connect(analyser); source.connect(ear);
  };
  await pc.setLocalDescription(await pc.createOffer());
  await pc.setRemoteDescription({type: 'answer', sdp: await window.answer(pc.localDescription.sdp)});
  while (pc.connectionState !== 'connected') {
    if (pc.connectionState === 'failed') throw new Error('failed');
    await new Promise(done => setTimeout(done, 20));
  }
};
// In words: on for 0.35 s, off for 0.15 s, each with a short ramp.
window.talk = (loud, offset) => {
  clearInterval(window.words);
  const word = () => {
    const at = context.currentTime;
    voice.gain.setTargetAtTime(loud, at, 0.005);
    voice.gain.setTargetAtTime(0, at + 0.35, 0.005);
  };
  if (loud) setTimeout(() => { word(); window.words = setInterval(word, 500); }, offset * 1000);
};
window.energies = (hz) => window.slots.map(({analyser}) => {
  const bins = new Float32Array(analyser.frequencyBinCount);
  analyser.getFloatFrequencyData(bins);
  return hz.map(each => Math.max(...[-1, 0, 1].map(by => bins[Math.round(each * analyser.fftSize / 48000) + by])));
});
window.keep = () => window.slots.forEach(slot => slot.kept = []);
// The largest step between two samples, and the largest sample, a slot.
window.steps = () => window.slots.map(({kept}) => {
  let step = 0, top = 0;
  for (let n = 1; n < kept.length; n++) {
    step = Math.max(step, Math.abs(kept[n] - kept[n - 1]));
    top = Math.max(top, Math.abs(kept[n]));
  }
  return [step, top];
});
window.played = async () => Promise.all(window.slots.map(async ({transceiver}) => {
  for (const report of (await transceiver.receiver.getStats()).values())
    if (report.type === 'inbound-rtp')
      return [report.totalSamplesReceived || 0, report.concealedSamples || 0, report.packetsLost];
  return [0, 0, 0];
}));
</script>"""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(find_browser() is None, reason=HOW_TO_GET_ONE),
    # Playwright leaves its pipes to the collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def discussion() -> frozenset[int]:
    """Whose microphones are open in the first discussion of a quick game."""
    game, events = Game.start("quick", seed=1)
    while True:
        for event in events:
            if event.name == "mic" and len(event.fields["seats"]) > 1:
                return frozenset(event.fields["seats"])
        assert game.due is not None
        events = game.advance(game.due)


async def heard_in(page: Any) -> tuple[int | None, ...]:
    """The seat whose tone is in each stream; None where there is none."""
    levels = await page.evaluate(f"energies({list(HZ.values())})")
    return tuple(None if max(each) < -70 else list(HZ)[max(range(len(each)), key=lambda n: each[n])] for each in levels)


async def hears(page: Any, wanted: Callable[[], tuple[int | None, ...]]) -> None:
    """Wait until the page hears these seats, each in its slot."""
    found: tuple[int | None, ...] = ()
    try:
        async with asyncio.timeout(10):
            while found != wanted():
                await asyncio.sleep(0.05)
                found = await heard_in(page)
    except TimeoutError:
        raise AssertionError(f"heard {found}, and the table told {wanted()}") from None


async def test_three_at_once_and_a_louder_fourth(voices: Voices) -> None:
    voices.room._settings = MediaSettings()
    async with chromium() as browser:
        pages: dict[int, Any] = {}
        for seat in (*HZ, LISTENER):
            page = pages[seat] = await browser.new_page()
            await page.route(
                f"{ORIGIN}**", lambda route: route.fulfill(content_type="text/html; charset=utf-8", body=PAGE)
            )
            await page.expose_function("answer", lambda offer, seat=seat: voices.room.connect(seat, offer))
            await page.goto(ORIGIN)
            await page.evaluate(f"join({HZ.get(seat, 440)})")
        await until(lambda: voices.links[-1] == {*HZ, LISTENER})
        listener = pages[LISTENER]
        voices.room.mic(discussion())

        def told() -> tuple[int | None, ...]:
            return voices.slots[-1][1]

        for seat in (1, 2, 3):
            await pages[seat].evaluate(f"talk({LOUDNESS[seat]}, {seat * 0.12})")
        await until(lambda: set(told()) == {1, 2, 3})
        await hears(listener, told)
        assert all(peer.link.audio_level is not None for peer in voices.room._peers.values()), "the level is negotiated"
        await asyncio.sleep(KEEP_S + 0.5)
        begun = await listener.evaluate("played()")
        await asyncio.sleep(2.0)
        assert set(told()) == {1, 2, 3}, "nobody is put out who talks"

        # A louder fourth: it gets a slot, and where it does there is no click.
        await listener.evaluate("keep()")
        await pages[4].evaluate(f"talk({LOUDNESS[4]}, 0)")
        async with asyncio.timeout(WITHIN_S + 3):
            while 4 not in told():  # noqa: ASYNC110 - what is waited for has no event
                await asyncio.sleep(0.02)
        await hears(listener, told)
        await asyncio.sleep(0.5)
        for slot, (step, top) in enumerate(await listener.evaluate("steps()")):
            # A sine's largest step is 2 pi f A / rate; a jump between two of these would be A.
            fastest = 2 * 3.14159 * max(HZ.values()) / 48_000
            print(f"slot {slot}: steps of {step:.4f} at most, samples of {top:.4f}")
            assert 0 < step < 1.6 * fastest * top, f"a click in slot {slot}"

        ended = await listener.evaluate("played()")
        for slot in range(3):
            samples, concealed, lost = (after - before for after, before in zip(ended[slot], begun[slot], strict=True))
            print(f"slot {slot}: {concealed} of {samples} samples concealed, {lost} packets lost")
            assert samples > 96_000
            assert concealed <= 0.1 * samples, "0 on a quiet machine"
            assert lost == 0
        # One's own voice comes back in no stream.
        seat = next(seat for seat in told() if seat is not None)
        own = list(HZ).index(seat)
        assert all(levels[own] < -70 for levels in await pages[seat].evaluate(f"energies({list(HZ.values())})"))

        voices.room.mic([2])
        await hears(listener, lambda: (2, None, None))
        assert told() == (2, None, None)
        voices.room.mic([])
        await hears(listener, lambda: (None, None, None))
        assert {packet.seat for packet in voices.tapped} >= set(HZ), "the recogniser has all"
        await browser.close()
        await until(lambda: voices.links[-1] == set())
