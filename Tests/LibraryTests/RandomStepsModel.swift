// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import TestSupport

/// The states that a run of random steps goes through, worked out without any library.
struct RandomStepsModel {
  /// `states[n]` is the state at revision n.
  private(set) var states: [AnnotationDocument]

  /// - Parameters:
  ///   - count: how many steps are made at most, whether or not they change anything.
  ///   - revision: the last state of interest.
  init(_ start: AnnotationDocument, seed: UInt64, steps count: Int, upTo revision: Int = .max) {
    var steps = RandomSteps(seed: seed)
    var document = start
    var history = History()
    states = [start]
    for _ in 0..<count where states.count <= revision {
      var hasChanged = false
      switch steps.next(for: document) {
      case .edit(let edit):
        hasChanged = (try? history.apply(edit, to: &document))?.isEmpty == false
      case .undo: hasChanged = (try? history.undo(&document)) != nil
      case .redo: hasChanged = (try? history.redo(&document)) != nil
      }
      if hasChanged { states.append(document) }
    }
  }
}
