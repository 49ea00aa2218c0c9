// SPDX-License-Identifier: GPL-3.0-or-later

extension StringProtocol {
  /// A word of a command that a message advises, as a shell reads it: quoted where it has to be.
  public var commandWord: String {
    let isPlain =
      !isEmpty
      && unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || "-_./:@%+,".unicodeScalars.contains(scalar)
      }
    guard !isPlain else { return String(self) }
    var quoted = "\""
    for scalar in unicodeScalars {
      if "\"\\$`".unicodeScalars.contains(scalar) { quoted.append("\\") }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
