// Bader's basins: densities whose dividing surface is known, and molecules by their symmetry.
#include "compute/electron_density/topology/bader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "compute/orbitals/electron_density.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/orbitals/made_orbitals.h"

namespace isolume {
namespace {

using Bader = test::OnDevice;
ISOLUME_ON_EVERY_DEVICE(Bader);

constexpr double exponent = 0.9;  // of the functions; the densities have twice that

/// s functions of one exponent with so many electrons each.
Orbitals gaussians(const std::vector<glm::dvec3>& centres, const std::vector<double>& electrons) {
  Basis basis;
  for (std::uint32_t c = 0; c < centres.size(); ++c) {
    Shell s;
    s.centre = c;
    s.exponents = {exponent};
    s.coefficients = {1};
    basis.shells.push_back(s);
  }
  basis.normalise();
  Orbitals orbitals;
  orbitals.basis = std::make_shared<const Basis>(basis);
  orbitals.centres = centres;
  orbitals.orbitals.resize(centres.size());
  orbitals.coefficients.assign(centres.size() * centres.size(), 0.0);
  for (std::size_t i = 0; i < centres.size(); ++i) {
    orbitals.orbitals[i].occupation = electrons[i];
    orbitals.coefficients[i * centres.size() + i] = 1;
  }
  return orbitals;
}

/// angstrom, around centres in bohr.
Grid around(std::span<const glm::dvec3> centres, double spacing) {
  glm::dvec3 lower(1e9), upper(-1e9);
  for (const glm::dvec3 c : centres) {
    lower = glm::min(lower, units::bohr_in_angstrom * c);
    upper = glm::max(upper, units::bohr_in_angstrom * c);
  }
  return Grid::covering(lower - 2.0, upper + 2.0, spacing);
}

double half_line(double electrons, double from, double to) {
  return 0.5 * electrons * (1 + std::erf(std::sqrt(2 * exponent) * (to - from)));
}

// Gaussians of one exponent along x: the density is a function of x times one of y and z, so that basins end at planes
// where the first has its minimum, and their electrons are error functions.
TEST_P(Bader, GaussiansInALineAreDividedAtTheMinimum) {
  const std::vector<glm::dvec3> centres{{-1.6, 0.1, -0.2}, {1.5, 0.1, -0.2}};
  const std::vector<double> electrons{0.7, 1.3};
  const auto slope = [&](double x) {
    double sum = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      const double d = x - centres[i].x;
      sum -= electrons[i] * d * std::exp(-2 * exponent * d * d);
    }
    return sum;
  };
  double lower = -1.4, upper = 1.3;
  for (int i = 0; i < 60; ++i) (slope(0.5 * (lower + upper)) < 0 ? lower : upper) = 0.5 * (lower + upper);
  const double left = half_line(0.7, centres[0].x, lower) + half_line(1.3, centres[1].x, lower);

