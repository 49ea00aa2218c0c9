// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Library
import Quran

/// How much of what a recording may hold a reference has.
struct ReferenceShare {
  /// Ayat of the passage that the reference has.
  private let held: Int
  /// All of the passage; nil where its end is not known.
  private let wanted: Int?
  /// Whether it has al-Fatiha for a prayer.
  private let hasFatiha: Bool

  init(_ request: AlignmentRequest, withinSeconds seconds: Double, of ayat: Set<AyahReference>) {
    let passage = request.ayat(withinSeconds: seconds)
    held = passage.reduce(0) { $0 + (ayat.contains($1) ? 1 : 0) }
    wanted = request.last.map { _ in passage.reduce(0) { count, _ in count + 1 } }
    hasFatiha =
      request.prayer != .none
      && AyahReference.first.surah.ayat.allSatisfy { ayat.contains($0) }
  }

  init(
    _ request: AlignmentRequest, withinSeconds seconds: Double, of clips: [ReferenceClips]
  ) {
    self.init(
      request, withinSeconds: seconds, of: Set(clips.flatMap { $0.spans.keys }))
  }

  /// Whether there is anything to compare. A basmalah alone is in every reference.
  var isEmpty: Bool { held == 0 && !hasFatiha }

  /// `8 of 11 ayat`.
  var text: String {
    guard held > 0 else { return "al-Fatiha alone" }
    guard let wanted else { return PlainText.count(held, "ayah", "ayat") }
    return "\(held) of \(PlainText.count(wanted, "ayah", "ayat"))"
  }
}

extension AlignmentRequest {
  /// What a person said of it: `2:1-20`, `2:1 and what follows`.
  var saidAyat: String {
    guard let last, let range = AyahRange(first: first, last: last) else {
      return "\(first) and what follows"
    }
    return range.numericDescription
  }
}

extension Library {
  /// The titles of the recordings that clips come from, in their order.
  func titles(of clips: [ReferenceClips]) -> [String] {
    clips.compactMap { try? recording(ofFile: $0.path)?.title }
  }
}
