"""Made music: chords, tunes and drums in several timbres."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from benchmarks.noise.shapes import RATE_HZ, Wave, coloured, fading, hump, loudest, put, samples, times, tone

if TYPE_CHECKING:
    from numpy.random import Generator

MAJOR, MINOR = (0, 4, 7, 12), (0, 3, 7, 12)
SCALE = (0, 2, 3, 5, 7, 8, 10, 12)


def organ(rng: Generator, seconds: float) -> Wave:
    """Held chords."""
    wave = np.zeros(samples(seconds))
    at_s = 0.0
    while at_s < seconds:
        length_s = rng.uniform(0.8, 2.0)
        for step in (MAJOR, MINOR)[rng.integers(2)]:
            pitch_hz = _pitch_hz(int(rng.integers(-12, 0)) + step)
            put(wave, 0.1 * tone(pitch_hz, length_s, (1.0, 0.6, 0.4, 0.3)) * np.hanning(samples(length_s)) ** 0.3, at_s)
        at_s += length_s
    return wave


def piano(rng: Generator, seconds: float) -> Wave:
    """Broken chords of struck strings."""
    wave = np.zeros(samples(seconds))
    at_s, root = 0.0, rng.integers(-14, -2)
    while at_s < seconds:
        for step in rng.permutation((MAJOR, MINOR)[rng.integers(2)]):
            length_s = 1.5
            note = tone(_pitch_hz(root + step), length_s, [1 / number**1.2 for number in range(1, 9)])
            put(wave, 0.2 * note * fading(length_s, 0.25, 0.004), at_s)
            at_s += rng.choice([0.2, 0.2, 0.4])
        root = rng.integers(-14, -2)
    return wave


def strings(rng: Generator, seconds: float) -> Wave:
    """A guitar's tune: Karplus and Strong's plucked string."""
    wave = np.zeros(samples(seconds))
    at_s = 0.0
    while at_s < seconds:
        period = round(RATE_HZ / _pitch_hz(rng.choice(SCALE) - 17))
        string = rng.uniform(-1, 1, period)
        turns = []
        for _ in range(samples(1.2) // period):
            turns.append(string)
            string = 0.498 * (string + np.roll(string, 1))
        put(wave, 0.4 * np.concatenate(turns), at_s)
        at_s += rng.choice([0.15, 0.3, 0.45])
    return wave


def flute(rng: Generator, seconds: float) -> Wave:
    """A tune with breath and vibrato."""
    wave = np.zeros(samples(seconds))
    at_s = 0.0
    while at_s < seconds:
        length_s = rng.uniform(0.2, 0.8)
        trembles = 1 + 0.008 * np.sin(2 * np.pi * 5 * times(length_s))
        note = tone(_pitch_hz(rng.choice(SCALE)) * trembles, length_s, (1.0, 0.3, 0.1))
        put(wave, (0.3 * note + 0.03 * coloured(rng, length_s, 0.0, 500.0)) * hump(length_s, 0.15), at_s)
        at_s += length_s
    return wave


def theremin(rng: Generator, seconds: float) -> Wave:
    """A tone that glides: as near to singing as a made tone comes."""
    steps = rng.choice(SCALE, max(2, round(seconds / 0.7))) - 10
    glide = np.interp(times(seconds), np.linspace(0, seconds, len(steps)), steps)
    trembles = 0.25 * np.sin(2 * np.pi * 6 * times(seconds))
    return 0.3 * loudest(
        tone(440.0 * 2 ** ((glide + trembles) / 12), seconds, [1 / number**2 for number in range(1, 12)])
    )


def band(rng: Generator, seconds: float) -> Wave:
    """Drums, a bass and chords together."""
    wave = 0.5 * piano(rng, seconds)
    beat_s = rng.uniform(0.3, 0.45)
    for number, at_s in enumerate(np.arange(0, seconds, beat_s)):
        kick = tone(np.linspace(140, 45, samples(0.25)), 0.25) * fading(0.25, 0.05)
        snare = coloured(rng, 0.2, 0.0, 800.0) * fading(0.2, 0.03)
        put(wave, 0.6 * kick if number % 2 == 0 else 0.3 * snare, at_s)
        put(wave, 0.1 * coloured(rng, 0.05, 0.0, 4_000.0) * fading(0.05, 0.01), at_s + beat_s / 2)
        bass = tone(_pitch_hz(rng.choice(SCALE) - 36), beat_s, (1.0, 0.5, 0.25))
        put(wave, 0.3 * bass * fading(beat_s, 0.2), at_s)
    return loudest(wave, 0.7)


def _pitch_hz(step: float) -> float:
    """The pitch that many half tones above 440 Hz."""
    return float(440.0 * 2 ** (step / 12))
