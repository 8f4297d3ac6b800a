"""Made sounds of rooms and things: air, hum, keys, clicks, knocks, alarms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from benchmarks.noise.shapes import Wave, coloured, fading, loudest, put, resonant, samples, times, tone

if TYPE_CHECKING:
    from numpy.random import Generator


def silence(rng: Generator, seconds: float) -> Wave:
    """No sound at all."""
    return np.zeros(samples(seconds))


def faint(rng: Generator, seconds: float) -> Wave:
    """A quiet room: 60 dB below full scale."""
    return 0.001 * coloured(rng, seconds, 1.0)


def white(rng: Generator, seconds: float) -> Wave:
    """White noise that comes and goes."""
    return _swelling(rng, coloured(rng, seconds, 0.0), 0.3)


def pink(rng: Generator, seconds: float) -> Wave:
    """Pink noise that comes and goes."""
    return _swelling(rng, coloured(rng, seconds, 1.0), 0.4)


def brown(rng: Generator, seconds: float) -> Wave:
    """Brown noise, as of traffic behind a window."""
    return _swelling(rng, coloured(rng, seconds, 2.0), 0.6)


def wind(rng: Generator, seconds: float) -> Wave:
    """Gusts on a microphone."""
    gusts: Wave = 0.5 + 0.5 * np.sin(2 * np.pi * 0.3 * times(seconds) + 2 * np.sin(2 * np.pi * 0.13 * times(seconds)))
    air = coloured(rng, seconds, 2.0, 60.0, 900.0)
    air *= 0.7 * gusts * gusts
    return air


def rain(rng: Generator, seconds: float) -> Wave:
    """Drops on a sill over a hiss."""
    wave = 0.05 * coloured(rng, seconds, 0.5)
    for at_s in rng.uniform(0, seconds, round(25 * seconds)):
        pitch_hz = rng.uniform(900, 4_000)
        put(wave, rng.uniform(0.02, 0.15) * tone(pitch_hz, 0.03) * fading(0.03, 0.004), at_s)
    return wave


def hum(rng: Generator, seconds: float) -> Wave:
    """Mains hum with its harmonics, and a transformer's buzz."""
    strengths = [1.0, 0.7, 0.5, 0.3, 0.3, 0.2, 0.15, 0.1, 0.1, 0.05]
    return 0.25 * loudest(tone(rng.choice([50.0, 60.0]), seconds, strengths)) + 0.01 * coloured(rng, seconds, 0.0)


def fan(rng: Generator, seconds: float) -> Wave:
    """A computer's fan: air, and its blades' tone, up and down."""
    speed_hz = rng.uniform(110, 180) * (1 + 0.1 * np.sin(2 * np.pi * 0.2 * times(seconds)))
    return 0.25 * coloured(rng, seconds, 1.0) + 0.05 * tone(speed_hz, seconds, (1.0, 0.5, 0.3))


def keyboard(rng: Generator, seconds: float) -> Wave:
    """Typing in bursts: each key down and up."""
    wave = 0.002 * coloured(rng, seconds, 1.0)
    at_s = 0.3
    while at_s < seconds:
        for _ in range(rng.integers(4, 25)):
            put(wave, rng.uniform(0.2, 0.8) * _tap(rng, 1_500, 4_500, 0.006), at_s)
            put(wave, rng.uniform(0.1, 0.3) * _tap(rng, 2_500, 5_500, 0.004), at_s + rng.uniform(0.06, 0.12))
            at_s += rng.gamma(6.0, 0.025)
        at_s += rng.uniform(0.2, 1.2)
    return wave


def mouse(rng: Generator, seconds: float) -> Wave:
    """A mouse's button and wheel."""
    wave = 0.002 * coloured(rng, seconds, 1.0)
    at_s = 0.3
    while at_s < seconds:
        for _ in range(rng.integers(1, 6)):
            put(wave, rng.uniform(0.3, 0.7) * _tap(rng, 3_000, 5_500, 0.002), at_s)
            at_s += rng.uniform(0.07, 0.2)
        at_s += rng.uniform(0.3, 1.5)
    return wave


