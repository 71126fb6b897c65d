// Densities of free atoms and their sum: closed forms, differences, and the wavefunction's own contacts.
#include "compute/electron_density/promolecule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "compute/base/tiles.h"
#include "compute/electron_density/atomic_density.h"
#include "compute/electron_density/density_measures.h"
#include "compute/electron_density/free_atom.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/orbitals/made_orbitals.h"

namespace isolume {
namespace {

/// Two waters and a chloride, bohr.
const std::vector<glm::dvec3> some_positions{{0, 0, 0},      {1.43, 1.1, 0},   {-1.43, 1.1, 0}, {0.3, -5.2, 0.8},
                                             {1.6, -6.3, 1}, {0.1, -3.5, 0.4}, {5, 2, -3}};
const std::vector<int> some_elements{8, 1, 1, 8, 1, 1, 17};
const std::vector<std::uint8_t> some_parts{1, 1, 1, 2, 2, 2, 2};

std::vector<glm::dvec3> random_points(std::size_t count, double size) {
  test::Random random(4);
  std::vector<glm::dvec3> points;
  for (std::size_t i = 0; i < count; ++i) points.push_back(random.in_box(-size, size));
  return points;
}

// Every element of the table has its electrons, and its density falls.
TEST(AtomicDensity, OfEveryElementHasItsElectrons) {
  const std::vector<int> elements = AtomicDensity::elements();
  ASSERT_EQ(elements.size(), 53u);  // hydrogen to xenon without scandium
  for (const int element : elements) {
    const AtomicDensity& atom = AtomicDensity::of(element);
    EXPECT_NEAR(atom.electrons(), element, 0.01 * element) << element;
    EXPECT_LT(atom.contact_error(), 0.02) << element;
    for (double r = 0; r < 8; r += 0.05) EXPECT_GE(atom.density(r), atom.density(r + 0.05)) << element << " " << r;
    EXPECT_NEAR(atom.density(atom.reach(1e-6)), 1e-6, 1e-9);
  }
  EXPECT_THROW(AtomicDensity::of(0), Error);
  EXPECT_THROW(AtomicDensity::of(21), Error);
  EXPECT_THROW(AtomicDensity::of(118), Error);
}

// Hydrogen is exp(-2 r) / pi; helium is that of FreeAtom in even-tempered Gaussians, within the error that the table
// states and half a percent for the Gaussians.
TEST(AtomicDensity, IsThatOfHartreeFock) {
  for (double r = 0; r < 10; r += 0.1)
    EXPECT_NEAR(AtomicDensity::of(1).density(r), std::exp(-2 * r) / units::pi, 1e-9 * std::exp(-2 * r)) << r;
  std::vector<Shell> shells;
  for (int n = 0; n < 20; ++n) {
    Shell shell;
    shell.exponents = {0.04 * std::pow(2.0, n)};
    shell.coefficients = {1};
    shells.push_back(shell);
  }
  const FreeAtom free(2, shells);
  const AtomicDensity& helium = AtomicDensity::of(2);
  for (double r = 0.02; r < 6; r += 0.05) {
    const double exact = free.density(r);
    if (exact < 1e-4 || exact > 0.2) continue;
    EXPECT_NEAR(helium.density(r), exact, (helium.contact_error() + 0.005) * exact) << r;
  }
}

// Against PySCF's atoms in def2-TZVP (qm-fields/charges), whose tails are those of that basis: 6 %.
TEST(AtomicDensity, IsThatOfPySCF) {
  const std::string path = test::shared_data("qm-fields/charges/formamide_charges.json");
  ISOLUME_NEEDS(path);
  const nlohmann::json json = nlohmann::json::parse(std::ifstream(path));
  const std::pair<const char*, int> atoms[] = {{"H", 1}, {"C", 6}, {"N", 7}, {"O", 8}};
  for (const auto& [symbol, element] : atoms) {
    const auto& table = json.at("hirshfeld").at("proatoms").at(symbol);
    const auto radii = table.at("r_bohr").get<std::vector<double>>();
    const auto expected = table.at("rho").get<std::vector<double>>();
    int compared = 0;
    for (std::size_t i = 0; i < radii.size(); ++i) {
      if (expected[i] < 1e-3 || expected[i] > 0.2) continue;
      EXPECT_NEAR(AtomicDensity::of(element).density(radii[i]), expected[i], 0.06 * expected[i]) << symbol;
      ++compared;
    }
    EXPECT_GT(compared, 20);
  }
}

// Few tiles with many items each, which several threads sort: every tile has the items whose range holds it, in order.
TEST(TileLists, OfFewTilesHaveEveryItemInOrder) {
  const Tiling tiling{glm::ivec3(96, 64, 32), glm::ivec3(32)};
  test::Random random(3);
  std::vector<TileRange> ranges;
  for (int i = 0; i < 9000; ++i) {
    const glm::dvec3 a = random.in_box(0, 3), b = random.in_box(0, 3);
    const glm::ivec3 last = tiling.counts() - 1;
    ranges.push_back({glm::min(glm::ivec3(glm::min(a, b)), last), glm::min(glm::ivec3(glm::max(a, b)), last)});
    if (i % 50 == 0) ranges.back() = TileRange();
  }
  Job job;
  TileLists lists;
  tile_lists(tiling, ranges, job, lists);
  for (std::size_t t = 0; t < tiling.size(); ++t) {
    const glm::ivec3 tile = tiling.tile(t);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < ranges.size(); ++i) {
      if (glm::all(glm::lessThanEqual(ranges[i].lower, tile)) && glm::all(glm::lessThanEqual(tile, ranges[i].upper)))
        expected.push_back(i);
    }
    EXPECT_GT(expected.size(), 1000u);
    const auto found = lists.of(t);
    EXPECT_EQ(std::vector<std::uint32_t>(found.begin(), found.end()), expected) << t;
  }
}

class Promolecules : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(Promolecules);

TEST_P(Promolecules, AgreeWithTheFormula) {
  const Promolecule promolecule(some_positions, some_elements, some_parts);
  Job job;
  for (const std::size_t count : {std::size_t{1}, std::size_t{64}, std::size_t{200}}) {
    const auto points = random_points(count, 7);
    const auto values = promolecule.at(points, job, GetParam());
    ASSERT_EQ(values.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      const PromoleculePoint expected = promolecule.reference(points[i]);
      const double rho = expected.density.density;
      EXPECT_NEAR(values[i].density.density, rho, 1e-5 * rho + 2e-7);
      double scale = 0;
      for (const double h : expected.density.hessian) scale = std::max(scale, std::abs(h));
      for (int axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(values[i].density.gradient[axis], expected.density.gradient[axis],
                    1e-5 * glm::length(expected.density.gradient) + 1e-6);
      for (std::size_t k = 0; k < 6; ++k)
        EXPECT_NEAR(values[i].density.hessian[k], expected.density.hessian[k], 3e-5 * scale + 2e-6);
      EXPECT_NEAR(values[i].delta_g, expected.delta_g, 1e-5 * glm::length(expected.density.gradient) + 2e-6);
      EXPECT_NEAR(values[i].delta_g_inter, expected.delta_g_inter,
                  1e-5 * glm::length(expected.density.gradient) + 2e-6);
    }
  }
}

// Differences of the density give its gradient, those of the gradient the Hessian.
TEST(Promolecule, DerivativesAreThoseOfTheDensity) {
  const Promolecule promolecule(some_positions, some_elements, some_parts);
  constexpr double h = 1e-4;
  const int places[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
  for (const glm::dvec3 point : random_points(20, 5)) {
    const DensityDerivatives value = promolecule.reference(point).density;
    double sum = 0;
    for (std::size_t i = 0; i < some_positions.size(); ++i)
      sum += AtomicDensity::of(some_elements[i]).density(glm::distance(point, some_positions[i]));
    EXPECT_NEAR(value.density, sum, 1e-12 * (1 + sum));
    for (int axis = 0; axis < 3; ++axis) {
      glm::dvec3 step(0);
      step[axis] = h;
      const DensityDerivatives after = promolecule.reference(point + step).density,
                               before = promolecule.reference(point - step).density;
      EXPECT_NEAR(value.gradient[axis], (after.density - before.density) / (2 * h),
                  1e-5 * (1 + std::abs(value.gradient[axis])));
      for (std::size_t k = 0; k < 6; ++k) {
        if (places[k][0] != axis) continue;
        EXPECT_NEAR(value.hessian[k], (after.gradient[places[k][1]] - before.gradient[places[k][1]]) / (2 * h),
                    1e-4 * (1 + std::abs(value.hessian[k])));
      }
    }
  }
}

// delta-g by its definition, from the gradients of single atoms by differences of their densities.
TEST(Promolecule, DeltaGIsThatOfItsDefinition) {
  const Promolecule promolecule(some_positions, some_elements, some_parts);
  constexpr double h = 1e-5;
  for (const glm::dvec3 point : random_points(20, 4)) {
    glm::dvec3 all(0), lengths(0), parts[2] = {glm::dvec3(0), glm::dvec3(0)};
    for (std::size_t i = 0; i < some_positions.size(); ++i) {
      glm::dvec3 slope;
      for (int axis = 0; axis < 3; ++axis) {
        glm::dvec3 step(0);
        step[axis] = h;
        const auto at = [&](glm::dvec3 p) {
          return AtomicDensity::of(some_elements[i]).density(glm::distance(p, some_positions[i]));
        };
        slope[axis] = (at(point + step) - at(point - step)) / (2 * h);
      }
      all += slope;
      lengths += glm::abs(slope);
      parts[some_parts[i] - 1] += slope;
    }
    const PromoleculePoint value = promolecule.reference(point);
    const double scale = 1 + glm::length(lengths);
    EXPECT_NEAR(value.delta_g, glm::length(lengths) - glm::length(all), 1e-6 * scale);
    EXPECT_NEAR(value.delta_g_inter, glm::length(glm::abs(parts[0]) + glm::abs(parts[1])) - glm::length(all),
                1e-6 * scale);
  }
  // One atom has nothing to interact with.
  const Promolecule one(std::vector<glm::dvec3>{{0, 0, 0}}, std::vector<int>{8});
  EXPECT_NEAR(one.reference({0.4, -0.7, 1.1}).delta_g, 0, 1e-12);
}

TEST_P(Promolecules, OnGridsAreThoseAtPoints) {
  const Device device = GetParam();
  const Promolecule promolecule(some_positions, some_elements, some_parts);
  for (const Grid& grid : {test::make_grid(glm::dvec3(-3, -4, -2), glm::dvec3(0.7, 0.9, 0.6), {11, 7, 9}),
                           test::make_skewed_grid(glm::dvec3(-2), 0.6, {5, 6, 7}),
                           test::make_grid(glm::dvec3(30), glm::dvec3(0.5), {4, 4, 4})}) {
    std::vector<glm::dvec3> points = test::grid_points(grid);
    for (glm::dvec3& point : points) point *= units::angstrom_in_bohr;
    Job job;
    for (const PromoleculeFieldInfo& info : promolecule_fields()) {
      DeviceArray<float> signs(grid.size(), device, "test");
      const std::vector<float> values = test::on_device<float>(device, grid.size(), [&](Span<float> to) {
        promolecule.on_grid(info.field, PromoleculeField::sign_lambda2, grid, to, signs.span(), job);
      });
      const std::vector<float> sign = signs.copy_to_host();
      for (std::size_t i = 0; i < points.size(); ++i) {
        const PromoleculePoint expected = promolecule.reference(points[i]);
        const double rho = expected.density.density;
        if (rho < 1e-4 || rho > 1) continue;
        const double value = map_value(info.field, expected);
        EXPECT_NEAR(values[i], value, 2e-3 * std::abs(value) + 2e-4) << info.name;
        EXPECT_NEAR(std::abs(sign[i]), rho, 1e-3 * rho);
      }
    }
    DeviceArray<float> wrong(grid.size() + 1, device, "test"), values(grid.size(), device, "test");
    EXPECT_THROW(promolecule.on_grid(PromoleculeField::rdg, grid, wrong.span(), job), Error);
    EXPECT_THROW(
        promolecule.on_grid(PromoleculeField::rdg, PromoleculeField::electron, grid, values.span(), wrong.span(), job),
        Error);
    job.cancel();
    EXPECT_THROW(promolecule.on_grid(PromoleculeField::rdg, grid, values.span(), job), Error);
  }
}

// More atoms than a block looks at in one go, on a grid of several boxes of points: sums of the formula at some points.
TEST_P(Promolecules, OfManyAtomsAreTheFormula) {
  const Device device = GetParam();
  test::Random random(12);
  std::vector<glm::dvec3> positions;
  std::vector<int> elements;
  std::vector<std::uint8_t> parts;
  const int kinds[] = {1, 6, 7, 8, 16};
  for (int i = 0; i < 700; ++i) {
    positions.push_back(random.in_box(-15, 15));
    elements.push_back(kinds[i % 5]);
    parts.push_back(i % 3 == 0 ? 1 : 2);
  }
  const Promolecule promolecule(positions, elements, parts);
  const Grid grid = test::make_grid(glm::dvec3(-4.7, -5.1, -4.9), glm::dvec3(0.23, 0.25, 0.3), {45, 37, 34});
  Job job;
  for (const PromoleculeField field : {PromoleculeField::delta_g, PromoleculeField::delta_g_inter,
                                       PromoleculeField::electron, PromoleculeField::laplacian}) {
    const std::vector<float> values =
        test::on_device<float>(device, grid.size(), [&](Span<float> to) { promolecule.on_grid(field, grid, to, job); });
    for (int n = 0; n < 60; ++n) {
      const int i = n * 7 % 45, j = n * 11 % 37, k = n * 5 % 34;
      const PromoleculePoint expected = promolecule.reference(units::angstrom_in_bohr * grid.point(i, j, k));
      if (expected.density.density > 1) continue;  // next to a nucleus
      const double value = map_value(field, expected);
      EXPECT_NEAR(values[grid.index(i, j, k)], value, 1e-4 * std::abs(value) + 2e-5) << n;
    }
  }
  test::expect_cancelled(device, [&](Job& of) {
    DeviceArray<float> values(grid.size(), device, "test");
    promolecule.on_grid(PromoleculeField::rdg, grid, values.span(), of);
  });
}

// Between two waters the contact is where that of the wavefunction is: along the hydrogen bond the reduced gradient has
// its minimum near the same place. Spherical hydrogens hold more electrons than those of water, so that the density
// there is larger, but less than twice.
TEST(Promolecule, ShowsTheHydrogenBondThatTheWavefunctionHas) {
  const test::StoredMolecule stored("water_dimer");
  ISOLUME_NEEDS(stored.file);
  const Molecule molecule = read_file(stored.file);
  const auto orbitals = molecule.orbitals.at(0);
  std::vector<int> elements;
  for (const Atom& atom : molecule.topology->atoms) elements.push_back(atom.element);
  const Promolecule promolecule(orbitals->centres, elements);
  const SpinEvaluator wavefunction(*orbitals, false);
  // The shortest distance of a hydrogen from an oxygen beyond 3 bohr.
  glm::dvec3 from, to;
  double shortest = 1e9;
  for (std::size_t h = 0; h < elements.size(); ++h) {
    for (std::size_t o = 0; o < elements.size(); ++o) {
      const double d = glm::distance(orbitals->centres[h], orbitals->centres[o]);
      if (elements[h] != 1 || elements[o] != 8 || d < 3 || d > shortest) continue;
      shortest = d;
      from = orbitals->centres[h];
      to = orbitals->centres[o];
    }
  }
  ASSERT_LT(shortest, 5);
  std::vector<glm::dvec3> points;
  for (int i = 20; i < 80; ++i) points.push_back(from + 0.01 * i * (to - from));
  Job job;
  std::vector<DensityDerivatives> alpha(points.size()), beta(points.size());
  wavefunction.at(points, DensityOrder::hessian, alpha, beta, job);
  const auto ours = promolecule.at(points, job);
  std::size_t least = 0, least_of_wave = 0;
  const auto rdg = [&](std::size_t i) { return field_value(PromoleculeField::rdg, ours[i]); };
  const auto rdg_of_wave = [&](std::size_t i) { return measure_value(DensityMeasure::rdg, alpha[i], beta[i]); };
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (rdg(i) < rdg(least)) least = i;
    if (rdg_of_wave(i) < rdg_of_wave(least_of_wave)) least_of_wave = i;
  }
  EXPECT_LT(rdg(least), 0.05);
  EXPECT_LT(glm::distance(points[least], points[least_of_wave]), 0.3);
  const double signed_ours = field_value(PromoleculeField::sign_lambda2, ours[least]);
  const double signed_wave = measure_value(DensityMeasure::sign_lambda2, alpha[least_of_wave], beta[least_of_wave]);
  EXPECT_LT(signed_ours, -0.01);  // attractive
  EXPECT_LT(signed_ours, signed_wave);
  EXPECT_GT(signed_ours, 2 * signed_wave);
}

// Far from all atoms nothing is infinite in a map.
TEST(Promolecule, MapsOfEmptySpaceAreFinite) {
  const Promolecule promolecule(some_positions, some_elements);
  const Grid grid = test::make_grid(glm::dvec3(40), glm::dvec3(1), {3, 3, 3});
  std::vector<float> values(grid.size());
  Job job;
  promolecule.on_grid(PromoleculeField::rdg, grid, values, job);
  for (const float value : values) EXPECT_EQ(value, 10);
}

TEST(Promolecule, RefusesWhatMakesNoSense) {
  EXPECT_THROW(Promolecule(some_positions, std::vector<int>{1}), Error);
  EXPECT_THROW(Promolecule(std::vector<glm::dvec3>{{0, 0, 0}}, std::vector<int>{0}), Error);
}

}  // namespace
}  // namespace isolume
