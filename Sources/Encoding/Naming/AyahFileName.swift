// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
public import Quran

/// The name of the file of an ayah: `002255.mp3`, three digits for the surah and three for the ayah.
///
/// It is made of digits, the word for a part and the extension of a known kind, so it can neither leave
/// its folder nor be misread, whatever tags and titles say.
public struct AyahFileName: Hashable, Sendable, CustomStringConvertible {
  public let ayah: AyahReference
  /// Nil when the ayah is whole.
  public let part: AyahPart?
  /// How many times the same ayah, or the same part of it, has been heard up to here; from 1.
  public let repetition: Int
  public let kind: AudioFileKind

  public init(
    _ ayah: AyahReference, part: AyahPart? = nil, repetition: Int = 1, kind: AudioFileKind
  ) {
    self.ayah = ayah
    self.part = part
    self.repetition = repetition
    self.kind = kind
  }

  /// `002255.mp3`, the second time `002255-2.mp3`, a part `002255-end.mp3` and `002255-end-2.mp3`.
  public var description: String {
    var name = padded(ayah.surah.number) + padded(ayah.ayah)
    if let part { name += "-\(part.rawValue)" }
    if repetition > 1 { name += "-\(repetition)" }
    return "\(name).\(kind.fileExtension)"
  }

  private func padded(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 3 - digits.count)) + digits
  }
}
