// Writing XTC, mmCIF, MOL2 and velocities of GRO; what each format has no place for.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "formats/read.h"
#include "formats/write/frame_writer.h"
#include "formats/write/sybyl_types.h"
#include "formats/write/write.h"
#include "formats/write/xtc_encode.h"
#include "molecule/base/error.h"
#include "molecule/rigid_motion.h"
#include "tests/formats/write/fixture.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::bytes_of;
using test::shared_data;

class WriteStructures : public test::WrittenFiles {
 protected:
  /// Writes all frames; what the file has no place for.
  std::vector<std::string> write(const std::string& to, const Molecule& molecule, double step = usual_xtc_step) {
    const auto writer = create_writer(to, molecule, {}, step);
    for (std::size_t i = 0; i < molecule.frame_count(); ++i) writer->add(molecule.trajectory->frame(i));
    EXPECT_FALSE(std::filesystem::exists(to));
    writer->finish();
    return notes_of(*writer);
  }
};

std::string hex(const std::vector<std::byte>& bytes) {
  std::string text;
  for (const std::byte b : bytes) {
    for (const int shift : {4, 0}) text += "0123456789abcdef"[(std::to_integer<int>(b) >> shift) & 15];
  }
  return text;
}

TEST(XtcEncode, TwoAtomsAreTheBitsThatTheAlgorithmSays) {
  // By hand: the second atom whole, (1 * 3 + 2) * 4 + 3 = 23 in the 5 bits of 2 * 3 * 4; a run of one that keeps its
  // range, 1 00100; the first less the second plus 4, (3 * 8 + 2) * 8 + 1 = 209 in 8 bits, and the ninth.
  const std::vector<XtcPosition> positions = {{0, 0, 0}, {1, 2, 3}};
  std::vector<std::byte> bits;
  const XtcBlock block = encode_xtc(positions, bits);
  EXPECT_EQ(block.small_index, 9);
  EXPECT_EQ(block.high, (XtcPosition{1, 2, 3}));
  EXPECT_EQ(hex(bits), "bc9a20");
}

