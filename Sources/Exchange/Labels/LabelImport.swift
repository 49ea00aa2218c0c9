// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
public import AudioCore

/// An annotation made of another program's labels.
public struct LabelImport: Sendable {
  /// The person's: nothing in it counts as a suggestion.
  public let document: AnnotationDocument
  /// Whether the format says when words are heard; if not, those known of the recording stay.
  public let holdsWords: Bool
  /// In the order of their lines, where they have such.
  public let warnings: [ImportWarning]
  /// The tier that the segments come from; nil where the format has no names for tiers.
  public let tier: String?

  /// Gaps and overlaps of less are how a hand draws labels that are meant to touch: 10 ms, in seconds.
  public static let defaultTolerance = 0.010

  /// Makes markers of the edges of labels, and of each label's text an assignment.
  ///
  /// - Labels that touch, or miss each other by no more than `tolerance` seconds, share one marker, at
  ///   the start of the later. A wider gap becomes an unassigned segment; a wider overlap belongs to the
  ///   later label, with a warning.
  /// - A point between labels is a boundary and names what follows it; points alone cut the whole
  ///   recording. Points inside a label are its joins if its text calls for as many. Where joins are
  ///   called for and none are there, they are placed by the lengths of the ayat, the segment is
  ///   flagged and left unconfirmed, and a warning says so.
  /// - A basmalah without surah is that of the next ayah's.
  /// - A text that is not understood becomes the segment's note, with a warning.
  /// - Of several tiers the one called `tier` counts; if none is asked for, `segments`, or else the one
  ///   with most labels that are understood. Tiers called `joins`, `notes` and `flags` add to it, and so does `words` with
  ///   texts such as `2:5:1`, the first word of 2:5.
  ///
  /// - Parameter isConfirmed: whether all labels count as confirmed by a person, and not only those of which the
  ///   format says so.
  /// - Throws: ``ExchangeError/noSuchTier(_:tiers:)``.
  public init(
    _ file: LabelFile, tier: String? = nil, length: FrameCount, rate: SampleRate,
    isConfirmed: Bool = false, tolerance: Double = defaultTolerance
  ) throws(ExchangeError) {
    var parser = LabelTextParser()
    let tiers = try LabelTierChoice(file, named: tier, parser: &parser)
    var tiling = LabelTiling(length: length, rate: rate, tolerance: tolerance)
    tiling.lay(tiers.main.labels)
    tiling.attach(joins: tiers.joins)
    tiling.attach(notes: tiers.notes)
    tiling.attach(flags: tiers.flags)

    var content = LabelContent(parser: parser, rate: rate, isConfirmed: isConfirmed)
    let contents = content.contents(of: tiling.tiles)
    let records = zip(tiling.tiles, contents).enumerated().map { index, pair in
      let marker =
        index == 0
        ? nil
        : Marker(
          id: MarkerID(Int64(index)), position: pair.0.span.lowerBound, origin: .person,
          isConfirmed: isConfirmed || pair.1.isConfirmed || contents[index - 1].isConfirmed)
      return SegmentRecord(start: marker, content: pair.1)
    }
    let words = LabelWords(tiers.words, length: length, rate: rate)
    do {
      document = try AnnotationDocument(
        length: length, rate: rate, records: records, words: words.words)
    } catch {
      throw .unfittingAnnotation(reason: error.message(at: rate))
    }
    holdsWords = !tiers.words.isEmpty
    let warnings = file.warnings + tiling.warnings + content.warnings + words.warnings
    self.warnings = warnings.enumerated().sorted {
      ($0.element.line, $0.offset) < ($1.element.line, $1.offset)
    }.map(\.element)
    self.tier = tiers.main.name.isEmpty ? nil : tiers.main.name
  }

  /// One that needed no making.
  init(_ document: AnnotationDocument) {
    self.document = document
    holdsWords = true
    warnings = []
    tier = nil
  }
}

/// Which tier gives the segments, and which ones say more of them.
private struct LabelTierChoice {
  var main = LabelTier(labels: [])
  var joins: [Label] = []
  var notes: [Label] = []
  var flags: [Label] = []
  var words: [Label] = []

  init(
    _ file: LabelFile, named name: String?, parser: inout LabelTextParser
  ) throws(ExchangeError) {
    func labels(_ companion: TierName) -> [Label] {
      file.tiers.filter { $0.name == companion.rawValue && $0.name != name }.flatMap(\.labels)
    }
    joins = labels(.joins)
    notes = labels(.notes)
    flags = labels(.flags)
    words = labels(.words).filter { !$0.text.allSatisfy(\.isWhitespace) }
    // Somebody else's tier of that name may hold anything.
    if !words.contains(where: \.isOfWord) { words = [] }
    if let name {
      let exact = file.tiers.first { $0.name == name }
      guard
        let tier = exact ?? file.tiers.first(where: { $0.name.lowercased() == name.lowercased() })
      else { throw .noSuchTier(name, tiers: file.tiers.map(\.name).filter { !$0.isEmpty }) }
      main = tier
      return
    }
    if let tier = file.tiers.first(where: { $0.name == TierName.segments.rawValue }) {
      main = tier
      return
    }
    let companions =
      ([TierName.joins, .notes, .flags] + (words.isEmpty ? [] : [.words])).map(\.rawValue)
    var best = (understood: -1, count: -1)
    for tier in file.tiers where !companions.contains(tier.name) {
      let understood = tier.labels.count { label in
        if case .content = parser.read(label.text) { true } else { label.content != nil }
      }
      if (understood, tier.labels.count) > (best.understood, best.count) {
        best = (understood, tier.labels.count)
        main = tier
      }
    }
  }
}

/// The tiers that our writers make.
enum TierName: String {
  case segments, joins, notes, flags, words
}
