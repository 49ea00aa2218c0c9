// SPDX-License-Identifier: GPL-3.0-or-later

public import TerminalUI

/// Which keys ask for which actions of the player.
public typealias Keymap = KeyBindings<Action>

/// What has the keys.
public enum Context: String, KeyContext {
  /// What plays, and the queue.
  case normal
  case jump
  case add
  case equaliser
  case fades
  case repeats
  case reciters
  case check
  case sleep
  case shuffle
  case palette
  case help

  public static var main: Context { .normal }

  public var takesText: Bool {
    switch self {
    case .jump, .add, .palette: true
    case .normal, .equaliser, .fades, .repeats, .reciters, .check, .sleep, .shuffle, .help: false
    }
  }

  public var title: String {
    switch self {
    case .normal: "Player"
    case .jump: "Go to an ayah"
    case .add: "Add to the queue"
    case .equaliser: "Equaliser"
    case .fades: "Fades"
    case .repeats: "Repeats and gaps"
    case .reciters: "Reciters"
    case .check: "Missing ayat"
    case .sleep: "Sleep timer"
    case .shuffle: "Shuffle"
    case .palette: "Commands"
    case .help: "Keys"
    }
  }

  static let panels = Set(allCases).subtracting([.normal])
}

/// Everything the player can be told to do by a key, the palette or the footer; named as in `config.toml`,
/// and as in the editor where it means the same there.
public enum Action: String, Hashable, Sendable, CaseIterable {
  case playToggle = "play.toggle"
  case ayahNext = "listen.next"
  case ayahPrevious = "listen.previous"
  case back5 = "listen.back_5"
  case forward5 = "listen.forward_5"
  case back15 = "listen.back_15"
  case forward15 = "listen.forward_15"
  case itemNext = "listen.next_item"
  case itemPrevious = "listen.previous_item"
  case playSlower = "play.slower"
  case playFaster = "play.faster"
  case playNormalSpeed = "play.normal_speed"
  case playQuieter = "play.quieter"
  case playLouder = "play.louder"
  case playGainDown = "play.gain_down"
  case playGainUp = "play.gain_up"

  case queueUp = "queue.up"
  case queueDown = "queue.down"
  case queuePlay = "queue.play"
  case queueEarlier = "queue.earlier"
  case queueLater = "queue.later"
  case queueRemove = "queue.remove"
  case queueAdd = "queue.add"
  case queueAddNext = "queue.add_next"
  case queueShuffle = "queue.shuffle"

  case openJump = "open.find"
  case openEqualiser = "open.equaliser"
  case openFades = "open.fades"
  case openRepeats = "open.repeats"
  case openReciters = "open.reciters"
  case openCheck = "open.completion"
  case openSleep = "open.sleep"
  case openPalette = "open.palette"
  case openHelp = "open.help"

  case viewPicture = "view.picture"
  case viewAspect = "view.aspect"

  case toggleWindow = "toggle.window"
  case toggleFullScreen = "toggle.full_screen"
  case toggleMouse = "toggle.mouse"
  case quit = "app.quit"
  case suspend = "app.suspend"
  case redraw = "app.redraw"

  case panelAccept = "panel.accept"
  case panelCancel = "panel.cancel"
  case panelUp = "panel.up"
  case panelDown = "panel.down"
  case panelPageUp = "panel.page_up"
  case panelPageDown = "panel.page_down"
  case panelLess = "panel.less"
  case panelMore = "panel.more"
  case equaliserToggle = "equaliser.toggle"
  case equaliserReset = "equaliser.reset"
  case reciterToggle = "reciter.toggle"
  case reciterEarlier = "reciter.earlier"
  case reciterLater = "reciter.later"
}

extension Action: KeyAction {
  public typealias Place = Context
  public typealias Row = KeyRow<Action>

  public static let table: [Row] = listeningRows + queueRows + viewRows + openRows + panelRows

  private static let listeningRows = [
    Row(
      .playToggle, ["space", "ctrl-p"], "play", "play or pause", in: Set(Context.allCases)),
    Row(.ayahPrevious, ["left", "h"], "previous ayah", "go to the previous ayah"),
    Row(.ayahNext, ["right", "l"], "next ayah", "go to the next ayah"),
    Row(.back5, ["shift-left", "H", ","], "-5 s", "go back 5 s within the ayah"),
    Row(.forward5, ["shift-right", "L", "."], "+5 s", "go forward 5 s within the ayah"),
    Row(.back15, ["alt-left", "<"], "-15 s", "go back 15 s within the ayah"),
    Row(.forward15, ["alt-right", ">"], "+15 s", "go forward 15 s within the ayah"),
    Row(.itemPrevious, ["pageup", "P"], "previous item", "the previous item of the queue"),
    Row(.itemNext, ["pagedown", "N"], "next item", "the next item of the queue"),
    Row(.playSlower, ["["], "slower", "play slower, down to 0.25x"),
    Row(.playFaster, ["]"], "faster", "play faster, up to 3x"),
    Row(.playNormalSpeed, ["\\"], "1x", "play at normal speed"),
    Row(.playQuieter, ["{"], "quieter", "lower the volume"),
    Row(.playLouder, ["}"], "louder", "raise the volume"),
    Row(.playGainDown, ["("], "less gain", "lower the gain by 3 dB"),
    Row(.playGainUp, [")"], "more gain", "raise the gain by 3 dB"),
  ]

