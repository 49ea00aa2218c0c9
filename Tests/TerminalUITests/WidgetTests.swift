// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TerminalUI

@Suite struct WidgetTests {
  private func drawn(_ columns: Int, _ rows: Int, _ draw: (inout Surface) -> Void) -> Surface {
    var surface = Surface(size: Size(columns: columns, rows: rows))
    draw(&surface)
    return surface
  }

  @Test func panelHoldsItsTitleAndNoteInItsRim() {
    let surface = drawn(20, 3) { surface in
      let inside = Panel(title: "Segments", note: "3 of 9", isFocused: true)
        .draw(on: &surface, in: surface.bounds)
      surface.fill(inside, with: ".", style: .plain)
    }
    #expect(
      surface.snapshot == """
        ╭─ Segments ───────╮
        │..................│
        ╰─ 3 of 9 ─────────╯
        ---
        aabbbbbbbbbbaaaaaaaa
        a..................a
        aaccccccccaaaaaaaaaa
        ---
        a focusedBorder
        b focusedBorder, bold
        c dim

        """)
  }

  @Test func panelTruncatesATitleTooLongAndDrawsNothingWhereThereIsNoRoom() {
    let narrow = drawn(12, 2) { Panel(title: "سورة البقرة").draw(on: &$0, in: $0.bounds) }
    #expect(narrow.textRows[0] == "╭─ سورة … ─╮")
    for size in [Size(columns: 1, rows: 5), Size(columns: 5, rows: 1), .zero] {
      let surface = drawn(size.columns, size.rows) { surface in
        let inside = Panel(title: "t").draw(on: &surface, in: surface.bounds)
        #expect(inside.isEmpty)
      }
      #expect(surface.cells.allSatisfy { $0 == .blank })
    }
  }

  @Test func aNoteThatIsLongerThanItsRimIsReadToItsEnd() {
    let surface = drawn(24, 6) { surface in
      Panel(title: "t").draw(on: &surface, in: surface.bounds)
      surface.write("what was there already", at: Point(column: 1, row: 4))
      Panel.draw(
        note: "no surah has this name; give its number", on: &surface, in: surface.bounds)
    }
    #expect(
      surface.textRows.suffix(4) == [
        "│ no surah has this    │", "│ name; give its       │", "│ number               │",
        "╰──────────────────────╯",
      ])
    let frame = surface.bounds
    #expect(
      Panel.cover(of: "no surah has this name; give its number", in: frame)
        == Rect(column: 1, row: 2, columns: 22, rows: 3))
    #expect(Panel.cover(of: "it fits", in: frame).isEmpty)
  }

  @Test func listShowsWhatIsInSightWithASelectionAndABar() {
    var asked: [Int] = []
    let surface = drawn(10, 4) { surface in
      ListView(count: 8, selected: 5, offset: 4).draw(on: &surface, in: surface.bounds) { index in
        asked.append(index)
        return StyledText("row \(index) of many", Style(.suggested))
      }
    }
    #expect(asked == [4, 5, 6, 7])
    #expect(
      surface.snapshot == """
        row 4 of…│
        row 5 of…│
        row 6 of…█
        row 7 of…█
        ---
        aaaaaaaaab
        cccccccccb
        aaaaaaaaad
        aaaaaaaaad
        ---
        a suggested
        b empty
        c suggested on selection
        d border

        """)
  }

  @Test func listScrollsAsLittleAsItCan() {
    let offset = { ListView.offset($0, showing: $1, count: 100, height: 10) }
    #expect(offset(0, 5) == 0)
    #expect(offset(0, 8) == 1)
    #expect(offset(20, 21) == 19)
    #expect(offset(20, 25) == 20)
    #expect(offset(0, 99) == 90)
    #expect(offset(95, 0) == 0)
    #expect(ListView.offset(5, showing: 1, count: 2, height: 10) == 0)
    #expect(ListView.offset(5, showing: 1, count: 2, height: 0) == 0)
    #expect(ListView.offset(0, showing: 7, count: 9, height: 1) == 7)
  }

  @Test(arguments: [(10, 11), (10, 40), (5, 1000), (1, 7)])
  func aThumbDraggedToWhereItIsDrawnLeavesTheListWhereItIs(height: Int, count: Int) throws {
    let bar = try #require(ScrollBar(height: height, count: count, inSight: height))
    for line in 0..<height {
      let offset = bar.offset(dragging: 0, to: line)
      #expect((0...count - height).contains(offset))
      #expect(bar.thumb(at: offset).lowerBound == min(line, height - bar.thumb(at: 0).count))
    }
    #expect(bar.offset(dragging: 0, to: -9) == 0)
    if height > 1 { #expect(bar.offset(dragging: 0, to: 99) == count - height) }
    #expect(ScrollBar(height: height, count: height, inSight: height) == nil)
  }

  @Test func everyRowOfAListCanBeReached() {
    for height in 1...7 {
      var offset = 0
      for row in Array(0..<12) + Array((0..<12).reversed()) {
        offset = ListView.offset(offset, showing: row, count: 12, height: height)
        #expect(offset..<offset + height ~= row)
        #expect(offset >= 0 && offset <= max(0, 12 - height))
      }
    }
  }

  @Test func progressBarFillsByEighths() {
    for (fraction, text) in [
      (0.0, "────"), (0.03125, "▏───"), (0.5, "██──"), (0.65625, "██▋─"), (1, "████"),
      (7, "████"), (-1, "────"), (.nan, "────"),
    ] {
      let surface = drawn(4, 1) { ProgressBar(fraction: fraction).draw(on: &$0, in: $0.bounds) }
      #expect(surface.textRows == [text])
    }
  }

  @Test func keyHintsShowWhatFitsAndAlwaysTheLast() {
    let hints = KeyHints(
      [.init("space", "play"), .init("enter", "confirm"), .init("x", "delete")],
      last: .init("?", "keys"))
    let surface = drawn(34, 1) { hints.draw(on: &$0, in: $0.bounds) }
    #expect(surface.textRows == [" space play " + "              " + " ? keys "])
    #expect(surface[Point(column: 1, row: 0)]?.style == Style(.key, on: .bar))
  }

  @Test func styledTextIsTruncatedAcrossItsParts() {
    let text = StyledText([.init("ab"), .init("cd", Style(.error)), .init("ef")])
    #expect(text.width == 6)
    #expect(text.truncated(to: 6) == text)
    let spans = text.truncated(to: 4).spans
    #expect(spans.map(\.text.string).joined() == "abc…")
    #expect(text.truncated(to: 3).spans.map(\.text.string).joined() == "ab…")
    #expect(text.truncated(to: 2).spans.map(\.text.string).joined() == "a…")
    #expect(text.truncated(to: 0).width == 0)
  }
}

