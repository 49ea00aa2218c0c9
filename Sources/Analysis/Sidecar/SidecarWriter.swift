// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import AudioCore
import Decoding
import Glibc

/// Writes a sidecar beside its final name and puts it in place when it is whole.
///
/// Belongs to one analysis, on one thread. A writer that is not finished leaves nothing behind.
final class SidecarWriter {
  /// Where the sidecar shall be; nil for one that vanishes with its last reader.
  private let path: String?
  private let temporaryPath: String
  private let file: OpenFile
  private let key: [UInt8]
  private var hash = ContentHash()
  private var offset = Int64(SidecarHeader.byteCount)
  private var isPlaced = false

  struct Problem: Error {
    let text: String
  }

  /// - Parameters:
  ///   - path: where the sidecar shall be; its folder exists.
  ///   - key: the source's `contentKey`.
  init(path: String, key: [UInt8]) throws(Problem) {
    self.path = path
    self.key = key
    // A name of its own keeps two analyses of one file apart.
    temporaryPath = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 16)).part"
    let descriptor = open(temporaryPath.diskName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Problem(text: Self.text(errno)) }
    file = OpenFile(descriptor)
  }

  /// A writer of something that nobody keeps: it spares the memory, not the work.
  ///
  /// - Parameter folder: for temporary files.
  init(scratchIn folder: String) throws(Problem) {
    path = nil
    key = [UInt8](repeating: 0, count: 16)
    temporaryPath = "\(folder)/tilawa-\(String(UInt64.random(in: 0 ... .max), radix: 16)).part"
    let descriptor = open(temporaryPath.diskName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Problem(text: Self.text(errno)) }
    file = OpenFile(descriptor)
    // The open descriptor is all that is needed; without a name nothing can be left behind.
    unlink(temporaryPath.diskName)
  }

  deinit {
    if !isPlaced { unlink(temporaryPath.diskName) }
  }

  /// Appends hops; returns what went wrong, if it did.
  func append(_ hops: [Hop]) -> String? {
    hops.withUnsafeBytes { add($0) }
  }

  /// The hops written so far, when writing cannot go on.
  func takeBack(_ count: Int) throws(AnalysisError) -> [Hop] {
    try HopStore(file, offset: Int64(SidecarHeader.byteCount), count: count).hops(in: 0..<count)
  }

  /// Writes what is left and moves the sidecar to its place; returns the hops as they lie in it.
  func finish(
    hopCount: Int, length: FrameCount, summary: EnvelopeSummary, logMel: LogMelFrames?,
    facts: SidecarFacts
  ) -> Result<HopStore, Problem> {
    guard let path else {
      return .success(
        HopStore(file, offset: Int64(SidecarHeader.byteCount), count: hopCount))
    }
    for level in summary.levels {
      if let problem = level.withUnsafeBytes({ add($0) }) {
        return .failure(Problem(text: problem))
      }
    }
    if let logMel, let problem = logMel.levels.withUnsafeBytes({ add($0) }) {
      return .failure(Problem(text: problem))
    }
    let encoded = facts.encoded
    if let problem = encoded.withUnsafeBytes({ add($0) }) {
      return .failure(Problem(text: problem))
    }
    var finished = ContentHash()
    swap(&finished, &hash)
    let header = SidecarHeader(
      key: key, format: facts.format, length: length, hopCount: hopCount,
      levelCounts: summary.levels.map(\.count), factsCount: encoded.count,
      logMelCount: logMel?.count ?? 0, payloadHash: finished.digest())
    if let code = header.bytes.withUnsafeBytes({ file.write($0, at: 0) }) {
      return .failure(Problem(text: Self.text(code)))
    }
    guard rename(temporaryPath.diskName, path.diskName) == 0 else {
      return .failure(Problem(text: Self.text(errno)))
    }
    isPlaced = true
    return .success(HopStore(file, offset: header.hopsOffset, count: hopCount))
  }

  private func add(_ bytes: UnsafeRawBufferPointer) -> String? {
    if let code = file.write(bytes, at: offset) { return Self.text(code) }
    hash.update(bytes)
    offset += Int64(bytes.count)
    return nil
  }

  private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
