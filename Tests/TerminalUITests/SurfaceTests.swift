// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TerminalUI

@Suite struct SurfaceTests {
  private func surface(_ columns: Int, _ rows: Int = 1) -> Surface {
    Surface(size: Size(columns: columns, rows: rows))
  }

  @Test func writesTextAndReturnsItsColumns() {
    var surface = surface(10)
    #expect(surface.write("سُورَة 中", at: Point(column: 1, row: 0)) == 7)
    #expect(surface.textRows == [" سُورَة 中  "])
    #expect(surface[Point(column: 1, row: 0)]?.text == "سُ")
    #expect(surface[Point(column: 6, row: 0)]?.width == 2)
    #expect(surface[Point(column: 7, row: 0)]?.width == 0)
  }

  @Test func keepsAllMarksOfQuranTextAndDropsWhatIsPiledUp() {
    var surface = surface(3)
    let letter = "بَّۖۗ"  // shaddah, fathah, two small signs
    surface.write(TerminalText(letter), at: .zero)
    #expect(surface[.zero]?.text == letter)
    surface.write(TerminalText("a" + String(repeating: "\u{301}", count: 500)), at: .zero)
    #expect(surface[.zero]?.text.utf8.count == 15)
    #expect(surface[Point(column: 1, row: 0)] == .blank)
  }

  @Test func dropsMarksWithoutALetterAndJoinersOfEmoji() {
    var surface = surface(6)
    surface.write("\u{301}ab", at: .zero)
    #expect(surface.textRows == ["ab    "])
    surface.write("👨‍👩❤️", at: .zero)
    #expect(surface.textRows == ["👨👩❤ "])
  }

  @Test func keepsTheJoinersOfScripts() {
    var surface = surface(4)
    surface.write("ه\u{200D} ن\u{200C}", at: .zero)
    #expect(surface[.zero]?.text == "ه\u{200D}")
  }

  @Test func cutsAtBothEdges() {
    var surface = surface(4)
    surface.write("0123456789", at: Point(column: -3, row: 0))
    #expect(surface.textRows == ["3456"])
    surface.write("unseen", at: Point(column: 0, row: 1))
    surface.write("unseen", at: Point(column: 0, row: -1))
    #expect(surface.textRows == ["3456"])
  }

  @Test func leavesASpaceForAWideCharacterCutInHalf() {
    var surface = surface(4)
    surface.write("中文字", at: Point(column: -1, row: 0))
    #expect(surface.textRows == [" 文 "])
    #expect(surface[.zero]?.width == 1)
    #expect(surface[Point(column: 3, row: 0)]?.width == 1)
  }

  @Test func blanksTheOtherHalfOfAWideCharacterThatIsDrawnOver() {
    var surface = surface(6)
    surface.write("中文字", at: .zero)
    surface.write("x", at: Point(column: 1, row: 0))
    #expect(surface.textRows == [" x文字"])
    surface.write("y", at: Point(column: 2, row: 0))
    #expect(surface.textRows == [" xy 字"])
    surface.write("語", at: Point(column: 3, row: 0))
    #expect(surface.textRows == [" xy語 "])
  }

  @Test func fillBlanksTheHalvesThatStickOut() {
    var surface = surface(6)
    surface.write("中文字", at: .zero)
    surface.fill(Rect(column: 1, row: 0, columns: 4, rows: 1), with: "-", style: .plain)
    #expect(surface.textRows == [" ---- "])
  }

  @Test func fillTakesWhatIsNotOfOneColumnAsASpace() {
    var surface = surface(2)
    surface.fill(surface.bounds, with: "中", style: .plain)
    surface.fill(surface.bounds, with: "\u{1B}", style: .plain)
    #expect(surface.textRows == ["  "])
  }

  @Test func drawsWithinARectangleInItsOwnCoordinates() {
    var surface = surface(8, 3)
    surface.within(Rect(column: 2, row: 1, columns: 3, rows: 5)) { surface in
      #expect(surface.size == Size(columns: 3, rows: 5))
      surface.write("abcdef", at: .zero)
      surface.write("left", at: Point(column: -2, row: 1))
      surface.cursor = Point(column: 1, row: 1)
      surface.within(Rect(column: 2, row: 0, columns: 9, rows: 1)) { surface in
        surface.write("XYZ", at: .zero)
      }
      #expect(surface[Point(column: 3, row: 0)] == nil)
    }
    #expect(surface.textRows == ["        ", "  abX   ", "  ft    "])
    #expect(surface.cursor == Point(column: 3, row: 2))
    #expect(surface.size == Size(columns: 8, rows: 3))
  }

