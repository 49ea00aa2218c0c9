// SPDX-License-Identifier: GPL-3.0-or-later

/// The network in floating point, forwards and backwards: how the loss of labelled frames changes with the gain and
/// the shift of each output. Immutable; safe to use from any thread.
struct VoiceGradient: Sendable {
  struct Result: Sendable {
    /// Minus the logarithms of what the labelled sounds were given, added up.
    var loss: Double
    /// For each layer the derivatives by the logarithms of its gains, then by its shifts in their units.
    var gradient: [Float]
  }

  private let layers: [AcousticWeights.Layer]
  private let reach: Int
  /// For each layer the weights that lead forwards, and those that lead back from its outputs to its inputs.
  private let forwards: [Filter]
  private let backwards: [Filter]

  init(_ weights: AcousticWeights) {
    layers = weights.layers
    reach = weights.reach
    forwards = layers.map { layer in
      Filter(
        width: layer.paddedInputs, outputs: layer.paddedOutputs, taps: layer.taps,
        dilation: layer.dilation, weights: layer.weights.map { Float($0) })
    }
    backwards = layers.map { layer in
      let (width, outputs) = (layer.paddedInputs, layer.paddedOutputs)
      var weights = [Float](repeating: 0, count: layer.weights.count)
      for output in 0..<outputs {
        for tap in 0..<layer.taps {
          for input in 0..<width {
            weights[(input * layer.taps + layer.taps - 1 - tap) * outputs + output] =
              Float(layer.weights[(output * layer.taps + tap) * width + input])
          }
        }
      }
      return Filter(
        width: outputs, outputs: width, taps: layer.taps, dilation: layer.dilation,
        weights: weights)
    }
  }

  /// - Parameters:
  ///   - range: frames of the example; those that are not labelled do not count.
  ///   - unit: of shifts in all layers but the last.
  func result(
    _ example: LabelledFrames, _ range: Range<Int>, _ voice: VoiceAdaptation, _ unit: Float
  ) -> Result {
    // Rows of each layer's inputs, and what its outputs are before they are cut off.
    var inputs: [[Float]] = [rows(of: example, range)]
    var outputs: [[Float]] = []
    for (index, layer) in layers.enumerated() {
      var values = forwards[index].apply(to: inputs[index])
      let width = layer.paddedOutputs
      let change = voice.layers[index]
      for row in stride(from: 0, to: values.count, by: width) {
        for output in 0..<layer.outputs {
          let value = values[row + output] * layer.scales[output] + layer.offsets[output]
          values[row + output] = value * change.gains[output] + change.shifts[output]
        }
      }
      outputs.append(values)
      guard index < layers.count - 1 else { break }
      for place in values.indices {
        values[place] = min(max(values[place], 0), AcousticWeights.Layer.greatestActivation)
      }
      inputs.append(values)
    }
    var (loss, slopes) = losses(example.labels[range], outputs[layers.count - 1])
    var parts: [[Float]] = []
    for index in layers.indices.reversed() {
      let layer = layers[index]
      let width = layer.paddedOutputs
      let isLast = index == layers.count - 1
      let change = voice.layers[index]
      var part = [Float](repeating: 0, count: 2 * layer.outputs)
      for row in stride(from: 0, to: slopes.count, by: width) {
        for output in 0..<layer.outputs {
          let value = outputs[index][row + output]
          if !isLast, value <= 0 || value >= AcousticWeights.Layer.greatestActivation {
            slopes[row + output] = 0
            continue
          }
          let slope = slopes[row + output]
          if !isLast { part[output] += slope * (value - change.shifts[output]) }
          part[layer.outputs + output] += slope * (isLast ? 1 : unit)
          slopes[row + output] = slope * layer.scales[output] * change.gains[output]
        }
      }
      parts.append(part)
      guard index > 0 else { break }
      // Each input is weighed by all outputs that it reaches.
      let margin = [Float](repeating: 0, count: 2 * layer.reach * width)
      slopes = backwards[index].apply(to: margin + slopes + margin)
    }
    return Result(loss: loss, gradient: parts.reversed().flatMap { $0 })
  }

