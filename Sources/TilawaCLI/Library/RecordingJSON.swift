// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Decoding
import Exchange
import Foundation
import Library
import Quran
import Video

/// A recording as JSON for programs, schema `tilawa.recording/1`.
///
/// Keys come in one order and are always there, null where nothing is known.
struct RecordingJSON {
  let library: Library
  let recording: Recording
  let progress: AnnotationProgress
  let availability: Availability
  /// What it has published, whole ayat.
  let covered: [AyahRange]
  /// Its picture, once looked for.
  private(set) var video: VideoDescription?

  static let schema = "tilawa.recording/1"

  init(
    _ recording: Recording, _ progress: AnnotationProgress, in library: Library
  ) throws(LibraryError) {
    self.library = library
    self.recording = recording
    self.progress = progress
    availability = library.availability(of: recording)
    let published = recording.covers.flatMap {
      AyahRange(first: $0.lowerBound.ayat.first, last: $0.upperBound.ayat.last)
    }
    covered =
      try published.map { range throws(LibraryError) in
        try library.coverage(of: recording, in: range).runs.filter(\.isCovered).map(\.range)
      } ?? []
  }

  /// Looks whether the file has a picture, which opens it.
  mutating func findVideo() {
    guard availability.isAvailable, let path = try? library.file(of: recording),
      let file = try? MediaFile(path: path)
    else { return }
    video = try? VideoDescription(of: file, rate: recording.media.rate)
  }

  private var videoValue: JSONValue {
    guard let video else { return .null }
    return .object([
      .init("codec", .string(video.codec)), .init("width", .integer(video.width)),
      .init("height", .integer(video.height)),
      .init("frame_rate", video.frameRate.map { .number("\($0)") } ?? .null),
      .init("decodable", .bool(video.problem == nil)),
    ])
  }

  var members: [JSONValue.Member] {
    let media = recording.media
    return [
      .init("schema", .string(Self.schema)),
      .init("id", .string(recording.id.rawValue)),
      .init("title", .string(recording.title)),
      .init("file", .string(recording.shownPath(in: library.folder))),
      .init("in_place", .bool(recording.isInPlace)),
      .init("availability", .string(word)),
      .init("duration_seconds", .number(TimeText.seconds(media.length, at: media.rate))),
      .init("sample_rate", .integer(media.rate.hertz)),
      .init("frames", .integer(Int(media.length.frames))),
      .init("channels", .integer(media.channels)),
      .init("container", .string(media.container)),
      .init("codec", .string(media.codec)),
      .init("video", videoValue),
      .init("recorded_at", optional(recording.recordedAt.map(PlainText.timestamp))),
      .init("imported_at", .string(PlainText.timestamp(recording.importedAt))),
      .init("reciter", optional(recording.reciter?.name)),
      .init("riwayah", .string(recording.riwayah.rawValue)),
      .init("night", optional(recording.night?.name)),
      .init("night_order", recording.night.map { .integer($0.order) } ?? .null),
      .init("status", .string(progress.status.rawValue)),
      .init("published", .bool(recording.publication.isCurrent)),
      .init("publication", .string(publicationWord)),
      .init("published_unconfirmed", .integer(recording.publication.unconfirmed)),
      .init("segments", .integer(progress.segments)),
      .init("assigned", .integer(progress.assigned)),
      .init("confirmed", .integer(progress.confirmed)),
      .init(
        "covers_surahs",
        recording.covers.map {
          .array([.integer($0.lowerBound.number), .integer($0.upperBound.number)])
        } ?? .null),
      .init("ayat", .array(covered.map { .string($0.numericDescription) })),
    ]
  }

  var value: JSONValue { .object(members) }

  private var word: String {
    switch availability {
    case .available: "available"
    case .grown: "grown"
    case .remoteOnly: "remote_only"
    case .downloading: "downloading"
    case .unavailable(.gone): "gone"
    case .unavailable(.replaced): "replaced"
    case .unavailable(.truncated): "truncated"
    case .unavailable(.unreadable): "unreadable"
    case .unavailable(.inBin): "in_bin"
    case .unavailable(.outside): "outside_library"
    }
  }

  private var publicationWord: String {
    switch recording.publication {
    case .nothing: "not_published"
    case .current: "published"
    case .outdated: "changed_since_published"
    }
  }

  private func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}
