// Orbitals on grids: norms, closed formulas of s to i functions, the double-precision reference, and the borders.
#include "compute/orbitals/orbital.h"

#include <numeric>

#include "compute/orbitals/electron_density.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/orbitals/random_orbitals.h"

namespace isolume {
namespace {

using test::crowd;
using test::make_shell;
using test::random_orbitals;
using test::unit_orbitals;

using namespace test;
using OrbitalTest = OnDevice;
ISOLUME_ON_EVERY_DEVICE(OrbitalTest);

constexpr double pi = 3.14159265358979323846;

std::vector<float> amplitudes(Device device, const Orbitals& orbitals, std::size_t which, const Grid& grid,
                              const OrbitalOptions& options = {}) {
  Job job;
  return on_device<float>(device, grid.size(),
                          [&](Span<float> out) { orbital(orbitals, which, grid, out, job, options); });
}

/// A grid in bohr, given in angstrom as the interface asks.
Grid bohr_grid(glm::dvec3 origin, double step, glm::ivec3 counts) {
  return make_grid(units::bohr_in_angstrom * origin, glm::dvec3(units::bohr_in_angstrom * step), counts);
}

void expect_reference(Device device, const Orbitals& orbitals, std::size_t which, const Grid& grid) {
  const std::vector<glm::dvec3> points = grid_points(grid);
  std::vector<double> expected(points.size());
  orbital_reference(orbitals, which, points, expected);
  const Difference d = compare(amplitudes(device, orbitals, which, grid), expected);
  EXPECT_LE(d.largest, 1e-6 * d.scale) << grid.counts.x << " x " << grid.counts.y << " x " << grid.counts.z
                                       << " points from " << grid.origin.x;
}

TEST_P(OrbitalTest, EveryFunctionHasNormOne) {
  // The trapezoidal sum of a Gaussian times a polynomial converges faster than any power of the step.
  const double step = 0.25;
  const Grid grid = bohr_grid(glm::dvec3(-6.3), step, {52, 52, 52});
  for (int l = 0; l <= 6; ++l) {
    for (const bool spherical : {false, true}) {
      if (spherical && l < 2) continue;
      const Orbitals orbitals = unit_orbitals({make_shell(0, l, spherical, {1.1}, {1.0})}, {{0.1, -0.2, 0.15}});
      for (std::size_t which = 0; which < orbitals.count(); ++which) {
        double sum = 0;
        for (const float value : amplitudes(GetParam(), orbitals, which, grid)) sum += double{value} * double{value};
        EXPECT_NEAR(sum * step * step * step, 1, 1e-5) << "l = " << l << ", function " << which;
      }
    }
  }
}

TEST_P(OrbitalTest, CartesianFunctionsFollowTheirFormula) {
  const double a = 0.9;
  const Grid grid = bohr_grid({-3, -2.8, -3.1}, 0.71, {9, 9, 9});
  const glm::dvec3 centre(0.3, 0.2, -0.4);
  const auto odd_factorial = [](int n) {
    return n <= 0 ? 1.0 : n == 1 ? 1.0 : n == 3 ? 3.0 : n == 5 ? 15.0 : n == 7 ? 105.0 : n == 9 ? 945.0 : 10395.0;
  };
  for (int l = 0; l <= 6; ++l) {
    const Orbitals orbitals = unit_orbitals({make_shell(0, l, false, {a}, {1.0})}, {centre});
    std::size_t which = 0;
    for (int i = l; i >= 0; --i) {
      for (int j = l - i; j >= 0; --j, ++which) {
        const int k = l - i - j;
        const double n = std::pow(2 * a / pi, 0.75) * std::pow(4 * a, 0.5 * l) /
                         std::sqrt(odd_factorial(2 * i - 1) * odd_factorial(2 * j - 1) * odd_factorial(2 * k - 1));
        std::vector<double> expected;
        for (const glm::dvec3 p : grid_points(grid)) {
          const glm::dvec3 d = units::angstrom_in_bohr * p - centre;
          expected.push_back(n * std::pow(d.x, i) * std::pow(d.y, j) * std::pow(d.z, k) *
                             std::exp(-a * glm::dot(d, d)));
        }
        const Difference difference = compare(amplitudes(GetParam(), orbitals, which, grid), expected);
        EXPECT_LE(difference.largest, 1e-6 * difference.scale) << "x^" << i << " y^" << j << " z^" << k;
      }
    }
  }
}

TEST_P(OrbitalTest, SphericalFunctionsFollowTheirFormula) {
  // Real solid harmonics: r^l Y, with N^2 of the radial part from the integral of r^(2l+2) exp(-2 a r^2).
  const double a = 0.7;
  const Grid grid = bohr_grid({-3, -2.8, -3.1}, 0.71, {9, 9, 9});
  const glm::dvec3 centre(0.3, 0.2, -0.4);
  using Harmonic = double (*)(glm::dvec3);
  struct Case {
    int l, m;
    Harmonic value;  ///< r^l Y_lm
  };
  const Case cases[] = {
      {2, -2, [](glm::dvec3 d) { return std::sqrt(15 / (4 * pi)) * d.x * d.y; }},
      {2, -1, [](glm::dvec3 d) { return std::sqrt(15 / (4 * pi)) * d.y * d.z; }},
      {2, 0, [](glm::dvec3 d) { return std::sqrt(5 / (16 * pi)) * (3 * d.z * d.z - glm::dot(d, d)); }},
      {2, 1, [](glm::dvec3 d) { return std::sqrt(15 / (4 * pi)) * d.x * d.z; }},
      {2, 2, [](glm::dvec3 d) { return std::sqrt(15 / (16 * pi)) * (d.x * d.x - d.y * d.y); }},
      {3, 0, [](glm::dvec3 d) { return std::sqrt(7 / (16 * pi)) * d.z * (5 * d.z * d.z - 3 * glm::dot(d, d)); }},
      {3, 1, [](glm::dvec3 d) { return std::sqrt(21 / (32 * pi)) * d.x * (5 * d.z * d.z - glm::dot(d, d)); }},
      {3, -2, [](glm::dvec3 d) { return std::sqrt(105 / (4 * pi)) * d.x * d.y * d.z; }},
      {3, 3, [](glm::dvec3 d) { return std::sqrt(35 / (32 * pi)) * d.x * (d.x * d.x - 3 * d.y * d.y); }},
      {4, -4, [](glm::dvec3 d) { return 0.75 * std::sqrt(35 / pi) * d.x * d.y * (d.x * d.x - d.y * d.y); }},
      {4, 0,
       [](glm::dvec3 d) {
         const double z2 = d.z * d.z;
         const double r2 = glm::dot(d, d);
         return 3 / (16 * std::sqrt(pi)) * (35 * z2 * z2 - 30 * z2 * r2 + 3 * r2 * r2);
       }},
      {5, 5,
       [](glm::dvec3 d) {
         const double x2 = d.x * d.x;
         const double y2 = d.y * d.y;
         return 3.0 / 16 * std::sqrt(77 / (2 * pi)) * d.x * (x2 * x2 - 10 * x2 * y2 + 5 * y2 * y2);
       }},
      {6, 0,
       [](glm::dvec3 d) {
         const double z2 = d.z * d.z;
         const double r2 = glm::dot(d, d);
         return std::sqrt(13 / pi) / 32 *
                (231 * z2 * z2 * z2 - 315 * z2 * z2 * r2 + 105 * z2 * r2 * r2 - 5 * r2 * r2 * r2);
       }},
  };
  for (const Case& c : cases) {
    const Orbitals orbitals = unit_orbitals({make_shell(0, c.l, true, {a}, {1.0})}, {centre});
    double integral = std::sqrt(pi / (2 * a)) / 2;  // of exp(-2 a r^2) from 0
    for (int p = 1; p <= c.l + 1; ++p) integral *= (2 * p - 1) / (4 * a);
    std::vector<double> expected;
    for (const glm::dvec3 p : grid_points(grid)) {
      const glm::dvec3 d = units::angstrom_in_bohr * p - centre;
      expected.push_back(c.value(d) * std::exp(-a * glm::dot(d, d)) / std::sqrt(integral));
    }
    const auto values = amplitudes(GetParam(), orbitals, static_cast<std::size_t>(c.l + c.m), grid);
    const Difference difference = compare(values, expected);
    EXPECT_LE(difference.largest, 1e-6 * difference.scale) << "l = " << c.l << ", m = " << c.m;
  }
}

TEST_P(OrbitalTest, AgreesWithTheReferenceOnEveryKindOfGrid) {
  const Orbitals orbitals = random_orbitals(17, 2);
  for (const Grid& grid :
       {bohr_grid({0.1, 0.2, 0.3}, 1, {1, 1, 1}), bohr_grid({-8, 0.1, 0.2}, 0.25, {67, 1, 1}),
        bohr_grid({0.3, 0.1, -6}, 0.3, {1, 1, 41}), bohr_grid({-6, -6, -6}, 0.6, {21, 19, 23}),
        bohr_grid({-5, -5, -5}, 0.4, {24, 8, 16}), make_skewed_grid({-3, -3.5, -3}, 0.4, {15, 17, 13}),
        make_grid({3, 3, 3}, {-0.4, -0.5, -0.45}, {15, 13, 14})}) {
    for (std::size_t which = 0; which < orbitals.count(); ++which) {
      expect_reference(GetParam(), orbitals, which, grid);
    }
  }
}

TEST_P(OrbitalTest, KeepsItsAccuracyInTheTail) {
  // All values of this grid are far below the orbital's maximum; the promise is about the grid's own.
  const Orbitals orbitals = random_orbitals(19, 1);
  expect_reference(GetParam(), orbitals, 0, bohr_grid({9, 9, 9}, 0.5, {17, 17, 17}));
  expect_reference(GetParam(), orbitals, 0, make_skewed_grid({6, 6, 6}, 0.4, {9, 9, 9}));
}

TEST_P(OrbitalTest, IsTheSameWithoutScreeningAndNearlySoInPreview) {
  const Orbitals orbitals = random_orbitals(37, 1);
  for (const Grid& grid :
       {bohr_grid({-6, -6, -6}, 0.55, {23, 21, 24}), make_skewed_grid({-3, -3.5, -3}, 0.4, {15, 17, 13})}) {
    const std::vector<glm::dvec3> points = grid_points(grid);
    std::vector<double> expected(points.size());
    orbital_reference(orbitals, 0, points, expected);
    for (const OrbitalAccuracy accuracy : {OrbitalAccuracy::fine, OrbitalAccuracy::preview}) {
      for (const bool screening : {true, false}) {
        OrbitalOptions options;
        options.accuracy = accuracy;
        options.screening = screening;
        const Difference d = compare(amplitudes(GetParam(), orbitals, 0, grid, options), expected);
        EXPECT_LE(d.largest, (accuracy == OrbitalAccuracy::fine ? 1e-6 : 5e-4) * d.scale) << "screening " << screening;
      }
    }
  }
}

TEST_P(OrbitalTest, SeveralInOneCallAreEachByItself) {
  const Orbitals orbitals = random_orbitals(41, 21);
  for (const Grid& grid :
       {bohr_grid({-6, -6, -6}, 0.9, {14, 13, 15}), make_skewed_grid({-3, -3.5, -3}, 0.7, {9, 8, 7})}) {
    const std::vector<glm::dvec3> points = grid_points(grid);
    for (const std::vector<std::size_t>& which :
         {std::vector<std::size_t>{4, 0}, {20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 3, 3, 0}, {}}) {
      Job job;
      const std::vector<float> values = on_device<float>(GetParam(), which.size() * grid.size(), [&](Span<float> out) {
        orbital_amplitudes(orbitals, which, grid, out, job);
      });
      for (std::size_t n = 0; n < which.size(); ++n) {
        std::vector<double> expected(points.size());
        orbital_reference(orbitals, which[n], points, expected);
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(n * grid.size());
        const Difference d =
            compare(std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(grid.size())), expected);
        EXPECT_LE(d.largest, 1e-6 * d.scale) << "orbital " << which[n] << ", the " << n << ". of " << which.size();
      }
    }
  }
  Job job;
  std::vector<float> too_few(3);
  const std::vector<std::size_t> which{0};
  EXPECT_THROW(orbital_amplitudes(orbitals, which, bohr_grid({0, 0, 0}, 1, {2, 2, 2}), too_few, job), Error);
  EXPECT_THROW(orbital_accuracy("coarse"), Error);
}

TEST_P(OrbitalTest, DensitiesAndProductsOfManyOrbitalsAgreeWithTheReference) {
  Orbitals orbitals = crowd(150);
  const Grid grid = bohr_grid({-6, -5, -5.5}, 1.7, {7, 6, 5});
  const std::vector<glm::dvec3> points = grid_points(grid);
  Random random(47);
  std::vector<double> weights;
  for (std::size_t i = 0; i < orbitals.count(); ++i) weights.push_back(i % 7 == 0 ? 0.0 : random(-1, 2));
  for (std::size_t i = 0; i < weights.size(); ++i) orbitals.orbitals[i].occupation = weights[i];
  std::vector<double> expected(points.size());
  electron_density_reference(orbitals, points, expected);
  Job job;
  const Difference d =
      compare(on_device<float>(GetParam(), grid.size(),
                               [&](Span<float> out) { weighted_density(orbitals, weights, grid, out, job); }),
              expected);
  EXPECT_LE(d.largest, 1e-6 * d.scale);
  std::vector<std::size_t> all(orbitals.count());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::vector<float> values = on_device<float>(GetParam(), all.size() * grid.size(), [&](Span<float> out) {
    orbital_amplitudes(orbitals, all, grid, out, job);
  });
  for (const std::size_t n : {std::size_t{0}, std::size_t{63}, std::size_t{64}, std::size_t{128}, all.size() - 1}) {
    orbital_reference(orbitals, n, points, expected);
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(n * grid.size());
    const Difference one =
        compare(std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(grid.size())), expected);
    EXPECT_LE(one.largest, 1e-6 * one.scale) << "orbital " << n;
  }
}

