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
  /// A damaged file, one of another reciter, and one that holds what was put away, is as none.
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
        if traits.belongs(to: owner), !traits.isEmpty { return (traits, remark) }
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
  ///
  /// - Returns: whether something was put away, and nothing is used in its place.
  @discardableResult
  func keep(_ traits: LearntTraits, of subject: LearntSubject) throws(LibraryError) -> Bool {
    // What was put away before stays what can be brought back.
    if traits.isEmpty, try !isUsed(subject) { return false }
    // The same learnt again must not take the place of what was used before it.
    guard try library.learnt(of: subject) != traits.bytes else { return false }
    try library.keepLearnt(traits.bytes, of: subject)
    return traits.isEmpty
  }

  private func isUsed(_ subject: LearntSubject) throws(LibraryError) -> Bool {
    guard let bytes = try library.learnt(of: subject) else { return false }
    return (try? LearntTraits(bytes))?.isEmpty != true
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
