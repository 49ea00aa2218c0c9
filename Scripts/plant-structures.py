#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes recordings in which ayat are repeated or left out from recordings of known ayat, and judges what an alignment finds of them.

    Scripts/plant-structures.py plant FOLDER OUT [--only NAME ...] [--kinds KIND,...] [--seed 1]
    Scripts/align-known-recordings.py OUT --mode range > found.jsonl
    Scripts/plant-structures.py score OUT found.jsonl [--each]
    Scripts/plant-structures.py score FOLDER straight.jsonl        (alarms in recordings that go straight on)

FOLDER holds recordings with a NAME.json each: "audio", "ayat", "segments" ("label", "start", "end"), perhaps "boundary_pauses"
("pause_start", "pause_end", or null). For each recording and kind OUT gets one variant, NAME~KIND.wav (16 kHz, mono) with its own
NAME~KIND.json, which also has "events": what was planted, when, and which ayat.

  repeat   an ayah is said twice
  several  the reciter goes back two or three ayat
  part     he stops in a pause inside an ayah, or at its end, and goes back to a pause before it in that ayah, or to its beginning
  refrain  an ayah is said twice, the second time as it is said elsewhere: of surahs with a refrain (55, 77)
  omit     an ayah is left out
  omit2    two ayat in a row are left out
  omit10   ten to twenty-five ayat in a row are left out
  join     the recording ends early, and a second later the beginning of another surah by the same reciter follows

Cuts lie in pauses, or at the quietest place of a boundary without one, with cross-fades of 10 ms. What is said again is played 7 %
slower to 7 % faster, up to 1.5 dB louder or softer and up to 2 dB brighter or darker, for nobody says a thing twice in the same way.

