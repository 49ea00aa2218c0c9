// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

/// The bars of the strip that shows a whole recording, kept from one frame to the next: they are reckoned from every
/// hop, and no key changes them.
struct OverviewBars: Sendable {
  let bars: [ColumnChart.Bar]
  private let columns: Int
  private let length: FrameCount
  private let revision: Int
  private let overview: [Float]

  init(of sound: Sound, length: FrameCount, columns: Int) {
    let scale = AmplitudeScale(.decibels, fitted: sound.levels.scale, gain: 0)
    let count = Int64(columns * ColumnChart.barsPerColumn)
    func place(_ index: Int64) -> FramePosition { FramePosition(length.frames * index / count) }
    bars = (0..<count).map { index in
      sound.bar(over: place(index)..<place(index + 1), of: length, nil, scale)
    }
    self.columns = columns
    self.length = length
    revision = sound.levels.revision
    overview = sound.overview
  }

  /// Whether the sound is still what it was.
  func fit(_ sound: Sound, length: FrameCount, columns: Int) -> Bool {
    self.columns == columns && self.length == length && revision == sound.levels.revision
      && overview == sound.overview
  }
}

extension State {
  /// The bars of the strip, as kept or anew.
  var overviewBars: OverviewBars {
    let columns = layout.overview.size.columns
    if let kept = sound.overviewBars,
      kept.fit(sound, length: document.length, columns: columns)
    {
      return kept
    }
    return OverviewBars(of: sound, length: document.length, columns: columns)
  }
}
