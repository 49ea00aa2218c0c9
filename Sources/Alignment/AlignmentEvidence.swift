// SPDX-License-Identifier: GPL-3.0-or-later

/// The kinds of evidence that an alignment uses. Each can be left out, to measure its contribution
/// (`Scripts/measure-accuracy.py --without`).
public enum AlignmentEvidence: String, Hashable, Sendable, CaseIterable {
  /// Which sound each frame is; without it only that something is said.
  case sounds
  /// How long the sounds of the text last at least.
  case lengths
  /// That the frames of a sound that is held are no witnesses of their own.
  case heldSounds = "held-sounds"
  /// Where it is silent, to the millisecond, by the level; without it only by the frames of the network.
  case pauses
}
