// SPDX-License-Identifier: GPL-3.0-or-later

public import TerminalUI

/// What has the keys.
public enum Context: String, KeyContext {
  public static var main: Context { .normal }

  /// The waveform and the segments.
  case normal
  case start
  /// A file's path on the start screen.
  case path
  case assignment
  case fill
  case detection
  case places
  case find
  case note
  case unused
  case deletion
  case confirmation
  case history
  case completion
  case equaliser
  case palette
  case remarks
  case help

  /// Whether letters are text there, and no keys of actions.
  public var takesText: Bool {
    switch self {
    case .path, .assignment, .fill, .detection, .find, .note, .palette: true
    case .normal, .start, .places, .unused, .deletion, .confirmation, .history, .completion,
      .equaliser, .remarks,
      .help:
      false
    }
  }

  /// Whether who goes there has gone on with the recording, so that what they were told before is old.
  var isOfWork: Bool {
    switch self {
    case .normal, .start, .path, .palette, .help: false
    case .assignment, .fill, .detection, .places, .find, .note, .unused, .deletion, .confirmation,
      .history, .completion, .equaliser, .remarks:
      true
    }
  }

  /// For people.
  public var title: String {
    switch self {
    case .normal: "Editor"
    case .start: "Start screen"
    case .path: "Path of a file"
    case .assignment: "Assignment"
    case .fill: "Fill"
    case .detection: "Auto-detect"
    case .places: "Start of the recitation"
    case .find: "Find an ayah"
    case .note: "Note"
    case .unused: "Mark as unused"
    case .deletion: "Delete a marker"
    case .confirmation: "Confirm several"
    case .history: "History"
    case .completion: "Work left"
    case .equaliser: "Equaliser"
    case .palette: "Commands"
    case .remarks: "Remarks"
    case .help: "Keys"
    }
  }

  static let panels = Set(allCases).subtracting([.normal])
  /// Those with something to go up and down in.
  static let lists: Set<Context> = [
    .start, .assignment, .fill, .detection, .places, .find, .unused, .confirmation, .history,
    .completion, .equaliser,
    .palette, .remarks, .help,
  ]
  static let forms: Set<Context> = [.assignment, .detection, .fill, .start]
}
