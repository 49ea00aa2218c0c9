// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

/// When each word of an ayah is heard, in milliseconds from where the ayah begins, schema
/// `tilawa.word-timings/1`; playback reads it. `Documentation/word-timings.md` describes it.
public enum WordTimingsJSON {
  public static let schema = "tilawa.word-timings/1"

  /// The ayat that are recited whole and have words, one a line. Of an ayah's repeats a confirmed one
  /// counts, else the first.
  public static func text(of recording: AnnotatedRecording) -> String {
    let document = recording.document
    var passages: [AyahReference: (passage: Passage, isConfirmed: Bool)] = [:]
    for segment in document.segments {
      for passage in segment.passages where passage.isComplete {
        let known = passages[passage.ayah]
        if known == nil || segment.isConfirmed && known?.isConfirmed == false {
          passages[passage.ayah] = (passage, segment.isConfirmed)
        }
      }
    }
    let lines = passages.values.map(\.passage).sorted { $0.ayah < $1.ayah }
      .compactMap { passage -> String? in
        let words = words(of: passage, in: document)
        guard !words.isEmpty else { return nil }
        return "\(JSONValue.string(passage.ayah.description).text):\(JSONValue.array(words).text)"
      }
    return "{\"schema\":\"\(schema)\",\n\"ayat\":{" + (lines.isEmpty ? "" : "\n")
      + lines.joined(separator: ",\n") + "\n}}\n"
  }

  /// `[start, end]`, with the word's number where it is not the one that its place tells.
  private static func words(of passage: Passage, in document: AnnotationDocument) -> [JSONValue] {
    let origin = TimeText.milliseconds(passage.span.lowerBound, at: document.rate)
    func milliseconds(_ position: FramePosition) -> Int {
      Int(TimeText.milliseconds(position, at: document.rate) - origin)
    }
    let words = document.words(in: passage).map {
      (number: $0.number, milliseconds($0.span.lowerBound), milliseconds($0.span.upperBound))
    }.filter { $0.1 < $0.2 }
    return words.enumerated().map { place, word in
      let times: [JSONValue] = [.integer(word.1), .integer(word.2)]
      return .array(word.number == place + 1 ? times : times + [.integer(word.number)])
    }
  }
}
