// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// Why a file was not fetched. What has come of it stays for the next attempt, unless the kind says otherwise.
public struct FetchError: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// Not an address to download from: another scheme than http and https, a password in it, no host.
    case badAddress(String)
    /// Plain http where only https is allowed: of the address, or of the one that it redirects to.
    case insecure(redirect: String?)
    /// A redirect to something that is not http or https.
    case forbiddenRedirect(String)
    /// The address of the host, or of the one that it redirects to, is one that downloads may not come from.
    case addressRefused(String, NetworkAddress.Reach, redirect: String? = nil)
    case unreachable(String)
    /// The server could not prove who it is.
    case untrusted(String)
    /// The user's own file of authorities cannot be used.
    case badAuthorities(String, file: String)
    /// 403, 404, 410: there is no use in asking again soon.
    case absent(status: Int)
    case status(Int)
    case tooManyRedirects
    case tooLarge(limit: Int64)
    case tooSlow
    /// The connection ended early.
    case truncated(bytes: Int64, of: Int64)
    /// The server wants to be asked again after a longer time than anybody waits.
    case busy(seconds: Int)
    /// Other programs of the same user ask the host as often as is polite.
    case hostInUse
    /// The answer to a request for the rest was not the rest; what had come is deleted.
    case inconsistent(String)
    /// Whole, but not what it should be; deleted.
    case unusable(String)
    /// A call of the system on a file here.
    case disk(call: String, path: String, errno: Int32)
    /// What has come could not be entered in the library.
    case library(cause: String, remedy: String?)
    case cancelled
  }

  public let kind: Kind
  /// Whose file it is, for people.
  public let source: String
  public let url: String

  public init(_ kind: Kind, source: String, url: String) {
    self.kind = kind
    self.source = source
    self.url = url
  }

  /// Whether another attempt may bring it.
  var isTransient: Bool {
    switch kind {
    case .unreachable, .tooSlow, .truncated, .inconsistent: true
    case .status(let status): status == 408 || status == 429 || (500...599).contains(status)
    default: false
    }
  }
}

extension FetchError: CustomStringConvertible {
  /// Source, file, cause and remedy in one line. Not safe to print as it is.
  public var description: String { "\(source): \(url): \(cause); \(remedy)" }

  /// Why it is tried again, and when. Not safe to print as it is.
  public func retry(in seconds: Double) -> String {
    "\(cause); next attempt in \(Int(seconds.rounded(.up))) s"
  }

  /// Why it was not fetched. Not safe to print as it is.
  public var cause: String {
    switch kind {
    case .badAddress(let reason): "not an address to download from (\(reason))"
    case .insecure(nil): "http: is not encrypted"
    case .insecure(let redirect?): "redirected to \(redirect), which is not encrypted"
    case .forbiddenRedirect(let reason): "redirected to a forbidden address (\(reason))"
    case .addressRefused(let address, let reach, nil):
      "the host has the address \(address), which is \(reach.rawValue)"
    case .addressRefused(let address, let reach, let redirect?):
      "redirected to \(redirect), whose host has the address \(address), which is \(reach.rawValue)"
    case .unreachable(let reason): "cannot reach the server (\(reason))"
    case .untrusted(let reason): "the server's certificate is not trusted (\(reason))"
    case .badAuthorities(let reason, let file):
      "no certificate authorities can be read from \(file) (\(reason))"
    case .absent(let status):
      status == 403
        ? "the server refuses it (HTTP 403)" : "the server does not have it (HTTP \(status))"
    case .status(let status): "the server answered HTTP \(status)"
    case .tooManyRedirects: "too many redirects"
    case .tooLarge(let limit): "larger than the limit of \(limit >> 20) MiB"
    case .tooSlow: "the server is too slow"
    case .truncated(let bytes, let all): "the connection ended after \(bytes) of \(all) bytes"
    case .busy(let seconds): "the server is busy and asks to wait \(seconds) s"
    case .hostInUse: "two other downloads from this host are running"
    case .inconsistent(let reason): "the server sent an invalid answer (\(reason))"
    case .unusable(let reason): "the file is not usable (\(reason))"
    case .disk(let call, let path, let code):
      "cannot write \(path): \(call): \(String(cString: strerror(code)))"
    case .library(let cause, _): cause
    case .cancelled: "interrupted"
    }
  }

  private var remedy: String {
    switch kind {
    case .badAddress: "correct the pattern with 'source edit \(source.commandWord) --url'"
    case .insecure(redirect: _?):
      "check the address in a browser, or allow http with 'source edit \(source.commandWord) --insecure-http'"
    case .insecure(nil):
      "use https, or allow http with 'source edit \(source.commandWord) --insecure-http'"
    case .forbiddenRedirect: "the source may have moved; check its address in a browser"
    case .addressRefused(_, let reach, _):
      reach == .linkLocal
        ? "check the address in a browser"
        : "if it is your own server, allow it with 'source edit \(source.commandWord) --allow-private'"
    case .unreachable: "check the connection and the address, and try again"
    case .untrusted:
      "check the address and this machine's date; install ca-certificates, or name your own authority's file with"
        + " the setting network.ca_file"
    case .badAuthorities: "correct the setting network.ca_file, or unset it"
    case .absent:
      "check the address in a browser; the next request for it is made in a week, or after 'source edit \(source.commandWord) --url'"
    case .status(401), .status(407):
      "it wants a login, which sources cannot give; check the address in a browser"
    case .status, .inconsistent: "try again later"
    case .tooManyRedirects: "check the address in a browser"
    case .tooLarge: "check that the pattern names one ayah or one surah"
    case .tooSlow, .truncated: "try again; the download resumes where it stopped"
    case .busy: "try again after that time"
    case .hostInUse: "wait until one of them ends"
    case .unusable: "check the address in a browser"
    case .disk(_, _, let code):
      code == ENOSPC || code == EDQUOT
        ? "free some disk space and try again"
        : "make it and its folder writable for your account, and try again"
    case .library(_, let remedy): remedy ?? "try again, or run 'check'"
    case .cancelled: "run the command again to resume"
    }
  }
}
