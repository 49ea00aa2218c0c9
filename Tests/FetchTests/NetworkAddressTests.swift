// SPDX-License-Identifier: GPL-3.0-or-later

import Fetch
import Testing

@Suite("Where addresses lead")
struct NetworkAddressTests {
  @Test(arguments: [
    ("8.8.8.8", NetworkAddress.Reach.everywhere), ("2606:4700::1111", .everywhere),
    ("127.0.0.1", .loopback), ("127.255.0.9", .loopback), ("::1", .loopback),
    ("::ffff:127.0.0.1", .loopback), ("::127.0.0.1", .loopback), ("64:ff9b::7f00:1", .loopback),
    ("2002:7f00:1::", .loopback), ("169.254.169.254", .linkLocal), ("fe80::1", .linkLocal),
    ("fe80::1%eth0", .linkLocal), ("10.1.2.3", .privateNetwork), ("172.16.0.1", .privateNetwork),
    ("172.32.0.1", .everywhere), ("192.168.1.1", .privateNetwork), ("100.64.0.1", .privateNetwork),
    ("fd00::1", .privateNetwork), ("fec0::1", .privateNetwork), ("0.0.0.0", .reserved),
    ("::", .reserved), ("224.0.0.1", .reserved), ("ff02::1", .reserved),
    ("255.255.255.255", .reserved),
  ])
  func reach(text: String, reach: NetworkAddress.Reach) {
    #expect(NetworkAddress(text)?.reach == reach)
  }

  @Test(arguments: ["", "localhost", "1.2.3", "127.1", "0x7f.0.0.1", "1::2::3"])
  func noAddress(text: String) { #expect(NetworkAddress(text) == nil) }

  @Test(arguments: [
    ("http://127.0.0.1:8000/a.mp3", NetworkAddress.Reach.loopback), ("http://[::1]/", .loopback),
    ("https://LocalHost/", .loopback), ("https://nas.localhost/", .loopback),
    ("https://192.168.1.5/{surah:3}.mp3", .privateNetwork), ("https://8.8.8.8/", .everywhere),
    ("https://example.org/", nil), ("https://localhost.example.org/", nil), ("nothing", nil),
  ])
  func reachThatAURLNames(url: String, reach: NetworkAddress.Reach?) {
    #expect(NetworkAddress.reach(namedIn: url) == reach)
  }
}
