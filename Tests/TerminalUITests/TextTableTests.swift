// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TerminalUI

@Suite struct TextTableTests {
  let table = TextTable(
    columns: [
      .init("file", isFlexible: true), .init("boundaries", alignment: .right), .init("note"),
    ],
    rows: [
      ["a-long-name-of-a-night.m4a", "286", "sure"],
      ["سورة", "7", ""],
      ["b.wav"],
    ])

  @Test func isAsWideAsItsContent() {
    #expect(
      text(table.lines()) == """
        file                        boundaries  note
        a-long-name-of-a-night.m4a         286  sure
        سورة                                 7
        b.wav
        """)
  }

  @Test func truncatesTheFlexibleColumnToFit() {
    #expect(
      text(table.lines(fitting: 32))
        == """
        file            boundaries  note
        a-long-…ht.m4a         286  sure
        سورة                     7
        b.wav
        """)
  }

  @Test func neverExceedsTheWidth() {
    for width in 0...60 {
      #expect(table.lines(fitting: width).allSatisfy { $0.width <= width })
    }
  }

  @Test func ignoresSurplusCells() {
    let table = TextTable(columns: [.init("one")], rows: [["a", "b"]])
    #expect(text(table.lines()) == "one\na")
    #expect(text(TextTable(columns: []).lines()) == "")
  }

  private func text(_ lines: [TerminalText]) -> String {
    lines.map(\.string).joined(separator: "\n")
  }
}

@Suite struct ProgressLineTests {
  let half = ProgressLine(label: "night.m4a", fraction: 0.545, secondsLeft: 66.2)

  @Test(arguments: [
    (80, "night.m4a  ━━━━━━━━━━━━━━━━━━━━━╸──────────────────   54%  1:07 left"),
    (40, "night.m4a  ━━━━━━╸─────   54%  1:07 left"),
    (35, "night.m4a   54%  1:07 left"),
    (24, "nig…m4a   54%  1:07 left"),
    (15, " 54%"),
    (2, " …"),
    (0, ""),
  ])
  func givesUpItsPartsOneByOne(width: Int, line: String) {
    #expect(half.text(width: width).string == line)
  }

  @Test func fitsAnyWidth() {
    for width in 0...100 {
      for fraction in [nil, -1, 0, 0.999, 1, 7, .nan, .infinity] as [Double?] {
        for left in [nil, 0, 59.5, 3600, -1, .nan, .infinity] as [Double?] {
          let line = ProgressLine(label: "سورة البقرة", fraction: fraction, secondsLeft: left)
          #expect(line.text(width: width).width <= width)
        }
      }
    }
  }

  @Test func isDoneOnlyAtTheEnd() {
    #expect(ProgressLine(label: "a", fraction: 0.9999).text(width: 8).string == "a   99%")
    #expect(ProgressLine(label: "a", fraction: 1).text(width: 8).string == "a  100%")
  }

  @Test func showsWhatIsKnown() {
    #expect(ProgressLine(label: "night.m4a").text(width: 80).string == "night.m4a")
    #expect(
      ProgressLine(label: "n", secondsLeft: 3723).text(width: 80).string == "n  1:02:03 left")
    #expect(
      ProgressLine(label: "n", fraction: 0.5).text(width: 80, style: .ascii).string
        == "n  ####################--------------------   50%")
  }
}
