// Small files made to take minutes or gigabytes: what grows with the square of them, and what they name many times
// over. Each is read or refused in a fraction of a second; a reader that is not guarded runs into the limit of the
// test.
#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "molecule/assembly.h"
#include "molecule/force_field/charmm.h"
#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::expect_error;
using test::read_text;

/// "text(0)text(1)..."
template <class Text>
std::string repeated(int count, const Text& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text(i);
  return all;
}

std::string times(int count, const std::string& text) {
  return repeated(count, [&](int) { return text; });
}

bool has(const std::vector<std::string>& sentences, const std::string& part) {
  return std::any_of(sentences.begin(), sentences.end(),
                     [&](const std::string& s) { return s.find(part) != std::string::npos; });
}

TEST(Bombs, atoms_at_one_place_have_no_bonds_and_say_so) {
  constexpr int count = 120'000;
  const Molecule molecule = read_text(std::to_string(count) + "\n\n" + times(count, "H 0 0 0\n"), "same.xyz");
  EXPECT_EQ(molecule.atom_count(), std::size_t{count});
  EXPECT_TRUE(molecule.topology->bonds.empty());
  EXPECT_TRUE(has(molecule.topology->notes, "so crowded"));
}

TEST(Bombs, atoms_that_all_touch_have_no_bonds_and_say_so) {
  constexpr int count = 40'000;  // 0.6 for each cubic angstrom: metals have 0.1
  const std::string text = repeated(count, [](int i) {
    return fmt::format("Cs {} {:.2f} {}\n", i * 7 % 41, i * 11 % 39 + 0.01 * (i % 97), i * 13 % 43);
  });
  const Molecule molecule = read_text(fmt::format("{}\n\n{}", count, text), "dense.xyz");
  EXPECT_TRUE(molecule.topology->bonds.empty());
  EXPECT_TRUE(has(molecule.topology->notes, "so crowded"));
}

TEST(Bombs, copies_on_each_other_keep_the_bonds_of_their_residues) {
  // 15 000 methanols (C and O) at one place: bonds within each, and none between them.
  const std::string text = repeated(15'000, [](int i) {
    return fmt::format("ATOM {} C MOL A {} 0 0 0 0 1.5\nATOM {} O MOL A {} 1.4 0 0 0 1.5\n", 2 * i + 1, 2 * i,
                       2 * i + 2, 2 * i);
  });
  const Molecule molecule = read_text(text, "copies.pqr");
  ASSERT_EQ(molecule.topology->residues.size(), 15'000u);
  EXPECT_TRUE(has(molecule.topology->notes, "along chains"));
  // C of one and O of the next are as near as those of one: neighbours of a chain count.
  EXPECT_EQ(molecule.topology->bonds.size(), 15'000u + 2 * 14'999u);
}

TEST(Bombs, residues_at_one_place_have_no_secondary_structure) {
  const std::string text = repeated(6'000, [](int i) {
    std::string residue;
    const char* names[] = {"N", "CA", "C", "O"};
    for (int k = 0; k < 4; ++k) residue += fmt::format("ATOM {} {} ALA A {} {} 0 0 0 1.5\n", 4 * i + k, names[k], i, k);
    return residue;
  });
  const Molecule molecule = read_text(text, "backbones.pqr");
  for (const Residue& residue : molecule.topology->residues) ASSERT_EQ(residue.structure, SecondaryStructure::coil);
}

