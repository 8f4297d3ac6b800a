"""Made sounds of bodies without a word: breath, snoring, coughs, laughter, humming; and chewing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from benchmarks.noise.shapes import Wave, coloured, fading, hump, loudest, put, resonant, samples, times, tone

if TYPE_CHECKING:
    from numpy.random import Generator

GLOTTAL = tuple(1 / number**1.5 for number in range(1, 40))
"""A voice's harmonics at the throat: 9 dB less each octave."""
OPEN = ((750.0, 90.0), (1_250.0, 110.0), (2_600.0, 200.0))
ROUND = ((320.0, 60.0), (800.0, 90.0), (2_300.0, 200.0))
CLOSED = ((250.0, 60.0), (1_100.0, 300.0))


def breath(rng: Generator, seconds: float) -> Wave:
    """In and out, close to a microphone."""
    wave = 0.001 * coloured(rng, seconds, 1.0)
    at_s = 0.2
    while at_s < seconds:
        for low_hz, high_hz, level in ((700.0, 4_000.0, 0.25), (250.0, 2_200.0, 0.4)):
            length_s = rng.uniform(0.6, 1.8)
            mouth = [(hz, 0.35 * hz) for hz in rng.uniform(400, 2_800, 3)]
            air = loudest(resonant(coloured(rng, length_s, 0.7, low_hz, high_hz), mouth))
            put(wave, level * rng.uniform(0.4, 1.0) * air * hump(length_s), at_s)
            at_s += length_s + rng.uniform(0.05, 0.5)
        at_s += rng.uniform(0.2, 1.5)
    return wave


def puffs(rng: Generator, seconds: float) -> Wave:
    """Breath blown into the microphone: low and loud."""
    wave = 0.001 * coloured(rng, seconds, 1.0)
    at_s = 0.2
    while at_s < seconds:
        length_s = rng.uniform(0.15, 0.7)
        air = coloured(rng, length_s, 2.0, 25.0, 500.0) + 0.2 * coloured(rng, length_s, 0.5)
        put(wave, 0.7 * air * hump(length_s, 0.15), at_s)
        at_s += length_s + rng.uniform(0.2, 1.2)
    return wave


def snore(rng: Generator, seconds: float) -> Wave:
    """A snore each few seconds: a flutter in the throat."""
    wave = 0.001 * coloured(rng, seconds, 1.0)
    at_s = 0.3
    while at_s < seconds:
        length_s = rng.uniform(0.8, 1.6)
        flutter = 0.5 + 0.5 * np.sign(np.sin(2 * np.pi * rng.uniform(25, 45) * times(length_s)))
        throat = resonant(coloured(rng, length_s, 1.0) * flutter, ((220.0, 120.0), (700.0, 200.0)))
        put(wave, 0.4 * loudest(throat) * hump(length_s), at_s)
        at_s += length_s + rng.uniform(1.0, 2.5)
    return wave


def coughs(rng: Generator, seconds: float) -> Wave:
    """Coughs and sneezes: air that bursts out, with a little voice at the end."""
    wave = 0.001 * coloured(rng, seconds, 1.0)
    at_s = 0.3
    while at_s < seconds:
        for _ in range(rng.integers(1, 4)):
            length_s = rng.uniform(0.2, 0.4)
            air = coloured(rng, length_s, 0.4, 250.0, 5_000.0) * fading(length_s, 0.05, 0.004)
            voice = tone(rng.uniform(90, 220), length_s, GLOTTAL) * hump(length_s, 0.5)
            put(wave, 0.6 * loudest(resonant(air + 0.1 * loudest(voice), OPEN)), at_s)
            at_s += rng.uniform(0.3, 0.6)
        at_s += rng.uniform(0.8, 2.5)
    return wave


def laughter(rng: Generator, seconds: float) -> Wave:
    """Bouts of laughter: bursts of voice and breath, five a second, that fall in pitch and force."""
    wave = 0.001 * coloured(rng, seconds, 1.0)
    at_s = 0.3
    while at_s < seconds:
        pitch_hz = rng.uniform(130, 450)
        mouth = (OPEN, ROUND)[rng.integers(2)]
        force = rng.uniform(0.4, 0.9)
        for _ in range(rng.integers(3, 10)):
            length_s = rng.uniform(0.08, 0.15)
            falls_hz = pitch_hz * np.linspace(1.1, 0.85, samples(length_s)) * rng.uniform(0.95, 1.05)
            voice = loudest(tone(falls_hz, length_s, GLOTTAL)) * hump(length_s, 0.3)
            air = coloured(rng, length_s, 0.5, 400.0, 5_000.0) * hump(length_s, 0.7)
            put(wave, force * loudest(resonant(voice + 0.4 * air, mouth)), at_s)
            at_s += rng.uniform(0.15, 0.24)
            pitch_hz *= rng.uniform(0.92, 1.0)
            force *= rng.uniform(0.8, 1.0)
        gasp_s = rng.uniform(0.2, 0.5)
        put(wave, 0.2 * coloured(rng, gasp_s, 0.5, 600.0, 4_000.0) * hump(gasp_s), at_s)
        at_s += gasp_s + rng.uniform(0.4, 1.8)
    return wave


def humming(rng: Generator, seconds: float) -> Wave:
    """A tune hummed with the mouth closed, out of tune."""
    wave = 0.001 * coloured(rng, seconds, 1.0)
    at_s, root_hz = 0.2, rng.uniform(110, 240)
    while at_s < seconds:
        for step in rng.choice([0, 2, 4, 5, 7, 9, 12], rng.integers(3, 9)):
            length_s = rng.uniform(0.25, 0.9)
            trembles = 1 + 0.015 * np.sin(2 * np.pi * 5.5 * times(length_s))
            note = tone(root_hz * 2 ** (step / 12) * trembles, length_s, GLOTTAL)
            put(wave, 0.35 * loudest(resonant(note, CLOSED)) * hump(length_s, 0.2), at_s)
            at_s += length_s
        at_s += rng.uniform(0.4, 1.5)
    return wave


def chewing(rng: Generator, seconds: float) -> Wave:
    """Wet clicks and crunches."""
    wave = 0.001 * coloured(rng, seconds, 1.0)
    at_s = 0.2
    while at_s < seconds:
        length_s = rng.uniform(0.02, 0.12)
        crunch = coloured(rng, length_s, 0.8, 300.0, 4_500.0) * (rng.random(samples(length_s)) > 0.7)
        put(wave, rng.uniform(0.1, 0.4) * loudest(resonant(crunch, OPEN)) * hump(length_s, 0.2), at_s)
        at_s += rng.uniform(0.05, 0.5)
    return wave
