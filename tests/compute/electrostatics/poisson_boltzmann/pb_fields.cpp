// Maps of the reaction potential, the field and the ions' charge, and Gauss's law: an ion in an electrolyte.
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann_fields.h"

#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/electrostatics/poisson_boltzmann/pb_solution.h"

namespace isolume {
namespace {

using namespace test;
using PoissonBoltzmannFieldMaps = OnDevice;
ISOLUME_ON_EVERY_DEVICE(PoissonBoltzmannFieldMaps);

struct Maps {
  PoissonBoltzmannFields made;
  std::vector<float> potential, reaction, ions;
  std::array<std::vector<float>, 3> field;
};

Maps make_maps(Device device, const std::vector<ChargedSphere>& atoms, const Grid& grid,
               const PoissonBoltzmannOptions& options) {
  Maps maps;
  PoissonBoltzmannMapsOut out;
  const auto room = [&](std::vector<float>& map) {
    map.resize(grid.size());
    return std::span<float>(map);
  };
  out.potential = room(maps.potential);
  out.reaction = room(maps.reaction);
  out.ions = room(maps.ions);
  for (std::size_t axis = 0; axis < 3; ++axis) out.field[axis] = room(maps.field[axis]);
  Job job;
  maps.made = poisson_boltzmann_fields(atoms, grid, options, out, device, job);
  return maps;
}

/// An ion in the middle of a sphere, in an electrolyte that begins at `a`; kT/e and angstrom.
struct Ion {
  double radius = 3, a = 5, ei = 2, eo = 78.54, kappa = 0;

