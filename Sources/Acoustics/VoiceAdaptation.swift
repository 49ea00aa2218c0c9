// SPDX-License-Identifier: GPL-3.0-or-later

/// The adaptation of the acoustic network to one voice in one room: a factor and an offset for each
/// of its outputs.
///
/// The weights stay as they are, so an adaptation is some thousand numbers. The method is known as
/// learning hidden unit contributions (Swietojanski and Renals, "Learning hidden unit contributions
/// for unsupervised speaker adaptation of neural network acoustic models", SLT 2014).
public struct VoiceAdaptation: Hashable, Sendable {
  public struct Layer: Hashable, Sendable {
    /// One factor for each output, for its scale and its offset,
    public var gains: [Float]
    /// and one offset, added after the factor.
    public var shifts: [Float]

    public init(gains: [Float], shifts: [Float]) {
      self.gains = gains
      self.shifts = shifts
    }
  }

  public var layers: [Layer]

  public init(layers: [Layer]) { self.layers = layers }

  /// What changes nothing.
  init(none weights: AcousticWeights) {
    layers = weights.layers.map { layer in
      Layer(
        gains: [Float](repeating: 1, count: layer.outputs),
        shifts: [Float](repeating: 0, count: layer.outputs))
    }
  }

  /// Whether every number is in the range that learning produces.
  public var isPlausible: Bool {
    layers.allSatisfy { layer in
      layer.gains.allSatisfy { Self.gainRange.contains($0) }
        && layer.shifts.allSatisfy { Self.shiftRange.contains($0) }
    }
  }

  /// Factors beyond this make another network; neither learning nor a file goes further.
  static let gainRange: ClosedRange<Float> = 1 / 8...8
  /// As far as activations go.
  static let shiftRange =
    -AcousticWeights.Layer.greatestActivation...AcousticWeights.Layer.greatestActivation
}

extension AcousticWeights {
  /// The weights adapted to a voice; nil if the voice was learnt for other weights.
  public func adapted(by voice: VoiceAdaptation) -> AcousticWeights? {
    guard voice.layers.count == layers.count, voice.isPlausible else { return nil }
    var result = self
    for (index, change) in voice.layers.enumerated() {
      let outputs = layers[index].outputs
      guard change.gains.count == outputs, change.shifts.count == outputs else { return nil }
      for output in 0..<outputs {
        result.layers[index].scales[output] *= change.gains[output]
        result.layers[index].offsets[output] *= change.gains[output]
        result.layers[index].offsets[output] += change.shifts[output]
      }
    }
    return result
  }

  /// A hash of all numbers in the weights (FNV-1a).
  public var fingerprint: UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ bits: UInt32) {
      for shift in [0, 8, 16, 24] as [UInt32] {
        hash = (hash ^ UInt64(bits >> shift & 0xFF)) &* 0x100_0000_01B3
      }
    }
    add(version)
    for layer in layers {
      for number in [layer.inputs, layer.outputs, layer.taps, layer.dilation] {
        add(UInt32(truncatingIfNeeded: number))
      }
      for weight in layer.weights { add(UInt32(truncatingIfNeeded: weight)) }
      for number in layer.scales + layer.offsets { add(number.bitPattern) }
    }
    for prior in priors { add(prior.bitPattern) }
    return hash
  }
}
