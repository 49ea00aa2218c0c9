// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
import Glibc

/// Hands out a track's packets by number, from any of them on.
protocol PacketReader: AnyObject {
  /// The number of the packet that `next` gives.
  var nextPacket: Int { get }

  /// Fills the packet; false at the end.
  func next(into packet: UnsafeMutablePointer<AVPacket>) throws(DecodingError) -> Bool

  /// Makes a packet at or before `packet` the next one.
  func seek(toPacket packet: Int) throws(DecodingError)
}

/// Reads packets straight from the file: no demuxer, no search, no table but the index.
final class DirectPacketReader: PacketReader {
  private(set) var nextPacket = 0
  private let cursor: ByteCursor
  private let index: SeekIndex

  init(_ file: MediaFile, index: SeekIndex) {
    cursor = ByteCursor(file)
    self.index = index
  }

  func seek(toPacket packet: Int) { nextPacket = packet }

  func next(into packet: UnsafeMutablePointer<AVPacket>) throws(DecodingError) -> Bool {
    guard nextPacket < index.packetCount else { return false }
    let size = Int(index.sizes[nextPacket])
    let offset = index.offsets[nextPacket]
    // An index that was kept may be wrong: no memory for what the file does not have.
    guard offset >= 0, offset <= cursor.file.size - Int64(size) else { return false }
    _ = cursor.seek(by: offset, from: SEEK_SET)
    av_packet_unref(packet)
    try checked(
      "av_new_packet", file: cursor.file.path, av_new_packet(packet, Int32(clamping: size)))
    let buffer = UnsafeMutableRawBufferPointer(start: packet.pointee.data, count: size)
    guard let got = cursor.read(into: buffer) else {
      throw cursor.failure ?? DecodingError(.inputOutput, file: cursor.file.path, call: "pread")
    }
    // The file has become shorter since it was opened.
    guard got == size else { return false }
    nextPacket += 1
    return true
  }
}

/// Reads packets through the demuxer, and finds its place after a jump by recognising the packets.
///
/// A demuxer lands roughly where it is asked to. The byte offset and size of the packets that follow say
/// which ones they are; where they cannot, reading starts again from the first.
final class DemuxedPacketReader: PacketReader {
  private(set) var nextPacket = 0
  private var demuxer: FFmpegDemuxer
  private let index: SeekIndex
  private let rate: Int
  private let track: Int
  /// Read ahead to recognise the place, not yet handed out.
  private var hasPending = false

  init(_ demuxer: FFmpegDemuxer, index: SeekIndex, rate: Int) {
    self.demuxer = demuxer
    self.index = index
    self.rate = rate
    track = demuxer.track
  }

  func next(into packet: UnsafeMutablePointer<AVPacket>) throws(DecodingError) -> Bool {
    guard nextPacket < index.packetCount else { return false }
    if !hasPending, try !demuxer.nextPacket() { return false }
    hasPending = false
    av_packet_unref(packet)
    av_packet_move_ref(packet, demuxer.packet)
    nextPacket += 1
    return true
  }

  func seek(toPacket target: Int) throws(DecodingError) {
    // Not worth a jump: reading on is as fast.
    if target >= nextPacket, target - nextPacket < 64, !hasPending || target == nextPacket {
      return
    }
    let seconds = Double(index.startFrame(ofPacket: target)) / Double(rate)
    for earlier in [0.0, 2, 10] where seconds - earlier > 0 {
      if demuxer.seek(toSeconds: seconds - earlier), let found = try recognise(upTo: target) {
        nextPacket = found
        hasPending = true
        return
      }
    }
    demuxer = try FFmpegDemuxer(demuxer.file, track: track)
    nextPacket = 0
    hasPending = false
  }

  /// The number of the packet that the demuxer has just read, if it is one at or before `target`.
  private func recognise(upTo target: Int) throws(DecodingError) -> Int? {
    // Packets that share a page share its offset, so only the first after a jump may be ambiguous.
    for _ in 0..<256 {
      guard try demuxer.nextPacket() else { return nil }
      let packet = demuxer.packet.pointee
      guard packet.pos >= 0 else { return nil }
      guard let found = index.uniquePacket(offset: packet.pos, size: UInt32(packet.size)) else {
        continue
      }
      return found <= target ? found : nil
    }
    return nil
  }
}

extension SeekIndex {
  /// The one packet with this offset and size; nil if there are none or several.
  func uniquePacket(offset: Int64, size: UInt32) -> Int? {
    // Offsets never fall in the containers read this way, so equal ones are neighbours.
    var low = 0
    var high = offsets.count
    while low < high {
      let middle = (low + high) / 2
      if offsets[middle] < offset { low = middle + 1 } else { high = middle }
    }
    var found: Int?
    while low < offsets.count, offsets[low] == offset {
      if sizes[low] == size {
        if found != nil { return nil }
        found = low
      }
      low += 1
    }
    return found
  }
}
