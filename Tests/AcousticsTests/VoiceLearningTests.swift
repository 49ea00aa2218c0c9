// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TestSupport
import Testing

@testable import Acoustics

@Suite("VoiceLearning")
struct VoiceLearningTests {
  private static func network(seed: UInt64 = 1) throws -> AcousticNetwork {
    AcousticNetwork(try AcousticWeights(WeightFile.usual(seed: seed).bytes))
  }

  /// Frames that an adapted network hears best as their labels: there is something to learn.
  private static func example(_ network: AcousticNetwork, frames count: Int) throws
    -> LabelledFrames
  {
    var random = SplitMix64(state: 5)
    let frames = LogMelFrames(
      levels: (0..<count * LogMelFrames.bandCount).map { _ in .random(in: 40...200, using: &random)
      })
    var voice = VoiceAdaptation(none: network.weights)
    for layer in voice.layers.indices {
      for unit in voice.layers[layer].gains.indices where layer < voice.layers.count - 1 {
        voice.layers[layer].gains[unit] = .random(in: 0.5...1.5, using: &random)
      }
    }
    let other = AcousticNetwork(try #require(network.weights.adapted(by: voice)))
    let scores = other.scores(of: frames)
    let labels = (0..<count).map { frame -> UInt8? in
      let row = scores.values[frame * scores.soundCount..<(frame + 1) * scores.soundCount]
      return frame % 50 == 0
        ? nil : row.indices.max { row[$0] < row[$1] }.map { UInt8($0 - row.startIndex) }
    }
    return LabelledFrames(frames, labels: labels)
  }

  @Test("What is learnt makes labelled frames fit better")
  func fitsBetter() throws {
    let network = try Self.network()
    let example = try Self.example(network, frames: 1500)
    let learning = VoiceLearning(threadCount: 2)
    let voice = try #require(learning.learn([example], for: network))
    #expect(voice.isPlausible)
    let adapted = AcousticNetwork(try #require(network.weights.adapted(by: voice)))
    let before = try #require(learning.loss(of: [example], by: network))
    let after = try #require(learning.loss(of: [example], by: adapted))
    #expect(after < before - 0.01)
  }

  @Test("One, two and seven threads learn the same bits")
  func threads() throws {
    let network = try Self.network()
    let examples = [
      try Self.example(network, frames: 900), try Self.example(network, frames: 300),
    ]
    let alone = VoiceLearning(threadCount: 1).learn(examples, for: network)
    for threads in [2, 7] {
      #expect(VoiceLearning(threadCount: threads).learn(examples, for: network) == alone)
    }
  }

  @Test("Gradients are what small changes of the loss say")
  func gradients() throws {
    let network = try Self.network(seed: 3)
    let example = try Self.example(network, frames: 60)
    let model = VoiceGradient(network.weights)
    let none = VoiceAdaptation(none: network.weights)
    let gradient = model.result(example, 0..<60, none, 1).gradient
    func loss(_ change: (inout VoiceAdaptation) -> Void) -> Double {
      var voice = none
      change(&voice)
      return model.result(example, 0..<60, voice, 1).loss
    }
    var first = 0
    for (layer, change) in none.layers.enumerated() {
      let count = change.gains.count
      for unit in stride(from: 0, to: count, by: 6) {
        let step: Float = layer == none.layers.count - 1 ? 0.02 : 0.5
        let slope =
          (loss { $0.layers[layer].shifts[unit] += step }
            - loss { $0.layers[layer].shifts[unit] -= step }) / Double(2 * step)
        let expected = Double(gradient[first + count + unit])
        #expect(abs(slope - expected) <= 0.05 + 0.1 * abs(expected), "layer \(layer), unit \(unit)")
      }
      first += 2 * count
    }
  }

  @Test("Nothing is learnt of nothing, nor once the flag is raised")
  func nothing() throws {
    let network = try Self.network()
    let empty = LabelledFrames(LogMelFrames(), labels: [])
    #expect(VoiceLearning(threadCount: 1).learn([empty], for: network) == nil)
    #expect(VoiceLearning(threadCount: 1).loss(of: [empty], by: network) == nil)
    let stopped = StopFlag()
    stopped.stop()
    let example = try Self.example(network, frames: 100)
    #expect(
      VoiceLearning(threadCount: 1, stopFlag: stopped).learn([example], for: network) == nil)
  }

  @Test("An adaptation for other weights, or with numbers that are none, is refused")
  func refused() throws {
    let weights = try Self.network().weights
    var voice = VoiceAdaptation(none: weights)
    #expect(weights.adapted(by: voice)?.fingerprint == weights.fingerprint)
    voice.layers[0].gains[0] = .nan
    #expect(weights.adapted(by: voice) == nil)
    voice.layers[0].gains[0] = 2
    #expect(weights.adapted(by: voice)?.fingerprint != weights.fingerprint)
    voice.layers[0].shifts[0] = .infinity
    #expect(weights.adapted(by: voice) == nil)
    voice = VoiceAdaptation(none: weights)
    voice.layers.removeLast()
    #expect(weights.adapted(by: voice) == nil)
    voice = VoiceAdaptation(none: weights)
    voice.layers[1].shifts.removeLast()
    #expect(weights.adapted(by: voice) == nil)
  }
}
