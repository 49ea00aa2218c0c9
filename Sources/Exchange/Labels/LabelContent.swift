// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

/// Makes the contents of segments of what labels say.
struct LabelContent {
  var parser: LabelTextParser
  let rate: SampleRate
  let isConfirmed: Bool
  private(set) var warnings: [ImportWarning] = []

  init(parser: LabelTextParser, rate: SampleRate, isConfirmed: Bool) {
    self.parser = parser
    self.rate = rate
    self.isConfirmed = isConfirmed
  }

  /// One for each tile.
  mutating func contents(of tiles: [LabelTiling.Tile]) -> [SegmentContent] {
    var readings: [LabelTextParser.Reading] = []
    for tile in tiles { readings.append(reading(of: tile.label)) }
    let surahs = surahsOfBasmalahs(readings)
    var contents: [SegmentContent] = []
    for (index, tile) in tiles.enumerated() {
      contents.append(content(of: tile, readings[index], basmalah: surahs[index]))
    }
    return contents
  }

  private mutating func reading(of label: Label?) -> LabelTextParser.Reading {
    guard let label else { return .nothing }
    if let content = label.content { return .content(content) }
    return parser.read(label.text)
  }

  // MARK: Basmalahs

  /// For each segment what a basmalah there belongs to: the surah of the next ayah, or after the last
  /// ayah the surah that follows.
  private func surahsOfBasmalahs(_ readings: [LabelTextParser.Reading]) -> [AyahReference?] {
    var next = [AyahReference?](repeating: nil, count: readings.count)
    var upcoming: AyahReference?
    for index in readings.indices.reversed() {
      next[index] = upcoming
      if case .content(let content) = readings[index], let ends = content.ends {
        upcoming = ends.first
      }
    }
    var last: AyahReference?
    for index in readings.indices {
      if next[index] == nil, let last, last == last.surah.lastAyah { next[index] = last.next }
      if case .content(let content) = readings[index], let ends = content.ends { last = ends.last }
    }
    return next
  }

  // MARK: Assignments

  private mutating func content(
    of tile: LabelTiling.Tile, _ reading: LabelTextParser.Reading, basmalah next: AyahReference?
  ) -> SegmentContent {
    var notes = tile.label.map { [$0.note] } ?? []
    var assignment: Assignment?
    var isSure = true
    switch reading {
    case .nothing:
      notes += remarks(in: tile, ofJoins: true)
    case .unreadable:
      notes.insert(unreadable(tile, "is not a known label; kept as a note"), at: 0)
      notes += remarks(in: tile, ofJoins: true)
    case .content(let content):
      (assignment, isSure) = self.assignment(content, in: tile, basmalah: next)
      if assignment == nil {
        notes.insert(unreadable(tile, reason(against: content)), at: 0)
      }
      notes += remarks(in: tile, ofJoins: assignment.map { $0.joins.isEmpty || !isSure } ?? true)
    }
    notes += tile.notes
    return SegmentContent(
      assignment.map { Attribution($0, origin: .person) },
      isConfirmed: (isConfirmed || tile.label?.isConfirmed == true) && assignment != nil && isSure,
      note: notes.filter { !$0.isEmpty }.joined(separator: "\n"),
      isFlagged: tile.isFlagged || tile.label?.isFlagged == true || !isSure)
  }

  private mutating func assignment(
    _ content: SpokenContent, in tile: LabelTiling.Tile, basmalah next: AyahReference?
  ) -> (Assignment?, isSure: Bool) {
    switch content {
    case .ayah(let ayah, let part, let has):
      return (.ayah(ayah, part: part, withBasmalah: has), true)
    case .istiadhah: return (.leadIn(.istiadhah), true)
    case .unused(let reason): return (.unused(reason), true)
    case .basmalah(let named, let isAfterIstiadhah):
      if named == nil, !isAfterIstiadhah, let next, next == AyahReference.first.next {
        // The basmalah of al-Fatiha is its first ayah.
        return (.ayah(.first), true)
      }
      guard let surah = named ?? next?.surah else { return (nil, true) }
      return (
        .leadIn(isAfterIstiadhah ? .istiadhahAndBasmalah(of: surah) : .basmalah(of: surah)), true
      )
    case .pair(let first, let second, let has):
      guard let (joins, isSure) = joins(of: [first, second], in: tile) else { return (nil, true) }
      return (.crossSurah(first, join: joins[0], end: second, withBasmalah: has), isSure)
    case .ayat(let range, let has):
      guard range.count <= tile.span.length.frames,
        let (joins, isSure) = joins(of: Array(range), in: tile)
      else { return (nil, true) }
      return (.ayat(range, joins: joins, withBasmalah: has), isSure)
    }
  }

  private func reason(against content: SpokenContent) -> String {
    switch content {
    case .basmalah: "names no surah, and no ayah follows it; kept as a note"
    default: "has more ayat than frames; kept as a note"
    }
  }

  private mutating func unreadable(_ tile: LabelTiling.Tile, _ reason: String) -> String {
    guard let label = tile.label else { return "" }
    warnings.append(ImportWarning(label.place, "\(quoted(label.text)) \(reason)"))
    return label.text
  }

  /// Texts of points and doubled labels that go into the note, with a warning each.
  private mutating func remarks(in tile: LabelTiling.Tile, ofJoins: Bool) -> [String] {
    var kept = tile.remarks
    for label in tile.joins.compactMap(\.label) {
      // At a join a text says which ayah begins; anything else is a remark.
      if ofJoins || parser.read(label.text) == .unreadable { kept.append(label) }
    }
    for label in kept {
      warnings.append(
        ImportWarning(
          label.place, "\(quoted(label.text)) is inside another label; kept as a note there"))
    }
    return kept.map(\.text)
  }

  // MARK: Joins

  /// One join before each ayah after the first: those that are there if they are as many, or else by
  /// the lengths of the ayat; nil where there is no room for them.
  private mutating func joins(
    of ayat: [AyahReference], in tile: LabelTiling.Tile
  ) -> ([FramePosition], isSure: Bool)? {
    let count = ayat.count - 1
    let said = tile.label?.joins.map { FramePosition(seconds: $0, at: rate) } ?? []
    let found = Set(tile.joins.map(\.position) + said).filter {
      tile.span.lowerBound < $0 && $0 < tile.span.upperBound
    }
    if found.count == count { return (found.sorted(), true) }
    guard Int64(count) < tile.span.length.frames else { return nil }
    if let label = tile.label {
      let needed = count == 1 ? "a join" : "\(count) joins"
      let there = found.isEmpty ? "it has none" : "it has \(found.count)"
      warnings.append(
        ImportWarning(
          label.place,
          "\(quoted(label.text)) needs \(needed) but \(there);"
            + " placed by the lengths of the ayat and flagged for review"))
    }
    return (joins(of: ayat, byLengthIn: tile.span), false)
  }

  private func joins(
    of ayat: [AyahReference], byLengthIn span: Range<FramePosition>
  ) -> [FramePosition] {
    let units = ayat.map { $0.length.phoneticUnits }
    let total = units.reduce(0, +)
    let count = Int64(ayat.count)
    var joins: [FramePosition] = []
    var before = 0
    var last = span.lowerBound.frames
    for (index, unit) in units.dropLast().enumerated() {
      before += unit
      let share = Double(span.length.frames) * Double(before) / Double(max(total, 1))
      let place = span.lowerBound.frames + Int64(share)
      // Room for the joins still to come.
      let latest = span.upperBound.frames - (count - 1 - Int64(index))
      last = min(max(place, last + 1), latest)
      joins.append(FramePosition(last))
    }
    return joins
  }
}