TEST(XtcEncode, PositionsOfEveryShapeComeBack) {
  std::mt19937 random(7);
  const auto number = [&](std::int32_t most) {
    return static_cast<std::int32_t>(random() % static_cast<unsigned>(most));
  };
  for (const std::int32_t range : {1, 7, 100, 5000, 300'000, 40'000'000, 2'000'000'000}) {
    for (const std::int32_t step : {1, 3, 40, 200, 3000, 90'000}) {
      std::vector<XtcPosition> positions;
      for (int molecule = 0; molecule < 60; ++molecule) {
        XtcPosition at{number(range), number(range), number(range)};
        for (int atom = 0; atom <= molecule % 13; ++atom) {
          positions.push_back(at);
          for (std::size_t k = 0; k < 3; ++k) at[k] = std::clamp(at[k] + number(2 * step) - step, 0, range);
        }
      }
      std::vector<std::byte> bits;
      XtcBlock block = encode_xtc(positions, bits);
      block.precision = 10;  // one step an angstrom
      std::vector<glm::vec3> back(positions.size());
      decode_xtc(block, back.size(), back);
      for (std::size_t i = 0; i < back.size(); ++i)
        for (int k = 0; k < 3; ++k)
          ASSERT_EQ(back[i][k], static_cast<float>(positions[i][static_cast<std::size_t>(k)]))
              << "range " << range << ", step " << step << ", atom " << i;
    }
  }
  std::vector<std::byte> bits;
  const std::vector<XtcPosition> far = {{-2'000'000'000, 0, 0}, {2'000'000'000, 0, 0}};
  EXPECT_THROW(encode_xtc(far, bits), Error);
}

TEST_F(WriteStructures, XtcOfGromacsComesBackInEveryDigitAndNoLarger) {
  struct Case {
    const char* file;
    double larger;  // than GROMACS's own
  };
  for (const auto& [file, larger] :
       {Case{"trajectories/cobrotoxin/cobrotoxin.xtc", 1.0}, Case{"trajectories/bithio/bithio.xtc", 1.0},
        Case{"trajectories/adk/adk_oplsaa.xtc", 1.0}}) {
    ISOLUME_NEEDS(shared_data(file));
    const Molecule given = read_file(shared_data(file));
    EXPECT_TRUE(write(path("a.xtc"), given).empty());
    const Molecule back = read_file(path("a.xtc"));
    ASSERT_EQ(back.frame_count(), given.frame_count());
    for (std::size_t f = 0; f < given.frame_count(); ++f) {
      const Frame a = given.trajectory->frame(f), b = back.trajectory->frame(f);
      ASSERT_EQ(a.positions, b.positions) << file << ", frame " << f;
      EXPECT_EQ(a.time, b.time);
      EXPECT_EQ(a.cell, b.cell);
    }
    EXPECT_LT(static_cast<double>(std::filesystem::file_size(path("a.xtc"))),
              larger * static_cast<double>(std::filesystem::file_size(shared_data(file))))
        << file;
    std::filesystem::remove(path("a.xtc"));
  }
}

/// Twelve atoms along a line, two frames.
Molecule line() {
  TopologyBuilder builder;
  Frame frame;
  for (int i = 0; i < 12; ++i) {
    Atom atom;
    atom.name = "C" + std::to_string(i);
    atom.element = 6;
    atom.charge = 0.25f;
    builder.add(atom, "LIG", 1, ' ', "B");
    frame.positions.emplace_back(1.23456f * static_cast<float>(i), -7.5f, 0.004f);
    frame.velocities.emplace_back(0.5f * static_cast<float>(i), -1.25f, 0);
  }
  builder.topology().has_charges = true;
  Molecule molecule;
  molecule.topology = std::make_shared<const Topology>(builder.finish());
  frame.cell = Cell::from_lengths_angles({30, 40, 50}, {80, 95, 120});
  std::vector<Frame> frames(2, frame);
  frames[1].cell = Cell::from_lengths_angles({31, 40, 50}, {80, 95, 120});
  frames[1].positions[3].y = 100;
  molecule.trajectory = std::make_shared<const MemoryTrajectory>(std::move(frames));
  return molecule;
}

TEST_F(WriteStructures, XtcRoundsToTheStepThatIsAsked) {
  const Molecule given = line();
  for (const double step : {0.01, 0.0001, 0.5}) {
    const std::vector<std::string> notes = write(path("a.xtc"), given, step);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_NE(notes[0].find("times of frames are not known"), std::string::npos);
    const Molecule back = read_file(path("a.xtc"));
    ASSERT_EQ(back.frame_count(), 2u);
    for (std::size_t f = 0; f < 2; ++f) {
      const Frame a = given.trajectory->frame(f), b = back.trajectory->frame(f);
      for (std::size_t i = 0; i < 12; ++i)
        for (int k = 0; k < 3; ++k) {
          EXPECT_NEAR(b.positions[i][k], a.positions[i][k], 0.5 * step + 1e-5);
          const double steps = static_cast<double>(b.positions[i][k]) / step;
          EXPECT_NEAR(steps, std::round(steps), 0.1) << "a whole number of steps";
        }
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(glm::length(a.cell.vectors[k] - b.cell.vectors[k]), 0, 1e-5);
    }
    std::filesystem::remove(path("a.xtc"));
  }
  EXPECT_THROW(create_writer(path("a.xtc"), given, {}, 0), Error);
  EXPECT_THROW(create_writer(path("a.xtc.gz"), given), Error);
  // Few atoms are not compressed: magic, atoms, step, time, nine of the cell, atoms, 3 floats each.
  const auto writer = create_writer(path("few.xtc"), given, {0, 1, 5});
  writer->add(given.trajectory->frame(0));
  writer->finish();
  EXPECT_EQ(std::filesystem::file_size(path("few.xtc")), 56u + 36u);
  EXPECT_EQ(read_file(path("few.xtc")).trajectory->frame(0).positions[2], given.trajectory->frame(0).positions[5]);
}

TEST_F(WriteStructures, XtcRefusesWhatItHasNoRoomFor) {
  const Molecule given = line();
  Frame frame = given.trajectory->frame(0);
  frame.positions[4].x = 3e6f;
  const auto writer = create_writer(path("a.xtc"), given, {}, 0.001);
  EXPECT_THROW(writer->add(frame), Error);
  EXPECT_EQ(files(), 0u) << "nothing is left";
}

/// A peptide of two residues with a disulfide-like bond, a ligand with a double bond, an ion, two waters.
Molecule mixture() {
  TopologyBuilder builder;
  Frame frame;
  const auto add = [&](const char* name, int z, const char* residue, int number, const char* chain, bool hetero,
                       char insertion = ' ', char altloc = ' ') {
    Atom atom;
    atom.name = name;
    atom.element = static_cast<std::uint8_t>(z);
    atom.hetero = hetero;
    atom.altloc = altloc;
    atom.occupancy = altloc == ' ' ? 1.0f : 0.5f;
    atom.b_factor = 12.25f;
    if (z == 30) atom.formal_charge = 2;
    builder.add(atom, residue, number, insertion, chain);
    frame.positions.emplace_back(1.5f * static_cast<float>(frame.positions.size()), -0.1234f, 1000.5f);
  };
  for (const char* name : {"N", "CA", "C", "O", "CB", "SG"})
    add(name, name[0] == 'S' ? 16 : name[0] == 'N' ? 7 : 6, "CYS", -2, "A", false);
  for (const char* name : {"N", "CA", "C", "O"}) add(name, name[0] == 'N' ? 7 : 6, "GLY", 7, "A", false, 'B');
  add("CB", 6, "CYS", 8, "A", false, ' ', 'A');
  add("CB", 6, "CYS", 8, "A", false, ' ', 'B');
  add("SG", 16, "CYS", 8, "A", false);
  add("C1", 6, "L 'G", 1, "A", true);
  add("O5'", 8, "L 'G", 1, "A", true);
  add("ZN", 30, "ZN", 2, "A", true);
  add("O", 8, "HOH", 3, "A", true);
  add("O", 8, "HOH", 4, "A", true);
  Topology& t = builder.topology();
  t.bonds = {{2, 6, 1}, {5, 12, 1}, {13, 14, 2}};
  t.has_bonds = true;
  t.residues[0].structure = t.residues[1].structure = SecondaryStructure::strand;
  t.residues[2].structure = SecondaryStructure::helix_3_10;
  t.has_structure = true;
  Molecule molecule;
  molecule.title = "it's a \"mixture\"";
  molecule.topology = std::make_shared<const Topology>(builder.finish());
  frame.cell = Cell::from_lengths_angles({30, 40, 50}, {80, 95, 120});
  std::vector<Frame> frames(2, frame);
  frames[1].positions[0].x = -5.5f;
  molecule.trajectory = std::make_shared<const MemoryTrajectory>(std::move(frames));
  return molecule;
}

TEST_F(WriteStructures, MmcifIsReadBackWithChainsBondsAndStructure) {
  const Molecule given = mixture();
  EXPECT_TRUE(write(path("a.cif"), given).empty());
  const Molecule back = read_file(path("a.cif"));
  EXPECT_EQ(back.title, given.title);
  ASSERT_EQ(back.atom_count(), given.atom_count());
  ASSERT_EQ(back.frame_count(), 2u);
  const Topology &a = *given.topology, &b = *back.topology;
  for (std::size_t i = 0; i < a.atoms.size(); ++i) {
    EXPECT_EQ(b.atoms[i].name, a.atoms[i].name);
    EXPECT_EQ(b.atoms[i].element, a.atoms[i].element);
    EXPECT_EQ(b.atoms[i].altloc, a.atoms[i].altloc);
    EXPECT_EQ(b.atoms[i].hetero, a.atoms[i].hetero);
    EXPECT_EQ(b.atoms[i].formal_charge, a.atoms[i].formal_charge);
    EXPECT_FLOAT_EQ(b.atoms[i].occupancy, a.atoms[i].occupancy);
    EXPECT_FLOAT_EQ(b.atoms[i].b_factor, a.atoms[i].b_factor);
    EXPECT_EQ(b.residue_of(i).name, a.residue_of(i).name);
    EXPECT_EQ(b.residue_of(i).number, a.residue_of(i).number);
    EXPECT_EQ(b.residue_of(i).insertion, a.residue_of(i).insertion);
    EXPECT_EQ(b.chain_of(i).id, "A");
    for (std::size_t f = 0; f < 2; ++f)
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(back.trajectory->frame(f).positions[i][k], given.trajectory->frame(f).positions[i][k], 6e-5);
  }
  for (const Bond& bond : {Bond{5, 12, 1}, Bond{13, 14, 2}})
    EXPECT_NE(std::find(b.bonds.begin(), b.bonds.end(), bond), b.bonds.end()) << bond.a << "-" << bond.b;
  EXPECT_EQ(b.residues[0].structure, SecondaryStructure::strand);
  EXPECT_EQ(b.residues[1].structure, SecondaryStructure::strand);
  EXPECT_EQ(b.residues[2].structure, SecondaryStructure::helix_3_10);
  EXPECT_NEAR(back.trajectory->frame(0).cell.volume(), given.trajectory->frame(0).cell.volume(), 0.05);
  // Labels: the peptide, the ligand, the ion, both waters.
  ASSERT_EQ(b.chains.size(), 4u);
  const std::string text = bytes_of(path("a.cif"));
  for (const char* const part :
       {"\n1 polymer ?\n2 non-polymer \"L 'G\"\n3 non-polymer ZN\n4 water water\n", "\n1 polypeptide(L) A\n",
        "\nA 1\nB 2\nC 3\nD 4\n", "\ndisulf1 disulf A CYS 1 SG ? ? A CYS -2 1_555 A CYS 3 SG ? ? A CYS 8 1_555 sing\n",
        "\n\"L 'G\" C1 \"O5'\" DOUB N\n", "_symmetry.space_group_name_H-M 'P 1'\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
}

/// The line with the cell.
std::string cryst1_of(const std::string& text) {
  const std::size_t at = text.find("CRYST1");
  return at == std::string::npos ? std::string() : text.substr(at, text.find('\n', at) - at);
}

// The expected lines are those of the files that are read; the numbers are those of the International Tables.
TEST_F(WriteStructures, TheSpaceGroupStaysWithTheAsymmetricUnit) {
  const std::string atom = "ATOM      1  CA  ALA A   1       1.000   2.000   3.000  1.00 10.00           C\n";
  const auto read = [&](const std::string& line) {
    return read_source(ByteSource::from_bytes(line + "\n" + atom, "a.pdb"));
  };
  const auto written = [&](const Molecule& molecule, const char* name) {
    write(path(name), molecule);
    return bytes_of(path(name));
  };
  const std::string crambin = "CRYST1   40.824   18.498   22.371  90.00  90.47  90.00 P 1 21 1      2";
  const std::string lysozyme = "CRYST1   59.062   68.451   30.517  90.00  90.00  90.00 P 21 21 21    4";
  const std::string box = "CRYST1   59.062   68.451   30.517  90.00  90.00  90.00 P 1           1";
  const std::string rhombohedral = "CRYST1   80.000   80.000   60.000  90.00  90.00 120.00 H 3           9";
  int number = 0;
  for (const std::string& line : {crambin, lysozyme, box, rhombohedral})
    EXPECT_EQ(cryst1_of(written(read(line), (std::to_string(++number) + ".pdb").c_str())), line);
  const std::string cif = written(read(lysozyme), "a.cif");
  for (const char* part :
       {"_cell.Z_PDB 4\n", "_symmetry.space_group_name_H-M 'P 21 21 21'\n", "_symmetry.Int_Tables_number 19\n"})
    EXPECT_NE(cif.find(part), std::string::npos) << part << cif;
  EXPECT_EQ(cryst1_of(written(read_file(path("a.cif")), "b.pdb")), lysozyme) << "through mmCIF";
  // What is not the asymmetric unit of this cell any more is P 1.
  const Molecule given = read(lysozyme);
  RigidMotion shift, turn;
  shift.translation = {1.5, 0, 0};
  turn.rotation = glm::angleAxis(0.3, glm::dvec3(0, 0, 1));
  EXPECT_EQ(cryst1_of(written(moved(given, shift), "c.pdb")), box);
  EXPECT_EQ(cryst1_of(written(moved(given, turn), "d.pdb")), box);
  Frame larger = given.trajectory->frame(0);
  larger.cell.vectors[0] *= 1.01;
  const auto writer = create_writer(path("e.pdb"), given);
  writer->add(larger);
  writer->finish();
  EXPECT_NE(bytes_of(path("e.pdb")).find(" P 1           1\n"), std::string::npos)
      << "half of one axis is not half of another";
}

TEST_F(WriteStructures, MmcifSaysWhatItLeavesOut) {
  const std::vector<std::string> notes = write(path("a.cif"), line());
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0], "mmCIF has one cell, that of the first frame; 1 frames had another.");
}

/// Bonds but those of iron, whose coordination struct_conn names and readers leave to distances.
std::vector<Bond> covalent(const Topology& topology) {
  std::vector<Bond> bonds = topology.bonds;
  std::erase_if(bonds, [&](const Bond& bond) {
    return topology.atoms[bond.a].element == 26 || topology.atoms[bond.b].element == 26;
  });
  return bonds;
}

TEST_F(WriteStructures, MmcifOfTheArchiveComesBack) {
  for (const char* file : {"structures/7gsa.cif", "structures/1v5a-3models.cif", "structures/4hhb.pdb"}) {
    ISOLUME_NEEDS(shared_data(file));
    const Molecule given = read_file(shared_data(file));
    write(path("a.cif"), given);
    const Molecule back = read_file(path("a.cif"));
    ASSERT_EQ(back.atom_count(), given.atom_count()) << file;
    ASSERT_EQ(back.frame_count(), given.frame_count());
    EXPECT_EQ(covalent(*back.topology), covalent(*given.topology)) << file;
    std::size_t others = 0;
    for (std::size_t i = 0; i < back.atom_count(); ++i) {
      const Residue &a = given.topology->residue_of(i), &b = back.topology->residue_of(i);
      others += a.name != b.name || a.number != b.number || a.structure != b.structure ||
                given.topology->chain_of(i).id != back.topology->chain_of(i).id;
    }
    EXPECT_EQ(others, 0u) << file;
    EXPECT_EQ(back.topology->displacements.empty(), given.topology->displacements.empty());
    std::filesystem::remove(path("a.cif"));
  }
}

TEST_F(WriteStructures, Mol2KeepsTypesChargesAndOrders) {
  const Molecule given = read_file(test::data("formats/sample.mol2"));
  write(path("a.mol2"), given);
  const Molecule back = read_file(path("a.mol2"));
  ASSERT_EQ(back.atom_count(), 3u);
  EXPECT_EQ(back.frame_count(), given.frame_count());
  EXPECT_EQ(back.topology->bonds, given.topology->bonds);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(back.topology->atoms[i].type, given.topology->atoms[i].type);
    EXPECT_FLOAT_EQ(back.topology->atoms[i].charge, given.topology->atoms[i].charge);
    EXPECT_EQ(back.topology->residue_of(i).name, "LIG");
    EXPECT_NEAR(back.trajectory->frame(1).positions[i].x, given.trajectory->frame(1).positions[i].x, 1e-4);
  }
  EXPECT_NEAR(back.trajectory->frame(0).cell.lengths().y, 11, 1e-4);
  EXPECT_NE(bytes_of(path("a.mol2")).find("     2      1      3 am\n"), std::string::npos);
}

