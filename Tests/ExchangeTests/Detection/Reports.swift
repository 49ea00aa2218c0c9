// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import Exchange

let cdRate = SampleRate(hertz: 44_100)!

func span(_ start: Double, _ end: Double) -> Range<FramePosition> {
  frame(start)..<frame(end)
}

func frame(_ seconds: Double) -> FramePosition { FramePosition(seconds: seconds, at: cdRate) }

/// One segment of every kind.
let everyKind = DetectionReport(
  file: "night.m4a", rate: cdRate, frames: FrameCount(seconds: 30, at: cdRate),
  detector: "adaptive",
  firstAyah: ayah(2, 285), lastAyah: ayah(3, 1),
  prayer: "taraweeh",
  pauses: [
    .init(span(5.02, 5.44), depth: 21.44, confidence: 0.93),
    .init(span(9.9, 10.1), depth: .infinity, confidence: 0.5),
  ],
  boundaries: [.init(frame(5.231), confidence: 0.97), .init(frame(10), confidence: 0.4)],
  segments: [
    .init(
      span(0, 5.231), assignment: .leadIn(.istiadhahAndBasmalah(of: Surah(2)!)), confidence: 0.97),
    .init(
      span(5.231, 10), assignment: .ayah(ayah(2, 285)), confidence: 0.6789),
    .init(
      span(10, 12), assignment: .ayah(ayah(2, 286), part: .beginning),
      confidence: 1),
    .init(
      span(12, 18),
      assignment: .crossSurah(
        ayah(2, 286), join: frame(16.5), end: ayah(3, 1)),
      confidence: 0.5),
    .init(
      span(18, 25),
      assignment: .ayat(
        AyahRange(first: ayah(93, 1), last: ayah(93, 3))!,
        joins: [frame(20), frame(22.25)]), confidence: 0),
    .init(span(25, 28), assignment: .unused(.takbir), confidence: .nan),
    .init(span(28, 30), confidence: 0.25),
  ])

/// What the fixed detector knows: no ayat.
let plain = DetectionReport(
  file: "a.wav", rate: SampleRate(hertz: 8000)!, frames: FrameCount(24_001), detector: "fixed",
  pauses: [.init(FramePosition(8000)..<FramePosition(12_000), depth: 30, confidence: 1)],
  boundaries: [.init(FramePosition(10_000), confidence: 1)],
  segments: [
    .init(.zero..<FramePosition(10_000), confidence: 1),
    .init(FramePosition(10_000)..<FramePosition(24_001), confidence: 1),
  ],
  warnings: ["Sounds were cut off at 1.0."])

/// An ayah that is there.
func ayah(_ surah: Int, _ number: Int) -> AyahReference {
  AyahReference(surah: surah, ayah: number)!
}
