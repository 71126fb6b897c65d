// Energies and forces of systems with reference values that other programs computed.
#include <gtest/gtest.h>

#include "tests/compute/energy_systems.h"
#include "tests/support/data.h"
#include "tests/support/scafacos.h"

namespace isolume {
namespace {

constexpr double coulomb = units::coulomb_kcal_angstrom;

/// A case of ScaFaCoS as a problem, and its values in our units.
struct Case {
  ElectrostaticProblem problem;
  std::vector<glm::dvec3> positions, forces;
  double energy = 0;
  explicit Case(const std::string& path) {
    const test::ScafacosCase c = test::read_scafacos(path);
    problem.cell.vectors = c.box;
    positions = c.positions;
    for (std::size_t i = 0; i < c.charges.size(); ++i) {
      problem.charges.push_back(static_cast<float>(c.charges[i]));
      forces.push_back(coulomb * c.charges[i] * c.fields[i]);
      energy += coulomb / 2 * c.charges[i] * c.potentials[i];
    }
  }
};

TEST(ReferencesOfFiles, EwaldsSumIsThatOfScafacos) {
  for (const auto& [name, digits] : {std::pair{"p3_cloud_wall_300", 1e-11}, std::pair{"p3_triclinic_6", 1e-5},
                                     std::pair{"p3_triclinic_neutral_228", 1e-5}}) {
    const std::string path = test::shared_data(std::string("reference/scafacos/") + name + ".xml.gz");
    ISOLUME_NEEDS(path);
    SCOPED_TRACE(name);
    const Case c(path);
    const auto got = ewald_energy_reference(c.problem, c.positions);
    EXPECT_LE(test::force_error(got.forces, c.forces), digits);
    EXPECT_NEAR(got.sums.energy(), c.energy, digits * std::abs(c.energy));
  }
}

TEST(ReferencesOfFiles, TheDirectSumIsThatOfScafacos) {
  const std::string path = test::shared_data("reference/scafacos/nonperiodic_cloud_wall_300.xml.gz");
  ISOLUME_NEEDS(path);
  const Case c(path);
  const auto got = direct_energy_reference(c.problem, c.positions);
  EXPECT_LE(test::force_error(got.forces, c.forces), 1e-12);
  EXPECT_NEAR(got.sums.energy(), c.energy, 1e-12 * std::abs(c.energy));
}

}  // namespace
}  // namespace isolume
