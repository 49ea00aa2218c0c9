// SPDX-License-Identifier: GPL-3.0-or-later

/// The formats that annotations are written in and read from.
///
/// The raw value is the name on the command line.
public enum LabelFormat: String, CaseIterable, Sendable {
  case annotation, audacity, textgrid, eaf, vtt, srt, csv, tsv, json, rttm, cue, chapters,
    ffmetadata
  case quranSegments = "quran-segments"

  /// Endings of such files without the first dot, the one that a new file gets first.
  public var fileEndings: [String] {
    switch self {
    case .annotation: ["annotation.json"]
    case .audacity: ["txt"]
    case .textgrid: ["TextGrid"]
    case .eaf, .vtt, .srt, .csv, .json, .rttm, .cue: [rawValue]
    case .tsv: ["tsv", "tab"]
    case .chapters: ["chapters.json"]
    case .ffmetadata: ["ffmetadata", "ffmeta"]
    case .quranSegments: ["quran-segments.json"]
    }
  }

  /// Its name in messages.
  public var title: String {
    switch self {
    case .annotation: "an annotation"
    case .audacity: "Audacity labels"
    case .textgrid: "a Praat TextGrid"
    case .eaf: "an ELAN file"
    case .vtt: "WebVTT"
    case .srt: "SubRip subtitles"
    case .csv: "a CSV table of labels"
    case .tsv: "a TSV table of labels"
    case .json: "JSON with segments"
    case .rttm: "RTTM"
    case .cue: "a cue sheet"
    case .chapters: "podcast chapters"
    case .ffmetadata: "FFMETADATA"
    case .quranSegments: "JSON with verses of a Quran app"
    }
  }

  /// One line for `--help`, without a full stop.
  public var summary: String {
    switch self {
    case .annotation: "the complete annotation, to the frame, as JSON"
    case .audacity: "label track of Audacity; joins as points in regions"
    case .textgrid: "Praat; tiers segments, joins, notes, flags, words"
    case .eaf: "ELAN 3.0; the same tiers without words, to the millisecond"
    case .vtt: "WebVTT subtitles, one cue per ayah, to the millisecond"
    case .srt: "SubRip subtitles, one per ayah, to the millisecond"
    case .csv: "table for spreadsheets, RFC 4180"
    case .tsv: "the same table, tab-separated"
    case .json: "segments in seconds, for programs"
    case .rttm: "turns for speaker diarisation, one per ayah"
    case .cue: "cue sheet, one track per ayah, to 1/75 s"
    case .chapters: "podcast chapters 1.2, one per ayah"
    case .ffmetadata: "chapters for ffmpeg, one per ayah, to the frame"
    case .quranSegments: "verses and words of Quran apps, to the millisecond"
    }
  }
}

// MARK: Recognising

extension LabelFormat {
  /// The format that a file's name asks for; nil for endings of no format.
  ///
  /// `.txt` is Audacity's and `.json` is ``json``, although several formats are called so:
  /// ``init(of:fileName:)`` looks inside.
  public init?(fileName: String) {
    let name = fileName.lowercased()
    let endings = Self.allCases.flatMap { format in
      format.fileEndings.map { (format, $0.lowercased()) }
    }
    let fitting = endings.filter { _, ending in
      name.hasSuffix("." + ending) || name == ending || name.hasSuffix("/" + ending)
    }
    guard let longest = fitting.max(by: { $0.1.count < $1.1.count }) else { return nil }
    self = longest.0
  }

  /// How many bytes of a file tell its format.
  public static let markSize = 4096

  /// The format of a file that is there, of which the first ``markSize`` bytes are enough: by what only one format begins with, or else by its name,
  /// or, where the name leaves it open (`.txt`, `.json`), by what the content looks like.
  public init?(of bytes: [UInt8], fileName: String? = nil) {
    let beginning = Self.beginning(of: bytes)
    let named = fileName.flatMap { LabelFormat(fileName: $0) }
    switch named {
    case nil, .audacity, .json:
      guard let format = Self.signed(beginning) ?? Self.likely(beginning) ?? named else {
        return nil
      }
      self = format
    case .some(let named):
      self = Self.signed(beginning) ?? named
    }
  }

  /// The format whose mark a text bears.
  private static func signed(_ text: String) -> LabelFormat? {
    let start = text.drop(while: \.isWhitespace)
    if start.hasPrefix("WEBVTT") { return .vtt }
    if start.hasPrefix(";FFMETADATA") { return .ffmetadata }
    if start.hasPrefix("File type = \"ooTextFile") || start.hasPrefix("\"ooTextFile") {
      return .textgrid
    }
    if text.contains("<ANNOTATION_DOCUMENT") { return .eaf }
    guard start.hasPrefix("{") || start.hasPrefix("[") else { return nil }
    if text.contains("\"verse_key\"") { return .quranSegments }
    guard start.hasPrefix("{") else { return nil }
    if text.contains(AnnotationJSON.family) { return .annotation }
    return text.contains("\"chapters\"") ? .chapters : .json
  }

  /// The format that a text without a mark looks like.
  private static func likely(_ text: String) -> LabelFormat? {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
    guard let first = lines.first(where: { !$0.isEmpty }) else { return nil }
    func hasLine(_ beginning: String) -> Bool { lines.contains { $0.hasPrefix(beginning) } }
    if first.hasPrefix("[") { return .json }
    if hasLine("SPEAKER ") { return .rttm }
    if hasLine("TRACK "), hasLine("INDEX ") { return .cue }
    if lines.contains(where: { $0.contains(" --> ") }) { return .srt }
    let fields = first.split(separator: "\t", omittingEmptySubsequences: false)
    if fields.count >= 2 {
      return fields[..<2].allSatisfy { TimeReading.decimal($0) != nil } ? .audacity : .tsv
    }
    return first.contains(",") || first.contains(";") ? .csv : nil
  }

  /// The first few thousand bytes as text, however encoded; faults are left to the reader.
  private static func beginning(of bytes: [UInt8]) -> String {
    let head = Array(bytes.prefix(markSize))
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      let low = head[0] == 0xFF ? 0 : 1
      let units = stride(from: 2, to: head.count - 1, by: 2).map {
        UInt16(head[$0 + low]) | UInt16(head[$0 + 1 - low]) << 8
      }
      return String(decoding: units, as: UTF16.self)
    }
    let start = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    return String(decoding: head[start...], as: UTF8.self)
  }
}
