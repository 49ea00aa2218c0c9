// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TerminalUI

/// The images of a terminal: which way they go, and what is still to be sent.
struct ImageOutput {
  private var choice: TerminalOptions.Pixels
  private var way: GraphicsProtocol?
  private var kitty: KittyImages

  /// What the terminal is to show.
  var wanted: [PlacedImage] = []

  init(choice: TerminalOptions.Pixels, isMultiplexed: Bool, theme: Theme) {
    // tmux takes kitty's commands for a title of its window, and screen for a line of status.
    self.choice = isMultiplexed ? .off : choice
    kitty = KittyImages(seed: UInt32(bitPattern: getpid()), theme: theme)
  }

  /// What the terminal is asked when it is taken over.
  var questions: [UInt8] {
    switch choice {
    case .auto: KittyGraphics.query + GraphicsAnswers.otherQueries
    case .kitty, .sixel: GraphicsAnswers.otherQueries
    case .off: []
    }
  }

  /// What takes all images away, where there may be some.
  var farewell: [UInt8] { way == .kitty ? kitty.farewell : [] }

  /// Whether an answer may still come.
  func isWaiting(for answers: GraphicsAnswers) -> Bool { choice != .off && !answers.isComplete }

  /// Decides by what the terminal has said.
  ///
  /// - Parameter cell: what the system knows of the size of cells.
  /// - Returns: the size of cells, where images can be shown.
  mutating func take(_ answers: GraphicsAnswers, cell: CellPixels?) -> CellPixels? {
    if way == nil {
      switch choice {
      case .auto: way = answers.isComplete && answers.hasKitty ? .kitty : nil
      case .kitty: way = .kitty
      case .sixel, .off: way = nil
      }
    }
    switch way {
    case .kitty: return cell ?? answers.cell ?? .usual
    case .sixel, nil: return nil
    }
  }

  /// Shows no images from now on.
  mutating func giveUp() { (choice, way) = (.off, nil) }

  mutating func forget() { kitty.forget() }

  var hasMore: Bool { way == .kitty && !kitty.shows(wanted) }

  mutating func advance(limit: Int) -> [UInt8] { kitty.advance(to: wanted, limit: limit) }
}
