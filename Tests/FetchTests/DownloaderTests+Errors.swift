// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Fetch

// What people are told.
extension DownloaderTests {
  @Test("Errors say whose file, which, why, and what to do")
  func wording() {
    let url = "https://example.org/001001.mp3"
    var kind: FetchError.Kind? = .first
    while let current = kind {
      let error = FetchError(current, source: "Husary", url: url)
      let start = "Husary: \(url): \(error.cause); "
      #expect(error.description.hasPrefix(start), "\(error)")
      let remedy = error.description.dropFirst(start.count)
      #expect(remedy.count > 10 && !remedy.contains(error.cause), "\(error)")
      #expect(!error.description.contains("\n") && !error.description.hasSuffix("."), "\(error)")
      kind = current.next
    }
    #expect(
      FetchError(.absent(status: 404), source: "Husary", url: url).description
        == "Husary: https://example.org/001001.mp3: the server does not have it (HTTP 404); check the address in a browser; the next request for it is made in a week, or after 'source edit Husary --url'"
    )
  }
}

extension FetchError.Kind {
  fileprivate static let first = Self.badAddress("no host")

  /// One of the next kind; nil after the last.
  fileprivate var next: Self? {
    switch self {
    case .badAddress: .insecure(redirect: nil)
    case .insecure(nil): .insecure(redirect: "http://example.org/a.mp3")
    case .insecure: .forbiddenRedirect("file:///etc/passwd")
    case .forbiddenRedirect: .addressRefused("127.0.0.1", .loopback)
    case .addressRefused(_, .loopback, _):
      .addressRefused("169.254.1.1", .linkLocal, redirect: "http://other.example/a.mp3")
    case .addressRefused: .unreachable("no route")
    case .unreachable: .untrusted("self-signed")
    case .untrusted: .badAuthorities("access rights?", file: "/a.pem")
    case .badAuthorities: .absent(status: 410)
    case .absent: .status(500)
    case .status(500): .status(401)
    case .status: .tooManyRedirects
    case .tooManyRedirects: .tooLarge(limit: 1 << 20)
    case .tooLarge: .tooSlow
    case .tooSlow: .truncated(bytes: 1, of: 2)
    case .truncated: .busy(seconds: 900)
    case .busy: .hostInUse
    case .hostInUse: .inconsistent("another range")
    case .inconsistent: .unusable("HTML")
    case .unusable: .disk(call: "write", path: "/a", errno: ENOSPC)
    case .disk(_, _, ENOSPC): .disk(call: "open", path: "/a", errno: EACCES)
    case .disk: .library(cause: "library.sqlite: the disk is full", remedy: "free some disk space")
    case .library(_, .some): .library(cause: "library.sqlite: disk I/O error", remedy: nil)
    case .library: .cancelled
    case .cancelled: nil
    }
  }
}
