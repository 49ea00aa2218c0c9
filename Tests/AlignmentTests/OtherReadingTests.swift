// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import AudioCore
import Quran
import Testing

@testable import Alignment

@Suite struct OtherReadingTests {
  private func ayah(_ number: Int) throws -> AyahReference {
    try AyahReference(checking: 23, ayah: number)
  }

  /// The first ayat of al-Mu'minun in Warsh, with a pause after each.
  private func recitation() throws -> Speech {
    var speech = Speech()
    speech.riwayah = .warsh
    speech.pause(10)
    for number in 1...8 {
      speech.say(try ayah(number))
      speech.pause(10)
    }
    return speech
  }

  private func found(
    _ speech: Speech, in riwayah: Riwayah
  ) throws -> (alignment: AyahAlignment, misfit: Double) {
    let outcome = try speech.aligner(in: riwayah).outcome(
      AlignmentRequest(first: ayah(1), last: ayah(8)))
    return (outcome.alignment, try #require(outcome.found).misfit)
  }

  @Test func itsOwnSoundsFitWarshBetterThanThoseOfHafs() throws {
    let speech = try recitation()
    let (warsh, hafs) = (try found(speech, in: .warsh), try found(speech, in: .hafs))
    #expect(warsh.misfit < 0.05, "\(warsh.misfit)")
    #expect(hafs.misfit > warsh.misfit + 0.1, "\(hafs.misfit)")
    #expect(warsh.alignment.remarks.isEmpty)
    #expect(
      warsh.alignment.segments.compactMap { $0.assignment.recited?.first }
        == speech.ayat.map(\.ayah))
  }

  @Test func aReadingOfWhichTheSoundsAreNotKnownIsAlignedAndSaidToBeOne() throws {
    let speech = try recitation()
    let (hafs, qalun) = (try found(speech, in: .hafs), try found(speech, in: .qalun))
    #expect(qalun.misfit < hafs.misfit)
    #expect(qalun.alignment.remarks == [.otherReading(.qalun)])
    #expect(qalun.alignment.doubt == nil)
    #expect(
      qalun.alignment.segments.compactMap { $0.assignment.recited?.first }
        == speech.ayat.map(\.ayah))
  }

  @Test func itsPlaceIsFoundByItsOwnSounds() throws {
    let report = try #require(
      try recitation().aligner(in: .warsh).places(PlaceSearch(in: AyahRange(parsing: "18-30"))))
    #expect(report.candidates.first?.first == (try ayah(1)))
    #expect(report.misfit < 0.05)
  }

  @Test func forgivenSoundsCostAsMuchAsLeavingThemOutAndSilenceStays() {
    let price = Int16(ChainPrices().skippedSound)
    let scores = AcousticScores(soundCount: 3, values: [100, -1200, -700, 5, 4, 900])
    #expect(
      scores.forgivingOtherSounds.values == [100, 100 - price, -700, 5, 4, 900])
  }
}
