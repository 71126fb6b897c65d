// Side chains that are missing: built for all 20 amino acids, compared with the real ones that were taken away.
#include "compute/preparation/side_chains.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "compute/preparation/carried_frames.h"
#include "compute/preparation/prepared_charges.h"
#include "compute/preparation/side_chain_tables.h"
#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

const char* const amino_acids[] = {"ALA", "ARG", "ASN", "ASP", "CYS", "GLN", "GLU", "GLY", "HIS", "ILE",
                                   "LEU", "LYS", "MET", "PHE", "PRO", "SER", "THR", "TRP", "TYR", "VAL"};

using Places = std::map<std::string, glm::dvec3>;

/// The structure without the atoms that drop(atom) names and without hydrogens.
Molecule without(const Molecule& molecule, const std::function<bool(const Topology&, std::size_t)>& drop) {
  const Topology& topology = *molecule.topology;
  const Frame frame = molecule.trajectory->frame(0);
  TopologyBuilder builder;
  Frame one;
  for (std::size_t i = 0; i < topology.atoms.size(); ++i) {
    if (topology.atoms[i].element == 1 || drop(topology, i)) continue;
    Atom atom = topology.atoms[i];
    atom.charge = 0;
    const Residue& residue = topology.residue_of(i);
    builder.add(atom, residue.name, residue.number, residue.insertion, topology.chain_of(i).id);
    one.positions.push_back(frame.positions[i]);
  }
  Molecule result;
  result.topology = std::make_shared<const Topology>(builder.finish());
  result.trajectory = std::make_shared<const MemoryTrajectory>(std::vector<Frame>{one});
  return result;
}

bool is_backbone(const std::string& name) {
  return name == "N" || name == "CA" || name == "C" || name == "O" || name == "OXT";
}

/// Heavy atoms of a residue, by name; the order of the file is in `names`.
Places places_in(const Molecule& molecule, std::size_t residue, std::vector<std::string>& names) {
  const Topology& topology = *molecule.topology;
  const Frame frame = molecule.trajectory->frame(0);
  const Residue& r = topology.residues[residue];
  Places places;
  names.clear();
  for (std::uint32_t i = r.first_atom; i < r.first_atom + r.atom_count; ++i) {
    const Atom& atom = topology.atoms[i];
    if (atom.element == 1 || (atom.altloc != ' ' && atom.altloc != 'A')) continue;
    places[atom.name] = glm::dvec3(frame.positions[i]);
    names.push_back(atom.name);
  }
  return places;
}

double angle_at(glm::dvec3 a, glm::dvec3 at, glm::dvec3 b) {
  return std::acos(glm::dot(glm::normalize(a - at), glm::normalize(b - at))) * 180.0 / units::pi;
}

double torsion(glm::dvec3 a, glm::dvec3 b, glm::dvec3 c, glm::dvec3 d) {
  const glm::dvec3 x = glm::cross(b - a, c - b), y = glm::cross(c - b, d - c);
  return std::atan2(glm::dot(glm::cross(x, y), glm::normalize(c - b)), glm::dot(x, y)) * 180.0 / units::pi;
}

double volume(const Places& p, const char* centre, const char* a, const char* b, const char* c) {
  const glm::dvec3 o = p.at(centre);
  return glm::dot(glm::cross(p.at(a) - o, p.at(b) - o), p.at(c) - o);
}

/// Signed volumes of the centres of a residue that have a hand, and of those whose names have one.
std::vector<double> hands(const std::string& residue, const Places& p) {
  std::vector<double> all;
  if (residue != "GLY") all.push_back(volume(p, "CA", "N", "C", "CB"));
  if (residue == "ILE") all.push_back(volume(p, "CB", "CA", "CG1", "CG2"));
  if (residue == "THR") all.push_back(volume(p, "CB", "CA", "OG1", "CG2"));
  if (residue == "VAL") all.push_back(volume(p, "CB", "CA", "CG1", "CG2"));
  if (residue == "LEU") all.push_back(volume(p, "CG", "CB", "CD1", "CD2"));
  return all;
}

/// Bonds of the table's residue between heavy atoms.
std::vector<std::pair<std::string, std::string>> bonds_of(const std::string& residue) {
  const ChargedResidue& from = *charged_residue(ChargeSet::ff14sb, residue == "HIS" ? "HIE" : residue);
  std::vector<std::pair<std::string, std::string>> bonds;
  for (std::size_t i = 0; i < from.atoms.size(); ++i)
    for (const std::uint16_t k : from.atoms[i].neighbours)
      if (k > i && from.atoms[i].element != 1 && from.atoms[k].element != 1)
        bonds.emplace_back(from.atoms[i].name, from.atoms[k].name);
  return bonds;
}

