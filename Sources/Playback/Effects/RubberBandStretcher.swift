// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CRubberBand

/// Rubber Band's R3 engine in real-time mode, over interleaved frames. The feeder's.
///
/// None of the C functions can fail; memory that cannot be had ends the process.
final class RubberBandStretcher {
  /// The most frames fed at once.
  static let blockLength = 512

  private let state: RubberBandState
  private let channels: Int
  /// One row a channel.
  private let planes: UnsafeMutablePointer<Float>
  private let rows: UnsafeMutablePointer<UnsafePointer<Float>?>
  private let mutableRows: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

  init(format: AudioFormat, speed: Double) {
    channels = format.channels
    let options =
      RubberBandOptionProcessRealTime.rawValue | RubberBandOptionEngineFiner.rawValue
      | RubberBandOptionChannelsTogether.rawValue
    state = rubberband_new(
      UInt32(format.rate.hertz), UInt32(format.channels), Int32(options), 1 / speed, 1)
    rubberband_set_max_process_size(state, UInt32(Self.blockLength))
    planes = .allocate(capacity: channels * Self.blockLength)
    planes.initialize(repeating: 0, count: channels * Self.blockLength)
    rows = .allocate(capacity: channels)
    mutableRows = .allocate(capacity: channels)
    for channel in 0..<channels {
      (rows + channel).initialize(to: planes + channel * Self.blockLength)
      (mutableRows + channel).initialize(to: planes + channel * Self.blockLength)
    }
  }

  deinit {
    rubberband_delete(state)
    planes.deallocate()
    rows.deallocate()
    mutableRows.deallocate()
  }

  /// Frames to be fed ahead of the first, and frames to be thrown away from the output then.
  var startPad: Int { Int(rubberband_get_preferred_start_pad(state)) }
  var startDelay: Int { Int(rubberband_get_start_delay(state)) }

  /// Frames to be fed before more can come out.
  var required: Int { Int(rubberband_get_samples_required(state)) }

  /// Frames that can be taken out.
  var available: Int { max(0, Int(rubberband_available(state))) }

  func setSpeed(_ speed: Double) { rubberband_set_time_ratio(state, 1 / speed) }

  /// Feeds up to `blockLength` frames; nil feeds silence.
  func feed(_ samples: UnsafePointer<Float>?, frames: Int) {
    for channel in 0..<channels {
      let row = planes + channel * Self.blockLength
      if let samples {
        for frame in 0..<frames { row[frame] = samples[frame * channels + channel] }
      } else {
        row.update(repeating: 0, count: frames)
      }
    }
    rubberband_process(state, rows, UInt32(frames), 0)
  }

  /// Takes out up to `blockLength` frames; into nowhere when nil.
  func take(_ samples: UnsafeMutablePointer<Float>?, frames: Int) -> Int {
    // Asked for more than there is, the library writes a warning to standard error.
    let wanted = min(frames, Self.blockLength, available)
    guard wanted > 0 else { return 0 }
    let count = Int(rubberband_retrieve(state, mutableRows, UInt32(wanted)))
    guard let samples else { return count }
    for channel in 0..<channels {
      let row = planes + channel * Self.blockLength
      for frame in 0..<count { samples[frame * channels + channel] = row[frame] }
    }
    return count
  }
}