TEST(Bombs, lists_of_one_chain_over_and_over) {
  const std::string atoms = repeated(5'000, [](int i) {
    return fmt::format("ATOM  {:5d}  CA  ALA {}{:4d}    {:8.3f}   0.000   0.000  1.00  0.00           C\n", i,
                       "AB"[i % 2], 1, 3.8 * (i % 2000));
  });
  std::string text = "REMARK 350 BIOMOLECULE: 1\n" +
                     times(6'000, "REMARK 350 APPLY THE FOLLOWING TO CHAINS: " + times(15, "A,") + "\n");
  for (int row = 1; row <= 3; ++row)
    text += fmt::format("REMARK 350   BIOMT{}   1  1.000000  0.000000  0.000000        0.00000\n", row);
  const Molecule molecule = read_text(text + atoms, "chains.pdb");
  ASSERT_EQ(molecule.assemblies.size(), 1u);
  EXPECT_EQ(molecule.assemblies[0]->parts[0].chains.size(), 2'500u);
  const Molecule missing = read_text(
      "REMARK 350 BIOMOLECULE: 1\n" +
          repeated(20'000,
                   [](int i) { return fmt::format("REMARK 350 APPLY THE FOLLOWING TO CHAINS: c{0},d{0},e{0}\n", i); }) +
          atoms,
      "missing.pdb");
  EXPECT_TRUE(has(missing.warnings, "chains that are not in the file"));
}

TEST(Bombs, rows_that_each_name_a_million_operators) {
  std::string text =
      "data_x\nloop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.label_atom_id\n"
      "_atom_site.label_comp_id\n_atom_site.label_asym_id\n_atom_site.label_seq_id\n_atom_site.Cartn_x\n"
      "_atom_site.Cartn_y\n_atom_site.Cartn_z\nATOM 1 C CA ALA A 1 0 0 0\n"
      "loop_\n_pdbx_struct_assembly_gen.assembly_id\n_pdbx_struct_assembly_gen.oper_expression\n"
      "_pdbx_struct_assembly_gen.asym_id_list\n1 1 A\n";
  text += times(20'000, "2 (1-99999)(1-99999)(1-99999) A\n") +
          "loop_\n_pdbx_struct_oper_list.id\n_pdbx_struct_oper_list.matrix[1][1]\n1 1\n";
  const Molecule molecule = read_text(text, "operators.cif");
  EXPECT_EQ(molecule.atom_count(), 1u);
  EXPECT_TRUE(has(molecule.warnings, "more copies than are read"));
}

TEST(Bombs, data_blocks_without_end) {
  expect_error(repeated(75'000, [](int i) { return fmt::format("data_{}\n_a 1\n", i); }), "blocks.cif", 0, "75000");
  expect_error("data_x\n_a.b 1\n_a.B 2\n", "twice.cif", 3, "is there twice");
  expect_error("data_x\nloop_\n_a.b\n_a.b\n1 2\n", "twice.cif", 2, "is there twice");
  expect_error("data_x\n_a.b 1\ndata_X\n_a.b 1\n", "twice.cif", 0, "data_X is there twice");
}

/// A QCSchema result of hydrogens at one place, all with the same shells.
std::string result(int atoms, const std::string& shells, const std::string& orbitals) {
  const auto list = [](int count, const std::string& item) { return item + times(count - 1, "," + item); };
  return R"({"schema_name":"qcschema_output","molecule":{"symbols":[)" + list(atoms, "\"H\"") + R"(],"geometry":[)" +
         list(3 * atoms, "0") + R"(]},"wavefunction":{"basis":{"center_data":{"x":{"electron_shells":[)" + shells +
         R"(]}},"atom_map":[)" + list(atoms, "\"x\"") + R"(]},"scf_orbitals_a":[)" + orbitals +
         R"(],"orbitals_a":"scf_orbitals_a"}})";
}

TEST(Bombs, shells_that_every_atom_repeats) {
  const std::string shell = R"({"exponents":[1],"coefficients":[[1]],"angular_momentum":[0]})";
  expect_error(result(25'000, shell + times(8'000, "," + shell), "1"), "shells.json", 0,
               "than the 1 orbital coefficients");
  expect_error(
      result(25'000,
             R"({"exponents":[1],"coefficients":[[1])" + times(100'000, ",[1]") + R"(],"angular_momentum":[0]})", "1"),
      "rows.json", 0, "than the 1 orbital coefficients");
  const std::string ones = "1" + times(99'999, ",1");
  expect_error(
      result(25'000, R"({"exponents":[)" + ones + R"(],"coefficients":[[)" + ones + R"(]],"angular_momentum":[0]})",
             "1" + times(24'999, ",1")),
      "primitives.json", 0, "of 900000 primitives, more than the 25000 orbital coefficients");
  expect_error(
      result(1, R"({"exponents":[)" + ones + R"(],"coefficients":[[)" + ones + R"(]],"angular_momentum":[0]})", "1"),
      "contraction.json", 0, "a contraction of 100000 primitives");
  EXPECT_EQ(read_text(result(60'000, shell, "1" + times(59'999, ",1")), "many.json").orbitals[0]->count(), 1u);
}

TEST(Bombs, more_orbitals_than_functions) {
  const std::string text = "[Molden Format]\n[Atoms] AU\nH 1 1 0 0 0\n[GTO]\n1 0\ns 1 1.0\n1.0 1.0\n\n[MO]\n" +
                           times(20'000, " Ene= 0\n Spin= Alpha\n Occup= 2\n 1 1.0\n");
  const Molecule molecule = read_text(text, "orbitals.molden");
  EXPECT_EQ(molecule.orbitals[0]->count(), 20'000u);
  EXPECT_TRUE(has(molecule.warnings, "not orthonormal"));
}

TEST(Bombs, a_dimension_without_bytes) {
  std::ifstream in(test::data("../fuzz/regress/atoms_without_bytes.nc"), std::ios::binary);  // 500 million atoms
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  ASSERT_EQ(bytes.size(), 658u);
  expect_error(bytes, "atoms.nc", 0, "the file ends before a variable");
}

TEST(Bombs, a_note_for_every_line) {
  for (const std::string& text :
       {"BONDS\n" + repeated(90'000, [](int i) { return fmt::format("HBON{}\n", i); }),
        "NONBONDED\n" + repeated(60'000, [](int i) { return fmt::format("CUTNB EPS {}.5\n", i); }),
        "NONBONDED " + repeated(70'000, [](int i) { return fmt::format("EPS {}.5 -\n", i); }) + "\n"}) {
    const Molecule molecule = read_text("* t\n*\n" + text, "notes.prm");
    EXPECT_EQ(molecule.charmm_parameters->notes.size(), 50u);
  }
}

TEST(Bombs, damaged_sections_of_a_psf_without_end) {
  const Molecule molecule = read_text(
      "PSF\n\n 1 !NTITLE\n x\n\n1 !NATOM\n1 S 1 R CA CT 0.0 12.0 0\n" + times(100'000, "9 !NTHETA\n"), "h.psf");
  EXPECT_EQ(molecule.atom_count(), 1u);
  EXPECT_EQ(molecule.warnings.size(), 2u);  // no bonds, and the first damaged section
}

}  // namespace
}  // namespace isolume
