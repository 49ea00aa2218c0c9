// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Glibc
import Quran
import TestSupport
import Testing

@testable import Analysis

@Suite struct ProposalTests {
  private func range(_ text: String) throws -> AyahRange { try AyahRange(parsing: text) }

  private func aligner(_ text: String, seed: UInt64) throws -> AyahAligner {
    var recitation = PlantedRecitation(random: SplitMix64(state: seed))
    recitation.recite(try range(text))
    return try AyahAligner(recitation.envelope)
  }

  @Test(arguments: ["67:1-14", "67:9-22"])
  func findsTheStartWithinASurah(recited: String) throws {
    let proposals = try aligner(recited, seed: 3).propose(beginningIn: range("67:1-30"))
    #expect(proposals.first?.first == (try range(recited)).first)
    #expect(proposals.count <= 5)
    let confidences = proposals.map(\.confidence)
    #expect(confidences == confidences.sorted(by: >))
    #expect(confidences.reduce(0, +) <= 1.000_001)
  }

  @Test func findsTheStartWhenTheEndIsTold() throws {
    let last = try #require(AyahReference(surah: 67, ayah: 22))
    let proposals = try aligner("67:9-22", seed: 5).propose(endingWith: last)
    #expect(proposals.first?.first == AyahReference(surah: 67, ayah: 9))
    #expect(proposals.allSatisfy { $0.last == last })
  }

  @Test func findsTheStartAmongManySurahs() throws {
    let proposals = try aligner("67:1-30", seed: 11).propose(beginningIn: range("60:1-72:28"))
    #expect(proposals.contains { $0.first == AyahReference(surah: 67, ayah: 1) })
  }

  @Test func findsAStartFarBeforeTheEndThatIsTold() throws {
    let last = try #require(AyahReference(surah: 2, ayah: 100))
    let proposals = try aligner("2:60-100", seed: 13).propose(endingWith: last)
    #expect(proposals.first?.first == AyahReference(surah: 2, ayah: 60))
  }

  /// The coarse look keeps what is worth aligning.
  @Test(arguments: ["18:40-52", "18:1-12", "18:83-98"])
  func aCoarseLookPutsTheRightPlaceAmongTheFirst(recited: String) throws {
    let aligner = try aligner(recited, seed: 17)
    let timeline = AlignmentTimeline(
      aligner.candidates, stretches: [aligner.voicedStretch], rate: aligner.rate)
    let range = try range(recited)
    let pace = timeline.duration / range.reduce(0) { $0 + RecitedToken.units(of: $1) }
    let scores = LengthScan(aligner.candidates, timeline, seconds: 240)
      .scores(of: try self.range("18:1-110"), pace: pace, endingWith: nil)
      .sorted { $0.score > $1.score }
    #expect(scores.count == 110)
    #expect(scores.prefix(5).contains { $0.first == range.first })
  }

  @Test func proposesTheSameEachTime() throws {
    let aligner = try aligner("67:1-10", seed: 7)
    let range = try range("67:1-30")
    #expect(aligner.propose(beginningIn: range) == aligner.propose(beginningIn: range))
  }

  @Test func proposesNothingForSilence() throws {
    let silent = Envelope(
      rate: PlantedRecitation.rate, length: FrameCount(16_000),
      hops: [Hop](
        repeating: Hop(meanSquare: 0, minimum: 0, maximum: 0, fine: 0), count: 100))
    #expect(try AyahAligner(silent).propose(beginningIn: range("67:1-30")).isEmpty)
  }

  @Test(arguments: [("67:4", true), ("67:1", false)])
  func saysThatAStartNearTheOneToldFitsBetter(told: String, isWrong: Bool) throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 31))
    recitation.recite(try AyahRange(parsing: "67:1-20"))
    let first = try AyahRange(parsing: told).first
    let alignment = try AyahAligner(recitation.envelope).align(
      AlignmentRequest(first: first, last: try AyahRange(parsing: "67:20").last))
    #expect(alignment.remarks.contains { $0.contains("fits 67:1 better") } == isWrong)
  }

  @Test func ayatThatANearStartHasElsewhereAreUnsure() throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 31))
    recitation.recite(try range("67:1-20"))
    let aligner = try AyahAligner(recitation.envelope)
    let last = try range("67:20").last
    let wrong = aligner.align(AlignmentRequest(first: try range("67:4").first, last: last))
    for segment in wrong.segments.prefix(6) {
      let label = "\(segment.assignment)"
      let start = segment.span.lowerBound.seconds(at: PlantedRecitation.rate)
      let truth = recitation.starts.first { $0.label == label }?.seconds ?? -1
      if abs(truth - start) > 1.1 { #expect(segment.confidence <= 0.5, "\(label)") }
    }
    let right = aligner.align(AlignmentRequest(first: try range("67:1").first, last: last))
    #expect(right.segments.prefix(3).contains { $0.confidence > 0.9 })
  }

  @Test(arguments: [("36:64", "36:60"), ("36:60", "36:60"), ("36:56", "36:60")])
  func saysThatAnotherEndFitsBetter(told: String, recited: String) throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 33), spread: 0.08)
    let first = try range("36:1").first
    let end = try range(recited).last
    recitation.recite(try #require(AyahRange(first: first, last: end)))
    let alignment = try AyahAligner(recitation.envelope).align(
      AlignmentRequest(first: first, last: try range(told).last))
    let isWrong = told != recited
    #expect(
      alignment.remarks.contains { $0.contains("the end fits \(recited) better than \(told)") }
        == isWrong, "\(alignment.remarks)")
    for segment in alignment.segments where segment.assignment.isRecitation {
      let truth = recitation.starts.first { $0.label == "\(segment.assignment)" }?.seconds ?? -1
      let start = segment.span.lowerBound.seconds(at: PlantedRecitation.rate)
      if abs(truth - start) > 1.1 { #expect(segment.confidence <= 0.6, "\(segment.assignment)") }
    }
  }

  @Test(arguments: ["18:1", "20:1", "12:1", "7:1", "40:1"])
  func whatFitsNoBetterThanAnythingIsDoubted(told: String) throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 35), spread: 0.08)
    recitation.recite(try range("18:1-50"))
    let alignment = try AyahAligner(recitation.envelope).align(
      AlignmentRequest(first: try range(told).first))
    #expect((alignment.verdict == .plausible) == (told == "18:1"))
  }

  @Test func isNoSurerOfTheBeginningThanOfTheLeadIn() throws {
    let times: [Double] = [0, 2, 5, 9]
    func result(_ times: [Double], logLikelihood: Double) throws -> LengthAligner.Result {
      let range = try range("93:1-3")
      return LengthAligner.Result(
        hypothesis: .init(hasLeadIn: false, pace: 0.1), logLikelihood: logLikelihood,
        points: times.map {
          .init(candidate: nil, position: .zero, time: $0, active: $0)
        }, probabilities: times.map { _ in 1 }, tokens: RecitedToken.tokens(range),
        paces: [0, 0, 0], spread: 0.1, evidence: .fitted, endProbability: 1, placements: [])
    }
    let best = try result(times, logLikelihood: 2)
    let weighed = best.weighed(against: try result([1, 2.1, 6, 9], logLikelihood: 0))
    // Half the odds, as logarithms.
    let share = 1 / (1 + exp(-1.0))
    for (probability, expected) in zip(weighed.probabilities, [share, 1, share, 1]) {
      #expect(abs(probability - expected) < 1e-9)
    }
  }
}
