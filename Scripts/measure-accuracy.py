#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures how well `auto-detect` finds ayat in recordings where they are known, and whether it got worse.

    TILAWA_CORPUS=FOLDER Scripts/measure-accuracy.py [--program PROGRAM] [--modes range ...] [--only PART ...]
    TILAWA_CORPUS=FOLDER Scripts/measure-accuracy.py --held-out folds/ --modes range
    TILAWA_CORPUS=FOLDER Scripts/measure-accuracy.py --update

FOLDER/dev holds recordings, each with a NAME.json beside it (Scripts/scoring/truth.py reads it), and corrections.json,
which says where levels prove what was published wrong. FOLDER/words/NAME.json may say when each word is said; repeats and
edges that were published elsewhere are known by it. --raw takes the times of ayat as they were published.
Without TILAWA_CORPUS it says so and succeeds.

Modes: blind (nothing is told), start (the first ayah), range (the first and the last; and for nights of prayer that they
are). --held-out takes a folder as
`Scripts/train-acoustic-model.py --folds` writes it, RECITER.bin: each reciter is heard by the weights that were trained without
him, and only such reciters are measured.

Prints Markdown: F1 of boundaries, exact ayat, reviews and calibration for each reciter (Scripts/scoring/boundaries.py defines them),
and where word times are known the figures of the public Quran alignment benchmark (Scripts/scoring/words.py).

Then compares with the baseline, and fails where a figure got worse by more than rounding. --update writes the baseline anew.
Needs nothing but Python and the program.
"""
from __future__ import annotations

import argparse, collections, concurrent.futures, importlib.util, json, os, statistics, subprocess, sys, tempfile
from pathlib import Path
from typing import Any, Callable, Optional

from scoring import boundaries, words
from scoring.truth import Truth, read_folder

Json = dict[str, Any]
Figures = dict[str, Optional[float]]

ROOT = Path(__file__).resolve().parent.parent
BASELINE = ROOT / "Scripts" / "accuracy-baseline.json"
MODES = ["blind", "start", "range"]
# Figures, their decimals in the tables and the baseline, and whether more is better.
COLUMNS: dict[str, tuple[str, int, bool]] = {
    "f1": ("F1", 3, True),
    "exact": ("exact ayat", 3, True),
    "reviews_98": ("reviews, 98 %", 1, False),
    "reviews_99.5": ("99.5 %", 1, False),
    "reviews_all_98": ("of all, 98 %", 1, False),
    "reviews_all_99.5": ("99.5 %", 1, False),
    "sure_0.9": ("right at ≥ 0.9", 3, True),
    "sure_0.99": ("at ≥ 0.99", 3, True),
    "words_f1": ("Words F1", 3, True),
    "clean_segments": ("Clean segments", 3, True),
    "repeats_f1": ("Repeats F1", 3, True),
    "trusted_coverage": ("Trusted coverage", 3, True),
    "onset_ms": ("onset, median", 0, False),
}


class Words:
    """How many words each ayah has, by the program's own table."""

    def __init__(self) -> None:
        spec = importlib.util.spec_from_file_location("make_quran_sounds", ROOT / "Scripts/make-quran-sounds.py")
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        self.counts: list[list[int]] = module.Table(ROOT / "Sources/Quran/Tables/PhoneTable.swift").word_counts()

    def length(self, surah: int, ayah: int) -> int:
        return self.counts[surah - 1][ayah - 1]

    def place(self, surah: int, ayah: int, word: int) -> int:
        """A word's place in its surah, from 0; words count from 1."""
        return sum(self.counts[surah - 1][: ayah - 1]) + word - 1


def hints(truth: Truth, mode: str) -> list[str]:
    if mode == "blind":
        return []
    result = ["--start", truth.first]
    if mode != "start":
        result += ["--end", truth.last]
    if truth.is_prayer:
        result += ["--prayer", "taraweeh"]
    return result


