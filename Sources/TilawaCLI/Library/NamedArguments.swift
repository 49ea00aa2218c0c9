// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
public import ArgumentParser
public import Encoding
public import Exchange
public import Quran

// Values of other modules that are written on the command line as their raw values.

extension Riwayah: ExpressibleByArgument {}
extension AnnotationStatus: ExpressibleByArgument {}
extension Inclusion: ExpressibleByArgument {}
extension AudioFileKind: ExpressibleByArgument {}
