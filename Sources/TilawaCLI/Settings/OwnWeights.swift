// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Foundation
import Quran

/// Weights of the acoustic network that a person has trained: `acoustic-weights.bin` beside `config.toml`.
enum OwnWeights {
  /// The network with which recordings are heard: of the user's own weights, if there are any.
  ///
  /// - Throws: where that file is none of weights.
  static func network() throws(Failure) -> AcousticNetwork {
    guard let path = UserFolders().configuration.map({ $0 + "/acoustic-weights.bin" }),
      FileManager.default.fileExists(atPath: path)
    else { return .builtIn }
    do throws(Failure) {
      return try network(at: path)
    } catch {
      throw Failure(
        code: error.code,
        message: "\(path): \(error.message) (without this file, the built-in weights are used)")
    }
  }

  static func network(at path: String) throws(Failure) -> AcousticNetwork {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
      throw Failure(code: "no_such_file", message: "the file does not exist or cannot be read")
    }
    do throws(AcousticWeightsError) {
      let weights = try AcousticWeights([UInt8](data))
      guard weights.soundCount == Phone.allCases.count + 1 else { throw .wrongShape }
      return AcousticNetwork(weights)
    } catch {
      throw Failure(
        code: "invalid_weights",
        message: "the file is \(error.text); use one that Scripts/train-acoustic-model.py wrote")
    }
  }
}
