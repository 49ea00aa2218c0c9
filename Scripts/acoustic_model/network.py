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
from .features import BANDS, FRAMES_PER_SECOND, UNITS, normalised

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
        self.x = network_input(self.levels[0][0])
        """What the network is given of the recording itself: frames x bands, float32."""


def network_input(levels: np.ndarray) -> np.ndarray:
    """Normalised levels in deviations, frames x bands."""
    return normalised(torch.from_numpy(levels)).numpy().astype(np.float32) / UNITS


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

    def placed(self, x: np.ndarray) -> torch.Tensor:
        """One recording, frames x bands, as a batch where the network is."""
        return torch.from_numpy(x.T[None].copy()).to(self.layers[0].weight.device)

    def activations(self, x: np.ndarray, layer: int) -> np.ndarray:
        """What a hidden layer gives for frames x bands."""
        self.eval()
        with torch.no_grad():
            y = self.placed(x)
            for module in self.layers[: layer + 1]:
                y = functional.relu(module(y))
        return y.cpu().numpy()

    def soften(self, factor: float) -> None:
        """Multiplies the logits."""
        with torch.no_grad():
            for parameter in self.layers[-1].parameters():
                parameter *= factor

    def log_probabilities(self, x: np.ndarray) -> np.ndarray:
        self.eval()
        with torch.no_grad():
            return functional.log_softmax(self(self.placed(x))[0].T, 1).cpu().numpy()


def priors(labels: list[np.ndarray], sounds: int) -> np.ndarray:
    """Logarithms of how often each sound comes."""
    known = np.concatenate([part[part >= 0] for part in labels])
    counts = np.bincount(known, minlength=sounds) + float(COUNTS_BEFORE)
    return np.log(counts / counts.sum()).astype(np.float32)


class Excerpts:
    """What training draws from: all versions of all recordings, where the network is."""

    def __init__(self, examples: list[Example], device: str):
        self.device = device
        self.levels = [[(torch.from_numpy(levels).to(device), speed) for levels, speed in example.levels] for example in examples]
        self.kept = [[normalised(levels) for levels, _ in versions] for versions in self.levels]
        totals: dict[str, int] = {}
        for example in examples:
            totals[example.reciter] = totals.get(example.reciter, 0) + len(example.x)
        self.shares = np.array([
            len(example.x) * min(1.0, MOST / totals[example.reciter]) * (2 if totals[example.reciter] < FEW else 1)
            for example in examples
        ])

    def epoch(self, labels: list[np.ndarray], random: np.random.Generator) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        """Batches of excerpts drawn at random, many of them made worse, with noise, other gains and missing bands."""
        babble = with_babble(self.levels, random)
        versions = [[*kept, normalised(levels)] for kept, (levels, _) in zip(self.kept, babble)]
        speeds = np.array([[*(speed for _, speed in kept), speed] for kept, (_, speed) in zip(self.levels, babble)])
        lengths = np.array([[len(version) for version in row] for row in versions])
        firsts = np.cumsum(lengths).reshape(lengths.shape) - lengths
        levels = torch.cat([version for row in versions for version in row])
        known = torch.from_numpy(np.concatenate(labels).astype(np.int64)).to(self.device)
        label_counts = np.array([len(part) for part in labels])
        label_firsts = np.cumsum(label_counts) - label_counts

        count = max(1, int(EXPOSURE * self.shares.sum() / (BATCH * LENGTH))) * BATCH
        index = random.choice(len(versions), count, p=self.shares / self.shares.sum())
        chance = random.random(count)
        copies = speeds.shape[1] - 2
        version = np.where(chance < BABBLE, copies + 1, 0)
        if copies:
            version = np.where((chance >= BABBLE) & (chance < BABBLE + DEGRADED), random.integers(1, copies + 1, count), version)
        length, speed = lengths[index, version], speeds[index, version]
        start = (random.random(count) * np.maximum(1, length - LENGTH)).astype(np.int64)

        def column(values: np.ndarray) -> torch.Tensor:
            return torch.from_numpy(values).to(self.device)[:, None]

        frames = column(start) + torch.arange(LENGTH, device=self.device)
        inside = frames < column(length)
        x = levels[column(firsts[index, version]) + torch.minimum(frames, column(length) - 1)]
        x = self.varied(x.float() / UNITS, random) * inside[:, :, None]
        times = torch.minimum(((frames + 0.5) * column(speed)).long(), column(label_counts[index]) - 1)
        y = known[column(label_firsts[index]) + times].masked_fill(~inside, UNKNOWN)
        return zip(x.transpose(1, 2).split(BATCH), y.split(BATCH))

    def varied(self, x: torch.Tensor, random: np.random.Generator) -> torch.Tensor:
        """Excerpts x frames x bands with noise, half of them with other gains, some with bands missing."""
        generator = torch.Generator(self.device).manual_seed(int(random.integers(1 << 62)))

        def uniform(*shape: int) -> torch.Tensor:
            return torch.rand(*shape, generator=generator, device=self.device)

        def normal(*shape: int) -> torch.Tensor:
            return torch.randn(*shape, generator=generator, device=self.device)

        excerpts = len(x)
        x = x + 0.12 * normal(*x.shape)
        other = uniform(excerpts, 1, 1) < 0.5
        x = torch.where(other, x * (0.85 + 0.3 * uniform(excerpts, 1, 1)) + 0.25 * normal(excerpts, 1, BANDS), x)
        bands = torch.arange(BANDS, device=self.device)
        first = (uniform(excerpts, 1, 1) * BANDS).long()
        missing = (bands >= first) & (bands < first + 1 + (uniform(excerpts, 1, 1) * 4).long()) & (uniform(excerpts, 1, 1) < 0.4)
        return x.masked_fill(missing, 0).clamp(-4, 4)


class Trainer:
    """Teaches a network; the rate of learning falls over all epochs planned."""

    def __init__(self, network: Network, examples: list[Example], epochs: int, seed: int, device: str):
        self.network, self.excerpts = network.to(device), Excerpts(examples, device)
        self.epochs, self.seed, self.done = epochs, seed, 0
        self.optimizer = torch.optim.AdamW(network.parameters(), RATES[0], weight_decay=1e-4)

    def epoch(self, labels: list[np.ndarray]) -> float:
        """The mean loss, in nats a frame."""
        for group in self.optimizer.param_groups:
            group["lr"] = RATES[0] * (1 - self.done / self.epochs) ** 1.2 + RATES[1]
        self.network.train()
        losses = []
        for x, y in self.excerpts.epoch(labels, np.random.default_rng([self.seed, self.done])):
            self.optimizer.zero_grad()
            logits = self.network(x).transpose(1, 2).flatten(0, 1)
            loss = functional.cross_entropy(logits, y.flatten(), ignore_index=UNKNOWN, label_smoothing=LABEL_SMOOTHING)
            loss.backward()
            self.optimizer.step()
            losses.append(loss.detach())
        self.done += 1
        return float(torch.stack(losses).mean())
