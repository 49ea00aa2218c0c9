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
    let before = document
    do throws(EditRefusal) {
      guard let request = try annotation.apply(edit, joinsPrevious: joinsPrevious) else {
        return true
      }
      effects.append(.store(request))
      if !joinsPrevious { forgetBanner() }
      followDocument(&effects)
      if let corrected = edit.confirmedSegment { realign(around: corrected, &effects) }
      if case .assign(let id, _, confirming: true) = edit { warnOfOddity(in: id, before) }
      return true
    } catch {
      notice = Notice(.warning, error.message(at: rate).sentence)
      return false
    }
  }

  /// Says what is odd since a segment was named: an ayah is there twice, out of order or after others that are nowhere.
  /// What is aligned anew around it may mend that, and says so.
  private mutating func warnOfOddity(in id: SegmentID, _ before: AnnotationDocument) {
    let isOther = before.segment(id)?.assignment != document.segment(id)?.assignment
    guard isOther else { return }
    let known = Set(before.validate())
    let odd = document.validate().first { finding in
      switch finding.kind {
      case .outOfOrder, .missing, .repeated: !known.contains(finding)
      case .unassigned, .incomplete, .short, .long: false
      }
    }
    guard let text = odd?.text(in: document) else { return }
    let list = keymap.hint(for: .openCompletion, in: .normal).map { "; \($0) lists what is odd" }
    notice = Notice(.hint, text.sentence + (list ?? ""))
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
      // What the annotation was aligned with is kept with it.
      alignment = nil
      forgetBanner()
      notice = Notice(.done, said(of: step.entry, back: back))
      visited.subtract(step.entry.change.reopenedEdges)
      reveal(step.entry.change, &effects)
      followDocument(&effects)
      return true
    } catch {
      notice = Notice(.failure, error.message(at: rate).sentence)
      return false
    }
  }

  /// What was undone or redone and, where much of it is gone by one key, what brings it back.
  private func said(of entry: History.Entry, back: Bool) -> String {
    guard back else { return "Redone: \(entry.summary(rate))" }
    // Of the edit, not of what taking it back changes.
    let edit = History.Entry(
      entry.edit, entry.change.inverse, joinsPrevious: entry.joinsPrevious)
    let summary = edit.summary(rate)
    let isOfMany =
      switch entry.edit {
      case .replaceSuggestions, .fill, .confirmAll, .replaceAll: true
      default: false
      }
    let hint = isOfMany ? keymap.hint(for: .redo, in: .normal) : nil
    return "Undone: \(summary)" + (hint.map { "; \($0) brings it back" } ?? "")
  }

  /// Selects where a change happened, and keeps it in sight: what is heard of another edge ends.
  private mutating func reveal(_ change: Change, _ effects: inout [Effect]) {
    // What only went has joined the segment before.
    let first = change.new.isEmpty ? change.first - 1 : change.first
    let segment = document.segments[min(max(first, 0), document.records.count - 1)]
    let place = segment.span.lowerBound
    if isCentred, transport.isPlaying, case .span(let span) = transport.target,
      !span.contains(place)
    {
      transport.phase = .paused
      effects.append(.play(.pause))
      moveCursor(to: place, &effects)
    }
    selection.select(segment)
    show(place)
    isFollowing = seesPlayhead
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
  mutating func takeAnswer(of event: Event, _ effects: inout [Effect]) {
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
      if facts.suggestedBy != nil, !judgement.isEmpty {
        banner = banner ?? "Aligned. Review and confirm."
        deferFirstHint()
      }
      if facts.suggestedBy != nil { prepareRealignment(&effects) }
    case .published(let report):
      // While what was published before is known.
      notice = publicationNotice(report)
      annotation.publication =
        report.segments > 0 ? .current(unconfirmed: report.unconfirmed) : .nothing
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
    let wasPublished = annotation.publication.unconfirmed > 0
    guard report.segments > 0 else {
      let what = report.omitted > 0 ? "confirmed" : "assigned"
      return Notice(
        .hint,
        "No ayah is \(what) yet, so nothing is \(wasPublished ? "published any more" : "published")"
      )
    }
    var text = "Published \(counted(report.segments, "segment"))"
    if report.unconfirmed > 0 { text += ", \(report.unconfirmed) of them unconfirmed" }
    // They are confirmed all the same, as the title counts them.
    let silent = facts.progress.confirmed - (report.segments - report.unconfirmed)
    if silent > 0 { text += "; \(silent) without recitation" }
    if report.omitted > 0 {
      text +=
        "\(silent > 0 ? "," : ";") \(report.omitted) unconfirmed "
        + (wasPublished ? "no longer published" : "not published")
    }
    if report.status == .complete { text += "; the recording is \(report.status.title)" }
    return Notice(.done, text)
  }
}

