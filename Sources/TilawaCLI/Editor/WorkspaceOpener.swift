// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Decoding
import Dispatch
import Editor
import Glibc
import Library
import Quran

/// Opens recordings for the editor: from the library, or by bringing a file in. Everything blocks on a
/// queue of its own.
final class WorkspaceOpener: Sendable {
  let library: Library
  private let device: String
  private let resumes: Bool
  /// Why nothing can be edited, for people; nil where edits are kept.
  private let readOnlyReason: String?
  private let learns: Bool
  private let inbox: EditorInbox
  private let settings: EditorMemory
  private let queue = DispatchQueue(label: "tilawa.editor.opening")

  init(
    _ library: Library, device: String, resumes: Bool, readOnlyReason: String?, learns: Bool,
    memory: EditorMemory, inbox: EditorInbox
  ) {
    self.library = library
    self.device = device
    self.resumes = resumes
    self.readOnlyReason = readOnlyReason
    self.learns = learns
    self.inbox = inbox
    settings = memory
  }

  /// Opens a recording by its id.
  func open(_ id: Recording.ID) {
    queue.async { [self] in
      do throws(LibraryError) {
        try post(desk(for: id))
      } catch {
        inbox.tell(.failed(error.description))
      }
    }
  }

  /// Opens what a person has named.
  func open(_ target: EditorTarget) {
    switch target {
    case .recording(let id): open(id)
    case .file(let path): queue.async { [self] in bringIn(path, isInPlace: true) }
    }
  }

  /// Opens the recording or the file at a path that a person has typed.
  ///
  /// - Parameters:
  ///   - edited: the recording that is open for editing, which is not opened again.
  ///   - lists: shows what is in a folder.
  func open(_ text: String, unless edited: Recording.ID?, listing lists: StartLists) {
    queue.async { [self] in
      let path = UserFolders.absolute(UserFolders.withHome(text))
      switch FileKind(path: path) {
      case .nothing: return inbox.tell(.failed("\(text): no such file"))
      case .folder: return lists.listFolder(path)
      case .file, .other: break
      }
      do throws(Failure) {
        switch try EditorTarget(named: path, in: library) {
        case .recording(let id) where id == edited: inbox.tell(.alreadyOpen)
        case let target: open(target)
        }
      } catch {
        inbox.tell(.failed(error.message))
      }
    }
  }

  /// Copies a file into the library and opens it.
  func importFile(_ path: String) {
    queue.async { [self] in bringIn(path, isInPlace: false) }
  }

  /// A recording ready to be worked on, and what begins once it is known to be.
  private typealias Opened = (desk: OpenWorkspace, recording: OpenedRecording, begin: () -> Void)

  /// What is found out about a recording before the editor knows it would be lost.
  private func post(_ opened: Opened) {
    inbox.post(.opened(opened.desk, opened.recording))
    opened.begin()
  }
}

// MARK: - A recording of the library

