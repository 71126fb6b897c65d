// The potential of a density next to a surface, held against sums and closed forms.
#include "compute/electron_density/surface_potential.h"

#include <gtest/gtest.h>

#include <cmath>

#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/orbitals/made_orbitals.h"

namespace isolume {
namespace {

class SurfacePotentials : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(SurfacePotentials);

/// Distance from the origin, angstrom: its surfaces are spheres.
Volume distances(const Grid& grid) {
  Volume volume;
  volume.grid = grid;
  for (const glm::dvec3 point : test::grid_points(grid))
    volume.values.push_back(static_cast<float>(glm::length(point)));
  return volume;
}

// Two electrons of exp(-p r^2) around a nucleus of charge 3: (3 - 2 erf(sqrt(p) r)) / r.
TEST_P(SurfacePotentials, AreExactNextToTheSurfaceAndSayTheirError) {
  Job job;
  const double p = 1.6;
  const DensityPotential potential(test::one_gaussian(p / 2, 2), std::vector<double>{2}, std::vector<double>{3}, job);
  const auto exact = [&](double angstrom) {
    const double r = units::angstrom_in_bohr * angstrom;
    return (3 - 2 * std::erf(std::sqrt(p) * r)) / r;
  };
  const Volume shape = distances(test::make_grid(glm::dvec3(-2.03, -1.97, -2.01), glm::dvec3(0.1), {41, 40, 42}));
  const std::vector<double> levels{1.2};
  const SurfacePotential map = surface_potential(potential, shape, levels, 300, job, GetParam());
  ASSERT_EQ(map.values.size(), shape.grid.size());
  EXPECT_LT(map.exact, shape.grid.size() / 3);
  std::size_t near = 0;
  double far_error = 0;
  for (std::size_t i = 0; i < map.values.size(); ++i) {
    const double r = double{shape.values[i]}, error = std::abs(double{map.values[i]} - exact(r));
    if (std::abs(r - 1.2) < 0.05) {  // some cell of such a point is cut
      EXPECT_LT(error, 1e-6 * exact(r)) << r;
      ++near;
    }
    if (r > 0.8) far_error = std::max(far_error, error);
  }
  EXPECT_GT(near, 500u);
  EXPECT_GT(far_error, 1e-4);  // between coarse points it is not exact
  EXPECT_LT(far_error, 0.1);
  // Along an edge of length h the error of a linear function is h^2 / 8 times the second derivative, here of 1 / r.
  const double bound =
      std::pow(units::angstrom_in_bohr * 0.1, 2) / 8 * 2 * 1.05 / std::pow(units::angstrom_in_bohr * 1.15, 3);
  EXPECT_GT(map.checked, 200u);
  EXPECT_LE(map.checked, 300u);
  EXPECT_GT(map.rms, 0);
  EXPECT_LT(map.rms, bound);
  EXPECT_GE(map.largest, map.rms);
  EXPECT_LT(map.largest, 2 * bound);
}

TEST_P(SurfacePotentials, OfNoSurfaceAreCoarseAndRefuseWhatMakesNoSense) {
  Job job;
  const DensityPotential potential(test::one_gaussian(0.8, 2), std::vector<double>{2}, std::vector<double>{3}, job);
  Volume shape = distances(test::make_grid(glm::dvec3(-1), glm::dvec3(0.25), {8, 9, 10}));
  const std::vector<double> none{50}, two{0.7, 1.1};
  const SurfacePotential coarse = surface_potential(potential, shape, none, 100, job, GetParam());
  EXPECT_EQ(coarse.checked, 0u);
  EXPECT_EQ(coarse.exact, 4u * 4u * 4u);  // 0 3 6 7, 0 3 6 8, 0 3 6 9
  const SurfacePotential both = surface_potential(potential, shape, two, 100, job, GetParam());
  EXPECT_GT(both.exact, coarse.exact);
  EXPECT_GT(both.checked, 0u);
  shape.values.pop_back();
  EXPECT_THROW(surface_potential(potential, shape, two, 100, job, GetParam()), Error);
  shape.values.push_back(0);
  job.cancel();
  EXPECT_THROW(surface_potential(potential, shape, two, 100, job, GetParam()), Error);
}

}  // namespace
}  // namespace isolume
