"""What made sounds are built of: noises, envelopes, resonances. Samples at 16 kHz, full scale 1.0."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.random import Generator

RATE_HZ = 16_000
Wave = npt.NDArray[np.float64]


def samples(seconds: float) -> int:
    """How many samples that long a time has, at least one."""
    return max(1, round(seconds * RATE_HZ))


def times(seconds: float) -> Wave:
    """The time of each sample, s."""
    return np.arange(samples(seconds)) / RATE_HZ


def coloured(rng: Generator, seconds: float, power: float, low_hz: float = 20.0, high_hz: float = 7_500.0) -> Wave:
    """Noise whose power falls with frequency to `power` (0 white, 1 pink, 2 brown), in a band; loudest sample 1."""
    count = samples(seconds)
    frequencies = np.fft.rfftfreq(count, 1 / RATE_HZ)
    spectrum = rng.normal(size=len(frequencies)) + 1j * rng.normal(size=len(frequencies))
    spectrum *= np.maximum(frequencies, 1.0) ** (-power / 2)
    # Edges an octave wide: a sudden one rings.
    spectrum /= 1 + (low_hz / np.maximum(frequencies, 1e-3)) ** 4
    spectrum /= 1 + (frequencies / high_hz) ** 4
    return loudest(np.fft.irfft(spectrum, count))


def loudest(wave: Wave, level: float = 1.0) -> Wave:
    """The same with its loudest sample at `level`."""
    peak = float(np.max(np.abs(wave)))
    return wave * (level / peak) if peak > 0 else wave


def hump(seconds: float, rise: float = 0.4) -> Wave:
    """An envelope that swells for the share `rise` of its time and dies away: a breath's."""
    at = np.linspace(0.0, 1.0, samples(seconds))
    return np.where(at < rise, np.sin(np.pi / 2 * at / rise), np.cos(np.pi / 2 * (at - rise) / (1 - rise))) ** 2


def fading(seconds: float, half_life_s: float, attack_s: float = 0.002) -> Wave:
    """An envelope that begins at once and loses half of itself each half-life: something struck."""
    at = times(seconds)
    return np.minimum(at / attack_s, 1.0) * 0.5 ** (at / half_life_s)


def resonant(wave: Wave, formants_hz: Iterable[tuple[float, float]]) -> Wave:
    """A sound through a tube with resonances of given frequency and width: a mouth's, or a box's."""
    frequencies = np.fft.rfftfreq(len(wave), 1 / RATE_HZ)
    gain = sum(1 / (1 + ((frequencies - centre) / width) ** 2) for centre, width in formants_hz)
    return np.fft.irfft(np.fft.rfft(wave) * gain, len(wave))


def tone(pitch_hz: Wave | float, seconds: float, harmonics: Iterable[float] = (1.0,)) -> Wave:
    """A periodic sound; `pitch_hz` steady or by the sample, and the strength of each harmonic from the first."""
    turns = np.cumsum(np.broadcast_to(pitch_hz, samples(seconds))) / RATE_HZ
    highest = np.max(pitch_hz)
    parts = [
        strength * np.sin(2 * np.pi * number * turns)
        for number, strength in enumerate(harmonics, start=1)
        if number * highest < 0.45 * RATE_HZ
    ]
    return np.sum(parts, axis=0) if parts else np.zeros(samples(seconds))


def put(onto: Wave, wave: Wave, at_s: float) -> None:
    """Add a sound to another from a time on; what goes beyond its end is cut off."""
    first = round(at_s * RATE_HZ)
    part = wave[: max(0, len(onto) - first)]
    onto[first : first + len(part)] += part
