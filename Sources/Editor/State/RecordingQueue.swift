// SPDX-License-Identifier: GPL-3.0-or-later

/// The recordings that a person works through, one after the other.
public struct RecordingQueue: Hashable, Sendable {
  public enum Item: Hashable, Sendable {
    /// One of the library, by its id there.
    case recording(String)
    /// The path of a file.
    case file(String)

    var opening: Effect {
      switch self {
      case .recording(let id): .open(id)
      case .file(let path): .openFile(path)
      }
    }
  }

  private let items: [Item]
  /// Gone to last; what cannot be opened is gone past.
  private var index = 0
  /// Opened last.
  private var openIndex = 0

  /// The first is the one that is opened by itself.
  public init(_ items: [Item] = []) { self.items = items }

  /// `2/5`; nil for a queue of one or none.
  var place: String? { items.count > 1 ? "\(openIndex + 1)/\(items.count)" : nil }

  /// Why there is none to go to, for people; nil where there is.
  func obstacle(toStepBy steps: Int) -> String? {
    if items.count < 2 {
      return "No queue: start with 'edit A B C' or 'edit --pending' to work through several"
    }
    if items.indices.contains(index + steps) { return nil }
    return steps > 0
      ? "This is the last recording of the queue" : "This is the first recording of the queue"
  }

  /// What was gone to is open.
  mutating func arrive() { openIndex = index }

  mutating func step(by steps: Int) -> Item? {
    guard items.indices.contains(index + steps) else { return nil }
    index += steps
    return items[index]
  }
}
