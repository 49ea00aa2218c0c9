// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// Turns a stream of samples into hops, block by block, in constant memory.
///
/// How the stream is cut into blocks makes no difference to the hops.
public struct WaveformAnalyzer: ~Copyable {
  public let grid: HopGrid
  public let channels: Int
  /// Hops given out so far, counted from the start of the recording.
  public private(set) var nextHop: Int

  /// Samples of a hop whose end has not arrived yet.
  private let carry: UnsafeMutableBufferPointer<Float>
  private var carried = 0
  private var bands: BandAnalyzer

  /// - Parameter firstHop: the hop that the first pushed frame begins. Unless it is 0, `prime` comes first.
  public init(format: AudioFormat, firstHop: Int = 0) {
    grid = HopGrid(rate: format.rate)
    channels = format.channels
    nextHop = firstHop
    bands = BandAnalyzer(format: format, start: grid.start(ofHop: firstHop))
    carry = .allocate(capacity: grid.longestHop * format.channels)
  }

  deinit { carry.deallocate() }

  /// Frames before the first hop that `prime` wants, where there are as many.
  public static func primingLength(at rate: SampleRate) -> FrameCount {
    BandAnalyzer.memory(at: rate)
  }

  /// Shows the analyzer what came before its first hop, so that it measures that hop as one that had
  /// come all the way from the start of the recording.
  ///
  /// - Parameter samples: the last `primingLength` frames before it, interleaved.
  public mutating func prime(_ samples: UnsafeBufferPointer<Float>) {
    guard let base = samples.baseAddress else { return }
    bands.prime(base, frames: samples.count / channels)
  }

  /// Takes the next frames, interleaved, and appends each hop that is now complete.
  public mutating func push(_ samples: UnsafeBufferPointer<Float>, into hops: inout [Hop]) {
    guard let base = samples.baseAddress else { return }
    var offset = 0
    while offset < samples.count {
      let length = hopLength
      let needed = length - carried
      let available = samples.count - offset
      if carried == 0, available >= length {
        measure(base + offset, count: length, into: &hops)
        offset += length
      } else {
        let count = min(needed, available)
        (carry.baseAddress! + carried).update(from: base + offset, count: count)
        carried += count
        offset += count
        if carried == length { completeCarried(into: &hops) }
      }
    }
  }

  /// Appends the last hop, if the stream ended within one.
  public mutating func finish(into hops: inout [Hop]) {
    if carried > 0 { completeCarried(into: &hops) }
  }

  /// Samples in the hop that comes next.
  private var hopLength: Int {
    let length = grid.start(ofHop: nextHop + 1) - grid.start(ofHop: nextHop)
    return Int(length.frames) * channels
  }

  private mutating func completeCarried(into hops: inout [Hop]) {
    measure(carry.baseAddress!, count: carried, into: &hops)
    carried = 0
  }

  private mutating func measure(
    _ samples: UnsafePointer<Float>, count: Int, into hops: inout [Hop]
  ) {
    var hop = HopKernel.measure(samples, count: count)
    hop.bands = bands.measure(samples, frames: count / channels)
    hops.append(hop)
    nextHop += 1
  }
}
