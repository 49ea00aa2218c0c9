// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Analysis
import Annotation
import AudioCore
import Quran

/// What is heard in a section of a recording, with how sure its edges are.
struct AlignedPiece: Hashable, Sendable {
  var span: Range<FramePosition>
  var assignment: Assignment
  /// The probabilities that its edges are where they belong.
  var start: Double
  var end: Double
}

/// Makes pieces of what is heard: every edge goes to the pause it belongs to, if there is one.
struct AlignmentBuilder {
  let aligner: AcousticAligner
  let section: Section
  let grammar: RecitationGrammar
  let path: ChainSearch.Path
  /// Of the section.
  let scores: AcousticScores
  let heard: [HeardToken]
  private var items: [Item] = []

  private var rate: SampleRate { aligner.rate }

  init(
    _ aligner: AcousticAligner, _ section: Section, _ grammar: RecitationGrammar,
    _ path: ChainSearch.Path, _ scores: AcousticScores
  ) {
    self.aligner = aligner
    self.section = section
    self.grammar = grammar
    self.path = path
    self.scores = scores
    heard = grammar.chain.heard(along: path)
    items = itemsSaid()
  }

  /// Something in the order of time.
  fileprivate struct Item {
    /// Frames of the section.
    var frames: Range<Int>
    var assignment: Assignment
    /// What a silence after it is.
    var silence = UnusedReason.silence
    var heard: HeardToken?
    /// Whether a silence after it is a part of it, as of an ayah that is followed by another.
    var isRecitation: Bool { assignment.isRecitation }
  }

  func pieces() -> [AlignedPiece] {
    let margins = BoundaryMargins(chain: grammar.chain, scores: scores, path: path)
    guard let first = items.first else {
      return [.init(span: section.span, assignment: .unused(.silence), start: 1, end: 1)]
    }
    var pieces: [AlignedPiece] = []
    /// Appends what ends where the next one begins.
    func append(upTo end: FramePosition, _ assignment: Assignment, _ probability: Double) {
      let start = pieces.last?.span.upperBound ?? section.span.lowerBound
      guard start < end else {
        if !pieces.isEmpty { pieces[pieces.count - 1].end = probability }
        return
      }
      pieces.append(
        .init(
          span: start..<end, assignment: assignment, start: pieces.last?.end ?? 1,
          end: probability))
    }
    let opening = opening(before: first)
    if !section.edges.start.isExact,
      opening > section.span.lowerBound + seconds(Self.shortestSilence)
    {
      let isSilent = unknownSpeech(after: nil, before: first.frames.lowerBound).isEmpty
      // Speech that is none of the text may be text; a silence that no level shows may be the beginning of the first word.
      append(
        upTo: opening, .unused(isSilent ? .silence : .speech),
        !isSilent ? Self.sureOfJump : isPaused(at: opening) ? 1 : Self.sureOfPlace)
    }
    for (index, item) in items.enumerated() {
      guard index + 1 < items.count else {
        close(item, append)
        break
      }
      let next = items[index + 1]
      let last = lastFrame(of: item, before: next)
      let begin = begin(of: next, after: item)
      let gap = Double(next.frames.lowerBound - item.frames.upperBound) / Self.framesPerSecond
      // What is left of a silence has to be one.
      let shortest = Int(Self.shortestSilence * Self.framesPerSecond)
      let fallsSilent = min(
        end(at: last, before: max(next.frames.lowerBound - shortest, last)), begin)
      if isParted(item, next), gap >= Self.shortestGap,
        // Between two calls every silence has a name.
        !item.isRecitation || begin - fallsSilent >= seconds(Self.shortestSilence)
      {
        append(upTo: fallsSilent, item.assignment, Self.sureOfPlace)
        append(
          upTo: placed(begin), .unused(item.silence),
          probability(at: begin, next, margins) ?? Self.sureOfOnset)
      } else {
        // Of a call that follows the text without a pause the end of that tells the place.
        let isHeard = next.isCall && (!item.isRecitation || isPaused(at: begin))
        append(
          upTo: placed(begin), item.assignment,
          probability(at: begin, next, margins)
            ?? (isHeard ? Self.sureOfOnset : Self.sureOfPlace))
      }
    }
    return pieces
  }