@Suite struct TextFieldTests {
  private func type(_ keys: String, into text: String = "") -> TextField {
    var field = TextField(text)
    for name in keys.split(separator: " ") {
      if let event = KeyEvent(named: String(name)) { _ = field.handle(event) }
    }
    return field
  }

  @Test(arguments: [
    ("b left a", "", "ab", 1), ("backspace", "ab", "a", 1), ("home delete", "ab", "b", 0),
    ("ctrl-left x", "one two", "one xtwo", 5), ("ctrl-w", "one two", "one ", 4),
    ("alt-b alt-d", "one two", "one ", 4), ("ctrl-a ctrl-k", "one", "", 0),
    ("left ctrl-u", "one", "e", 0), ("home ctrl-right y", "one two", "oney two", 4),
    ("home left backspace", "a", "a", 0), ("end right delete", "a", "a", 1),
    ("ctrl-b ctrl-d ctrl-e z", "ab", "az", 2), ("alt-backspace", "2:255", "2:", 2),
  ])
  func keysEdit(keys: String, before: String, after: String, cursor: Int) {
    let field = type(keys, into: before)
    #expect(field.text == after)
    #expect(field.cursor == cursor)
  }

  @Test func typedMarksJoinTheirLetters() {
    var field = TextField()
    for scalar in "سُورَة".unicodeScalars {
      _ = field.handle(KeyEvent(Character(scalar)))
    }
    #expect(field.text == "سُورَة")
    #expect(field.cursor == 4)
    _ = field.handle(KeyEvent(.backspace))
    #expect(field.text == "سُورَ")
  }

  @Test func keysWithoutMeaningAreLeftToOthers() throws {
    var field = TextField("a")
    for name in ["enter", "esc", "tab", "up", "F1", "ctrl-s", "alt-x"] {
      let event = try #require(KeyEvent(named: name))
      let isTaken = field.handle(event)
      #expect(!isTaken)
    }
    #expect(field == TextField("a"))
  }

  @Test func pasteIsOneLineAndBounded() {
    var field = TextField("ab")
    _ = field.handle(KeyEvent(.left))
    field.insert("x\ny")
    #expect(field.text == "ax yb")
    #expect(field.cursor == 4)
    field.insert(String(repeating: "z", count: 5000))
    #expect(field.text.count == TextField.longest)
    #expect(field.text.last == "b")
  }

  @Test func scrollsToItsCursor() {
    var surface = Surface(size: Size(columns: 6, rows: 1))
    TextField("0123456789").draw(on: &surface, in: surface.bounds)
    #expect(surface.textRows == ["56789 "])
    #expect(surface.cursor == Point(column: 5, row: 0))
    type("home", into: "0123456789").draw(on: &surface, in: surface.bounds)
    #expect(surface.textRows == ["012345"])
    #expect(surface.cursor == .zero)
  }

  @Test func showsAPlaceholderWhileEmpty() {
    var surface = Surface(size: Size(columns: 6, rows: 1))
    TextField().draw(on: &surface, in: surface.bounds, placeholder: "surah")
    #expect(surface.textRows == ["surah "])
    #expect(surface[.zero]?.style == Style(.empty))
  }

  @Test func controlsInItAreSeenNotObeyed() {
    var surface = Surface(size: Size(columns: 6, rows: 1))
    TextField("a\u{1B}b").draw(on: &surface, in: surface.bounds)
    #expect(surface.textRows == ["a␛b   "])
  }
}
