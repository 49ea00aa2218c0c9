// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// What the adaptive detector takes for background and where it draws its line, hop by hop: for people
/// to see why a place was taken for a pause.
public struct DetectorLevels: Sendable {
  private let tracks: LevelTracks

  /// Blocks while it reads the whole envelope. Nil for a recording in which nothing is to be heard.
  public init?(_ envelope: Envelope) throws(AnalysisError) {
    guard let tracks = try LevelTracks(LevelReader(envelope: envelope)) else { return nil }
    self.tracks = tracks
  }

  /// The background's RMS, full scale 1.
  public func floor(at hop: Int) -> Float { Self.amplitude(tracks.floor(at: hop)) }

  /// The RMS below which a hop belongs to a dip, full scale 1.
  public func threshold(at hop: Int) -> Float {
    let speech = tracks.speech(at: hop)
    let depth = DipFinder.enterDepth(speech: speech, floor: tracks.floor(at: hop))
    return Self.amplitude(speech - depth * DipFinder.leaveShare)
  }

  private static func amplitude(_ decibels: Double) -> Float { Float(pow(10, decibels / 20)) }
}
