// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CCurl
import Glibc

/// One request and its answer, by libcurl. Blocks the thread.
struct HTTPTransfer {
  let request: FetchRequest
  /// Where a redirect of the request leads; nil for its own address.
  var redirect: String?
  let settings: FetchSettings
  /// Asks for what is after so many bytes, and only if the file is still the one with this mark.
  var rest: (offset: Int64, validator: String)?
  let stopFlag: StopFlag

  /// What is asked for.
  private var url: String { redirect ?? request.url }

  /// What the receiver of the content wants.
  enum Reception: Hashable { case goOn, stop }

  /// How the transfer ended, if it was not the receiver who ended it.
  struct Outcome {
    let head: ResponseHead
    /// Nil when all of the answer has come.
    let failure: FetchError.Kind?
  }

  private static let prepared: Bool = transfer_global_init() == CURLE_OK

  /// What the C callbacks work on.
  private final class Context {
    var head = ResponseHead()
    var refused: (address: String, reach: NetworkAddress.Reach)?
    /// Why an address may not be connected to; nil where it may.
    let refusal: (_ address: String) -> NetworkAddress.Reach?
    let stopFlag: StopFlag
    let receive: (ResponseHead, UnsafeRawBufferPointer) -> Reception
    var hasStopped = false
    /// Where libcurl says what exactly is wrong.
    let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init(
      _ stopFlag: StopFlag,
      refusal: @escaping (_ address: String) -> NetworkAddress.Reach?,
      receive: @escaping (ResponseHead, UnsafeRawBufferPointer) -> Reception
    ) {
      self.stopFlag = stopFlag
      self.refusal = refusal
      self.receive = receive
      message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit { message.deallocate() }

    static func of(_ pointer: UnsafeMutableRawPointer?) -> Context? {
      pointer.map { Unmanaged<Context>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  /// - Parameter receive: gets the content piece by piece, with the head of the answer it belongs to.
  func run(
    receive: (ResponseHead, UnsafeRawBufferPointer) -> Reception
  ) -> Outcome {
    guard Self.prepared, let handle = curl_easy_init() else {
      return Outcome(head: ResponseHead(), failure: .unreachable("libcurl cannot be initialised"))
    }
    defer { curl_easy_cleanup(handle) }
    if let problem = problem() {
      return Outcome(head: ResponseHead(), failure: problem)
    }
    return withoutActuallyEscaping(receive) { receive in
      let context = Context(stopFlag, refusal: refusal, receive: receive)
      let pointer = Unmanaged.passUnretained(context).toOpaque()
      let lists = configure(handle, pointer)
      transfer_set_data(handle, CURLOPT_ERRORBUFFER, context.message)
      defer { lists.forEach { curl_slist_free_all($0) } }
      let code = withExtendedLifetime(context) { curl_easy_perform(handle) }
      return Outcome(head: context.head, failure: failure(code, context, handle))
    }
  }

  /// What is wrong with the address before anybody is asked.
  func problem() -> FetchError.Kind? {
    let parts = curl_url()
    defer { curl_url_cleanup(parts) }
    func bad(_ reason: String) -> FetchError.Kind {
      redirect.map { .forbiddenRedirect($0) } ?? .badAddress(reason)
    }
    guard curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK else { return bad("not a URL") }
    if Self.part(CURLUPART_USER, of: parts) != nil
      || Self.part(CURLUPART_PASSWORD, of: parts) != nil
    {
      return bad("it contains a user name or password")
    }
    switch Self.part(CURLUPART_SCHEME, of: parts) {
    case "https": return nil
    case "http": return request.allowsInsecure ? nil : .insecure(redirect: redirect)
    case let scheme: return bad("\(scheme ?? "nothing"): neither https nor http")
    }
  }

  /// The address that a redirect names, which may be relative to the one that was asked for.
  func target(of location: String) -> String {
    let parts = curl_url()
    defer { curl_url_cleanup(parts) }
    // Schemes are judged when it is asked for.
    guard curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK,
      curl_url_set(parts, CURLUPART_URL, location, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK
    else { return location }
    return Self.part(CURLUPART_URL, of: parts) ?? location
  }

  private static func part(_ which: CURLUPart, of parts: OpaquePointer?, _ flags: Int32 = 0)
    -> String?
  {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(parts, which, &text, UInt32(flags)) == CURLUE_OK, let text else {
      return nil
    }
    defer { curl_free(text) }
    return String(cString: text)
  }

  /// Why nothing is fetched from where a connection leads; nil where it may be.
  func refusal(_ address: String) -> NetworkAddress.Reach? {
    if settings.usesProxies { return nil }
    let connected = NetworkAddress(address)
    let reach = connected?.reach ?? .reserved
    // No server of one's own is found by a redirect to where clouds keep the credentials of a machine.
    if reach == .linkLocal, redirect != nil { return reach }
    if request.allowsPrivate || names(connected) { return nil }
    if let isReachable = settings.isReachable { return isReachable(address) ? nil : .loopback }
    return reach == .everywhere ? nil : reach
  }

  /// Whether the request itself names an address, so that the person who wrote it knows where it leads.
  private func names(_ address: NetworkAddress?) -> Bool {
    guard let address, let host = Self.hostAndPort(of: request.url)?.host else { return false }
    return NetworkAddress(host: host) == address
      || NetworkAddress.isLoopbackName(host) && address.reach == .loopback
  }

  /// - Returns: lists to free afterwards.
  private func configure(
    _ handle: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer
  ) -> [UnsafeMutablePointer<curl_slist>] {
    var lists: [UnsafeMutablePointer<curl_slist>] = []
    let limits = settings.limits
    let schemes = request.allowsInsecure ? "http,https" : "https"
    transfer_set_text(handle, CURLOPT_URL, url)
    transfer_set_text(handle, CURLOPT_PROTOCOLS_STR, schemes)
    transfer_set_text(handle, CURLOPT_USERAGENT, settings.userAgent)
    if !settings.usesProxies { transfer_set_text(handle, CURLOPT_PROXY, "") }
    if let file = settings.authorities {
      transfer_set_text(handle, CURLOPT_CAINFO, file)
      transfer_set_text(handle, CURLOPT_CAPATH, nil)
    }
    for (option, value) in [
      // Redirects are asked for one by one, each host in its turn.
      (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0),
      (CURLOPT_CONNECTTIMEOUT, limits.connectSeconds), (CURLOPT_TIMEOUT, limits.seconds),
      (CURLOPT_LOW_SPEED_LIMIT, limits.slowBytesPerSecond),
      (CURLOPT_LOW_SPEED_TIME, limits.slowSeconds), (CURLOPT_NOPROGRESS, 0),
      (CURLOPT_NETRC, 0), (CURLOPT_FRESH_CONNECT, 1),
    ] {
      transfer_set_long(handle, option, value)
    }
    if let rest {
      var list = curl_slist_append(nil, "If-Range: \(rest.validator)")
      list = curl_slist_append(list, "Range: bytes=\(rest.offset)-")
      if let list {
        lists.append(list)
        transfer_set_list(handle, CURLOPT_HTTPHEADER, list)
      }
    }
    if let resolve = settings.resolve, let (host, port) = Self.hostAndPort(of: url),
      let address = resolve(host), let list = curl_slist_append(nil, "\(host):\(port):\(address)")
    {
      lists.append(list)
      transfer_set_list(handle, CURLOPT_RESOLVE, list)
    }
    for option in [
      CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_XFERINFODATA, CURLOPT_PREREQDATA,
    ] {
      transfer_set_data(handle, option, context)
    }
    transfer_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      if let bytes, let context = Context.of(context) {
        let raw = UnsafeRawBufferPointer(start: bytes, count: size * count)
        context.head.add(line: String(decoding: raw, as: UTF8.self))
      }
      return size * count
    }
    transfer_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      guard let bytes, let context = Context.of(context) else { return 0 }
      let raw = UnsafeRawBufferPointer(start: bytes, count: size * count)
      if context.receive(context.head, raw) == .goOn { return size * count }
      context.hasStopped = true
      return 0
    }
    transfer_set_progress(handle) { context, _, _, _, _ in
      Context.of(context)?.stopFlag.isStopped == true ? 1 : 0
    }
    transfer_set_check(handle) { context, address, _, _, _ in
      guard let address, let context = Context.of(context) else { return CURL_PREREQFUNC_ABORT }
      let text = String(cString: address)
      guard let reach = context.refusal(text) else { return CURL_PREREQFUNC_OK }
      context.refused = (text, reach)
      return CURL_PREREQFUNC_ABORT
    }
    return lists
  }

  static func hostAndPort(of url: String) -> (host: String, port: String)? {
    let parts = curl_url()
    defer { curl_url_cleanup(parts) }
    guard curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK,
      let host = part(CURLUPART_HOST, of: parts),
      let port = part(CURLUPART_PORT, of: parts, CURLU_DEFAULT_PORT)
    else { return nil }
    return (host, port)
  }

  private func failure(
    _ code: CURLcode, _ context: Context, _ handle: UnsafeMutableRawPointer
  ) -> FetchError.Kind? {
    if let refused = context.refused {
      return .addressRefused(refused.address, refused.reach, redirect: redirect)
    }
    if stopFlag.isStopped { return .cancelled }
    let message = String(cString: context.message)
    let words = message.isEmpty ? String(cString: curl_easy_strerror(code)) : message
    switch code {
    case CURLE_OK: return nil
    case CURLE_WRITE_ERROR where context.hasStopped: return nil
    case CURLE_URL_MALFORMAT: return .badAddress(words)
    case CURLE_OPERATION_TIMEDOUT: return .tooSlow
    case CURLE_SSL_CACERT_BADFILE where settings.authorities != nil:
      return settings.authorities.map { .badAuthorities(words, file: $0) }
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE:
      return .untrusted(words)
    case CURLE_PARTIAL_FILE: return .truncated(bytes: 0, of: 0)
    default: return .unreachable(words)
    }
  }
}
