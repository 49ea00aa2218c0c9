// SPDX-License-Identifier: GPL-3.0-or-later

/// How far the annotation of a recording has come.
public enum AnnotationStatus: String, Hashable, Sendable, Codable, CaseIterable {
  /// No segment is assigned.
  case none
  case partial
  /// Every segment is assigned or marked unused, and confirmed.
  case complete
}

/// How many segments there are, and of these how many are assigned (unused ones included) and
/// how many confirmed.
public struct AnnotationProgress: Hashable, Sendable {
  public let segments: Int
  public let assigned: Int
  public let confirmed: Int

  public init(segments: Int, assigned: Int, confirmed: Int) {
    self.segments = segments
    self.assigned = assigned
    self.confirmed = confirmed
  }

  public var status: AnnotationStatus {
    if assigned == 0 { return .none }
    return confirmed == segments ? .complete : .partial
  }
}

extension AnnotationDocument {
  public var progress: AnnotationProgress {
    var assigned = 0
    var confirmed = 0
    for record in records {
      if record.content.attribution != nil { assigned += 1 }
      if record.content.isConfirmed { confirmed += 1 }
    }
    return AnnotationProgress(
      segments: records.count, assigned: assigned, confirmed: confirmed)
  }

  public var status: AnnotationStatus { progress.status }
}

/// What of a recording can be played, by what was published of it.
public enum PublicationState: Hashable, Sendable {
  case nothing
  /// What publishing the annotation again would publish. `unconfirmed` of its segments are suggestions that no
  /// person confirmed.
  case current(unconfirmed: Int)
  /// Something else than that: edits changed what would be published.
  case outdated(unconfirmed: Int)

  /// How many segments can be played that no person confirmed.
  public var unconfirmed: Int {
    switch self {
    case .nothing: 0
    case .current(let unconfirmed), .outdated(let unconfirmed): unconfirmed
    }
  }

  public var isCurrent: Bool { if case .current = self { true } else { false } }
}

// The words for people: the same in the editor, in tables and in messages.

extension AnnotationStatus {
  public var title: String {
    switch self {
    case .none: "not annotated"
    case .partial: "partly annotated"
    case .complete: "complete"
    }
  }
}

extension PublicationState {
  public var title: String {
    shortTitle + (unconfirmed > 0 ? ", \(unconfirmed) unconfirmed" : "")
  }

  /// Without the number of what no person confirmed.
  public var shortTitle: String {
    switch self {
    case .nothing: "not published"
    case .current: "published"
    case .outdated: "changed since published"
    }
  }
}
