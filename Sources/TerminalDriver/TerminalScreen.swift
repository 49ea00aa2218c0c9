// SPDX-License-Identifier: GPL-3.0-or-later

import CNcurses
import Glibc
public import TerminalUI

/// The terminal of this process, as a screen to draw on and a source of events.
///
/// From `init` to ``close()`` the terminal is raw, shows its other screen, and reports mouse, focus
/// and pastes. It is restored on every way out, whatever happens to the program: `exit`, a trap, a
/// signal, Ctrl-Z. Belongs to the main thread; one at a time in a process.
public final class TerminalScreen {
  public private(set) var size: Size
  /// What has asked the program to end, once it was told as an event.
  public private(set) var stopReason: TerminalEvent.StopReason?
  /// For other threads.
  public let waker = TerminalWaker()

  private static let input = STDIN_FILENO
  private static let output = STDOUT_FILENO
  private static let blockSize = 64 * 1024

  private let terminfo: Terminfo
  private var encoder: FrameEncoder
  private var decoder = InputDecoder()
  private var events: [TerminalEvent] = []
  private var nextIndex = 0
  private var hasHungUp = false
  private var isOpen = true
  private var buffer = [UInt8](repeating: 0, count: TerminalScreen.blockSize)
  private let start = ContinuousClock.now
  private var pace = PicturePace()
  /// When the terminal was asked what it knows.
  private var asked = Duration.zero
  private var questions = 1
  private var receipts = 0
  private var images: ImageOutput
  private let usesMouse: Bool
  private let theme: Theme
  private var isLight = false

  /// See ``TerminalOptions/pixelObstacle``.
  public let pixelObstacle: TerminalOptions.PixelObstacle?

  /// The size of a cell, where images in true pixels can be shown; nil elsewhere, and until the terminal has
  /// said so: ``TerminalEvent/pixels(_:)`` tells.
  public private(set) var pixels: CellPixels?

  /// The terminal's type, where its description is not known here and that of ``type`` is used.
  public let unknownType: String?

  /// The type whose description is used.
  public var type: String { terminfo.type }

  /// How many colours are used.
  public var depth: ColorDepth { encoder.dialect.depth }

  /// Keeps what is typed from now on for the screen that opens later, and does not show it meanwhile.
  ///
  /// Messages can still be written. Ends with the screen, or with ``release()``; does nothing where there is no
  /// terminal, or it cannot be set.
  public static func holdTyping() {
    guard SystemCall.isTerminal(input), SystemCall.isTerminal(output) else { return }
    var call: UnsafePointer<CChar>?
    _ = guard_hold(input, output, &call)
  }

  /// Gives a terminal back on which no screen was opened.
  public static func release() { guard_stop() }

  /// Takes the terminal over; afterwards nothing else may read standard input or write to the
  /// terminal.
  public init(options: TerminalOptions) throws(TerminalError) {
    guard SystemCall.isTerminal(Self.input) else { throw .notATerminal(stream: "input") }
    guard SystemCall.isTerminal(Self.output) else { throw .notATerminal(stream: "output") }
    terminfo = try Terminfo(type: options.type, standIn: options.standIn, output: Self.output)
    unknownType = terminfo.isGuess ? options.type : nil
    let dialect = try terminfo.dialect(atMost: options.depth)
    encoder = FrameEncoder(
      dialect: dialect, theme: options.theme, repertoire: options.repertoire)
    size = Self.currentSize(terminfo)
    usesMouse = options.usesMouse
    theme = options.theme
    // Pixels have the colours that the palette has, at least.
    let choice = dialect.depth >= .palette ? options.pixels : .off
    pixelObstacle = choice == .off ? nil : options.pixelObstacle
    images = ImageOutput(choice: choice, multiplexer: options.multiplexer, theme: options.theme)
    try Self.startGuard(modes(usesMouse: usesMouse))
    refreshPixels()
  }

  deinit { close() }

  /// Gives the terminal back as it was. Drawing afterwards would show on the shell's screen.
  public func close() {
    if isOpen { takeLateAnswers() }
    isOpen = false
    guard_stop()
  }