  /// The last thing said, and what silence comes after it.
  private func close(
    _ item: Item, _ append: (FramePosition, Assignment, Double) -> Void
  ) {
    let end = section.span.upperBound
    let said = seconds(item.frames.upperBound)
    if !grammar.isPrayer,
      !unknownSpeech(after: item.frames.upperBound, before: path.count).isEmpty
    {
      append(
        min(self.end(at: lastSound(of: item, before: nil), before: path.count), end),
        item.assignment, Self.sureOfPlace)
      append(end, .unused(.speech), 1)
    } else if section.edges.end == .open,
      let pause = silence(after: item.frames.upperBound)
    {
      append(min(pause.lowerBound, end), item.assignment, 1)
      append(end, .unused(item.silence), 1)
    } else if grammar.isPrayer, !item.isPortion || section.edges.end == .open,
      end.seconds(at: rate) - said > Self.shortestGap
    {
      append(
        min(self.end(at: lastSound(of: item, before: nil), before: path.count), end),
        item.assignment, Self.sureOfPlace)
      append(end, .unused(item.silence), 1)
    } else {
      append(end, item.assignment, 1)
    }
  }

  /// The pause after the last thing said, if nothing is said from then on, whatever else sounds.
  private func silence(after last: Int) -> Range<FramePosition>? {
    let end = section.span.upperBound
    let said = min(position(last) - seconds(0.5), end)
    return aligner.pauses(near: said...end).first { pause in
      // One near the first sounds of the section may begin before it.
      let first = min(max(frame(pause.span.lowerBound), 0), scores.count)
      return pause.span.length > seconds(Self.shortestSilence) && pause.span.lowerBound > said
        && scores.speech(in: first..<scores.count).isEmpty
    }?.span
  }

  /// When each word is said.
  func words() -> [AyahAlignment.Word] {
    heard.flatMap { heard -> [AyahAlignment.Word] in
      guard let ayah = grammar.tokens[heard.token].ayah else { return [] }
      return withPassedWords(heard.words).map { word in
        AyahAlignment.Word(
          ayah, grammar.chain.words[word.word].index + 1,
          position(word.frames.lowerBound)..<position(word.frames.upperBound))
      }
    }
  }

  /// With the short words that have merged with their neighbours: each has a frame of the one before it.
  private func withPassedWords(_ words: [HeardWord]) -> [HeardWord] {
    var result: [HeardWord] = []
    for word in words {
      while let last = result.last, last.word + 1 < word.word, last.frames.count > 1,
        path[last.frames.upperBound..<word.frames.lowerBound].allSatisfy({ $0 >= 0 })
      {
        let end = last.frames.upperBound
        result[result.count - 1].frames = last.frames.lowerBound..<end - 1
        result.append(HeardWord(word: last.word + 1, frames: end - 1..<end))
      }
      result.append(word)
    }
    return result
  }

  // MARK: - What is said