  @Test func hidesACursorOutsideTheRectangle() {
    var surface = surface(8, 3)
    surface.within(Rect(column: 0, row: 0, columns: 3, rows: 1)) { surface in
      surface.cursor = Point(column: 3, row: 0)
    }
    #expect(surface.cursor == nil)
  }

  @Test func restylesWideCharactersWhole() {
    var surface = surface(4)
    surface.write("中文", at: .zero)
    surface.restyle(Rect(column: 1, row: 0, columns: 2, rows: 1)) { $0 = Style(.error) }
    #expect(surface.cells.map(\.style) == [.plain, .plain, Style(.error), Style(.error)])
  }

  @Test func drawsAnotherSurfaceClipped() {
    var other = surface(4)
    other.write("中文", at: .zero)
    var surface = surface(4)
    surface.write("....", at: .zero)
    surface.draw(other, at: Point(column: -1, row: 0))
    #expect(surface.textRows == [" 文."])
  }

  @Test func snapshotShowsTextStylesAndTheCursor() {
    var surface = surface(8, 2)
    surface.write("1:2", at: .zero, style: Style(.confirmed).bold)
    surface.write("中", at: Point(column: 4, row: 1), style: Style(.suggested, on: .selection))
    surface.cursor = Point(column: 3, row: 0)
    #expect(
      surface.snapshot == """
        1:2
            中
        ---
        aaa
        ....b>
        ---
        a confirmed, bold
        b suggested on selection
        cursor 3,0

        """)
  }

  @Test func everyRowStaysWholeWhateverIsDrawn() {
    for seed in 0..<300 as Range<UInt64> {
      var drawing = RandomDrawing(seed: seed)
      var surface = Surface(
        size: Size(columns: Int(seed % 23), rows: Int(seed % 7)))
      for _ in 0..<25 { drawing.draw(on: &surface) }
      for row in 0..<surface.fullSize.rows {
        var expectsSecondHalf = false
        for cell in surface.row(row) {
          #expect((cell.width == 0) == expectsSecondHalf)
          #expect(cell.text.unicodeScalars.reduce(0) { $0 + $1.terminalWidth } == cell.width)
          expectsSecondHalf = cell.width == 2
        }
        #expect(!expectsSecondHalf)
      }
    }
  }

  @Test func changesAreTheCellsThatDifferAndNoOthers() {
    var drawing = RandomDrawing(seed: 7)
    var old = surface(30, 6)
    for _ in 0..<400 {
      var new = old
      drawing.draw(on: &new)
      var patched = old.cells
      let changes = new.changes(from: old)
      for run in changes {
        for column in run.columns {
          patched[run.row * 30 + column] = new.cells[run.row * 30 + column]
        }
        #expect(new.row(run.row)[run.row * 30 + run.columns.lowerBound].width > 0)
        let differing = run.columns.filter {
          old.cells[run.row * 30 + $0] != new.cells[run.row * 30 + $0]
        }
        #expect(!differing.isEmpty)
      }
      #expect(patched == new.cells)
      #expect(new.changes(from: new).isEmpty)
      old = new
    }
  }

  @Test func everythingChangesWithTheSize() {
    let runs = surface(3, 2).changes(from: surface(4, 2))
    #expect(runs == [.init(row: 0, columns: 0..<3), .init(row: 1, columns: 0..<3)])
  }
}

@Suite struct GeometryTests {
  @Test func rectanglesAreCutUpWithoutGapOrOverlap() {
    var rect = Rect(column: 1, row: 2, columns: 10, rows: 6)
    #expect(rect.takeTop(1) == Rect(column: 1, row: 2, columns: 10, rows: 1))
    #expect(rect.takeBottom(2) == Rect(column: 1, row: 6, columns: 10, rows: 2))
    #expect(rect.takeLeft(3) == Rect(column: 1, row: 3, columns: 3, rows: 3))
    #expect(rect.takeRight(4) == Rect(column: 7, row: 3, columns: 4, rows: 3))
    #expect(rect == Rect(column: 4, row: 3, columns: 3, rows: 3))
    #expect(rect.takeLeft(9).size.columns == 3)
    #expect(rect.isEmpty)
  }

  @Test func intersectionsAndInsetsAreNeverNegative() {
    let rect = Rect(column: 0, row: 0, columns: 4, rows: 4)
    #expect(rect.intersection(Rect(column: 9, row: 9, columns: 2, rows: 2)).isEmpty)
    #expect(rect.inset(columns: 3, rows: 1).size == Size(columns: 0, rows: 2))
    #expect(
      rect.centred(Size(columns: 2, rows: 9)) == Rect(column: 1, row: 0, columns: 2, rows: 4))
  }
}
