// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Foundation
import Glibc
import Quran
import TestSupport
import Testing

@testable import Library

struct RelinkTests {
  let fixture: LibraryFixture
  var library: Library { fixture.library }

  init() throws { fixture = try LibraryFixture() }

  /// Half a minute of recitation with markers, a join, a history and what is published of it.
  private func annotated(_ name: String = "flac-44k-stereo.flac") async throws -> Recording.ID {
    let path = FixtureFolder.path(name)
    let id = try fixture.importer().importFile(path).recording.id
    return try await fixture.editing(id) { engine async throws in
      let rate = await engine.document.rate
      for (number, time) in [5.0, 11.25, 20.523].enumerated() {
        let position = FramePosition(seconds: time, at: rate)
        try await engine.apply(
          .addMarker(Marker(id: MarkerID(Int64(900 + number)), position: position, origin: .person))
        )
      }
      let segment = SegmentID.from(MarkerID(902))
      let join = FramePosition(seconds: 21, at: rate)
      try await engine.apply(
        .assign(
          segment, Attribution(.crossSurah(ayah("2:286"), join: join, end: ayah("3:1"))),
          confirming: true))
      try await engine.apply(.assign(.first, Attribution(.ayah(ayah("1:1")))))
      let words = (1...3).map { number in
        TimedWord(
          ayah("1:1"), number,
          FramePosition(
            seconds: Double(number), at: rate)..<FramePosition(
              seconds: Double(number) + 0.9, at: rate))
      }
      try await engine.apply(
        .replaceSuggestions(Suggestions(in: .zero..<words[2].span.upperBound, [], words: words)))
      _ = try await engine.publish()
      try await engine.apply(.setNote(.first, "after publishing"))
      try await engine.undo()
      return id
    }
  }

  private func relink(
    _ id: Recording.ID, to path: String, isCopied: Bool = true
  ) throws -> Relinking {
    try library.relink(
      id, to: path, isCopied: isCopied,
      analyzer: RecordingAnalyzer(threadCount: 1, sidecars: nil))
  }

  /// Everything lies `delay` seconds later than before, to the millisecond given, and undo and redo still
  /// walk the whole way.
  private func expectMoved(
    _ before: AnnotationDocument, _ id: Recording.ID, by delay: Double, within tolerance: Double
  ) async throws {
    let (recording, after) = try fixture.reopened().annotation(of: id)
    #expect(after.rate == recording.media.rate && after.length == recording.media.length)
    #expect(after.markers.map(\.id) == before.markers.map(\.id))
    for (old, new) in zip(before.markers, after.markers) {
      let shift = new.position.seconds(at: after.rate) - old.position.seconds(at: before.rate)
      #expect(abs(shift - delay) <= tolerance, "\(shift)")
    }
    #expect(after.words.map(\.number) == [1, 2, 3])
    for (old, new) in zip(before.words, after.words) {
      for (old, new) in [
        (old.span.lowerBound, new.span.lowerBound), (old.span.upperBound, new.span.upperBound),
      ] {
        let shift = new.seconds(at: after.rate) - old.seconds(at: before.rate)
        #expect(abs(shift - delay) <= tolerance, "\(shift)")
      }
    }
    #expect(after.records.map(\.content.note) == before.records.map(\.content.note))
    let source = try #require(try library.resolve(ayah("3:1")))
    let start = source.span.lowerBound.seconds(at: after.rate)
    #expect(abs(start - (21 + delay)) <= tolerance)
    #expect(source.span.upperBound == after.segment(.from(MarkerID(902)))?.span.upperBound)
    #expect(library.availability(of: recording) == .available)
    try await fixture.editing(id) { engine async throws in
      #expect(try await engine.redo() != nil)
      var steps = 0
      while try await engine.undo() != nil { steps += 1 }
      #expect(steps == 8)
      #expect(await engine.document.records.count == 1)
      while try await engine.redo() != nil {}
      try await engine.undo()
      #expect(await engine.document == after)
    }
    #expect(try library.check(isThorough: true) == [])
  }

