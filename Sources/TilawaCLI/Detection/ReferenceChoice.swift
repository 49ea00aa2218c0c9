// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Library
import Quran

/// The recitation that a person wants recordings compared with.
struct ReferenceChoice: Sendable {
  private enum Kind: Sendable {
    case folder(ReferenceFolder)
    case recording(Recording.ID, Library)
    /// The best that the library holds; nil where there is none yet.
    case best(Library?)
  }

  private let kind: Kind
  /// For messages.
  private let name: String

  /// The word for the best that the library holds.
  static let auto = "auto"

  /// - Parameter text: a folder, `auto`, or what means a recording of the library.
  /// - Throws: when it is none of them.
  init(_ text: String, _ options: LibraryOptions) throws(Failure) {
    if text != Self.auto, FileKind(path: text) == .folder {
      try self.init(folder: text, named: text)
      return
    }
    try self.init(library: text, options)
  }

  private init(library text: String, _ options: LibraryOptions) throws(Failure) {
    name = text
    if text == Self.auto {
      kind = .best(try options.openExisting())
    } else {
      // Who names a path that is not there has not thought of the library.
      if text.contains("/"), FileKind(path: text) != .file {
        throw Failure(
          code: "no_reference",
          message: "the reference \(text): no such file or folder; check the path")
      }
      guard let library = try options.openExisting() else { throw Self.unknown(text) }
      kind = .recording(try Self.recording(text, library), library)
    }
  }

  /// - Parameter name: for messages.
  /// - Throws: when it is no folder with files of ayat.
  init(folder path: String, named name: String) throws(Failure) {
    self.name = name
    switch FileKind(path: path) {
    case .folder: break
    case .nothing: throw Failure(code: "no_reference", message: "\(name): no such folder")
    case .file, .other:
      throw Failure(code: "no_reference", message: "\(name) is not a folder")
    }
    let folder = ReferenceFolder(path: path)
    guard !folder.files.isEmpty else {
      throw Failure(
        code: "no_reference",
        message:
          "no file in \(name) is named by surah and ayah, such as 002255.mp3; rename them so, "
          + "or name another folder")
    }
    kind = .folder(folder)
  }

  private static func recording(
    _ text: String, _ library: Library
  ) throws(Failure) -> Recording.ID {
    do throws(Failure) {
      return try library.recording(named: text).id
    } catch {
      guard error.code == "no_such_recording" else { throw error }
      guard FileKind(path: text) == .file else { throw unknown(text) }
    }
    // The library may have a copy of it.
    let copy = try Failure.wrapping { () throws(LibraryError) in
      try library.recording(ofFile: UserFolders.absolute(text))
    }
    guard let copy else { throw unknown(text) }
    return copy.id
  }

  /// Why what is no folder is no reference, where the library does not know it.
  private static func unknown(_ text: String) -> Failure {
    Failure(
      code: "no_such_recording",
      message: FileKind(path: text) == .file
        ? "the reference \(text) is not in the library; 'import' and annotate it "
          + "first, or use a folder with a file for each ayah"
        : "the reference \(text) is neither a folder nor a recording of the library; check its name"
    )
  }

  /// Another recitation, and what it is called.
  struct Chosen {
    var recitation: ReferenceRecitation
    /// For people: the folder, or the titles of the recordings.
    var name: String
    /// What a person should know of files that were left out.
    var remark: String?

    /// Whether it has any of the ayat that were found.
    func has(anyOf alignment: AyahAlignment) -> Bool {
      alignment.segments.contains { segment in
        segment.assignment.ayat?.contains { recitation.ayat[$0] != nil } ?? false
      }
    }
  }

  /// What to compare a file with that holds what is said.
  ///
  /// - Parameters:
  ///   - said: what a person has said is recited, for messages; nil where that is a guess.
  ///   - seconds: how long the file is.
  ///   - path: of the file.
  /// - Returns: nil where nothing was asked for in particular, and the library has nothing, or there is none.
  /// - Throws: where what was asked for has none of the ayat, or is the file itself.
  func recitation(
    of request: AlignmentRequest, said: String?, withinSeconds seconds: Double, for path: String,
    _ reader: CepstralReader
  ) throws(Failure) -> Chosen? {
    try found(
      of: request.referenceAyat(withinSeconds: seconds), said: said ?? Self.guessed, for: path,
      reader
    ) { !ReferenceShare(request, withinSeconds: seconds, of: $0).isEmpty }
  }