extension WorkspaceOpener {
  private func desk(for id: Recording.ID) throws(LibraryError) -> Opened {
    let deskID = WorkspaceID()
    let inbox = inbox
    let tell: @Sendable (Event) -> Void = { inbox.post(.event($0, desk: deskID)) }
    let (recording, document, engine, access) = try annotation(of: id)
    let rate = recording.media.rate
    let sound = WorkspaceSound(
      rate: rate, length: recording.media.length,
      file: WorkspaceFile(
        library: library, recording: recording, sidecars: UserFolders.sidecars,
        learns: learns && engine != nil),
      tell: tell)
    let player = WorkspacePlayer(
      device: device, resumes: resumes, rate: rate, length: recording.media.length, tell: tell)
    let picture = RecordingPicture { inbox.wake() }
    let thumbnails = RecordingThumbnails(
      length: recording.media.length, folder: UserFolders.sidecars, tell: tell)
    let motion = RecordingMotion(
      length: recording.media.length, folder: UserFolders.sidecars, tell: tell)
    let desk = OpenWorkspace(
      id: deskID, recording: id, sound: sound, player: player, picture: picture,
      thumbnails: thumbnails, motion: motion, keeper: engine.map { EditKeeper($0, tell: tell) })
    var opened = OpenedRecording(
      card: RecordingCard(recording),
      annotation: WorkingAnnotation(
        document, revision: recording.revision, access: access,
        publication: recording.publication),
      position: settings.place(in: id) ?? .zero)
    opened.newBoundaries = newBoundaries(in: document, of: recording)
    let isLookedAt = engine == nil
    let (library, queue) = (library, queue)
    let begin = {
      self.watch(desk, recording, as: recording)
      if isLookedAt { self.follow(id, desk, showing: recording.revision) }
      let take = { @Sendable (file: RecordingFile) in
        player.take(try? file.get())
        picture.take(file)
        thumbnails.take(file)
        motion.take(file)
      }
      let availability = library.availability(of: recording)
      if availability.isAvailable, let path = try? library.file(of: recording) {
        sound.analyze(
          path: path, track: recording.media.track, sizeLimit: recording.file.size,
          sidecars: UserFolders.sidecars, opened: take)
      } else {
        let reason = availability.advice ?? availability.description
        take(.failure(PictureObstacle(unreadable: reason)))
        tell(.analysisFailed(reason: reason))
      }
      queue.async {
        // Behind the first screen: a long history takes longer to read than the annotation.
        if let history = try? library.history(of: recording) { tell(.historyRead(history)) }
      }
    }
    return (desk, opened, begin)
  }

  /// Shows what others keep of a recording while it is looked at, and opens it for editing once nobody else edits
  /// it, if it may be edited here.
  private func follow(_ id: Recording.ID, _ desk: OpenWorkspace, showing revision: Int64) {
    queue.asyncAfter(deadline: .now() + Self.patience) { [self] in
      if desk.sound.isClosed { return }
      var revision = revision
      if let kept = try? library.recording(id).revision, kept != revision,
        let (recording, document) = try? library.annotation(of: id),
        let history = try? library.history(of: recording)
      {
        revision = recording.revision
        inbox.post(.event(.followed(document, history, revision: revision), desk: desk.id))
        inbox.post(
          .event(.publicationSeen(recording.publication, revision: revision), desk: desk.id))
      }
      // Nobody's listening is cut off.
      guard readOnlyReason == nil, library.holder(of: id) == nil,
        let report = desk.player.report(), report.phase != .playing
      else { return follow(id, desk, showing: revision) }
      settings.keep(place: report.position, in: id)
      do throws(LibraryError) {
        var opened = try self.desk(for: id)
        opened.recording.isTakenOver = opened.desk.keeper != nil
        post(opened)
      } catch {
        inbox.tell(.failed(error.description))
      }
    }
  }

  /// Says when somebody else gives an open recording another title, reciter or riwayah, or publishes it, and when its
  /// file grows.
  private func watch(
    _ desk: OpenWorkspace, _ opened: Recording, as known: Recording,
    grownBy growth: FrameCount = .zero
  ) {
    queue.asyncAfter(deadline: .now() + Self.patience) { [self] in
      if desk.sound.isClosed { return }
      // A library that cannot be asked just now is asked again.
      let recording = (try? library.recording(known.id)) ?? known
      let card = RecordingCard(recording)
      if card != RecordingCard(known) { inbox.post(.event(.retitled(card), desk: desk.id)) }
      let (publication, revision) = (recording.publication, recording.revision)
      if publication != known.publication || revision != known.revision {
        inbox.post(
          .event(.publicationSeen(publication, revision: revision), desk: desk.id))
      }
      let grown = library.growth(of: opened)
      if grown != growth { inbox.post(.event(.grown(by: grown), desk: desk.id)) }
      watch(desk, opened, as: recording, grownBy: grown)
    }
  }

  /// How often it is looked what others do, in seconds.
  private static let patience = 1.0