A repeat is found when the alignment goes back to the right ayah within a second of where the reciter does; an omission when the right
ayat, and no others, are missing at the right place. Everything else in which an alignment goes back or on is an alarm. F1 is that of all
boundaries, within their pause or 0.25 s. Needs numpy and ffmpeg.
"""
import argparse, collections, glob, json, os, random, re, subprocess, sys, wave

import numpy as np

RATE = 16_000
KINDS = ["repeat", "several", "part", "refrain", "omit", "omit2", "omit10", "join"]
REFRAINS = {
    55: [13, 16, 18, 21, 23, 25, 28, 30, 32, 34, 36, 38, 40, 42, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63, 65, 67, 69, 71, 73, 75, 77],
    77: [15, 19, 24, 28, 34, 37, 40, 45, 47, 49],
}
# Sources: at least so many ayat, at most so many seconds; a segment that is repeated or left out lasts at least so long.
LEAST_AYAT = 8
LONGEST = 900
LEAST_SECONDS = 1.5
TOLERANCE = 1.0


def is_ayah(label):
    return re.fullmatch(r"\d+:\d+", label) is not None


def load(folder):
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with open(path, encoding="utf-8") as handle:
            truth = json.load(handle)
        if "audio" in truth:
            truth["name"] = os.path.splitext(os.path.basename(path))[0]
            truth["path"] = os.path.join(folder, truth["audio"])
            yield truth


def decoded(path, filters=None, data=None):
    source = ["-i", path] if data is None else ["-f", "f32le", "-ar", str(RATE), "-ac", "1", "-i", "-"]
    words = ["ffmpeg", "-v", "error"] + source + (["-af", filters] if filters else [])
    words += ["-f", "f32le", "-ar", str(RATE), "-ac", "1", "-"]
    run = subprocess.run(words, input=None if data is None else data.tobytes(), capture_output=True, check=True)
    return np.frombuffer(run.stdout, dtype=np.float32)


class Source:
    """A recording, its segments, and where it can be cut."""

    def __init__(self, truth):
        self.truth = truth
        self.sound = decoded(truth["path"])
        hop = RATE // 100
        frames = self.sound[: len(self.sound) // hop * hop].reshape(-1, hop)
        self.levels = 10 * np.log10(np.mean(frames * frames, axis=1) + 1e-10)
        self.smooth = np.convolve(self.levels, np.ones(3) / 3, mode="same")
        self.voice = np.nonzero(self.levels > np.percentile(self.levels, 80) - 24)[0]
        self.labels = [segment["label"] for segment in truth["segments"]]
        pauses = [p for p in truth.get("boundary_pauses") or [] if p]
        starts = [segment["start"] for segment in truth["segments"]]
        self.cuts = [self.cut_near(t, pauses) for t in starts] + [truth["segments"][-1]["end"]]
        self.pauses = pauses

    def cut_near(self, time, pauses):
        """The quietest place of the pause that a boundary lies in."""
        near = [p for p in pauses if p["pause_start"] - 0.7 <= time <= p["pause_end"] + 0.7]
        near.sort(key=lambda p: max(p["pause_start"] - time, time - p["pause_end"], 0))
        first, last = (near[0]["pause_start"], near[0]["pause_end"]) if near else (time - 0.1, time + 0.1)
        a = max(int(first * 100), 0)
        b = min(max(int(last * 100), a + 1), len(self.smooth))
        return (a + int(np.argmin(self.smooth[a:b]))) / 100 if b > a else time

    def voice_after(self, time):
        """Where the voice sets in."""
        later = self.voice[self.voice >= int(time * 100)]
        return max(later[0] / 100, time) if len(later) else time

    def inner_pauses(self, index):
        """Pauses of at least 0.15 s inside a segment, away from its ends: where each is quietest."""
        a, b = int((self.cuts[index] + 1.5) * 100), int((self.cuts[index + 1] - 1.5) * 100)
        if b <= a:
            return []
        around = self.levels[max(a - 500, 0) : b + 500]
        limit = np.percentile(around, 80) - 16
        quiet = self.smooth[a:b] < limit
        found, start = [], None
        for place, is_quiet in enumerate(list(quiet) + [False]):
            if is_quiet and start is None:
                start = place
            elif not is_quiet and start is not None:
                if place - start >= 15:
                    found.append(((a + start) / 100, (a + place) / 100))
                start = None
        return found

    def ayat(self):
        return [i for i, label in enumerate(self.labels) if is_ayah(label)]

    def seconds(self, index):
        return self.cuts[index + 1] - self.cuts[index]


class Piece:
    """A stretch of the source, said anew or not, and the label of what is recited there."""

    def __init__(self, start, end, label, again=False, part=False, pause=None):
        self.start, self.end, self.label, self.again, self.part = start, end, label, again, part
        self.pause = pause


def straight(source, first, last):
    return [Piece(source.cuts[i], source.cuts[i + 1], source.labels[i]) for i in range(first, last)]


def plan(source, kind, chance):
    """The pieces of a variant and its event, whose "piece" is the one that begins where the reciter went back or on."""
    ayat, count = source.ayat(), len(source.labels)
    inner = ayat[1:-1]
    again = lambda pieces: [Piece(p.start, p.end, p.label, again=True) for p in pieces]
    if kind == "repeat":
        choices = [i for i in inner if source.seconds(i) >= LEAST_SECONDS]
        if not choices:
            return None
        i = chance.choice(choices)
        pieces = straight(source, 0, i + 1) + again(straight(source, i, i + 1)) + straight(source, i + 1, count)
        return pieces, {"kind": "repeat", "to": source.labels[i], "piece": i + 1}
    if kind == "several":
        back = chance.choice([2, 3])
        choices = [i for i in inner if i - back + 1 in inner]
        if not choices:
            return None
        i = chance.choice(choices)
        first = i - back + 1
        pieces = straight(source, 0, i + 1) + again(straight(source, first, i + 1)) + straight(source, i + 1, count)
        return pieces, {"kind": "repeat", "to": source.labels[first], "piece": i + 1}
    if kind == "refrain":
        labels = [source.labels[i] for i in ayat]
        surah = int(labels[0].split(":")[0])
        places = [i for i in inner if int(source.labels[i].split(":")[1]) in REFRAINS.get(surah, [])]
        if len(places) < 2:
            return None
        i, other = chance.sample(places, 2)
        taken = Piece(source.cuts[other], source.cuts[other + 1], source.labels[i])
        pieces = straight(source, 0, i + 1) + [taken] + straight(source, i + 1, count)
        return pieces, {"kind": "repeat", "to": source.labels[i], "piece": i + 1}
    if kind == "part":
        choices = []
        for i in inner:
            start, end = source.cuts[i], source.cuts[i + 1]
            middles = [((a + b) / 2, (a, b)) for a, b in source.inner_pauses(i)]
            fromPlaces = [(start, None)] + middles
            toPlaces = middles + [(end, None)]
            for a in fromPlaces:
                for b in toPlaces:
                    if b[0] - a[0] >= 2 and not (a[0] == start and b[0] == end):
                        choices.append((i, a, b))
        if not choices:
            return None
        i, a, b = chance.choice(choices)
        label = source.labels[i]
        before = [Piece(source.cuts[i], b[0], label, part=True, pause=b[1])]
        if b[0] < source.cuts[i + 1]:
            after = [Piece(a[0], b[0], label, again=True, part=True), Piece(b[0], source.cuts[i + 1], label, part=True)]
        else:
            after = [Piece(a[0], b[0], label, again=True, part=True)]
        pieces = straight(source, 0, i) + before + after + straight(source, i + 1, count)
        return pieces, {"kind": "part", "to": label, "piece": i + 1, "seconds": round(b[0] - a[0], 2)}
    number = {"omit": 1, "omit2": 2, "omit10": min(chance.randint(10, 25), len(inner) - 6)}[kind]
    if kind == "omit10" and number < 10:
        return None
    choices = [
        i for i in inner
        if all(j in inner for j in range(i, i + number)) and sum(source.seconds(j) for j in range(i, i + number)) >= LEAST_SECONDS
    ]
    if not choices:
        return None
    i = chance.choice(choices)
    pieces = straight(source, 0, i) + straight(source, i + number, count)
    return pieces, {"kind": "omit", "ayat": source.labels[i : i + number], "piece": i}


def rendered(source, pieces, chance):
    """The sound, and where each piece begins."""
    fade = RATE // 100
    ramp = np.linspace(0, 1, fade, dtype=np.float32)
    out, starts = np.zeros(0, dtype=np.float32), []
    for piece in pieces:
        sound = source.sound[int(piece.start * RATE) : int(piece.end * RATE)].copy()
        if piece.again and len(sound) > RATE // 2:
            tempo, gain, treble = chance.uniform(0.93, 1.07), chance.uniform(-1.5, 1.5), chance.uniform(-2, 2)
            sound = decoded(None, f"atempo={tempo:.4f},treble=g={treble:.2f}:f=2500,volume={gain:.2f}dB", sound).copy()
        starts.append(len(out) / RATE)
        if len(out) >= fade and len(sound) >= fade:
            joined = out[-fade:] * (1 - ramp) + sound[:fade] * ramp
            out = np.concatenate([out[:-fade], joined, sound[fade:]])
        else:
            out = np.concatenate([out, sound])
    return out, starts


def joined(source, other, chance):
    """The beginning of one recording, a pause of a second, and the beginning of another; and its truth."""
    sounds, segments, pauses, time = [], [], [], 0.0
    for part in (source, other):
        ayat = part.ayat()
        last = ayat[chance.randint(5, min(len(ayat), 16) - 1)]
        end = part.cuts[last + 1]
        if segments:
            sounds.append(np.zeros(RATE, dtype=np.float32))
            pauses.append({"pause_start": time, "pause_end": time + 1})
            time += 1
            event = {"kind": "join", "to": part.labels[ayat[0]], "time": time + part.cuts[ayat[0]]}
        sounds.append(part.sound[: int(end * RATE)])
        segments += [{"label": s["label"], "start": time + s["start"], "end": time + min(s["end"], end)} for s in part.truth["segments"][: last + 1]]
        pauses += [{k: time + p[k] for k in ("pause_start", "pause_end")} for p in part.pauses if p["pause_start"] < end]
        time += int(end * RATE) / RATE
    return np.concatenate(sounds), {
        "reciter": source.truth.get("reciter", source.truth["name"]), "duration_seconds": round(time, 4),
        "ayat": [s["label"] for s in segments], "segments": segments, "boundary_pauses": pauses, "events": [event],
    }


def family(name):
    """What the recordings of one reciter in one room share."""
    return name.rsplit("_", 1)[0]


def write(path, sound):
    with wave.open(path, "wb") as handle:
        handle.setnchannels(1)
        handle.setsampwidth(2)
        handle.setframerate(RATE)
        handle.writeframes((np.clip(sound, -1, 1) * 32767).astype("<i2").tobytes())


def truth_of(source, pieces, starts, length, event):
    """Segments with each truth boundary's distance from its cut kept, and the pauses around them."""
    offsets = {}
    for i, segment in enumerate(source.truth["segments"]):
        offsets[round(source.cuts[i], 4)] = segment["start"] - source.cuts[i]
    times, segments = [], []
    for number, (piece, start) in enumerate(zip(pieces, starts)):
        times.append(max(start + (offsets.get(round(piece.start, 4), 0.0) if number > 0 else 0.0), 0.0))
    times.append(length)
    for number, piece in enumerate(pieces):
        end = times[number + 1]
        isOn = segments and piece.part and pieces[number - 1].again and piece.start == pieces[number - 1].end
        if isOn:
            segments[-1]["end"] = end
        else:
            segments.append({"label": piece.label, "start": times[number], "end": end})
        if number == event["piece"]:
            event["time"] = times[number]
    pauses = []
    for piece, start in zip(pieces, starts):
        scale = 1.0
        for p in source.pauses:
            a, b = p["pause_start"], p["pause_end"]
            if a - 0.05 <= piece.start <= b + 0.05:
                # The cut lies in it: what is left of it before the cut depends on what precedes.
                pauses.append({"pause_start": start - min(0.35, piece.start - a if piece.start > a else 0), "pause_end": start + (b - piece.start)})
        if piece.pause:
            end = start + piece.end - piece.start
            pauses.append({"pause_start": end - (piece.end - piece.pause[0]), "pause_end": end + 0.02})
    for segment in segments:
        segment["start"], segment["end"] = round(segment["start"], 4), round(segment["end"], 4)
    event = {key: value for key, value in event.items() if key != "piece"}
    event["time"] = round(event["time"], 4)
    return {
        "reciter": source.truth.get("reciter", source.truth["name"]), "duration_seconds": round(length, 4),
        "ayat": [s["label"] for s in segments], "segments": segments, "boundary_pauses": pauses, "events": [event],
    }


