// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Glibc

/// A thread of low priority that looks through the picture of a recording while somebody wants what comes of it.
///
/// It begins when both the recording and a wish are there.
final class PictureWorker<Wish: Sendable>: Sendable {
  enum Job: Sendable {
    /// Says what is known.
    case tell(Wish)
    /// Does the next piece.
    case work
    /// Keeps what was done and ends.
    case end
  }

  private struct State {
    var file: RecordingFile?
    var wish: Wish?
    /// Whether a wish has not been answered.
    var isAsked = false
    var thread: WorkerThread?
    var isClosed = false
  }

  private let niceness: Int32
  private let run: @Sendable (PictureWorker, RecordingFile) -> Void
  private let state = Monitor(State())

  /// - Parameters:
  ///   - niceness: added to the nice value: sound and keys come first.
  ///   - run: works on the thread, and asks for ``next(isOver:)`` until that is the end.
  init(niceness: Int32, run: @escaping @Sendable (PictureWorker, RecordingFile) -> Void) {
    self.niceness = niceness
    self.run = run
  }

  /// Gives it the recording; the first one stays.
  func take(_ file: RecordingFile) {
    state.update { state in
      if state.file == nil { state.file = file }
      start(&state)
    }
  }

  /// Wants something else, or no more: nil.
  func want(_ change: (inout Wish?) -> Void) {
    state.update { state in
      change(&state.wish)
      state.isAsked = state.wish != nil
      start(&state)
    }
  }

  var wish: Wish? { state.update { $0.wish } }

  /// Keeps what was done, and waits for that: about the time of one frame.
  func close() {
    let thread = state.update { state in
      state.isClosed = true
      defer { state.thread = nil }
      return state.thread
    }
    thread?.join()
  }

  /// What is to be done now; waits where that is nothing.
  func next(isOver: Bool) -> Job {
    state.wait { state in
      if state.isClosed { return .end }
      guard let wish = state.wish else { return nil }
      if state.isAsked {
        state.isAsked = false
        return .tell(wish)
      }
      return isOver ? nil : .work
    }
  }

  private func start(_ state: inout State) {
    guard !state.isClosed, state.thread == nil, state.wish != nil, let file = state.file else {
      return
    }
    state.thread = WorkerThread { [self] in
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
      run(self, file)
    }
  }
}
