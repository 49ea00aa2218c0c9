// SPDX-License-Identifier: GPL-3.0-or-later

import AcousticModel
import TestSupport
import Testing

@testable import Acoustics

@Suite("AcousticWeights")
struct AcousticWeightsTests {
  @Test("What is in a file is in the weights")
  func reading() throws {
    let file = WeightFile.usual()
    let weights = try AcousticWeights(file.bytes)
    #expect(weights.version == 7)
    #expect(weights.soundCount == 39)
    #expect(weights.priors == file.priors)
    #expect(weights.reach == 4)
    for (layer, written) in zip(weights.layers, file.layers) {
      #expect(Array(layer.scales.prefix(layer.outputs)) == written.scales)
      #expect(Array(layer.offsets.prefix(layer.outputs)) == written.offsets)
      for row in 0..<layer.outputs * layer.taps {
        for input in 0..<layer.inputs {
          #expect(
            layer.weights[row * layer.paddedInputs + input]
              == Int16(written.weights[row * layer.inputs + input]))
        }
      }
    }
  }

  @Test("One cut off anywhere, or with more than it says, is refused")
  func truncated() {
    let bytes = WeightFile.usual().bytes
    for count in 0..<min(bytes.count, 200) {
      #expect(throws: AcousticWeightsError.self) { try AcousticWeights(Array(bytes.prefix(count))) }
    }
    for count in stride(from: 200, to: bytes.count, by: 41) {
      #expect(throws: AcousticWeightsError.wrongLength) {
        try AcousticWeights(Array(bytes.prefix(count)))
      }
    }
    #expect(throws: AcousticWeightsError.wrongLength) { try AcousticWeights(bytes + [0]) }
  }

  @Test("Another file, or another version of the format, is refused")
  func format() {
    for place in 0..<12 {
      var bytes = WeightFile.usual().bytes
      bytes[place] ^= 1
      #expect(throws: AcousticWeightsError.unknownFormat) { try AcousticWeights(bytes) }
    }
  }

  @Test(
    "Shapes that fit neither the features nor one another are refused, before memory is asked for")
  func shapes() {
    /// A file whose first layer claims a shape.
    func claiming(_ numbers: [Int]) -> [UInt8] {
      var bytes = WeightFile.usual().bytes
      for (index, number) in numbers.enumerated() {
        withUnsafeBytes(of: UInt32(number).littleEndian) {
          bytes.replaceSubrange(20 + 4 * index..<24 + 4 * index, with: $0)
        }
      }
      return bytes
    }
    let huge = Int(UInt32.max)
    for shape in [
      [25, 20, 5, 1], [0, 20, 5, 1], [huge, 20, 5, 1], [26, 0, 5, 1], [26, huge, 5, 1],
      [26, 4097, 5, 1], [26, 20, 0, 1], [26, 20, 4, 1], [26, 20, 11, 1], [26, 20, huge, 1],
      [26, 20, 5, 0], [26, 20, 5, 17], [26, 20, 5, huge],
    ] {
      #expect(throws: AcousticWeightsError.wrongShape) { try AcousticWeights(claiming(shape)) }
    }
    #expect(throws: AcousticWeightsError.wrongLength) {
      try AcousticWeights(claiming([26, 4096, 9, 1]))
    }
    for count in [0, 65, huge] {
      var bytes = WeightFile.usual().bytes
      withUnsafeBytes(of: UInt32(count).littleEndian) { bytes.replaceSubrange(16..<20, with: $0) }
      #expect(throws: AcousticWeightsError.wrongShape) { try AcousticWeights(bytes) }
    }
    let wide = WeightFile(widths: [26, 1821, 2], taps: [1, 9], dilations: [1, 1])
    #expect(throws: AcousticWeightsError.wrongShape) { try AcousticWeights(wide.bytes) }
    var other = WeightFile.usual()
    other.layers[1].inputs = 19
    #expect(throws: AcousticWeightsError.wrongShape) { try AcousticWeights(other.bytes) }
  }

  @Test("Numbers that are none are refused", arguments: [Float.nan, .infinity, -.infinity])
  func notFinite(number: Float) {
    var file = WeightFile.usual()
    file.priors[3] = number
    #expect(throws: AcousticWeightsError.wrongShape) { try AcousticWeights(file.bytes) }
    file = .usual()
    file.layers[1].scales[2] = number
    #expect(throws: AcousticWeightsError.wrongShape) { try AcousticWeights(file.bytes) }
    file = .usual()
    file.layers[2].offsets[0] = number
    #expect(throws: AcousticWeightsError.wrongShape) { try AcousticWeights(file.bytes) }
  }

  @Test("A file with bytes changed at random is refused or gives scores")
  func mutations() {
    let small = WeightFile(widths: [26, 5, 4], taps: [3, 1], dilations: [2, 1]).bytes
    let frames = AcousticNetworkTests.frames(12, seed: 1)
    var random = SplitMix64(state: 5)
    var refused = 0
    for _ in 0..<4000 {
      var bytes = small
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        // Most often where the shapes are.
        let place = Bool.random(using: &random) ? 60 : bytes.count
        bytes[Int.random(in: 8..<place, using: &random)] = .random(in: 0...255, using: &random)
      }
      if Int.random(in: 0..<10, using: &random) == 0 {
        bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
      }
      do throws(AcousticWeightsError) {
        let weights = try AcousticWeights(bytes)
        #expect(AcousticNetwork(weights).scores(of: frames).values.count == 48)
      } catch {
        refused += 1
      }
    }
    #expect((500..<3900).contains(refused))
  }
}

@Suite("The built-in weights")
struct AcousticModelTests {
  @Test("Text to base 85 is what RFC 1924 says")
  func base85() {
    // base64.b85encode(bytes([0, 1, 2, 3, 250, 251, 252, 253]))
    #expect(Base85.decode("009C6\n  `uqI-", count: 8) == [0, 1, 2, 3, 250, 251, 252, 253])
    #expect(Base85.decode("", count: 0) == [])
  }

  @Test("They are all there, and are weights")
  func whole() throws {
    let bytes = Base85.decode(AcousticModelTable.text, count: AcousticModelTable.byteCount)
    #expect(bytes.count == AcousticModelTable.byteCount)
    #expect(try AcousticWeights(bytes).soundCount == AcousticNetwork.builtIn.weights.soundCount)
  }
}
