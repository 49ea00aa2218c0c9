// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import Timings

@Suite("Files with an ayah each")
struct AyahFileCheckTests {
  private func file(start: Double, evidence: Double = 0) -> AyahFileCheck {
    var check = AyahFileCheck([])
    (check.startEvidence, check.endEvidence) = (evidence, 0)
    (check.startLevel, check.endLevel) = (start, -50)
    (check.startMissing, check.endMissing) = (0, 0)
    return check
  }

  @Test func whatBreaksOffAmongQuietEdgesIsCut() {
    let set = Array(repeating: file(start: -60), count: 20) + [file(start: -2, evidence: 4)]
    let judged = AyahFileCheck.judgingCuts(in: set)
    #expect(judged.dropLast().allSatisfy { $0.findings.isEmpty })
    #expect(judged.last?.findings == [.cutAtStart(words: 0)])
  }

  @Test func whereLoudEdgesAreTheHabitTheyTellLittle() {
    let set = (0..<20).map { file(start: -6 + Double($0 % 4), evidence: 1) }
    #expect(AyahFileCheck.judgingCuts(in: set).allSatisfy { $0.findings.isEmpty })
    // What is missing of the text tells all the same.
    let judged = AyahFileCheck.judgingCuts(in: set + [file(start: -3, evidence: 60)])
    #expect(judged.last?.findings == [.cutAtStart(words: 0)])
  }
}
