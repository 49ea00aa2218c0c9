// SPDX-License-Identifier: GPL-3.0-or-later

import Quran

/// A recording's sound and another recitation to compare it with.
public struct ReferenceComparison: Sendable {
  public var recording: Cepstra
  public var reference: ReferenceRecitation

  public init(recording: Cepstra, reference: ReferenceRecitation) {
    self.recording = recording
    self.reference = reference
  }

  /// Which of the ayat the reference lacks.
  func remarks(_ tokens: [RecitedToken]) -> [String] {
    let ayat = Set(
      tokens.compactMap { token -> AyahReference? in
        if case .ayah(let ayah) = token.content { ayah } else { nil }
      })
    let lacking = ayat.filter { reference.ayat[$0] == nil }.sorted()
    guard let first = lacking.first else { return [] }
    if lacking.count == 1 {
      return ["the reference lacks \(first), which was placed by its length alone"]
    }
    var runs: [AyahRange] = []
    for ayah in lacking {
      let run = runs.last.flatMap { $0.last.next == ayah ? runs.removeLast().first : nil } ?? ayah
      runs.append(AyahRange(first: run, last: ayah) ?? AyahRange(ayah))
    }
    let named = runs.prefix(Self.mostNamed).map(\.numericDescription).joined(separator: ", ")
    let which = runs.count > Self.mostNamed ? "\(named) and others" : named
    return [
      "the reference lacks \(lacking.count) of the \(ayat.count) ayat (\(which)), which were placed by their "
        + "lengths alone"
    ]
  }

  /// So many ranges are named of what the reference lacks.
  private static let mostNamed = 3

  /// All that the reference lets one hear from an ayah on: up to the first few ayat in a row that it
  /// lacks, and not longer than the slowest reference would be.
  func tokens(from first: AyahReference) -> [RecitedToken] {
    var last = first
    var ayah: AyahReference? = first
    var lacking = 0
    var left = Self.slowestReference * recording.seconds + 60
    while let next = ayah, lacking < Self.longestGap, left > 0 {
      if let cepstra = reference.ayat[next] {
        left -= cepstra.seconds
        lacking = 0
        last = next
      } else {
        lacking += 1
      }
      ayah = next.next
    }
    return AyahRange(first: first, last: last).map { RecitedToken.tokens($0) } ?? []
  }

  /// How many times slower than the recording a reference may be.
  private static let slowestReference = 4.0
  /// So many ayat in a row that the reference lacks are where it ends.
  private static let longestGap = 8
}

/// What a reference was good for.
enum ReferenceUse: Hashable {
  /// There was none.
  case none
  case used
  /// It was of something else.
  case leftAside
  /// Neither it nor lengths tell where ayat are.
  case doubtful
}
