# SPDX-License-Identifier: GPL-3.0-or-later
"""One Gaussian for each sound, on cepstra: enough to find from an even start which frame holds which sound."""
from __future__ import annotations

import numpy as np

from .features import BANDS

CEPSTRA = 13
ROUNDS = 3
SHARED = 0.1  # part of the variance of everything in each sound's own
WEIGHT = 0.5  # of the log density, for neighbouring frames are not independent
ENOUGH = 20  # frames

COSINES = np.cos(np.pi * np.outer(np.arange(CEPSTRA), np.arange(BANDS) + 0.5) / BANDS).astype(np.float32)


def cepstra(x: np.ndarray) -> np.ndarray:
    """Cepstra and their slopes over five frames."""
    static = x @ COSINES.T
    slopes = np.zeros_like(static)
    slopes[2:-2] = (static[4:] - static[:-4]) * 0.5 + (static[3:-1] - static[1:-3]) * 0.25
    return np.concatenate([static, slopes], 1)


class Gaussians:
    """Means and variances of each sound, diagonal."""

    def __init__(self, inputs: list[np.ndarray], labels: list[np.ndarray], count: int):
        x, y = np.concatenate([cepstra(part) for part in inputs]), np.concatenate(labels)
        common = x.var(0) + 1e-6
        self.means = np.repeat(x.mean(0)[None], count, 0)
        self.variances = np.repeat(common[None], count, 0)
        for sound in range(count):
            own = x[y == sound]
            if len(own) > ENOUGH:
                self.means[sound] = own.mean(0)
                self.variances[sound] = own.var(0) * (1 - SHARED) + common * SHARED

    def scores(self, x: np.ndarray) -> np.ndarray:
        c, precision = cepstra(x), 1 / self.variances
        distances = (c * c) @ precision.T - 2 * c @ (self.means * precision).T
        constants = (self.means**2 * precision + np.log(self.variances)).sum(1)
        return (-0.5 * WEIGHT * (distances + constants)).astype(np.float32)
