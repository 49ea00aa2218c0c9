#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes nights of prayer from recordings of known ayat by one reciter.

    Scripts/plant-prayers.py FOLDER OUT --fatiha NAME --portions NAME ... [--calls NAME] [--kinds eight,twenty,...] [--seed 1]
    Scripts/align-known-recordings.py OUT --mode range > found.jsonl

FOLDER holds recordings with a NAME.json each: "audio", "ayat", "segments" ("label", "start", "end"), perhaps "boundary_pauses". Of one
reciter there have to be al-Fatiha, and surahs that follow each other. For each kind OUT gets NAME~KIND.wav (16 kHz, mono) and its
NAME~KIND.json, of the form of its sources, with "kind": "taraweeh" and "recited".

  eight    eight rak'ahs, two by two
  twenty   twenty rak'ahs, and an ayah or a few in each
  joined   eight, in which nothing stands between al-Fatiha and what follows it, neither ameen nor a pause
  cut      eight, of which the recording begins in the middle of the first portion and ends in that of the last
  sajdah   eight, with a prostration of recitation in the middle of two portions
  witr     eight, and three more of which the last has a supplication after its bowing

What comes again and again is said 4 % slower to 4 % faster, up to 1.5 dB louder or softer and up to 2 dB brighter or darker each time,
and al-Fatiha with other pauses. For takbirs, "sami'a Allahu" and salams stand words of two seconds of the same reciter (of --calls, an
ayah each), for "ameen" the end of al-Fatiha, for speech between the prayers and for the supplication something else in FOLDER. Over all
of it lies a room (a reverberation of 0.7 to 1.4 s) and its noise (18 to 28 dB below the voice). Needs numpy and ffmpeg.
"""
import argparse, importlib, json, os, random, sys

import numpy as np

structures = importlib.import_module("plant-structures")
RATE = structures.RATE
KINDS = ["eight", "twenty", "joined", "cut", "sajdah", "witr"]


class Night:
    """Sound and segments as they grow."""

    def __init__(self):
        self.parts, self.length = [], 0
        self.segments, self.pauses = [], []

    def now(self):
        return self.length / RATE

    def add(self, sound, label):
        start = self.now()
        self.parts.append(sound)
        self.length += len(sound)
        self.segments.append({"label": label, "start": start, "end": self.now()})

    def silence(self, seconds):
        self.add(np.zeros(int(seconds * RATE), dtype=np.float32), "silence")

    def pause(self, seconds):
        """Silence in which one ayah ends and the next begins: it belongs to neither."""
        start = self.now()
        self.silence(seconds)
        del self.segments[-1]
        self.segments[-1]["end"] = self.now()
        self.add_pause(start, self.now())

    def add_pause(self, start, end):
        if self.pauses and self.pauses[-1]["pause_end"] == start:
            start = self.pauses.pop()["pause_start"]
        self.pauses.append({"pause_start": start, "pause_end": end})

    def stretch(self, source, first, last, skipFrom=0.0):
        """Segments first ..< last of a recording, as they stand there."""
        start, end = source.cuts[first] + skipFrom, source.cuts[last]
        origin = self.now() - start
        voice = source.voice_after(start)
        if voice > start:
            self.add_pause(self.now(), voice + origin)
        self.parts.append(source.sound[int(start * RATE) : int(end * RATE)])
        self.length += len(self.parts[-1])
        for number in range(first, last):
            segment = source.truth["segments"][number]
            a = start if number == first else segment["start"]
            b = end if number == last - 1 else segment["end"]
            self.segments.append({"label": segment["label"], "start": a + origin, "end": b + origin})
        for pause in source.pauses:
            if pause["pause_end"] > start and pause["pause_start"] < end:
                self.pauses.append({key: pause[key] + origin for key in ("pause_start", "pause_end")})


def trimEnd(source):
    """Recordings end with silence; al-Fatiha and portions do not."""
    end = min((source.voice[-1] + 1) / 100 + 0.05, source.cuts[-1])
    source.cuts[-1] = source.truth["segments"][-1]["end"] = end


def varied(sound, chance):
    tempo, gain, treble = chance.uniform(0.96, 1.04), chance.uniform(-1.5, 1.5), chance.uniform(-2, 2)
    return structures.decoded(None, f"atempo={tempo:.4f},treble=g={treble:.2f}:f=2500,volume={gain:.2f}dB", sound).copy()


class Imam:
    """One reciter's words."""

    def __init__(self, sources, fatiha, calls, other, chance):
        self.chance = chance
        self.fatiha = sources[fatiha]
        self.ayat = self.fatiha.ayat()
        self.other = sources[other]
        call = sources[calls]
        chosen = [i for i in call.ayat() if 1.2 <= call.seconds(i) <= 4.5][:3]
        while len(chosen) < 3:
            chosen.append(chosen[-1] if chosen else call.ayat()[0])
        self.words = [call.sound[int(call.cuts[i] * RATE) : int(min(call.cuts[i + 1], call.cuts[i] + 3) * RATE)] for i in chosen]

    def say(self, night, label):
        word = self.words[{"takbir": 0, "tasmee": 1, "salam": 2}[label]]
        night.add(varied(word, self.chance), label)

    def sayFatiha(self, night):
        last = None  # where the silence begins at which the ayah before ends
        for i in self.ayat:
            start, end = self.fatiha.cuts[i], self.fatiha.cuts[i + 1]
            sound = varied(self.fatiha.sound[int(start * RATE) : int(end * RATE)], self.chance)
            pause = np.zeros(int(self.chance.choice([0, 0, 0.15, 0.3]) * RATE), dtype=np.float32)
            head, tail = (self.silence_at(time) for time in (start, end))
            scale = len(sound) / RATE / (end - start)
            if last is not None:
                night.pauses.append({"pause_start": last, "pause_end": night.now() + (head[1] - start) * scale})
            last = night.now() + len(sound) / RATE - (end - tail[0]) * scale
            night.add(np.concatenate([sound, pause]), f"1:{i - self.ayat[0] + 1}")

    def silence_at(self, time):
        """The pause of al-Fatiha in which a cut lies; nothing but the cut where there is none."""
        pauses = [(p["pause_start"], p["pause_end"]) for p in self.fatiha.pauses]
        return next(((a, b) for a, b in pauses if a - 0.05 <= time <= b + 0.05), (time, time))

    def sayAmeen(self, night):
        night.silence(self.chance.uniform(0.3, 0.8))
        end = self.fatiha.cuts[self.ayat[-1] + 1]
        night.add(varied(self.fatiha.sound[int((end - 2.2) * RATE) : int(end * RATE)], self.chance) * 0.6, "ameen")
        night.silence(self.chance.uniform(0.8, 3))

    def speak(self, night, label, seconds):
        start = self.chance.uniform(0, max(len(self.other.sound) / RATE - seconds, 0))
        night.add(self.other.sound[int(start * RATE) : int((start + seconds) * RATE)] * 0.5, label)

    def bow(self, night, supplication=0.0):
        """From the end of standing to the next standing, or to sitting."""
        pick = self.chance.uniform
        night.silence(pick(0.5, 1.5))
        self.say(night, "takbir")
        night.silence(pick(5, 8))
        self.say(night, "tasmee")
        night.silence(pick(2, 4))
        if supplication:
            self.speak(night, "qunut", supplication)
            night.silence(pick(1, 2))
        self.say(night, "takbir")
        night.silence(pick(5, 9))
        self.say(night, "takbir")
        night.silence(pick(2, 4))
        self.say(night, "takbir")
        night.silence(pick(5, 9))


