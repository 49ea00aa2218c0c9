// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import AudioCore
import Glibc

/// Measures the level in four bands of the voice, once a hop.
///
/// The sound is mixed to mono, thinned out to 8-16 kHz and looked at through a Hann window of 256 of
/// those samples that ends with the hop. Everything has a finite memory, so a hop's bands do not depend
/// on where reading began.
struct BandAnalyzer: ~Copyable {
  /// Hertz; bands 0...3 lie between neighbours.
  static let edges: [Float] = [80, 500, 1130, 2150, 3400]
  private static let windowLength = 256

  private let channels: Int
  /// Every `thinning`th frame is kept.
  private let thinning: Int
  /// The low-pass before the thinning, last tap first, a multiple of 8 long.
  private let taps: [Float]
  /// Mono frames: `taps.count - 1` old ones, then those of the hop.
  private let mono: UnsafeMutableBufferPointer<Float>
  /// The last `windowLength` thinned samples.
  private let thinned: UnsafeMutableBufferPointer<Float>
  /// Frame number of the first mono frame that is not old.
  private var position: Int64
  private let fourier: RealFourierTransform
  private let window: [Float]
  private let bandBins: [Range<Int>]

  /// - Parameter start: the frame that the first `measure` begins with.
  init(format: AudioFormat, start: FramePosition) {
    let rate = format.rate.hertz
    channels = format.channels
    thinning = Self.thinning(at: format.rate)
    taps = Self.lowPass(thinning: thinning)
    position = start.frames
    mono = .allocate(
      capacity: taps.count + max(Int(Self.memory(at: format.rate).frames), rate / 100 + 2))
    mono.initialize(repeating: 0)
    thinned = .allocate(capacity: Self.windowLength)
    thinned.initialize(repeating: 0)
    fourier = RealFourierTransform(length: Self.windowLength)
    let phases = (0..<Self.windowLength).map {
      2 * Float.pi * (Float($0) + 0.5) / Float(Self.windowLength)
    }
    let hann = phases.map { 0.5 - 0.5 * cosf($0) }
    // So that the sum over all bins is the mean square.
    let energy = hann.reduce(0) { $0 + $1 * $1 }
    let scale = (2 / (energy * Float(Self.windowLength))).squareRoot()
    window = hann.map { $0 * scale }
    let binWidth = Float(rate) / Float(thinning) / Float(Self.windowLength)
    bandBins = zip(Self.edges, Self.edges.dropFirst()).map { low, high in
      let first = min(Int((low / binWidth).rounded(.up)), Self.windowLength / 2)
      return first..<min(max(first, Int((high / binWidth).rounded(.up))), Self.windowLength / 2)
    }
  }

  deinit {
    mono.deallocate()
    thinned.deallocate()
  }

  /// Frames before a hop that its bands still depend on.
  static func memory(at rate: SampleRate) -> FrameCount {
    let thinning = thinning(at: rate)
    return FrameCount(Int64(thinning * windowLength + lowPassLength(thinning: thinning)))
  }

  /// Takes in frames that come before the first hop.
  mutating func prime(_ samples: UnsafePointer<Float>, frames: Int) {
    position -= Int64(frames)
    take(samples, frames: frames)
  }

  /// Takes in a hop's frames, interleaved, and packs the levels as `Hop.bands` keeps them.
  mutating func measure(_ samples: UnsafePointer<Float>, frames: Int) -> UInt32 {
    take(samples, frames: frames)
    let input = fourier.input
    for index in 0..<Self.windowLength { input[index] = thinned[index] * window[index] }
    fourier.run()
    var packed: UInt32 = 0
    for (band, bins) in bandBins.enumerated() {
      var power: Float = 0
      for bin in bins {
        let (real, imaginary) = fourier.output(bin)
        power += real * real + imaginary * imaginary
      }
      packed |= Hop.bandCode(power) << UInt32(8 * band)
    }
    return packed
  }

  private mutating func take(_ samples: UnsafePointer<Float>, frames: Int) {
    let old = taps.count - 1
    let fresh = mono.baseAddress! + old
    MonoMix.mix(samples, frames: frames, channels: channels, into: fresh)
    // Frames whose number is a multiple of `thinning` are kept, wherever reading began.
    let remainder = Int(position % Int64(thinning))
    let first = remainder == 0 ? 0 : thinning - remainder
    let count = first < frames ? (frames - first + thinning - 1) / thinning : 0
    let kept = min(count, Self.windowLength)
    let target = thinned.baseAddress!
    target.update(from: target + kept, count: Self.windowLength - kept)
    taps.withUnsafeBufferPointer { taps in
      let weights = UnsafeRawPointer(taps.baseAddress!)
      for index in 0..<kept {
        let frame = first + (count - kept + index) * thinning
        let source = UnsafeRawPointer(mono.baseAddress! + frame)
        var sum = SIMD8<Float>()
        for offset in stride(from: 0, to: taps.count * 4, by: 32) {
          sum +=
            source.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
            * weights.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
        }
        target[Self.windowLength - kept + index] = sum.sum()
      }
    }
    mono.baseAddress!.update(from: mono.baseAddress! + frames, count: old)
    position += Int64(frames)
  }

  private static func thinning(at rate: SampleRate) -> Int { max(1, rate.hertz / 8000) }

  private static func lowPassLength(thinning: Int) -> Int {
    thinning == 1 ? 8 : (12 * thinning + 7) / 8 * 8
  }

  /// A sinc at 0.43 of the thinned rate under a Blackman window.
  ///
  /// At a thinned rate of 8 kHz it is flat to 2.6 kHz, and 2.4 dB down at 3 kHz and 5.6 dB at 3.4 kHz,
  /// which a band's changes do not show. What would fold into the bands is down by 50 dB and more, but
  /// for the top 400 Hz: there by 32 dB at the very edge.
  private static func lowPass(thinning: Int) -> [Float] {
    let length = lowPassLength(thinning: thinning)
    guard thinning > 1 else { return (0..<length).map { $0 == length - 1 ? 1 : 0 } }
    let cutoff = 0.43 / Float(thinning)
    let taps = (0..<length).map { tap -> Float in
      let distance = Float(tap) - Float(length - 1) / 2
      let angle = 2 * Float.pi * cutoff * distance
      let sinc = distance == 0 ? 2 * cutoff : sinf(angle) / (Float.pi * distance)
      let phase = 2 * Float.pi * (Float(tap) + 0.5) / Float(length)
      return sinc * (0.42 - 0.5 * cosf(phase) + 0.08 * cosf(2 * phase))
    }
    let gain = taps.reduce(0, +)
    return taps.map { $0 / gain }
  }
}
