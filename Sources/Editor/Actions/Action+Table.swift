// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
public import TerminalUI

/// Which keys ask for which actions of the editor.
public typealias Keymap = KeyBindings<Action>

extension Action: KeyAction {
  public typealias Place = Context

  public typealias Row = KeyRow<Action>

  public static let table: [Row] =
    segmentRows + markerRows + playRows + viewRows + panelRows + fileRows + startRows

  private static let segmentRows = [
    Row(.segmentCommit, ["enter"], "confirm, next", "confirm the segment and go to the next"),
    Row(.segmentAssign, ["e"], "assign", "assign the segment: its ayah, or what else it is"),
    Row(.segmentUnused, ["0"], "unused", "mark the segment as not recited, with the reason"),
    Row(
      .reviewLeastSure, ["n"], "least sure",
      "play the least sure open edge, with 2 s on either side"),
    Row(
      .reviewConfirmNext, ["tab"], "right, next",
      "confirm the edge just played and play the next least sure one"),
    Row(.reviewNextOpen, ["N"], "next open", "go to the next segment that is not confirmed"),
    Row(.segmentNext, ["down", "j"], "next", "go to the next segment"),
    Row(.segmentPrevious, ["up", "k"], "previous", "go to the previous segment"),
    Row(.segmentFirst, ["home", "g"], "first", "go to the first segment"),
    Row(.segmentLast, ["end", "G"], "last", "go to the last segment"),
    Row(.segmentHere, ["c"], "here", "go to the segment at the playhead"),
    Row(.segmentUnconfirm, ["Y"], "unconfirm", "unconfirm the segment"),
    Row(.segmentClear, ["backspace"], "clear", "leave the segment unassigned"),
    Row(.segmentNote, ["w"], "note", "write a note on the segment"),
    Row(.segmentFlag, ["!"], "flag", "flag or unflag the segment"),
    Row(.reviewNextFlag, ["@"], "next flag", "go to the next segment with a flag or a note"),
    Row(.segmentSpan, ["V"], "select", "select the segment's span of time"),
  ]

  private static let markerRows = [
    Row(.markerAdd, ["m"], "marker", "add a marker at the playhead"),
    Row(.markerDelete, ["x", "delete"], "delete", "delete the marker"),
    Row(.markerConfirm, ["y"], "confirm marker", "confirm or unconfirm the marker"),
    Row(.markerEdge, ["o"], "other edge", "switch to the segment's other edge"),
    Row(
      .markerPauseBefore, [";", "alt-left"], "previous pause",
      "move the marker to the previous pause"),
    Row(
      .markerPauseAfter, ["'", "alt-right"], "next pause",
      "move the marker to the next pause"),
    Row(
      .markerPauseNumbered, ["#"], "pauses",
      "number the pauses in view; a digit moves the marker to one"),
    Row(.markerEarlier10, [","], "-10 ms", "move the marker 10 ms earlier"),
    Row(.markerLater10, ["."], "+10 ms", "move the marker 10 ms later"),
    Row(.markerEarlier100, ["<"], "-100 ms", "move the marker 100 ms earlier"),
    Row(.markerLater100, [">"], "+100 ms", "move the marker 100 ms later"),
    Row(.markerEarlier1, ["alt-,"], "-1 ms", "move the marker 1 ms earlier"),
    Row(.markerLater1, ["alt-."], "+1 ms", "move the marker 1 ms later"),
    Row(.markerHere, ["M"], "move here", "move the marker to the playhead"),
    Row(.markerSnap, ["S"], "snap", "move the marker to the quietest place near it"),
    Row(.toggleSnap, ["s"], "snapping", "let markers snap to quiet places, or not"),
  ]

