// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

/// Lays a recording out around what a person has confirmed.
///
/// Between two anchors the first alignment holds wherever it agrees with them. Where it does not, what is
/// within a minute of the anchor is searched again, and more of it where that does not help.
struct AnchoredSearch {
  var aligner: AcousticAligner
  let request: AlignmentRequest
  let base: [AlignedPiece]
  let baseWords: [AyahAlignment.Word]
  /// What was searched before.
  let known: [Section: AcousticAligner.Found?]
  /// What was searched for these anchors.
  private(set) var used: [Section: AcousticAligner.Found?] = [:]

  struct Outcome {
    var pieces: [AlignedPiece] = []
    var words: [AyahAlignment.Word] = []
    /// The first ayah for which nothing that was confirmed leaves room.
    var withoutRoom: AyahReference?

    mutating func append(_ other: Outcome) {
      pieces += other.pieces
      words += other.words
      withoutRoom = withoutRoom ?? other.withoutRoom
    }
  }

  /// Something that a person has said is there: a stretch, or a place at which an ayah begins.
  private struct Mark {
    var span: Range<FramePosition>
    var assignment: Assignment?
    /// Nil where it says nothing of what comes before, or after.
    var before: RecitationGrammar.Edges.End?
    var after: RecitationGrammar.Edges.Start?
    /// The first and the last ayah recited in it.
    var first: AyahReference?
    var last: AyahReference?
    /// Whether it is an edge that a person moved, and no more is known of it.
    var wasMoved = false
  }

  mutating func outcome(_ anchors: AlignmentAnchors) -> Outcome {
    let marks = marks(anchors)
    var outcome = Outcome()
    let end = FramePosition.zero + aligner.length
    var position = FramePosition.zero
    for index in 0...marks.count {
      let previous = index > 0 ? marks[index - 1] : nil
      let next = index < marks.count ? marks[index] : nil
      let upTo = min(next?.span.lowerBound ?? end, end)
      if position < upTo {
        outcome.append(between(previous, next, position..<upTo, marks[..<index], marks[index...]))
      }
      guard let next else { break }
      if let assignment = next.assignment {
        let span = next.span.lowerBound..<min(next.span.upperBound, end)
        outcome.pieces.append(.init(span: span, assignment: assignment, start: 1, end: 1))
        outcome.words += words(in: span).filter { word in
          assignment.recited.map { ($0.first...$0.last).contains(word.ayah) } ?? false
        }
      }
      position = max(position, next.span.upperBound)
    }
    return outcome
  }

  private func marks(_ anchors: AlignmentAnchors) -> [Mark] {
    var marks = anchors.spansInOrder.map { span -> Mark in
      var mark = Mark(span: span.span, assignment: span.assignment)
      if let recited = span.assignment.recited {
        (mark.first, mark.last) = (recited.first, recited.last)
        mark.before = span.assignment.beginning.map { .before($0) }
        mark.after = span.assignment.isCompleted ? .after(recited.last) : .within(recited.last)
      } else if case .leadIn(let leadIn) = span.assignment, let surah = leadIn.basmalah {
        mark.before = .before(surah.firstAyah)
        mark.after = .at(surah.firstAyah)
      }
      return mark
    }
    let taken = marks.map(\.span)
    for place in anchors.places {
      guard let ayah = place.ayah,
        !taken.contains(where: { $0.contains(place.position) })
      else { continue }
      marks.append(
        Mark(
          span: place.position..<place.position, before: .before(ayah), after: .at(ayah),
          first: ayah, last: ayah.previous, wasMoved: place.isAssumed))
    }
    return marks.sorted { $0.span.lowerBound < $1.span.lowerBound }
  }

  // MARK: - Between two anchors

  private mutating func between(
    _ previous: Mark?, _ next: Mark?, _ span: Range<FramePosition>, _ earlier: ArraySlice<Mark>,
    _ later: ArraySlice<Mark>
  ) -> Outcome {
    let start = previous?.after
    let end = next?.before
    func agrees(startWasMoved: Bool, endWasMoved: Bool) -> (start: Bool, end: Bool) {
      (
        start.map { self.agrees($0, at: span.lowerBound, wasMoved: startWasMoved) } ?? true,
        end.map { self.agrees($0, at: span.upperBound, wasMoved: endWasMoved) } ?? true
      )
    }
    let agreement = agrees(
      startWasMoved: previous?.wasMoved ?? false, endWasMoved: next?.wasMoved ?? false)
    if agreement == (true, true), !base.isEmpty { return kept(span, start, end) }
    let outcome = heard(span, start, end, agreement, earlier, later)
    // What an edge was moved over is no part of another ayah for that reason.
    if outcome.isCut(start, end), !base.isEmpty,
      agrees(startWasMoved: true, endWasMoved: true) == (true, true)
    {
      return kept(span, start, end)
    }
    return outcome
  }

