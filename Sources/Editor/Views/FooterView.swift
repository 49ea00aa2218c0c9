// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import TerminalUI

extension State {
  /// What the footer offers, the most useful first; only what can be done now.
  private static func footer(_ context: Context) -> [Action] {
    switch context {
    case .normal:
      [
        .segmentCommit, .segmentAssign, .playToggle, .reviewLeastSure, .reviewConfirmNext,
        .markerAdd, .markerDelete,
        .openConfirmation, .segmentUnused, .openRemarks, .openDetection, .openAlignment, .openFill,
        .save, .openNext, .undo, .zoomSegment, .playLoop, .openFind, .segmentNote, .quit,
      ]
    case .start:
      [
        .panelAccept, .startLibrary, .startImport, .startRecord, .startListening,
        .panelNextField, .quit,
      ]
    case .path: [.panelAccept]
    case .assignment:
      [
        .panelAccept, .assignAcceptNext, .assignLeadIn, .panelNextField, .playToggle, .assignPart,
        .splitHere, .assignCrossSurah, .assignSeveral, .assignUnused,
      ]
    case .detection, .confirmation:
      [.panelAccept, .panelLess, .panelMore, .panelNextField, .playToggle]
    case .places:
      [.panelAccept, .panelDown, .panelUp, .playToggle]
    case .unused:
      [.panelAccept, .playToggle]
    case .equaliser:
      [
        .panelLess, .panelMore, .panelDown, .equaliserToggle, .equaliserReset, .playToggle,
      ]
    case .fill: [.panelAccept, .panelNextField, .panelDown, .panelUp]
    case .completion: [.panelAccept, .publishUnconfirmed, .panelDown, .panelUp]
    case .history, .find, .palette: [.panelAccept, .panelDown, .panelUp]
    case .remarks: [.panelAccept, .panelDown, .panelUp]
    case .help: [.panelDown, .panelUp, .panelPageDown]
    case .note, .deletion: [.panelAccept, .playToggle]
    }
  }

  /// What is done with an edge that the review led to.
  private static let reviewKeys: [Action] = [
    .reviewConfirmNext, .markerPauseBefore, .markerPauseAfter, .markerPauseNumbered,
    .reviewLeastSure, .markerDelete,
  ]

  /// A key in the footer, and where it lies.
  struct FooterItem: Hashable {
    let action: Action
    let key: TerminalText
    let label: TerminalText
    let columns: Range<Int>
  }

  /// The keys in the footer from the left, as many as fit, and at the right end those that lead to all
  /// others or back.
  var footerItems: [FooterItem] {
    let context = self.context
    var room = size.columns
    var last: [FooterItem] = []
    let ways: [Action] = [.openHelp, .openPalette] + (context == .normal ? [] : [.panelCancel])
    for action in ways {
      guard let width = footerWidth(action, context), width <= room else { continue }
      room -= width
      last.insert(footerItem(action, context, at: room), at: 0)
    }
    var items: [FooterItem] = []
    var column = 0
    var first: [Action] = []
    // Where there is no marker yet, the first thing to do is to find some.
    if context == .normal, document.records.count == 1 { first = [.openDetection] }
    if context == .normal, isReviewing { first = Self.reviewKeys }
    for action in first + Self.footer(context).filter({ !first.contains($0) }) {
      guard let width = footerWidth(action, context), column + width <= room else { continue }
      items.append(footerItem(action, context, at: column))
      column += width
    }
    return items + last
  }

  /// Columns that an action takes in the footer; nil where it cannot be asked for by a key now.
  private func footerWidth(_ action: Action, _ context: Context) -> Int? {
    guard isOffered(action), keymap.hint(for: action, in: context) != nil else { return nil }
    return footerItem(action, context, at: 0).columns.count
  }

  private func footerItem(_ action: Action, _ context: Context, at column: Int) -> FooterItem {
    let isPause =
      action == .playToggle && (transport.isPlaying || transport.wait == .goesOn)
    let key = TerminalText(keymap.hint(for: action, in: context) ?? "")
    let label = TerminalText(isPause ? "pause" : action.label)
    let width = key.width + label.width + 3
    return FooterItem(action: action, key: key, label: label, columns: column..<column + width)
  }

  /// What a click on the footer asks for.
  func footerAction(at point: Point) -> Action? {
    guard layout.footer.contains(point) else { return nil }
    return footerItems.first { $0.columns.contains(point.column) }?.action
  }
}

extension Screen {
  /// The keys that work now; each is a button for the mouse too.
  func drawFooter(on surface: inout Surface, in rect: Rect) {
    let bar = Style(.standard, on: .role(.bar))
    surface.fill(rect, style: bar)
    surface.within(rect) { surface in
      for item in state.footerItems {
        let column = item.columns.lowerBound + 1
        surface.write(
          item.key, at: Point(column: column, row: 0), style: Style(.key, on: .bar))
        surface.write(
          " " + item.label, at: Point(column: column + item.key.width, row: 0), style: bar)
      }
    }
  }
}
