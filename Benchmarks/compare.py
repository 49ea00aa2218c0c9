#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures `tilawa-annotate auto-detect` beside ffmpeg on the recordings of make-recordings.sh.

    python3 Benchmarks/compare.py PROGRAM FOLDER

Wall times are medians of alternating runs with the files in the page cache; memory is the largest
resident set of any run, as the kernel reports it. Python's standard library is enough.
"""

import datetime
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

REPETITIONS = 5
START_UPS = 21
# Of ffmpeg's wall time; MiB; seconds.
RATIO_LIMITS = {"m4a": 0.60, "mp3": 0.50, "flac": 0.60, "wav": 0.60}
MEMORY_LIMITS = {"m4a": 80, "mp3": 64, "flac": 64, "wav": 64}
M4A_GROWTH_LIMIT = 10
SIDECAR_LIMIT = 0.15
START_UP_LIMIT = 0.060

PROGRAM = sys.argv[1]
FOLDER = Path(sys.argv[2])
HOME = FOLDER / "home"


class Run:
    """One process from start to end."""

    def __init__(self, *command):
        # The user's own cache must not be touched.
        environment = dict(os.environ, TILAWA_HOME=str(HOME), LC_ALL="C")
        with open(os.devnull, "r+b") as null:
            start = time.perf_counter()
            process = subprocess.Popen(
                command, stdin=null, stdout=null, stderr=subprocess.PIPE, env=environment)
            messages = process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            self.wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stderr.close()
        self.cpu = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss / 1024  # Linux counts KiB
        if process.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))} ended with {process.returncode}:\n"
                     + messages.decode(errors="replace"))


def detect(path, *options):
    return Run(PROGRAM, "auto-detect", path, "--format", "json", "--quiet", *options)


def detect_anew(path):
    shutil.rmtree(HOME, ignore_errors=True)
    HOME.mkdir()
    return detect(path)


def silencedetect(path):
    return Run("ffmpeg", "-nostdin", "-v", "error", "-i", path,
               "-af", "silencedetect=n=-34dB:d=0.4", "-f", "null", "-")


def wall(runs):
    return statistics.median(run.wall for run in runs)


def memory(runs):
    return max(run.memory for run in runs)


def warm(path):
    with open(path, "rb") as file:
        while file.read(1 << 24):
            pass


def verdict(value, limit):
    return "ok" if value <= limit else "MISSED"


def table(title, header, rows):
    print(f"\n{title}\n")
    rows = [header, ["-" * len(cell) for cell in header]] + rows
    widths = [max(len(row[column]) for row in rows) for column in range(len(header))]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        print("| " + " | ".join(cells) + " |", flush=True)


def speed():
    """Returns the memory of the 90-minute runs by format."""
    rows, peaks = [], {}
    for kind, limit in RATIO_LIMITS.items():
        path = FOLDER / f"night.{kind}"
        warm(path)
        theirs, ours = [], []
        for _ in range(REPETITIONS):
            theirs.append(silencedetect(path))
            ours.append(detect(path, "--no-cache"))
        ratio = wall(ours) / wall(theirs)
        peaks[kind] = memory(ours)
        rows.append([
            kind, f"{wall(theirs):.2f}", f"{wall(ours):.2f}",
            f"{statistics.median(run.cpu for run in ours):.2f}", f"{ratio:.2f}", f"{limit:.2f}",
            verdict(ratio, limit)])
    table("90 minutes, stereo, 44.1 kHz: wall time in seconds",
          ["format", "ffmpeg", "auto-detect", "its CPU time", "ratio", "limit", ""], rows)
    return peaks


def memories(without_cache):
    """Compares the first run on a recording, which writes its sidecar, with its limits.

    A run that may keep no sidecar holds the envelope in memory and is judged by the same limits.
    """
    rows = []

    def row(name, limit, kept, unkept, seconds=""):
        rows.append([name, seconds, f"{kept:.1f}", verdict(kept, limit), f"{unkept:.1f}",
                     verdict(unkept, limit), f"{limit:.0f}"])

    for kind, limit in MEMORY_LIMITS.items():
        hours = 3 if kind == "m4a" else 10
        first = detect_anew(FOLDER / f"night.{kind}")
        row(f"{kind}, 1.5 h", limit, first.memory, without_cache[kind], f"{first.wall:.2f}")
        path = FOLDER / f"night-{hours}h.{kind}"
        if not path.exists():
            continue
        long, unkept = detect_anew(path), detect(path, "--no-cache")
        if kind == "m4a":
            limit += M4A_GROWTH_LIMIT * (hours - 1.5)
        row(f"{kind}, {hours} h", limit, long.memory, unkept.memory, f"{long.wall:.2f}")
        if kind == "m4a":
            row("m4a, each hour more", M4A_GROWTH_LIMIT,
                (long.memory - first.memory) / (hours - 1.5),
                (unkept.memory - without_cache[kind]) / (hours - 1.5))
    table("Peak resident memory in MiB, first run",
          ["recording", "seconds", "MiB", "", "--no-cache", "", "limit"], rows)


def repeated():
    rows = []
    for kind in RATIO_LIMITS:
        path = FOLDER / f"night.{kind}"
        detect(path)
        seconds = wall([detect(path) for _ in range(REPETITIONS)])
        rows.append([f"{kind}, with its sidecar", f"{seconds:.3f}", f"{SIDECAR_LIMIT:.3f}",
                     verdict(seconds, SIDECAR_LIMIT)])
    seconds = wall([Run(PROGRAM, "--help") for _ in range(START_UPS)])
    rows.append(["--help", f"{seconds:.3f}", f"{START_UP_LIMIT:.3f}",
                 verdict(seconds, START_UP_LIMIT)])
    table("A second run on 90 minutes, and start-up: wall time in seconds",
          ["run", "seconds", "limit", ""], rows)


def orientation():
    if not shutil.which("audiowaveform"):
        return
    rows = []
    for kind in ["mp3", "flac", "wav"]:
        output = HOME / "audiowaveform.dat"
        run = Run("audiowaveform", "-q", "-i", FOLDER / f"night.{kind}", "-o", output, "-z", "441")
        output.unlink()
        rows.append([kind, f"{run.wall:.2f}"])
    table("For orientation, audiowaveform's wall time in seconds", ["format", "seconds"], rows)


def machine():
    processor = platform.processor() or platform.machine()
    with open("/proc/cpuinfo") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    version = subprocess.run(["ffmpeg", "-version"], capture_output=True, text=True).stdout
    return (f"{datetime.date.today()}, {len(os.sched_getaffinity(0))} cores "
            f"({names[0] if names else processor}), ffmpeg {version.split()[2]}")


def warn_of_load():
    """Other work takes more from a program that uses all cores than from ffmpeg, which uses one."""
    load = os.getloadavg()[0]
    if load > 1:
        print(f"The load average is {load:.1f}: on a busy machine the wall times are worth little.",
              flush=True)


def main():
    shutil.rmtree(HOME, ignore_errors=True)
    HOME.mkdir(parents=True)
    print(machine(), flush=True)
    warn_of_load()
    memories(speed())
    repeated()
    orientation()
    shutil.rmtree(HOME, ignore_errors=True)


main()
