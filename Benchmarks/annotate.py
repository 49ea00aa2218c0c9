#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A scripted annotator: how many keys, and how many edges heard, a recording costs in the editor.

    Benchmarks/annotate.py --program PROGRAM [--corpus FOLDER] [--mode MODE...] [NAME...]

Drives the real program in a pseudo-terminal. The annotator knows what the screen shows and, of the edge that it has
in hand, where that edge truly is, as a person does who hears it. The folder (or TILAWA_CORPUS) holds recordings with a
known annotation, as Scripts/measure-accuracy.py describes them. A click and a drag count as one key.

    manual   every boundary is clicked in the waveform, then each run of ayat is named with `f`
    blind    `A` is told nothing, and the first place that it proposes is taken
    range    `A` is told the first ayah and the last

There is no mode with a reference: alignment uses none, since another reciter's recording added nothing to what is heard.

In the last two the annotator goes from one least sure edge to the next (`n`), confirms it and goes on (`tab`) or puts it
right, until all boundaries are right, or 99.5 % of them; the rest is confirmed by `B`, whose keys count. The last lines
take the recordings together: all edges below one sureness are heard in each of them, until 99.5 % of all boundaries are
right. For comparison: a plain label editor, where each boundary is heard, placed by one key and named by typing its ayah.
Needs pyte (`pip install pyte`).

An edge is right where Scripts/measure-accuracy.py says so, or where it lies in the pause beside which it was published in
full voice: a person hears the pause. How many these are is printed; --published takes none of them for right.

    Benchmarks/annotate.py --program PROGRAM --speed

