// Terms of orbitals stay below their bounds, and grids hold what is above the cutoff.

#include "compute/orbitals/orbital_terms.h"
#include "compute/orbitals/orbital.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/orbitals/random_orbitals.h"

namespace isolume {
namespace {

using namespace test;
using test::random_orbitals;

TEST(OrbitalGrid, OutsideOfItTheOrbitalIsBelowTheCutoff) {
  const Orbitals orbitals = random_orbitals(23, 1);
  const double cutoff = 1e-3;
  const Grid grid = orbital_grid(orbitals, 0, 0.2, cutoff);
  const glm::dvec3 lower = grid.origin;
  const glm::dvec3 upper = grid.point(grid.counts.x - 1, grid.counts.y - 1, grid.counts.z - 1);
  Random random(1);
  std::vector<glm::dvec3> points;
  while (points.size() < 3000) {
    const glm::dvec3 p = random.in_box(-12, 12);
    if (glm::any(glm::lessThan(p, lower)) || glm::any(glm::greaterThan(p, upper))) points.push_back(p);
  }
  std::vector<double> values(points.size());
  orbital_reference(orbitals, 0, points, values);
  for (const double value : values) ASSERT_LT(std::abs(value), cutoff);
}

TEST(OrbitalGrid, ItsBoxIsTheSmallestThatTheBoundsOfTheTermsAllow) {
  for (const unsigned seed : {23u, 24u, 25u}) {
    const Orbitals orbitals = random_orbitals(seed, 1);
    const OrbitalTerms terms = orbital_terms(orbitals, 0);
    const std::vector<TermBound> bounds = terms.bounds();
    for (const double cutoff : {1e-1, 1e-3, 1e-6}) {
      const OrbitalBox box = orbital_box(orbitals, 0, cutoff);
      for (int axis = 0; axis < 3; ++axis) {
        for (const double sign : {-1.0, 1.0}) {
          const double plane = sign * units::angstrom_in_bohr * (sign < 0 ? box.lower : box.upper)[axis];
          const auto beyond = [&](double at) {
            double sum = 0;
            for (std::size_t n = 0; n < bounds.size(); ++n)
              sum += bounds[n].beyond(std::max(0.0, at - sign * terms.terms[n].centre[axis]));
            return sum;
          };
          EXPECT_LE(beyond(plane), cutoff);
          EXPECT_GT(beyond(plane - 1.001e-3), cutoff);
        }
      }
    }
  }
}

TEST(OrbitalTerms, AreTheOrbitalAndStayBelowTheirBounds) {
  const Orbitals orbitals = random_orbitals(29, 1);
  const OrbitalTerms terms = orbital_terms(orbitals, 0);
  Random random(2);
  for (int n = 0; n < 200; ++n) {
    const glm::dvec3 p = random.in_box(-3, 3);
    double expected = 0;
    orbital_reference(orbitals, 0, {&p, 1}, {&expected, 1});
    ASSERT_NEAR(terms.at(units::angstrom_in_bohr * p), expected, 1e-10);
  }
  for (const OrbitalTerm& term : terms.terms) {
    OrbitalTerms alone;
    alone.terms = {term};
    alone.coefficients = terms.coefficients;
    const glm::dvec3 centre(term.centre[0], term.centre[1], term.centre[2]);
    for (int n = 0; n < 50; ++n) {
      const glm::dvec3 d = random.in_box(-2, 2) / std::sqrt(term.exponent);
      ASSERT_LE(std::abs(alone.at(centre + d)), terms.bound(term).beyond(glm::length(d)) * (1 + 1e-12));
    }
  }
}

TEST(ElectronDensity, OfOneOccupiedOrbitalIsItsSquareTimesTheOccupation) {
  Orbitals orbitals = random_orbitals(31, 2);
  orbitals.orbitals[1].occupation = 2;
  const std::vector<glm::dvec3> points{{0.1, 0.2, 0.3}, {1, -1, 0.5}};
  std::vector<double> psi(2);
  std::vector<double> rho(2);
  orbital_reference(orbitals, 1, points, psi);
  electron_density_reference(orbitals, points, rho);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(rho[i], 2 * psi[i] * psi[i], 1e-12 * rho[i]);
}

}  // namespace
}  // namespace isolume
