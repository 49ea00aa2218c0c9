// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Alignment
import TestSupport
import Testing
import Workflows

@Suite("LearntTraits")
struct LearntTraitsTests {
  private static let traits = LearntTraits(
    weights: 0x0123_4567_89AB_CDEF, owner: "Husary \u{645}",
    voice: VoiceAdaptation(layers: [
      .init(gains: [1, 0.5, 2], shifts: [0, -3, 40]), .init(gains: [1], shifts: [0.25]),
    ]),
    placement: EdgePlacement(inPause: .init(.middle, offset: 0.125), joined: -0.05))

  @Test("What is written is read again")
  func roundTrip() throws {
    for traits in [
      Self.traits, LearntTraits(weights: 0, owner: ""),
      LearntTraits(weights: 1, owner: "x", placement: EdgePlacement(joined: 0.2)),
    ] {
      #expect(try LearntTraits(traits.bytes) == traits)
      #expect(traits.name.count == 16)
    }
    #expect(LearntTraits(weights: 0, owner: "").isEmpty)
    #expect(Self.traits.belongs(to: "Husary \u{645}") && !Self.traits.belongs(to: "Husary"))
  }

  @Test("A name of any length is cut between characters and still belongs to its owner")
  func longName() throws {
    let name = String(repeating: "\u{645}\u{64E}", count: 5000)
    let traits = try LearntTraits(LearntTraits(weights: 2, owner: name).bytes)
    #expect(traits.owner.utf8.count <= 1024 && traits.belongs(to: name))
  }

  @Test("Every cut file and every changed byte is refused")
  func damaged() {
    let bytes = Self.traits.bytes
    for count in bytes.indices {
      #expect(throws: LearntTraitsError.self) { try LearntTraits(Array(bytes[..<count])) }
      var changed = bytes
      changed[count] ^= 0x10
      #expect(throws: LearntTraitsError.self) { try LearntTraits(changed) }
    }
    #expect(throws: LearntTraitsError.self) { try LearntTraits(bytes + [0]) }
  }

  @Test(
    "Whatever a file with a right checksum says, it is read or refused, and what is read is plausible"
  )
  func fuzz() {
    var random = SplitMix64(state: 11)
    let bytes = Array(Self.traits.bytes.dropLast(8))
    var read = 0
    for _ in 0..<20_000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        changed[.random(in: 12..<changed.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      if Bool.random(using: &random) {
        changed = Array(changed.prefix(.random(in: 0...changed.count, using: &random)))
      }
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in changed { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      withUnsafeBytes(of: hash.littleEndian) { changed += $0 }
      guard let traits = try? LearntTraits(changed) else { continue }
      read += 1
      #expect(traits.voice?.isPlausible ?? true)
      #expect(traits.placement?.isPlausible ?? true)
    }
    #expect((100...19_900).contains(read))
  }

  @Test("It is used with the weights that it was learnt with, and with no others")
  func otherWeights() {
    var workflow = AlignmentWorkflow(threadCount: 1, sidecars: nil)
    let fingerprint = workflow.network.weights.fingerprint
    #expect(!workflow.use(Self.traits) && workflow.placement == nil)
    // Of the right weights, but of another shape.
    var wrong = Self.traits
    wrong.weights = fingerprint
    #expect(!workflow.use(wrong) && workflow.placement == nil)
    let own = LearntTraits(
      weights: fingerprint, owner: "", placement: EdgePlacement(joined: 0.1))
    #expect(workflow.use(own) && workflow.placement == own.placement)
    #expect(workflow.network.weights.fingerprint == fingerprint)
  }
}
