// SPDX-License-Identifier: GPL-3.0-or-later

import Exchange
import Library
import Quran
import ReciterSources
import TerminalUI
import Timings

/// A file that is named by the ayah it holds.
struct AyahFileSubject: Sendable {
  let path: String
  /// What it should hold.
  let ayat: AyahRange
  var riwayah = Riwayah.hafs
  /// Whether it holds only a part of them: one of several files of an ayah.
  var isPart = false
  /// When its words are said, as somebody has published it, and in which file.
  var words: (published: PublishedTimings.Ayah, path: String)?
  /// The source that it is a file of.
  var source: ReciterSource?
  /// What is entered once its words were compared.
  var comparison: SourceComparison?
  /// What it was named by on the command line.
  var set = ""

  /// Nil where the name is not that of an ayah, such as `002255.mp3`.
  init?(named path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let ayah = AyahFolder.ayah(named: name) else { return nil }
    self.path = path
    ayat = AyahRange(ayah)
  }

  init(_ file: AyahFolder.File, of source: ReciterSource, in folder: AyahFolder) {
    path = folder.path + "/" + file.name
    ayat = folder.ayat(heardWith: file.ayah)
    riwayah = source.riwayah
    isPart = folder.isInParts(file.ayah)
    self.source = source
  }

  /// The ayah that it holds whole and alone, by its name; nil where that is more or less.
  var ayah: AyahReference? { isPart || ayat.count > 1 ? nil : ayat.first }
}

/// What the check of a file with an ayah came to.
struct AyahFileReport: Sendable {
  let subject: AyahFileSubject
  let check: AyahFileCheck

  var fits: Bool { check.findings.isEmpty }

  /// Alike for all files, which are then told together.
  static let unusedBecause = "the published words are not used"

  /// Lets words that fit be highlighted in play.
  /// - Parameter isRepairing: whether what was corrected counts as well.
  /// - Returns: which published words count now; nil where it is no file of a source with words.
  @discardableResult
  func keep(
    in library: Library, isRepairing: Bool
  ) throws(LibraryError) -> SourceTimings.Standing? {
    guard let source = subject.source, let ayah = subject.ayah,
      let published = subject.words?.published
    else { return nil }
    func spans(_ words: PublishedTimings.Ayah, bytes: Int64?) -> [SourceSpan] {
      PublishedTimings(.qulByAyah, clock: .ayah, ayat: [words]).spansOfFiles(bytes: bytes)
    }
    let bytes = FileKind.size(of: subject.path)
    let usable = check.words.flatMap { $0.fits || isRepairing ? $0.repaired : nil }
    var comparison = subject.comparison
    comparison?.remark = Self.unusedBecause
    let timings = SourceTimings(
      of: AyahRange(ayah), published: spans(published, bytes: nil),
      checked: usable.map { spans($0, bytes: bytes) }, bytes: bytes,
      comparison: comparison)
    return try library.enter([timings], of: source).first
  }

  var json: JSONValue {
    func evidence(_ nats: Double?) -> JSONValue {
      nats.map { .measure(min($0, Self.mostEvidence), decimals: 1) } ?? .null
    }
    func probability(_ value: Double?) -> JSONValue {
      value.map { .measure($0, decimals: 3) } ?? .null
    }
    func level(_ decibels: Double?) -> JSONValue {
      decibels.map { .measure($0, decimals: 1) } ?? .null
    }
    return .object([
      .init("file", .string(subject.path)),
      .init("ayah", .string(subject.ayat.numericDescription)),
      .init("verdict", .string(fits ? "fits" : "unfit")),
      .init("start_evidence_nats", evidence(check.startEvidence)),
      .init("end_evidence_nats", evidence(check.endEvidence)),
      .init("other_evidence_nats", evidence(check.otherEvidence)),
      .init("start_level_db", level(check.startLevel)),
      .init("end_level_db", level(check.endLevel)),
      .init("start_cut_probability", probability(check.startCutProbability)),
      .init("end_cut_probability", probability(check.endCutProbability)),
      .init("words_shift_seconds", check.words.map { .measure($0.shift, decimals: 3) } ?? .null),
      .init("findings", .array(check.findings.map(Self.value))),
      .init(
        "remarks",
        .array(
          (check.wordsObstacle.map { [$0] } ?? []).map {
            .object([
              .init("code", .string(WordsCheck.Obstacle.code)),
              .init("message", .string($0.summary)),
            ])
          })),
    ])
  }

  private static func value(_ finding: AyahFileFinding) -> JSONValue {
    var members: [JSONValue.Member] = [.init("code", .string(finding.code))]
    switch finding {
    case .otherAyah(let heard):
      members.append(.init("heard", heard.map { .string($0.description) } ?? .null))
    case .alsoHolds(let heard, let isWhole):
      members.append(.init("heard", .string(heard.description)))
      members.append(.init("whole", .bool(isWhole)))
    case .cutAtStart(let words), .cutAtEnd(let words):
      members.append(.init("words", .integer(words)))
    case .wordsShifted(let seconds):
      members.append(.init("seconds", .measure(seconds, decimals: 3)))
    case .wordsWrong(let words):
      members.append(
        .init(
          "words",
          .array(
            words.map {
              .object([
                .init("word", .integer($0.number)),
                .init("seconds", .measure($0.seconds, decimals: 3)),
              ])
            })))
    case .notDecodable, .damaged, .silent: break
    }
    members.append(.init("message", .string(finding.summary)))
    return .object(members)
  }

  /// A set at a time: what is wrong, a line each, and how many files there are.
  static func show(_ reports: [AyahFileReport]) throws(Failure) {
    for report in reports {
      let check = report.check
      for summary in check.findings.map(\.summary)
        + [check.wordsObstacle?.summary].compactMap(\.self)
      {
        try PlainText.show("\(report.subject.path): \(summary)")
      }
    }
    for (set, alike) in Dictionary(grouping: reports, by: \.subject.set).sorted(by: {
      $0.key < $1.key
    }) {
      let files =
        alike.count == 1 ? "1 file with one ayah" : "\(alike.count) files with one ayah each"
      let wrong = alike.count { !$0.fits }
      let verdict =
        switch (wrong, alike.count) {
        case (0, 1): "it fits"
        case (0, _): "all fit"
        case (1, 1): "it does not fit"
        case (1, _): "1 does not fit"
        default: "\(wrong) do not fit"
        }
      try PlainText.show("\(set): \(files), \(verdict)")
    }
  }

  /// What fits nothing has no number.
  private static let mostEvidence = 1e6
}

extension AyahFileFinding {
  /// Whether it is of the start or the end of the file alone.
  var isOfEdge: Bool {
    switch self {
    case .cutAtStart, .cutAtEnd, .alsoHolds: true
    case .notDecodable, .damaged, .silent, .otherAyah, .wordsShifted, .wordsWrong: false
    }
  }
}