  /// The frames of a range and as many around it as they depend on; beyond the ends of the recording zeros.
  private func rows(of example: LabelledFrames, _ range: Range<Int>) -> [Float] {
    let bands = LogMelFrames.bandCount
    let width = AcousticWeights.Layer.padded(bands)
    var rows = [Float](repeating: 0, count: (range.count + 2 * reach) * width)
    for row in 0..<range.count + 2 * reach {
      let frame = range.lowerBound - reach + row
      guard example.labels.indices.contains(frame) else { continue }
      for band in 0..<bands {
        rows[row * width + band] = Float(example.input[frame * bands + band])
      }
    }
    return rows
  }

  /// The loss of frames, and how it changes with the last layer's outputs.
  private func losses(
    _ labels: ArraySlice<UInt8?>, _ logits: [Float]
  ) -> (loss: Double, slopes: [Float]) {
    let sounds = layers[layers.count - 1].outputs
    let width = layers[layers.count - 1].paddedOutputs
    var slopes = [Float](repeating: 0, count: logits.count)
    var loss = 0.0
    for (frame, label) in labels.enumerated() {
      guard let label, label < sounds else { continue }
      let row = frame * width
      var greatest = logits[row]
      for sound in 1..<sounds { greatest = max(greatest, logits[row + sound]) }
      var total: Float = 0
      for sound in 0..<sounds {
        slopes[row + sound] = Exponential.exp(logits[row + sound] - greatest)
        total += slopes[row + sound]
      }
      for sound in 0..<sounds { slopes[row + sound] /= total }
      slopes[row + Int(label)] -= 1
      loss += Double(greatest + Exponential.log(total) - logits[row + Int(label)])
    }
    return (loss, slopes)
  }
}

/// A convolution in time.
private struct Filter: Sendable {
  /// Numbers in a row of the input, and of the output; multiples of eight.
  let width: Int
  let outputs: Int
  let taps: Int
  let dilation: Int
  /// `outputs x taps x width`.
  let weights: [Float]

  /// Rows that have all their neighbours, `rows x outputs`.
  func apply(to input: [Float]) -> [Float] {
    let rows = input.count / width - (taps - 1) * dilation
    guard rows > 0 else { return [] }
    return [Float](unsafeUninitializedCapacity: rows * outputs) { result, count in
      input.withUnsafeBufferPointer { input in
        weights.withUnsafeBufferPointer { weights in
          guard let input = input.baseAddress, let weights = weights.baseAddress,
            let result = result.baseAddress
          else { return }
          // Four outputs at a time, so that what is loaded is used more than once.
          for output in stride(from: 0, to: outputs, by: 4) {
            for row in 0..<rows {
              let sums = sums(input + row * width, weights + output * taps * width)
              for place in 0..<4 { result[row * outputs + output + place] = sums[place] }
            }
          }
        }
      }
      count = rows * outputs
    }
  }

  @inline(__always)
  private func sums(_ input: UnsafePointer<Float>, _ weights: UnsafePointer<Float>) -> SIMD4<Float>
  {
    var (a, b, c, d) = (SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>())
    let length = taps * width
    var weight = weights
    for tap in 0..<taps {
      var value = input + tap * dilation * width
      let end = value + width
      while value < end {
        let x = Self.load(value)
        a += x * Self.load(weight)
        b += x * Self.load(weight + length)
        c += x * Self.load(weight + 2 * length)
        d += x * Self.load(weight + 3 * length)
        value += 8
        weight += 8
      }
    }
    return SIMD4(Self.total(a), Self.total(b), Self.total(c), Self.total(d))
  }

  @inline(__always)
  private static func load(_ pointer: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(pointer).loadUnaligned(as: SIMD8<Float>.self)
  }

  /// In a fixed order.
  @inline(__always)
  private static func total(_ values: SIMD8<Float>) -> Float {
    let four = values.lowHalf + values.highHalf
    let two = four.lowHalf + four.highHalf
    return two.x + two.y
  }
}
