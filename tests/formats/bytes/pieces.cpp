// Large text files are read in pieces side by side: the same molecule, whatever the number of pieces.
#include <fmt/format.h>

#include <algorithm>

#include "formats/bytes/text_pieces.h"
#include "formats/structures/cif.h"
#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

constexpr int atoms = 12'000;

/// Reads a text in about `pieces` pieces.
Molecule read_in(const std::string& text, const std::string& name, std::size_t pieces) {
  ReadLimits limits;
  limits.piece = text.size() / pieces - (pieces > 1 ? text.size() / pieces / 4 : 0);
  return read_source(ByteSource::from_bytes(text, name, limits));
}

void expect_same(const Molecule& a, const Molecule& b) {
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.warnings, b.warnings);
  const Topology &s = *a.topology, &t = *b.topology;
  EXPECT_NO_THROW(s.validate());
  EXPECT_EQ(s.notes, t.notes);
  EXPECT_EQ(s.bonds, t.bonds);
  EXPECT_EQ(s.displacements, t.displacements);
  EXPECT_EQ(s.has_charges, t.has_charges);
  ASSERT_EQ(s.atoms.size(), t.atoms.size());
  ASSERT_EQ(s.residues.size(), t.residues.size());
  ASSERT_EQ(s.chains.size(), t.chains.size());
  for (std::size_t i = 0; i < s.atoms.size(); ++i) {
    const Atom &x = s.atoms[i], &y = t.atoms[i];
    ASSERT_EQ(x.name, y.name) << i;
    ASSERT_EQ(std::tie(x.residue, x.serial, x.charge, x.radius, x.mass, x.occupancy, x.b_factor),
              std::tie(y.residue, y.serial, y.charge, y.radius, y.mass, y.occupancy, y.b_factor))
        << i;
    ASSERT_EQ(std::tie(x.element, x.formal_charge, x.altloc, x.hetero),
              std::tie(y.element, y.formal_charge, y.altloc, y.hetero))
        << i;
  }
  for (std::size_t i = 0; i < s.residues.size(); ++i) {
    const Residue &x = s.residues[i], &y = t.residues[i];
    ASSERT_EQ(std::tie(x.name, x.number, x.insertion, x.chain, x.first_atom, x.atom_count, x.structure),
              std::tie(y.name, y.number, y.insertion, y.chain, y.first_atom, y.atom_count, y.structure))
        << i;
  }
  for (std::size_t i = 0; i < s.chains.size(); ++i) {
    const Chain &x = s.chains[i], &y = t.chains[i];
    ASSERT_EQ(std::tie(x.id, x.segment, x.first_residue, x.residue_count),
              std::tie(y.id, y.segment, y.first_residue, y.residue_count))
        << i;
  }
  ASSERT_EQ(a.frame_count(), b.frame_count());
  for (std::size_t i = 0; i < a.frame_count(); ++i) {
    const Frame x = a.trajectory->frame(i), y = b.trajectory->frame(i);
    EXPECT_EQ(x.positions, y.positions);
    EXPECT_EQ(x.velocities, y.velocities);
    EXPECT_EQ(x.forces, y.forces);
    EXPECT_EQ(x.cell, y.cell);
    EXPECT_EQ(x.time, y.time);
  }
}

/// As read in one piece, in 2, and in 16; damaged at the line with `word`, the same line is named by all.
void check(const std::string& text, const std::string& name, const std::string& word, const std::string& replacement) {
  const Molecule whole = read_in(text, name, 1);
  ASSERT_EQ(whole.atom_count(), static_cast<std::size_t>(atoms));
  for (const std::size_t pieces : {2u, 3u, 16u}) {
    SCOPED_TRACE(pieces);
    expect_same(read_in(text, name, pieces), whole);
  }
  std::string damaged = text;
  const std::size_t at = damaged.find(word, text.size() * 3 / 4);
  ASSERT_NE(at, std::string::npos);
  damaged.replace(at, word.size(), replacement);
  // An earlier fault: it is the one to be named, whoever meets his first.
  const std::size_t earlier = damaged.find(word, text.size() / 4);
  damaged.replace(earlier, word.size(), replacement);
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(earlier), '\n') + 1;
  for (const std::size_t pieces : {1u, 2u, 16u}) {
    try {
      read_in(damaged, name, pieces);
      ADD_FAILURE() << "read in " << pieces;
    } catch (const Error& error) {
      EXPECT_EQ(error.line(), line) << error.what();
    }
  }
}