def plant(options):
    os.makedirs(options.out, exist_ok=True)
    kinds = options.kinds.split(",")
    others = collections.defaultdict(list)
    for truth in load(options.folder):
        if sum(is_ayah(s["label"]) for s in truth["segments"]) >= LEAST_AYAT and truth["duration_seconds"] <= LONGEST:
            others[family(truth["name"])].append(truth)
    for truth in load(options.folder):
        if truth.get("kind") == "taraweeh" or options.only and not any(word in truth["name"] for word in options.only):
            continue
        if sum(is_ayah(s["label"]) for s in truth["segments"]) < LEAST_AYAT or truth["duration_seconds"] > LONGEST:
            continue
        source = Source(truth)
        for kind in kinds:
            chance = random.Random(f"{options.seed} {truth['name']} {kind}")
            name = f"{truth['name']}~{kind}"
            if kind == "join":
                surahs = [t for t in others[family(truth["name"])] if t["name"] != truth["name"]]
                if not surahs or truth["duration_seconds"] > LONGEST:
                    continue
                sound, planted = joined(source, Source(chance.choice(surahs)), chance)
                finish(options.out, name, sound, planted, truth)
                continue
            planned = plan(source, kind, chance)
            if planned is None:
                continue
            pieces, event = planned
            sound, starts = rendered(source, pieces, chance)
            finish(options.out, name, sound, truth_of(source, pieces, starts, len(sound) / RATE, event), truth)
        print(truth["name"], file=sys.stderr)


