// SPDX-License-Identifier: GPL-3.0-or-later

public import TerminalUI

/// Where everything lies on the screen; the views draw by it and the mouse is understood by it.
public struct Layout: Hashable, Sendable {
  public let title: Rect
  public let transport: Rect
  public let overview: Rect
  public let ruler: Rect
  public let canvas: Rect
  /// The markers' handles, and their labels below.
  public let handles: Rect
  public let labels: Rect
  public let listHeading: Rect
  public let list: Rect
  public let notice: Rect
  public let footer: Rect
  /// Where a panel lies that leaves the waveform in sight.
  public let smallPanel: Rect
  /// Where one lies that does not.
  public let largePanel: Rect

  /// Below this nothing useful can be shown.
  public static let minSize = Size(columns: 80, rows: 24)

  public init(size: Size) {
    var rest = Rect(origin: .zero, size: size)
    title = rest.takeTop(1)
    footer = rest.takeBottom(1)
    notice = rest.takeBottom(1)
    transport = rest.takeTop(1)
    largePanel = rest
    overview = rest.takeTop(size.rows < 30 ? 1 : 2)
    ruler = rest.takeTop(1)
    let fixed = handlesHeight + 1
    canvas = rest.takeTop(max((rest.size.rows - fixed) * 45 / 100, 5))
    handles = rest.takeTop(1)
    labels = rest.takeTop(1)
    smallPanel = rest
    listHeading = rest.takeTop(1)
    list = rest
  }

  static func fits(_ size: Size) -> Bool {
    size.columns >= minSize.columns && size.rows >= minSize.rows
  }
}

private let handlesHeight = 2
