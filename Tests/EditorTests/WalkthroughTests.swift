// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI
import Testing

@testable import Editor

/// A whole recording from the first detection to its publication.
@Suite struct WalkthroughTests {
  private let found = DetectionReport(
    boundaries: [10_000, 20_000, 30_000].map {
      .init(position: FramePosition($0), confidence: 0.8)
    })
  private let expected = ["1:1!", "1:2!", "1:3!", "unused: ameen!"]

  @Test func byKeysAlone() throws {
    var desk = Desk(try document())
    desk.press("a enter")
    desk.send(.detected(id: desk.state.lastDetection, found))
    desk.press("e '1:1 alt-enter enter enter 0 a ctrl-s")
    #expect(desk.labels == expected)
    #expect(desk.state.facts.progress.status == .complete)
    #expect(desk.effects.contains(.publish(includingUnconfirmed: false)))
    #expect(desk.state.context == .normal)
  }

  @Test func byTheMouseAlone() throws {
    var desk = Desk(try document())
    try desk.clickFooter(.openDetection)
    desk.send(.detected(id: desk.state.lastDetection, found))
    try desk.clickFooter(.panelAccept)
    let panel = desk.layout.smallPanel
    for row in 0..<3 {
      desk.click(20, desk.layout.list.origin.row + row)
      // The first surah in the list; after that the next ayah is filled in.
      if row == 0 { desk.click(panel.origin.column + 60, panel.origin.row + 2) }
      try desk.clickFooter(.panelAccept)
    }
    desk.click(20, desk.layout.list.origin.row + 3)
    let unused = "│  One ayah   Several   Cross-surah   Lead-in   ".count
    desk.click(unused + 1, panel.origin.row + 1)
    desk.click(panel.origin.column + 4, panel.origin.row + 3)
    try desk.clickFooter(.panelAccept)
    #expect(desk.labels == expected)
    try desk.clickFooter(.openPalette)
    let large = desk.layout.largePanel
    var isSaved = false
    for _ in 0..<100 where !isSaved {
      let rows = view(desk.state).textRows
      if let row = rows.firstIndex(where: { $0.contains(" file.save ") }) {
        desk.click(10, row)
        isSaved = true
      } else {
        desk.mouse(.wheel(.down), 10, large.origin.row + 5)
      }
    }
    #expect(desk.effects.contains(.publish(includingUnconfirmed: false)))
  }
}

extension Desk {
  fileprivate mutating func clickFooter(_ action: Action) throws {
    let item = try #require(state.footerItems.first { $0.action == action })
    click(item.columns.lowerBound + 1, layout.footer.origin.row)
  }
}
