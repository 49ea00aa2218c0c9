// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Library
import Playback
import Quran
import ReciterSources

/// Everything that can be heard of a library: for each reciter what it has published, then the reciter's sources.
struct PublishedSound: AyahResolver {
  /// As the library was when they were made.
  private struct Layers: Sendable {
    let own: LibraryResolver
    let sources: SourceResolver
    let all: LayeredResolver

    init(_ library: Library) throws(LibraryError) {
      own = try LibraryResolver(library, stopFlag: Interrupt.flag)
      sources = try SourceResolver(library, stopFlag: Interrupt.flag)
      all = LayeredResolver(
        [own, sources],
        priority: try library.reciters().map { ReciterID(rawValue: $0.id.rawValue) })
    }

    func file(of media: MediaKey) -> (path: String, track: Int?)? {
      sources.path(of: media).map { ($0, nil) } ?? own.file(of: media)
    }
  }

  private let library: Library
  private let layers: Monitor<Layers>
  /// What fetches ayat while others are heard; nil where nothing is fetched.
  var ahead: FetchAhead?
  /// When the words are heard of ayat whose recording has not been aligned word by word.
  var timings: WordTimingFile?
  /// Hears the words that no recording and no file times, ahead of when they are played; nil where nobody sees them.
  var words: AyahWords?
  /// Whether an ayah is played only once its words are known: where a part of it is wanted by its words.
  var needsWords = false
  /// Whether an ayah counts as missing, too, whose file in a folder holds no sound.
  var looksInside = false

  init(_ library: Library) throws(LibraryError) {
    self.library = library
    layers = Monitor(try Layers(library))
  }

  private var own: LibraryResolver { layers.update { $0.own } }
  private var sources: SourceResolver { layers.update { $0.sources } }
  private var all: LayeredResolver { layers.update { $0.all } }

  /// What is there now, found without fetching or hearing anything for it.
  var asPublished: LayeredResolver { all }

  /// Takes in what was changed of reciters and sources, in all copies of it; what is asked for after that is found by it.
  func reload() throws(LibraryError) {
    let new = try Layers(library)
    layers.update { $0 = new }
  }

  /// Has words heard that nobody has timed.
  /// - Throws: where the user's own weights cannot be read.
  mutating func hearWords() throws(Failure) {
    guard words == nil else { return }
    words = AyahWords(network: try OwnWeights.network()) { [layers] media in
      layers.update { $0 }.file(of: media)
    }
  }

  func clip(of ayah: AyahReference, _ query: ResolverQuery) async -> Resolution<AyahClip> {
    await ahead?.arrival(of: ayah)
    return await arrived(ayah, query)
  }

  /// What there is of an ayah now; it is not waited for.
  private func arrived(_ ayah: AyahReference, _ query: ResolverQuery) async -> Resolution<AyahClip>
  {
    let found = await all.clip(of: ayah, query)
    if let reason = ahead?.failure(of: ayah) {
      switch found {
      case .found: break
      case .missing, .lacking, .failed: return .failed(reason)
      }
    }
    if case .missing = found, let obstacle = query.only.flatMap(obstacle) {
      return .lacking(obstacle)
    }
    guard case .found(var clip) = found, clip.words == nil else { return found }
    clip.words = timings?.ayat[ayah]
    if clip.words == nil, let words {
      if needsWords {
        let wanted = clip
        clip.words = await runBlocking { words.words(of: wanted) }
      } else {
        words.load(clip)
      }
    }
    return .found(clip)
  }

  func basmalah(of surah: Surah, _ query: ResolverQuery) async -> Resolution<AudioClip> {
    await all.basmalah(of: surah, query)
  }

  func missingAyat(in range: AyahRange, _ query: ResolverQuery) async -> [AyahRange] {
    var missing = await all.missingAyat(in: range, query)
    if looksInside {
      let notOwn = await own.missingAyat(in: range, query)
      let unplayable = notOwn.flatMap { sources.unplayableAyat(in: $0, query) }
      missing = AyahRange.runs(of: Set(missing.joined()).union(unplayable).sorted())
    }
    guard let ahead else { return missing }
    var rest: [AyahReference] = []
    for ayah in missing.joined() where !ahead.expects(ayah) || ahead.isLate(ayah) {
      // The files were looked up before it was fetched.
      if ahead.hasSettled(ayah), case .found = await all.clip(of: ayah, query) { continue }
      rest.append(ayah)
    }
    return AyahRange.runs(of: rest)
  }

  /// Why the only recording that is asked for cannot be heard; nil where its file is as it should be.
  private func obstacle(to media: MediaKey) -> String? {
    do throws(LibraryError) {
      let recording = try library.recording(Recording.ID(rawValue: media.rawValue))
      return library.availability(of: recording).advice.map { "\(recording.title): \($0)" }
    } catch {
      guard error.kind == .noSuchRecording else { return "\(error)" }
      return "the recording that it is taken from is no longer in the library"
    }
  }

  /// Opens what a clip names.
  func open(_ media: MediaKey) throws(DecodingError) -> MediaSource {
    if let source = try sources.open(media) { return source }
    return try own.open(media)
  }

  /// The file that a clip names; nil where it is not to be found.
  func file(of media: MediaKey) -> (path: String, track: Int?)? {
    layers.update { $0 }.file(of: media)
  }

  /// What is the same for all clips of one recording, and of one source.
  func recording(of media: MediaKey) -> String { sources.title(of: media) ?? media.rawValue }

  /// The recording or source that a notice names; not safe to print as it is.
  func title(of media: MediaKey) -> String { sources.title(of: media) ?? own.title(of: media) }

  /// Why an ayah cannot be heard; nil where it can, or where no more is known than that nobody has it.
  ///
  /// Asking changes nothing of what is fetched first.
  func reason(against ayah: AyahReference, _ query: ResolverQuery) async -> String? {
    await arrived(ayah, query).reason
  }
}
