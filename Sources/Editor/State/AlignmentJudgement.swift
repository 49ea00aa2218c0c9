// SPDX-License-Identifier: GPL-3.0-or-later

/// What the latest alignment says of itself, for people.
struct AlignmentJudgement: Hashable, Sendable {
  /// Why it may all be wrong; nil where nothing speaks against it.
  var doubt: String?
  /// Whether a person took one that was doubted; a doubt is then no reason against mending it.
  var isTakenInDoubt = false
  /// What else is worth knowing, one sentence each.
  var remarks: [String] = []

  var isEmpty: Bool { doubt == nil && remarks.isEmpty }

  /// Takes in what an alignment says that knows more than the one before.
  /// - Returns: whether it may be taken, for it is doubted no more than what was taken.
  mutating func follow(_ report: DetectionReport) -> Bool {
    doubt = report.doubt
    remarks = report.remarks
    return doubt == nil || isTakenInDoubt && !report.isContradicted
  }
}
