// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CFFTW

/// A Fourier transform of real samples, by FFTW. Belongs to one thread.
package final class RealFourierTransform {
  package let length: Int
  package let input: UnsafeMutablePointer<Float>
  private let spectrum: UnsafeMutablePointer<fftwf_complex>
  private let plan: fftwf_plan

  /// FFTW's planner is the one part of it that threads must not share. (A lock around nothing would have
  /// its value at the address of the lock, which the thread sanitizer takes for a race.)
  private static let planner = Monitor(false)

  package init(length: Int) {
    self.length = length
    let input = fftwf_alloc_real(length)!
    let spectrum = fftwf_alloc_complex(length / 2 + 1)!
    plan = Self.planner.update { _ in
      fftwf_plan_dft_r2c_1d(Int32(length), input, spectrum, FFTW_ESTIMATE)
    }
    self.input = input
    self.spectrum = spectrum
  }

  deinit {
    Self.planner.update { _ in fftwf_destroy_plan(plan) }
    fftwf_free(input)
    fftwf_free(spectrum)
  }

  /// Transforms `input`.
  package func run() { fftwf_execute(plan) }

  /// One of the `length / 2 + 1` complex results.
  @inline(__always)
  package func output(_ bin: Int) -> (real: Float, imaginary: Float) { spectrum[bin] }
}
