// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Quran
import TerminalUI

/// Where in the Quran reciting may begin, likeliest first; the one chosen goes on to its alignment.
public struct PlacesPanel: Sendable {
  /// What was typed, to go back to.
  let form: DetectionPanel
  var cursor = ListCursor()
  /// Nil while it is being looked for.
  private(set) var report: StartReport?
  /// Why nothing was found out, for people.
  private(set) var fault: String?
  /// How far what has to be listened to has been heard, 0...1; nil while that is not known.
  var progress: Double?

  /// Less likely ones are not shown, unless there is no other.
  private static let minShown = 0.005

  init(_ form: DetectionPanel) { self.form = form }

  /// Those to choose from.
  var proposals: [AyahProposal] {
    guard let proposals = report?.proposals else { return [] }
    return Array(proposals.prefix(1))
      + proposals.dropFirst().filter { $0.confidence >= Self.minShown }
  }

  /// Why none can be chosen.
  var obstacle: String? {
    if let fault { return fault.sentence }
    guard report != nil else { return "The search is still running" }
    return proposals.isEmpty ? "No place was found" : nil
  }

  /// What is said above them, in as many lines as it takes; one stays for a place.
  func heading(in frame: Rect) -> [TerminalText] {
    let inside = PanelLayout(frame).inside.size
    let advice = proposals.isEmpty ? "" : "Choose a start; its alignment is shown next."
    let text = report?.doubt?.remark.text.sentence ?? advice
    return Array(Paragraph.lines(of: text, width: inside.columns).prefix(max(inside.rows - 1, 1)))
  }

  func layout(_ frame: Rect) -> PanelLayout {
    PanelLayout(frame, fieldRows: max(heading(in: frame).count, 1))
  }

  mutating func take(_ report: StartReport) {
    self.report = report
    cursor = ListCursor()
  }

  mutating func fail(_ reason: String) { fault = reason }
}

extension PlacesPanel: PanelModel {
  var context: Context { .places }

  func choice(_ state: State) -> (index: Int, count: Int)? { (cursor.index, proposals.count) }

  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest] {
    if cursor.take(action, count: proposals.count) { return [] }
    switch action {
    case .panelAccept:
      guard proposals.indices.contains(cursor.index) else { return [] }
      // Who prefers another one than the first knows why.
      let form = form.beginning(
        with: proposals[cursor.index], doubt: cursor.index == 0 ? report?.doubt : nil)
      return [.open(.detection(form))] + form.search(state)
    case .panelCancel:
      return [.emit(.cancelDetection), .open(.detection(form))]
    default: return []
    }
  }

  mutating func point(_ mouse: MouseEvent, in frame: Rect, _ state: State) -> [PanelRequest] {
    let isChosen = cursor.point(mouse, in: layout(frame).list, count: proposals.count)
    return isChosen ? perform(.panelAccept, state) : []
  }
}
