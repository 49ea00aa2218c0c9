// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// Scores each speech sound in each log-mel frame.
///
/// A stack of convolutions in time with rectified activations. Products are integers and summed
/// exactly; the remaining arithmetic runs in a fixed order, so every machine and every number of
/// threads gives the same bits. Immutable; safe to use from any thread.
public struct AcousticNetwork: Sendable {
  public let weights: AcousticWeights

  /// Frames that a thread does at a time: their activations stay in its processor's cache.
  private static let framesPerBlock = 256

  public init(_ weights: AcousticWeights) { self.weights = weights }

  /// The score of each sound in each frame.
  ///
  /// - Parameter threadCount: threads to share the work; the result is the same for any number.
  public func scores(of frames: LogMelFrames, threadCount: Int = 1) -> AcousticScores {
    let input = frames.normalized()
    let count = frames.count
    let sounds = weights.soundCount
    let blocks = (count + Self.framesPerBlock - 1) / Self.framesPerBlock
    let values = [Int16](unsafeUninitializedCapacity: count * sounds) { buffer, initialized in
      // Blocks are written by whoever does them, each by one thread.
      nonisolated(unsafe) let output = buffer.baseAddress
      WorkerThread.share(blocks, among: threadCount) { next in
        let room = Activations(for: weights, frames: Self.framesPerBlock)
        while let block = next(), let output {
          let first = block * Self.framesPerBlock
          let range = first..<min(first + Self.framesPerBlock, count)
          run(range, of: input, count: count, room, into: output + first * sounds)
        }
      }
      initialized = count * sounds
    }
    return AcousticScores(soundCount: sounds, values: values)
  }

  private func run(
    _ range: Range<Int>, of input: [Int8], count: Int, _ room: Activations,
    into output: UnsafeMutablePointer<Int16>
  ) {
    let bands = LogMelFrames.bandCount
    // What lies beyond the ends of the recording is as the mean: zero.
    var first = range.lowerBound - weights.reach
    var frames = range.count + 2 * weights.reach
    var (values, next) = (room.first, room.second)
    var width = AcousticWeights.Layer.padded(bands)
    for frame in 0..<frames {
      let row = values + frame * width
      row.update(repeating: 0, count: width)
      guard (0..<count).contains(first + frame) else { continue }
      for band in 0..<bands { row[band] = Int16(input[(first + frame) * bands + band]) }
    }
    for layer in weights.layers.dropLast() {
      frames -= 2 * layer.reach
      first += layer.reach
      layer.activate(values, frames: frames, into: next)
      width = layer.paddedOutputs
      // Beyond the ends there is nothing to hear in this layer either.
      for frame in 0..<frames where !(0..<count).contains(first + frame) {
        (next + frame * width).update(repeating: 0, count: width)
      }
      swap(&values, &next)
    }
    guard let last = weights.layers.last else { return }
    last.score(values, frames: range.count, into: room.logits)
    for frame in 0..<range.count {
      normalize(room.logits + frame * last.paddedOutputs, into: output + frame * last.outputs)
    }
  }

  /// Turns what the last layer says of a frame into logarithms of probabilities divided by those that sounds
  /// have anywhere.
  private func normalize(
    _ logits: UnsafePointer<Float>, into output: UnsafeMutablePointer<Int16>
  ) {
    var greatest = logits[0]
    for sound in 1..<weights.soundCount { greatest = max(greatest, logits[sound]) }
    var total: Float = 0
    for sound in 0..<weights.soundCount { total += Exponential.exp(logits[sound] - greatest) }
    let norm = greatest + Exponential.log(total)
    weights.priors.withUnsafeBufferPointer { priors in
      for sound in 0..<priors.count {
        output[sound] = AcousticScores.code(logits[sound] - norm - priors[sound])
      }
    }
  }
}

/// The score of each sound in each frame of a recording.
public struct AcousticScores: Hashable, Sendable {
  public let soundCount: Int
  /// `count x soundCount`: the log of the posterior of the sound in this frame over its prior, in
  /// 1/128 nat.
  public let values: [Int16]

  public static let unitsPerNat = 128

  public var count: Int { soundCount == 0 ? 0 : values.count / soundCount }

  public init(soundCount: Int, values: [Int16]) {
    self.soundCount = soundCount
    self.values = values
  }

