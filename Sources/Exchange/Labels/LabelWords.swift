// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

/// The words that labels such as `2:5:1` name, as far as they fit a recording.
struct LabelWords {
  private(set) var words: [TimedWord] = []
  private(set) var warnings: [ImportWarning] = []

  init(_ labels: [Label], length: FrameCount, rate: SampleRate) {
    var reached = FramePosition.zero
    for label in labels.sorted(by: { $0.start < $1.start }) {
      guard let (ayah, number) = label.word else {
        warn(label, "is not a word of an ayah, such as 2:5:1; skipped")
        continue
      }
      let start = max(FramePosition(seconds: label.start, at: rate), reached)
      let end = min(FramePosition(seconds: label.end ?? label.start, at: rate), .zero + length)
      guard start < end else {
        warn(label, "overlaps another word or lies outside the recording; skipped")
        continue
      }
      words.append(TimedWord(ayah, number, start..<end))
      reached = end
    }
  }

  private mutating func warn(_ label: Label, _ reason: String) {
    warnings.append(ImportWarning(label.place, "\(quoted(label.text)) \(reason)"))
  }
}

extension Label {
  /// Whether its text names a word.
  var isOfWord: Bool { word != nil }

  /// The word that its text names.
  fileprivate var word: (AyahReference, Int)? {
    guard let colon = text.lastIndex(of: ":"), let ayah = AyahReference(String(text[..<colon])),
      let number = Int(text[text.index(after: colon)...]),
      1...QuranSounds.wordCount(of: ayah) ~= number
    else { return nil }
    return (ayah, number)
  }
}

extension TimedWord {
  /// What names it in a label: `2:5:1`.
  var labelText: String { "\(ayah):\(number)" }
}
