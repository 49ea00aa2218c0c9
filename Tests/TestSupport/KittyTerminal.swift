// SPDX-License-Identifier: GPL-3.0-or-later

import CZlib

/// What a terminal with kitty's graphics protocol makes of the bytes that a program writes, as far as images
/// go. Written from the protocol, not from the program.
public struct KittyTerminal: Sendable {
  public struct Image: Hashable, Sendable {
    public var width: Int
    public var height: Int
    /// Bytes of a pixel.
    public var channels: Int
    public var bytes: [UInt8]

    /// The bytes of one pixel.
    public func pixel(_ column: Int, _ row: Int) -> [UInt8] {
      let start = (row * width + column) * channels
      return Array(bytes[start..<start + channels])
    }
  }

  /// In cells, counted from 0.
  public struct Placement: Hashable, Sendable {
    public var column: Int
    public var row: Int
    public var columns: Int
    public var rows: Int
    public var layer: Int

    public init(column: Int, row: Int, columns: Int, rows: Int, layer: Int) {
      (self.column, self.row) = (column, row)
      (self.columns, self.rows) = (columns, rows)
      self.layer = layer
    }
  }

  public private(set) var images: [UInt32: Image] = [:]
  public private(set) var placements: [UInt32: Placement] = [:]
  /// The columns and rows of images that are shown where a text says.
  public private(set) var placementsByText: [UInt32: [Int]] = [:]
  /// Images that came in whole.
  public private(set) var transmitted: [Image] = []
  /// Images that were asked about, by number.
  public private(set) var queries: [UInt32] = []
  public private(set) var deletions: [UInt32] = []
  /// What breaks the protocol.
  public private(set) var faults: [String] = []

  /// What it has answered; for a program that waits for that.
  public private(set) var replies: [UInt8] = []
  // Of what `follow` was given and has answered.
  private var (seen, answered) = (0, 0)
  /// Whether it says that it knows the protocol.
  public var admitsIt = true

  private var rest: [UInt8] = []
  private var cursor = (column: 0, row: 0)
  private var transfer: (keys: [String: String], data: [UInt8])?

  public init() {}

  /// The images on the screen and their places, by number.
  public var shown: [(image: Image, placement: Placement)] {
    placements.keys.sorted().compactMap { number in
      guard let image = images[number], let placement = placements[number] else { return nil }
      return (image, placement)
    }
  }

  /// Takes what has been written to a terminal since the last time, and answers there what is asked.
  public mutating func follow(_ terminal: PseudoTerminal) {
    interpret(terminal.output[seen...])
    seen = terminal.output.count
    let new = replies[answered...]
    answered = replies.count
    if !new.isEmpty { terminal.send(String(decoding: new, as: UTF8.self)) }
  }

  /// Takes in what a program writes, cut anywhere.
  public mutating func interpret(_ bytes: some Sequence<UInt8>) {
    rest += bytes
    var index = 0
    while index < rest.count {
      guard rest[index] == 0x1B else {
        index += 1
        continue
      }
      guard index + 1 < rest.count else { break }
      switch rest[index + 1] {
      case UInt8(ascii: "_"):
        guard let end = endOfString(from: index + 2) else {
          rest.removeFirst(index)
          return
        }
        take(Array(rest[index + 2..<end]))
        index = end + 2
      case UInt8(ascii: "["):
        guard let end = rest[(index + 2)...].firstIndex(where: { 0x40...0x7E ~= $0 }) else {
          rest.removeFirst(index)
          return
        }
        if rest[end] == UInt8(ascii: "H") { move(rest[index + 2..<end]) }
        answer(String(decoding: rest[index + 2...end], as: UTF8.self))
        index = end + 1
      default: index += 2
      }
    }
    rest.removeFirst(min(index, rest.count))
  }

  private func endOfString(from start: Int) -> Int? {
    var index = start
    while index + 1 < rest.count {
      if rest[index] == 0x1B, rest[index + 1] == UInt8(ascii: "\\") { return index }
      index += 1
    }
    return nil
  }

  /// Receipts, the attributes of a terminal without sixels, cells of 10 by 20 pixels.
  private mutating func answer(_ question: String) {
    switch question {
    case "5n": replies += "\u{1B}[0n".utf8
    case "c": replies += "\u{1B}[?62;c".utf8
    case "16t": replies += "\u{1B}[6;20;10t".utf8
    default: break
    }
  }

