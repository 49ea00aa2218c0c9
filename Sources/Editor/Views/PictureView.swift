// SPDX-License-Identifier: GPL-3.0-or-later

import TerminalUI

extension Screen {
  /// The picture, or why there is none.
  func drawPicture(on surface: inout Surface, in rect: Rect) {
    guard !rect.isEmpty else { return }
    let note: String
    switch state.picture {
    case .shown(let pixels, let isCurrent):
      if let cell = state.pictureCell {
        let (image, size) = pixels.filling(cellsOf: (cell.columns, cell.rows), atMost: rect.size)
        surface.place(PixelImage(image), in: rect.centred(size), slot: ImageSlot.picture)
      } else {
        surface.draw(pixels, in: rect, hasBlocks: state.hasBlocks)
      }
      // An older frame is marked, so that nobody takes it for what is heard.
      if !isCurrent { surface.write("...", at: rect.origin, style: Style(.dim)) }
      return
    case .waiting: note = "..."
    case .beforeStart: note = "the picture begins later"
    case .missing(let reason): note = reason
    }
    let lines = Paragraph.lines(of: note, width: rect.size.columns).prefix(rect.size.rows)
    let top = rect.origin.row + (rect.size.rows - lines.count) / 2
    for (row, line) in lines.enumerated() {
      let column = rect.origin.column + (rect.size.columns - line.width) / 2
      surface.write(line, at: Point(column: column, row: top + row), style: Style(.dim))
    }
  }
}