  private static let playRows = [
    Row(
      .playToggle, ["space", "ctrl-p"], "play", "play or pause",
      in: Set(Context.allCases).subtracting([.start, .path])),
    Row(
      .playLoop, ["r", "ctrl-r"], "loop", "play the segment in a loop",
      in: [.normal, .assignment, .note, .unused]),
    Row(.playHead, ["1"], "start", "play the first 500 ms of the segment"),
    Row(.playTail, ["2"], "end", "play the last 500 ms of the segment"),
    Row(.playAcrossStart, ["3"], "into", "play 2 s before and after the segment's start"),
    Row(.playAcrossEnd, ["4"], "out of", "play 2 s before and after the segment's end"),
    Row(.playCursor, ["5"], "from here", "play from the playhead"),
    Row(.cursorLeft, ["left", "h"], "left", "move the playhead a column to the left"),
    Row(.cursorRight, ["right", "l"], "right", "move the playhead a column to the right"),
    Row(.cursorBack, ["shift-left", "H"], "-5 s", "move the playhead back 5 s"),
    Row(.cursorForward, ["shift-right", "L"], "+5 s", "move the playhead forward 5 s"),
    Row(
      .cursorSceneNext, ["alt-j"], "next scene",
      "move the playhead to the next mark of the picture: a cut, or an end of stillness"),
    Row(
      .cursorScenePrevious, ["alt-k"], "previous scene",
      "move the playhead to the previous mark of the picture"),
    Row(.cursorMark, ["v"], "mark", "start or end a selection at the playhead"),
    Row(.playSlower, ["["], "slower", "play slower, down to 0.25x"),
    Row(.playFaster, ["]"], "faster", "play faster, up to 3x"),
    Row(.playNormalSpeed, ["\\"], "1x", "play at normal speed"),
    Row(.playQuieter, ["{"], "quieter", "lower the volume"),
    Row(.playLouder, ["}"], "louder", "raise the volume"),
    Row(.playGainDown, ["("], "less gain", "reduce the gain of the recording by 3 dB"),
    Row(.playGainUp, [")"], "more gain", "raise the gain of the recording by 3 dB"),
    Row(
      .playReactionShorter, ["alt--"], "sooner",
      "shorten the reaction time that is subtracted from markers placed while playing"),
    Row(
      .playReactionLonger, ["alt-="], "later",
      "lengthen the reaction time that is subtracted from markers placed while playing"),
    Row(
      .playLessAround, ["alt-3"], "less around", "play less on either side of an edge"),
    Row(.playMoreAround, ["alt-4"], "more around", "play more on either side of an edge"),
    Row(.toggleLoop, ["R"], "looping", "loop each segment that you go to, or play it once"),
    Row(.openEqualiser, ["E"], "equaliser", "open the equaliser"),
  ]

  private static let viewRows = [
    Row(.zoomIn, ["+", "="], "zoom in", "zoom in"),
    Row(.zoomOut, ["-"], "zoom out", "zoom out"),
    Row(.zoomSegment, ["z"], "fit segment", "zoom to the segment"),
    Row(.zoomAll, ["Z"], "fit all", "zoom to the whole recording"),
    Row(.zoomClose, ["X"], "see 2 s", "zoom to 2 s around the marker"),
    Row(.viewLeft, ["pageup", "ctrl-b"], "page left", "scroll a page to the left"),
    Row(.viewRight, ["pagedown", "ctrl-f"], "page right", "scroll a page to the right"),
    Row(.viewFollow, ["F"], "follow", "let the view follow the playhead, or not"),
    Row(.viewSpectrogram, ["p"], "spectrogram", "show the spectrogram or the waveform"),
    Row(
      .viewBraille, ["b"], "braille", "draw the waveform in blocks, in sixths of a cell or in dots"),
    Row(
      .viewLinear, ["d"], "linear",
      "decibels fitted to the recording, decibels of full scale, or linear"),
    Row(
      .viewFilter, ["&"], "filter",
      "filter the list: unsure segments, unconfirmed, flagged, unassigned, parts of prayer, all"),
    Row(.viewFloor, ["t"], "floor", "draw the noise floor and the threshold, or not"),
    Row(
      .viewPicture, ["P"], "picture",
      "show the picture of a video beside the segments, instead of them, or not"),
    Row(
      .viewAspect, ["alt-p"], "aspect",
      "fit the picture, fill the area, stretch it, or show its middle"),
    Row(
      .viewThumbnails, ["T"], "thumbnails",
      "show thumbnails of a video under the overview and beside the segments, or not"),
    Row(
      .viewScenes, ["alt-m"], "scenes",
      "show where the picture of a video is cut, becomes still or moves again, or not"),
    Row(
      .toggleWindow, ["alt-v"], "window", "open or close a window with the picture, by mpv"),
    Row(
      .toggleFullScreen, ["alt-f"], "full screen", "switch that window to full screen or back"),
  ]

