// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CFFmpeg

/// Decodes with FFmpeg, by packet number: the index says which frames each packet holds, so where a
/// frame belongs never depends on timestamps.
///
/// What a lossy decoder makes of a packet depends, in its last bits, on packets far before it: Opus
/// takes three seconds to converge, and AAC's noise substitution never does. These streams are decoded
/// in blocks, each from a fresh start, so that a frame is the same however it was reached.
final class FFmpegDecoder: AudioDecoder {
  let format: AudioFormat
  private(set) var warnings: [DecodingWarning] = []
  var position: FramePosition { FramePosition(next - index.audible.lowerBound + pastEnd) }

  private let file: MediaFile
  private let index: SeekIndex
  private let packets: any PacketReader
  private var codec: FFmpegCodec
  private let parameters: CodecParameters
  /// Packets in a block; nil where one start serves the whole stream.
  private let blockLength: Int?
  /// The decoded frames that belong to the start that was made.
  private var block: Range<Int64>
  private let packet: UnsafeMutablePointer<AVPacket>

  /// The decoded frame that the next `read` starts with, encoder delay counted.
  private var next: Int64
  /// How far past the end the last `seek` went, where `next` stays at the end.
  private var pastEnd: Int64 = 0
  /// Which decoded frames lie in `codec.frame`.
  private var held: Range<Int64> = 0..<0
  /// The decoded frame after the last one that came out of the decoder.
  private var decodedEnd: Int64 = 0
  /// Whether the decoder has been told that no packets follow.
  private var hasEnded = false
  /// Whether `read` has found that there is nothing more to give.
  private var isAtEnd = false
  /// Before this frame, what a decoder that has just been thrown into the stream says does not count.
  private var trustedFrom: Int64 = 0

