// Hydrogens and charges from the tables, against what pdb2pqr makes of the same structures.
#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <map>
#include <string_view>

#include "compute/preparation/prepared_charges.h"
#include "formats/bytes/byte_source.h"
#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/compute/preparation/bare_structure.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::bare;

/// One residue of a PQR of pdb2pqr.
struct Known {
  double charge = 0;
  std::string name;
  std::vector<std::pair<std::string, glm::dvec3>> hydrogens;
};

using Key = std::pair<std::string, int>;

double number(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  double value = 0;
  std::from_chars(text.data() + first, text.data() + text.size(), value);
  return value;
}

/// By columns: names of four letters touch each other there.
std::map<Key, Known> known_residues(const std::string& path) {
  const auto source = ByteSource::open(path);
  std::string_view text = source->text();
  std::map<Key, Known> all;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.starts_with("ATOM") || line.size() < 60) continue;
    Known& known = all[{std::string(line.substr(21, 1)), static_cast<int>(number(line.substr(22, 4)))}];
    known.charge += number(line.substr(54, 8));
    known.name = line.substr(17, 4);
    std::string name(line.substr(12, 4));
    std::erase(name, ' ');
    const glm::dvec3 place(number(line.substr(30, 8)), number(line.substr(38, 8)), number(line.substr(46, 8)));
    if (name[0] == 'H') known.hydrogens.emplace_back(name, place);
  }
  return all;
}

/// The hydrogens of each residue here and there, nearest to nearest: how many are farther than 0.3 angstrom, of those
/// that are fixed by the geometry and of those that turn about a bond or sit on water.
struct Comparison {
  std::size_t fixed = 0, fixed_far = 0, turning = 0, turning_far = 0, charges_differ = 0, hydrogens_differ = 0;
  double farthest = 0;
  std::string where;
};

bool turns(const Topology& topology, std::size_t hydrogen, const Frame& frame) {
  const Residue& residue = topology.residue_of(hydrogen);
  std::size_t carrier = hydrogen, hydrogens = 0, heavy = 0;
  double best = 1.6;
  const auto near = [&](std::size_t a, std::size_t b) { return glm::distance(frame.positions[a], frame.positions[b]); };
  for (std::size_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
    if (topology.atoms[i].element == 1 || near(i, hydrogen) > best) continue;
    best = near(i, hydrogen);
    carrier = i;
  }
  for (std::size_t i = 0; i < topology.atoms.size(); ++i) {
    if (i == carrier || near(i, carrier) > (topology.atoms[i].element == 1 ? 1.3 : 1.95)) continue;
    (topology.atoms[i].element == 1 ? hydrogens : heavy) += 1;
  }
  const bool planar = topology.atoms[carrier].element == 7 && hydrogens == 2 && topology.atoms[carrier].name != "NZ";
  return heavy == 1 && !planar;
}

Comparison compare(const PreparedStructure& prepared, const std::map<Key, Known>& known) {
  Comparison result;
  const Topology& topology = *prepared.molecule.topology;
  const Frame frame = prepared.molecule.trajectory->frame(0);
  for (std::size_t r = 0; r < topology.residues.size(); ++r) {
    const Residue& residue = topology.residues[r];
    const auto found = known.find({topology.chains[residue.chain].id, residue.number});
    if (found == known.end()) continue;
    if (std::abs(found->second.charge - prepared.residues[r].charge) > 0.011) {
      ++result.charges_differ;
      result.where += residue_place(topology, r) + " " + prepared.residues[r].state + " " + found->second.name + "; ";
    }
    std::size_t hydrogens = 0;
    for (std::size_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
      if (topology.atoms[i].element != 1) continue;
      ++hydrogens;
      double best = 1e9;
      for (const auto& [name, place] : found->second.hydrogens) {
        best = std::min(best, glm::distance(place, glm::dvec3(frame.positions[i])));
      }
      const bool turning = turns(topology, i, frame);
      for (const auto& [name, place] : found->second.hydrogens) {  // HB2 and HB3 are not one another
        if (!turning && name == topology.atoms[i].name) best = glm::distance(place, glm::dvec3(frame.positions[i]));
      }
      (turning ? result.turning : result.fixed) += 1;
      if (best <= 0.3) continue;
      (turning ? result.turning_far : result.fixed_far) += 1;
      if (!turning) result.where += residue_place(topology, r) + " " + topology.atoms[i].name + "; ";
      if (!turning) result.farthest = std::max(result.farthest, best);
    }
    if (hydrogens != found->second.hydrogens.size()) {
      ++result.hydrogens_differ;
      result.where += residue_place(topology, r) + " " + std::to_string(hydrogens) + " hydrogens for " +
                      std::to_string(found->second.hydrogens.size()) + "; ";
    }
  }
  return result;
}

TEST(PreparedCharges, OfCrambinAreThoseOfPdb2pqr) {
  const std::string path = test::data("charges/crambin_pdb2pqr.pqr.gz");
  const PreparedStructure prepared = prepare_charges(bare(path));
  const Comparison c = compare(prepared, known_residues(path));
  EXPECT_EQ(c.charges_differ, 0u) << c.where;
  EXPECT_EQ(c.hydrogens_differ, 0u) << c.where;
  EXPECT_EQ(c.fixed_far, 0u) << c.where;
  EXPECT_EQ(c.fixed + c.turning, 315u);
  EXPECT_NEAR(prepared.charge, 0, 1e-4);
  EXPECT_TRUE(prepared.issues.empty()) << prepared.issues.front().place << prepared.issues.front().text;
  EXPECT_TRUE(odd_charges(prepared).empty());
  // Six cysteines in three bridges.
  std::size_t bridged = 0;
  for (const PreparedResidue& residue : prepared.residues) bridged += residue.state == "CYX";
  EXPECT_EQ(bridged, 6u);
  EXPECT_EQ(prepared.residues.front().state, "NTHR");
  EXPECT_EQ(prepared.residues.back().state, "CASN");
}