def portions(pieces, count, chance):
    """Runs of consecutive (source, segment), of about equal length."""
    total = sum(source.seconds(i) for source, i in pieces)
    runs, run, reached = [], [], 0.0
    for number, (source, i) in enumerate(pieces):
        run.append((source, i))
        reached += source.seconds(i)
        isAyah = structures.is_ayah(source.labels[i])
        left = len(pieces) - number - 1
        if isAyah and len(runs) < count - 1 and reached >= total * (len(runs) + chance.uniform(0.75, 1.25)) / count or left == 0:
            runs.append(run)
            run = []
    return runs


def recite(night, run, chance, imam=None, prostrating=False):
    """A portion; with a prostration after one of its ayat."""
    stop = len(run) // 2 if prostrating and len(run) > 3 else None
    begin = 0
    for number in range(len(run)):
        isLast = number == len(run) - 1
        isCut = isLast or run[number + 1][0] is not run[number][0] or number + 1 == stop
        if not isCut:
            continue
        source = run[begin][0]
        night.stretch(source, run[begin][1], run[number][1] + 1)
        begin = number + 1
        if not isLast:
            if number + 1 == stop:
                night.silence(chance.uniform(0.5, 1))
                imam.say(night, "takbir")
                night.silence(chance.uniform(6, 10))
                imam.say(night, "takbir")
                night.silence(chance.uniform(0.5, 1.5))
            else:
                night.pause(chance.uniform(0.5, 1.5))


def night(kind, imam, pieces, chance):
    night = Night()
    count = {"twenty": 20, "witr": 11}.get(kind, 8)
    runs = portions(pieces, count, chance)
    for number, run in enumerate(runs):
        if number % 2 == 0 or kind == "witr" and number == 10:
            night.silence(chance.uniform(0.5, 2))
        imam.say(night, "takbir")
        night.silence(chance.uniform(2, 6) if number % 2 == 0 else chance.uniform(0.5, 2))
        imam.sayFatiha(night)
        if kind != "joined":
            imam.sayAmeen(night)
        recite(night, run, chance, imam, kind == "sajdah" and number in (2, 5))
        isWitr = kind == "witr" and number == 10
        imam.bow(night, supplication=45 if isWitr else 0)
        if number % 2 == 1 or number == len(runs) - 1:
            imam.say(night, "takbir")
            night.silence(chance.uniform(10, 20))
            imam.say(night, "salam")
            night.silence(chance.uniform(0.8, 2))
            imam.say(night, "salam")
            night.silence(chance.uniform(4, 12))
            if number % 4 == 3 and number < len(runs) - 1:
                imam.speak(night, "speech", chance.uniform(6, 15))
                night.silence(chance.uniform(3, 8))
    return night


