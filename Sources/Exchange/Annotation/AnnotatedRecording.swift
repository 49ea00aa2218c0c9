// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
import AudioCore
public import Quran

/// The annotation of one recording and what is known of the recording: what every format writes.
///
/// A format writes what it has a place for.
public struct AnnotatedRecording: Equatable, Sendable {
  public var document: AnnotationDocument
  public var title: String?
  /// The audio file's name, relative to where the written file will lie.
  public var mediaFile: String?
  public var reciter: String?
  public var riwayah: Riwayah?
  /// ISO 8601, as a date or with the time of day: `2026-03-11`.
  public var recordingDate: String?
  /// Tells the audio apart from any other; what it is made of is the library's business.
  public var contentHash: String?

  public init(
    _ document: AnnotationDocument, title: String? = nil, mediaFile: String? = nil,
    reciter: String? = nil, riwayah: Riwayah? = nil, recordingDate: String? = nil,
    contentHash: String? = nil
  ) {
    self.document = document
    self.title = title
    self.mediaFile = mediaFile
    self.reciter = reciter
    self.riwayah = riwayah
    self.recordingDate = recordingDate
    self.contentHash = contentHash
  }
}

/// Which segments are written.
public enum Inclusion: String, CaseIterable, Sendable {
  /// All, the unassigned ones too: nothing is lost in a round trip.
  case everything
  /// Those that are assigned, the unused ones too.
  case assigned
  /// Ayat and lead-ins.
  case recited
}

extension AnnotatedRecording {
  /// The segments to write, in order.
  func segments(_ inclusion: Inclusion) -> [Segment] {
    document.segments.filter { segment in
      // An empty recording has one segment without a frame, which no format can hold.
      guard !segment.span.isEmpty else { return false }
      return switch (inclusion, segment.assignment) {
      case (.everything, _): true
      case (_, nil), (.recited, .unused): false
      case (.assigned, _), (.recited, _): true
      }
    }
  }

  /// The same cut at the joins, so that no piece holds more than one ayah.
  func pieces(_ inclusion: Inclusion) -> [SegmentPiece] {
    segments(inclusion).flatMap { segment -> [SegmentPiece] in
      let passages = segment.passages
      guard passages.isEmpty else {
        return passages.map {
          SegmentPiece(span: $0.span, assignment: .ayah($0.ayah, part: $0.part))
        }
      }
      return [SegmentPiece(span: segment.span, assignment: segment.assignment)]
    }
  }
}

/// A segment, or one ayah of several in it.
struct SegmentPiece {
  var span: Range<FramePosition>
  var assignment: Assignment?
}