  @Test func aFileThatWasMovedIsTheSameToTheByte() async throws {
    let id = try await annotated()
    let before = try library.annotation(of: id)
    let moved = try fixture.temporary.copy(of: "flac-44k-stereo.flac", as: "moved.flac")
    unlink(before.0.shownPath(in: fixture.folder))
    let relinking = try relink(id, to: moved, isCopied: false)
    #expect(relinking.isSameFile && relinking.retiming.isIdentity)
    let after = try library.annotation(of: id)
    #expect(after.0.place == .inPlace(Importer.resolved(moved)) && after.1 == before.1)
    #expect(after.0.publication == before.0.publication)
    try await expectMoved(before.1, id, by: 0, within: 0)
    _ = try relink(id, to: moved)
    #expect(
      try library.recording(id).place == .library(LibraryPath(.recordings, "\(id.rawValue).flac")!))
    #expect(FileManager.default.fileExists(atPath: moved))
  }

  @Test(arguments: [false, true])
  func aFileThatWasMovedIsFoundByItsNewPath(isInPlace: Bool) async throws {
    let here = try fixture.temporary.copy(of: "flac-44k-stereo.flac", as: "here.flac")
    var details = Importer.Details()
    details.isInPlace = isInPlace
    let id = try fixture.importer().importFile(here, details).recording.id
    let moved = fixture.temporary.path("moved.flac")
    if isInPlace {
      #expect(rename(here, moved) == 0)
    } else {
      _ = try fixture.temporary.copy(of: "flac-44k-stereo.flac", as: "moved.flac")
      unlink(try library.file(of: library.recording(id)))
    }
    let before = try library.annotation(of: id)
    #expect(!library.availability(of: before.0).isAvailable)
    // Whoever edits it keeps it as it is.
    do {
      let lock = try library.lockForEditing(id)
      defer { withExtendedLifetime(lock) {} }
      #expect(try library.recording(relinkedTo: moved) == before.0)
    }
    let found = try #require(try library.recording(relinkedTo: moved))
    #expect(found.id == id && found.isInPlace == isInPlace)
    #expect(library.availability(of: found).isAvailable)
    #expect(try library.annotation(of: id).1 == before.1)
    // One that is there stays there.
    let copy = try fixture.temporary.copy(of: "flac-44k-stereo.flac", as: "copy.flac")
    #expect(try library.recording(relinkedTo: copy)?.place == found.place)
  }

  @Test(arguments: [false, true])
  func importingAMovedFileGivesItToItsRecording(isInPlace: Bool) throws {
    let here = try fixture.temporary.copy(of: "flac-44k-stereo.flac", as: "here.flac")
    var details = Importer.Details()
    details.isInPlace = true
    let id = try fixture.importer().importFile(here, details).recording.id
    let moved = fixture.temporary.path("moved.flac")
    #expect(rename(here, moved) == 0)
    details.isInPlace = isInPlace
    let result = try fixture.importer().importFile(moved, details)
    #expect(result.recording.id == id && result.boundaryCount == nil)
    #expect(result.recording.place == .inPlace(Importer.resolved(moved)))
    #expect(try library.recordings().count == 1)
  }

  @Test func aFileThatHasGrownIsReadOn() async throws {
    let bytes = try Data(contentsOf: URL(filePath: FixtureFolder.path("mp3-22k-mono.mp3")))
    let path = try fixture.temporary.write(Array(bytes), to: "night.mp3")
    var details = Importer.Details()
    details.isInPlace = true
    let id = try fixture.importer().importFile(path, details).recording.id
    try await fixture.editing(id) { engine async throws in
      try await engine.apply(
        .addMarker(
          Marker(id: MarkerID(900), position: FramePosition(100_000), origin: .person)))
      try await engine.apply(.assign(.first, Attribution(.ayah(ayah("1:1")))))
    }
    let (before, document) = try library.annotation(of: id)
    #expect(library.growth(of: before) == .zero)
    // MP3 may be strung together.
    _ = try fixture.temporary.write(Array(bytes + bytes), to: "night.mp3")
    #expect(library.availability(of: before) == .grown)
    #expect(library.growth(of: before) == before.media.length)
    let relinking = try relink(id, to: path, isCopied: false)
    #expect(relinking.isGrown && !relinking.isSameFile && relinking.retiming.isIdentity)
    let (after, grown) = try library.annotation(of: id)
    #expect(library.availability(of: after) == .available)
    #expect(after.media.length.frames > before.media.length.frames * 19 / 10)
    #expect(grown.length == after.media.length && grown.markers == document.markers)
    #expect(grown.segments[0].assignment == document.segments[0].assignment)
    try await fixture.editing(id) { engine async throws in
      // Nothing is known of what is new, but the last segment said nothing.
      let end = FramePosition.zero + before.media.length
      try await engine.beginAfresh(at: end)
      #expect(await engine.document == grown)
      let last = try #require(grown.segments.last)
      try await engine.apply(.assign(last.id, Attribution(.ayah(ayah("1:2")))))
      try await engine.beginAfresh(at: end)
      #expect(await engine.document.segments.last?.span.lowerBound == end)
      #expect(await engine.document.segments.last?.assignment == nil)
      while try await engine.undo() != nil {}
      #expect(await engine.document.records.count == 1)
    }
    #expect(try library.check(isThorough: true) == [])
    // Another file that is longer is another file.
    _ = try fixture.temporary.write(
      [UInt8](repeating: 0, count: 5 * bytes.count), to: "night.mp3")
    #expect(library.availability(of: after) == .unavailable(.replaced))
  }

  @Test(arguments: [
    "mp3-vbr-xing.mp3", "m4a-aac.m4a", "mp3-22k-mono.mp3", "m4a-voice-memo.m4a", "ogg-opus.opus",
  ])
  func anotherEncodingKeepsEveryPlaceOfTheSound(_ name: String) async throws {
    let id = try await annotated()
    let before = try library.annotation(of: id)
    let relinking = try relink(id, to: FixtureFolder.path(name))
    #expect(!relinking.isSameFile && (relinking.similarity ?? 0) > 0.95)
    try await expectMoved(before.1, id, by: 0, within: 0.0001)
    let ending = URL(filePath: name).pathExtension
    #expect(fixture.names(in: fixture.folder.recordings) == ["\(id.rawValue).\(ending)"])
  }

  @Test func encodedAgainAndAgainItStaysWhereItIs() async throws {
    let id = try await annotated("m4a-voice-memo.m4a")
    let before = try library.annotation(of: id).1
    for name in ["mp3-22k-mono.mp3", "ogg-opus.opus", "flac-44k-stereo.flac"] {
      _ = try relink(id, to: FixtureFolder.path(name))
    }
    try await expectMoved(before, id, by: 0, within: 0.0002)
  }

  @Test(arguments: [0.8, -0.35, 0.0123, 2.5]) func aShiftedSoundTakesItsMarkersAlong(
    _ delay: Double
  ) async throws {
    let id = try await annotated()
    let before = try library.annotation(of: id).1
    var sound = try Sound(FixtureFolder.path("mp3-vbr-xing.mp3"))
    let frames = Int(delay * 44100)
    if delay > 0 {
      sound.samples.insert(contentsOf: [Float](repeating: 0, count: frames), at: 0)
    } else {
      sound.samples.removeFirst(-frames)
    }
    let path = fixture.temporary.path("shifted.wav")
    try sound.write(to: path)
    let relinking = try relink(id, to: path)
    #expect(abs(relinking.retiming.delay - delay) < 0.002, "\(relinking.retiming.delay)")
    try await expectMoved(before, id, by: delay, within: 0.002)
  }

  @Test func aLouderOrQuieterSoundIsTheSame() async throws {
    let id = try await annotated()
    let before = try library.annotation(of: id).1
    for gain: Float in [0.05, 1.8] {
      var sound = try Sound(FixtureFolder.path("flac-44k-stereo.flac"))
      sound.samples = sound.samples.map { $0 * gain }
      let path = fixture.temporary.path("gain-\(gain).wav")
      try sound.write(to: path)
      _ = try relink(id, to: path)
      try await expectMoved(before, id, by: 0, within: 0)
    }
    #expect(fixture.names(in: fixture.folder.recordings).count == 1)
  }

  @Test func anEndThatWasCutOffIsNotMissedWhereNoMarkerLies() async throws {
    let id = try await annotated()
    try await fixture.editing(id) { engine async throws in
      for marker in await engine.document.markers where marker.position > seconds(22) {
        try await engine.apply(.deleteMarker(marker.id))
      }
    }
    let before = try library.annotation(of: id).1
    var sound = try Sound(FixtureFolder.path("flac-44k-stereo.flac"))
    sound.samples.removeLast(sound.samples.count - 24 * 44100)
    let path = fixture.temporary.path("cut.wav")
    try sound.write(to: path)
    _ = try relink(id, to: path)
    let (recording, after) = try library.annotation(of: id)
    #expect(recording.media.length == FrameCount(24 * 44100))
    #expect(after.markers == before.markers)
    #expect(try library.check(isThorough: true) == [])
    // What was published beyond the end is gone, and what reached beyond it ends with the file.
    #expect(
      try library.sources(of: ayah("3:1")).allSatisfy { $0.span.upperBound <= seconds(24) })
    // The history that leads out of the file has become one step.
    try await fixture.editing(id) { engine async throws in
      var steps = 0
      while try await engine.undo() != nil { steps += 1 }
      #expect(steps == 1)
      #expect(await engine.document.records.count == 1)
      try await engine.redo()
      #expect(await engine.document == after)
    }
    #expect(try library.check() == [])
  }

  @Test func aFileThatLacksAMarkedPartIsRefused() async throws {
    let id = try await annotated()
    var sound = try Sound(FixtureFolder.path("flac-44k-stereo.flac"))
    sound.samples.removeLast(sound.samples.count - 19 * 44100)
    let path = fixture.temporary.path("cut.wav")
    try sound.write(to: path)
    try await expectRefused(path, id)
  }

  @Test func anotherRecitationIsRefused() async throws {
    let id = try await annotated()
    var sound = try Sound(FixtureFolder.path("flac-44k-stereo.flac"))
    sound.samples.reverse()
    let path = fixture.temporary.path("reversed.wav")
    try sound.write(to: path)
    try await expectRefused(path, id)
    try await expectRefused(FixtureFolder.path("exact/mono.mp3"), id)
  }

  private func expectRefused(_ path: String, _ id: Recording.ID) async throws {
    let before = try library.annotation(of: id)
    expect(.changed) { _ = try relink(id, to: path) }
    #expect(try library.annotation(of: id) == before)
    #expect(fixture.names(in: fixture.folder.recordings).count == 1)
    #expect(library.availability(of: before.0) == .available)
  }

  @Test func whatIsEditedOrInTheBinIsNotRelinked() async throws {
    let id = try await annotated()
    let path = FixtureFolder.path("mp3-vbr-xing.mp3")
    let engine = try AnnotationEngine(editing: id, in: library)
    expect(.held) { _ = try relink(id, to: path) }
    await engine.close()
    try library.remove(id)
    expect(.unusable) { _ = try relink(id, to: path) }
    try library.restore(id)
    do {
      _ = try relink(id, to: fixture.temporary.path("absent"))
      Issue.record("nothing was thrown")
    } catch let error as LibraryError {
      guard case .media = error.kind else { throw error }
    }
  }

  @Test func theOldFileStaysUntilTheDatabaseKnowsTheNewOne() async throws {
    let id = try await annotated("mp3-vbr-xing.mp3")
    let old = try library.recording(id)
    let bytes = try Data(contentsOf: URL(filePath: old.shownPath(in: fixture.folder)))
    // Somebody else keeps the library locked, so that the last step fails.
    let other = try Library(at: fixture.folder, patience: 0.05)
    let writer = try blockingWriter(fixture.folder)
    let file = try fixture.temporary.copy(of: "mp3-22k-mono.mp3")
    expect(.busy) {
      _ = try other.relink(
        id, to: file, isCopied: true, analyzer: RecordingAnalyzer(threadCount: 1, sidecars: nil))
    }
    try writer.release()
    #expect(try Data(contentsOf: URL(filePath: old.shownPath(in: fixture.folder))) == bytes)
    #expect(fixture.names(in: fixture.folder.recordings).count == 1)
    #expect(try library.recording(id) == old)
    _ = try relink(id, to: file)
    #expect(fixture.names(in: fixture.folder.recordings) == ["\(id.rawValue)-2.mp3"])
    #expect(library.availability(of: try library.recording(id)) == .available)
  }
}

