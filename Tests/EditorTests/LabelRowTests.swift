// SPDX-License-Identifier: GPL-3.0-or-later

import Quran
import TerminalUI
import TestSupport
import Testing

@testable import Editor

@Suite struct LabelRowTests {
  private func row(
    _ ayat: ClosedRange<Int>, every step: Int, columns: Int, selected: Int = 0
  ) -> String {
    let segments = ayat.enumerated().map { index, number in
      LabelRow.Segment(
        column: index * step, text: TerminalText("2:\(number)"), ayah: ayah("2:\(number)"),
        style: .plain, isSelected: number == selected)
    }
    var surface = Surface(size: Size(columns: columns, rows: 1))
    for label in LabelRow(segments, columns: columns).labels {
      surface.write(label.text, at: Point(column: label.column, row: 0))
    }
    return surface.textRows[0]
  }

  @Test func whereThereIsRoomLabelsAreWhole() {
    #expect(row(1...4, every: 5, columns: 20) == "2:1  2:2  2:3  2:4  ")
  }

  @Test func whereItIsTightTheAyahStandsAlone() {
    #expect(row(21...25, every: 5, columns: 23) == "2:21 22   23   24   25 ")
  }

  @Test func whereItIsTighterLabelsAreThinnedEvenly() {
    #expect(row(1...30, every: 1, columns: 31) == "2:1 5    10   15   20   25   30")
    #expect(row(1...30, every: 1, columns: 31, selected: 15) == "2:1 5    10   2:15 20   25   30")
  }

  /// Rak'ahs of forty columns, of which al-Fatiha takes the first three.
  @Test func inAPrayerAlFatihaGivesWayToThePortion() {
    var segments: [LabelRow.Segment] = []
    func add(_ text: String, _ column: Int) {
      segments.append(
        LabelRow.Segment(
          column: column, text: TerminalText(text), ayah: ayah(text), style: .plain,
          isSelected: false))
    }
    for rakah in 0..<4 {
      for number in 1...7 { add("1:\(number)", 40 * rakah + number / 3) }
      for number in 1...18 { add("2:\(18 * rakah + number)", 40 * rakah + 1 + 2 * number) }
    }
    let labels = LabelRow(segments, columns: 160).labels
    for (one, next) in zip(labels, labels.dropFirst()) {
      #expect(one.columns.upperBound < next.column)
    }
    let texts = labels.map(\.text.string)
    for number in ["2:1", "2:19", "2:37", "2:55", "5", "25", "40", "60"] {
      #expect(texts.contains(number), "\(number): \(texts)")
    }
    #expect(!texts.contains("1:1"))
  }

  /// A number alone is read as of the surah that was named before it.
  @Test(arguments: [80, 100, 120, 160, 200]) func noNumberIsReadAsOfAnotherSurah(_ columns: Int) {
    var random = SplitMix64(state: UInt64(columns))
    for _ in 0..<50 {
      var segments: [LabelRow.Segment] = []
      var portion = 1
      var column = 0
      for _ in 0..<8 {
        for text in (1...7).map({ "1:\($0)" }) + (portion...portion + 9).map({ "2:\($0)" })
        where column < columns {
          segments.append(
            LabelRow.Segment(
              column: column, text: TerminalText(text), ayah: ayah(text), style: .plain,
              isSelected: Int.random(in: 0..<60, using: &random) == 0))
          column += Int.random(in: 0...3, using: &random)
        }
        portion += 10
      }
      var surah: Int?
      for label in LabelRow(segments, columns: columns).labels {
        let parts = label.text.string.split(separator: ":").compactMap { Int($0) }
        if parts.count == 2 { surah = parts[0] }
        let meant = segments.filter { segment in
          segment.ayah.map { "\($0.ayah)" == label.text.string || "\($0)" == label.text.string }
            ?? false
        }
        let fits = meant.contains {
          abs($0.column - label.column) <= label.text.width && $0.ayah?.surah.number == surah
        }
        #expect(fits, "\(label.text.string) after surah \(surah ?? 0)")
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4, 7]) func noLabelIsCutAndNoneTouchesAnother(_ step: Int) {
    for selected in [0, 1, 57, 120] {
      let segments = (1...120).map { number in
        LabelRow.Segment(
          column: (number - 1) * step, text: TerminalText("2:\(number)"),
          ayah: ayah("2:\(number)"), style: .plain, isSelected: number == selected)
      }
      let columns = 120 * step
      let labels = LabelRow(segments, columns: columns).labels
      #expect(!labels.isEmpty)
      for (one, next) in zip(labels, labels.dropFirst()) {
        #expect(one.columns.upperBound < next.column)
      }
      #expect(
        labels.allSatisfy { !$0.text.string.contains("…") && $0.columns.upperBound <= columns })
      if selected > 0 { #expect(labels.contains { $0.text.string == "2:\(selected)" }) }
    }
  }
}
