// mmCIF and small-molecule CIF files.
#include <array>

#include "molecule/elements.h"
#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::expect_error;
using test::expect_near;
using test::read_text;
using test::shared_data;

const std::string atom_site =
    "data_test\nloop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.label_atom_id\n"
    "_atom_site.label_comp_id\n_atom_site.label_asym_id\n_atom_site.label_seq_id\n_atom_site.auth_asym_id\n"
    "_atom_site.auth_seq_id\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n"
    "_atom_site.pdbx_PDB_model_num\n";

TEST(Mmcif, authors_names_are_ids_and_labels_are_segments) {
  const Molecule molecule = read_text(
      atom_site + "ATOM 1 O \"O5'\" DC A 1 X 17 1.5 2.5 -3.5 1\nHETATM 2 ZN ZN ZN B . X 201 4 5 6 1\n", "names.cif");
  ASSERT_EQ(molecule.atom_count(), 2u);
  const Topology& topology = *molecule.topology;
  EXPECT_EQ(topology.atoms[0].name, "O5'");
  EXPECT_EQ(topology.residue_of(0).number, 17);
  EXPECT_EQ(topology.chain_of(0).id, "X");
  EXPECT_EQ(topology.chain_of(0).segment, "A");
  EXPECT_EQ(topology.chain_of(1).id, "X");
  EXPECT_EQ(topology.chain_of(1).segment, "B");
  EXPECT_EQ(topology.atoms[1].element, 30);
  EXPECT_TRUE(topology.atoms[1].hetero);
  expect_near(molecule.trajectory->frame(0).positions[0], {1.5, 2.5, -3.5}, 1e-6);
}

TEST(Mmcif, models_are_frames) {
  const std::string one = "ATOM 1 C CA ALA A 1 A 1 1 2 3 1\n";
  const Molecule molecule = read_text(atom_site + one + "ATOM 2 C CA ALA A 1 A 1 4 5 6 2\n", "models.cif");
  ASSERT_EQ(molecule.frame_count(), 2u);
  expect_near(molecule.trajectory->frame(1).positions[0], {4, 5, 6}, 0);
  const Molecule mixed = read_text(atom_site + one + "ATOM 2 C CB ALA A 1 A 1 4 5 6 2\n", "mixed.cif");
  EXPECT_EQ(mixed.frame_count(), 1u);
  EXPECT_EQ(mixed.warnings.size(), 1u);
}

TEST(Mmcif, ligands_have_the_bonds_of_their_component) {
  const Molecule molecule = read_text(
      atom_site +
          "HETATM 1 C C1 LIG A . A 1 0 0 0 1\nHETATM 2 O O1 LIG A . A 1 1.2 0 0 1\nHETATM 3 N N1 LIG A . A 1 -1.3 0 "
          "0 1\n"
          "HETATM 4 O O HOH B . B 2 9 9 9 1\nATOM 5 N N ALA C 1 C 1 20 0 0 1\nATOM 6 C CA ALA C 1 C 1 21 1 0 1\n"
          "loop_\n_chem_comp_bond.comp_id\n_chem_comp_bond.atom_id_1\n_chem_comp_bond.atom_id_2\n"
          "_chem_comp_bond.value_order\nLIG C1 O1 DOUB\nLIG N1 C1 sing\nLIG C1 H1 SING\nALA N CA SING\n",
      "ligand.cif");
  EXPECT_EQ(molecule.topology->bonds, (std::vector<Bond>{{0, 1, 2}, {0, 2, 1}, {4, 5, 1}}))
      << "the last, of a residue that everybody knows, by its distance";
  EXPECT_FALSE(molecule.topology->has_bonds);
}

TEST(Mmcif, anisotropic_displacements_are_found_by_the_serial_number) {
  const Molecule molecule =
      read_text(atom_site + "ATOM 7 N N ALA A 1 A 1 1 2 3 1\nATOM 8 C CA ALA A 1 A 1 2 2 3 1\n" +
                    "loop_\n_atom_site_anisotrop.id\n_atom_site_anisotrop.U[1][1]\n_atom_site_anisotrop.U[2][2]\n"
                    "_atom_site_anisotrop.U[3][3]\n_atom_site_anisotrop.U[1][2]\n_atom_site_anisotrop.U[1][3]\n"
                    "_atom_site_anisotrop.U[2][3]\n8 0.1 0.2 0.3 0.01 0.02 -0.03\n",
                "u.cif");
  const auto& u = molecule.topology->displacements;
  ASSERT_EQ(u.size(), 2u);
  EXPECT_EQ(u[0], (std::array<float, 6>{}));
  EXPECT_EQ(u[1], (std::array<float, 6>{0.1f, 0.2f, 0.3f, 0.01f, 0.02f, -0.03f}));
}

