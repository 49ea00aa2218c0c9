// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Decoding
import Glibc

/// Measures the cepstra of whole files, and keeps them beside the sidecars.
public struct CepstralReader: Sendable {
  public var sidecars: SidecarFolder?
  public var stopFlag: StopFlag
  /// Told how much of what it reads has been measured, 0...1, on the thread that reads.
  public var progress: (@Sendable (Double) -> Void)?

  public init(
    sidecars: SidecarFolder?, stopFlag: StopFlag = StopFlag(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) {
    self.sidecars = sidecars
    self.stopFlag = stopFlag
    self.progress = progress
  }

  /// The same for one of several things that are read in turn, whose progress is a part of the whole.
  ///
  /// - Parameter number: from 0.
  public func part(_ number: Int, of count: Int) -> CepstralReader {
    guard let progress else { return self }
    var reader = self
    reader.progress = { progress((Double(number) + $0) / Double(max(count, 1))) }
    return reader
  }

  /// The cepstra of a file, measured or found. Blocks; not for Swift's cooperative threads.
  ///
  /// - Parameter seekIndex: of this file, where it is known; spares the search for its length.
  public func read(
    path: String, track: Int? = nil, seekIndex: SeekIndex? = nil
  ) throws(AnalysisError) -> Cepstra {
    let file = try AnalysisError.wrapping { () throws(DecodingError) in
      try MediaFile(path: path, stopFlag: stopFlag)
    }
    let key = try AnalysisError.wrapping { () throws(DecodingError) in
      try file.contentKey(track: track)
    }
    if let sidecars, let kept = CepstraFile.read(sidecars.cepstraPath(forKey: key), key: key) {
      return kept
    }
    let cepstra = try measure(file, track: track, seekIndex: seekIndex)
    if let sidecars, sidecars.create() {
      // What cannot be kept is measured again next time.
      _ = CepstraFile.write(cepstra, to: sidecars.cepstraPath(forKey: key), key: key)
    }
    return cepstra
  }

  /// Parts of a file, from what was kept of the whole or measured when they are asked for.
  ///
  /// What is asked for blocks, and throws nothing: what cannot be read is not heard.
  public func excerpts(
    path: String, track: Int? = nil, seekIndex: SeekIndex? = nil
  ) -> SoundExcerpts {
    let excerpts = FileExcerpts(reader: self, path: path, track: track, seekIndex: seekIndex)
    return SoundExcerpts { excerpts.cepstra(in: $0) }
  }

  /// The cepstra of a span. Blocks.
  fileprivate func measure(
    _ source: MediaSource, _ span: Range<FramePosition>
  ) throws(AnalysisError) -> Cepstra {
    let decoder = try AnalysisError.wrapping { () throws(DecodingError) in
      let decoder = try source.makeDecoder()
      try decoder.seek(to: span.lowerBound)
      return decoder
    }
    var analyzer = CepstralAnalyzer(format: decoder.format)
    let buffer = PCMBuffer(channels: decoder.format.channels, frameCapacity: 8192)
    var left = Int(span.length.frames) * decoder.format.channels
    while left > 0 {
      if stopFlag.isStopped { throw .cancelled }
      let count = try AnalysisError.wrapping { () throws(DecodingError) in
        try decoder.read(into: buffer)
      }
      if count == 0 { break }
      let filled = buffer.filled
      analyzer.push(UnsafeBufferPointer(rebasing: filled.prefix(left)))
      left -= filled.count
    }
    return analyzer.finish()
  }

  private func measure(
    _ file: MediaFile, track: Int?, seekIndex: SeekIndex?
  ) throws(AnalysisError) -> Cepstra {
    let source = try AnalysisError.wrapping { () throws(DecodingError) in
      try MediaSource(file, track: track, seekIndex: seekIndex)
    }
    let decoder = try AnalysisError.wrapping { () throws(DecodingError) in
      try source.makeDecoder()
    }
    var analyzer = CepstralAnalyzer(format: decoder.format)
    let buffer = PCMBuffer(channels: decoder.format.channels, frameCapacity: 8192)
    let length = source.description.frameCount ?? source.description.estimatedFrameCount
    var done = FrameCount.zero
    while true {
      if stopFlag.isStopped { throw .cancelled }
      let count = try AnalysisError.wrapping { () throws(DecodingError) in
        try decoder.read(into: buffer)
      }
      if count == 0 { break }
      analyzer.push(buffer.filled)
      done = done + FrameCount(Int64(count))
      if let progress, let length, length > .zero {
        progress(min(Double(done.frames) / Double(length.frames), 1))
      }
    }
    return analyzer.finish()
  }
}

/// A file of which parts are heard; opened when the first is asked for.
private final class FileExcerpts: Sendable {
  private let reader: CepstralReader
  private let path: String
  private let track: Int?
  private let seekIndex: SeekIndex?
  private let opened = Monitor(Opened?.none)

