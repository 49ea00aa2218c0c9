// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Foundation
import GRDB
import Glibc
import TestSupport
import Testing

@testable import Library

/// Processes whose disk fails them: see `Tests/DiskFaults`.
@Suite(.serialized, .enabled(if: DiskFault.isBuilt, "libDiskFaults.so is not beside the tests"))
struct DiskFaultTests {
  let fixture: LibraryFixture

  init() throws { fixture = try LibraryFixture() }

  /// What the disk says, and whether it says it from then on.
  enum Fault: CaseIterable {
    case full, fullForAMoment, broken, brokenForAMoment, readOnly

    var code: Int32 {
      switch self {
      case .full, .fullForAMoment: ENOSPC
      case .broken, .brokenForAMoment: EIO
      case .readOnly: EROFS
      }
    }

    var stays: Bool { self == .full || self == .broken || self == .readOnly }

    var kinds: [String] {
      switch self {
      // SQLite has but one word for most of what a disk may say.
      case .full, .fullForAMoment: ["full", "inputOutput", "noFolder"]
      case .broken, .brokenForAMoment: ["inputOutput", "noFolder"]
      case .readOnly: ["readOnly", "inputOutput", "noFolder"]
      }
    }
  }

  /// Runs a command with the first, second, third... of its writes failing, each on a fresh copy of the
  /// library, until it comes through unharmed.
  private func eachFailure(
    of arguments: [String], _ fault: Fault,
    body: (_ harness: Harness, _ library: Library) throws -> Void
  ) async throws {
    try fixture.library.close()
    let original = fixture.folder.path
    var number = 0
    while true {
      // Each takes a process, so the ordinary run takes ever longer steps.
      number += Harness.isThorough ? 1 : 1 + number / 2
      let copy = fixture.temporary.path("copy")
      try? FileManager.default.removeItem(atPath: copy)
      try FileManager.default.copyItem(atPath: original, toPath: copy)
      let mark = fixture.temporary.path("mark-\(number)")
      let harness = try Harness(
        [arguments[0], copy] + arguments.dropFirst(), in: fixture.temporary,
        environment: DiskFault.environment(
          in: copy, at: number, code: fault.code, stays: fault.stays, mark: mark))
      let status = try await onAThread { harness.finish() }
      #expect(status == 0 || status == 3, "\(number): \(harness.lines)")
      if let error = harness.error {
        let words = error.split(separator: " ")
        #expect(fault.kinds.contains(String(words[1])), "\(number): \(error)")
        #expect(error.contains(copy), "it names the file: \(error)")
      }
      try body(harness, Library(at: LibraryFolder(path: copy)))
      guard access(mark, F_OK) != 0 else { continue }
      #expect(number > 4, "there were writes to fail")
      return
    }
  }

