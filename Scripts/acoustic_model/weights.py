# SPDX-License-Identifier: GPL-3.0-or-later
"""The network in whole numbers, as the program has it: Sources/Acoustics/AcousticWeights.swift."""
from __future__ import annotations

import dataclasses, struct

import numpy as np

from .features import UNITS
from .network import LAYERS, Network

MAGIC = b"TILAWAAW"
FORMAT = 1
GREATEST_WEIGHT = 127
GREATEST_ACTIVATION = 1023  # AcousticNetwork.greatestActivation
# Where the loudest activations seen lie; room for louder ones above.
USUAL_GREATEST = 900
PERCENTILE = 99.99


def encoded(network: Network, priors: np.ndarray, version: int, samples: list[np.ndarray]) -> bytes:
    """The file of weights. `samples`, network inputs, tell how great activations get."""
    result = bytearray(MAGIC + struct.pack("<3I", FORMAT, version, len(LAYERS)))
    unit = 1 / UNITS  # of the layer's input
    for index, (module, (taps, dilation)) in enumerate(zip(network.layers, LAYERS)):
        weights = module.weight.detach().cpu().numpy()
        offsets = module.bias.detach().cpu().numpy()
        outputs, inputs, _ = weights.shape
        steps = np.abs(weights).max((1, 2)) / GREATEST_WEIGHT + 1e-12
        packed = np.round(weights / steps[:, None, None]).astype(np.int8).transpose(0, 2, 1)
        scales = steps * unit
        if index < len(LAYERS) - 1:
            greatest = max(np.percentile(network.activations(x, index), PERCENTILE) for x in samples)
            factor = USUAL_GREATEST / max(float(greatest), 1e-3)
            scales, offsets, unit = scales * factor, offsets * factor, 1 / factor
        result += struct.pack("<4I", inputs, outputs, taps, dilation) + packed.tobytes()
        result += scales.astype("<f4").tobytes() + offsets.astype("<f4").tobytes()
    return bytes(result + priors.astype("<f4").tobytes())


@dataclasses.dataclass
class Layer:
    weights: np.ndarray  # outputs x taps x inputs, int64
    scales: np.ndarray
    offsets: np.ndarray
    dilation: int

    def sums(self, x: np.ndarray) -> np.ndarray:
        """Sums of products of whole numbers; beyond the ends there are zeros."""
        taps = self.weights.shape[1]
        reach = taps // 2 * self.dilation
        padded = np.pad(x, ((reach, reach), (0, 0)))
        parts = [
            padded[tap * self.dilation : tap * self.dilation + len(x)] @ self.weights[:, tap].T for tap in range(taps)
        ]
        return np.sum(parts, axis=0)


class WholeNumberNetwork:
    """What the program computes from a file of weights."""

    def __init__(self, data: bytes):
        if data[:8] != MAGIC:
            raise ValueError("not a file of acoustic weights")
        _, self.version, count = struct.unpack_from("<3I", data, 8)
        offset = 20
        self.layers: list[Layer] = []

        def floats(number: int) -> np.ndarray:
            nonlocal offset
            offset += 4 * number
            return np.frombuffer(data, "<f4", number, offset - 4 * number)

        for _ in range(count):
            inputs, outputs, taps, dilation = struct.unpack_from("<4I", data, offset)
            offset += 16
            packed = np.frombuffer(data, np.int8, inputs * outputs * taps, offset).reshape(outputs, taps, inputs)
            offset += packed.size
            self.layers.append(Layer(packed.astype(np.int64), floats(outputs), floats(outputs), dilation))
        self.priors = floats(len(self.layers[-1].scales))
        if offset != len(data):
            raise ValueError("longer than its header says")

    def log_probabilities(self, levels: np.ndarray) -> np.ndarray:
        """Of each sound in each frame, from normalised levels in whole numbers."""
        x = levels.astype(np.int64)
        for layer in self.layers[:-1]:
            sums = layer.sums(x)
            if np.abs(sums).max(initial=0) >= 1 << 31:
                raise ValueError("a sum does not fit 32 bits")
            values = sums.astype(np.float32) * layer.scales + layer.offsets
            x = np.floor(np.clip(values, 0, GREATEST_ACTIVATION) + np.float32(0.5)).astype(np.int64)
        last = self.layers[-1]
        logits = last.sums(x).astype(np.float32) * last.scales + last.offsets
        logits -= logits.max(1, keepdims=True)
        return logits - np.log(np.exp(logits).sum(1, keepdims=True))
