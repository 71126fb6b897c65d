// Contributions of groups to the potential of Poisson-Boltzmann: sums, reciprocity, a closed form, refusals.
#include "compute/over_time/poisson_boltzmann_shares.h"

#include <gtest/gtest.h>

#include <cmath>

#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

/// A row of `count` charged spheres that overlap, as a chain of residues of one atom.
std::vector<ChargedSphere> chain(int count) {
  std::vector<ChargedSphere> atoms;
  for (int i = 0; i < count; ++i) {
    ChargedSphere atom;
    atom.position = {1.5f * static_cast<float>(i), i % 2 == 0 ? 0.0f : 0.8f, 0.3f * static_cast<float>(i % 3)};
    atom.charge = i % 3 == 0 ? 0.4f : i % 3 == 1 ? -0.7f : 0.5f;
    atom.radius = 2.0f;
    atoms.push_back(atom);
  }
  return atoms;
}

std::vector<std::uint32_t> each_its_own(std::size_t count) {
  std::vector<std::uint32_t> groups(count);
  for (std::size_t i = 0; i < count; ++i) groups[i] = static_cast<std::uint32_t>(i);
  return groups;
}

PoissonBoltzmannOptions in_water() {
  PoissonBoltzmannOptions options;
  options.solute_permittivity = 4;
  return options;
}

const Grid grid = Grid::covering(glm::dvec3(-7, -7, -7), glm::dvec3(23, 8, 8), 0.4);

TEST(PoissonBoltzmannShares, OfGroupsAddUpToTheTotal) {
  const std::vector<ChargedSphere> atoms = chain(12);
  const ChargeGroups groups(each_its_own(12), 12);
  // In the solvent, and on an atom together with it: no unit charge can be put into the first.
  const std::vector<glm::dvec3> points{{3.0, 5.5, 1.0}, glm::dvec3(atoms[4].position)};
  Job job;
  const PoissonBoltzmannShares made = poisson_boltzmann_shares(atoms, groups, grid, in_water(), points, job);
  EXPECT_FALSE(made.by_reciprocity);
  EXPECT_EQ(made.solutions, 13u);
  for (std::size_t p = 0; p < points.size(); ++p) {
    GroupShare sum;
    for (std::size_t g = 0; g < 12; ++g) {
      sum.potential += made.shares[p * 12 + g].potential;
      sum.field += made.shares[p * 12 + g].field;
    }
    // The equation is linear: what is left is the solver's residual of 1e-6.
    EXPECT_NEAR(sum.potential, made.totals[p].potential, 1e-5 * std::abs(made.totals[p].potential) + 1e-7);
    EXPECT_LT(glm::distance(sum.field, made.totals[p].field), 1e-4 * glm::length(made.totals[p].field) + 1e-6);
    EXPECT_LE(std::abs(sum.potential - made.totals[p].potential), made.errors[p] + 1e-7);
  }
}

TEST(PoissonBoltzmannShares, ByReciprocityAreThoseOfTheGroups) {
  const std::vector<ChargedSphere> atoms = chain(12);
  const std::vector<std::uint32_t> own = each_its_own(12);
  const std::vector<glm::dvec3> points{glm::dvec3(atoms[4].position)};
  Job job;
  const PoissonBoltzmannShares unit =
      poisson_boltzmann_shares(atoms, ChargeGroups(own, 12), grid, in_water(), points, job);
  ASSERT_TRUE(unit.by_reciprocity);
  EXPECT_EQ(unit.solutions, 8u);
  // Together with a point in the solvent the same shares come from each group alone.
  const std::vector<glm::dvec3> both{points[0], {3.0, 5.5, 1.0}};
  const PoissonBoltzmannShares alone =
      poisson_boltzmann_shares(atoms, ChargeGroups(own, 12), grid, in_water(), both, job);
  ASSERT_FALSE(alone.by_reciprocity);
  double largest = 0, sum = 0;
  for (std::size_t g = 0; g < 12; ++g) largest = std::max(largest, std::abs(alone.shares[g].potential));
  for (std::size_t g = 0; g < 12; ++g) {
    EXPECT_NEAR(unit.shares[g].potential, alone.shares[g].potential, 0.01 * largest) << g;
    EXPECT_LT(glm::distance(unit.shares[g].field, alone.shares[g].field), 0.03 * largest) << g;
    sum += unit.shares[g].potential;
  }
  EXPECT_NEAR(sum, unit.totals[0].potential, unit.errors[0] + 0.01 * largest);
}

TEST(PoissonBoltzmannShares, InASphereAreKirkwoods) {
  // Charges in a sphere of radius R without ions: the reaction potential at r of a charge q at s is
  // q / (4 pi eps0 e1 R) sum_n ((n + 1)(e1 - e2) / ((n + 1) e2 + n e1)) (r s / R^2)^n P_n(cos).
  constexpr double radius = 8;
  PoissonBoltzmannOptions options = in_water();
  options.ions.clear();
  std::vector<ChargedSphere> atoms(10);
  atoms[0].radius = static_cast<float>(radius);
  for (std::size_t i = 1; i < atoms.size(); ++i)
    atoms[i] = {{static_cast<float>(0.9 * static_cast<double>(i) - 4.5), 1.0f, 0.0f}, i % 2 == 0 ? 1.0f : -1.0f, 1.0f};
  const glm::dvec3 point(1.0, -1.5, 0.0);
  const Grid box = Grid::covering(glm::dvec3(-14), glm::dvec3(14), 0.5);
  Job job;
  const PoissonBoltzmannShares made =
      poisson_boltzmann_shares(atoms, ChargeGroups(each_its_own(10), 10), box, options, std::vector{point}, job);
  ASSERT_TRUE(made.by_reciprocity);
  const double e1 = options.solute_permittivity, e2 = options.solvent_permittivity;
  for (std::size_t i = 1; i < atoms.size(); ++i) {
    const glm::dvec3 at(atoms[i].position);
    const double x = glm::length(at) * glm::length(point) / (radius * radius);
    const double cosine = glm::dot(at, point) / (glm::length(at) * glm::length(point));
    double sum = 0, before = 1, now = cosine, power = 1;
    for (int n = 0; n < 80; ++n) {
      const double legendre = n == 0 ? 1 : n == 1 ? cosine : now;
      sum += (n + 1) * (e1 - e2) / ((n + 1) * e2 + n * e1) * power * legendre;
      power *= x;
      if (n >= 1) {
        const double next = ((2 * n + 1) * cosine * now - n * before) / (n + 1);
        before = now;
        now = next;
      }
    }
    const double q = static_cast<double>(atoms[i].charge);
    const double expected = units::coulomb_volt_angstrom * q / e1 * (1 / glm::distance(at, point) + sum / radius);
    EXPECT_NEAR(made.shares[i].potential, expected, 0.01 * std::abs(expected) + 2e-3) << i;
  }
}

TEST(PoissonBoltzmannShares, RefuseTheNonlinearEquation) {
  PoissonBoltzmannOptions options = in_water();
  options.nonlinear = true;
  const std::vector<ChargedSphere> atoms = chain(3);
  Job job;
  try {
    poisson_boltzmann_shares(atoms, ChargeGroups(each_its_own(3), 3), grid, options,
                             std::vector{glm::dvec3(atoms[0].position)}, job);
    FAIL() << "shares of the non-linear equation";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("linearised"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace isolume
