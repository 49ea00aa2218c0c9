// SPDX-License-Identifier: GPL-3.0-or-later

public import Playback
public import Quran
public import TerminalUI

/// What has happened while one recites by heart.
public enum RecallEvent: Sendable {
  case begin(at: Int)
  /// - Parameter at: seconds since 1970.
  case input(InputEvent, at: Int)
  case playing(NowPlaying)
  case told(Notice)
  /// A grade is on the disk, under an id.
  case kept(AyahRange, id: String)
  case notKept(AyahRange, reason: String)
  /// The latest grade is no longer on the disk.
  case forgotten(id: String)
}

/// What has to be done.
public enum RecallEffect: Hashable, Sendable {
  case play(PlaybackRequest)
  case stop
  case togglePause
  case setSpeed(Double)
  /// - Parameter at: seconds since 1970.
  case keep(AyahRange, RecallGrade, at: Int)
  case forget(id: String)
  case suspend
  case redraw
  case quit
}

/// Reciting by heart: how a unit begins is heard, the person recites it, hears it and grades how it went. Changed
/// by ``reduce(_:_:)`` alone.
public struct RecallState: Sendable {
  public enum Step: Hashable, Sendable {
    /// How it begins is heard.
    case cue
    /// The person recites.
    case reciting
    /// All of it is heard.
    case listening
    /// Nothing is left.
    case done
  }

  public var size: Size
  public var keymap: RecallKeymap
  public var text: QuranText?
  public var ordersArabic = false
  public let scheduler: MemoryScheduler
  /// How things are asked for; the range is put in.
  public let template: PlaybackRequest
  /// Of the sound with which a unit begins, in milliseconds.
  public let cueMilliseconds: Int

  /// Seconds after which no other unit is begun; nil without a limit.
  public let secondsLeft: Int?

  /// What is still to be recited, the present one first.
  public internal(set) var units: [RecallUnit]
  /// What the limit leaves for another day.
  var postponed: [RecallUnit] = []
  /// Seconds since 1970.
  private var deadline: Int?
  public internal(set) var step = Step.cue
  public internal(set) var now: NowPlaying?
  public internal(set) var speed: Double
  public internal(set) var notice: Notice?
  var showsWords = false
  /// The first of the keys that are shown; nil while none are.
  var help: Int?
  /// What was graded, the latest last.
  var graded: [Graded] = []
  /// Seconds since 1970.
  var clock = 0

  struct Graded: Hashable, Sendable {
    let before: RecallUnit
    let grade: RecallGrade
    /// Nil until it is on the disk.
    var id: String?
  }

  /// What comes back within so many seconds belongs to the same sitting.
  static let sitting = 1200

  public init(
    size: Size, units: [RecallUnit], template: PlaybackRequest, scheduler: MemoryScheduler,
    cueMilliseconds: Int, secondsLeft: Int? = nil, speed: Double = 1,
    keymap: RecallKeymap = .usual
  ) {
    self.keymap = keymap
    self.secondsLeft = secondsLeft
    self.size = size
    self.units = units
    self.template = template
    self.scheduler = scheduler
    self.cueMilliseconds = cueMilliseconds
    self.speed = speed
    if let problem = keymap.problems.first {
      notice = Notice(.warning, "Settings, keys: \(problem)")
    }
  }

  var unit: RecallUnit? { units.first }

  /// How often each grade was given.
  public func count(of grade: RecallGrade) -> Int { graded.count { $0.grade == grade } }

  /// Whether the screen changes by itself.
  public var isMoving: Bool { now?.isPlaying ?? false }
}

// MARK: - What changes it

/// Takes in what has happened, and says what is to be done about it. Pure and quick.
public func reduce(_ state: inout RecallState, _ event: RecallEvent) -> [RecallEffect] {
  var effects: [RecallEffect] = []
  state.take(event, &effects)
  return effects
}

extension RecallState {
  fileprivate mutating func take(_ event: RecallEvent, _ effects: inout [RecallEffect]) {
    switch event {
    case .begin(let time):
      clock = time
      deadline = secondsLeft.map { time + $0 }
      begin(&effects)
    case .input(let input, let time):
      clock = time
      take(input, &effects)
    case .playing(let now): take(now)
    case .told(let notice):
      self.notice = notice
      // What cannot be heard can be recited all the same.
      if notice.kind == .failure, step == .cue { step = .reciting }
    case .kept(let range, let id):
      if let index = waiting(range) { graded[index].id = id }
    case .notKept(let range, let reason):
      // What is not on the disk was not graded.
      if let index = waiting(range) { takeBack(graded.remove(at: index), &effects) }
      notice = Notice(.failure, "Cannot save the grade: \(reason)")
    case .forgotten(let id):
      guard let last = graded.last, last.id == id else { return }
      graded.removeLast()
      takeBack(last, &effects)
      notice = Notice(.done, "Grade undone: \(last.before.name) was \(last.grade.name)")
    }
  }