  private func annotation(
    of id: Recording.ID
  ) throws(LibraryError) -> (
    Recording, AnnotationDocument, AnnotationEngine?, WorkingAnnotation.Access
  ) {
    func lookedAtOnly(_ reason: String) throws(LibraryError) -> (
      Recording, AnnotationDocument, AnnotationEngine?, WorkingAnnotation.Access
    ) {
      let (recording, document) = try library.annotation(of: id)
      return (recording, document, nil, .readOnly(reason))
    }
    if let readOnlyReason { return try lookedAtOnly(readOnlyReason) }
    do throws(LibraryError) {
      let engine = try AnnotationEngine(editing: id, in: library)
      let (recording, document) = waiting { await (engine.recording, engine.document) }
      return (recording, document, engine, .readWrite)
    } catch {
      guard error.kind == .held else { throw error }
      let holder = library.holder(of: id)
      return try lookedAtOnly(
        holder.map { "process \($0.pid) on \($0.host) is editing it" }
          ?? "another process is editing it")
    }
  }

  /// Boundaries that were suggested last, when nothing has been done since.
  private func newBoundaries(in document: AnnotationDocument, of recording: Recording) -> Int {
    let latest = try? library.history(of: recording, limit: 1).edits.first
    if let latest {
      guard case .replaceSuggestions = latest.edit else { return 0 }
    }
    // What a confirmation has had suggested anew is no news.
    guard !document.segments.contains(where: \.isConfirmed) else { return 0 }
    return document.markers.count { $0.isSuggestion }
  }
}

// MARK: - A file that grows

extension WorkspaceOpener {
  /// How often, and how long apart in microseconds, it is tried to edit what was open just now.
  private static let (attempts, pause) = (200, UInt32(50_000))

  /// Takes in what has been written to the file of the open recording since the library read it. It is shown at
  /// once with the annotation as it is, and opened for editing when what is new has been analysed.
  func readOn(_ id: Recording.ID) {
    queue.async { [self] in
      func say(_ error: LibraryError) {
        inbox.tell(.failed("The file could not be read on: \(error)"))
      }
      do throws(LibraryError) {
        let (recording, document) = try library.annotation(of: id)
        let path = try library.file(of: recording)
        let (shown, opened, analyzer) = try shown(recording, document, path)
        inbox.post(.opened(shown, opened))
        inbox.post(.event(.analysed(fraction: 0, overview: []), desk: shown.id))
        do throws(LibraryError) {
          try takeGrowth(of: recording, path, analyzer)
        } catch {
          // It is opened as it was.
          say(error)
        }
        try post(desk(for: id))
      } catch {
        say(error)
      }
    }
  }

  /// All of the file with what is annotated of it, to be looked at and heard.
  private func shown(
    _ recording: Recording, _ document: AnnotationDocument, _ path: String
  ) throws(LibraryError) -> (OpenWorkspace, OpenedRecording, RecordingAnalyzer) {
    let source: MediaSource
    do throws(DecodingError) {
      source = try MediaSource(path: path, track: recording.media.track)
    } catch {
      throw LibraryError(.media(AnalysisError(error)), path, detail: error.description)
    }
    let known = source.description.frameCount ?? source.description.estimatedFrameCount
    let length = max(known ?? .zero, recording.media.length)
    let longer = try? AnnotationDocument(
      length: length, rate: document.rate, records: document.records, words: document.words)
    var opened = OpenedRecording(
      card: RecordingCard(recording),
      annotation: WorkingAnnotation(
        longer ?? document,
        access: .readOnly("editing goes on when the analysis is complete")),
      position: settings.place(in: recording.id) ?? .zero)
    opened.isProvisional = true
    let (shown, analyzer) = provisional(source, length: length)
    return (shown, opened, analyzer)
  }

  private func takeGrowth(
    of recording: Recording, _ path: String, _ analyzer: RecordingAnalyzer
  ) throws(LibraryError) {
    var attempts = Self.attempts
    while true {
      do throws(LibraryError) {
        _ = try library.relink(recording.id, to: path, isCopied: false, analyzer: analyzer)
        break
      } catch {
        // The editor that was open gives the recording back when its last edit is kept.
        attempts -= 1
        guard error.kind == .held, attempts > 0 else { throw error }
        usleep(Self.pause)
      }
    }
    // What was said of the last segment was not said of what is new.
    let engine = try AnnotationEngine(editing: recording.id, in: library)
    try waiting { () async throws(LibraryError) in
      try await engine.beginAfresh(at: .zero + recording.media.length)
      await engine.close()
    }
  }
}

