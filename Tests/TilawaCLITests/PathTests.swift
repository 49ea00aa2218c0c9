// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TilawaCLI

struct PathTests {
  @Test(arguments: [
    ("/a/b", "/a/b"), ("/a//b/", "/a/b"), ("/a/./b/../c", "/a/c"), ("/", "/"), ("/..", "/"),
    // To Swift the slash and the mark after it are one character.
    ("/a/\u{064B}b/c", "/a/\u{064B}b/c"), ("/a/\u{0301}/../c", "/a/c"),
  ])
  func isMadeAbsolute(_ path: String, _ expected: String) {
    #expect(UserFolders.absolute(path) == expected)
  }
}