def knocks(rng: Generator, seconds: float) -> Wave:
    """Knuckles on a table, a cup set down, chips."""
    wave = 0.002 * coloured(rng, seconds, 1.0)
    at_s = 0.3
    while at_s < seconds:
        low_hz, high_hz, half_life_s = ((90, 300, 0.03), (1_200, 3_200, 0.05), (2_500, 6_000, 0.01))[rng.integers(3)]
        for _ in range(rng.integers(1, 5)):
            put(wave, rng.uniform(0.3, 0.9) * _tap(rng, low_hz, high_hz, half_life_s), at_s)
            at_s += rng.uniform(0.12, 0.3)
        at_s += rng.uniform(0.4, 1.5)
    return wave


def claps(rng: Generator, seconds: float) -> Wave:
    """One pair of hands, then many."""
    wave = np.zeros(samples(seconds))
    for people, begun_s, ended_s in ((1, 0.3, 0.4 * seconds), (12, 0.45 * seconds, seconds)):
        for _ in range(people):
            at_s = begun_s + rng.uniform(0, 0.3)
            every_s = rng.uniform(0.18, 0.3)
            while at_s < ended_s:
                clap = coloured(rng, 0.08, 0.0, 500.0, 3_500.0) * fading(0.08, 0.008, 0.0005)
                put(wave, rng.uniform(0.2, 0.6) / people**0.5 * clap, at_s)
                at_s += every_s * rng.uniform(0.85, 1.15)
    return wave


def alarms(rng: Generator, seconds: float) -> Wave:
    """A siren, a telephone, a clock's beeps, in turn."""
    wave = np.zeros(samples(seconds))
    third_s = seconds / 3
    at = times(third_s)
    sweep_hz = 700 + 350 * np.sin(2 * np.pi * rng.uniform(0.3, 3.0) * at)
    put(wave, 0.3 * tone(sweep_hz, third_s, (1.0, 0.5, 0.3, 0.2)), 0.0)
    ring = tone(440.0, third_s) + tone(480.0, third_s)
    put(wave, 0.15 * ring * (np.mod(at, 3.0) < 1.2), third_s)
    put(wave, 0.3 * tone(rng.uniform(900, 2_100), third_s) * (np.mod(at, 0.5) < 0.1), 2 * third_s)
    return wave


def paper(rng: Generator, seconds: float) -> Wave:
    """Cards shuffled, paper, cloth on a microphone."""
    wave = np.zeros(samples(seconds))
    at_s = 0.2
    while at_s < seconds:
        length_s = rng.uniform(0.05, 0.5)
        crackle = coloured(rng, length_s, 0.3, 1_000.0, 7_000.0) * (rng.random(samples(length_s)) > 0.6)
        put(wave, rng.uniform(0.1, 0.5) * crackle * np.hanning(samples(length_s)), at_s)
        at_s += rng.uniform(0.03, 0.6)
    return wave


def _swelling(rng: Generator, wave: Wave, level: float) -> Wave:
    """As loud as `level` at most, and every few seconds almost nothing."""
    at = np.arange(len(wave)) / 16_000
    return wave * level * (0.05 + 0.95 * np.sin(np.pi * at * rng.uniform(0.1, 0.4)) ** 2)


def _tap(rng: Generator, low_hz: float, high_hz: float, half_life_s: float) -> Wave:
    """Something small struck: a burst of noise through a few resonances."""
    length_s = 12 * half_life_s
    burst = rng.normal(size=samples(length_s)) * fading(length_s, half_life_s, 0.0005)
    return loudest(resonant(burst, [(hz, 0.1 * hz) for hz in rng.uniform(low_hz, high_hz, 3)]))
