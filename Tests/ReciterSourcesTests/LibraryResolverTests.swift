// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Decoding
import Foundation
import Playback
import Quran
import TestSupport
import Testing

@testable import Library
@testable import ReciterSources

@Suite("What a library has published, as play looks for it")
struct LibraryResolverTests {
  private let folder: TemporaryFolder
  private let library: Library
  private let query = ResolverQuery(riwayah: .hafs)

  init() throws {
    folder = try TemporaryFolder()
    library = try Library(at: LibraryFolder(path: folder.path("library")))
  }

  /// A recording with one published ayah, of a minute; its file is no sound.
  private func publish(_ ayah: AyahReference, as title: String) async throws -> String {
    let id = Recording.ID.new()
    let path = library.folder.path + "/Recordings/\(id.rawValue).wav"
    try Data(id.rawValue.utf8).write(to: URL(filePath: path))
    let draft = RecordingDraft(
      id: id, place: .init(path: "Recordings/\(id.rawValue).wav", isInPlace: false),
      file: try KnownFile(reading: MediaFile(path: path)),
      media: Recording.MediaFacts(
        container: "WAV", codec: "PCM", rate: SampleRate(hertz: 44_100)!, channels: 1,
        length: FrameCount(60 * 44_100)),
      title: title, recordedAt: 1_600_000_000, reciter: nil, riwayah: .hafs, night: nil,
      fingerprint: Fingerprint(levels: [0]))
    _ = try draft.insert(nil, into: library)
    let engine = try AnnotationEngine(editing: id, in: library)
    let segment = await engine.document.segments[0].id
    try await engine.apply(.assign(segment, Attribution(.ayah(ayah)), confirming: true))
    _ = try await engine.publish()
    await engine.close()
    return path
  }

  private func heard(_ ayah: AyahReference, by resolver: LibraryResolver) async -> String {
    switch await resolver.clip(of: ayah, query) {
    case .found(let clip): resolver.title(of: clip.audio.media)
    case .missing: "missing"
    case .lacking(let reason): "lacking: \(reason)"
    case .failed(let reason): "failed: \(reason)"
    }
  }

  /// A sync tool brings a file back while play goes on.
  @Test func aFileThatComesBackIsHeardInItsTurn() async throws {
    let (first, second) = (
      AyahReference(surah: 112, ayah: 1)!, AyahReference(surah: 112, ayah: 2)!
    )
    let paths = [
      try await publish(first, as: "one"), try await publish(first, as: "another"),
      try await publish(second, as: "two"),
    ]
    for path in paths {
      try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
    }
    let resolver = try LibraryResolver(library, stopFlag: StopFlag())
    for ayah in [first, second] {
      let found = await heard(ayah, by: resolver)
      #expect(found.hasPrefix("failed: "), "\(found)")
    }
    #expect(await heard(AyahReference(surah: 1, ayah: 1)!, by: resolver) == "missing")
    // Of two that hold it the one that is there, be it the second choice.
    for (index, title) in [(0, "one"), (2, "two")] {
      let path = paths[index]
      try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
      #expect(await heard(index == 0 ? first : second, by: resolver) == title)
    }
    // The other comes too late: what is known to be here is not looked for elsewhere.
    try FileManager.default.moveItem(atPath: paths[1] + ".away", toPath: paths[1])
    #expect(await heard(first, by: resolver) == "one")
  }
}
