// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Library
import Quran

/// The recitation that a person wants recordings compared with.
struct ReferenceChoice: Sendable {
  private enum Kind: Sendable {
    case folder(ReferenceFolder)
    case recording(Recording.ID, Library)
    /// The best that the library holds.
    case best(Library)
  }

  private let kind: Kind
  /// For messages.
  private let name: String

  /// The word for the best that the library holds.
  static let auto = "auto"

  /// - Parameter text: a folder, `auto`, or what means a recording of the library.
  /// - Throws: when it is none of them.
  init(_ text: String, _ options: LibraryOptions) throws(Failure) {
    name = text
    if text == Self.auto {
      kind = .best(try options.existing())
    } else if FileKind(path: text) == .folder {
      let folder = ReferenceFolder(path: text)
      guard !folder.files.isEmpty else {
        throw Failure(
          code: "no_reference",
          message: "\(text) holds no files named by surah and ayah, such as 002255.mp3")
      }
      kind = .folder(folder)
    } else {
      // Who names a path that is not there has not thought of the library.
      if text.contains("/"), FileKind(path: text) != .file {
        throw Failure(code: "no_reference", message: "\(text): no such folder")
      }
      let library = try options.existing()
      kind = .recording(try Self.recording(text, library), library)
    }
  }

  private static func recording(
    _ text: String, _ library: Library
  ) throws(Failure) -> Recording.ID {
    do throws(Failure) {
      return try library.recording(named: text).id
    } catch {
      guard error.code == "no_such_recording" else { throw error }
      guard FileKind(path: text) == .file else {
        throw Failure(
          code: error.code,
          message: "\(text) is neither a folder nor a recording of the library")
      }
    }
    // The library may have a copy of it.
    let copy = try Failure.wrapping { () throws(LibraryError) in
      try library.recording(ofFile: UserFolders.absolute(text))
    }
    guard let copy else {
      throw Failure(
        code: "no_such_recording",
        message:
          "\(text) is not in the library, so nobody knows its ayat; 'import' and annotate it first")
    }
    return copy.id
  }

  /// The ayat to compare a file with.
  ///
  /// - Parameters:
  ///   - wanted: those it may hold.
  ///   - path: of the file that is to be compared.
  func recitation(
    of wanted: [AyahReference], for path: String, _ reader: CepstralReader
  ) throws(Failure) -> ReferenceRecitation {
    let recitation: ReferenceRecitation
    switch kind {
    case .folder(let folder):
      recitation = ReferenceRecitation(
        ayat: try Failure.wrapping { () throws(AnalysisError) in try folder.ayat(wanted, reader) })
    case .recording(let id, let library):
      recitation = try Failure.wrapping { () throws(LibraryError) in
        try library.referenceClips(for: wanted, of: id)
      }.read(reader, name)
    case .best(let library):
      let clips = try Failure.wrapping { () throws(LibraryError) in
        let own = try library.recording(ofFile: UserFolders.absolute(path))
        return try library.referenceClips(
          for: wanted,
          preferring: ReferencePreference(
            reciter: own?.reciter?.id, riwayah: own?.riwayah, excluding: own?.id))
      }
      recitation = try clips.read(reader, name)
    }
    guard !recitation.ayat.isEmpty else {
      throw Failure(code: "no_reference", message: nothing(of: wanted))
    }
    return recitation
  }

  private func nothing(of wanted: [AyahReference]) -> String {
    let range = wanted.last.map { " up to \($0)" } ?? ""
    return switch kind {
    case .folder: "the reference \(name) has none of the ayat\(range)"
    case .recording:
      "the reference \(name) has none of the ayat\(range) annotated; annotate it, or name another"
    case .best:
      "the library has published none of the ayat\(range); leave --reference out, or name a folder"
    }
  }
}

extension ReferenceClips {
  fileprivate func read(
    _ reader: CepstralReader, _ name: String
  ) throws(Failure) -> ReferenceRecitation { try [self].read(reader, name) }
}

extension [ReferenceClips] {
  fileprivate func read(
    _ reader: CepstralReader, _ name: String
  ) throws(Failure) -> ReferenceRecitation {
    do throws(AnalysisError) {
      return try reader.recitation(of: self)
    } catch {
      let failure = Failure(error)
      if failure.code == Failure.interrupted { throw failure }
      throw Failure(
        code: failure.code, message: "the reference \(name) cannot be read: \(failure.message)")
    }
  }
}

extension Failure {
  static func wrapping<Value>(
    _ body: () throws(AnalysisError) -> Value
  ) throws(Failure) -> Value {
    do throws(AnalysisError) {
      return try body()
    } catch {
      throw Failure(error)
    }
  }

  static func wrapping<Value>(
    _ body: () throws(LibraryError) -> Value
  ) throws(Failure) -> Value {
    do throws(LibraryError) {
      return try body()
    } catch {
      throw Failure(error)
    }
  }
}
