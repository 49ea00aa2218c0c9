// SPDX-License-Identifier: GPL-3.0-or-later

import Exchange
import Quran
import TerminalUI
import Timings

/// What the check of one recording's timings came to, for people and for programs.
struct TimingsReport: Sendable {
  let subject: TimingsSubject
  let check: TimingsCheck

  private var timed: Int { subject.timings.ayat.count { $0.start != nil } }

  /// `fits`, `shifted: 3.20 s late`.
  var summary: String {
    var parts: [String] = []
    if check.isRepairable {
      // Of most recordings it is smaller than what is shown.
      let error =
        check.shiftError >= 0.05 && check.shiftError.isFinite
        ? " ± \(Self.seconds(check.shiftError))" : ""
      let amount = Self.seconds(abs(check.shift)) + error
      parts.append(
        abs(check.shift) < 0.005
          ? "0.00 s\(error) late" : "\(amount) \(check.shift > 0 ? "late" : "early")"
      )
      if check.driftError.isFinite {
        parts.append(
          Self.drift(check.drift, error: check.driftError, check.driftStanding))
      }
    }
    parts.append("\(check.matched) of \(PlainText.count(timed, "ayah", "ayat")) heard")
    return "\(check.verdict.rawValue): " + parts.joined(separator: ", ")
  }

  /// The summary, and the first of what was found.
  var unusedBecause: String {
    let named = check.findings.prefix(3).map { "\($0.ayah) \($0.summary)" }
    let more = check.findings.count > 3 ? ["\(check.findings.count - 3) more"] : []
    return "timings not used: " + ([summary] + named + more).joined(separator: "; ")
  }

  /// `drift +502 ± 20 ppm`, both in millionths.
  static func drift(
    _ drift: Double, error: Double, _ standing: TimingsCheck.DriftStanding
  ) -> String {
    let ppm = Int(drift.rounded())
    let amount = "\(ppm > 0 ? "+" : "")\(ppm) ± \(Int(error.rounded(.up))) ppm"
    return switch standing {
    case .significant where abs(ppm) >= unlikelyOfClock:
      "drift \(amount): the recording is \(percent(drift)) too \(ppm > 0 ? "fast" : "slow") for them"
    case .significant: "drift \(amount)"
    case .chance: "no significant drift (\(amount))"
    case .tooFewAyat: "too few ayat to tell a drift (\(amount))"
    case .tooSmall: "drift of less than 0.1 s in all (\(amount))"
    }
  }

  private static func percent(_ millionths: Double) -> String {
    JSONValue.measure(abs(millionths) / 10_000, decimals: 1).text + " %"
  }

  /// Millionths: no clock drifts so much, so that the recording plays faster or slower.
  private static let unlikelyOfClock = 10_000

  private static func seconds(_ seconds: Double) -> String {
    JSONValue.measure(seconds, decimals: 2).text + " s"
  }

  func show() throws(Failure) {
    try PlainText.show("\(subject.name): \(summary)")
    guard !check.findings.isEmpty else { return }
    var table = TextTable(columns: [
      .init("ayah"), .init("at", alignment: .right), .init("what", isFlexible: true),
      .init("confidence", alignment: .right),
    ])
    table.rows = check.findings.map { finding in
      [
        finding.ayah.description, finding.time.map { PlainText.duration($0) } ?? "",
        finding.summary, "\(Int((finding.confidence * 100).rounded()))%",
      ].map { TerminalText($0) }
    }
    try PlainText.show(table)
    if let surah = subject.surahByName,
      check.findings.contains(where: { $0.kind == .otherRecitation })
    {
      StandardStreams.say(
        "\(subject.name): taken for \(surah) by the file's name; --surah names another")
    }
  }

  /// Says what was odd in the file, many of a kind in one line.
  static func tell(_ remarks: [TimingsRemark], of path: String) {
    let sorted = remarks.sorted { ($0.ayah, $0.word ?? 0) < ($1.ayah, $1.word ?? 0) }
    for (_, alike) in Dictionary(grouping: sorted, by: \.code).sorted(by: { $0.key < $1.key }) {
      let named = alike.prefix(3).map(\.description).joined(separator: "; ")
      let more = alike.count > 3 ? "; and \(alike.count - 3) more" : ""
      StandardStreams.say("\(path): \(named)\(more)")
    }
  }

  var json: JSONValue {
    func measure(_ value: Double, _ decimals: Int) -> JSONValue {
      .measure(value, decimals: decimals)
    }
    return .object([
      .init("file", .string(subject.path)), .init("timings", .string(subject.timingsPath)),
      .init("format", .string(subject.timings.format.rawValue)),
      .init("verdict", .string(check.verdict.rawValue)),
      .init("shift_seconds", measure(check.shift, 3)),
      .init("shift_error_seconds", measure(check.shiftError, 3)),
      .init("drift_ppm", check.driftError.isFinite ? measure(check.drift, 1) : .null),
      .init("drift_error_ppm", measure(check.driftError, 1)),
      .init("drift_significant", .bool(check.isDrifted)),
      .init("ayat", .integer(timed)), .init("matched", .integer(check.matched)),
      .init("findings", .array(check.findings.map(Self.value))),
      .init(
        "remarks",
        .array(
          subject.timings.remarks.map { remark in
            .object([
              .init("code", .string(remark.code)), .init("ayah", .string(remark.ayah.description)),
              .init("word", remark.word.map { .integer($0) } ?? .null),
              .init("message", .string(remark.description)),
            ])
          })),
    ])
  }

  private static func value(_ finding: TimingsFinding) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("code", .string(finding.code)), .init("ayah", .string(finding.ayah.description)),
    ]
    if case .wrongAyah(let heard) = finding.kind {
      members.append(.init("heard", .string(heard.description)))
    }
    return .object(
      members + [
        .init("seconds", finding.seconds.map { .measure($0, decimals: 3) } ?? .null),
        .init("time", finding.time.map { .measure($0, decimals: 3) } ?? .null),
        .init("confidence", .measure(finding.confidence, decimals: 3)),
      ])
  }
}