/// In degrees at `at`.
double angle(glm::dvec3 a, glm::dvec3 at, glm::dvec3 b) {
  return std::acos(glm::dot(glm::normalize(a - at), glm::normalize(b - at))) * 180.0 / units::pi;
}

TEST(PreparedCharges, OfDnaAreThoseOfPdb2pqr) {
  const std::string path = test::data("charges/dna_pdb2pqr.pqr.gz");
  const PreparedStructure prepared = prepare_charges(bare(path));
  const Comparison c = compare(prepared, known_residues(path));
  EXPECT_EQ(c.charges_differ, 0u) << c.where;
  EXPECT_EQ(c.hydrogens_differ, 0u) << c.where;
  EXPECT_NEAR(prepared.charge, -22, 1e-4);
  EXPECT_TRUE(odd_charges(prepared).empty());
  // pdb2pqr warns that it does not rebuild hydrogens of nucleic acids from tetrahedra: at C2' it has angles of 82 and
  // 142 degrees. Those 48 alone are elsewhere; here they are tetrahedral.
  EXPECT_EQ(c.fixed_far, 48u) << c.where << c.farthest;
  const Topology& topology = *prepared.molecule.topology;
  const Frame frame = prepared.molecule.trajectory->frame(0);
  for (const Residue& residue : topology.residues) {
    std::map<std::string, glm::dvec3> at;
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
      at[topology.atoms[i].name] = glm::dvec3(frame.positions[i]);
    }
    for (const char* hydrogen : {"H2'", "H2''"}) {
      for (const char* carbon : {"C1'", "C3'"}) EXPECT_NEAR(angle(at[hydrogen], at["C2'"], at[carbon]), 110.5, 4.5);
    }
    // H2' is on the side of the base.
    const glm::dvec3 base = at.contains("N9") ? at["N9"] : at["N1"];
    EXPECT_LT(glm::distance(at["H2'"], base), glm::distance(at["H2''"], base));
  }
}

/// The structures of the large collection, as they come from the PDB. Those of 1BNA that are far are at C2' (see
/// above). The model of 4HHB (1984) has distorted angles, where the two programs share out the distortion differently
/// (median of HA 0.22 angstrom); and 13 of 38 neutral histidines, with heme and water or without, have the other
/// tautomer.
struct Case {
  const char* structure;
  const char* pqr;
  ChargeSet set;
  double charge;
  std::size_t most_far;
};

TEST(PreparedChargesOfFiles, AreThoseOfPdb2pqr) {
  const Case cases[] = {{"structures/1crn.pdb", "charges/1crn_amber_plain.pqr", ChargeSet::ff14sb, 0, 0},
                        {"structures/1crn.pdb", "charges/1crn_parse_plain.pqr", ChargeSet::parse, 0, 0},
                        {"structures/1crn.pdb", "charges/1crn_charmm_plain.pqr", ChargeSet::charmm36, 0, 0},
                        {"structures/1ubq.pdb.gz", "charges/1ubq_amber_plain.pqr", ChargeSet::ff14sb, 0, 0},
                        {"structures/1ubq.pdb.gz", "charges/1ubq_parse_plain.pqr", ChargeSet::parse, 0, 0},
                        {"structures/1ubq.pdb.gz", "charges/1ubq_charmm_plain.pqr", ChargeSet::charmm36, 0, 0},
                        {"structures/1bna.cif", "charges/1bna_amber_plain.pqr", ChargeSet::ff14sb, -22, 48},
                        {"structures/1bna.cif", "charges/1bna_charmm_plain.pqr", ChargeSet::charmm36, -22, 48},
                        {"structures/4hhb.pdb", "charges/4hhb_amber_plain.pqr.gz", ChargeSet::ff14sb, 2, 520},
                        {"structures/4hhb.pdb", "charges/4hhb_parse_plain.pqr.gz", ChargeSet::parse, 2, 520}};
  for (const Case& test : cases) {
    const std::string structure = test::shared_data(test.structure), pqr = test::shared_data(test.pqr);
    ISOLUME_NEEDS(structure);
    ISOLUME_NEEDS(pqr);
    ChargeOptions options;
    options.set = test.set;
    const PreparedStructure prepared = prepare_charges(read_file(structure), options);
    const std::map<Key, Known> known = known_residues(pqr);
    double charge = 0;  // of the residues that pdb2pqr has; it leaves out water and haem
    const Topology& topology = *prepared.molecule.topology;
    for (std::size_t r = 0; r < topology.residues.size(); ++r) {
      const Residue& residue = topology.residues[r];
      if (known.contains({topology.chains[residue.chain].id, residue.number})) charge += prepared.residues[r].charge;
    }
    EXPECT_NEAR(charge, test.charge, 1e-3) << test.pqr;
    const Comparison c = compare(prepared, known);
    EXPECT_EQ(c.charges_differ, 0u) << test.pqr << ": " << c.where;
    EXPECT_EQ(c.hydrogens_differ, 0u) << test.pqr << ": " << c.where;
    EXPECT_LE(c.fixed_far, test.most_far) << test.pqr << " of " << c.fixed << ": " << c.where;
  }
}

}  // namespace
}  // namespace isolume
