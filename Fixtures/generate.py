#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes every test recording in this folder, from nothing but a fixed seed.

Needs only Python's standard library, ffmpeg, lame and flac (see README.md).
Run it as `python3 Fixtures/generate.py`; it replaces the files it makes.
"""

import array
import hashlib
import json
import math
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
SEED = 114
RATE = 44100
FRAMES = 30 * RATE + 211  # a multiple of neither 1152 nor 1024
SHORT = round(5.6 * RATE) + 101
MIDDLE = round(3.5 * RATE)
TINY = round(1.2 * RATE)
BAD = 3 * RATE  # what the malformed files are made from
EXACT = 8 * RATE + 37  # 325 past a multiple of 1152, 581 past a multiple of 1024

NOISE_DBFS = -62.0
BREATH_DBFS = -45.0
VOICE_DBFS = -20.0
ATTACK = round(0.015 * RATE)
RELEASE = round(0.040 * RATE)


def db(level):
    return 10.0 ** (level / 20.0)


def rms(samples):
    return math.sqrt(sum(s * s for s in samples) / max(1, len(samples)))


# --------------------------------------------------------------------------------------
# The recitation

# (seconds of voice before the pause, kind, seconds of pause, is a breath heard in it)
PLAN = [
    (0.60, "breath", 0.24, False),
    (1.60, "ayah", 0.62, True),
    (1.70, "breath", 0.30, True),
    (2.25, "breath", 0.21, False),
    (2.40, "ayah", 0.85, True),
    (1.55, "breath", 0.33, True),
    (1.90, "ayah", 0.55, False),
    (2.10, "breath", 0.27, False),
    (1.80, "ayah", 0.74, True),
    (1.45, "breath", 0.20, False),
    (2.30, "ayah", 0.90, False),
    (1.65, "breath", 0.35, True),
]
LEAD_IN = 0.25
TAIL = 0.55

VOWELS = {  # formant frequencies, Hz
    "a": (730, 1250, 2500, 3500),
    "aa": (680, 1150, 2450, 3450),
    "i": (300, 2200, 2900, 3600),
    "u": (330, 850, 2350, 3300),
    "e": (480, 1750, 2550, 3500),
}
BANDWIDTHS = (90, 110, 160, 220)


class Noise:
    """Near-gaussian noise of unit variance that is the same with every Python version."""

    def __init__(self, seed):
        self.uniform = random.Random(seed).random

    def white(self, count):
        u = self.uniform
        return [(u() + u() + u() + u() - 2.0) * 1.7320508 for _ in range(count)]

    def soft(self, count, smoothing, level, bright=0.02):
        """Noise falling above a corner (a room, a fan, a breath), of an exact RMS level."""
        out, y = [], 0.0
        keep = 1.0 - smoothing
        for w in self.white(count):
            y += smoothing * (w - y)
            out.append(y + bright * keep * w)
        gain = level / rms(out)
        return [gain * v for v in out]


def plan_phrases(rng):
    """Where the voice sounds: phrases as [start, end) frames, and the pauses between."""
    position = round(LEAD_IN * RATE)
    phrases, pauses = [], []
    for voice, kind, silence, breath in PLAN:
        length = round(voice * RATE) + int(rng.random() * 400)
        phrases.append((position, position + length))
        position += length
        gap = round(silence * RATE) + int(rng.random() * 300)
        pauses.append((position, position + gap, kind, breath))
        position += gap
    phrases.append((position, FRAMES - round(TAIL * RATE)))
    return phrases, pauses


def plan_syllables(rng, phrase):
    """Splits a phrase in syllables and a long last vowel."""
    start, end = phrase
    last = round((0.40 + 0.45 * rng.random()) * RATE)
    last = min(last, (end - start) // 2)
    cut = end - last
    syllables, position = [], start
    while cut - position > round(0.30 * RATE):
        length = round((1.0 / 6 + rng.random() * (1.0 / 4 - 1.0 / 6)) * RATE)
        syllables.append((position, position + length))
        position += length
    syllables.append((position, cut))
    syllables.append((cut, end))
    return syllables


def harmonics(f0, formants):
    """Amplitudes of the harmonics below 5.5 kHz: a glottal slope times the formants."""
    out = []
    count = int(5500 / f0)
    for k in range(1, count + 1):
        f = k * f0
        gain = 1.0 / (k ** 1.15)
        for centre, width in zip(formants, BANDWIDTHS):
            x = f / centre
            q = centre / width
            gain /= math.sqrt((1 - x * x) ** 2 + (x / q) ** 2 + 0.02)
        out.append(gain * (f / 500.0) ** 0.5)
    return out


def synthesise():
    rng = random.Random(SEED)
    phrases, pauses = plan_phrases(rng)
    voice = [0.0] * FRAMES
    hiss = [0.0] * FRAMES
    noise = Noise(SEED + 1)
    closures, fricatives = [], []
    block = 256
    names = list(VOWELS)

    for number, phrase in enumerate(phrases):
        syllables = plan_syllables(rng, phrase)
        # Which frames are voiced at all: stops and fricatives interrupt a phrase briefly.
        segments, open_at = [], phrase[0]
        dips = []
        for index, (start, _) in enumerate(syllables):
            if index == 0:
                continue
            draw = rng.random()
            if draw < 0.22:
                length = round((0.045 + 0.03 * rng.random()) * RATE)
                segments.append((open_at, start))
                open_at = start + length
                closures.append((start, open_at))
            elif draw < 0.40:
                length = round((0.060 + 0.03 * rng.random()) * RATE)
                segments.append((open_at, start))
                open_at = start + length
                fricatives.append((start, open_at))
                burst = noise.white(length)
                for n in range(length):
                    window = math.sin(math.pi * (n + 0.5) / length)
                    previous = burst[n - 1] if n else 0.0
                    hiss[start + n] = (burst[n] - 0.9 * previous) * window * db(-36)
            else:
                dips.append(start)
        segments.append((open_at, phrase[1]))

        # Melody and vowels, one target a syllable.
        target = 130.0 + 50.0 * rng.random()
        melody = []
        for index in range(len(syllables)):
            target *= 2.0 ** ((rng.random() - 0.5) * 6 / 12)
            target = min(205.0, max(118.0, target))
            melody.append(target)
        melody[-1] = min(melody[-1], 160.0)
        vowels = [VOWELS[names[int(rng.random() * len(names))]] for _ in syllables]

        pitch = melody[0]
        formants = list(vowels[0])
        phase = 0.0
        syllable = 0
        before = None
        position = phrase[0]
        while position < phrase[1]:
            while position >= syllables[syllable][1]:
                syllable += 1
            pitch += (melody[syllable] - pitch) * 0.07
            for j in range(4):
                formants[j] += (vowels[syllable][j] - formants[j]) * 0.18
            since = (position - syllables[syllable][0]) / RATE
            depth = 0.004 + 0.012 * min(1.0, since / 0.4)
            f0 = pitch * (1 + depth * math.sin(2 * math.pi * 5.4 * position / RATE))
            f0 = min(220.0, max(110.0, f0))
            # A syllable swells and sinks; a voiced consonant dips at its start.
            length = (syllables[syllable][1] - syllables[syllable][0]) / RATE
            swell = 0.72 + 0.28 * math.sin(math.pi * min(1.0, since / length))
            for dip in dips:
                away = abs(position - dip) / RATE
                if away < 0.035:
                    swell *= 0.4 + 0.6 * away / 0.035
            now = [swell * a for a in harmonics(f0, formants)]
            if before is None:
                before = now
            count = min(len(before), len(now))
            old, new = before[count - 1 :: -1], now[count - 1 :: -1]
            end = min(position + block, phrase[1])
            step = 2 * math.pi * f0 / RATE
            for n in range(position, end):
                phase += step
                c = 2.0 * math.cos(phase)
                b1 = b2 = d1 = d2 = 0.0
                for a, z in zip(old, new):  # Clenshaw's sum, at both ends of the block
                    b1, b2 = a + c * b1 - b2, b1
                    d1, d2 = z + c * d1 - d2, d1
                mix = (n - position) / block
                voice[n] = math.sin(phase) * (b1 + (d1 - b1) * mix)
            before = now
            position = end

        # Exact zeros outside the voiced segments, and short ramps inside their edges.
        at = phrase[0]
        for start, end in segments:
            for n in range(at, start):
                voice[n] = 0.0
            first = start == phrase[0]
            final = end == phrase[1]
            up = ATTACK if first else round(0.008 * RATE)
            down = RELEASE if final else round(0.008 * RATE)
            for n in range(min(up, end - start)):
                voice[start + n] *= 0.5 - 0.5 * math.cos(math.pi * n / up)
            for n in range(min(down, end - start)):
                voice[end - 1 - n] *= 0.5 - 0.5 * math.cos(math.pi * n / down)
            at = end

    sounding = [v for s, e in phrases for v in voice[s:e]]
    gain = db(VOICE_DBFS) / rms(sounding)
    voice = [gain * v + h for v, h in zip(voice, hiss)]

    breaths = []
    for start, end, _, heard in pauses:
        if not heard:
            continue
        length = round((end - start) * 0.55)
        at = start + round((end - start) * 0.30)
        burst = noise.soft(length, 0.45, db(BREATH_DBFS), 0.1)
        for n in range(length):
            window = math.sin(math.pi * (n + 0.5) / length) ** 2
            voice[at + n] += burst[n] * window * 1.633  # keeps the burst's RMS
        breaths.append((at, at + length))

    truth = {
        "rate": RATE,
        "frames": FRAMES,
        "voiceAttackSeconds": ATTACK / RATE,
        "voiceReleaseSeconds": RELEASE / RATE,
        "voiceDBFS": VOICE_DBFS,
        "noiseDBFS": NOISE_DBFS,
        "breathDBFS": BREATH_DBFS,
        "leadIn": span(0, phrases[0][0]),
        "tail": span(phrases[-1][1], FRAMES),
        "pauses": [],
        "phrases": [span(*p) for p in phrases],
        "stopClosures": [span(*c) for c in sorted(closures)],
        "fricatives": [span(*f) for f in sorted(fricatives)],
    }
    heard = iter(breaths)
    for start, end, kind, breath in pauses:
        pause = {"kind": kind, **span(start, end)}
        pause["breathNoise"] = span(*next(heard)) if breath else None
        truth["pauses"].append(pause)
    return voice, truth


def span(start, end):
    return {
        "startFrame": start,
        "endFrame": end,
        "start": round(start / RATE, 7),
        "end": round(end / RATE, 7),
    }


# --------------------------------------------------------------------------------------
# Plain WAV, and running the encoders


def ints(samples, bits):
    top = (1 << (bits - 1)) - 1
    out = []
    for s in samples:
        v = math.floor(s * (top + 1) + 0.5)
        out.append(max(-top - 1, min(top, v)))
    return out


def wav_bytes(payload, rate, channels, bits, tag=1, data_size=None, fact=None):
    align = channels * bits // 8
    fmt = struct.pack("<HHIIHH", tag, channels, rate, rate * align, align, bits)
    if tag == 3:
        fmt += struct.pack("<H", 0)
    chunks = b"fmt " + struct.pack("<I", len(fmt)) + fmt
    if fact is not None:
        chunks += b"fact" + struct.pack("<II", 4, fact)
    size = len(payload) if data_size is None else data_size
    chunks += b"data" + struct.pack("<I", size) + payload
    riff = min(0xFFFFFFFF, 4 + len(chunks) if data_size is None else size + 36)
    return b"RIFF" + struct.pack("<I", riff) + b"WAVE" + chunks


def pcm24(values):
    return b"".join((v & 0xFFFFFF).to_bytes(3, "little") for v in values)


def run(*args, data=None):
    done = subprocess.run(
        [str(a) for a in args], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, args))}\n{done.stderr.decode(errors='replace')}")
    return done.stdout


def ffmpeg(*args):
    """Reads inputs from `args`; the output path is the last of them."""
    *front, out = args
    return run(
        "ffmpeg", "-v", "error", "-y", "-nostdin", *front, "-threads", "1",
        "-map_metadata", "-1", "-fflags", "+bitexact", "-flags", "+bitexact",
        "-flags:v", "+bitexact", "-flags:a", "+bitexact", out,
    )


def pcm(path, work, name, end=None, rate=None, channels=None, depth="s16", pan=None):
    """A plain PCM WAV of the first `end` frames of `path`, and how many frames it has."""
    filters = []
    if end:
        filters.append(f"atrim=end_sample={end}")
    if pan:
        filters.append(f"pan={pan}")
    if rate:
        filters.append(f"aresample={rate}")
    out = work / f"{name}.wav"
    raw = run(
        "ffmpeg", "-v", "error", "-nostdin", "-i", path, *(["-af", ",".join(filters)] if filters
        else []), "-f", f"{depth}le", "-c:a", f"pcm_{depth}le", "-flags", "+bitexact", "-",
    )
    bits = 24 if depth == "s24" else 32 if depth == "f32" else 16
    channels = channels or 1
    frames = len(raw) // (channels * bits // 8)
    tag = 3 if depth == "f32" else 1
    fact = frames if tag == 3 else None
    out.write_bytes(wav_bytes(raw, rate or RATE, channels, bits, tag, fact=fact))
    return out, frames


# --------------------------------------------------------------------------------------
# A small MP4 writer, for what the usual encoders do not write


def box(kind, *parts):
    body = b"".join(parts)
    return struct.pack(">I", 8 + len(body)) + kind + body


def full(kind, version, flags, *parts):
    return box(kind, struct.pack(">I", version << 24 | flags), *parts)


MATRIX = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)


def adts_frames(data):
    frames, at = [], 0
    while at < len(data):
        assert data[at] == 0xFF and data[at + 1] & 0xF0 == 0xF0
        header = 7 if data[at + 1] & 1 else 9
        size = (data[at + 3] & 3) << 11 | data[at + 4] << 3 | data[at + 5] >> 5
        frames.append(data[at + header : at + size])
        at += size
    return frames


def asc(rate, channels):
    table = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000]
    return struct.pack(">H", 2 << 11 | table.index(rate) << 7 | channels << 3)


def esds(config):
    dsi = b"\x05" + bytes([len(config)]) + config
    dcd = struct.pack(">BBBBHII", 4, 13 + len(dsi), 0x40, 0x15, 0, 64000, 64000) + dsi
    body = struct.pack(">HB", 0, 0) + dcd + b"\x06\x01\x02"
    return full(b"esds", 0, 0, b"\x03" + bytes([len(body)]) + body)


def smpb(priming, padding, frames):
    text = f" 00000000 {priming:08X} {padding:08X} {frames:016X}" + " 00000000" * 8
    return box(
        b"----",
        full(b"mean", 0, 0, b"com.apple.iTunes"),
        full(b"name", 0, 0, b"iTunSMPB"),
        full(b"data", 0, 1, bytes(4), text.encode()),
    )


def ilst(*items):
    handler = full(b"hdlr", 0, 0, bytes(4), b"mdir", b"appl", bytes(9))
    return box(b"udta", full(b"meta", 0, 0, handler, box(b"ilst", *items)))


def tag(kind, text):
    return box(kind, full(b"data", 0, 1, bytes(4), text.encode()))


SELF = full(b"url ", 0, 1)


def mp4(
    frames, rate, channels, *, brand=b"M4A ", moov_first=False, stts=None, edit=None,
    duration=None, movie_scale=None, media_scale=None, dref=SELF, udta=b"", movie_duration=None,
    sizes=None, mdat=True,
):
    """`frames` are AAC access units; `edit` is (media time, frames) or None."""
    movie_scale = rate if movie_scale is None else movie_scale
    media_scale = rate if media_scale is None else media_scale
    stts = stts if stts is not None else [(len(frames), 1024)] if frames else []
    media = sum(n * d for n, d in stts) if duration is None else duration
    presented = edit[1] if edit else media
    movie = round(presented * movie_scale / rate) if movie_duration is None else movie_duration
    payload = b"".join(frames)
    ftyp = box(b"ftyp", brand, bytes(4), brand, b"mp42", b"isom")

    def moov(offset):
        entry = box(
            b"mp4a", bytes(6), struct.pack(">H", 1), bytes(8),
            struct.pack(">HHHHI", channels, 16, 0, 0, (rate if rate < 65536 else 0) << 16),
            esds(asc(rate, channels)),
        )
        stsz = sizes or full(
            b"stsz", 0, 0, struct.pack(">II", 0, len(frames)),
            struct.pack(f">{len(frames)}I", *map(len, frames)),
        )
        stbl = box(
            b"stbl",
            full(b"stsd", 0, 0, struct.pack(">I", 1), entry),
            full(b"stts", 0, 0, struct.pack(">I", len(stts)),
                 b"".join(struct.pack(">II", *s) for s in stts)),
            full(b"stsc", 0, 0, struct.pack(">IIII", 1, 1, len(frames), 1)
                 if frames else bytes(4)),
            stsz,
            full(b"stco", 0, 0, struct.pack(">II", 1, offset) if frames else bytes(4)),
        )
        minf = box(
            b"minf",
            full(b"smhd", 0, 0, bytes(4)),
            box(b"dinf", full(b"dref", 0, 0, struct.pack(">I", 1), dref)),
            stbl,
        )
        mdia = box(
            b"mdia",
            full(b"mdhd", 0, 0, struct.pack(">IIIIHH", 0, 0, media_scale, media, 0x55C4, 0)),
            full(b"hdlr", 0, 0, bytes(4), b"soun", bytes(12), b"Core Media Audio\0"),
            minf,
        )
        edts = b""
        if edit:
            row = struct.pack(">IIiHH", 1, movie, edit[0], 1, 0)
            edts = box(b"edts", full(b"elst", 0, 0, row))
        tkhd = full(
            b"tkhd", 0, 7, struct.pack(">IIIII", 0, 0, 1, 0, movie), bytes(8),
            struct.pack(">HHHH", 0, 0, 0x100, 0), MATRIX, bytes(8),
        )
        mvhd = full(
            b"mvhd", 0, 0, struct.pack(">IIIIIH", 0, 0, movie_scale, movie, 0x10000, 0x100),
            bytes(10), MATRIX, bytes(24), struct.pack(">I", 2),
        )
        return box(b"moov", mvhd, box(b"trak", tkhd, edts, mdia), udta)

    if not mdat:
        return ftyp + moov(0)
    if moov_first:
        offset = len(ftyp) + len(moov(0)) + 8
        return ftyp + moov(offset) + box(b"mdat", payload)
    return ftyp + box(b"mdat", payload) + moov(len(ftyp) + 8)


def aac_units(wav, work, rate, channels, bitrate, prepend=0):
    """AAC-LC access units; `prepend` adds silence, and so priming, to the encoder's 1024."""
    out = work / "units.aac"
    delay = "|".join([f"{prepend}S"] * channels)
    ffmpeg("-i", wav, "-af", f"adelay={delay}" if prepend else "anull", "-c:a", "aac", "-b:a",
           bitrate, "-aac_pns", "0", "-f", "adts", out)
    return adts_frames(out.read_bytes())


