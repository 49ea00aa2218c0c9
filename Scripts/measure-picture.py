#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the picture in the editor, as a person sees it.

Runs the program in a terminal of 80x24 that reads the frame's number from the cells on its screen, with a sound
card that plays in real time and keeps what it has played. The sound says where in the recording it is, so that
picture and sound can be compared at any moment. Prints how late each frame was, how long the first one takes
after a seek, the share of a processor, how long a key takes meanwhile, and the memory.

  Scripts/measure-picture.py [--binary .build/release/tilawa-annotate] [--card libVirtualCard.so]

  --speeds 0.5,1,2   measures at each of these speeds, --seconds of each
  --disturb 100      then seeks, pauses, loops, suspends and takes the sound card away, that many times in all
  --window           measures mpv in its place, which draws into a terminal (--vo=tct)
  --ppm 200          a sound card whose clock is that much too fast
  --rate 50          frames a second

It needs ffmpeg, which makes a video of 1280x720, its keyframes 2 s apart; mpv for --window.
"""

import argparse
import functools
import fcntl
import itertools
import os
import pty
import random
import re
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time

print = functools.partial(print, flush=True)
COLUMNS, ROWS = 80, 24
BARS = 15
SOUND_RATE = 48000
# Milliseconds: one and a half frames of 25 a second.
FAR = 60
SEQUENCE = re.compile(rb"\x1b(?:\[([0-9;?<$]*)([A-Za-z@~])|[_P\]][^\x1b\x07]*(?:\x1b\\|\x07)|[()].|[^\[_P\]()])")


class Terminal:
    """As much of a terminal as frames need, with the brightness of each cell."""

    def __init__(self, command=None, environment=None, size=(COLUMNS, ROWS)):
        self.columns, self.rows = size
        # In the editor's upper half are the thumbnails.
        self.first_row = ROWS // 2 + 2 if command else 0
        if command:
            self.process, self.file = pty.fork()
            if self.process == 0:
                os.execvpe(command[0], command, environment)
        else:
            self.file, other = pty.openpty()
            self.name = os.ttyname(other)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", self.rows, self.columns, 0, 0))
        self.erase()
        self.row = self.column = 0
        self.upper = self.lower = None
        self.rest = b""
        self.bytes = 0
        self.last = None

    def press(self, keys):
        os.write(self.file, keys)

    def read(self, seconds):
        """Takes in what comes within a time; whether anything came."""
        if not select.select([self.file], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.file, 1 << 16)
        except OSError:
            return False
        self.read_at = time.monotonic()
        self.bytes += len(data)
        self.take(self.rest + data)
        return True

    def take(self, data):
        place = 0
        while place < len(data):
            byte = data[place]
            if byte == 0x1B:
                match = SEQUENCE.match(data, place)
                if not match:
                    break
                if match.group(2):
                    self.control(match.group(1), match.group(2))
                place = match.end()
            elif byte == 0x0A:
                self.row = min(self.row + 1, self.rows - 1)
                place += 1
            elif byte == 0x0D:
                self.column = 0
                place += 1
            elif byte == 0x08:
                self.column = max(self.column - 1, 0)
                place += 1
            else:
                length = 1 if byte < 0x80 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
                if place + length > len(data):
                    break
                self.put(data[place:place + length].decode("utf-8", "replace"))
                place += length
        self.rest = data[place:]

    def erase(self):
        self.lights = [[None] * self.columns for _ in range(self.rows)]
        self.text = [[" "] * self.columns for _ in range(self.rows)]

    def put(self, character):
        if 0 <= self.row < self.rows and self.column < self.columns:
            self.lights[self.row][self.column] = self.upper if character in "\u2580\u2584" else self.lower
            self.text[self.row][self.column] = character
        self.column += 1

    def control(self, parameters, letter):
        numbers = [int(part) if part.isdigit() else 0 for part in parameters.split(b";")]
        first = numbers[0] or 1
        if letter in b"Hf":
            self.row, self.column = first - 1, (numbers[1] or 1) - 1 if len(numbers) > 1 else 0
        elif letter == b"A":
            self.row -= first
        elif letter == b"B":
            self.row += first
        elif letter == b"C":
            self.column += first
        elif letter == b"D":
            self.column -= first
        elif letter == b"K":
            for column in range(self.column, self.columns):
                self.lights[self.row][column], self.text[self.row][column] = None, " "
        elif letter == b"J":
            self.erase()
        elif letter == b"n" and numbers == [5]:
            self.press(b"\x1b[0n")
        elif letter == b"m":
            self.style(numbers)

    def style(self, numbers):
        while numbers:
            number = numbers.pop(0)
            if number == 0:
                self.upper = self.lower = None
            elif number == 39:
                self.upper = None
            elif number == 49:
                self.lower = None
            elif number in (38, 48):
                light = None
                if numbers.pop(0) == 2:
                    light = sum(numbers[:3]) // 3
                    del numbers[:3]
                else:
                    numbers.pop(0)
                if number == 38:
                    self.upper = light
                else:
                    self.lower = light

    def number(self):
        """What the bars show; None while they are being drawn, so that the rows do not agree yet."""
        rows = [[light for light in row if light is not None] for row in self.lights[self.first_row:]]
        width = max(map(len, rows))
        first = next(place for place, row in enumerate(rows) if len(row) == width)
        picture = list(itertools.takewhile(lambda row: len(row) == width, rows[first:]))
        numbers = {self.number_in(row) for row in (picture[0], picture[len(picture) // 2], picture[-1])}
        return numbers.pop() if len(numbers) == 1 else None

    def number_in(self, best):
        if len(best) < 2 * BARS:
            return None
        value = 0
        for bar in range(BARS):
            light = best[(2 * bar + 1) * len(best) // (2 * BARS)]
            if 90 < light < 165:
                return None
            value = 2 * value + (light > 127)
        return value

    def news(self, seconds):
        """The number of a frame that was not there before and the moment it was read; None where none came."""
        self.read(seconds)
        number = self.number()
        if number is None or number == self.last:
            return None
        self.last = number
        return number, self.read_at

    def wait(self, isSo, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if isSo():
                return True
            self.read(0.05)
        raise SystemExit(f"it never came; the picture is {self.number()}:\n" + "\n".join("".join(row) for row in self.text))

    def shows(self, text):
        return any(text in "".join(row) for row in self.text)

    def processor(self):
        """Seconds that the program has used."""
        with open(f"/proc/{self.process}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        with open(f"/proc/{self.process}/smaps_rollup") as file:
            lines = dict(line.split(":", 1) for line in file if ":" in line and "-" not in line[:12])
        return int(lines["Pss"].split()[0]) / 1024


class Card:
    """What the sound card has played, and where in the recording that is."""

    # A sample: left the milliseconds of 20 s, right their count.
    FRAME = 8

    def __init__(self, path):
        self.path = path
        self.size = 0
        self.grown_at = 0

    def look(self):
        size = os.path.getsize(self.path) if os.path.exists(self.path) else 0
        if size != self.size:
            self.size, self.grown_at = size, time.monotonic()
        return size

    @property
    def seconds(self):
        return self.look() / self.FRAME / SOUND_RATE

    def place(self):
        """Seconds of the recording that were played last, as the sample says; None in silence or a fade."""
        size = self.look() // self.FRAME * self.FRAME
        if not size:
            return None
        with open(self.path, "rb") as file:
            file.seek(size - self.FRAME)
            left, right = struct.unpack("ff", file.read(self.FRAME))
        count = right * 256
        if left <= 0 or abs(count - round(count)) > 0.05:
            return None
        return round(count - 1) * 20 + left * 32768 / 1000 - 0.001

    def heard(self, now):
        """The same at a moment: the card writes what it has played each few milliseconds."""
        place = self.place()
        # A fade or a pause.
        if place is None or now - self.grown_at > 0.05:
            return None
        return place + now - self.grown_at


def share(values, percent):
    values = sorted(values)
    return values[min(len(values) - 1, len(values) * percent // 100)]


def told(name, lates, whole=None):
    """Early and late count alike. A single frame far from both its neighbours, which agree, is one that was misread."""
    near, misread = [], 0
    for place, late in enumerate(lates):
        before, after = lates[max(place - 1, 0)], lates[min(place + 1, len(lates) - 1)]
        if abs(before - after) < FAR and min(abs(late - before), abs(late - after)) > FAR:
            misread += 1
        else:
            near.append(late)
    print(f"{name}: frames behind the sound p5 {share(near, 5):.1f} ms, median {share(near, 50):.1f} ms, "
          f"p95 {share(near, 95):.1f} ms; off by p95 {share([abs(late) for late in near], 95):.1f} ms, "
          f"worst {max(near, key=abs):.1f} ms; {len(lates)} frames seen"
          + (f" of {whole}" if whole else "") + f", {misread} misread")


def make_video(path, seconds, rate):
    boxes = ",".join(
        f"drawbox=x={bar * 1280 // BARS}:y=0:w={(bar + 1) * 1280 // BARS - bar * 1280 // BARS}:h=720"
        f":c=0xdddddd:t=fill:enable='mod(floor(n/{1 << (BARS - 1 - bar)}),2)'"
        for bar in range(BARS))
    # One that is not whole is not taken for the video next time.
    part = path + ".part"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
         f"color=c=0x222222:s=1280x720:r={rate}:d={seconds},{boxes},noise=alls=4:allf=t",
         "-f", "lavfi", "-i",
         f"aevalsrc='(floor(mod(t*1000,20000))+1)/32768|(floor(t/20)+1)/256:s={SOUND_RATE}:d={seconds}'",
         "-c:v", "libx264", "-preset", "ultrafast", "-g", str(2 * rate), "-bf", "2", "-pix_fmt", "yuv420p",
         "-c:a", "pcm_s16le", "-f", "mov", part], check=True)
    os.replace(part, path)


def length(options):
    """Seconds of a video that does not end while it is measured: a disturbance takes up to 4 s."""
    return 2 * options.seconds + 30 + 4 * options.disturb


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=".build/release/tilawa-annotate")
    parser.add_argument("--card", help="the tests' sound card; beside the binary, or in .build/debug")
    parser.add_argument("--video", help="keep the video here, and take it from here where it is")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seeks", type=int, default=60)
    parser.add_argument("--size", choices=["small", "large"], default="large")
    parser.add_argument("--speeds", default="1")
    parser.add_argument("--disturb", type=int, default=0)
    parser.add_argument("--window", action="store_true")
    parser.add_argument("--ppm", type=int, default=0)
    parser.add_argument("--rate", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not options.card:
        beside = os.path.join(os.path.dirname(options.binary), "libVirtualCard.so")
        options.card = beside if os.path.exists(beside) else ".build/debug/libVirtualCard.so"
    if not os.path.exists(options.card):
        parser.error(f"{options.card} does not exist; 'swift build --build-tests' makes it, or --card says where it is")
    with tempfile.TemporaryDirectory() as folder:
        video, played = folder + "/video.mov", folder + "/played"
        kept = options.video or video
        if not os.path.exists(kept):
            make_video(kept, length(options), options.rate)
        if kept != video:
            os.symlink(os.path.abspath(kept), video)
        with open(folder + "/asound.conf", "w") as file:
            file.write(f'pcm_type.tilawa_card {{ lib "{os.path.abspath(options.card)}" }}\n'
                       f'pcm.!default {{ type tilawa_card capture "{played}" absence "{folder}/absent" '
                       f'ppm {options.ppm} }}\n')
        environment = dict(
            os.environ, TILAWA_HOME=folder + "/home", TERM="xterm-256color", COLORTERM="truecolor",
            LANG="C.UTF-8", LC_ALL="C.UTF-8", ALSA_CONFIG_PATH=folder + "/asound.conf")
        picture = None
        if options.window:
            # Small, so that reading it takes no time.
            columns, rows = 2 * BARS + 2, 4
            picture = Terminal(size=(columns, rows))
            environment.update(
                TILAWA_TEST_MPV_OPTIONS=f"--vo=tct --vo-tct-width={columns} --vo-tct-height={rows} "
                "--keepaspect=no",
                TILAWA_TEST_MPV_TERMINAL=picture.name)
        subprocess.run([options.binary, "import", "--no-detect", video], env=environment, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        terminal = Terminal([options.binary, "video"], environment)
        Measurement(terminal, picture, options, Card(played), folder + "/absent").run()
        terminal.press(b"q")
        end = time.monotonic() + 10
        while time.monotonic() < end and terminal.read(0.2):
            pass
        os.waitpid(terminal.process, 0)


class Measurement:
    def __init__(self, terminal, picture, options, card, absence):
        self.terminal, self.options, self.card, self.absence = terminal, options, card, absence
        # Where the picture is seen.
        self.picture = picture or terminal

    def news(self, seconds):
        if self.picture is not self.terminal:
            while self.terminal.read(0):
                pass
        return self.picture.news(seconds)

    def pause(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.news(0.01)

    def run(self):
        terminal, options = self.terminal, self.options
        terminal.wait(lambda: terminal.shows("unassigned"))
        self.pause(2)
        if options.window:
            terminal.press(b"\x1bv")
            self.picture.wait(lambda: self.picture.number() == 0)
        else:
            self.sound_alone()
            terminal.press(b"P" if options.size == "small" else b"PP")
            self.picture.wait(lambda: self.picture.number() == 0)
            # The thumbnails are made.
            self.pause(5)
        if options.seeks:
            self.seeks()
        for speed in options.speeds.split(","):
            self.in_step(float(speed))
        if options.disturb:
            self.disturbed()

    def go_to_start(self):
        self.terminal.press(b"/0:00\r")
        self.picture.wait(lambda: self.picture.number() == 0)

    def sound_alone(self):
        terminal = self.terminal
        terminal.press(b"5")
        terminal.wait(lambda: self.card.seconds > 1)
        before, start = terminal.processor(), time.monotonic()
        while time.monotonic() < start + 10:
            terminal.read(0.05)
        self.sound_memory = terminal.memory()
        print(f"sound alone: {100 * (terminal.processor() - before) / 10:.0f} % of a core, "
              f"{self.sound_memory:.0f} MiB")
        terminal.press(b" ")
        terminal.wait(lambda: terminal.shows("paused"))
        terminal.press(b"g")
        terminal.press(b"H" * 10)

    def seeks(self):
        """The first frame after seeks, paused."""
        seeks, seconds = [], 0
        for step in range(self.options.seeks):
            forward = seconds + 5 <= self.options.seconds and (step * 7919 % 3 != 0 or seconds < 5)
            seconds += 5 if forward else -5
            start = time.monotonic()
            self.terminal.press(b"L" if forward else b"H")
            self.picture.wait(lambda: self.picture.number() == seconds * self.options.rate)
            seeks.append(1000 * (time.monotonic() - start))
            # So that it is not always the same moment of the program's tick.
            self.pause(0.05 + step * 7 % 40 / 1000)
        print(f"first frame after a seek: median {share(seeks, 50):.0f} ms, p95 {share(seeks, 95):.0f} ms, "
              f"worst {max(seeks):.0f} ms of {len(seeks)}")
        self.terminal.press(b"H" * (seconds // 5))
        self.picture.wait(lambda: self.picture.number() == 0)

    def in_step(self, speed):
        """How late frames are while it plays at one speed and keys are pressed."""
        terminal, card, options = self.terminal, self.card, self.options
        terminal.press(b"\\")
        for _ in range({0.5: 3, 1: 0, 2: 5}[speed]):
            terminal.press(b"[" if speed < 1 else b"]")
        self.go_to_start()
        self.pause(0.5)
        begun = card.seconds
        lates, keys = [], []
        before, start, written = terminal.processor(), time.monotonic(), self.picture.bytes
        terminal.press(b"5")
        pressed, next_key, names = None, start + 3, [(b"\x1b[21~", "F10"), (b"\x1b[23~", "F11")]
        last = 0
        while time.monotonic() < start + options.seconds:
            now = time.monotonic()
            if pressed is None and now > next_key and not options.window:
                sequence, name = names[len(keys) % 2]
                terminal.press(sequence)
                pressed = time.monotonic()
            news = self.news(0.002)
            card.look()
            if pressed and terminal.shows(names[len(keys) % 2][1] + " does nothing"):
                keys.append(1000 * (terminal.read_at - pressed))
                pressed, next_key = None, time.monotonic() + 0.11 + len(keys) * 13 % 40 / 1000
            if news:
                number, at = news
                # The sound that is stretched does not say where it is.
                heard = card.heard(at) if speed == 1 else (card.seconds + at - card.grown_at - begun) * speed
                last = max(number, last)
                # What the start takes is not lateness.
                if heard is not None and at > start + 1:
                    lates.append(1000 * (heard - number / options.rate) / speed)
        spent = time.monotonic() - start
        told(f"at {speed:g}x", lates, last)
        if keys:
            print(f"key to screen: median {share(keys, 50):.1f} ms, p99 {share(keys, 99):.1f} ms of {len(keys)}")
        if not options.window:
            print(f"processor: {100 * (terminal.processor() - before) / spent:.0f} % of a core; "
                  f"{(self.picture.bytes - written) / spent / 1000:.0f} kB/s written")
            print(f"memory: {terminal.memory():.0f} MiB, {terminal.memory() - self.sound_memory:.0f} MiB above the sound")
        terminal.press(b" ")
        terminal.wait(lambda: terminal.shows("paused"))

    def disturbed(self):
        """How late frames are from half a second after each of many disturbances on."""
        terminal, card = self.terminal, self.card
        terminal.press(b"\\")
        self.go_to_start()
        terminal.press(b"5")
        terminal.wait(lambda: terminal.shows("playing"))
        chance = random.Random(self.options.seed)
        kinds = {"seek": self.seek, "pause": self.pause_and_go_on, "suspend": self.suspend,
                 "device loss": self.lose_device, "loop": self.loop}
        lates = {}
        for step in range(self.options.disturb):
            kind = list(kinds)[step % len(kinds)]
            kinds[kind](chance)
            self.pause(0.5)
            end = time.monotonic() + 1.5
            while time.monotonic() < end:
                news = self.news(0.002)
                card.look()
                if news:
                    number, at = news
                    heard = card.heard(at)
                    if heard is not None:
                        lates.setdefault(kind, []).append(1000 * (heard - number / self.options.rate))
        for kind, values in lates.items():
            told(f"after a {kind}", values)
        together = sum(lates.values(), [])
        told(f"after {self.options.disturb} disturbances", together)

    def seek(self, chance):
        # Out of the loop.
        self.terminal.press(b"\x1b")
        self.pause(0.2)
        self.terminal.press(b"5")
        self.pause(0.2)
        self.terminal.press(chance.choice([b"L", b"H", b"LL", b"HH", b"LLH"]))

    def pause_and_go_on(self, chance):
        self.terminal.press(b" ")
        self.terminal.wait(lambda: self.terminal.shows("paused"))
        self.pause(chance.random() / 2)
        self.terminal.press(b" ")
        self.terminal.wait(lambda: self.terminal.shows("playing"))

    def loop(self, chance):
        # A column of the waveform, about two seconds: what plays begins anew within this look.
        self.terminal.press(b" ")
        self.terminal.wait(lambda: self.terminal.shows("paused"))
        self.terminal.press(b"v" + b"l" + b"v")
        self.pause(0.2)
        self.terminal.press(b" ")
        self.terminal.wait(lambda: self.terminal.shows("playing"))

    def suspend(self, chance):
        os.kill(self.terminal.process, signal.SIGTSTP)
        self.pause(0.2 + chance.random() / 2)
        os.kill(self.terminal.process, signal.SIGCONT)
        self.pause(0.2)
        self.go_on()

    def lose_device(self, chance):
        open(self.absence, "w").close()
        self.terminal.wait(lambda: self.terminal.shows("is gone") or self.terminal.shows("paused"))
        self.pause(chance.random() / 2)
        os.unlink(self.absence)
        # A program that goes on by itself must not be stopped by the key.
        self.terminal.wait(lambda: self.terminal.shows("The sound device is back") or self.terminal.shows("playing"))
        self.go_on()

    def go_on(self):
        self.pause(0.2)
        if not self.terminal.shows("playing"):
            self.terminal.press(b" ")
            self.terminal.wait(lambda: self.terminal.shows("playing"))


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    main()
