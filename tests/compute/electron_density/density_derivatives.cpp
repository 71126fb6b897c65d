// Derivatives of the density and fields of it: against PySCF at points, and the body against the formula.
#include "compute/electron_density/density_derivatives.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>

#include "compute/electron_density/density_measures.h"
#include "compute/electron_density/fine_grids/density_refinement.h"
#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"
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

using DensityOnDevice = test::OnDevice;
ISOLUME_ON_EVERY_DEVICE(DensityOnDevice);

TEST_P(DensityOnDevice, AgreesWithTheFormulaForAllShells) {
  const Orbitals orbitals = test::orbitals_of_all_shells();
  const std::vector<double> weights{2, 1.5, -0.5, 0, 1};
  const DensityEvaluator evaluator(orbitals, weights);
  Job job;
  for (const std::size_t count : {std::size_t{1}, std::size_t{63}, std::size_t{65}, std::size_t{130}}) {
    const std::vector<glm::dvec3> points = random_points(count);
    const auto expected = evaluator.reference(points);
    const auto values = evaluator.at(points, DensityOrder::hessian, job, GetParam());
    const auto gradients = evaluator.at(points, DensityOrder::gradient, job, GetParam());
    const auto densities = evaluator.at(points, DensityOrder::value, job, GetParam());
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

/// Enough orbitals for more than one block of them, on shells s to d of eight centres, of both spins.
Orbitals many_orbitals() {
  Basis basis;
  Orbitals orbitals;
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> any(-0.3, 0.3), place(-5, 5);
  for (std::uint32_t centre = 0; centre < 8; ++centre) {
    orbitals.centres.emplace_back(place(engine), place(engine), place(engine));
    for (const int l : {0, 0, 1, 1, 2, 3}) {
      Shell shell;
      shell.centre = centre;
      shell.l = static_cast<std::uint8_t>(l);
      shell.exponents = {1.7, 0.5};
      shell.coefficients = {0.4, 0.7};
      basis.shells.push_back(shell);
    }
  }
  basis.normalise();
  orbitals.basis = std::make_shared<const Basis>(basis);
  orbitals.unrestricted = true;
  orbitals.orbitals.resize(75);
  for (std::size_t i = 0; i < orbitals.orbitals.size(); ++i) {
    orbitals.orbitals[i].occupation = i % 11 == 10 ? 0 : 1;
    orbitals.orbitals[i].spin = i < 40 ? Spin::alpha : Spin::beta;
  }
  for (std::size_t i = 0; i < orbitals.orbitals.size() * basis.function_count(); ++i)
    orbitals.coefficients.push_back(any(engine));
  return orbitals;
}

// More shells and orbitals than a block of a kernel takes at once, in an order that goes from one angular momentum to
// another.
TEST_P(DensityOnDevice, AgreesWithTheFormulaForManyShellsAndOrbitals) {
  Basis basis;
  Orbitals orbitals;
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> any(-0.1, 0.1), place(-5, 5);
  for (std::uint32_t centre = 0; centre < 70; ++centre) {
    orbitals.centres.emplace_back(place(engine), place(engine), place(engine));
    for (const int l : {1, 0, 2}) {
      Shell shell;
      shell.centre = centre;
      shell.l = static_cast<std::uint8_t>(l);
      shell.exponents = {1.3, 0.4};
      shell.coefficients = {0.4, 0.7};
      basis.shells.push_back(shell);
    }
  }
  basis.normalise();
  orbitals.basis = std::make_shared<const Basis>(basis);
  orbitals.orbitals.resize(130);
  for (std::size_t i = 0; i < orbitals.orbitals.size() * basis.function_count(); ++i)
    orbitals.coefficients.push_back(any(engine));
  std::vector<double> weights;
  for (std::size_t i = 0; i < orbitals.orbitals.size(); ++i) weights.push_back(i % 3 == 0 ? -0.5 : 2);
  const DensityEvaluator evaluator(orbitals, weights);
  const std::vector<glm::dvec3> points = random_points(70);
  const auto expected = evaluator.reference(points);
  double scale = 0;
  for (const DensityDerivatives& value : expected) {
    for (const double h : value.hessian) scale = std::max(scale, std::abs(h));
  }
  Job job;
  const auto values = evaluator.at(points, DensityOrder::hessian, job, GetParam());
  const auto gradients = evaluator.at(points, DensityOrder::gradient, job, GetParam());
  const auto densities = evaluator.at(points, DensityOrder::value, job, GetParam());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_NEAR(densities[i].density, expected[i].density, 1e-12 * scale);
    EXPECT_NEAR(gradients[i].density, expected[i].density, 1e-12 * scale);
    EXPECT_NEAR(gradients[i].tau, expected[i].tau, 1e-12 * scale);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(gradients[i].gradient[axis], expected[i].gradient[axis], 1e-12 * scale);
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(values[i].hessian[k], expected[i].hessian[k], 1e-12 * scale);
  }
}

TEST_P(DensityOnDevice, FieldsOnAnyGridAreThoseOfTheFormula) {
  const Orbitals orbitals = many_orbitals();
  const SpinEvaluator open(orbitals), closed(orbitals, false);
  ASSERT_FALSE(open.closed());
  ASSERT_TRUE(closed.closed());
  for (const Grid& grid : {test::make_grid(glm::dvec3(-3, -2, -2.5), glm::dvec3(0.7, 0.5, 0.9), {9, 6, 5}),
                           test::make_skewed_grid(glm::dvec3(-2), 0.6, {5, 3, 3}),
                           test::make_grid(glm::dvec3(0.1), glm::dvec3(1), {1, 1, 1})}) {
    std::vector<glm::dvec3> points = test::grid_points(grid);
    for (glm::dvec3& point : points) point *= units::angstrom_in_bohr;
    std::vector<DensityDerivatives> alpha(points.size()), beta(points.size());
    for (const DensityMeasureInfo& info : density_measures()) {
      const SpinEvaluator& evaluator = info.spins ? open : closed;
      evaluator.reference(points, alpha, beta);
      Job job;
      const auto values = test::on_device<float>(
          GetParam(), grid.size(), [&](Span<float> out) { measure_on_grid(evaluator, info, grid, out, job); });
      double scale = 0;
      for (std::size_t i = 0; i < points.size(); ++i)
        scale = std::max(scale, std::abs(measure_value(info.measure, alpha[i], beta[i])));
      for (std::size_t i = 0; i < points.size(); ++i)
        EXPECT_NEAR(values[i], measure_value(info.measure, alpha[i], beta[i]), 2e-7 * scale) << info.name;
    }
  }
}

/// The same with what needs points one by one: cores at three centres, one of them in the grids below.
Orbitals orbitals_with_cores() {
  Orbitals orbitals = many_orbitals();
  Basis basis = *orbitals.basis;
  const std::size_t before = basis.function_count();
  orbitals.centres[0] = {0.4, -0.3, 0.2};
  for (std::uint32_t centre = 0; centre < 3; ++centre) {
    Shell shell;
    shell.centre = centre;
    shell.exponents = {900, 40};
    shell.coefficients = {0.4, 0.7};
    basis.shells.push_back(shell);
  }
  basis.normalise();
  std::vector<double> coefficients;
  for (std::size_t i = 0; i < orbitals.count(); ++i) {
    const auto row = std::span(orbitals.coefficients).subspan(i * before, before);
    coefficients.insert(coefficients.end(), row.begin(), row.end());
    for (std::size_t core = 0; core < 3; ++core) coefficients.push_back(i % 40 == core ? 1 : 0.01);
    // Few orbitals, since these grids have many points.
    if (i % 10 > 2) orbitals.orbitals[i].occupation = 0;
  }
  orbitals.coefficients = std::move(coefficients);
  orbitals.basis = std::make_shared<const Basis>(std::move(basis));
  return orbitals;
}

// Grids so fine that most of their points are interpolated, once or twice, the last tiles cut off, and one skewed.
TEST_P(DensityOnDevice, FieldsOnFineGridsAreThoseOfTheFormula) {
  const Orbitals orbitals = orbitals_with_cores();
  const SpinEvaluator open(orbitals), closed(orbitals, false);
  std::mt19937 engine(11);
  const std::pair<Grid, int> cases[] = {
      {test::make_grid(glm::dvec3(-2, -1.5, -1.7), glm::dvec3(0.05, 0.04, 0.05), {94, 98, 103}), 2},
      {test::make_grid(glm::dvec3(-2.5), glm::dvec3(0.1), {49, 48, 55}), 1},
      {test::make_skewed_grid(glm::dvec3(-2), 0.09, {47, 49, 50}), 1}};
  for (const auto& [grid, levels] : cases) {
    ASSERT_EQ(refinement_levels(grid), levels);
    std::vector<std::size_t> chosen;
    std::vector<glm::dvec3> points;
    for (int n = 0; n < 300; ++n) {
      // Half of them near the core, where points are computed.
      glm::ivec3 at;
      for (int axis = 0; axis < 3; ++axis)
        at[axis] = static_cast<int>(engine() % static_cast<unsigned>(grid.counts[axis]));
      if (n % 2 == 1) {
        const glm::dvec3 core = grid.coordinates(orbitals.centres[0] / units::angstrom_in_bohr);
        for (int axis = 0; axis < 3; ++axis)
          at[axis] = std::clamp(static_cast<int>(core[axis]) + at[axis] % 17 - 8, 0, grid.counts[axis] - 1);
      }
      chosen.push_back(grid.index(at.x, at.y, at.z));
      points.push_back(units::angstrom_in_bohr * grid.point(at.x, at.y, at.z));
    }
    for (const bool spins : {false, true}) {
      const SpinEvaluator& evaluator = spins ? open : closed;
      std::vector<DensityDerivatives> alpha(points.size()), beta(points.size());
      evaluator.reference(points, alpha, beta);
      for (const DensityMeasureInfo& info : density_measures()) {
        // One field of each kind on the grid of many points.
        const bool large = levels == 2, one_of_kind = info.measure == DensityMeasure::elf_spin ||
                                                      info.measure == DensityMeasure::rdg ||
                                                      info.measure == DensityMeasure::hessian;
        if (info.spins != spins || (large && !one_of_kind)) continue;
        Job job;
        const auto values = test::on_device<float>(
            GetParam(), grid.size(), [&](Span<float> out) { measure_on_grid(evaluator, info, grid, out, job); });
        const bool quotient = info.unit == std::string("1");
        for (std::size_t i = 0; i < points.size(); ++i) {
          // Where there is next to no density, functions are left out that quotients of it would need.
          if (quotient && std::min(alpha[i].density, beta[i].density) < 1e-10) continue;
          const double expected = measure_value(info.measure, alpha[i], beta[i]);
          EXPECT_NEAR(values[chosen[i]], expected, 1e-6 * std::max(1.0, std::abs(expected)))
              << info.name << ", density " << alpha[i].density + beta[i].density;
        }
      }
    }
  }
}

// N exp(-2 a r^2) on a grid whose sums are integrals: electrons, kinetic energy (3 a / 2 for each), and no flux.
TEST_P(DensityOnDevice, FieldsOnFineGridsHaveTheirIntegrals) {
  const double a = 0.8;
  const SpinEvaluator evaluator(test::one_gaussian(a, 2));
  constexpr double step = 0.1;
  const Grid grid = test::make_grid(glm::dvec3(-3.5), glm::dvec3(step), {71, 71, 71});
  ASSERT_EQ(refinement_levels(grid), 1);
  const double volume = std::pow(units::angstrom_in_bohr * step, 3);
  const std::pair<const char*, double> integrals[] = {{"electron", 2}, {"tau", 2 * 1.5 * a}, {"laplacian", 0}};
  for (const auto& [name, expected] : integrals) {
    Job job;
    const auto values = test::on_device<float>(GetParam(), grid.size(), [&](Span<float> out) {
      measure_on_grid(evaluator, *find_density_measure(name), grid, out, job);
    });
    double sum = 0;
    for (const float value : values) sum += volume * double{value};
    EXPECT_NEAR(sum, expected, 1e-5) << name;
  }
}

// A grid in two slabs, by either interpolation: on both sides of the seam the values are those of the formula, and few
// points were computed.
TEST_P(DensityOnDevice, FieldsOfSlabsAreThoseOfTheFormula) {
  const double a = 0.4;
  const SpinEvaluator evaluator(test::one_gaussian(a, 2));
  const Grid grid = test::make_grid(glm::dvec3(-2.4, -2.4, -9.6), glm::dvec3(0.1), {49, 49, 193});
  constexpr std::size_t slab_points = std::size_t{1} << 18;
  ASSERT_EQ(refinement_slabs(grid, slab_points), 2);
  const double n = 2 * std::pow(2 * a / std::numbers::pi, 1.5);
  for (const char* name : {"electron", "laplacian"}) {
    Job job;
    std::size_t computed = 0;
    const auto values = test::on_device<float>(GetParam(), grid.size(), [&](Span<float> out) {
      computed = measure_on_grid(evaluator, *find_density_measure(name), grid, out, job, slab_points);
    });
    EXPECT_LT(computed, grid.size() / 4) << name;
    // On a GPU at least every second point along each axis; the CPU sums Gaussians where they reach.
    EXPECT_GE(computed, GetParam().is_cuda() ? 25u * 25u * 97u : 1u) << name;
    for (int k = 0; k<grid.counts.z; k += k> 84 && k < 108 ? 1 : 7) {
      for (int j = 0; j < grid.counts.y; j += 5) {
        for (int i = 0; i < grid.counts.x; i += 3) {
          const glm::dvec3 at = units::angstrom_in_bohr * grid.point(i, j, k);
          const double r2 = glm::dot(at, at), density = n * std::exp(-2 * a * r2);
          const double expected = name[0] == 'e' ? density : density * (16 * a * a * r2 - 12 * a);
          EXPECT_NEAR(values[grid.index(i, j, k)], expected, 1e-6) << name << " at " << i << " " << j << " " << k;
        }
      }
    }
  }
}

TEST_P(DensityOnDevice, StopsWhenCancelled) {
  const Orbitals orbitals = many_orbitals();
  const SpinEvaluator evaluator(orbitals);
  const Grid grid = test::make_grid(glm::dvec3(-3), glm::dvec3(0.5), {12, 12, 12});
  Job job;
  job.cancel();
  EXPECT_THROW(test::on_device<float>(
                   GetParam(), grid.size(),
                   [&](Span<float> out) { measure_on_grid(evaluator, *find_density_measure("elf"), grid, out, job); }),
               Error);
}

// Large grids are done slab by slab, each of them fine enough to be interpolated as the whole is.
TEST(DensityRefinement, SlabsAreTheGrid) {
  const Grid grid = test::make_grid(glm::dvec3(-1, 2, 3), glm::dvec3(0.05), {600, 600, 301});
  const int count = refinement_slabs(grid);
  EXPECT_EQ(count, 3);
  int planes = 0;
  for (int index = 0; index < count; ++index) {
    int first = -1;
    const Grid slab = slab_of(grid, index, count, first);
    EXPECT_EQ(first, planes);
    EXPECT_NEAR(slab.origin.z, 3 + 0.05 * first, 1e-12);
    EXPECT_EQ(refinement_levels(slab), refinement_levels(grid));
    planes += slab.counts.z;
  }
  EXPECT_EQ(planes, grid.counts.z);
}

// Grids whose points are far apart, or few, are computed point by point.
TEST(DensityRefinement, IsForFineGridsAlone) {
  const auto levels = [](double spacing, int points) {
    return refinement_levels(test::make_grid(glm::dvec3(0), glm::dvec3(spacing), glm::ivec3(points)));
  };
  EXPECT_EQ(levels(0.12, 200), 0);
  EXPECT_EQ(levels(0.11, 200), 1);
  EXPECT_EQ(levels(0.05, 200), 2);
  EXPECT_EQ(levels(0.05, 86), 1);
  EXPECT_EQ(levels(0.05, 40), 0);
}

// Middle eigenvalues of a matrix with known ones: V diag V^T with a rotation about (1, 1, 1).
TEST(DensityMeasures, MiddleEigenvaluesAreExactWhereTwoAreEqual) {
  for (const glm::dvec3 known : {glm::dvec3(-2, 1, 3), glm::dvec3(-2, -2, 5), glm::dvec3(0, 0, 0),
                                 glm::dvec3(1e5, -3, -3), glm::dvec3(4, 4, 4)}) {
    const double a = 2.0 / 3, b = -1.0 / 3;  // the rotation by 60 degrees
    const glm::dmat3 v(a, a, b, b, a, a, a, b, a);
    const glm::dmat3 m = v * glm::dmat3(known.x, 0, 0, 0, known.y, 0, 0, 0, known.z) * glm::transpose(v);
    double sorted[3] = {known.x, known.y, known.z};
    std::sort(sorted, sorted + 3);
    EXPECT_NEAR(middle_eigenvalue({m[0][0], m[1][0], m[2][0], m[1][1], m[2][1], m[2][2]}), sorted[1],
                1e-15 * (std::abs(sorted[0]) + std::abs(sorted[2])) * 4);
    // Its sign is found without it.
    DensityDerivatives half;
    half.density = 0.5;
    half.hessian = {m[0][0], m[1][0], m[2][0], m[1][1], m[2][1], m[2][2]};
    if (std::abs(sorted[1]) > 1e-12 * (std::abs(sorted[0]) + std::abs(sorted[2]))) {
      EXPECT_EQ(measure_value(DensityMeasure::sign_lambda2, half, half), sorted[1] > 0 ? 1 : -1);
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

// Those that grids are interpolated from: the Hessian has the mixed ones, and differences of its yz give xyz.
TEST(DensityDerivatives, MixedOnesAreThoseOfTheHessian) {
  const Orbitals orbitals = test::orbitals_of_all_shells();
  const std::vector<double> weights{2, 1.5, -0.5, 0, 1};
  const DensityEvaluator evaluator(orbitals, weights);
  constexpr double h = 1e-3;
  const std::vector<glm::dvec3> points = random_points(50);
  std::vector<MixedDensity> mixed(points.size());
  evaluator.mixed(points, mixed);
  const auto expected = evaluator.reference(points);
  double scale = 0;
  for (const DensityDerivatives& value : expected) {
    for (const double second : value.hessian) scale = std::max(scale, std::abs(second));
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const DensityDerivatives& of = expected[i];
    const double numbers[] = {of.density,    of.gradient.y, of.gradient.z, of.hessian[4],
                              of.gradient.x, of.hessian[1], of.hessian[2]};
    for (std::size_t k = 0; k < std::size(numbers); ++k) EXPECT_NEAR(mixed[i][k], numbers[k], 1e-12 * scale) << k;
    const auto yz = [&](double x) {
      return evaluator.reference(std::vector{points[i] + glm::dvec3(x, 0, 0)})[0].hessian[4];
    };
    const double xyz = (8 * (yz(h) - yz(-h)) - (yz(2 * h) - yz(-2 * h))) / (12 * h);
    EXPECT_NEAR(mixed[i][7], xyz, 1e-7 * scale);
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
  // k = -2 a2 r, so that t = (8 a2^2 r)^2 / (2 a2 r)^6.
  EXPECT_NEAR(value(DensityMeasure::dori), 1 / (1 + a2 * a2 * r2 * r2), 1e-12);
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
  Job job;
  for (const Device device : test::devices_present()) {
    SCOPED_TRACE(to_string(device));
    evaluator.at(points, DensityOrder::hessian, alpha, beta, job, device);
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
          EXPECT_NEAR(values[c], expected[i][c], quotient ? 1e-8 * std::max(1.0, expected[i][c]) : 1e-9 * scale)
              << ours;
      }
    }
  }
}

}  // namespace
}  // namespace isolume
