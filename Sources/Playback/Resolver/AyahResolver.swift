// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// Whose recitation is looked for.
public enum ReciterChoice: Hashable, Sendable {
  /// Everybody, in the order in which the resolver puts them.
  case anybody
  /// These in this order and nobody else; nil stands for recordings of nobody known.
  case inOrder([ReciterID?])
}

/// What a clip must be.
public struct ResolverQuery: Hashable, Sendable {
  public var riwayah: Riwayah
  public var reciters: ReciterChoice
  /// The one recording to look in; nil for all there are.
  public var only: MediaKey?
  /// Media that turned out to be unreadable, in which nothing is looked for.
  public var unreadable: Set<MediaKey>
  /// Of a basmalah, the ayah before which it is heard: one of the same recording sounds as that does, and
  /// comes before others of the same reciter.
  public var basmalahBefore: AudioClip?

  public init(
    riwayah: Riwayah, reciters: ReciterChoice = .anybody, only: MediaKey? = nil,
    unreadable: Set<MediaKey> = []
  ) {
    self.riwayah = riwayah
    self.reciters = reciters
    self.only = only
    self.unreadable = unreadable
  }
}

/// What a search came to.
public enum Resolution<Clip: Sendable & Hashable>: Hashable, Sendable {
  case found(Clip)
  case missing
  /// Whoever was asked does not have it; the reason in words.
  case lacking(String)
  /// It could not be looked for; the reason in words. Play goes on as if it were missing.
  case failed(String)

  /// Why it is not found, if that is known.
  public var reason: String? {
    switch self {
    case .lacking(let reason), .failed(let reason): reason
    case .found, .missing: nil
    }
  }
}

/// Something that knows where ayat are heard.
///
/// The best clip is that of the first reciter in order who has any; of that reciter one's own
/// recordings before downloaded files, then one a person confirmed before an automatic one, then the
/// surest, then the newest, and in one recording the first. Only whole ayat count, in the riwayah asked
/// for, in files that can be read now. Must not block one of Swift's own threads for long.
public protocol AyahResolver: Sendable {
  func clip(of ayah: AyahReference, _ query: ResolverQuery) async -> Resolution<AyahClip>

  /// The recorded basmalah of a surah, where it is no ayah, by one of the reciters; the best, as above.
  func basmalah(of surah: Surah, _ query: ResolverQuery) async -> Resolution<AudioClip>

  /// The ayat of a range of which there is no clip, in order.
  func missingAyat(in range: AyahRange, _ query: ResolverQuery) async -> [AyahRange]
}

extension AyahResolver {
  /// Looks for one after another; a resolver that can do better implements it.
  public func missingAyat(in range: AyahRange, _ query: ResolverQuery) async -> [AyahRange] {
    var missing: [AyahReference] = []
    for ayah in range {
      if case .found = await clip(of: ayah, query) { continue }
      missing.append(ayah)
    }
    return AyahRange.runs(of: missing)
  }
}