def room(sound, chance):
    """The sound in a room, and how far its noise lies below the voice."""
    seconds, snr = chance.uniform(0.7, 1.4), chance.uniform(18, 28)
    noises = np.random.default_rng(chance.randrange(1 << 30))
    tail = noises.standard_normal(int(seconds * RATE)) * np.exp(-6.9 * np.arange(int(seconds * RATE)) / (seconds * RATE))
    tail *= 0.5 / np.sqrt(np.sum(tail * tail))
    size = 1 << (len(sound) + len(tail)).bit_length()
    wet = np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(tail, size), size)[: len(sound)]
    mixed = sound + wet
    level = np.sqrt(np.percentile(mixed[: len(mixed) // 400 * 400].reshape(-1, 400).std(axis=1) ** 2, 70))
    noise = np.cumsum(noises.standard_normal(len(sound)))
    noise = structures.decoded(None, "highpass=f=60", (noise / np.abs(noise).max()).astype(np.float32))
    noise = np.pad(noise, (0, max(len(sound) - len(noise), 0)))[: len(sound)]
    noise = noise / noise.std() + 0.15 * noises.standard_normal(len(sound))
    mixed = mixed + noise * level * 10 ** (-snr / 20)
    return (0.7 * mixed / np.abs(mixed).max()).astype(np.float32)


def trimmed(night, sound, first, last):
    """What of it lies between two times."""
    segments = []
    for s in night.segments:
        a, b = max(s["start"], first), min(s["end"], last)
        if b - a > 0.5 or a == s["start"] and b == s["end"]:
            segments.append({"label": s["label"], "start": a - first, "end": b - first})
    pauses = [{key: p[key] - first for key in p} for p in night.pauses if p["pause_start"] > first and p["pause_end"] < last]
    return segments, pauses, sound[int(first * RATE) : int(last * RATE)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("out")
    parser.add_argument("--fatiha", required=True)
    parser.add_argument("--portions", required=True, nargs="+")
    parser.add_argument("--calls", help="recording of which the first short ayat stand for takbirs and salams; that of al-Fatiha")
    parser.add_argument("--other", help="recording that stands for speech; the first portion")
    parser.add_argument("--name", default="night")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    calls, other = options.calls or options.fatiha, options.other or options.portions[0]
    wanted = {options.fatiha, calls, other, *options.portions}
    loaded = {t["name"]: structures.Source(t) for t in structures.load(options.folder) if t["name"] in wanted}
    missing = wanted - set(loaded)
    if missing:
        sys.exit(f"{options.folder} has no {', '.join(sorted(missing))}")
    os.makedirs(options.out, exist_ok=True)
    for source in loaded.values():
        trimEnd(source)
    pieces = [(loaded[name], i) for name in options.portions for i in range(len(loaded[name].labels))]
    for kind in options.kinds.split(","):
        chance = random.Random(f"{options.seed} {options.name} {kind}")
        made = night(kind, Imam(loaded, options.fatiha, calls, other, chance), pieces, chance)
        sound = room(np.concatenate(made.parts), chance)
        segments, pauses = made.segments, made.pauses
        ayat = [s for s in segments if structures.is_ayah(s["label"]) and not s["label"].startswith("1:")]
        if kind == "cut":
            segments, pauses, sound = trimmed(made, sound, ayat[3]["start"] + 0.05, ayat[-3]["end"] + 0.3)
            ayat = [s for s in segments if structures.is_ayah(s["label"]) and not s["label"].startswith("1:")]
        name = f"taraweeh_{options.name}~{kind}"
        structures.write(os.path.join(options.out, name + ".wav"), sound)
        truth = {
            "audio": name + ".wav", "kind": "taraweeh", "reciter": options.name, "duration_seconds": round(len(sound) / RATE, 4),
            "recited": [ayat[0]["label"], ayat[-1]["label"]], "ayat": [s["label"] for s in segments],
            "segments": [{"label": s["label"], "start": round(s["start"], 4), "end": round(s["end"], 4)} for s in segments],
            "boundary_pauses": [{key: round(value, 4) for key, value in p.items()} for p in pauses],
        }
        with open(os.path.join(options.out, name + ".json"), "w", encoding="utf-8") as handle:
            json.dump(truth, handle, indent=1)
        print(name, file=sys.stderr)


main()
