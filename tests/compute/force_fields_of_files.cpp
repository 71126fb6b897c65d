// Energies and forces of AMBER's systems, as OpenMM computes them.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "compute/dynamics/dynamics.h"
#include "compute/potential/spme.h"
#include "formats/read.h"
#include "tests/compute/energy_systems.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

class ForceFieldsOfFiles : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(ForceFieldsOfFiles);

struct Loaded {
  std::shared_ptr<ForceField> field;
  std::vector<glm::dvec3> positions;
  Cell cell;
};

Loaded load(const std::string& topology, const std::string& coordinates) {
  const auto molecules = read_files({topology, coordinates});
  const Frame frame = molecules.front().trajectory->frame(0);
  Loaded s{std::make_shared<ForceField>(*molecules.front().force_field), precise(frame.positions), frame.cell};
  // OpenMM's constant is CODATA's, not AMBER's.
  s.field->coulomb_constant = units::coulomb_kcal_angstrom;
  return s;
}

/// tests/bench/peers/dynamics_openmm.py wrote it.
nlohmann::json expected(const char* name) {
  return nlohmann::json::parse(std::ifstream(test::data(std::string("dynamics/") + name)));
}

void compare(MolecularForces& method, const Loaded& s, const nlohmann::json& known) {
  const auto at = DeviceArray<glm::dvec3>::from_host(s.positions, method.device());
  DeviceArray<glm::dvec3> out(s.positions.size(), method.device());
  Job job;
  method.evaluate(at.span(), out.span(), true, job);
  const MolecularEnergies e = method.energies();
  const auto& energies = known["energies"];
  const auto near = [&](double got, const char* name, double tolerance) {
    const double value = energies[name];
    EXPECT_NEAR(got, value, tolerance * std::abs(value)) << name;
  };
  near(e.bonds, "bonds", 2e-6);
  near(e.angles, "angles", 2e-6);
  near(e.dihedrals, "dihedrals", 2e-6);
  near(e.lennard_jones + e.lennard_jones_14, "lennard_jones", 5e-6);
  near(e.electrostatics, "electrostatics", 1e-5);
  const auto forces = out.copy_to_host();
  const std::size_t every = known["every"];
  std::vector<glm::dvec3> some, exact;
  for (std::size_t k = 0; k < known["forces"].size(); ++k) {
    const auto& f = known["forces"][k];
    exact.emplace_back(f[0].get<double>(), f[1].get<double>(), f[2].get<double>());
    some.push_back(forces[k * every]);
  }
  EXPECT_LE(test::force_error(some, exact), 2e-5);
}

constexpr LennardJonesOptions as_there{10, 8.5, 1.5};

TEST_P(ForceFieldsOfFiles, OfAProteinByOpenmm) {
  const std::string topology = test::shared_data("structures/t4l/complex.prmtop.gz");
  ISOLUME_NEEDS(topology);
  const Loaded s = load(topology, test::shared_data("structures/t4l/complex.crd"));
  const auto method = MolecularForces::create(
      s.field, direct_electrostatics(force_field_problem(*s.field, {}), GetParam()), {}, as_there);
  compare(*method, s, expected("t4l_openmm.json"));
}

TEST_P(ForceFieldsOfFiles, OfADipeptideInWaterByOpenmm) {
  const std::string topology = test::shared_data("structures/ala2/alanine-dipeptide.prmtop");
  ISOLUME_NEEDS(topology);
  const Loaded s = load(topology, test::shared_data("structures/ala2/alanine-dipeptide.crd"));
  ASSERT_TRUE(s.cell.exists());
  SpmeOptions fine;
  fine.cutoff = 10;
  fine.tolerance = 1e-7;
  fine.order = 6;
  fine.spacing = 0.5;
  const auto method = MolecularForces::create(
      s.field, spme_electrostatics(force_field_problem(*s.field, s.cell), fine, GetParam()), s.cell, as_there);
  compare(*method, s, expected("ala2_openmm.json"));
}

}  // namespace
}  // namespace isolume