  private func itemsSaid() -> [Item] {
    var items: [Item] = []
    /// What is said between two tokens.
    var unknown: [Range<Int>] = []
    func name(before next: RecitedToken?) {
      guard !unknown.isEmpty else { return }
      var surroundings: PrayerCalls.Surroundings = []
      if let last = items.last {
        surroundings.insert(.followsStanding)
        if last.isRecitation, let ayah = next?.ayah, !ayah.isInFatiha {
          surroundings.insert(.isProstration)
        }
      }
      if next != nil { surroundings.insert(.precedesStanding) }
      items += PrayerCalls(scores: scores).named(unknown, surroundings).map {
        Item(frames: $0.frames, assignment: .unused($0.reason), silence: $0.silence)
      }
      unknown = []
    }
    var previousEnd: Int?
    for var heard in heard where !grammar.tokens[heard.token].isCall {
      let token = grammar.tokens[heard.token]
      let whole = heard
      unknown = unknownSpeech(after: previousEnd, before: heard.frames.lowerBound)
      if !grammar.isPrayer, !items.isEmpty, let first = unknown.first, let last = unknown.last,
        isInOtherSpeech(first.lowerBound)
      {
        items.append(
          Item(frames: first.lowerBound..<last.upperBound, assignment: .unused(.speech)))
      }
      if !grammar.isPrayer { unknown = [] }
      previousEnd = heard.frames.upperBound
      let isFatiha = token.ayah?.isInFatiha ?? false
      let followsFatiha = items.last?.assignment.recited?.last == Self.endOfFatiha
      if !isFatiha, unknown.isEmpty, followsFatiha,
        let split = ameen(within: heard, after: items[items.count - 1].frames.upperBound)
      {
        let fatiha = items[items.count - 1].frames.lowerBound
        items[items.count - 1].frames = fatiha..<split.endOfFatiha
        unknown = split.ameen
        heard = split.rest
      }
      // Between al-Fatiha and a portion nothing but "amin" is said.
      if !isFatiha, followsFatiha {
        items += unknown.map { Item(frames: $0, assignment: .unused(.ameen)) }
        unknown = []
      }
      name(before: token)
      items.append(
        Item(
          frames: heard.frames, assignment: token.assignment(part: part(of: whole)), heard: heard))
    }
    if grammar.isPrayer {
      unknown = unknownSpeech(after: previousEnd, before: path.count)
      name(before: nil)
    }
    return items
  }

  /// Parts "amin" and the drawn end of al-Fatiha from an ayah that was taken to begin with them: nobody
  /// begins an ayah, or its first word, and falls silent for more than a second.
  private func ameen(
    within heard: HeardToken, after fatiha: Int
  ) -> (endOfFatiha: Int, ameen: [Range<Int>], rest: HeardToken)? {
    let drawn = drawnEnd(fatiha, limit: heard.frames.lowerBound)
    let sounds = scores.runs(in: drawn..<heard.frames.upperBound)
      .drop { $0.upperBound <= heard.frames.lowerBound }
    guard let begun = sounds.first, begun.lowerBound - drawn < Self.silentBeforePortion,
      let (before, after) = zip(sounds, sounds.dropFirst()).first(where: { before, after in
        after.lowerBound - before.upperBound >= Self.silentBeforePortion
          && before.upperBound - fatiha <= Self.longestAmeen
      })
    else { return nil }
    var rest = heard
    rest.words.removeAll { $0.frames.upperBound <= after.lowerBound }
    guard let first = rest.words.first else { return nil }
    rest.words[0].frames = max(first.frames.lowerBound, after.lowerBound)..<first.frames.upperBound
    // What goes on from al-Fatiha without a pause is its end.
    var end = fatiha
    var runs = scores.speech(in: fatiha..<before.upperBound)
    if let first = runs.first, first.lowerBound <= fatiha + Self.reverberation {
      end = first.upperBound
      runs.removeFirst()
    }
    return (end, runs, rest)
  }

  /// Speech that is none of the text, while the path is in a hub.
  ///
  /// - Parameter end: the frame in which what is heard before it ends; nil at the start.
  private func unknownSpeech(after end: Int?, before start: Int) -> [Range<Int>] {
    let drawn = end.map { drawnEnd($0, limit: start) }
    let from = drawn ?? 0
    let still = (from..<max(from, start)).filter { isBetweenTokens(path[$0]) }
    guard let first = still.first, let last = still.last else { return [] }
    return scores.speech(in: first..<last + 1).filter { run in
      // What still sounds of the last word is no speech of its own.
      drawn.map {
        run.lowerBound > $0 + Self.reverberation || run.count > 4 * Self.reverberation
      } ?? true
    }
  }

