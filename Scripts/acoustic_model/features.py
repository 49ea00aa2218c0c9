# SPDX-License-Identifier: GPL-3.0-or-later
"""Log-mel frames of recordings and of degraded copies, measured by the program itself."""
from __future__ import annotations

import dataclasses, hashlib, json, struct, subprocess, sys, tempfile, wave, zlib
from pathlib import Path

import numpy as np
import torch

from . import degradations
from .recordings import RATE, Recording, RecordingError, Samples, Segment, sound

BANDS = 26
FRAMES_PER_SECOND = 25
UNITS = 31  # of a normalised level to a standard deviation
GREATEST = 124  # normalised levels are cut off at four deviations
VOICED_DEPTH = 60  # half decibels below the loud frames within which a frame counts as voiced
CACHE_VERSION = 2


@dataclasses.dataclass
class Heard:
    """What the network hears of a recording, and what is recited in it."""

    name: str
    reciter: str
    segments: list[Segment]
    levels: np.ndarray  # frames x bands, uint8: half decibels above -110 dBFS
    copies: list[tuple[np.ndarray, float]]  # levels and speed of each degraded copy

    @property
    def seconds(self) -> float:
        return len(self.levels) / FRAMES_PER_SECOND


def read_frames(path: Path) -> list[np.ndarray]:
    """What `tilawa-annotate acoustic-features` wrote; its source describes the layout."""
    data = path.read_bytes()
    version, bands, rate, count = struct.unpack_from("<4I", data, 8)
    if data[:8] != b"TILAWALM" or (version, bands, rate) != (1, BANDS, FRAMES_PER_SECOND):
        raise RecordingError(f"{path}: not log-mel frames of the version that this script knows")
    offset, result = 24, []
    for _ in range(count):
        offset += 4 + struct.unpack_from("<I", data, offset)[0]
        frames = struct.unpack_from("<I", data, offset)[0]
        offset += 4
        result.append(np.frombuffer(data, np.uint8, frames * BANDS, offset).reshape(frames, BANDS).copy())
        offset += frames * BANDS
    return result


def normalised(levels: torch.Tensor) -> torch.Tensor:
    """`LogMelFrames.normalized()`: whole numbers in -124...124, as int8."""
    if not len(levels):
        return torch.zeros((0, BANDS), dtype=torch.int8, device=levels.device)
    sums = levels.sum(1)
    loud = sums.sort().values[min(len(sums) * 95 // 100, len(sums) - 1)]
    voiced = levels[sums >= loud - VOICED_DEPTH * BANDS].double()
    mean = voiced.mean(0)
    variance = (voiced * voiced).mean(0) - mean * mean
    values = (levels - mean) * (UNITS / (variance.clamp(min=0) + 1).sqrt())
    return (values.sign() * (values.abs() + 0.5).floor()).clamp(-GREATEST, GREATEST).to(torch.int8)


def write_wav(samples: Samples, path: Path) -> None:
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())


class FeatureStore:
    """Measures recordings, and keeps what it measured in a folder for the next time."""

    def __init__(self, folder: Path, program: str, copies: int, seed: int):
        self.folder, self.program, self.copies, self.seed = folder, program, copies, seed
        folder.mkdir(parents=True, exist_ok=True)

    def heard(self, recording: Recording) -> Heard:
        path = self.folder / f"{recording.name}-{zlib.crc32(str(recording.files[0].resolve()).encode()):08x}.npz"
        identity = self.identity(recording)
        if path.exists():
            with np.load(path) as kept:
                if str(kept["identity"]) == identity:
                    return self.loaded(recording, kept)
        print(f"measuring {recording.name}", file=sys.stderr, flush=True)
        kept = self.measured(recording) | {"identity": np.array(identity)}
        partial = path.with_suffix(".partial.npz")
        np.savez_compressed(partial, **kept)
        partial.replace(path)
        return self.loaded(recording, kept)

    def identity(self, recording: Recording) -> str:
        """Changes when anything changes that the frames depend on, but for the program."""
        files = [(str(path.resolve()), path.stat().st_size, path.stat().st_mtime_ns) for path in recording.files]
        segments = [dataclasses.astuple(segment) for segment in recording.segments]
        facts = [CACHE_VERSION, self.seed, self.copies, files, segments]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()

    def loaded(self, recording: Recording, kept: dict[str, np.ndarray]) -> Heard:
        rows = json.loads(str(kept["segments"]))
        segments = [Segment(tuple(labels) if labels else None, start, end) for labels, start, end in rows]
        copies = [(kept[f"copy{index}"], float(kept[f"speed{index}"])) for index in range(self.copies)]
        return Heard(recording.name, recording.reciter, segments, kept["levels"], copies)

    def measured(self, recording: Recording) -> dict[str, np.ndarray]:
        samples, segments = sound(recording)
        kept = {"segments": np.array(json.dumps([dataclasses.astuple(segment) for segment in segments]))}
        with tempfile.TemporaryDirectory(prefix="tilawa-train-") as name:
            folder = Path(name)
            paths = [recording.files[0]]
            if recording.is_joined:
                paths = [folder / "joined.wav"]
                write_wav(samples, paths[0])
            for index in range(self.copies):
                random = np.random.default_rng([self.seed, zlib.crc32(recording.name.encode()), index])
                copy = degradations.degraded(samples, random)
                paths.append(folder / f"{index}.wav")
                write_wav(copy.samples, paths[-1])
                kept[f"speed{index}"] = np.array(copy.speed)
            levels = self.run_program(paths, folder / "frames")
        kept["levels"] = levels[0]
        return kept | {f"copy{index}": copy for index, copy in enumerate(levels[1:])}

    def run_program(self, paths: list[Path], output: Path) -> list[np.ndarray]:
        words = [self.program, "acoustic-features", "--output", str(output), *map(str, paths)]
        run = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if run.returncode:
            raise RecordingError(f"{paths[0]}: {self.program}: {run.stderr.strip()}")
        return read_frames(output)
