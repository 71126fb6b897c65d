// Ligands by their heavy atoms: hydrogens, formal and estimated charges, against what RDKit has for the same molecules.
#include "compute/preparation/ligand.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "compute/preparation/gasteiger.h"
#include "compute/preparation/prepared_charges.h"
#include "formats/read.h"
#include "molecule/bonds.h"
#include "molecule/elements.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

/// A molecule of tests/data/charges/ligands.txt.
struct Known {
  std::string name;
  int charge = 0;
  std::size_t hydrogens = 0;
  std::vector<LigandAtom> atoms;
  std::vector<int> own_hydrogens;
  std::vector<double> charges;  ///< with the hydrogens
};

std::vector<Known> known_molecules() {
  std::ifstream file(test::data("charges/ligands.txt"));
  std::vector<Known> all;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first == "molecule") {
      all.emplace_back();
      words >> all.back().name >> all.back().charge >> all.back().hydrogens;
    } else if (!all.empty()) {
      Known& known = all.back();
      LigandAtom atom;
      atom.element = element_from_symbol(first);
      int hydrogens = 0;
      double charge = 0;
      words >> atom.place.x >> atom.place.y >> atom.place.z >> hydrogens >> charge;
      known.atoms.push_back(atom);
      known.own_hydrogens.push_back(hydrogens);
      known.charges.push_back(charge);
    }
  }
  return all;
}

std::vector<LigandBond> bonds_of(const std::vector<LigandAtom>& atoms) {
  std::vector<LigandBond> bonds;
  for (std::uint32_t i = 0; i < atoms.size(); ++i) {
    for (std::uint32_t k = i + 1; k < atoms.size(); ++k) {
      const double reach =
          static_cast<double>(element(atoms[i].element).covalent_radius + element(atoms[k].element).covalent_radius);
      if (glm::distance(atoms[i].place, atoms[k].place) < reach + 0.45) bonds.push_back({i, k, 1});
    }
  }
  return bonds;
}

/// A structure of one residue, without hydrogens, charges and bond orders, with a water at some distance.
Molecule residue_of(const Known& known) {
  TopologyBuilder builder;
  Frame frame;
  std::map<std::uint8_t, int> count;
  for (const LigandAtom& from : known.atoms) {
    Atom atom;
    atom.element = from.element;
    atom.name = std::string(element(from.element).symbol) + std::to_string(++count[from.element]);
    atom.hetero = true;
    builder.add(atom, "LIG", 1, ' ', "A");
    frame.positions.emplace_back(from.place);
  }
  Atom oxygen;
  oxygen.name = "O";
  oxygen.element = 8;
  builder.add(oxygen, "HOH", 2, ' ', "A");
  frame.positions.emplace_back(40, 40, 40);
  Topology topology = builder.finish();
  topology.bonds = guess_bonds(topology, frame);
  Molecule molecule;
  molecule.topology = std::make_shared<const Topology>(std::move(topology));
  molecule.trajectory = std::make_shared<const MemoryTrajectory>(std::vector<Frame>{frame});
  return molecule;
}

TEST(Ligand, HasTheHydrogensAndTheChargeOfItsFormula) {
  const std::vector<Known> all = known_molecules();
  ASSERT_GT(all.size(), 60u);
  for (const Known& known : all) {
    const std::vector<LigandBond> bonds = bonds_of(known.atoms);
    const auto ligand = perceive_ligand(known.atoms, bonds, 7);
    ASSERT_TRUE(ligand) << known.name;
    EXPECT_EQ(ligand->charge, known.charge) << known.name;
    EXPECT_TRUE(ligand->doubtful.empty()) << known.name << " atom " << ligand->doubtful.front();
    for (std::size_t i = 0; i < known.atoms.size(); ++i) {
      EXPECT_EQ(ligand->atoms[i].hydrogens, known.own_hydrogens[i])
          << known.name << " atom " << i << " " << element(known.atoms[i].element).symbol;
    }
  }
}