def apple_m4a(wav, frames, work, rate, channels, bitrate, **options):
    """As Apple's encoder leaves it: 2112 frames of priming, whole packets in stts."""
    units = aac_units(wav, work, rate, channels, bitrate, prepend=2112 - 1024)
    padding = len(units) * 1024 - 2112 - frames
    assert padding >= 0
    kind = options.pop("gapless", "edit")
    items = [tag(b"\xa9too", "com.apple.VoiceMemos")] if options.pop("memo", False) else []
    if kind == "edit":
        options["edit"] = (2112, frames)
    else:
        items.append(smpb(2112, padding, frames))
    if items:
        options["udta"] = ilst(*items)
    return mp4(units, rate, channels, **options)


# --------------------------------------------------------------------------------------
# Tags and junk


def junk(name, count):
    """Bytes that look random and depend on `name` only."""
    out = b""
    n = 0
    while len(out) < count:
        out += hashlib.sha256(f"{SEED} {name} {n}".encode()).digest()
        n += 1
    return out[:count]


def png(side, name):
    def chunk(kind, body):
        return (
            struct.pack(">I", len(body)) + kind + body
            + struct.pack(">I", zlib.crc32(kind + body))
        )

    pixels = junk(name, side * side * 3)
    rows = b"".join(b"\0" + pixels[y * side * 3 : (y + 1) * side * 3] for y in range(side))
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9))
        + chunk(b"IEND", b"")
    )


