// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Glibc

/// Fetches files one after another, politely. Belongs to one thread, which it blocks.
public final class Downloader {
  private let settings: FetchSettings
  private let clock: any FetchClock
  private let stopFlag: StopFlag
  private let fault: (@Sendable (DiskStep) -> Int32?)?
  private let turns: HostTurns

  /// A file that has come whole.
  public struct Download: Hashable, Sendable {
    public let bytes: Int64
    /// Of them and of what was discarded, those that came this time.
    public let received: Int64
    public let etag: String?
    public let lastModified: String?
  }

  /// - Parameters:
  ///   - stopFlag: once it is set, what is under way ends with `.cancelled`.
  ///   - turns: shared with others that ask the same hosts by the same clock.
  public convenience init(
    _ settings: FetchSettings, clock: any FetchClock = SystemFetchClock(), stopFlag: StopFlag,
    turns: HostTurns = HostTurns()
  ) {
    self.init(settings, clock: clock, stopFlag: stopFlag, turns: turns, fault: nil)
  }

  init(
    _ settings: FetchSettings, clock: any FetchClock, stopFlag: StopFlag,
    turns: HostTurns = HostTurns(), fault: (@Sendable (DiskStep) -> Int32?)?
  ) {
    self.settings = settings
    self.clock = clock
    self.stopFlag = stopFlag
    self.turns = turns
    self.fault = fault
  }

  /// Brings a file, or the rest of one that was begun before.
  ///
  /// - Parameters:
  ///   - progress: gets the bytes that have come, and of how many, if that is known.
  ///   - waiting: gets why the file has to be tried again, and in how many seconds; again as each of them passes.
  ///   - examine: looks at the whole file before it gets its name, and says what is wrong with it.
  /// - Returns: what came. Its record stays beside the file until ``forgetRecord(of:)``.
  public func download(
    _ request: FetchRequest, progress: (Int64, Int64?) -> Void = { _, _ in },
    waiting: (FetchError, Double) -> Void = { _, _ in },
    examine: (_ path: String) -> String?
  ) throws(FetchError) -> Download {
    let part = PartFile(destination: request.destination, fault: fault)
    func failure(_ kind: FetchError.Kind) -> FetchError {
      FetchError(kind, source: request.source, url: request.url)
    }
    var attempt = 0
    var received: Int64 = 0
    while true {
      guard !stopFlag.isStopped else { throw failure(.cancelled) }
      let (outcome, host) = try attempted(
        Attempt(request, part, settings, stopFlag), failure, waiting
      ) { count, bytes, all in
        received += Int64(count)
        progress(bytes, all)
      }
      if case .disk(let broken) = outcome {
        throw failure(.disk(call: broken.call, path: broken.path, errno: broken.errno))
      }
      if case .whole(let record, let bytes) = outcome {
        if let reason = examine(part.path) {
          part.discard()
          throw failure(.unusable(reason))
        }
        // Interrupted while it was examined: it may not have been read to its end.
        guard !stopFlag.isStopped else { throw failure(.cancelled) }
        do throws(PartFile.Failure) {
          try part.finish()
          return Download(
            bytes: bytes, received: received, etag: record.etag,
            lastModified: record.lastModified)
        } catch {
          throw failure(.disk(call: error.call, path: error.path, errno: error.errno))
        }
      }
      guard case .failed(let kind, let head) = outcome else { continue }
      attempt += 1
      guard failure(kind).isTransient, attempt < settings.attempts else { throw failure(kind) }
      let asked = head.retryAfter(at: Int64(clock.date))
      if let asked { turns.postpone(host, at: clock.date, for: Double(asked)) }
      if let asked, asked > settings.limits.waitSeconds { throw failure(.busy(seconds: asked)) }
      wait(asked.map(Double.init) ?? backOff(attempt)) { waiting(failure(kind), $0) }
    }
  }

  /// - Parameter telling: gets the seconds that are left; again as each of them passes.
  private func wait(_ seconds: Double, telling: (Double) -> Void) {
    var left = seconds
    while left > 0, !stopFlag.isStopped {
      telling(left)
      let step = min(left, 1)
      clock.wait(seconds: step, until: stopFlag)
      left -= step
    }
  }

  /// Asks for a file where redirects lead. A host that redirects to itself is asked again at once, another one in a turn
  /// of its own.
  /// - Returns: how it ended, and the host that was asked last.
  private func attempted(
    _ attempt: Attempt, _ failure: (FetchError.Kind) -> FetchError,
    _ waiting: (FetchError, Double) -> Void, _ progress: Attempt.Progress
  ) throws(FetchError) -> (Attempt.Outcome, host: String) {
    var attempt = attempt
    var redirects = 0
    while true {
      let host = Self.host(attempt.url)
      let outcome = try inTurn(host, failure, waiting) {
        while true {
          let outcome = attempt.run(progress)
          guard case .redirected(let url) = outcome else { return outcome }
          guard redirects < settings.limits.redirects else {
            return .failed(.tooManyRedirects, ResponseHead())
          }
          redirects += 1
          attempt.redirect = url
          guard Self.host(url) == host else { return outcome }
        }
      }
      guard case .redirected = outcome else { return (outcome, host) }
    }
  }