  /// What is heard in a span, where the first alignment does not agree with both of its edges.
  private mutating func heard(
    _ span: Range<FramePosition>, _ start: RecitationGrammar.Edges.Start?,
    _ end: RecitationGrammar.Edges.End?, _ agreement: (start: Bool, end: Bool),
    _ earlier: ArraySlice<Mark>, _ later: ArraySlice<Mark>
  ) -> Outcome {
    let (agreesAtStart, agreesAtEnd) = agreement
    var edges = RecitationGrammar.Edges()
    edges.start = start ?? earlier.last { $0.last != nil }?.last.map { .within($0) } ?? .open
    edges.end = end ?? .open
    let expected = expectation(edges, earlier, later)
    // The surroundings of what does not agree, the wider the less that helps.
    for reach in Self.reaches where !base.isEmpty {
      let stretch = FrameCount(seconds: reach, at: aligner.rate)
      var outcome = Outcome()
      var middle = span
      if !agreesAtStart {
        guard
          let edge = base.first(where: {
            $0.assignment.beginning != nil && $0.span.lowerBound >= span.lowerBound + stretch
          }), edge.span.lowerBound < span.upperBound, let ayah = edge.assignment.beginning
        else { break }
        middle = edge.span.lowerBound..<span.upperBound
        let section = aligner.section(
          span.lowerBound..<edge.span.lowerBound,
          edges: .init(start: edges.start, end: .before(ayah)), first: expected.first,
          last: portion(before: edge.span.lowerBound))
        guard let found = found(section), leads(found, to: ayah) else { continue }
        outcome.append(Outcome(pieces: found.pieces, words: found.words))
      }
      var ending = Outcome()
      if !agreesAtEnd {
        guard
          let edge = base.last(where: {
            $0.assignment.beginning != nil && $0.span.lowerBound + stretch <= span.upperBound
          }), edge.span.lowerBound > middle.lowerBound, let ayah = edge.assignment.beginning
        else { break }
        middle = middle.lowerBound..<edge.span.lowerBound
        let section = aligner.section(
          edge.span.lowerBound..<span.upperBound, edges: .init(start: .at(ayah), end: edges.end),
          first: ayah.isInFatiha && isPrayer
            ? portion(before: edge.span.lowerBound)?.next ?? expected.first : ayah,
          last: expected.last)
        guard let found = found(section), aligner.isText(found) else { continue }
        ending.append(Outcome(pieces: found.pieces, words: found.words))
      }
      outcome.append(kept(middle, agreesAtStart ? start : nil, agreesAtEnd ? end : nil))
      outcome.append(ending)
      return outcome
    }
    let section = aligner.section(span, edges: edges, first: expected.first, last: expected.last)
    if let found = found(section) { return Outcome(pieces: found.pieces, words: found.words) }
    return Outcome(
      pieces: [.init(span: span, assignment: .unused(.other), start: 1, end: 1)],
      withoutRoom: expected.first)
  }

  private var isPrayer: Bool { request.prayer != .none }

  private mutating func found(_ section: Section) -> AcousticAligner.Found? {
    let found = known[section] ?? used[section] ?? aligner.found(in: section, request.prayer)
    used[section] = .some(found)
    return found
  }

  /// Whether what was found ends where an ayah of the first alignment begins.
  private func leads(_ found: AcousticAligner.Found, to next: AyahReference) -> Bool {
    guard aligner.isText(found) else { return false }
    let last = found.pieces.last { $0.assignment.isRecitation }?.assignment.recited?.last
    if isPrayer, next.isInFatiha != last?.isInFatiha ?? false || next == .first { return true }
    return last == next.previous
  }

  /// The ayat that are expected between two anchors: of the passage, or of the portions of a prayer.
  private func expectation(
    _ edges: RecitationGrammar.Edges, _ earlier: ArraySlice<Mark>, _ later: ArraySlice<Mark>
  ) -> (first: AyahReference, last: AyahReference?) {
    func counts(_ ayah: AyahReference?) -> Bool {
      ayah.map { !(isPrayer && $0.isInFatiha) } ?? false
    }
    var first = earlier.last { counts($0.last) }?.last?.next ?? request.first
    switch edges.start {
    case .at(let ayah), .within(let ayah): if counts(ayah) { first = ayah }
    case .after(let ayah): if counts(ayah) { first = ayah.next ?? ayah }
    case .open: break
    }
    let next = later.first { counts($0.first) }?.first
    return (
      first, next.map { max($0.previous ?? $0, first) } ?? request.last.map { max($0, first) }
    )
  }

  /// The last ayah of the passage, or of the portions, that the first alignment has before a place.
  private func portion(before position: FramePosition) -> AyahReference? {
    base.last { piece in
      piece.span.lowerBound < position
        && piece.assignment.recited.map { !(isPrayer && $0.last.isInFatiha) } ?? false
    }?.assignment.recited?.last
  }

  // MARK: - What holds