def id3v2(*frames):
    body = b"".join(
        kind + struct.pack(">IH", len(data), 0) + data for kind, data in frames
    ) + bytes(512)
    size = bytes((len(body) >> shift) & 0x7F for shift in (21, 14, 7, 0))
    return b"ID3\x03\0\0" + size + body


def picture(side):
    return (b"APIC", b"\0image/png\0\x03cover\0" + png(side, "cover"))


def text(value):
    return b"\x01\xff\xfe" + value.encode("utf-16-le")


def id3v1(title):
    return b"TAG" + title.ljust(30, b"\0") + bytes(60) + b"2024" + bytes(30) + b"\xff"


def ape(**items):
    body = b"".join(
        struct.pack("<II", len(v), 0) + k.encode() + b"\0" + v for k, v in items.items()
    )
    def end(flags):
        return b"APETAGEX" + struct.pack(
            "<IIII", 2000, len(body) + 32, len(items), flags
        ) + bytes(8)
    return end(0xA0000000) + body + end(0x80000000)


def crc16(data):
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xA001 if crc & 1 else 0)
    return crc


def patch_xing(data, frames):
    """Changes the frame count of a LAME tag, and its checksum with it."""
    at = max(data.find(b"Xing", 0, 400), data.find(b"Info", 0, 400))
    assert at > 0
    stored = struct.unpack(">H", data[at + 154 : at + 156])[0]
    assert stored == crc16(data[: at + 154])
    data = data[: at + 8] + struct.pack(">I", frames) + data[at + 12 :]
    return data[: at + 154] + struct.pack(">H", crc16(data[: at + 154])) + data[at + 156 :]


