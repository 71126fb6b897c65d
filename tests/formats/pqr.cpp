// PQR files: fields by blanks and by columns, charges and radii.
#include "tests/formats/structures.h"

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

}  // namespace
}  // namespace isolume
