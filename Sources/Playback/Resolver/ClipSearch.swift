// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
public import Quran

/// What the queue must know before it can go on.
enum ClipNeed: Hashable, Sendable {
  case ayah(AyahReference)
  /// By the reciter of the surah's first ayah.
  case basmalah(of: Surah, like: AyahClip)
}

/// What was found of it.
enum ClipAnswer: Hashable, Sendable {
  case ayah(Resolution<AyahClip>)
  case basmalah(Resolution<AudioClip>)
}

extension PlaybackRequest {
  /// The clip that is heard for an ayah, as a resolver has it now; nil where it has none.
  public func clip(of ayah: AyahReference, with resolver: any AyahResolver) async -> AyahClip? {
    guard
      case .ayah(.found(let clip)) = await ClipSearch(request: self, unreadable: [])
        .find(.ayah(ayah), with: resolver)
    else { return nil }
    return clip
  }
}

/// Looks for clips by the rules of a request, whatever the resolver is.
struct ClipSearch: Sendable {
  let request: PlaybackRequest
  let unreadable: Set<MediaKey>

  func find(_ need: ClipNeed, with resolver: any AyahResolver) async -> ClipAnswer {
    switch need {
    case .ayah(let ayah): .ayah(await clip(of: ayah, resolver))
    case .basmalah(let surah, let clip): .basmalah(await basmalah(of: surah, clip, resolver))
    }
  }

  private func clip(
    of ayah: AyahReference, _ resolver: any AyahResolver
  ) async -> Resolution<AyahClip> {
    let preferred = checked(await resolver.clip(of: ayah, query(request.reciters)), ayah)
    if case .found = preferred { return preferred }
    guard request.fillsFromOthers, request.only == nil, request.reciters != .anybody else {
      return preferred
    }
    let other = checked(await resolver.clip(of: ayah, query(.anybody)), ayah)
    return switch (other, preferred) {
    case (.found, _), (.failed, .missing), (.failed, .lacking), (.lacking, .missing): other
    // Why the chosen ones are not heard is what was asked.
    case (.missing, _), (.lacking, _), (.failed, _): preferred
    }
  }

  private func basmalah(
    of surah: Surah, _ clip: AyahClip, _ resolver: any AyahResolver
  ) async -> Resolution<AudioClip> {
    var sameReciter = query(.inOrder([clip.reciter]))
    sameReciter.basmalahBefore = clip.audio
    let recorded = await resolver.basmalah(of: surah, sameReciter)
    if case .found(let audio) = recorded, isUsable(audio) { return recorded }
    switch checked(await resolver.clip(of: .first, sameReciter), .first) {
    case .found(let first): return .found(first.audio)
    case .missing: return .missing
    case .lacking(let reason): return .lacking(reason)
    case .failed(let reason): return .failed(reason)
    }
  }

  private func query(_ reciters: ReciterChoice) -> ResolverQuery {
    ResolverQuery(
      riwayah: request.riwayah, reciters: reciters, only: request.only, unreadable: unreadable)
  }

  /// Takes no clip of another ayah or riwayah, or of nothing, from a resolver that is mistaken.
  private func checked(
    _ resolution: Resolution<AyahClip>, _ ayah: AyahReference
  ) -> Resolution<AyahClip> {
    guard case .found(let clip) = resolution else { return resolution }
    let isRight =
      clip.ayah == ayah && clip.riwayah == request.riwayah && isUsable(clip.audio)
    return isRight ? resolution : .missing
  }

  private func isUsable(_ audio: AudioClip) -> Bool {
    audio.span.length > .zero && audio.span.lowerBound >= .zero
      && !unreadable.contains(audio.media)
  }
}
