// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Exchange
import TerminalUI

/// The formats of `auto-detect`, each put together from a piece for every file.
enum DetectionFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json, jsonl, csv, tsv, audacity, textgrid, vtt, srt

  /// Whether the pieces of several files make one document.
  var holdsSeveralFiles: Bool {
    switch self {
    case .table, .json, .jsonl, .csv, .tsv: true
    case .audacity, .textgrid, .vtt, .srt: false
    }
  }

  /// The ending of files in this format.
  var fileExtension: String {
    switch self {
    case .table, .audacity: "txt"
    case .textgrid: "TextGrid"
    case .json, .jsonl, .csv, .tsv, .vtt, .srt: rawValue
    }
  }

  /// The format that a file's ending asks for; nil for `.txt`, which several share, and others.
  init?(endingOf path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    let ending = path[path.index(after: dot)...].lowercased()
    let formats = Self.allCases.filter { $0.fileExtension.lowercased() == ending }
    guard formats.count == 1 else { return nil }
    self = formats[0]
  }

  /// Whether failures are part of the document, beside being said.
  var holdsFailures: Bool { self == .json || self == .jsonl }

  /// Whether it has a place for when words are heard.
  var holdsWords: Bool {
    switch self {
    case .json, .jsonl, .textgrid: true
    case .table, .csv, .tsv, .audacity, .vtt, .srt: false
    }
  }

  /// What stands before the first piece.
  func opening(isNamingFiles: Bool) -> String {
    switch self {
    case .json: "["
    case .csv: CSV.header(namingFiles: isNamingFiles)
    case .tsv: TSV.header(namingFiles: isNamingFiles)
    default: ""
    }
  }

  /// What stands between a piece and the one before it; for the first, between it and the opening.
  func separator(isFirst: Bool) -> String {
    switch self {
    case .json: isFirst ? "\n" : ",\n"
    case .table: isFirst ? "" : "\n"
    default: ""
    }
  }

  /// What stands after the last piece.
  func closing(isEmpty: Bool) -> String {
    self == .json ? (isEmpty ? "]\n" : "\n]\n") : ""
  }

  /// The piece for one file; nil where a failure has none.
  ///
  /// - Parameters:
  ///   - width: columns to fit a table into; nil for as wide as it is.
  ///   - cells: how ``csv`` and ``tsv`` write texts.
  func piece(
    _ outcome: DetectionOutcome, isNamingFiles: Bool, width: Int?, cells: CellText
  ) -> String? {
    guard case .report(let report) = outcome else {
      switch self {
      case .json: return DetectionJSON.line(outcome)
      case .jsonl: return DetectionJSON.line(outcome) + "\n"
      default: return nil
      }
    }
    return switch self {
    case .table: Self.table(report, width: width)
    case .json: DetectionJSON.line(outcome)
    case .jsonl: DetectionJSON.line(outcome) + "\n"
    case .csv: CSV.rows(of: report, namingFiles: isNamingFiles, cells: cells)
    case .tsv: TSV.rows(of: report, namingFiles: isNamingFiles, cells: cells)
    case .audacity: AudacityLabels.text(of: report)
    case .textgrid: TextGrid.text(of: report)
    case .vtt: WebVTT.text(of: report)
    case .srt: SubRip.text(of: report)
    }
  }

  private static func table(_ report: DetectionReport, width: Int?) -> String {
    let content = DetectionTable(report)
    let table = TextTable(
      columns: content.columns.map {
        TextTable.Column(
          TerminalText($0.title), alignment: $0.isRightAligned ? .right : .left,
          isFlexible: $0.isFlexible)
      },
      rows: content.rows.map { $0.map { TerminalText($0) } })
    let summary = TerminalText(content.summary)
    return ([summary] + table.lines(fitting: width)).map { $0.string + "\n" }.joined()
  }
}

extension DetectionOutcome {
  /// The same, with what is known of words only if that was asked for.
  func withWords(_ isAskedFor: Bool) -> DetectionOutcome {
    guard case .report(var report) = self, !isAskedFor else { return self }
    report.words = nil
    return .report(report)
  }
}
