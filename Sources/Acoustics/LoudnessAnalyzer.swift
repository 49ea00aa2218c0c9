// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Glibc

/// Applies the K-weighting of ITU-R BS.1770-4 and sums the power of each tenth of a second, in
/// blocks of any size.
///
/// Libebur128 computes the same, but takes 4.8 s for 90 minutes in stereo; this takes a third of
/// that. Tests compare the two.
public struct LoudnessAnalyzer: ~Copyable {
  private let rate: Int
  private let channels: Int
  private let filter: KWeighting
  private var states: [KWeighting.State]
  /// For each pair of channels the squares of this tenth so far.
  private var sums: [SIMD2<Double>]
  /// For each pair of channels what its squares weigh.
  private let weights: [SIMD2<Double>]
  private var position: Int
  private var tenth: Int

  /// - Parameter start: the first pushed frame. Unless it is 0, `prime` comes first.
  public init(format: AudioFormat, start: FramePosition = .zero) {
    rate = format.rate.hertz
    channels = format.channels
    filter = KWeighting(rate: Double(rate))
    let pairs = (channels + 1) / 2
    states = [KWeighting.State](repeating: KWeighting.State(), count: pairs)
    sums = [SIMD2<Double>](repeating: SIMD2(), count: pairs)
    let weights = Self.weights(channels: channels) + [0]
    self.weights = (0..<pairs).map { SIMD2(weights[2 * $0], weights[2 * $0 + 1]) }
    position = Int(start.frames)
    tenth = Self.tenth(containing: position, rate: rate)
  }

  /// The number of frames before the start that `prime` needs, if the stream has that many: a tenth
  /// of a second, after which a billionth is left in the high-pass at 38 Hz.
  public static func primingLength(at rate: SampleRate) -> FrameCount {
    FrameCount(Int64(rate.hertz / 10))
  }

  /// An empty result for what this analyzer measures.
  public var emptyTenths: LoudnessTenths { LoudnessTenths(firstTenth: tenth) }

  /// Takes the frames right before the start, interleaved.
  public mutating func prime(_ samples: UnsafeBufferPointer<Float>) {
    guard let base = samples.baseAddress else { return }
    take(base, frames: samples.count / channels)
    clearSums()
  }

  /// Takes the next frames, interleaved, and appends each tenth that is now complete.
  public mutating func push(
    _ samples: UnsafeBufferPointer<Float>, into tenths: inout LoudnessTenths
  ) {
    guard let base = samples.baseAddress else { return }
    tenths.raise(peak: Self.peak(samples))
    let count = samples.count / channels
    var index = 0
    while index < count {
      let end = Self.start(ofTenth: tenth + 1, rate: rate)
      let frames = min(end - position, count - index)
      take(base + index * channels, frames: frames)
      index += frames
      position += frames
      if position == end { complete(into: &tenths) }
    }
  }

  /// Appends the last, incomplete tenth.
  public mutating func finish(into tenths: inout LoudnessTenths) {
    if position > Self.start(ofTenth: tenth, rate: rate) { complete(into: &tenths) }
  }

  /// The number of complete tenths of a second in a recording of this length.
  public static func wholeTenths(in length: FrameCount, at rate: SampleRate) -> Int {
    tenth(containing: Int(length.frames), rate: rate.hertz)
  }

  private mutating func complete(into tenths: inout LoudnessTenths) {
    let frames = Self.start(ofTenth: tenth + 1, rate: rate) - Self.start(ofTenth: tenth, rate: rate)
    let power = zip(sums, weights).reduce(0) { $0 + ($1.0 * $1.1).sum() }
    tenths.append(power / Double(frames))
    clearSums()
    tenth += 1
    for pair in states.indices { states[pair].dropTraces() }
  }

  /// As `HopGrid` counts: a tenth of a second is ten hops.
  private static func start(ofTenth tenth: Int, rate: Int) -> Int {
    tenth * rate / LoudnessTenths.perSecond
  }

  private static func tenth(containing position: Int, rate: Int) -> Int {
    var tenth = position * LoudnessTenths.perSecond / rate
    while start(ofTenth: tenth + 1, rate: rate) <= position { tenth += 1 }
    return tenth
  }

