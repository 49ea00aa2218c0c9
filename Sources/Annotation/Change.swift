// SPDX-License-Identifier: GPL-3.0-or-later

/// What an edit did: the run of segments that it replaced, and what stands there now.
///
/// Turned round it undoes the edit exactly, and it names every marker and segment that was touched,
/// so whoever keeps them elsewhere knows what to write.
public struct Change: Hashable, Sendable, Codable {
  /// The index of the first segment replaced.
  public let first: Int
  public let old: [SegmentRecord]
  public let new: [SegmentRecord]
  /// Nil where the words stayed.
  public let words: WordChange?

  /// Leaves out what both sides begin and end with.
  init(first: Int, old: [SegmentRecord], new: [SegmentRecord], words: WordChange? = nil) {
    let prefix = zip(old, new).prefix { $0 == $1 }.count
    let tails = zip(old.dropFirst(prefix).reversed(), new.dropFirst(prefix).reversed())
    let suffix = tails.prefix { $0 == $1 }.count
    self.first = first + prefix
    self.old = Array(old.dropFirst(prefix).dropLast(suffix))
    self.new = Array(new.dropFirst(prefix).dropLast(suffix))
    self.words = words
  }

  init(
    first: Int, exactly old: [SegmentRecord], _ new: [SegmentRecord], words: WordChange? = nil
  ) {
    self.first = first
    self.old = old
    self.new = new
    self.words = words
  }

  /// Takes back what this does.
  public var inverse: Change {
    Change(first: first, exactly: new, old, words: words?.inverse)
  }

  /// Whether everything stayed as it was.
  public var isEmpty: Bool { old.isEmpty && new.isEmpty && words == nil }

  private enum CodingKeys: String, CodingKey { case first, old, new, words }
}
