// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc
import Synchronization

/// Everything that the feeder, the output thread and the session's callers share, without a lock.
///
/// Generations: whoever breaks off what is playing (a seek, an edit of what was already rendered) raises
/// `generation`. The output thread then takes no frame until the feeder has published, in
/// `readyGeneration`, that the frames from `generationStart` on are of that generation. So nothing stale
/// is ever taken for new, and no one waits for anyone.
final class OutputBus: Sendable {
  static let openEnd = Int.max
  /// `cutPoint` for "now".
  static let now = -1

  let format: AudioFormat
  let ring: FrameRing
  let parameters = ParameterExchange()
  let reports = ReportRing()

  /// The generation wanted. Written by callers and by the feeder.
  let generation = Atomic<Int>(0)
  /// How many of the cuts have to be made at once. Written by callers and by the feeder.
  let hardCuts = Atomic<Int>(0)
  /// The ring frame at which a cut that is not hard is to be made. Written by the feeder.
  let cutPoint = Atomic<Int>(OutputBus.now)
  /// Written by the feeder; see above.
  let readyGeneration = Atomic<Int>(0)
  let generationStart = Atomic<Int>(0)
  /// The ring frame with which the schedule ends, or `openEnd`. Written by the feeder.
  let end = Atomic<Int>(OutputBus.openEnd)
  /// How many commands the feeder was sent, by callers, and how many it has carried out: only when it has
  /// seen them all does `end` count.
  let commandsSent = Atomic<Int>(0)
  let commandsDone = Atomic<Int>(0)

  /// What callers want, and how many frames the fade to it takes.
  let transport = Atomic<Int>(Transport.paused.rawValue)
  let fadeFrames = Atomic<Int>(0)
  /// Frames over which what is cut off fades.
  let cutFade: Int

  /// What the output thread is at. Written by it.
  let state = Atomic<Int>(State.paused.rawValue)
  /// The ring frame that is heard now. Written by the output thread.
  let heard = Atomic<Int>(0)
  /// The loudest sample since the meter was last read, as bits. Written by the output thread.
  let peak = Atomic<UInt32>(0)
  /// The least gain of the limiter since it was last asked for, as bits. Written by the output thread.
  let leastGain = Atomic<UInt32>(Float(1).bitPattern)
  /// Samples that did not fit into -1...1. Written by the output thread.
  let clipped = Atomic<Int>(0)

  /// The speed wanted, as bits. Written by callers.
  let speed = Atomic<UInt64>(1.0.bitPattern)

  /// Whether the output thread sleeps until there are frames.
  let isOutputHungry = Atomic<Bool>(false)
  let isClosing = Atomic<Bool>(false)

  /// What wakes the output thread: the end of a pipe, to be polled beside the device's own descriptors.
  let wakeDescriptor: Int32
  private let wakeWriter: Int32
  // Unsafe because it is a pointer: what it points to is only given to the functions of semaphores.
  private nonisolated(unsafe) let feederSignal: UnsafeMutablePointer<sem_t>

  enum Transport: Int {
    case paused, playing
  }

  enum State: Int {
    case paused, playing, lost
  }

  init(format: AudioFormat, ringFrames: Int, cutFade: Int) throws(PlaybackError) {
    self.format = format
    self.cutFade = cutFade
    ring = FrameRing(channels: format.channels, capacity: ringFrames)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw PlaybackError(.noResources, subject: "playback", call: "pipe", code: errno)
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    wakeDescriptor = ends[0]
    wakeWriter = ends[1]
    feederSignal = .allocate(capacity: 1)
    sem_init(feederSignal, 0, 0)
  }

  deinit {
    close(wakeDescriptor)
    close(wakeWriter)
    sem_destroy(feederSignal)
    feederSignal.deallocate()
  }

  func wakeOutput() {
    var byte: UInt8 = 1
    // A full pipe wakes as well.
    _ = write(wakeWriter, &byte, 1)
  }

  /// Takes note of having been woken. The output thread's.
  func clearWake() {
    var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    while read(wakeDescriptor, &bytes, 32) == 32 {}
  }

  func wakeFeeder() { sem_post(feederSignal) }

  /// Sleeps until woken, or for so many milliseconds. The feeder's.
  func waitAsFeeder(milliseconds: Int) {
    var until = timespec()
    clock_gettime(CLOCK_REALTIME, &until)
    let nanoseconds = until.tv_nsec + milliseconds * 1_000_000
    until.tv_sec += nanoseconds / 1_000_000_000
    until.tv_nsec = nanoseconds % 1_000_000_000
    _ = sem_timedwait(feederSignal, &until)
    // One look at everything answers all calls so far.
    while sem_trywait(feederSignal) == 0 {}
  }
}

/// What the output thread has to say; plain numbers.
struct OutputReport: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    case started, paused, drained, ranDry, recovered, lost
  }

  var kind: Kind
  /// The ring frame that was heard then.
  var heard: Int
  /// What `recovered` and `lost` came from.
  var cause: OutputFault = .underrun
  /// The error number of `lost`, else 0.
  var code: Int32 = 0
}

/// What happened to a device.
public enum OutputFault: UInt8, Hashable, Sendable, BitwiseCopyable {
  /// It played all it had before there was more.
  case underrun
  /// The system slept.
  case suspended
  /// It is no longer there.
  case disconnected
  /// It fails, whatever is tried.
  case failing
  /// It takes and plays nothing any more, without an error.
  case stalled
}

/// Reports on their way from the output thread to the feeder. One that finds no room is dropped.
struct ReportRing: ~Copyable, @unchecked Sendable {
  // Unchecked because of the pointer: a slot belongs to the side that the two counters give it to.
  private static var capacity: Int { 256 }
  private let slots: UnsafeMutablePointer<OutputReport>
  private let written = Atomic<Int>(0)
  private let read = Atomic<Int>(0)

  init() {
    slots = .allocate(capacity: Self.capacity)
    slots.initialize(
      repeating: OutputReport(kind: .started, heard: 0), count: Self.capacity)
  }

  deinit { slots.deallocate() }

  @_noLocks
  func push(_ report: OutputReport) {
    let next = written.load(ordering: .relaxed)
    if next &- read.load(ordering: .acquiring) >= Self.capacity { return }
    slots[next & (Self.capacity &- 1)] = report
    written.store(next &+ 1, ordering: .releasing)
  }

  func pop() -> OutputReport? {
    let next = read.load(ordering: .relaxed)
    guard next < written.load(ordering: .acquiring) else { return nil }
    let report = slots[next & (Self.capacity - 1)]
    read.store(next + 1, ordering: .releasing)
    return report
  }
}
