#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures how well `timings check` finds what is wrong with published timings.

    Scripts/measure-timings-check.py FOLDER

FOLDER is as Scripts/align-known-recordings.py wants it; "segments" are label, start and end in seconds. Their times are taken for
published ones, and given to the program six times: as they are; shifted by 1 to 9 s; shifted and drifted by 500 ppm; shifted, with
5 % of the ayat moved by 2 s, one at least; all three; shifted by 1 to 5 s more, or less, from some ayah on, three ayat from either end
at least, as when something was put into a file or cut out of it. Of each recording it compares what is found with what was done, less what is found of
the times as they are: where between two ayat an edge is put is a publisher's habit, and published times may drift by themselves. What is
found without that is printed too. The recordings of one reciter are a set: a drift that the set tells is compared with one that the set
tells, and a recording's own with its own. It also prints how long the program takes, which should be 5 s for an hour: without what it has
measured of the sound, as after a first look at the recordings, and with that. Of recordings with five ayat or more it also gives times that fit a recording 7 % faster or slower, and those that another
reciter's recording of the same ayat has. Only the standard library is used.
"""
import argparse, collections, glob, json, os, random, resource, statistics, subprocess, sys, tempfile, time

MOVED, PPM, TEMPO_PPM, FEWEST = 2.0, 500.0, 70_000.0, 5


def is_ayah(label):
    return label.count(":") == 1 and label.replace(":", "").isdigit()


def recordings(folder, only):
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with open(path, encoding="utf-8") as handle:
            truth = json.load(handle)
        if "audio" not in truth or truth.get("kind") == "taraweeh" or only not in path:
            continue
        ayat = [(s["label"], s["start"], s["end"]) for s in truth["segments"] if is_ayah(s["label"])]
        if len({label for label, _, _ in ayat}) == len(ayat):
            yield os.path.splitext(os.path.basename(path))[0], os.path.join(folder, truth["audio"]), ayat


def reciter(name):
    return name.rsplit("_", 1)[0] if name[-3:].isdigit() else "others"


def timings(ayat, shift=0.0, ppm=0.0, moved=(), step=None):
    """The verses as quran.com has them; `moved` is index and seconds, and so is `step`, from which on all are moved. What precedes an
    ayah ends where it begins."""
    def clock(seconds):
        return seconds * (1 + ppm * 1e-6) + shift
    verses = [[label, clock(start), clock(end)] for label, start, end in ayat]
    for index, seconds in moved:
        touches = index > 0 and verses[index - 1][2] == verses[index][1]
        verses[index][1] += seconds
        if touches:
            verses[index - 1][2] += seconds
    if step:
        index, seconds = step
        if verses[index - 1][2] == verses[index][1]:
            verses[index - 1][2] += seconds
        for verse in verses[index:]:
            verse[1] += seconds
            verse[2] += seconds
    return [{"verse_key": label, "timestamp_from": max(0, round(start * 1000)), "timestamp_to": max(0, round(end * 1000))}
            for label, start, end in verses]


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def check(program, sounds, all_timings, *options):
    """What the program says of each recording, and how long it took for all: seconds, and those of the processor."""
    for name, verses in all_timings.items():
        with open(os.path.splitext(sounds[name])[0] + ".json", "w", encoding="utf-8") as handle:
            json.dump(verses, handle)
    begun, spent = time.monotonic(), processor_seconds()
    sets = sorted({os.path.dirname(path) for path in sounds.values()})
    run = subprocess.run([program, "timings", "check", "--format", "json", *options] + sets, capture_output=True, text=True)
    seconds = time.monotonic() - begun, processor_seconds() - spent
    found = {}
    answer = json.loads(run.stdout)
    of_sets = {(drift["drift_ppm"], drift["drift_error_ppm"]) for drift in answer["sets"]}
    for file in answer["files"]:
        name = os.path.splitext(os.path.basename(file["file"]))[0]
        if "error" in file:
            sys.exit(f"{name}: {file['error']['message']}")
        file["of_set"] = (file["drift_ppm"], file["drift_error_ppm"]) in of_sets
        found[name] = file
    return found, seconds


def percentile(values, part):
    return sorted(values)[min(int(len(values) * part), len(values) - 1)] if values else float("nan")


def named(file):
    return {finding["ayah"]: finding["code"] for finding in file["findings"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--program", default=".build/release/tilawa-annotate")
    parser.add_argument("--only", default="", help="part of the recording's name")
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("--verbose", action="store_true", help="also each recording, and each false finding")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    known = {name: (audio, ayat) for name, audio, ayat in recordings(options.folder, options.only)}
    with tempfile.TemporaryDirectory() as folder:
        sounds = {}
        for name, (audio, _) in known.items():
            # The surahs of a reciter are a set.
            os.makedirs(os.path.join(folder, reciter(name)), exist_ok=True)
            sounds[name] = os.path.join(folder, reciter(name), name + os.path.splitext(audio)[1])
            os.symlink(os.path.abspath(audio), sounds[name])
        shifts = {name: draw.uniform(1, 9) for name in known}
        moves = {}
        for name, (_, ayat) in known.items():
            count = max(1, round(len(ayat) * 0.05))
            # What a recording begins with has no start that could be wrong.
            indices = draw.sample(range(1, len(ayat)), min(count, len(ayat) - 1))
            moves[name] = [(index, draw.choice([-MOVED, MOVED])) for index in indices]
        steps = {name: (draw.randrange(3, len(ayat) - 2), draw.choice([-1, 1]) * draw.uniform(1, 5))
                 for name, (_, ayat) in known.items() if len(ayat) >= 6}
        variants = {
            "as published": {name: timings(ayat) for name, (_, ayat) in known.items()},
            "shifted": {name: timings(ayat, shifts[name]) for name, (_, ayat) in known.items()},
            "drifted": {name: timings(ayat, shifts[name], PPM) for name, (_, ayat) in known.items()},
            "moved": {name: timings(ayat, shifts[name], 0, moves[name]) for name, (_, ayat) in known.items()},
            "all three": {name: timings(ayat, shifts[name], PPM, moves[name]) for name, (_, ayat) in known.items()},
            "stepped": {name: timings(ayat, shifts[name] + 5, step=steps.get(name)) for name, (_, ayat) in known.items()},
        }
        found, took = {}, {}
        for variant, all_timings in variants.items():
            found[variant], took[variant] = check(options.program, sounds, all_timings)
        many = {name: ayat for name, (_, ayat) in known.items() if len(ayat) >= FEWEST}
        tempi = [check(options.program, sounds, {name: timings(ayat, ppm=ppm) for name, ayat in many.items()})[0]
                 for ppm in (TEMPO_PPM, -TEMPO_PPM)]
        of_another = {}
        for name, ayat in many.items():
            for other, theirs in many.items():
                # Sound put through the echo of a room is the same recitation.
                if reciter(other) != reciter(name) and "_sim" not in name + other and [label for label, _, _ in theirs] == [label for label, _, _ in ayat]:
                    of_another[name] = timings(theirs)
        found_of_another = check(options.program, sounds, of_another)[0]
        cold = check(options.program, sounds, variants["as published"], "--no-cache")[1]
    ayat = sum(len(ayat) for _, ayat in known.values())
    length = sum(max(end for _, _, end in ayat) for _, ayat in known.values())
    print(f"{len(known)} recordings, {ayat} ayat, {length / 60:.0f} minutes")
    warm = min(list(took.values())[1:])
    print(f"time on {len(os.sched_getaffinity(0))} cores: {cold[0]:.1f} s, of the processor {cold[1]:.1f} s; with the measurements kept "
          f"{warm[0]:.1f} s, of the processor {warm[1]:.1f} s; for an hour {cold[0] * 3600 / length:.1f} s and {warm[0] * 3600 / length:.1f} s")
    habit = {name: file["shift_seconds"] for name, file in found["as published"].items()}
    for variant in ["shifted", "moved", "all three"]:
        errors = {name: file["shift_seconds"] - shifts[name] for name, file in found[variant].items()}
        own = [abs(error - habit[name]) * 1000 for name, error in errors.items()]
        raw = [abs(error) * 1000 for error in errors.values()]
        print(f"shift, {variant}: {sum(e <= 50 for e in own)} of {len(own)} within 50 ms, median {statistics.median(own):.0f} ms, "
              f"p95 {percentile(own, .95):.0f}, worst {max(own):.0f}; with the publisher's habit {sum(e <= 50 for e in raw)}, "
              f"median {statistics.median(raw):.0f}, worst {max(raw):.0f}")
        for name, file in found[variant].items():
            off = (errors[name] - habit[name]) * 1000
            if options.verbose and abs(off) > 50:
                print(f"  {name}, {len(known[name][1])} ayat: {off:+.0f} ms, standard error {file['shift_error_seconds'] * 1000:.0f}")
    publishers = collections.defaultdict(list)
    for name, shift in habit.items():
        publishers[os.path.basename(os.path.dirname(sounds[name]))].append(shift)
    print("shift of the times as published, median of each reciter: "
          + ", ".join(f"{who} {statistics.median(values) * 1000:+.0f} ms" for who, values in sorted(publishers.items())))
    for variant in ["drifted", "all three"]:
        both = {name: file for name, file in found[variant].items()
                if file["drift_error_ppm"] is not None and found["as published"][name]["drift_error_ppm"] is not None}
        own = {name: file["drift_ppm"] - found["as published"][name]["drift_ppm"] - PPM for name, file in both.items()
               if file["of_set"] == found["as published"][name]["of_set"]}
        others = {name: file for name, file in both.items() if name not in own}
        fine = {name: file for name, file in found[variant].items() if (file["drift_error_ppm"] or 1e9) <= 50}
        print(f"drift, {variant}: {sum(abs(e) <= 50 for e in own.values())} of {len(own)} within 50 ppm, median "
              f"{statistics.median(map(abs, own.values())):.0f} ppm, worst {max(map(abs, own.values())):.0f}; "
              f"{len(others)} more told by the set in one and by themselves in the other; "
              f"standard error at most 50 ppm: {len(fine)}, of them told from none {sum(f['drift_significant'] for f in fine.values())}, "
              f"with what the published times drift {sum(abs(f['drift_ppm'] - PPM) <= 50 for f in fine.values())} within 50 ppm")
        for name, error in own.items():
            if options.verbose and abs(error) > 50:
                print(f"  {name}, {len(known[name][1])} ayat: off by {error:+.0f} ppm, standard error {found[variant][name]['drift_error_ppm']:.0f}")
        told = {(file["drift_ppm"], file["drift_error_ppm"]): name for name, file in found[variant].items()
                if name in fine or options.verbose and file["drift_error_ppm"] is not None}
        for (drift, error), name in sorted(told.items(), key=lambda item: item[1]):
            before = found["as published"][name]
            alike = sum(file["drift_ppm"] == drift for file in found[variant].values())
            print(f"  {name}{f' and {alike - 1} more of its set' if alike > 1 else ''}: {drift:+.0f} +- {error:.0f} ppm, "
                  f"as published {before['drift_ppm']:+.0f} +- {before['drift_error_ppm']:.0f}")
    false_before = sum(len(named(file)) for file in found["as published"].values())
    print(f"findings in the times as published: {false_before} of {ayat} ayat ({100 * false_before / ayat:.1f} of 100)")
    for variant in ["moved", "all three"]:
        hits = total = false = new = 0
        for name, file in found[variant].items():
            labels = {known[name][1][index][0] for index, _ in moves[name]}
            findings, before = named(file), named(found["as published"][name])
            total += len(labels)
            hits += len(labels & set(findings))
            wrong = set(findings) - labels
            false += len(wrong)
            new += len(wrong - set(before))
            if options.verbose:
                for label in sorted(labels - set(findings)):
                    print(f"  {name} {label}: moved, not named")
                for label in sorted(wrong):
                    print(f"  {name} {label}: {findings[label]}{'' if label in before else ', new'}")
        print(f"{variant}: {hits} of {total} moved ayat named ({100 * hits / total:.0f} %); {false} others "
              f"({100 * false / (ayat - total):.1f} of 100), {new} of them not in the times as published")
    errors, others = [], 0
    for name, file in found["stepped"].items():
        told = {finding["ayah"]: finding["seconds"] for finding in file["findings"] if finding["code"] == "step"}
        label = known[name][1][steps[name][0]][0] if name in steps else None
        if label in told:
            errors.append(abs(told.pop(label) - steps[name][1]) * 1000)
        elif label and options.verbose:
            print(f"  {name} {label}: a step of {steps[name][1]:+.1f} s, not named")
        others += len(told)
    false = sum(finding["code"] == "step" for variant, files in found.items() if variant != "stepped"
                for file in files.values() for finding in file["findings"])
    print(f"stepped: {len(errors)} of {len(steps)} steps named at their ayah, "
          f"by up to {max(errors, default=0):.0f} ms too much or too little, {others} elsewhere; {false} in all other times")
    # What a set tells and a recording does not is no drift of the times as published.
    own = {name: file["drift_ppm"] or 0 for name, file in found["as published"].items()}
    untold = [(name, ppm, files[name]) for ppm, files in zip((TEMPO_PPM, -TEMPO_PPM), tempi) for name in many
              if not files[name]["drift_significant"]
              or abs(files[name]["drift_ppm"] - ppm - (own[name] if files[name]["of_set"] == found["as published"][name]["of_set"] else 0)) >= 2000]
    print(f"7 % faster or slower: {2 * len(many) - len(untold)} of {2 * len(many)} told as a drift, within 0.2 %, less what is found of the times as published")
    if options.verbose:
        for name, ppm, file in untold:
            print(f"  {name}, {len(many[name])} ayat, {ppm:+.0f} ppm: {file['verdict']}, {file['drift_ppm']} +- {file['drift_error_ppm']} ppm")
    heard = [found_of_another[name] for name in of_another]
    if options.verbose:
        for name in of_another:
            if not any(finding["code"] == "other_recitation" for finding in found_of_another[name]["findings"]):
                print(f"  {name}, {len(many[name])} ayat, times of another reciter: {found_of_another[name]['verdict']}, "
                      f"{len(found_of_another[name]['findings'])} findings")
    foreign = sum(any(finding["code"] == "other_recitation" for finding in file["findings"]) for file in heard)
    print(f"times of another reciter: {foreign} of {len(heard)} told as of another recording, "
          f"{sum(file['verdict'] != 'unfit' for file in heard)} without a finding")
    verdicts = collections.Counter(file["verdict"] for file in found["as published"].values())
    print("verdicts on the times as published: " + ", ".join(f"{verdict} {count}" for verdict, count in sorted(verdicts.items())))


main()
