// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Exchange
import Quran

/// What an alignment says of itself, as `show` says it.
extension AlignmentJudgement {
  /// For people, one line each; empty where no alignment is known.
  func lines(_ document: AnnotationDocument) -> [String] {
    [doubt.map { "doubtful: \($0.text)" }, told, part(of: document)].compactMap { $0 }
      + remarks.map(\.text)
      + [acousticVersion.map { "by acoustic weights of version \($0)" }].compactMap { $0 }
  }

  /// What was said of the recording.
  private var told: String? {
    request.map { request in
      let end = request.last.map { " to \($0)" } ?? ""
      let prayer = request.prayer == .none ? "" : ", prayer: \(request.prayer.rawValue)"
      return "from \(request.first)\(end)\(prayer)"
    }
  }

  /// What was aligned, where that is not all of the recording.
  private func part(of document: AnnotationDocument) -> String? {
    guard let span = request?.span, span != .zero..<(.zero + document.length) else { return nil }
    return "of \(TimeText.short(span.lowerBound, at: document.rate)) to "
      + "\(TimeText.short(span.upperBound, at: document.rate)) alone"
  }

  /// For programs; null where no alignment is known.
  func value(_ document: AnnotationDocument) -> JSONValue {
    func seconds(_ position: FramePosition?) -> JSONValue {
      position.map { .number(TimeText.seconds($0, at: document.rate)) } ?? .null
    }
    guard self != AlignmentJudgement() else { return .null }
    return .object([
      .init("start", seconds(request?.span.lowerBound)),
      .init("end", seconds(request?.span.upperBound)),
      .init("first_ayah", Self.optional(request?.first.description)),
      .init("last_ayah", Self.optional(request?.last?.description)),
      .init(
        "prayer", Self.optional(request.flatMap { $0.prayer == .none ? nil : $0.prayer.rawValue })),
      .init("verdict", .string(doubt == nil ? "plausible" : "doubtful")),
      .init(
        "remarks",
        .array(
          ([doubt].compactMap { $0 } + remarks).map {
            .object([.init("code", Self.optional($0.code)), .init("text", .string($0.text))])
          })),
      .init("acoustic_weights", acousticVersion.map { .integer(Int($0)) } ?? .null),
    ])
  }

  private static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}