  private static let panelRows: [Row] =
    [
      Row(.panelAccept, ["enter", "y"], "accept", "do it", in: Context.panels),
      Row(
        .panelCancel, ["esc", "ctrl-g"], "back",
        "close the panel, clear the selection, pause, or list all segments",
        in: Set(Context.allCases)),
      Row(.panelUp, ["up", "k"], "previous", "go up in the list", in: Context.lists),
      Row(.panelDown, ["down", "j"], "next", "go down in the list", in: Context.lists),
      Row(.panelPageUp, ["pageup"], "previous page", "go up a page", in: Context.lists),
      Row(.panelPageDown, ["pagedown"], "next page", "go down a page", in: Context.lists),
      Row(.panelNextField, ["tab"], "next field", "go to the next field", in: Context.forms),
      Row(
        .panelPreviousField, ["shift-tab"], "previous field", "go to the previous field",
        in: Context.forms),
      Row(
        .panelLess, ["left", "h"], "less", "lower the value",
        in: [.detection, .equaliser, .confirmation]),
      Row(
        .panelMore, ["right", "l"], "more", "raise the value",
        in: [.detection, .equaliser, .confirmation]),
      Row(
        .assignAcceptNext, ["alt-enter"], "confirm, next",
        "confirm what is assigned and go on to the next segment", in: [.assignment]),
      Row(.assignAyah, ["alt-a"], "one ayah", "assign one ayah", in: [.assignment]),
      Row(
        .assignSeveral, ["alt-s"], "several", "assign several ayat in one breath",
        in: [.assignment]),
      Row(
        .assignCrossSurah, ["alt-x"], "cross-surah",
        "assign the end of one surah and the start of the next",
        in: [.assignment]),
      Row(
        .assignLeadIn, ["alt-l"], "lead-in", "assign the isti'adhah, the basmalah or both",
        in: [.assignment]),
      Row(
        .assignUnused, ["alt-u"], "unused", "assign a reason not to use the segment",
        in: [.assignment]),
      Row(
        .assignPart, ["alt-p"], "part", "assign the whole ayah or a part of it",
        in: [.assignment]),
      Row(
        .assignBasmalah, ["alt-b"], "basmalah",
        "include the basmalah before the surah's first ayah, or not",
        in: [.assignment]),
      Row(
        .splitEarlier, ["alt-left", "alt-,"], "split -10 ms", "move the split 10 ms earlier",
        in: [.assignment]),
      Row(
        .splitLater, ["alt-right", "alt-."], "split +10 ms", "move the split 10 ms later",
        in: [.assignment]),
      Row(
        .splitHere, ["alt-m"], "split here", "move the split to the playhead", in: [.assignment]),
    ] + reasonRows + [
      Row(
        .equaliserToggle, ["e"], "on/off", "switch the equaliser on or off", in: [.equaliser]),
      Row(.equaliserReset, ["0"], "flat", "set all sliders to the middle", in: [.equaliser]),
    ]

  private static let reasonRows = UnusedReason.allCases.map { reason in
    let (action, key) = unusedAction(reason)
    return Row(action, [key], reason.rawValue, "mark it as \(reason.rawValue)", in: [.unused])
  }

  private static func unusedAction(_ reason: UnusedReason) -> (Action, String) {
    switch reason {
    case .takbir: (.unusedTakbir, "t")
    case .ameen: (.unusedAmeen, "a")
    case .ruku: (.unusedRuku, "u")
    case .sujud: (.unusedSujud, "s")
    case .tasmee: (.unusedTasmee, "m")
    case .tashahhud: (.unusedTashahhud, "h")
    case .qunut: (.unusedQunut, "q")
    case .salam: (.unusedSalam, "l")
    case .speech: (.unusedSpeech, "p")
    case .silence: (.unusedSilence, "i")
    case .noise: (.unusedNoise, "n")
    case .other: (.unusedOther, "o")
    }
  }

