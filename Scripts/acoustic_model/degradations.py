# SPDX-License-Identifier: GPL-3.0-or-later
"""Sound made worse in the ways that recordings of recitation are bad: rooms, noise, clipping."""
from __future__ import annotations

import dataclasses

import numpy as np

from .recordings import RATE, Samples

Random = np.random.Generator


@dataclasses.dataclass(frozen=True)
class Copy:
    """A degraded copy; `speed` seconds of the original are one second of it."""

    samples: Samples
    speed: float


def root_mean_square(samples: Samples) -> float:
    return float(np.sqrt(np.mean(np.square(samples), dtype=np.float64)) + 1e-9)


def voice_level(samples: Samples) -> float:
    """The level of the louder half of frames of 50 ms."""
    frame = RATE // 20
    if len(samples) < frame:
        return root_mean_square(samples)
    powers = np.square(samples[: len(samples) // frame * frame].reshape(-1, frame)).mean(1)
    return float(np.sqrt(powers[powers >= np.median(powers)].mean()) + 1e-9)


def mixed(samples: Samples, other: Samples, decibels: float) -> Samples:
    """With `other` so far below the voice."""
    return samples + other * np.float32(voice_level(samples) / root_mean_square(other) * 10 ** (-decibels / 20))


def pink_noise(count: int, random: Random) -> Samples:
    spectrum = np.fft.rfft(random.standard_normal(1 << 20))  # a minute, repeated
    noise = np.fft.irfft(spectrum / np.sqrt(np.maximum(np.arange(len(spectrum)), 1)))
    return np.resize(noise.astype(np.float32), count)


def hum(count: int, random: Random) -> Samples:
    """Mains at 50 or 60 Hz with harmonics."""
    mains = float(random.choice([50, 60]))
    time = np.arange(RATE) / RATE
    harmonics = [(1, 1.0), (2, 0.6), (3, 0.5), (5, 0.3), (7, 0.2)]
    second = sum(level * np.sin(2 * np.pi * mains * number * time) for number, level in harmonics)
    return np.resize(np.asarray(second, np.float32), count)


def reverberated(samples: Samples, seconds: float, random: Random) -> Samples:
    """In a room whose echo falls by 60 dB in so many seconds: noise that decays, after the direct sound."""
    count = int(seconds * RATE)
    response = random.standard_normal(count) * 10 ** (-3 * np.arange(count) / count)
    response /= np.sqrt(np.square(response).sum())
    response[0] += 0.7
    size = 1 << int(np.ceil(np.log2(8 * count)))
    step, transform = size - count, np.fft.rfft(response, size)
    result = np.zeros(len(samples) + size, np.float32)
    for start in range(0, len(samples), step):
        part = np.fft.rfft(samples[start : start + step], size)
        result[start : start + size] += np.fft.irfft(part * transform, size)
    return result[: len(samples)]


def clipped(samples: Samples, decibels: float) -> Samples:
    """Driven so far over full scale."""
    greatest = np.abs(samples).max(initial=0) + 1e-9
    return np.clip(samples / greatest * 10 ** (decibels / 20), -1, 1)


def drifting(samples: Samples, random: Random) -> Samples:
    """The level moves by up to 5 dB either way, within twenty seconds."""
    points = len(samples) // (20 * RATE) + 2
    decibels = np.interp(np.arange(len(samples)), np.linspace(0, len(samples), points), random.uniform(-5, 5, points))
    return samples * 10 ** (decibels.astype(np.float32) / 20)


def tilted(samples: Samples, amount: float) -> Samples:
    """Treble raised (0...1) or lowered (-1...0), as by another microphone."""
    result = samples.copy()
    result[1:] -= np.float32(amount) * samples[:-1]
    return result


def sped_up(samples: Samples, speed: float) -> Samples:
    """Faster and higher, as another voice."""
    count = int(len(samples) / speed)
    return np.interp(np.arange(count) * speed, np.arange(len(samples)), samples).astype(np.float32)


def degraded(samples: Samples, random: Random) -> Copy:
    """A copy with several of these, drawn by chance.

    The chances and ranges are those with which the weights of the program were trained; they cover the conditions of
    clipping by 18 dB and reverberation of 2 s that alignment is judged under.
    """
    result = samples.astype(np.float32)
    count = len(result)
    if random.random() < 0.5:
        result = reverberated(result, float(random.uniform(0.4, 2.2)), random)
    kind = random.random()
    if kind < 0.4:
        result = mixed(result, pink_noise(count, random), float(random.uniform(4, 25)))
    elif kind < 0.55:
        result = mixed(result, hum(count, random), float(random.uniform(3, 20)))
    if random.random() < 0.45:
        result = clipped(result, float(random.uniform(3, 22)))
    if random.random() < 0.5:
        result = drifting(result, random)
    if random.random() < 0.5:
        result = tilted(result, float(random.uniform(-0.7, 0.7)))
    speed = 1.0
    if random.random() < 0.6:
        speed = float(random.uniform(0.88, 1.14))
        result = sped_up(result, speed)
    return Copy((0.9 / (np.abs(result).max(initial=0) + 1e-9) * result).astype(np.float32), speed)
