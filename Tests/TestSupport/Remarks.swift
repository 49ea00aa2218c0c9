// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation

/// In tests most remarks are a text alone.
extension AlignmentJudgement.Remark: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self.init(text: text) }
}