prints how long the first frame of a known recording of 90 minutes takes, and a frame after a key, in 200x50 cells; beside it
how long a program takes that has as much to do for every key as the usual frame is, so that what the machine adds is seen.
"""

import argparse
import array
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import wave
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Scripts"))

from scoring.boundaries import fits  # noqa: E402
from scoring.truth import NEAR_PAUSE, Edge, read_folder  # noqa: E402

try:
    from pseudo_terminal import Terminal
except ImportError as error:
    sys.exit(f"annotate: {error.name} is missing: pip install pyte, in a virtual environment")

USUAL = ["emad_036", "real_afasy-talha_079", "emad_055_simmosque_snr20_rt1.5", "taraweeh_emad_2_1-74"]
MODES = ["manual", "blind", "range"]
COLUMNS, ROWS = 160, 50
NEARLY = 0.995


class Annotator:
    """Presses keys, reads the screen, and counts."""

    def __init__(self, options, truth, folder):
        self.truth, self.program = truth, options.program
        self.keys = self.edges = 0
        self.trail = []  # how sure each edge was that was led to, and what had been done before it
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "LC_ALL")},
            "TERM": "xterm-256color", "LANG": "C.UTF-8", "TILAWA_HOME": str(folder),
        }  # fmt: skip
        self.title = "recording"
        self.audio = folder / ("recording" + truth.audio.suffix)
        shutil.copy(truth.audio, self.audio)
        self.run("import", str(self.audio), "--title", self.title, "--no-detect")
        self.heard = {} if options.published else self.heard_edges()
        self.terminal = Terminal(
            [self.program, "edit", self.title, "--device", "null"], COLUMNS, ROWS, self.environment)
        self.wait("the waveform", lambda: "Analysing" not in self.text and "Not annotated" in self.text
                  and "█" in self.text, 600)

    def run(self, *arguments):
        return subprocess.run(
            [self.program, *arguments], env=self.environment, check=True, capture_output=True, text=True
        ).stdout

    # What the screen shows

    @property
    def lines(self):
        return [line.rstrip() for line in self.terminal.screen.display]

    @property
    def text(self):
        return "\n".join(self.lines)

    def wait(self, what, holds, limit=20):
        end = time.monotonic() + limit
        while not holds():
            if time.monotonic() > end:
                raise RuntimeError(f"{what} never came:\n{self.text}")
            self.terminal.read(0.1)

    def seen(self, seconds=0.3):
        """Takes in what the last key did; longer where an alignment may follow."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.terminal.read(0.03)

    def press(self, key, seconds=0.3):
        self.keys += 1
        self.terminal.send(key)
        self.seen(seconds)

    def type(self, text):
        for character in text:
            self.press(character, 0.05)

    def mouse(self, column, row, drag_to=None, seconds=0.3):
        self.keys += 1
        at = f"{column + 1};{row + 1}"
        to = f"{drag_to + 1};{row + 1}" if drag_to is not None else at
        drag = f"\x1b[<32;{to}M" if drag_to is not None else ""
        self.terminal.send(f"\x1b[<0;{at}M{drag}\x1b[<0;{to}m")
        self.seen(seconds)

    def selected(self):
        """The selected row of the list: where its segment begins, and its name."""
        heading = next(i for i, line in enumerate(self.lines) if "what is heard" in line)
        buffer = self.terminal.screen.buffer
        for row in range(heading + 1, ROWS):
            if buffer[row][3].bg not in ("default",) or buffer[row][3].reverse:
                match = re.match(
                    r"[▶ ]?\s*(\d+)\s+([\d:.]+)\s+–\s+([\d:.]+)\s.*?[◆◇○?]\s+(.*)", self.lines[row])
                if match:
                    return seconds(match[2]), match[4].split("  ")[0]
        return None

    def in_hand(self, patience=3):
        """The edge that `n` led to, once all of the screen shows it: in the middle, unless near an end."""
        end = time.monotonic() + patience
        while True:
            chosen = self.selected()
            if chosen:
                _, left, scale = self.ruler()
                middle = left + COLUMNS / 2 * scale
                if abs(chosen[0] - middle) < 3 * scale or time.monotonic() > end:
                    return chosen
            elif time.monotonic() > end + 5:
                raise RuntimeError(f"no edge in hand:\n{self.text}")
            self.terminal.read(0.05)

    def ruler(self):
        """Row of the ruler, the time of column 0, and seconds for a column."""
        for row, line in enumerate(self.lines):
            marks = [(m.start(), seconds(m[1])) for m in re.finditer(r"╷([\d:.]+)", line)]
            if len(marks) >= 2:
                (c1, t1), (c2, t2) = marks[0], marks[-1]
                scale = (t2 - t1) / (c2 - c1)
                return row, t1 - c1 * scale, scale
        self.seen(0.2)
        return self.ruler()

    def playhead(self):
        shown = re.search(r"(?:playing|paused|stopped)\s+([\d:.]+) /", self.text)
        return seconds(shown[1]) if shown else 0

    # What is right

    def heard_edges(self):
        """Of edges that were published where there is no pause, the longest one beside them: for ayat of files with an
        ayah each, which were cut into the voice. It agrees with all 19 of the corpus's corrections of this kind."""
        found = json.loads(self.run("auto-detect", str(self.audio), "--format", "json"))[0]
        pauses = [(pause["start"], pause["end"]) for pause in found["pauses"]]
        heard = {}
        for edge in self.truth.edges.values():
            near = [
                (start, end) for start, end in pauses
                if edge.start == edge.end and max(start - edge.time, edge.time - end) <= NEAR_PAUSE
            ]  # fmt: skip
            if near:
                start, end = max(near, key=lambda pause: pause[1] - pause[0])
                heard[edge] = Edge((start + end) / 2, start, end)
        return heard

    def is_right(self, edge, time):
        return fits(time, edge) or self.is_heard_right(edge, time)

    def is_heard_right(self, edge, time):
        return edge in self.heard and fits(time, self.heard[edge])

    def segments(self):
        """What the program has kept: for the score, not for the annotator."""
        shown = json.loads(self.run("show", self.title, "--format", "jsonl"))
        result = []
        for segment in shown["segments"]:
            held = segment["assignment"] or {}
            label = f"{held['surah']}:{held['ayah']}" if held.get("kind") == "ayah" else held.get("kind", "")
            result.append((segment["start"], segment["end"], label))
        return result

    def wrong(self):
        """How many boundaries of ayat are not right: missing, elsewhere, or under another name."""
        found = self.segments()
        starts = {(label, round(start, 3)) for start, _, label in found}
        ends = {(label, round(end, 3)) for _, end, label in found}
        wrong = self.beside = 0
        for published, edge in self.truth.edges.items():
            after = {s.label for s in self.truth.ayat if s.start == published}
            before = {s.label for s in self.truth.ayat if s.end == published}
            places = [[time for label, time in starts if label in after]] if after else []
            places += [[time for label, time in ends if label in before]] if before else []
            wrong += not all(any(self.is_right(edge, time) for time in times) for times in places)
            self.beside += not all(any(fits(time, edge) for time in times) for times in places)
        self.beside -= wrong
        return wrong

    def edge(self, time, name):
        """Where the edge in hand truly is: the start of what is named there, or the end of what is before it."""
        label = re.match(r"\d+:\d+", name)
        places = [s.start for s in self.truth.ayat if label and s.label == label[0]]
        if not label:
            places = [s.end for s in self.truth.ayat]
        edges = [self.truth.edges[place] for place in places if place in self.truth.edges]
        return min(edges, key=lambda edge: abs(edge.time - time), default=None)

    def sureness(self):
        """How sure the edge in hand is, as the bottom line has it."""
        shown = re.search(r"This edge is (\d+)% sure", self.text)
        return int(shown[1]) if shown else self.trail[-1][0] if self.trail else 0

    # What the annotator does

    def review(self, log):
        """Goes through the edges, least sure first; what it cost until all, and nearly all, were right."""
        allowed = int(len(self.truth.edges) * (1 - NEARLY))
        costs = {}
        fixed = {"moved to a pause": 0, "dragged": 0, "renamed": 0, "left": 0, "confirmed": 0}
        advance = "n"
        for step in range(2 * len(self.truth.edges) + 50):
            wrong = self.wrong()
            if log:
                print(f"    {step}: {wrong} wrong, {self.keys} keys", file=sys.stderr, flush=True)
            if wrong <= allowed:
                costs.setdefault("nearly all", (self.keys, self.edges))
            if wrong == 0:
                costs["all"] = (self.keys, self.edges)
                break
            before = (self.keys, self.edges, wrong)
            self.press(advance, 1)
            if "Every edge is decided" in self.text or "No suggested boundary is left" in self.text:
                break
            chosen = self.in_hand()
            self.trail.append((self.sureness(), *before))
            self.edges += 1
            # What is right, or has been put right, is confirmed by the key that goes on.
            advance = "\t" if self.decide(*chosen, fixed, log) else "n"
        self.wrongAtEnd = self.wrong()
        self.trail.append((100, self.keys, self.edges, self.wrongAtEnd))
        # The rest is confirmed unheard.
        begun = self.keys
        self.press("B")
        self.type("0")
        self.press("\r")
        self.rest = self.keys - begun
        return {until: (keys + self.rest, edges) for until, (keys, edges) in costs.items()}, fixed

    def decide(self, place, name, fixed, log):
        """Puts the edge in hand right where it is not; false where its true place is out of sight."""
        edge = self.edge(place, name)
        # A boundary between two parts of prayer is no matter of ayat.
        isPrayer = not re.match(r"\d+:\d+", name) and abs(edge.time - place) > 5 if edge else True
        if isPrayer or self.is_right(edge, place):
            fixed["confirmed"] += 1
            # It can be confirmed once it was heard.
            self.wait("the sound of the edge", lambda: self.playhead() > place)
            return True
        row, left, scale = self.ruler()
        truly = self.heard.get(edge, edge).time
        if log:
            print(f"      {name} at {place:.2f}, truly {truly:.2f}", file=sys.stderr)
        column = round((truly - left) / scale)
        if not 0 <= column < COLUMNS:
            fixed["left"] += 1
            return False
        # Pauses are numbered on the ruler by one key, and taken by another.
        self.press("#")
        digits = {
            m[0]: left + (m.start() + 0.5) * scale
            for line in self.lines[row - 1 : row + 2] for m in re.finditer(r"(?<![\d:.])[1-9](?![\d:.])", line)
        }  # fmt: skip
        number = next((digit for digit, time in digits.items() if self.is_right(edge, time)), None)
        if number:
            fixed["moved to a pause"] += 1
            self.press(number, 1)
            return True
        if digits:
            self.press("\x1b")
        fixed["dragged"] += 1
        marker = round((place - left) / scale)
        self.mouse(marker, self.canvas(), drag_to=column, seconds=1)
        return True

    def canvas(self):
        return self.ruler()[0] + 3

    def align(self, first, last):
        self.press("A")
        self.wait("the alignment", lambda: "Find each ayah" in self.text)
        if first:
            self.type(first + "\t")
            for _ in range(8 if re.search(r"ast ayah\s+\d", self.text) else 0):
                self.press("\x7f", 0.05)
            self.type(last)
            if self.truth.is_prayer:
                self.press("\t")
                self.press("\x1b[C")
        self.press("\r")
        if not first:
            self.wait("places", lambda: "From the sound" in self.text or "No place was found" in self.text, 1200)
            self.press("\r")
            self.wait("ayat", lambda: "segments with ayat found" in self.text, 1200)
            self.press("\r")
        self.wait("the segments", lambda: "Find each ayah" not in self.text and "suggested markers" in self.text, 1200)
        self.seen(1)

    def place_all(self):
        """Clicks every boundary in the waveform, a page after the other, and names them from the first."""
        # Where it is clicked is where it was heard.
        self.press("s")
        self.press("Z")
        while self.ruler()[2] > 0.2:
            self.press("+")
        self.press("g")
        for time in sorted(self.heard.get(edge, edge).time for edge in self.truth.edges.values()):
            _, left, scale = self.ruler()
            while time > left + scale * (COLUMNS - 2):
                self.press("\x1b[6~")
                _, left, scale = self.ruler()
            self.mouse(round((time - left) / scale), self.canvas())
            self.edges += 1
        for run in self.runs():
            middle = (run[0].start + run[0].end) / 2
            self.press("/")
            self.type(f"{int(middle // 60)}:{middle % 60:05.2f}")
            self.press("\r")
            self.press("f")
            self.type(run[0].label + "\t")
            for _ in range(5):
                self.press("\x7f", 0.05)
            self.type(str(len(run)))
            self.press("\r")

    def runs(self):
        """Ayat that follow one another in the recording and in the surah."""
        runs = []
        for segment in self.truth.ayat:
            surah, ayah = map(int, segment.label.split(":"))
            last = runs[-1][-1] if runs else None
            if last and last.end == segment.start and last.label == f"{surah}:{ayah - 1}":
                runs[-1].append(segment)
            else:
                runs.append([segment])
        return runs