extension String {
  /// With a capital at its start.
  var sentence: String { prefix(1).uppercased() + dropFirst() }
}

extension Change {
  /// Where an edge that was decided, or was none, is a suggestion now.
  fileprivate var reopenedEdges: Set<FramePosition> {
    func suggestions(_ records: [SegmentRecord]) -> Set<FramePosition> {
      Set(records.compactMap(\.start).filter(\.isSuggestion).map(\.position))
    }
    return suggestions(new).subtracting(suggestions(old))
  }
}

extension History.Entry {
  /// What was done, in a few words for the history, and where.
  func summary(_ rate: SampleRate) -> String {
    let done = edit.summary(rate)
    switch edit {
    case .confirm, .unconfirm, .clear, .setFlag, .setNote, .moveJoin:
      guard let record = changed.first else { return done }
      return "\(done): \(change.first + 1)" + held(by: record)
    case .assign, .fill:
      return changed.isEmpty ? done : "\(done) in segment \(change.first + 1)"
    case .deleteMarker(let id), .confirmMarker(let id), .unconfirmMarker(let id):
      guard let record = record(from: id), let place = record.start?.position else { return done }
      return "\(done) at \(Clock.text(place, rate))" + held(by: record)
    case .moveMarker(let id, _):
      return done + (record(from: id).map(held(by:)) ?? "")
    case .replaceSuggestions(let suggestions):
      return alignmentSummary(suggestions, rate) ?? done
    case .confirmAll: return "\(done) from segment \(change.first + 1) on"
    case .addMarker, .replaceAll: return done
    }
  }

  /// The records that it leaves or, where it leaves none, has taken away.
  private var changed: [SegmentRecord] { change.new.isEmpty ? change.old : change.new }

  private func record(from marker: MarkerID) -> SegmentRecord? {
    (change.new + change.old).first { $0.start?.id == marker }
  }

  /// What a segment holds, or held before.
  private func held(by record: SegmentRecord) -> String {
    let known = [record.content] + change.old.filter { $0.id == record.id }.map(\.content)
    return known.lazy.compactMap(\.assignment).first.map { ", \($0)" } ?? ""
  }

  /// What an alignment found, or what it has mended and where; nil where nothing was aligned.
  private func alignmentSummary(_ suggestions: Suggestions, _ rate: SampleRate) -> String? {
    func isAligned(_ attribution: Attribution?) -> Bool { attribution?.origin == .aligned }
    func places(_ records: [SegmentRecord]) -> [FramePosition: Assignment?] {
      Dictionary(
        records.map { ($0.start?.position ?? .zero, $0.content.assignment) },
        uniquingKeysWith: { first, _ in first })
    }
    let found = [suggestions.opening] + suggestions.boundaries.map(\.attribution)
    guard found.contains(where: isAligned) else { return nil }
    if changed.isEmpty { return Edit.wordsTimed }
    let sides = [change.old, change.new].filter { !$0.isEmpty }
    // One that follows a confirmation may only add a boundary, or take one away.
    guard sides.count == 2 || joinsPrevious,
      sides.allSatisfy({ $0.contains { isAligned($0.content.attribution) } })
    else {
      let reciting = found.count { $0?.assignment.isRecitation == true }
      return "aligned: \(counted(reciting, "segment")) with ayat"
    }
    let mended = MendedPlaces(from: places(change.old), to: places(change.new))
    return (joinsPrevious ? "realigned: " : "aligned again: ")
      + (mended.description(rate) ?? "only confidence changed from segment \(change.first + 1) on")
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

  static let wordsTimed = "words timed"

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
        ? Self.wordsTimed
        : counted(suggestions.boundaries.count, "boundary", "boundaries") + " suggested"
    case .replaceAll: "annotation replaced"
    }
  }
}