  /// Stops the program as Ctrl-Z does in a shell, and returns when it goes on.
  ///
  /// A `.resize` follows, for the screen has to be drawn again.
  public func suspend() { guard_suspend() }

  /// Shows a surface and its cursor, writing only what changed; throws ``TerminalError/hungUp`` when
  /// the terminal has gone.
  ///
  /// Returns the number of bytes written.
  ///
  /// - Parameter isMoving: whether a frame of a moving picture is in it, of which the next waits until the
  ///   terminal ``canTakePicture``.
  @discardableResult
  public func draw(_ surface: Surface, isMoving: Bool = false) throws(TerminalError) -> Int {
    encoder.dialect.hasSynchronizedOutput = decoder.hasSynchronizedOutput
    return try send(isMoving: isMoving) { images, encoder, allowance in
      images.frame(surface, &encoder, allowance: allowance)
    }
  }

  /// Whether images of the surface that was drawn last are still to be sent, by ``sendImages()`` or with the
  /// next drawing; not while that waits for a key.
  public var hasImagesToSend: Bool { hasMore && !pace.isStalled(at: now) }

  private var hasMore: Bool { images.hasMore || !encoder.isComplete }

  /// Sends as much of the images as the terminal takes at a time; nothing while it is busy with what was sent
  /// before.
  public func sendImages() throws(TerminalError) {
    guard hasMore, imageAllowance != nil else { return }
    _ = try send(isMoving: false) { images, encoder, allowance in
      images.more(&encoder, allowance: allowance ?? 0)
    }
  }

  /// Bytes of images that the terminal takes now; nil while it is busy.
  private var imageAllowance: Int? { pace.isOpen(at: now) ? pace.allowance : nil }

  /// Bytes of images between two looks at whether the terminal still takes them at once.
  private static let portion = 4 << 10

  /// A portion that takes longer had to wait until the terminal has read what came before it.
  private static let quickWrite = Duration.milliseconds(2)

  /// Writes a frame and, a portion at a time, its images; the rest of these waits where the terminal is slow.
  private func send(
    isMoving: Bool,
    _ next: (inout ImageOutput, inout FrameEncoder, Int?) -> (bytes: [UInt8], hasImages: Bool)
  ) throws(TerminalError) -> Int {
    var room = imageAllowance
    var (count, hasImages) = (0, isMoving)
    while true {
      var (bytes, isOfImages) = next(&images, &encoder, room.map { min($0, Self.portion) })
      count += bytes.count
      hasImages = hasImages || isOfImages || !encoder.isComplete && room != nil
      room? -= bytes.count
      if hasMore, let left = room, left > 0 {
        let start = now
        try SystemCall.write(bytes, to: Self.output)
        if now - start < Self.quickWrite, SystemCall.takesMore(Self.output) { continue }
        bytes = []
      }
      bytes += encoder.release()
      if hasImages {
        pace.send(at: now)
        bytes += images.receiptRequest
      }
      try SystemCall.write(bytes, to: Self.output)
      return count
    }
  }

  /// Whether the terminal has read the last frame of a moving picture, and had time for others.
  public var canTakePicture: Bool { pace.isOpen(at: now) && !hasMore }

  /// Has the next drawing write every cell, whatever is on the screen now: a person asks for that.
  public func redrawAll() {
    forget()
    guard images.forgetTerminal() else { return }
    decoder.forgetGraphics()
    refreshPixels()
    ask()
  }

  /// Asks the terminal once more what it knows of images.
  private func ask() {
    asked = now
    questions += 1
    // A terminal that has gone says so at the next drawing.
    try? SystemCall.write(images.questions, to: Self.output)
  }

  /// How often, and how long after one another, a terminal is asked that does not answer.
  private static let (maxQuestions, questionWait) = (3, Duration.milliseconds(250))

  /// When it is asked for the second time; later ones need a key, which shows that an answer would come here.
  private var questionDue: Duration? {
    questions == 1 && images.mayHaveLostQuestion(decoder.graphics)
      ? asked + Self.questionWait : nil
  }

