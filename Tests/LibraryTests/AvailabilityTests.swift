// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Glibc
import TestSupport
import Testing

@testable import Library

struct AvailabilityTests {
  let fixture: LibraryFixture
  let recording: Recording
  var library: Library { fixture.library }
  var path: String { recording.shownPath(in: fixture.folder) }

  init() throws {
    fixture = try LibraryFixture()
    recording = try fixture.enter("night")
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private var found: Availability { library.availability(of: recording) }

  private func inPlace() throws -> (Recording, String) {
    let path = try fixture.temporary.copy(of: "aiff-s16.aiff")
    var details = Importer.Details()
    details.isInPlace = true
    return (try fixture.importer(detecting: false).importFile(path, details).recording, path)
  }

  @Test func availableWhileTheFileIsWhatItWas() throws {
    #expect(found == .available && found.isAvailable && found.advice == nil)
  }

  @Test func aFileThatWasTouchedIsAvailableAndNotReadAgainTheNextTime() throws {
    var times = [timespec(tv_sec: 1, tv_nsec: 2), timespec(tv_sec: 1, tv_nsec: 2)]
    utimensat(AT_FDCWD, path, &times, 0)
    let reader = try Library(at: fixture.folder, access: .readOnly)
    #expect(reader.availability(of: recording) == .available)
    #expect(try library.recording(recording.id).file.modified == recording.file.modified)
    #expect(found == .available)
    #expect(try library.recording(recording.id).file.modified == 1_000_000_002)
  }

  @Test func anotherFileOfTheSameSizeIsNotTakenForIt() throws {
    try write(String(repeating: "x", count: Int(recording.file.size)), to: path)
    #expect(found == .unavailable(.replaced))
  }

  @Test func aShorterFileIsTruncatedAndALongerOneReplaced() throws {
    truncate(path, 10)
    #expect(found == .unavailable(.truncated))
    truncate(path, 1000)
    #expect(found == .unavailable(.replaced))
  }

  @Test func aCopyThatIsNotThereIsElsewhereAndAFileInPlaceIsGone() throws {
    unlink(path)
    #expect(found == .remoteOnly)
    try LibraryFolder.make(path)
    #expect(found == .unavailable(.replaced), "a folder is no recording")
    let (other, place) = try inPlace()
    unlink(place)
    #expect(library.availability(of: other) == .unavailable(.gone))
    #expect(try library.unavailableRecordings() == [recording.id, other.id])
  }

  @Test func anEmptyFileIsASyncToolsPlaceholderButInPlaceItIsDamage() throws {
    truncate(path, 0)
    #expect(found == .remoteOnly)
    let (other, place) = try inPlace()
    truncate(place, 0)
    #expect(library.availability(of: other) == .unavailable(.truncated))
  }

  @Test(arguments: [
    "NAME.part", ".NAME.part", "NAME.partial", "NAME.crdownload", ".syncthing.NAME.tmp",
    "~syncthing~NAME.tmp", ".NAME.~1a2b", ".NAME.Xa3fG9",
  ])
  func aPartialFileBesideItIsOnItsWay(_ pattern: String) throws {
    let name = fileName(of: path)
    let lock = try FileLock(trying: fixture.folder.arrivalLock(of: recording.id))
    defer { withExtendedLifetime(lock) {} }
    unlink(path)
    let partial =
      fixture.folder.recordings + "/"
      + pattern.replacingOccurrences(of: "NAME", with: name)
    try write(String(repeating: "x", count: Int(recording.file.size) / 2), to: partial)
    #expect(found == .downloading(0.5))
    // More than there should be is no more than all.
    try write(String(repeating: "x", count: 1000), to: partial)
    #expect(found == .downloading(1))
  }

  @Test(arguments: [".NAME.icloud", "NAME.nextcloud", "NAME.owncloud", "NAME.cloud"])
  func aPlaceholderBesideItSaysThatItIsElsewhere(_ pattern: String) throws {
    let name = fileName(of: path)
    unlink(path)
    try write(
      "x",
      to: fixture.folder.recordings + "/" + pattern.replacingOccurrences(of: "NAME", with: name))
    #expect(found == .remoteOnly)
  }

  @Test func aPartialFileThatWasForgottenBesideAWholeOneSaysNothing() throws {
    try write("x", to: path + ".part")
    #expect(found == .available)
    truncate(path, 10)
    #expect(found == .unavailable(.truncated))
    let lock = try FileLock(trying: fixture.folder.arrivalLock(of: recording.id))
    #expect(found != .unavailable(.truncated), "then it is being fetched again")
    withExtendedLifetime(lock) {}
  }

  @Test func whatAnEndedDownloadHasLeftIsNotOnItsWay() throws {
    unlink(path)
    do {
      let arrival = try RecordingArrival(of: recording, in: library)
      try write("x", to: arrival.path)
      #expect(found == .downloading(1 / Double(recording.file.size)))
      withExtendedLifetime(arrival) {}
    }
    #expect(found == .remoteOnly)
    let again = try RecordingArrival(of: recording, in: library)
    #expect(access(again.path, F_OK) != 0, "it begins anew")
    // Of a file that was left in its place nobody knows who writes beside it.
    let (other, place) = try inPlace()
    unlink(place)
    try write("x", to: place + ".part")
    #expect(library.availability(of: other) == .downloading(1 / Double(other.file.size)))
  }

  @Test func whatCannotBeReadSaysWhy() throws {
    unlink(path)
    symlink(fileName(of: path), path)
    #expect(found == .unavailable(.unreadable(errno: ELOOP)))
    #expect(found.advice?.contains("cannot be read") == true)
    unlink(path)
    symlink("/proc/self/mem", path)
    #expect(!found.isAvailable)
  }

  @Test func theBinIsNoPlaceToHearFrom() throws {
    try library.remove(recording.id)
    #expect(
      library.availability(of: try library.recording(recording.id)) == .unavailable(.inBin))
  }

  @Test func eachStateHasAWordAndAdvice() {
    let states: [Availability] = [
      .remoteOnly, .downloading(0.256), .unavailable(.gone), .unavailable(.replaced),
      .unavailable(.truncated), .unavailable(.unreadable(errno: EACCES)), .unavailable(.inBin),
    ]
    #expect(Set(states.map(\.description)).count == states.count)
    #expect(states.allSatisfy { $0.advice != nil })
    #expect(Availability.downloading(0.256).description == "downloading 25 %")
  }
}
