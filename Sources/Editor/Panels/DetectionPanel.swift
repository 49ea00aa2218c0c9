// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI

/// Tunes a detector, or says what is recited, while the count of what is found follows.
public struct DetectionPanel: Sendable {
  /// The whole recording or the span selected; for an alignment, from the segment on as far as nothing
  /// is confirmed, or the selected span without cutting an ayah.
  let span: Range<FramePosition>
  let isWhole: Bool
  /// What of it nobody has confirmed: how many stretches, and how many segments these have.
  private(set) var gaps: (stretches: Int, segments: Int) = (0, 0)
  var parameters = DetectionParameters()
  var field = Field.detector
  var first = TextField()
  var last = TextField()
  /// Whether the end was typed, not filled in.
  var isLastTyped = false
  /// Whether it was opened to say what is recited.
  private let isForAyat: Bool
  /// Whether the first key typed replaces an ayah that was filled in.
  var isFresh = true
  /// What is recited begins in it; nil where one ayah is said, or nothing.
  private var range: AyahRange?
  /// The start that was chosen among those proposed.
  private var proposal: AyahProposal?
  /// Why that may well be wrong.
  private var doubtOfProposal: StartReport.Doubt?
  /// What is being searched with, or was; nil while what is typed means nothing.
  private var asked: DetectionParameters?
  /// What the parameters find; nil while that is not known.
  private(set) var report: DetectionReport?
  /// What it comes to in the document.
  private(set) var tally: Tally?
  /// Why nothing was found out, for people.
  private(set) var fault: String?
  /// How far what has to be listened to has been heard, 0...1; nil while that is not known.
  var progress: Double?
  /// Whether what is found is to be taken as soon as it is known.
  var isAccepted = false

  enum Field: CaseIterable {
    case detector, threshold, minSilence, mergeGap, first, last, prayer
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
    let known = isAligning && state.selection.span == nil ? state.alignmentToRepeat : nil
    let chosen = (state.selection.span ?? known?.span).map {
      isAligning ? state.alignable($0) : $0
    }
    span = chosen ?? (isAligning ? state.unconfirmedSpan : whole)
    isWhole = span == whole
    isForAyat = isAligning
    guard isAligning else {
      asked = parameters
      return
    }
    let span = self.span
    gaps = state.gaps(in: span)
    field = .first
    if let known {
      parameters = known.parameters
      first = TextField(parameters.first.map { "\($0)" } ?? "")
      last = TextField(parameters.last.map { "\($0)" } ?? "")
      asked = wanted
      return
    }
    let start =
      state.selection.span == nil ? state.firstUnconfirmed ?? state.selectedSegment : nil
    parameters.prayer = state.knownAlignment?.parameters.prayer ?? .none
    var ayah = state.ayah(
      recitedFrom: start ?? state.document.segment(containing: span.lowerBound))
    var end = state.ayah(at: span.upperBound)
    if parameters.prayer != .none, ayah?.isInFatiha == true {
      // A prayer is told by what follows al-Fatiha; that alone is aligned as any other surah, and no further than it goes.
      if let portion = state.firstAfterFatiha(in: span) {
        ayah = portion
      } else {
        parameters.prayer = .none
        end = end ?? state.lastPassage(in: span)?.ayah
      }
    }
    if let ayah {
      first = TextField("\(ayah)")
      parameters.first = ayah
    }
    // Before the first ayah of what is confirmed there may be a lead-in alone.
    if let first = parameters.first, let end, first <= end {
      last = TextField("\(end)")
      parameters.last = end
    }
    asked = wanted
  }

  /// The same for a recording that was being brought in when it was opened, and is there now.
  func reopened(_ state: State) -> DetectionPanel {
    var panel = DetectionPanel(state, isAligning: isForAyat)
    panel.field = field
    panel.isFresh = isFresh
    panel.first = first
    panel.last = last
    panel.isLastTyped = isLastTyped
    panel.parameters.prayer = parameters.prayer
    panel.asked = nil
    _ = panel.followText()
    panel.isAccepted = isAccepted && !panel.isStartSought
    return panel
  }

  var isAligning: Bool { isForAyat || !first.text.isEmpty }

  /// The fields that matter to what is going to be done.
  var fields: [Field] {
    if isAligning { return [.first, .last, .prayer] }
    return parameters.detector == .fixed
      ? [.detector, .threshold, .minSilence, .mergeGap, .first] : [.detector, .first]
  }

  /// What the panel wants to know as soon as it is open.
  func search(_ state: State) -> [PanelRequest] {
    asked.map { [.detect($0, in: span)] } ?? []
  }

  /// Why what was found cannot be taken.
  var obstacle: String? {
    if let fault { return fault.sentence }
    if let mistake = mistake { return mistake }
    guard let report else { return nil }
    if isAligning { return report.reciting > 0 ? nil : "No ayah was found here" }
    return report.boundaries.isEmpty ? "No boundary was found" : nil
  }

  /// What is wrong with what is typed.
  var mistake: String? {
    guard isAligning else { return nil }
    for text in [first.text, last.text] where !text.isEmpty {
      do throws(QuranError) {
        _ = try AyahRange(parsing: text)
      } catch {
        return "\(error)".sentence
      }
    }
    if let first = parameters.first ?? range?.first, let last = parameters.last, last < first {
      return "The recitation ends before it starts"
    }
    return nil
  }

