// Derivatives of the density and fields of it: against PySCF at points, and the body against the formula.
#include "compute/electron_density/density_derivatives.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "compute/electron_density/density_measures.h"
#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/compute/orbitals/made_orbitals.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

std::vector<glm::dvec3> random_points(std::size_t count) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> place(-4, 4);
  std::vector<glm::dvec3> points;
  for (std::size_t i = 0; i < count; ++i) points.emplace_back(place(engine), place(engine), place(engine));
  return points;
}

TEST(DensityDerivatives, AgreeWithTheFormulaForAllShells) {
  const Orbitals orbitals = test::orbitals_of_all_shells();
  const std::vector<double> weights{2, 1.5, -0.5, 0, 1};
  const DensityEvaluator evaluator(orbitals, weights);
  Job job;
  for (const std::size_t count : {std::size_t{1}, std::size_t{63}, std::size_t{65}, std::size_t{130}}) {
    const std::vector<glm::dvec3> points = random_points(count);
    const auto expected = evaluator.reference(points);
    const auto values = evaluator.at(points, DensityOrder::hessian, job);
    const auto gradients = evaluator.at(points, DensityOrder::gradient, job);
    const auto densities = evaluator.at(points, DensityOrder::value, job);
    double scale = 0;
    for (const DensityDerivatives& value : expected) {
      for (const double h : value.hessian) scale = std::max(scale, std::abs(h));
    }
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_NEAR(values[i].density, expected[i].density, 1e-12 * scale);
      EXPECT_NEAR(densities[i].density, expected[i].density, 1e-12 * scale);
      EXPECT_NEAR(values[i].tau, expected[i].tau, 1e-12 * scale);
      EXPECT_NEAR(gradients[i].tau, expected[i].tau, 1e-12 * scale);
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(values[i].gradient[axis], expected[i].gradient[axis], 1e-12 * scale);
        EXPECT_NEAR(gradients[i].gradient[axis], expected[i].gradient[axis], 1e-12 * scale);
      }
      for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(values[i].hessian[k], expected[i].hessian[k], 1e-12 * scale);
    }
  }
}

// The reference by a second way: differences of the density give its gradient, those of the gradient the Hessian.
TEST(DensityDerivatives, AreThoseOfTheDensity) {
  const Orbitals orbitals = test::orbitals_of_all_shells();
  const std::vector<double> weights{2, 1.5, -0.5, 0, 1};
  const DensityEvaluator evaluator(orbitals, weights);
  constexpr double h = 1e-4;
  const int places[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
  for (const glm::dvec3 point : random_points(20)) {
    const auto at = [&](glm::dvec3 p) { return evaluator.reference(std::vector{p})[0]; };
    const DensityDerivatives value = at(point);
    for (int axis = 0; axis < 3; ++axis) {
      glm::dvec3 step(0);
      step[axis] = h;
      const DensityDerivatives after = at(point + step), before = at(point - step);
      EXPECT_NEAR(value.gradient[axis], (after.density - before.density) / (2 * h), 1e-5);
      for (std::size_t k = 0; k < 6; ++k) {
        if (places[k][0] != axis) continue;
        EXPECT_NEAR(value.hessian[k], (after.gradient[places[k][1]] - before.gradient[places[k][1]]) / (2 * h), 1e-4);
      }
    }
  }
}

TEST(DensityDerivatives, RefuseOtherNumbersOfWeights) {
  EXPECT_THROW(DensityEvaluator(test::orbitals_of_all_shells(), std::vector<double>{1, 2}), Error);
}

// One s function: rho = N exp(-2 a r^2), so that everything follows from it in closed form. Of one orbital D = 0.
TEST(DensityMeasures, OfOneGaussianAreKnown) {
  const Orbitals orbitals = test::one_gaussian(0.8, 2);
  const SpinEvaluator evaluator(orbitals);
  const glm::dvec3 point(0.3, -0.4, 0.5);
  DensityDerivatives alpha, beta;
  evaluator.evaluate({&point, 1}, DensityOrder::hessian, {&alpha, 1}, {&beta, 1});
  const double r2 = glm::dot(point, point), a2 = 1.6;
  const double rho = 2 * std::pow(a2 / units::pi, 1.5) * std::exp(-a2 * r2);
  const auto value = [&](DensityMeasure measure) { return measure_value(measure, alpha, beta); };
  EXPECT_NEAR(value(DensityMeasure::electron), rho, 1e-14);
  EXPECT_NEAR(value(DensityMeasure::spin), 0, 1e-14);
  EXPECT_NEAR(value(DensityMeasure::gradient), 2 * a2 * std::sqrt(r2) * rho, 1e-13);
  EXPECT_NEAR(value(DensityMeasure::laplacian), (4 * a2 * a2 * r2 - 6 * a2) * rho, 1e-13);
  EXPECT_NEAR(value(DensityMeasure::lambda2), -2 * a2 * rho, 1e-13);
  EXPECT_NEAR(value(DensityMeasure::sign_lambda2), -rho, 1e-14);
  EXPECT_NEAR(value(DensityMeasure::tau), 0.5 * a2 * a2 * r2 * rho, 1e-13);
  EXPECT_NEAR(value(DensityMeasure::elf), 1, 1e-12);
  const double uniform = 0.3 * std::pow(3 * units::pi * units::pi, 2.0 / 3) * std::pow(rho, 5.0 / 3);
  const double t = uniform / (0.5 * a2 * a2 * r2 * rho);
  EXPECT_NEAR(value(DensityMeasure::lol), t / (1 + t), 1e-12);
  EXPECT_NEAR(value(DensityMeasure::rdg),
              2 * a2 * std::sqrt(r2) * rho / (2 * std::cbrt(3 * units::pi * units::pi) * std::pow(rho, 4.0 / 3)),
              1e-12);
}

// PySCF's values at points (qm-fields/MANIFEST.md), quotients where the density is not negligible.
class StoredFields : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Molecules, StoredFields,
                         testing::Values("hi_ecp", "ethylene", "no2_doublet", "water", "water_dimer", "nh4_plus",
                                         "o2_triplet", "formamide", "benzene", "formic_acid_dimer"));

