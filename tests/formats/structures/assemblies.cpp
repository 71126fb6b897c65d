// Assemblies as PDB and mmCIF files describe them.
#include "formats/structures/mmcif_assembly.h"
#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::read_text;
using test::shared_data;

constexpr const char* atoms_pdb =
    "ATOM      1  CA  GLY A   1       1.000   2.000   3.000  1.00  0.00           C\n"
    "ATOM      2  CA  GLY B   1       4.000   5.000   6.000  1.00  0.00           C\n"
    "HETATM    3  O   HOH A   9       7.000   8.000   9.000  1.00  0.00           O\n";

std::string biomt(const char* serial, const char* rows[3]) {
  std::string text;
  for (int i = 0; i < 3; ++i)
    text += "REMARK 350   BIOMT" + std::to_string(i + 1) + " " + std::string(serial) + rows[i] + "\n";
  return text;
}

const char* identity[3] = {"  1.000000  0.000000  0.000000        0.00000",
                           "  0.000000  1.000000  0.000000        0.00000",
                           "  0.000000  0.000000  1.000000        0.00000"};
const char* half_turn[3] = {" -1.000000  0.000000  0.000000       10.50000",
                            "  0.000000 -1.000000  0.000000        0.00000",
                            "  0.000000  0.000000  1.000000      -20.00000"};

