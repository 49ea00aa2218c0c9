// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TerminalDriver
import TerminalUI

// A program that takes a terminal over, writes each event as a line into the file that is its
// argument, and does what pasted text tells it: `run quit`.

struct Uncaught: Error {}

let log = open(CommandLine.arguments[1], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)

func note(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(log, bytes, bytes.count)
}

func name(_ event: TerminalEvent) -> String {
  switch event {
  case .input(.key(let event)): "key \(event)"
  case .input(.mouse(let event)):
    "mouse \(event.action) \(event.position.column),\(event.position.row) \(event.modifiers.rawValue)"
  case .input(.paste(let text)): "paste \(text)"
  case .input(.resize(let size)): "resize \(size)"
  case .input(.focus(let isFocused)): "focus \(isFocused)"
  case .pixels(let cell): cell.map { "pixels \($0.width)x\($0.height)" } ?? "no pixels"
  case .woken: "woken"
  case .stopRequested(let reason): "stop \(reason)"
  }
}

func overflow(_ depth: Int) -> Int { depth < 0 ? 0 : overflow(depth + 1) + depth }

/// A large picture that no compression makes small, another one for each line; nil unless it is asked for.
func noise(_ line: String) -> PixelGrid? {
  let environment = ProcessInfo.processInfo.environment
  guard let columns = environment["PROBE_NOISE"].flatMap(Int.init) else { return nil }
  var state = line.utf8.reduce(UInt64(1)) { $0 &* 31 &+ UInt64($1) }
  let bytes = (0..<3 * columns * columns / 2).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt8(state >> 56)
  }
  return PixelGrid(width: columns, height: columns / 2, bytes: bytes)
}

func scene(_ size: Size, _ line: String, _ pixels: CellPixels? = nil) -> Surface {
  var surface = Surface(size: size)
  let inside = Panel(title: "probe \(size)").draw(on: &surface, in: surface.bounds)
  surface.write(TerminalText(line), at: inside.origin, style: Style(.confirmed))
  surface.cursor = inside.origin
  let room = Rect(column: 2, row: 4, columns: size.columns - 10, rows: size.rows - 8)
  if let picture = noise(line) {
    if pixels == nil {
      surface.draw(picture, in: room)
    } else {
      surface.place(PixelImage(picture), in: room, slot: 0)
    }
  } else if pixels != nil {
    // Another image for each line, of as many columns as it has letters.
    let bars = line.unicodeScalars.map { ColumnChart.Bar(height: Double($0.value % 8) / 8) }
    surface.place(
      PixelImage(PixelChart(bars, height: 16)), in: Rect(column: 5, row: 5, columns: 10, rows: 4),
      slot: 0)
  }
  return surface
}

func options(_ environment: [String: String]) -> TerminalOptions {
  var options = TerminalOptions(environment: environment)
  if let pixels = environment["PROBE_PIXELS"] {
    options.pixels = TerminalOptions.Pixels(rawValue: pixels) ?? .off
  }
  return options
}

/// False when the program is to end.
func run(_ command: String, on screen: TerminalScreen) throws -> Bool {
  switch command {
  case "quit": return false
  case "exit": exit(3)
  case "trap": fatalError("as asked")
  case "throw": throw Uncaught()
  case "abort": abort()
  case "overflow": note("\(overflow(0))")
  case "suspend": screen.suspend()
  case "sleep": while true { sleep(1) }
  case "pause":
    var (number, signals) = (Int32(0), goOn)
    sigwait(&signals, &number)
  case "wake":
    let waker = screen.waker
    Thread.detachNewThread { waker.wake() }
  default: note("unknown \(command)")
  }
  return true
}

/// What ends a pause; blocked in every thread, so that it can come early.
let goOn = {
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGUSR1)
  pthread_sigmask(SIG_BLOCK, &signals, nil)
  return signals
}()

if ProcessInfo.processInfo.environment["PROBE_HOLDS"] != nil {
  TerminalScreen.holdTyping()
  note("held")
  var (number, signals) = (Int32(0), goOn)
  sigwait(&signals, &number)
}

let screen: TerminalScreen
do {
  screen = try TerminalScreen(options: options(ProcessInfo.processInfo.environment))
} catch {
  note("refused: \(error)")
  exit(69)
}
try screen.draw(scene(screen.size, "ready"))
note("ready \(getpid()) \(screen.size)")
if let type = screen.unknownType { note("type \(type) like \(screen.type)") }
/// Waits for something to happen, and sends what is left of images meanwhile.
func nextEvent(of screen: TerminalScreen) throws -> TerminalEvent? {
  while screen.hasImagesToSend {
    if let event = try screen.nextEvent(timeout: .milliseconds(5)) { return event }
    try screen.sendImages()
  }
  return try screen.nextEvent()
}

loop: while let event = try nextEvent(of: screen) {
  note(name(event))
  switch event {
  case .input(.paste(let text)) where text.hasPrefix("run "):
    guard try run(String(text.dropFirst(4)), on: screen) else { break loop }
  case .stopRequested: break loop
  default: break
  }
  do { try screen.draw(scene(screen.size, name(event), screen.pixels)) } catch TerminalError.hungUp
  {}
}
screen.close()
note("closed")
