// SPDX-License-Identifier: GPL-3.0-or-later

// By bytes, as the system sees it: to Swift a slash and an accent after it are one character.

/// What comes after the last slash of a path.
package func fileName(of path: String) -> String {
  let name = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed()
  return String(decoding: Array(name), as: UTF8.self)
}

/// What comes before the last slash of a path; nil where there is none, or none but the first.
package func parentFolder(of path: String) -> String? {
  let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
  guard let slash, slash > path.utf8.startIndex else { return nil }
  return String(decoding: Array(path.utf8[..<slash]), as: UTF8.self)
}