  /// A person is here, and with them the keys and the terminal's answers.
  private func takeKey() {
    if pace.isStalled(at: now) {
      // Where no receipt came, what was sent before it may not have come either.
      images.forget()
      pace.takeKey(at: now)
    }
    if questions < Self.maxQuestions, now >= asked + Self.questionWait,
      images.mayHaveLostQuestion(decoder.graphics)
    {
      ask()
    }
  }

  private func forget() {
    encoder.forget()
    images.forget()
  }

  /// Takes the mouse, or leaves it to the terminal; after Ctrl-Z too.
  public func setMouse(_ isOn: Bool) {
    let modes = modes(usesMouse: isOn)
    guard_set_enter(modes.enter.map { CChar(bitPattern: $0) }, modes.enter.count)
    // A terminal that has gone says so at the next drawing.
    try? SystemCall.write(TerminalModes.mouse(isOn), to: Self.output)
  }

  private func modes(usesMouse: Bool) -> TerminalModes {
    TerminalModes(
      terminfo: terminfo, usesMouse: usesMouse, questions: images.questions,
      farewell: images.farewell)
  }

  private static func startGuard(_ modes: TerminalModes) throws(TerminalError) {
    var call: UnsafePointer<CChar>?
    let enter = modes.enter.map { CChar(bitPattern: $0) }
    let leave = modes.leave.map { CChar(bitPattern: $0) }
    let problem = guard_start(input, output, enter, enter.count, leave, leave.count, &call)
    guard problem != 0 else { return }
    throw .system(call: call.map { String(cString: $0) } ?? "", code: problem)
  }

  private static func currentSize(_ terminfo: Terminfo) -> Size {
    let size = SystemCall.size(of: output)
    return Size(
      columns: size?.columns ?? terminfo.number("cols") ?? 80,
      rows: size?.rows ?? terminfo.number("lines") ?? 24)
  }
}

// MARK: - Images

extension TerminalScreen {
  /// How long the end waits for answers that would else be typed into the shell.
  private static let farewellWait = Duration.milliseconds(100)

  /// Takes in what is known of the terminal's images, and tells where that is news.
  private func refreshPixels() {
    let couldDelete = !images.farewell.isEmpty
    let cell = images.take(decoder.graphics, cell: SystemCall.cellPixels(of: Self.output))
    if !images.farewell.isEmpty, !couldDelete {
      let leave = modes(usesMouse: usesMouse).leave
      // Images that could be left behind are not shown.
      guard guard_set_leave(leave.map { CChar(bitPattern: $0) }, leave.count) else {
        images.giveUp()
        return
      }
    }
    guard cell != pixels else { return }
    if pixels == nil { pace = PicturePace(images.isPassedOn ? .withTheKeys : .always) }
    pixels = cell
    images.forget()
    events.append(.pixels(cell))
  }

  /// Takes the colours that go with the background, once that is known; what is shown has to be drawn again then.
  private func refreshTheme() {
    guard let isLight = decoder.graphics.hasLightBackground, isLight != self.isLight else { return }
    self.isLight = isLight
    encoder.theme = isLight ? theme.onLight : theme
    images.use(encoder.theme)
    events.append(.input(.resize(size)))
  }

  /// Reads answers that are still under way when the program ends.
  private func takeLateAnswers() {
    let end = now + Self.farewellWait
    func isWaiting() -> Bool {
      images.isWaiting(for: decoder.graphics, after: now - asked) || pace.isWaiting(at: now)
    }
    while isWaiting(), !hasHungUp, now < end {
      guard let ready = try? SystemCall.poll(Self.input, guard_descriptor(), for: end - now),
        ready.first, let count = try? SystemCall.read(Self.input, into: &buffer)
      else { return }
      _ = decoder.decode(buffer[..<count], at: now)
      takeReceipts()
    }
  }

  private func takeReceipts() {
    guard decoder.receipts != receipts else { return }
    receipts = decoder.receipts
    pace.receive(at: now)
  }
}

