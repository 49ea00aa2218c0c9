// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

extension AnnotationDocument {
  /// Every place where an ayah or a part of it is heard, in the order of the recording.
  ///
  /// A repeated ayah is ordinary: each time is an occurrence.
  public func occurrences(of ayah: AyahReference) -> [Passage] {
    segments.lazy.flatMap(\.passages).filter { $0.ayah == ayah }
  }

  /// The first time that an ayah is heard whole in one segment, which is the one to play.
  public func firstCompleteOccurrence(of ayah: AyahReference) -> Passage? {
    segments.lazy.flatMap(\.passages).first { $0.ayah == ayah && $0.isComplete }
  }
}
