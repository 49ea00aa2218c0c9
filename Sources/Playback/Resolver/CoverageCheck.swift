// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// The missing ayat of a request, looked up before playback.
public struct CoverageCheck: Hashable, Sendable {
  public let request: PlaybackRequest
  /// Ayat that the request's reciters lack, in order, connection ayat and continuation included.
  public let missing: [AyahRange]
  /// The missing ayat that another reciter of the same riwayah has.
  public let fillable: [AyahRange]

  public var isComplete: Bool { missing.isEmpty }
  public var missingCount: Int { missing.reduce(0) { $0 + $1.count } }

  /// The answer of a person.
  public enum Answer: Hashable, Sendable {
    /// Takes what is missing from any reciter of the same riwayah.
    case fill
    /// Plays with silences.
    case continueWithGaps
    case cancel
  }

  /// The request to play after an answer; nil for none.
  public func request(after answer: Answer) -> PlaybackRequest? {
    switch answer {
    case .cancel: return nil
    case .continueWithGaps: return request
    case .fill:
      var filled = request
      filled.fillsFromOthers = true
      return filled
    }
  }

  /// Looks up each ayah that the request would play.
  public static func of(
    _ request: PlaybackRequest, with resolver: any AyahResolver
  ) async -> CoverageCheck {
    let extent = Itinerary(request).extent
    let missing = await resolver.missingAyat(
      in: extent, request.query)
    guard request.only == nil, request.reciters != .anybody else {
      return CoverageCheck(request: request, missing: missing, fillable: [])
    }
    let anybody = ResolverQuery(riwayah: request.riwayah)
    var fillable: [AyahReference] = []
    var lacking: [AyahReference] = []
    for range in missing {
      let stillMissing = await resolver.missingAyat(in: range, anybody)
      for ayah in range {
        if stillMissing.contains(where: { $0.contains(ayah) }) {
          lacking.append(ayah)
        } else {
          fillable.append(ayah)
        }
      }
    }
    return CoverageCheck(
      request: request,
      missing: request.fillsFromOthers ? AyahRange.runs(of: lacking) : missing,
      fillable: request.fillsFromOthers ? [] : AyahRange.runs(of: fillable))
  }
}
