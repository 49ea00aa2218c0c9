// SPDX-License-Identifier: GPL-3.0-or-later

import Exchange
public import Quran

extension PublishedTimings {
  /// Reads any of the JSON formats, told apart by their content.
  ///
  /// - Parameter surah: of which surah it is, for formats that do not say so.
  public init(json bytes: [UInt8], surah: Surah? = nil) throws(TimingsError) {
    guard bytes.count <= TimingsLimit.bytes else { throw .tooLarge(bytes: bytes.count) }
    // What many a server sends in place of a file.
    guard bytes.first(where: { !Self.spaces.contains($0) }) != UInt8(ascii: "<") else {
      throw .notJSON("it looks like a web page (HTML) or XML")
    }
    let value: JSONValue
    do throws(ExchangeError) {
      value = try JSONValue(parsing: bytes)
    } catch {
      throw .notJSON(error.description)
    }
    let root = TimingsNode(value)
    guard let shape = JSONShape(root) else { throw .unknownFormat }
    self = try shape.timings(surah)
  }

  private static let spaces = Set(" \t\r\n".utf8)
}

/// What kind of JSON a file is, with the nodes that hold the ayat.
private enum JSONShape {
  case qul([(key: String, node: TimingsNode)])
  case verses([TimingsNode])
  case align([TimingsNode])
  case mp3quran([TimingsNode])
  case wordTimings(TimingsNode)
  case segments(TimingsNode)

  init?(_ root: TimingsNode) {
    if let schema = root.schema {
      self.init(root, schema: schema)
    } else if let elements = root.elements {
      guard let first = elements.first else { return nil }
      if let schema = first.schema {
        self.init(first, schema: schema)
      } else if first.has("verse_key") {
        self = .verses(elements)
      } else if first.has("surah"), first.has("ayah"), first.has("segments") {
        self = .align(elements)
      } else if first.has("ayah"), first.has("start_time") {
        self = .mp3quran(elements)
      } else {
        return nil
      }
    } else if let verses = root.verses {
      self = .verses(verses)
    } else if let list = root["ayat_timing"]?.elements {
      self = .mp3quran(list)
    } else if let members = root.members, let first = members.first,
      AyahReference(first.key) != nil
    {
      self = .qul(members)
    } else {
      return nil
    }
  }

  private init?(_ node: TimingsNode, schema: String) {
    switch schema {
    case "tilawa.word-timings/1": self = .wordTimings(node)
    case "tilawa.segments/1", "tilawa.auto-detect/1": self = .segments(node)
    default: return nil
    }
  }

  func timings(_ surah: Surah?) throws(TimingsError) -> PublishedTimings {
    switch self {
    case .qul(let members): try Self.qul(members)
    case .verses(let verses): try Self.verses(verses)
    case .align(let elements): try Self.align(elements)
    case .mp3quran(let elements): try Self.mp3quran(elements, surah)
    case .wordTimings(let node): try Self.wordTimings(node)
    case .segments(let node): try Self.segments(node)
    }
  }

  /// `{"2:5": {"segments": [[word, from, to]], "timestamp_from", "timestamp_to"}}`; by ayah without the timestamps.
  private static func qul(
    _ members: [(key: String, node: TimingsNode)]
  ) throws(TimingsError) -> PublishedTimings {
    let isBySurah = members.contains { $0.node.has("timestamp_from") }
    var builder = TimingsBuilder(isBySurah ? .qulBySurah : .qulByAyah)
    for (key, node) in members {
      let ayah = try node.ayah(key, builder.format)
      guard node.members != nil else {
        throw node.fault(builder.format, "an object was expected")
      }
      try builder.append(
        ayah, start: try node["timestamp_from"]?.milliseconds(builder.format),
        end: try node["timestamp_to"]?.milliseconds(builder.format),
        words: try builder.words(node["segments"]), fields: node.fields)
    }
    return try builder.timings(clock: isBySurah ? .recording : .ayah)
  }