  /// The first grade of it that is not on the disk yet.
  private func waiting(_ range: AyahRange) -> Int? {
    graded.firstIndex { $0.before.range == range && $0.id == nil }
  }

  private mutating func take(_ now: NowPlaying) {
    if now.isPlaying, self.now?.isPaused ?? false, notice?.isOfPause ?? false { notice = nil }
    self.now = now
    // Sound that is over makes room for the person.
    switch now.state {
    case .idle, .failed: if step == .cue { step = .reciting }
    case .active, .pausing, .paused, .stopping: break
    }
  }

  private mutating func take(_ input: InputEvent, _ effects: inout [RecallEffect]) {
    switch input {
    case .key(let key):
      notice = nil
      if let first = help {
        help = helpPage(after: first)
        return
      }
      guard let action = keymap.action(for: key, in: .recall) else {
        let help = keymap.hint(for: .help, in: .recall).map { "; \($0) shows all keys" } ?? ""
        notice = Notice(.hint, "\(key.name) does nothing here\(help)")
        return
      }
      perform(action, &effects)
    case .mouse(let mouse):
      guard mouse.action == .press(.left), let action = action(at: mouse.position) else { return }
      notice = nil
      perform(action, &effects)
    case .resize(let size): self.size = size
    case .paste, .focus: break
    }
  }

  private mutating func perform(_ action: RecallAction, _ effects: inout [RecallEffect]) {
    switch action {
    case .again, .hard, .good, .easy:
      if let grade = action.grade { take(grade, &effects) }
    case .listen:
      guard let unit else { return }
      step = .listening
      effects.append(.play(request(unit.range)))
    case .cue: begin(&effects)
    case .words:
      guard text != nil else {
        notice = Notice(.hint, "--text FILE, or the setting editor.text, shows the words here")
        return
      }
      showsWords.toggle()
    case .later:
      guard units.count > 1 else {
        notice = Notice(.hint, "This is the last unit")
        return
      }
      units.append(units.removeFirst())
      begin(&effects)
    case .undo: undo(&effects)
    case .playToggle:
      if now?.isPlaying ?? false || now?.isPaused ?? false {
        effects.append(.togglePause)
      } else {
        perform(.listen, &effects)
      }
    case .playSlower, .playFaster:
      speed = Settings.speed(after: speed, faster: action == .playFaster)
      effects.append(.setSpeed(speed))
    case .help: help = 0
    case .quit: effects.append(.quit)
    case .suspend: effects.append(.suspend)
    case .redraw: effects.append(.redraw)
    }
  }

  private mutating func take(_ grade: RecallGrade, _ effects: inout [RecallEffect]) {
    guard var unit else { return }
    let before = unit
    unit.take(grade, at: clock, scheduler)
    units.removeFirst()
    if (unit.memory?.due ?? .max) - clock <= Self.sitting { units.append(unit) }
    graded.append(Graded(before: before, grade: grade))
    effects.append(.keep(unit.range, grade, at: clock))
    if let deadline, clock >= deadline { (postponed, units) = (units, []) }
    begin(&effects)
  }

  private mutating func undo(_ effects: inout [RecallEffect]) {
    guard let last = graded.last else {
      notice = Notice(.hint, "There are no grades to undo")
      return
    }
    guard let id = last.id else {
      notice = Notice(.hint, "Still saving the grade")
      return
    }
    effects.append(.forget(id: id))
  }

  private mutating func takeBack(_ graded: Graded, _ effects: inout [RecallEffect]) {
    units += postponed
    postponed = []
    // It may have come back already.
    units.removeAll { $0.id == graded.before.id }
    units.insert(graded.before, at: 0)
    begin(&effects)
  }

  /// Has the first unit begin, or comes to the end.
  private mutating func begin(_ effects: inout [RecallEffect]) {
    showsWords = false
    now = nil
    guard let unit else {
      step = .done
      effects.append(.stop)
      return
    }
    step = .cue
    var cue = request(AyahRange(unit.range.first))
    // Into the next ayah leads all of the one before.
    if !unit.isJoin { cue.excerpt = .opening(milliseconds: cueMilliseconds) }
    effects.append(.play(cue))
  }

  private func request(_ range: AyahRange) -> PlaybackRequest {
    var request = template
    request.range = range
    return request
  }
}