TEST(Mmcif, displacements_of_small_molecules_are_turned_into_cartesian_axes) {
  // In a cell with right angles they are what they are; in an oblique one an isotropic atom, whose U_ij are then
  // U (a_i* . a_j*) / (|a_i*| |a_j*|), has to come out isotropic.
  const auto file = [](const std::string& gamma, const std::string& u) {
    return "data_x\n_cell_length_a 5\n_cell_length_b 6\n_cell_length_c 7\n_cell_angle_alpha 90\n_cell_angle_beta 90\n"
           "_cell_angle_gamma " +
           gamma +
           "\nloop_\n_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n"
           "_atom_site_fract_z\nC1 C 0.1 0.2 0.3\nloop_\n_atom_site_aniso_label\n_atom_site_aniso_U_11\n"
           "_atom_site_aniso_U_22\n_atom_site_aniso_U_33\n_atom_site_aniso_U_12\n_atom_site_aniso_U_13\n"
           "_atom_site_aniso_U_23\nC1 " +
           u + "\n";
  };
  const auto first = [&](const std::string& gamma, const std::string& u) {
    return read_text(file(gamma, u), "small.cif").topology->displacements.at(0);
  };
  const auto right = first("90", "0.01 0.02 0.03(1) 0.004 0.005 0.006");
  const std::array<float, 6> wanted = {0.01f, 0.02f, 0.03f, 0.004f, 0.005f, 0.006f};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(right[i], wanted[i], 1e-7) << i;
  // gamma = 120 degrees: the reciprocal angle is 60, so that U12 = U cos 60.
  const auto oblique = first("120", "0.02 0.02 0.02 0.01 0 0");
  const std::array<float, 6> isotropic = {0.02f, 0.02f, 0.02f, 0, 0, 0};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(oblique[i], isotropic[i], 1e-7) << i;
}

TEST(Mmcif, says_what_is_wrong_and_where) {
  expect_error("data_x\n_cell.length_a 1\n", "none.cif", 0, "none of the 1 data blocks has atoms");
  expect_error(atom_site + "ATOM 1 C CA ALA A 1 A 1 1 2\n", "short.cif", 0, "not valid CIF");
  expect_error(atom_site + "ATOM 1 C CA ALA A 1 A 1 1 nan 3 1\n", "nan.cif", 16, "Cartn_y");
  // A row of two lines: the grammar knows where the loop begins.
  expect_error(atom_site + "ATOM 1 C CA ALA A 1\nA 1 1 nan 3 1\n", "nan.cif", 2, "row 1");
  expect_error("data_x\n_a 'open\n", "quote.cif", 2, "not valid CIF");
  expect_error("data_x\nloop_\n_atom_site_fract_x\n0.5\n", "cell.cif", 2, "without a cell");
}

TEST(Mmcif, small_molecules_are_fractional_with_uncertainties) {
  const std::string path = shared_data("structures/1544173.cif");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  EXPECT_EQ(molecule.atom_count(), 50u);
  const Frame frame = molecule.trajectory->frame(0);
  // O1 O 0.20691(15) 0.47179(8) 0.96607(7) in a cell from the same file
  expect_near(frame.positions[0], frame.cell.vectors * glm::dvec3(0.20691, 0.47179, 0.96607), 1e-5);
  EXPECT_EQ(molecule.topology->atoms[0].element, 8);
}

TEST(Mmcif, every_shared_file_has_its_rows_models_and_label_chains) {
  struct Case {
    const char* name;
    std::size_t atoms;
    std::size_t frames;
    std::size_t chains;
  };
  // rows of atom_site per model, models, distinct label_asym_id: MANIFEST.tsv
  for (const Case& c : {Case{"1aki.cif", 1079, 1, 2},  {"1bna.cif", 566, 1, 4},      {"1bna_pymol.cif", 566, 1, 4},
                        {"1cbs.cif", 1213, 1, 3},      {"1crn.cif", 327, 1, 1},      {"1dix.cif", 1748, 1, 2},
                        {"1f2n.cif", 4730, 1, 9},      {"1m4x.cif.gz", 9693, 1, 3},  {"1o1z.cif", 2302, 1, 3},
                        {"1pfe.cif.gz", 342, 1, 7},    {"1rna.cif", 673, 1, 4},      {"1v5a-3models.cif", 387, 3, 1},
                        {"3sn6.cif.gz", 10274, 1, 6},  {"4hhb.cif.gz", 4779, 1, 14}, {"4i39.cif", 1974, 1, 2},
                        {"4zxb.cif.gz", 12918, 1, 15}, {"5zng.cif", 1123, 1, 4},     {"6zu5.cif.gz", 165175, 1, 262},
                        {"7gsa.cif", 4914, 1, 4},      {"9x2o.cif.gz", 8723, 1, 21}, {"insertions.cif", 60, 1, 1},
                        {"multichain.cif", 37, 1, 4},  {"res_ids.cif", 251, 1, 10},  {"triclinic.cif", 8, 1, 8}}) {
    const std::string path = shared_data(std::string("structures/") + c.name);
    ISOLUME_NEEDS(path);
    SCOPED_TRACE(c.name);
    const Molecule molecule = read_source(ByteSource::open(path));
    EXPECT_EQ(molecule.atom_count(), c.atoms);
    EXPECT_EQ(molecule.frame_count(), c.frames);
    EXPECT_EQ(molecule.topology->chains.size(), c.chains);
  }
}

