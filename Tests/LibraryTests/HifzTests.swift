// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GRDB
import Quran
import Testing

@testable import Library

struct HifzTests {
  let fixture: LibraryFixture
  var library: Library { fixture.library }

  init() throws { fixture = try LibraryFixture() }

  private func range(_ first: String, _ last: String) -> AyahRange {
    AyahRange(first: ayah(first), last: ayah(last))!
  }

  private func review(_ range: AyahRange, day: Double = 0, _ grade: Int = 3) -> HifzReview {
    HifzReview(
      range, at: LibraryFixture.noon.addingTimeInterval(day * 86_400), grade: grade)
  }

  @Test func unitsAreKeptWithTheirGradesInOrder() throws {
    let (first, second) = (range("78:1", "78:5"), range("78:6", "78:10"))
    let join = range("78:5", "78:6")
    #expect(
      try library.addHifz([
        HifzUnit(second), HifzUnit(first), HifzUnit(join, isJoin: true),
      ]) == 3)
    #expect(try library.addHifz([HifzUnit(first)]) == 0)
    let (late, early) = (review(first, day: 2), review(first, 1))
    #expect(try library.addHifzReviews([late, early, review(second)]) == 3)
    let units = try fixture.reopened().hifzUnits()
    #expect(units.map(\.range) == [first, join, second])
    #expect(units.map(\.isJoin) == [false, true, false])
    #expect(units[0].reviews == [early, late])
  }

  @Test func gradesOutliveTheirUnitUnlessTheyAreForgotten() throws {
    let unit = range("78:1", "78:5")
    try library.addHifz([HifzUnit(unit)])
    let graded = review(unit)
    try library.addHifzReviews([graded])
    #expect(try library.removeHifz([unit], forgetting: false) == 1)
    #expect(try library.hifzUnits().isEmpty)
    try library.addHifz([HifzUnit(unit)])
    #expect(try library.hifzUnits()[0].reviews == [graded])
    #expect(try library.removeHifz([unit], forgetting: true) == 1)
    #expect(try library.hifzReviews().isEmpty)
    #expect(try library.removeHifz([unit], forgetting: false) == 0)
  }

  @Test func logsOfTwoMachinesMergeByTheirIDsAndOneGradeIsTakenBack() throws {
    let unit = range("112:1", "112:4")
    let (mine, common) = (review(unit), review(unit, day: 1))
    try library.addHifzReviews([mine, common])
    #expect(try library.addHifzReviews([common, review(unit, day: 2)]) == 1)
    try library.removeHifzReview(mine.id)
    #expect(try library.hifzReviews().count == 2)
    #expect(try !library.hifzReviews().contains(mine))
  }

  @Test(arguments: [
    "INSERT INTO hifzUnit VALUES (5, 4, 0, 0)", "INSERT INTO hifzUnit VALUES (0, 4, 0, 0)",
    "INSERT INTO hifzUnit VALUES (1, 6237, 0, 0)", "INSERT INTO hifzUnit VALUES (1, 2, 2, 0)",
    "INSERT INTO hifzReview VALUES ('short', 1, 2, 0, 3)",
    "INSERT INTO hifzReview VALUES ('00000000-0000-0000-0000-000000000000', 1, 2, 0, 5)",
  ])
  func theSchemaRefusesWhatMakesNoSense(_ sql: String) throws {
    expect(.damaged) { try library.write { try $0.execute(sql: sql) } }
  }
}
