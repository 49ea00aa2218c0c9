// SPDX-License-Identifier: GPL-3.0-or-later

/// Why a file of weights cannot be used.
public enum AcousticWeightsError: Error, Hashable, Sendable {
  /// It does not begin as such a file does, or is of another format version.
  case unknownFormat
  /// It ends early, or has more than its header says.
  case wrongLength
  /// Its layers do not fit one another, or the sounds of the text.
  case wrongShape

  public var text: String {
    switch self {
    case .unknownFormat: "not a file of acoustic weights of this version"
    case .wrongLength: "truncated, or longer than its header says"
    case .wrongShape: "made for other features or sounds"
    }
  }
}

/// The numbers of the acoustic network, as `Scripts/train-acoustic-model.py` writes them.
///
/// | bytes, little endian | what |
/// |---|---|
/// | 8 | `TILAWAAW` |
/// | 4 | format version, 1 |
/// | 4 | version of these weights, which results and caches carry |
/// | 4 | number of layers |
/// | for each layer 16 | inputs, outputs, taps, dilation: UInt32 each |
/// | outputs x taps x inputs | weights, Int8 |
/// | outputs x 4, twice | scales, then offsets, Float32 |
/// | outputs of the last layer x 4 | logarithms of how often each sound comes, Float32 |
public struct AcousticWeights: Sendable {
  struct Layer: Sendable {
    var inputs: Int
    var outputs: Int
    var taps: Int
    var dilation: Int
    /// `paddedOutputs x taps x paddedInputs`, zero in the padding.
    var weights: [Int16]
    /// What turns a sum of products into an activation, or in the last layer into nats; `paddedOutputs`.
    var scales: [Float]
    var offsets: [Float]

    /// Activations are cut off here, so that sums of products fit 32 bits.
    static let greatestActivation: Float = 1023
    /// Products in a sum: with weights of 8 bits it stays below 2^31.
    static let greatestRow = 16_384

    var paddedInputs: Int { Self.padded(inputs) }
    var paddedOutputs: Int { Self.padded(outputs) }
    /// Frames on either side that an output depends on.
    var reach: Int { taps / 2 * dilation }

    /// Vectors of eight.
    static func padded(_ count: Int) -> Int { (count + 7) / 8 * 8 }
  }

  public let version: UInt32
  var layers: [Layer]
  let priors: [Float]

  public var soundCount: Int { priors.count }
  /// Frames on either side that a frame's probabilities depend on.
  var reach: Int { layers.reduce(0) { $0 + $1.reach } }

  private static let magic = Array("TILAWAAW".utf8)
  private static let formatVersion: UInt32 = 1
  /// More than any network that is fast enough; keeps a damaged header from asking for memory.
  private static let greatestWidth = 4096
  private static let greatestDepth: UInt32 = 64

  /// Reads the bytes of a weights file or of the built-in weights.
  public init(_ bytes: UnsafeRawBufferPointer) throws(AcousticWeightsError) {
    var offset = 0
    func take(_ count: Int) throws(AcousticWeightsError) -> UnsafeRawBufferPointer {
      guard count <= bytes.count - offset else { throw .wrongLength }
      defer { offset += count }
      return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }
    func number() throws(AcousticWeightsError) -> UInt32 {
      UInt32(littleEndian: try take(4).loadUnaligned(as: UInt32.self))
    }
    func floats(_ count: Int) throws(AcousticWeightsError) -> [Float] {
      let part = try take(4 * count)
      return (0..<count).map {
        Float(
          bitPattern: UInt32(
            littleEndian: part.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
      }
    }
    func paddedFloats(_ count: Int) throws(AcousticWeightsError) -> [Float] {
      try floats(count) + [Float](repeating: 0, count: Layer.padded(count) - count)
    }
    guard bytes.count >= 20, try take(8).elementsEqual(Self.magic),
      try number() == Self.formatVersion
    else { throw .unknownFormat }
    version = try number()
    var layers: [Layer] = []
    let layerCount = try number()
    guard 1...Self.greatestDepth ~= layerCount else { throw .wrongShape }
    for _ in 0..<layerCount {
      let inputs = Int(try number())
      let outputs = Int(try number())
      let taps = Int(try number())
      let dilation = Int(try number())
      guard 1...Self.greatestWidth ~= inputs, 1...Self.greatestWidth ~= outputs, 1...9 ~= taps,
        taps % 2 == 1, 1...16 ~= dilation, taps * inputs <= Layer.greatestRow,
        inputs == (layers.last?.outputs ?? LogMelFrames.bandCount)
      else { throw .wrongShape }
      let packed = try take(outputs * taps * inputs)
      let padded = Layer.padded(inputs)
      var weights = [Int16](repeating: 0, count: Layer.padded(outputs) * taps * padded)
      for row in 0..<outputs * taps {
        for input in 0..<inputs {
          weights[row * padded + input] = Int16(Int8(bitPattern: packed[row * inputs + input]))
        }
      }
      layers.append(
        Layer(
          inputs: inputs, outputs: outputs, taps: taps, dilation: dilation, weights: weights,
          scales: try paddedFloats(outputs), offsets: try paddedFloats(outputs)))
    }
    guard let last = layers.last else { throw .wrongShape }
    priors = try floats(last.outputs)
    guard offset == bytes.count else { throw .wrongLength }
    guard (layers.flatMap(\.scales) + layers.flatMap(\.offsets) + priors).allSatisfy(\.isFinite)
    else { throw .wrongShape }
    self.layers = layers
  }
}
