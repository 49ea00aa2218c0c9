// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI

/// Tunes a detector, or says what is recited, while the count of what is found follows.
public struct DetectionPanel: Sendable {
  /// The whole recording or the span selected; for an alignment, from the segment on as far as nothing
  /// is confirmed.
  let span: Range<FramePosition>
  let isWhole: Bool
  var parameters = DetectionParameters()
  var field = Field.detector
  var first = TextField()
  var last = TextField()
  /// Whether it was opened to say what is recited.
  private let isForAyat: Bool
  /// Whether the first key typed replaces an ayah that was filled in.
  private var isFresh = true
  /// What is being searched with, or was; nil while what is typed means nothing.
  private var asked: DetectionParameters?
  /// What the parameters find; nil while that is not known.
  private(set) var report: DetectionReport?
  /// What it comes to in the document.
  private(set) var tally: Tally?
  /// Why nothing was found out, for people.
  private(set) var fault: String?
  /// Whether what is found is to be taken as soon as it is known.
  private(set) var isAccepted = false

  enum Field: CaseIterable {
    case detector, threshold, leastSilence, mergeGap, first, last, prayer, reference
  }

  struct Tally: Hashable {
    /// Boundaries found, and segments in which ayat are recited.
    var found: Int
    var reciting: Int
    /// Suggestions there will be, and markers that stay because a person has confirmed or set them.
    var suggestions: Int
    var staying: Int
    /// Segments whose assignment is taken away.
    var losing = 0
  }

  /// - Parameter isAligning: whether a person is going to say what is recited.
  init(_ state: State, isAligning: Bool = false) {
    let whole = FramePosition.zero..<state.end
    span = state.selection.span ?? (isAligning ? state.unconfirmedSpan : whole)
    isWhole = span == whole
    isForAyat = isAligning
    guard isAligning else {
      asked = parameters
      return
    }
    field = .first
    let segment = state.selectedSegment
    if let ayah = segment.passages.first?.ayah ?? state.proposedAyah(for: segment.index) {
      first = TextField("\(ayah)")
      parameters.first = ayah
    }
    if parameters.first != nil, let ayah = state.ayah(before: span.upperBound) {
      last = TextField("\(ayah)")
      parameters.last = ayah
    }
    parameters.prayer = state.alignment?.parameters.prayer ?? .none
    asked = mistake == nil ? parameters : nil
  }

  var isAligning: Bool { isForAyat || !first.text.isEmpty }

  /// The fields that matter to what is going to be done.
  var fields: [Field] {
    if isAligning { return [.first, .last, .prayer, .reference] }
    return parameters.detector == .fixed
      ? [.detector, .threshold, .leastSilence, .mergeGap, .first] : [.detector, .first]
  }

  /// What the panel wants to know as soon as it is open.
  func search(_ state: State) -> [PanelRequest] {
    asked.map { [.detect($0, in: span)] } ?? []
  }

  /// An ayah typed, or the first or last one of a surah.
  private static func range(_ text: String) -> AyahRange? { try? AyahRange(parsing: text) }

  /// Why what was found cannot be taken.
  var obstacle: String? {
    if let fault { return fault.sentence }
    if let mistake = mistake { return mistake }
    guard let report else { return nil }
    if isAligning { return report.reciting > 0 ? nil : "No ayah was found here" }
    return report.boundaries.isEmpty ? "No boundary was found" : nil
  }

  /// What is wrong with the ayat typed.
  var mistake: String? {
    for text in isAligning ? [first.text, last.text] : [] where !text.isEmpty {
      do throws(QuranError) {
        _ = try AyahRange(parsing: text)
      } catch {
        return "\(error)".sentence
      }
    }
    if isForAyat, first.text.isEmpty { return "With which ayah does it begin?" }
    if let first = parameters.first, let last = parameters.last, last < first {
      return "The recitation ends before it starts"
    }
    return nil
  }

  mutating func take(_ report: DetectionReport, _ state: State) {
    // It may have been found before what is typed now meant nothing.
    guard asked != nil else { return }
    self.report = report
    fault = nil
    let suggestions = report.suggestions(in: span, from: state.annotation.unusedMarkerID)
    var document = state.document
    guard (try? document.apply(.replaceSuggestions(suggestions))) != nil else { return }
    // One that the span begins with was there before.
    let inside = document.markers.filter {
      $0.position > span.lowerBound && $0.position < span.upperBound
    }
    let suggested = inside.reduce(0) { $0 + ($1.isSuggestion ? 1 : 0) }
    tally = Tally(
      found: report.boundaries.count, reciting: report.reciting, suggestions: suggested,
      staying: inside.count - suggested,
      losing: max(assigned(in: state.document) - assigned(in: document), 0))
  }

  private func assigned(in document: AnnotationDocument) -> Int {
    document.records.reduce(0) { $0 + ($1.content.assignment == nil ? 0 : 1) }
  }

  mutating func fail(_ reason: String) {
    guard asked != nil else { return }
    report = nil
    fault = reason
    isAccepted = false
  }
}

extension DetectionPanel: PanelModel {
  var context: Context { .detection }

  func choice(_ state: State) -> (index: Int, count: Int)? {
    (fields.firstIndex(of: field) ?? 0, fields.count)
  }

  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest] {
    switch action {
    case .panelAccept:
      isAccepted = true
      return report == nil
        ? [.notify(Notice(.hint, "Taken as soon as it is found"))] : [.acceptDetection]
    case .panelCancel: return [.emit(.cancelDetection), .close]
    case .panelUp, .panelPreviousField: step(by: -1)
    case .panelDown, .panelNextField: step(by: 1)
    case .panelLess, .panelMore:
      if field == .first || field == .last {
        let key = KeyEvent(action == .panelLess ? .left : .right)
        _ = field == .first ? first.handle(key) : last.handle(key)
      } else {
        return change(by: action == .panelMore ? 1 : -1)
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
    case .last: _ = last.handle(key)
    default: return []
    }
    return followText()
  }

  mutating func paste(_ text: String, _ state: State) -> [PanelRequest] {
    switch field {
    case .first: first.insert(text)
    case .last: last.insert(text)
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
      let turns: [Field] = [.detector, .prayer, .reference]
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
    case .leastSilence:
      parameters.leastSilence = min(max(parameters.leastSilence + steps * 50, 50), 5000)
    case .mergeGap: parameters.mergeGap = min(max(parameters.mergeGap + steps * 20, 0), 2000)
    case .prayer: parameters.prayer = parameters.prayer == .none ? .taraweeh : .none
    case .reference: parameters.reference = parameters.reference == .none ? .library : .none
    case .first, .last: break
    }
    return searchAgain()
  }

  private mutating func followText() -> [PanelRequest] {
    parameters.first = Self.range(first.text)?.first
    parameters.last = isAligning ? Self.range(last.text)?.last : nil
    return searchAgain()
  }

  /// Searches with what is wanted now, or stops searching where that means nothing.
  private mutating func searchAgain() -> [PanelRequest] {
    let wanted = mistake == nil ? parameters : nil
    guard wanted != asked else { return [] }
    asked = wanted
    report = nil
    tally = nil
    fault = nil
    isAccepted = false
    return wanted.map { [.detect($0, in: span)] } ?? [.emit(.cancelDetection)]
  }
}
