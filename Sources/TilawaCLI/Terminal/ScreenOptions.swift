// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Editor
import Glibc
import Listening
import Quran
import TerminalDriver
import TerminalUI

/// How editor and player use the terminal.
struct ScreenOptions: ParsableArguments {
  @Option(
    help: "A text of the Quran to show: 6,236 lines, or lines of surah|ayah|text.",
    completion: .file())
  var text: String?

  @Flag(help: "Draw with plain ASCII.")
  var ascii = false

  @Option(help: "Maximum colours: 256, 16, 8 or none. Default: what the terminal supports.")
  var colors: ColorsArgument?

  @Flag(help: "Do not use the mouse.")
  var noMouse = false

  @Flag(help: "Shape and reorder Arabic, for terminals that do neither.")
  var orderArabic = false

  /// Whether there is one to draw on and somebody to type.
  static var hasTerminal: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
      && UserFolders.variable("TERM") != "dumb"
      && tcgetpgrp(STDIN_FILENO) == getpgrp()
  }

  /// Keeps what is typed while files are opened, for the screen that follows.
  func holdTyping() {
    if Self.hasTerminal { TerminalScreen.holdTyping() }
  }

  /// The text that the command line or the settings name; what is wrong with that of the settings is no reason not to
  /// start, and is told.
  func quranText(_ configuration: Configuration) throws(Failure) -> (QuranText?, Notice?) {
    if let text { return (try QuranTextFile.read(UserFolders.absolute(text)), nil) }
    guard let path = configuration.value("editor.text") else { return (nil, nil) }
    do throws(Failure) {
      return (try QuranTextFile.read(UserFolders.absolute(path)), nil)
    } catch {
      return (nil, Notice(.warning, "The setting editor.text names \(error.message)"))
    }
  }

  func ordersArabic(_ configuration: Configuration) -> Bool {
    orderArabic || configuration.value("editor.order_arabic") == "true"
  }

  /// - Parameter showsImages: whether images are shown in true pixels where the terminal has them.
  func terminal(_ configuration: Configuration, showsImages: Bool = false) -> TerminalOptions {
    var names = ["TERM", "COLORTERM", "NO_COLOR", "TMUX", "STY", "LC_ALL", "LC_CTYPE", "LANG"]
    names.removeAll { UserFolders.variable($0) == nil }
    var options = TerminalOptions(
      environment: Dictionary(
        uniqueKeysWithValues: names.map { ($0, UserFolders.variable($0) ?? "") }))
    let set = configuration.value("editor.colors").flatMap(ColorsArgument.init(argument:))
    if let wanted = colors ?? set { options.depth = min(options.depth, wanted.depth) }
    if ascii || configuration.value("editor.ascii") == "true" { options.repertoire = .ascii }
    if showsImages {
      options.pixels =
        configuration.value("editor.pixels").flatMap(TerminalOptions.Pixels.init) ?? .auto
    }
    if options.pixels != .off, case .tmux = options.multiplexer {
      options.multiplexer = TmuxClient.ask() ?? options.multiplexer
    }
    options.usesMouse = !noMouse && configuration.value("editor.mouse") != "false"
    return options
  }
}

extension TerminalScreen {
  /// What to say at the start: of a type that is not known here, or of images that could be shown, or are asked for,
  /// and are not.
  var startNotice: Notice? {
    if let unknownType {
      return Notice(
        .hint, "The terminal type '\(unknownType)' is unknown here; it is used like \(type)")
    }
    return switch pixelObstacle {
    case nil: nil
    case .notPassedOn:
      Notice(
        .hint, "tmux holds images back; to see them: tmux set -g allow-passthrough on")
    case .unusable(let name):
      Notice(.hint, "editor.pixels = \"\(name)\" has no effect under tmux and screen")
    }
  }
}

extension Configuration {
  /// The keys of one of the screens; what only others can do is left to them.
  func keymap<Action: KeyAction>() -> KeyBindings<Action> {
    KeyBindings(
      rebinding: keyBindings.filter { binding in
        let name = binding.action
        let isElsewhere =
          Editor.Action(rawValue: name) != nil || Listening.Action(rawValue: name) != nil
          || RecallAction(rawValue: name) != nil
        return Action(rawValue: name) != nil || !isElsewhere
      })
  }
}

/// How many colours to use at most.
enum ColorsArgument: String, ExpressibleByArgument, CaseIterable {
  case palette = "256"
  case sixteen = "16"
  case eight = "8"
  case none

  var depth: ColorDepth {
    switch self {
    case .palette: .palette
    case .sixteen: .sixteen
    case .eight: .eight
    case .none: .mono
    }
  }
}
