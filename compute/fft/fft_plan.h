// FftPlan: the stages and factors of a complex Fourier transform of one length.
#pragma once

#include <cstddef>
#include <vector>

namespace isolume {

/// Lines that are transformed together.
inline constexpr std::size_t fft_lanes = 16;

/// Of Stockham's transform: `radix` numbers at a time; `before` is the product of the radices of the stages before,
/// `after` of those that follow.
struct FftStage {
  int radix = 0;
  std::size_t before = 1, after = 1;
  std::vector<float> factors;  ///< exp(-2 pi i p k / (radix after)): for p below `after`, k = 1 ... radix - 1
};

/// The smallest n >= least whose prime factors are 2, 3, 5 and 7 (even where `even`).
int good_fft_size(int least, bool even = true);

struct FftPlan {
  explicit FftPlan(int n);
  /// Lengths of factors 2, 3, 5 and 7.
  static bool supports(int n);
  std::vector<FftStage> stages;  ///< at least one
};

/// cos and sin of 2 pi j / radix.
template <int radix>
struct FftRoots;
template <>
struct FftRoots<3> {
  static constexpr float cosine[] = {1, -0.5f, -0.5f};
  static constexpr float sine[] = {0, 0.866025403784438647f, -0.866025403784438647f};
};
template <>
struct FftRoots<5> {
  static constexpr float cosine[] = {1, 0.309016994374947424f, -0.809016994374947424f, -0.809016994374947424f,
                                     0.309016994374947424f};
  static constexpr float sine[] = {0, 0.951056516295153572f, 0.587785252292473129f, -0.587785252292473129f,
                                   -0.951056516295153572f};
};
template <>
struct FftRoots<7> {
  static constexpr float cosine[] = {1,
                                     0.623489801858733531f,
                                     -0.222520933956314404f,
                                     -0.900968867902419126f,
                                     -0.900968867902419126f,
                                     -0.222520933956314404f,
                                     0.623489801858733531f};
  static constexpr float sine[] = {0,
                                   0.781831482468029809f,
                                   0.974927912181823607f,
                                   0.433883739117558120f,
                                   -0.433883739117558120f,
                                   -0.974927912181823607f,
                                   -0.781831482468029809f};
};

}  // namespace isolume