// MARK: - A file

extension WorkspaceOpener {
  /// Shows a file at once, analyses it while it is looked at, and opens it for editing then.
  private func bringIn(_ path: String, isInPlace: Bool) {
    let source: MediaSource
    do throws(DecodingError) {
      source = try MediaSource(path: path)
    } catch {
      return inbox.tell(.failed("\(path): \(Failure(AnalysisError(error)).message)"))
    }
    let rate = source.description.format.rate
    let length =
      source.description.frameCount ?? source.description.estimatedFrameCount ?? FrameCount(1)
    var opened = OpenedRecording(
      card: RecordingCard(title: fileName(of: path)),
      annotation: WorkingAnnotation(
        AnnotationDocument(length: length, rate: rate),
        access: .readOnly("editing starts when the analysis is complete")))
    opened.isProvisional = true
    let (shown, analyzer) = provisional(source, length: length)
    inbox.post(.opened(shown, opened))
    inbox.post(.event(.analysed(fraction: 0, overview: []), desk: shown.id))
    let importer = Importer(into: library, analyzer: analyzer) {
      (envelope: Envelope) throws(AnalysisError) in try PauseDetector().detect(in: envelope)
    }
    do throws(LibraryError) {
      let result = try importer.importFile(path, details(isInPlace: isInPlace))
      try post(desk(for: result.recording.id))
      // Such as that the file ends early.
      if !result.remarks.isEmpty {
        inbox.tell(
          .failed("\(fileName(of: path)): \(result.remarks.joined(separator: "; "))"))
      }
    } catch {
      if error.kind == .alreadyThere, openKnown(path) { return }
      let reason =
        error.kind == .cancelled
        ? "the analysis was stopped; open the file again to continue" : error.description
      opened.isProvisional = false
      opened.annotation = WorkingAnnotation(
        AnnotationDocument(length: length, rate: rate), access: .readOnly(reason))
      inbox.post(.opened(shown, opened))
    }
  }

  /// A recording to be looked at and heard while it is analysed, and what analyses it.
  private func provisional(
    _ source: MediaSource, length: FrameCount
  ) -> (OpenWorkspace, RecordingAnalyzer) {
    let id = WorkspaceID()
    let inbox = inbox
    let tell: @Sendable (Event) -> Void = { inbox.post(.event($0, desk: id)) }
    let rate = source.description.format.rate
    let sound = WorkspaceSound(rate: rate, length: length, tell: tell)
    let player = WorkspacePlayer(
      device: device, resumes: resumes, rate: rate, length: length, tell: tell)
    let picture = RecordingPicture { inbox.wake() }
    sound.take(source)
    player.take(source)
    picture.take(.success(source))
    let growth = GrowingSound(rate: rate, length: length)
    var analyzer = RecordingAnalyzer(
      threadCount: ProcessorCores.count, sidecars: UserFolders.sidecars, stopFlag: sound.stopFlag)
    analyzer.measured = { sound.take($0, into: growth) }
    let shown = OpenWorkspace(
      id: id, recording: nil, sound: sound, player: player, picture: picture, keeper: nil)
    return (shown, analyzer)
  }

  /// Opens the recording that a file is a copy of; false where that is in the bin.
  private func openKnown(_ path: String) -> Bool {
    do throws(LibraryError) {
      guard let known = try library.recording(ofFile: path) else { return false }
      try post(desk(for: known.id))
      return true
    } catch {
      return false
    }
  }

  private func details(isInPlace: Bool) -> Importer.Details {
    var details = Importer.Details()
    details.isInPlace = isInPlace
    let configuration = try? Configuration()
    let reciter = configuration?.value("import.reciter").flatMap {
      try? library.reciter(named: $0)
    }
    details.reciter = reciter?.id
    details.riwayah = configuration?.value("import.riwayah").flatMap { .init(rawValue: $0) }
    return details
  }
}

extension RecordingCard {
  fileprivate init(_ recording: Recording) {
    self.init(
      title: recording.title, reciter: recording.reciter?.name ?? "", riwayah: recording.riwayah)
  }
}