def seconds(text):
    total = 0.0
    for part in text.split(":"):
        total = total * 60 + float(part)
    return total


def speed(program):
    """Times the first frame, and frames after keys, as a terminal sees them: until the last byte has come."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "night.wav"
        write_night(path, minutes=90)
        environment = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "TILAWA_HOME": folder}
        subprocess.run([program, "import", str(path)], env=environment, check=True, capture_output=True)
        firsts = []
        for round in range(7):
            begun = time.monotonic()
            terminal = Terminal([program, "edit", "night", "--device", "null"], 200, 50, environment)
            arrived = terminal.arrival("█")
            # What comes before the program knows its size, and the first opening, are not counted.
            if round:
                firsts.append(arrived - begun)
            terminal.settle(0.3)
            if round == 6:
                keys, peers, processor = answers(terminal, environment)
            terminal.close()
        print(f"first frame of a known recording of 90 minutes: {1000 * statistics.median(firsts):.0f} ms "
              f"(median of {len(firsts)}; worst {1000 * max(firsts):.0f} ms; due 150 ms)")
        for what, times in (("key to the first bytes of its frame at 200x50", [times[0] for times in keys]),
                            ("key to the last bytes of its frame at 200x50", [times[-1] for times in keys]),
                            ("a program that has as much to do for every key", [times[-1] for times in peers]),
                            ("the processor's time for a key, all threads", processor)):
            times.sort()
            print(f"{what}: {1000 * statistics.median(times):.1f} ms, p99 {1000 * times[int(0.99 * len(times))]:.1f} ms "
                  f"(of {len(times)} keys; due 4 ms)")


PEER = """
import os, statistics, sys, time, tty
def work(rounds):
    begun, sum = time.perf_counter(), 0
    for number in range(rounds): sum += number
    return time.perf_counter() - begun
