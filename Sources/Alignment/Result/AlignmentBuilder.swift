// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Analysis
import Annotation
import AudioCore
import Quran

/// Makes segments of what is heard: every edge goes to the pause it belongs to, if there is one.
struct AlignmentBuilder {
  private let passage: PassageAligner.Passage
  private let scores: AcousticScores
  private let pauses: [Pause]
  private let rate: SampleRate
  private let length: FrameCount

  init(_ aligner: AcousticAligner, _ passage: PassageAligner.Passage) {
    self.passage = passage
    scores = aligner.scores
    pauses = aligner.pauses
    rate = aligner.rate
    length = aligner.length
  }

  func alignment() -> AyahAlignment {
    var pieces: [(start: FramePosition, assignment: Assignment, confidence: Double)] = []
    let margins = BoundaryMargins(chain: passage.chain, scores: scores, path: passage.path)
    let end = FramePosition.zero + length
    var previousEnd = FramePosition.zero
    for (index, heard) in passage.heard.enumerated() {
      let before = index > 0 ? passage.heard[index - 1].frames.upperBound : 0
      let edge = edge(between: before, and: heard.frames.lowerBound, isFirst: index == 0)
      let token = passage.tokens[heard.token]
      if index == 0, edge > .zero + FrameCount(seconds: 0.6, at: rate) {
        pieces.append((.zero, .unused(.silence), 1))
      }
      let position = index == 0 && pieces.isEmpty ? .zero : max(edge, previousEnd)
      let evidence = evidence(at: heard, position, margins)
      let probability = position == .zero ? 1 : evidence.probability
      pieces.append((position, token.assignment(part: part(of: heard)), probability))
      previousEnd = position
    }
    if let last = passage.heard.last {
      let said = seconds(last.frames.upperBound)
      if let pause = pauses.last,
        pause.span.upperBound.seconds(at: rate) > length.seconds(at: rate) - 0.3,
        pause.span.lowerBound.seconds(at: rate) > said - 0.5,
        pause.span.length.seconds(at: rate) > 0.6
      {
        pieces.append((pause.span.lowerBound, .unused(.silence), 1))
      }
    }
    var segments: [AyahAlignment.Segment] = []
    var boundaries: [Boundary] = []
    for (index, piece) in pieces.enumerated() {
      let next = index + 1 < pieces.count ? pieces[index + 1].start : end
      guard piece.start < next else { continue }
      let following = index + 1 < pieces.count ? pieces[index + 1].confidence : 1
      segments.append(
        .init(
          piece.start..<next, piece.assignment, confidence: min(piece.confidence, following)))
      if piece.start > .zero {
        boundaries.append(Boundary(position: piece.start, confidence: piece.confidence))
      }
    }
    let words = passage.heard.flatMap { heard -> [AyahAlignment.Word] in
      guard let ayah = passage.tokens[heard.token].ayah else { return [] }
      return heard.words.map { word in
        AyahAlignment.Word(
          ayah, passage.chain.words[word.word].index + 1,
          position(word.frames.lowerBound)..<position(word.frames.upperBound))
      }
    }
    var alignment = AyahAlignment(
      segments: segments, boundaries: boundaries, pauses: pauses, words: words,
      last: passage.heard.last { passage.tokens[$0.token].ayah != nil }
        .flatMap { passage.tokens[$0.token].ayah }, verdict: verdict)
    alignment.remarkOnOrder(rate: rate)
    return alignment
  }

  /// Whether the recording begins and ends as was said.
  private var verdict: AyahAlignment.Verdict {
    let ayat = passage.heard.compactMap { passage.tokens[$0.token].ayah }
    if let first = ayat.first, first != passage.first {
      return .doubtful(
        "the recording begins with \(first), not with \(passage.first); try --start \(first)")
    }
    if let told = passage.last, let last = ayat.last, last != told {
      return .doubtful("the recording ends with \(last), not with \(told); try --end \(last)")
    }
    return .plausible
  }

  private func evidence(
    at heard: HeardToken, _ edge: FramePosition, _ margins: BoundaryMargins
  ) -> EdgeEvidence {
    guard let first = heard.words.first else { return EdgeEvidence(margin: 0, misfit: 0, pause: 0) }
    let pause = pauses.first { $0.span.contains(edge) }
    return margins.evidence(
      at: heard.frames.lowerBound,
      edge: Int(edge.seconds(at: rate) * Double(LogMelFrames.framesPerSecond)),
      of: passage.chain.words[first.word], pause: pause?.span.length.seconds(at: rate) ?? 0)
  }

  private func part(of heard: HeardToken) -> AyahPart? {
    let count = passage.tokens[heard.token].words.count
    let first = heard.words.first.map { passage.chain.words[$0.word].index } ?? 0
    let last = heard.words.last.map { passage.chain.words[$0.word].index } ?? count - 1
    switch (first == 0, last == count - 1) {
    case (true, true): return nil
    case (true, false): return .beginning
    case (false, true): return .end
    case (false, false): return .middle
    }
  }

  private func seconds(_ frame: Int) -> Double { LogMelFrames.seconds(ofFrame: frame) }

  private func position(_ frame: Int) -> FramePosition {
    min(FramePosition(seconds: seconds(frame), at: rate), .zero + length)
  }

  /// Where what ends with one frame is parted from what begins with another.
  private func edge(between end: Int, and start: Int, isFirst: Bool) -> FramePosition {
    let said = (isFirst ? seconds(start) - 0.3 : seconds(end) - 0.3)...(seconds(start) + 0.3)
    let near = pauses.filter {
      $0.span.upperBound.seconds(at: rate) > said.lowerBound
        && $0.span.lowerBound.seconds(at: rate) < said.upperBound
    }
    guard let pause = near.max(by: { $0.span.length < $1.span.length }) else {
      return position(start)
    }
    let quarter = FrameCount(pause.span.length.frames / 4)
    let margin = min(FrameCount(seconds: 0.15, at: rate), quarter)
    return pause.span.upperBound - margin
  }
}

extension Range where Bound == FramePosition {
  var length: FrameCount { upperBound - lowerBound }
}
