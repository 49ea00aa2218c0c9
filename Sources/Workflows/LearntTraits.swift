// SPDX-License-Identifier: GPL-3.0-or-later

public import Acoustics
public import Alignment

/// Why a file of what was learnt cannot be used.
public enum LearntTraitsError: Error, Hashable, Sendable {
  case unknownFormat
  /// It ends early, is longer than it says, or its checksum does not fit.
  case damaged

  public var text: String {
    switch self {
    case .unknownFormat: "not an adaptation file of this version"
    case .damaged: "damaged"
    }
  }
}

/// What was learnt of a reciter or of a recording: how the voice sounds there, and where the person puts edges.
///
/// | bytes, little endian | what |
/// |---|---|
/// | 8 | `TILAWALT` |
/// | 4 | format version, 1 |
/// | 8 | fingerprint of the acoustic weights that it was learnt with |
/// | 2, then as many | bytes of the owner, and the owner: the reciter's name in UTF-8, empty for a recording |
/// | 1 | where edges in pauses are put: 0 start, 1 middle, 2 end, 255 as usual |
/// | 8, 8 | seconds after that, and after the usual place of edges without a pause: Float64 |
/// | 1 | number of layers, 0 where no voice was learnt |
/// | for each layer 2 | outputs |
/// | outputs x 4, twice | gains, then shifts, Float32 |
/// | 8 | FNV-1a of all before it |
public struct LearntTraits: Hashable, Sendable {
  /// ``AcousticWeights/fingerprint`` of the weights it was learnt with.
  public var weights: UInt64
  /// The reciter's name; empty for what was learnt of one recording.
  public var owner: String
  public var voice: VoiceAdaptation?
  public var placement: EdgePlacement?

  public init(
    weights: UInt64, owner: String, voice: VoiceAdaptation? = nil, placement: EdgePlacement? = nil
  ) {
    self.weights = weights
    self.owner = owner
    self.voice = voice
    self.placement = placement
  }

  public var isEmpty: Bool { voice == nil && placement == nil }

  /// Names what was learnt, in results: 16 hexadecimal digits.
  public var name: String {
    let digits = String(Self.checksum(bytes.dropLast(8)), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// More than any file is long: keeps a damaged one from asking for memory.
  public static let greatestSize = 1 << 20

  private static let magic = Array("TILAWALT".utf8)
  private static let formatVersion: UInt32 = 1
  private static let usual: UInt8 = 255
  /// As many bytes of a name are kept.
  private static let longestOwner = 1024

  public var bytes: [UInt8] {
    var bytes = Self.magic
    func add<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
    add(Self.formatVersion)
    add(weights)
    let name = Self.ownerBytes(owner)
    add(UInt16(name.count))
    bytes += name
    bytes.append(placement?.inPause?.anchor.rawValue ?? Self.usual)
    add((placement?.inPause?.offset ?? 0).bitPattern)
    add((placement?.joined ?? 0).bitPattern)
    let layers = voice?.layers ?? []
    bytes.append(UInt8(clamping: layers.count))
    for layer in layers {
      add(UInt16(clamping: layer.gains.count))
      for number in layer.gains + layer.shifts { add(number.bitPattern) }
    }
    add(Self.checksum(bytes[...]))
    return bytes
  }

  /// Whether it was learnt of somebody of that name.
  public func belongs(to owner: String) -> Bool {
    Self.ownerBytes(self.owner) == Self.ownerBytes(owner)
  }

  private static func ownerBytes(_ owner: String) -> [UInt8] {
    // Cut between two characters.
    var bytes: [UInt8] = []
    for character in owner {
      guard bytes.count + character.utf8.count <= longestOwner else { break }
      bytes += character.utf8
    }
    return bytes
  }

  public init(_ bytes: [UInt8]) throws(LearntTraitsError) {
    guard bytes.starts(with: Self.magic) else { throw .unknownFormat }
    var offset = Self.magic.count
    func number<Number: FixedWidthInteger>(_: Number.Type) throws(LearntTraitsError) -> Number {
      let size = Number.bitWidth / 8
      guard bytes.count - offset >= size else { throw .damaged }
      defer { offset += size }
      return bytes[offset..<offset + size].reversed().reduce(0) { $0 << 8 | Number($1) }
    }
    func floats(_ count: Int) throws(LearntTraitsError) -> [Float] {
      guard bytes.count - offset >= 4 * count else { throw .damaged }
      var result: [Float] = []
      for _ in 0..<count { result.append(Float(bitPattern: try number(UInt32.self))) }
      return result
    }
    guard try number(UInt32.self) == Self.formatVersion else { throw .unknownFormat }
    guard bytes.count <= Self.greatestSize, bytes.count >= offset + 8,
      bytes.suffix(8).reversed().reduce(UInt64(0), { $0 << 8 | UInt64($1) })
        == Self.checksum(bytes.dropLast(8))
    else { throw .damaged }
    weights = try number(UInt64.self)
    let length = Int(try number(UInt16.self))
    guard bytes.count - offset >= length,
      let owner = String(validating: bytes[offset..<offset + length], as: UTF8.self)
    else { throw .damaged }
    self.owner = owner
    offset += length
    let anchor = try number(UInt8.self)
    var placement = EdgePlacement()
    let inPause = Double(bitPattern: try number(UInt64.self))
    placement.joined = Double(bitPattern: try number(UInt64.self))
    if anchor != Self.usual {
      guard let anchor = EdgePlacement.Anchor(rawValue: anchor) else { throw .damaged }
      placement.inPause = .init(anchor, offset: inPause)
    }
    guard placement.isPlausible else { throw .damaged }
    self.placement = placement == EdgePlacement() ? nil : placement
    var layers: [VoiceAdaptation.Layer] = []
    for _ in 0..<(try number(UInt8.self)) {
      let outputs = Int(try number(UInt16.self))
      layers.append(.init(gains: try floats(outputs), shifts: try floats(outputs)))
    }
    let voice = VoiceAdaptation(layers: layers)
    guard voice.isPlausible, offset == bytes.count - 8 else { throw .damaged }
    self.voice = layers.isEmpty ? nil : voice
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

extension AlignmentWorkflow {
  /// Uses what was learnt; nothing changes where that was with other weights.
  ///
  /// - Returns: whether it is used.
  @discardableResult
  public mutating func use(_ traits: LearntTraits) -> Bool {
    guard traits.weights == network.weights.fingerprint else { return false }
    if let voice = traits.voice {
      guard let weights = network.weights.adapted(by: voice) else { return false }
      network = AcousticNetwork(weights)
    }
    placement = traits.placement
    return true
  }
}
