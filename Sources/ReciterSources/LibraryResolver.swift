// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
public import AudioCore
public import Decoding
public import Library
public import Playback
public import Quran

/// What a library has published, as the engine's resolver and as the recordings that it names.
///
/// Which files are here is looked up when it is made, and again, where an ayah is missing, for those that hold it.
public struct LibraryResolver: AyahResolver {
  private let library: Library
  private let recordings: [Recording.ID: Recording]
  private let away: Monitor<Set<Recording.ID>>
  private let stopFlag: StopFlag

  public init(_ library: Library, stopFlag: StopFlag) throws(LibraryError) {
    self.library = library
    self.stopFlag = stopFlag
    let all = try library.recordings()
    recordings = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
    away = Monitor(Set(all.filter { !library.availability(of: $0).isAvailable }.map(\.id)))
  }

  private var unavailable: Set<Recording.ID> { away.update { $0 } }

  public func clip(
    of ayah: AyahReference, _ query: ResolverQuery
  ) async -> Resolution<AyahClip> {
    let found = search(ayah, query)
    let away = unavailable
    guard found == .missing, !away.isEmpty else { return found }
    var reason: String?
    for var filter in filters(query, without: []) {
      // Of those that hold it, a sync tool may have brought one.
      while let source = try? library.resolve(ayah, filter),
        let recording = recordings[source.recording]
      {
        let availability = library.availability(of: recording)
        if availability.isAvailable {
          self.away.update { _ = $0.remove(recording.id) }
          return search(ayah, query)
        }
        reason = reason ?? "\(recording.title): \(availability.advice ?? availability.description)"
        filter.unavailable.insert(recording.id)
      }
    }
    return reason.map { .failed($0) } ?? found
  }

  private func search(_ ayah: AyahReference, _ query: ResolverQuery) -> Resolution<AyahClip> {
    resolution { () throws(LibraryError) in
      for filter in filters(query, without: unavailable) {
        if let source = try library.resolve(ayah, filter), let clip = try clip(source) {
          return clip
        }
      }
      return nil
    }
  }

  public func basmalah(
    of surah: Surah, _ query: ResolverQuery
  ) async -> Resolution<AudioClip> {
    resolution { () throws(LibraryError) in
      let near = query.basmalahBefore
      for filter in filters(query, without: unavailable) {
        let found = try library.basmalah(
          of: surah, filter, in: near.map { Recording.ID(rawValue: $0.media.rawValue) },
          before: near?.span.lowerBound)
        if let found, let audio = try audio(found.recording, found.span) { return audio }
      }
      return nil
    }
  }

  /// Opens a recording that a clip names.
  public func open(_ media: MediaKey) throws(DecodingError) -> MediaSource {
    let id = Recording.ID(rawValue: media.rawValue)
    guard let recording = recordings[id] ?? (try? library.recording(id)),
      let path = try? library.file(of: recording)
    else {
      // No file is called so, which is what it then says.
      return try MediaSource(path: media.rawValue)
    }
    return try MediaSource(
      path: path, track: recording.media.track, stopFlag: stopFlag)
  }

  /// The file that a clip names; nil where it is not to be found.
  public func file(of media: MediaKey) -> (path: String, track: Int?)? {
    let id = Recording.ID(rawValue: media.rawValue)
    guard let recording = recordings[id] ?? (try? library.recording(id)),
      let path = try? library.file(of: recording)
    else { return nil }
    return (path, recording.media.track)
  }

  /// The title of a recording that a notice names; not safe to print as it is.
  public func title(of media: MediaKey) -> String {
    recordings[Recording.ID(rawValue: media.rawValue)]?.title ?? media.rawValue
  }

  /// Whose recordings are looked through, one after another.
  private func filters(
    _ query: ResolverQuery, without away: Set<Recording.ID>
  ) -> [SourceFilter] {
    var excluded = away.union(
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