TEST(Mmcif, reads_names_that_pdb_cannot_hold) {
  const std::string path = shared_data("structures/7gsa.cif");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  // HETATM 4642 C  C10  . A1AA6 C 3 .   ? -55.030 27.266 -6.517  0.52 55.46  ? 402 A1AA6 A C10  1
  const Topology& topology = *molecule.topology;
  ASSERT_EQ(topology.atoms[4641].serial, 4642);
  EXPECT_EQ(topology.residue_of(4641).name, "A1AA6");
  EXPECT_EQ(topology.residue_of(4641).number, 402);
  EXPECT_FLOAT_EQ(topology.atoms[4641].occupancy, 0.52F);
  expect_near(molecule.trajectory->frame(0).positions[4641], {-55.030, 27.266, -6.517}, 1e-5);
}

/// The same entry in PDB and mmCIF: same atoms in the same order at the same places.
class SameEntry : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(SameEntry, in_pdb_and_mmcif) {
  const std::string pdb_path = shared_data(GetParam().first);
  const std::string cif_path = shared_data(GetParam().second);
  ISOLUME_NEEDS(pdb_path);
  ISOLUME_NEEDS(cif_path);
  const Molecule a = read_file(pdb_path);
  const Molecule b = read_file(cif_path);
  ASSERT_EQ(a.atom_count(), b.atom_count());
  const Frame x = a.trajectory->frame(0);
  const Frame y = b.trajectory->frame(0);
  std::size_t structured = 0;
  for (std::size_t i = 0; i < a.atom_count(); ++i) {
    const Atom& p = a.topology->atoms[i];
    const Atom& q = b.topology->atoms[i];
    ASSERT_EQ(p.name, q.name) << i;
    ASSERT_EQ(p.element, q.element) << i;
    ASSERT_EQ(p.altloc, q.altloc) << i;
    ASSERT_EQ(p.hetero, q.hetero) << i;
    ASSERT_EQ(p.occupancy, q.occupancy) << i;
    ASSERT_EQ(a.topology->residue_of(i).name, b.topology->residue_of(i).name) << i;
    ASSERT_EQ(a.topology->residue_of(i).number, b.topology->residue_of(i).number) << i;
    ASSERT_EQ(a.topology->residue_of(i).insertion, b.topology->residue_of(i).insertion) << i;
    ASSERT_EQ(a.topology->chain_of(i).id, b.topology->chain_of(i).id) << i;
    const bool helix = a.topology->residue_of(i).structure == SecondaryStructure::helix;
    ASSERT_EQ(helix, b.topology->residue_of(i).structure == SecondaryStructure::helix) << i;
    structured += helix;
    expect_near(x.positions[i], glm::dvec3(y.positions[i]), 1e-4);
  }
  EXPECT_EQ(x.cell.lengths(), y.cell.lengths());
  EXPECT_EQ(structured > 0, a.topology->has_structure);
}

INSTANTIATE_TEST_SUITE_P(Entries, SameEntry,
                         ::testing::Values(std::pair{"structures/4hhb.pdb", "structures/4hhb.cif.gz"},
                                           std::pair{"structures/1aki.pdb", "structures/1aki.cif"},
                                           std::pair{"structures/1crn.pdb", "structures/1crn.cif"},
                                           std::pair{"structures/1dix.pdb", "structures/1dix.cif"},
                                           std::pair{"structures/1f2n.pdb", "structures/1f2n.cif"},
                                           std::pair{"structures/1bna.pdb", "structures/1bna.cif"}));

TEST(Mmcif, mixed_line_ends_and_odd_syntax_are_read_as_cif) {
  // Neither file has atoms: what must not happen is an error about the syntax.
  for (const char* name : {"malformed/cif/eol-test.cif", "malformed/cif/misc.cif"}) {
    const std::string path = shared_data(name);
    ISOLUME_NEEDS(path);
    try {
      read_file(path);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("has atoms"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace isolume