  /// Whether it is the state of a hub or of a call, which is named by what comes before and after.
  private func isBetweenTokens(_ state: Int32) -> Bool {
    state < 0
      || grammar.tokens[grammar.chain.words[Int(grammar.chain.wordOfState[Int(state)])].token]
        .isCall
  }

  private func isInOtherSpeech(_ frame: Int) -> Bool {
    grammar.otherSpeechHubs.contains { path[frame] == -1 - Int32($0) }
  }

  private func part(of heard: HeardToken) -> AyahPart? {
    let count = grammar.tokens[heard.token].words().count
    let first = heard.words.first.map { grammar.chain.words[$0.word].index } ?? 0
    let last = heard.words.last.map { grammar.chain.words[$0.word].index } ?? count - 1
    switch (first == 0, last == count - 1) {
    case (true, true): return nil
    case (true, false): return .beginning
    case (false, true): return .end
    case (false, false): return .middle
    }
  }

  // MARK: - Edges

  /// What speaks for each edge after which something of the text is said.
  func evidence() -> [AcousticAligner.Edge] {
    let margins = BoundaryMargins(chain: grammar.chain, scores: scores, path: path)
    return zip(items, items.dropFirst()).compactMap { item, next in
      let begin = begin(of: next, after: item)
      return evidence(at: begin, next, margins).map { .init(position: begin, evidence: $0) }
    }
  }

  private func probability(
    at edge: FramePosition, _ item: Item, _ margins: BoundaryMargins
  ) -> Double? {
    evidence(at: edge, item, margins).map {
      $0.probability * (item.heard.map(isJump(to:)) ?? false ? Self.sureOfJump : 1)
    }
  }

  private func evidence(
    at edge: FramePosition, _ item: Item, _ margins: BoundaryMargins
  ) -> EdgeEvidence? {
    guard let heard = item.heard, let word = heard.words.first else { return nil }
    let pause = aligner.pauses(near: edge...edge).first { $0.span.contains(edge) }
    return margins.evidence(
      at: heard.frames.lowerBound,
      edge: frame(edge),
      of: grammar.chain.words[word.word], pause: pause?.span.length.seconds(at: rate) ?? 0)
  }

  /// Whether it does not follow what was heard before: something is said again or left out there.
  private func isJump(to heard: HeardToken) -> Bool {
    heard.frames.lowerBound > 0 && isJumping(in: heard.frames.lowerBound - 1)
  }

  /// Whether the path has left the text and goes on elsewhere in it.
  func isJumping(in frame: Int) -> Bool {
    grammar.jumpHub.map { path[frame] == -1 - Int32($0) } ?? false
  }

  /// The frame in which something is heard to begin. A hamzah closes the throat before it sounds, which is
  /// as silent as a pause.
  private func onset(of item: Item) -> Int {
    var frame = item.frames.lowerBound
    while frame + 1 < item.frames.upperBound, path[frame + 1] >= 0,
      grammar.chain.sounds[Int(path[frame + 1])] == Phone.hamzah.rawValue
    {
      frame += 1
    }
    return frame
  }

  /// Where something begins that follows something else.
  private func begin(of next: Item, after item: Item) -> FramePosition {
    edge(
      between: lastFrame(of: item, before: next), and: onset(of: next),
      isFirst: isParted(item, next))
  }

  /// Where the person puts an edge; nobody does so in prayers.
  private func placed(_ edge: FramePosition) -> FramePosition {
    grammar.isPrayer ? edge : clamped(aligner.placed(edge))
  }

