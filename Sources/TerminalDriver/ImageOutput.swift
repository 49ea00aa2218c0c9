// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TerminalUI

/// The images of a terminal: which way they go, and what is still to be sent.
struct ImageOutput {
  private var choice: TerminalOptions.Pixels
  /// Who draws the cells; tmux shows images by kitty's protocol only.
  private let host: KittyImages.Host
  private var way: GraphicsProtocol?
  private var kitty: KittyImages
  private var sixels: SixelImages
  /// Of the screen; nil where no images are shown.
  private var cell: CellPixels?

  /// What the terminal is to show.
  private var wanted: Surface?

  init(
    choice: TerminalOptions.Pixels, multiplexer: TerminalOptions.Multiplexer?, theme: Theme
  ) {
    switch multiplexer {
    case nil:
      host = .terminal
      self.choice = choice
    case .tmux(let tmux):
      host = .tmux
      // Its terminal's sixels would lie where tmux does not know of them.
      self.choice = tmux.passesOn && tmux.hasKeys && choice != .sixel ? choice : .off
    case .other:
      // screen takes kitty's commands for a line of status.
      host = .terminal
      self.choice = .off
    }
    kitty = KittyImages(seed: UInt32(bitPattern: getpid()), host: host, theme: theme)
    sixels = SixelImages(theme: theme)
  }

  /// What the terminal is asked when it is taken over.
  var questions: [UInt8] {
    switch (choice, host) {
    case (.auto, .terminal): KittyGraphics.query + GraphicsAnswers.otherQueries
    case (.auto, .tmux): TmuxPassthrough.wrap(KittyGraphics.query) + GraphicsAnswers.otherQueries
    case (.kitty, _), (.sixel, _): GraphicsAnswers.otherQueries
    case (.off, _): []
    }
  }

  /// Has the terminal that reads the images answer when it has come so far.
  var receiptRequest: [UInt8] {
    let request = TerminalDialect.receiptRequest
    return isPassedOn ? TmuxPassthrough.wrap(request) : request
  }

  /// Whether images go through tmux.
  var isPassedOn: Bool { way == .kitty && host == .tmux }

  /// What takes all images away, where there may be some.
  var farewell: [UInt8] {
    switch way {
    case .kitty: kitty.farewell
    case .sixel: SixelImages.farewell
    case nil: []
    }
  }

  /// How long an answer through tmux is waited for at the end; nobody says that none will come.
  private static let patience = Duration.seconds(1)

  /// Whether an answer may still come.
  ///
  /// - Parameter passed: since the terminal was asked.
  func isWaiting(for answers: GraphicsAnswers, after passed: Duration) -> Bool {
    switch (choice, host) {
    case (.off, _): false
    case (.auto, .tmux): !answers.hasToldOfKitty && passed < Self.patience
    case (.auto, .terminal), (.kitty, _), (.sixel, _): !answers.isComplete
    }
  }

  /// Whether a question through tmux may have been lost: tmux passes nothing on while it is about to draw a window anew, as
  /// at the beginning.
  func mayHaveLostQuestion(_ answers: GraphicsAnswers) -> Bool {
    choice == .auto && host == .tmux && !answers.hasToldOfKitty
  }

  /// Takes for unknown what the terminal shows, which may be another one; it is to be asked anew.
  /// - Returns: whether that makes sense.
  mutating func forgetTerminal() -> Bool {
    guard choice == .auto, host == .tmux else { return false }
    way = nil
    return true
  }

  /// Decides by what the terminal has said.
  ///
  /// - Parameter cell: what the system knows of the size of cells.
  /// - Returns: the size of cells, where images can be shown.
  mutating func take(_ answers: GraphicsAnswers, cell: CellPixels?) -> CellPixels? {
    if way == nil {
      switch choice {
      // What tmux says of itself comes before its terminal's answer, and says nothing of that.
      case .auto where host == .tmux: way = answers.hasKitty ? .kitty : nil
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

  /// Has all images drawn anew in other colours.
  mutating func use(_ theme: Theme) {
    kitty.theme = theme
    sixels.theme = theme
    forget()
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
  /// images, be they of pixels or of cells.
  ///
  /// - Parameter allowance: bytes of images; nil while the terminal is busy.
  /// - Returns: also whether images of pixels are among them.
  mutating func frame(
    _ surface: Surface, _ encoder: inout FrameEncoder, allowance: Int?
  ) -> (bytes: [UInt8], hasImages: Bool) {
    wanted = surface
    let pictureLimit = allowance ?? 0
    switch way {
    case .kitty:
      let hasImages = hasMore && allowance != nil
      if host == .terminal {
        // An image that is placed before the screen is cleared is cleared with it.
        let cells = encoder.encode(surface, pictureLimit: pictureLimit)
        return (cells + kittyCommands(allowance), hasImages)
      }
      // The text for an image that has come whole follows it.
      let commands = kittyCommands(allowance)
      var cells = surface
      kitty.drawPlaceholders(on: &cells)
      return (commands + encoder.encode(cells, pictureLimit: pictureLimit), hasImages)
    case .sixel:
      encoder.rewritesGaps = false
      guard let cell, !encoder.clears(for: surface) else {
        return (encoder.encode(surface, pictureLimit: pictureLimit), false)
      }
      let step = sixels.advance(to: surface, cell: cell, isOpen: allowance != nil)
      for rect in step.erased { encoder.noteErased(rect) }
      let hasImages = allowance != nil && !step.bytes.isEmpty
      return (step.bytes + encoder.encode(surface, pictureLimit: pictureLimit), hasImages)
    case nil: return (encoder.encode(surface, pictureLimit: pictureLimit), false)
    }
  }

  private mutating func kittyCommands(_ allowance: Int?) -> [UInt8] {
    guard hasMore, let allowance else { return kitty.tidy(to: images) }
    return kitty.advance(to: images, limit: allowance)
  }

  /// More of the images of the surface that was drawn last.
  mutating func more(_ encoder: inout FrameEncoder, allowance: Int) -> (
    bytes: [UInt8], hasImages: Bool
  ) {
    guard let wanted else { return ([], false) }
    return frame(wanted, &encoder, allowance: allowance)
  }
}
