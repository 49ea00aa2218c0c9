// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// The confirmed sounds of the frames of a recording.
public struct LabelledFrames: Sendable {
  /// Normalised over the whole recording, `count x LogMelFrames.bandCount`.
  let input: [Int8]
  /// The sound of each frame; nil if nobody has confirmed it.
  public let labels: [UInt8?]

  /// - Parameter labels: as many as there are frames.
  public init(_ frames: LogMelFrames, labels: [UInt8?]) {
    input = frames.normalized()
    self.labels = labels
  }

  /// How many frames are labelled.
  public var count: Int { labels.lazy.filter { $0 != nil }.count }
}

/// Adapts a network to a voice and a room, by gradient descent on frames whose sounds are known.
///
/// Floating point in a fixed order, with nothing but additions, multiplications, divisions and square roots: the same
/// frames give the same bits, with any number of threads.
public struct VoiceLearning: Sendable {
  public var threadCount: Int
  public var stopFlag: StopFlag

  public init(threadCount: Int, stopFlag: StopFlag = StopFlag()) {
    self.threadCount = threadCount
    self.stopFlag = stopFlag
  }

  // Of 10, 100 and 400 the price of a change that left the fewest wrong edges of a reciter who was left out of training, with other
  // voices, clipped and in a reverberant room, in a prototype of `Scripts/measure-learning.py`: 172, 169 and 160 errors, 221 without.
  private static let price: Float = 400
  /// Steps, and the rate of learning of the first; it falls evenly to zero.
  private static let steps = 30
  private static let rate: Float = 0.03
  /// Activations to one unit of what is learnt, so that shifts and factors change about as fast.
  private static let shiftUnit: Float = 100

  /// The adaptation that fits the frames; nil if the flag is raised or there are no frames.
  ///
  /// - Parameter progress: told the share done, 0...1.
  public func learn(
    _ examples: [LabelledFrames], for network: AcousticNetwork,
    progress: (@Sendable (Double) -> Void)? = nil
  ) -> VoiceAdaptation? {
    let blocks = Self.blocks(of: examples)
    let count = examples.reduce(0) { $0 + $1.count }
    guard count > 0 else { return nil }
    let layers = network.weights.layers
    let model = VoiceGradient(network.weights)
    var adam = AdaptiveMoments(count: layers.reduce(0) { $0 + 2 * $1.outputs })
    for step in 0..<Self.steps {
      if stopFlag.isStopped { return nil }
      let voice = Self.adaptation(adam.values, layers)
      var gradient = sum(blocks, examples, model, voice).gradient
      for index in gradient.indices {
        gradient[index] = (gradient[index] + 2 * Self.price * adam.values[index]) / Float(count)
      }
      adam.step(gradient, rate: Self.rate * (1 - Float(step) / Float(Self.steps)))
      progress?(Double(step + 1) / Double(Self.steps))
    }
    return Self.adaptation(adam.values, layers)
  }

  /// The mean cross-entropy of the labelled sounds, in nats per frame; nil if nothing is labelled.
  public func loss(of examples: [LabelledFrames], by network: AcousticNetwork) -> Double? {
    let count = examples.reduce(0) { $0 + $1.count }
    guard count > 0 else { return nil }
    let model = VoiceGradient(network.weights)
    let total = sum(
      Self.blocks(of: examples), examples, model, VoiceAdaptation(none: network.weights)
    ).loss
    return total / Double(count)
  }

  // MARK: - Blocks

  struct Block {
    var example: Int
    var frames: Range<Int>
  }

  private static let framesPerBlock = 256

  /// Stretches of labelled frames.
  private static func blocks(of examples: [LabelledFrames]) -> [Block] {
    examples.indices.flatMap { index -> [Block] in
      let labels = examples[index].labels
      return stride(from: 0, to: labels.count, by: framesPerBlock).compactMap { first in
        let range = first..<min(first + framesPerBlock, labels.count)
        let known = labels[range].indices.filter { labels[$0] != nil }
        guard let low = known.first, let high = known.last else { return nil }
        return Block(example: index, frames: low..<high + 1)
      }
    }
  }

  private func sum(
    _ blocks: [Block], _ examples: [LabelledFrames], _ model: VoiceGradient,
    _ voice: VoiceAdaptation
  ) -> (loss: Double, gradient: [Float]) {
    let results = WorkerThread.map(blocks.count, among: threadCount) { number in
      let block = blocks[number]
      return model.result(examples[block.example], block.frames, voice, Self.shiftUnit)
    }
    var loss = 0.0
    var gradient = [Float](repeating: 0, count: 2 * voice.layers.reduce(0) { $0 + $1.gains.count })
    for result in results {
      loss += result.loss
      for index in gradient.indices { gradient[index] += result.gradient[index] }
    }
    return (loss, gradient)
  }

  /// What is learnt holds for each output the logarithm of its gain, layer by layer, and its shift.
  private static func adaptation(
    _ values: [Float], _ layers: [AcousticWeights.Layer]
  ) -> VoiceAdaptation {
    var first = 0
    return VoiceAdaptation(
      layers: layers.enumerated().map { index, layer in
        defer { first += 2 * layer.outputs }
        let isLast = index == layers.count - 1
        let unit = isLast ? 1 : shiftUnit
        return VoiceAdaptation.Layer(
          gains: (0..<layer.outputs).map { isLast ? 1 : gain(values[first + $0]) },
          shifts: (0..<layer.outputs).map {
            let shift = unit * values[first + layer.outputs + $0]
            return min(
              max(shift, VoiceAdaptation.shiftRange.lowerBound),
              VoiceAdaptation.shiftRange.upperBound)
          })
      })
  }

  private static func gain(_ logarithm: Float) -> Float {
    let gain = logarithm < 0 ? Exponential.exp(logarithm) : 1 / Exponential.exp(-logarithm)
    return min(
      max(gain, VoiceAdaptation.gainRange.lowerBound), VoiceAdaptation.gainRange.upperBound)
  }
}

/// Adam (Kingma and Ba, 2015), with the numbers of that paper.
private struct AdaptiveMoments {
  private(set) var values: [Float]
  private var means: [Float]
  private var squares: [Float]
  private var decays: (Float, Float) = (1, 1)

  init(count: Int) {
    values = [Float](repeating: 0, count: count)
    means = values
    squares = values
  }

  mutating func step(_ gradient: [Float], rate: Float) {
    decays.0 *= 0.9
    decays.1 *= 0.999
    for index in values.indices {
      means[index] = 0.9 * means[index] + 0.1 * gradient[index]
      squares[index] = 0.999 * squares[index] + 0.001 * gradient[index] * gradient[index]
      let mean = means[index] / (1 - decays.0)
      let square = squares[index] / (1 - decays.1)
      values[index] -= rate * mean / (square.squareRoot() + 1e-8)
    }
  }
}
