// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

/// What can lie over the segments and have the keys, each with a state of its own.
public enum Panel: Sendable {
  case start(StartPanel)
  case assignment(AssignmentPanel)
  case fill(FillPanel)
  case detection(DetectionPanel)
  case places(PlacesPanel)
  case find(FindPanel)
  case note(NotePanel)
  case unused(UnusedPanel)
  case deletion(DeletionPanel)
  case confirmation(ConfirmationPanel)
  case history(HistoryPanel)
  case completion(CompletionPanel)
  case equaliser(EqualiserPanel)
  case palette(PalettePanel)
  case remarks(RemarksPanel)
  case help(HelpPanel)
}

/// A panel's own reducer. It changes nothing but itself; what it wants of the editor it asks for.
protocol PanelModel: Sendable {
  var context: Context { get }
  /// The place chosen in its list, and how many there are; nil without a list.
  func choice(_ state: State) -> (index: Int, count: Int)?
  /// What an action of its context does.
  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest]
  /// What a key does that is bound to no action: text.
  mutating func type(_ key: KeyEvent, _ state: State) -> [PanelRequest]
  mutating func paste(_ text: String, _ state: State) -> [PanelRequest]
  /// What the mouse does inside `frame`, the panel's place on the screen.
  mutating func point(_ mouse: MouseEvent, in frame: Rect, _ state: State) -> [PanelRequest]
}

extension PanelModel {
  func choice(_ state: State) -> (index: Int, count: Int)? { nil }
  mutating func type(_ key: KeyEvent, _ state: State) -> [PanelRequest] { [] }
  mutating func paste(_ text: String, _ state: State) -> [PanelRequest] { [] }
  mutating func point(_ mouse: MouseEvent, in frame: Rect, _ state: State) -> [PanelRequest] { [] }
}

extension Panel {
  /// Why the panel cannot do something yet, for people; nil when it can.
  func obstacle(to action: Action, _ state: State) -> String? {
    if let choice = model.choice(state) {
      switch action {
      case .panelUp, .panelPageUp: return choice.index > 0 ? nil : "Already at the first"
      case .panelDown, .panelPageDown:
        return choice.index + 1 < choice.count ? nil : "Already at the last"
      default: break
      }
    }
    return switch self {
    case .assignment(let panel): panel.obstacle(to: action, state)
    case .fill(let panel): action == .panelAccept ? panel.obstacle(state) : nil
    case .detection(let panel): action == .panelAccept ? panel.obstacle : nil
    case .places(let panel): action == .panelAccept ? panel.obstacle : nil
    case .find(let panel): action == .panelAccept ? panel.obstacle(state) : nil
    case .palette(let panel): action == .panelAccept ? panel.obstacle(state) : nil
    case .confirmation(let panel): action == .panelAccept ? panel.obstacle(state) : nil
    case .completion(let panel): panel.obstacle(to: action, state)
    case .start(let panel): panel.obstacle(to: action)
    case .note, .unused, .deletion, .history, .equaliser, .remarks, .help: nil
    }
  }
}

/// What a panel asks of the editor.
enum PanelRequest: Sendable {
  case close
  case open(Panel)
  case edit(Edit, joinsPrevious: Bool = false)
  /// Makes a segment the selected one, shows it, and has it played if wished.
  case select(SegmentID, playing: Bool)
  /// Puts the playhead at a place.
  case seek(FramePosition)
  /// Goes to the segment after one and has it played.
  case goOn(from: SegmentID)
  case emit(Effect)
  case notify(Notice)
  case perform(Action)
  case change(Settings)
  /// Has a span of the selected segment played.
  case play(Range<FramePosition>, looping: Bool)
  /// Undoes so many edits, or redoes them if negative.
  case goBack(Int)
  case detect(DetectionParameters, in: Range<FramePosition>)
  /// Looks for where reciting begins that a panel's form says too little of.
  case propose(DetectionPanel)
  /// Takes what the detection panel has found.
  case acceptDetection
}

extension Panel {
  var context: Context { model.context }

  /// Takes in what has been read for the start screen.
  mutating func take(_ event: Event) {
    switch self {
    case .start(var panel):
      panel.take(event)
      self = .start(panel)
    case .help(var panel):
      panel.take(event)
      self = .help(panel)
    default: break
    }
  }

  /// Whether the waveform stays in sight.
  var isSmall: Bool {
    switch self {
    case .start, .history, .completion, .palette, .help: false
    case .assignment, .fill, .detection, .places, .find, .note, .unused, .deletion, .confirmation,
      .equaliser, .remarks:
      true
    }
  }

  mutating func update<Result>(_ body: (inout any PanelModel) -> Result) -> Result {
    var model = self.model
    let result = body(&model)
    if let panel = Panel(model) { self = panel }
    return result
  }

  private var model: any PanelModel {
    switch self {
    case .start(let model): model
    case .assignment(let model): model
    case .fill(let model): model
    case .detection(let model): model
    case .places(let model): model
    case .find(let model): model
    case .note(let model): model
    case .unused(let model): model
    case .deletion(let model): model
    case .confirmation(let model): model
    case .history(let model): model
    case .completion(let model): model
    case .equaliser(let model): model
    case .palette(let model): model
    case .remarks(let model): model
    case .help(let model): model
    }
  }

  private init?(_ model: any PanelModel) {
    switch model {
    case let model as StartPanel: self = .start(model)
    case let model as AssignmentPanel: self = .assignment(model)
    case let model as FillPanel: self = .fill(model)
    case let model as DetectionPanel: self = .detection(model)
    case let model as PlacesPanel: self = .places(model)
    case let model as FindPanel: self = .find(model)
    case let model as NotePanel: self = .note(model)
    case let model as UnusedPanel: self = .unused(model)
    case let model as DeletionPanel: self = .deletion(model)
    case let model as ConfirmationPanel: self = .confirmation(model)
    case let model as HistoryPanel: self = .history(model)
    case let model as CompletionPanel: self = .completion(model)
    case let model as EqualiserPanel: self = .equaliser(model)
    case let model as PalettePanel: self = .palette(model)
    case let model as RemarksPanel: self = .remarks(model)
    case let model as HelpPanel: self = .help(model)
    default: return nil
    }
  }
}

extension ListCursor {
  /// Moves by an action of lists; false for any other.
  mutating func take(_ action: Action, count: Int) -> Bool {
    switch action {
    case .panelUp: move(by: -1, count: count)
    case .panelDown: move(by: 1, count: count)
    case .panelPageUp: move(by: -Self.page, count: count)
    case .panelPageDown: move(by: Self.page, count: count)
    default: return false
    }
    return true
  }
}
