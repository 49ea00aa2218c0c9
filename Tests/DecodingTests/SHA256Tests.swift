// SPDX-License-Identifier: GPL-3.0-or-later

import Decoding
import Testing

struct SHA256Tests {
  /// The examples of FIPS 180-4, and the edges of a block, in pieces.
  @Test func hashesAsTheStandardDoes() {
    func hash(_ text: String) -> String {
      var hash = SHA256()
      // In pieces of any length.
      for byte in Array(text.utf8) { withUnsafeBytes(of: byte) { hash.update($0) } }
      return hash.digest()
    }
    #expect(hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(
      hash(String(repeating: "a", count: 64))
        == "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb")
  }
}
