// SPDX-License-Identifier: GPL-3.0-or-later

public import Acoustics
public import Analysis
public import AudioCore
import Annotation
public import Quran

/// Finds the start and end of each ayah in a recording with a known start.
///
/// Measures a recording once; alignments of it are then pure and fast. Immutable; safe to use from
/// any thread.
public struct AcousticAligner: Sendable {
  let scores: AcousticScores
  /// What is recited.
  let riwayah: Riwayah
  private let ignored: Set<AlignmentEvidence>
  let pauses: [Pause]
  let rate: SampleRate
  let length: FrameCount
  private let risesAndFalls: Bool
  public var stopFlag = StopFlag()
  /// The number of threads for the search for another place, if the recording does not fit.
  public var threadCount = 1
  /// The start of the aligned part within the recording; remarks give times on the clock of the
  /// recording.
  public var origin = FramePosition.zero
  /// Where the person puts the edges of ayat; nil for the default places.
  public var placement: EdgePlacement?

  /// - Parameters:
  ///   - scores: what the recording sounds like, by the network.
  ///   - riwayah: what is recited. Where its sounds are not known, those of Hafs are listened for, and other ones
  ///     are forgiven.
  ///   - ignored: evidence to leave out.
  public init(
    _ envelope: Envelope, scores: AcousticScores, riwayah: Riwayah = .hafs,
    without ignored: Set<AlignmentEvidence> = []
  ) throws(AnalysisError) {
    self.riwayah = riwayah
    self.ignored = ignored
    var scores = QuranSounds.riwayat.contains(riwayah) ? scores : scores.forgivingOtherSounds
    if ignored.contains(.sounds) { scores = scores.ofSpeechAlone }
    self.scores = scores
    pauses = ignored.contains(.pauses) ? [] : try PauseDetector().detect(in: envelope).pauses
    rate = envelope.grid.rate
    length = envelope.length
    risesAndFalls = try Self.risesAndFalls(envelope)
  }

  /// Aligns the whole recording.
  ///
  /// The result is the best alignment of the text with the sound, even if the recording has another
  /// text or no speech; then ``AyahAlignment/doubt`` says so.
  public func align(_ request: AlignmentRequest) -> AyahAlignment { outcome(request).alignment }

  func outcome(_ request: AlignmentRequest) -> (alignment: AyahAlignment, found: Found?) {
    var alignment = AyahAlignment(pauses: pauses)
    guard hearsVoice else {
      alignment.remark(.noVoice)
      return (alignment, nil)
    }
    if let elsewhere = beginningElsewhere(request),
      let other = heard(request, beginningWith: elsewhere.place, elsewhere.found)
    {
      return other
    }
    let whole = section(wholeSpan, first: request.first, last: request.last)
    guard var found = found(in: whole, request.prayer, request.certainty) else {
      let place = otherPlace(
        places(request, of: nil, beginsSurely: false, mayBeginElsewhere: false), nil, request)
      if !hintAtPrayer(&alignment, nil, request) {
        alignment.remark(
          place.map { .soundsLike($0, told: request.first) } ?? .otherText(first: request.first))
      }
      return (alignment, nil)
    }
    if request.prayer != .none,
      let furthest = request.last?.advanced(by: RecitationGrammar.doubted),
      found.pieces.contains(where: { $0.assignment.recited?.last == furthest }),
      let open = self.found(
        in: section(wholeSpan, first: request.first, last: nil), request.prayer)
    {
      // The portions go on beyond what was listened for.
      found = open
    }
    alignment = AyahAlignment(found.pieces, words: found.words, pauses: pauses)
    let better = judge(&alignment, found, request)
    if case .beginsWith(let place, _) = alignment.doubt, better != nil || request.prayer != .none,
      let other = heard(request, beginningWith: place, better)
    {
      return other
    }
    return (alignment, found)
  }

  /// Hears a recording from the ayah on with which it proves to begin: told another one, its words may have been heard in
  /// what is said before.
  ///
  /// - Parameter found: what is found so, where that is known.
  private func heard(
    _ request: AlignmentRequest, beginningWith place: AyahReference, _ found: Found?
  ) -> (alignment: AyahAlignment, found: Found?)? {
    var right = request
    right.first = place
    let section = section(wholeSpan, first: place, last: request.last)
    guard let found = found ?? self.found(in: section, request.prayer, request.certainty) else {
      return nil
    }
    var alignment = AyahAlignment(found.pieces, words: found.words, pauses: pauses)
    alignment.remark(.beginsWith(place, told: request.first))
    judge(&alignment, found, right)
    return alignment.remarks.contains { if case .beginsWith(_, place) = $0 { true } else { false } }
      ? nil : (alignment, found)
  }

  /// Whether the recording contains speech.
  public var hearsVoice: Bool { risesAndFalls && !scores.speech(in: 0..<scores.count).isEmpty }

