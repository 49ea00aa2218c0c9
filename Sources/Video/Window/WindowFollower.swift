// SPDX-License-Identifier: GPL-3.0-or-later

/// Decides what an `mpv` has to be told so that its picture belongs to what is heard, and what the player has to be
/// told of what a person does in mpv's window. Does nothing itself; the time comes in.
///
/// The picture is held by its speed, changed by a quarter at most; it is sought where it is more than a second off.
public struct WindowFollower: Sendable {
  /// What is heard, or would be if it were not paused.
  public struct Heard: Hashable, Sendable {
    /// The file, by its absolute path.
    public var path: String
    /// Of the container.
    public var seconds: Double
    public var speed: Double
    public var isPlaying: Bool
    /// Of one frame of the picture.
    public var frameSeconds: Double
    /// When the first frame of the picture is seen, in seconds of the container.
    public var firstSeconds: Double

    public init(
      path: String, seconds: Double, speed: Double = 1, isPlaying: Bool = true,
      frameSeconds: Double = 0.04, firstSeconds: Double = -.infinity
    ) {
      self.path = path
      self.seconds = seconds
      self.speed = speed
      self.isPlaying = isPlaying
      self.frameSeconds = frameSeconds
      self.firstSeconds = firstSeconds
    }

    /// What mpv can show of it: it knows no time before the first frame, which waits for its time.
    fileprivate var shown: Heard {
      guard seconds < firstSeconds else { return self }
      var shown = self
      (shown.seconds, shown.isPlaying) = (firstSeconds, false)
      return shown
    }
  }

  /// What a person wants who uses mpv's window.
  public enum Wish: Hashable, Sendable {
    case pause
    case play
    /// Go to a time of the container.
    case seek(to: Double)
  }

  private enum Question {
    case output
    case time
    /// Where a person has gone.
    case place
    case isPaused(after: Int)
    case pause
    case seek
    case change
  }

  private enum Seek {
    case load, ours, persons
  }

  private var lastNumber = 0
  private var questions: [Int: Question] = [:]

  /// What mpv shows, as far as it was told.
  private var path: String?
  private var isPaused = true
  private var speed = 1.0
  /// How often it was told to pause or to go on.
  private var pauses = 0
  private var pausesInDoubt = 0

  private var last: (heard: Heard, time: Duration)?
  /// The last measurements of how far ahead the picture is, in seconds, as they would be at `measured`.
  private var drifts: [Double] = []
  private var measured = Duration.zero
  private var nextQuestion = Duration.zero

  /// The seek under way: mpv's, until it shows a frame again, or its time is over. That begins when mpv has taken the
  /// command: until then a slow mpv's news of a seek of ours would be taken for a person's.
  private var seek: (began: Duration, until: Duration?, kind: Seek)?
  private var needsSeek = false
  /// Seeks in a row that have not led near enough.
  private var attempts = 0
  private var patience = Duration.zero
  /// Seconds that the last seek of ours took.
  private var latency = 0.05
  /// Where the picture was gone to during a pause, and where mpv has said to be then; steady once it has said so twice.
  private var restsAt: Double?
  private var resting: (time: Double, isSteady: Bool)?
  /// When mpv's going on counts as that: to step to the next frame it goes on and is paused again.
  private var resumption: Duration?

  /// What the player was asked for, until it does it or has had its time.
  private var awaited: (isPlaying: Bool, until: Duration)?
  private var awaitedMove: Duration?

  /// False once mpv has said that it can show no picture at all.
  public private(set) var hasWindow = true
  private var hasFailed = false

