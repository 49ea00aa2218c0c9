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
