// SPDX-License-Identifier: GPL-3.0-or-later

/// How downloads are made, whatever is downloaded.
public struct FetchSettings: Sendable {
  public var userAgent: String
  /// Certificates of the authorities to trust, instead of the system's; PEM.
  public var authorities: String?
  /// Lets `https_proxy` and its like count. The address that is checked would be the proxy's, so none is.
  public var usesProxies = false
  public var limits = Limits()
  /// Seconds between the end of one request and the next to the same host.
  public var pause = 0.25
  /// Attempts at one file.
  public var attempts = 6

  public struct Limits: Sendable {
    /// Bytes of one file: more than any surah takes at 320 kb/s.
    public var bytes: Int64 = 300 << 20
    public var redirects = 5
    public var connectSeconds = 30
    /// One that brings less than this many bytes a second for ``slowSeconds`` is given up.
    public var slowBytesPerSecond = 1000
    public var slowSeconds = 30
    /// Of one attempt.
    public var seconds = 3600
    /// The longest that a server may ask to wait.
    public var waitSeconds = 600
  }

  /// What a name stands for, instead of asking the system: numeric addresses. For tests.
  var resolve: (@Sendable (_ host: String) -> String?)?
  /// Which addresses one may download from; nil by ``NetworkAddress/reach``. For tests.
  var isReachable: (@Sendable (_ address: String) -> Bool)?

  public init(userAgent: String) { self.userAgent = userAgent }
}

/// A file to be fetched.
public struct FetchRequest: Sendable {
  /// For messages: whose file it is.
  public var source: String
  public var url: String
  /// Where it goes; beside it lie its unfinished part and the record of that.
  public var destination: String
  /// Loopback, link-local and private addresses are refused unless this is set.
  public var allowsPrivate = false
  public var allowsInsecure = false
  /// What the file's length must be, if that is known.
  public var expectedBytes: Int64?

  public init(source: String, url: String, to destination: String) {
    self.source = source
    self.url = url
    self.destination = destination
  }
}
