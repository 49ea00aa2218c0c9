// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import TerminalUI

extension DetectionPanel: PanelModel {
  var context: Context { .detection }

  func choice(_ state: State) -> (index: Int, count: Int)? {
    (fields.firstIndex(of: field) ?? 0, fields.count)
  }

  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest] {
    switch action {
    case .panelAccept:
      if isStartSought, !state.isProvisional { return [.propose(self)] }
      isAccepted = true
      return report == nil
        ? [.notify(Notice(.hint, "Will be applied when ready"))] : [.acceptDetection]
    case .panelCancel: return [.emit(.cancelDetection), .close]
    case .panelUp, .panelPreviousField: step(by: -1)
    case .panelDown, .panelNextField: step(by: 1)
    case .panelLess, .panelMore:
      let key = KeyEvent(action == .panelLess ? .left : .right)
      switch field {
      case .first: _ = first.handle(key)
      case .last: _ = last.handle(key)
      default: return change(by: action == .panelMore ? 1 : -1)
      }
    default: break
    }
    return []
  }

  mutating func type(_ key: KeyEvent, _ state: State) -> [PanelRequest] {
    switch field {
    case .first:
      if isFresh, isAligning, key.typed != nil { first.clear() }
      isFresh = false
      _ = first.handle(key)
    case .last:
      _ = last.handle(key)
      isLastTyped = true
    case .detector, .prayer: return key.typed == " " ? change(by: 1) : []
    default: return []
    }
    return followText()
  }

  mutating func paste(_ text: String, _ state: State) -> [PanelRequest] {
    switch field {
    case .first: first.insert(text)
    case .last:
      last.insert(text)
      isLastTyped = true
    default: return []
    }
    return followText()
  }

  mutating func point(_ mouse: MouseEvent, in frame: Rect, _ state: State) -> [PanelRequest] {
    let inside = frame.inset(columns: 2, rows: 1)
    let row = mouse.position.row - inside.origin.row
    switch mouse.action {
    case .wheel(let direction):
      return change(by: direction == .up || direction == .right ? 1 : -1)
    case .press(.left):
      guard fields.indices.contains(row) else { return [] }
      let isAgain = field == fields[row]
      field = fields[row]
      let turns: [Field] = [.detector, .prayer]
      return isAgain && turns.contains(field) ? change(by: 1) : []
    default: return []
    }
  }

  private mutating func step(by steps: Int) {
    let index = fields.firstIndex(of: field) ?? 0
    field = fields[min(max(index + steps, 0), fields.count - 1)]
  }

  private mutating func change(by steps: Int) -> [PanelRequest] {
    switch field {
    case .detector: parameters.detector = parameters.detector == .adaptive ? .fixed : .adaptive
    case .threshold:
      let thousandths = (parameters.threshold * 1000).rounded() + Double(steps * 2)
      parameters.threshold = min(max(thousandths / 1000, 0.002), 0.5)
    case .minSilence:
      parameters.minSilence = min(max(parameters.minSilence + steps * 50, 50), 5000)
    case .mergeGap: parameters.mergeGap = min(max(parameters.mergeGap + steps * 20, 0), 2000)
    case .prayer: parameters.prayer = parameters.prayer == .none ? .taraweeh : .none
    case .first, .last: break
    }
    return searchAgain()
  }
}
