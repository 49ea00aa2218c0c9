// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Library
import Quran
import Workflows

/// What the library knows that an alignment of a recording uses.
struct Learnt: Sendable {
  let library: Library

  /// What holds for a recording: its own, else its reciter's.
  ///
  /// A damaged file, and one of another reciter, is as none.
  func traits(
    of recording: Recording
  ) throws(LibraryError) -> (traits: LearntTraits?, remark: String?) {
    var remark: String?
    var subjects: [(LearntSubject, owner: String)] = [(.recording(recording.id), "")]
    if let reciter = recording.reciter { subjects.append((.reciter(reciter.id), reciter.name)) }
    for (subject, owner) in subjects {
      guard let bytes = try library.learnt(of: subject) else { continue }
      do throws(LearntTraitsError) {
        let traits = try LearntTraits(bytes)
        if traits.belongs(to: owner) { return (traits, remark) }
      } catch {
        remark = "the adaptation is \(error.text) and is not used; run 'learn' again"
      }
    }
    return (nil, remark)
  }

  /// The same of the recording whose file this is; nothing where the library does not know it.
  func traits(ofFile path: String) throws(LibraryError) -> (traits: LearntTraits?, remark: String?)
  {
    guard let recording = try library.recording(ofFile: UserFolders.absolute(path)) else {
      return (nil, nil)
    }
    return try traits(of: recording)
  }

  /// Keeps what was learnt; what helps no longer is put away, and can be brought back.
  func keep(_ traits: LearntTraits, of subject: LearntSubject) throws(LibraryError) {
    if traits.isEmpty, try library.learnt(of: subject) == nil { return }
    try library.keepLearnt(traits.bytes, of: subject)
  }

  /// What is recited in the recording whose file this is; nil where the library does not know it.
  func riwayah(ofFile path: String) -> Riwayah? {
    (try? library.recording(ofFile: UserFolders.absolute(path)))?.riwayah
  }

  static let otherWeights =
    "the adaptation is for other acoustic weights and is not used; run 'learn' again"
}

extension LibraryOptions {
  /// What the library knows of recordings that are aligned; nil where there is none that can be read.
  func learnt() -> Learnt? {
    (try? openExisting()).flatMap { $0 }.map { Learnt(library: $0) }
  }
}