  const Orbitals orbitals = gaussians(centres, electrons);
  Job job;
  const std::vector<int> elements{1, 1};
  const std::vector<double> charges{1, 1};
  for (const double spacing : {0.1, 0.05}) {
    const BaderCharges result = bader_charges(orbitals, elements, charges, around(centres, spacing), GetParam(), job);
    EXPECT_NEAR(result.electrons, 2, 1e-5);
    EXPECT_NEAR(result.charges[0], 1 - left, 2e-3);
    EXPECT_NEAR(result.charges[1], 1 - (2 - left), 2e-3);
    EXPECT_TRUE(result.others.empty());
    EXPECT_TRUE(result.no_maximum.empty());
    EXPECT_LT(result.change, 5e-3);
  }
}

// The same along no axis of the grid: the surface is oblique to it.
TEST_P(Bader, AnObliqueDividingSurfaceIsTheSame) {
  const glm::dvec3 way = glm::normalize(glm::dvec3(1, 0.7, 0.4));
  const std::vector<glm::dvec3> centres{-1.55 * way, 1.55 * way};
  const std::vector<double> electrons{1, 1};
  Job job;
  const BaderCharges result = bader_charges(gaussians(centres, electrons), std::vector<int>{1, 1},
                                            std::vector<double>{1, 1}, around(centres, 0.08), GetParam(), job);
  EXPECT_NEAR(result.charges[0], 0, 3e-3);
  EXPECT_NEAR(result.charges[0] + result.charges[1], 2 - result.electrons, 1e-12);
  EXPECT_NEAR(result.volumes[0], result.volumes[1], 0.01 * result.volumes[0]);
}

// Two far atoms have their own electrons, and a volume that is that of a sphere.
TEST_P(Bader, FarAtomsAreWhole) {
  const std::vector<glm::dvec3> centres{{-4, 0, 0}, {4, 0, 0}};
  Job job;
  const BaderCharges result = bader_charges(gaussians(centres, {1, 0.5}), std::vector<int>{1, 1},
                                            std::vector<double>{1, 1}, around(centres, 0.1), GetParam(), job);
  EXPECT_NEAR(result.charges[0], 0, 1e-5);
  EXPECT_NEAR(result.charges[1], 0.5, 1e-5);
  for (std::size_t a = 0; a < 2; ++a) {
    const double peak = (a == 0 ? 1.0 : 0.5) * std::pow(2 * exponent / units::pi, 1.5);
    const double radius = std::sqrt(std::log(peak / 1e-3) / (2 * exponent));
    EXPECT_NEAR(result.volumes[a], 4 * units::pi / 3 * std::pow(radius, 3), 0.02 * result.volumes[a]);
  }
}

// A Gaussian that no nucleus is at is a basin of its own; a nucleus without a density is said to have no maximum.
TEST_P(Bader, BasinsWithoutANucleusAreTold) {
  const std::vector<glm::dvec3> centres{{-4, 0, 0}, {4, 0, 0}};
  Orbitals orbitals = gaussians(centres, {1, 0.5});
  Job job;
  const Grid grid = around(centres, 0.15);
  std::vector<float> density(grid.size());
  electron_density(orbitals, DensityKind::electron, grid, density, job);
  const BaderBasins basins(density, grid, std::vector<glm::dvec3>{{-4, 0, 0}, {-4, 0, 2.5}}, job);
  ASSERT_EQ(basins.size(), 3u);
  EXPECT_NEAR(glm::distance(basins.maxima()[2], centres[1]), 0, 0.3);
  EXPECT_EQ(basins.without_maximum(), std::vector<std::size_t>{1});
}

TEST(BaderBasins, RefuseWhatMakesNoSense) {
  Job job;
  const Orbitals orbitals = gaussians({{0, 0, 0}}, {1});
  const Grid skewed = test::make_skewed_grid(glm::dvec3(-1), 0.3, {4, 4, 4});
  const std::vector<float> values(skewed.size());
  EXPECT_THROW(BaderBasins(values, skewed, orbitals.centres, job), Error);
  const Grid grid = around(orbitals.centres, 0.5);
  EXPECT_THROW(BaderBasins(values, grid, orbitals.centres, job), Error);
  EXPECT_THROW(bader_charges(orbitals, std::vector<int>{3}, std::vector<double>{1}, grid, Device::cpu(), job), Error);
  job.cancel();
  EXPECT_THROW(bader_charges(orbitals, std::vector<int>{1}, std::vector<double>{1}, grid, Device::cpu(), job), Error);
}

// Of ethylene the carbons are alike, and so are the hydrogens; all add up to nothing.
TEST(BaderCharges, OfEthyleneHaveItsSymmetry) {
  const test::StoredMolecule stored("ethylene");
  ISOLUME_NEEDS(stored.file);
  const Molecule molecule = read_file(stored.file);
  const auto orbitals = molecule.orbitals.at(0);
  std::vector<int> elements;
  std::vector<double> nuclei;
  for (const Atom& atom : molecule.topology->atoms) {
    elements.push_back(atom.element);
    nuclei.push_back(atom.element);
  }
  Job job;
  const BaderCharges result =
      bader_charges(*orbitals, elements, nuclei, around(orbitals->centres, 0.12), Device::cpu(), job);
  EXPECT_NEAR(result.electrons, 16, 1e-3);
  EXPECT_NEAR(std::accumulate(result.charges.begin(), result.charges.end(), 0.0), 16 - result.electrons, 1e-6);
  EXPECT_NEAR(result.charges[0], result.charges[1], 5e-3);
  for (std::size_t h = 3; h < 6; ++h) EXPECT_NEAR(result.charges[h], result.charges[2], 5e-3);
}

}  // namespace
}  // namespace isolume