// MARK: - Events

extension TerminalScreen {
  /// Waits for something to happen; nil when nothing did until the timeout. Without one it waits for
  /// ever, with one of zero it only looks. With one it also ends when the terminal takes more of the images that are
  /// still to be sent.
  ///
  /// Once the terminal has gone, every call returns `.stopRequested(.hangUp)`.
  public func nextEvent(timeout: Duration? = nil) throws(TerminalError) -> TerminalEvent? {
    let end = timeout.map { now + $0 }
    while true {
      if let event = takeEvent() { return event }
      if hasHungUp {
        stopReason = stopReason ?? .hangUp
        return .stopRequested(.hangUp)
      }
      // What waits for nothing else to happen wants to send more of the images.
      let turn = end == nil || !hasImagesToSend ? nil : pace.opening
      try wait(until: [end, turn].compactMap(\.self).min())
      if let event = takeEvent() { return event }
      if let end, now >= end { return nil }
      if let turn, now >= turn { return nil }
    }
  }

  private var now: Duration { ContinuousClock.now - start }

  private func takeEvent() -> TerminalEvent? {
    guard nextIndex < events.count else { return nil }
    defer {
      nextIndex += 1
      if nextIndex == events.count {
        events.removeAll(keepingCapacity: true)
        nextIndex = 0
      }
    }
    let event = events[nextIndex]
    if case .stopRequested(let reason) = event { stopReason = stopReason ?? reason }
    return event
  }

  /// Waits once, for input, a wake, a signal, the decoder's deadline, or the end.
  private func wait(until end: Duration?) throws(TerminalError) {
    let until = [end, decoder.deadline, questionDue].compactMap(\.self).min()
    let ready = try SystemCall.poll(
      Self.input, guard_descriptor(), for: until.map { $0 - now })
    if let due = questionDue, now >= due { ask() }
    if ready.second { takeNotices() }
    if ready.first {
      try readInput()
    } else if let deadline = decoder.deadline, now >= deadline {
      append(decoder.expire())
    }
  }

  private func readInput() throws(TerminalError) {
    do {
      let count = try SystemCall.read(Self.input, into: &buffer)
      append(decoder.decode(buffer[..<count], at: now))
      refreshTheme()
      refreshPixels()
      takeReceipts()
    } catch .hungUp {
      hasHungUp = true
    }
  }

  private func takeNotices() {
    let notices = UInt32(bitPattern: guard_take())
    func has(_ event: guard_event) -> Bool { notices & event.rawValue != 0 }
    // A terminal that goes sends SIGHUP and SIGCONT. Nothing can be drawn on it any more, and the size that
    // it no longer tells would be its type's.
    let hasGone = SystemCall.hasHungUp(Self.input)
    if has(guard_resized) || has(guard_continued), !hasGone {
      // What the terminal made of the old content is not known.
      forget()
      size = Self.currentSize(terminfo)
      append([.resize(size)])
      refreshPixels()
    }
    if has(guard_woken) { events.append(.woken) }
    if has(guard_interrupted) { events.append(.stopRequested(.interrupt)) }
    if has(guard_quit) { events.append(.stopRequested(.quit)) }
    if has(guard_terminated) { events.append(.stopRequested(.terminate)) }
    if has(guard_hung_up) { events.append(.stopRequested(.hangUp)) }
  }

  /// Adds events, of several movements with the same button down only the last: a slow program must
  /// not fall behind the mouse.
  private func append(_ inputs: [InputEvent]) {
    for input in inputs {
      switch input {
      case .key, .mouse, .paste, .focus(true): takeKey()
      case .focus(false), .resize: break
      }
      if case .mouse(let new) = input, case .drag = new.action, nextIndex < events.count,
        case .input(.mouse(let last)) = events[events.count - 1], last.action == new.action,
        last.modifiers == new.modifiers
      {
        events[events.count - 1] = .input(input)
      } else {
        events.append(.input(input))
      }
    }
  }
}