  private mutating func move(_ parameters: ArraySlice<UInt8>) {
    let numbers = String(decoding: parameters, as: UTF8.self)
      .split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 1 }
    cursor = (column: (numbers.dropFirst().first ?? 1) - 1, row: (numbers.first ?? 1) - 1)
  }

  private mutating func take(_ string: [UInt8]) {
    guard string.first == UInt8(ascii: "G") else { return }
    let parts = string.dropFirst().split(
      separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
    var keys: [String: String] = [:]
    for pair in String(decoding: parts[0], as: UTF8.self).split(separator: ",") {
      let halves = pair.split(separator: "=", maxSplits: 1)
      if halves.count == 2 { keys[String(halves[0])] = String(halves[1]) }
    }
    let data = parts.count > 1 ? Array(parts[1]) : []
    if data.count > 4096 { faults.append("\(data.count) bytes at a time") }
    if let transfer {
      guard Set(keys.keys).isSubset(of: ["m", "q"]) else {
        faults.append("\(keys) within a transfer")
        return
      }
      // Nothing more to come, and nothing with it: it was given up.
      let isGivenUp = data.isEmpty && keys["m"] == "0"
      self.transfer = isGivenUp ? nil : (transfer.keys, transfer.data + data)
    } else if !Set(keys.keys).isSubset(of: ["m", "q"]) {
      let number = UInt32(keys["i"] ?? "") ?? 0
      switch keys["a"] ?? "t" {
      case "q":
        queries.append(number)
        if admitsIt { replies += "\u{1B}_Gi=\(number);OK\u{1B}\\".utf8 }
      case "t": transfer = (keys, data)
      case "p" where keys["U"] == "1": placeByText(number, keys)
      case "p": place(number, keys)
      case "d":
        if keys["d"] != "I" { faults.append("deletes \(keys)") }
        images[number] = nil
        placements[number] = nil
        placementsByText[number] = nil
        deletions.append(number)
      default: faults.append("unknown \(keys)")
      }
      if keys["a"] != "q", keys["q"] != "2" { faults.append("wants an answer: \(keys)") }
    }
    if (keys["m"] ?? "0") == "0" { finish() }
  }

  private mutating func place(_ number: UInt32, _ keys: [String: String]) {
    guard images[number] != nil, keys["C"] == "1", let columns = Int(keys["c"] ?? ""),
      let rows = Int(keys["r"] ?? "")
    else {
      faults.append("places \(keys)")
      return
    }
    placements[number] = Placement(
      column: cursor.column, row: cursor.row, columns: columns, rows: rows,
      layer: Int(keys["z"] ?? "") ?? 0)
  }

  private mutating func placeByText(_ number: UInt32, _ keys: [String: String]) {
    guard images[number] != nil, let columns = Int(keys["c"] ?? ""), let rows = Int(keys["r"] ?? "")
    else {
      faults.append("places \(keys)")
      return
    }
    placementsByText[number] = [columns, rows]
  }

  private mutating func finish() {
    guard let (keys, text) = transfer else { return }
    transfer = nil
    let data = Self.base64(text)
    var image = Image(
      width: Int(keys["s"] ?? "") ?? 0, height: Int(keys["v"] ?? "") ?? 0,
      channels: (Int(keys["f"] ?? "") ?? 32) / 8, bytes: data)
    if keys["o"] == "z" {
      image.bytes = Self.inflated(data, count: image.width * image.height * image.channels) ?? []
    }
    guard image.bytes.count == image.width * image.height * image.channels,
      let number = UInt32(keys["i"] ?? "")
    else {
      faults.append("\(image.bytes.count) bytes for \(keys)")
      return
    }
    images[number] = image
    placements[number] = nil
    placementsByText[number] = nil
    transmitted.append(image)
  }

  /// The bytes of a zlib stream; nil where they are not so many.
  public static func inflated(_ bytes: [UInt8], count: Int) -> [UInt8]? {
    var length = uLongf(count)
    var result = Z_OK
    let inflated = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      result = uncompress(buffer.baseAddress, &length, bytes, uLong(bytes.count))
      used = result == Z_OK ? Int(length) : 0
    }
    return result == Z_OK && inflated.count == count ? inflated : nil
  }

  static func base64(_ text: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var (bits, count): (UInt32, Int) = (0, 0)
    for letter in text {
      let value: UInt8
      switch letter {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = letter - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = letter - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = letter - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      default: continue
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