  private enum Opened: Sendable {
    case kept(Cepstra, SampleRate)
    case source(MediaSource)
    case nothing
  }

  init(reader: CepstralReader, path: String, track: Int?, seekIndex: SeekIndex?) {
    self.reader = reader
    self.path = path
    self.track = track
    self.seekIndex = seekIndex
  }

  func cepstra(in span: Range<FramePosition>) -> Cepstra? {
    let file = opened.update { opened in
      let file = opened ?? open()
      opened = file
      return file
    }
    return switch file {
    case .kept(let cepstra, let rate): cepstra.part(span, rate: rate)
    case .source(let source): try? reader.measure(source, span)
    case .nothing: nil
    }
  }

  private func open() -> Opened {
    guard let file = try? MediaFile(path: path, stopFlag: reader.stopFlag) else { return .nothing }
    guard let source = try? MediaSource(file, track: track, seekIndex: seekIndex) else {
      return .nothing
    }
    let rate = source.description.format.rate
    if let sidecars = reader.sidecars, let key = try? file.contentKey(track: track),
      let kept = CepstraFile.read(sidecars.cepstraPath(forKey: key), key: key)
    {
      return .kept(kept, rate)
    }
    if source.isSeekCheap { return .source(source) }
    let whole = try? reader.read(path: path, track: track, seekIndex: seekIndex)
    return whole.map { .kept($0, rate) } ?? .nothing
  }
}

/// The layout of `{key}-cepstra.bin`, little endian: `TILAWACP`, version UInt32, frames UInt32, the key
/// of the source (16 bytes), a hash of the coefficients (16 bytes), then the coefficients, Float32.
enum CepstraFile {
  private static let magic = Array("TILAWACP".utf8)
  /// Goes up whenever the same audio would give other coefficients.
  private static let version: UInt32 = 1
  private static let headerLength = 48

  static func read(_ path: String, key: [UInt8]) -> Cepstra? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let file = OpenFile(descriptor)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size >= headerLength else { return nil }
    var header = [UInt8](repeating: 0, count: headerLength)
    let isRead = header.withUnsafeMutableBytes { (try? file.read(at: 0, into: $0)) != nil }
    guard isRead else { return nil }
    let size = Int(status.st_size) - headerLength
    let frameBytes = Cepstra.width * MemoryLayout<Float>.size
    guard size % frameBytes == 0, size / frameBytes <= Int(UInt32.max) else { return nil }
    var coefficients = [Float](repeating: 0, count: size / MemoryLayout<Float>.size)
    let isWhole = coefficients.withUnsafeMutableBytes {
      (try? file.read(at: Int64(headerLength), into: $0)) != nil
    }
    guard isWhole else { return nil }
    guard header == self.header(of: coefficients, key: key) else { return nil }
    return Cepstra(coefficients: coefficients)
  }

  /// Whether it could be written.
  static func write(_ cepstra: Cepstra, to path: String, key: [UInt8]) -> Bool {
    let temporary = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 16)).part"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    let file = OpenFile(descriptor)
    let header = header(of: cepstra.coefficients, key: key)
    let failure =
      header.withUnsafeBytes { file.write($0, at: 0) }
      ?? cepstra.coefficients.withUnsafeBytes { file.write($0, at: Int64(headerLength)) }
    guard failure == nil, rename(temporary, path) == 0 else {
      unlink(temporary)
      return false
    }
    return true
  }

  private static func header(of coefficients: [Float], key: [UInt8]) -> [UInt8] {
    var hash = ContentHash()
    coefficients.withUnsafeBytes { hash.update($0) }
    var bytes = magic
    for number in [version, UInt32(coefficients.count / Cepstra.width)] {
      withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
    return bytes + key + hash.digest()
  }
}
