// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// Combines several resolvers, own recordings first, reciter by reciter: all layers of one reciter
/// come before the next reciter.
public struct LayeredResolver: AyahResolver {
  private let layers: [any AyahResolver]
  private let priority: [ReciterID]

  /// - Parameters:
  ///   - layers: the preferred one first.
  ///   - priority: the reciters in order, for searches that take anybody.
  public init(_ layers: [any AyahResolver], priority: [ReciterID]) {
    self.layers = layers
    self.priority = priority
  }

  public func clip(of ayah: AyahReference, _ query: ResolverQuery) async -> Resolution<AyahClip> {
    await first(query) { await $0.clip(of: ayah, $1) }
  }

  public func basmalah(of surah: Surah, _ query: ResolverQuery) async -> Resolution<AudioClip> {
    await first(query) { await $0.basmalah(of: surah, $1) }
  }

  /// Each layer searches only for ayat that the layers before it lack.
  public func missingAyat(in range: AyahRange, _ query: ResolverQuery) async -> [AyahRange] {
    var missing = [range]
    for layer in layers {
      var rest: [AyahReference] = []
      for range in missing {
        rest += await layer.missingAyat(in: range, query).flatMap { Array($0) }
      }
      missing = AyahRange.runs(of: rest)
    }
    return missing
  }

  private func first<Clip>(
    _ query: ResolverQuery,
    _ search: (any AyahResolver, ResolverQuery) async -> Resolution<Clip>
  ) async -> Resolution<Clip> {
    var choices: [ReciterChoice] =
      switch query.reciters {
      case .inOrder(let order): order.map { .inOrder([$0]) }
      case .anybody: priority.map { .inOrder([$0]) }
      }
    // Reciters without a place in the order, whom only the layers know.
    if query.reciters == .anybody { choices.append(.anybody) }
    var outcome = Resolution<Clip>.missing
    for choice in choices {
      var single = query
      single.reciters = choice
      for layer in layers {
        let found = await search(layer, single)
        switch found {
        case .found: return found
        case .missing: break
        case .lacking: if case .missing = outcome { outcome = found }
        // The preferred one's reason is what a person wants to hear, of those who have it.
        case .failed: if case .failed = outcome {} else { outcome = found }
        }
      }
    }
    return outcome
  }
}
