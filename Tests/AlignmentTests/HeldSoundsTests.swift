// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Testing

@testable import Alignment

@Suite struct HeldSoundsTests {
  /// Two sounds and silence, the likelier of which is ahead by so many units.
  private func scores(_ likeliest: [Int], ahead: Int16 = 100) -> AcousticScores {
    var values = [Int16](repeating: 0, count: likeliest.count * 3)
    for (frame, sound) in likeliest.enumerated() { values[frame * 3 + sound] = ahead }
    return AcousticScores(soundCount: 3, values: values)
  }

  /// By how much the likeliest sound of each frame is ahead.
  private func leads(_ scores: AcousticScores) -> [Int] {
    (0..<scores.count).map { frame in
      let row = scores.values[frame * 3..<frame * 3 + 3].sorted()
      return Int(row[2] - row[1])
    }
  }

  @Test func aHeldSoundCountsLessTheFurtherFromItsEnds() {
    let held = leads(scores([Int](repeating: 0, count: 21)).withHeldSoundsCountedLess)
    #expect(held[..<6].allSatisfy { $0 == 100 })
    #expect(held[6] == 85)
    #expect(held[10] == 54)
    #expect(held == held.reversed())
    #expect(zip(held[..<11], held[1..<11]).allSatisfy { $0 >= $1 })
  }

  @Test func whatChangesCountsInFull() {
    let changing = scores((0..<40).map { $0 / 8 % 2 })
    #expect(changing.withHeldSoundsCountedLess == changing)
  }

  @Test func silenceCountsInFull() {
    let silence = scores([Int](repeating: 2, count: 40))
    #expect(silence.withHeldSoundsCountedLess == silence)
  }

  @Test func theLikeliestSoundKeepsItsScore() {
    let held = scores([Int](repeating: 1, count: 60)).withHeldSoundsCountedLess
    #expect((0..<60).allSatisfy { held.values[$0 * 3 + 1] == 100 })
  }
}