# --------------------------------------------------------------------------------------
# The good files


class Index:
    def __init__(self, truth):
        self.truth = truth
        self.good = []
        self.bad = []

    def add(self, path, container, codec, rate, channels, frames, seconds, note="", **extra):
        end = seconds * RATE + 0.5
        inside = [i for i, p in enumerate(self.truth["pauses"]) if p["endFrame"] < end]
        entry = {
            "path": path,
            "container": container,
            "codec": codec,
            "rate": rate,
            "channels": channels,
            "frames": frames,
            "framesTolerance": 0,
            "leadFrames": 0,
            "sourceSeconds": round(seconds, 7),
            "variant": "clean",
            "pausesApplyInFull": len(inside) == len(self.truth["pauses"]),
            "pauses": inside,
            "audioTracks": 1,
            "note": note,
        }
        entry.update(extra)
        self.good.append(entry)


def mosque(master, work):
    """The clean voice in a large hall: RT60 1.5 s, and a louder, duller noise."""
    rate = 12000
    noise = Noise(SEED + 7)
    length = round(1.5 * rate)
    ir = noise.white(length)
    early = round(0.012 * rate)
    ir = [
        0.0 if n < early else v * 10 ** (-3 * n / length) for n, v in enumerate(ir)
    ]
    scale = 0.75 / math.sqrt(sum(v * v for v in ir))  # the tail a little below the voice
    ir = [v * scale for v in ir]
    ir[0] = 1.0
    tail = work / "ir.wav"
    raw = struct.pack(f"<{length}f", *ir)
    tail.write_bytes(wav_bytes(raw, rate, 1, 32, 3, fact=length))
    dry, frames = pcm(master, work, "dry", rate=rate, depth="f32")
    wet = run(
        "ffmpeg", "-v", "error", "-nostdin", "-i", dry, "-i", tail, "-filter_complex",
        "[0][1]afir=dry=10:wet=10:gtype=none:irgain=1,volume=0.01", "-f", "f32le", "-",
    )
    samples = array.array("f", wet)[:frames].tolist()
    samples += [0.0] * (frames - len(samples))
    gain = db(VOICE_DBFS) / rms(samples)
    floor = noise.soft(frames, 0.06, db(-47))
    out = work / "mosque.wav"
    mixed = ints([gain * s + f for s, f in zip(samples, floor)], 16)
    out.write_bytes(wav_bytes(struct.pack(f"<{frames}h", *mixed), rate, 1, 16))
    return out, frames


