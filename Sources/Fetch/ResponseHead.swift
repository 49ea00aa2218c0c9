// SPDX-License-Identifier: GPL-3.0-or-later

import CCurl

/// What a server says before the content.
struct ResponseHead: Hashable, Sendable {
  private(set) var status = 0
  private var fields: [String: String] = [:]

  /// Takes one line; a status line begins anew, for the answer comes after those that only inform (RFC 9110, 15.2).
  mutating func add(line: String) {
    let line = String(line.prefix { $0 != "\r" && $0 != "\n" && $0 != "\r\n" })
    if line.hasPrefix("HTTP/") {
      self = ResponseHead()
      status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      return
    }
    guard let colon = line.firstIndex(of: ":") else { return }
    let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    fields[line[..<colon].lowercased()] = String(value)
  }

  /// Only a strong one says that two files are the same to the byte.
  var strongETag: String? { fields["etag"].flatMap { $0.hasPrefix("\"") ? $0 : nil } }
  var lastModified: String? { fields["last-modified"] }
  /// Where the file is instead, relative to what was asked for; nil where the answer is no redirect (RFC 9110, 15.4).
  var redirect: String? {
    switch status {
    case 301, 302, 303, 307, 308: fields["location"]
    default: nil
    }
  }
  var contentLength: Int64? { fields["content-length"].flatMap { Int64($0) } }
  var contentType: String? { fields["content-type"] }

  /// `bytes 100-199/200`, the end inclusive.
  var contentRange: (first: Int64, last: Int64, length: Int64?)? {
    guard let text = fields["content-range"], text.lowercased().hasPrefix("bytes ") else {
      return nil
    }
    let parts = text.dropFirst(6).split(separator: "/")
    let span = (parts.first ?? "").split(separator: "-")
    guard parts.count == 2, span.count == 2, let first = Int64(span[0]), let last = Int64(span[1]),
      0 <= first, first <= last, parts[1] == "*" || (Int64(parts[1]).map { $0 > last } ?? false)
    else { return nil }
    return (first, last, Int64(parts[1]))
  }

  /// Seconds to wait: a number, or until a date. Nil for neither.
  func retryAfter(at date: Int64) -> Int? {
    guard let text = fields["retry-after"] else { return nil }
    if let seconds = Int(text) { return max(0, seconds) }
    let moment = curl_getdate(text, nil)
    return moment < 0 ? nil : max(0, moment - Int(date))
  }
}
