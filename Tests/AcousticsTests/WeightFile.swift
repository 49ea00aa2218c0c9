// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport

/// A file of weights of any shape, filled with random numbers.
struct WeightFile {
  struct Layer {
    var inputs: Int
    var outputs: Int
    var taps: Int
    var dilation: Int
    var weights: [Int8]
    var scales: [Float]
    var offsets: [Float]
  }

  var version: UInt32 = 7
  var layers: [Layer]
  var priors: [Float]

  /// - Parameter widths: of the input, then of each layer's output.
  init(widths: [Int], taps: [Int], dilations: [Int], seed: UInt64 = 1) {
    var random = SplitMix64(state: seed)
    layers = zip(widths, widths.dropFirst()).enumerated().map { index, width in
      let (inputs, outputs) = width
      let last = index == widths.count - 2
      return Layer(
        inputs: inputs, outputs: outputs, taps: taps[index], dilation: dilations[index],
        weights: (0..<inputs * outputs * taps[index]).map { _ in
          .random(in: -128...127, using: &random)
        },
        scales: (0..<outputs).map { _ in .random(in: 0...(last ? 0.0001 : 0.01), using: &random) },
        offsets: (0..<outputs).map { _ in .random(in: -50...100, using: &random) * (last ? 0.02 : 1)
        })
    }
    priors = (0..<(widths.last ?? 0)).map { _ in .random(in: -7 ... -2, using: &random) }
  }

  /// As wide and deep as a network that is of use, so with every kind of padding.
  static func usual(seed: UInt64 = 1) -> WeightFile {
    WeightFile(widths: [26, 20, 21, 39], taps: [5, 3, 1], dilations: [1, 2, 1], seed: seed)
  }

  var bytes: [UInt8] {
    var bytes = Array("TILAWAAW".utf8)
    func add(_ number: UInt32) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
    for number in [1, version, UInt32(layers.count)] { add(number) }
    for layer in layers {
      for number in [layer.inputs, layer.outputs, layer.taps, layer.dilation] {
        add(UInt32(number))
      }
      bytes += layer.weights.map { UInt8(bitPattern: $0) }
      for number in layer.scales + layer.offsets { add(number.bitPattern) }
    }
    for prior in priors { add(prior.bitPattern) }
    return bytes
  }
}
