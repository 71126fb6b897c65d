// PQR files: fields by blanks and by columns, charges and radii.
#include <algorithm>
#include <string>

#include "formats/bytes/text_pieces.h"
#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::expect_error;
using test::expect_near;
using test::read_text;
using test::shared_data;

TEST(Pqr, fields_by_blanks_with_and_without_chain) {
  const Molecule molecule = read_text(
      "ATOM 1 N ALA 5 1.0 2.0 3.0 -0.5 1.85\nATOM 2 CA ALA B 6A 4.0 5.0 6.0 0.25 2.0 C\nHETATM 3 NA NA B1000 7 8 9 1 "
      "1.3\n",
      "blanks.pqr");
  ASSERT_EQ(molecule.atom_count(), 3u);
  const Topology& topology = *molecule.topology;
  EXPECT_TRUE(topology.has_charges);
  EXPECT_TRUE(topology.has_radii);
  EXPECT_FLOAT_EQ(topology.atoms[0].charge, -0.5F);
  EXPECT_FLOAT_EQ(topology.atoms[1].radius, 2.0F);
  EXPECT_EQ(topology.residue_of(0).number, 5);
  EXPECT_EQ(topology.residue_of(1).number, 6);
  EXPECT_EQ(topology.residue_of(1).insertion, 'A');
  EXPECT_EQ(topology.chain_of(1).id, "B");
  EXPECT_EQ(topology.residue_of(2).number, 1000);
  EXPECT_EQ(topology.chain_of(2).id, "B");
  EXPECT_TRUE(topology.atoms[2].hetero);
  EXPECT_NEAR(topology.total_charge(), 0.75, 1e-6);
}

TEST(Pqr, fields_that_touch_are_read_by_columns) {
  const std::string path = shared_data("structures/1000-chain.pqr");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  ASSERT_EQ(molecule.atom_count(), 36u);
  // ATOM      1  N   ALA A   1    1999.3232998.770-900.490  0.1414 1.8240
  expect_near(molecule.trajectory->frame(0).positions[0], {1999.323, 2998.770, -900.490}, 2e-4);
  expect_near(molecule.trajectory->frame(0).positions[35], {2004.905, 3004.355, -899.274}, 2e-4);
  EXPECT_EQ(molecule.topology->chains[0].id, "A");
  EXPECT_FLOAT_EQ(molecule.topology->atoms[35].charge, -0.0212F);
  EXPECT_FLOAT_EQ(molecule.topology->atoms[35].radius, 1.4870F);
}

TEST(Pqr, both_styles_of_one_file_agree) {
  const std::string by_columns = shared_data("structures/1000-chain.pqr");
  const std::string by_blanks = shared_data("structures/1000-whitespace.pqr");
  ISOLUME_NEEDS(by_columns);
  ISOLUME_NEEDS(by_blanks);
  const Molecule a = read_file(by_columns);
  const Molecule b = read_file(by_blanks);
  ASSERT_EQ(a.atom_count(), b.atom_count());
  EXPECT_EQ(a.trajectory->frame(0).positions, b.trajectory->frame(0).positions);
  for (std::size_t i = 0; i < a.atom_count(); ++i) {
    EXPECT_EQ(a.topology->atoms[i].name, b.topology->atoms[i].name);
    EXPECT_EQ(a.topology->atoms[i].charge, b.topology->atoms[i].charge);
    EXPECT_EQ(a.topology->atoms[i].radius, b.topology->atoms[i].radius);
  }
}

TEST(Pqr, shared_files_have_their_total_charges) {
  struct Case {
    const char* name;
    std::size_t atoms;
    double charge;
  };
  // MANIFEST.tsv: sums over the files' charges
  for (const Case& c : {Case{"1a2c.pqr", 5313, -4},
                        {"adk_open.pqr", 3341, -4},
                        {"example.pqr", 191, 1},
                        {"pqr/1a63.pqr", 2065, -1},
                        {"pqr/1ajj.pqr", 519, -5},
                        {"pqr/achbp.pqr.gz", 16090, -49.67},
                        {"pqr/actin_mol1.pqr", 5877, -12},
                        {"pqr/born_ion.pqr", 1, 1},
                        {"pqr/fas2.pqr", 906, 4.053},
                        {"pqr/gly.pqr", 29, 0},
                        {"pqr/mache.pqr", 8279, -10.004},
                        {"pqr/methanol.pqr", 3, 0},
                        {"pqr/model_outNB.pqr", 998, -14}}) {
    const std::string path = shared_data(std::string("structures/") + c.name);
    ISOLUME_NEEDS(path);
    SCOPED_TRACE(c.name);
    const Molecule molecule = read_file(path);
    EXPECT_EQ(molecule.format, "PQR");
    EXPECT_EQ(molecule.atom_count(), c.atoms);
    EXPECT_NEAR(molecule.topology->total_charge(), c.charge, 1e-4);
  }
}

