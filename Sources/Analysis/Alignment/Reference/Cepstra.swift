// SPDX-License-Identifier: GPL-3.0-or-later

/// What a recitation sounds like, 25 times a second, with loudness and voice left out as far as they go.
///
/// Twelve mel-frequency cepstral coefficients, without the one that stands for loudness.
public struct Cepstra: Hashable, Sendable {
  /// Frames a second.
  public static let framesPerSecond = 25
  /// Coefficients a frame.
  static let width = 12

  /// `width` numbers for each frame.
  var coefficients: [Float]

  var count: Int { coefficients.count / Self.width }

  /// Length in seconds.
  public var seconds: Double { Double(count) / Double(Self.framesPerSecond) }

  /// The same without silence before the first sound and after the last.
  var withoutSilence: Cepstra {
    guard let first = (0..<count).first(where: { !isSilent($0) }),
      let last = (0..<count).last(where: { !isSilent($0) })
    else { return Cepstra(coefficients: []) }
    return Cepstra(
      coefficients: Array(coefficients[(first * Self.width)..<((last + 1) * Self.width)]))
  }

  /// Square of the length below which nothing is heard: in silence all filters have the least energy, and
  /// all coefficients are near 0.
  private static let silence: Float = 1

  private func isSilent(_ frame: Int) -> Bool {
    coefficients[(frame * Self.width)..<((frame + 1) * Self.width)]
      .reduce(0) { $0 + $1 * $1 } < Self.silence
  }
}