def finish(folder, name, sound, planted, truth):
    write(os.path.join(folder, name + ".wav"), sound)
    # The first and the last ayah are told as they would be of a recording that goes straight on.
    ayat = [label for label in truth["ayat"] if is_ayah(label)]
    with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as handle:
        json.dump({"audio": name + ".wav", **planted, "recited": [ayat[0], ayat[-1]]}, handle, indent=1)


def number(ayah):
    """Surah and ayah as one number; enough to tell what follows within a surah."""
    surah, verse = ayah.split(":")
    return int(surah) * 1000 + int(verse)


def events(prediction):
    """Where an alignment goes back, and where it leaves something out."""
    found, last, wasPart = [], None, False
    for segment in prediction.get("segments", []):
        assignment = segment.get("assignment") or {}
        kind = assignment.get("kind")
        if kind == "ayah":
            first = end = f'{assignment["surah"]}:{assignment["ayah"]}'
        elif kind == "ayat":
            first, end = assignment["first"], assignment["last"]
        elif kind == "cross_surah":
            first, end = f'{assignment["surah"]}:{assignment["ayah"]}', f'{assignment["end_surah"]}:{assignment["end_ayah"]}'
        else:
            continue
        if last is not None:
            if number(first) <= number(last):
                found.append({"kind": "repeat", "to": first, "time": segment["start"]})
            elif first.split(":")[0] == last.split(":")[0] and number(first) > number(last) + 1:
                surah = first.split(":")[0]
                left = [f"{surah}:{n}" for n in range(int(last.split(":")[1]) + 1, int(first.split(":")[1]))]
                found.append({"kind": "omit", "ayat": left, "time": segment["start"]})
            elif int(first.split(":")[0]) > int(last.split(":")[0]) + 1:
                found.append({"kind": "join", "to": first, "time": segment["start"]})
        last = end
    return found