  double potential(double r) const {
    if (r < radius) return bjerrum / (ei * r) + inner();
    if (r < a) return bjerrum / eo * (1 / r - kappa / (1 + kappa * a));
    return bjerrum * std::exp(-kappa * (r - a)) / (eo * r * (1 + kappa * a));
  }
  double inner() const { return -bjerrum * ((1 / ei - 1 / eo) / radius + kappa / (eo * (1 + kappa * a))); }
  double reaction(double r) const { return r < radius ? inner() : potential(r) - bjerrum / (ei * r); }
  double field(double r) const {
    if (r < radius) return bjerrum / (ei * r * r);
    if (r < a) return bjerrum / (eo * r * r);
    return bjerrum * std::exp(-kappa * (r - a)) * (1 + kappa * r) / (eo * r * r * (1 + kappa * a));
  }
  /// e/angstrom^3
  double ions(double r) const { return r < a ? 0 : -eo * kappa * kappa * potential(r) / (4 * units::pi * bjerrum); }
  /// All charge in a box about the ion, e: Gauss's law, the field summed over the faces.
  double within(glm::dvec3 lower, glm::dvec3 upper) const {
    constexpr int n = 200;
    double flux = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const int p = (axis + 1) % 3, q = (axis + 2) % 3;
      for (const double face : {lower[axis], upper[axis]}) {
        for (int i = 0; i < n; ++i) {
          for (int j = 0; j < n; ++j) {
            glm::dvec3 at;
            at[axis] = face;
            at[p] = lower[p] + (upper[p] - lower[p]) * (i + 0.5) / n;
            at[q] = lower[q] + (upper[q] - lower[q]) * (j + 0.5) / n;
            const double r = glm::length(at);
            flux += field(r) * std::abs(face) / r * (upper[p] - lower[p]) * (upper[q] - lower[q]) / (n * n);
          }
        }
      }
    }
    return eo * flux / (4 * units::pi * bjerrum);
  }
};

TEST_P(PoissonBoltzmannFieldMaps, are_those_of_an_ion_in_an_electrolyte) {
  const PoissonBoltzmannOptions options = salt(0.15, 2);
  Ion ion;
  ion.kappa = options.inverse_debye_length();
  const glm::dvec3 centre(0.1, -0.2, 0.15);
  const std::vector<ChargedSphere> atoms{{glm::vec3(centre), 1, 3}};
  // No cube, and not of the solver's own counts.
  const Grid grid = make_grid({-12, -13, -11.5}, glm::dvec3(0.5), {51, 50, 47});
  const Maps maps = make_maps(GetParam(), atoms, grid, options);
  double reaction = 0, potential = 0, square = 0, values = 0;
  std::size_t outside = 0, fields = 0, clouds = 0;
  for (int k = 0; k < grid.counts.z; ++k) {
    for (int j = 0; j < grid.counts.y; ++j) {
      for (int i = 0; i < grid.counts.x; ++i) {
        const std::size_t at = grid.index(i, j, k);
        const glm::dvec3 away = grid.point(i, j, k) - centre;
        const double r = glm::length(away);
        const double found = static_cast<double>(maps.reaction[at]) / volts;
        if (r < ion.radius) {
          ASSERT_NEAR(found, ion.reaction(r), 1e-3 * std::abs(ion.inner())) << r;
        } else {
          reaction += std::pow(found - ion.reaction(r), 2);
          potential += std::pow(static_cast<double>(maps.potential[at]) / volts - ion.potential(r), 2);
          ++outside;
        }
        if (std::abs(r - ion.radius) > 0.6 && r > 0.5) {
          const glm::dvec3 exact = ion.field(r) * away / r;
          const glm::dvec3 field(static_cast<double>(maps.field[0][at]), static_cast<double>(maps.field[1][at]),
                                 static_cast<double>(maps.field[2][at]));
          const double apart = glm::distance(field / volts, exact);
          ASSERT_LT(apart, 0.04 * ion.field(r)) << r;
          if (r < ion.radius) continue;
          square += apart * apart;
          values += glm::dot(exact, exact);
          ++fields;
        }
        const double charge = static_cast<double>(maps.ions[at]);
        if (r < ion.a - 0.5) {
          ASSERT_EQ(charge, 0) << r;
        } else if (r > ion.a + 0.5) {
          ASSERT_NEAR(charge, ion.ions(r), 0.02 * std::abs(ion.ions(r))) << r;
          ++clouds;
        }
      }
    }
  }
  EXPECT_GT(outside, 90'000u);
  EXPECT_GT(fields, 90'000u);
  EXPECT_GT(clouds, 80'000u);
  const auto rms = [&](double sum) { return std::sqrt(sum / static_cast<double>(outside)); };
  EXPECT_LT(rms(potential), 0.003);
  // Where the potential is off the reaction potential is, and no more.
  EXPECT_NEAR(rms(reaction), rms(potential), 1e-3);
  EXPECT_LT(std::sqrt(square / values), 0.01);
  // The estimates are not far below what is wrong.
  EXPECT_GT(3 * maps.made.field.rms / volts, std::sqrt(square / static_cast<double>(fields)));
  EXPECT_GT(3 * maps.made.reaction.rms / volts, rms(reaction));
  EXPECT_GT(maps.made.ions.points, 10'000u);
  EXPECT_GT(maps.made.ions.rms, 0);

  // The box ends half a step within the grid's faces.
  const glm::dvec3 lower = grid.origin + 0.25 - centre, upper = grid.point(50, 49, 46) - 0.25 - centre;
  const double all = ion.within(lower, upper);
  EXPECT_GT(all, 0.2);
  EXPECT_LT(all, 0.8);  // or the ions were nothing, or all
  const PoissonBoltzmannCharges& charges = maps.made.charges;
  EXPECT_EQ(charges.solute, 1);
  EXPECT_NEAR(charges.ions, all - 1, 0.005);
  ASSERT_TRUE(charges.sum.has_value());
  EXPECT_NEAR(*charges.sum, all, 0.005);
  EXPECT_NEAR(*charges.sum, charges.ions + charges.solute, 0.003);
}

// In a large box the ions have the solute's charge with the other sign, whatever it is.
TEST_P(PoissonBoltzmannFieldMaps, hold_all_of_the_charge_in_a_large_box) {
  for (const bool nonlinear : {false, true}) {
    PoissonBoltzmannOptions options = salt(1, 1);  // 3.04 angstrom of Debye's length
    options.nonlinear = nonlinear;
    const std::vector<ChargedSphere> atoms{
        {{0, 0, 0}, 2, 2}, {{2.2f, 0.4f, 0}, 1.5f, 1.5f}, {{-1, 1.8f, 0.5f}, -0.5f, 1.7f}};
    const Maps maps = make_maps(GetParam(), atoms, cube(25, 0.5), options);
    EXPECT_NEAR(maps.made.charges.solute, 3, 1e-6);
    EXPECT_NEAR(maps.made.charges.ions, -3, 0.01 * 3) << nonlinear;
    ASSERT_TRUE(maps.made.charges.sum.has_value());
    EXPECT_NEAR(*maps.made.charges.sum, 0, 0.01) << nonlinear;
  }
}

TEST_P(PoissonBoltzmannFieldMaps, have_the_potential_of_the_solution) {
  PoissonBoltzmannOptions options = salt(0.15, 2);
  const std::vector<ChargedSphere> atoms{{{0, 0, 0}, 1, 2}, {{2.2f, 0.4f, 0}, -1, 1.5f}};
  const Grid grid = cube(8, 0.5);
  const Solution alone = solve_map(GetParam(), atoms, grid, options);
  const Maps maps = make_maps(GetParam(), atoms, grid, options);
  for (std::size_t i = 0; i < grid.size(); ++i)
    ASSERT_EQ(maps.potential[i] / static_cast<float>(volts), alone.map.values[i]);
  EXPECT_EQ(maps.made.solved.solvation_energy, alone.result.solvation_energy);
  // Only what is asked for is made, and the charges always.
  Job job;
  PoissonBoltzmannMapsOut out;
  const PoissonBoltzmannFields none = poisson_boltzmann_fields(atoms, grid, options, out, GetParam(), job);
  EXPECT_EQ(none.charges.ions, maps.made.charges.ions);
  EXPECT_EQ(none.field.points, 0u);
  // No flux is said of where a membrane or the solute reaches the faces.
  options.membrane = PoissonBoltzmannMembrane{};
  EXPECT_FALSE(poisson_boltzmann_fields(atoms, grid, options, out, GetParam(), job).charges.sum.has_value());
  options.membrane.reset();
  const Grid part = make_grid({-2, -4, -4}, glm::dvec3(0.5), {13, 17, 17});
  EXPECT_FALSE(poisson_boltzmann_fields(atoms, part, options, out, GetParam(), job).charges.sum.has_value());
  std::vector<float> wrong(7);
  out.reaction = wrong;
  EXPECT_THROW(poisson_boltzmann_fields(atoms, grid, options, out, GetParam(), job), Error);
}

}  // namespace
}  // namespace isolume
