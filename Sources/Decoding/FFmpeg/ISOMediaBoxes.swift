// SPDX-License-Identifier: GPL-3.0-or-later

/// The few facts of an ISO media file (ISO/IEC 14496-12) that FFmpeg does not pass on: where a track's
/// media lies, and how long it is to the frame.
struct ISOMediaTrack {
  /// Media time units per second.
  var mediaTimescale: Int64 = 0
  /// The sum of all packet durations (`stts`), in media time units; nil when the table is missing.
  var mediaDuration: Int64?
  /// Whether the data is said to lie in another file.
  var isExternal = false
}

/// Walks the boxes of an ISO media file.
struct ISOMediaBoxes {
  /// The audio tracks, in file order.
  private(set) var audioTracks: [ISOMediaTrack] = []
  /// Movie time units per second, the precision of edit lists.
  private(set) var movieTimescale: Int64 = 0

  /// Whether a box says that it reaches past the end of the file.
  private(set) var isCutOff = false
  /// Where the last fragment begins, if the file ends before its table does.
  private(set) var cutFragment: Int64?

  /// Packets that the tables of all tracks and fragments list, for each of which FFmpeg keeps an entry.
  private(set) var listedPackets: Int64 = 0

  private let file: MediaFile
  private var hasMovie = false

  /// Box nesting beyond this is an attack, not a file.
  private static let maximumDepth = 8
  /// Boxes looked at before giving up.
  private var budget = 100_000

  /// More packets than a recording has: 50 hours of AAC at 48 kHz.
  private static let maxPackets: Int64 = 8 << 20
  /// A table that lists more packets for each byte of the file lies, even if most of it was cut off.
  private static let maxPacketsPerByte: Int64 = 64

  init(_ file: MediaFile) throws(DecodingError) {
    self.file = file
    try walk(0..<file.size, depth: 0) { (self, box) throws(DecodingError) in
      if box.type == "moov" || box.type == "moof" { self.hasMovie = true }
      if box.type == "moov" { try self.readMovie(box) }
      if box.type == "moof" { try self.readFragment(box) }
    }
  }

  /// Throws where FFmpeg's own complaint would not tell a person what happened.
  func check() throws(DecodingError) {
    if !hasMovie {
      throw DecodingError(
        .damaged, file: file.path,
        detail: "its index, the moov atom, is missing: the recording or the copy was cut off")
    }
    if listedPackets > Self.maxPackets || listedPackets / Self.maxPacketsPerByte > file.size {
      throw DecodingError(
        .damaged, file: file.path, detail: "its tables list \(listedPackets) packets")
    }
    if !audioTracks.isEmpty, audioTracks.allSatisfy(\.isExternal) {
      throw DecodingError(
        .refersElsewhere("a movie whose sound is in another file"), file: file.path)
    }
  }

  private struct Box {
    let type: String
    /// Where the box's content lies in the file.
    let content: Range<Int64>
    let depth: Int
  }

  private mutating func walk(
    _ range: Range<Int64>, depth: Int,
    _ visit: (inout ISOMediaBoxes, Box) throws(DecodingError) -> Void
  ) throws(DecodingError) {
    guard depth < Self.maximumDepth else { return }
    var offset = range.lowerBound
    while offset + 8 <= range.upperBound, budget > 0 {
      budget -= 1
      let head = try file.bytes(at: offset, count: 16)
      guard head.count >= 8 else { return }
      var size = Int64(bigEndian(head[0..<4]))
      var headLength: Int64 = 8
      if size == 1 {
        guard head.count == 16 else { return }
        size = Int64(clamping: bigEndian(head[8..<16]))
        headLength = 16
      } else if size == 0 {
        size = range.upperBound - offset
      }
      guard size >= headLength else { return }
      // A size may reach past the parent, and a 64-bit head itself may.
      let type = String(decoding: head[4..<8], as: UTF8.self)
      if size > file.size - offset {
        isCutOff = true
        if type == "moof" { cutFragment = offset }
      }
      let end = offset + min(size, range.upperBound - offset)
      guard end >= offset + headLength else { return }
      try visit(&self, Box(type: type, content: (offset + headLength)..<end, depth: depth))
      offset = end
    }
  }

  private mutating func readMovie(_ movie: Box) throws(DecodingError) {
    try walk(movie.content, depth: movie.depth + 1) { (self, box) throws(DecodingError) in
      switch box.type {
      case "mvhd": self.movieTimescale = try self.timescale(box)
      case "trak": try self.readTrack(box)
      default: break
      }
    }
  }

  private mutating func readTrack(_ trackBox: Box) throws(DecodingError) {
    var track = ISOMediaTrack()
    var isAudio = false
    try walk(trackBox.content, depth: trackBox.depth + 1) { (self, box) throws(DecodingError) in
      guard box.type == "mdia" else { return }
      try self.readMedia(box, into: &track, &isAudio)
    }
    if isAudio { audioTracks.append(track) }
  }

