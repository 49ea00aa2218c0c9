// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// A clip and the properties that rank it.
public struct CatalogueEntry: Hashable, Sendable {
  public var clip: AyahClip
  /// Whether the whole ayah is heard; parts are never taken.
  public var isComplete = true
  /// Whether a person has confirmed it.
  public var isManual = false
  /// 0...1.
  public var confidence = 0.0
  /// Seconds since 1970.
  public var publishedAt: Int64 = 0
  public var isAvailable = true

  public init(_ clip: AyahClip) { self.clip = clip }

  /// Whether it is the better of two of one ayah by one reciter.
  func isBetter(than other: CatalogueEntry) -> Bool {
    if clip.origin != other.clip.origin { return clip.origin == .ownRecording }
    if isManual != other.isManual { return isManual }
    if confidence != other.confidence { return confidence > other.confidence }
    if publishedAt != other.publishedAt { return publishedAt > other.publishedAt }
    let (media, otherMedia) = (clip.audio.media.rawValue, other.clip.audio.media.rawValue)
    if media != otherMedia { return media < otherMedia }
    return clip.audio.span.lowerBound < other.clip.audio.span.lowerBound
  }
}

/// Resolves ayat from a list that is held in memory, such as a folder of files, one for each ayah.
public struct CatalogueResolver: AyahResolver {
  private var entries: [AyahReference: [CatalogueEntry]] = [:]
  private var basmalahs: [Surah: [(riwayah: Riwayah, reciter: ReciterID?, audio: AudioClip)]] = [:]
  private let reciters: [ReciterID]

  /// - Parameter reciters: in the order of priority; those not named follow in the order of their ids,
  ///   and recordings of nobody known come last.
  public init(reciters: [ReciterID] = []) { self.reciters = reciters }

  public mutating func add(_ entry: CatalogueEntry) {
    entries[entry.clip.ayah, default: []].append(entry)
  }

  /// If a reciter has several, the first added is preferred.
  public mutating func addBasmalah(
    of surah: Surah, _ audio: AudioClip, riwayah: Riwayah, reciter: ReciterID?
  ) {
    basmalahs[surah, default: []].append((riwayah, reciter, audio))
  }

  public func clip(of ayah: AyahReference, _ query: ResolverQuery) async -> Resolution<AyahClip> {
    best(of: ayah, query).map { .found($0) } ?? .missing
  }

  public func basmalah(of surah: Surah, _ query: ResolverQuery) async -> Resolution<AudioClip> {
    let known = (basmalahs[surah] ?? []).filter {
      $0.riwayah == query.riwayah && !query.unreadable.contains($0.audio.media)
    }
    let order = order(query.reciters, among: known.map(\.reciter))
    for reciter in order {
      if let found = known.first(where: { $0.reciter == reciter }) { return .found(found.audio) }
    }
    return .missing
  }

  func best(of ayah: AyahReference, _ query: ResolverQuery) -> AyahClip? {
    let known = (entries[ayah] ?? []).filter {
      $0.isComplete && $0.isAvailable && $0.clip.riwayah == query.riwayah
        && !query.unreadable.contains($0.clip.audio.media)
    }
    for reciter in order(query.reciters, among: known.map(\.clip.reciter)) {
      let best = known.filter { $0.clip.reciter == reciter }.min { $0.isBetter(than: $1) }
      if let best { return best.clip }
    }
    return nil
  }

  private func order(_ choice: ReciterChoice, among known: [ReciterID?]) -> [ReciterID?] {
    switch choice {
    case .inOrder(let order): return order
    case .anybody:
      let others = Set(known.compactMap(\.self)).subtracting(reciters)
      return reciters + others.sorted { $0.rawValue < $1.rawValue } + [nil]
    }
  }
}
