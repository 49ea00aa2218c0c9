// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TerminalUI

/// A picture is seen on the terminal as it is in the file.
@Suite struct PixelGridTests {
  /// Every pixel of a colour of its own.
  private func picture(width: Int, height: Int) -> PixelGrid {
    var bytes: [UInt8] = []
    for row in 0..<height {
      for column in 0..<width { bytes += [UInt8(20 * row), UInt8(10 * column), 77] }
    }
    return PixelGrid(width: width, height: height, bytes: bytes)
  }

  /// The colours that a terminal shows, two rows of pixels for each row of cells.
  private func seen(_ surface: Surface, depth: ColorDepth) -> [[ResolvedColor?]] {
    var encoder = FrameEncoder(dialect: TerminalDialect(depth: depth))
    var terminal = TerminalModel(size: surface.fullSize)
    terminal.interpret(encoder.encode(surface))
    return terminal.rows.flatMap { row in
      [
        row.map { $0.text == "\u{2580}" ? $0.style.foreground : $0.style.background },
        row.map(\.style.background),
      ]
    }
  }

  @Test func everyPixelIsSeenInItsPlace() {
    var surface = Surface(size: Size(columns: 8, rows: 4))
    let picture = picture(width: 6, height: 5)
    surface.draw(picture, in: Rect(column: 1, row: 1, columns: 6, rows: 3))
    let seen = seen(surface, depth: .direct)
    for row in 0..<8 {
      for column in 0..<8 {
        let isInside = (1..<7).contains(column) && (2..<7).contains(row)
        let due: ResolvedColor? =
          isInside ? .rgb(UInt8(20 * (row - 2)), UInt8(10 * (column - 1)), 77) : nil
        #expect(seen[row][column] == due, "\(column), \(row)")
      }
    }
  }

  @Test func aPictureStandsInTheMiddleAndIsCut() {
    var surface = Surface(size: Size(columns: 9, rows: 4))
    surface.draw(picture(width: 3, height: 4), in: surface.bounds)
    let middle = seen(surface, depth: .direct)
    #expect(middle[2][3] == .rgb(0, 0, 77) && middle[5][5] == .rgb(60, 20, 77))
    #expect(middle[1][3] == nil && middle[2][2] == nil && middle[6][4] == nil)
    surface = Surface(size: Size(columns: 2, rows: 1))
    surface.draw(picture(width: 12, height: 12), in: surface.bounds)
    #expect(seen(surface, depth: .direct)[1] == [.rgb(20, 0, 77), .rgb(20, 10, 77)])
  }

  @Test func withoutBlocksACellIsOnePixel() {
    var surface = Surface(size: Size(columns: 3, rows: 2))
    surface.draw(picture(width: 3, height: 2), in: surface.bounds, hasBlocks: false)
    #expect(surface.cells.allSatisfy { $0.isBlank })
    #expect(
      seen(surface, depth: .direct)[3] == [.rgb(20, 0, 77), .rgb(20, 10, 77), .rgb(20, 20, 77)])
  }

  @Test func aSecondFrameWritesOnlyWhatChanged() {
    var surface = Surface(size: Size(columns: 80, rows: 24))
    var encoder = FrameEncoder(dialect: TerminalDialect(depth: .direct))
    let picture = picture(width: 24, height: 12)
    surface.draw(picture, in: surface.bounds)
    let whole = encoder.encode(surface).count
    var bytes = picture.bytes
    bytes[300] = 255
    surface.draw(PixelGrid(width: 24, height: 12, bytes: bytes), in: surface.bounds)
    #expect(encoder.encode(surface).count * 50 < whole)
    #expect(encoder.encode(surface).isEmpty)
  }
}
