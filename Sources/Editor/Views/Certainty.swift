// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import TerminalUI

/// How sure a suggestion is, in steps that the eye tells apart.
enum Certainty: Hashable {
  /// By a person.
  case decided
  case sure
  case likely
  case unsure

  /// Stands where something is unsure, for terminals of every kind.
  static let doubt: Unicode.Scalar = "?"

  /// Below this README.md asks to review; from `sure` on one suggestion in ten is wrong at most, for
  /// confidences are calibrated.
  private static let likelyFrom = 0.6
  private static let sureFrom = 0.9

  /// - Parameter confidence: 0...1; nil where a person has decided.
  init(_ confidence: Double?) {
    switch confidence {
    case nil: self = .decided
    case .some(Self.sureFrom...): self = .sure
    case .some(Self.likelyFrom...): self = .likely
    case .some: self = .unsure
    }
  }

  init(_ marker: Marker) {
    self.init(marker.isSuggestion && !marker.isConfirmed ? marker.confidence : nil)
  }

  var role: Role {
    switch self {
    case .decided, .sure: .dim
    case .likely: .suggested
    case .unsure: .unsure
    }
  }
}