  private mutating func clearSums() {
    for pair in sums.indices { sums[pair] = SIMD2() }
  }

  private mutating func take(_ samples: UnsafePointer<Float>, frames: Int) {
    for pair in states.indices {
      let isAlone = 2 * pair + 1 == channels
      var state = states[pair]
      var squares = sums[pair]
      var source = samples + 2 * pair
      for _ in 0..<frames {
        let sample = SIMD2<Double>(Double(source[0]), isAlone ? 0 : Double(source[1]))
        let heard = filter.next(sample, &state)
        squares += heard * heard
        source += channels
      }
      states[pair] = state
      sums[pair] = squares
    }
  }

  private static func peak(_ samples: UnsafeBufferPointer<Float>) -> Float {
    let bytes = UnsafeRawBufferPointer(samples)
    var greatest = SIMD8<Float>()
    var least = SIMD8<Float>()
    var index = 0
    while index + 8 <= samples.count {
      let values = bytes.loadUnaligned(fromByteOffset: index * 4, as: SIMD8<Float>.self)
      greatest.replace(with: values, where: values .> greatest)
      least.replace(with: values, where: values .< least)
      index += 8
    }
    var peak = max(greatest.max(), -least.min())
    while index < samples.count {
      peak = max(peak, abs(samples[index]))
      index += 1
    }
    return peak
  }

  /// Left, right, centre, low frequencies, then surround, as libebur128 has it for as many channels.
  private static func weights(channels: Int) -> [Double] {
    switch channels {
    case 1, 2, 3: [Double](repeating: 1, count: channels)
    case 4: [1, 1, 1.41, 1.41]
    case 5: [1, 1, 1, 1.41, 1.41]
    default: [1, 1, 1, 0, 1.41, 1.41] + [Double](repeating: 0, count: channels - 6)
    }
  }
}

/// The two filters of ITU-R BS.1770-4, annex 1, for two channels at a time.
private struct KWeighting {
  struct State {
    // Inputs and outputs of the first filter and outputs of the second, one frame and two frames ago.
    var x1 = SIMD2<Double>()
    var x2 = SIMD2<Double>()
    var y1 = SIMD2<Double>()
    var y2 = SIMD2<Double>()
    var z1 = SIMD2<Double>()
    var z2 = SIMD2<Double>()

    /// In digital silence what is left of the sound would sink to numbers that processors are slow with.
    mutating func dropTraces() {
      for path in [\State.y1, \.y2, \.z1, \.z2] {
        self[keyPath: path].replace(
          with: 0, where: (self[keyPath: path] * self[keyPath: path]) .< 1e-60)
      }
    }
  }

  private let b0, b1, b2, a1, a2: Double
  private let c1, c2: Double

  /// The table in the recommendation is for 48 kHz; what it comes from, for other rates, is from libebur128.
  init(rate: Double) {
    let gain = pow(10, 3.999843853973347 / 20)
    let middle = pow(gain, 0.4996667741545416)
    let shelf = tan(.pi * 1681.974450955533 / rate)
    let width = shelf / 0.7071752369554196
    let norm = 1 + width + shelf * shelf
    b0 = (gain + middle * width + shelf * shelf) / norm
    b1 = 2 * (shelf * shelf - gain) / norm
    b2 = (gain - middle * width + shelf * shelf) / norm
    a1 = 2 * (shelf * shelf - 1) / norm
    a2 = (1 - width + shelf * shelf) / norm
    let pass = tan(.pi * 38.13547087602444 / rate)
    let rest = pass / 0.5003270373238773
    c1 = 2 * (pass * pass - 1) / (1 + rest + pass * pass)
    c2 = (1 - rest + pass * pass) / (1 + rest + pass * pass)
  }

  @inline(__always)
  func next(_ x: SIMD2<Double>, _ state: inout State) -> SIMD2<Double> {
    let y = x * b0 + state.x1 * b1 + state.x2 * b2 - state.y2 * a2 - state.y1 * a1
    let z = y - (state.y1 + state.y1) + state.y2 - state.z2 * c2 - state.z1 * c1
    state.x2 = state.x1
    state.x1 = x
    state.y2 = state.y1
    state.y1 = y
    state.z2 = state.z1
    state.z1 = z
    return z
  }
}
