// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
import AudioCore

/// The annotation as it is edited here, ahead of what is on disk.
///
/// An edit is carried out at once and handed to the store as a ``StoreRequest``; its answer is
/// awaited in ``unkept``. The store carries requests out in order. When it fails at one, everything
/// from that one on is taken back here, exactly; the store must skip what it has been handed in the
/// same ``StoreRequest/epoch``.
public struct WorkingAnnotation: Sendable {
  public private(set) var document: AnnotationDocument
  /// What can be undone and redone here.
  public private(set) var history = History()
  /// The store's revision at its latest answer.
  public private(set) var revision: Int64
  public internal(set) var access: Access
  /// What of it can be played, by the store's latest answer: edits that are not kept yet are no part of it.
  public internal(set) var publication: PublicationState
  /// Whether ``history`` reaches back to the first edit ever made.
  public private(set) var hasEarlierHistory = false
  private var pending: [Pending] = []
  private var epoch = 0
  private var lastTicket = 0

  public enum Access: Hashable, Sendable {
    case readWrite
    /// For people: who holds the recording, or why nothing can be written.
    case readOnly(String)
  }

  /// A step that the store has not answered for.
  private struct Pending: Sendable {
    let ticket: Int
    let step: Step

    var isEdit: Bool { if case .judge = step { false } else { true } }
  }

  private enum Step: Sendable {
    /// With what could be redone before.
    case edit(redoable: [History.Entry])
    case undo
    case redo
    /// With what was known before.
    case judge(AlignmentJudgement?)
  }

  public init(
    _ document: AnnotationDocument, revision: Int64 = 0, access: Access = .readWrite,
    publication: PublicationState = .nothing
  ) {
    self.document = document
    self.revision = revision
    self.access = access
    self.publication = publication
  }

  /// How many edits are not on disk yet.
  public var unkept: Int { pending.count(where: \.isEdit) }

  var canUndo: Bool { !history.undoable.isEmpty }
  var canRedo: Bool { !history.redoable.isEmpty }

  /// An id for a marker to come.
  var unusedMarkerID: MarkerID { document.unusedMarkerID }
}

// MARK: Steps

extension WorkingAnnotation {
  /// Carries out an edit.
  /// - Returns: what the store is to do; nil when all was so already.
  mutating func apply(_ edit: Edit, joinsPrevious: Bool) throws(EditRefusal) -> StoreRequest? {
    let redoable = history.redoable
    let change = try history.apply(edit, joinsPrevious: joinsPrevious, to: &document)
    guard !change.isEmpty else { return nil }
    return request(.edit(edit), .edit(redoable: redoable), joinsPrevious: joinsPrevious)
  }

  /// Takes the latest edit back.
  mutating func undo() throws(EditRefusal) -> (entry: History.Entry, request: StoreRequest)? {
    guard let entry = try history.undo(&document) else { return nil }
    return (entry, request(.undo, .undo))
  }

  mutating func redo() throws(EditRefusal) -> (entry: History.Entry, request: StoreRequest)? {
    guard let entry = try history.redo(&document) else { return nil }
    return (entry, request(.redo, .redo))
  }

  /// Keeps what an alignment says of the document as it is now.
  /// - Returns: what the store is to do; nil where that is known, or there is nothing to keep it with.
  mutating func judge(_ judgement: AlignmentJudgement) -> StoreRequest? {
    let before = history.undoable.last?.judgement
    guard (history.judgement ?? AlignmentJudgement()) != judgement, history.judge(judgement) else {
      return nil
    }
    return request(.judge(judgement), .judge(before))
  }

  private mutating func request(
    _ step: StoreRequest.Step, _ pendingStep: Step, joinsPrevious: Bool = false
  ) -> StoreRequest {
    lastTicket += 1
    pending.append(Pending(ticket: lastTicket, step: pendingStep))
    return StoreRequest(
      ticket: lastTicket, epoch: epoch, step: step, joinsPrevious: joinsPrevious)
  }
}

// MARK: The store's answers

extension WorkingAnnotation {
  /// The store has kept a request, and with it all before.
  mutating func keep(_ ticket: Int, revision: Int64, publication: PublicationState) {
    guard pending.contains(where: { $0.ticket == ticket }) else { return }
    pending.removeAll { $0.ticket <= ticket }
    self.revision = revision
    self.publication = publication
  }

  /// Somebody else may have published it; what was so before the latest answer is so no longer.
  mutating func takePublication(_ publication: PublicationState, at revision: Int64) {
    if revision >= self.revision { self.publication = publication }
  }

  /// The store could not keep a request: that one and all after it are taken back.
  /// - Returns: how many of them were edits; nil where the ticket is not waited for.
  mutating func takeBack(from ticket: Int) -> Int? {
    guard let first = pending.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    let lost = pending[first...]
    for step in lost.reversed() { reverse(step) }
    pending.removeSubrange(first...)
    epoch += 1
    return lost.count(where: \.isEdit)
  }

  /// The inverses of the latest steps fit by construction.
  private mutating func reverse(_ pending: Pending) {
    switch pending.step {
    case .undo:
      _ = try? history.redo(&document)
    case .redo:
      _ = try? history.undo(&document)
    case .edit(let redoable):
      _ = try? history.undo(&document)
      history = History(undoable: history.undoable, redoable: redoable)
    case .judge(let before):
      history.judge(before)
    }
  }

  /// Takes over what somebody else has kept, where nothing is edited here.
  mutating func follow(_ document: AnnotationDocument, _ history: History, revision: Int64) {
    self.document = document
    self.history = history
    hasEarlierHistory = true
    self.revision = revision
  }

  /// Puts the edits made before the recording was opened behind those made here.
  mutating func adopt(_ earlier: History) {
    guard !hasEarlierHistory else { return }
    hasEarlierHistory = true
    let isUntouched = lastTicket == 0
    history = History(
      undoable: earlier.undoable + history.undoable,
      redoable: isUntouched ? earlier.redoable : history.redoable)
  }
}