  /// `[{"verse_key", "timestamp_from", "timestamp_to", "segments"}]`; by ayah `[{"verse_key", "url", "segments"}]`.
  private static func verses(_ verses: [TimingsNode]) throws(TimingsError) -> PublishedTimings {
    var builder = TimingsBuilder(.quranCom)
    for verse in verses {
      try builder.append(
        try verse.required("verse_key", .quranCom).ayah(.quranCom),
        start: try verse["timestamp_from"]?.milliseconds(.quranCom),
        end: try verse["timestamp_to"]?.milliseconds(.quranCom),
        words: try builder.words(verse["segments"]))
    }
    let isByRecording = verses.contains { $0.has("timestamp_from") }
    return try builder.timings(clock: isByRecording ? .recording : .ayah)
  }

  /// `[{"surah", "ayah", "segments": [[first, end, from, to]]}]`, words from 0, in each ayah's own file.
  private static func align(_ elements: [TimingsNode]) throws(TimingsError) -> PublishedTimings {
    var builder = TimingsBuilder(.quranAlign)
    for element in elements {
      let surah = try element.required("surah", .quranAlign).integer(.quranAlign)
      let number = try element.required("ayah", .quranAlign).integer(.quranAlign)
      guard let ayah = AyahReference(surah: surah, ayah: number) else {
        throw element.fault(.quranAlign, "there is no ayah \(surah):\(number)")
      }
      try builder.append(
        ayah, start: nil, end: nil, words: try builder.words(element["segments"]))
    }
    return try builder.timings(clock: .ayah)
  }

  /// `[{"ayah", "start_time", "end_time"}]`; ayah 0 is what precedes the first.
  private static func mp3quran(
    _ elements: [TimingsNode], _ surah: Surah?
  ) throws(TimingsError) -> PublishedTimings {
    guard let surah else { throw .noSurah(.mp3quran) }
    let numbers = try elements.map { element throws(TimingsError) in
      try element.required("ayah", .mp3quran).integer(.mp3quran)
    }
    if let most = numbers.max(), most > surah.ayahCount {
      throw .otherSurah(.mp3quran, ayat: most)
    }
    var builder = TimingsBuilder(.mp3quran)
    var preface: PublishedTimings.Preface?
    for (element, number) in zip(elements, numbers) {
      let start = try element["start_time"]?.milliseconds(.mp3quran)
      let end = try element["end_time"]?.milliseconds(.mp3quran)
      if number == 0 {
        preface = .init(start: start, end: end, fields: element.fields)
        continue
      }
      guard let ayah = AyahReference(surah: surah, ayah: number) else {
        throw element.fault(.mp3quran, "\(surah) has no ayah \(number)")
      }
      try builder.append(
        ayah, start: start, end: end, fields: element.fields, preface: preface)
      preface = nil
    }
    return try builder.timings(clock: .recording)
  }

  /// `{"ayat": {"2:5": [[start, end], [start, end, number]]}}`.
  private static func wordTimings(_ node: TimingsNode) throws(TimingsError) -> PublishedTimings {
    let format = TimingsFormat.wordTimings
    var builder = TimingsBuilder(format)
    let ayat = try node.required("ayat", format)
    guard let members = ayat.members else { throw ayat.fault(format, "an object was expected") }
    for (key, node) in members {
      let ayah = try node.ayah(key, format)
      var words: [TimingsBuilder.RawWord] = []
      for (index, word) in try node.list(format).enumerated() {
        let values = try word.list(format)
        guard (2...3).contains(values.count) else {
          throw word.fault(format, "a word is [start, end] or [start, end, number]")
        }
        let number = values.count == 3 ? try values[2].integer(format) : index + 1
        guard TimingsBuilder.wordNumbers.contains(number) else {
          throw word.fault(format, "\(number) is not a word number; words count from 1")
        }
        words.append(
          .init(
            numbers: number...number, start: try values[0].milliseconds(format),
            end: try values[1].milliseconds(format)))
      }
      try builder.append(ayah, start: nil, end: nil, words: words)
    }
    return try builder.timings(clock: .ayah, tokenisation: .qpcHafs)
  }

