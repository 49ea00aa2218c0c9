// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// A numeric IPv4 or IPv6 address, as far as it matters whether a download may come from there.
public struct NetworkAddress: Hashable, Sendable {
  /// Where an address leads.
  public enum Reach: String, Hashable, Sendable {
    /// Anywhere on the internet.
    case everywhere = "public"
    case loopback
    case linkLocal = "link-local"
    /// A network of one's own, by RFC 1918, RFC 4193 and RFC 6598.
    case privateNetwork = "private"
    /// Not a single host on the internet: multicast, unspecified, reserved.
    case reserved
  }

  /// 16 bytes; IPv4 is kept as mapped into IPv6.
  private let bytes: [UInt8]

  /// Nil for what is no numeric address. A zone (`fe80::1%eth0`) is ignored.
  public init?(_ text: String) {
    let text = String(text.prefix { $0 != "%" })
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      bytes = Self.mappedPrefix + withUnsafeBytes(of: four) { Array($0) }
      return
    }
    var six = in6_addr()
    guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
    bytes = withUnsafeBytes(of: six) { Array($0) }
  }

  /// The host of a URL, in which IPv6 stands in brackets; nil for a name.
  init?(host: String) {
    self.init(
      host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host)
  }

  /// Whether a name stands for this machine by RFC 6761.
  static func isLoopbackName(_ host: String) -> Bool {
    let host = host.lowercased()
    return host == "localhost" || host.hasSuffix(".localhost")
  }

  /// Where the host of a URL leads as far as it says so itself; nil for a name that has to be looked up, and for no host.
  public static func reach(namedIn url: String) -> Reach? {
    guard let host = HTTPTransfer.hostAndPort(of: url)?.host else { return nil }
    return isLoopbackName(host) ? .loopback : NetworkAddress(host: host)?.reach
  }

  private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
  /// RFC 6052: the last four bytes are an IPv4 address behind a translator.
  private static let translatedPrefix: [UInt8] =
    [0, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8)

  public var reach: Reach {
    if bytes.starts(with: Self.mappedPrefix) || bytes.starts(with: Self.translatedPrefix) {
      return Self.reach(ofFour: bytes.suffix(4))
    }
    if bytes.dropLast().allSatisfy({ $0 == 0 }) {
      return bytes[15] == 1 ? .loopback : .reserved
    }
    // The long forgotten "IPv4-compatible" addresses; and 6to4, RFC 3056, which holds one in bytes 2 to 5.
    if bytes.prefix(12).allSatisfy({ $0 == 0 }) { return Self.reach(ofFour: bytes.suffix(4)) }
    if bytes[0] == 0x20, bytes[1] == 0x02 { return Self.reach(ofFour: bytes[2..<6]) }
    if bytes[0] == 0xFE, bytes[1] & 0xC0 == 0x80 { return .linkLocal }
    if bytes[0] & 0xFE == 0xFC || (bytes[0] == 0xFE && bytes[1] & 0xC0 == 0xC0) {
      return .privateNetwork
    }
    // Only 2000::/3 is given out (RFC 4291).
    return bytes[0] & 0xE0 == 0x20 ? .everywhere : .reserved
  }

  /// By the IANA's registry of special-purpose addresses (RFC 6890).
  private static func reach(ofFour address: some Collection<UInt8>) -> Reach {
    let four = Array(address)
    switch (four[0], four[1]) {
    case (127, _): return .loopback
    case (169, 254): return .linkLocal
    case (10, _), (192, 168), (172, 16...31), (100, 64...127): return .privateNetwork
    case (0, _), (224...255, _), (198, 18...19): return .reserved
    case (192, 0) where four[2] == 0: return .reserved
    default: return .everywhere
    }
  }
}
