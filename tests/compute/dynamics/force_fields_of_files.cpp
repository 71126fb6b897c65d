// Energies and forces of AMBER's and CHARMM's systems, as OpenMM computes them.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "compute/dynamics/dynamics.h"
#include "compute/electrostatics/ewald/spme.h"
#include "formats/read.h"
#include "tests/compute/electrostatics/energy_systems.h"
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

/// Every energy and all forces of the file, which must have forces unless `energies_alone`; where it has no impropers
/// and corrections, there must be none here. `cancelled`: the sum of the atoms' electrostatic energies without their
/// signs, where the energy is a small difference of them; each is good to single precision.
void compare(MolecularForces& method, const Loaded& s, const nlohmann::json& known, double of_pairs = 5e-6,
             bool energies_alone = false, double cancelled = 0) {
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
  if (energies.contains("impropers")) {
    near(e.impropers, "impropers", 2e-6);
    near(e.corrections, "corrections", 2e-6);
  } else {
    EXPECT_TRUE(s.field->impropers.empty() && s.field->corrections.empty());
    EXPECT_EQ(e.impropers, 0);
    EXPECT_EQ(e.corrections, 0);
  }
  near(e.lennard_jones + e.lennard_jones_14, "lennard_jones", of_pairs);
  const double electric = energies["electrostatics"];
  EXPECT_NEAR(e.electrostatics, electric, 1e-5 * std::abs(electric) + 0x1p-24 * cancelled);
  const auto forces = out.copy_to_host();
  ASSERT_EQ(known["atoms"], forces.size());
  ASSERT_EQ(known.contains("forces"), !energies_alone);
  if (energies_alone) return;
  const std::size_t every = known["every"];
  ASSERT_EQ(known["forces"].size(), (forces.size() + every - 1) / every);
  std::vector<glm::dvec3> some, exact;
  for (std::size_t k = 0; k < known["forces"].size(); ++k) {
    const auto& f = known["forces"][k];
    exact.emplace_back(f[0].get<double>(), f[1].get<double>(), f[2].get<double>());
    some.push_back(forces[k * every]);
  }
  EXPECT_LE(test::force_error(some, exact), 2e-5);
}

constexpr LennardJonesOptions as_there{10, 8.5, 1.5};

SpmeOptions fine_spme() {
  SpmeOptions fine;
  fine.cutoff = 10;
  fine.tolerance = 1e-7;
  fine.order = 6;
  fine.spacing = 0.5;
  return fine;
}

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
  const auto method = MolecularForces::create(
      s.field, spme_electrostatics(force_field_problem(*s.field, s.cell), fine_spme(), GetParam()), s.cell, as_there);
  compare(*method, s, expected("ala2_openmm.json"));
}

/// A PSF with parameters made up for tests (tests/bench/peers/charmm_parameters.py), whose energies
/// tests/bench/peers/charmm_openmm.py wrote.
Loaded load_charmm(const std::vector<std::string>& files, const glm::dvec3& box) {
  std::vector<std::string> all = {test::data("dynamics/made_up.prm")};
  for (const std::string& file : files) {
    all.push_back(file.ends_with(".rtf") ? test::data("dynamics/" + file) : test::shared_data("structures/" + file));
  }
  const auto molecules = read_files(all);
  const Frame frame = molecules.front().trajectory->frame(0);
  Loaded s{std::make_shared<ForceField>(*molecules.front().force_field), precise(frame.positions), {}};
  if (box.x > 0) s.cell.vectors = glm::dmat3(glm::dvec3(box.x, 0, 0), glm::dvec3(0, box.y, 0), glm::dvec3(0, 0, box.z));
  return s;
}

TEST_P(ForceFieldsOfFiles, OfACharmmProteinWithMapsByOpenmm) {
  ISOLUME_NEEDS(test::shared_data("structures/parv.psf"));
  const Loaded s = load_charmm({"parv.psf", "parv.pdb", "parv_numbers.rtf"}, {});
  EXPECT_EQ(s.field->corrections.size(), 107u);
  const auto method = MolecularForces::create(
      s.field, direct_electrostatics(force_field_problem(*s.field, {}), GetParam()), {}, as_there);
  double cancelled = 0;
  for (const double e : direct_energy_reference(force_field_problem(*s.field, {}), s.positions).energies) {
    cancelled += std::abs(e);
  }
  compare(*method, s, expected("parv_openmm.json"), 5e-6, false, cancelled);
}

TEST_P(ForceFieldsOfFiles, OfACharmmPeptideInWaterByOpenmm) {
  ISOLUME_NEEDS(test::shared_data("structures/ala3_solv.psf"));
  const Loaded s = load_charmm({"ala3_solv.psf", "ala3_solv.crd", "ala3_numbers.rtf"}, {32.71195, 32.99596, 33.00715});
  const auto method = MolecularForces::create(
      s.field, spme_electrostatics(force_field_problem(*s.field, s.cell), fine_spme(), GetParam()), s.cell, as_there);
  // Waters overlap in this file, where pairs in single precision have 1e-5 of their energy; in double they have it all.
  const auto known = expected("ala3_openmm.json");
  const MolecularEnergies exact = molecular_energy_reference(*s.field, s.cell, as_there, s.positions).energies;
  const double pairs = known["energies"]["lennard_jones"];
  EXPECT_NEAR(exact.lennard_jones + exact.lennard_jones_14, pairs, 1e-8 * pairs);
  compare(*method, s, known, 2e-5);
}

// Types by name, and no maps: on every device.
TEST_P(ForceFieldsOfFiles, OfACharmmProteinInWaterByOpenmm) {
  ISOLUME_NEEDS(test::shared_data("structures/charmm_dhfr/5dhfr_cube.psf.gz"));
  const Loaded s = load_charmm({"charmm_dhfr/5dhfr_cube.psf.gz", "charmm_dhfr/5dhfr_cube.pdb.gz"}, glm::dvec3(62.23));
  const auto method = MolecularForces::create(
      s.field, spme_electrostatics(force_field_problem(*s.field, s.cell), fine_spme(), GetParam()), s.cell, as_there);
  compare(*method, s, expected("dhfr_openmm.json"), 5e-6, true);
}

}  // namespace
}  // namespace isolume
