// SPDX-License-Identifier: GPL-3.0-or-later

import Quran
import TestSupport
import Testing

@testable import Playback

@Suite struct ItineraryTests {
  /// All that is heard by itself, as short text.
  private func order(_ request: PlaybackRequest, atMost count: Int = 50) -> [String] {
    let itinerary = Itinerary(request)
    var occurrence: AyahOccurrence? = itinerary.first
    var order: [String] = []
    while let current = occurrence, order.count < count {
      order.append("\(current.ayah)")
      occurrence = itinerary.following(current)?.occurrence
    }
    return order
  }

  @Test func connectionsAreHeardOnceAroundARepeatedRange() {
    var request = PlaybackRequest(range("2:285-2:286"))
    request.connectionBefore = 1
    request.connectionAfter = 2
    request.ayahRepeat = .times(2)
    request.rangeRepeat = .times(2)
    let pass = ["2:285", "2:285", "2:286", "2:286"]
    #expect(order(request) == ["2:284"] + pass + pass + ["3:1", "3:2"])
  }

  @Test func connectionsEndWithTheQuran() {
    var request = PlaybackRequest(.wholeQuran)
    request.connectionBefore = .max
    request.connectionAfter = .max
    let itinerary = Itinerary(request)
    #expect(itinerary.lead == nil && itinerary.tail == nil)
    #expect(itinerary.extent == .wholeQuran)
  }

  @Test func continuationBeginsAfterTheRangeAndIncludesConnections() {
    var request = PlaybackRequest(range("112:3-112:4"))
    request.connectionAfter = 1
    request.afterRepeat = .continueAyat(3)
    #expect(order(request) == ["112:3", "112:4", "113:1", "113:2", "113:3"])
    request.connectionAfter = 4
    #expect(order(request).last == "113:4")
    request.afterRepeat = .continueAyat(-1)
    request.connectionAfter = -7
    #expect(order(request) == ["112:3", "112:4"])
  }

  @Test func continuationByPagesEndsWithThePageWhateverTheRangeEndsOn() throws {
    var request = PlaybackRequest(try QuranDivision.page.range(of: 3))
    request.afterRepeat = .continuePages(2)
    #expect(Itinerary(request).tail?.last == (try QuranDivision.page.range(of: 5)).last)
    request.range = AyahRange(request.range.first)
    #expect(Itinerary(request).tail?.last == (try QuranDivision.page.range(of: 5)).last)
    request.range = range("114:6")
    #expect(Itinerary(request).tail == nil)
    request.range = range("112:1")
    request.afterRepeat = .continuePages(.max)
    #expect(Itinerary(request).tail?.last == .last)
  }

  @Test func endlessRepetitionHasNoEndAndNothingAfterIt() {
    var request = PlaybackRequest(range("112:1-112:2"))
    request.rangeRepeat = .endless
    request.afterRepeat = .continueAyat(2)
    request.connectionAfter = 1
    #expect(order(request).count == 50)
    #expect(Itinerary(request).extent == request.range)
    request.rangeRepeat = .once
    request.ayahRepeat = .endless
    #expect(Set(order(request)) == ["112:1"])
  }

  @Test func lessThanOnceCountsAsOnce() {
    var request = PlaybackRequest(range("112:1-112:2"))
    request.ayahRepeat = .times(0)
    request.rangeRepeat = .times(-3)
    #expect(order(request) == ["112:1", "112:2"])
  }

  @Test func goingBackFromAPassLeadsIntoTheOneBefore() {
    var request = PlaybackRequest(range("112:1-112:2"))
    request.rangeRepeat = .times(3)
    request.connectionBefore = 1
    request.connectionAfter = 1
    let itinerary = Itinerary(request)
    let second = itinerary.firstOccurrence(of: ayah("112:1"), pass: 2)!
    let before = itinerary.preceding(second)
    #expect(before.ayah == ayah("112:2") && before.pass == 1)
    let first = itinerary.preceding(itinerary.preceding(before))
    #expect(first.ayah == ayah("111:5") && first.part == .connectionBefore)
    #expect(itinerary.preceding(first) == first)
  }

  @Test func leavingAnAyahSkipsItsRepetitions() {
    var request = PlaybackRequest(range("112:1-112:2"))
    request.ayahRepeat = .endless
    request.rangeRepeat = .times(2)
    let itinerary = Itinerary(request)
    var occurrence = itinerary.first
    var passes: [Int] = []
    while let next = itinerary.following(occurrence, skipsRepetitions: true)?.occurrence {
      occurrence = next
      passes.append(next.pass)
    }
    #expect(passes == [1, 2, 2])
  }

  @Test func placesAreCountedWithinTheirPart() {
    var request = PlaybackRequest(range("2:285-2:286"))
    request.connectionBefore = 3
    request.afterRepeat = .continueAyat(5)
    request.ayahRepeat = .times(4)
    let itinerary = Itinerary(request)
    func place(_ text: String) -> PlaybackPlace {
      PlaybackPlace(
        itinerary.firstOccurrence(of: ayah(text), pass: 1)!, of: PlaybackItem.ID(0), in: itinerary)
    }
    #expect(place("2:283").ayahNumber == 2 && place("2:283").ayahCount == 3)
    #expect(place("2:283").repetitions == .once)
    #expect(place("2:286").ayahNumber == 2 && place("2:286").ayahCount == 2)
    #expect(place("2:286").repetitions == .times(4))
    #expect(place("3:5").ayahNumber == 5 && place("3:5").ayahCount == 5)
  }

