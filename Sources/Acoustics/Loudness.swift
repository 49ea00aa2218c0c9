// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// The loudness of a whole recording by EBU R128.
public struct Loudness: Hashable, Sendable {
  /// Gated loudness of all of it, in LUFS (ITU-R BS.1770-4); nil where nothing is above -70 LUFS.
  public var integrated: Float?
  /// The loudness range, in LU (EBU Tech 3342).
  public var range: Float
  /// The greatest sample, full scale 1.
  public var samplePeak: Float

  public init(integrated: Float?, range: Float, samplePeak: Float) {
    self.integrated = integrated
    self.range = range
    self.samplePeak = samplePeak
  }
}

/// The K-weighted power of each tenth of a second of a recording, and the sample peak.
///
/// The tenths of consecutive parts, joined in order, equal those of the whole recording.
public struct LoudnessTenths: Hashable, Sendable {
  public static let perSecond = 10

  /// The index of the first tenth, counted from the start of the recording.
  public private(set) var firstTenth: Int
  /// Sums over a tenth of weighted squares, divided by the frames that a tenth has.
  private var powers: [Float] = []
  private var samplePeak: Float = 0

  public init(firstTenth: Int = 0) { self.firstTenth = firstTenth }

  mutating func append(_ power: Double) {
    powers.append(Float(min(power, Double(Float.greatestFiniteMagnitude))))
  }

  mutating func raise(peak: Float) { samplePeak = max(samplePeak, peak) }

  /// Appends the next part; a tenth that both parts share is summed.
  public mutating func append(_ next: LoudnessTenths) {
    samplePeak = max(samplePeak, next.samplePeak)
    var added = next.powers[...]
    if next.firstTenth < firstTenth + powers.count, let first = added.popFirst() {
      powers[powers.count - 1] += first
    }
    powers += added
  }

  /// Of everything.
  ///
  /// - Parameter wholeTenths: how many tenths of a second have all their frames.
  public func loudness(wholeTenths: Int) -> Loudness {
    let powers = powers.prefix(wholeTenths)
    // Gating blocks of 400 ms that overlap by three quarters.
    let blocks = Self.means(of: powers, length: 4, step: 1).filter { $0 > Self.absoluteGate }
    let mean = blocks.reduce(0, +) / Double(max(blocks.count, 1))
    // 10 LU below the mean.
    let loud = blocks.filter { $0 > mean / 10 }
    let integrated =
      loud.isEmpty ? nil : Self.hundredths(Self.level(loud.reduce(0, +) / Double(loud.count)))
    return Loudness(integrated: integrated, range: Self.range(of: powers), samplePeak: samplePeak)
  }

  /// Short-term loudness over 3 s, each second; between the 10th and the 95th percentile of what is less
  /// than 20 LU below the mean.
  private static func range(of powers: ArraySlice<Float>) -> Float {
    let blocks = means(of: powers, length: 30, step: 10).filter { $0 > absoluteGate }
    guard !blocks.isEmpty else { return 0 }
    let mean = blocks.reduce(0, +) / Double(blocks.count)
    let heard = blocks.filter { $0 > mean / 100 }.sorted()
    func percentile(_ share: Double) -> Double {
      level(heard[Int((Double(heard.count - 1) * share).rounded())])
    }
    return hundredths(percentile(0.95) - percentile(0.1))
  }

  private static func means(
    of powers: ArraySlice<Float>, length: Int, step: Int
  ) -> [Double] {
    stride(from: powers.startIndex, through: powers.endIndex - length, by: step).map { start in
      powers[start..<start + length].reduce(0) { $0 + Double($1) } / Double(length)
    }
  }

  /// -70 LUFS.
  private static let absoluteGate = pow(10, (-70 + 0.691) / 10)

  private static func level(_ power: Double) -> Double { -0.691 + 10 * log10(power) }

  /// Parts that are filtered by themselves differ from the whole far beyond the last digit.
  private static func hundredths(_ level: Double) -> Float { Float((level * 100).rounded() / 100) }
}
