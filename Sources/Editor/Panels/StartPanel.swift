// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI

/// Where a recording comes from: the library, a file, or the microphone.
public struct StartPanel: Sendable {
  enum Page: Hashable { case library, files, capture }

  private(set) var page = Page.library
  /// Nil while they are being read.
  private(set) var recordings: [LibraryEntry]?
  private(set) var folder = ""
  private(set) var files: [FolderEntry]?
  private(set) var capture: CaptureReport?
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
    switch page {
    case .library:
      guard let recordings else { return "The library is being read" }
      guard recordings.indices.contains(cursor.index) else { return "The library is empty" }
      return recordings[cursor.index].obstacle?.sentence
    case .files:
      return files?.indices.contains(cursor.index) == true ? nil : "There is nothing here"
    case .capture: return capture?.isRecording == true ? nil : "Nothing is being recorded"
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
      if page == .files { cursor = ListCursor() }
    case .working(let text, let fraction): work = (text, fraction)
    case .capture(let report): capture = report
    case .failed: work = nil
    default: break
    }
    cursor.clamp(count: count)
  }
}

extension StartPanel: PanelModel {
  var context: Context { .start }

  func choice(_ state: State) -> (index: Int, count: Int)? {
    (cursor.index, count)
  }

  mutating func perform(_ action: Action, _ state: State) -> [PanelRequest] {
    if cursor.take(action, count: count) { return [] }
    switch action {
    case .startLibrary: return turn(to: .library)
    case .startImport: return turn(to: .files)
    case .startRecord: return turn(to: .capture)
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

  mutating func point(_ mouse: MouseEvent, in frame: Rect, _ state: State) -> [PanelRequest] {
    let layout = PanelLayout(frame)
    if case .press(.left) = mouse.action, layout.field.contains(mouse.position) {
      let column = mouse.position.column - layout.field.origin.column
      let tab = column / Self.tabWidth
      let pages: [Page] = [.library, .files, .capture]
      return pages.indices.contains(tab) ? turn(to: pages[tab]) : []
    }
    var list = layout.list
    // The folder's name stands above its files.
    if page == .files { _ = list.takeTop(1) }
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
      if !isMistake { work = ("Keeping the recording", nil) }
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
      work = ("Keeping the recording", nil)
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
