// SPDX-License-Identifier: GPL-3.0-or-later

/// Leads a terminal that shows sixels to the images of a surface.
///
/// Such a terminal knows no images, only pixels, which are gone where text is written: the columns from which
/// text has gone again are drawn anew. What is drawn is erased first.
public struct SixelImages: Sendable {
  /// Of images that are sent from now on.
  public var theme: Theme
  private var shown: [Int: Shown] = [:]
  /// What was on the screen when images were last looked after.
  private var last: Surface?

  private struct Shown {
    var placed: PlacedImage
    var cell: CellPixels
    var picture: SixelPicture
    /// Columns of cells, from the left of the image, that have to be drawn.
    var dirty: Set<Int>
  }

  /// Bytes, and rectangles in which nothing but images is left.
  public struct Step: Sendable {
    public var bytes: [UInt8] = []
    public var erased: [Rect] = []

    fileprivate var keepingCursor: Step {
      guard !bytes.isEmpty else { return self }
      var step = self
      step.bytes = Array("\u{1B}7".utf8) + bytes + Array("\u{1B}8".utf8)
      return step
    }
  }

  /// Takes away what may be left of images.
  public static let farewell = Array("\u{1B}[m\u{1B}[2J".utf8)

  /// Pixels to a side of what is drawn at once: xterm leaves out what is larger (xterm(1), `maxGraphicSize`).
  static let maxSide = 1000

  public init(theme: Theme = .standard) { self.theme = theme }

  /// Takes nothing for granted any more: the screen is clear, or will be.
  public mutating func forget() {
    shown = [:]
    last = nil
  }

  /// Whether these images are shown whole, and no others.
  public func shows(_ images: [PlacedImage]) -> Bool {
    shown.count == images.count
      && images.allSatisfy { shown[$0.slot]?.placed == $0 && shown[$0.slot]?.dirty.isEmpty == true }
  }

  /// What has to be done before the cells of a surface are written.
  ///
  /// - Parameter isOpen: whether images may be drawn; else they are only erased.
  public mutating func advance(to surface: Surface, cell: CellPixels, isOpen: Bool) -> Step {
    var step = Step()
    let wanted = Dictionary(surface.images.map { ($0.slot, $0) }) { $1 }
    for slot in shown.keys.sorted() {
      guard let old = shown[slot] else { continue }
      if wanted[slot]?.rect != old.placed.rect || old.cell != cell {
        erase(old.placed.rect, in: &step)
        shown[slot] = nil
      }
    }
    uncover(surface)
    last = surface
    guard isOpen else { return step.keepingCursor }
    for slot in wanted.keys.sorted() {
      guard let placed = wanted[slot] else { continue }
      if shown[slot]?.placed != placed {
        let picture = SixelPicture(
          placed.image.raster(theme), width: placed.rect.size.columns * cell.width,
          height: placed.rect.size.rows * cell.height)
        shown[slot] = Shown(
          placed: placed, cell: cell, picture: picture,
          dirty: Set(0..<placed.rect.size.columns))
      }
      draw(slot, in: &step)
    }
    return step.keepingCursor
  }

  /// Notes the columns from which text has gone.
  private mutating func uncover(_ surface: Surface) {
    guard let last, last.fullSize == surface.fullSize else { return }
    for run in surface.changes(from: last) {
      let row = surface.row(run.row)
      for column in run.columns where row[row.startIndex + column] == .blank {
        let point = Point(column: column, row: run.row)
        for (slot, image) in shown where image.placed.rect.contains(point) {
          shown[slot]?.dirty.insert(column - image.placed.rect.origin.column)
        }
      }
    }
  }

  private func erase(_ rect: Rect, in step: inout Step) {
    step.bytes += Array("\u{1B}[m".utf8)
    for row in rect.rows {
      step.bytes += Array(
        "\u{1B}[\(row + 1);\(rect.origin.column + 1)H\u{1B}[\(rect.size.columns)X".utf8)
    }
    step.erased.append(rect)
  }

  private mutating func draw(_ slot: Int, in step: inout Step) {
    guard let image = shown[slot], !image.dirty.isEmpty else { return }
    let rect = image.placed.rect
    let most = Size(
      columns: max(Self.maxSide / image.cell.width, 1),
      rows: max(Self.maxSide / image.cell.height, 1))
    var columns = image.dirty.sorted()[...]
    while let first = columns.popFirst() {
      var end = first + 1
      while columns.first == end, end - first < most.columns {
        columns.removeFirst()
        end += 1
      }
      let strip = Rect(
        column: rect.origin.column + first, row: rect.origin.row, columns: end - first,
        rows: rect.size.rows)
      erase(strip, in: &step)
      for top in stride(from: 0, to: rect.size.rows, by: most.rows) {
        let bottom = min(top + most.rows, rect.size.rows)
        let corner = "\u{1B}[\(rect.origin.row + top + 1);\(strip.origin.column + 1)H"
        step.bytes += Array(corner.utf8)
        step.bytes += image.picture.encoded(
          columns: first * image.cell.width..<end * image.cell.width,
          rows: top * image.cell.height..<bottom * image.cell.height)
      }
    }
    shown[slot]?.dirty = []
  }
}
