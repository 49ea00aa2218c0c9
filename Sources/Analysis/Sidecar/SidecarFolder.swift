// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Glibc

/// The folder that sidecars are kept in. What is in it can be deleted at any time.
public struct SidecarFolder: Hashable, Sendable {
  public let path: String

  public init(path: String) { self.path = path }

  /// Where the sidecar of a source with this key lies.
  public func path(forKey key: [UInt8]) -> String { "\(path)/\(Self.name(key))-waveform.bin" }

  /// Where the cepstra of a source with this key lie.
  func cepstraPath(forKey key: [UInt8]) -> String { "\(path)/\(Self.name(key))-cepstra.bin" }

  /// Where the thumbnails of a source with this key lie.
  public func thumbnailsPath(forKey key: [UInt8]) -> String {
    "\(path)/\(Self.name(key))-thumbnails.bin"
  }

  /// Where the motion of the picture of a source with this key lies.
  public func motionPath(forKey key: [UInt8]) -> String {
    "\(path)/\(Self.name(key))-motion.bin"
  }

  private static func name(_ key: [UInt8]) -> String {
    key.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  func read(key: [UInt8], needsLogMel: Bool = false) -> KeptRecording? {
    SidecarReader.read(path: path(forKey: key), key: key, needsLogMel: needsLogMel)
  }

  func makeWriter(key: [UInt8]) throws(SidecarWriter.Problem) -> SidecarWriter {
    if let code = createFolders() {
      throw SidecarWriter.Problem(text: String(cString: strerror(code)))
    }
    removeAbandoned()
    return try SidecarWriter(path: path(forKey: key), key: key)
  }

  /// Removes what analyses that were killed have left half written, a day ago or more.
  private func removeAbandoned() {
    guard let folder = opendir(path.diskName) else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(diskName: $0) }
      }
      var status = stat()
      guard name.hasSuffix(".part"),
        name.contains("-waveform.bin.") || name.contains("-cepstra.bin.")
          || name.contains("-thumbnails.bin."),
        stat("\(path)/\(name)".diskName, &status) == 0, status.st_mtim.tv_sec < time(nil) - 86_400
      else { continue }
      unlink("\(path)/\(name)".diskName)
    }
  }

  /// Whether the folder is there, created if need be.
  public func create() -> Bool { createFolders() == nil }

  /// Creates the folder and those above it, as far as they are missing; the error number if it cannot.
  private func createFolders() -> Int32? {
    var folder = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      folder += "/" + part
      guard mkdir(folder.diskName, 0o700) != 0 else { continue }
      let code = errno
      if access(folder.diskName, F_OK) != 0 { return code }
    }
    return nil
  }
}
