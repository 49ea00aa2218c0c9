// SPDX-License-Identifier: GPL-3.0-or-later

import Alignment
public import Analysis
public import Annotation
public import AudioCore
public import Quran

extension AlignmentWorkflow {
  /// When the words of an ayah are said that is heard in a part of a recording.
  ///
  /// - Returns: words in the order of time, by the frames of the recording; nil where another text is heard.
  /// - Throws: ``AnalysisError/cancelled`` when the flag is raised.
  public func words(
    of ayah: AyahReference, in span: Range<FramePosition>, of heard: HeardRecording
  ) throws(AnalysisError) -> [TimedWord]? {
    let grid = heard.envelope.grid
    let first = grid.start(ofHop: grid.hop(containing: span.lowerBound))
    let end = min(span.upperBound, .zero + heard.envelope.length)
    guard first < end else { return nil }
    var request = AlignmentRequest(first: ayah, last: ayah)
    // Whoever published the ayah has said which it is; no other place is looked for.
    request.certainty = .predicted
    let alignment = try aligner(heard, in: first..<end).align(request)
    if stopFlag.isStopped { throw .cancelled }
    guard !alignment.remarks.contains(where: { $0.otherRecitation != nil }) else { return nil }
    let words = alignment.words.filter { $0.ayah == ayah }
    guard !words.isEmpty else { return nil }
    let offset = first - FramePosition.zero
    return words.map { word in
      TimedWord(
        word.ayah, word.number, word.span.lowerBound + offset..<word.span.upperBound + offset)
    }
  }
}
