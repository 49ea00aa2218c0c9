// SPDX-License-Identifier: GPL-3.0-or-later

import AcousticModel

extension AcousticNetwork {
  /// The built-in network.
  public static let builtIn: AcousticNetwork = {
    let bytes = Base85.decode(AcousticModelTable.text, count: AcousticModelTable.byteCount)
    do throws(AcousticWeightsError) {
      return AcousticNetwork(try AcousticWeights(bytes))
    } catch {
      // A test reads them, so such a program is never handed out.
      preconditionFailure("the built-in acoustic weights are \(error.text)")
    }
  }()
}

extension AcousticWeights {
  /// Reads the contents of a weights file.
  public init(_ bytes: [UInt8]) throws(AcousticWeightsError) {
    var result = Result<AcousticWeights, AcousticWeightsError>.failure(.wrongLength)
    bytes.withUnsafeBytes { raw in
      result = Result { () throws(AcousticWeightsError) in try AcousticWeights(raw) }
    }
    self = try result.get()
  }
}

/// Bytes as text: each four as five digits, most significant first (RFC 1924).
enum Base85 {
  private static let digits = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~".utf8)

  /// - Parameter count: how many bytes there are; what is not a digit is passed over.
  static func decode(_ text: StaticString, count: Int) -> [UInt8] {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 4)
    var word: UInt32 = 0
    var place = 0
    for index in 0..<text.utf8CodeUnitCount {
      let value = values[Int(text.utf8Start[index])]
      guard value < 85 else { continue }
      word = word &* 85 &+ UInt32(value)
      place += 1
      guard place == 5 else { continue }
      for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
      word = 0
      place = 0
    }
    return Array(bytes.prefix(count))
  }
}
