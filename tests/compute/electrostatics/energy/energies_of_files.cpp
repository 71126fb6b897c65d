// Energies and forces of systems with reference values that other programs computed.
#include <gtest/gtest.h>

#include "compute/electrostatics/energy/energy_error.h"
#include "compute/electrostatics/ewald/spme.h"
#include "formats/read.h"
#include "molecule/force_field/force_field.h"
#include "tests/compute/electrostatics/energy_systems.h"
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

class EnergiesOfFiles : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(EnergiesOfFiles);

SpmeOptions fine(double cutoff) {
  SpmeOptions o;
  o.cutoff = cutoff;
  o.tolerance = 1e-6;
  o.order = 6;
  o.spacing = 0.6;
  return o;
}

TEST_P(EnergiesOfFiles, OfASilicaMeltByScafacos) {
  const std::string path = test::shared_data("reference/scafacos/p3_silica_melt_12960.xml.gz");
  ISOLUME_NEEDS(path);
  const Case c(path);
  const std::vector<glm::vec3> at(c.positions.begin(), c.positions.end());
  const auto got = test::evaluate(*spme_electrostatics(c.problem, fine(10), GetParam()), at);
  EXPECT_LE(test::force_error(got.forces, c.forces), 2e-5);
  EXPECT_NEAR(got.sums.energy(), c.energy, 2e-6 * std::abs(c.energy));
  // The error that the command measures is the same but for the sampling.
  Job job;
  const ForceError error = electrostatic_error(c.problem, at, got.forces, true, 30, job);
  EXPECT_LE(error.relative, 3e-5);
}

/// Frame 0 of a topology of AMBER with its coordinates; every pair of its exclusion list left out.
test::EnergySystem amber(const std::string& topology, const std::string& coordinates) {
  const auto molecules = read_files({topology, coordinates});
  test::EnergySystem s;
  const Frame frame = molecules.front().trajectory->frame(0);
  s.positions = frame.positions;
  const ForceField& field = *molecules.front().force_field;
  for (const double q : field.charges) s.problem.charges.push_back(static_cast<float>(q));
  PairExclusions x = force_field_exclusions(field);
  for (float& kept : x.kept) kept = 0;
  s.problem.exclusions = std::move(x);
  s.problem.cell = frame.cell;
  return s;
}

TEST_P(EnergiesOfFiles, OfAmbersSystemsByCpptraj) {
  struct Known {
    const char* topology;
    const char* coordinates;
    double energy;  // reference/cpptraj/{nacl,tz2o,tz2n}.dat.save (libPME), with C = 18.2223^2
    double tolerance;
  };
  for (const Known& k : {Known{"nacl/nacl.box.parm7", "nacl/nacl.box.rst7", -6584.7728, 2e-6},
                         Known{"tz2/tz2.ortho.parm7.gz", "tz2/tz2.ortho.nc", -19798.1987118544, 2e-6},
                         Known{"tz2/tz2.truncoct.parm7.gz", "tz2/tz2.truncoct.nc", -21563.6269297400, 2e-6}}) {
    const std::string topology = test::shared_data(std::string("trajectories/") + k.topology);
    ISOLUME_NEEDS(topology);
    SCOPED_TRACE(k.topology);
    const auto s = amber(topology, test::shared_data(std::string("trajectories/") + k.coordinates));
    const double least = std::min({s.problem.cell.lengths().x, s.problem.cell.lengths().y, s.problem.cell.lengths().z});
    SpmeOptions options = fine(least < 18 ? 5.6 : 9);
    if (least < 18) options.spacing = 0.4;
    const auto got = test::evaluate(*spme_electrostatics(s.problem, options, GetParam()), s.positions);
    const double expected = k.energy * coulomb / (18.2223 * 18.2223);
    EXPECT_NEAR(got.sums.energy(), expected, k.tolerance * std::abs(expected));
  }
}

TEST_P(EnergiesOfFiles, OfAProteinByApbs) {
  const std::string path = test::shared_data("structures/pqr/1ajj.pqr");
  ISOLUME_NEEDS(path);
  const Molecule m = read_file(path);
  ElectrostaticProblem p;
  for (const Atom& atom : m.topology->atoms) p.charges.push_back(atom.charge);
  const auto got = test::evaluate(*direct_electrostatics(p, GetParam()), m.trajectory->frame(0).positions);
  // reference/apbs_coulomb/1ajj.txt: kJ/mol, permittivity 1; APBS' constants have six digits.
  EXPECT_NEAR(got.sums.energy() * units::calorie_in_joule, -3.460644571e+04, 2e-5 * 3.46e4);
}

}  // namespace
}  // namespace isolume