  init(
    file: MediaFile, format: AudioFormat, index: SeekIndex, packets: any PacketReader,
    parameters: CodecParameters, blockLength: Int?
  ) throws(DecodingError) {
    self.file = file
    self.format = format
    self.index = index
    self.packets = packets
    self.parameters = parameters
    self.blockLength = blockLength
    block = index.block(holding: 0, length: blockLength).frames
    codec = try FFmpegCodec(parameters, file: file.path)
    packet = av_packet_alloc()
    next = index.audible.lowerBound
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&packet)
  }

  func read(into buffer: PCMBuffer) throws(DecodingError) -> Int {
    precondition(buffer.channels == format.channels)
    buffer.frameCount = 0
    while !isAtEnd, buffer.frameCount < buffer.frameCapacity, next < index.audible.upperBound {
      if next >= block.upperBound { try start(at: next) }
      if next >= held.upperBound, try !decodeNext() {
        isAtEnd = true
        break
      }
      if next >= held.upperBound { continue }
      // A hole in what was decoded is silence, so that everything after it keeps its place.
      let isHole = next < held.lowerBound
      let end = min(
        isHole ? held.lowerBound : held.upperBound, index.audible.upperBound, block.upperBound)
      let count = min(Int(end - next), buffer.frameCapacity - buffer.frameCount)
      let target = buffer.samples.baseAddress! + buffer.frameCount * format.channels
      if isHole {
        target.update(repeating: 0, count: count * format.channels)
        noteDamage(at: next, count: count)
      } else {
        let isKnown = SampleConversion.interleave(
          codec.frame, from: Int(next - held.lowerBound), count: count, into: target,
          channels: format.channels)
        guard isKnown else {
          throw DecodingError(
            .unsupportedCodec("sample format \(codec.frame.pointee.format)"), file: file.path)
        }
      }
      next += Int64(count)
      buffer.frameCount += count
    }
    let filled = UnsafeMutableBufferPointer(
      rebasing: buffer.samples[..<(buffer.frameCount * format.channels)])
    let nonFinite = filled.isEmpty ? 0 : silenceNonFiniteSamples(filled)
    if nonFinite > 0 { warnings.note(.notFinite(samples: nonFinite)) }
    return buffer.frameCount
  }

  func seek(to target: FramePosition) throws(DecodingError) {
    guard target >= .zero else {
      let length = Int64(index.audible.count)
      throw DecodingError(
        .outOfRange(.init(asked: target.frames, length: length)), file: file.path)
    }
    isAtEnd = false
    // Past the end, encoder delay on top might be more than a number holds.
    pastEnd = max(target.frames - Int64(index.audible.count), 0)
    next = target.frames - pastEnd + index.audible.lowerBound
    guard next < index.audible.upperBound else { return }
    if block.contains(next), held.contains(next) { return }
    // Decoding on is cheaper than a jump that would land at or before where decoding stands.
    let first = firstPacket(for: next)
    if block.contains(next), !hasEnded, first <= packets.nextPacket, next >= decodedEnd { return }
    try start(at: next)
  }

  /// Starts anew, so that a frame is the next that `read` gives.
  private func start(at frame: Int64) throws(DecodingError) {
    let first = firstPacket(for: frame)
    block = index.block(holding: frame, length: blockLength).frames
    try packets.seek(toPacket: first)
    if blockLength == nil, packets.nextPacket > 0 {
      codec.flush()
    } else {
      // A flushed decoder still remembers things: AAC a window shape and where its noise stands.
      codec = try FFmpegCodec(parameters, file: file.path)
      while packets.nextPacket < first, try packets.next(into: packet) {}
    }
    hasEnded = false
    held = 0..<0
    decodedEnd = index.startFrame(ofPacket: packets.nextPacket)
    trustedFrom = frame
  }

  /// The packet to start with for a frame.
  private func firstPacket(for frame: Int64) -> Int {
    max(0, index.block(holding: frame, length: blockLength).packet - parameters.preroll)
  }

  /// Decodes one more frame into `codec.frame`; false when there is none left.
  private func decodeNext() throws(DecodingError) -> Bool {
    while true {
      if codec.receive() {
        let frame = codec.frame.pointee
        guard codec.frameFormat?.rate == format.rate else {
          warnings.note(.formatChange(at: position))
          return false
        }
        // The packet's number travels through the decoder as the timestamp.
        let start = frame.pts >= 0 ? max(frame.pts, decodedEnd) : decodedEnd
        decodedEnd = start + Int64(frame.nb_samples)
        held = start..<decodedEnd
        return true
      }
      if hasEnded { return try endWithSilence() }
      let number = packets.nextPacket
      if try packets.next(into: packet) {
        packet.pointee.pts = index.startFrame(ofPacket: number)
        packet.pointee.dts = packet.pointee.pts
        _ = try codec.send(packet)
      } else {
        hasEnded = true
        _ = try codec.send(nil)
      }
    }
  }

  /// Stands in for packets at the very end that could not be decoded.
  private func endWithSilence() throws(DecodingError) -> Bool {
    guard packets.nextPacket >= index.packetCount, decodedEnd < index.audible.upperBound else {
      if next < index.audible.upperBound {
        let found = FrameCount(max(0, next - index.audible.lowerBound))
        let promised = FrameCount(Int64(index.audible.count))
        warnings.note(.endsEarly(promised: promised, found: found))
      }
      return false
    }
    // `read` sees a hole that reaches to the end.
    decodedEnd = index.audible.upperBound
    held = decodedEnd..<decodedEnd
    return next < decodedEnd
  }

  private func noteDamage(at frame: Int64, count: Int) {
    guard frame >= trustedFrom else { return }
    let start = FramePosition(frame - index.audible.lowerBound)
    warnings.note(.damaged(at: start, frames: FrameCount(Int64(count))))
  }
}

extension SeekIndex {
  /// The block of `length` packets that holds a decoded frame: its first packet, and its frames, without
  /// an end for the last. With no length, the packet itself, and all frames.
  fileprivate func block(
    holding frame: Int64, length: Int?
  ) -> (packet: Int, frames: Range<Int64>) {
    let packet = packet(holding: frame)
    guard let length else { return (packet, 0..<Int64.max) }
    let first = packet / length * length
    let isLast = first + length >= packetCount
    return (
      first, startFrame(ofPacket: first)..<(isLast ? .max : startFrame(ofPacket: first + length))
    )
  }
}
