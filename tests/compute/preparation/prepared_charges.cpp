// Hydrogens and charges from the tables: choices, ends, what is left out, further frames.
#include "compute/preparation/prepared_charges.h"

#include <gtest/gtest.h>

#include <cmath>

#include "compute/preparation/carried_frames.h"
#include "formats/bytes/byte_source.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "tests/compute/preparation/bare_structure.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::bare;

TEST(PreparedCharges, KeepHydrogensThatFit) {
  const std::string path = test::data("charges/crambin_pdb2pqr.pqr.gz");
  const Molecule whole = read_file(path);
  const PreparedStructure prepared = prepare_charges(whole);
  EXPECT_EQ(prepared.added_hydrogens, 0u);
  EXPECT_EQ(prepared.kept_hydrogens, 315u);
  const Frame before = whole.trajectory->frame(0), after = prepared.molecule.trajectory->frame(0);
  for (std::size_t i = 0; i < prepared.source.size(); ++i) {
    ASSERT_GE(prepared.source[i], 0);
    EXPECT_EQ(after.positions[i], before.positions[static_cast<std::size_t>(prepared.source[i])]);
  }
}

TEST(PreparedCharges, FollowPhAndChoices) {
  const Molecule molecule = bare(test::data("charges/crambin_pdb2pqr.pqr.gz"));
  ChargeOptions acid;
  acid.ph = 2;  // GLU 23 and ASP 43 become neutral
  EXPECT_NEAR(prepare_charges(molecule, acid).charge, 2, 1e-4);
  ChargeOptions choice;
  choice.protonation = {{"A", 23, ' ', "GLH"}};
  EXPECT_NEAR(prepare_charges(molecule, choice).charge, 1, 1e-4);
  choice.protonation = {{"A", 23, ' ', "ASH"}};
  EXPECT_THROW(prepare_charges(molecule, choice), Error);
  choice.protonation = {{"A", 99, ' ', "GLH"}};
  EXPECT_THROW(prepare_charges(molecule, choice), Error);
}

TEST(PreparedCharges, HaveTheSameTotalInAllSets) {
  const Molecule molecule = bare(test::data("charges/crambin_pdb2pqr.pqr.gz"));
  for (const ChargeSet set : {ChargeSet::ff14sb, ChargeSet::charmm36, ChargeSet::parse}) {
    ChargeOptions options;
    options.set = set;
    const PreparedStructure prepared = prepare_charges(molecule, options);
    EXPECT_NEAR(prepared.charge, 0, 1e-4) << charge_set_name(set);
    EXPECT_TRUE(odd_charges(prepared).empty()) << charge_set_name(set);
    for (const Atom& atom : prepared.molecule.topology->atoms) EXPECT_LT(std::abs(atom.charge), 1.0f);
  }
}

TEST(PreparedCharges, HaveNeutralEndsWhereTheyAreWanted) {
  const Molecule molecule = bare(test::data("charges/crambin_pdb2pqr.pqr.gz"));
  for (const ChargeSet set : {ChargeSet::ff14sb, ChargeSet::charmm36, ChargeSet::parse}) {
    ChargeOptions options;
    options.set = set;
    options.neutral_ends = true;
    const PreparedStructure prepared = prepare_charges(molecule, options);
    EXPECT_NEAR(prepared.residues.front().charge, 0, 1e-4) << charge_set_name(set);
    EXPECT_NEAR(prepared.residues.back().charge, 0, 1e-4) << charge_set_name(set);
    EXPECT_NEAR(prepared.charge, 0, 1e-4) << charge_set_name(set);
    EXPECT_EQ(prepared.added_hydrogens, 315u);  // one less at the start, one more at the end
  }
}

