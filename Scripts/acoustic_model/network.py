# SPDX-License-Identifier: GPL-3.0-or-later
"""The acoustic network in floating point: convolutions in time, and how they learn."""
from __future__ import annotations

import dataclasses
from typing import Iterator

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from .babble import with_babble
from .chain import UNKNOWN
from .features import BANDS, FRAMES_PER_SECOND, network_input

# Taps and dilation of each layer.
LAYERS = [(5, 1), (3, 1), (3, 2), (3, 4), (1, 1)]
DROPOUT = 0.1
LABEL_SMOOTHING = 0.02
RATES = (2e-3, 2e-5)  # of learning, first and last
BATCH, LENGTH = 24, 400  # excerpts, and frames of each
DEGRADED, BABBLE = 0.35, 0.3  # parts of all excerpts that are of degraded copies, and that have other voices in them
EXPOSURE = 1.0  # part of all frames that an epoch draws
MOST = 60 * 60 * FRAMES_PER_SECOND  # frames of a reciter that count, so that none outweighs the others
FEW = 1600 * FRAMES_PER_SECOND  # reciters with fewer count twice
COUNTS_BEFORE = 50  # added to how often each sound comes


@dataclasses.dataclass
class Example:
    """A recording as training sees it."""

    reciter: str
    levels: list[tuple[np.ndarray, float]]  # of the recording, then of each degraded copy: levels, and speed

    def __post_init__(self) -> None:
        self.inputs = [(network_input(levels), speed) for levels, speed in self.levels]

    @property
    def x(self) -> np.ndarray:
        """What the network is given of the recording itself: frames x bands, float32."""
        return self.inputs[0][0]


class Network(nn.Module):
    def __init__(self, hidden: int, sounds: int):
        super().__init__()
        widths = [BANDS] + [hidden] * (len(LAYERS) - 1) + [sounds]
        self.layers = nn.ModuleList(
            nn.Conv1d(widths[index], widths[index + 1], taps, dilation=dilation, padding=taps // 2 * dilation)
            for index, (taps, dilation) in enumerate(LAYERS)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers[:-1]:
            x = functional.dropout(functional.relu(layer(x)), DROPOUT, self.training)
        return self.layers[-1](x)

    def activations(self, x: np.ndarray, layer: int) -> np.ndarray:
        """What a hidden layer gives for frames x bands."""
        self.eval()
        with torch.no_grad():
            y = torch.from_numpy(x.T[None].copy())
            for module in self.layers[: layer + 1]:
                y = functional.relu(module(y))
        return y.numpy()

    def log_probabilities(self, x: np.ndarray) -> np.ndarray:
        self.eval()
        with torch.no_grad():
            return functional.log_softmax(self(torch.from_numpy(x.T[None].copy()))[0].T, 1).numpy()


def priors(labels: list[np.ndarray], sounds: int) -> np.ndarray:
    """Logarithms of how often each sound comes."""
    known = np.concatenate([part[part >= 0] for part in labels])
    counts = np.bincount(known, minlength=sounds) + float(COUNTS_BEFORE)
    return np.log(counts / counts.sum()).astype(np.float32)


def batches(
    examples: list[Example], labels: list[np.ndarray], random: np.random.Generator
) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Excerpts drawn at random, many of them made worse, with noise, other gains and missing bands."""
    babble = [(network_input(levels), speed) for levels, speed in with_babble([example.levels for example in examples], random)]
    totals: dict[str, int] = {}
    for example in examples:
        totals[example.reciter] = totals.get(example.reciter, 0) + len(example.x)
    shares = np.array([
        len(example.x) * min(1.0, MOST / totals[example.reciter]) * (2 if totals[example.reciter] < FEW else 1)
        for example in examples
    ])
    for _ in range(max(1, int(EXPOSURE * shares.sum() / (BATCH * LENGTH)))):
        x = np.zeros((BATCH, BANDS, LENGTH), np.float32)
        y = np.full((BATCH, LENGTH), UNKNOWN, np.int64)
        for row, index in enumerate(random.choice(len(examples), BATCH, p=shares / shares.sum())):
            inputs, chance = examples[index].inputs, random.random()
            source, speed = inputs[0]
            if chance < BABBLE:
                source, speed = babble[index]
            elif chance < BABBLE + DEGRADED and len(inputs) > 1:
                source, speed = inputs[random.integers(1, len(inputs))]
            start = int(random.integers(max(1, len(source) - LENGTH)))
            part = source[start : start + LENGTH]
            times = ((np.arange(start, start + len(part)) + 0.5) * speed).astype(np.int64)
            part = part + random.normal(0, 0.12, part.shape)
            if random.random() < 0.5:
                part = part * random.uniform(0.85, 1.15) + random.normal(0, 0.25, (1, BANDS))
            if random.random() < 0.4:
                band = int(random.integers(BANDS))
                part[:, band : band + int(random.integers(1, 5))] = 0
            x[row, :, : len(part)] = np.clip(part, -4, 4).T
            y[row, : len(part)] = labels[index][np.minimum(times, len(labels[index]) - 1)]
        yield torch.from_numpy(x), torch.from_numpy(y)


class Trainer:
    """Teaches a network; the rate of learning falls over all epochs planned."""

    def __init__(self, network: Network, epochs: int, seed: int):
        self.network, self.epochs, self.seed, self.done = network, epochs, seed, 0
        self.optimizer = torch.optim.AdamW(network.parameters(), RATES[0], weight_decay=1e-4)

    def epoch(self, examples: list[Example], labels: list[np.ndarray]) -> float:
        """The mean loss, in nats a frame."""
        for group in self.optimizer.param_groups:
            group["lr"] = RATES[0] * (1 - self.done / self.epochs) ** 1.2 + RATES[1]
        self.network.train()
        losses = []
        for x, y in batches(examples, labels, np.random.default_rng([self.seed, self.done])):
            self.optimizer.zero_grad()
            logits = self.network(x)
            loss = functional.cross_entropy(logits, y, ignore_index=UNKNOWN, label_smoothing=LABEL_SMOOTHING)
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        self.done += 1
        return float(np.mean(losses))
