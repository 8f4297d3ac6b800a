"""Are people understood over links that lose? Two Chromium pages at a table, and the recogniser on what one received.

    python -m tests.browser.understood [--speech FOLDER] [--clips N] [--loss 5] [--json FILE]

The speaker's microphone is a file of recorded clips, English and Russian, again and again; the listener's page keeps
the PCM that it plays. Both pages' voice takes a relay that loses so many datagrams each way, so of speech nearly twice
as many. Each clip is cut out of what was heard, where the file's envelope says that it is, and recognised: its words
against those that were said, of the file itself, over good links, and over bad ones.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import numpy as np
from playwright.async_api import expect

from models.store import locate
from models.whisper import WindowedWhisper
from tests.speech.sound import words_counted
from tests.web.client import serving
from voice.bench.link import GOOD, Impairment
from voice.speech.audio import read_audio
from voice.table import lobby

from .conftest import ROOT, chromium, write_wav
from .wire import Wire, in_order, until

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray
    from playwright.async_api import Page

    from models.recognition import Recogniser

    Samples = NDArray[np.float32]

SHARED = ROOT.parent / "shared" / "speech"
CLIPS = (
    *("en_newhome", "ru_pisets", "en_harvard_spk1_snt1", "ru_ast_vm-nobodyavail", "en_austen_0880"),
    *(
        "ru_ast_conf-onlyone",
        "en_harvard_spk1_snt3",
        "ru_ast_vm-mismatch",
        "en_harvard_spk2_snt4",
        "ru_ast_vm-tooshort",
    ),
    *("en_arctic_a0024", "ru_ast_followme_sorry", "en_austen_0890", "ru_ast_followme_pls-hold-while-try"),
    *("en_austen_0930", "ru_ast_vm-rec-name", "en_jfk", "ru_ast_pbx-invalid", "en_lj001-0004", "ru_ast_demo-nomatch"),
)
"""In this order, so that the first few are short and of both languages."""
MODELS = {"en": "tiny.en", "ru": "base"}
RATE_HZ = 16_000
GAP_S = 0.9
AROUND_S = 0.4
STEP = 320
"""20 ms: the envelope's."""
SETTLE_S = 3.0
OPTIONS = {"agreement_s": 2.0, "speech_s": 600.0, "away_s": 120.0}

KEEP = """
async () => {
  const audio = document.querySelector('[data-testid="remote-audio"]');
  const context = window.__keeper = new AudioContext({sampleRate: 16000});
  const code = `registerProcessor('keep', class extends AudioWorkletProcessor {
    process(inputs) { if (inputs[0][0]) this.port.postMessage(inputs[0][0].slice()); return true; }
  });`;
  await context.audioWorklet.addModule(URL.createObjectURL(new Blob([code], {type: 'text/javascript'})));
  const tap = new AudioWorkletNode(context, 'keep');
  window.__kept = [];
  tap.port.onmessage = (event) => window.__kept.push(event.data);
  context.createMediaStreamSource(audio.srcObject).connect(tap);
  tap.connect(context.destination);
}
"""
TAKE = """
() => {
  const kept = window.__kept; window.__kept = [];
  const pcm = new Int16Array(kept.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of kept) for (const x of part) pcm[at++] = Math.max(-32768, Math.min(32767, Math.round(x * 32767)));
  let text = ''; const bytes = new Uint8Array(pcm.buffer);
  for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return btoa(text);
}
"""
STATS = """
async () => {
  for (const report of (await window.peers.at(-1).getStats()).values())
    if (report.type === 'inbound-rtp' && report.packetsReceived > 0) return Object.fromEntries(
      ['packetsReceived', 'packetsLost', 'fecPacketsReceived', 'totalSamplesReceived', 'concealedSamples',
       'silentConcealedSamples'].map((name) => [name, report[name] || 0]));
  return {};
}
"""
COUNT_PEERS = """
window.peers = [];
const Made = RTCPeerConnection;
window.RTCPeerConnection = class extends Made {
  constructor(...given) { super(...given); window.peers.push(this); }
};
"""


@dataclass(frozen=True, slots=True)
class Spoken:
    """One clip, and where in the file it is."""

    name: str
    lang: str
    text: str
    begin: int
    end: int


