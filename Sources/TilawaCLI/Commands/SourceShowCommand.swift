// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import Exchange
import Library
import Playback
import Quran
import ReciterSources

extension SourceCommand {
  /// `source show NAME`
  struct Show: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract:
        "Show a source: where it is, which ayat of it are here, and what is wrong with them.")

    @Argument(help: "The name.")
    var name: String

    @Option(help: "table (for people), json or jsonl.")
    var format: ListFormat = .table

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      let details = try SourceDetails(library.source(named: name), in: library)
      guard format == .table else { return try format.write([details.json]) }
      for line in details.lines { try PlainText.show(line) }
    }
  }
}

/// What `source show` tells of a source.
private struct SourceDetails {
  private let facts: SourceFacts
  private let folder: AyahFolder
  private let spans: [SourceSpan]
  private let missing: [AyahRange]
  /// Not here, and refused by the server lately.
  private let refused: [AyahRange]
  /// Here, and not renewed, as the server refused that lately.
  private let unrenewable: [AyahRange]
  private let uncompared: [AyahRange]
  private let unfit: [FileComparisons.Unfit]
  private let untimed: [UntimedSurah]
  /// What is wrong with files, as far as that is known without reading them.
  private let problems: [SourceProblem]
  /// Names of files that no ayah has.
  private let strays: [String]
  /// Surahs that are here, in a counting that is not known.
  private let numberedOtherwise: [Surah]

  private var source: ReciterSource { facts.source }

  init(_ source: ReciterSource, in library: Library) throws(LibraryError) {
    facts = try SourceFacts(source, in: library)
    let folder = try AyahFolder(of: source, in: library)
    self.folder = folder
    spans = try Array(library.spans(of: source.id).values)
    missing = AyahRange.runs(of: AyahRange.wholeQuran.filter { !folder.has($0) })
    strays = source.strays(in: folder)
    numberedOtherwise = source.surahsNumberedOtherwise(in: folder)
    let absences = try library.absences(in: source.id).keys
    func runs(_ isHere: Bool) -> [AyahRange] {
      AyahRange.runs(
        of: absences.filter { folder.has($0) == isHere }
          .flatMap { Array(source.ayat(inFileWith: $0)) }.sorted())
    }
    refused = runs(false)
    unrenewable = runs(true)
    let comparisons = try FileComparisons(of: source, in: folder, library)
    unfit = comparisons.unfit
    uncompared = AyahRange.runs(
      of: folder.files.filter { comparisons.uncompared.contains($0.ayah) }
        .flatMap { Array(folder.ayat(in: $0)) }.sorted())
    untimed = try source.untimed(in: folder, library)
    problems = try source.check(in: library, .manifest, stopFlag: Interrupt.flag)
  }

  var json: JSONValue {
    func list(_ ranges: [AyahRange]) -> JSONValue { .array(ranges.map { .string("\($0)") }) }
    func reasoned(_ ayat: AyahRange?, _ reason: String) -> [JSONValue.Member] {
      [
        .init("ayat", ayat.map { .string("\($0)") } ?? .null), .init("reason", .string(reason)),
      ]
    }
    let members: [JSONValue.Member] = [
      .init("schema", .string("tilawa.source-show/1")), .init("files", .string(folder.path)),
      .init("playable", .integer(facts.playableCount)), .init("missing", list(missing)),
      .init("refused", list(refused)), .init("renewal_refused", list(unrenewable)),
      .init("uncompared", list(uncompared)),
      .init("unfit", .array(unfit.map { .object(reasoned($0.ayat, $0.remark)) })),
      .init("untimed", .array(untimed.map { .object(reasoned($0.surah.ayat, $0.reason)) })),
      .init(
        "problems",
        .array(
          problems.map {
            .object(reasoned($0.ayat, $0.message) + [.init("file", .string($0.file))])
          })),
      .init("unused", .array(strays.map { .string($0) })),
      .init("numbered_otherwise", .array(numberedOtherwise.map { .integer($0.number) })),
    ]
    return .object(members + facts.members)
  }

