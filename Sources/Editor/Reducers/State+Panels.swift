// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

extension State {
  /// Does what a panel asks for, in order; an edit that is refused ends it, and leaves the panel open.
  mutating func carryOut(_ requests: [PanelRequest], _ effects: inout [Effect]) {
    for request in requests {
      switch request {
      case .close: panel = nil
      case .open(let panel): self.panel = panel
      case .edit(let edit, let joinsPrevious):
        guard self.edit(edit, joinsPrevious: joinsPrevious, &effects) else { return }
      case .select(let id, let playing):
        goListed(to: document.index(of: id), playing: playing, &effects)
      case .seek(let position):
        moveCursor(to: position, &effects)
        viewport.center(on: transport.position)
      case .goOn(let segment): goOn(from: segment, &effects)
      case .emit(let effect): effects.append(effect)
      case .notify(let notice): self.notice = notice
      case .perform(let action): perform(action, &effects)
      case .change(let settings): self.settings = settings
      case .play(let span, let looping):
        let inside = span.clamped(to: .zero..<end)
        play(.span(inside), inside, looping: looping, &effects)
      case .goBack(let steps):
        for _ in 0..<steps.magnitude {
          guard step(back: steps > 0, &effects) else { break }
        }
      case .detect(let parameters, let span):
        // It is asked for again once the recording can be searched.
        guard !isProvisional else { break }
        lastDetection += 1
        panelDetection = lastDetection
        effects.append(
          .detect(
            DetectionRequest(
              id: lastDetection, span: span, parameters: parameters, annotation: document)))
      case .propose(let form):
        lastDetection += 1
        panelDetection = lastDetection
        panel = .places(PlacesPanel(form))
        effects.append(.propose(form.startRequest(id: lastDetection)))
      case .acceptDetection:
        if case .detection(let panel) = panel { acceptDetection(panel, &effects) }
      }
    }
  }
}

// MARK: Detection

extension State {
  mutating func takeDetection(
    _ id: Int, _ report: DetectionReport, _ effects: inout [Effect]
  ) {
    if let realignment = realignments.removeValue(forKey: id) {
      return takeRealignment(realignment, report, &effects)
    }
    guard id == panelDetection, case .detection(var panel) = panel else { return }
    panel.take(report, self)
    self.panel = .detection(panel)
    if panel.isAccepted {
      notice = nil
      acceptDetection(panel, &effects)
    }
  }

  mutating func takeFailedDetection(_ id: Int, _ reason: String) {
    if realignments.removeValue(forKey: id) != nil {
      notice = Notice(.warning, "Not realigned: \(reason)")
    }
    guard id == panelDetection else { return }
    switch panel {
    case .detection(var panel):
      panel.fail(reason)
      self.panel = .detection(panel)
    case .places(var panel):
      panel.fail(reason)
      self.panel = .places(panel)
    default: break
    }
  }

  mutating func takeProposals(_ id: Int, _ report: StartReport) {
    guard id == panelDetection, case .places(var panel) = panel else { return }
    panel.take(report)
    self.panel = .places(panel)
  }

  mutating func takeSearching(_ id: Int, _ fraction: Double) {
    guard id == panelDetection else { return }
    switch panel {
    case .detection(var panel):
      panel.progress = fraction
      self.panel = .detection(panel)
    case .places(var panel):
      panel.progress = fraction
      self.panel = .places(panel)
    default: break
    }
  }

  /// Puts what was found in the place of what was suggested before.
  mutating func acceptDetection(_ panel: DetectionPanel, _ effects: inout [Effect]) {
    guard let report = panel.report else { return }
    self.panel = nil
    let (known, before) = (knownAlignment, judgement)
    let edits = panel.edits(taking: report, in: document)
    let old = document
    if let doubt = report.doubt, known != nil, before.doubt == nil {
      var mended = document
      for edit in edits { try? mended.apply(edit) }
      // What was said before holds, where the same is found and only doubted.
      guard !mended.says(sameAs: document, in: panel.span) else {
        notice = Notice(.warning, doubt.text.sentence + "; nothing has changed")
        return
      }
    }
    for edit in edits {
      // What changes nothing is no entry that the next one could join.
      guard self.edit(edit, joinsPrevious: document != old, &effects) else { return }
    }
    let others = sound.pauses.filter { !$0.overlaps(panel.span) }
    sound.pauses = (others + report.pauses).sorted { $0.lowerBound < $1.lowerBound }
    // The marker that the span begins with was there before.
    let found = document.markers.filter {
      $0.isSuggestion && $0.position > panel.span.lowerBound
        && $0.position < panel.span.upperBound
    }
    remember(panel, report, known, before, &effects)
    visited = visited.filter { !panel.span.contains($0) }
    if let doubt = report.doubt { notice = Notice(.warning, doubt.text.sentence) }
    guard document != old else {
      notice = notice ?? Notice(.done, "The same was found as before; nothing has changed")
      return
    }
    guard let first = found.first, let segment = document.segment(.from(first.id)) else {
      banner = nil
      notice = notice ?? Notice(.done, "Assigned without a boundary; review and confirm it")
      return
    }
    announce(found.count)
    select(document.segments[max(segment.index - 1, 0)])
  }

  /// Keeps what was said and found. A part of what was aligned before is mended as a part: what the whole was aligned
  /// with stays, and what was found of it.
  private mutating func remember(
    _ panel: DetectionPanel, _ report: DetectionReport, _ known: AlignmentMemory?,
    _ before: AlignmentJudgement, _ effects: inout [Effect]
  ) {
    guard panel.parameters.first != nil else { return judge(AlignmentJudgement(), &effects) }
    let memory = AlignmentMemory(span: panel.span, parameters: panel.parameters)
    if let known, known.span != memory.span, memory.span.clamped(to: known.span) == memory.span {
      alignment = known
      var judgement = before
      judgement.parts.removeAll { memory.span.clamped(to: $0.span) == $0.span }
      if let part = memory.request { judgement.parts.append(part) }
      judgement.replaceRemarks(in: seconds(of: memory.span), with: report)
      return judge(judgement, &effects)
    }
    alignment = memory
    judge(
      AlignmentJudgement(
        doubt: report.doubt, isTakenInDoubt: report.doubt != nil, remarks: report.remarks,
        request: memory.request, acousticVersion: report.acousticVersion), &effects)
  }
}

extension DetectionReport {
  /// As an edit takes it, with ids from one on that are free.
  func suggestions(in span: Range<FramePosition>, from id: MarkerID) -> Suggestions {
    // A marker where the span begins stays: what was searched is what follows it.
    let first = span.lowerBound > .zero && opening == nil ? FrameCount(1) : .zero
    let searched = min(span.lowerBound + first, span.upperBound)..<span.upperBound
    let inside = boundaries.filter { searched.contains($0.position) }
    return Suggestions(
      in: searched, opening: opening,
      inside.enumerated().map { offset, boundary in
        Suggestions.Boundary(
          Marker(
            id: MarkerID(id.rawValue + Int64(offset)), position: boundary.position,
            origin: boundary.origin, confidence: boundary.confidence),
          boundary.attribution)
      }, words: words)
  }
}