/// The DNA dodecamer without its first residue, and with a third oxygen at the phosphorus that is now the first.
Molecule with_phosphate(bool third) {
  const Molecule whole = bare(test::data("charges/dna_pdb2pqr.pqr.gz"));
  const Topology& topology = *whole.topology;
  const Frame frame = whole.trajectory->frame(0);
  TopologyBuilder builder;
  Frame one;
  glm::vec3 before(0.0f);  // O3' of the first residue
  for (std::size_t i = 0; i < topology.atoms.size(); ++i) {
    const Atom& atom = topology.atoms[i];
    const Residue& residue = topology.residue_of(i);
    if (atom.residue == 0) {
      if (atom.name == "O3'") before = frame.positions[i];
      continue;
    }
    builder.add(atom, residue.name, residue.number, ' ', topology.chain_of(i).id);
    one.positions.push_back(frame.positions[i]);
    if (!third || atom.residue != 1 || atom.name != "P") continue;
    Atom oxygen = atom;
    oxygen.name = "OP3";
    oxygen.element = 8;
    builder.add(oxygen, residue.name, residue.number, ' ', topology.chain_of(i).id);
    one.positions.push_back(before);
  }
  Molecule result;
  result.topology = std::make_shared<const Topology>(builder.finish());
  result.trajectory = std::make_shared<const MemoryTrajectory>(std::vector<Frame>{one});
  return result;
}

/// Of HETATM or ATOM lines.
Molecule of_lines(const std::string& lines) {
  return read_source(ByteSource::from_bytes(lines + "END\n", "made.pdb"));
}

TEST(PreparedCharges, MakeAZwitterionOfAChainOfOneResidue) {
  const Molecule glycine = of_lines(
      "ATOM      1  N   GLY A   1       0.000   0.000   0.000  1.00  0.00           N\n"
      "ATOM      2  CA  GLY A   1       1.458   0.000   0.000  1.00  0.00           C\n"
      "ATOM      3  C   GLY A   1       2.009   1.420   0.000  1.00  0.00           C\n"
      "ATOM      4  O   GLY A   1       1.251   2.390   0.000  1.00  0.00           O\n"
      "ATOM      5  OXT GLY A   1       3.240   1.560   0.000  1.00  0.00           O\n");
  for (const ChargeSet set : {ChargeSet::ff14sb, ChargeSet::charmm36, ChargeSet::parse}) {
    ChargeOptions options;
    options.set = set;
    const PreparedStructure made = prepare_charges(glycine, options);
    EXPECT_NEAR(made.charge, 0, 1e-4) << charge_set_name(set);
    EXPECT_EQ(made.added_hydrogens, 5u);
    EXPECT_EQ(made.molecule.topology->atoms.size(), 10u);
    EXPECT_TRUE(odd_charges(made).empty());
    // Both oxygens of a carboxylate are the same, and those of the set's own end.
    const ChargedResidue& end = *charged_residue(set, "CGLY");
    for (const Atom& atom : made.molecule.topology->atoms) {
      if (atom.element != 8) continue;
      EXPECT_NEAR(static_cast<double>(atom.charge), end.atoms[end.find("OXT")].charge, 1e-5) << atom.name;
    }
  }
}

TEST(PreparedCharges, TakeAMetalWithOneUsualIonAsThat) {
  const std::string ions =
      "HETATM    1 AL    AL A   1       0.000   0.000   0.000  1.00  0.00          AL\n"
      "HETATM    2 GD    GD B   2      10.000   0.000   0.000  1.00  0.00          GD\n"
      "HETATM    3 ZN    ZN C   3      20.000   0.000   0.000  1.00  0.00          ZN\n"
      "HETATM    4 PT    PT D   4      30.000   0.000   0.000  1.00  0.00          PT\n"
      "HETATM    5 PT    PT E   5      40.000   0.000   0.000  1.00  0.00          PT2+\n";
  const PreparedStructure made = prepare_charges(of_lines(ions));
  EXPECT_NEAR(made.charge, 3 + 3 + 2 + 2, 1e-5);
  ASSERT_EQ(made.molecule.topology->atoms.size(), 4u);
  std::size_t left_out = 0;
  for (const ChargeIssue& issue : made.issues) {
    if (issue.kind != ChargeIssue::Kind::left_out) continue;
    ++left_out;
    EXPECT_EQ(issue.place, "PT 4 D");
    EXPECT_NE(issue.remedy.find("several charges"), std::string::npos);
  }
  EXPECT_EQ(left_out, 1u);
}