std::vector<char> all_of(const Molecule& molecule) {
  return std::vector<char>(molecule.atom_count(), 1);
}

/// One residue of a main chain as in a helix: psi is -47 degrees, so that O is at a torsion of 133.
Molecule main_chain(const std::string& name) {
  TopologyBuilder builder;
  Frame frame;
  const std::tuple<const char*, std::uint8_t, glm::vec3> atoms[] = {{"N", 7, {-0.525f, 1.360f, 0.0f}},
                                                                    {"CA", 6, {0, 0, 0}},
                                                                    {"C", 6, {1.525f, 0, 0}},
                                                                    {"O", 8, {2.153f, -0.724f, 0.777f}}};
  for (const auto& [atom_name, element, place] : atoms) {
    Atom atom;
    atom.name = atom_name;
    atom.element = element;
    builder.add(atom, name, 1, ' ', "A");
    frame.positions.push_back(place);
  }
  Molecule molecule;
  molecule.topology = std::make_shared<const Topology>(builder.finish());
  molecule.trajectory = std::make_shared<const MemoryTrajectory>(std::vector<Frame>{frame});
  return molecule;
}

TEST(SideChains, HaveTheAtomsOfTheTablesOfCharges) {
  for (const std::string name : amino_acids) {
    const SideChain* ideal = ideal_side_chain(name);
    ASSERT_NE(ideal, nullptr) << name;
    std::set<std::string> here, there;
    for (const SideChainAtom& atom : ideal->atoms) here.insert(atom.name);
    for (const auto& atom : charged_residue(ChargeSet::ff14sb, name == "HIS" ? "HIE" : name)->atoms)
      if (atom.element != 1 && !is_backbone(atom.name)) there.insert(atom.name);
    EXPECT_EQ(here, there) << name;
    double percent = 0;
    for (const Rotamer& rotamer : ideal->rotamers) {
      EXPECT_EQ(rotamer.chi.size(), ideal->chis()) << name;
      percent += rotamer.percent;
    }
    // The rotamers of the library are four fifths of lysines and nearly all of most others.
    if (ideal->chis() > 0) {
      EXPECT_GT(percent, 75) << name;
      EXPECT_LT(percent, 103) << name;
    }
  }
  EXPECT_EQ(ideal_side_chain("HOH"), nullptr);
}

TEST(SideChains, OfAllAminoAcidsHaveIdealGeometry) {
  // Bonds that close rings, which no line of the table states but proline's (Engh and Huber).
  const std::map<std::string, std::tuple<std::string, std::string, double>> rings{{"PHE", {"CE2", "CZ", 1.369}},
                                                                                  {"TYR", {"CE2", "CZ", 1.381}},
                                                                                  {"HIS", {"CE1", "NE2", 1.333}},
                                                                                  {"TRP", {"NE1", "CE2", 1.371}},
                                                                                  {"PRO", {"CD", "N", 1.474}}};
  for (const std::string name : amino_acids) {
    const Molecule bare = main_chain(name);
    const CompletedSideChains made = build_side_chains(bare, 0, all_of(bare));
    if (name == "GLY") {
      EXPECT_TRUE(made.built.empty());
      continue;
    }
    ASSERT_EQ(made.built.size(), 1u) << name;
    EXPECT_EQ(made.built[0].clashes, 0u) << name;
    std::vector<std::string> names;
    const Places places = places_in(made.molecule, 0, names);
    const SideChain& ideal = *ideal_side_chain(name);
    std::vector<std::string> expected{"N", "CA", "C", "O"};
    for (const SideChainAtom& atom : ideal.atoms) expected.push_back(atom.name);
    EXPECT_EQ(names, expected);
    for (const SideChainAtom& atom : ideal.atoms) {
      const glm::dvec3 place = places.at(atom.name), parent = places.at(atom.parent);
      EXPECT_NEAR(glm::distance(place, parent), atom.bond, 1e-5) << name << " " << atom.name;
      EXPECT_NEAR(angle_at(place, parent, places.at(atom.next)), atom.angle, 1e-3) << name << " " << atom.name;
    }
    if (const auto ring = rings.find(name); ring != rings.end()) {
      const auto& [a, b, length] = ring->second;
      EXPECT_NEAR(glm::distance(places.at(a), places.at(b)), length, 0.03) << name;
    }
    // The hand of L-amino acids: seen from the hydrogen, CO, R and N are clockwise.
    EXPECT_GT(volume(places, "CA", "N", "C", "CB"), 0) << name;
    // The torsions are the rotamer's: the most frequent one has room here.
    if (ideal.chis() == 0) continue;
    const auto& most = *std::max_element(ideal.rotamers.begin(), ideal.rotamers.end(),
                                         [](const Rotamer& a, const Rotamer& b) { return a.percent < b.percent; });
    for (const SideChainAtom& atom : ideal.atoms) {
      if (atom.chi != 1 || atom.torsion != 0) continue;
      EXPECT_NEAR(torsion(places.at(atom.last), places.at(atom.next), places.at(atom.parent), places.at(atom.name)),
                  std::remainder(most.chi[0], 360.0), 1e-3)
          << name;
    }
  }
}

