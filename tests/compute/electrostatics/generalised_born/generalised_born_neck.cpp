// GB-neck2: radii, parameters and energies of another program, and what is refused.
#include <fstream>
#include <sstream>

#include "compute/binding/binding.h"
#include "compute/electrostatics/generalised_born/neck.h"
#include "compute/electrostatics/generalised_born/neck_parameters.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/elements.h"
#include "tests/compute/base/devices.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

/// A molecule of the file, with what OpenMM says of it.
struct Known {
  std::string name;
  std::vector<double> energies;  ///< kJ/mol, as in the file's heading
  std::vector<NeckParameters> parameters;
  std::vector<double> born_radii;
  TopologyBuilder builder;
  Topology topology;
  Frame frame;
};

std::vector<Known> known_molecules() {
  std::ifstream in(test::data("potential/neck2_openmm.txt"));
  std::vector<Known> all;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    if (line.starts_with("molecule ")) {
      Known& next = all.emplace_back();
      std::string word;
      words >> word >> next.name;
      for (double energy = 0; words >> energy;) next.energies.push_back(energy);
      continue;
    }
    std::string name, residue, chain, symbol;
    int number = 0;
    glm::dvec3 at;
    double charge = 0, radius = 0, scale = 0, alpha = 0, beta = 0, gamma = 0, born = 0;
    words >> name >> residue >> number >> chain >> symbol >> at.x >> at.y >> at.z >> charge >> radius >> scale >>
        alpha >> beta >> gamma >> born;
    Atom atom;
    atom.name = name;
    atom.element = element_from_symbol(symbol);
    atom.charge = static_cast<float>(charge);
    Known& last = all.back();
    last.builder.add(atom, residue, number, ' ', chain);
    last.frame.positions.emplace_back(at);
    last.parameters.push_back({static_cast<float>(radius), static_cast<float>(scale), glm::vec3(alpha, beta, gamma)});
    last.born_radii.push_back(born);
  }
  for (Known& molecule : all) {
    molecule.topology = molecule.builder.finish();
    molecule.topology.has_charges = true;
  }
  return all;
}

std::vector<NeckAtom> atoms_of(const Known& molecule, const std::vector<NeckParameters>& parameters) {
  std::vector<NeckAtom> atoms;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    atoms.push_back({molecule.frame.positions[i], molecule.topology.atoms[i].charge, parameters[i]});
  return atoms;
}

/// Permittivities and kappa in 1/angstrom.
GeneralisedBornOptions medium(double solute, double solvent, double kappa) {
  GeneralisedBornOptions o;
  o.solute_permittivity = solute;
  o.solvent_permittivity = solvent;
  o.ionic_strength = 0;
  if (kappa > 0) {
    o.ionic_strength = 0.1;
    o.screening_factor = 1;
    o.ionic_strength *= std::pow(kappa / o.inverse_debye_length(), 2);
  }
  return o;
}

double kilojoules(const std::vector<NeckAtom>& atoms, const GeneralisedBornOptions& options) {
  Job job;
  return generalised_born_neck(atoms, options, job).energy * units::calorie_in_joule;
}

TEST(GeneralisedBornNeck, gives_atoms_the_parameters_of_openmm) {
  const auto molecules = known_molecules();
  ASSERT_EQ(molecules.size(), 4u);
  for (const Known& molecule : molecules) {
    const auto found = neck_parameters(molecule.topology, molecule.frame);
    ASSERT_EQ(found.size(), molecule.parameters.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const NeckParameters& expected = molecule.parameters[i];
      const std::string at = molecule.name + " " + std::to_string(i) + " " + molecule.topology.atoms[i].name;
      EXPECT_NEAR(found[i].radius, expected.radius, 1e-5f) << at;
      EXPECT_NEAR(found[i].scale, expected.scale, 1e-5f) << at;
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[i].bend[k], expected.bend[k], 1e-6f) << at;
    }
  }
}

