// SPDX-License-Identifier: GPL-3.0-or-later

/// Turns surfaces into the bytes that make a terminal show them, knowing what it shows already.
///
/// Only cells that changed are written, in whichever of two orders takes fewer bytes: row by row, or
/// style by style and column by column, as suits a playhead that moves over many rows.
public struct FrameEncoder: Sendable {
  public var dialect: TerminalDialect
  /// Another one has the next frame write every cell.
  public var theme: Theme {
    didSet {
      resolved = [:]
      forget()
    }
  }
  public let repertoire: Repertoire

  /// Whether a few cells that have not changed may be written again to save bytes; not where writing them
  /// takes away what is behind them.
  public var rewritesGaps = true

  /// Whether the last surface was written whole, and nothing of its pictures is left for the next time.
  public private(set) var isComplete = true

  /// Whether the terminal holds back drawing until the rest of a picture has come.
  private var isHolding = false
  /// Where the next part of a picture begins.
  private var nextPictureRow = 0

  /// What the terminal shows; nil when that is not known.
  private var shown: Surface?
  private var isCursorShown: Bool?
  private var resolved: [Style: ResolvedStyle] = [:]

  /// More pieces than this are written row by row without a look at the other order: a playhead moves over fewer.
  private static let maxPiecesToSort = 128
  /// Bytes of a cell with two colours of its own: `ESC[38;2;200;200;200;48;2;200;200;200m` and three for the block, and
  /// the same by numbers of the palette.
  private static let (directCell, paletteCell) = (39, 25)
  /// A frame of fewer bytes cannot tear, and is not worth the 16 that hold drawing back.
  private static let smallFrame = 100

  public init(dialect: TerminalDialect, theme: Theme = .standard, repertoire: Repertoire = .unicode)
  {
    self.dialect = dialect
    self.theme = theme
    self.repertoire = repertoire
  }

  /// Takes nothing for granted any more: the next frame clears the screen and draws everything.
  public mutating func forget() {
    shown = nil
    isCursorShown = nil
  }

  /// Whether the next frame clears the screen, which was forgotten or has another size.
  public func clears(for surface: Surface) -> Bool { shown?.fullSize != surface.fullSize }

  /// Takes a rectangle for blank: somebody else has erased it.
  public mutating func noteErased(_ rect: Rect) { shown?.fill(rect) }

  /// The bytes that lead to a surface; empty when the terminal shows it already.
  ///
  /// - Parameter pictureLimit: about how many bytes the cells of pictures may take. The others stay as they are, and
  ///   ``isComplete`` is false. While there are bytes, one row at least is written.
  public mutating func encode(_ wanted: Surface, pictureLimit: Int = .max) -> [UInt8] {
    var pen = Pen(dialect: dialect, size: wanted.fullSize)
    let old: Surface
    if let shown, shown.fullSize == wanted.fullSize {
      old = shown
    } else {
      pen.bytes += dialect.hideCursor + Array("\u{1B}[m".utf8) + dialect.clearScreen
      isCursorShown = false
      old = Surface(size: wanted.fullSize)
    }
    let isRedrawn = !pen.bytes.isEmpty
    var (surface, changes) = (wanted, wanted.changes(from: old))
    if let part = part(of: wanted, changes, from: old, limit: pictureLimit) {
      (surface, changes) = (part, part.changes(from: old))
    }
    let pieces = self.pieces(of: surface, changes, from: old)
    if !pieces.isEmpty || surface.cursor != old.cursor || isRedrawn {
      if isCursorShown != false, !pieces.isEmpty || surface.cursor == nil {
        pen.bytes += dialect.hideCursor
        isCursorShown = false
      }
      draw(pieces, of: surface, with: &pen)
      if let cursor = surface.cursor {
        pen.move(to: cursor)
        if isCursorShown != true { pen.bytes += dialect.showCursor }
        isCursorShown = true
      }
    }
    shown = surface
    guard isHolding || dialect.hasSynchronizedOutput && pen.bytes.count >= Self.smallFrame else {
      return pen.bytes
    }
    let start = isHolding ? [] : Array("\u{1B}[?2026h".utf8)
    isHolding = true
    return start + pen.bytes + (isComplete ? release() : [])
  }

  /// The bytes that have the terminal show what it has held back; to be written when the rest has to wait.
  public mutating func release() -> [UInt8] {
    defer { isHolding = false }
    return isHolding ? Array("\u{1B}[?2026l".utf8) : []
  }

  /// The surface with as many new cells of pictures as there is room for, row after row from where the last part ended;
  /// nil where there is room for all.
  private mutating func part(
    of surface: Surface, _ changes: [Surface.Run], from old: Surface, limit: Int
  ) -> Surface? {
    isComplete = true
    guard limit < .max else { return nil }
    let rows = surface.pictureCells(in: changes)
    let cell = dialect.depth == .direct ? Self.directCell : Self.paletteCell
    var room = (limit + cell - 1) / cell
    guard rows.reduce(0, { $0 + $1.count }) > room else { return nil }
    isComplete = false
    var result = surface
    for row in rows.filter({ $0.row >= nextPictureRow }) + rows.filter({ $0.row < nextPictureRow })
    {
      if room > 0 {
        nextPictureRow = row.row + 1
        room -= row.count
      } else {
        result.keepPicture(of: old, row: row.row)
      }
    }
    return result
  }

