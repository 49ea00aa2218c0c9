// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding

/// Which packets of a stream cover a span, and what of their frames is too much.
///
/// Frames are decoded ones, encoder delay counted, unless they are called units: those of the container's
/// own clock, of which one may be several decoded frames (implicit SBR).
struct PacketCut: Equatable {
  /// Preroll included.
  let packets: Range<Int>
  /// The frame that decoding the packets gives first.
  let start: Int64
  /// Frames per unit.
  let framesPerUnit: Int64
  /// The units to be left out at the beginning and after which the stream ends, counted from `start`.
  let audibleUnits: Range<Int64>
  /// By how many frames what is heard begins before the span and ends after it.
  let lead: Int64
  let tail: Int64

  /// - Parameters:
  ///   - span: frames of the decoded stream.
  ///   - prerollFrames: what the decoder needs to have decoded before the first frame that counts; whole
  ///     packets of at least so many are taken, as far as there are any.
  init(
    _ index: SeekIndex, span: Range<Int64>, prerollFrames: Int64, framesPerUnit: Int64 = 1
  ) {
    let covering = index.packet(holding: span.lowerBound)
    let last = index.packet(holding: span.upperBound - 1)
    var first = covering
    while first > 0,
      index.startFrame(ofPacket: covering) - index.startFrame(ofPacket: first)
        < prerollFrames
    {
      first -= 1
    }
    packets = first..<(last + 1)
    start = index.startFrame(ofPacket: first)
    self.framesPerUnit = framesPerUnit
    let begin = (span.lowerBound - start) / framesPerUnit
    let end = (span.upperBound - start + framesPerUnit - 1) / framesPerUnit
    audibleUnits = begin..<end
    lead = span.lowerBound - (start + begin * framesPerUnit)
    tail = start + end * framesPerUnit - span.upperBound
  }

  /// For containers that cannot say how much of the beginning is not to be heard, and codecs whose first
  /// packet only prepares the second: Vorbis in Ogg.
  init(_ index: SeekIndex, startingWithPacketOf span: Range<Int64>) {
    let covering = index.packet(holding: span.lowerBound)
    packets = max(covering - 1, 0)..<(index.packet(holding: span.upperBound - 1) + 1)
    start = index.startFrame(ofPacket: covering)
    framesPerUnit = 1
    audibleUnits = 0..<(span.upperBound - start)
    lead = span.lowerBound - start
    tail = 0
  }

  /// Where the frames of a packet lie, in units from `start`; empty if it gives none.
  func units(ofPacket packet: Int, _ index: SeekIndex) -> Range<Int64> {
    let first = (index.startFrame(ofPacket: packet) - start) / framesPerUnit
    let last = (index.startFrame(ofPacket: packet + 1) - start) / framesPerUnit
    return max(first, 0)..<max(last, 0)
  }
}