  /// The reason that an action of the panel of reasons stands for.
  var unusedReason: UnusedReason? {
    guard rawValue.hasPrefix("unused.") else { return nil }
    return UnusedReason(rawValue: String(rawValue.dropFirst("unused.".count)))
  }

  private static let fileRows = [
    Row(.openDetection, ["a"], "auto-detect", "find boundaries by pauses"),
    Row(
      .openAlignment, ["A"], "align",
      "find each ayah; asks which one the recording begins with"),
    Row(.openFill, ["f"], "fill", "assign consecutive ayat to the segments from here on"),
    Row(.openFind, ["/"], "find", "find an ayah in the recording, or go to a time"),
    Row(.undo, ["u"], "undo", "undo the latest edit"),
    Row(.redo, ["U"], "redo", "redo the last undone edit"),
    Row(.openHistory, ["i"], "history", "list the edits and go back to any of them"),
    Row(.save, ["ctrl-s"], "publish", "publish confirmed segments and list the work left"),
    Row(
      .publishUnconfirmed, ["p"], "publish unconfirmed too",
      "also publish unconfirmed suggestions, marked as such", in: [.completion]),
    Row(
      .openConfirmation, ["B"], "confirm several",
      "confirm several segments: sure ones, up to here or in view"),
    Row(.openCompletion, ["C"], "check", "list oddities and the work left"),
    Row(.cancelAnalysis, ["ctrl-x"], "cancel analysis", "stop analysing the recording"),
    Row(
      .readOn, ["alt-g"], "read on",
      "take in what has been written to the recording's file since it was read"),
    Row(
      .openRemarks, ["I"], "remarks",
      "show the remarks of the alignment and the segment's note"),
    Row(.openPalette, [":"], "commands", "find a command by its name"),
    Row(.openHelp, ["?", "f1"], "keys", "show all keys", in: [.normal, .start]),
    Row(.openStart, ["O"], "open", "open, import or record another recording"),
    Row(.openNext, ["J"], "next recording", "open the next recording of the queue"),
    Row(.openPrevious, ["K"], "previous recording", "open the previous recording of the queue"),
    Row(
      .toggleClicks, [], "clicks",
      "let a click select and a double click add or open, or the reverse"),
    Row(.toggleAsking, [], "asking", "ask before deleting a marker, or not"),
    Row(.toggleMouse, [], "mouse", "switch the mouse on or off"),
    Row(
      .quit, ["q", "ctrl-q"], "quit", "quit; everything is already saved", in: [.normal, .start]),
    Row(
      .suspend, ["ctrl-z"], "suspend", "put the editor into the background",
      in: Set(Context.allCases)),
    Row(.redraw, ["ctrl-l"], "redraw", "redraw the screen", in: Set(Context.allCases)),
  ]

  private static let startRows = [
    Row(.startLibrary, ["1"], "library", "choose from the library", in: [.start]),
    Row(.startImport, ["2", "i"], "import", "import a file", in: [.start]),
    Row(.startRecord, ["3", "r"], "record", "record now", in: [.start]),
    Row(
      .startListening, ["4", "l"], "listen", "continue listening in the player, then come back",
      in: [.start]),
  ]

  private static let rows: [Action: Row] = Dictionary(
    table.map { ($0.action, $0) }, uniquingKeysWith: { first, _ in first })

  public var row: Row? { Self.rows[self] }
}

extension Action {
  public var group: String {
    switch rawValue.prefix(while: { $0 != "." }) {
    case "segment", "review": "Segments"
    case "marker", "toggle": "Markers"
    case "cursor", "play": "Playback"
    case "zoom", "view": "View"
    case "open", "edit", "file", "app": "Recording"
    case "panel": "Panels"
    case "assign", "split": "Assignment"
    case "unused": "Reasons not to use a segment"
    case "equaliser": "Equaliser"
    case "completion": Context.completion.title
    default: "Start screen"
    }
  }
}
