// The potential of a density by a mesh: closed forms, and the exact sums of shells s to i and of molecules in files.
#include "compute/electron_density/mesh/density_mesh.h"

#include <gtest/gtest.h>

#include <cmath>

#include "compute/electron_density/density_potential.h"
#include "compute/electron_density/mesh/density_mesh_spline.h"
#include "compute/electron_density/mesh/site_harmonics.h"
#include "compute/orbitals/electron_density.h"
#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/orbitals/made_orbitals.h"

namespace isolume {
namespace {

std::vector<float> by_mesh(Device device, const DensityPotential& potential, const Grid& grid, double accuracy,
                           double exponent = 0, double factor = 1) {
  Job job;
  const DensityPotentialMesh mesh(potential.density(),
                                  plan_density_mesh(potential.density(), potential.centres(), potential.charges(), grid,
                                                    accuracy, exponent, job, device),
                                  job, device);
  return test::on_device<float>(device, grid.size(),
                                [&](Span<float> values) { mesh.on_grid(grid, factor, values, job); });
}

std::vector<glm::dvec3> points_in_bohr(const Grid& grid) {
  std::vector<glm::dvec3> points = test::grid_points(grid);
  for (glm::dvec3& point : points) point *= units::angstrom_in_bohr;
  return points;
}

/// Every value within `error`, and to single precision where it is large.
void expect_exact(const DensityPotential& potential, const Grid& grid, const std::vector<float>& values, double error,
                  double factor = 1) {
  Job job;
  const std::vector<glm::dvec3> points = points_in_bohr(grid);
  std::vector<double> expected(points.size());
  potential.at(points, expected, {}, job);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < points.size() && wrong < 5; ++i) {
    const double value = factor * expected[i];
    const double allowed = error + 2e-6 * std::abs(value);
    EXPECT_NEAR(values[i], value, allowed) << i << " at " << points[i].x << " " << points[i].y << " " << points[i].z;
    if (!(std::abs(values[i] - value) <= allowed)) ++wrong;
  }
}

// Splines of order n add up to 1, and have the second moment (n + 1) / 12 - that of the fraction's own points.
TEST(DensityMeshParts, SplinesReproducePolynomials) {
  for (const double fraction : {0.0, 0.25, 0.9}) {
    const SplineWeights w = spline_weights(fraction);
    double sum = 0, mean = 0, square = 0;
    for (int n = 0; n < spline_order; ++n) {
      const double x = spline_first(0) + n - fraction;
      sum += w[static_cast<std::size_t>(n)];
      mean += w[static_cast<std::size_t>(n)] * x;
      square += w[static_cast<std::size_t>(n)] * x * x;
    }
    EXPECT_NEAR(sum, 1, 1e-14);
    EXPECT_NEAR(mean, 0, 1e-13);
    EXPECT_NEAR(square, spline_order / 12.0, 1e-12);
  }
}

// Harmonics of powers are the same function: at any point the sum of r^(2n) Y_lm is the power itself.
TEST(DensityMeshParts, PowersAreSumsOfHarmonics) {
  test::Random random(3);
  for (int degree = 0; degree <= most_site_order; ++degree) {
    const std::vector<double> matrix = harmonics_of_powers(degree);
    const int size = (degree + 1) * (degree + 2) / 2;
    ASSERT_EQ(matrix.size(), static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
    const glm::dvec3 at = random.in_box(-1.2, 1.2);
    // Y_lm by their definition: Legendre polynomials by std, times the norm of Schmidt and the azimuth.
    const double r = glm::length(at), azimuth = std::atan2(at.y, at.x);
    std::vector<double> of_rows;
    for (int n = 0; 2 * n <= degree; ++n) {
      const int l = degree - 2 * n;
      for (int k = 0; k <= 2 * l; ++k) {
        const auto m = static_cast<unsigned>((k + 1) / 2);
        const double norm = std::sqrt((m > 0 ? 2 : 1) * std::tgamma(l - static_cast<int>(m) + 1) /
                                      std::tgamma(l + static_cast<int>(m) + 1));
        const double turn = k > 0 && k % 2 == 0 ? std::sin(m * azimuth) : std::cos(m * azimuth);
        of_rows.push_back(std::pow(r, degree) * norm * std::assoc_legendre(static_cast<unsigned>(l), m, at.z / r) *
                          turn);
      }
    }
    const std::vector<glm::ivec3> powers = hermite_powers(degree);
    for (int p = 0; p < size; ++p) {
      double sum = 0;
      for (int row = 0; row < size; ++row)
        sum += matrix[static_cast<std::size_t>(row * size + p)] * of_rows[static_cast<std::size_t>(row)];
      const glm::ivec3 power = powers[powers.size() - static_cast<std::size_t>(size - p)];
      EXPECT_NEAR(sum, std::pow(at.x, power.x) * std::pow(at.y, power.y) * std::pow(at.z, power.z), 1e-11)
          << degree << " " << p;
    }
  }
}

class DensityMesh : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(DensityMesh);

// The potential of n exp(-p r^2) (p / pi)^(3/2) and a nucleus is (Z - n erf(sqrt(p) r)) / r, sharp or smooth.
TEST_P(DensityMesh, OfOneGaussianIsAnErrorFunction) {
  const Grid grid = test::make_grid(glm::dvec3(-2.02, -1.97, -2.1), glm::dvec3(0.21, 0.19, 0.2), {21, 22, 20});
  const std::vector<glm::dvec3> points = points_in_bohr(grid);
  for (const double p : {0.3, 3.0, 40.0, 20000.0}) {
    for (const double nucleus : {0.0, 3.0}) {
      for (const double exponent : {0.0, 1.0, 5.0}) {
        SCOPED_TRACE(testing::Message() << p << " " << nucleus << " " << exponent);
        Job job;
        const DensityPotential potential(test::one_gaussian(p / 2, 2), std::vector<double>{2},
                                         std::vector<double>{nucleus}, job);
        const std::vector<float> values = by_mesh(GetParam(), potential, grid, 1e-6, exponent);
        for (std::size_t i = 0; i < points.size(); ++i) {
          const double r = glm::length(points[i]), expected = (nucleus - 2 * std::erf(std::sqrt(p) * r)) / r;
          ASSERT_NEAR(values[i], expected, 2e-6 + 1e-6 * 3 / r) << r;
        }
      }
    }
  }
}

// Shells s to i on three centres, on grids of any shape, with much on the mesh and with little.
TEST_P(DensityMesh, OfAllShellsIsTheExactSum) {
  Job job;
  const DensityPotential potential(test::orbitals_of_all_shells(), std::vector<double>{2, 1.5, 0.5, 0, 1},
                                   std::vector<double>{3, 1, 2}, job);
  for (const Grid& grid : {test::make_grid(glm::dvec3(-1.3), glm::dvec3(0.4, 0.3, 0.5), {7, 9, 5}),
                           test::make_skewed_grid(glm::dvec3(-2), 0.5, {3, 2, 4}),
                           test::make_grid(glm::dvec3(9, 1, 2), glm::dvec3(1), {2, 3, 1}),
                           test::make_grid(glm::dvec3(0.3, 0.2, 0.1), glm::dvec3(1), {1, 1, 1})}) {
    for (const double exponent : {0.0, 1.0, 4.5, 12.0}) {
      if (exponent > 0 && grid.size() < 24) continue;
      SCOPED_TRACE(testing::Message() << grid.size() << " points, exponent " << exponent);
      expect_exact(potential, grid, by_mesh(GetParam(), potential, grid, 1e-5, exponent, 2.5), 1e-4, 2.5);
    }
  }
}

class MeshOfFile : public testing::TestWithParam<std::tuple<Device, const char*>> {};
INSTANTIATE_TEST_SUITE_P(Molecules, MeshOfFile,
                         testing::Combine(testing::ValuesIn(test::devices_present()),
                                          testing::Values("hi_ecp", "no2_doublet", "water_dimer", "nh4_plus",
                                                          "formamide")));

TEST_P(MeshOfFile, IsTheExactSum) {
  const auto [device, name] = GetParam();
  const test::StoredMolecule stored(name);
  ISOLUME_NEEDS(stored.file);
  const auto orbitals = read_file(stored.file).orbitals.at(0);
  Job job;
  const DensityPotential potential(*orbitals, density_weights(*orbitals, DensityKind::electron),
                                   orbitals->nuclear_charges, job);
  glm::dvec3 lower(1e9), upper(-1e9);
  for (const glm::dvec3 centre : orbitals->centres) {
    lower = glm::min(lower, centre * units::bohr_in_angstrom - 2.0);
    upper = glm::max(upper, centre * units::bohr_in_angstrom + 2.0);
  }
  const Grid grid = Grid::covering(lower, upper, 0.37);
  expect_exact(potential, grid, by_mesh(device, potential, grid, 1e-5), 2e-5);
  // Without nuclei the potential is large everywhere, and errors are parts of it.
  const DensityPotential electrons(*orbitals, density_weights(*orbitals, DensityKind::electron), {}, job);
  expect_exact(electrons, grid, by_mesh(device, electrons, grid, 1e-5), 2e-5);
}

TEST_P(DensityMesh, FinerPlansHaveSmallerErrors) {
  const test::StoredMolecule stored("formamide");
  ISOLUME_NEEDS(stored.file);
  const auto orbitals = read_file(stored.file).orbitals.at(0);
  Job job;
  const DensityPotential potential(*orbitals, density_weights(*orbitals, DensityKind::electron),
                                   orbitals->nuclear_charges, job);
  const Grid grid = test::make_grid(glm::dvec3(-1.5), glm::dvec3(0.31), {10, 10, 10});
  const std::vector<glm::dvec3> points = points_in_bohr(grid);
  std::vector<double> exact(points.size());
  potential.at(points, exact, {}, job);
  std::vector<double> errors;
  for (const double accuracy : {1e-2, 1e-4, 1e-6}) {
    const std::vector<float> values = by_mesh(GetParam(), potential, grid, accuracy, 2);
    double squares = 0;
    for (std::size_t i = 0; i < values.size(); ++i) squares += std::pow(values[i] - exact[i], 2);
    errors.push_back(std::sqrt(squares / static_cast<double>(values.size())));
    EXPECT_LT(errors.back(), accuracy);
  }
  EXPECT_LT(errors[1], errors[0] / 5);
  EXPECT_LT(errors[2], errors[1]);
}

TEST_P(DensityMesh, TakesTheMemoryThatIsPredicted) {
  const Device device = GetParam();
  Job job;
  const DensityPotential potential(test::orbitals_of_all_shells(), std::vector<double>{2, 1.5, 0.5, 0, 1},
                                   std::vector<double>{3, 1, 2}, job);
  const Grid grid = test::make_grid(glm::dvec3(-1), glm::dvec3(0.1), {21, 22, 23});
  DensityMeshPlan plan =
      plan_density_mesh(potential.density(), potential.centres(), potential.charges(), grid, 1e-4, 2, job);
  const std::size_t predicted = plan.memory(device);
  DeviceArray<float> values(grid.size(), device, "test");
  const std::size_t before = allocated_memory(device);
  reset_peak_memory();
  {
    const DensityPotentialMesh mesh(potential.density(), std::move(plan), job, device);
    EXPECT_EQ(mesh.device(), device);
    mesh.on_grid(grid, 1, values.span(), job);
  }
  EXPECT_EQ(allocated_memory(device), before);
  EXPECT_GT(predicted, std::size_t{1} << 20);
  // The density's own copy on the device is counted by whoever has the density.
  EXPECT_LE(peak_memory(device) - before, predicted + potential.memory());
}

TEST_P(DensityMesh, RefusesOtherGridsAndStopsWhenCancelled) {
  const Device device = GetParam();
  Job job;
  const DensityPotential potential(test::orbitals_of_all_shells(), std::vector<double>{2, 1.5, 0.5, 0, 1},
                                   std::vector<double>{3, 1, 2}, job);
  const Grid grid = test::make_grid(glm::dvec3(-1), glm::dvec3(0.4), {6, 6, 6});
  const auto plan_of = [&](Job& of) {
    return plan_density_mesh(potential.density(), potential.centres(), potential.charges(), grid, 1e-4, 2, of);
  };
  const DensityPotentialMesh mesh(potential.density(), plan_of(job), job, device);
  const Grid larger = test::make_grid(glm::dvec3(-40), glm::dvec3(0.4), {6, 6, 6});
  DeviceArray<float> values(grid.size(), device, "test"), few(5, device, "test");
  EXPECT_THROW(mesh.on_grid(larger, 1, values.span(), job), Error);
  EXPECT_THROW(mesh.on_grid(grid, 1, few.span(), job), Error);
  if (device.is_cuda()) {
    std::vector<float> on_host(grid.size());
    EXPECT_THROW(mesh.on_grid(grid, 1, on_host, job), Error);
  }
  test::expect_cancelled(device, [&](Job& of) { DensityPotentialMesh(potential.density(), plan_of(job), of, device); });
  test::expect_cancelled(device, [&](Job& of) { mesh.on_grid(grid, 1, values.span(), of); });
  Job cancelled;
  cancelled.cancel();
  EXPECT_THROW(plan_of(cancelled), Error);
}

}  // namespace
}  // namespace isolume