TEST_P(OrbitalTest, OfManyTermsAgreesWithTheReference) {
  // More terms than a block of the CUDA body tests at once.
  Orbitals orbitals = crowd(1);
  Basis basis = *orbitals.basis;
  const std::vector<Shell> shells = basis.shells;
  for (int copy = 1; copy < 6; ++copy) {
    for (Shell shell : shells) {
      for (double& exponent : shell.exponents) exponent *= 1 + 0.3 * copy;
      basis.shells.push_back(shell);
    }
  }
  basis.normalise();
  orbitals.coefficients.clear();
  Random random(53);
  for (std::size_t i = 0; i < basis.function_count(); ++i) orbitals.coefficients.push_back(random(-1, 1));
  orbitals.basis = std::make_shared<const Basis>(std::move(basis));
  expect_reference(GetParam(), orbitals, 0, bohr_grid({-6, -6, -6}, 0.7, {18, 17, 19}));
  expect_reference(GetParam(), orbitals, 0, make_skewed_grid({-3, -3.5, -3}, 0.7, {9, 8, 7}));
}

TEST_P(OrbitalTest, RefusesWhatMakesNoSense) {
  Orbitals orbitals = random_orbitals(3, 2);
  const Grid grid = bohr_grid({0, 0, 0}, 1, {2, 2, 2});
  try {
    amplitudes(GetParam(), orbitals, 98, grid);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "orbital 99: the file has 1 to 2");
    EXPECT_EQ(error.kind(), Error::Kind::usage);
  }
  EXPECT_TRUE(amplitudes(GetParam(), orbitals, 0, bohr_grid({0, 0, 0}, 1, {0, 2, 2})).empty());
  orbitals.centres.pop_back();
  EXPECT_THROW(amplitudes(GetParam(), orbitals, 0, grid), Error);
}

TEST_P(OrbitalTest, StopsWhenCancelled) {
  const Orbitals orbitals = random_orbitals(3, 1);
  const Grid grid = bohr_grid(glm::dvec3(-6), 0.15, {80, 80, 80});
  DeviceArray<float> out(grid.size(), GetParam());
  expect_cancelled(GetParam(), [&](Job& job) { orbital(orbitals, 0, grid, out.span(), job); });
}

}  // namespace
}  // namespace isolume
