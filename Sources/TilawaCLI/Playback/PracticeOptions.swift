// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Playback
import Quran

/// A silence after an ayah: `500ms`, `1.0x` the ayah, or both: `0.5x+500ms`.
struct GapArgument: ExpressibleByArgument, Hashable {
  private(set) var milliseconds = 0
  private(set) var factor = 0.0
  /// What to say of a part that has no unit and is too long for seconds.
  private(set) var missingUnit: String?

  /// A longer wait for the next ayah is none that anybody means.
  private static let factors = 0.0...100.0

  init?(argument: String) {
    for part in argument.lowercased().split(separator: "+", omittingEmptySubsequences: false) {
      if part.hasSuffix("x") {
        guard part.first?.isNumber ?? false, let value = Double(part.dropLast()),
          Self.factors.contains(value)
        else { return nil }
        factor += value
      } else {
        guard let duration = DurationArgument(argument: String(part)) else { return nil }
        milliseconds += Int((duration.seconds * 1000).rounded())
        missingUnit = missingUnit ?? duration.missingUnit
      }
    }
  }

  var isSilent: Bool { milliseconds > 0 || factor > 0 }

  func apply(to request: inout PlaybackRequest) {
    request.gapMilliseconds = milliseconds
    request.gapFactor = factor
  }
}

extension GapArgument: CustomStringConvertible {
  /// As it is typed.
  var description: String {
    let parts = [factor > 0 ? "\(factor)x" : nil, milliseconds > 0 ? "\(milliseconds)ms" : nil]
    let named = parts.compactMap { $0 }
    return named.isEmpty ? "0ms" : named.joined(separator: "+")
  }
}

/// Words of an ayah: `3-7`, `5`.
struct WordsArgument: ExpressibleByArgument, Hashable {
  let words: ClosedRange<Int>

  init?(argument: String) {
    let ends = argument.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
      first >= 1, last >= first
    else { return nil }
    words = first...last
  }
}

/// Ways to hear a range that help to learn it by heart.
struct PracticeOptions: ParsableArguments {
  @Flag(help: "Play the first ayah once, the second twice, the third three times.")
  var stepping = false

  @Flag(help: "Play ayah 1, then 1-2, then 1-3; --repeat-ayah repeats the new one.")
  var cumulative = false

  @Option(help: "Only these words of a single ayah, such as 3-7.")
  var words: WordsArgument?

  @Option(help: "Only from this time in a single ayah, such as 0:12.")
  var from: DurationArgument?

  @Option(help: "Only until this time in a single ayah.")
  var until: DurationArgument?

  /// Whether what is heard of a range hangs on the ayat before.
  var needsOrder: Bool { stepping || cumulative }

  mutating func validate() throws {
    if stepping, cumulative { throw ValidationError("Use --stepping or --cumulative, not both.") }
    if words != nil, from != nil || until != nil {
      throw ValidationError("Use --words, or --from and --until, not both.")
    }
    if let from, let until, until.seconds <= from.seconds {
      throw ValidationError("--until must be after --from.")
    }
  }

  /// Has a request follow them.
  func apply(to request: inout PlaybackRequest) {
    request.practice = stepping ? .stepping : cumulative ? .cumulative : .plain
    if let words {
      request.excerpt = .words(words.words)
    } else if from != nil || until != nil {
      func milliseconds(_ time: DurationArgument) -> Int { Int((time.seconds * 1000).rounded()) }
      let start = from.map(milliseconds) ?? 0
      request.excerpt = .milliseconds(start..<(until.map(milliseconds) ?? .max))
    }
  }

  /// - Throws: where a part is wanted of more than an ayah, or words that it does not have.
  static func check(_ request: PlaybackRequest) throws(Failure) {
    guard request.excerpt == nil || request.range.count == 1 else {
      throw Failure(
        code: "usage", message: "--words, --from and --until need a single ayah")
    }
    let ayah = request.range.first
    let count = QuranSounds.wordCount(of: ayah)
    if case .words(let words) = request.excerpt, words.upperBound > count {
      throw Failure(
        code: "usage",
        message: "\(ayah) has \(PlainText.count(count, "word")); --words names words 1 to \(count)")
    }
  }
}
