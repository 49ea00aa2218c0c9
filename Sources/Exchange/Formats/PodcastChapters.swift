// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore

/// Podcast chapters, JSON, version 1.2: one chapter per ayah, one a line.
///
/// Times are seconds with the fewest decimals that give back the frame. Source: Podcasting 2.0
/// namespace, "JSON Chapters Format, version 1.2".
public enum PodcastChapters {
  /// One chapter per ayah, cut at the joins: `Al-Baqarah 255`. Notes and flags have no place.
  public static func text(
    of recording: AnnotatedRecording, including inclusion: Inclusion = .recited
  ) -> String {
    let rate = recording.document.rate
    var head: [JSONValue.Member] = [.init("version", .string("1.2.0"))]
    if let title = recording.title { head.append(.init("title", .string(title))) }
    if let reciter = recording.reciter { head.append(.init("author", .string(reciter))) }
    if let file = recording.mediaFile { head.append(.init("fileName", .string(file))) }
    let chapters = recording.pieces(inclusion).map { piece in
      JSONValue.object([
        .init("startTime", .number(TimeText.seconds(piece.span.lowerBound, at: rate))),
        .init("endTime", .number(TimeText.seconds(piece.span.upperBound, at: rate))),
        .init("title", .string(piece.title)),
      ]).text
    }
    let lines = JSONValue.object(head).text.dropLast()
    return "\(lines),\n\"chapters\":[" + (chapters.isEmpty ? "" : "\n")
      + chapters.joined(separator: ",\n") + "\n]}\n"
  }

  /// Reads chapters; those without `endTime` are points.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)`` with the path.
  static func labels(in input: LabelInput) throws(ExchangeError) -> LabelFile {
    var labels: [Label] = []
    var counter = LabelCounter(.chapters)
    let root = try JSONReader(.chapters, keys: [], lists: ["chapters"]).read(input) {
      (_, chapter, _) throws(ExchangeError) in
      try counter.add(at: .path(chapter.path))
      let start = try chapter.required("startTime").seconds()
      let end = try chapter["endTime"]?.seconds()
      if let end { try chapter.format.checkOrder(start, end, at: .path(chapter.path)) }
      labels.append(
        Label(
          start: start, end: end, text: try chapter["title"]?.string() ?? "",
          place: .path(chapter.path)))
    }
    _ = try root.required("chapters").elements()
    return LabelFile(labels)
  }
}
