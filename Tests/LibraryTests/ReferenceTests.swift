// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Foundation
import Quran
import TestSupport
import Testing

@testable import Library

@Suite struct ReferenceTests {
  private let fixture: LibraryFixture
  private var library: Library { fixture.library }

  init() throws { fixture = try LibraryFixture() }

  private func ayat(_ text: String) throws -> [AyahReference] {
    Array(try AyahRange(parsing: text))
  }

  private func assignments(_ text: String) throws -> [Assignment?] {
    try ayat(text).map { .ayah($0) }
  }

  private func path(_ recording: Recording) -> String { recording.shownPath(in: fixture.folder) }

  @Test func theSameReciterIsTheBestReference() async throws {
    let own = try library.addReciter("Own").id
    let other = try library.addReciter("Other").id
    _ = try await fixture.publish(assignments("36:1-20"), title: "other", reciter: other)
    let best = try await fixture.publish(assignments("36:1-12"), title: "own", reciter: own)
    let clips = try library.referenceClips(
      for: ayat("36:1-12"), preferring: ReferencePreference(reciter: own))
    #expect(clips.map(\.path) == [path(best)])
    let second = try #require(AyahReference(surah: 36, ayah: 2))
    let frames = FramePosition(441_000)..<FramePosition(882_000)
    #expect(clips.first?.spans[second] == frames)
  }

  @Test func whatOneRecordingLacksComesFromOthers() async throws {
    let long = try await fixture.publish(assignments("36:1-10"), title: "long")
    let short = try await fixture.publish(assignments("36:8-13"), title: "short")
    let clips = try library.referenceClips(for: ayat("36:1-15"))
    #expect(clips.map(\.path) == [path(long), path(short)])
    #expect(Set(clips[0].spans.keys) == Set(try ayat("36:1-10")))
    #expect(Set(clips[1].spans.keys) == Set(try ayat("36:11-13")))
  }

  @Test func aRiwayahCountsMoreThanHowMuchIsThere() async throws {
    _ = try await fixture.publish(assignments("36:1-15"), title: "hafs", riwayah: .hafs)
    let warsh = try await fixture.publish(assignments("36:1-5"), title: "warsh", riwayah: .warsh)
    let clips = try library.referenceClips(
      for: ayat("36:1-15"), preferring: ReferencePreference(riwayah: .warsh))
    #expect(clips.first?.path == path(warsh))
    #expect(clips.count == 2)
  }

  @Test func whatIsNotHereAndTheRecordingItselfAreNoReference() async throws {
    let own = try await fixture.publish(assignments("36:1-10"), title: "itself")
    let gone = try await fixture.publish(assignments("36:1-12"), title: "gone")
    try FileManager.default.removeItem(atPath: path(gone))
    let clips = try library.referenceClips(
      for: ayat("36:1-12"), preferring: ReferencePreference(excluding: own.id))
    #expect(clips.isEmpty)
  }

  @Test func oneRecordingGivesWhatIsAnnotatedThoughNotPublished() async throws {
    let engine = try fixture.engine(seconds: 30)
    try await engine.cut(at: 10)
    try await engine.cut(at: 20)
    let fatiha = try ayat("1:1-7")
    try await engine.assign(0, .ayah(fatiha[0]), confirming: false)
    try await engine.assign(1, .ayah(fatiha[0]), confirming: true)
    let id = await engine.recording.id
    await engine.close()
    let clips = try library.referenceClips(for: fatiha, of: id)
    // Of the two the confirmed one.
    #expect(clips.spans == [fatiha[0]: FramePosition(441_000)..<FramePosition(882_000)])
    #expect(try library.referenceClips(for: fatiha).isEmpty)
    #expect(try library.referenceClips(for: ayat("2:1-5"), of: id).spans.isEmpty)
  }
}