  /// Our own segments, in seconds; what is no whole ayah is left out.
  private static func segments(_ node: TimingsNode) throws(TimingsError) -> PublishedTimings {
    let format = TimingsFormat.segments
    var builder = TimingsBuilder(format)
    func time(_ node: TimingsNode) throws(TimingsError) -> Int? {
      try node.milliseconds(format, scale: 1000)
    }
    func ayah(_ surah: TimingsNode, _ number: TimingsNode) throws(TimingsError) -> AyahReference {
      let (surah, ayah) = (try surah.integer(format), try number.integer(format))
      guard let found = AyahReference(surah: surah, ayah: ayah) else {
        throw number.fault(format, "there is no ayah \(surah):\(ayah)")
      }
      return found
    }
    var words: [AyahReference: [TimingsBuilder.RawWord]] = [:]
    for word in try node["words"]?.list(format) ?? [] {
      let number = try word.required("word", format).integer(format)
      guard TimingsBuilder.wordNumbers.contains(number) else {
        throw word.fault(format, "\(number) is not a word number; words count from 1")
      }
      words[try ayah(word.required("surah", format), word.required("ayah", format)), default: []]
        .append(
          .init(
            numbers: number...number, start: try word["start"].flatMap(time),
            end: try word["end"].flatMap(time)))
    }
    for segment in try node.required("segments", format).list(format) {
      guard let assignment = segment["assignment"],
        case .string(let kind)? = assignment["kind"]?.value,
        assignment["part"] == nil
      else { continue }
      let (start, end) = (
        try segment.required("start", format).milliseconds(format, scale: 1000),
        try segment["end"].flatMap(time)
      )
      var ayat: [(AyahReference, Int?)] = []
      switch kind {
      case "ayah":
        ayat = [
          (
            try ayah(assignment.required("surah", format), assignment.required("ayah", format)),
            start
          )
        ]
      case "cross_surah":
        ayat = [
          (
            try ayah(assignment.required("surah", format), assignment.required("ayah", format)),
            start
          ),
          (
            try ayah(
              assignment.required("end_surah", format), assignment.required("end_ayah", format)),
            try time(assignment.required("join", format))
          ),
        ]
      case "ayat":
        var next: AyahReference? = try assignment.required("first", format).ayah(format)
        var joins = [start]
        for join in try assignment.required("joins", format).list(format) {
          joins.append(try time(join))
        }
        for join in joins {
          guard let ayah = next else { break }
          ayat.append((ayah, join))
          next = ayah.next
        }
      default: continue
      }
      for (index, (ayah, start)) in ayat.enumerated() {
        let until = index + 1 < ayat.count ? ayat[index + 1].1 : end
        let own = (words[ayah] ?? []).filter { word in
          guard let start, let from = word.start else { return false }
          return from >= start && until.map { from < $0 } ?? true
        }
        try builder.append(ayah, start: start, end: until, words: own)
      }
    }
    return try builder.timings(clock: .recording, tokenisation: .qpcHafs)
  }
}

extension TimingsNode {
  fileprivate var schema: String? {
    if case .string(let schema)? = self["schema"]?.value { schema } else { nil }
  }

  /// The verses of what the API of quran.com answers.
  fileprivate var verses: [TimingsNode]? {
    for key in ["verse_timings", "timestamps"] {
      if let list = self[key]?.elements { return list }
    }
    if let file = self["audio_file"] { return file.verses }
    guard let files = self["audio_files"]?.elements else { return nil }
    return files.flatMap { $0.verses ?? [$0] }
  }
}
