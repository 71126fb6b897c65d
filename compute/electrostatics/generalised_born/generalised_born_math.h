// The terms of generalised Born, for both kinds of device.
#pragma once

#include <cmath>

#include "compute/base/host_device.h"

namespace isolume {

/// ln(x) for 0 < x <= 1, relative error 2e-7 (absolute near 1), in plain operations that compilers make vectors of:
/// x = 2^e m with m between sqrt(1/2) and sqrt(2), and the series of atanh in (m - 1)/(m + 1).
ISOLUME_HOST_DEVICE inline float born_log(float x) {
  union {
    float number;
    int bits;
  } word{x};
  const int exponent = (word.bits - 0x3f3504f3) >> 23;
  word.bits -= exponent * (1 << 23);
  const float s = (word.number - 1) / (word.number + 1), s2 = s * s;
  const float series = s * (2.0f + s2 * (0.666666667f + s2 * (0.4f + s2 * (0.285714286f + s2 * 0.222222222f))));
  return static_cast<float>(exponent) * 0.693147181f + series;
}

/// The square bracket of I_i, halved: atom j of scaled radius s at a distance r of an atom of reduced radius rho. Far
/// away, where its terms cancel, their series in s/r.
ISOLUME_HOST_DEVICE inline float born_integral(float r, float rho, float s) {
  const float apart = fabsf(r - s), ir = 1 / r;
  const float lower = apart > rho ? apart : rho, upper = r + s;
  const float il = 1 / lower, iu = 1 / upper;
  const float enclosed = s - r > rho ? 2 * (1 / rho - il) : 0.0f;
  const float ratio = lower * iu < 1 ? lower * iu : 1.0f;
  const float near = il - iu + 0.25f * (r - s * s * ir) * (iu * iu - il * il) + 0.5f * born_log(ratio) * ir + enclosed;
  const float x = s * ir, x2 = x * x;
  const float far = ir * x * x2 *
                    (0.666666667f +
                     x2 * (0.8f + x2 * (0.857142857f + x2 * (0.888888889f + x2 * (0.909090909f + x2 * 0.923076923f)))));
  const float value = x < 0.3f && r - s > rho ? far : near;
  return upper > rho ? 0.5f * value : 0.0f;
}

/// Born's radius from the integral.
ISOLUME_HOST_DEVICE inline double born_radius(double integral, double rho, double offset, double alpha, double beta,
                                              double gamma) {
  const double reduced = rho - offset, psi = integral * reduced;
  return 1 / (1 / reduced - tanh(psi * (alpha - psi * (beta - psi * gamma))) / rho);
}

}  // namespace isolume