TEST(GeneralisedBornNeck, gives_the_energies_and_radii_of_openmm) {
  for (const Known& molecule : known_molecules()) {
    const auto atoms = atoms_of(molecule, neck_parameters(molecule.topology, molecule.frame));
    const GeneralisedBornOptions media[] = {medium(1, 78.5, 0), medium(1, 78.5, 0.1), medium(4, 78.5, 0.1)};
    for (std::size_t m = 0; m < std::size(media); ++m) {
      const double expected = molecule.energies.at(m);
      EXPECT_NEAR(kilojoules(atoms, media[m]), expected, 2e-5 * std::abs(expected)) << molecule.name << " " << m;
      const double plain = generalised_born_neck_reference(atoms, media[m]).energy * units::calorie_in_joule;
      EXPECT_NEAR(plain, expected, 2e-6 * std::abs(expected)) << molecule.name << " " << m;
    }
    Job job;
    const auto radii = generalised_born_neck(atoms, media[0], job).radii;
    for (std::size_t i = 0; i < radii.size(); ++i)
      EXPECT_NEAR(radii[i], molecule.born_radii[i], 5e-5 * molecule.born_radii[i]) << molecule.name << " " << i;
  }
}

TEST(GeneralisedBornNeck, binds_two_strands_as_openmm_says) {
  const auto molecules = known_molecules();
  const Known& dna = molecules.at(3);
  ASSERT_EQ(dna.energies.size(), 5u);
  std::vector<std::uint8_t> first, second;
  for (const Atom& atom : dna.topology.atoms) {
    const bool a = dna.topology.chains[dna.topology.residues[atom.residue].chain].id == "A";
    first.push_back(a ? 1 : 0);
    second.push_back(a ? 0 : 1);
  }
  BindingOptions options;
  options.polar = medium(1, 78.5, 0);
  options.neck = neck_parameters(dna.topology, dna.frame);
  Binding binding(dna.topology, nullptr, first, second, options, Device::cpu());
  Job job;
  const BindingFrame frame = binding.evaluate(dna.frame.positions, job);
  const double expected = dna.energies[0] - dna.energies[3] - dna.energies[4];
  EXPECT_NEAR(frame.sum.polar * units::calorie_in_joule, expected, 1e-4 * std::abs(expected));
}

TEST(GeneralisedBornNeck, has_necks_between_the_tables_entries) {
  // The entries of 1.5 and 1.55 angstrom about each other, from the published tables: rows 10 and 11.
  EXPECT_NEAR(neck_between(1.5, 1.5).distance, 3.29282, 1e-6);
  EXPECT_NEAR(neck_between(1.5, 1.55).distance, 3.33971, 1e-6);
  EXPECT_NEAR(neck_between(1.5, 1.525).distance, 0.5 * (3.29282 + 3.33971), 1e-6);
  EXPECT_NEAR(neck_between(1, 1).depth, 0.0381511, 1e-8);
  EXPECT_NEAR(neck_between(2, 2).depth, 0.0111863, 1e-8);
}

TEST(GeneralisedBornNeck, refuses_what_has_no_parameters) {
  TopologyBuilder builder;
  Atom atom;
  atom.name = "ZN";
  atom.element = 30;
  builder.add(atom, "ZN", 301, ' ', "A");
  const Topology zinc = builder.finish();
  Frame frame;
  frame.positions.emplace_back(0.0f);
  try {
    neck_parameters(zinc, frame);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no parameters for zinc (atom 1, ZN of ZN 301)"), std::string::npos)
        << error.what();
  }
  const std::uint8_t none[] = {0};
  EXPECT_EQ(neck_parameters(zinc, frame, none).size(), 1u);
  NeckParameters found;
  EXPECT_FALSE(find_neck_parameters(15, false, found));
  EXPECT_TRUE(find_neck_parameters(15, true, found));
  Job job;
  const auto energy_of = [&](float radius) {
    return generalised_born_neck(std::vector<NeckAtom>{{{0, 0, 0}, 1, {radius, 0.8f, {1, 0.8f, 4.85f}}}}, {}, job);
  };
  EXPECT_THROW(energy_of(0.8f), Error);
  EXPECT_THROW(energy_of(2.1f), Error);
  EXPECT_NEAR(energy_of(1.5f).radii[0], 1.5 - 0.195141, 1e-6);
}

}  // namespace
}  // namespace isolume
