// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TestSupport
import Testing

@testable import Analysis

/// Recitations that do not go straight on, heard by lengths and by the likeness of a voice with itself.
@Suite struct OrderTests {
  private func range(_ text: String) throws -> AyahRange { try AyahRange(parsing: text) }

  private func ayah(_ text: String) throws -> AyahReference { try range(text).first }

  private func recitation(_ parts: [String], seed: UInt64 = 3) throws -> PlantedRecitation {
    var recitation = PlantedRecitation(random: SplitMix64(state: seed), isAlike: true)
    for part in parts { recitation.recite(try range(part)) }
    return recitation
  }

  private func align(
    _ recitation: PlantedRecitation, _ text: String, isEndTold: Bool = true, isHeard: Bool = true
  ) throws -> AyahAlignment {
    let range = try range(text)
    return try AyahAligner(recitation.envelope).align(
      AlignmentRequest(first: range.first, last: isEndTold ? range.last : nil),
      sound: isHeard ? recitation.sound() : nil)
  }

  private func count(_ assignment: Assignment, in alignment: AyahAlignment) -> Int {
    alignment.segments.count { $0.assignment == assignment }
  }

  @Test(arguments: [true, false])
  func findsAnAyahThatIsSaidTwice(isEndTold: Bool) throws {
    let recitation = try recitation(["67:1-8", "67:8-20"])
    let alignment = try align(recitation, "67:1-20", isEndTold: isEndTold)
    #expect(count(.ayah(try ayah("67:8")), in: alignment) == 2)
    #expect(recitation.found(by: alignment) >= 20)
    #expect(alignment.remarks.count == 1)
    #expect(alignment.remarks.first?.hasPrefix("67:8 is heard again at ") == true)
    #expect(alignment.last == (try ayah("67:20")))
  }

  @Test func findsThatTheReciterWentBackThreeAyat() throws {
    let recitation = try recitation(["79:1-20", "79:18-46"], seed: 5)
    let alignment = try align(recitation, "79:1-46")
    for back in ["79:18", "79:19", "79:20"] {
      #expect(count(.ayah(try ayah(back)), in: alignment) == 2)
    }
    #expect(recitation.found(by: alignment) >= 47)
    #expect(alignment.remarks.first?.hasPrefix("79:18-20 are heard again at ") == true)
  }

  @Test func findsAnAyahThatIsSaidThreeTimes() throws {
    let recitation = try recitation(["67:1-8", "67:8", "67:8-20"], seed: 7)
    let alignment = try align(recitation, "67:1-20")
    #expect(count(.ayah(try ayah("67:8")), in: alignment) == 3)
    #expect(recitation.found(by: alignment) >= 21)
  }

  @Test func findsThatTheLastAyahIsSaidTwice() throws {
    let recitation = try recitation(["67:1-20", "67:20"], seed: 9)
    let alignment = try align(recitation, "67:1-20")
    #expect(count(.ayah(try ayah("67:20")), in: alignment) == 2)
    #expect(recitation.found(by: alignment) >= 20)
  }

  @Test func findsAnAyahThatIsBegunAnew() throws {
    var recitation = try recitation(["67:1-10"], seed: 12)
    let broken = try ayah("67:11")
    recitation.reciteBeginning(
      "\(broken)", units: broken.length.phoneticUnits, share: 0.6)
    recitation.recite(try range("67:11-20"))
    let alignment = try align(recitation, "67:1-20")
    #expect(count(.ayah(broken, part: .beginning), in: alignment) == 1)
    #expect(count(.ayah(broken), in: alignment) == 1)
    #expect(recitation.found(by: alignment) >= 19)
    #expect(alignment.remarks.first?.hasPrefix("a part of 67:11 is heard again at ") == true)
  }

  @Test func wordsThatComeTwiceInThePassageAreNoRepeat() throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 13), isAlike: true)
    // The second is longer by one particle, and else the same.
    recitation.alike = ["78:5": "78:4", "78:20": "78:18"]
    recitation.recite(try range("78:1-30"))
    let alignment = try align(recitation, "78:1-30")
    #expect(alignment.remarks.isEmpty)
    #expect(recitation.found(by: alignment) >= 29)
  }

  @Test(arguments: [15, 16, 17])
  func aRecitationThatGoesStraightOnIsLeftAsItIs(seed: UInt64) throws {
    let recitation = try recitation(["67:1-30"], seed: seed)
    let alignment = try align(recitation, "67:1-30")
    #expect(alignment == (try align(recitation, "67:1-30", isHeard: false)))
    #expect(alignment.remarks.isEmpty)
  }

  @Test func saysThatAyatSeemToBeLeftOut() throws {
    let recitation = try recitation(["2:1-20", "2:23-40"], seed: 19)
    let alignment = try align(recitation, "2:1-40")
    #expect(alignment.remarks.count == 1)
    #expect(alignment.remarks.first?.contains("to be left out at ") == true)
    #expect(recitation.found(by: alignment) >= 34)
    let sureness = alignment.segments.map(\.confidence).min() ?? 1
    #expect(sureness <= 0.5)
  }

  @Test func segmentsOfARecitationThatGoesBackTileIt() throws {
    let recitation = try recitation(["79:1-20", "79:18-30", "79:30-46"], seed: 21)
    let alignment = try align(recitation, "79:1-46")
    var position = FramePosition.zero
    for segment in alignment.segments {
      #expect(segment.span.lowerBound == position)
      #expect(segment.span.upperBound > position)
      position = segment.span.upperBound
    }
    #expect(position == FramePosition.zero + recitation.envelope.length)
    #expect(alignment == (try align(recitation, "79:1-46")))
  }

  @Test func whatIsSaidAgainStaysSoWhileAPersonConfirms() throws {
    let recitation = try recitation(["79:1-20", "79:18-46"], seed: 5)
    let range = try range("79:1-46")
    var session = try AlignmentSession(
      AyahAligner(recitation.envelope),
      AlignmentRequest(first: range.first, last: range.last), sound: recitation.sound())
    let before = session.alignment
    let confirmed = try #require(
      before.segments.first { $0.assignment == .ayah(AyahReference(surah: 79, ayah: 40)!) })
    let anchors = AlignmentAnchors(spans: [.init(confirmed.span, confirmed.assignment)])
    let after = try session.realign(anchors)
    #expect(count(.ayah(try ayah("79:19")), in: after) == 2)
  }

  @Test func aClockWithoutSomeStretchesGoesThereAndBack() {
    let clock = CutClock([20...25, 3...4])
    #expect(clock.left(before: 2) == 2)
    #expect(clock.left(before: 3.5) == 3)
    #expect(clock.left(before: 30) == 24)
    #expect(clock.place(after: 2) == 2)
    #expect(clock.place(after: 3) == 3)
    #expect(clock.place(after: 24) == 30)
    #expect(clock.left(of: 3.2...3.8) == 3...3)
  }

  @Test func hardlyAnythingOfAStraightRecitationIsHeard() throws {
    let recitation = try recitation(["36:1-83"], seed: 23)
    let sound = recitation.sound()
    let heard = Monitor(0.0)
    let excerpts = SoundExcerpts { span in
      heard.update { $0 += span.length.seconds(at: PlantedRecitation.rate) }
      return sound.part(span, rate: PlantedRecitation.rate)
    }
    let range = try range("36:1-83")
    _ = try AyahAligner(recitation.envelope).align(
      AlignmentRequest(first: range.first, last: range.last), excerpts: excerpts)
    #expect(heard.update { $0 } < 0.2 * recitation.seconds)
  }
}