def run(options: argparse.Namespace, truth: Truth, mode: str) -> Optional[Json]:
    """What the program says of a recording; nil where it fails."""
    command = [options.program, "auto-detect", "--format", "jsonl", *hints(truth, mode)]
    if "--words" in options.known and mode != "blind":
        command.append("--words")
    for evidence in options.without:
        command += ["--without", evidence]
    weights = options.held_out / f"{truth.key}.bin" if options.held_out else options.acoustic_weights
    if weights and mode != "blind":
        command += ["--acoustic-weights", str(weights)]
    done = subprocess.run(command + [str(truth.audio)], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=options.environment)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode == 0 and lines:
        return json.loads(lines[0])
    print(f"{truth.name}, {mode}: exit {done.returncode}: {done.stderr.strip()[-200:]}", file=sys.stderr)
    return None


def section(
    mode: str, truths: list[Truth], reports: dict[str, Optional[Json]], spoken: dict[str, Json], table: Words, each: bool
) -> dict[str, Figures]:
    """Prints the tables of a mode, and answers its figures by group."""
    groups: dict[str, boundaries.Counts] = collections.defaultdict(boundaries.Counts)
    heard: dict[str, words.Counts] = collections.defaultdict(words.Counts)
    onsets: dict[str, list[float]] = collections.defaultdict(list)
    for truth in truths:
        report = reports[truth.name]
        for group in ([truth.name] if each else []) + [truth.group, "all"]:
            groups[group] += boundaries.score(truth, report)
        if truth.name in spoken and mode != "blind":
            said = words.spoken_words(spoken[truth.name]["words"], table.place)
            claims = words.claims(report, table.length, table.place) if report else []
            for group in ([truth.name] if each else []) + [truth.group, "all"]:
                heard[group] += words.score(said, claims)
                onsets[group] += words.onset_errors(said, report or {}, table.place)
    figures: dict[str, Figures] = {name: {**counts.figures(), "failed": counts.failed} for name, counts in groups.items()}
    for name, counts in heard.items():
        figures[name] |= counts.figures()
        figures[name]["onset_ms"] = 1000 * statistics.median(onsets[name]) if onsets[name] else None
    print(f"\n### {mode}\n")
    counts = {name: (group.recordings, group.wanted) for name, group in groups.items()}
    print_table(figures, counts, [name for name in COLUMNS if name in groups["all"].figures()])
    for level in boundaries.SURE if mode != "blind" else ():
        given, wrong, expected = groups["all"].expectation(level)
        print(f"\nOf {given} boundaries given {level} or more {wrong} are wrong; {expected:.1f} are expected to be.")
    if heard:
        print()
        counts = {name: (None, group.spoken) for name, group in heard.items()}
        print_table(figures, counts, [name for name in COLUMNS if name not in groups["all"].figures()], "words")
    return figures


def print_table(figures: dict[str, Figures], counts: dict[str, Any], columns: list[str], unit: str = "boundaries") -> None:
    print("| recordings | " + unit + " | " + " | ".join(COLUMNS[column][0] for column in columns) + " |")
    print("|---|--:|" + "--:|" * len(columns))
    for name in sorted(counts, key=lambda name: (name == "all", name)):
        cells = [formatted(column, figures[name][column]) for column in columns]
        print(f"| {name} | {counts[name][1]} | " + " | ".join(cells) + " |")


def formatted(column: str, value: Optional[float]) -> str:
    return "" if value is None else f"{value:.{COLUMNS[column][1]}f}"


def worse(before: dict[str, dict[str, Figures]], now: dict[str, dict[str, Figures]]) -> list[str]:
    """What got worse since the baseline was written, in words; groups that it does not have are new."""
    complaints = []
    for mode, groups in now.items():
        for group, old in before.get(mode, {}).items():
            for name, value in old.items():
                new = groups.get(group, {}).get(name)
                if name == "failed":
                    if new is None or new > (value or 0):
                        complaints.append(f"{mode}, {group}: {new} recordings failed, {value} before")
                    continue
                title, decimals, more_is_better = COLUMNS[name]
                slack = 0.5000001 * 10**-decimals
                if value is None:
                    continue
                if new is None or (value - new if more_is_better else new - value) > slack:
                    complaints.append(f"{mode}, {group}: {title} ({name}) is {formatted(name, new) or 'gone'}, was {formatted(name, value)}")
    return complaints


