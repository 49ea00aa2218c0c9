# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings whose ayat are known, from folders of three kinds, and their sound."""
from __future__ import annotations

import dataclasses, json, re, subprocess
from pathlib import Path
from typing import Any, Iterator, Optional

import numpy as np

RATE = 16_000  # of decoded sound; the network hears up to 3,800 Hz
AUDIO_SUFFIXES = {".aac", ".flac", ".m4a", ".mp3", ".ogg", ".opus", ".wav"}
PER_AYAH = re.compile(r"(\d{3})(\d{3})")
GAP = 0.1  # seconds between two segments from which on something unknown lies between them

Samples = np.ndarray  # mono, float32


class RecordingError(Exception):
    """A folder or recording cannot be used; the text says which and why."""


@dataclasses.dataclass(frozen=True)
class Segment:
    """A stretch in which the labels are recited in order; None where it is not known what is."""

    labels: Optional[tuple[str, ...]]
    start: float
    end: float


@dataclasses.dataclass(frozen=True)
class Recording:
    """A recording, or the per-ayah files of a surah, which are joined."""

    name: str
    reciter: str
    files: tuple[Path, ...]
    segments: tuple[Segment, ...]  # without times for per-ayah files: see `joined`

    @property
    def is_joined(self) -> bool:
        return not self.segments


def reciter_key(name: str) -> str:
    """The same for all spellings of a name that differ in letter case, spaces, signs and digits."""
    return "".join(character for character in name.casefold() if character.isalpha())


def is_ayah(label: str) -> bool:
    return re.fullmatch(r"\d+:\d+", label) is not None


def label_of_file(path: Path) -> str:
    surah, ayah = PER_AYAH.fullmatch(path.stem).groups()  # type: ignore[union-attr]
    return f"{int(surah)}:{int(ayah)}"


def read_folder(folder: Path, aliases: dict[str, str]) -> list[Recording]:
    """The recordings of a folder: each NAME.json that names its audio and segments, and per-ayah files."""
    if not folder.is_dir():
        raise RecordingError(f"{folder}: not a folder")
    found = [recording for path in sorted(folder.glob("*.json")) for recording in annotated(path)]
    surahs: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()):
        match = PER_AYAH.fullmatch(path.stem)
        # 000 is a basmalah that belongs to no ayah.
        if match and path.suffix.lower() in AUDIO_SUFFIXES and match[2] != "000":
            surahs.setdefault(match[1], []).append(path)
    name = folder.resolve().name
    found += [Recording(f"{name}__{surah}", name, tuple(files), ()) for surah, files in surahs.items()]
    if not found:
        raise RecordingError(f"{folder}: no NAME.json with audio and segments, and no file SSSAAA.opus or the like")
    named = []
    for recording in found:
        key = reciter_key(recording.reciter)
        named.append(dataclasses.replace(recording, reciter=aliases.get(key, key)))
    return named


def annotated(path: Path) -> Iterator[Recording]:
    """The recording that a JSON file describes; nothing if it describes none, or a night of prayer."""
    truth = json.loads(path.read_text("utf-8"))
    if not isinstance(truth, dict) or "segments" not in truth or truth.get("kind") == "taraweeh":
        return
    try:
        if str(truth.get("schema", "")).startswith("tilawa.annotation/"):
            audio, segments = truth["media_file"], exported_segments(truth)
        else:
            audio = truth["audio"]
            segments = [
                Segment(known_labels(row["label"]), row["start"], row["end"]) for row in truth["segments"]
            ]
    except (KeyError, TypeError) as error:
        raise RecordingError(f"{path}: not an annotation that this script knows ({error!r})") from error
    if not audio or not (path.parent / audio).is_file():
        raise RecordingError(f"{path}: its audio {audio} is not beside it")
    if not segments:
        return
    reciter = truth.get("reciter") or path.stem
    yield Recording(path.stem, reciter, (path.parent / audio,), tuple(tiled(segments)))


def known_labels(label: str) -> Optional[tuple[str, ...]]:
    """An ayah or the basmalah; what else a label may say is not exact enough to train on."""
    return (label,) if is_ayah(label) or label == "basmala" else None


def exported_segments(annotation: dict[str, Any]) -> list[Segment]:
    """The segments of a `tilawa.annotation/1` document; only those that a person has confirmed are known."""
    rate, rows = annotation["sample_rate"], annotation["segments"]
    starts = [row["marker"]["frame"] / rate if row["marker"] else 0.0 for row in rows]
    ends = starts[1:] + [annotation["frames"] / rate]
    return [
        Segment(assigned_labels(row["assignment"]) if row["confirmed"] else None, start, end)
        for row, start, end in zip(rows, starts, ends)
    ]


def assigned_labels(assignment: Optional[dict[str, Any]]) -> Optional[tuple[str, ...]]:
    kind = assignment["kind"] if assignment else None
    if assignment is None:
        return None
    if kind == "ayah" and "part" not in assignment:
        return (f"{assignment['surah']}:{assignment['ayah']}",)
    if kind == "cross_surah":
        return (
            f"{assignment['surah']}:{assignment['ayah']}",
            f"{assignment['end_surah']}:{assignment['end_ayah']}",
        )
    if kind == "ayat":
        surah, first = map(int, assignment["first"].split(":"))
        last_surah, last = map(int, assignment["last"].split(":"))
        return tuple(f"{surah}:{ayah}" for ayah in range(first, last + 1)) if surah == last_surah else None
    if kind == "lead_in":
        parts = ["istiadhah"] * assignment["istiadhah"] + ["basmala"] * assignment["basmalah"]
        return tuple(parts)
    return None


def tiled(segments: list[Segment]) -> Iterator[Segment]:
    """The segments in order, and unknown ones where they leave gaps."""
    end = 0.0
    for segment in sorted(segments, key=lambda segment: segment.start):
        if segment.start > end + GAP:
            yield Segment(None, end, segment.start)
        yield segment
        end = max(end, segment.end)


def decode(path: Path) -> Samples:
    words = ["ffmpeg", "-v", "error", "-i", str(path), "-ac", "1", "-ar", str(RATE), "-f", "f32le", "-"]
    run = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True)
    if run.returncode:
        raise RecordingError(f"{path}: {run.stderr.decode(errors='replace').strip()}")
    return np.frombuffer(run.stdout, np.float32)


def sound(recording: Recording) -> tuple[Samples, list[Segment]]:
    """The sound of a recording at `RATE`, and its segments; per-ayah files are joined."""
    if not recording.is_joined:
        samples = decode(recording.files[0])
        length = len(samples) / RATE
        segments = list(recording.segments)
        if segments and segments[-1].end < length - GAP:
            segments.append(Segment(None, segments[-1].end, length))
        return samples, segments
    parts = [decode(path) for path in recording.files]
    ends = np.cumsum([len(part) for part in parts]) / RATE
    segments = [
        Segment((label_of_file(path),), float(end - len(part) / RATE), float(end))
        for path, part, end in zip(recording.files, parts, ends)
    ]
    return np.concatenate(parts), segments
