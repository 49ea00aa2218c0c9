// SPDX-License-Identifier: GPL-3.0-or-later

public import Analysis
public import Annotation
public import AudioCore

extension Suggestions {
  /// What a detector found, for a document; boundaries on the first or last frame are left out.
  /// - Parameter range: where it looked; nil for the whole recording.
  public init(
    _ detection: Detection, for document: AnnotationDocument,
    in range: Range<FramePosition>? = nil
  ) {
    let end = FramePosition.zero + document.length
    let range = (range ?? .zero..<end).clamped(to: .zero..<end)
    var id = document.unusedMarkerID.rawValue
    var boundaries: [Suggestions.Boundary] = []
    for found in detection.boundaries
    where range.contains(found.position) && found.position > .zero {
      boundaries.append(
        .init(
          Marker(
            id: MarkerID(id), position: found.position, origin: .detected,
            confidence: found.confidence)))
      id += 1
    }
    self.init(in: range, boundaries)
  }
}
