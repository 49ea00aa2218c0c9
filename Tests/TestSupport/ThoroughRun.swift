// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// Whether tests run in their long forms, as by `make test-thorough`.
public let isThoroughRun = ProcessInfo.processInfo.environment["TILAWA_THOROUGH"] != nil
