// SPDX-License-Identifier: GPL-3.0-or-later

import Exchange
import Foundation
import TestSupport

/// Something that looks like a recitation: phrases of a few seconds with pauses between.
func recitation(seconds: Double, columnsPerSecond: Int = 100) -> WaveformPictureContent {
  var random = SplitMix64(state: 7)
  var columns: [WaveformPictureContent.Column] = []
  var pauses: [WaveformPictureContent.Pause] = []
  var boundaries: [WaveformPictureContent.Boundary] = []
  var ayah = 1
  while Double(columns.count) < seconds * Double(columnsPerSecond) {
    let phrase = Int(Double.random(in: 2...7, using: &random) * Double(columnsPerSecond))
    let loudness = Float.random(in: 0.35...0.9, using: &random)
    for index in 0..<phrase {
      let place = Float(index) / Float(phrase)
      let syllable = abs(sin(Float(index) / Float(columnsPerSecond) * 5 + loudness * 9))
      let level = loudness * (0.25 + 0.75 * syllable) * min(1, place * 12) * (1.05 - place * place)
      let jitter = Float.random(in: 0.8...1, using: &random)
      columns.append(
        .init(minimum: -level * jitter, maximum: level * jitter * 0.92, rms: level * 0.38))
    }
    let start = Double(columns.count) / Double(columnsPerSecond)
    let pause = Int(Double.random(in: 0.3...1.6, using: &random) * Double(columnsPerSecond))
    for _ in 0..<pause {
      let level = Float.random(in: 0.005...0.02, using: &random)
      columns.append(.init(minimum: -level, maximum: level, rms: level * 0.5))
    }
    let end = Double(columns.count) / Double(columnsPerSecond)
    let confidence = Double.random(in: 0.35...1, using: &random)
    pauses.append(.init(start: start, end: end, confidence: confidence))
    if Bool.random(using: &random), end < seconds {
      ayah += 1
      boundaries.append(
        .init(time: (start + end) / 2, confidence: confidence, label: "2:\(ayah)"))
    }
  }
  columns.removeLast(columns.count - Int(seconds * Double(columnsPerSecond)))
  return WaveformPictureContent(
    title: "Taraweeh night 3.m4a", duration: seconds, columns: columns, detector: "adaptive",
    pauses: pauses.filter { $0.end <= seconds }, boundaries: boundaries,
    noiseFloor: stride(from: 0.0, to: seconds, by: 1).map { 0.03 + 0.02 * Float(sin($0 / 9)) },
    threshold: [0.09])
}
