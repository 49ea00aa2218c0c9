// SPDX-License-Identifier: GPL-3.0-or-later

import Decoding
import Library
import Playback
import Quran
import ReciterSources

/// Everything that can be heard of a library: for each reciter what it has published, then the reciter's sources.
struct PublishedSound: AyahResolver {
  private let own: LibraryResolver
  private let sources: SourceResolver
  private let all: LayeredResolver
  /// What fetches ayat while others are heard; nil where nothing is fetched.
  var ahead: FetchAhead?
  /// When the words are heard of ayat whose recording has not been aligned word by word.
  var timings: WordTimingFile?

  init(_ library: Library) throws(LibraryError) {
    own = try LibraryResolver(library)
    sources = try SourceResolver(library, stopFlag: Interrupt.flag)
    all = LayeredResolver(
      [own, sources],
      priority: try library.reciters().map { ReciterID(rawValue: $0.id.rawValue) })
  }

  func clip(of ayah: AyahReference, _ query: ResolverQuery) async -> Resolution<AyahClip> {
    await ahead?.arrival(of: ayah)
    let found = await all.clip(of: ayah, query)
    guard case .found(var clip) = found, clip.words == nil, let words = timings?.ayat[ayah] else {
      return found
    }
    clip.words = words
    return .found(clip)
  }

  func basmalah(of surah: Surah, _ query: ResolverQuery) async -> Resolution<AudioClip> {
    await all.basmalah(of: surah, query)
  }

  func missingAyat(in range: AyahRange, _ query: ResolverQuery) async -> [AyahRange] {
    let missing = await all.missingAyat(in: range, query)
    guard let ahead else { return missing }
    return AyahRange.runs(of: missing.flatMap { $0.filter { !ahead.expects($0) } })
  }

  /// Opens what a clip names.
  func open(_ media: MediaKey) throws(DecodingError) -> MediaSource {
    if let source = try sources.open(media) { return source }
    return try own.open(media)
  }

  /// The file that a clip names; nil where it is not to be found.
  func file(of media: MediaKey) -> (path: String, track: Int?)? {
    sources.path(of: media).map { ($0, nil) } ?? own.file(of: media)
  }

  /// What is the same for all clips of one recording, and of one source.
  func recording(of media: MediaKey) -> String { sources.title(of: media) ?? media.rawValue }

  /// The recording or source that a notice names; not safe to print as it is.
  func title(of media: MediaKey) -> String { sources.title(of: media) ?? own.title(of: media) }
}
