// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Decoding
import Library
import Playback
import Quran

/// What a library has published, as the engine's resolver and as the recordings that it names.
///
/// Which files are here is looked up when it is made, and again for those that were not when an ayah is missing.
struct LibraryResolver: AyahResolver {
  private let library: Library
  private let recordings: [Recording.ID: Recording]
  private let away: Monitor<Set<Recording.ID>>

  init(_ library: Library) throws(LibraryError) {
    self.library = library
    let all = try library.recordings()
    recordings = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
    away = Monitor(Set(all.filter { !library.availability(of: $0).isAvailable }.map(\.id)))
  }

  private var unavailable: Set<Recording.ID> { away.update { $0 } }

  /// Looks for files that were not here, which a sync tool may have brought.
  /// - Returns: whether one has come.
  private func lookAgain() -> Bool {
    let come = unavailable.filter { id in
      recordings[id].map { library.availability(of: $0).isAvailable } ?? false
    }
    away.update { $0.subtract(come) }
    return !come.isEmpty
  }

  func clip(of ayah: AyahReference, _ query: ResolverQuery) async -> Resolution<AyahClip> {
    let found = search(ayah, query)
    guard found == .missing, !unavailable.isEmpty else { return found }
    if lookAgain() {
      let again = search(ayah, query)
      if again != .missing { return again }
    }
    return reason(ayah, query).map { .failed($0) } ?? found
  }

  private func search(_ ayah: AyahReference, _ query: ResolverQuery) -> Resolution<AyahClip> {
    resolution { () throws(LibraryError) in
      for filter in filters(query) {
        if let source = try library.resolve(ayah, filter), let clip = try clip(source) {
          return clip
        }
      }
      return nil
    }
  }

  /// Why an ayah that the library has published cannot be heard now; nil where it has not.
  private func reason(_ ayah: AyahReference, _ query: ResolverQuery) -> String? {
    for var filter in filters(query) {
      filter.unavailable.subtract(unavailable)
      guard let source = try? library.resolve(ayah, filter),
        let recording = recordings[source.recording]
      else { continue }
      let availability = library.availability(of: recording)
      return "\(recording.title): \(availability.advice ?? availability.description)"
    }
    return nil
  }

  func basmalah(of surah: Surah, _ query: ResolverQuery) async -> Resolution<AudioClip> {
    resolution { () throws(LibraryError) in
      let near = query.basmalahBefore
      for filter in filters(query) {
        let found = try library.basmalah(
          of: surah, filter, in: near.map { Recording.ID(rawValue: $0.media.rawValue) },
          before: near?.span.lowerBound)
        if let found, let audio = try audio(found.recording, found.span) { return audio }
      }
      return nil
    }
  }

  /// Opens a recording that a clip names.
  func open(_ media: MediaKey) throws(DecodingError) -> MediaSource {
    let id = Recording.ID(rawValue: media.rawValue)
    guard let recording = recordings[id] ?? (try? library.recording(id)),
      let path = try? library.file(of: recording)
    else {
      // No file is called so, which is what it then says.
      return try MediaSource(path: media.rawValue)
    }
    return try MediaSource(
      path: path, track: recording.media.track, stopFlag: Interrupt.flag)
  }

  /// The file that a clip names; nil where it is not to be found.
  func file(of media: MediaKey) -> (path: String, track: Int?)? {
    let id = Recording.ID(rawValue: media.rawValue)
    guard let recording = recordings[id] ?? (try? library.recording(id)),
      let path = try? library.file(of: recording)
    else { return nil }
    return (path, recording.media.track)
  }

  /// The title of a recording that a notice names; not safe to print as it is.
  func title(of media: MediaKey) -> String {
    recordings[Recording.ID(rawValue: media.rawValue)]?.title ?? media.rawValue
  }

  /// Whose recordings are looked through, one after another.
  private func filters(_ query: ResolverQuery) -> [SourceFilter] {
    var excluded = unavailable.union(
      query.unreadable.map { Recording.ID(rawValue: $0.rawValue) })
    if let only = query.only {
      excluded.formUnion(recordings.keys.filter { $0.rawValue != only.rawValue })
    }
    func filter(_ who: SourceFilter.Who) -> SourceFilter {
      SourceFilter(who, riwayah: query.riwayah, unavailable: excluded)
    }
    return switch query.reciters {
    case .anybody: [filter(.anybody)]
    case .inOrder(let order):
      order.map { filter($0.map { .only(Reciter.ID(rawValue: $0.rawValue)) } ?? .nobodyKnown) }
    }
  }

  // What is found, as the engine knows it.

  private func clip(_ source: AyahSource) throws(LibraryError) -> AyahClip? {
    guard let audio = try audio(source.recording, source.span) else { return nil }
    var clip = AyahClip(
      source.ayah, audio, riwayah: source.riwayah,
      reciter: source.reciter.map { ReciterID(rawValue: $0.rawValue) })
    clip.isConfirmed = source.isManual
    clip.beginsWithBasmalah = source.beginsWithBasmalah
    clip.sharesBreath = source.role != .whole
    clip.words = WordTimings(try library.words(in: source), in: audio)
    return clip
  }

  private func audio(
    _ id: Recording.ID, _ span: Range<FramePosition>
  ) throws(LibraryError) -> AudioClip? {
    // One that was published meanwhile is not among those known.
    let recording = if let known = recordings[id] { known } else { try library.recording(id) }
    let media = recording.media
    guard let format = AudioFormat(rate: media.rate, channels: media.channels) else { return nil }
    return AudioClip(MediaKey(rawValue: id.rawValue), span, format: format)
  }

  private func resolution<Clip>(
    _ search: () throws(LibraryError) -> Clip?
  ) -> Resolution<Clip> {
    do throws(LibraryError) {
      return try search().map { .found($0) } ?? .missing
    } catch {
      return .failed(error.description)
    }
  }
}