/// Matching itself, on made-up fingerprints.
struct SoundMatchTests {
  private func levels(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SplitMix64(state: seed)
    var level = 150.0
    return (0..<count).map { _ in
      level += Double.random(in: -20...20, using: &random)
      level = min(max(level, 40), 220)
      return UInt8(level)
    }
  }

  @Test(arguments: [0, 7, -13, 250, 1234, -777]) func findsHowFarASoundHasMoved(_ hops: Int) throws
  {
    let levels = levels(6000, seed: 1)
    let moved =
      hops >= 0 ? [UInt8](repeating: 0, count: hops) + levels : Array(levels.dropFirst(-hops))
    let match = try #require(
      SoundMatch(Fingerprint(levels: levels), in: Fingerprint(levels: moved)))
    #expect(match.isSame && abs(match.delay - Double(hops) / 100) < 0.002)
  }

  @Test func soundsThatAreNotAlikeDoNotMatch() {
    let first = Fingerprint(levels: levels(6000, seed: 1))
    for other in [levels(6000, seed: 2), [UInt8](repeating: 90, count: 6000), []] {
      #expect(SoundMatch(first, in: Fingerprint(levels: other))?.isSame != true)
    }
    let silence = Fingerprint(levels: [UInt8](repeating: 0, count: 3000))
    #expect(SoundMatch(silence, in: silence)?.isSame != true, "silence is like nothing")
  }
}