  @Test(arguments: Harness.isThorough ? Fault.allCases : [.full, .brokenForAMoment])
  func aFailingWriteLeavesTheStateBeforeOrAfterTheEdit(
    _ fault: Fault
  ) async throws {
    let recording = try fixture.enter("night")
    let start = try fixture.library.annotation(of: recording.id).1
    let steps = 4
    let model = RandomStepsModel(start, seed: 3, steps: steps)
    try await eachFailure(of: ["edit", recording.id.rawValue, "3", "\(steps)"], fault) {
      harness, library in
      let (kept, document) = try library.annotation(of: recording.id)
      let printed = harness.revisions.count
      #expect([printed, printed + 1].contains(Int(kept.revision)))
      if harness.error == nil { #expect(Int(kept.revision) == model.states.count - 1) }
      #expect(document == model.states[Int(kept.revision)])
      #expect(try library.check() == [])
    }
  }

  @Test(arguments: Harness.isThorough ? Fault.allCases : [.full])
  func aFailingPublicationLeavesWhatWasPublishedBefore(_ fault: Fault) async throws {
    let recording = try fixture.enter("night")
    try fixture.library.write { db in
      try db.execute(
        sql: """
          UPDATE marker SET assignment = '{"kind":"ayah","ayah":"1:1"}',
            assignmentOrigin = 'person'
          """)
    }
    _ = try fixture.library.annotation(of: recording.id)
    try await eachFailure(of: ["publish", recording.id.rawValue], fault) { harness, library in
      let sources = try library.sources(of: ayah("1:1")).count
      let status = try library.recording(recording.id).status
      #expect(harness.error == nil ? sources == 1 : sources <= 1)
      #expect((status == .partial || status == .complete) == (sources == 1))
    }
  }

  @Test(arguments: Harness.isThorough ? Fault.allCases : [.fullForAMoment])
  func aFailingImportLeavesNothingOrAWholeRecording(_ fault: Fault) async throws {
    let file = FixtureFolder.path("wav-f32-22k-mono.wav")
    try await eachFailure(of: ["import", file], fault) { harness, library in
      let recordings = try library.recordings()
      #expect(recordings.count <= 1)
      if harness.error == nil { #expect(recordings.count == 1) }
      #expect(recordings.allSatisfy { library.availability(of: $0) == .available })
      #expect(LibraryFolder.contents(of: library.folder.recordings).count == recordings.count)
      #expect(try library.check() == [])
    }
  }

  @Test func aFailingRemovalLeavesTheFileWhereTheDatabaseHasIt() async throws {
    let recording = try fixture.enter("night")
    try await eachFailure(of: ["remove", recording.id.rawValue], .full) { harness, library in
      let kept = try library.recording(recording.id)
      if harness.error == nil { #expect(kept.removedAt != nil) }
      #expect(FileManager.default.fileExists(atPath: kept.shownPath(in: library.folder)))
      #expect(try library.check() == [])
    }
  }

  /// Closed, in use by another process, and left by one that was killed.
  @Test(arguments: ["closed", "open", "cut off"])
  func aFullDiskCanBeRead(_ state: String) async throws {
    _ = try fixture.enter("a night to read")
    var folder = fixture.folder
    if state == "closed" { try fixture.library.close() }
    if state == "cut off" {
      folder = LibraryFolder(path: fixture.temporary.path("cut off"))
      try FileManager.default.createDirectory(
        atPath: folder.path, withIntermediateDirectories: true)
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(
          atPath: fixture.folder.database + suffix, toPath: folder.database + suffix)
      }
    }
    // SQLite's own files may come to be beside it, empty.
    func names() -> [String] { fixture.names(in: folder.path).filter { !$0.contains(".sqlite-") } }
    let before = names()
    let reader = try Harness(
      ["read", folder.path], in: fixture.temporary,
      environment: DiskFault.environment(
        in: folder.path, at: 1, code: ENOSPC, stays: true, mark: fixture.temporary.path("mark")))
    #expect(try await onAThread { reader.finish() } == 0, "\(reader.lines)")
    #expect(reader.lines == ["title a night to read"])
    #expect(names() == before)
    if state == "cut off" {
      // The log is still there for whoever has room to go on.
      #expect(access(folder.database + "-wal", F_OK) == 0)
      #expect(try Library(at: folder).recordings().count == 1)
    }
    withExtendedLifetime(fixture) {}
  }

  @Test(arguments: [true, false])
  func aReadOnlyFolderCanBeReadAndSaysThatItCannotBeWritten(_ isClosed: Bool) async throws {
    let recording = try fixture.enter("a night to read")
    if isClosed { try fixture.library.close() }
    let environment = DiskFault.readOnly(fixture.folder.path)
    let before = fixture.names(in: fixture.folder.path)
    let reader = try Harness(
      ["read", fixture.folder.path], in: fixture.temporary, environment: environment)
    #expect(try await onAThread { reader.finish() } == 0)
    #expect(reader.lines == ["title a night to read"])
    let writer = try Harness(
      ["edit", fixture.folder.path, recording.id.rawValue, "1", "5"], in: fixture.temporary,
      environment: environment)
    #expect(try await onAThread { writer.finish() } == 3)
    #expect(writer.error?.hasPrefix("error readOnly \(fixture.folder.path)") == true)
    #expect(fixture.names(in: fixture.folder.path) == before)
    withExtendedLifetime(fixture) {}
  }
}

enum DiskFault {
  private static var library: String { Harness.buildFolder + "/libDiskFaults.so" }

  static var isBuilt: Bool { access(library, R_OK) == 0 }

  static func environment(
    in folder: String, at number: Int, code: Int32, stays: Bool, mark: String
  ) -> [String: String] {
    var environment = [
      "LD_PRELOAD": library, "DISK_FAULT_FOLDER": folder, "DISK_FAULT_AT": "\(number)",
      "DISK_FAULT_ERRNO": "\(code)", "DISK_FAULT_MARK": mark,
    ]
    if stays { environment["DISK_FAULT_STAYS"] = "1" }
    return environment
  }

  static func readOnly(_ folder: String) -> [String: String] {
    ["LD_PRELOAD": library, "DISK_FAULT_FOLDER": folder, "DISK_FAULT_READONLY": "1"]
  }
}
