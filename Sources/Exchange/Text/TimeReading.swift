// SPDX-License-Identifier: GPL-3.0-or-later

/// Times as other programs and people write them.
enum TimeReading {
  /// No recording lasts longer, 31 years.
  static let latest = 1e9

  /// A decimal number of seconds, with point or comma, perhaps with an exponent: `83.5`, `8,35e1`.
  ///
  /// Nil for anything else, also for what `Double` takes beyond that: `nan`, `inf`, `0x1p3`.
  static func decimal(_ text: some StringProtocol) -> Double? {
    let bytes = text.utf8
    guard !bytes.isEmpty, bytes.count <= 64 else { return nil }
    var hasComma = false
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"):
        break
      case UInt8(ascii: ","): hasComma = true
      default: return nil
      }
    }
    let number =
      hasComma ? Double(text.map { $0 == "," ? "." : String($0) }.joined()) : Double(text)
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Hours, minutes and seconds as seconds: `1:02:03.5`, `62:03,5`; nil without a colon.
  static func clock(_ text: some StringProtocol) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let last = parts.last,
      last.utf8.first.map(isDigit) == true, let seconds = decimal(last), seconds < 60
    else { return nil }
    var minutes = 0.0
    for part in parts.dropLast() {
      guard !part.isEmpty, part.utf8.count <= 9, part.utf8.allSatisfy(isDigit),
        let number = Double(part)
      else { return nil }
      minutes = minutes * 60 + number
    }
    return minutes * 60 + seconds
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}

extension LabelFormat {
  /// A time that may be one of a recording.
  func checked(_ seconds: Double, at place: TextPlace) throws(ExchangeError) -> Double {
    guard seconds >= 0 else {
      throw fault(place, "a negative time; times count from 0")
    }
    guard seconds <= TimeReading.latest else {
      throw fault(place, "a time over 1,000,000,000 seconds")
    }
    return seconds
  }

  /// A decimal number of seconds that may be a time of a recording.
  func seconds(
    _ text: some StringProtocol, at place: TextPlace
  ) throws(ExchangeError) -> Double {
    guard let seconds = TimeReading.decimal(text) else {
      throw fault(place, "\(quoted(String(text))) is not a number of seconds")
    }
    return try checked(seconds, at: place)
  }

  /// That `end` does not come before `start`.
  func checkOrder(
    _ start: Double, _ end: Double, at place: TextPlace
  ) throws(ExchangeError) {
    guard start <= end else {
      throw fault(place, "the end, \(end) s, is before the start, \(start) s; swap them")
    }
  }
}
