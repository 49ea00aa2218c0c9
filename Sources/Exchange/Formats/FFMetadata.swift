// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore

/// FFmpeg's metadata file, by which `ffmpeg -i audio -i chapters.ffmetadata -map_metadata 1` gives a
/// recording chapters: times are whole numbers of a time base, here the frame.
///
/// Source: FFmpeg, "Metadata" in its formats documentation, and `libavformat/ffmetadec.c`.
public enum FFMetadata {
  /// One chapter per ayah, cut at the joins: `Al-Baqarah 255`. Notes and flags have no place.
  public static func text(
    of recording: AnnotatedRecording, including inclusion: Inclusion = .recited
  ) -> String {
    var lines = [";FFMETADATA1"]
    if let title = recording.title { lines.append("title=\(escaped(title))") }
    if let reciter = recording.reciter { lines.append("artist=\(escaped(reciter))") }
    if let date = recording.recordingDate { lines.append("date=\(escaped(date))") }
    for piece in recording.pieces(inclusion) {
      lines += [
        "[CHAPTER]",
        "TIMEBASE=1/\(recording.document.rate.hertz)",
        "START=\(piece.span.lowerBound.frames)",
        "END=\(piece.span.upperBound.frames)",
        "title=\(escaped(piece.title))",
      ]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in severalLines(text).unicodeScalars {
      if "=;#\\\n".unicodeScalars.contains(scalar) { escaped += "\\" }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }

  /// Reads the chapters; other sections are skipped.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)``.
  static func labels(in input: LabelInput) throws(ExchangeError) -> LabelFile {
    var reader = FFMetadataReader(TextLines(input, .ffmetadata))
    return LabelFile(try reader.labels())
  }
}

private struct FFMetadataReader {
  private struct Chapter {
    var line: Int
    /// Seconds that a unit lasts; nanoseconds unless it is said.
    var unit = 1e-9
    var start: Double?
    var end: Double?
    var title = ""
  }

  private static let format = LabelFormat.ffmetadata
  private var lines: TextLines
  private var chapter: Chapter?
  private var counter = LabelCounter(format)

  init(_ lines: TextLines) { self.lines = lines }

  mutating func labels() throws(ExchangeError) -> [Label] {
    guard let first = try lines.next(), first.text.hasPrefix(";FFMETADATA") else {
      throw Self.format.fault(1, "the first line is not ;FFMETADATA1")
    }
    var labels: [Label] = []
    while let (line, text) = try nextLogicalLine() {
      guard let first = text.first, first != ";", first != "#" else { continue }
      if first == "[" {
        if let chapter { labels.append(try label(chapter)) }
        chapter = text.hasPrefix("[CHAPTER]") ? Chapter(line: line) : nil
        if chapter != nil { try counter.add(at: .line(line)) }
      } else if var open = chapter {
        try read(text, line, into: &open)
        chapter = open
      }
    }
    if let chapter { labels.append(try label(chapter)) }
    return labels
  }

  private func label(_ chapter: Chapter) throws(ExchangeError) -> Label {
    guard let start = chapter.start else {
      throw Self.format.fault(chapter.line, "a chapter without START")
    }
    let place = TextPlace.line(chapter.line)
    let from = try Self.format.checked(start * chapter.unit, at: place)
    let end = try chapter.end.map { (end) throws(ExchangeError) in
      try Self.format.checked(end * chapter.unit, at: place)
    }
    if let end { try Self.format.checkOrder(from, end, at: place) }
    return Label(start: from, end: end, text: chapter.title, place: place)
  }

  private func read(
    _ text: String, _ line: Int, into chapter: inout Chapter
  ) throws(ExchangeError) {
    let (key, value) = try parted(text, line)
    switch key {
    case "TIMEBASE":
      let parts = value.split(separator: "/")
      guard parts.count == 2, let numerator = Int32(parts[0]), let denominator = Int32(parts[1]),
        numerator > 0, denominator > 0
      else {
        throw Self.format.fault(line, "\(quoted(value)) is not a time base; write 1/1000")
      }
      chapter.unit = Double(numerator) / Double(denominator)
    case "START": chapter.start = try number(value, line)
    case "END": chapter.end = try number(value, line)
    case "title": chapter.title = value
    default: break
    }
  }

  private func number(_ text: String, _ line: Int) throws(ExchangeError) -> Double {
    guard let number = Int64(text) else {
      throw Self.format.fault(line, "\(quoted(text)) is not a whole number")
    }
    return Double(number)
  }

  /// The next line, joined with those after it whose line ends are escaped.
  private mutating func nextLogicalLine() throws(ExchangeError) -> (Int, String)? {
    guard let first = try lines.next() else { return nil }
    var parts = [first.text]
    var size = first.text.utf8.count
    while let last = parts.last,
      !last.utf8.reversed().prefix(while: { $0 == UInt8(ascii: "\\") }).count.isMultiple(of: 2),
      let line = try lines.next()
    {
      size += line.text.utf8.count + 1
      guard size <= LabelLimit.text.value else {
        throw .tooMuch(.text, Self.format, at: .line(first.number))
      }
      parts.append(line.text)
    }
    return (first.number, parts.joined(separator: "\n"))
  }

  /// Key and value with their escapes taken out.
  private func parted(
    _ text: String, _ line: Int
  ) throws(ExchangeError) -> (key: String, value: String) {
    var parts = [""]
    var isEscaped = false
    for character in text {
      if isEscaped {
        parts[parts.count - 1].append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "=", parts.count == 1 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    guard parts.count == 2 else { throw Self.format.fault(line, "no \"=\" between key and value") }
    return (parts[0], parts[1])
  }
}