class Random {
 public:
  std::uint32_t below(std::uint32_t end) {
    state_ = state_ * 1664525u + 1013904223u;
    return (state_ >> 8) % end;
  }

 private:
  std::uint32_t state_ = 7;
};

struct Site {
  int residue;
  char chain;
  std::string residue_name, name;
  double x, y, z;
};

/// Places of no two atoms near one another; peptides, then waters.
std::vector<Site> sites() {
  std::vector<Site> all;
  Random random;
  int residue = 1;
  char chain = 'A';
  for (int i = 0; i < atoms; ++i) {
    const bool water = i > atoms * 2 / 3;
    if (water || random.below(8) == 0) ++residue;
    if (!water && random.below(400) == 0) ++chain;
    static const char* const names[] = {"N", "CA", "C", "O", "CB", "CG"};
    all.push_back({residue, chain,
                   water         ? "HOH"
                   : i % 31 < 20 ? "ALA"
                                 : "GLY",
                   water ? "O" : names[i % 6], 2.0 * (i % 23), 2.0 * (i / 23 % 23), 2.0 * (i / 529)});
  }
  return all;
}

std::string pdb(const std::string& end_of_line) {
  std::string text = "HEADER    MADE UP                                 01-JAN-26   1ABC" + end_of_line +
                     "TITLE     MANY" + end_of_line;
  Random random;
  const std::vector<Site> all = sites();
  for (int i = 0; i < atoms; ++i) {
    const Site& s = all[static_cast<std::size_t>(i)];
    // Serial numbers end somewhere, as those of programs that write stars do; alternate atoms of two residues.
    const std::string serial = i > atoms / 3 && i < atoms / 2 ? "*****" : fmt::format("{:5}", i % 100'000);
    const bool alternate = random.below(3) == 0;
    const std::string tail = fmt::format("{:<4}{}{} {}{:4}    ", s.name, alternate ? "AB"[i % 2] : ' ',
                                         alternate && i % 2 ? "SER" : s.residue_name, s.chain, s.residue % 10'000);
    text += fmt::format("{}{} {}{:8.3f}{:8.3f}{:8.3f}{:6.2f}{:6.2f}      {:<4}{:>2}{}",
                        s.residue_name == "HOH" ? "HETATM" : "ATOM  ", serial, tail, s.x, s.y, s.z,
                        alternate ? 0.5 : 1.0, i % 90 / 2.0, i % 7 ? "" : "1ABC", s.name.substr(0, 1), end_of_line);
    if (i % 5 == 0)
      text += "ANISOU" + serial + " " + tail.substr(0, 15) + "  100    200    300     10     20     30" + end_of_line;
    if (s.residue_name == "HOH" || random.below(50) == 0) text += "TER" + end_of_line;
  }
  return text + "CONECT    1    2    2" + end_of_line + "END" + end_of_line;
}

TEST(Pieces, pdb) {
  check(pdb("\n"), "many.pdb", "  4.000  ", "  4.x00  ");
}

TEST(Pieces, pdb_with_carriage_returns) {
  check(pdb("\r\n"), "many.pdb", "  4.000  ", "  4.x00  ");
}

TEST(Pieces, what_stands_between_atoms_of_a_pdb_file_is_read) {
  std::string text = pdb("\n");
  const std::size_t middle = text.find("\nATOM", text.size() / 3) + 1;
  text.insert(middle,
              "REMARK   1 IN BETWEEN\nCRYST1   90.000   80.000   70.000  90.00  90.00  90.00 P 1           1\n");
  text.resize(text.rfind("CONECT"));
  text.pop_back();  // the last line without its end
  text.resize(text.rfind('\n'));
  const Molecule whole = read_in(text, "many.pdb", 1);
  EXPECT_TRUE(whole.trajectory->frame(0).cell.exists());
  expect_same(read_in(text, "many.pdb", 16), whole);
}

TEST(Pieces, models_of_a_pdb_file) {
  std::string model = pdb("\n");
  model.erase(0, model.find("ATOM"));
  model.resize(model.rfind("CONECT"));
  std::string moved = model;  // all atoms at x = 4 go to 5
  for (std::size_t at = moved.find("   4.000"); at != std::string::npos; at = moved.find("   4.000", at + 1)) {
    moved[at + 3] = '5';
  }
  const std::string text = "MODEL        1\n" + model + "ENDMDL\nMODEL        2\n" + moved + "ENDMDL\nEND\n";
  const Molecule whole = read_in(text, "models.pdb", 1);
  ASSERT_EQ(whole.frame_count(), 2u);
  EXPECT_NE(whole.trajectory->frame(0).positions, whole.trajectory->frame(1).positions);
  for (const std::size_t pieces : {2u, 5u, 32u}) expect_same(read_in(text, "models.pdb", pieces), whole);
  // A fault in the second model is found when it is shown.
  std::string damaged = text;
  const std::size_t at = damaged.rfind("   5.000");
  damaged.replace(at, 8, "   5.x00");
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
  for (const std::size_t pieces : {1u, 32u}) {
    const Molecule molecule = read_in(damaged, "models.pdb", pieces);
    EXPECT_NO_THROW(molecule.trajectory->frame(0));
    try {
      molecule.trajectory->frame(1);
      ADD_FAILURE() << "read in " << pieces;
    } catch (const Error& error) {
      EXPECT_EQ(error.line(), line) << error.what();
    }
  }
}

TEST(Pieces, gro) {
  const std::vector<Site> all = sites();
  for (const bool velocities : {false, true}) {
    std::string text = "Many t= 2.5\n" + std::to_string(atoms) + "\n";
    for (int i = 0; i < atoms; ++i) {
      const Site& s = all[static_cast<std::size_t>(i)];
      text += fmt::format("{:5}{:<5}{:>5}{:5}{:8.3f}{:8.3f}{:8.3f}", s.residue % 100'000, s.residue_name, s.name,
                          i % 100'000, s.x / 10, s.y / 10, s.z / 10);
      // In the last piece of 16 one atom has no velocity: then none has.
      if (velocities || i < atoms - 5) text += fmt::format("{:8.4f}{:8.4f}{:8.4f}", i % 7 * 0.1, -0.5, i % 11 * 0.01);
      text += "\n";
    }
    text += "   9.00000   9.00000   9.00000\n";
    text += text;  // two frames
    check(text, "many.gro", "   0.400   ", "   0.4x0   ");
    EXPECT_EQ(read_in(text, "many.gro", 16).trajectory->frame(0).velocities.size(), velocities ? atoms : 0u);
  }
}

TEST(Pieces, xyz) {
  const std::vector<Site> all = sites();
  std::string text = std::to_string(atoms) +
                     "\nLattice=\"90 0 0 0 90 0 0 0 90\" Properties=species:S:1:pos:R:3:charge:R:1:forces:R:3 Time=1\n";
  for (int i = 0; i < atoms; ++i) {
    const Site& s = all[static_cast<std::size_t>(i)];
    text += fmt::format("{} {} {} {} {} {} 0 1\n", s.name.substr(0, 1), s.x, s.y, s.z, i % 5 * 0.25, i % 13);
  }
  check(text, "many.xyz", " 4 ", " 4x ");
}

const char* const tags =
    "loop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.label_atom_id\n"
    "_atom_site.label_alt_id\n_atom_site.label_comp_id\n_atom_site.label_asym_id\n_atom_site.label_seq_id\n"
    "_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n_atom_site.auth_seq_id\n"
    "_atom_site.pdbx_PDB_model_num\n";

std::string mmcif(int models) {
  const std::vector<Site> all = sites();
  std::string text = "data_many\n_struct.title 'made up'\n" + std::string(tags);
  for (int model = 1; model <= models; ++model) {
    Random random;
    for (int i = 0; i < atoms; ++i) {
      const Site& s = all[static_cast<std::size_t>(i)];
      const bool alternate = random.below(3) == 0;
      const std::string name = i % 17 ? s.name : "\"" + s.name + "'\"";
      text += fmt::format(
          "{} {} {} {} {} {} {} {} {:.3f} {:.3f} {:.3f} {} {}\n", s.residue_name == "HOH" ? "HETATM" : "ATOM", i + 1,
          s.name[0], name, alternate ? "AB"[i % 2] : '.', alternate && i % 2 ? "SER" : s.residue_name, s.chain,
          s.residue_name == "HOH" ? "." : std::to_string(s.residue), s.x + model, s.y, s.z, s.residue, model);
    }
  }
  return text +
         "#\nloop_\n_struct_conn.id\n_struct_conn.conn_type_id\n_struct_conn.ptnr1_label_asym_id\n"
         "_struct_conn.ptnr1_label_seq_id\n_struct_conn.ptnr1_label_atom_id\n_struct_conn.ptnr2_label_asym_id\n"
         "_struct_conn.ptnr2_label_seq_id\n_struct_conn.ptnr2_label_atom_id\nx covale A 1 N A 1 CA\n";
}

TEST(Pieces, mmcif) {
  check(mmcif(1), "many.cif", " 4.000 ", " 4.x ");
}

TEST(Pieces, rows_of_mmcif_stay_in_the_text) {
  const std::string text = mmcif(3);
  const CifDocument document(text, "many.cif");
  const CifTable table = document.table(0, "_atom_site.", "cartn_x");
  ASSERT_NE(table.lines(), nullptr);
  EXPECT_EQ(table.rows(), 3u * atoms);
  EXPECT_EQ(table.at(17 * 2, "label_atom_id"), "CB'") << "without its quotes";
  EXPECT_EQ(
      document.table(0, "_struct_conn.", "id").line(),
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("loop_\n_struct_conn")), '\n') + 1);
  // Rows of two lines each are left to the grammar, and say the same.
  std::string other = text;
  for (std::size_t at = other.find("\nATOM "); at != std::string::npos; at = other.find("\nATOM ", at + 1))
    other[at + 5] = '\n';
  const CifDocument plain(other, "many.cif");
  EXPECT_EQ(plain.table(0, "_atom_site.", "cartn_x").lines(), nullptr);
  const Molecule a = read_in(text, "many.cif", 16), b = read_in(other, "many.cif", 1);
  EXPECT_EQ(a.frame_count(), 3u);
  expect_same(a, b);
  EXPECT_EQ(a.trajectory->frame(2).positions[0].x, 3.0F);
}

TEST(Pieces, atoms_in_a_text_field_are_text) {
  const std::string rows = std::string(tags) + "ATOM 1 C CA . ALA A 1 9 9 9 1 1\nATOM 2 C CB . ALA A 1 8 9 9 1 1\n";
  const std::string text =
      "data_x\n_a.text\n;\n" + rows + ";\n" + std::string(tags) + "ATOM 1 N N . ALA A 1 1 2 3 1 1\n";
  const Molecule molecule = read_in(text, "field.cif", 1);
  ASSERT_EQ(molecule.atom_count(), 1u);
  EXPECT_EQ(molecule.topology->atoms[0].name, "N");
}

}  // namespace
}  // namespace isolume
