// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

/// Frames of a recording with 1,000 frames a second, so that frames are milliseconds.
let rate = SampleRate(hertz: 1000)!

/// 100 seconds with markers at these frames, numbered 1, 2, 3...
func document(
  _ positions: Int64..., length: Int64 = 100_000, origin: Origin = .detected,
  confirmed: Bool = false
) throws -> AnnotationDocument {
  var document = AnnotationDocument(length: FrameCount(length), rate: rate)
  for (index, position) in positions.enumerated() {
    try document.apply(
      .addMarker(marker(index + 1, at: position, origin: origin, confirmed: confirmed)))
  }
  return document
}

func marker(
  _ id: Int, at position: Int64, origin: Origin = .detected, confirmed: Bool = false,
  confidence: Double? = nil
) -> Marker {
  Marker(
    id: MarkerID(Int64(id)), position: FramePosition(position), origin: origin,
    isConfirmed: confirmed, confidence: confidence)
}

func ayah(_ text: String) -> AyahReference { AyahReference(text)! }

func ayat(_ first: String, _ last: String) -> AyahRange {
  AyahRange(first: ayah(first), last: ayah(last))!
}

func frames(_ positions: Int64...) -> [FramePosition] { positions.map { FramePosition($0) } }

func span(_ start: Int64, _ end: Int64) -> Range<FramePosition> {
  FramePosition(start)..<FramePosition(end)
}

extension SegmentID {
  static func from(_ number: Int) -> SegmentID { .from(MarkerID(Int64(number))) }
}

extension Edit {
  static func assign(_ segment: SegmentID, _ text: String, confirming: Bool = false) -> Edit {
    .assign(segment, Attribution(.ayah(ayah(text))), confirming: confirming)
  }

  static func move(_ id: Int, to position: Int64) -> Edit {
    .moveMarker(MarkerID(Int64(id)), to: FramePosition(position))
  }

  static func delete(_ id: Int) -> Edit { .deleteMarker(MarkerID(Int64(id))) }
}

extension AnnotationDocument {
  /// The markers' frames.
  var boundaries: [Int64] { markers.map(\.position.frames) }

  /// What each segment holds, `-` where it is unassigned, with `!` where it is confirmed.
  var labels: [String] {
    segments.map { ($0.assignment?.description ?? "-") + ($0.isConfirmed ? "!" : "") }
  }
}
