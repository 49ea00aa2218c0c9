// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@testable import Acoustics

@Suite("AcousticNetwork")
struct AcousticNetworkTests {
  @Test(
    "It gives what its layers say, written down plainly",
    arguments: [1, 2, 3, 255, 256, 257, 600])
  func plainly(count: Int) throws {
    for (seed, file) in [
      WeightFile.usual(), .usual(seed: 9),
      WeightFile(widths: [26, 8, 39], taps: [3, 1], dilations: [1, 1]),
      WeightFile(widths: [26, 33, 7, 16, 5], taps: [9, 1, 3, 3], dilations: [1, 1, 16, 2]),
      WeightFile(widths: [26, 1], taps: [1], dilations: [1]),
    ].enumerated() {
      let frames = Self.frames(count, seed: UInt64(seed))
      let scores = AcousticNetwork(try AcousticWeights(file.bytes)).scores(of: frames)
      let plain = PlainNetwork(file: file).scores(of: frames)
      #expect(scores.count == count && scores.soundCount == file.priors.count)
      #expect(scores.values.count == plain.count)
      // Floating point of the C library: a unit of 1/128 nat either way.
      let difference = zip(scores.values, plain).map { abs(Double($0) - $1) }.max() ?? 0
      #expect(difference <= 0.51, "network \(seed)")
      if count > 2, file.priors.count > 1 { #expect(Set(scores.values).count > 10) }
    }
  }

  @Test("One, two and three threads give the same bits, and more threads than frames too")
  func threads() throws {
    let network = AcousticNetwork(try AcousticWeights(WeightFile.usual().bytes))
    for count in [0, 1, 700, 1500] {
      let frames = Self.frames(count, seed: 3)
      let alone = network.scores(of: frames, threadCount: 1)
      for threads in [0, 2, 3, 64] {
        #expect(network.scores(of: frames, threadCount: threads) == alone)
      }
    }
  }

  @Test("Without priors the scores of a frame are logarithms of probabilities that add up to 1")
  func probabilities() throws {
    var file = WeightFile.usual()
    file.priors = file.priors.map { _ in 0 }
    let scores = AcousticNetwork(try AcousticWeights(file.bytes)).scores(
      of: Self.frames(50, seed: 1))
    for frame in 0..<50 {
      let row = scores.values[frame * 39..<(frame + 1) * 39]
      // What is below e^-10 counts as that.
      let sum = row.filter { $0 > -1280 }.reduce(0) { $0 + exp(Double($1) / 128) }
      #expect(abs(sum - 1) < 0.01)
    }
  }

  @Test("A sound's prior takes away from its score")
  func priors() throws {
    var file = WeightFile(widths: [26, 3], taps: [1], dilations: [1])
    file.layers[0].scales = [0, 0, 0]
    file.layers[0].offsets = [0, 0, 0]
    file.priors = [0, -1, -2]
    let scores = AcousticNetwork(try AcousticWeights(file.bytes)).scores(
      of: Self.frames(2, seed: 1))
    // ln(1/3) in 1/128 nat.
    #expect(scores.values == [-141, -13, 115, -141, -13, 115])
  }

  @Test("A stretch of scores is what it was in the whole")
  func stretch() throws {
    let network = AcousticNetwork(try AcousticWeights(WeightFile.usual().bytes))
    let scores = network.scores(of: Self.frames(30, seed: 2))
    let part = scores[10..<15]
    #expect(part.count == 5)
    #expect(part.values == Array(scores.values[390..<585]))
  }

  @Test("Weights of any size that a file may hold give numbers")
  func absurdWeights() throws {
    for scale in [
      Float.greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e30, .leastNonzeroMagnitude,
    ] {
      var file = WeightFile.usual()
      for layer in file.layers.indices {
        file.layers[layer].scales = file.layers[layer].scales.map { _ in scale }
        file.layers[layer].offsets = file.layers[layer].offsets.map { _ in -scale }
      }
      file.priors = file.priors.map { _ in scale }
      let network = AcousticNetwork(try AcousticWeights(file.bytes))
      #expect(network.scores(of: Self.frames(40, seed: 1)).count == 40)
    }
  }

  @Test("The widest row there may be does not overflow")
  func widestRow() throws {
    var file = WeightFile(widths: [26, 1820, 2], taps: [1, 9], dilations: [1, 1])
    file.layers[0].weights = file.layers[0].weights.map { _ in 0 }
    file.layers[0].offsets = file.layers[0].offsets.map { _ in 5000 }
    file.layers[1].weights = file.layers[1].weights.indices.map { $0 < 1820 * 9 ? -128 : 127 }
    file.layers[1].scales = [1e-9, 1e-9]
    file.layers[1].offsets = [0, 0]
    file.priors = [0, 0]
    let network = AcousticNetwork(try AcousticWeights(file.bytes))
    let scores = network.scores(of: Self.frames(20, seed: 1))
    // -2.145 against 2.128.
    #expect(abs(Int(scores.values[20]) - -549) <= 1 && scores.values[21] == -2)
  }

  @Test("The built-in network can be read, and says something about every sound")
  func builtIn() {
    let network = AcousticNetwork.builtIn
    #expect(network.weights.soundCount == 39)
    let scores = network.scores(of: Self.frames(100, seed: 4))
    #expect(scores.count == 100)
    for sound in 0..<39 {
      #expect(Set((0..<100).map { scores.values[$0 * 39 + sound] }).count > 1)
    }
  }

  /// Levels that wander as a voice's do.
  static func frames(_ count: Int, seed: UInt64) -> LogMelFrames {
    var random = SplitMix64(state: seed)
    return LogMelFrames(
      levels: (0..<count * 26).map { _ in UInt8.random(in: 90...190, using: &random) })
  }
}

/// The network as its layout says, number by number.
private struct PlainNetwork {
  let file: WeightFile