TEST_P(StoredFields, AreTheOnesOfPySCF) {
  const test::StoredMolecule stored(GetParam());
  ISOLUME_NEEDS(stored.file);
  ISOLUME_NEEDS(stored.json);
  const auto orbitals = read_file(stored.file).orbitals.at(0);
  const nlohmann::json json = nlohmann::json::parse(std::ifstream(stored.json));
  const auto points = stored.points(json);
  const SpinEvaluator evaluator(*orbitals);
  const std::pair<const char*, const char*> names[] = {{"electron", "density"},
                                                       {"spin", "spin_density"},
                                                       {"gradient", "gradient"},
                                                       {"hessian", "hessian"},
                                                       {"laplacian", "laplacian"},
                                                       {"lambda2", "lambda2"},
                                                       {"tau", "tau"},
                                                       {"tau-alpha", "tau_alpha"},
                                                       {"tau-beta", "tau_beta"},
                                                       {"elf", "elf_closed"},
                                                       {"elf-alpha", "elf_alpha"},
                                                       {"elf-beta", "elf_beta"},
                                                       {"elf-spin", "elf_spinpol"},
                                                       {"lol", "lol"},
                                                       {"lol-spin", "lol_spinpol"},
                                                       {"rdg", "rdg"},
                                                       {"sign-lambda2", "sign_lambda2_rho"}};
  std::vector<DensityDerivatives> alpha(points.size()), beta(points.size());
  for (std::size_t first = 0; first < points.size(); first += DensityEvaluator::batch) {
    const std::size_t count = std::min(DensityEvaluator::batch, points.size() - first);
    evaluator.evaluate({points.data() + first, count}, DensityOrder::hessian, {alpha.data() + first, count},
                       {beta.data() + first, count});
  }
  for (const auto& [ours, theirs] : names) {
    const DensityMeasureInfo* info = find_density_measure(ours);
    ASSERT_NE(info, nullptr) << ours;
    const auto expected = test::numbers_of(json.at("values").at(theirs));
    double scale = 1e-10;
    for (const auto& row : expected) {
      for (const double value : row) scale = std::max(scale, std::abs(value));
    }
    const bool quotient = info->unit == std::string("1");
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (quotient && alpha[i].density + beta[i].density < 1e-6) continue;
      const auto values = measure_values(info->measure, alpha[i], beta[i]);
      ASSERT_EQ(values.size(), expected[i].size()) << ours;
      for (std::size_t c = 0; c < values.size(); ++c)
        EXPECT_NEAR(values[c], expected[i][c], quotient ? 1e-8 * std::max(1.0, expected[i][c]) : 1e-9 * scale) << ours;
    }
  }
}

}  // namespace
}  // namespace isolume
