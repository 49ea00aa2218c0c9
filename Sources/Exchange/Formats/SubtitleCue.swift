// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// A cue with its times as text.
struct SubtitleCue {
  var start: String
  var end: String
  var text: String

  static func cues(
    of spans: [LabelledSpan], at rate: SampleRate, decimalSign: String
  ) -> [SubtitleCue] {
    spans.compactMap { item in
      let start = TimeText.milliseconds(item.span.lowerBound, at: rate)
      let end = TimeText.milliseconds(item.span.upperBound, at: rate)
      guard start < end else { return nil }
      return SubtitleCue(
        start: TimeText.clock(milliseconds: start, decimalSign: decimalSign),
        end: TimeText.clock(milliseconds: end, decimalSign: decimalSign),
        text: singleLine(item.label))
    }
  }
}

extension AnnotatedRecording {
  /// One cue per ayah.
  func listenersSpans(_ inclusion: Inclusion) -> [LabelledSpan] {
    pieces(inclusion).map { LabelledSpan($0.span, $0.title) }
  }
}

/// Reads the blocks that WebVTT and SubRip share: a line of times, then lines of text up to a blank
/// one.
struct SubtitleReader {
  let format: LabelFormat

  /// - Parameters:
  ///   - nextLine: gives one line after the other, nil at the end.
  ///   - text: what a cue's line says.
  func labels(
    nextLine: () throws(ExchangeError) -> TextLine?, text: (String) -> String
  ) throws(ExchangeError) -> [Label] {
    var labels: [Label] = []
    var counter = LabelCounter(format)
    while let line = try nextLine() {
      guard line.text.contains("-->") else { continue }
      let place = TextPlace.line(line.number)
      let (start, end) = try times(line)
      try format.checkOrder(start, end, at: place)
      try counter.add(at: place)
      var rows: [String] = []
      var size = 0
      // SubRip has no escapes: a text may hold an arrow, but a blank line always ends it.
      while let row = try nextLine(), !row.isBlank {
        size += row.text.utf8.count + 1
        guard size <= LabelLimit.text.value else { throw .tooMuch(.text, format, at: place) }
        rows.append(text(row.text))
      }
      labels.append(
        Label(start: start, end: end, text: rows.joined(separator: "\n"), place: place))
    }
    return labels
  }

  private func times(_ line: TextLine) throws(ExchangeError) -> (Double, Double) {
    // `start --> end settings`
    let words = line.text.split { $0 == " " || $0 == "\t" }
    guard words.count >= 3, words[1] == "-->" else {
      throw format.fault(
        line.number,
        "\(quoted(line.text)) is not a pair of times; write 00:01:02.345 --> 00:01:05.000"
      )
    }
    return (try time(words[0], line), try time(words[2], line))
  }

  private func time(_ text: Substring, _ line: TextLine) throws(ExchangeError) -> Double {
    guard let seconds = TimeReading.clock(text) else {
      throw format.fault(line.number, "\(quoted(String(text))) is not a time; write 00:01:02.345")
    }
    return try format.checked(seconds, at: .line(line.number))
  }
}

/// A cue's line without its tags, `<i>` or `<00:01.000>`; an angle bracket that opens none stays.
func withoutTags(_ line: String, _ isTag: (Substring) -> Bool) -> String {
  guard line.contains("<") else { return line }
  var text = ""
  var rest = line[...]
  while let open = rest.firstIndex(of: "<") {
    text += rest[..<open]
    let inside = rest[rest.index(after: open)...]
    // No tag is longer; without a limit a line of brackets would be searched over and over.
    guard let close = inside.prefix(256).firstIndex(of: ">"), isTag(inside[..<close]) else {
      text.append("<")
      rest = inside
      continue
    }
    rest = inside[inside.index(after: close)...]
  }
  return text + rest
}