  /// What has a voice in it rises and falls, unlike silence and tones. The network, to which every recording
  /// is as loud as any other, cannot tell.
  private static func risesAndFalls(_ envelope: Envelope) throws(AnalysisError) -> Bool {
    var levels: [Float] = []
    levels.reserveCapacity(envelope.hopCount)
    for start in stride(from: 0, to: envelope.hopCount, by: 8192) {
      let part = start..<min(start + 8192, envelope.hopCount)
      levels += try envelope.hops(in: part).map(\.meanSquare)
    }
    levels.sort()
    guard !levels.isEmpty else { return false }
    // Of the quietest and the loudest hundredth: what is clipped hard hardly falls elsewhere.
    let low = levels[levels.count / 100]
    return levels[levels.count * 99 / 100] > low * leastRise
  }

  /// Six decibels.
  private static let leastRise: Float = 4

  var wholeSpan: Range<FramePosition> { .zero..<(.zero + length) }

  func section(
    _ span: Range<FramePosition>, edges: RecitationGrammar.Edges = .init(), first: AyahReference,
    last: AyahReference?
  ) -> Section {
    Section(span, edges: edges, first: first, last: last, rate: rate, frameCount: scores.count)
  }

  /// - Returns: nil where there is no way to hear the section so, or the flag was raised.
  func found(
    in section: Section, _ prayer: AlignmentRequest.Prayer,
    _ certainty: AlignmentRequest.Certainty = .told
  ) -> Found? {
    guard prayer == .none else { return self.prayer(section) }
    guard certainty == .told else {
      return builder(in: section, prayer, certainty).map(Found.init)
    }
    var search = PassageSearch(whole: section)
    var found = passages(in: section, &search)
    found?.fatihasOfPrayer = search.fatihas
    return found
  }

  /// What is recited in a section, one passage after another.
  func passages(in section: Section, _ search: inout PassageSearch) -> Found? {
    if let found = search.known[section] { return found }
    let found = passagesAnew(in: section, &search)
    search.known.updateValue(found, forKey: section)
    return found
  }

  private func passagesAnew(in section: Section, _ search: inout PassageSearch) -> Found? {
    // What follows another passage has nothing to do with the text of the first one: it is looked for as soon as
    // much of what was heard is none of that text.
    var beginnings = beginnings(of: section)[...]
    var straight: AlignmentBuilder?
    var next: NextPassage?
    var tried: Set<NextPassage> = []
    repeat {
      next = nil
      let checkpoints = search.isPrayer ? [] : beginnings.map(\.frames.count)
      straight = builder(in: section, .none, checkpoints: checkpoints) {
        next = nextPassage(after: $0, in: beginnings.removeFirst(), of: section)
        return next == nil
      }
      if let next, tried.insert(next).inserted, let joined = joined(section, with: next, &search) {
        return joined
      }
    } while next != nil
    let wider = widened(straight, in: section)
    if !search.isPrayer, let straight, let stretch = straight.misfittingStretch,
      let next = nextPassage(
        straight, misfittingIn: stretch, in: section,
        hasDetourTo: { place, _ in wider?.reaches(place) ?? false }),
      tried.insert(next).inserted, let joined = joined(section, with: next, &search)
    {
      return joined
    }
    return (wider ?? straight).map(Found.init)
  }

  /// The passage that follows the one that was told, where much of the beginning of a section is of another one.
  private func nextPassage(
    after straight: AlignmentBuilder, in beginning: Section, of section: Section
  ) -> NextPassage? {
    // What is said again within one passage is less.
    guard let stretch = straight.misfittingStretch,
      Double(stretch.count) > Self.mostRepeats * Double(straight.path.count)
    else { return nil }
    return nextPassage(
      straight, misfittingIn: stretch, in: section,
      hasDetourTo: { place, frame in
        // So much said again is no detour.
        !straight.recites(place, before: frame)
          && widened(straight, in: beginning)?.reaches(place) ?? false
      })
  }

  /// Its first minute, then three times as much each time.
  func beginnings(of section: Section) -> [Section] {
    sequence(first: PlaceSearch.frames, next: { 3 * $0 })
      .prefix { $0 < section.frames.count }
      .map { frames in
        self.section(
          section.span.lowerBound..<section.position(ofFrame: frames, rate: rate),
          edges: .init(start: section.edges.start), first: section.first, last: nil)
      }
  }

  /// Hears a section once more, with all else that may be in it, where its text does not fit from start to end.
  private func widened(_ straight: AlignmentBuilder?, in section: Section) -> AlignmentBuilder? {
    guard !section.frames.isEmpty, section.edges.start == .open || section.edges.end == .open
    else { return nil }
    let detours: RecitationGrammar.Detours? =
      if let straight, isText(straight) {
        straight.detours
      } else {
        .init(otherSpeech: ChainPrices().otherSpeech)
      }
    guard let detours, let grammar = grammar(of: section, .none, detours: detours) else {
      return nil
    }
    let searched = searched(section)
    let stopFlag = stopFlag
    let isStopped: @Sendable () -> Bool = { stopFlag.isStopped }
    // What fits as it is stays as it is.
    guard
      let path = straight?.path(
        wideningTo: grammar, searched, threadCount: threadCount, isStopped: isStopped)
        ?? grammar.path(searched, threadCount: threadCount, isStopped: isStopped)
    else { return nil }
    let wider = AlignmentBuilder(self, section, grammar, path, scores[section.frames])
    return isText(wider) && wider.recitesMost ? wider : nil
  }