TEST(Ligand, HasChargesNearThoseOfRdkit) {
  // The same method with other parameters for some hybridisations, and formal charges on one atom of a group there:
  // most atoms agree within 0.03 e.
  std::size_t atoms = 0, near = 0;
  double squares = 0;
  for (const Known& known : known_molecules()) {
    const PreparedStructure prepared = prepare_charges(residue_of(known));
    ASSERT_EQ(prepared.residues.size(), 2u);
    EXPECT_NEAR(prepared.residues[0].charge, known.charge, 1e-4) << known.name;
    EXPECT_EQ(prepared.residues[0].why, "estimated") << known.name;
    EXPECT_EQ(prepared.added_hydrogens, known.hydrogens + 2) << known.name;
    const Topology& topology = *prepared.molecule.topology;
    const Frame frame = prepared.molecule.trajectory->frame(0);
    std::vector<double> charges(known.atoms.size(), 0.0);
    for (std::uint32_t i = 0; i < topology.residues[0].atom_count; ++i) {
      if (topology.atoms[i].element != 1) {
        charges[i] += static_cast<double>(topology.atoms[i].charge);
        continue;
      }
      std::size_t carrier = 0;
      for (std::size_t k = 0; k < known.atoms.size(); ++k) {
        if (glm::distance(frame.positions[i], frame.positions[k]) <
            glm::distance(frame.positions[i], frame.positions[carrier])) {
          carrier = k;
        }
      }
      EXPECT_NEAR(static_cast<double>(glm::distance(frame.positions[i], frame.positions[carrier])), 1.05, 0.3);
      charges[carrier] += static_cast<double>(topology.atoms[i].charge);
    }
    for (std::size_t k = 0; k < charges.size(); ++k) {
      const double off = charges[k] - known.charges[k];
      ++atoms;
      near += std::abs(off) < 0.03;
      squares += off * off;
    }
  }
  const double rms = std::sqrt(squares / static_cast<double>(atoms));
  RecordProperty("rms", std::to_string(rms));
  RecordProperty("within", std::to_string(static_cast<double>(near) / static_cast<double>(atoms)));
  EXPECT_LT(rms, 0.08);
  EXPECT_GT(static_cast<double>(near), 0.8 * static_cast<double>(atoms)) << rms;
}

TEST(Ligand, TakesStatesByPh) {
  const auto charge = [](const char* name, double ph) {
    for (const Known& known : known_molecules()) {
      if (known.name == name) return perceive_ligand(known.atoms, bonds_of(known.atoms), ph)->charge;
    }
    return 99;
  };
  EXPECT_EQ(charge("acetate", 3), 0);
  EXPECT_EQ(charge("ATP", 5), -3);
  EXPECT_EQ(charge("ATP", 1), 0);
  EXPECT_EQ(charge("dopamine", 11), -2);
  EXPECT_EQ(charge("arginine", 14), -1);
  EXPECT_EQ(charge("choline", 14), 1);
}

TEST(Ligand, KnowsSmallAnions) {
  const auto charge = [](const std::vector<LigandAtom>& atoms) {
    const auto ligand = perceive_ligand(atoms, bonds_of(atoms), 7);
    int hydrogens = 0;
    for (const PerceivedAtom& atom : ligand->atoms) hydrogens += atom.hydrogens;
    return std::pair(ligand->charge, hydrogens);
  };
  using Charge = std::pair<int, int>;
  EXPECT_EQ(charge({{7, {-1.18, 0, 0}, false}, {7, {0, 0, 0}, false}, {7, {1.18, 0, 0}, false}}), Charge(-1, 0));
  EXPECT_EQ(charge({{16, {-1.65, 0, 0}, false}, {6, {0, 0, 0}, false}, {7, {1.17, 0, 0}, false}}), Charge(-1, 0));
  const double a = 1.49 / std::sqrt(3.0);
  EXPECT_EQ(charge({{16, {0, 0, 0}, false},
                    {8, {a, a, a}, false},
                    {8, {a, -a, -a}, false},
                    {8, {-a, a, -a}, false},
                    {8, {-a, -a, a}, false}}),
            Charge(-2, 0));
  EXPECT_EQ(charge({{15, {0, 0, 0}, false},
                    {8, {a, a, a}, false},
                    {8, {a, -a, -a}, false},
                    {8, {-a, a, -a}, false},
                    {8, {-a, -a, a}, false}}),
            Charge(-1, 2));
  EXPECT_EQ(charge({{7, {0, 0, 0}, false},
                    {8, {1.25, 0, 0}, false},
                    {8, {-0.625, 1.083, 0}, false},
                    {8, {-0.625, -1.083, 0}, false}}),
            Charge(-1, 0));
}

