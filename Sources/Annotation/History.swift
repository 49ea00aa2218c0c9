// SPDX-License-Identifier: GPL-3.0-or-later

/// The edits of a document in order, to go back and forth among; without limit.
public struct History: Hashable, Sendable, Codable {
  /// An edit and what it did.
  public struct Entry: Hashable, Sendable, Codable {
    public let edit: Edit
    public let change: Change
    /// What an alignment said of the document as the edit left it; nil where it was not asked.
    public internal(set) var judgement: AlignmentJudgement?
    /// Whether it is undone and redone together with the entry before it: an alignment that followed a
    /// confirmation, or the next step of a key that was held.
    public let joinsPrevious: Bool

    public init(
      _ edit: Edit, _ change: Change, judgement: AlignmentJudgement? = nil,
      joinsPrevious: Bool = false
    ) {
      self.edit = edit
      self.change = change
      self.judgement = judgement
      self.joinsPrevious = joinsPrevious
    }

    private enum CodingKeys: String, CodingKey {
      case edit, change, judgement
      case joinsPrevious = "joins"
    }
  }

  /// What can be undone, the latest last.
  public private(set) var undoable: [Entry]
  /// What can be redone, the next last.
  public private(set) var redoable: [Entry]

  /// A history as it was kept.
  public init(undoable: [Entry] = [], redoable: [Entry] = []) {
    self.undoable = undoable
    self.redoable = redoable
  }

  private enum CodingKeys: String, CodingKey { case undoable, redoable }

  /// Carries out an edit. One that changes nothing is not recorded, and what could be redone still
  /// can.
  @discardableResult
  public mutating func apply(
    _ edit: Edit, joinsPrevious: Bool = false, to document: inout AnnotationDocument
  ) throws(EditRefusal) -> Change {
    let change = try document.apply(edit)
    if !change.isEmpty {
      undoable.append(Entry(edit, change, joinsPrevious: joinsPrevious))
      redoable = []
    }
    return change
  }

  /// What is known of the alignment that the document holds; nil where it holds none.
  ///
  /// What was said of an alignment ends where something else takes the place of its suggestions.
  public var judgement: AlignmentJudgement? {
    undoable.last { $0.judgement != nil || $0.edit.replacesSuggestions }?.judgement
  }

  /// Keeps what an alignment says of the document as it is now; it goes and comes back with the latest
  /// edit.
  /// - Returns: whether there is an edit to keep it with.
  @discardableResult
  public mutating func judge(_ judgement: AlignmentJudgement?) -> Bool {
    guard !undoable.isEmpty else { return false }
    undoable[undoable.count - 1].judgement = judgement
    return true
  }

  /// Takes back the latest edit.
  /// - Returns: the edit and what taking it back did; nil when there is none.
  /// - Throws: ``EditRefusal/documentChanged`` when something else has changed the document.
  @discardableResult
  public mutating func undo(
    _ document: inout AnnotationDocument
  ) throws(EditRefusal) -> Entry? {
    guard let entry = undoable.last else { return nil }
    try document.apply(entry.change.inverse)
    redoable.append(undoable.removeLast())
    return Entry(
      entry.edit, entry.change.inverse, judgement: entry.judgement,
      joinsPrevious: entry.joinsPrevious)
  }

  /// Does again what was taken back last.
  /// - Returns: the edit and what it did; nil when there is none.
  /// - Throws: ``EditRefusal/documentChanged`` when something else has changed the document.
  @discardableResult
  public mutating func redo(
    _ document: inout AnnotationDocument
  ) throws(EditRefusal) -> Entry? {
    guard let entry = redoable.last else { return nil }
    try document.apply(entry.change)
    undoable.append(redoable.removeLast())
    return entry
  }
}
