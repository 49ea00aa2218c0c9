// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Library
import TestSupport
import Testing

/// What was learnt of voices, as the library keeps it.
@Suite struct LearntTests {
  private let folder: TemporaryFolder
  private let library: Library
  private let reciter: Reciter
  private var subject: LearntSubject { .reciter(reciter.id) }

  init() throws {
    folder = try TemporaryFolder()
    library = try Library(at: LibraryFolder(path: folder.path("library")))
    reciter = try library.addReciter("Husary")
  }

  @Test func aFileIsForTheUserAloneAndForgottenWithoutATrace() throws {
    #expect(try library.learntSubjects().isEmpty && library.learnt(of: subject) == nil)
    try library.keepLearnt([1, 2, 3], of: subject)
    #expect(try library.learnt(of: subject) == [1, 2, 3])
    #expect(try library.learntSubjects() == [subject])
    let folder = library.folder.path + "/Learnt"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    try library.keepLearnt([4], of: subject)
    #expect(try library.forgetLearnt(of: subject) == 2, "that before it is a file too")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    #expect(try library.forgetLearnt(of: subject) == 0)
  }

  @Test func aBackupKnowsWhatIsKnownHereAndForgetsWhatIsForgotten() throws {
    let target = LibraryFolder(path: folder.path("backup"))
    try library.keepLearnt([1, 2, 3], of: subject)
    #expect(try library.backUp(to: target).isEmpty)
    do {
      let copy = try Library(at: target)
      #expect(try copy.learnt(of: subject) == [1, 2, 3])
      try copy.close()
    }
    try library.forgetLearnt(of: subject)
    #expect(try library.backUp(to: target).isEmpty)
    let left = try FileManager.default.contentsOfDirectory(atPath: target.path + "/Learnt")
    #expect(left.isEmpty)
  }

  @Test func aBackupHasTheListsOfTheLibraryAndNoOthers() throws {
    let target = LibraryFolder(path: folder.path("backup"))
    try library.keepList([1, 2], named: "mine", isReplacing: false)
    try library.keepList([3], named: "gone", isReplacing: false)
    expect(.nameTaken) { try library.keepList([4], named: "mine", isReplacing: false) }
    #expect(try library.backUp(to: target).isEmpty)
    #expect(try library.removeList(named: "gone"))
    try library.keepList([5], named: "mine", isReplacing: true)
    #expect(try library.backUp(to: target).isEmpty)
    let copy = try Library(at: target)
    #expect(try copy.listNames() == ["mine"])
    #expect(try copy.list(named: "mine") == [5])
    try copy.close()
  }

  @Test func whatWasKnownBeforeIsBroughtBackAndThenNothing() throws {
    #expect(try !library.restoreLearnt(of: subject))
    try library.keepLearnt([1], of: subject)
    try library.keepLearnt([2], of: subject)
    #expect(try library.restoreLearnt(of: subject))
    #expect(try library.learnt(of: subject) == [1])
    #expect(try library.restoreLearnt(of: subject))
    #expect(try library.learnt(of: subject) == nil)
  }

  @Test func aReciterWhoIsRemovedIsForgotten() throws {
    try library.keepLearnt([1], of: subject)
    try library.removeReciter(reciter.id)
    #expect(try library.learntSubjects().isEmpty)
  }

  @Test func strangeFilesAndLinksAreNoneOfIt() throws {
    try library.keepLearnt([1], of: subject)
    let folder = library.folder.path + "/Learnt/"
    for name in ["reciter-007.traits", "reciter-x.traits", "recording-1.traits", "other"] {
      try Data([1]).write(to: URL(fileURLWithPath: folder + name))
    }
    #expect(try library.learntSubjects() == [subject])
    try library.forgetLearnt(of: subject)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "reciter-\(reciter.id.rawValue).traits", withDestinationPath: "/etc/passwd")
    #expect(try library.learnt(of: subject) == nil)
  }
}