def script(folder: Path, clips: int) -> tuple[list[Spoken], Samples]:
    """The first clips one after the other, as loud as each other. Raises OSError, ValueError."""
    rows = [json.loads(line) for line in (folder / "manifest.jsonl").read_text("utf-8").splitlines()]
    by_name = {Path(row["file"]).stem: row for row in rows}
    gap = np.zeros(round(GAP_S * RATE_HZ), np.float32)
    parts, spoken, at = [gap], [], len(gap)
    for name in CLIPS[:clips]:
        pcm = read_audio(folder / by_name[name]["file"])
        pcm = pcm * np.float32(0.08 / max(1e-4, float(np.sqrt(np.mean(pcm**2)))))
        spoken.append(Spoken(name, by_name[name]["lang"], by_name[name]["text"], at, at + len(pcm)))
        parts += [np.clip(pcm, -0.99, 0.99), gap]
        at += len(pcm) + len(gap)
    return spoken, np.concatenate(parts)


def envelope(pcm: Samples) -> NDArray[np.float64]:
    """The root mean square of each 20 ms, without its mean."""
    blocks = pcm[: len(pcm) // STEP * STEP].reshape(-1, STEP).astype(np.float64)
    found = np.sqrt((blocks**2).mean(axis=1))
    centred: NDArray[np.float64] = found - found.mean()
    return centred


def found_at(heard: NDArray[np.float64], clip: NDArray[np.float64]) -> tuple[int, float]:
    """Where in an envelope a clip's is most alike, in blocks, and how much: 1 is the same."""
    best, place = -1.0, 0
    for at in range(len(heard) - len(clip) + 1):
        window = heard[at : at + len(clip)]
        window = window - window.mean()
        scale = float(np.linalg.norm(window) * np.linalg.norm(clip))
        if scale > 0 and (alike := float(window @ clip) / scale) > best:
            best, place = alike, at
    return place, best


def excerpts(heard: Samples, file: Samples, spoken: Sequence[Spoken]) -> dict[str, tuple[Samples, float]]:
    """Each clip out of what was heard, with some of the silence around it, and its envelope's likeness."""
    around = round(AROUND_S * RATE_HZ)
    whole = envelope(heard)
    found = {}
    for clip in spoken:
        begin, end = clip.begin - around, clip.end + around
        place, alike = found_at(whole, envelope(file[begin:end]))
        found[clip.name] = heard[place * STEP : place * STEP + end - begin], alike
    return found


def recognised(
    heard: Mapping[str, tuple[Samples, float]], spoken: Sequence[Spoken], recognisers: Mapping[str, Recogniser]
) -> dict[str, Any]:
    """Word error rates by language and over all, and each clip's text."""
    rows, wrong, said = [], dict.fromkeys(MODELS, 0), dict.fromkeys(MODELS, 0)
    for clip in spoken:
        pcm, alike = heard[clip.name]
        text = recognisers[clip.lang].transcribe(pcm, clip.lang, words=False).text
        errors, words = words_counted(clip.text, text)
        wrong[clip.lang] += errors
        said[clip.lang] += words
        row = {"clip": clip.name, "likeness": round(alike, 3), "wrong": errors, "words": words, "heard": text}
        rows.append(row)
    rates = {lang: round(wrong[lang] / said[lang], 4) for lang in MODELS if said[lang]}
    return {"wer": round(sum(wrong.values()) / sum(said.values()), 4), "wer_by_lang": rates, "clips": rows}


async def _kept(page: Page, seconds: float) -> tuple[Samples, dict[str, int]]:
    await asyncio.sleep(SETTLE_S)
    await page.evaluate(TAKE)
    before = await page.evaluate(STATS)
    await asyncio.sleep(seconds)
    pcm = np.frombuffer(base64.b64decode(await page.evaluate(TAKE)), np.int16).astype(np.float32) / 32768
    after = await page.evaluate(STATS)
    return pcm, {name: after[name] - before.get(name, 0) for name in after}


async def _sit_down(page: Page, name: str) -> None:
    await page.get_by_test_id("mic-allow").click()
    await expect(page.get_by_test_id("mic-check")).to_have_attribute("data-state", "ready")
    await page.get_by_test_id("display-name").fill(name)
    await page.get_by_test_id("consent").check()


async def overheard(
    folder: Path, file: Samples, seconds: float, weathers: Mapping[str, Impairment]
) -> dict[str, tuple[Samples, dict[str, int]]]:
    """Under each weather, so many seconds of what the listener's page played, and its browser's counts."""
    write_wav(folder / "speech.wav", (file * 32767).astype("<i2").tobytes(), RATE_HZ)
    write_wav(folder / "quiet.wav", bytes(RATE_HZ * 2 * 5), RATE_HZ)
    wires = [Wire(), Wire()]
    with contextlib.closing(wires[0]), contextlib.closing(wires[1]), mock.patch.object(lobby, "draw", in_order):
        async with (
            serving(folder / "data", media=True, rate_limits=False) as server,
            chromium(folder / "one", folder / "speech.wav") as one,
            chromium(folder / "two", folder / "quiet.wav", bypass_csp=True) as two,
        ):
            speaker, listener = one.pages[0], two.pages[0]
            for context, page, wire in ((one, speaker, wires[0]), (two, listener, wires[1])):
                await context.add_init_script(COUNT_PEERS)
                await wire.between(page)

            async def long(route: Any) -> None:
                body = json.loads(route.request.post_data or "{}")
                body["options"] = OPTIONS
                await route.continue_(post_data=json.dumps(body))

            await speaker.route("**/api/tables", long)
            await speaker.goto(server.address)
            await _sit_down(speaker, "Ann")
            await speaker.get_by_test_id("create").click()
            await listener.goto(await speaker.get_by_test_id("invite").input_value())
            await _sit_down(listener, "Bob")
            await listener.get_by_test_id("join").click()
            await expect(speaker.get_by_test_id("people")).to_contain_text("Bob")
            await speaker.get_by_test_id("start").click()
            await expect(speaker.get_by_test_id("phase")).to_have_attribute("data-phase", "speech", timeout=20_000)
            await expect(speaker.get_by_test_id("mic-pill")).to_have_attribute("data-state", "open", timeout=20_000)
            await until(lambda: all(wire.links for wire in wires))
            await listener.evaluate(KEEP)
            kept = {}
            for name, weather in weathers.items():
                for wire in wires:
                    for link in wire.links:
                        link.impair(weather, weather)
                kept[name] = await _kept(listener, seconds)
            return kept


async def understood(folder: Path, speech: Path, clips: int, loss: float) -> dict[str, Any]:
    """The figures: `file`, `without_loss` and `with_loss`. Raises OSError, ValueError, ModelError."""
    spoken, file = script(speech, clips)
    recognisers: dict[str, Recogniser] = {
        lang: WindowedWhisper(locate(model, folder / "models")) for lang, model in MODELS.items()
    }
    longest = max(clip.end - clip.begin for clip in spoken) + 2 * round(AROUND_S * RATE_HZ)
    seconds = (len(file) + longest) / RATE_HZ + 1.0
    weathers = {"without_loss": GOOD, "with_loss": Impairment(loss=loss)}
    kept = await overheard(folder, file, seconds, weathers)
    result: dict[str, Any] = {"loss_each_link": loss, "clips": len(spoken), "seconds_each": round(seconds, 1)}
    result["file"] = recognised(excerpts(file, file, spoken), spoken, recognisers)
    for name, (pcm, counts) in kept.items():
        result[name] = {**recognised(excerpts(pcm, file, spoken), spoken, recognisers), "browser": counts}
    return result


def main() -> int:
    """The figures on standard output, without the texts."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.browser.understood", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--speech", type=Path, default=SHARED, help="a folder of clips with a manifest.jsonl")
    parser.add_argument("--clips", type=int, default=len(CLIPS), help=f"2 to {len(CLIPS)}")
    parser.add_argument("--loss", type=float, default=5.0, help="percent of each page's datagrams, each way")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    if not 2 <= asked.clips <= len(CLIPS) or not 0 <= asked.loss <= 100:
        parser.error(f"expected 2 to {len(CLIPS)} clips and a loss from 0 to 100")
    if not (asked.speech / "manifest.jsonl").is_file():
        parser.error(f"expected manifest.jsonl in {asked.speech}")
    with tempfile.TemporaryDirectory() as folder:
        result = asyncio.run(understood(Path(folder), asked.speech, asked.clips, asked.loss / 100))
    if asked.json:
        asked.json.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", "utf-8")
    for name in ("file", "without_loss", "with_loss"):
        part = result[name]
        print(f"{name}: wer {part['wer']:.3f}, {part['wer_by_lang']}, {part.get('browser', '')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