  /// Where what ends with one frame is parted from what begins with another.
  private func edge(between end: Int, and start: Int, isFirst: Bool = false) -> FramePosition {
    let from = (isFirst ? seconds(start) : seconds(end)) - 0.3
    let said = FramePosition(seconds: max(from, 0), at: rate)...position(start) + seconds(0.3)
    guard let pause = pauses(near: said).max(by: { $0.length < $1.length }) else {
      return position(start)
    }
    // A soft beginning may pass for a part of the pause.
    let end = min(pause.upperBound, said.upperBound)
    let quarter = FrameCount((end - pause.lowerBound).frames / 4)
    return clamped(end - min(seconds(0.05), quarter))
  }

  /// Where the first thing said begins. A soft beginning passes for silence: what is shorter than any silence belongs to it, from the
  /// pause before it on.
  private func opening(before first: Item) -> FramePosition {
    let heard = edge(between: 0, and: onset(of: first), isFirst: true)
    guard !isPaused(at: heard) else { return heard }
    let start = section.span.lowerBound
    let pauses = pauses(near: start...max(start, heard))
    let sounds = pauses.last { $0.upperBound <= heard }?.upperBound ?? start
    return heard - sounds <= seconds(Self.shortestSilence) ? clamped(sounds) : heard
  }

  /// The pauses that reach into a stretch. What is no speech does not part two of them.
  private func pauses(near stretch: ClosedRange<FramePosition>) -> [Range<FramePosition>] {
    var spans: [Range<FramePosition>] = []
    for pause in aligner.pauses(near: stretch) {
      if let last = spans.last, isSilent(last.upperBound..<pause.span.lowerBound) {
        spans[spans.count - 1] = last.lowerBound..<pause.span.upperBound
      } else {
        spans.append(pause.span)
      }
    }
    return spans
  }

  /// Whether nothing is said between two pauses, whatever else sounds.
  private func isSilent(_ span: Range<FramePosition>) -> Bool {
    // The frames at its edges are a part of the pauses.
    let frames = (frame(span.lowerBound) - 1..<frame(span.upperBound) + 2)
    return scores.runs(in: frames.clamped(to: 0..<scores.count)).isEmpty
  }

  /// Where something falls silent that a silence follows, of which its echo is a part.
  private func end(at last: Int, before next: Int) -> FramePosition {
    let said = position(last)
    let near = said - min(seconds(0.3), said - .zero)...position(min(next, last + Self.longestTail))
    guard let pause = aligner.pauses(near: near).first(where: { $0.span.upperBound > said }),
      scores.runs(in: last..<max(frame(pause.span.lowerBound), last)).isEmpty
    else { return clamped(said + seconds(0.1)) }
    let half = FrameCount(pause.span.length.frames / 2)
    return clamped(max(pause.span.lowerBound + min(half, seconds(Self.decay)), said))
  }

  /// Whether silence between two things belongs to neither.
  private func isPaused(at position: FramePosition) -> Bool {
    aligner.pauses(near: position...position).contains { $0.span.contains(position) }
  }

  private func isParted(_ item: Item, _ next: Item) -> Bool {
    let isJoined =
      item.isPortion && next.isPortion && !(item.isRecitedPortion && next.mayOpenFatiha)
    return grammar.isPrayer && !isJoined
      || next.frames.lowerBound - item.frames.upperBound >= Self.longestPause
  }

  private func lastFrame(of item: Item, before next: Item) -> Int {
    isParted(item, next) ? lastSound(of: item, before: next) : item.frames.upperBound
  }

  /// The frame after the last sound of something: what is drawn out beyond what the text has, and a sound soon
  /// after it that is too short for speech of its own, are parts of it.
  private func lastSound(of item: Item, before next: Item?) -> Int {
    let limit = next?.frames.lowerBound ?? scores.count
    let end = drawnEnd(item.frames.upperBound, limit: limit)
    let after = end..<max(min(end + Self.longestTail, limit), end)
    guard let run = scores.runs(in: after).first else { return end }
    let gap = run.lowerBound - end
    let isShort = run.count < AcousticScores.shortestSpeech
    return gap <= Self.reverberation || isShort && gap <= Self.beforeEcho ? run.upperBound : end
  }