  /// What to look in for where a file begins.
  ///
  /// - Returns: nil where the library has nothing, and lengths can tell instead.
  /// - Throws: where there is nothing to compare with, or it is the file itself.
  func recitation(
    of search: StartSearch, for path: String, _ reader: CepstralReader
  ) throws(Failure) -> Chosen? {
    let chosen = try found(
      of: search.referenceAyat, said: search.saidAyat, for: path, reader
    ) { !$0.isEmpty }
    if chosen == nil, search == .inReference {
      throw Failure(
        code: "no_reference",
        message: "\(lack(of: nil)), so the start cannot be found; use --start or --surah")
    }
    return chosen
  }

  /// Some ayat of what was asked for in particular.
  ///
  /// - Throws: also where what there is of them is of no use.
  func recitation(
    of wanted: [AyahReference], said: String?, for path: String, _ reader: CepstralReader,
    where isOfUse: (Set<AyahReference>) -> Bool
  ) throws(Failure) -> Chosen {
    if let chosen = try found(of: wanted, said: said, for: path, reader, where: isOfUse) {
      return chosen
    }
    throw Failure(code: "no_reference", message: lack(of: said))
  }

  /// - Parameters:
  ///   - said: what a person should read of the ayat; nil for any at all.
  ///   - isOfUse: told which of the ayat there are, before anything long is read.
  /// - Returns: nil where the library has none that are of use.
  private func found(
    of wanted: [AyahReference], said: String?, for path: String, _ reader: CepstralReader,
    where isOfUse: (Set<AyahReference>) -> Bool
  ) throws(Failure) -> Chosen? {
    switch kind {
    case .folder(let folder):
      let contents = try Failure.wrapping { () throws(AnalysisError) in
        try folder.contents(wanted, reader)
      }
      guard isOfUse(Set(contents.ayat.keys)) else {
        throw Failure(
          code: "no_reference",
          message: [lack(of: said), contents.remark, "use another reference, or none"]
            .compactMap { $0 }.joined(separator: "; "))
      }
      return Chosen(
        recitation: ReferenceRecitation(ayat: contents.ayat), name: name, remark: contents.remark)
    case .recording(let id, let library):
      let clips = try Failure.wrapping { () throws(LibraryError) in
        // By every byte of it, wherever it lies.
        try library.recording(ofFile: UserFolders.absolute(path))?.id == id
          ? nil : library.referenceClips(for: wanted, of: id)
      }
      guard let clips else {
        throw Failure(
          code: "no_reference",
          message: "the reference \(name) is this recording itself; use another")
      }
      guard isOfUse(Set(clips.spans.keys)) else {
        throw Failure(
          code: "no_reference", message: "\(lack(of: said)); annotate it, or use another")
      }
      return try Chosen(recitation: [clips].read(reader, name), name: title(of: id, library))
    case .best(nil): return nil
    case .best(let library?):
      let clips = try Failure.wrapping { () throws(LibraryError) in
        let own = try library.recording(ofFile: UserFolders.absolute(path))
        return try library.referenceClips(
          for: wanted,
          preferring: ReferencePreference(
            reciter: own?.reciter?.id, riwayah: own?.riwayah, excluding: own?.id))
      }
      guard isOfUse(Set(clips.flatMap { $0.spans.keys })) else { return nil }
      return try Chosen(
        recitation: clips.read(reader, name),
        name: library.titles(of: clips).joined(separator: ", "))
    }
  }

  private func title(of id: Recording.ID, _ library: Library) -> String {
    (try? library.recording(id))?.title ?? name
  }

  /// What is missing, where nothing can be compared.
  ///
  /// - Parameter ayat: what is recited, for people; nil for any ayah at all.
  private func lack(of ayat: String?) -> String {
    let what = ayat.map { "none of \($0)" } ?? "no ayah"
    return switch kind {
    case .folder: "the reference \(name) has \(what)"
    case .recording: "the reference \(name) has \(what) annotated"
    case .best(nil): "there is no library yet"
    case .best: "the library has published \(what)"
    }
  }

  /// What a person should know where there was nothing to compare with.
  ///
  /// - Parameter said: what a person has said is recited; nil where that is a guess.
  func nothingCompared(of said: String?) -> String {
    "\(lack(of: said ?? Self.guessed)); no comparison was made"
  }

  /// The same of a library that is there.
  static func nothingInLibrary(of said: String) -> String {
    "the library has published none of \(said); no comparison was made"
  }

  private static let guessed = "what seems to be recited"
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