  private mutating func readMedia(
    _ media: Box, into track: inout ISOMediaTrack, _ isAudio: inout Bool
  ) throws(DecodingError) {
    var result = track
    var isSound = false
    try walk(media.content, depth: media.depth + 1) { (self, box) throws(DecodingError) in
      switch box.type {
      case "mdhd": result.mediaTimescale = try self.timescale(box)
      case "hdlr":
        isSound = try self.file.bytes(at: box.content.lowerBound + 8, count: 4)
          .elementsEqual("soun".utf8)
      case "minf", "stbl", "dinf": try self.readTables(box, into: &result)
      default: break
      }
    }
    track = result
    isAudio = isSound
  }

  private mutating func readTables(
    _ parent: Box, into track: inout ISOMediaTrack
  ) throws(DecodingError) {
    var result = track
    var packets: Int64 = 0
    var isUncompressed = false
    try walk(parent.content, depth: parent.depth + 1) { (self, box) throws(DecodingError) in
      switch box.type {
      case "stbl", "dinf": try self.readTables(box, into: &result)
      case "stsz": packets = try self.number(at: 8, in: box)
      case "stts":
        result.mediaDuration = try self.sumOfDurations(box)
        // Then each frame counts as a packet, and FFmpeg keeps an entry for each chunk of them only.
        let (entries, duration) = (
          try self.number(at: 4, in: box), try self.number(at: 12, in: box)
        )
        isUncompressed = entries == 1 && duration == 1
      case "dref": result.isExternal = try self.pointsElsewhere(box)
      default: break
      }
    }
    track = result
    if !isUncompressed { listedPackets += packets }
  }

  private mutating func readFragment(_ parent: Box) throws(DecodingError) {
    try walk(parent.content, depth: parent.depth + 1) { (self, box) throws(DecodingError) in
      switch box.type {
      case "traf": try self.readFragment(box)
      case "trun": self.listedPackets += try self.number(at: 4, in: box)
      default: break
      }
    }
  }

  /// Four bytes of a box; 0 where it ends before them.
  private func number(at offset: Int64, in box: Box) throws(DecodingError) -> Int64 {
    guard box.content.upperBound - box.content.lowerBound >= offset + 4 else { return 0 }
    let bytes = try file.bytes(at: box.content.lowerBound + offset, count: 4)
    return bytes.count == 4 ? Int64(bigEndian(bytes[0..<4])) : 0
  }

  /// The time scale in a `mvhd` or `mdhd`, whose version says how wide the dates before it are.
  private func timescale(_ box: Box) throws(DecodingError) -> Int64 {
    let bytes = try file.bytes(at: box.content.lowerBound, count: 24)
    guard bytes.count == 24 else { return 0 }
    return Int64(bigEndian(bytes[0] == 1 ? bytes[20..<24] : bytes[12..<16]))
  }

  private func sumOfDurations(_ box: Box) throws(DecodingError) -> Int64? {
    let head = try file.bytes(at: box.content.lowerBound, count: 8)
    guard head.count == 8 else { return nil }
    // A table for a constant packet length has two entries; a hostile one may claim four billion.
    let count = Int64(bigEndian(head[4..<8]))
    guard count <= 1 << 20, count * 8 <= box.content.upperBound - box.content.lowerBound - 8 else {
      return nil
    }
    let table = try file.bytes(at: box.content.lowerBound + 8, count: Int(count) * 8)
    guard table.count == Int(count) * 8 else { return nil }
    var sum: Int64 = 0
    for entry in stride(from: 0, to: table.count, by: 8) {
      let packets = Int64(bigEndian(table[entry..<(entry + 4)]))
      let duration = Int64(bigEndian(table[(entry + 4)..<(entry + 8)]))
      let (product, overflow) = packets.multipliedReportingOverflow(by: duration)
      let (next, overflowed) = sum.addingReportingOverflow(product)
      guard !overflow, !overflowed else { return nil }
      sum = next
    }
    return sum
  }

  /// Whether a data reference lacks the flag that says "in this very file".
  private mutating func pointsElsewhere(_ box: Box) throws(DecodingError) -> Bool {
    let start = box.content.lowerBound + 8
    let entries = start..<max(start, box.content.upperBound)
    var isElsewhere = false
    try walk(entries, depth: box.depth + 1) { (self, reference) throws(DecodingError) in
      let flags = try self.file.bytes(at: reference.content.lowerBound, count: 4)
      if flags.count == 4, flags[3] & 1 == 0 { isElsewhere = true }
    }
    return isElsewhere
  }

  private func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