  /// Where the sound ends that goes on at a frame without a pause: nobody says something else in the same breath
  /// as the end of a standing.
  private func drawnEnd(_ frame: Int, limit: Int) -> Int {
    var end = frame
    while end < min(frame + Self.longestDrawn, limit), scores.isSound(end) { end += 1 }
    return end
  }

  private func clamped(_ position: FramePosition) -> FramePosition {
    min(max(position, section.span.lowerBound), section.span.upperBound)
  }

  private func seconds(_ frame: Int) -> Double {
    LogMelFrames.seconds(ofFrame: section.firstFrame + frame)
  }

  private func seconds(_ seconds: Double) -> FrameCount { FrameCount(seconds: seconds, at: rate) }

  private func frame(_ position: FramePosition) -> Int {
    Int(position.seconds(at: rate) * Self.framesPerSecond) - section.firstFrame
  }

  private func position(_ frame: Int) -> FramePosition {
    section.position(ofFrame: frame, rate: rate)
  }

  private static let framesPerSecond = Double(LogMelFrames.framesPerSecond)
  // Judged by nights of `Scripts/plant-prayers.py` and, what is no prayer, by `Scripts/measure-accuracy.py`.
  /// Shorter silences at the start or the end of a recording belong to what is beside them, in seconds;
  private static let shortestSilence = 0.6
  /// and within a prayer.
  private static let shortestGap = 0.9
  /// Frames of silence that a reciter leaves between two ayat at most: ten seconds.
  private static let longestPause = 250
  /// How long the last sound goes on within a silence, in seconds.
  private static let decay = 0.8
  /// In a room, in frames.
  private static let reverberation = 8
  /// Frames for which a reciter draws out his last sound at most: six seconds.
  private static let longestDrawn = 150
  /// Frames in which the end of something may still be heard: two seconds.
  private static let longestTail = 50
  /// Frames of silence between a last word and a sound that belongs to it: three quarters of a second.
  private static let beforeEcho = 19
  /// Frames of silence before a portion begins: 1.2 seconds at least.
  private static let silentBeforePortion = 30
  /// Frames from the end of al-Fatiha to that of "amin" at most: eight seconds.
  static let longestAmeen = 200
  /// How sure the edges of what is only told by its place are: in nights of four reciters something ends in the
  /// silence after it in 84 of 100, and unknown speech that follows the text begins where it should in 11 of 18.
  private static let sureOfPlace = 0.8
  /// How sure the onset of a call is, and of anything after a silence: in those nights all but one of 791.
  private static let sureOfOnset = 0.99
  /// How often something is said again or left out where the text fits better so: of 274 such places in recordings of
  /// `Scripts/plant-structures.py` in 261.
  static let sureOfJump = 0.95
  private static let endOfFatiha = AyahReference.first.surah.lastAyah
}

extension AlignmentBuilder.Item {
  /// Whether it is one of the short calls of a prayer.
  fileprivate var isCall: Bool {
    switch assignment {
    case .unused(.takbir), .unused(.tasmee), .unused(.salam), .unused(.ameen): true
    default: false
    }
  }

  /// Whether reciting goes on from it to the next ayah.
  fileprivate var isPortion: Bool {
    switch assignment {
    case .ayah(let ayah, _, _): ayah != AyahReference.first.surah.lastAyah
    case .leadIn: true
    default: false
    }
  }

  /// Whether it is what follows al-Fatiha.
  fileprivate var isRecitedPortion: Bool {
    assignment.recited.map { !$0.first.isInFatiha } ?? false
  }

  /// Whether it is what a standing begins with.
  fileprivate var mayOpenFatiha: Bool {
    assignment.recited.map { $0.first.isInFatiha } ?? (assignment == .leadIn(.istiadhah))
  }
}

extension Range where Bound == FramePosition {
  var length: FrameCount { upperBound - lowerBound }
  var middle: FramePosition { lowerBound + FrameCount(length.frames / 2) }
}
