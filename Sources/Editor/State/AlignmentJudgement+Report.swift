// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation

extension AlignmentJudgement {
  /// Takes in what an alignment says that knows more than the one before.
  ///
  /// - Parameters:
  ///   - isStartGiven: whether a person has said with what the recitation begins; else what is known of how that was found
  ///     still holds.
  ///   - others: the parts that were aligned by themselves, in seconds: what was remarked of them still holds.
  /// - Returns: whether it may be taken, for it is doubted no more than what was taken.
  mutating func follow(
    _ report: DetectionReport, isStartGiven: Bool, besides others: [Range<Double>]
  ) -> Bool {
    func isOfOther(_ remark: Remark) -> Bool {
      remark.seconds.map { place in others.contains { $0.contains(place) } } ?? false
    }
    let ofOthers = remarks.filter(isOfOther)
    let ofStart =
      isStartGiven
      ? []
      : ([doubt].compactMap(\.self) + remarks).filter(\.isOfWholeStart)
    doubt = report.doubt ?? ofStart.first { $0.startCode?.isDoubt == true }
    remarks = ofStart.filter { $0 != doubt } + report.remarks.filter { !isOfOther($0) } + ofOthers
    acousticVersion = report.acousticVersion
    return doubt == nil || isTakenInDoubt && !report.isContradicted
  }

  /// Takes back what is known of how the start was found, as a person has said with what the recitation begins.
  mutating func settleStart() {
    remarks.removeAll(where: \.isOfWholeStart)
    if doubt?.startCode != nil { doubt = nil }
  }

  /// Puts what an alignment of a part says in the place of what was remarked of that part. A doubt of it is a remark on
  /// the whole.
  ///
  /// - Parameter span: of the part, in seconds.
  mutating func replaceRemarks(in span: Range<Double>, with report: DetectionReport) {
    remarks.removeAll { $0.seconds.map(span.contains) ?? false }
    let said = ([report.doubt].compactMap(\.self) + report.remarks).map { remark in
      var remark = remark
      remark.seconds = remark.seconds ?? span.lowerBound
      return remark
    }
    // Those of before they had a place say the same.
    let known = Set(remarks.map(\.text))
    remarks += said.filter { !known.contains($0.text) }
  }
}

extension AlignmentJudgement.Remark {
  /// Whether it is of how the start of the whole was found, and not that of a part.
  fileprivate var isOfWholeStart: Bool { startCode != nil && seconds == nil }
}