  private static let interval = Duration.milliseconds(250)
  /// Until the drift is known.
  private static let firstInterval = Duration.milliseconds(50)
  private static let samples = 8
  private static let maxDrift = 1.0
  /// After a seek; what is nearer is taken in by speed within half a second.
  private static let nearEnough = 0.12
  /// Measured by `Scripts/measure-picture.py --window --disturb 20`, as is `gain`: with 5 % and 0.5 the picture stays up
  /// to 120 ms off for more than a second.
  private static let maxCorrection = 0.25
  /// How much of a drift would go in a second.
  private static let gain = 3.0
  /// Less is not worth a change of speed.
  private static let stillness = 0.004
  /// Seconds until a frame is seen that mpv's time tells of. Measured by `Scripts/measure-picture.py --window`, at 25 and 50
  /// frames a second and at half to double speed.
  static let lead = 0.036
  /// Keys of mpv that would write files where the person happens to be.
  private static let screenshotKeys = ["s", "S", "Ctrl+s", "Alt+s"]
  /// Two times of a frame are the same; containers count in milliseconds.
  private static let tolerance = 0.001
  /// Beyond the time of one frame, until mpv says that it is paused again after a step.
  private static let stepTime = Duration.milliseconds(40)
  private static let answerTime = Duration.milliseconds(1500)
  private static let seekTime = Duration.seconds(5)

  public init() {}

  /// What to say before anything else.
  public mutating func begin() -> [MPVCommand] {
    [command(.observePaused, .change)]
      + Self.screenshotKeys.map { command(.ignoreKey($0), .change) }
  }

  /// Takes a look at what is heard; nil where nothing with a picture is.
  public mutating func look(_ heard: Heard?, at now: Duration) -> [MPVCommand] {
    guard let heard = heard?.shown else {
      last = nil
      guard path != nil else { return [] }
      path = nil
      return [command(.unload, .change)]
    }
    defer { last = (heard, now) }
    guard heard.path == path else { return load(heard, at: now) }
    if let until = seek?.until, now > until { seek = nil }
    if let until = awaitedMove, now > until { awaitedMove = nil }
    var commands: [MPVCommand] = []
    if let due = resumption, now >= due {
      resumption = nil
      commands.append(command(.askPaused, .isPaused(after: pauses)))
    }
    if hasJumped(heard, at: now) {
      drifts = []
      attempts = 0
      restsAt = nil
      // Gone where a person went in mpv's window, which is there already.
      if awaitedMove == nil { needsSeek = true }
      awaitedMove = nil
    } else if awaitedMove != nil, isMovedAtRest(heard) {
      // A step that was followed. mpv may be at the next one.
      awaitedMove = nil
      restsAt = heard.seconds
    }
    mirrorPause(heard, at: now, &commands)
    if let before = last?.heard, before.speed != heard.speed {
      drifts = []
      setSpeed(heard.speed, &commands)
    }
    if needsSeek, seek == nil { commands.append(soughtCommand(heard, at: now)) }
    if now >= nextQuestion, seek == nil, awaitedMove == nil {
      let isKnown = isPaused || drifts.count >= Self.samples
      nextQuestion = now + (isKnown ? Self.interval : Self.firstInterval)
      commands.append(command(.askTime, .time))
    }
    return commands
  }