  private func agrees(
    _ start: RecitationGrammar.Edges.Start, at position: FramePosition, wasMoved: Bool
  ) -> Bool {
    switch start {
    case .open: true
    case .at(let ayah): begins(ayah, at: position, wasMoved: wasMoved)
    case .after(let ayah): ends(ayah, at: position, wasMoved: wasMoved)
    case .within(let ayah):
      base.contains { $0.assignment.recited?.last == ayah && $0.span.contains(position) }
    }
  }

  private func agrees(
    _ end: RecitationGrammar.Edges.End, at position: FramePosition, wasMoved: Bool
  ) -> Bool {
    switch end {
    case .open: true
    case .before(let ayah): begins(ayah, at: position, wasMoved: wasMoved)
    }
  }

  /// Whether the first alignment has an ayah begin near a place. An edge that a person moved is the same one as far as
  /// the beginnings of its neighbours, whatever is heard on either side of it.
  private func begins(_ ayah: AyahReference, at position: FramePosition, wasMoved: Bool) -> Bool {
    base.indices.contains { index in
      let piece = base[index]
      guard piece.assignment.beginning == ayah else { return false }
      if isNear(piece.span.lowerBound, position) { return true }
      let before = index > 0 ? base[index - 1].span.lowerBound : .zero
      return wasMoved && before < position && position < piece.span.upperBound
    }
  }

  /// The same of where an ayah ends.
  private func ends(_ ayah: AyahReference, at position: FramePosition, wasMoved: Bool) -> Bool {
    base.indices.contains { index in
      let piece = base[index]
      guard piece.assignment.recited?.last == ayah else { return false }
      if isNear(piece.span.upperBound, position) { return true }
      let after = index + 1 < base.count ? base[index + 1].span.upperBound : piece.span.upperBound
      return wasMoved && piece.span.lowerBound < position && position < after
    }
  }

  private func isNear(_ one: FramePosition, _ other: FramePosition) -> Bool {
    abs((one - other).seconds(at: aligner.rate)) <= Self.tolerance
  }

  /// The first alignment within a span; what an anchor's edge cuts off of what lies beyond it is dropped.
  private func kept(
    _ span: Range<FramePosition>, _ start: RecitationGrammar.Edges.Start?,
    _ end: RecitationGrammar.Edges.End?
  ) -> Outcome {
    var pieces = base.filter { $0.span.overlaps(span) }
    switch start {
    case .at(let ayah):
      if let index = pieces.firstIndex(where: { $0.assignment.beginning == ayah }) {
        pieces.removeFirst(index)
      }
    case .after(let ayah):
      while let first = pieces.first, first.assignment.recited?.last == ayah, pieces.count > 1 {
        pieces.removeFirst()
      }
    case .within, .open, nil: break
    }
    if case .before(let ayah) = end,
      let index = pieces.lastIndex(where: { $0.assignment.beginning == ayah }), index > 0,
      begins(ayah, at: span.upperBound, wasMoved: true)
    {
      pieces.removeLast(pieces.count - index)
    }
    for index in pieces.indices {
      let isFirst = index == 0
      let isLast = index == pieces.count - 1
      let from = isFirst ? span.lowerBound : pieces[index].span.lowerBound
      let upTo = isLast ? span.upperBound : pieces[index].span.upperBound
      pieces[index].span = from..<upTo
      if isFirst, start != nil { pieces[index].start = 1 }
      if isLast, end != nil { pieces[index].end = 1 }
    }
    return Outcome(pieces: pieces, words: words(in: span))
  }

  /// The words of the first alignment whose middle lies within a span, cut at its edges: an edge may have been moved a
  /// little into a word.
  private func words(in span: Range<FramePosition>) -> [AyahAlignment.Word] {
    baseWords.compactMap { word in
      guard span.contains(word.span.middle) else { return nil }
      var word = word
      word.span = word.span.clamped(to: span)
      return word
    }
  }

  /// Seconds around an anchor that are searched again; as the next, judged by `Benchmarks/annotate.py`.
  private static let reaches = [60.0, 300.0]
  /// An edge that lies no further from where it was found is the same edge, in seconds.
  private static let tolerance = 1.5
}

extension AnchoredSearch.Outcome {
  /// Whether an ayah is said in two parts on either side of an edge: it ends with what begins after it, or begins with what
  /// ended before it; or the ayah next to it is not whole.
  fileprivate func isCut(
    _ start: RecitationGrammar.Edges.Start?, _ end: RecitationGrammar.Edges.End?
  ) -> Bool {
    let recited = pieces.map(\.assignment).filter { $0.recited != nil }
    if case .after(let ayah) = start, let first = recited.first,
      first.recited?.first == ayah || first.beginning == nil
    {
      return true
    }
    guard case .before(let ayah) = end, let last = recited.last else { return false }
    return recited.contains { $0.recited?.first == ayah } || !last.isCompleted
  }
}

extension Assignment {
  /// Whether the last ayah heard in it is heard to its end.
  fileprivate var isCompleted: Bool {
    if case .ayah(_, let part, _) = self { part == nil || part == .end } else { true }
  }
}
