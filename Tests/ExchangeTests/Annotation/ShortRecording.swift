// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Exchange
import Quran

/// Half a minute with one segment of every kind but one, for comparing whole texts.
func shortRecording() throws -> AnnotatedRecording {
  func record(
    _ id: Int64?, _ start: Int64, _ markerOrigin: Origin, _ markerConfidence: Double?,
    _ assignment: Assignment?, _ origin: Origin = .person, _ confidence: Double? = nil,
    isConfirmed: Bool = false, isMarkerConfirmed: Bool = false, note: String = "",
    isFlagged: Bool = false
  ) -> SegmentRecord {
    SegmentRecord(
      start: id.map {
        Marker(
          id: MarkerID($0), position: FramePosition(start), origin: markerOrigin,
          isConfirmed: isMarkerConfirmed, confidence: markerConfidence)
      },
      content: SegmentContent(
        assignment.map { Attribution($0, origin: origin, confidence: confidence) },
        isConfirmed: isConfirmed, note: note, isFlagged: isFlagged))
  }
  let joins = [FramePosition(700_000), FramePosition(750_000)]
  let document = try AnnotationDocument(
    length: FrameCount(1_323_000), rate: cdRate,
    records: [
      record(
        nil, 0, .person, nil, .leadIn(.istiadhahAndBasmalah(of: Surah(2)!)), .aligned, 0.97,
        isConfirmed: true),
      record(
        1, 220_500, .detected, 0.875,
        .crossSurah(ayah(2, 286), join: FramePosition(441_000), end: ayah(3, 1)),
        isConfirmed: true, isMarkerConfirmed: true, note: "in one breath;\n\"quickly\"",
        isFlagged: true),
      record(
        7, 661_500, .person, nil,
        .ayat(AyahRange(first: ayah(93, 1), last: ayah(93, 3))!, joins: joins), .aligned, 0.5,
        isMarkerConfirmed: true),
      record(3, 882_000, .detected, 0.25, .unused(.takbir)),
      record(4, 1_102_500, .detected, 0.5, .ayah(ayah(2, 5), part: .end)),
      record(5, 1_212_750, .detected, nil, nil),
    ])
  return AnnotatedRecording(
    document, title: "Night 27", mediaFile: "night-27.m4a", reciter: "محمد", riwayah: .hafs,
    recordingDate: "2026-03-11")
}