def good_files(work, index, master):
    full_s = FRAMES / RATE
    short_s = SHORT / RATE
    tiny_s = TINY / RATE
    full16, full_n = pcm(master, work, "full16")
    short16, short_n = pcm(master, work, "short16", end=SHORT)
    dual = "stereo|c0=c0|c1=c0"
    wide = "stereo|c0=c0|c1=0.8*c0"

    def put(name, data):
        (HERE / name).write_bytes(data)

    # WAV and its kin
    wav, n = pcm(master, work, "w44", end=MIDDLE)
    shutil.copy(wav, HERE / "wav-s16-44k-mono.wav")
    index.add("wav-s16-44k-mono.wav", "wav", "pcm_s16le", 44100, 1, n, MIDDLE / RATE)
    wav, n = pcm(master, work, "w24", end=TINY, rate=48000, depth="s24")
    shutil.copy(wav, HERE / "wav-s24-48k-mono.wav")
    index.add("wav-s24-48k-mono.wav", "wav", "pcm_s24le", 48000, 1, n, tiny_s)
    wav, n = pcm(master, work, "f32", end=TINY, rate=22050, depth="f32")
    shutil.copy(wav, HERE / "wav-f32-22k-mono.wav")
    index.add("wav-f32-22k-mono.wav", "wav", "pcm_f32le", 22050, 1, n, tiny_s)
    wav, n = pcm(master, work, "w8", end=SHORT, rate=8000)
    shutil.copy(wav, HERE / "wav-s16-8k-mono.wav")
    index.add("wav-s16-8k-mono.wav", "wav", "pcm_s16le", 8000, 1, n, short_s)
    wav, n = pcm(master, work, "w96", end=TINY, rate=96000, channels=2, pan=wide)
    shutil.copy(wav, HERE / "wav-s16-96k-stereo.wav")
    index.add("wav-s16-96k-stereo.wav", "wav", "pcm_s16le", 96000, 2, n, tiny_s,
              "right channel is 0.8 of the left")
    surround = "5.1|c0=0.5*c0|c1=0.45*c0|c2=c0|c3=0*c0|c4=0.2*c0|c5=0.15*c0"
    wav, n = pcm(master, work, "w51", end=TINY, rate=8000, channels=6, pan=surround)
    ffmpeg("-channel_layout", "5.1", "-i", wav, "-c:a", "pcm_s16le",
           HERE / "wav-extensible-5.1.wav")
    index.add("wav-extensible-5.1.wav", "wav", "pcm_s16le", 8000, 6, n, tiny_s,
              "WAVE_FORMAT_EXTENSIBLE; voice loudest in the centre, LFE silent")
    wav51 = wav
    wav, n = pcm(master, work, "w16t", end=TINY, rate=16000)
    ffmpeg("-i", wav, "-c:a", "pcm_s16le", "-rf64", "always", HERE / "wav-rf64.wav")
    index.add("wav-rf64.wav", "rf64", "pcm_s16le", 16000, 1, n, tiny_s, "sizes in a ds64 chunk")
    ffmpeg("-i", wav, "-c:a", "pcm_s16le", HERE / "caf-pcm.caf")
    index.add("caf-pcm.caf", "caf", "pcm_s16le", 16000, 1, n, tiny_s)
    ffmpeg("-i", wav, "-c:a", "alac", HERE / "caf-alac.caf")
    index.add("caf-alac.caf", "caf", "alac", 16000, 1, n, tiny_s,
              "the packet table counts the last packet as a full one, which it is not")
    ffmpeg("-i", wav, "-c:a", "pcm_s16be", HERE / "aiff-s16.aiff")
    index.add("aiff-s16.aiff", "aiff", "pcm_s16be", 16000, 1, n, tiny_s)

    # FLAC
    def flac(source, name, *options):
        run("flac", "--silent", "--force", "--best", "--no-padding", *options, "-o", HERE / name,
            source)

    stereo, n = pcm(master, work, "full-stereo", channels=2, pan=dual)
    flac(stereo, "flac-44k-stereo.flac")
    index.add("flac-44k-stereo.flac", "flac", "flac", 44100, 2, n, full_s,
              "both channels alike")
    hall, n = mosque(master, work)
    flac(hall, "mosque.flac")
    index.add("mosque.flac", "flac", "flac", 12000, 1, n, full_s,
              "reverberation of RT60 1.5 s, noise at -47 dBFS; the times are those of the dry "
              "voice", variant="mosque")

    # Ogg
    vorbis, opus = HERE / "ogg-vorbis.ogg", HERE / "ogg-opus.opus"
    ffmpeg("-i", full16, "-c:a", "libvorbis", "-q:a", "1", vorbis)
    index.add(vorbis.name, "ogg", "vorbis", 44100, 1, full_n, full_s)
    full48, n48 = pcm(master, work, "full48", rate=48000)
    ffmpeg("-i", full48, "-c:a", "libopus", "-b:a", "32k", opus)
    index.add(opus.name, "ogg", "opus", 48000, 1, n48, full_s, "pre-skip 312")
    wav, n = pcm(master, work, "short48s", end=SHORT, rate=48000, channels=2, pan=wide)
    ffmpeg("-i", wav, "-c:a", "libopus", "-b:a", "48k", HERE / "opus-48k-stereo.opus")
    index.add("opus-48k-stereo.opus", "ogg", "opus", 48000, 2, n, short_s, "pre-skip 312")

    # MP3
    def lame(source, name, *options):
        run("lame", "--silent", "--noreplaygain", *options, source, HERE / name)

    # Below 64 kbit/s a frame has no room for the tag, and lame leaves it out without a word.
    cbr = ("-m", "m", "--resample", "44.1", "--cbr", "-b", "64")
    vbr = ("-m", "m", "--resample", "44.1", "-V", "7")
    lame(short16, "mp3-cbr-lame.mp3", *cbr)
    index.add("mp3-cbr-lame.mp3", "mp3", "mp3", 44100, 1, short_n, short_s, "CBR, Info + LAME tag")
    lame(full16, "mp3-vbr-xing.mp3", *vbr)
    index.add("mp3-vbr-xing.mp3", "mp3", "mp3", 44100, 1, full_n, full_s, "VBR, Xing + LAME tag")
    lame(short16, "mp3-vbr-no-xing.mp3", *vbr, "-t")
    index.add("mp3-vbr-no-xing.mp3", "mp3", "mp3", 44100, 1, None, short_s,
              "VBR without any tag: a length guessed from the bit rate is wrong",
              leadFrames=1105)
    lame(short16, "mp3-cbr-no-tag.mp3", *cbr, "-t")
    index.add("mp3-cbr-no-tag.mp3", "mp3", "mp3", 44100, 1, None, short_s, "CBR without any tag",
              leadFrames=1105)
    wav22, n22 = pcm(master, work, "full22", rate=22050)
    lame(wav22, "mp3-22k-mono.mp3", "-m", "m", "--resample", "22.05", "-V", "7")
    index.add("mp3-22k-mono.mp3", "mp3", "mp3", 22050, 1, n22, full_s,
              "MPEG-2 Layer III, VBR, Xing + LAME tag")
    lame(short16, "mp3-tags.mp3", *cbr)
    audio = (HERE / "mp3-tags.mp3").read_bytes()
    head = id3v2(
        (b"TIT2", text("سورة اختبار")), (b"TPE1", text("قارئ اصطناعي")), picture(260)
    )
    put("mp3-tags.mp3", head + audio + ape(Title="سورة اختبار".encode(), Artist=b"Synthetic")
        + id3v1(b"Test surah"))
    index.add("mp3-tags.mp3", "mp3", "mp3", 44100, 1, short_n, short_s,
              "ID3v2.3 with a 200 KB picture, then LAME tag, APEv2, ID3v1")

    # MPEG-4
    aac = ("-c:a", "aac", "-b:a", "48k", "-aac_pns", "0")
    ffmpeg("-i", full16, *aac, HERE / "m4a-aac.m4a")
    index.add("m4a-aac.m4a", "m4a", "aac", 44100, 1, full_n, full_s,
              "edit list from 1024, its length in ms; last stts entry short; moov last",
              framesTolerance=23)
    ffmpeg("-i", short16, *aac, "-movflags", "+faststart", HERE / "m4a-aac-faststart.m4a")
    index.add("m4a-aac-faststart.m4a", "m4a", "aac", 44100, 1, short_n, short_s, "moov first",
              framesTolerance=23)
    put("m4a-voice-memo.m4a", apple_m4a(full48, n48, work, 48000, 1, "48k", memo=True))
    index.add("m4a-voice-memo.m4a", "m4a", "aac", 48000, 1, n48, full_s,
              "as a voice memo: edit list from 2112, whole packets in stts, moov last")
    short48, s48 = pcm(master, work, "short48", end=SHORT, rate=48000)
    put("m4a-itunsmpb.m4a", apple_m4a(short48, s48, work, 48000, 1, "48k", gapless="tag"))
    index.add("m4a-itunsmpb.m4a", "m4a", "aac", 48000, 1, s48, short_s,
              "no edit list: priming 2112 and padding are in iTunSMPB only")
    ffmpeg("-i", short16, *aac, "-movflags", "+frag_keyframe+empty_moov",
           "-frag_duration", "1000000", HERE / "m4a-fragmented.m4a")
    index.add("m4a-fragmented.m4a", "m4a", "aac", 44100, 1, None, short_s,
              "movie fragments of 1 s, empty moov, no edit list", leadFrames=1024)
    ffmpeg("-i", short16, "-c:a", "aac", "-b:a", "24k", "-aac_pns", "1", HERE / "m4a-aac-pns.m4a")
    index.add("m4a-aac-pns.m4a", "m4a", "aac", 44100, 1, short_n, short_s,
              "perceptual noise substitution: decoders differ in their noise",
              framesTolerance=23)
    wav, n = pcm(master, work, "short22", end=SHORT, rate=22050)
    ffmpeg("-i", wav, "-c:a", "alac", HERE / "m4a-alac.m4a")
    index.add("m4a-alac.m4a", "m4a", "alac", 22050, 1, n, short_s)
    ffmpeg("-i", wav, "-c:a", "flac", HERE / "mkv-flac.mkv")
    index.add("mkv-flac.mkv", "matroska", "flac", 22050, 1, n, short_s)
    ffmpeg("-i", wav, "-c:a", "aac", "-b:a", "24k", "-aac_pns", "0", HERE / "3gp-aac.3gp")
    index.add("3gp-aac.3gp", "3gp", "aac", 22050, 1, n, short_s, framesTolerance=12)
    ffmpeg("-i", short16, *aac, "-f", "adts", HERE / "aac-adts.aac")
    index.add("aac-adts.aac", "adts", "aac", 44100, 1, None, short_s,
              "no room for priming: 1024 frames of it at the start", leadFrames=1024)
    ffmpeg("-channel_layout", "5.1", "-i", wav51, "-ar", "48000", "-c:a", "pcm_s16le",
           work / "w51-48.wav")
    n51 = frames_of(work / "w51-48.wav", 6)
    ffmpeg("-i", work / "w51-48.wav", "-c:a", "aac", "-b:a", "160k", "-aac_pns", "0",
           HERE / "m4a-aac-5.1.m4a")
    index.add("m4a-aac-5.1.m4a", "m4a", "aac", 48000, 6, n51, tiny_s, framesTolerance=24)
    ffmpeg("-i", short16, "-c:a", "wmav2", "-b:a", "48k", HERE / "asf-wmav2.wma")
    index.add("asf-wmav2.wma", "asf", "wmav2", 44100, 1, None, short_s,
              "the first 2048 frames of the source are lost (as ffmpeg 5.1 reads it)",
              leadFrames=-2048)

    # Video, and two audio tracks: the first is the recitation, the second a tone
    picture_in = ("-f", "lavfi", "-i", f"testsrc2=s=64x64:r=5:d={short_s:.4f}")
    tone = ("-f", "lavfi", "-i", f"sine=f=440:r=44100:d={short_s:.4f}")
    tracks = (
        "-map", "0:v", "-map", "1:a", "-map", "2:a", "-metadata:s:a:0", "language=ara",
        "-metadata:s:a:1", "language=eng", "-disposition:a:0", "default", "-disposition:a:1", "0",
    )
    ffmpeg(*picture_in, "-i", short16, *tone, *tracks, "-c:v", "libx264", "-preset", "veryfast",
           "-crf", "40", "-pix_fmt", "yuv420p", *aac, "-aac_pns", "0",
           HERE / "mp4-video-two-tracks.mp4")
    index.add("mp4-video-two-tracks.mp4", "mp4", "aac", 44100, 1, short_n, short_s,
              "H.264 64x64; track 1 recitation (ara, default), track 2 a tone (eng)",
              audioTracks=2, framesTolerance=23)
    ffmpeg(*picture_in, "-i", short48, *tone, *tracks, "-c:v", "libvpx", "-b:v", "40k",
           "-c:a:0", "libopus", "-b:a:0", "32k", "-c:a:1", "libvorbis", "-q:a:1", "0",
           HERE / "webm-video-two-tracks.webm")
    index.add("webm-video-two-tracks.webm", "webm", "opus", 48000, 1, s48, short_s,
              "VP8 64x64; track 1 recitation in Opus (ara, default), track 2 a tone in Vorbis",
              audioTracks=2)

    # The exact family
    exact = HERE / "exact"
    exact.mkdir(exist_ok=True)
    for name, channels, pan, rate in (("mono", 1, None, "64"), ("stereo", 2, wide, "96")):
        wav, n = pcm(master, work, f"exact-{name}", end=EXACT, channels=channels, pan=pan)
        assert n == EXACT
        seconds = EXACT / RATE
        flac(wav, f"exact/{name}-original.flac")
        lame(wav, f"exact/{name}.mp3", "-m", name[0], "--resample", "44.1", "--cbr", "-b", rate)
        bits = ("-c:a", "aac", "-b:a", f"{rate}k", "-aac_pns", "0")
        if name == "mono":
            ffmpeg("-i", wav, *bits, exact / f"{name}-ms.m4a")
        ffmpeg("-i", wav, *bits, "-movie_timescale", RATE, exact / f"{name}.m4a")
        apple = apple_m4a(wav, n, work, RATE, channels, f"{rate}k", moov_first=True)
        put(f"exact/{name}-apple.m4a", apple)
        for suffix, container, codec, note in (
            ("-original.flac", "flac", "flac", "the source of the others"),
            (".mp3", "mp3", "mp3", "Info + LAME tag"),
            (".m4a", "m4a", "aac", "edit list from 1024, its length exact"),
            ("-ms.m4a", "m4a", "aac", "edit list from 1024, its length rounded to ms"),
            ("-apple.m4a", "m4a", "aac", "edit list from 2112, whole packets in stts, moov first"),
        ):
            if not (exact / f"{name}{suffix}").exists():
                continue
            index.add(f"exact/{name}{suffix}", container, codec, RATE, channels, n, seconds, note,
                      framesTolerance=23 if "-ms" in suffix else 0)


