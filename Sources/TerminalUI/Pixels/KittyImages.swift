// SPDX-License-Identifier: GPL-3.0-or-later

/// Leads a terminal that knows kitty's protocol to the images of a surface, a piece at a time.
///
/// It knows what the terminal shows. An image is sent when it is another than before, under a number of its
/// own, while the one before it stays in sight; what was moved is moved, what has gone is deleted. While an
/// image is under way, those that it is followed by are left out but for the last.
public struct KittyImages: Sendable {
  /// Who draws the cells.
  public enum Host: Hashable, Sendable {
    case terminal
    /// tmux, which passes the commands on to its terminal. The images are seen where ``drawPlaceholders(on:)`` has
    /// written.
    case tmux
  }

  private let host: Host
  /// Two for each slot: what is shown, and what comes in its place.
  private let firstNumber: UInt32
  /// Of images that are sent from now on.
  public var theme: Theme
  private var shown: [Int: Shown] = [:]
  private var transfer: Transfer?
  /// Whether the terminal may have images of ours that are not known here.
  private var isUnsure = false

  private struct Shown {
    var placed: PlacedImage
    var number: UInt32
  }

  /// An image under way.
  private struct Transfer {
    let placed: PlacedImage
    let number: UInt32
    let commands: [[UInt8]]
    var next = 0
  }

  /// - Parameter seed: tells apart the images of programs that share a terminal, such as the process's id.
  public init(seed: UInt32, host: Host = .terminal, theme: Theme = .standard) {
    self.host = host
    switch host {
    // Numbers of 24 bits, away from the small ones that others take.
    case .terminal: firstNumber = 0x71_0000 | (seed & 0x1FFF) << 3
    case .tmux: firstNumber = KittyPlaceholder.firstNumber(seed: seed)
    }
    self.theme = theme
  }

  /// A command as it has to be written.
  private func command(_ bytes: [UInt8]) -> [UInt8] {
    switch host {
    case .terminal: bytes
    case .tmux: TmuxPassthrough.wrap(bytes)
    }
  }

  private func place(_ number: UInt32, in rect: Rect) -> [UInt8] {
    switch host {
    case .terminal: KittyGraphics.place(number: number, in: rect)
    case .tmux: command(KittyGraphics.placeByText(number: number, size: rect.size))
    }
  }

  private func delete(_ number: UInt32) -> [UInt8] {
    command(KittyGraphics.delete(number: number))
  }

  /// What takes away all that a slot may have.
  private func clear(_ slot: Int, _ shown: Shown) -> [UInt8] {
    switch host {
    case .terminal: delete(shown.number)
    case .tmux: numbers(of: slot).flatMap { delete($0) }
    }
  }

  /// Writes the placeholders of the images that the terminal has, in a surface for tmux.
  public func drawPlaceholders(on surface: inout Surface) {
    for slot in shown.keys.sorted() {
      guard let image = shown[slot] else { continue }
      KittyPlaceholder.draw(image.number, in: image.placed.rect, on: &surface)
    }
  }

  /// Every number that it may use.
  private var numbers: Range<UInt32> {
    firstNumber..<firstNumber + 2 * UInt32(PlacedImage.slots.count)
  }

  private func numbers(of slot: Int) -> Range<UInt32> {
    let first = numbers.lowerBound + 2 * UInt32(slot)
    return first..<first + 2
  }

  /// Takes all of its images away, whatever the terminal has.
  public var farewell: [UInt8] {
    // tmux may have passed on a command without its end.
    (host == .tmux ? command([0x1B, UInt8(ascii: "\\")]) : [])
      + command(KittyGraphics.giveUp) + numbers.flatMap { delete($0) }
  }

  /// Takes nothing for granted any more: everything is deleted and sent again.
  public mutating func forget() {
    shown = [:]
    transfer = nil
    isUnsure = true
  }

  /// Whether the terminal shows these images and no others, nothing being under way.
  public func shows(_ images: [PlacedImage]) -> Bool {
    transfer == nil && !isUnsure && shown.count == images.count
      && images.allSatisfy { shown[$0.slot]?.placed == $0 }
  }

  /// Bytes that lead towards these images: about as many as told, one command at least while something is
  /// left to do.
  public mutating func advance(to images: [PlacedImage], limit: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    if isUnsure {
      bytes += farewell
      isUnsure = false
    }
    let wanted = Dictionary(images.map { ($0.slot, $0) }) { $1 }
    // Nothing comes between the commands of an image.
    if transfer != nil { bytes += proceed(wanted, limit: limit) }
    if transfer != nil { return bytes }
    bytes += tidy(wanted)
    for slot in wanted.keys.sorted() {
      guard let placed = wanted[slot], shown[slot]?.placed.image != placed.image else { continue }
      if bytes.count >= limit { break }
      let number = shown[slot].map { numbers.lowerBound + (($0.number - numbers.lowerBound) ^ 1) }
      let free = number ?? numbers(of: slot).lowerBound
      transfer = Transfer(
        placed: placed, number: free,
        commands: KittyGraphics.transmit(placed.image.raster(theme), number: free).map(command))
      bytes += proceed(wanted, limit: limit - bytes.count)
      if transfer != nil { break }
    }
    return bytes
  }

  /// Bytes that take away what is not among these images and move what was moved, unless an image is under
  /// way: a few, for which nobody need wait.
  public mutating func tidy(to images: [PlacedImage]) -> [UInt8] {
    guard transfer == nil, !isUnsure else { return [] }
    return tidy(Dictionary(images.map { ($0.slot, $0) }) { $1 })
  }

  /// Deletes what has gone, moves what was moved.
  private mutating func tidy(_ wanted: [Int: PlacedImage]) -> [UInt8] {
    var bytes: [UInt8] = []
    for slot in shown.keys.sorted() {
      guard let old = shown[slot], let new = wanted[slot] else {
        bytes += shown.removeValue(forKey: slot).map { clear(slot, $0) } ?? []
        continue
      }
      guard new.rect != old.placed.rect else { continue }
      // One that is about to be replaced is seen in the room of the new one until then.
      shown[slot]?.placed = PlacedImage(slot: slot, image: old.placed.image, rect: new.rect)
      // tmux moves its text by itself.
      if host == .terminal || new.rect.size != old.placed.rect.size {
        bytes += place(old.number, in: new.rect)
      }
    }
    return bytes
  }

  /// Sends more of the image under way and, when it is whole, shows it in place of the one before.
  private mutating func proceed(_ wanted: [Int: PlacedImage], limit: Int) -> [UInt8] {
    guard var transfer else { return [] }
    var bytes: [UInt8] = []
    repeat {
      bytes += transfer.commands[transfer.next]
      transfer.next += 1
    } while transfer.next < transfer.commands.count && bytes.count < limit
    guard transfer.next == transfer.commands.count else {
      self.transfer = transfer
      return bytes
    }
    self.transfer = nil
    let slot = transfer.placed.slot
    let old = shown[slot]
    if let rect = wanted[slot]?.rect {
      bytes += place(transfer.number, in: rect)
      shown[slot] = Shown(
        placed: PlacedImage(slot: slot, image: transfer.placed.image, rect: rect),
        number: transfer.number)
      // tmux may still be drawing the text of the one before, which the next image takes the number of.
      if let old, host == .terminal { bytes += delete(old.number) }
    } else {
      bytes += delete(transfer.number)
    }
    return bytes
  }
}
