// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

// Every change of the document goes through here.
extension State {
  /// Carries an edit out and hands it to the store.
  ///
  /// - Parameter joinsPrevious: whether it is undone and redone together with the edit before it.
  /// - Returns: whether it was accepted; the notice says why not.
  @discardableResult
  mutating func edit(
    _ edit: Edit, joinsPrevious: Bool = false, _ effects: inout [Effect]
  ) -> Bool {
    if let obstacle = obstacleToEditing {
      notice = Notice(.warning, obstacle)
      return false
    }
    do throws(EditRefusal) {
      guard let request = try annotation.apply(edit, joinsPrevious: joinsPrevious) else {
        return true
      }
      effects.append(.store(request))
      if !joinsPrevious { forgetBanner() }
      followDocument(&effects)
      if let corrected = edit.confirmedSegment { realign(around: corrected, &effects) }
      return true
    } catch {
      notice = Notice(.warning, error.message(at: rate).sentence)
      return false
    }
  }

  /// Keeps what an alignment says of the document as it is now.
  mutating func judge(_ judgement: AlignmentJudgement, _ effects: inout [Effect]) {
    if let request = annotation.judge(judgement) { effects.append(.store(request)) }
  }

  /// Takes back the latest edit, or does the latest one taken back again; with a confirmation what it has
  /// mended.
  @discardableResult
  mutating func step(back: Bool, _ effects: inout [Effect]) -> Bool {
    defer { judgeAnew(&effects) }
    if back {
      while annotation.history.undoable.last?.joinsPrevious == true,
        annotation.history.undoable.count > 1
      {
        guard stepOnce(back: true, &effects) else { return false }
      }
      return stepOnce(back: true, &effects)
    }
    guard stepOnce(back: false, &effects) else { return false }
    let said = notice
    while annotation.history.redoable.last?.joinsPrevious == true {
      guard stepOnce(back: false, &effects) else { return false }
    }
    // What a person did, not what followed it.
    notice = said
    return true
  }

  private mutating func stepOnce(back: Bool, _ effects: inout [Effect]) -> Bool {
    do throws(EditRefusal) {
      guard let step = try back ? annotation.undo() : annotation.redo() else { return false }
      effects.append(.store(step.request))
      realignments = [:]
      forgetBanner()
      notice = Notice(.done, (back ? "Undone: " : "Redone: ") + step.entry.summary(rate))
      reveal(step.entry.change)
      followDocument(&effects)
      return true
    } catch {
      notice = Notice(.failure, error.message(at: rate).sentence)
      return false
    }
  }

  /// Selects where a change happened.
  private mutating func reveal(_ change: Change) {
    let index = min(max(change.first, 0), document.records.count - 1)
    let segment = document.segments[index]
    selection.select(segment)
    show(segment.span.lowerBound)
    listFollowsSelection = true
  }

  /// Brings up to date what follows from the document.
  mutating func followDocument(_ effects: inout [Effect]) {
    facts = DocumentFacts(of: document)
    selection.mend(for: document)
    // A segment that is heard keeps being heard to its edges.
    guard transport.phase != .stopped, case .segment(let id) = transport.target else { return }
    if let segment = document.segment(id) {
      effects.append(.play(.retarget(span: segment.span, looping: transport.isLooping)))
    } else {
      transport.target = .recording
    }
  }

  /// Why the document cannot be changed, for people; nil when it can.
  var obstacleToEditing: String? {
    if !isOpen { return "No recording is open" }
    if case .readOnly(let reason) = annotation.access { return "Read-only: \(reason)" }
    return nil
  }
}

// MARK: The store's answers

extension State {
  mutating func takeAnswer(of event: Event) {
    switch event {
    case .kept(let ticket, let revision, let publication):
      annotation.keep(ticket, revision: revision, publication: publication)
      storeFault = nil
    case .notKept(let ticket, let reason):
      guard let lost = annotation.takeBack(from: ticket) else { return }
      heldNudge = nil
      if case .marker = gesture?.kind { gesture = Gesture(.spent) }
      facts = DocumentFacts(of: document)
      selection.mend(for: document)
      storeFault = "Edits cannot be saved: \(reason)"
      let what = lost == 1 ? "The edit was" : "\(lost) edits were"
      notice = Notice(
        .failure,
        lost == 0
          ? "The alignment's remarks cannot be saved: \(reason)"
          : "\(what) undone, because saving failed: \(reason)")
    case .historyRead(let history):
      annotation.adopt(history)
      // What is left of an alignment, and what it remarks, would be forgotten otherwise.
      if banner == nil, facts.suggestedBy != nil, !judgement.isEmpty {
        banner = "Aligned. Review and confirm."
        deferFirstHint()
      }
    case .published(let report):
      annotation.publication =
        report.segments > 0 ? .current(unconfirmed: report.unconfirmed) : .nothing
      notice = publicationNotice(report)
    case .notPublished(let reason):
      notice = Notice(.failure, "Not published: \(reason)")
    default: break
    }
  }
}

