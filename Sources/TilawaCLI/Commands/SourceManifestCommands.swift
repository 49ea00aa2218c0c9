// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import Fetch
import Foundation
import Library
import Quran
import ReciterSources

extension SourceCommand {
  /// `source export NAME --output FILE`
  struct Export: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract:
        "Export a source for other people, without its sound: addresses, SHA-256 of each file, timings."
    )

    @Argument(help: "The name.")
    var name: String

    @Option(name: [.short, .long], help: "The file to write, in JSON.", completion: .file())
    var output: String

    @Flag(help: "Replace an existing file.")
    var force = false

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      let source = try library.source(named: name)
      let file = try OutputFile(path: output, isReplacing: force)
      let display = ProgressDisplay()
      defer { display.finish() }
      let reciter = try library.reciters().first { $0.id == source.reciter }
      let manifest = try SourceManifest(of: source, reciter: reciter?.name, in: library) { share in
        display.update(label: source.name, fraction: share)
        return !Interrupt.flag.isStopped
      }
      try file.write([UInt8](manifest.json))
      try file.finish()
      StandardStreams.say(
        "\(output): \(PlainText.count(manifest.files.count, "file")), timings of \(PlainText.count(manifest.timings.count, "ayah", "ayat"))"
      )
    }
  }

  /// `source import FILE`
  struct Import: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Add a source that somebody has exported; fetches nothing.")

    @Argument(help: "The file that 'source export' wrote.", completion: .file())
    var file: String

    @Option(help: "Another name for it.")
    var name: String?

    @Option(
      help: "Your own folder with the files, used instead of the addresses.", completion: .directory
    )
    var folder: String?

    @Flag(help: "Allow fetching from your own network or machine.")
    var allowPrivate = false

    @Flag(help: "Allow http:, which is not encrypted.")
    var insecureHttp = false

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      guard let bytes = TextFile.bytes(of: file, limit: SourceManifest.largestSize) else {
        throw Failure(
          code: "no_such_file", message: "\(file): \(String(cString: strerror(errno)))")
      }
      let manifest: SourceManifest
      do throws(SourceManifest.Problem) {
        manifest = try SourceManifest(json: Data(bytes))
      } catch {
        throw Failure(code: "not_a_manifest", message: "\(file): \(error)")
      }
      let place = try place(manifest)
      let name = name ?? manifest.name
      if try library.sources().contains(where: { $0.name.lowercased() == name.lowercased() }) {
        throw Failure(
          code: "exists",
          message: "\(name): a source of that name exists already; choose another --name")
      }
      let riwayah = Riwayah(rawValue: manifest.riwayah) ?? .hafs
      let who = manifest.reciter ?? name
      let known = try library.reciters().first {
        $0.name.lowercased() == who.lowercased() && $0.riwayah == riwayah
      }
      let reciter = try known ?? library.addReciter(who, riwayah: riwayah)
      let source = try library.addSource(
        name, of: reciter.id, riwayah: riwayah, at: place, ayahOffset: manifest.ayah_offset,
        mapping: try? manifest.ayahMapping, allowsPrivate: allowPrivate,
        allowsInsecure: insecureHttp)
      let display = ProgressDisplay()
      defer { display.finish() }
      let waiting = try manifest.enter(source, in: library) { share in
        display.update(label: "comparing with the manifest", fraction: share)
        return !Interrupt.flag.isStopped
      }
      display.finish()
      try PlainText.show(
        "\(name): \(PlainText.count(manifest.files.count, "file")) to compare with, timings of \(PlainText.count(manifest.timings.count, "ayah", "ayat"))"
      )
      if waiting > 0 {
        StandardStreams.say(
          "timings of \(PlainText.count(waiting, "ayah", "ayat")) are not used yet, as their files are not those of the manifest;"
            + " 'timings check \(name.commandWord)' compares them")
      }
      if case .addresses = place {
        StandardStreams.say(
          "respect the publisher's terms of use; run 'source fetch' to fetch files")
      }
    }

    private func place(_ manifest: SourceManifest) throws(Failure) -> ReciterSource.Place {
      if let folder {
        let path = UserFolders.absolute(folder)
        guard FileKind(path: path) == .folder else {
          throw Failure(code: "no_such_file", message: "\(folder): no such folder")
        }
        return .folder(path)
      }
      guard let url = manifest.url else {
        throw Failure(
          code: "usage",
          message:
            "\(file): this source has no addresses; name your folder of its files with --folder DIR"
        )
      }
      guard insecureHttp || !url.hasPrefix("http://") else {
        throw Failure(
          code: "usage", message: "\(url): http: is not encrypted; add --insecure-http")
      }
      // Who exported it chose the address.
      if let reach = NetworkAddress.reach(namedIn: url), reach != .everywhere, !allowPrivate {
        throw Failure(
          code: "usage",
          message:
            "\(url): the address is \(reach.rawValue); add --allow-private if it is a server of your own"
        )
      }
      return .addresses(url)
    }
  }
}