TEST(PreparedCharges, KeepAPhosphateAtTheFirstNucleotide) {
  for (const ChargeSet set : {ChargeSet::ff14sb, ChargeSet::charmm36}) {
    ChargeOptions options;
    options.set = set;
    // 21 bridging phosphates; the one at the end has -2, or -1 where an oxygen is missing.
    const PreparedStructure two = prepare_charges(with_phosphate(false), options);
    EXPECT_NEAR(two.charge, -22, 1e-3) << charge_set_name(set);
    const PreparedStructure three = prepare_charges(with_phosphate(true), options);
    EXPECT_NEAR(three.charge, -23, 1e-3) << charge_set_name(set);
    EXPECT_EQ(three.residues[0].why, "phosphate at the 5' end");
    EXPECT_TRUE(odd_charges(three).empty()) << odd_charges(three).front();
    for (const Atom& atom : three.molecule.topology->atoms) EXPECT_LT(std::abs(atom.charge), 1.7f) << atom.name;
    for (const ChargeIssue& issue : three.issues) EXPECT_NE(issue.kind, ChargeIssue::Kind::left_out) << issue.text;
  }
}

TEST(PreparedCharges, CarryHydrogensFromFrameToFrame) {
  const Molecule one = bare(test::data("charges/crambin_pdb2pqr.pqr.gz"));
  const Frame first = one.trajectory->frame(0);
  // The second frame is turned by a right angle about z and moved.
  const auto moved = [](glm::vec3 p) { return glm::vec3(-p.y + 7, p.x - 3, p.z + 11); };
  Frame second = first;
  for (glm::vec3& p : second.positions) p = moved(p);
  Molecule both = one;
  both.trajectory = std::make_shared<const MemoryTrajectory>(std::vector<Frame>{first, second});
  both.warnings = {"a frame was left out"};
  both.paths = {"two.pdb"};
  for (const std::size_t reference : {std::size_t{0}, std::size_t{1}}) {
    ChargeOptions options;
    options.frame = reference;
    const PreparedStructure prepared = prepare_charges(both, options);
    const Molecule all = with_all_frames(prepared, both, reference);
    ASSERT_EQ(all.frame_count(), 2u);
    EXPECT_EQ(all.atom_count(), 642u);
    EXPECT_EQ(all.warnings, both.warnings) << "what is computed over all frames asks for them";
    EXPECT_EQ(all.paths, both.paths);
    const Frame there = all.trajectory->frame(reference), made = prepared.molecule.trajectory->frame(0);
    const Frame a = all.trajectory->frame(0), b = all.trajectory->frame(1);
    for (std::size_t i = 0; i < a.positions.size(); ++i) {
      EXPECT_LT(glm::distance(there.positions[i], made.positions[i]), 1e-4f) << i;
      EXPECT_LT(glm::distance(moved(a.positions[i]), b.positions[i]), 1e-4f) << i;
    }
  }
}

struct Place {
  const char* atom;
  const char* residue;
  int number;
  std::uint8_t element;
  double x, y, z;
};

Molecule small(const std::vector<Place>& places) {
  TopologyBuilder builder;
  Frame frame;
  for (const Place& p : places) {
    Atom atom;
    atom.name = p.atom;
    atom.element = p.element;
    builder.add(atom, p.residue, p.number, ' ', "A");
    frame.positions.emplace_back(p.x, p.y, p.z);
  }
  Molecule molecule;
  molecule.topology = std::make_shared<const Topology>(builder.finish());
  molecule.trajectory = std::make_shared<const MemoryTrajectory>(std::vector<Frame>{frame});
  return molecule;
}