extension State {
  /// A doubt, and that there are remarks, comes before what is said to somebody new, which the next opening says.
  private mutating func deferFirstHint() {
    guard notice == Notice(.hint, firstHint) else { return }
    notice = nil
    settings.hasSeenHint = false
  }

  private func publicationNotice(_ report: PublicationReport) -> Notice {
    guard report.segments > 0 else {
      return Notice(
        .hint,
        report.omitted > 0
          ? "No ayah is confirmed yet, so nothing is published"
          : "No ayah is assigned yet, so nothing is published")
    }
    var text = "Published \(counted(report.segments, "segment"))"
    if report.unconfirmed > 0 { text += ", \(report.unconfirmed) of them unconfirmed" }
    // They are confirmed all the same, as the title counts them.
    let silent = facts.progress.confirmed - (report.segments - report.unconfirmed)
    if silent > 0 { text += "; \(silent) without recitation" }
    if report.omitted > 0 {
      text += "\(silent > 0 ? "," : ";") \(report.omitted) unconfirmed not published"
    }
    if report.status == .complete { text += "; the recording is \(report.status.title)" }
    return Notice(.done, text)
  }
}

extension String {
  /// With a capital at its start.
  var sentence: String { prefix(1).uppercased() + dropFirst() }
}

extension History.Entry {
  /// What was done, in a few words for the history, and to which segment.
  func summary(_ rate: SampleRate) -> String {
    switch edit {
    case .confirm, .unconfirm, .clear, .setFlag, .setNote:
      let records = change.new.isEmpty ? change.old : change.new
      let held =
        (change.new.first?.content.assignment ?? change.old.first?.content.assignment)
        .map { ", \($0)" } ?? ""
      return records.isEmpty
        ? edit.summary(rate) : "\(edit.summary(rate)): \(change.first + 1)\(held)"
    case .replaceSuggestions(let suggestions):
      return alignmentSummary(suggestions) ?? edit.summary(rate)
    default: return edit.summary(rate)
    }
  }

  /// What an alignment found, or what it has mended; nil where nothing was aligned.
  private func alignmentSummary(_ suggestions: Suggestions) -> String? {
    func isAligned(_ attribution: Attribution?) -> Bool { attribution?.origin == .aligned }
    func places(_ records: [SegmentRecord]) -> [FramePosition: Assignment?] {
      Dictionary(
        records.map { ($0.start?.position ?? .zero, $0.content.assignment) },
        uniquingKeysWith: { first, _ in first })
    }
    let found = [suggestions.opening] + suggestions.boundaries.map(\.attribution)
    guard found.contains(where: isAligned) else { return nil }
    guard change.old.contains(where: { isAligned($0.content.attribution) }),
      change.new.contains(where: { isAligned($0.content.attribution) })
    else {
      let reciting = found.count { $0?.assignment.isRecitation == true }
      return "aligned: \(counted(reciting, "segment")) with ayat"
    }
    let mended = MendedPlaces(from: places(change.old), to: places(change.new))
    return "realigned: \(mended.description ?? "only confidence changed")"
  }
}

extension Suggestions {
  fileprivate var isOfWordsAlone: Bool { opening == nil && boundaries.isEmpty && words != nil }
}

extension Edit {
  /// The segment whose assignment or start a person has just said to be right.
  var confirmedSegment: SegmentID? {
    switch self {
    case .confirm(let segment), .assign(let segment, _, confirming: true): segment
    case .moveMarker(let marker, _), .confirmMarker(let marker): .from(marker)
    default: nil
    }
  }

  /// What was done, in a few words for the history.
  func summary(_ rate: SampleRate) -> String {
    switch self {
    case .addMarker(let marker):
      (marker.origin == .aligned ? "edge of the alignment marked" : "marker added")
        + " at \(Clock.text(marker.position, rate))"
    case .moveMarker(_, let position): "marker moved to \(Clock.text(position, rate))"
    case .deleteMarker: "marker deleted"
    case .confirmMarker: "marker confirmed"
    case .unconfirmMarker: "marker unconfirmed"
    case .assign(_, let attribution, let confirming):
      "\(attribution.assignment)" + (confirming ? " confirmed" : " assigned")
    case .clear: "assignment cleared"
    case .confirm: "segment confirmed"
    case .confirmAll(let segments): "\(counted(segments.count, "segment")) confirmed"
    case .unconfirm: "segment unconfirmed"
    case .moveJoin(_, _, let position): "split moved to \(Clock.text(position, rate))"
    case .setNote(_, let note): note.isEmpty ? "note removed" : "note written"
    case .setFlag(_, let isFlagged): isFlagged ? "segment flagged" : "flag removed"
    case .fill(let fill): "filled from \(fill.ayah)"
    case .replaceSuggestions(let suggestions):
      suggestions.isOfWordsAlone
        ? "words timed"
        : counted(suggestions.boundaries.count, "boundary", "boundaries") + " suggested"
    case .replaceAll: "annotation replaced"
    }
  }
}
