// SPDX-License-Identifier: GPL-3.0-or-later

import Quran

/// Reads labels from rows of fields, in our columns or other people's.
///
/// The first row names the columns: `start` (or begin, onset, from, time), `end` (stop, offset, to) or
/// `duration`, `label` (text, name, title), and as far as there are such `surah`, `ayah`, `joins`,
/// `flagged` and `note`. Times are seconds or `1:02.345`; milliseconds where the name ends in `ms`.
/// Without such a row the columns are start, end and label, or start and label.
struct DelimitedLabels {
  struct Row {
    /// Where it begins, from 1.
    var line: Int
    var fields: [String]

    var isBlank: Bool { fields.allSatisfy { $0.allSatisfy(\.isWhitespace) } }
  }

  private enum Column: Hashable {
    case start, end, duration, label, surah, ayah, joins, flagged, confirmed, note
  }

  private struct Place {
    var index: Int
    /// What a number in it is multiplied with to give seconds.
    var unit = 1.0
  }

  private let format: LabelFormat
  private var columns: [Column: Place] = [:]
  private var parser = LabelTextParser()

  /// - Parameter nextRow: gives one row after the other, nil at the end.
  static func file(
    _ format: LabelFormat, nextRow: () throws(ExchangeError) -> Row?
  ) throws(ExchangeError) -> LabelFile {
    var reader = DelimitedLabels(format: format)
    var counter = LabelCounter(format)
    var labels: [Label] = []
    while let row = try nextRow() {
      if row.isBlank { continue }
      if reader.columns.isEmpty, try reader.findColumns(row) { continue }
      try counter.add(at: .line(row.line))
      labels.append(try reader.label(row))
    }
    return LabelFile(labels)
  }

  private init(format: LabelFormat) { self.format = format }

  // MARK: Columns

  private mutating func findColumns(_ row: Row) throws(ExchangeError) -> Bool {
    if let first = row.fields.first, Self.time(first) != nil {
      // Of two columns the second may be `2:55`, which is an ayah rather than a time.
      let second = row.fields.count > 1 ? row.fields[1] : ""
      let hasEnd = (row.fields.count > 2 ? Self.time : TimeReading.decimal)(second) != nil
      columns[.start] = Place(index: 0)
      if hasEnd { columns[.end] = Place(index: 1) }
      columns[.label] = Place(index: hasEnd ? 2 : 1)
      return false
    }
    for (index, field) in row.fields.enumerated() {
      let title = field.prefix { $0 != "(" && $0 != "[" }
      var name = title.lowercased().filter(\.isLetter)
      var unit = 1.0
      if name.hasSuffix("ms") {
        name.removeLast(2)
        unit = 0.001
      }
      guard let column = Self.names[name], columns[column] == nil else { continue }
      columns[column] = Place(index: index, unit: unit)
    }
    guard columns[.start] != nil else {
      throw format.fault(
        row.line, "no column \"start\"; the first row names the columns: start, end, label")
    }
    return true
  }

  private static let names: [String: Column] = [
    "start": .start, "starttime": .start, "begin": .start, "begintime": .start, "onset": .start,
    "from": .start, "time": .start, "tmin": .start, "timestampfrom": .start,
    "end": .end, "endtime": .end, "stop": .end, "stoptime": .end, "offset": .end, "to": .end,
    "tmax": .end, "timestampto": .end, "finish": .end,
    "duration": .duration, "length": .duration,
    "label": .label, "text": .label, "name": .label, "title": .label, "content": .label,
    "surah": .surah, "sura": .surah, "chapter": .surah,
    "ayah": .ayah, "aya": .ayah, "verse": .ayah,
    "joins": .joins, "join": .joins,
    "flagged": .flagged, "flag": .flagged,
    "confirmed": .confirmed,
    "note": .note, "notes": .note, "comment": .note, "comments": .note,
  ]

  // MARK: Rows

  private mutating func label(_ row: Row) throws(ExchangeError) -> Label {
    guard let start = try time(.start, row) else { throw format.fault(row.line, "no start") }
    let place = TextPlace.line(row.line)
    var end = try time(.end, row)
    if end == nil, let duration = try time(.duration, row) {
      end = try format.checked(start + duration, at: place)
    }
    if let end { try format.checkOrder(start, end, at: place) }
    var label = Label(
      start: start, end: end, text: field(.label, row), place: place, joins: try joins(row),
      note: field(.note, row), isFlagged: Self.yes.contains(field(.flagged, row).lowercased()),
      isConfirmed: Self.yes.contains(field(.confirmed, row).lowercased()))
    // A label in another wording, the text of the ayah for example, is told by its numbers.
    if let surah = Int(field(.surah, row)), let number = Int(field(.ayah, row)),
      let ayah = AyahReference(surah: surah, ayah: number)
    {
      switch parser.read(label.text) {
      case .content: break
      case .nothing: label.content = .ayah(ayah)
      case .unreadable:
        label.content = .ayah(ayah)
        label.note = label.note.isEmpty ? label.text : label.text + "\n" + label.note
      }
    }
    return label
  }

  private static let yes: Set<String> = ["yes", "true", "1", "x", "y"]

  private func field(_ column: Column, _ row: Row) -> String {
    guard let place = columns[column], place.index < row.fields.count else { return "" }
    return row.fields[place.index]
  }

  private func time(_ column: Column, _ row: Row) throws(ExchangeError) -> Double? {
    let text = field(column, row)
    guard text.contains(where: { !$0.isWhitespace }), let place = columns[column] else {
      return nil
    }
    guard let time = Self.time(text) else {
      throw format.fault(row.line, "\(quoted(text)) is not a time; write seconds, or 1:02.345")
    }
    return try format.checked(time * place.unit, at: .line(row.line))
  }

  private func joins(_ row: Row) throws(ExchangeError) -> [Double] {
    let unit = columns[.joins]?.unit ?? 1
    var joins: [Double] = []
    for text in field(.joins, row).split(whereSeparator: { $0 == " " || $0 == ";" }) {
      guard let time = Self.time(String(text)) else {
        throw format.fault(row.line, "\(quoted(String(text))) is not a valid join time")
      }
      joins.append(try format.checked(time * unit, at: .line(row.line)))
    }
    return joins
  }

  private static func time(_ text: String) -> Double? {
    let text = text.filter { $0 != " " }
    return TimeReading.decimal(text) ?? TimeReading.clock(text)
  }
}
