// FftPlan: the stages and factors of a complex Fourier transform of one length.
#include "compute/fft/fft_plan.h"

#include <algorithm>
#include <cmath>

#include "molecule/base/units.h"

namespace isolume {

int good_fft_size(int least, bool even) {
  for (int n = std::max(least, 1);; ++n) {
    if (even && n % 2 != 0) continue;
    int rest = n;
    for (const int prime : {2, 3, 5, 7}) {
      while (rest % prime == 0) rest /= prime;
    }
    if (rest == 1) return n;
  }
}

FftPlan::FftPlan(int n) {
  std::vector<int> radices;
  int twos = 0;
  for (; n % 2 == 0; n /= 2) ++twos;
  while (twos > 0) {
    // Two stages of 4 cost less than one of 8 and one of 2.
    const int exponent = twos == 4 || twos == 2 ? 2 : twos == 1 ? 1 : 3;
    radices.push_back(1 << exponent);
    twos -= exponent;
  }
  for (const int radix : {7, 5, 3}) {
    for (; n % radix == 0; n /= radix) radices.push_back(radix);
  }
  std::size_t after = 1;
  for (const int radix : radices) after *= static_cast<std::size_t>(radix);
  std::size_t before = 1;
  for (const int radix : radices) {
    const auto r = static_cast<std::size_t>(radix);
    FftStage stage{radix, before, after / r, {}};
    const double step = -2 * units::pi / static_cast<double>(after);
    for (std::size_t p = 0; p < stage.after; ++p) {
      for (std::size_t k = 1; k < r; ++k) {
        stage.factors.push_back(static_cast<float>(std::cos(step * static_cast<double>(p * k))));
        stage.factors.push_back(static_cast<float>(std::sin(step * static_cast<double>(p * k))));
      }
    }
    stages.push_back(stage);
    before *= r;
    after /= r;
  }
}

bool FftPlan::supports(int n) {
  if (n < 2) return false;
  for (const int prime : {2, 3, 5, 7}) {
    while (n % prime == 0) n /= prime;
  }
  return n == 1;
}

}  // namespace isolume