  /// The scores of some frames, numbered from 0.
  public subscript(frames: Range<Int>) -> AcousticScores {
    AcousticScores(
      soundCount: soundCount,
      values: Array(values[frames.lowerBound * soundCount..<frames.upperBound * soundCount]))
  }

  /// No frame weighs more than this against a sound, in nats: a cough within a word costs what it costs.
  private static let leastScore: Float = -10

  static func code(_ score: Float) -> Int16 {
    Int16((min(max(score, leastScore), 20) * Float(unitsPerNat)).rounded())
  }
}

/// Room for the activations of two layers and for logits, frame by frame. Belongs to one thread.
private final class Activations {
  let first: UnsafeMutablePointer<Int16>
  let second: UnsafeMutablePointer<Int16>
  let logits: UnsafeMutablePointer<Float>

  init(for weights: AcousticWeights, frames: Int) {
    let widths = weights.layers.flatMap { [$0.paddedInputs, $0.paddedOutputs] }
    let capacity = (frames + 2 * weights.reach) * (widths.max() ?? 0)
    first = .allocate(capacity: capacity)
    first.initialize(repeating: 0, count: capacity)
    second = .allocate(capacity: capacity)
    second.initialize(repeating: 0, count: capacity)
    let logitCount = frames * AcousticWeights.Layer.padded(weights.soundCount)
    logits = .allocate(capacity: logitCount)
    logits.initialize(repeating: 0, count: logitCount)
  }

  deinit {
    first.deallocate()
    second.deallocate()
    logits.deallocate()
  }
}

extension AcousticWeights.Layer {
  /// The rectified activations of frames that have all their neighbours, `frames x paddedOutputs`.
  fileprivate func activate(
    _ input: UnsafePointer<Int16>, frames: Int, into output: UnsafeMutablePointer<Int16>
  ) {
    forEachGroup(of: input, frames: frames) { frame, unit, sums, scale, offset in
      var values = SIMD4<Float>(sums) * scale + offset
      values.replace(with: 0, where: values .< 0)
      values.replace(
        with: Self.greatestActivation, where: values .> Self.greatestActivation)
      // Added to 2^23, a number below has its nearest whole number in the last bits.
      let bits = unsafeBitCast(values + 0x1p23, to: SIMD4<UInt32>.self)
      UnsafeMutableRawPointer(output + frame * paddedOutputs + unit)
        .storeBytes(of: SIMD4<Int16>(truncatingIfNeeded: bits), as: SIMD4<Int16>.self)
    }
  }

  /// What frames say of each output before it is a probability, `frames x paddedOutputs`.
  fileprivate func score(
    _ input: UnsafePointer<Int16>, frames: Int, into output: UnsafeMutablePointer<Float>
  ) {
    forEachGroup(of: input, frames: frames) { frame, unit, sums, scale, offset in
      var values = SIMD4<Float>(sums) * scale + offset
      // Weights that nobody trained may ask for anything.
      values.replace(with: -Self.greatestLogit, where: values .< -Self.greatestLogit)
      values.replace(with: Self.greatestLogit, where: values .> Self.greatestLogit)
      UnsafeMutableRawPointer(output + frame * paddedOutputs + unit)
        .storeBytes(of: values, as: SIMD4<Float>.self)
    }
  }

  private static let greatestLogit: Float = 10_000

  /// Sums of weighted inputs, with their scales and offsets, four outputs at a time.
  ///
  /// Two frames at a time too, so that what is loaded is used more than once; eight products of 16 bits at a
  /// time, added in pairs, which is one instruction on x86-64.
  @inline(__always)
  private func forEachGroup(
    of input: UnsafePointer<Int16>, frames: Int,
    _ body: (
      _ frame: Int, _ output: Int, _ sums: SIMD4<Int32>, _ scale: SIMD4<Float>,
      _ offset: SIMD4<Float>
    ) -> Void
  ) {
    let width = paddedInputs
    let rowLength = taps * width
    let step = dilation * width
    weights.withUnsafeBufferPointer { weights in
      guard let weights = weights.baseAddress else { return }
      for output in stride(from: 0, to: paddedOutputs, by: 4) {
        let scale = SIMD4(
          scales[output], scales[output + 1], scales[output + 2], scales[output + 3])
        let offset = SIMD4(
          offsets[output], offsets[output + 1], offsets[output + 2], offsets[output + 3])
        let rows = weights + output * rowLength
        var frame = 0
        while frame < frames {
          // An odd frame out is done twice.
          let other = min(frame + 1, frames - 1)
          let (one, two) = Self.sums(
            input + frame * width, input + other * width, step: step, rows, rowLength: rowLength,
            width: width)
          body(frame, output, one, scale, offset)
          body(other, output, two, scale, offset)
          frame += 2
        }
      }
    }
  }