def frames_of(path, channels):
    raw = run(
        "ffmpeg", "-v", "quiet", "-nostdin", "-i", path, "-map", "0:a:0", "-f", "s16le",
        "-c:a", "pcm_s16le", "-",
    )
    return len(raw) // (2 * channels)


# --------------------------------------------------------------------------------------
# The malformed files


def alias(directory, name, absolute):
    """A QuickTime alias record to a file next door, and by its absolute path."""
    record = struct.pack(">IHHH", 0, 0, 2, 0)
    record += bytes([4]) + b"disk".ljust(27, b"\0") + bytes(12)
    record += bytes([len(name)]) + name.ljust(63, b"\0") + bytes(16)
    record += struct.pack(">HH", 1, 1) + bytes(16)
    for kind, value in ((0, directory), (2, b"disk:" + absolute.replace(b"/", b":"))):
        record += struct.pack(">HH", kind, len(value)) + value + bytes(len(value) & 1)
    record += struct.pack(">HH", 0xFFFF, 0)
    return full(b"alis", 0, 0, record)


def malformed_files(work, index, master):
    folder = HERE / "malformed"
    folder.mkdir(exist_ok=True)

    def put(name, data, fault, expect):
        (folder / name).write_bytes(data)
        index.bad.append({"path": f"malformed/{name}", "fault": fault, "expect": expect})

    # Small good files to break
    wav8, _ = pcm(master, work, "bad8", end=BAD, rate=8000)
    wav = wav8.read_bytes()
    body = wav[44:]
    count8 = len(body) // 2
    wav22, n22 = pcm(master, work, "bad22", end=BAD, rate=22050)
    run("lame", "--silent", "--noreplaygain", "-m", "m", "--resample", "22.05", "-V", "8",
        wav22, work / "bad.mp3")
    mp3 = (work / "bad.mp3").read_bytes()
    wav11, _ = pcm(master, work, "bad11", end=BAD, rate=11025)
    run("flac", "--silent", "--force", "--best", "--no-padding", "-b", "1152", "-o",
        work / "bad.flac", wav11)
    flac = (work / "bad.flac").read_bytes()
    ffmpeg("-i", wav22, "-c:a", "libvorbis", "-q:a", "0", "-page_duration", "200000",
           work / "bad.ogg")
    ogg = (work / "bad.ogg").read_bytes()
    ffmpeg("-i", wav22, "-c:a", "libopus", "-b:a", "24k", "-page_duration", "200000",
           work / "bad.opus")
    opus = (work / "bad.opus").read_bytes()
    units = aac_units(wav22, work, 22050, 1, "24k")
    rate = 22050
    edit = (1024, n22)
    front = mp4(units, rate, 1, moov_first=True, edit=edit)
    back = mp4(units, rate, 1, edit=edit)
    payload = b"".join(units)

    error, partial = "error", "partial"
    shutil.copy(work / "bad.flac", folder / "neighbour.flac")
    index.bad.append({"path": "malformed/neighbour.flac", "expect": "complete",
                      "fault": "none: the good file that others here point at; reading those "
                      "must never open it"})

    # Good, and easily taken for another thing
    high, _ = pcm(master, work, "dts", end=RATE // 2, rate=48000, channels=2,
                  pan="stereo|c0=c0|c1=c0")
    ffmpeg("-i", high, "-c:a", "dca", "-strict", "-2", "-b:a", "1509k", work / "bad.dts")
    dts = (work / "bad.dts").read_bytes()
    frame = dts.index(b"\x7f\xfe\x80\x01", 4)
    put("dts_with_mpeg_headers.dts", dts[: 12 * frame],
        "none: DTS in which two headers of MPEG audio lie a frame apart by chance", "complete")

    # Nothing, or not enough
    for kind in ("wav", "m4a", "mp3"):
        put(f"empty.{kind}", b"", "no bytes", error)
    put("truncated_head.wav", wav[:20], "cut at 20 bytes, within the fmt chunk", error)
    put("truncated_head.mp3", mp3[:20], "cut at 20 bytes, within the first frame", error)
    put("truncated_head.m4a", front[:60], "cut at 60 bytes, within moov", error)
    put("truncated_head.flac", flac[:20], "cut at 20 bytes, within STREAMINFO", error)
    for kind, data in (("mp3", mp3), ("flac", flac), ("ogg", ogg), ("opus", opus)):
        put(f"truncated_middle.{kind}", data[: len(data) * 6 // 10 + 1],
            "the last 40 % is missing, cut within a frame or page", partial)
    put("truncated_middle.m4a", front[: len(front) - len(payload) * 4 // 10],
        "moov first and whole, the last 40 % of mdat missing", partial)
    put("truncated_middle.wav", wav[: 44 + len(body) * 6 // 10],
        "data chunk says more than is there", partial)
    put("truncated_moov.m4a", back[: back.index(b"moov") - 4],
        "moov was to come last and is missing", error)
    put("zero_frames.wav", wav_bytes(b"", 8000, 1, 16), "valid header, no audio", error)
    streaminfo = struct.pack(">HH", 4096, 4096) + bytes(6)
    streaminfo += ((11025 << 44) | (0 << 41) | (15 << 36)).to_bytes(8, "big") + bytes(16)
    put("zero_frames.flac", b"fLaC\x80" + len(streaminfo).to_bytes(3, "big") + streaminfo,
        "valid STREAMINFO, no frames", error)
    put("zero_frames.m4a", mp4([], rate, 1), "valid moov with empty tables", error)
    put("id3_only.mp3", id3v2((b"TIT2", text("Nothing but a tag"))), "an ID3v2 tag and no audio",
        error)
    put("wav_no_data_chunk.wav", wav[:36], "fmt chunk and then the end", error)

    # Atoms that lie
    at = front.index(b"moov") - 4
    put("zero_size_atom.m4a", front[:at] + struct.pack(">I", 0) + b"free" + front[at:],
        "an atom of size 0 (to the end of the file) hides moov", error)
    put("tiny_size_atom.m4a", front[:at] + struct.pack(">I", 4) + b"free" + front[at:],
        "an atom of size 4, less than its own head", error)
    put("huge_atom.m4a", front[:at] + struct.pack(">I", 0x7FFFFFF0) + front[at + 4 :],
        "moov says it has 2 GiB", "either")
    put("huge_atom_64.m4a",
        front[:at] + struct.pack(">I4sQ", 1, b"free", 0x7FFFFFFFFFFFFFF0) + front[at:],
        "a 64-bit atom size near the largest there is", error)
    sizes = full(b"stsz", 0, 0, struct.pack(">II", 0, 0x3FFFFFF0), bytes(64))
    put("huge_table.m4a", mp4(units, rate, 1, moov_first=True, sizes=sizes),
        "stsz says it has a thousand million entries and holds 16", error)
    nested = b""
    for _ in range(3000):
        nested = box(b"udta", nested)
    head = front.index(b"moov") - 4
    put("nested_atoms.m4a", front[:head] + box(b"moov", nested),
        "3000 atoms within one another", error)
    put("m4a_zero_timescale.m4a",
        mp4(units, rate, 1, moov_first=True, movie_scale=0, media_scale=0),
        "time scales of 0 in mvhd and mdhd", "either")

    # Lengths that lie
    hour = 3600 * rate
    put("lying_duration.m4a",
        mp4(units, rate, 1, moov_first=True, edit=(1024, hour), duration=hour,
            movie_duration=hour),
        "mvhd, mdhd and elst say an hour; three seconds are there", "complete")
    put("lying_duration.mp3", patch_xing(mp3, 3600 * rate // 576),
        "the Xing tag says an hour; three seconds are there", "complete")
    put("lying_duration.wav", wav_bytes(body[:16000], 8000, 1, 16, data_size=0xFFFFFFFF),
        "data size 0xFFFFFFFF; one second is there", "complete")
    put("streamed_size_zero.wav", wav_bytes(body[:16000], 8000, 1, 16, data_size=0),
        "data size 0, as recorders leave it that stream or lose power; one second is there",
        "complete")
    lying = bytearray(flac)
    lying[21] |= 0x0F
    lying[22:26] = b"\xff\xff\xff\xff"
    put("lying_duration.flac", bytes(lying),
        "STREAMINFO says 2^36 - 1 frames; three seconds are there", "complete")

    # Rubbish
    noise = junk("header", 6000)
    tag_frame = 72 * 64000 // 22050
    assert mp3[tag_frame] == 0xFF and mp3[tag_frame + 1] & 0xE0 == 0xE0
    put("garbage_after_header.wav", wav[:44] + junk("wav", 16001),
        "good header, then random bytes and half a sample (a WAV cannot tell them from loud "
        "noise)", "complete")
    put("garbage_after_header.mp3", mp3[:tag_frame] + noise,
        "good Xing frame, then random bytes", "either")
    put("garbage_after_header.flac", flac[: flac_audio(flac)] + noise,
        "good metadata, then random bytes", error)
    start = front.index(b"mdat") + 4
    put("garbage_after_header.m4a", front[:start] + junk("mdat", len(payload)),
        "good moov, then random bytes for packets", "either")
    for kind, data, low in (
        ("mp3", mp3, 0), ("flac", flac, flac_audio(flac)), ("m4a", front, start),
    ):
        middle = (low + len(data)) // 2
        rubbish = junk("middle", 3000)
        put(f"garbage_in_middle.{kind}", data[:middle] + rubbish + data[middle + 3000 :],
            "3000 random bytes over the middle", partial)
    put("random_bytes.bin", junk("bytes", 4096), "random bytes", error)
    odd = [0.1 * math.sin(n * 0.05) for n in range(8000)]
    for n in range(1000, 1200):
        odd[n] = math.nan
    for n in range(3000, 3100):
        odd[n] = math.inf if n % 2 else -math.inf
    for n in range(5000, 5050):
        odd[n] = 1e30 if n % 2 else -1e30
    raw = b"".join(struct.pack("<f", v) for v in odd)
    put("nan_samples.wav", wav_bytes(raw, 8000, 1, 32, 3, fact=8000),
        "float samples with NaN, infinities and 1e30", "complete")
    put("wav_zero_channels.wav", wav_bytes(body[:4000], 8000, 0, 16), "0 channels", error)
    put("wav_zero_rate.wav", wav_bytes(body[:4000], 0, 1, 16), "a rate of 0 Hz", error)

    # Not what the name says, or pointing elsewhere
    put("text_renamed.m4a", b"This is plain text.\nIt is not a recording.\n" * 40, "plain text",
        error)
    put("html_renamed.mp3",
        b"<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head>"
        b"<body><h1>Not Found</h1></body></html>\n", "an HTML error page", error)
    put("png_renamed.m4a", png(24, "small"), "a PNG picture", error)
    put("playlist_renamed.m4a",
        b"#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n"
        b"file:///etc/passwd\n#EXTINF:10,\nhttp://127.0.0.1:9/segment.ts\n#EXTINF:7,\n"
        b"neighbour.flac\n#EXT-X-ENDLIST\n",
        "an HLS playlist naming local files and an address; nothing of it may be opened", error)
    put("playlist_http_renamed.m4a",
        b"#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nhttp://127.0.0.1:9/segment.ts\n"
        b"#EXT-X-ENDLIST\n",
        "an HLS playlist naming only an address; no connection may be made", error)
    put("playlist_neighbour_renamed.mp3",
        b"#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:3,\nneighbour.flac\n#EXT-X-ENDLIST\n",
        "an HLS playlist naming neighbour.flac, which must not be opened", error)
    put("ffconcat_renamed.mp3", b"ffconcat version 1.0\nfile 'neighbour.flac'\nduration 7\n",
        "an ffconcat script naming neighbour.flac, which must not be opened", error)
    flat = [b"\0" * len(u) for u in units]
    outside = alias(b"malformed", b"neighbour.flac", b"/home/neighbour.flac")
    put("mov_external_reference.m4a",
        mp4(flat, rate, 1, brand=b"qt  ", dref=outside, mdat=False),
        "a QuickTime alias in dref: the packets are in neighbour.flac, which must not be opened",
        error)
    outside = full(b"url ", 0, 0, b"file:///etc/passwd\0")
    put("mov_external_url.m4a", mp4(flat, rate, 1, brand=b"qt  ", dref=outside, mdat=False),
        "a URL in dref: the packets are in another file, which must not be opened", error)
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x64:r=5:d=2", "-c:v", "libx264", "-preset",
           "veryfast", "-crf", "40", "-pix_fmt", "yuv420p", folder / "video_without_audio.mp4")
    index.bad.append({"path": "malformed/video_without_audio.mp4", "expect": error,
                      "fault": "a good video file without any audio track"})


def flac_audio(data):
    """Where the frames begin."""
    at = 4
    while True:
        last, size = data[at] & 0x80, int.from_bytes(data[at + 1 : at + 4], "big")
        at += 4 + size
        if last:
            return at


# --------------------------------------------------------------------------------------
# Checking, and the tables


def probe(path):
    out = run(
        "ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries",
        "stream=codec_name,sample_rate,channels", "-of", "json", path,
    )
    return json.loads(out)["streams"][0]


def check(index):
    faults = 0
    for entry in index.good:
        stream = probe(HERE / entry["path"])
        seen = (stream["codec_name"], int(stream["sample_rate"]), stream["channels"])
        wanted = (entry["codec"], entry["rate"], entry["channels"])
        frames = frames_of(HERE / entry["path"], entry["channels"])
        entry["ffmpegFrames"] = frames
        if seen != wanted:
            faults += 1
            print(f"{entry['path']}: is {seen}, not {wanted}")
        if entry["frames"] not in (None, frames):
            print(f"{entry['path']}: {entry['frames']} frames, ffmpeg gives {frames}")
    return faults


def table(index):
    good = ["| File | Format | Rate | Channels | Frames | Seconds | Notes |", "|-|-|-|-|-|-|-|"]
    for e in index.good:
        good.append(
            f"| `{e['path']}` | {e['container']}, {e['codec']} | {e['rate']} | {e['channels']} | "
            f"{e['frames'] if e['frames'] is not None else 'unknown'} | "
            f"{e['sourceSeconds']:.2f} | {e['note']} |"
        )
    bad = ["| File | Fault | A reader gives |", "|-|-|-|"]
    for e in index.bad:
        bad.append(f"| `{e['path'][10:]}` | {e['fault']} | {e['expect']} |")
    readme = HERE / "README.md"
    text = readme.read_text()
    for name, rows in (("good", good), ("malformed", bad)):
        start, end = f"<!-- {name}: written by generate.py -->", f"<!-- end of {name} -->"
        before, rest = text.split(start)
        after = rest.split(end)[1]
        text = before + start + "\n" + "\n".join(rows) + "\n" + end + after
    readme.write_text(text)


def dump(path, value):
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def main():
    for old in HERE.rglob("*"):
        keep = {".py", ".md"}
        if old.is_file() and old.suffix not in keep and "__pycache__" not in old.parts:
            old.unlink()
    voice, truth = synthesise()
    floor = Noise(SEED + 3).soft(FRAMES, 0.08, db(NOISE_DBFS))
    mixed = [v + f for v, f in zip(voice, floor)]
    print(f"peak {20 * math.log10(max(map(abs, mixed))):.1f} dBFS")
    dump(HERE / "recitation.json", truth)
    index = Index(truth)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        master = work / "master.wav"
        master.write_bytes(wav_bytes(pcm24(ints(mixed, 24)), RATE, 1, 24))
        good_files(work, index, master)
        malformed_files(work, index, master)
    faults = check(index)
    dump(HERE / "index.json", {"truth": "recitation.json", "good": index.good,
                               "malformed": index.bad})
    table(index)
    files = [p for p in HERE.rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    print(f"{len(files)} files, {sum(p.stat().st_size for p in files)} bytes")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
