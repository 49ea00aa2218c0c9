// swift-tools-version: 6.1
// SPDX-License-Identifier: GPL-3.0-or-later

import PackageDescription

// A package of its own, so that building and testing the program needs none of this. The benchmark
// library asks for Swift 6.3.
let package = Package(
  name: "tilawa-benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "tilawa-annotate", path: ".."),
    // Without traits, its allocation counts are not available, and neither are they needed.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "Kernels",
      dependencies: [
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "Acoustics", package: "tilawa-annotate"),
        .product(name: "Analysis", package: "tilawa-annotate"),
        .product(name: "Annotation", package: "tilawa-annotate"),
        .product(name: "Decoding", package: "tilawa-annotate"),
        .product(name: "Editor", package: "tilawa-annotate"),
        .product(name: "Quran", package: "tilawa-annotate"),
        .product(name: "TerminalUI", package: "tilawa-annotate"),
      ],
      path: "Benchmarks/Kernels",
      swiftSettings: [.enableUpcomingFeature("ExistentialAny")],
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    // Prints figures of a library with a million segments; a program of its own, as filling it takes long.
    .executableTarget(
      name: "LibraryNumbers",
      dependencies: [
        .product(name: "Annotation", package: "tilawa-annotate"),
        .product(name: "AudioCore", package: "tilawa-annotate"),
        .product(name: "Library", package: "tilawa-annotate"),
        .product(name: "Playback", package: "tilawa-annotate"),
        .product(name: "Quran", package: "tilawa-annotate"),
        .product(name: "ReciterSources", package: "tilawa-annotate"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Benchmarks/LibraryNumbers",
      swiftSettings: [.enableUpcomingFeature("ExistentialAny")]),
    // Prints figures of playing, on a virtual card where they need one.
    .executableTarget(
      name: "PlaybackNumbers",
      dependencies: [
        .product(name: "AudioCore", package: "tilawa-annotate"),
        .product(name: "Decoding", package: "tilawa-annotate"),
        .product(name: "Playback", package: "tilawa-annotate"),
        .product(name: "VirtualCard", package: "tilawa-annotate"),
      ],
      path: "Benchmarks/PlaybackNumbers",
      swiftSettings: [.enableUpcomingFeature("ExistentialAny")]),
  ]
)