  /// - Parameters:
  ///   - checkpoints: numbers of frames after which `goesOn` is asked, in order.
  ///   - goesOn: whether to go on after what is heard up to there.
  func builder(
    in section: Section, _ prayer: AlignmentRequest.Prayer,
    _ certainty: AlignmentRequest.Certainty = .told, checkpoints: [Int] = [],
    goesOn: (AlignmentBuilder) -> Bool = { _ in true }
  ) -> AlignmentBuilder? {
    let scores = scores[section.frames]
    guard let grammar = grammar(of: section, prayer, certainty) else { return nil }
    let path = grammar.path(
      searched(section), checkpoints: checkpoints,
      goesOn: {
        goesOn(AlignmentBuilder(self, section, grammar, $0, scores[0..<$0.count]))
      }, threadCount: threadCount, isStopped: { [stopFlag] in stopFlag.isStopped })
    return path.map { AlignmentBuilder(self, section, grammar, $0, scores) }
  }

  /// What may be heard in a section; nil for nothing.
  func grammar(
    of section: Section, _ prayer: AlignmentRequest.Prayer,
    _ certainty: AlignmentRequest.Certainty = .told, detours: RecitationGrammar.Detours? = nil
  ) -> RecitationGrammar? {
    let furthest = furthest(from: section.first, frames: section.frames.count)
    var prices = ChainPrices()
    prices.countsLengths = !ignored.contains(.lengths)
    return switch prayer {
    case .none:
      RecitationGrammar.passage(
        first: section.first, last: section.last, furthest: furthest, edges: section.edges,
        certainty: certainty, detours: detours, in: riwayah, prices: prices)
    case .taraweeh:
      RecitationGrammar.prayer(
        first: section.first, last: section.last, furthest: furthest, edges: section.edges,
        in: riwayah, prices: prices)
    }
  }

  /// What a section sounds like, for a search.
  func searched(_ section: Section) -> AcousticScores {
    let scores = scores[section.frames]
    return ignored.contains(.heldSounds) ? scores : scores.withHeldSoundsCountedLess
  }

  /// The start of an ayah or another part of the text, and the evidence for it.
  public struct Edge: Hashable, Sendable {
    public var position: FramePosition
    public var evidence: EdgeEvidence
  }

  /// The inner edges of an alignment with their evidence, for fitting the confidence; empty if
  /// nothing is found.
  public func edges(_ request: AlignmentRequest) -> [Edge] {
    let whole = section(wholeSpan, first: request.first, last: request.last)
    let straight = builder(in: whole, request.prayer)
    let wider = request.prayer == .none ? widened(straight, in: whole) : nil
    return (wider ?? straight)?.evidence() ?? []
  }

  /// Seven words in two seconds: no reciter is faster, those of `Scripts/measure-accuracy.py` who hurry included.
  private static let mostWordsPerSecond = 3.5

  static func mostWords(in frames: Int) -> Int {
    Int(Double(frames) / Double(LogMelFrames.framesPerSecond) * mostWordsPerSecond)
  }

  /// The last ayah that can be reached in so many frames at the fastest pace.
  private func furthest(from first: AyahReference, frames: Int) -> AyahReference {
    var words = Self.mostWords(in: frames)
    var last = first
    while words > 0, let next = last.next {
      words -= QuranSounds.wordCount(of: last)
      last = next
    }
    return last
  }
}

extension AcousticAligner {
  /// The pauses that reach into a stretch.
  func pauses(near stretch: ClosedRange<FramePosition>) -> ArraySlice<Pause> {
    let first = pauses.partitioningIndex(where: { $0.span.upperBound > stretch.lowerBound })
    let end = pauses[first...].partitioningIndex(where: { $0.span.lowerBound > stretch.upperBound })
    return pauses[first..<end]
  }
}

extension AcousticAligner {
  /// Where in the Quran the recording may begin, or the portions of a prayer; nil where nothing is said.
  public func places(
    _ search: PlaceSearch, prayer: AlignmentRequest.Prayer = .none, threadCount: Int = 1,
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) -> PlaceReport? {
    var search = search
    search.riwayah = riwayah
    return switch prayer {
    case .none: search.places(scores, threadCount: threadCount, isStopped: isStopped)
    case .taraweeh: portionPlaces(search, threadCount: threadCount, isStopped: isStopped)
    }
  }
}

extension PlaceSearch {
  /// The frames by which a place is searched.
  static func frames(of scores: AcousticScores) -> Range<Int> {
    let first = scores.firstSpeech ?? 0
    return first..<min(first + frames, scores.count)
  }
}