  /// What to search with; nil where what is typed means nothing, or not where reciting begins.
  private var wanted: DetectionParameters? {
    mistake == nil && !isStartSought ? parameters : nil
  }

  mutating func take(_ report: DetectionReport, _ state: State) {
    // It may have been found before what is typed now meant nothing.
    guard asked != nil else { return }
    var report = report
    if let proposal {
      report.remarks.insert(Self.remark(on: proposal), at: 0)
      if let doubtOfProposal { report.add(doubtOfProposal) }
    } else if isWhole, let first = parameters.first {
      // Said again it is as doubtful as before.
      state.addRemarks(ofStart: first, to: &report)
    }
    self.report = report
    fault = nil
    progress = nil
    var document = state.document
    do {
      for edit in edits(taking: report, in: document) { try document.apply(edit) }
    } catch {
      return
    }
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

  /// Puts what was found in the place of what was suggested in the span, with a marker wherever the span of an
  /// alignment ends within an unassigned segment: what was found says nothing of the sound beyond.
  func edits(taking report: DetectionReport, in document: AnnotationDocument) -> [Edit] {
    var id = document.unusedMarkerID
    var edits: [Edit] = []
    for end in isAligning ? [span.lowerBound, span.upperBound] : []
    where end > .zero && end < .zero + document.length {
      let segment = document.segment(containing: end)
      guard segment.span.lowerBound != end, segment.assignment == nil else { continue }
      edits.append(.addMarker(Marker(id: id, position: end, origin: .aligned)))
      id = MarkerID(id.rawValue + 1)
    }
    return edits + [.replaceSuggestions(report.suggestions(in: span, from: id))]
  }

  private func assigned(in document: AnnotationDocument) -> Int {
    document.records.reduce(0) { $0 + ($1.content.assignment == nil ? 0 : 1) }
  }

  mutating func fail(_ reason: String) {
    guard asked != nil else { return }
    report = nil
    fault = reason
    progress = nil
    isAccepted = false
  }
}

// MARK: A start that is not known

extension DetectionPanel {
  /// Whether a person has said enough to look for where reciting begins, and not where it does: in a prayer it always begins
  /// with al-Fatiha, which says nothing of what follows.
  var isStartSought: Bool {
    isAligning && mistake == nil
      && parameters.first.map { parameters.prayer != .none && $0.isInFatiha } ?? true
  }

  /// Where it is looked for; nil for everywhere.
  private var soughtRange: AyahRange? {
    range.flatMap { parameters.prayer != .none && $0.last.isInFatiha ? nil : $0 }
  }

  func startRequest(id: Int) -> StartRequest {
    StartRequest(
      id: id, span: span, range: soughtRange, last: parameters.last, prayer: parameters.prayer)
  }

  /// What will be looked for, for people.
  var question: String {
    let part = parameters.prayer == .none ? "" : " of what follows al-Fatiha"
    if let range = soughtRange {
      let surah = range.first.surah
      return range == surah.ayat
        ? "the start\(part) in \(surah.name) (type \(surah.firstAyah) if it starts there)"
        : "the start\(part) in \(range.numericDescription)"
    }
    if let last = parameters.last { return "the start of a recitation that ends with \(last)" }
    return "the start\(part) in the whole Quran"
  }

  /// The same with a start that was proposed and chosen.
  ///
  /// - Parameter doubt: why it may well be wrong; nil where it is likely, or a person preferred it.
  func beginning(with proposal: AyahProposal, doubt: StartReport.Doubt?) -> DetectionPanel {
    var form = self
    form.first = TextField("\(proposal.first)")
    form.isFresh = true
    form.field = .first
    _ = form.followText()
    form.proposal = proposal
    form.doubtOfProposal = doubt
    return form
  }

  private static func remark(on proposal: AyahProposal) -> AlignmentJudgement.Remark {
    .init(
      code: AlignmentJudgement.StartCode.chosen.rawValue,
      text: "you chose the proposed start \(proposal.first), which is \(proposal.percent) likely")
  }
}

extension AyahProposal {
  /// How likely it is, for people.
  var percent: String {
    let percent = Int((100 * confidence).rounded())
    return percent < 1 ? "less than 1%" : percent > 99 ? "over 99%" : "\(percent)%"
  }
}

// MARK: What is typed

extension DetectionPanel {
  mutating func followText() -> [PanelRequest] {
    let begins = isAligning ? try? AyahRange(parsing: first.text) : nil
    parameters.first = begins.flatMap { $0.count == 1 ? $0.first : nil }
    range = begins.flatMap { $0.count == 1 ? nil : $0 }
    parameters.last = isAligning ? (try? AyahRange(parsing: last.text))?.last : nil
    // One that was filled in belongs to the start that was.
    if !isLastTyped, let begins, let end = parameters.last, end < begins.first {
      last.clear()
      parameters.last = nil
    }
    if proposal?.first != parameters.first { (proposal, doubtOfProposal) = (nil, nil) }
    return searchAgain()
  }

  /// Searches with what is wanted now, or stops searching where that means nothing.
  mutating func searchAgain() -> [PanelRequest] {
    let wanted = wanted
    guard wanted != asked else { return [] }
    asked = wanted
    report = nil
    tally = nil
    fault = nil
    progress = nil
    isAccepted = false
    return wanted.map { [.detect($0, in: span)] } ?? [.emit(.cancelDetection)]
  }
}
