// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TerminalUI

/// The images of a terminal: which way they go, and what is still to be sent.
struct ImageOutput {
  private var choice: TerminalOptions.Pixels
  private var way: GraphicsProtocol?
  private var kitty: KittyImages
  private var sixels: SixelImages
  /// Of the screen; nil where no images are shown.
  private var cell: CellPixels?

  /// What the terminal is to show.
  private var wanted: Surface?

  init(choice: TerminalOptions.Pixels, isMultiplexed: Bool, theme: Theme) {
    // tmux takes kitty's commands for a title of its window, and screen for a line of status.
    self.choice = isMultiplexed ? .off : choice
    kitty = KittyImages(seed: UInt32(bitPattern: getpid()), theme: theme)
    sixels = SixelImages(theme: theme)
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
  var farewell: [UInt8] {
    switch way {
    case .kitty: kitty.farewell
    case .sixel: SixelImages.farewell
    case nil: []
    }
  }

  /// Whether an answer may still come.
  func isWaiting(for answers: GraphicsAnswers) -> Bool { choice != .off && !answers.isComplete }

  /// Decides by what the terminal has said.
  ///
  /// - Parameter cell: what the system knows of the size of cells.
  /// - Returns: the size of cells, where images can be shown.
  mutating func take(_ answers: GraphicsAnswers, cell: CellPixels?) -> CellPixels? {
    if way == nil {
      switch choice {
      case .auto where answers.isComplete:
        way = answers.hasKitty ? .kitty : answers.hasSixel ? .sixel : nil
      case .kitty: way = .kitty
      case .sixel: way = .sixel
      case .auto, .off: way = nil
      }
    }
    let known = cell ?? answers.cell
    switch way {
    case .kitty: self.cell = (known ?? .usual).drawn
    // Sixels are not stretched to their cells.
    case .sixel: self.cell = known
    case nil: self.cell = nil
    }
    return self.cell
  }

  /// Shows no images from now on.
  mutating func giveUp() { (choice, way, cell) = (.off, nil, nil) }

  mutating func forget() {
    kitty.forget()
    sixels.forget()
  }

  private var images: [PlacedImage] { cell == nil ? [] : wanted?.images ?? [] }

  /// Whether something is still to be sent.
  var hasMore: Bool {
    switch way {
    case .kitty: !kitty.shows(images)
    case .sixel: cell != nil && !sixels.shows(images)
    case nil: false
    }
  }

  /// The bytes that lead from what the terminal shows to a surface and, as far as there is room, to its
  /// images.
  ///
  /// - Parameter allowance: bytes of images; nil while the terminal is busy.
  /// - Returns: also whether images are among them.
  mutating func frame(
    _ surface: Surface, _ encoder: inout FrameEncoder, allowance: Int?
  ) -> (bytes: [UInt8], hasImages: Bool) {
    wanted = surface
    switch way {
    case .kitty:
      let cells = encoder.encode(surface)
      guard hasMore else { return (cells, false) }
      guard let allowance else { return (cells + kitty.tidy(to: images), false) }
      return (cells + kitty.advance(to: images, limit: allowance), true)
    case .sixel:
      encoder.rewritesGaps = false
      guard let cell, !encoder.clears(for: surface) else { return (encoder.encode(surface), false) }
      let step = sixels.advance(to: surface, cell: cell, isOpen: allowance != nil)
      for rect in step.erased { encoder.noteErased(rect) }
      let hasImages = allowance != nil && !step.bytes.isEmpty
      return (step.bytes + encoder.encode(surface), hasImages)
    case nil: return (encoder.encode(surface), false)
    }
  }

  /// More of the images of the surface that was drawn last.
  mutating func more(_ encoder: inout FrameEncoder, allowance: Int) -> [UInt8] {
    guard hasMore, let wanted else { return [] }
    return frame(wanted, &encoder, allowance: allowance).bytes
  }
}