TEST_F(WriteStructures, Mol2TypesFollowFromOrdersAndFromShape) {
  // Types by the files' own programs (Open Babel, SYBYL).
  for (const char* file : {"structures/caffeine.mol2", "structures/adrenalin.mol2"}) {
    ISOLUME_NEEDS(shared_data(file));
    const Molecule given = read_file(shared_data(file));
    for (const bool orders : {true, false}) {
      Topology bare = *given.topology;
      bare.atoms.change_kinds([](Atom& kind) { kind.type = Name(); });
      if (!orders)
        for (Bond& bond : bare.bonds) bond.order = 1;
      const SybylTypes types = sybyl_types(bare, given.trajectory->frame(0));
      for (std::size_t i = 0; i < bare.atoms.size(); ++i) {
        std::string expected = given.topology->atoms[i].type;
        if (!orders && expected == "C.ar") expected = "C.2";  // aromatic rings are known by their bonds
        EXPECT_EQ(types.atoms[i], expected) << file << ", atom " << i + 1 << (orders ? "" : ", by its shape");
      }
    }
  }
}

TEST_F(WriteStructures, GroKeepsVelocities) {
  const Molecule given = line();
  write(path("a.gro"), given);
  const Frame back = read_file(path("a.gro")).trajectory->frame(0);
  ASSERT_EQ(back.velocities.size(), 12u);
  for (std::size_t i = 0; i < 12; ++i)
    EXPECT_NEAR(back.velocities[i].x, 0.5f * static_cast<float>(i), 6e-4f) << "four decimals of nm/ps";
}

TEST_F(WriteStructures, WhatAFormatHasNoPlaceForIsNamed) {
  const Molecule given = line();
  const Frame frame = given.trajectory->frame(0);
  EXPECT_EQ(not_kept("a.gro", given, frame), "GRO has no place for chains and charges.");
  EXPECT_EQ(not_kept("a.PDB.gz", given, frame), "PDB has no place for charges and velocities.");
  EXPECT_EQ(not_kept("a.xtc", given, frame),
            "XTC has no place for names of atoms and residues, chains, charges and velocities.");
  EXPECT_EQ(not_kept("a.mol2", given, frame), "MOL2 has no place for velocities.");
  EXPECT_EQ(not_kept("a.cif", mixture(), mixture().trajectory->frame(0)), "");
  Frame turned = frame;
  std::swap(turned.cell.vectors[0], turned.cell.vectors[1]);
  EXPECT_NE(not_kept("a.cif", given, turned).find("the orientation of the cell"), std::string::npos);
}

}  // namespace
}  // namespace isolume
