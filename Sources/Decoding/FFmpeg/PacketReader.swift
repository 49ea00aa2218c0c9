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
///
/// The last packets stay at hand, so that a block of packets begins with those before it at no cost.
final class DemuxedPacketReader: PacketReader {
  private(set) var nextPacket = 0
  private var demuxer: FFmpegDemuxer
  private let index: SeekIndex
  private let rate: Int
  private let track: Int
  /// The packet that the demuxer gives next.
  private var demuxed = 0
  /// Whether it was read ahead, to recognise the place, and not yet handed out.
  private var hasPending = false
  /// The last packets before `demuxed` that were handed out one after another, by number modulo their count.
  private var kept: [UnsafeMutablePointer<AVPacket>] = []
  private var keptCount = 0

  /// - Parameter kept: packets that it must be possible to step back over from a place just read.
  init(
    _ demuxer: FFmpegDemuxer, index: SeekIndex, rate: Int, kept: Int
  ) throws(DecodingError) {
    self.demuxer = demuxer
    self.index = index
    self.rate = rate
    track = demuxer.track
    // A decoder may want some packets more before it gives the frames of the last one.
    for _ in 0..<(kept + 16) {
      guard let packet = av_packet_alloc() as UnsafeMutablePointer<AVPacket>? else {
        throw DecodingError(.outOfMemory, file: demuxer.file.path, call: "av_packet_alloc")
      }
      self.kept.append(packet)
    }
  }

  deinit {
    for packet in kept {
      var packet: UnsafeMutablePointer<AVPacket>? = packet
      av_packet_free(&packet)
    }
  }

  func next(into packet: UnsafeMutablePointer<AVPacket>) throws(DecodingError) -> Bool {
    guard nextPacket < index.packetCount else { return false }
    let slot = kept[nextPacket % kept.count]
    if nextPacket == demuxed {
      if !hasPending, try !demuxer.nextPacket() { return false }
      hasPending = false
      av_packet_unref(slot)
      av_packet_move_ref(slot, demuxer.packet)
      demuxed += 1
      keptCount = min(keptCount + 1, kept.count)
    }
    av_packet_unref(packet)
    try checked("av_packet_ref", file: demuxer.file.path, av_packet_ref(packet, slot))
    nextPacket += 1
    return true
  }

  func seek(toPacket target: Int) throws(DecodingError) {
    if (demuxed - keptCount...demuxed).contains(target) {
      nextPacket = target
      return
    }
    // Not worth a jump: reading on is as fast.
    if target > demuxed, target - demuxed < 64, !hasPending {
      nextPacket = demuxed
      return
    }
    keptCount = 0
    let seconds = Double(index.startFrame(ofPacket: target)) / Double(rate)
    for earlier in [0.0, 2, 10] where seconds - earlier > 0 {
      if demuxer.seek(toSeconds: seconds - earlier), let found = try recognise(upTo: target) {
        demuxed = found
        nextPacket = found
        hasPending = true
        return
      }
    }
    demuxer = try FFmpegDemuxer(demuxer.file, track: track)
    demuxed = 0
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
