// SPDX-License-Identifier: GPL-3.0-or-later

/// Leads a terminal that knows kitty's protocol to the images of a surface, a piece at a time.
///
/// It knows what the terminal shows. An image is sent when it is another than before, under a number of its
/// own, while the one before it stays in sight; what was moved is moved, what has gone is deleted. While an
/// image is under way, those that it is followed by are left out but for the last.
public struct KittyImages: Sendable {
  /// Two for each slot: what is shown, and what comes in its place.
  private let firstNumber: UInt32
  private let theme: Theme
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
  public init(seed: UInt32, theme: Theme = .standard) {
    // Numbers of 24 bits, away from the small ones that others take.
    firstNumber = 0x71_0000 | (seed & 0x1FFF) << 3
    self.theme = theme
  }

  /// Every number that it may use.
  private var numbers: Range<UInt32> {
    firstNumber..<firstNumber + 2 * UInt32(PlacedImage.slots.count)
  }

  /// Takes all of its images away, whatever the terminal has.
  public var farewell: [UInt8] {
    KittyGraphics.giveUp + numbers.flatMap { KittyGraphics.delete(number: $0) }
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
      let free = number ?? numbers.lowerBound + 2 * UInt32(slot)
      transfer = Transfer(
        placed: placed, number: free,
        commands: KittyGraphics.transmit(placed.image.raster(theme), number: free))
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
        bytes +=
          shown.removeValue(forKey: slot).map { KittyGraphics.delete(number: $0.number) } ?? []
        continue
      }
      guard new.rect != old.placed.rect else { continue }
      // One that is about to be replaced is seen in the room of the new one until then.
      shown[slot]?.placed = PlacedImage(slot: slot, image: old.placed.image, rect: new.rect)
      bytes += KittyGraphics.place(number: old.number, in: new.rect)
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
      bytes += KittyGraphics.place(number: transfer.number, in: rect)
      shown[slot] = Shown(
        placed: PlacedImage(slot: slot, image: transfer.placed.image, rect: rect),
        number: transfer.number)
      if let old { bytes += KittyGraphics.delete(number: old.number) }
    } else {
      bytes += KittyGraphics.delete(number: transfer.number)
    }
    return bytes
  }
}