  /// Scores in 1/128 nat, not rounded.
  func scores(of frames: LogMelFrames) -> [Double] {
    let count = frames.count
    var values = frames.normalized().map { Int($0) }
    for layer in file.layers.dropLast() {
      values = sums(layer, values, count).enumerated().map { index, sum in
        let unit = index % layer.outputs
        let value = Float(sum) * layer.scales[unit] + layer.offsets[unit]
        return Int(min(max(value, 0), 1023).rounded(.toNearestOrEven))
      }
    }
    guard let last = file.layers.last else { return [] }
    let logits = sums(last, values, count).enumerated().map { index, sum in
      Double(Float(sum) * last.scales[index % last.outputs] + last.offsets[index % last.outputs])
    }
    return (0..<count).flatMap { frame in
      let row = logits[frame * last.outputs..<(frame + 1) * last.outputs]
      let norm = log(row.reduce(0) { $0 + exp($1) })
      return zip(row, file.priors).map {
        128 * min(max($0 - norm - Double($1), -10), 20)
      }
    }
  }

  private func sums(_ layer: WeightFile.Layer, _ values: [Int], _ count: Int) -> [Int] {
    (0..<count).flatMap { frame in
      (0..<layer.outputs).map { output in
        var sum = 0
        for tap in 0..<layer.taps {
          let neighbour = frame + (tap - layer.taps / 2) * layer.dilation
          guard (0..<count).contains(neighbour) else { continue }
          for input in 0..<layer.inputs {
            sum +=
              values[neighbour * layer.inputs + input]
              * Int(layer.weights[(output * layer.taps + tap) * layer.inputs + input])
          }
        }
        return sum
      }
    }
  }
}

@Suite("Exponential")
struct ExponentialTests {
  @Test("The exponential function is right to a hundred-thousandth, down to where it vanishes")
  func exponential() {
    for step in 0...80_000 {
      let x = -Float(step) / 1000
      let right = Foundation.exp(Double(x))
      #expect(abs(Double(Exponential.exp(x)) - right) <= 1e-5 * right + 1e-37)
    }
    #expect(Exponential.exp(0) <= 1.000_003)
    #expect(Exponential.exp(-1e30) < 1e-37)
  }

  @Test("The logarithm is right to a hundred-thousandth")
  func logarithm() {
    for step in 0...100_000 {
      let x = 1 + Float(step) * Float(step) / 1000
      #expect(abs(Double(Exponential.log(x)) - Foundation.log(Double(x))) < 1e-5)
    }
    #expect(Exponential.log(1) == 0)
  }
}