  private static let queueRows = [
    Row(.queueUp, ["up", "k"], "up", "choose the item above"),
    Row(.queueDown, ["down", "j"], "down", "choose the item below"),
    Row(.queuePlay, ["enter"], "play it", "play the chosen item"),
    Row(.queueEarlier, ["alt-up", "K"], "earlier", "move the chosen item up"),
    Row(.queueLater, ["alt-down", "J"], "later", "move the chosen item down"),
    Row(.queueRemove, ["x", "delete"], "remove", "remove the chosen item from the queue"),
    Row(.queueAdd, ["a"], "add", "add ayat to the end of the queue"),
    Row(.queueAddNext, ["A"], "play next", "add ayat after the current item"),
    Row(.queueShuffle, ["S"], "shuffle", "shuffle the items that follow"),
  ]

  private static let viewRows = [
    Row(
      .viewPicture, ["v"], "picture",
      "show the picture of a video: small, large or hidden"),
    Row(
      .viewAspect, ["alt-p"], "aspect",
      "fit the picture, fill the area, stretch it, or show its middle"),
  ]

  private static let openRows = [
    Row(.openJump, ["/"], "go to", "go to an ayah, typed as 2:255 or baqarah 255"),
    Row(
      .openReciters, ["r"], "reciter",
      "choose the reciter or riwayah, and set the order of reciters"),
    Row(.openCheck, ["C"], "check", "list missing ayat"),
    Row(.openEqualiser, ["E"], "equaliser", "open the equaliser"),
    Row(.openFades, ["F"], "fades", "set crossfade and fades"),
    Row(.openRepeats, ["R"], "repeats", "set repetitions and the silence between ayat"),
    Row(.openSleep, ["t"], "sleep", "set the sleep timer"),
    Row(.openPalette, [":"], "commands", "find a command by its name"),
    Row(.openHelp, ["?", "f1"], "keys", "show all keys"),
    Row(
      .toggleWindow, ["alt-v"], "window", "open or close a window with the picture, by mpv"),
    Row(
      .toggleFullScreen, ["alt-f"], "full screen", "switch that window to full screen or back"),
    Row(.toggleMouse, [], "mouse", "switch the mouse on or off"),
    Row(.quit, ["q", "ctrl-q"], "quit", "quit; 'play --resume' continues from here"),
    Row(
      .suspend, ["ctrl-z"], "suspend", "pause and put the player into the background",
      in: Set(Context.allCases)),
    Row(.redraw, ["ctrl-l"], "redraw", "redraw the screen", in: Set(Context.allCases)),
  ]

  private static let panelRows = [
    Row(.panelAccept, ["enter"], "accept", "accept", in: Context.panels),
    Row(.panelCancel, ["esc", "ctrl-g"], "back", "close the panel", in: Context.panels),
    Row(.panelUp, ["up", "k"], "previous", "go up in the list", in: Context.panels),
    Row(.panelDown, ["down", "j"], "next", "go down in the list", in: Context.panels),
    Row(.panelPageUp, ["pageup"], "previous page", "go up a page", in: Context.panels),
    Row(.panelPageDown, ["pagedown"], "next page", "go down a page", in: Context.panels),
    Row(
      .panelLess, ["left", "h"], "less", "lower the value", in: [.equaliser, .fades, .repeats]),
    Row(
      .panelMore, ["right", "l"], "more", "raise the value", in: [.equaliser, .fades, .repeats]),
    Row(
      .equaliserToggle, ["e"], "on/off", "switch the equaliser on or off", in: [.equaliser]),
    Row(.equaliserReset, ["0"], "flat", "set all sliders to the middle", in: [.equaliser]),
    Row(
      .reciterToggle, ["e"], "on/off", "switch the reciter's sources on or off", in: [.reciters]),
    Row(
      .reciterEarlier, ["alt-up", "K"], "earlier", "move the reciter up in the order",
      in: [.reciters]),
    Row(
      .reciterLater, ["alt-down", "J"], "later", "move the reciter down in the order",
      in: [.reciters]),
  ]

  private static let rows: [Action: Row] = Dictionary(
    table.map { ($0.action, $0) }, uniquingKeysWith: { first, _ in first })

  public var row: Row? { Self.rows[self] }

  public var group: String {
    switch rawValue.prefix(while: { $0 != "." }) {
    case "play", "listen": "Playback"
    case "queue": "Queue"
    case "view": "View"
    case "open", "app", "toggle": "Player"
    case "equaliser": "Equaliser"
    case "reciter": "Reciters"
    default: "Panels"
    }
  }
}
