// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import AudioCore
import Decoding
import Glibc

/// What a sidecar holds.
struct KeptRecording {
  var envelope: Envelope
  var facts: SidecarFacts
  /// Nil where they were not measured, or not asked for.
  var logMel: LogMelFrames?
}

/// Reads sidecars, and believes none that is damaged, of another version or of another source.
enum SidecarReader {
  /// What is kept for a source; nil means analyse anew.
  ///
  /// - Parameter needsLogMel: whether a sidecar without log-mel frames is of no use.
  static func read(path: String, key: [UInt8], needsLogMel: Bool) -> KeptRecording? {
    let descriptor = open(path.diskName, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    let file = OpenFile(descriptor)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let headerBytes = try? bytes(in: file, 0..<Int64(SidecarHeader.byteCount)),
      let header = SidecarHeader(headerBytes, key: key, fileSize: Int64(status.st_size)),
      !needsLogMel || header.logMelCount > 0,
      let hash = try? hash(of: file, from: header.hopsOffset, to: header.fileSize),
      hash == header.payloadHash,
      let factBytes = try? bytes(in: file, header.factsOffset..<header.fileSize),
      let facts = SidecarFacts(factBytes, format: header.format)
    else { return nil }

    var levels: [[Peaks]] = []
    var offset = header.levelsOffset
    for count in header.levelCounts {
      let end = offset + Int64(count * MemoryLayout<Peaks>.stride)
      guard let level = try? bytes(in: file, offset..<end) else { return nil }
      levels.append(
        level.withUnsafeBytes { raw in
          (0..<count).map {
            raw.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Peaks>.stride, as: Peaks.self)
          }
        })
      offset = end
    }
    let store = HopStore(file, offset: header.hopsOffset, count: header.hopCount)
    let envelope = Envelope(
      grid: HopGrid(rate: header.format.rate), length: header.length,
      summary: EnvelopeSummary(levels: levels), store: store)
    var logMel: LogMelFrames?
    if needsLogMel {
      guard let levels = try? bytes(in: file, header.logMelOffset..<header.factsOffset) else {
        return nil
      }
      logMel = LogMelFrames(levels: levels)
    }
    return KeptRecording(envelope: envelope, facts: facts, logMel: logMel)
  }

  private static func bytes(
    in file: OpenFile, _ range: Range<Int64>
  ) throws(AnalysisError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(range.upperBound - range.lowerBound))
    var failure: AnalysisError?
    bytes.withUnsafeMutableBytes { buffer in
      do throws(AnalysisError) {
        try file.read(at: range.lowerBound, into: buffer)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  private static func hash(
    of file: OpenFile, from start: Int64, to end: Int64
  ) throws(AnalysisError) -> [UInt8] {
    var hash = ContentHash()
    var offset = start
    while offset < end {
      let block = try bytes(in: file, offset..<min(offset + 1 << 20, end))
      block.withUnsafeBytes { hash.update($0) }
      offset += Int64(block.count)
    }
    return hash.digest()
  }
}
