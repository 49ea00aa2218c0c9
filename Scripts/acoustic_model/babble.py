# SPDX-License-Identifier: GPL-3.0-or-later
"""Babble: voices of other recordings in the background of one. In log-mel frames this is a sum of powers, cheap enough to make anew
for each epoch."""
from __future__ import annotations

from typing import Sequence

import numpy as np
import torch

Levels = torch.Tensor  # frames x bands, uint8: half decibels above -110 dBFS

VOICES = (1, 6)
BELOW = (0.0, 15.0)  # decibels that all of them together are below the voice
UNTOUCHED = 0.6  # part of the recordings that are taken as they are; of the others any version


def powers(levels: Levels) -> torch.Tensor:
    return 10 ** (levels / 20)


def voice_power(power: torch.Tensor) -> torch.Tensor:
    """The mean power of the louder half of all frames."""
    sums = power.sum(1)
    return sums[sums >= sums.sort().values[len(sums) // 2]].mean()


def mixed(levels: Levels, others: Sequence[Levels], decibels: float, random: np.random.Generator) -> Levels:
    """With others, as loud as each other, so far below its voice; each begins anywhere and goes on from its start."""
    own = powers(levels)
    frames = torch.arange(len(levels), device=levels.device)
    babble = torch.zeros_like(own)
    for other in others:
        power = powers(other)
        babble += (power / voice_power(power))[(frames + int(random.integers(len(other)))) % len(other)]
    babble *= voice_power(own) * 10 ** (-decibels / 10) / babble.sum(1).mean()
    return (20 * (own + babble).log10()).round().clamp(0, 255).to(torch.uint8)


def with_babble(recordings: Sequence[Sequence[tuple[Levels, float]]], random: np.random.Generator) -> list[tuple[Levels, float]]:
    """Each recording with others of them in the background. Of each are given its levels and those of degraded copies, with
    their speeds."""
    result = []
    for index, versions in enumerate(recordings):
        version = 0 if random.random() < UNTOUCHED else int(random.integers(len(versions)))
        chosen = random.integers(len(recordings), size=int(random.integers(VOICES[0], VOICES[1] + 1)))
        others = [recordings[other][0][0] for other in chosen if other != index]
        levels, speed = versions[version]
        result.append((mixed(levels, others, float(random.uniform(*BELOW)), random) if others else levels, speed))
    return result
