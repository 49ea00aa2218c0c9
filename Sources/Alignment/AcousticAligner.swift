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
    let whole = section(wholeSpan, first: request.first, last: request.last)
    guard var found = found(in: whole, request.prayer, request.certainty) else {
      let place = otherPlace(
        places(request, of: nil, beginsSurely: false, mayBeginElsewhere: false), nil, request)
      alignment.remark(
        place.map { .soundsLike($0, told: request.first) } ?? .otherText(first: request.first))
      hintAtPrayer(&alignment, nil, request)
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

  /// What was found in a section.
  struct Found: Hashable, Sendable {
    var pieces: [AlignedPiece]
    var words: [AyahAlignment.Word]
    /// How much worse than the best sound of each frame the text is, in nats a frame, over all that is
    /// recited,
    var misfit: Double
    /// and over the beginning by which a place is searched.
    var misfitOfBeginning: Double
    /// How much likelier than elsewhere the sounds of what is recited are.
    var likeness: Likeness
    /// How many ayat are said again, and how many there are.
    var repeats: Int
    var tokens: Int
    /// Whether other passages follow the one that was told.
    var isJoined = false
    /// How long what is said is none of the text, or only the beginning of its first ayah.
    var unheard: FrameCount {
      pieces.filter { $0.assignment == .unused(.speech) }
        .reduce(falseStart?.length ?? .zero) { $0 + $1.span.length }
    }
    /// The length of the first ayah, if only its beginning is heard, and what is recited next.
    var falseStart: (length: FrameCount, next: AyahReference)? {
      let recited = pieces.filter { $0.assignment.recited != nil }.prefix(2)
      guard recited.count == 2, case .ayah(let first, .beginning, _) = recited[0].assignment,
        let next = recited[1].assignment.beginning, next != first
      else { return nil }
      return (recited[0].span.length, next)
    }
    func recites(_ ayah: AyahReference) -> Bool { recited(from: .zero).contains(ayah) }
    func recited(from position: FramePosition) -> Set<AyahReference> {
      let recited = pieces.filter { $0.span.lowerBound >= position }
        .compactMap(\.assignment.recited)
      return Set(recited.compactMap { AyahRange(first: $0.first, last: $0.last) }.joined())
    }
    /// Where the ayat begin that follow something else, or ayat with a gap after them; nil where there are none.
    var regularStart: FramePosition? {
      var before: AyahReference?
      var isAfterSpeech = false
      for piece in pieces {
        if piece.assignment == .unused(.speech) { isAfterSpeech = true }
        guard let recited = piece.assignment.recited else { continue }
        if isAfterSpeech || before.map({ recited.first != $0 && recited.first != $0.next }) ?? false
        {
          return piece.span.lowerBound
        }
        before = recited.last
      }
      return nil
    }
    /// How often al-Fatiha is heard if it is a prayer, where that was asked.
    var fatihasOfPrayer: Int?
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
  private func beginnings(of section: Section) -> [Section] {
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

  /// Whether the recording is what it was said to be, and what else is to be said of it.
  ///
  /// - Returns: what is found from another ayah on, where the recording is better heard from there.
  @discardableResult
  private func judge(
    _ alignment: inout AyahAlignment, _ found: Found, _ request: AlignmentRequest
  ) -> Found? {
    if !QuranSounds.riwayat.contains(riwayah) { alignment.remark(.otherReading(riwayah)) }
    let isPrayer = request.prayer != .none
    let ayat = alignment.segments.compactMap { $0.assignment.recited?.first }
      .filter { !(isPrayer && $0.isInFatiha) }
    let beginsSurely =
      alignment.segments.first { segment in
        segment.assignment.recited.map { !(isPrayer && $0.first.isInFatiha) } ?? false
      }.map { $0.assignment.beginning == request.first && $0.confidence >= PlaceReport.likely }
      ?? false
    let beginsElsewhere = !isPrayer && ayat.first.map { $0 != request.first } ?? false
    let goesAstray = !isPrayer && alignment.goesAstray
    // What is said in the first minute and is not the text that follows may be another passage.
    let minute = section(wholeSpan, first: request.first, last: nil)
      .position(ofFrame: PlaceSearch.frames, rate: rate)
    let hasOpening = alignment.opensWithSpeech || found.regularStart.map { $0 < minute } ?? false
    let report = places(
      request, of: found, beginsSurely: beginsSurely,
      mayBeginElsewhere: beginsElsewhere || goesAstray || hasOpening)
    if !isPrayer, let report,
      let better = passageBefore(found, request)
        ?? (beginsElsewhere || goesAstray
          ? betterStart(report, found, ayat.first, mayBeFar: goesAstray, request) : nil)
    {
      alignment.remark(.beginsWith(better.place, told: request.first))
      alignment.limitConfidence()
      return better.found
    }
    var place = otherPlace(report, found, request)
    // It was followed to where it begins.
    if isPrayer, place == ayat.first { place = nil }
    if isPrayer, let place, !isFar(place, request) {
      alignment.remark(.beginsWith(place, told: request.first))
      alignment.limitConfidence()
      return nil
    }
    guard place == nil, !ayat.isEmpty, isText(found, report, request) else {
      // Which ayat of another text are said again or left out is of no interest.
      alignment.remark(
        place.map { .soundsLike($0, told: request.first) } ?? .otherText(first: request.first))
      alignment.limitConfidence()
      hintAtPrayer(&alignment, found, request)
      return nil
    }
    let first = ayat.first.flatMap { $0 == request.first ? nil : $0 }
    let last = request.last.flatMap {
      alignment.last(otherThan: $0, mayGoOn: isPrayer || found.isJoined)
    }
    if request.certainty == .told, found.repeats > 0 || mayHoldFatihas(alignment, request),
      // What is said again or left out follows from that.
      hintAtPrayer(&alignment, found, request)
    {
      return nil
    }
    if let first { alignment.remark(.beginsWith(first, told: request.first)) }
    if let last, let told = request.last { alignment.remark(.endsWith(last, told: told)) }
    if isPrayer, alignment.fatihas == 0 { alignment.remark(.isNoPrayer) }
    for remark in OrderRemarks.remarks(
      alignment.segments, isPrayer: isPrayer, from: origin, rate: rate)
    {
      alignment.remark(remark)
    }
    return nil
  }

  /// Where in the Quran the recording begins, where there is a reason to doubt that it begins where it was told to; of a
  /// prayer what follows al-Fatiha.
  ///
  /// - Parameters:
  ///   - found: nil where the recording cannot be what it was told to.
  ///   - beginsSurely: whether the ayah that was told is more likely than not what is recited first.
  ///   - mayBeginElsewhere: whether another ayah is heard first, or what follows that ayah is not heard next, or something
  ///     else is said before or soon after.
  private func places(
    _ request: AlignmentRequest, of found: Found?, beginsSurely: Bool, mayBeginElsewhere: Bool
  ) -> PlaceReport? {
    let isSuspicious =
      found.map {
        $0.misfit > Self.suspiciousMisfit || $0.repeats > 0 || mayBeginElsewhere
          || request.prayer != .none && !beginsSurely
      } ?? true
    guard request.certainty == .told, isSuspicious else { return nil }
    return places(
      PlaceSearch(), prayer: request.prayer, threadCount: threadCount,
      isStopped: { stopFlag.isStopped })
  }

  /// Whether the words that were found are the words that are said, by the search for a place too where it hears all of
  /// the recording, and nothing else is said: a little noise fits a few words of something.
  private func isText(_ found: Found, _ report: PlaceReport?, _ request: AlignmentRequest) -> Bool {
    guard let report, isShort else { return isText(found) }
    if report.isLikely(request.first), report.misfit <= Self.greatestMisfit,
      found.likeness.isSpeech
    {
      return true
    }
    let isAll =
      request.prayer == .none && !found.pieces.contains { $0.assignment == .unused(.speech) }
    return isText(found) && (report.isHeard || !isAll)
  }

  /// The likeliest place, if it is far from where the recording was told to begin and fits much better; of a prayer
  /// near or far.
  private func otherPlace(
    _ report: PlaceReport?, _ found: Found?, _ request: AlignmentRequest
  ) -> AyahReference? {
    guard let report, report.isClear, let place = report.candidates.first?.first else { return nil }
    // No portion begins in al-Fatiha; one that was not heard as such does.
    if request.prayer != .none {
      return place == request.first || place.isInFatiha ? nil : place
    }
    // What follows another passage is no other place.
    let isHeard = found.map { $0.isJoined && $0.recites(place) } ?? false
    let fitsBetter =
      found.map { report.misfit + Self.clearlyBetter < $0.misfitOfBeginning } ?? true
    return fitsBetter && !isHeard && isFar(place, request) ? place : nil
  }

  /// The likeliest place, or what is recited after the beginning of an ayah, if the recording is better heard from there:
  /// the end of another ayah may pass for the beginning of the one that was told.
  ///
  /// - Parameters:
  ///   - first: what was heard first.
  ///   - mayBeFar: whether it comes into question however far it is from the ayah that was told.
  private func betterStart(
    _ report: PlaceReport, _ found: Found, _ first: AyahReference?, mayBeFar: Bool,
    _ request: AlignmentRequest
  ) -> BetterStart? {
    guard
      let place = report.isClear ? report.candidates.first?.first : found.falseStart?.next,
      place != first, mayBeFar || !isFar(place, request)
    else { return nil }
    return better(place, than: found, request)
  }

  /// Another passage that was taken for something else, or for ayat with a gap after them, before the one that was told.
  private func passageBefore(_ found: Found, _ request: AlignmentRequest) -> BetterStart? {
    guard let regular = found.regularStart else { return nil }
    let opening = section(wholeSpan.lowerBound..<regular, first: .first, last: nil)
    guard let report = place(in: opening.frames), report.isClear,
      let place = report.candidates.first?.first,
      let better = better(place, than: found, request),
      !better.found.recited(from: .zero).isDisjoint(with: found.recited(from: regular))
    else { return nil }
    return better
  }

  private typealias BetterStart = (place: AyahReference, found: Found)

  /// What is heard from another ayah on, if that has less in it that is none of the text, or fits its beginning better.
  private func better(
    _ place: AyahReference, than found: Found, _ request: AlignmentRequest
  ) -> BetterStart? {
    guard place != request.first, request.last.map({ place <= $0 }) ?? true,
      let other = self.found(in: section(wholeSpan, first: place, last: request.last), .none)
    else { return nil }
    let (more, less) = (found.unheard, other.unheard)
    return less < more || less == more && other.misfitOfBeginning < found.misfitOfBeginning
      ? (place, other) : nil
  }

  /// Whether the search for a place hears all of the recording.
  private var isShort: Bool {
    scores.speech(in: PlaceSearch.frames(of: scores).upperBound..<scores.count).isEmpty
  }

  private func isFar(_ place: AyahReference, _ request: AlignmentRequest) -> Bool {
    abs(place.absoluteIndex - request.first.absoluteIndex) > RecitationGrammar.doubted
  }

  /// Nats a frame. Half of the recordings aligned rightly are below 0.45, and hardly one told another surah
  /// is below this (`Scripts/tell-wrong-hints.py`, as for the next).
  static let suspiciousMisfit = 0.5
  /// Nats a frame; 150 nats over a minute.
  static let clearlyBetter = 0.1

  /// Whether what was found of a passage leaves room for al-Fatiha as often as in a prayer, or has it in it.
  private func mayHoldFatihas(_ alignment: AyahAlignment, _ request: AlignmentRequest) -> Bool {
    let speech = alignment.segments.filter { $0.assignment == .unused(.speech) }
      .reduce(0.0) { $0 + $1.span.length.seconds(at: rate) }
    let words = AyahReference.first.surah.ayat.map(QuranSounds.wordCount).reduce(0, +)
    return alignment.fatihas > (request.first.isInFatiha ? 1 : 0)
      || Self.mostWords(in: Int(speech * Double(LogMelFrames.framesPerSecond)))
        >= (Self.fewestFatihas - alignment.fatihas) * words
  }

  /// What does not fit as a passage may be a prayer.
  ///
  /// - Returns: whether that is so.
  @discardableResult
  private func hintAtPrayer(
    _ alignment: inout AyahAlignment, _ found: Found?, _ request: AlignmentRequest
  ) -> Bool {
    guard request.prayer == .none else { return false }
    // With nothing else it is al-Fatiha said again and again.
    let portion = alignment.segments.lazy.compactMap { $0.assignment.recited?.first }
      .first { !$0.isInFatiha }
    var fatihas = portion == nil ? 0 : alignment.fatihas
    if fatihas < Self.fewestFatihas {
      fatihas =
        found?.fatihasOfPrayer
        ?? self.fatihas(
          in: section(wholeSpan, first: request.first, last: request.last), portion: portion)
    }
    guard fatihas >= Self.fewestFatihas else { return false }
    alignment.remark(.isPrayer(fatihas: fatihas))
    alignment.limitConfidence()
    return true
  }

  /// How often al-Fatiha is heard in a section, if that is a prayer.
  ///
  /// - Parameter portion: what follows it, where the section is told to begin with al-Fatiha.
  func fatihas(in section: Section, portion: AyahReference?) -> Int {
    var section = section
    if section.first.isInFatiha { section.first = portion ?? section.first }
    guard let found = prayer(section), isText(found) else { return 0 }
    return AyahAlignment(found.pieces, words: [], pauses: []).fatihas
  }

  /// In what is recited at a stretch al-Fatiha is heard once at most.
  static let fewestFatihas = 2

  /// Whether the words that were found are the words that are said.
  func isText(_ found: Found) -> Bool {
    Self.isText(
      misfit: found.misfit, likeness: found.likeness, repeats: found.repeats, of: found.tokens)
  }

  private func isText(_ builder: AlignmentBuilder) -> Bool {
    let margins = builder.margins
    return Self.isText(
      misfit: margins.misfitOfText, likeness: margins.likenessOfText, repeats: builder.repeats,
      of: builder.heard.count)
  }

  private static func isText(
    misfit: Double, likeness: Likeness, repeats: Int, of tokens: Int
  ) -> Bool {
    misfit <= greatestMisfit && likeness.isSpeech
      && Double(repeats) <= mostRepeats * Double(tokens) + 2
  }

  /// Nats a frame by which a path may be worse than the best sounds. Among 71 recordings aligned rightly the
  /// greatest around edges is 0.89, half are below 0.45; told another surah it is 0.6 to 1.1
  /// (`Scripts/tell-wrong-hints.py`, as for the repeats).
  static let greatestMisfit = 0.92
  /// Nats a frame by which the sounds of a text are likelier where it is heard. In recordings aligned rightly it is 1.9
  /// and more, with noise and voices as loud as the reciter 1.5 and more; in noise alone 1 to 1.35
  /// (`Scripts/measure-accuracy.py` on degraded recordings).
  static let leastLikeness = 1.4
  /// Where the words are others, the path goes back again and again to fit them somehow.
  private static let mostRepeats = 0.25

  /// Seven words in two seconds: no reciter is faster.
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