  /// Takes what mpv says, and what is heard at that moment.
  public mutating func take(
    _ message: MPVMessage, _ heard: Heard?, at now: Duration
  ) -> (commands: [MPVCommand], wish: Wish?) {
    guard let heard = heard?.shown, heard.path == path else {
      if case .reply(let number, _, _) = message { answer(number) }
      return ([], nil)
    }
    switch message {
    case .seeking:
      if seek == nil { seek = (now, nil, .persons) }
      seek?.until = now + Self.seekTime
    case .restarted:
      defer { seek = nil }
      drifts = []
      nextQuestion = now
      switch seek?.kind {
      case .persons:
        awaitedMove = now + Self.answerTime
        resting = nil
        return ([command(.askTime, .place)], nil)
      case .ours:
        if let seek { latency = min(max((now - seek.began) / .seconds(1), 0), 0.5) }
      case .load, nil: break
      }
    case .paused(let isPausedThere):
      if isPausedThere, resumption != nil { nextQuestion = now }
      resumption = nil
      // What was said before the last command says nothing.
      guard isPausedThere != isPaused, pausesInDoubt == 0 else { break }
      if isPaused {
        resumption = now + .seconds(heard.frameSeconds / speed) + Self.stepTime
      } else {
        return ([command(.askPaused, .isPaused(after: pauses))], nil)
      }
    case .reply(let number, let isSuccess, let value):
      switch answer(number) {
      case .time:
        guard isSuccess, case .number(let seconds) = value, seek == nil else { break }
        if isPaused { return rested(seconds, heard, at: now) }
        return (corrected(seconds, heard, at: now), nil)
      case .place:
        guard isSuccess, case .number(let seconds) = value else { break }
        awaitedMove = now + Self.answerTime
        return ([], .seek(to: seconds))
      case .isPaused(let count):
        guard isSuccess, case .flag(let isPausedThere) = value, count == pauses,
          isPausedThere != isPaused
        else { break }
        isPaused = isPausedThere
        restsAt = nil
        resting = nil
        awaited = (!isPausedThere, now + Self.answerTime)
        return ([], isPausedThere ? .pause : .play)
      case .seek:
        if seek?.kind != .persons { seek?.until = now + Self.seekTime }
      case .output:
        // It does have a window then, and nothing to show there.
        if isSuccess { hasFailed = true } else { hasWindow = false }
      case .pause, .change, nil: break
      }
    case .failed: return ([command(.askOutput, .output)], nil)
    case .closing: break
    }
    return ([], nil)
  }

  /// Whether mpv has failed to show what it was told to since this was asked last.
  public mutating func takeFailure() -> Bool {
    defer { hasFailed = false }
    return hasFailed
  }

  /// For a command that has nothing to do with what is heard.
  public mutating func toggleFullScreen() -> MPVCommand { command(.toggleFullScreen, .change) }

  public mutating func quit() -> MPVCommand { command(.quit, .change) }

  // MARK: - Following

  private mutating func load(_ heard: Heard, at now: Duration) -> [MPVCommand] {
    path = heard.path
    drifts = []
    attempts = 1
    restsAt = nil
    awaited = nil
    awaitedMove = nil
    needsSeek = false
    seek = (now, nil, .load)
    var commands: [MPVCommand] = []
    setPaused(!heard.isPlaying, &commands)
    setSpeed(heard.speed, &commands)
    commands.append(command(.load(path: heard.path, from: target(heard)), .seek))
    return commands
  }

  /// Whether what is heard did not just go on.
  private func hasJumped(_ heard: Heard, at now: Duration) -> Bool {
    guard let last else { return true }
    let moved = heard.seconds - last.heard.seconds
    let passed = (now - last.time) / .seconds(1) * max(heard.speed, last.heard.speed)
    return moved < -0.05 || moved > passed + 0.15
  }

  private mutating func mirrorPause(
    _ heard: Heard, at now: Duration, _ commands: inout [MPVCommand]
  ) {
    if let wish = awaited, heard.isPlaying == wish.isPlaying || now > wish.until { awaited = nil }
    guard awaited == nil, heard.isPlaying == isPaused else { return }
    drifts = []
    if heard.isPlaying { nextQuestion = min(nextQuestion, now + Self.firstInterval) }
    restsAt = nil
    setPaused(!heard.isPlaying, &commands)
  }

  private mutating func corrected(
    _ seconds: Double, _ heard: Heard, at now: Duration
  ) -> [MPVCommand] {
    guard awaited == nil else { return [] }
    let drift = seconds - Self.lead * heard.speed - heard.seconds
    if abs(drift) > Self.maxDrift || drifts.isEmpty && attempts > 0 && abs(drift) > Self.nearEnough
    {
      // A picture that is shorter than the sound is not sought for ever.
      guard attempts < 3 || now >= patience else { return [] }
      patience = now + Self.seekTime * 2
      return [soughtCommand(heard, at: now)]
    }
    attempts = 0
    let middle = take(drift: drift, heard, at: now)
    let correction =
      abs(middle) < Self.stillness
      ? 0 : min(max(Self.gain * middle, -Self.maxCorrection), Self.maxCorrection)
    var commands: [MPVCommand] = []
    setSpeed(heard.speed * (1 - correction), &commands)
    return commands
  }

