// SPDX-License-Identifier: GPL-3.0-or-later

/// What an alignment says of itself, for people.
public struct AlignmentJudgement: Hashable, Sendable, Codable {
  /// Why it may all be wrong; nil where nothing speaks against it.
  public var doubt: String?
  /// Whether a person took one that was doubted; a doubt is then no reason against mending it.
  public var isTakenInDoubt: Bool
  /// What else is worth knowing, one sentence each.
  public var remarks: [String]

  public init(doubt: String? = nil, isTakenInDoubt: Bool = false, remarks: [String] = []) {
    self.doubt = doubt
    self.isTakenInDoubt = isTakenInDoubt
    self.remarks = remarks
  }

  public var isEmpty: Bool { doubt == nil && remarks.isEmpty }
}
