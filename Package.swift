// swift-tools-version: 6.1
// SPDX-License-Identifier: GPL-3.0-or-later

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Number work is 70 times slower without the optimiser, which would make the tests crawl.
let numeric: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

let package = Package(
  name: "tilawa-annotate",
  products: [
    .executable(name: "tilawa-annotate", targets: ["tilawa-annotate"]),
    .library(name: "Quran", targets: ["Quran"]),
    .library(name: "Annotation", targets: ["Annotation"]),
    .library(name: "AudioCore", targets: ["AudioCore"]),
    .library(name: "Decoding", targets: ["Decoding"]),
    .library(name: "Analysis", targets: ["Analysis"]),
    .library(name: "Exchange", targets: ["Exchange"]),
    .library(name: "Encoding", targets: ["Encoding"]),
    .library(name: "Library", targets: ["Library"]),
    .library(name: "TerminalUI", targets: ["TerminalUI"]),
    .library(name: "Editor", targets: ["Editor"]),
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
    .systemLibrary(name: "CFFmpeg", pkgConfig: "libavformat"),
    .systemLibrary(name: "CSndFile", pkgConfig: "sndfile"),
    .systemLibrary(name: "CMpg123", pkgConfig: "libmpg123"),
    .systemLibrary(name: "CFFTW", pkgConfig: "fftw3f"),
    .systemLibrary(name: "CCairo", pkgConfig: "cairo"),
    .systemLibrary(name: "CExpat", pkgConfig: "expat"),
    .systemLibrary(name: "CALSA", pkgConfig: "alsa"),
    .target(name: "CNcurses", linkerSettings: [.linkedLibrary("ncursesw")]),

    // What the product is made of, from the inside out.
    .target(name: "Quran", swiftSettings: strict),
    .target(name: "AudioCore", swiftSettings: numeric),
    .target(name: "Annotation", dependencies: ["AudioCore", "Quran"], swiftSettings: strict),
    .target(
      name: "Decoding", dependencies: ["AudioCore", "CFFmpeg", "CSndFile", "CMpg123"],
      swiftSettings: numeric),
    .target(
      name: "Analysis", dependencies: ["AudioCore", "CFFTW", "Decoding"],
      swiftSettings: numeric),
    .target(name: "TerminalUI", swiftSettings: strict),
    .target(
      name: "Editor", dependencies: ["Analysis", "Annotation", "AudioCore", "Quran", "TerminalUI"],
      swiftSettings: strict),
    .target(
      name: "TerminalDriver", dependencies: ["CNcurses", "TerminalUI"], swiftSettings: strict),
    .target(
      name: "Exchange", dependencies: ["Annotation", "AudioCore", "CCairo", "CExpat", "Quran"],
      swiftSettings: strict),
    .target(
      name: "Encoding", dependencies: ["AudioCore", "CFFmpeg", "CSndFile", "Decoding"],
      swiftSettings: strict),
    .target(
      name: "Library",
      dependencies: [
        "Analysis", "Annotation", "AudioCore", "Decoding", "Quran",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .target(
      name: "TilawaCLI",
      dependencies: [
        "Analysis", "Annotation", "AudioCore", "Decoding", "Encoding", "Exchange", "Library",
        "Quran", "TerminalDriver", "TerminalUI",
        .product(name: "TOMLKit", package: "TOMLKit"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "tilawa-annotate", dependencies: ["TilawaCLI"], swiftSettings: strict),

    // What several test targets share.
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    .executableTarget(
      name: "terminal-probe", dependencies: ["TerminalDriver", "TerminalUI"],
      path: "Tests/TerminalProbe", swiftSettings: strict),

    .testTarget(name: "QuranTests", dependencies: ["Quran", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "AudioCoreTests", dependencies: ["AudioCore"], swiftSettings: strict),
    .testTarget(
      name: "AnnotationTests", dependencies: ["Annotation", "AudioCore", "Quran", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "DecodingTests", dependencies: ["AudioCore", "Decoding", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "AnalysisTests", dependencies: ["Analysis", "AudioCore", "Decoding", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "TerminalUITests", dependencies: ["TerminalUI", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "EditorTests",
      dependencies: ["Annotation", "AudioCore", "Editor", "Quran", "TerminalUI", "TestSupport"],
      exclude: ["Snapshots"], swiftSettings: strict),
    .testTarget(
      name: "TerminalDriverTests",
      dependencies: ["TerminalDriver", "TerminalUI", "TestSupport", "terminal-probe"],
      swiftSettings: strict),
    .testTarget(
      name: "ExchangeTests",
      dependencies: ["Annotation", "AudioCore", "Exchange", "Quran", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "EncodingTests", dependencies: ["AudioCore", "Decoding", "Encoding", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "LibraryTests",
      dependencies: [
        "Analysis", "Annotation", "AudioCore", "Decoding", "Library", "Quran", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TilawaCLITests",
      dependencies: [
        "TilawaCLI", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "AudioCore", "Exchange", "TestSupport", "tilawa-annotate",
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
  ]
)
