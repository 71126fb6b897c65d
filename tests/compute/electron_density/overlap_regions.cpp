// The density overlap regions indicator: of what decays as one exponential, and as the gradient of k^2.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "compute/electron_density/density_measures.h"
#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

double dori(const DensityDerivatives& of) {
  return measure_value(DensityMeasure::dori, of, {});
}

// exp(-b r): k = -b r / r everywhere, so that k^2 does not change.
TEST(OverlapRegions, AreNotInOneExponential) {
  const glm::dvec3 r(0.7, -1.1, 0.4);
  const double length = glm::length(r), b = 1.7, rho = std::exp(-b * length);
  DensityDerivatives of;
  of.density = rho;
  of.gradient = -b * rho * r / length;
  int n = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j)
      of.hessian[static_cast<std::size_t>(n++)] =
          rho * (b * b * r[i] * r[j] / (length * length) - b * ((i == j) / length - r[i] * r[j] / std::pow(length, 3)));
  }
  EXPECT_NEAR(dori(of), 0, 1e-12);
}

// Where two exponentials are equal the gradient is 0.
TEST(OverlapRegions, AreWhereTheGradientVanishes) {
  DensityDerivatives of;
  of.density = 0.02;
  of.hessian = {0.1, 0, 0, -0.03, 0, -0.03};
  EXPECT_EQ(dori(of), 1);
  of.density = 1e-11;
  EXPECT_EQ(dori(of), 0) << "where there is next to no density";
}

// From k^2 alone, whose gradient is taken by differences.
TEST(OverlapRegions, FollowTheGradientOfTheDecay) {
  const std::string file = test::shared_data("qm-fields/water_dimer.molden");
  ISOLUME_NEEDS(file);
  const SpinEvaluator evaluator(*read_file(file).orbitals.at(0), false);
  const auto derivatives = [&](glm::dvec3 at) {
    DensityDerivatives alpha, beta;
    evaluator.evaluate({&at, 1}, DensityOrder::hessian, {&alpha, 1}, {&beta, 1});
    alpha += beta;
    return alpha;
  };
  const auto squared_decay = [&](glm::dvec3 at) {
    const DensityDerivatives of = derivatives(at);
    return glm::dot(of.gradient, of.gradient) / (of.density * of.density);
  };
  constexpr double h = 1e-3;
  double least = 1, most = 0;
  for (const glm::dvec3 at : {glm::dvec3(0.4, 0.3, -0.2), glm::dvec3(-1.2, 0.9, 0.5), glm::dvec3(2.4, -0.4, 0.1),
                              glm::dvec3(0.1, 1.9, 1.4), glm::dvec3(3.3, 0.2, -0.6)}) {
    glm::dvec3 slope;
    for (int axis = 0; axis < 3; ++axis) {
      glm::dvec3 step(0);
      step[axis] = h;
      slope[axis] = (8 * (squared_decay(at + step) - squared_decay(at - step)) -
                     (squared_decay(at + 2.0 * step) - squared_decay(at - 2.0 * step))) /
                    (12 * h);
    }
    const double t = glm::dot(slope, slope) / std::pow(squared_decay(at), 3);
    const double value = dori(derivatives(at));
    EXPECT_NEAR(value, t / (1 + t), 1e-7);
    least = std::min(least, value);
    most = std::max(most, value);
  }
  EXPECT_LT(least, 0.3);
  EXPECT_GT(most, 0.7);
}

}  // namespace
}  // namespace isolume
