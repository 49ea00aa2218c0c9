// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Exchange
import Library
import Quran

/// Between annotations and the timing database of the Android app.
enum TimingLabels {
  /// Where each ayah starts when it is heard whole for the first time, each basmalah, and where each
  /// surah ends.
  static func entries(of document: AnnotationDocument) -> [TimingDatabase.Entry] {
    func milliseconds(_ position: FramePosition) -> Int64 {
      Int64((position.seconds(at: document.rate) * 1000).rounded())
    }
    var known: Set<AyahReference> = []
    var basmalahs: Set<Surah> = []
    var ends: [Surah: FramePosition] = [:]
    var entries: [TimingDatabase.Entry] = []
    for segment in document.segments {
      if case .leadIn(let leadIn) = segment.assignment, let surah = leadIn.basmalah,
        basmalahs.insert(surah).inserted
      {
        entries.append(
          .init(.basmalah(of: surah), milliseconds: milliseconds(segment.span.lowerBound)))
      }
      for passage in segment.passages
      where passage.isComplete && known.insert(passage.ayah).inserted {
        let words = document.words(in: passage).map { word in
          "\(word.number):\(milliseconds(word.span.lowerBound)):\(milliseconds(word.span.upperBound))"
        }
        entries.append(
          .init(
            .ayah(passage.ayah), milliseconds: milliseconds(passage.span.lowerBound),
            words: words.isEmpty ? nil : words.joined(separator: ",")))
        ends[passage.ayah.surah] = passage.span.upperBound
      }
    }
    for (surah, end) in ends.sorted(by: { $0.key.number < $1.key.number }) {
      entries.append(.init(.end(of: surah), milliseconds: milliseconds(end)))
    }
    return entries
  }

  /// Each ayah from its own time to the next one's.
  static func file(of entries: [TimingDatabase.Entry]) -> LabelFile {
    let labels = entries.enumerated().compactMap { index, entry -> Label? in
      let text: String
      switch entry.place {
      case .ayah(let ayah): text = ayah.description
      case .basmalah(let surah): text = "basmalah \(surah.number)"
      case .end: return nil
      }
      let end = entries[(index + 1)...].first { $0.milliseconds > entry.milliseconds }
      return Label(
        start: Double(entry.milliseconds) / 1000, end: end.map { Double($0.milliseconds) / 1000 },
        text: text, place: .line(index + 1))
    }
    return LabelFile(tiers: [LabelTier(labels: labels)])
  }
}
