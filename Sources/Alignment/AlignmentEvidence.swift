// SPDX-License-Identifier: GPL-3.0-or-later

/// What an alignment goes by. Any of it can be left out, to measure what it adds (`Scripts/measure-accuracy.py --without`).
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
