// SPDX-License-Identifier: GPL-3.0-or-later

/// Commands of kitty's graphics protocol, as bytes.
///
/// Source: kitty's "Terminal graphics protocol". None asks for an answer, except ``query``.
public enum KittyGraphics {
  /// The number that the query's answer carries.
  static let queryNumber = 31

  /// Asks whether the terminal knows the protocol, by an image that it does not keep.
  public static let query = Array("\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\".utf8)

  /// Bytes of an image in one command, as the protocol allows.
  static let chunk = 4096

  /// Gives the terminal an image under a number, without showing it; in commands, of which no other
  /// command for images may come between.
  public static func transmit(_ raster: PixelRaster, number: UInt32) -> [[UInt8]] {
    let squeezed = Zlib.compressed(raster.bytes).flatMap {
      $0.count < raster.bytes.count ? $0 : nil
    }
    let isSqueezed = squeezed != nil
    let data = Base64.encode(squeezed ?? raster.bytes)
    let starts = stride(from: 0, to: max(data.count, 1), by: chunk)
    return starts.map { start in
      let end = min(start + chunk, data.count)
      var keys = start == 0 ? Self.keys(raster, number, isSqueezed: isSqueezed) : ""
      keys += "m=\(end < data.count ? 1 : 0)"
      if start > 0 { keys += ",q=2" }
      return command(keys, data[start..<end])
    }
  }

  private static func keys(_ raster: PixelRaster, _ number: UInt32, isSqueezed: Bool) -> String {
    "a=t,t=d,f=\(8 * raster.channels),s=\(raster.width),v=\(raster.height),i=\(number),q=2,"
      + (isSqueezed ? "o=z," : "")
  }

  /// Shows an image behind the text of a rectangle of cells, or moves it there; the cursor stays.
  public static func place(number: UInt32, in rect: Rect) -> [UInt8] {
    Array("\u{1B}7\u{1B}[\(rect.origin.row + 1);\(rect.origin.column + 1)H".utf8)
      + command(
        "a=p,i=\(number),p=1,c=\(rect.size.columns),r=\(rect.size.rows),z=-1,C=1,q=2", [])
      + Array("\u{1B}8".utf8)
  }

  /// Lets an image be shown in the cells that have its placeholders, with these as its size.
  public static func placeByText(number: UInt32, size: Size) -> [UInt8] {
    command("a=p,U=1,i=\(number),p=1,c=\(size.columns),r=\(size.rows),q=2", [])
  }

  /// Ends an image that has not come whole, if there is one: a terminal would take what another program sends
  /// for the rest of it.
  static let giveUp = command("m=0,q=2", [])

  /// Takes an image off the screen and out of the terminal's memory.
  public static func delete(number: UInt32) -> [UInt8] {
    command("a=d,d=I,i=\(number),q=2", [])
  }

  private static func command(_ keys: String, _ data: ArraySlice<UInt8>) -> [UInt8] {
    var bytes = Array("\u{1B}_G".utf8)
    bytes.reserveCapacity(data.count + keys.utf8.count + 8)
    bytes += keys.utf8
    if !data.isEmpty {
      bytes.append(UInt8(ascii: ";"))
      bytes += data
    }
    return bytes + [0x1B, UInt8(ascii: "\\")]
  }
}

/// RFC 4648, with padding.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    let alphabet = alphabet
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let second = start + 1 < bytes.count ? Int(bytes[start + 1]) : nil
      let third = start + 2 < bytes.count ? Int(bytes[start + 2]) : nil
      let bits = Int(bytes[start]) << 16 | (second ?? 0) << 8 | (third ?? 0)
      text.append(alphabet[bits >> 18])
      text.append(alphabet[bits >> 12 & 63])
      text.append(second == nil ? UInt8(ascii: "=") : alphabet[bits >> 6 & 63])
      text.append(third == nil ? UInt8(ascii: "=") : alphabet[bits & 63])
    }
    return text
  }
}
