// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Decoding
public import Quran

/// Where ayat are heard in one file, to compare other recitations with.
public struct ReferenceClips: Hashable, Sendable {
  public var path: String
  /// Counted from 1; nil takes the default one.
  public var track: Int?
  public var rate: SampleRate
  /// Whole ayat; half-open, in frames of the file.
  public var spans: [AyahReference: Range<FramePosition>]

  public init(
    path: String, track: Int? = nil, rate: SampleRate,
    spans: [AyahReference: Range<FramePosition>]
  ) {
    self.path = path
    self.track = track
    self.rate = rate
    self.spans = spans
  }
}

extension CepstralReader {
  /// A recitation put together from the ayat of several files, the earlier ones first. Reads each file
  /// once, or what was kept of it. Blocks; not for Swift's cooperative threads.
  public func recitation(
    of clips: [ReferenceClips]
  ) throws(AnalysisError) -> ReferenceRecitation {
    var voices: [[AyahReference: Cepstra]] = []
    for (number, file) in clips.enumerated() where !file.spans.isEmpty {
      let cepstra = try part(number, of: clips.count).read(path: file.path, track: file.track)
      voices.append(file.spans.mapValues { cepstra.part($0, rate: file.rate) })
    }
    return ReferenceRecitation(voices: voices)
  }
}

extension ReferenceRecitation {
  /// - Parameter voices: of one ayah the first voice that has it counts. The others are made to sound like
  ///   the first, as far as means and deviations of their coefficients go.
  public init(voices: [[AyahReference: Cepstra]]) {
    var ayat: [AyahReference: Cepstra] = [:]
    let first = voices.first.map { CoefficientSpread(of: $0.values) }
    for (number, voice) in voices.enumerated() {
      let own = number == 0 ? nil : CoefficientSpread(of: voice.values)
      for (ayah, cepstra) in voice where ayat[ayah] == nil && cepstra.count > 0 {
        if let first, let own {
          ayat[ayah] = cepstra.moved(from: own, to: first)
        } else {
          ayat[ayah] = cepstra
        }
      }
    }
    self.init(ayat: ayat)
  }
}

extension AlignmentRequest {
  private static let ayatBefore = 12

  /// The ayat of another recitation that a recording of so many seconds can be compared with: those it may
  /// hold, some before them in case it starts earlier, the basmalah, and in a prayer al-Fatiha.
  public func referenceAyat(withinSeconds seconds: Double) -> [AyahReference] {
    let last = prayer == .none ? 1 : AyahReference.first.surah.ayahCount
    let opening = (1...last).compactMap { AyahReference(surah: 1, ayah: $0) }
    let before = (1...Self.ayatBefore).reversed().compactMap { first.advanced(by: -$0) }
    return opening
      + (before + ayat(withinSeconds: seconds)).filter { !opening.contains($0) }
  }
}

extension Cepstra {
  /// The frames of a span; none of what lies beyond the end.
  public func part(_ span: Range<FramePosition>, rate: SampleRate) -> Cepstra {
    let frames = Double(Self.framesPerSecond)
    let first = Int((span.lowerBound.seconds(at: rate) * frames).rounded())
    let last = Int((span.upperBound.seconds(at: rate) * frames).rounded())
    let range = (first..<max(first, last)).clamped(to: 0..<count)
    return Cepstra(
      coefficients: Array(
        coefficients[(range.lowerBound * Self.width)..<(range.upperBound * Self.width)]))
  }

  fileprivate func moved(from own: CoefficientSpread, to other: CoefficientSpread) -> Cepstra {
    Cepstra(
      coefficients: coefficients.enumerated().map { place, value in
        let index = place % Self.width
        return (value - own.means[index]) / own.deviations[index] * other.deviations[index]
          + other.means[index]
      })
  }
}

/// Mean and standard deviation of each coefficient.
private struct CoefficientSpread {
  var means = [Float](repeating: 0, count: Cepstra.width)
  var deviations = [Float](repeating: 1, count: Cepstra.width)

  init(of parts: some Collection<Cepstra>) {
    let count = parts.reduce(0) { $0 + $1.count }
    guard count > 0 else { return }
    var sums = [Double](repeating: 0, count: Cepstra.width)
    var squares = sums
    for part in parts {
      for (place, value) in part.coefficients.enumerated() {
        sums[place % Cepstra.width] += Double(value)
        squares[place % Cepstra.width] += Double(value) * Double(value)
      }
    }
    for index in 0..<Cepstra.width {
      let mean = sums[index] / Double(count)
      means[index] = Float(mean)
      deviations[index] = Float(
        max(squares[index] / Double(count) - mean * mean, 1e-6).squareRoot())
    }
  }
}
