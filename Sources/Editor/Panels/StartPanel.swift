// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

/// Where a recording comes from: the library, a file, or the microphone.
public struct StartPanel: Sendable {
  enum Page: Hashable { case library, files, capture }

  private(set) var page = Page.library
  /// The path of a file that is being typed; nil while none is.
  private(set) var path: TextField?
  /// Nil while they are being read.
  private(set) var recordings: [LibraryEntry]?
  private(set) var folder = ""
  private(set) var files: [FolderEntry]?
  private(set) var capture: CaptureReport?
  /// Where listening was left, for people; nil where there is nothing to go on with.
  private(set) var leftListening: String?
  /// What is being waited for, and how far it is.
  private(set) var work: (text: String, fraction: Double?)?
  var cursor = ListCursor()

  init() {}

  var count: Int {
    switch page {
    case .library: recordings?.count ?? 0
    case .files: files?.count ?? 0
    case .capture: 0
    }
  }

  var obstacle: String? {
    if let path { return path.text.isEmpty ? "Which file?" : nil }
    switch page {
    case .library:
      guard let recordings else { return "Reading the library" }
      guard recordings.indices.contains(cursor.index) else { return "The library is empty" }
      return recordings[cursor.index].obstacle?.sentence
    case .files:
      return files?.indices.contains(cursor.index) == true ? nil : "This folder is empty"
    case .capture: return capture?.isRecording == true ? nil : "Nothing is being recorded"
    }
  }

  func obstacle(to action: Action) -> String? {
    switch action {
    case .panelAccept: obstacle
    case .startListening: leftListening == nil ? "There is nothing to resume" : nil
    default: nil
    }
  }

  /// Takes in what has been read meanwhile.
  mutating func take(_ event: Event) {
    switch event {
    case .libraryListed(let recordings): self.recordings = recordings
    case .folderListed(let path, let entries):
      folder = path
      let parent = path == "/" ? [] : [FolderEntry(name: "..", isFolder: true)]
      files = parent + entries
      work = nil
      // What was typed is a folder.
      if self.path != nil { page = .files }
      self.path = nil
      if page == .files { cursor = ListCursor() }
    case .leftListening(let place): leftListening = place
    case .working(let text, let fraction): work = (text, fraction)
    case .capture(let report): capture = report
    case .failed: work = nil
    default: break
    }
    cursor.clamp(count: count)
  }
}

extension StartPanel: PanelModel {
  var context: Context { path == nil ? .start : .path }

  func choice(_ state: State) -> (index: Int, count: Int)? {
    path == nil ? (cursor.index, count) : nil
  }

  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest] {
    if let path {
      switch action {
      case .panelAccept: return open(path.text)
      case .panelCancel:
        self.path = nil
        work = nil
      default: break
      }
      return []
    }
    if cursor.take(action, count: count) { return [] }
    switch action {
    case .startLibrary: return turn(to: .library)
    case .startImport: return turn(to: .files)
    case .startRecord: return turn(to: .capture)
    case .startListening: return listen()
    case .panelNextField:
      return turn(to: page == .library ? .files : page == .files ? .capture : .library)
    case .panelPreviousField:
      return turn(to: page == .library ? .capture : page == .files ? .library : .files)
    case .panelAccept: return accept()
    case .panelCancel:
      if page == .capture { return turn(to: .library) }
      return state.isOpen ? [.close] : []
    default: return []
    }
  }

  /// What can only begin a path begins one.
  mutating func type(_ key: KeyEvent, _ state: State) -> [PanelRequest] {
    if path != nil {
      _ = path?.handle(key)
    } else if page != .capture, let character = key.typed, "/~.".contains(character) {
      path = TextField(String(character))
    }
    return []
  }

  /// A path that is pasted where none is being typed is opened at once.
  mutating func paste(_ text: String, _ state: State) -> [PanelRequest] {
    guard page != .capture else { return [] }
    if path != nil {
      path?.insert(PastedPath(text).path)
      return []
    }
    let pasted = PastedPath(text)
    path = TextField(pasted.path)
    return pasted.isCertain ? open(pasted.path) : []
  }

  private mutating func open(_ path: String) -> [PanelRequest] {
    work = ("Opening", nil)
    return [.emit(.openFile(path))]
  }

  mutating func point(_ mouse: MouseEvent, in frame: Rect, _ state: State) -> [PanelRequest] {
    guard path == nil else { return [] }
    let layout = PanelLayout(frame)
    if case .press(.left) = mouse.action, layout.field.contains(mouse.position) {
      let column = mouse.position.column - layout.field.origin.column
      let tab = column / Self.tabWidth
      let pages: [Page] = [.library, .files, .capture]
      if tab == pages.count, leftListening != nil { return listen() }
      return pages.indices.contains(tab) ? turn(to: pages[tab]) : []
    }
    var list = layout.list
    // A line stands above: the folder's name, or the names of the columns.
    _ = list.takeTop(1)
    return cursor.point(mouse, in: list, count: count) && obstacle == nil ? accept() : []
  }

  static let tabWidth = 20
  /// Seconds below which what was recorded when the page is left was begun by mistake.
  private static let shortestCapture = 3.0

  private mutating func turn(to page: Page) -> [PanelRequest] {
    var requests: [PanelRequest] = []
    if self.page == .capture, page != .capture, let capture, capture.isRecording {
      let isMistake = capture.seconds < Self.shortestCapture
      requests.append(.emit(.stopCapture(discarding: isMistake)))
      if !isMistake { work = ("Importing the recording", nil) }
    }
    let isNew = self.page != page
    self.page = page
    cursor = ListCursor()
    switch page {
    case .library: requests.append(.emit(.listLibrary))
    case .files: requests.append(.emit(.listFolder(folder)))
    case .capture:
      if isNew || capture?.isRecording != true {
        capture = nil
        requests.append(.emit(.startCapture))
      }
    }
    return requests
  }

  /// What is being recorded is kept first.
  private mutating func listen() -> [PanelRequest] {
    (page == .capture ? turn(to: .library) : []) + [.emit(.listen)]
  }

  private mutating func accept() -> [PanelRequest] {
    switch page {
    case .library:
      guard let recordings, recordings.indices.contains(cursor.index) else { return [] }
      work = ("Opening", nil)
      return [.emit(.open(recordings[cursor.index].id))]
    case .files:
      guard let files, files.indices.contains(cursor.index) else { return [] }
      let entry = files[cursor.index]
      let path = Self.path(entry.name, in: folder)
      if entry.isFolder { return [.emit(.listFolder(path))] }
      work = ("Importing", nil)
      return [.emit(.importFile(path))]
    case .capture:
      work = ("Importing the recording", nil)
      return [.emit(.stopCapture(discarding: false))]
    }
  }

  /// A name in a folder, or the folder that it lies in.
  private static func path(_ name: String, in folder: String) -> String {
    guard name == ".." else { return folder.hasSuffix("/") ? folder + name : folder + "/" + name }
    guard let slash = folder.lastIndex(of: "/") else { return "/" }
    let parent = folder[..<slash]
    return parent.isEmpty ? "/" : String(parent)
  }
}
