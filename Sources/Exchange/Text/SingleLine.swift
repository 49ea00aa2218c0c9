// SPDX-License-Identifier: GPL-3.0-or-later

extension Unicode.Scalar {
  /// Whether a program that shows text would act on the scalar rather than draw it: controls, line
  /// and paragraph separators, bidirectional embeddings, overrides and isolates. All are below
  /// U+10000.
  var actsOnLines: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

/// Text for formats that end a field at a tab or newline: a space for each scalar that acts on lines.
func singleLine(_ text: String) -> String { replacingControls(in: text) { _ in " " } }

/// Text for formats whose fields may hold several lines: as ``singleLine(_:)``, but newlines stay.
func severalLines(_ text: String) -> String {
  replacingControls(in: text) { $0 == "\n" ? "\n" : " " }
}

private func replacingControls(
  in text: String, with replacement: (Unicode.Scalar) -> Unicode.Scalar
) -> String {
  guard text.unicodeScalars.contains(where: \.actsOnLines) else { return text }
  var replaced = ""
  for scalar in text.unicodeScalars {
    replaced.unicodeScalars.append(scalar.actsOnLines ? replacement(scalar) : scalar)
  }
  return replaced
}
