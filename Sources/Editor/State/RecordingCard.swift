// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// What the title says of the recording; texts are as they came, and made safe where they are drawn.
public struct RecordingCard: Hashable, Sendable {
  public var title: String
  public var reciter: String
  public var riwayah: Riwayah
  /// The detector whose boundaries were suggested, for people; empty while there is none.
  public var detector: String

  public init(title: String, reciter: String = "", riwayah: Riwayah = .hafs, detector: String = "")
  {
    self.title = title
    self.reciter = reciter
    self.riwayah = riwayah
    self.detector = detector
  }
}
