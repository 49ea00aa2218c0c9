// SPDX-License-Identifier: GPL-3.0-or-later

public import Foundation

/// A folder that is gone when its owner is.
///
/// Let the suite hold it: a local one is gone after its last mention, which may be before its last use.
public final class TemporaryFolder: Sendable {
  public let url: URL
  public var path: String { url.path }

  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "tilawa-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  public func path(_ name: String) -> String { path + "/" + name }

  /// Copies a file of `Fixtures/` here, under its own name unless told another; returns its path.
  @discardableResult
  public func copy(of fixture: String, as name: String? = nil) throws -> String {
    let target = path(name ?? (fixture as NSString).lastPathComponent)
    try FileManager.default.copyItem(atPath: FixtureFolder.path(fixture), toPath: target)
    return target
  }

  /// Writes a file and returns its path.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(filePath: path(name)))
    return path(name)
  }

  /// Names of everything in it.
  public var contents: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

/// The recordings that come with the project.
public enum FixtureFolder {
  public static let url = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

  public static func path(_ name: String) -> String { url.appending(path: name).path }
}
