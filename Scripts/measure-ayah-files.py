#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures how well `timings check` finds what is wrong with files that hold an ayah each.

    Scripts/measure-ayah-files.py FOLDER...

Each FOLDER has files such as 002255.mp3 of one reciter. Of each, faults are planted in some of the files, all others are left as they
are: two files swapped, near each other and far apart; cut at the start or the end, by 0.3, 0.6 or 1 s from where its sound begins or to
where it ends; joined with the next ayah; silence; a web page in place of it. The program checks all of them, and is not told which are
changed. Prints how many of each fault are named at all and by their kind, and how many of the other files are named. With --fit also the
weights of what tells a cut, for Sources/Timings/AyahFileCheck.swift. Needs ffmpeg.
"""
import argparse, array, collections, json, math, os, random, subprocess, sys, tempfile, time

RATE = 16000
CUTS = (0.3, 0.6, 1.0)


def decode(path):
    run = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "s16le", "-ac", "1", "-ar", str(RATE), "-"],
                         capture_output=True, check=True, stdin=subprocess.DEVNULL)
    return array.array("h", run.stdout)


def encode(path, samples):
    """As WAV, whatever the name says: the program goes by the content."""
    data = samples.tobytes()
    size = len(data)
    head = (b"RIFF" + (36 + size).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little") + (1).to_bytes(2, "little")
            + (1).to_bytes(2, "little") + RATE.to_bytes(4, "little") + (2 * RATE).to_bytes(4, "little") + (2).to_bytes(2, "little")
            + (16).to_bytes(2, "little") + b"data" + size.to_bytes(4, "little"))
    with open(path, "wb") as handle:
        handle.write(head + data)


def sounding(samples):
    """From where to where it is louder than a tenth of its loudest sample."""
    limit = max(abs(s) for s in samples) / 10
    first = next(i for i, s in enumerate(samples) if abs(s) > limit)
    last = len(samples) - next(i for i, s in enumerate(reversed(samples)) if abs(s) > limit)
    return first, last


def plant(folder, target, draw, share):
    """Links every file of a folder into another, some changed; returns what was done to each."""
    names = sorted(n for n in os.listdir(folder) if n[:6].isdigit() and n[6:7] == ".")
    done = {name: "none" for name in names}
    def free():
        return [n for n in names if done[n] == "none"]
    def put(name, source):
        os.symlink(os.path.abspath(os.path.join(folder, source)), os.path.join(target, name))
    count = max(3, round(len(names) * share))
    for kind in ["near", "far"]:
        for _ in range(count // 2):
            one = draw.choice(free())
            index = names.index(one)
            others = free()
            other = draw.choice([n for n in names[max(0, index - 5):index + 6] if n != one and n in others and n[:3] == one[:3]]
                                or [n for n in others if n != one]) if kind == "near" else draw.choice([n for n in others if n != one])
            done[one] = done[other] = "swapped " + kind
            put(one, other)
            put(other, one)
    for kind in [f"{edge} {seconds}" for edge in ("start", "end") for seconds in CUTS]:
        edge, seconds = kind.split()
        cut = int(float(seconds) * RATE)
        for name in draw.sample(free(), count):
            samples = decode(os.path.join(folder, name))
            first, last = sounding(samples)
            # What would leave less than half of it is another fault.
            if last - first < 2 * cut:
                continue
            done[name] = "cut at " + kind
            encode(os.path.join(target, name), samples[first + cut:] if edge == "start" else samples[:last - cut])
    for name in draw.sample(free(), count):
        index = names.index(name)
        if index + 1 < len(names) and int(names[index + 1][:6]) == int(name[:6]) + 1:
            done[name] = "joined"
            encode(os.path.join(target, name), decode(os.path.join(folder, name)) + decode(os.path.join(folder, names[index + 1])))
    for name in draw.sample(free(), 3):
        done[name] = "silent"
        encode(os.path.join(target, name), array.array("h", bytes(2 * 3 * RATE)))
    for name in draw.sample(free(), 3):
        done[name] = "web page"
        with open(os.path.join(target, name), "w", encoding="utf-8") as handle:
            handle.write("<html><body>Not found</body></html>")
    for name in free():
        put(name, name)
    return done


CODES = {"swapped": {"other_ayah"}, "cut at start": {"cut_at_start"}, "cut at end": {"cut_at_end"}, "joined": {"also_holds"},
         "silent": {"silent"}, "web page": {"not_decodable"}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--program", default=".build/release/tilawa-annotate")
    parser.add_argument("--share", type=float, default=0.04, help="of the files, for each fault")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--keep", help="a file for what was found and done, in JSON")
    parser.add_argument("--verbose", action="store_true", help="also each file that is missed or named for nothing")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    done, found, seconds = {}, {}, 0.0
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, TILAWA_HOME=os.path.join(folder, "home"))
        for number, source in enumerate(options.folders):
            target = os.path.join(folder, str(number))
            os.mkdir(target)
            for name, what in plant(source, target, draw, options.share).items():
                done[os.path.join(target, name)] = what
            begun = time.monotonic()
            run = subprocess.run([options.program, "timings", "check", "--no-cache", "--format", "json", target], capture_output=True,
                                 text=True, stdin=subprocess.DEVNULL, env=environment)
            seconds += time.monotonic() - begun
            if not run.stdout:
                sys.exit(run.stderr)
            for file in json.loads(run.stdout)["files"]:
                if "error" in file:
                    sys.exit(f"{file['file']}: {file['error']['message']}")
                found[file["file"]] = file
    print(f"{len(done)} files in {seconds:.0f} s")
    if options.keep:
        with open(options.keep, "w", encoding="utf-8") as handle:
            json.dump([dict(found[path], planted=what) for path, what in done.items()], handle)
    rows = collections.defaultdict(lambda: [0, 0, 0])
    for path, what in done.items():
        file = found[path]
        codes = {finding["code"] for finding in file["findings"]}
        wanted = next((codes_ for prefix, codes_ in CODES.items() if what.startswith(prefix)), set())
        row = rows[what]
        row[0] += 1
        row[1] += bool(codes & wanted)
        row[2] += bool(codes)
        if options.verbose and bool(codes) != (what != "none"):
            print(f"  {os.path.basename(path)} of {path.split('/')[-2]}: {what}, found {sorted(codes)} start {file['start_evidence_nats']}, "
                  f"end {file['end_evidence_nats']}; " + "; ".join(f["message"] for f in file["findings"]))
    for what, (count, named, any_) in sorted(rows.items()):
        print(f"{what}: {any_} of {count} named" + ("" if what == "none" else f", {named} by their kind"))
    if options.fit:
        for edge in ("start", "end"):
            print(f"{edge}: " + ", ".join(f"{name} {weight:.3f}" for name, weight in zip(("base", "evidence", "level"), fit(edge, done, found))))


def fit(edge, done, found):
    """A logistic regression of what is cut at an edge, by the logarithm of 1 and the evidence, and by the level: Newton's method."""
    points = []
    for path, what in done.items():
        file = found[path]
        if file[f"{edge}_evidence_nats"] is not None and (what == "none" or what.startswith("cut")):
            row = (1.0, math.log1p(min(file[f"{edge}_evidence_nats"], 60)), max(file[f"{edge}_level_db"], -40))
            points.append((row, what.startswith(f"cut at {edge}")))
    weights = [0.0, 0.0, 0.0]
    for _ in range(50):
        system = [[1e-3 * (i == j) for j in range(3)] + [0.0] for i in range(3)]
        for row, is_cut in points:
            share = 1 / (1 + math.exp(-max(-30, min(30, sum(w * x for w, x in zip(weights, row))))))
            for i in range(3):
                system[i][3] += (is_cut - share) * row[i]
                for j in range(3):
                    system[i][j] += share * (1 - share) * row[i] * row[j]
        for i in range(3):
            system[i] = [value / system[i][i] for value in system[i]]
            for k in range(3):
                if k != i:
                    system[k] = [a - system[k][i] * b for a, b in zip(system[k], system[i])]
        weights = [w + row[3] for w, row in zip(weights, system)]
    return weights


if __name__ == "__main__":
    main()
