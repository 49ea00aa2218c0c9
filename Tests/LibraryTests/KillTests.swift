// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Library

/// Processes that are killed in the middle of their work.
@Suite(.serialized) struct KillTests {
  let fixture: LibraryFixture

  init() throws { fixture = try LibraryFixture() }

  static let batches: ClosedRange<UInt64> = 1...(Harness.isThorough ? 40 : 1)

  /// 25 rounds, and 1,000 when the thorough run is asked for.
  @Test(arguments: batches)
  func aKilledEditorLeavesTheStateBeforeOrAfterAnEdit(_ batch: UInt64) async throws {
    var random = SplitMix64(state: batch)
    var reached: [Int] = []
    for _ in 0..<25 {
      let recording = try fixture.enter("night")
      let start = try fixture.library.annotation(of: recording.id).1
      let seed = random.next()
      // A fifth of them while the library is being opened, the others after so many edits; and somewhere
      // between two steps of what it does then, where exactly says the delay.
      let edits = max(0, Int.random(in: -5...20, using: &random))
      let delay = UInt32.random(in: 0..<(edits == 0 ? 40_000 : 4000), using: &random)
      let harness = try Harness(
        ["edit", fixture.folder.path, recording.id.rawValue, "\(seed)", "2000"],
        in: fixture.temporary)
      try await onAThread {
        harness.wait(forLines: edits)
        usleep(delay)
        harness.kill()
      }
      let printed = harness.revisions
      #expect(harness.error == nil)
      #expect(printed == Array(1..<Int64(printed.count + 1)))

      let library = try fixture.reopened()
      let (kept, document) = try library.annotation(of: recording.id)
      let revision = Int(kept.revision)
      #expect(revision == printed.count || revision == printed.count + 1)
      let model = RandomStepsModel(start, seed: seed, steps: 2000, upTo: revision)
      #expect(document == model.states[revision])
      #expect(library.holder(of: recording.id) == nil, "the lock has gone with its holder")
      #expect(try library.check() == [])
      try await fixture.editing(recording.id, in: library) { engine async throws in
        while try await engine.undo() != nil {}
        #expect(await engine.document == start)
      }
      reached.append(revision)
    }
    #expect(reached.contains { $0 > 3 }, "kills came while edits were made: \(reached)")
  }

  @Test func theLockOfAKilledEditorIsFree() async throws {
    let recording = try fixture.enter("night")
    let harness = try Harness(
      ["hold", fixture.folder.path, recording.id.rawValue], in: fixture.temporary)
    try await onAThread { harness.wait(forLines: 1) }
    #expect(harness.lines == ["held"])
    let holder = fixture.library.holder(of: recording.id)
    #expect(holder?.pid == harness.process.processIdentifier)
    let error = expect(.held) {
      _ = try AnnotationEngine(editing: recording.id, in: fixture.library)
    }
    #expect(error?.detail.contains("process \(harness.process.processIdentifier) on ") == true)
    try await onAThread { harness.kill() }
    #expect(fixture.library.holder(of: recording.id) == nil)
    _ = try AnnotationEngine(editing: recording.id, in: fixture.library)
  }

  @Test func aKilledImportIsClearedOrFinishedByTheNextOpening() async throws {
    let file = try fixture.temporary.copy(of: "wav-f32-22k-mono.wav")
    var outcomes = Set<Int>()
    for round in 0..<(Harness.isThorough ? 200 : 12) {
      let harness = try Harness(["import", fixture.folder.path, file], in: fixture.temporary)
      try await onAThread {
        // From before it begins until after it is done.
        usleep(UInt32(10_000 * (round % 12)))
        harness.kill()
      }
      let library = try fixture.reopened()
      let recordings = try library.recordings()
      outcomes.insert(recordings.count)
      #expect(recordings.allSatisfy { library.availability(of: $0) == .available })
      #expect(fixture.names(in: fixture.folder.recordings).count == recordings.count)
      #expect(try library.check(isThorough: true) == [])
      for recording in recordings { try library.remove(recording.id) }
      try library.emptyBin()
    }
    #expect(outcomes.isSubset(of: [0, 1]))
  }
}
