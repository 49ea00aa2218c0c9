// SPDX-License-Identifier: GPL-3.0-or-later

public import TerminalUI

/// Where everything lies on the screen; the views draw by it and the mouse is understood by it.
public struct Layout: Hashable, Sendable {
  public let title: Rect
  public let transport: Rect
  public let overview: Rect
  /// Small pictures of a video, under the overview; empty where there are none.
  public let thumbnails: Rect
  public let ruler: Rect
  public let canvas: Rect
  /// The markers' handles, and their labels below.
  public let handles: Rect
  public let labels: Rect
  public let listHeading: Rect
  public let list: Rect
  public let notice: Rect
  public let footer: Rect
  /// The words of the selected segment: under the waveform or, with what else is known of it, beside the
  /// list; empty where there is no text and no room to spare.
  public let words: Rect
  public let side: Rect
  /// Of a video; empty where it is hidden.
  public let picture: Rect
  /// Small pictures of a video beside the segments of the list; empty where there are none. And the rows of the
  /// screen that a segment takes.
  public let listPictures: Rect
  public let listRowHeight: Int
  /// Where a panel lies that leaves the waveform in sight.
  public let smallPanel: Rect
  /// Where one lies that does not.
  public let largePanel: Rect

  /// Where a panel lies.
  func frame(of panel: Panel) -> Rect { panel.isSmall ? smallPanel : largePanel }

  /// Below this nothing useful can be shown.
  public static let minSize = Size(columns: 60, rows: 16)

  /// Rows below which everything has to be as short as it goes, and from which on there is room to spare.
  private static let (fewRows, manyRows) = (24, 30)
  /// Columns from which on the list leaves the right of the screen to what is known of the segment, and
  /// those that it keeps at least; it keeps five eighths.
  private static let (columnsForSide, leastListColumns) = (160, 112)

  /// What a large picture leaves of the screen's rows to the waveform.
  private static let shareBesidePicture = 8

  /// - Parameter hasText: whether the words of the Quran are to be shown.
  public init(
    size: Size, hasText: Bool, pictureSize: PictureSize = .off, hasThumbnails: Bool = false,
    listsThumbnails: Bool = false
  ) {
    var rest = Rect(origin: .zero, size: size)
    let isShort = size.rows < Self.fewRows
    title = rest.takeTop(1)
    footer = rest.takeBottom(1)
    notice = rest.takeBottom(1)
    transport = rest.takeTop(1)
    largePanel = rest
    overview = rest.takeTop(size.rows < Self.manyRows ? 1 : 2)
    thumbnails = rest.takeTop(hasThumbnails ? Self.thumbnailRows(of: size) : 0)
    let hasSide = size.columns >= Self.columnsForSide
    let wordRows = hasText && !hasSide ? (size.rows < Self.manyRows ? 1 : 2) : 0
    let headingRows = isShort ? 1 : 2
    let fixed = handlesHeight + wordRows + headingRows
    let belowOverview = rest
    ruler = rest.takeTop(1)
    let leastRows = isShort ? 3 : 5
    canvas = rest.takeTop(
      pictureSize == .large
        ? max(size.rows / Self.shareBesidePicture, 3)
        : max((rest.size.rows - fixed) * 45 / 100, leastRows))
    handles = rest.takeTop(1)
    labels = rest.takeTop(1)
    words = rest.takeTop(wordRows)
    smallPanel = isShort ? belowOverview : rest
    var picture = pictureSize == .large ? rest.takeTop(rest.size.rows) : .zero
    let listColumns = max(size.columns * 5 / 8, Self.leastListColumns)
    var side = hasSide ? rest.takeRight(size.columns - listColumns) : .zero
    if pictureSize == .small {
      // Of 16 to 9 as most are, in cells twice as high as wide; not more than half of what others have.
      let whole = hasSide ? side : rest
      let columns = hasSide ? whole.size.columns : whole.size.columns / 2
      let rows = min(whole.size.rows, columns * 9 / 32)
      picture =
        hasSide ? side.takeTop(rows) : rest.takeRight(min(columns, whole.size.rows * 32 / 9))
    }
    self.side = side
    self.picture = picture
    listHeading = rest.takeTop(headingRows)
    let rowHeight = hasThumbnails && listsThumbnails ? Self.thumbnailRows(of: size) : 0
    if rowHeight > 0, rest.size.rows >= 2 * rowHeight {
      listRowHeight = rowHeight
      // Of 16 to 9, in cells twice as high as wide.
      listPictures = rest.takeLeft(rowHeight * 32 / 9)
    } else {
      listRowHeight = 1
      listPictures = .zero
    }
    list = rest
  }

  /// Segments of the list in sight.
  var listRows: Int { list.size.rows / listRowHeight }

  /// Rows of the thumbnails: in blocks, where two pixels make a row, fewer show nothing.
  static func thumbnailRows(of size: Size) -> Int {
    size.rows < fewRows ? 0 : size.rows < manyRows ? 2 : 3
  }

  static func fits(_ size: Size) -> Bool {
    size.columns >= minSize.columns && size.rows >= minSize.rows
  }
}

private let handlesHeight = 2

extension State {
  /// Where everything lies now.
  var layout: Layout {
    Layout(
      size: size, hasText: text != nil,
      pictureSize: hasColors && pictureObstacle == nil ? settings.pictureSize : .off,
      hasThumbnails: thumbnails != nil, listsThumbnails: settings.listsThumbnails)
  }
}