  @Test func steppingHearsEachAyahOnceMoreThanTheOneBefore() {
    var request = PlaybackRequest(range("112:1-112:3"))
    request.practice = .stepping
    request.connectionAfter = 1
    let pass = ["112:1", "112:2", "112:2", "112:3", "112:3", "112:3"]
    #expect(order(request) == pass + ["112:4"])
    request.rangeRepeat = .times(2)
    #expect(order(request) == pass + pass + ["112:4"])
    request.ayahRepeat = .times(2)
    #expect(order(request).prefix(6) == ["112:1", "112:1", "112:2", "112:2", "112:2", "112:2"])
    request.ayahRepeat = .times(.max)
    #expect(Itinerary(request).occurrenceCount == nil)
    request.ayahRepeat = .endless
    #expect(Set(order(request)) == ["112:1"])
  }

  @Test func cumulativeAddsAnAyahToEachRound() {
    var request = PlaybackRequest(range("112:1-112:3"))
    request.practice = .cumulative
    request.connectionBefore = 1
    let pass = ["112:1", "112:1", "112:2", "112:1", "112:2", "112:3"]
    #expect(order(request) == ["111:5"] + pass)
    request.rangeRepeat = .times(2)
    #expect(order(request) == ["111:5"] + pass + pass)
    request.ayahRepeat = .times(2)
    #expect(
      order(request).prefix(8)
        == ["111:5", "112:1", "112:1", "112:1", "112:2", "112:2", "112:1", "112:2"])
    let itinerary = Itinerary(request)
    // Gone to, an ayah is the new one of its round; gone back from, a round leads into the one before.
    let third = itinerary.firstOccurrence(of: ayah("112:3"), pass: 1)!
    #expect(third.stage == 3)
    let first = itinerary.preceding(itinerary.preceding(third))
    #expect(first.ayah == ayah("112:1") && first.stage == 3)
    let before = itinerary.preceding(first)
    #expect(before.ayah == ayah("112:2") && before.stage == 2)
  }

  @Test func anEndlessRangeThatHadBeenLeftIsGoneBackTo() {
    var request = PlaybackRequest(range("112:1-112:2"))
    request.connectionAfter = 2
    let after = Itinerary(request).firstOccurrence(of: ayah("112:3"), pass: 1)!
    request.rangeRepeat = .endless
    let next = Itinerary(request).following(after)
    #expect(next?.occurrence.ayah == ayah("112:1") && next?.occurrence.pass == 2)
    #expect(next?.step == .nextPass)
  }

  @Test func requestsForOnePassEachAreHeardAsTheWholeIs() {
    var whole = PlaybackRequest(range("112:1-112:3"))
    whole.connectionBefore = 1
    whole.connectionAfter = 1
    whole.afterRepeat = .continueAyat(2)
    for times in 1...4 {
      whole.rangeRepeat = .times(times)
      var parts = [whole, whole, whole]
      for index in parts.indices { parts[index].firstPass = index + 1 }
      parts[0].lastPass = 1
      parts[1].lastPass = 2
      // The last has all that follow.
      let asked = Array(parts.prefix(times))
      #expect(asked.flatMap { order($0) } == order(whole))
      #expect(
        asked.compactMap { Itinerary($0).occurrenceCount }.reduce(0, +)
          == Itinerary(whole).occurrenceCount)
      for (index, part) in asked.enumerated() {
        let itinerary = Itinerary(part)
        #expect(itinerary.first.pass == index + 1)
        #expect(itinerary.occurrences(before: itinerary.first) == 0)
        // The start of an item is its own first pass.
        let start = PlaybackStart(item: PlaybackItem.ID(1), ayah: itinerary.first.ayah)
        #expect(itinerary.occurrence(at: start) == itinerary.first)
      }
    }
    // One whose passes were made fewer is heard to the end of its own.
    var late = whole
    (late.firstPass, late.lastPass, late.rangeRepeat) = (3, 3, .times(2))
    #expect(Itinerary(late).contains(Itinerary(late).first))
    late.rangeRepeat = .endless
    #expect(order(late) == ["112:1", "112:2", "112:3"])
  }

  @Test func hearingsAreCountedAsTheyFollowOneAnother() {
    var random = SplitMix64(state: 12)
    for _ in 0..<200 {
      let first = Int.random(in: 1...6230, using: &random)
      let last = first + Int.random(in: 0...5, using: &random)
      var request = PlaybackRequest(
        AyahRange(
          first: AyahReference(absoluteIndex: first)!, last: AyahReference(absoluteIndex: last)!)!)
      request.ayahRepeat = .times(Int.random(in: 1...3, using: &random))
      request.rangeRepeat = .times(Int.random(in: 1...3, using: &random))
      request.practice = RangePractice.allCases.randomElement(using: &random)!
      request.connectionBefore = Int.random(in: 0...3, using: &random)
      request.connectionAfter = Int.random(in: 0...3, using: &random)
      request.afterRepeat =
        [.stop, .continueAyat(4), .continuePages(1)].randomElement(using: &random)!
      let itinerary = Itinerary(request)
      var occurrence: AyahOccurrence? = itinerary.first
      var previous: AyahOccurrence?
      var count = 0
      while let current = occurrence {
        #expect(itinerary.occurrences(before: current) == count)
        #expect(itinerary.occurrence(before: current) == previous)
        previous = current
        count += 1
        occurrence = itinerary.following(current)?.occurrence
      }
      #expect(itinerary.occurrenceCount == count)
      #expect(itinerary.last == previous)
      request.rangeRepeat = .endless
      #expect(Itinerary(request).occurrenceCount == nil)
      #expect(Itinerary(request).occurrences(before: itinerary.first) == nil)
    }
  }
}