def rounded(figures: Figures) -> Figures:
    return {name: value if value is None or name == "failed" else round(value, COLUMNS[name][1]) for name, value in figures.items()}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build/release/tilawa-annotate"))
    parser.add_argument("--recordings", type=Path, help="the folder of recordings (default: dev in TILAWA_CORPUS)")
    parser.add_argument("--modes", nargs="+", choices=MODES, default=MODES)
    parser.add_argument("--only", nargs="+", default=[""], metavar="PART", help="recordings whose names contain one of these; no comparison")
    parser.add_argument("--each", action="store_true", help="a row for each recording as well")
    parser.add_argument("--acoustic-weights", type=Path, metavar="FILE", help="for all recordings; no comparison")
    parser.add_argument("--held-out", type=Path, metavar="FOLDER", help="RECITER.bin for each reciter; no comparison")
    parser.add_argument("--without", nargs="+", default=[], metavar="EVIDENCE", help="kinds of evidence to leave out, as AlignmentEvidence names them; no comparison")
    parser.add_argument("--raw", action="store_true", help="the truth as published, without corrections; no comparison")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--baseline", type=Path, default=BASELINE)
    parser.add_argument("--update", action="store_true", help="write the baseline anew")
    parser.add_argument("--home", type=Path, help="where the program keeps waveforms for the next time (default: nowhere)")
    options = parser.parse_args()
    options.is_usual = not (options.acoustic_weights or options.held_out or options.raw or options.recordings or options.without) and options.only == [""]
    if options.update and not options.is_usual:
        parser.error("--update needs all recordings as they are and the program's own weights")
    return options


def main() -> int:
    options = arguments()
    corpus = os.environ.get("TILAWA_CORPUS")
    folder = options.recordings or (Path(corpus) / "dev" if corpus else None)
    if folder is None:
        print("accuracy: skipped; TILAWA_CORPUS names no folder of recordings")
        return 0
    if not folder.is_dir():
        sys.exit(f"{folder}: no folder of recordings; TILAWA_CORPUS names the folder that has it")
    if not Path(options.program).is_file():
        sys.exit(f"{options.program}: no program; build it, or name it with --program")
    truths = [truth for truth in read_folder(folder, not options.raw) if any(part in truth.name for part in options.only)]
    if options.held_out:
        truths = [truth for truth in truths if (options.held_out / f"{truth.key}.bin").is_file()]
    if not truths:
        sys.exit(f"{folder}: no recordings to measure")
    for truth in truths:
        if truth.unused_corrections:
            print(f"{truth.name}: {truth.unused_corrections} corrections belong to no boundary", file=sys.stderr)
    options.known = subprocess.run([options.program, "auto-detect", "--help"], capture_output=True, text=True).stdout
    files = Path(corpus).glob("words/*.json") if corpus else []
    spoken = {path.stem: json.loads(path.read_text("utf-8")) for path in files}
    table = Words()

    now: dict[str, dict[str, Figures]] = {}
    with tempfile.TemporaryDirectory(prefix="tilawa-accuracy-") as temporary, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        options.environment = {**os.environ, "TILAWA_HOME": str(options.home or temporary)}
        for mode in options.modes:
            find: Callable[[Truth], Optional[Json]] = lambda truth: run(options, truth, mode)
            reports = dict(zip((truth.name for truth in truths), pool.map(find, truths)))
            now[mode] = section(mode, truths, reports, spoken, table, options.each)

    if not options.is_usual:
        return 0
    if options.update:
        kept = json.loads(options.baseline.read_text("utf-8")) if options.baseline.exists() else {}
        kept |= {mode: {group: rounded(figures) for group, figures in sorted(groups.items())} for mode, groups in now.items()}
        options.baseline.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
        print(f"\n{options.baseline}: written")
        return 0
    if not options.baseline.exists():
        sys.exit(f"{options.baseline}: no baseline; write one with --update")
    complaints = worse(json.loads(options.baseline.read_text("utf-8")), now)
    print("\n" + "\n".join(complaints or ["Nothing got worse."]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
