// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Editor
import Library
import Quran

/// How the open recording sounds, and other recitations to compare it with: what the library holds of the
/// same ayat, or a folder.
struct WorkspaceReference: Sendable {
  let library: Library
  let recording: Recording
  let sidecars: SidecarFolder?

  /// What an alignment is given.
  struct Material: Sendable {
    /// For a prayer's structure, and for a comparison.
    var sound: Cepstra?
    /// To hear where the reciter goes back.
    var excerpts: SoundExcerpts?
    var comparison: ReferenceComparison?
    /// What it is compared with, or that there is nothing, and what could not be read, for people.
    var remarks: [String] = []
  }

  /// Another recitation.
  private struct Other {
    var recitation: ReferenceRecitation
    /// What it is called, for people.
    var name: String
    /// What could not be read of it, for people.
    var remark: String?
  }

  /// Blocks: what is not kept in the cache is decoded.
  ///
  /// Where the library has nothing to compare with, the lengths of the ayat have to do.
  /// - Throws: with code `interrupted` when the flag is raised; where a folder has none of the ayat, or
  ///   cannot be read.
  func material(
    for request: AlignmentRequest, _ choice: DetectionParameters.Reference,
    in span: Range<FramePosition>, _ reader: CepstralReader
  ) throws(Failure) -> Material {
    let seconds = span.length.seconds(at: recording.media.rate)
    let other = try other(choice, request.referenceAyat(withinSeconds: seconds), reader) {
      !ReferenceShare(request, withinSeconds: seconds, of: $0).isEmpty
    } lacking: {
      request.saidAyat
    }
    var material = Material(
      excerpts: reader.excerpts(path: try path(), track: recording.media.track).from(
        span.lowerBound))
    if let other {
      let share = ReferenceShare(
        request, withinSeconds: seconds, of: Set(other.recitation.ayat.keys))
      material.remarks = ["compared with \(other.name) (\(share.text))"]
      if let remark = other.remark { material.remarks.append(remark) }
    } else if choice == .library {
      material.remarks = [ReferenceChoice.nothingInLibrary(of: request.saidAyat)]
    }
    guard
      other != nil || request.prayer != .none || request.isOfFatiha(withinSeconds: seconds)
    else { return material }
    let sound = try sound(in: span, reader.part(1, of: 2))
    material.sound = sound
    material.comparison = other.map {
      ReferenceComparison(recording: sound, reference: $0.recitation)
    }
    return material
  }

  /// What to look in for where the recording begins, and what it is called; nil where nothing is compared.
  ///
  /// Blocks, and throws as ``material(for:_:in:_:)`` does; also where there is nothing else to go by.
  func comparison(
    for search: StartSearch, _ choice: DetectionParameters.Reference,
    in span: Range<FramePosition>, _ reader: CepstralReader
  ) throws(Failure) -> (comparison: ReferenceComparison, name: String)? {
    let other = try other(choice, search.referenceAyat, reader) {
      !$0.isEmpty
    } lacking: {
      search.saidAyat
    }
    guard let other else {
      guard search == .inReference else { return nil }
      throw Failure(
        code: "no_reference",
        message: "the library has published no ayah to compare with; enter the surah")
    }
    let comparison = ReferenceComparison(
      recording: try sound(in: span, reader.part(1, of: 2)), reference: other.recitation)
    return (comparison, other.name)
  }

  private func path() throws(Failure) -> String {
    do throws(LibraryError) {
      return try library.file(of: recording)
    } catch {
      throw Failure(error)
    }
  }

  private func sound(
    in span: Range<FramePosition>, _ reader: CepstralReader
  ) throws(Failure) -> Cepstra {
    let path = try path()
    let whole = try Failure.wrapping { () throws(AnalysisError) in
      try reader.read(path: path, track: recording.media.track)
    }
    return whole.part(span, rate: recording.media.rate)
  }

  /// - Parameters:
  ///   - isOfUse: told which ayat there are, before anything long is read.
  ///   - lacking: what a folder lacks that is of no use, for people; nil where that is everything.
  /// - Returns: nil where nothing is wanted, or the library has nothing of use.
  private func other(
    _ choice: DetectionParameters.Reference, _ ayat: [AyahReference], _ reader: CepstralReader,
    where isOfUse: (Set<AyahReference>) -> Bool, lacking: () -> String?
  ) throws(Failure) -> Other? {
    switch choice {
    case .none: return nil
    case .library:
      let clips = clips(of: ayat)
      guard isOfUse(Set(clips.flatMap { $0.spans.keys })) else { return nil }
      let recitation = try Failure.wrapping { () throws(AnalysisError) in
        try reader.part(0, of: 2).recitation(of: clips)
      }
      return Other(
        recitation: recitation, name: library.titles(of: clips).joined(separator: ", "))
    case .folder(let typed):
      let folder = try ReferenceChoice(
        folder: UserFolders.absolute(UserFolders.withHome(typed)), named: typed)
      let chosen = try folder.recitation(
        of: ayat, said: lacking(), for: path(), reader.part(0, of: 2), where: isOfUse)
      return Other(recitation: chosen.recitation, name: chosen.name, remark: chosen.remark)
    }
  }

  private func clips(of ayat: [AyahReference]) -> [ReferenceClips] {
    let preference = ReferencePreference(
      reciter: recording.reciter?.id, riwayah: recording.riwayah, excluding: recording.id)
    // A library that cannot be asked just now is none to compare with.
    return (try? library.referenceClips(for: ayat, preferring: preference)) ?? []
  }
}
