// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Foundation
import Quran
import TestSupport

@testable import Library

/// A library in a folder of its own, gone with its owner.
final class LibraryFixture: Sendable {
  let temporary: TemporaryFolder
  let library: Library

  static let rate = SampleRate(hertz: 44100)!

  init(now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: 1_700_000_000) }) throws
  {
    temporary = try TemporaryFolder()
    library = try Library(at: LibraryFolder(path: temporary.path("library")), now: now)
  }

  var folder: LibraryFolder { library.folder }

  /// The same library, as another process would open it.
  func reopened() throws -> Library { try Library(at: folder) }

  /// Enters a recording without audio, `seconds` long.
  func enter(
    _ title: String, seconds: Int64 = 60, reciter: Reciter.ID? = nil, riwayah: Riwayah? = nil,
    night: String? = nil, detection: Detection? = nil
  ) throws -> Recording {
    let id = Recording.ID.new()
    let hash = Array(id.rawValue.utf8.prefix(16))
    let draft = RecordingDraft(
      id: id, place: .library("Recordings/\(id.rawValue).wav"),
      file: KnownFile(size: 10, modified: 0, probe: hash, contentHash: hash),
      media: Recording.MediaFacts(
        container: "WAV", codec: "PCM", rate: Self.rate, channels: 1,
        length: FrameCount(seconds * 44100)),
      title: title, recordedAt: 1_600_000_000, reciter: reciter, riwayah: riwayah, night: night,
      fingerprint: Fingerprint(levels: [0]))
    _ = try draft.insert(detection, into: library)
    return try library.recording(id)
  }

  /// An importer that keeps its waveforms in the fixture too.
  func importer(detecting: Bool = true) -> Importer {
    var importer = Importer(
      into: library,
      analyzer: RecordingAnalyzer(
        threadCount: 1, sidecars: SidecarFolder(path: temporary.path("cache"))), detect: nil)
    if detecting {
      importer.detect = { (envelope: Envelope) throws(AnalysisError) in
        try PauseDetector().detect(in: envelope)
      }
    }
    return importer
  }
}

func seconds(_ seconds: Double) -> FramePosition {
  FramePosition(seconds: seconds, at: LibraryFixture.rate)
}

func ayah(_ text: String) -> AyahReference { AyahReference(text)! }

extension AnnotationEngine {
  /// Cuts at a time and returns the marker.
  @discardableResult
  func cut(at time: Double) throws -> MarkerID {
    let id = document.unusedMarkerID
    try apply(.addMarker(Marker(id: id, position: seconds(time), origin: .person)))
    return id
  }

  func assign(_ segment: Int, _ assignment: Assignment, confirming: Bool = true) throws {
    try apply(
      .assign(document.segments[segment].id, Attribution(assignment), confirming: confirming))
  }
}