  /// The median of the last measurements, each with what our change of speed has made of it since: that is known, and need
  /// not be waited for.
  private mutating func take(drift: Double, _ heard: Heard, at now: Duration) -> Double {
    let gained = (speed - heard.speed) * ((now - measured) / .seconds(1))
    measured = now
    drifts = drifts.suffix(Self.samples - 1).map { $0 + gained } + [drift]
    return drifts.sorted()[drifts.count / 2]
  }

  /// During a pause the picture is sought once, to the frame that belongs to what was heard last. Where mpv shows another one
  /// later, a person has stepped there.
  private mutating func rested(
    _ seconds: Double, _ heard: Heard, at now: Duration
  ) -> (commands: [MPVCommand], wish: Wish?) {
    guard !heard.isPlaying, awaited == nil, resumption == nil else { return ([], nil) }
    // The frame is sought when the fade has ended and what is heard stands still.
    guard let last, last.heard.seconds == heard.seconds else { return ([], nil) }
    let isLookedAt = restsAt == heard.seconds
    if isLookedAt, let before = resting {
      if abs(seconds - before.time) <= Self.tolerance {
        resting?.isSteady = true
        return ([], nil)
      }
      if before.isSteady {
        resting = (seconds, true)
        awaitedMove = now + Self.answerTime
        return ([], .seek(to: seconds))
      }
    }
    let isRight =
      seconds <= heard.seconds + Self.tolerance && seconds > heard.seconds - heard.frameSeconds
    // Where a seek of ours has led to another frame, no other seek would lead nearer.
    if isRight || isLookedAt && resting == nil {
      restsAt = heard.seconds
      resting = (seconds, false)
      return ([], nil)
    }
    return ([soughtCommand(heard, at: now)], nil)
  }

  /// Whether the player has gone elsewhere although nothing plays.
  private func isMovedAtRest(_ heard: Heard) -> Bool {
    guard !heard.isPlaying, let last else { return false }
    return last.heard.seconds != heard.seconds
  }

  private mutating func soughtCommand(_ heard: Heard, at now: Duration) -> MPVCommand {
    needsSeek = false
    attempts += 1
    drifts = []
    resting = nil
    seek = (now, nil, .ours)
    if !heard.isPlaying { restsAt = heard.seconds }
    return command(.seek(to: target(heard)), .seek)
  }

  /// What is heard when the frame is shown. In a pause the newest frame that is not past what is heard: mpv shows
  /// the first that is not 5 ms before what it is told.
  private func target(_ heard: Heard) -> Double {
    let seconds =
      heard.isPlaying
      ? heard.seconds + latency * heard.speed : heard.seconds - heard.frameSeconds + 0.006
    return max(seconds, 0)
  }

  // MARK: - Commands

  private mutating func setPaused(_ isPaused: Bool, _ commands: inout [MPVCommand]) {
    self.isPaused = isPaused
    pauses += 1
    pausesInDoubt += 1
    commands.append(command(.setPaused(isPaused), .pause))
  }

  private mutating func setSpeed(_ speed: Double, _ commands: inout [MPVCommand]) {
    // mpv knows speeds of 0.01...100.
    let speed = min(max(speed, 0.01), 100)
    guard abs(speed - self.speed) > 0.0005 else { return }
    self.speed = speed
    commands.append(command(.setSpeed(speed), .change))
  }

  private mutating func command(_ kind: MPVCommand.Kind, _ question: Question) -> MPVCommand {
    lastNumber += 1
    questions[lastNumber] = question
    return MPVCommand(lastNumber, kind)
  }

  @discardableResult
  private mutating func answer(_ number: Int) -> Question? {
    let question = questions.removeValue(forKey: number)
    if case .pause = question { pausesInDoubt = max(pausesInDoubt - 1, 0) }
    return question
  }
}