  /// Asks a host when it may be asked.
  private func inTurn(
    _ host: String, _ failure: (FetchError.Kind) -> FetchError,
    _ waiting: (FetchError, Double) -> Void, _ body: () -> Attempt.Outcome
  ) throws(FetchError) -> Attempt.Outcome {
    while !stopFlag.isStopped {
      switch turns.take(host, at: clock.date, pause: settings.pause) {
      case .turn(let turn):
        let outcome = body()
        turns.postpone(host, at: clock.date, for: settings.pause)
        withExtendedLifetime(turn) {}
        return outcome
      case .full: wait(1) { waiting(failure(.hostInUse), $0) }
      case .wait(let seconds):
        let whole = Int(seconds.rounded(.up))
        guard whole <= settings.limits.waitSeconds else { throw failure(.busy(seconds: whole)) }
        // What a host has asked another for is told; the pause between two requests is not.
        wait(seconds) { if seconds > 1 { waiting(failure(.busy(seconds: whole)), $0) } }
      }
    }
    throw failure(.cancelled)
  }

  /// How much of an unfinished file has come, and of how many bytes, if that is known; nil for one that was not begun.
  public static func begun(_ destination: String) -> (bytes: Int64, length: Int64?)? {
    PartFile(destination: destination, fault: nil).state().map { ($0.bytes, $0.record.length) }
  }

  /// The record of a whole file that nobody has entered yet; nil where there is none, and while the file is fetched anew.
  public static func leftRecord(of destination: String) -> (url: String, etag: String?)? {
    let part = PartFile(destination: destination, fault: nil)
    guard part.state() == nil else { return nil }
    return part.record().map { ($0.url, $0.etag) }
  }

  /// The name of the record of a file.
  public static func record(of name: String) -> String { name + PartFile.recordEnding }

  /// Whether a file of this name is such a record.
  public static func isRecord(_ name: String) -> Bool { name.hasSuffix(PartFile.recordEnding) }

  /// Takes the record away of a file that has been entered where files are listed.
  public static func forgetRecord(of destination: String) {
    PartFile(destination: destination, fault: nil).forgetRecord()
  }

  /// 1, 2, 4... seconds, half of it at random, so that many who were refused at once do not return at once.
  private func backOff(_ attempt: Int) -> Double {
    let whole = min(300, Double(1 << min(attempt - 1, 16)))
    return whole / 2 + clock.random() * whole / 2
  }

  /// With its port; of what is no address, which nobody is asked for, all of it.
  private static func host(_ url: String) -> String {
    HTTPTransfer.hostAndPort(of: url).map { "\($0.host.lowercased()):\($0.port)" } ?? url
  }
}

/// One request for a file, or for the rest of it.
private struct Attempt {
  /// Gets how many bytes have come now, how many there are, and of how many, if that is known.
  typealias Progress = (Int, Int64, Int64?) -> Void

  enum Outcome {
    case whole(PartRecord, bytes: Int64)
    /// It is to be asked for there.
    case redirected(String)
    case failed(FetchError.Kind, ResponseHead)
    case disk(PartFile.Failure)
  }

  let request: FetchRequest
  /// Where to ask for it; nil for its own address.
  var redirect: String?
  let part: PartFile
  let settings: FetchSettings
  let stopFlag: StopFlag

  init(
    _ request: FetchRequest, _ part: PartFile, _ settings: FetchSettings, _ stopFlag: StopFlag
  ) {
    self.request = request
    self.part = part
    self.settings = settings
    self.stopFlag = stopFlag
  }

  var url: String { redirect ?? request.url }

  /// What the answer brings, once its head has been understood.
  private struct Reception {
    var record: PartRecord
    var descriptor: Int32
    var bytes: Int64
  }