  @inline(__always)
  private static func sums(
    _ one: UnsafePointer<Int16>, _ two: UnsafePointer<Int16>, step: Int,
    _ weights: UnsafePointer<Int16>, rowLength: Int, width: Int
  ) -> (SIMD4<Int32>, SIMD4<Int32>) {
    var (a0, a1, a2, a3) = (SIMD4<Int32>(), SIMD4<Int32>(), SIMD4<Int32>(), SIMD4<Int32>())
    var (b0, b1, b2, b3) = (a0, a0, a0, a0)
    var (x, y, w) = (one, two, weights)
    let end = weights + rowLength
    while w < end {
      let tapEnd = w + width
      var (u, v) = (x, y)
      while w < tapEnd {
        let a = load(u)
        let b = load(v)
        var row = load(w)
        a0 &+= products(a, row)
        b0 &+= products(b, row)
        row = load(w + rowLength)
        a1 &+= products(a, row)
        b1 &+= products(b, row)
        row = load(w + 2 * rowLength)
        a2 &+= products(a, row)
        b2 &+= products(b, row)
        row = load(w + 3 * rowLength)
        a3 &+= products(a, row)
        b3 &+= products(b, row)
        u += 8
        v += 8
        w += 8
      }
      x += step
      y += step
    }
    return (
      SIMD4(a0.wrappedSum(), a1.wrappedSum(), a2.wrappedSum(), a3.wrappedSum()),
      SIMD4(b0.wrappedSum(), b1.wrappedSum(), b2.wrappedSum(), b3.wrappedSum())
    )
  }

  @inline(__always)
  private static func load(_ pointer: UnsafePointer<Int16>) -> SIMD8<Int32> {
    SIMD8<Int32>(
      truncatingIfNeeded: UnsafeRawPointer(pointer).loadUnaligned(as: SIMD8<Int16>.self))
  }

  @inline(__always)
  private static func products(_ a: SIMD8<Int32>, _ b: SIMD8<Int32>) -> SIMD4<Int32> {
    let products = a &* b
    return products.evenHalf &+ products.oddHalf
  }
}

/// The exponential function and the logarithm by additions and multiplications alone, since those of C
/// libraries differ from machine to machine.
enum Exponential {
  /// e to the power of x, for x <= 0; relative error below 1e-5.
  static func exp(_ x: Float) -> Float {
    let scaled = max(x * 1.442_695, -126)
    let whole = scaled.rounded(.down)
    let rest = scaled - whole
    // 2^rest by Taylor's series around 1/2, with ln(2)^n / n! for coefficients.
    let y = rest - 0.5
    var power: Float = 0.001_333_355_8
    power = power * y + 0.009_618_129
    power = power * y + 0.055_504_11
    power = power * y + 0.240_226_51
    power = power * y + 0.693_147_2
    power = power * y + 1
    let scale = Float(bitPattern: UInt32(Int32(whole) + 127) << 23)
    return power * 1.414_213_5 * scale
  }

  /// The natural logarithm of x >= 1; absolute error below 1e-5.
  static func log(_ x: Float) -> Float {
    let bits = x.bitPattern
    let exponent = Float(Int32(bits >> 23) - 127)
    let mantissa = Float(bitPattern: bits & 0x7F_FFFF | 0x3F80_0000)
    // 2 artanh((m - 1) / (m + 1)).
    let ratio = (mantissa - 1) / (mantissa + 1)
    let square = ratio * ratio
    var series: Float = 1 / 9
    series = series * square + 1 / 7
    series = series * square + 1 / 5
    series = series * square + 1 / 3
    series = series * square + 1
    return 2 * ratio * series + exponent * 0.693_147_2
  }
}
