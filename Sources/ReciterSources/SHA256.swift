// SPDX-License-Identifier: GPL-3.0-or-later

/// SHA-256, as FIPS 180-4 has it: by this others can compare a file with what `sha256sum` says.
struct SHA256 {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]
  private var block: [UInt8] = []
  private var count: UInt64 = 0

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    count &+= UInt64(bytes.count)
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = rest.prefix(64 - block.count)
      block.append(contentsOf: part)
      rest = rest.dropFirst(part.count)
      if block.count == 64 { compress() }
    }
  }

  /// In hexadecimal digits.
  mutating func digest() -> String {
    let bits = count &* 8
    block.append(0x80)
    if block.count > 56 {
      block += [UInt8](repeating: 0, count: 64 - block.count)
      compress()
    }
    block += [UInt8](repeating: 0, count: 56 - block.count)
    for shift in stride(from: 56, through: 0, by: -8) {
      block.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    compress()
    return state.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  private mutating func compress() {
    var words = [UInt32](repeating: 0, count: 64)
    for index in 0..<16 {
      let bytes = block[index * 4..<index * 4 + 4]
      words[index] = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (near, far) = (words[index - 15], words[index - 2])
      let first = near.rotated(7) ^ near.rotated(18) ^ near >> 3
      let second = far.rotated(17) ^ far.rotated(19) ^ far >> 10
      words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let high = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
      let one = h &+ high &+ (e & f ^ ~e & g) &+ Self.constants[index] &+ words[index]
      let low = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
      let two = low &+ (a & b ^ a & c ^ b & c)
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ one, c, b, a, one &+ two)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    block.removeAll(keepingCapacity: true)
  }

  /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = {
    var primes: [UInt64] = []
    var number: UInt64 = 2
    while primes.count < 64 {
      if primes.allSatisfy({ number % $0 != 0 }) { primes.append(number) }
      number += 1
    }
    return primes.map { prime in
      // The greatest whole number whose cube is at most prime * 2^96.
      var root: UInt64 = 0
      for bit in (0...35).reversed() {
        let next = root | 1 << UInt64(bit)
        let cube = UInt128(next) * UInt128(next) * UInt128(next)
        if cube <= UInt128(prime) << 96 { root = next }
      }
      return UInt32(truncatingIfNeeded: root)
    }
  }()
}

extension UInt32 {
  fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
