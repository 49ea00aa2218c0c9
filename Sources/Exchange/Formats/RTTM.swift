// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore

/// Rich Transcription Time Marked: a line of ten fields per turn, parted by spaces, as tools for
/// speaker diarisation read it.
///
/// `SPEAKER file 1 onset duration <NA> <NA> name <NA> <NA>`. The name is the label's, with `_` for
/// spaces; onset and duration are seconds with six decimals, which always give back the frame.
/// Source: NIST, "Rich Transcription 2009 Evaluation Plan", appendix A.
public enum RTTM {
  /// One turn per ayah, cut at the joins. Notes and flags have no place.
  public static func text(
    of recording: AnnotatedRecording, including inclusion: Inclusion = .assigned
  ) -> String {
    let rate = recording.document.rate
    let file = word(stem(recording.mediaFile ?? recording.title ?? "recording"))
    return recording.pieces(inclusion).map { piece in
      // The duration is rounded so that onset and duration together are the rounded end.
      let start = TimeText.microseconds(piece.span.lowerBound, at: rate)
      let end = TimeText.microseconds(piece.span.upperBound, at: rate)
      let name = word(piece.assignment?.labelText ?? "unassigned")
      return "SPEAKER \(file) 1 \(TimeText.seconds(microseconds: start))"
        + " \(TimeText.seconds(microseconds: end - start)) <NA> <NA> \(name) <NA> <NA>\n"
    }.joined()
  }

  /// Reads turns, a tier for each file named; other kinds of lines and comments (`;;`) are skipped.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)``.
  static func labels(in input: LabelInput) throws(ExchangeError) -> LabelFile {
    let format = LabelFormat.rttm
    var tiers: [LabelTier] = []
    var tierOfFile: [String: Int] = [:]
    var counter = LabelCounter(format)
    var lines = TextLines(input, format)
    while let line = try lines.next() {
      guard !line.text.hasPrefix(";;") else { continue }
      let fields = line.text.split { $0 == " " || $0 == "\t" }
      guard let kind = fields.first else { continue }
      guard kinds.contains(String(kind)) else {
        throw format.fault(
          line.number, "\(quoted(String(kind))) is not a kind of line; turns begin with SPEAKER")
      }
      guard kind == "SPEAKER" else { continue }
      guard (8...10).contains(fields.count) else {
        throw format.fault(line.number, "\(fields.count) fields; a turn has ten")
      }
      let place = TextPlace.line(line.number)
      let start = try format.seconds(fields[3], at: place)
      let duration = try format.seconds(fields[4], at: place)
      let label = Label(
        start: start, end: try format.checked(start + duration, at: place),
        text: String(fields[7].map { $0 == "_" ? " " : $0 }), place: place)
      try counter.add(at: place)
      let file = String(fields[1])
      if let tier = tierOfFile[file] {
        tiers[tier].labels.append(label)
      } else {
        guard tiers.count < LabelLimit.tiers.value else {
          throw .tooMuch(.tiers, format, at: place)
        }
        tierOfFile[file] = tiers.count
        tiers.append(LabelTier(name: file, labels: [label]))
      }
    }
    return LabelFile(tiers: tiers)
  }

  private static let kinds: Set<String> = [
    "SEGMENT", "NOSCORE", "NO_RT_METADATA", "LEXEME", "NON-LEX", "NON-SPEECH", "FILLER", "EDIT",
    "IP", "SU", "CB", "A/P", "SPEAKER", "SPKR-INFO",
  ]

  private static func word(_ text: String) -> String {
    let word = singleLine(text).map { $0.isWhitespace ? "_" : String($0) }.joined()
    return word.isEmpty ? "<NA>" : word
  }

  /// A file's name without folder and ending.
  private static func stem(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return String(name) }
    return String(name[..<dot])
  }
}