tty.setraw(0)
rounds = round(10_000 * float(sys.argv[1]) / statistics.median(work(10_000) for _ in range(500)))
os.write(1, "█".encode())
while os.read(0, 1):
    work(rounds)
    os.write(1, b"x" * 1000)
"""


def answers(terminal, environment):
    """When each piece of each answer to a key came, and the same of a program whose every answer is as much work as the
    usual one of these: what it takes more is the machine's. The two are asked in turn. Then the time that the
    processor spent on each answer, which a busy machine does not make longer."""
    def answer(terminal, key):
        begun = time.monotonic()
        terminal.send(key)
        return [arrival - begun for arrival in terminal.receive()]

    usual = statistics.median(answer(terminal, "j")[-1] for _ in range(40))
    peer = Terminal([sys.executable, "-c", PEER, str(usual)], 200, 50, environment)
    peer.arrival("█")
    ours, peers, processor = [], [], []
    for key in "j" * 160 + "+-" * 60 + "jX" * 60 + "z":
        spent = processor_time(terminal.pid)
        times = answer(terminal, key)
        if times:
            ours.append(times)
            processor.append(processor_time(terminal.pid) - spent)
        peers.append(answer(peer, key))
    peer.close()
    return ours, peers, processor


def processor_time(process):
    """What all threads of a process have used of the processor, in seconds, those that have ended too."""
    return time.clock_gettime(~process << 3 | 2)  # the clock that clock_getcpuclockid() names


def write_night(path, minutes):
    """Bursts of noise with pauses, at 8 kHz."""
    rng = random.Random(1)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        noise = array.array("h", (rng.randint(-9000, 9000) for _ in range(8000 * 60)))
        for _ in range(minutes):
            samples = array.array("h", noise)
            place = 0
            while place < len(samples):
                place += rng.randint(2, 9) * 8000
                for index in range(place, min(place + 6000, len(samples))):
                    samples[index] //= 500
            file.writeframes(samples.tobytes())


def per_hundred(count, ayat):
    return f"{100 * count / ayat:6.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build/release/tilawa-annotate"))
    parser.add_argument("--corpus", default=os.environ.get("TILAWA_CORPUS"))
    parser.add_argument("--mode", action="append", choices=MODES)
    parser.add_argument("--speed", action="store_true", help="time frames, and measure nothing else")
    parser.add_argument("--published", action="store_true", help="take the published cuts alone for right")
    parser.add_argument("--log", action="store_true", help="say what is done at each edge")
    parser.add_argument("names", nargs="*", default=USUAL)
    options = parser.parse_args()
    if options.speed:
        return speed(options.program)
    if not options.corpus:
        print("annotate: skipped, for neither --corpus nor TILAWA_CORPUS names a folder of known recordings")
        return
    corpus = Path(options.corpus)
    if (corpus / "dev").is_dir():
        corpus /= "dev"
    truths = {truth.name: truth for truth in read_folder(corpus) if truth.name in options.names}
    if unknown := [name for name in options.names if name not in truths]:
        sys.exit(f"annotate: {corpus} does not hold {', '.join(unknown)}")
    trails = {mode: [] for mode in MODES}
    print(f"{'recording':34}{'ayat':>5} {'mode':10}  {'keys':>6} {'heard':>6}   {'keys':>6} {'heard':>6}   per 100 ayat")
    print(f"{'':34}{'':5} {'':10}  {'until all right':^13}   {'until 99.5 %':^13}")
    for name in options.names:
        truth = truths[name]
        count = len(truth.ayat)
        typed = sum(len(segment.label) + 2 for segment in truth.ayat)
        print(f"{name:34}{count:5} {'plain':10}  {per_hundred(typed, count)} {per_hundred(len(truth.edges), count)}")
        for mode in options.mode or MODES:
            line = f"{name:34}{count:5} {mode:10}  "
            print(line + measure(options, truth, mode, trails[mode]), flush=True)
    for mode, trail in trails.items():
        if len(trail) > 1:
            print(f"{'all of them':34}{sum(row.ayat for row in trail):5} {mode:10}  {'':13}   {together(trail)}")


class Trail(NamedTuple):
    """What hearing the edges of a recording came to, the least sure first."""

    ayat: int
    boundaries: int
    rest: int  # keys that confirm what was not heard
    steps: list[tuple[int, int, int, int]]  # how sure an edge was; keys, edges heard and wrong boundaries before it


def together(trails):
    """What it costs to hear all edges below one sureness, the least by which nearly all boundaries are right."""
    allowed = int(sum(trail.boundaries for trail in trails) * (1 - NEARLY))
    for sureness in range(0, 102):
        # Edges come least sure first, but for what a confirmation has made less sure meanwhile.
        at = [next((step for step in trail.steps if step[0] >= sureness), trail.steps[-1]) for trail in trails]
        if sum(step[3] for step in at) <= allowed:
            break
    else:
        return f"{'-':>6} {'-':>6}   {sum(step[3] for step in at)} boundaries are wrong when all edges have been heard"
    ayat = sum(trail.ayat for trail in trails)
    keys = sum(step[1] + trail.rest for step, trail in zip(at, trails))
    heard = sum(step[2] for step in at)
    return f"{per_hundred(keys, ayat)} {per_hundred(heard, ayat)}   all edges less than {sureness}% sure heard"


def measure(options, truth, mode, trails):
    count = len(truth.ayat)
    with tempfile.TemporaryDirectory() as folder:
        annotator = Annotator(options, truth, Path(folder))
        try:
            if mode == "manual":
                annotator.place_all()
                annotator.wrongAtEnd = annotator.wrong()
                costs = {} if annotator.wrongAtEnd else {"all": (annotator.keys, annotator.edges)}
                extra = f"{annotator.keys} keys, {annotator.edges} edges heard"
            else:
                annotator.align(*((truth.first, truth.last) if mode == "range" else ("", "")))
                start = f"{annotator.wrong()} wrong at first ({annotator.beside} right beside their cut)"
                costs, fixed = annotator.review(options.log)
                trails.append(Trail(count, len(truth.edges), annotator.rest, annotator.trail))
                extra = start + ", " + ", ".join(f"{number} {what}" for what, number in fixed.items() if number)
        finally:
            annotator.terminal.close()
    figures = []
    for until in ("all", "nearly all"):
        cost = costs.get(until)
        figures.append(" ".join(per_hundred(number, count) for number in cost) if cost else f"{'-':>6} {'-':>6}")
    end = f"; {annotator.wrongAtEnd} of {len(truth.edges)} wrong at the end" if annotator.wrongAtEnd else ""
    return "   ".join(figures) + f"   {extra}{end}"


if __name__ == "__main__":
    main()
