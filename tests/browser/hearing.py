"""What a page really plays of the table's voice: its energy over time, measured in the page, held against a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from playwright.async_api import Page

BLOCK_S = 0.02

LISTEN = """
() => {
  const audio = document.querySelector('[data-testid="remote-audio"]');
  const context = window.__ear = new AudioContext({sampleRate: 48000});
  const source = context.createMediaStreamSource(audio.srcObject);
  const tap = context.createScriptProcessor(1024, 1, 1);
  const heard = window.__heard = [];
  tap.onaudioprocess = (event) => {
    const samples = event.inputBuffer.getChannelData(0);
    let sum = 0;
    for (const x of samples) sum += x * x;
    heard.push([Date.now(), event.playbackTime, Math.sqrt(sum / samples.length)]);
  };
  source.connect(tap); tap.connect(context.destination);
}
"""
"""Follows the element's stream from now on: wall time in ms, audio clock in s, root mean square of 1,024 samples."""


async def listen(page: Page) -> None:
    """Begin to measure what the page plays."""
    await page.evaluate(LISTEN)


async def heard(page: Page) -> NDArray[np.float64]:
    """All that was measured so far: rows of wall time (s), audio time (s) and energy (RMS, 0..1)."""
    rows = np.array(cast("list[list[float]]", await page.evaluate("window.__heard")), dtype=np.float64)
    rows[:, 0] /= 1000
    return rows


def envelope(pcm: bytes, rate_hz: int) -> NDArray[np.float64]:
    """The energy of each 20 ms of PCM (mono, signed 16 bit)."""
    samples = np.frombuffer(pcm, np.int16).astype(np.float64) / 32768
    step = int(rate_hz * BLOCK_S)
    blocks = samples[: len(samples) // step * step].reshape(-1, step)
    return cast("NDArray[np.float64]", np.sqrt((blocks**2).mean(axis=1)))


def likeness(rows: NDArray[np.float64], file: NDArray[np.float64]) -> float:
    """The best correlation of what was heard with the file's envelope, wherever in the (repeating) file it began."""
    times = np.arange(rows[0, 1], rows[-1, 1], BLOCK_S)
    played = np.interp(times, rows[:, 1], rows[:, 2])
    length = min(len(played), len(file))
    played = played[:length] - played[:length].mean()
    best = 0.0
    for shift in range(len(file)):
        window = np.roll(file, -shift)[:length]
        window = window - window.mean()
        scale = float(np.linalg.norm(window) * np.linalg.norm(played))
        if scale > 0:
            best = max(best, float(window @ played) / scale)
    return best
