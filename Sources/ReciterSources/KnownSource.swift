// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// A published recitation whose addresses are well known, to be offered. Nothing here is ever asked for unless the user
/// adds it as a source and fetches from it.
public struct KnownSource: Hashable, Sendable, Identifiable {
  public let id: String
  public let reciter: String
  public let riwayah: Riwayah
  /// What a `SourcePattern` is made of.
  public let pattern: String

  /// What is known of the terms: neither site states a licence with its files.
  public static let terms =
    "these files come without a stated licence; the rights belong to the reciters and publishers"

  /// By a site, the name that it gives the recitation there.
  public static let all: [KnownSource] = [
    ayat("husary", "Mahmoud Khalil Al-Husary", "Husary_128kbps"),
    ayat("minshawi", "Mohamed Siddiq El-Minshawi", "Minshawy_Murattal_128kbps"),
    ayat("minshawi-mujawwad", "Mohamed Siddiq El-Minshawi", "Minshawy_Mujawwad_192kbps"),
    ayat("abdul-basit", "Abdul Basit Abdus Samad", "Abdul_Basit_Murattal_192kbps"),
    ayat("abdul-basit-mujawwad", "Abdul Basit Abdus Samad", "Abdul_Basit_Mujawwad_128kbps"),
    ayat("alafasy", "Mishary Rashid Alafasy", "Alafasy_128kbps"),
    ayat("sudais", "Abdur-Rahman As-Sudais", "Abdurrahmaan_As-Sudais_192kbps"),
    ayat("shuraym", "Saud Ash-Shuraym", "Saood_ash-Shuraym_128kbps"),
    ayat("muaiqly", "Maher Al-Muaiqly", "MaherAlMuaiqly128kbps"),
    ayat("ghamdi", "Saad Al-Ghamdi", "Ghamadi_40kbps"),
    ayat("hudhaify", "Ali Al-Hudhaify", "Hudhaify_128kbps"),
    ayat("ayyoub", "Muhammad Ayyoub", "Muhammad_Ayyoub_128kbps"),
    ayat("dussary", "Yasser Ad-Dussary", "Yasser_Ad-Dussary_128kbps"),
    surahs("husary-surahs", "Mahmoud Khalil Al-Husary", "server13.mp3quran.net/husr"),
    surahs("minshawi-surahs", "Mohamed Siddiq El-Minshawi", "server10.mp3quran.net/minsh"),
    surahs("abdul-basit-surahs", "Abdul Basit Abdus Samad", "server7.mp3quran.net/basit"),
    surahs("alafasy-surahs", "Mishary Rashid Alafasy", "server8.mp3quran.net/afs"),
    surahs("sudais-surahs", "Abdur-Rahman As-Sudais", "server11.mp3quran.net/sds"),
    surahs("shuraym-surahs", "Saud Ash-Shuraym", "server7.mp3quran.net/shur"),
  ]

  /// A file for each ayah, of everyayah.com.
  private static func ayat(_ id: String, _ reciter: String, _ folder: String) -> KnownSource {
    KnownSource(
      id: id, reciter: reciter, riwayah: .hafs,
      pattern: "https://everyayah.com/data/\(folder)/{surah:3}{ayah:3}.mp3")
  }

  /// A file for each surah, of mp3quran.net.
  private static func surahs(_ id: String, _ reciter: String, _ place: String) -> KnownSource {
    KnownSource(
      id: id, reciter: reciter, riwayah: .hafs, pattern: "https://\(place)/{surah:3}.mp3")
  }
}
