// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// Looks for the output of a session after it was lost, and holds it as soon as it is back.
///
/// Calls may block, since they open the output, and must not overlap.
public final class OutputRecovery: Sendable {
  private struct State {
    var isLost = false
    /// Whether a look is on its way.
    var isDue = false
  }

  private let state = Monitor(State())
  private let lookLater: @Sendable (Duration) -> Void

  /// How often a lost output is looked for.
  private static let interval = Duration.seconds(2)

  /// - Parameter lookLater: has ``look(for:of:)`` called after this time.
  public init(lookLater: @escaping @Sendable (Duration) -> Void) { self.lookLater = lookLater }

  public var isLost: Bool { state.update { $0.isLost } }

  /// Takes note that the output is lost.
  public func lose() {
    let wasDue = state.update { state in
      defer { state = State(isLost: true, isDue: true) }
      return state.isDue
    }
    if !wasDue { lookLater(Self.interval) }
  }

  /// Opens the output anew, where the session goes on, paused if it was lost. Throws where it cannot be opened;
  /// it is lost then.
  public func open(_ output: RenderOutput, of session: RenderSession) throws(PlaybackError) {
    do throws(PlaybackError) {
      try session.switchOutput(to: output)
      state.update { $0.isLost = false }
    } catch {
      lose()
      throw error
    }
  }

  /// Opens the output if it is lost and back again.
  ///
  /// - Returns: whether it has come back.
  public func look(for output: RenderOutput, of session: RenderSession) -> Bool {
    let isLost = state.update { state in
      state.isDue = false
      return state.isLost
    }
    guard isLost else { return false }
    do throws(PlaybackError) {
      try open(output, of: session)
      return true
    } catch {
      return false
    }
  }
}