def is_right(wanted, found):
    if wanted["kind"] == "omit":
        return found["kind"] == "omit" and found["ayat"] == wanted["ayat"] and abs(found["time"] - wanted["time"]) <= TOLERANCE
    return found["kind"] != "omit" and found["to"] == wanted["to"] and abs(found["time"] - wanted["time"]) <= TOLERANCE


def edges(truth):
    """Every inner boundary that touches an ayah: (time, start and end of its pause)."""
    pauses = [p for p in truth.get("boundary_pauses") or [] if p]
    found = {}
    for segment in truth["segments"]:
        if not is_ayah(segment["label"]):
            continue
        for time in (segment["start"], segment["end"]):
            if 0.02 < time < truth["duration_seconds"] - 0.05:
                near = [p for p in pauses if p["pause_start"] - 0.7 <= time <= p["pause_end"] + 0.7]
                near.sort(key=lambda p: max(p["pause_start"] - time, time - p["pause_end"], 0))
                found[time] = (near[0]["pause_start"], near[0]["pause_end"]) if near else (time, time)
    return [(t, a, b) for t, (a, b) in sorted(found.items())]


def hits(truth, prediction):
    free = sorted(b["time"] for b in prediction["boundaries"])
    made, hit, wanted = len(free), 0, edges(truth)
    for t, a, b in wanted:
        best = min((x for x in free if a - 0.1 <= x <= b + 0.1 or abs(x - t) <= 0.25), key=lambda x: abs(x - t), default=None)
        if best is not None:
            free.remove(best)
            hit += 1
    return hit, made, len(wanted)


def score(options):
    with open(options.found, encoding="utf-8") as handle:
        found = {os.path.basename(p["file"]): p for p in map(json.loads, filter(str.strip, handle))}
    rows = collections.defaultdict(lambda: collections.Counter())
    for truth in load(options.folder):
        prediction = found.get(truth["audio"])
        if prediction is None or "error" in prediction or truth.get("kind") == "taraweeh":
            continue
        said, planted = events(prediction), truth.get("events", [])
        right = [e for e in said if any(is_right(w, e) for w in planted)]
        got = sum(any(is_right(w, e) for e in said) for w in planted)
        # What else is changed beside a planted event is a part of finding it wrong, not an alarm out of nothing.
        alarms = [e for e in said if e not in right]
        hit, made, wanted = hits(truth, prediction)
        name, _, kind = truth["name"].partition("~")
        reciter = name.split("_")[1] if name.startswith("real_") else name.split("_")[0]
        if "simmosque" in name:
            reciter += "+mosque"
        keys = [("kind", kind or "straight"), ("reciter", reciter), ("all", "all")]
        doubts = sum("check" in w or "do not fit" in w for w in prediction.get("warnings", []))
        for key in keys:
            rows[key].update(recordings=1, planted=len(planted), found=got, alarms=len(alarms), hit=hit, made=made, wanted=wanted,
                             doubts=doubts > 0)
        if options.each and (got < len(planted) or alarms):
            print(f"{truth['name']}: planted {planted}\n    said {said}")
    print(f'{"":20s} {"recordings":>10s} {"found":>9s} {"alarms":>7s} {"doubts":>7s} {"F1":>7s}')
    for key in sorted(rows):
        r = rows[key]
        precision, recall = r["hit"] / max(r["made"], 1), r["hit"] / max(r["wanted"], 1)
        f1 = 2 * precision * recall / max(precision + recall, 1e-9)
        share = f'{r["found"]}/{r["planted"]}'
        print(f'{key[1]:20s} {r["recordings"]:10d} {share:>9s} {r["alarms"]:7d} {r["doubts"]:7d} {f1:7.3f}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("plant")
    command.add_argument("folder")
    command.add_argument("out")
    command.add_argument("--only", nargs="*", help="parts of names of recordings")
    command.add_argument("--kinds", default=",".join(KINDS))
    command.add_argument("--seed", default="1")
    command.set_defaults(run=plant)
    command = commands.add_parser("score")
    command.add_argument("folder")
    command.add_argument("found")
    command.add_argument("--each", action="store_true", help="also each recording of which not all was found")
    command.set_defaults(run=score)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