  private func draw(_ pieces: [Piece], of surface: Surface, with pen: inout Pen) {
    var byRow = pen
    for piece in pieces { byRow.draw(piece, of: surface, repertoire: repertoire) }
    byRow.setStyle(.plain)
    if pieces.count < 2 || pieces.count > Self.maxPiecesToSort {
      pen = byRow
      return
    }
    var byStyle = pen
    for piece in Self.sortedByStyle(pieces) {
      byStyle.draw(piece, of: surface, repertoire: repertoire)
    }
    byStyle.setStyle(.plain)
    pen = byStyle.bytes.count < byRow.bytes.count ? byStyle : byRow
  }
}

// MARK: - Pieces

/// Changed cells of one row and one style.
struct Piece {
  var row: Int
  var columns: Range<Int>
  var style: ResolvedStyle
  /// Whether these are spaces up to the end of the row, of the terminal's own colour.
  var clearsLine = false
}

extension FrameEncoder {
  private mutating func pieces(
    of surface: Surface, _ changes: [Surface.Run], from old: Surface
  ) -> [Piece] {
    var pieces: [Piece] = []
    // Spaces need only a background, so they take a style that is used there anyway.
    var styles: [ResolvedColor: ResolvedStyle] = [:]
    for run in joined(changes, in: surface) {
      let row = surface.row(run.row)
      let columns = widened(run, of: surface, from: old)
      var start = columns.lowerBound
      while start < columns.upperBound {
        let style = row[row.startIndex + start].style
        var end = start + 1
        while end < columns.upperBound, row[row.startIndex + end].style == style { end += 1 }
        var seen = resolve(style)
        if let background = seen.background, seen.isInvisible {
          let cells = row[(row.startIndex + start)..<(row.startIndex + end)]
          if cells.contains(where: { $0.glyph != .space }) {
            styles[background] = seen
          } else {
            seen = styles[background] ?? seen
          }
        }
        pieces.append(Piece(row: run.row, columns: start..<end, style: seen))
        start = end
      }
      splitOffClearing(&pieces, of: surface)
    }
    return pieces
  }

  /// Runs with so little between them that writing it again is shorter than moving over it.
  private func joined(_ runs: [Surface.Run], in surface: Surface) -> [Surface.Run] {
    guard rewritesGaps else { return runs }
    var result: [Surface.Run] = []
    for run in runs {
      guard let last = result.last, last.row == run.row else {
        result.append(run)
        continue
      }
      let row = surface.row(run.row)
      let between = last.columns.upperBound..<run.columns.lowerBound
      let style = row[row.startIndex + between.lowerBound - 1].style
      let isShort =
        between.count <= 3
        && row[(row.startIndex + between.lowerBound)..<(row.startIndex + between.upperBound)]
          .allSatisfy { $0.glyph.ascii != nil && $0.style == style }
      if isShort {
        result[result.count - 1].columns = last.columns.lowerBound..<run.columns.upperBound
      } else {
        result.append(run)
      }
    }
    return result
  }

  /// The run and the character after it, where terminals disagree about the width of its last one.
  private func widened(_ run: Surface.Run, of surface: Surface, from old: Surface) -> Range<Int> {
    let end = run.columns.upperBound
    guard end < surface.fullSize.columns else { return run.columns }
    let (new, before) = (surface.row(run.row), old.row(run.row))
    let last = new.startIndex + end - 1
    guard !new[last].glyph.hasCertainWidth || !before[last].glyph.hasCertainWidth else {
      return run.columns
    }
    let next = new[new.startIndex + end].width == 2 ? end + 2 : end + 1
    return run.columns.lowerBound..<next
  }

  /// Makes a piece of its own of the spaces at the end of a row when they are many.
  private func splitOffClearing(_ pieces: inout [Piece], of surface: Surface) {
    guard dialect.erasesLine, var last = pieces.last, last.style == .plain,
      last.columns.upperBound == surface.fullSize.columns
    else { return }
    let row = surface.row(last.row)
    var start = last.columns.upperBound
    while start > last.columns.lowerBound, row[row.startIndex + start - 1].glyph == .space {
      start -= 1
    }
    guard last.columns.upperBound - start > 3 else { return }
    var clearing = last
    clearing.columns = start..<last.columns.upperBound
    clearing.clearsLine = true
    pieces.removeLast()
    if start > last.columns.lowerBound {
      last.columns = last.columns.lowerBound..<start
      pieces.append(last)
    }
    pieces.append(clearing)
  }

  private mutating func resolve(_ style: Style) -> ResolvedStyle {
    // The colours of pictures are too many to be kept.
    if style.isOfPicture { return theme.resolve(style, depth: dialect.depth) }
    if let known = resolved[style] { return known }
    let new = theme.resolve(style, depth: dialect.depth)
    resolved[style] = new
    return new
  }

  /// Styles in the order in which they first occur; within each, column by column.
  private static func sortedByStyle(_ pieces: [Piece]) -> [Piece] {
    var groups: [[Piece]] = []
    var places: [ResolvedStyle: Int] = [:]
    for piece in pieces {
      let place = places[piece.style] ?? groups.count
      if place == groups.count {
        places[piece.style] = place
        groups.append([])
      }
      groups[place].append(piece)
    }
    return groups.flatMap { group in
      group.sorted { ($0.columns.lowerBound, $0.row) < ($1.columns.lowerBound, $1.row) }
    }
  }
}

extension ResolvedStyle {
  /// Whether a space in this style shows its background and nothing else.
  fileprivate var isInvisible: Bool { attributes.isDisjoint(with: [.underline, .reverse]) }
}
