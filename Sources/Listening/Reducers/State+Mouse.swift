// SPDX-License-Identifier: GPL-3.0-or-later

import Playback
import TerminalUI

extension State {
  mutating func take(_ mouse: MouseEvent, _ effects: inout [Effect]) {
    guard Layout.fits(size) else { return }
    // As the person saw it, with a notice that the press takes away.
    let (layout, panelList) = (layout, panelList)
    let point = mouse.position
    if case .press(.left) = mouse.action {
      notice = nil
      if let action = footerItems.first(where: {
        layout.footer.contains(point) && $0.columns.contains(point.column)
      })?.action {
        return perform(action, &effects)
      }
    }
    if layout.waveform.contains(point) || layout.bar.contains(point) {
      switch mouse.action {
      case .press(.left): return go(toColumn: point.column, in: layout, &effects)
      // A drag that began in a panel may lead into the waveform.
      case .drag(.left) where panel == nil:
        return go(toColumn: point.column, in: layout, &effects)
      case .press, .drag, .release, .wheel: break
      }
    }
    if panel != nil { return pointAtPanel(mouse, in: panelList, &effects) }
    guard layout.queue.contains(point) || layout.queueHeading.contains(point) else { return }
    var cursor = ListCursor(chosenIndex ?? 0)
    let before = chosenIndex
    let isClicked = cursor.point(mouse, in: layout.queue, count: queue.count)
    guard queue.indices.contains(cursor.index) else { return }
    chosen = queue[cursor.index].id
    if isClicked, before == cursor.index { playChosen(&effects) }
  }

  private mutating func go(toColumn column: Int, in layout: Layout, _ effects: inout [Effect]) {
    guard let seconds = now?.seconds, layout.waveform.size.columns > 0 else { return }
    let fraction =
      Double(column - layout.waveform.origin.column) / Double(layout.waveform.size.columns)
    effects.append(.move(fraction * seconds.length - seconds.passed))
  }

  private mutating func pointAtPanel(
    _ mouse: MouseEvent, in list: Rect, _ effects: inout [Effect]
  ) {
    guard let panel, var cursor = panel.cursor else { return }
    let isClicked = cursor.point(mouse, in: list, count: panelRowCount)
    self.panel?.cursor = cursor
    guard isClicked else { return }
    switch panel {
    case .equaliser:
      let sliders = sliderColumns(in: list)
      let column = mouse.position.column - sliders.lowerBound
      if column >= -1, sliders.count > 1 {
        setSlider(cursor.index, Double(column) / Double(sliders.count - 1), &effects)
      }
    case .fades, .repeats, .help, .check: break
    case .reciters:
      switch Screen.reciterButton(at: mouse.position.column - list.origin.column) {
      case nil: perform(.panelAccept, &effects)
      case .toggle?: perform(.reciterToggle, &effects)
      case .earlier?: perform(.reciterEarlier, &effects)
      case .later?: perform(.reciterLater, &effects)
      }
    case .sleep, .shuffle, .palette: perform(.panelAccept, &effects)
    case .jump, .add: break
    }
  }
}