TEST(Pqr, says_what_is_wrong_and_where) {
  expect_error("REMARK 1 PQR file\nEND\n", "none.pqr", 0, "no ATOM");
  expect_error("ATOM 1 N ALA 5 1.0 2.0 3.0 -0.5 1.85\nATOM 2 N ALA 5 1.0 2.0 3.0 -0.5\n", "short.pqr", 2, "radius");
  expect_error("ATOM 1 N ALA 5 1.0 nan 3.0 -0.5 1.85\n", "nan.pqr", 1, "not finite");
  expect_error("ATOM 1 N ALA 5 1.0 2.0 3.0 inf 1.85\n", "inf.pqr", 1, "charge");
}

/// 150 000 atoms in residues of 1 to 30 and chains of 1 to 40, some parted by TER alone: 8 MB, read in pieces.
std::string many_atoms() {
  std::string text = "TITLE     many\nCRYST1   90.000   80.000   70.000  90.00  90.00  90.00 P 1           1\n";
  std::uint32_t state = 1;
  const auto random = [&state](std::uint32_t below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
  };
  int residue = 1, left = 5, residues_left = 7;
  char chain = 'A';
  for (int i = 0; i < 150'000; ++i) {
    if (left-- == 0) {
      left = static_cast<int>(random(30));
      ++residue;
      if (residues_left-- == 0) {
        residues_left = static_cast<int>(random(40));
        if (random(2) == 0) text += "TER\n";
        if (random(3) > 0) chain = static_cast<char>('A' + random(26));
      }
    }
    text += "ATOM " + std::to_string(i + 1) + " C" + std::to_string(left) + " RES " + chain + ' ' +
            std::to_string(residue) + ' ' + std::to_string(0.25 * (i % 97)) + ' ' + std::to_string(0.5 * (i % 89)) +
            ' ' + std::to_string(i % 83) + " 0." + std::to_string(i % 10) + " 1.5\n";
  }
  return text;
}

TEST(Pqr, LargeFilesInPiecesAreReadAsInTurn) {
  const std::string text = many_atoms();
  ASSERT_GT(text.size(), std::size_t{6} << 20) << "several pieces";
  const Molecule pieces = read_text(text, "many.pqr");
  const Molecule turn = read_text(text + "ENDMDL\n", "many.pqr");  // models are told apart in turn
  ASSERT_EQ(pieces.atom_count(), 150'000u);
  EXPECT_EQ(pieces.title, "many");
  const Topology &a = *pieces.topology, &b = *turn.topology;
  EXPECT_NO_THROW(a.validate());
  EXPECT_EQ(a.notes, b.notes);
  EXPECT_EQ(a.bonds, b.bonds);
  ASSERT_EQ(a.residues.size(), b.residues.size());
  ASSERT_EQ(a.chains.size(), b.chains.size());
  EXPECT_GT(a.chains.size(), 100u);
  const Frame here = pieces.trajectory->frame(0), there = turn.trajectory->frame(0);
  EXPECT_EQ(here.positions, there.positions);
  EXPECT_EQ(here.cell, there.cell);
  for (std::size_t i = 0; i < a.atoms.size(); ++i) {
    ASSERT_EQ(a.atoms[i].name, b.atoms[i].name) << i;
    ASSERT_EQ(a.atoms[i].residue, b.atoms[i].residue) << i;
    ASSERT_EQ(a.atoms[i].serial, static_cast<int>(i) + 1);
    ASSERT_EQ(a.atoms[i].charge, b.atoms[i].charge) << i;
  }
  for (std::size_t i = 0; i < a.residues.size(); ++i) {
    ASSERT_EQ(a.residues[i].number, b.residues[i].number) << i;
    ASSERT_EQ(a.residues[i].first_atom, b.residues[i].first_atom) << i;
    ASSERT_EQ(a.residues[i].atom_count, b.residues[i].atom_count) << i;
    ASSERT_EQ(a.residues[i].chain, b.residues[i].chain) << i;
  }
  for (std::size_t i = 0; i < a.chains.size(); ++i) {
    ASSERT_EQ(a.chains[i].id, b.chains[i].id) << i;
    ASSERT_EQ(a.chains[i].first_residue, b.chains[i].first_residue) << i;
    ASSERT_EQ(a.chains[i].residue_count, b.chains[i].residue_count) << i;
  }
}

TEST(Pqr, FaultsInPiecesNameTheLineOfTheFile) {
  std::string text = many_atoms();
  const std::size_t at = text.find("ATOM 120001 ");
  ASSERT_NE(at, std::string::npos);
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
  text.replace(text.find(" RES", at), 4, " RES RES RES RES");
  expect_error(text, "many.pqr", line, "expected serial, name");
}

TEST(TextPieces, AreWholeLines) {
  const std::string text = "one\ntwo\r\nthree\n\nfour five six seven\neight";
  const auto source = ByteSource::from_bytes(text, "t");
  std::string joined;
  const auto pieces = text_pieces(*source, 8);
  EXPECT_GT(pieces.size(), 2u);
  for (const TextPiece& piece : pieces) {
    EXPECT_EQ(piece.begin, joined.size());
    EXPECT_TRUE(piece.begin == 0 || text[piece.begin - 1] == '\n');
    joined += text.substr(piece.begin, piece.end - piece.begin);
  }
  EXPECT_EQ(joined, text);
  EXPECT_EQ(text_pieces(*source).size(), 1u);
}

}  // namespace
}  // namespace isolume
