// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// An HTTP server on the loopback interface that answers as a test says, one connection at a time, until the process
/// ends.
public final class ScriptedServer: Sendable {
  public struct Request: Hashable, Sendable {
    public let path: String
    /// Names in lower case.
    public let fields: [String: String]

    /// Where the content asked for begins.
    public var offset: Int? {
      fields["range"].flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) }
    }
  }

  public enum Answer: Sendable {
    /// All that is sent; the connection then ends.
    case bytes([UInt8])
    /// The same, and then nothing more until the client goes.
    case stalling([UInt8])
    /// The first at once, then of the second a byte now and then, until the client goes.
    case dripping([UInt8], [UInt8])

    public static func text(_ text: String) -> Answer { .bytes(Array(text.utf8)) }

    /// A whole answer.
    public static func ok(
      _ content: [UInt8], _ fields: String = "", status: String = "200 OK", length: Int? = nil
    ) -> Answer {
      .bytes(head(status, fields + "Content-Length: \(length ?? content.count)\r\n") + content)
    }

    /// The rest of a content from an offset on.
    public static func rest(of content: [UInt8], from offset: Int, _ fields: String = "") -> Answer
    {
      ok(
        Array(content[offset...]),
        fields + "Content-Range: bytes \(offset)-\(content.count - 1)/\(content.count)\r\n",
        status: "206 Partial Content")
    }

    public static func status(_ status: String, _ fields: String = "") -> Answer {
      ok([], fields, status: status)
    }
  }

  public static func head(_ status: String, _ fields: String) -> [UInt8] {
    Array("HTTP/1.1 \(status)\r\n\(fields)Connection: close\r\n\r\n".utf8)
  }

  public let port: Int
  private let seen = Monitor<[Request]>([])

  public var requests: [Request] { seen.update { $0 } }
  public func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

  /// - Parameter answer: gets a request and its number, from 0 on.
  public init(
    everywhere isEverywhere: Bool = false, _ answer: @escaping @Sendable (Request, Int) -> Answer
  ) {
    signal(SIGPIPE, SIG_IGN)
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    // At 0.0.0.0 it answers to 127.0.0.2 as well.
    address.sin_addr.s_addr = UInt32(isEverywhere ? 0 : 0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        $0.pointee.sa_family = sa_family_t(AF_INET)
        precondition(bind(listener, $0, size) == 0)
        getsockname(listener, $0, &size)
      }
    }
    listen(listener, 16)
    port = Int(UInt16(bigEndian: address.sin_port))
    let seen = seen
    _ = WorkerThread {
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        Self.serve(client, seen, answer)
        close(client)
      }
    }
  }

  private static func serve(
    _ client: Int32, _ seen: Monitor<[Request]>, _ answer: (Request, Int) -> Answer
  ) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !bytes.ends(with: Array("\r\n\r\n".utf8)) {
      let count = read(client, &buffer, buffer.count)
      guard count > 0 else { return }
      bytes += buffer[..<count]
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      fields[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
    }
    let words = lines[0].split(separator: " ")
    let request = Request(path: String(words[1]), fields: fields)
    let number = seen.update {
      $0.append(request)
      return $0.count - 1
    }
    switch answer(request, number) {
    case .bytes(let bytes): send(bytes, to: client)
    case .stalling(let bytes):
      send(bytes, to: client)
      _ = read(client, &buffer, 1)
    case .dripping(let head, let content):
      send(head, to: client)
      for byte in content {
        send([byte], to: client)
        var gone = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
        if poll(&gone, 1, 20) > 0 { break }
      }
    }
    shutdown(client, Int32(SHUT_WR))
    _ = read(client, &buffer, 1)
  }

  private static func send(_ bytes: [UInt8], to client: Int32) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { write(client, $0.baseAddress! + done, $0.count - done) }
      guard count > 0 else { return }
      done += count
    }
  }
}

extension [UInt8] {
  fileprivate func ends(with other: [UInt8]) -> Bool { suffix(other.count).elementsEqual(other) }
}