TEST(PdbAssembly, reads_groups_of_chains_and_operators) {
  const std::string text = "REMARK 350 BIOMOLECULE: 1\nREMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n" +
                           biomt("  1", identity) + biomt("  2", half_turn) +
                           "REMARK 350 BIOMOLECULE: 2\nREMARK 350 APPLY THE FOLLOWING TO CHAINS: A,\n"
                           "REMARK 350                    AND CHAINS: B\n" +
                           biomt("  1", identity) + "REMARK 350 APPLY THE FOLLOWING TO CHAINS: B, Z\n" +
                           biomt("1007", half_turn) + atoms_pdb;
  const Molecule molecule = read_text(text, "made.pdb");
  ASSERT_EQ(molecule.assemblies.size(), 2u);
  const Assembly& first = *molecule.assemblies[0];
  EXPECT_EQ(first.id, "1");
  ASSERT_EQ(first.parts.size(), 1u);
  EXPECT_EQ(first.parts[0].chains, (std::vector<std::uint32_t>{0, 2}));  // A and its water
  ASSERT_EQ(first.parts[0].operators.size(), 2u);
  EXPECT_EQ(first.parts[0].operators[1] * glm::dvec4(1, 2, 3, 1), glm::dvec4(9.5, -2, -17, 1));
  const Assembly& second = *molecule.assemblies[1];
  ASSERT_EQ(second.parts.size(), 2u);
  EXPECT_EQ(second.parts[0].chains.size(), 3u);
  EXPECT_EQ(second.parts[1].chains, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(second.parts[1].names, (std::vector<std::string>{"1007"}));
  EXPECT_EQ(second.parts[1].operators[0][3], glm::dvec4(10.5, 0, -20, 1));
  ASSERT_EQ(molecule.warnings.size(), 1u);
  EXPECT_EQ(molecule.warnings[0], "REMARK 350 names chains that are not in the file: Z.");
}

TEST(PdbAssembly, leaves_out_what_is_broken) {
  std::string text =
      "REMARK 350 BIOMOLECULE: 1\nREMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n" + biomt("  1", identity);
  text += "REMARK 350   BIOMT1   2  1.000000  0.000000       nan        0.00000\n";
  text += "REMARK 350   BIOMT2   3  1.000000  0.000000  0.000000        0.00000\n";
  text += "REMARK 350   BIOMT1   4  1.000000  0.000000  0.000000        0.00000\n";
  const Molecule molecule = read_text(text + atoms_pdb, "made.pdb");
  ASSERT_EQ(molecule.assemblies.size(), 1u);
  EXPECT_EQ(copy_count(*molecule.assemblies[0]), 1u);
  ASSERT_EQ(molecule.warnings.size(), 1u);
  EXPECT_NE(molecule.warnings[0].find("are not complete"), std::string::npos);
}

TEST(MmcifAssembly, expressions_are_products_of_lists) {
  using Sequences = std::vector<std::vector<std::string>>;
  std::size_t left = 10'000'000;
  const auto sequences = [&](const char* text) { return mmcif::operator_sequences(text, left); };
  EXPECT_EQ(sequences("1"), (Sequences{{"1"}}));
  EXPECT_EQ(sequences("(1-3,P)"), (Sequences{{"1"}, {"2"}, {"3"}, {"P"}}));
  EXPECT_EQ(sequences("(X0)(1,2)"), (Sequences{{"X0", "1"}, {"X0", "2"}}));
  EXPECT_EQ(sequences("P(1,2)"), (Sequences{{"P", "1"}, {"P", "2"}}));
  EXPECT_EQ(sequences("(1-60)(61-88)").size(), 1680u);
  for (const char* wrong : {"", "(1-3", "(3-1)", "(1-9999999999)", "()", "(1-1000)(1-1000)"})
    EXPECT_TRUE(sequences(wrong).empty()) << wrong;
  left = 10;
  EXPECT_EQ(sequences("(1-4)").size(), 4u);  // four names, four sequences
  EXPECT_EQ(left, 2u);
  EXPECT_TRUE(sequences("(1-4)").empty());
  EXPECT_EQ(left, 0u);
}

TEST(MmcifAssembly, products_apply_the_last_operator_first) {
  const std::string text =
      "data_made\n"
      "loop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.label_atom_id\n"
      "_atom_site.label_comp_id\n_atom_site.label_asym_id\n_atom_site.label_seq_id\n_atom_site.auth_asym_id\n"
      "_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n"
      "ATOM 1 C CA GLY A 1 Q 1.0 2.0 3.0\nATOM 2 C CA GLY B 1 Q 4.0 5.0 6.0\n"
      "_pdbx_struct_assembly.id 1\n_pdbx_struct_assembly.details 'made here'\n"
      "loop_\n_pdbx_struct_assembly_gen.assembly_id\n_pdbx_struct_assembly_gen.oper_expression\n"
      "_pdbx_struct_assembly_gen.asym_id_list\n1 (T)(R) A\n1 R B\n1 (X) A\n"
      "loop_\n_pdbx_struct_oper_list.id\n"
      "_pdbx_struct_oper_list.matrix[1][1]\n_pdbx_struct_oper_list.matrix[1][2]\n_pdbx_struct_oper_list.matrix[1][3]\n"
      "_pdbx_struct_oper_list.vector[1]\n"
      "_pdbx_struct_oper_list.matrix[2][1]\n_pdbx_struct_oper_list.matrix[2][2]\n_pdbx_struct_oper_list.matrix[2][3]\n"
      "_pdbx_struct_oper_list.vector[2]\n"
      "_pdbx_struct_oper_list.matrix[3][1]\n_pdbx_struct_oper_list.matrix[3][2]\n_pdbx_struct_oper_list.matrix[3][3]\n"
      "_pdbx_struct_oper_list.vector[3]\n"
      "T 1 0 0 10 0 1 0 0 0 0 1 0\nR 0 -1 0 0 1 0 0 0 0 0 1 0\n";
  const Molecule molecule = read_text(text, "made.cif");
  ASSERT_EQ(molecule.assemblies.size(), 1u);
  const Assembly& assembly = *molecule.assemblies[0];
  EXPECT_EQ(assembly.details, "made here");
  ASSERT_EQ(assembly.parts.size(), 2u);
  EXPECT_EQ(assembly.parts[0].names[0], "T-R");
  // R turns (1, 2, 3) into (-2, 1, 3), then T moves it.
  EXPECT_EQ(assembly.parts[0].operators[0] * glm::dvec4(1, 2, 3, 1), glm::dvec4(8, 1, 3, 1));
  EXPECT_EQ(assembly.parts[1].chains, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(molecule.warnings.size(), 1u);
}

TEST(Assemblies, of_a_capsid_agree_between_pdb_and_mmcif) {
  const std::string pdb = shared_data("structures/1f2n.pdb"), cif = shared_data("structures/1f2n.cif");
  ISOLUME_NEEDS(pdb);
  ISOLUME_NEEDS(cif);
  const Molecule a = read_file(pdb), b = read_file(cif);
  const Molecule whole_a = build_assembly(a, "1"), whole_b = build_assembly(b, "1");
  EXPECT_EQ(copy_count(*a.assemblies[0]), 60u);
  EXPECT_EQ(copy_count(*b.assemblies[0]), 60u);
  ASSERT_EQ(whole_a.atom_count(), 60 * a.atom_count());
  ASSERT_EQ(whole_b.atom_count(), whole_a.atom_count());
  const Frame frame_a = whole_a.trajectory->frame(0), frame_b = whole_b.trajectory->frame(0);
  // The files order waters differently; the proteins' centres of all copies must agree, to the six decimals of BIOMT.
  glm::dvec3 sum_a(0), sum_b(0);
  double squares_a = 0, squares_b = 0;
  for (std::size_t i = 0; i < frame_a.positions.size(); ++i) {
    sum_a += glm::dvec3(frame_a.positions[i]);
    sum_b += glm::dvec3(frame_b.positions[i]);
    squares_a += glm::dot(glm::dvec3(frame_a.positions[i]), glm::dvec3(frame_a.positions[i]));
    squares_b += glm::dot(glm::dvec3(frame_b.positions[i]), glm::dvec3(frame_b.positions[i]));
  }
  const auto n = static_cast<double>(frame_a.positions.size());
  EXPECT_LT(glm::length(sum_a - sum_b) / n, 1e-3);
  EXPECT_NEAR(squares_a / n, squares_b / n, 0.05);
  EXPECT_NO_THROW(whole_a.topology->validate());
  // An icosahedral shell: 60 rotations, all proper.
  for (const glm::dmat4& place : a.assemblies[0]->parts[0].operators)
    EXPECT_NEAR(glm::determinant(glm::dmat3(place)), 1, 1e-5);
}

TEST(Assemblies, of_a_capsid_by_a_product_of_lists) {
  const std::string cif = shared_data("structures/1m4x.cif.gz"), pdb = shared_data("structures/1m4x.pdb.gz");
  ISOLUME_NEEDS(cif);
  ISOLUME_NEEDS(pdb);
  const Molecule molecule = read_file(cif);
  ASSERT_EQ(molecule.assemblies.size(), 8u);  // the last is the unit cell of P 2 3, the group that the file names
  const Assembly whole = find_assembly(molecule, "1");
  EXPECT_EQ(whole.details, "complete icosahedral assembly");
  EXPECT_EQ(copy_count(whole) * 3, 5040u);  // oligomeric_count of the file
  EXPECT_EQ(copy_count(find_assembly(molecule, "PAU")), 28u);
  EXPECT_EQ(atom_count(find_assembly(molecule, "3"), *molecule.topology), 140 * molecule.atom_count());
  const Molecule old = read_file(pdb);
  EXPECT_EQ(copy_count(find_assembly(old, "1")), 1680u);
  // Operator 1680 of both, to the decimals of BIOMT: serial numbers have pushed its columns to the right.
  const glm::dmat4 a = whole.parts[0].operators.back(), b = old.assemblies[0]->parts[0].operators.back();
  for (int column = 0; column < 4; ++column)
    EXPECT_LT(glm::length(a[column] - b[column]), column < 3 ? 2e-6 : 2e-3) << column;
}

}  // namespace
}  // namespace isolume