TEST(PreparedCharges, PointTheHydrogensOfWaterAtAcceptors) {
  // A water between two chlorides at right angles: one hydrogen to each of them as well as the angle allows.
  const PreparedStructure prepared = prepare_charges(
      small({{"O", "HOH", 1, 8, 0, 0, 0}, {"CL", "CL", 2, 17, 3.1, 0, 0}, {"CL", "CL", 3, 17, 0, 3.1, 0}}));
  EXPECT_NEAR(prepared.charge, -2, 1e-6);
  EXPECT_EQ(prepared.added_hydrogens, 2u);
  const Frame frame = prepared.molecule.trajectory->frame(0);
  EXPECT_NEAR(static_cast<double>(glm::length(frame.positions[1])), 0.96, 1e-3);
  EXPECT_NEAR(static_cast<double>(glm::length(frame.positions[2])), 0.96, 1e-3);
  double towards_x = 0, towards_y = 0;
  for (const std::size_t h : {std::size_t{1}, std::size_t{2}}) {
    towards_x = std::max(towards_x, static_cast<double>(frame.positions[h].x) / 0.96);
    towards_y = std::max(towards_y, static_cast<double>(frame.positions[h].y) / 0.96);
  }
  EXPECT_GT(towards_x, 0.9);
  EXPECT_GT(towards_y, 0.9);
}

TEST(PreparedCharges, KeepTheHydrogensOfWatersWithVirtualSites) {
  const PreparedStructure prepared = prepare_charges(small({{"OW", "SOL", 1, 8, 0, 0, 0},
                                                            {"HW1", "SOL", 1, 1, 0.96, 0, 0},
                                                            {"HW2", "SOL", 1, 1, -0.24, 0.93, 0},
                                                            {"MW", "SOL", 1, 0, 0.1, 0.12, 0}}));
  EXPECT_EQ(prepared.added_hydrogens, 0u);
  EXPECT_EQ(prepared.kept_hydrogens, 2u);
  EXPECT_EQ(prepared.source, (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_NEAR(prepared.charge, 0, 1e-6);
  ASSERT_EQ(prepared.issues.size(), 1u);
  EXPECT_NE(prepared.issues[0].text.find("1 virtual sites are left out"), std::string::npos) << prepared.issues[0].text;
}

TEST(PreparedCharges, NameWhatIsLeftOut) {
  const PreparedStructure prepared = prepare_charges(
      small({{"O", "HOH", 1, 8, 0, 0, 0}, {"C1", "XYZ", 2, 6, 9, 0, 0}, {"FE", "XYZ", 2, 26, 10.5, 0, 0}}));
  ASSERT_EQ(prepared.issues.size(), 1u);
  EXPECT_EQ(prepared.issues[0].kind, ChargeIssue::Kind::left_out);
  EXPECT_EQ(prepared.issues[0].place, "XYZ 2 A");
  EXPECT_EQ(prepared.issues[0].atoms, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_NE(prepared.issues[0].text.find("with a metal"), std::string::npos);
  EXPECT_NE(prepared.issues[0].remedy.find("MOL2"), std::string::npos);
  EXPECT_EQ(prepared.molecule.atom_count(), 3u);
}

TEST(PreparedCharges, NameMissingAndOverlappingAtoms) {
  // Serine without OG; its O twice.
  const PreparedStructure prepared = prepare_charges(small({{"N", "SER", 1, 7, -1.4, 0.3, 0.1},
                                                            {"CA", "SER", 1, 6, 0, 0, 0},
                                                            {"C", "SER", 1, 6, 0.7, 1.35, 0.05},
                                                            {"O", "SER", 1, 8, 0.1, 2.4, 0.1},
                                                            {"O", "SER", 1, 8, 0.1, 2.5, 0.1},
                                                            {"CB", "SER", 1, 6, 0.5, -0.8, 1.2}}));
  std::string all;
  for (const ChargeIssue& issue : prepared.issues) all += issue.place + " " + issue.text + "\n";
  EXPECT_NE(all.find("SER 1 A lacks OG"), std::string::npos) << all;
  EXPECT_NE(all.find("O is on top of O of SER 1 A"), std::string::npos) << all;
  EXPECT_FALSE(odd_charges(prepared).empty());
}

TEST(PreparedCharges, RefuseStructuresWithoutAnythingKnown) {
  EXPECT_THROW(prepare_charges(Molecule{}), Error);
  try {
    prepare_charges(small({{"C1", "XYZ", 2, 6, 9, 0, 0}}));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("none of the 1 residues (XYZ 2"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace isolume