/// What became of residues that were taken away and built again.
struct Rebuilt {
  std::size_t residues = 0, clashing = 0, chi = 0, chi_right = 0;
  std::size_t compared = 0, apart = 0;  ///< bonds and angles, and those that differ from the file's
  std::set<std::string> kinds;
};

/// Takes each side chain away in turn, down to CB or with CB, and builds it.
void rebuild_each(const Molecule& whole, bool with_cb, Rebuilt& sum) {
  const Topology& topology = *whole.topology;
  for (std::size_t r = 0; r < topology.residues.size(); ++r) {
    const std::string& name = topology.residues[r].name;
    const SideChain* ideal = ideal_side_chain(name);
    if (!ideal || ideal->atoms.empty() || (!with_cb && name == "ALA")) continue;
    std::vector<std::string> names_before, names;
    const Places before = places_in(whole, r, names_before);
    const Molecule cut = without(whole, [&](const Topology& t, std::size_t i) {
      if (t.atoms[i].altloc != ' ' && t.atoms[i].altloc != 'A') return true;
      return t.atoms[i].residue == r && !is_backbone(t.atoms[i].name) && (with_cb || t.atoms[i].name != "CB");
    });
    const CompletedSideChains made = build_side_chains(cut, 0, all_of(cut));
    ASSERT_EQ(made.built.size(), 1u) << name << r;
    ASSERT_EQ(made.built[0].residue, r);
    const Places places = places_in(made.molecule, r, names);
    EXPECT_EQ(names, names_before) << name << topology.residues[r].number;
    for (const auto& [a, b] : bonds_of(name)) {
      const double is = glm::distance(places.at(a), places.at(b)), was = glm::distance(before.at(a), before.at(b));
      ++sum.compared;
      sum.apart += std::abs(is - was) > 0.09;
      for (const auto& [c, d] : bonds_of(name)) {  // angles at shared atoms
        const std::string& shared = a == c || a == d ? a : b;
        if ((a == c && b == d) || (shared != c && shared != d)) continue;
        const std::string &one = shared == a ? b : a, &other = shared == c ? d : c;
        ++sum.compared;
        sum.apart += std::abs(angle_at(places.at(one), places.at(shared), places.at(other)) -
                              angle_at(before.at(one), before.at(shared), before.at(other))) > 9;
      }
    }
    const std::vector<double> hand = hands(name, places), hand_before = hands(name, before);
    for (std::size_t k = 0; k < hand.size(); ++k)
      EXPECT_GT(hand[k] * hand_before[k], 0) << name << topology.residues[r].number << " centre " << k;
    ++sum.residues;
    sum.clashing += made.built[0].clashes > 0;
    sum.kinds.insert(name);
    if (ideal->chis() == 0 || name == "PRO") continue;
    const SideChainAtom& first = *std::find_if(ideal->atoms.begin(), ideal->atoms.end(),
                                               [](const SideChainAtom& a) { return a.chi == 1 && a.torsion == 0; });
    const auto chi1 = [&](const Places& p) {
      return torsion(p.at(first.last), p.at(first.next), p.at(first.parent), p.at(first.name));
    };
    ++sum.chi;
    sum.chi_right += std::abs(std::remainder(chi1(places) - chi1(before), 360.0)) < 40;
  }
}

TEST(SideChains, ComeBackWhereTheyWereTakenAway) {
  for (const char* file : {"structures/1ejg.pdb", "structures/1aki.pdb"}) {
    const std::string path = test::shared_data(file);
    ISOLUME_NEEDS(path);
    const Molecule whole = read_file(path);
    for (const bool with_cb : {false, true}) {
      Rebuilt sum;
      rebuild_each(whole, with_cb, sum);
      EXPECT_GT(sum.residues, 30u);
      // Some of the file's own are far from the ideal: CB-CG of PRO 22 in 1EJG has 1.65 angstrom, not 1.50.
      EXPECT_LT(100 * sum.apart, sum.compared);
      // By chance a third of chi1 would be right.
      EXPECT_GT(4 * sum.chi_right, 3 * sum.chi);
    }
  }
}

}  // namespace
}  // namespace isolume
