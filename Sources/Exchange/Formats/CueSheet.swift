// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore

/// A cue sheet: one track per ayah for players that jump from track to track.
///
/// Times are minutes, seconds and CD frames of 1/75 s, so an edge read back lies within 6.7 ms of where
/// it was, and a piece without length in CD frames is left out. A track lasts until the next one;
/// where something that is not written lies between, `INDEX 00` marks the end of the track before, but
/// after the last track there is no place for that. Compact discs have 99 tracks at most; software
/// players take more. Source: CDRWIN user's guide, appendix A.
public enum CueSheet {
  /// One track per ayah, cut at the joins: `Al-Baqarah 255`. Notes and flags have no place.
  public static func text(
    of recording: AnnotatedRecording, including inclusion: Inclusion = .recited
  ) -> String {
    let rate = recording.document.rate
    var lines: [String] = []
    if let date = recording.recordingDate { lines.append("REM DATE \(quoted(date))") }
    if let reciter = recording.reciter { lines.append("PERFORMER \(quoted(reciter))") }
    if let title = recording.title { lines.append("TITLE \(quoted(title))") }
    let file = recording.mediaFile ?? "recording.wav"
    lines.append("FILE \(quoted(file)) \(kind(of: file))")
    var number = 0
    var reached: Int128 = 0
    for piece in recording.pieces(inclusion) {
      let start = TimeText.compactDiscFrames(piece.span.lowerBound, at: rate)
      let end = TimeText.compactDiscFrames(piece.span.upperBound, at: rate)
      guard start < end else { continue }
      number += 1
      let digits = String(number)
      lines.append("  TRACK \(digits.count == 1 ? "0" + digits : digits) AUDIO")
      lines.append("    TITLE \(quoted(piece.title))")
      if let reciter = recording.reciter { lines.append("    PERFORMER \(quoted(reciter))") }
      if reached < start {
        lines.append("    INDEX 00 \(TimeText.clock(compactDiscFrames: reached))")
      }
      lines.append("    INDEX 01 \(TimeText.clock(compactDiscFrames: start))")
      reached = end
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func kind(of file: String) -> String {
    switch file.split(separator: ".").last?.lowercased() {
    case "mp3": "MP3"
    case "aif", "aiff": "AIFF"
    default: "WAVE"
    }
  }

  /// The format has no escapes: quotes in a text become apostrophes.
  private static func quoted(_ text: String) -> String {
    "\"" + String(singleLine(text).map { $0 == "\"" ? "'" : $0 }) + "\""
  }

  /// Reads the tracks of a sheet of one file as points, and as regions where an `INDEX 00` follows.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)``.
  static func labels(in input: LabelInput) throws(ExchangeError) -> LabelFile {
    var reader = CueSheetReader()
    var lines = TextLines(input, .cue)
    while let line = try lines.next() { try reader.read(line) }
    return LabelFile(try reader.labels())
  }
}

private struct CueSheetReader {
  private struct Track {
    var line: Int
    var title = ""
    var gap: Double?
    var start: Double?
  }

  private static let format = LabelFormat.cue
  private var tracks: [Track] = []
  private var counter = LabelCounter(format)
  private var fileCount = 0
  private var reached = 0.0

  mutating func read(_ line: TextLine) throws(ExchangeError) {
    let text = line.text.drop { $0 == " " || $0 == "\t" }
    let word = text.prefix { !$0.isWhitespace }
    let rest = text[word.endIndex...].drop(while: \.isWhitespace)
    switch word.uppercased() {
    case "FILE":
      fileCount += 1
      guard fileCount == 1 else {
        throw Self.format.fault(
          line.number, "a second FILE; a sheet may describe only one recording")
      }
    case "TRACK":
      try counter.add(at: .line(line.number))
      tracks.append(Track(line: line.number))
    case "TITLE":
      if let last = tracks.indices.last { tracks[last].title = unquoted(rest) }
    case "INDEX":
      guard let last = tracks.indices.last else {
        throw Self.format.fault(line.number, "an INDEX before the first TRACK")
      }
      let fields = rest.split(whereSeparator: \.isWhitespace)
      guard fields.count == 2, let number = Int(fields[0]), (0...99).contains(number),
        let time = seconds(fields[1])
      else {
        throw Self.format.fault(
          line.number, "invalid index; write INDEX 01 mm:ss:ff, with 60 seconds and 75 frames")
      }
      guard time >= reached else {
        throw Self.format.fault(line.number, "this INDEX comes before the one above; sort them")
      }
      reached = try Self.format.checked(time, at: .line(line.number))
      if number == 0 { tracks[last].gap = time }
      if number == 1 { tracks[last].start = time }
    default: break
    }
  }

  func labels() throws(ExchangeError) -> [Label] {
    var labels: [Label] = []
    for (index, track) in tracks.enumerated() {
      guard let start = track.start else {
        throw Self.format.fault(track.line, "a track without INDEX 01")
      }
      let next = index + 1 < tracks.count ? tracks[index + 1].gap : nil
      labels.append(Label(start: start, end: next, text: track.title, place: .line(track.line)))
    }
    return labels
  }

  private func unquoted(_ text: Substring) -> String {
    guard text.first == "\"" else { return String(text) }
    return String(text.dropFirst().prefix { $0 != "\"" })
  }

  private func seconds(_ text: Substring) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3,
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 7 && $0.utf8.allSatisfy(isDigit) }),
      let minutes = Int(parts[0]), let seconds = Int(parts[1]), let frames = Int(parts[2]),
      seconds < 60, frames < 75
    else { return nil }
    return Double((minutes * 60 + seconds) * 75 + frames) / 75
  }

  private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