  var lines: [String] {
    var lines = [
      "name     \(source.name)", "reciter  \(facts.reciter?.name ?? "unknown")",
      "riwayah  \(source.riwayah.displayName)", "place    \(facts.place)",
      "files    \(folder.path)", "state    \(facts.state)",
      "here     \(PlainText.count(facts.ayahCount, "ayah", "ayat")), \(PlainText.size(facts.bytes))",
    ]
    if let timings = source.timings {
      lines.append("timings  \(timings)\(source.trustsTimings ? ", trusted" : "")")
    }
    let allowed =
      (source.allowsPrivate ? ["the own network"] : [])
      + (source.allowsInsecure ? ["http:, not encrypted"] : [])
    if !allowed.isEmpty { lines.append("allowed  \(allowed.joined(separator: ", "))") }
    lines += timingLines
    lines += Self.lines(
      "problem", problems.map(\.line), more: "'source check \(source.name.commandWord)' tells all")
    lines += Self.lines(
      "unused", strays.map { "\($0): no ayah has this number" }, more: "'--format json' tells all")
    if !numberedOtherwise.isEmpty {
      lines.append(
        "unused   \(PlainText.count(numberedOtherwise.count, "surah")), whose ayat this riwayah numbers differently;"
          + " 'source edit \(source.name.commandWord) --mapping' adds a mapping")
    }
    if source.ayahOffset != 0 { lines.append("offset   \(source.ayahOffset)") }
    lines += Self.lines("mapping", source.mapping?.lines ?? [])
    return lines + absenceLines
  }

  private var timingLines: [String] {
    var lines: [String] = []
    func told(_ spans: [SourceSpan]) -> String {
      let checked = spans.count { $0.bytes != nil }
      return "\(checked) by checked timings, \(spans.count - checked) by trusted"
    }
    if !folder.surahs.isEmpty {
      let ofSurahs = Array(facts.playable.values)
      lines.append("playable \(ofSurahs.count) ayat of whole surahs: \(told(ofSurahs))")
      lines.append("words    of \(ofSurahs.count(where: \.hasWords)) ayat of whole surahs")
    }
    let ofFiles = spans.filter(hasWordsInFile)
    if source.timings != nil, !folder.ayahFiles.isEmpty {
      lines.append("words    of \(PlainText.count(ofFiles.count, "file")): \(told(ofFiles))")
    }
    lines += Self.lines("untimed", untimed.map(\.reason), more: "'--format json' tells all")
    lines += Self.lines("unfit", source.lines(of: unfit))
    if !uncompared.isEmpty {
      lines.append(
        "waiting  \(PlainText.ranges(uncompared)), not compared with the timings yet;"
          + " 'timings check \(source.name.commandWord)' does it")
    }
    return lines
  }

  /// Whether words are known of a file that is here and holds this ayah alone.
  private func hasWordsInFile(_ span: SourceSpan) -> Bool {
    guard span.hasWords, let names = folder.files(of: span.ayah), names.count == 1 else {
      return false
    }
    return span.bytes.map { $0 == FileKind.size(of: folder.path + "/" + names[0]) } ?? true
  }

  private var absenceLines: [String] {
    var lines: [String] = []
    if !missing.isEmpty {
      let ayat = missing.reduce(0) { $0 + $1.count }
      lines.append(
        "missing  "
          + (missing.count <= 40
            ? PlainText.ranges(missing) : "\(ayat) ayat in \(missing.count) places"))
    }
    if !refused.isEmpty {
      lines.append("refused  \(PlainText.ranges(refused)), by the server during the last week")
    }
    if !unrenewable.isEmpty {
      lines.append(
        "kept     \(PlainText.ranges(unrenewable)), which the server refused to renew during the last week;"
          + " 'source edit \(source.name.commandWord) --url' changes the address")
    }
    return lines
  }

  /// Lines with one label.
  /// - Parameter more: where the rest stands, if these are too many; nil to show all.
  private static func lines(
    _ label: String, _ texts: [String], more: String? = nil
  ) -> [String] {
    let shown = more == nil ? texts[...] : texts.prefix(mostLines)
    let rest = texts.count - shown.count
    let all = shown + (rest > 0 ? ["and \(rest) more; \(more ?? "")"] : [])
    let indent = String(repeating: " ", count: 9)
    return all.enumerated().map { index, text in
      (index == 0 ? label + indent.dropFirst(label.count) : indent) + text
    }
  }

  private static let mostLines = 5
}

extension SourceProblem {
  /// For people; not safe to print as it is.
  var line: String { (ayat.map { "\($0): " } ?? "") + "\(file): \(message)" }
}
