// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// What the title says of the recording; texts are as they came, and made safe where they are drawn.
public struct RecordingCard: Hashable, Sendable {
  public var title: String
  public var reciter: String
  public var riwayah: Riwayah

  public init(title: String, reciter: String = "", riwayah: Riwayah = .hafs) {
    self.title = title
    self.reciter = reciter
    self.riwayah = riwayah
  }
}

extension RecordingCard {
  /// The surah that the title names, as files are named: `036.mp3`, `emad_036`, `Surah Ya-Sin`.
  var namedSurah: Surah? {
    let name = title.prefix { $0 != "." }.lowercased()
    let numbers: [Substring] = name.split { !($0.isASCII && $0.isNumber) }
    let long = numbers.filter { $0.count == 3 }
    if long.count == 1, let number = Int(long[0]) { return Surah(number) }
    let words: [Substring] = name.split { $0 == " " || $0 == "_" }
    guard let index = words.firstIndex(where: { $0 == "surah" || $0 == "surat" }) else {
      return nil
    }
    let rest = words[(index + 1)...].joined(separator: " ")
    return rest.isEmpty ? nil : try? Surah(parsing: rest)
  }
}