TEST(Ligand, KeepsTheBondsOfTheFile) {
  // Ethane's distance; the file says ethene.
  const std::vector<LigandAtom> atoms{{6, {0, 0, 0}, false}, {6, {1.53, 0, 0}, false}};
  EXPECT_EQ(perceive_ligand(atoms, std::vector<LigandBond>{{0, 1, 2}}, 7)->atoms[0].hydrogens, 2);
  EXPECT_EQ(perceive_ligand(atoms, std::vector<LigandBond>{{0, 1, 1}}, 7)->atoms[0].hydrogens, 3);
}

TEST(Ligand, CountsBondsToOtherResidues) {
  // A methyl on a sulfur of another residue.
  const std::vector<LigandAtom> atoms{{6, {0, 0, 0}, false}, {6, {1.53, 0, 0}, false}, {16, {2.1, 1.7, 0}, true}};
  const auto ligand = perceive_ligand(atoms, std::vector<LigandBond>{{0, 1, 1}, {1, 2, 1}}, 7);
  ASSERT_TRUE(ligand);
  EXPECT_EQ(ligand->atoms[0].hydrogens, 3);
  EXPECT_EQ(ligand->atoms[1].hydrogens, 2);
  EXPECT_EQ(ligand->atoms[2].hydrogens, 0);
}

TEST(Ligand, IsNotGuessedWithAMetal) {
  const std::vector<LigandAtom> atoms{{26, {0, 0, 0}, false}, {8, {1.8, 0, 0}, false}};
  EXPECT_FALSE(perceive_ligand(atoms, std::vector<LigandBond>{{0, 1, 1}}, 7));
}

TEST(LigandOfFiles, InHivProteaseHasTheFormulaOfItsEntry) {
  // FORMUL of 1HPV: C25 H35 N3 O6 S.
  const std::string path = test::shared_data("structures/1hpv.pdb");
  ISOLUME_NEEDS(path);
  const PreparedStructure prepared = prepare_charges(read_file(path));
  const Topology& topology = *prepared.molecule.topology;
  bool found = false;
  for (std::size_t r = 0; r < topology.residues.size(); ++r) {
    const Residue& residue = topology.residues[r];
    if (residue.name != "478") continue;
    found = true;
    EXPECT_NEAR(prepared.residues[r].charge, 0, 1e-4);
    std::map<std::uint8_t, int> formula;
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
      ++formula[topology.atoms[i].element];
    }
    EXPECT_EQ(formula, (std::map<std::uint8_t, int>{{1, 35}, {6, 25}, {7, 3}, {8, 6}, {16, 1}}));
  }
  EXPECT_TRUE(found);
  std::size_t estimated = 0;
  for (const ChargeIssue& issue : prepared.issues) {
    EXPECT_NE(issue.kind, ChargeIssue::Kind::left_out) << issue.place;
    estimated += issue.kind == ChargeIssue::Kind::estimated;
  }
  EXPECT_EQ(estimated, 1u);
  EXPECT_TRUE(odd_charges(prepared).empty());
}

}  // namespace
}  // namespace isolume
