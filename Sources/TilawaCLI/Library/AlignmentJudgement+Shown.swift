// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Exchange
import Quran

/// What an alignment says of itself, as `show` says it.
extension AlignmentJudgement {
  /// For people, one line each; empty where no alignment is known.
  var lines: [String] {
    [doubt.map { "doubtful: \($0)" }].compactMap { $0 } + remarks
      + [acousticVersion.map { "by acoustic weights of version \($0)" }].compactMap { $0 }
  }

  /// For programs; null where no alignment is known.
  var value: JSONValue {
    guard self != AlignmentJudgement() else { return .null }
    return .object([
      .init("first_ayah", Self.optional(request?.first.description)),
      .init("last_ayah", Self.optional(request?.last?.description)),
      .init(
        "prayer", Self.optional(request.flatMap { $0.prayer == .none ? nil : $0.prayer.rawValue })),
      .init("verdict", .string(doubt == nil ? "plausible" : "doubtful")),
      .init("doubt", Self.optional(doubt)),
      .init("remarks", .array(remarks.map { .string($0) })),
      .init("acoustic_weights", acousticVersion.map { .integer(Int($0)) } ?? .null),
    ])
  }

  private static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}
