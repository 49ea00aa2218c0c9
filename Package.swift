// swift-tools-version: 6.1
// SPDX-License-Identifier: GPL-3.0-or-later

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Number work is 70 times slower without the optimiser, which would make the tests crawl, and so are the reading
/// of long files and searches through every name. Targets that the optimiser takes longer with than their tests save
/// do without it.
let numeric: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

let package = Package(
  name: "tilawa-annotate",
  products: [
    .executable(name: "tilawa-annotate", targets: ["tilawa-annotate"]),
    .library(name: "Quran", targets: ["Quran"]),
    .library(name: "Annotation", targets: ["Annotation"]),
    .library(name: "AudioCore", targets: ["AudioCore"]),
    .library(name: "Decoding", targets: ["Decoding"]),
    .library(name: "Video", targets: ["Video"]),
    .library(name: "Acoustics", targets: ["Acoustics"]),
    .library(name: "Analysis", targets: ["Analysis"]),
    .library(name: "Alignment", targets: ["Alignment"]),
    .library(name: "Exchange", targets: ["Exchange"]),
    .library(name: "Encoding", targets: ["Encoding"]),
    .library(name: "Capture", targets: ["Capture"]),
    .library(name: "Library", targets: ["Library"]),
    .library(name: "ReciterSources", targets: ["ReciterSources"]),
    .library(name: "TerminalUI", targets: ["TerminalUI"]),
    .library(name: "Editor", targets: ["Editor"]),
    // For tests of full and failing disks, which load it into the program.
    .library(name: "DiskFaults", type: .dynamic, targets: ["DiskFaults"]),
    .library(name: "Playback", targets: ["Playback"]),
    // An ALSA device for the tests, which alsa-lib loads by its path.
    .library(name: "VirtualCard", type: .dynamic, targets: ["VirtualCard"]),
    .library(name: "VirtualJack", type: .dynamic, targets: ["VirtualJack"]),
    .library(name: "VirtualPulse", type: .dynamic, targets: ["VirtualPulse"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
  ],
  targets: [
    // The doors to the C libraries.
    // Of FFmpeg only libavutil is linked; `COnDemand` has the rest, and curl.
    .systemLibrary(name: "CFFmpeg", pkgConfig: "libavutil"),
    .systemLibrary(name: "CSndFile", pkgConfig: "sndfile"),
    .systemLibrary(name: "CMpg123", pkgConfig: "libmpg123"),
    .systemLibrary(name: "CFFTW", pkgConfig: "fftw3f"),
    // Tests alone compare with it.
    .systemLibrary(name: "CEBUR128", pkgConfig: "libebur128"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
    .systemLibrary(name: "CCairo", pkgConfig: "cairo"),
    .systemLibrary(name: "CExpat", pkgConfig: "expat"),
    .target(name: "CNcurses", linkerSettings: [.linkedLibrary("ncursesw")]),
    .systemLibrary(name: "CRubberBand", pkgConfig: "rubberband"),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(name: "CCurl"),
    .systemLibrary(name: "CSwscale", pkgConfig: "libavutil"),
    .target(
      name: "COnDemand", dependencies: ["CFFmpeg", "CCurl"],
      linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CALSA", linkerSettings: [.linkedLibrary("asound")]),
    .target(name: "CPulse", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CStdio"),
    .target(name: "CChild"),
    .target(name: "CSystemBus", linkerSettings: [.linkedLibrary("systemd")]),
    .target(name: "CStore", linkerSettings: [.linkedLibrary("sqlite3")]),

    // What the product is made of, from the inside out.
    .target(name: "Quran", swiftSettings: numeric),
    .target(name: "AudioCore", swiftSettings: numeric),
    .target(name: "Annotation", dependencies: ["AudioCore", "Quran"], swiftSettings: strict),
    .target(
      name: "Decoding", dependencies: ["AudioCore", "CFFmpeg", "COnDemand", "CSndFile", "CMpg123"],
      swiftSettings: numeric),
    .target(
      name: "Video", dependencies: ["AudioCore", "CFFmpeg", "CSwscale", "Decoding"],
      swiftSettings: numeric),
    .target(
      name: "Fetch", dependencies: ["AudioCore", "CCurl", "COnDemand"], swiftSettings: strict),
    // The numbers that the network of `Acoustics` has learnt.
    .target(name: "AcousticModel", swiftSettings: strict),
    .target(
      name: "Acoustics", dependencies: ["AcousticModel", "AudioCore", "CFFTW"],
      swiftSettings: numeric),
    .target(
      name: "Analysis",
      dependencies: ["Acoustics", "Annotation", "AudioCore", "Decoding", "Quran"],
      swiftSettings: numeric),
    .target(
      name: "Alignment",
      dependencies: ["Acoustics", "Analysis", "Annotation", "AudioCore", "Quran"],
      swiftSettings: numeric),
    // What commands and the editor both do.
    .target(
      name: "Workflows",
      dependencies: [
        "Acoustics", "Alignment", "Analysis", "Annotation", "AudioCore", "Quran", "Timings",
      ],
      swiftSettings: strict),
    .target(name: "TerminalUI", dependencies: ["CZlib"], swiftSettings: numeric),
    .target(
      name: "Editor", dependencies: ["Analysis", "Annotation", "AudioCore", "Quran", "TerminalUI"],
      swiftSettings: strict),
    // The player without its terminal and its sound.
    .target(
      name: "Listening", dependencies: ["AudioCore", "Playback", "Quran", "TerminalUI"],
      swiftSettings: strict),
    .target(
      name: "TerminalDriver", dependencies: ["CNcurses", "TerminalUI"], swiftSettings: strict),
    .target(
      name: "Exchange",
      dependencies: ["Annotation", "AudioCore", "CCairo", "CExpat", "Quran", "TerminalUI"],
      swiftSettings: numeric),
    // What others have published of where ayat are.
    .target(name: "Timings", dependencies: ["Exchange", "Quran"], swiftSettings: strict),
    .target(
      name: "Encoding",
      dependencies: [
        "Annotation", "AudioCore", "CFFmpeg", "CSndFile", "Decoding", "Quran", "Video",
      ],
      swiftSettings: strict),
    .target(
      name: "Capture", dependencies: ["AudioCore", "CALSA", "Encoding"], swiftSettings: numeric),
    .target(
      name: "Library",
      dependencies: [
        "Analysis", "Annotation", "AudioCore", "CStore", "Decoding", "Quran",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .target(
      name: "Playback",
      dependencies: [
        "AudioCore", "CALSA", "CFFmpeg", "CRubberBand", "CSndFile", "Decoding", "Quran",
      ],
      swiftSettings: numeric),
    // What the desktop sees and says of playback.
    .target(
      name: "MediaControl",
      dependencies: ["AudioCore", "CALSA", "CPulse", "CSystemBus", "Playback", "Quran"],
      swiftSettings: strict),
    // Published recitations: heard from folders, and fetched.
    .target(
      name: "ReciterSources",
      dependencies: [
        "Annotation", "AudioCore", "Decoding", "Fetch", "Library", "Playback", "Quran",
      ],
      swiftSettings: strict),
    .target(
      name: "TilawaCLI",
      dependencies: [
        "Acoustics", "Alignment", "Analysis", "Annotation", "AudioCore", "CChild", "CMalloc",
        "CStdio",
        "Capture", "Decoding", "Editor",
        "Encoding", "Exchange", "Fetch", "Library", "Listening", "MediaControl", "Playback",
        "Quran",
        "ReciterSources", "TerminalDriver", "TerminalUI", "Timings", "Video",
        "Workflows",
        .product(name: "TOMLKit", package: "TOMLKit"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "tilawa-annotate", dependencies: ["TilawaCLI"], swiftSettings: strict),

    // What several test targets share.
    .target(
      name: "TestSupport", dependencies: ["Annotation", "AudioCore", "CZlib", "Fetch", "Quran"],
      path: "Tests/TestSupport", swiftSettings: numeric),
    // A process that edits a library, to be killed, and disks that fail it.
    .executableTarget(
      name: "EditHarness",
      dependencies: ["Analysis", "Annotation", "AudioCore", "Library", "Quran", "TestSupport"],
      path: "Tests/EditHarness", swiftSettings: strict),
    .target(name: "DiskFaults", path: "Tests/DiskFaults"),
    .executableTarget(
      name: "terminal-probe", dependencies: ["TerminalDriver", "TerminalUI"],
      path: "Tests/TerminalProbe", swiftSettings: strict),
    .target(
      name: "VirtualCard", path: "Tests/VirtualCard", cSettings: [.define("PIC")],
      linkerSettings: [.linkedLibrary("asound")]),
    .target(
      name: "GeneratedVideo", dependencies: ["CFFmpeg", "COnDemand"], path: "Tests/GeneratedVideo",
      swiftSettings: numeric),
    .target(
      name: "VirtualJack", path: "Tests/VirtualJack", cSettings: [.define("PIC")],
      linkerSettings: [.linkedLibrary("asound")]),
    .target(name: "VirtualPulse", path: "Tests/VirtualPulse"),
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),

    .testTarget(name: "QuranTests", dependencies: ["Quran", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "AudioCoreTests", dependencies: ["AudioCore"], swiftSettings: strict),
    .testTarget(
      name: "FetchTests", dependencies: ["AudioCore", "Fetch", "TestSupport"], swiftSettings: strict
    ),
    .testTarget(
      name: "AcousticsTests",
      dependencies: ["AcousticModel", "Acoustics", "AudioCore", "CEBUR128", "TestSupport"],
      swiftSettings: numeric),
    .testTarget(
      name: "AnnotationTests", dependencies: ["Annotation", "AudioCore", "Quran", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "DecodingTests", dependencies: ["AudioCore", "Decoding", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "VideoTests",
      dependencies: ["AudioCore", "Decoding", "GeneratedVideo", "TestSupport", "Video"],
      swiftSettings: strict),
    .testTarget(
      name: "AlignmentTests",
      dependencies: [
        "Acoustics", "Alignment", "Analysis", "Annotation", "AudioCore", "Quran", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "AnalysisTests",
      dependencies: [
        "Acoustics", "Analysis", "Annotation", "AudioCore", "Decoding", "Quran", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TerminalUITests", dependencies: ["TerminalUI", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "EditorTests",
      dependencies: ["Annotation", "AudioCore", "Editor", "Quran", "TerminalUI", "TestSupport"],
      exclude: ["Snapshots"], swiftSettings: strict),
    .testTarget(
      name: "ListeningTests",
      dependencies: ["AudioCore", "Listening", "Playback", "Quran", "TerminalUI", "TestSupport"],
      exclude: ["Snapshots", "fsrs-cases.json"], swiftSettings: strict),
    .testTarget(
      name: "TerminalDriverTests",
      dependencies: ["TerminalDriver", "TerminalUI", "TestSupport", "terminal-probe"],
      swiftSettings: strict),
    .testTarget(
      name: "ExchangeTests",
      dependencies: ["Annotation", "AudioCore", "Exchange", "Quran", "TestSupport"],
      exclude: ["Malformed"],
      swiftSettings: strict),
    .testTarget(
      name: "TimingsTests", dependencies: ["Quran", "TestSupport", "Timings"],
      swiftSettings: strict),
    .testTarget(
      name: "WorkflowsTests",
      dependencies: [
        "Acoustics", "Alignment", "Analysis", "AudioCore", "Quran", "TestSupport", "Workflows",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "EncodingTests",
      dependencies: [
        "Annotation", "AudioCore", "Decoding", "Encoding", "GeneratedVideo", "Quran", "TestSupport",
        "Video",
      ],
      swiftSettings: numeric),
    .testTarget(
      name: "CaptureTests",
      dependencies: ["AudioCore", "Capture", "Decoding", "Encoding", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "LibraryTests",
      dependencies: [
        "Analysis", "Annotation", "AudioCore", "CStore", "Decoding", "EditHarness", "Library",
        "Quran", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ReciterSourcesTests",
      dependencies: [
        "Annotation", "AudioCore", "Decoding", "Fetch", "Library", "Playback", "Quran",
        "ReciterSources",
        "TestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "PlaybackTests",
      dependencies: [
        "AllocationCounter", "AudioCore", "CALSA", "Decoding", "Playback", "Quran", "TestSupport",
        "VirtualCard",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "MediaControlTests",
      dependencies: ["AudioCore", "MediaControl", "Playback", "Quran", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "TilawaCLITests",
      dependencies: [
        "Analysis", "Annotation", "AudioCore", "CChild", "Decoding", "Editor", "Exchange",
        "GeneratedVideo", "Library", "Listening", "Playback", "Quran",
        "TerminalUI",
        "TestSupport", "TilawaCLI", "Timings", "Video",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    // They run the program, which is built with all tests; naming it here would have them compiled after it, by one
    // core alone.
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "Acoustics", "Analysis", "AudioCore", "CSystemBus", "Editor", "Exchange",
        "GeneratedVideo", "Quran", "TerminalUI", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
  ]
)

// Some of the test targets, where not all are wanted, such as under a sanitizer: `TILAWA_TESTS='EditorTests LibraryTests'`.
if let wanted = Context.environment["TILAWA_TESTS"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}