  func run(_ progress: Progress) -> Outcome {
    let begun = part.state().flatMap { state in
      state.record.url == request.url && state.bytes > 0 ? state : nil
    }
    // All of it has come already, and the end came between that and its name.
    if let begun, let length = begun.record.length, begun.bytes == length {
      return .whole(begun.record, bytes: length)
    }
    var transfer = HTTPTransfer(
      request: request, redirect: redirect, settings: settings, stopFlag: stopFlag)
    if let begun, let validator = begun.record.validator {
      transfer.rest = (begun.bytes, validator)
    }
    var reception: Reception?
    var problem: FetchError.Kind?
    var broken: PartFile.Failure?
    defer { if let reception { close(reception.descriptor) } }

    func begin(_ head: ResponseHead) {
      do throws(PartFile.Failure) {
        reception = try understand(head, begun: begun, asked: transfer.rest != nil, &problem)
      } catch {
        broken = error
      }
    }
    let outcome = transfer.run { head, bytes in
      // What stands there is for people.
      if head.redirect != nil { return .stop }
      if reception == nil, problem == nil, broken == nil { begin(head) }
      guard var current = reception, problem == nil, broken == nil else { return .stop }
      current.bytes += Int64(bytes.count)
      if current.bytes > settings.limits.bytes {
        problem = .tooLarge(limit: settings.limits.bytes)
        return .stop
      }
      do throws(PartFile.Failure) {
        try part.append(bytes, to: current.descriptor)
      } catch {
        broken = error
        return .stop
      }
      reception = current
      progress(bytes.count, current.bytes, current.record.length)
      return .goOn
    }
    if let location = outcome.head.redirect {
      transfer.redirect = transfer.target(of: location)
      // Nobody's turn is taken for what is no address to ask.
      return transfer.problem().map { .failed($0, outcome.head) }
        ?? .redirected(transfer.redirect ?? location)
    }
    if let failure = outcome.failure, reception == nil, broken == nil {
      return .failed(failure, outcome.head)
    }
    // An answer without content has not been looked at yet.
    if reception == nil, problem == nil, broken == nil { begin(outcome.head) }
    if let broken { return .disk(broken) }
    if let problem {
      if problem.makesPartUseless { part.discard() }
      return .failed(problem, outcome.head)
    }
    guard let reception else { return .failed(.status(outcome.head.status), outcome.head) }
    let length = reception.record.length
    if let failure = outcome.failure {
      guard case .truncated = failure else { return .failed(failure, outcome.head) }
      return .failed(
        .truncated(bytes: reception.bytes, of: length ?? reception.bytes), outcome.head)
    }
    return finished(reception, outcome.head)
  }

  /// Compares what has come with what was promised.
  private func finished(_ reception: Reception, _ head: ResponseHead) -> Outcome {
    let (bytes, length) = (reception.bytes, reception.record.length)
    if let length, bytes < length { return .failed(.truncated(bytes: bytes, of: length), head) }
    if let length, bytes > length {
      part.discard()
      return .failed(.inconsistent("\(bytes) bytes instead of \(length)"), head)
    }
    if let expected = request.expectedBytes, bytes != expected {
      part.discard()
      return .failed(.unusable("\(bytes) bytes instead of \(expected)"), head)
    }
    guard bytes > 0 else {
      part.discard()
      return .failed(.unusable("empty file"), head)
    }
    return .whole(reception.record, bytes: bytes)
  }

  /// Opens the part for what an answer brings: its rest, or all of it anew.
  private func understand(
    _ head: ResponseHead, begun: (record: PartRecord, bytes: Int64)?, asked: Bool,
    _ problem: inout FetchError.Kind?
  ) throws(PartFile.Failure) -> Reception? {
    switch head.status {
    case 206:
      guard asked, let begun, let range = head.contentRange else {
        problem = .inconsistent("HTTP 206 without the requested range")
        return nil
      }
      guard range.first == begun.bytes,
        begun.record.length == nil || range.length == begun.record.length
      else {
        problem = .inconsistent("a different range than requested")
        return nil
      }
      if let etag = begun.record.etag, let now = head.strongETag, etag != now {
        problem = .inconsistent("the file changed during the download")
        return nil
      }
      var record = begun.record
      record.length = record.length ?? range.length
      return Reception(
        record: record, descriptor: try part.open(isEmptied: false), bytes: begun.bytes)
    case 200:
      if let length = head.contentLength, length > settings.limits.bytes {
        problem = .tooLarge(limit: settings.limits.bytes)
        return nil
      }
      let record = PartRecord(
        url: request.url, etag: head.strongETag, lastModified: head.lastModified,
        length: head.contentLength)
      // Empty before it is described: a record never speaks of another version's bytes.
      let descriptor = try part.open(isEmptied: true)
      do throws(PartFile.Failure) {
        try part.write(record)
      } catch {
        close(descriptor)
        throw error
      }
      return Reception(record: record, descriptor: descriptor, bytes: 0)
    case 403, 404, 410:
      problem = .absent(status: head.status)
    case 416:
      if let begun, let length = begun.record.length {
        // The same file, of which the server has no more than has come.
        part.discard()
        problem = .unusable("the file ends after \(begun.bytes) of its \(length) bytes")
      } else {
        problem = .inconsistent("the requested range does not exist")
      }
    default:
      problem = .status(head.status)
    }
    return nil
  }
}

extension FetchError.Kind {
  /// Whether what has come is no part of the file, or of too large a one.
  fileprivate var makesPartUseless: Bool {
    switch self {
    case .inconsistent, .tooLarge, .absent: true
    default: false
    }
  }
}
