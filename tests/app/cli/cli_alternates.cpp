// Two residues at one place: what is kept is one of them as a whole, and the other stays in the file.
#include <gtest/gtest.h>

#include "formats/read.h"
#include "molecule/alternates.h"
#include "molecule/selection/selection.h"
#include "render/represent/represent.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

// About residues 21 to 23 of crambin. At 22 are PRO (A) and, more often, SER (B), atom by atom.
const std::string crambin_21_to_23 =
    "ATOM      1  N   THR A  21       4.056   9.404  -4.216  1.00  1.67           N  \n"
    "ATOM      2  CA  THR A  21       3.664  10.576  -3.461  1.00  1.43           C  \n"
    "ATOM      3  C   THR A  21       4.915  11.347  -3.001  1.00  1.58           C  \n"
    "ATOM      4  O   THR A  21       5.844  10.729  -2.478  1.00  2.25           O  \n"
    "ATOM      5  CB  THR A  21       2.932  10.113  -2.178  1.00  1.52           C  \n"
    "ATOM      6  OG1ATHR A  21       1.964   9.124  -2.552  0.60  1.89           O  \n"
    "ATOM     28  OG1BTHR A  21       2.064   9.024  -2.452  0.40  1.89           O  \n"
    "ATOM      7  CG2 THR A  21       2.280  11.274  -1.459  1.00  2.12           C  \n"
    "ATOM      8  N  APRO A  22       4.915  12.683  -3.102  0.40  1.83           N  \n"
    "ATOM      9  N  BSER A  22       4.915  12.683  -3.102  0.60  1.83           N  \n"
    "ATOM     10  CA APRO A  22       6.042  13.429  -2.601  0.40  1.82           C  \n"
    "ATOM     11  CA BSER A  22       6.034  13.399  -2.687  0.60  1.55           C  \n"
    "ATOM     12  C  APRO A  22       6.387  13.122  -1.160  0.40  1.66           C  \n"
    "ATOM     13  C  BSER A  22       6.367  13.062  -1.223  0.60  2.92           C  \n"
    "ATOM     14  O  APRO A  22       5.480  13.006  -0.345  0.40  2.09           O  \n"
    "ATOM     15  O  BSER A  22       5.412  13.050  -0.345  0.60  1.87           O  \n"
    "ATOM     16  CB APRO A  22       5.655  14.896  -2.744  0.40  2.86           C  \n"
    "ATOM     17  CB BSER A  22       5.409  14.835  -2.876  0.60  2.60           C  \n"
    "ATOM     18  CG APRO A  22       4.661  14.854  -4.058  0.40  2.66           C  \n"
    "ATOM     19  CD APRO A  22       3.957  13.505  -3.910  0.40  2.27           C  \n"
    "ATOM     20  OG BSER A  22       4.760  15.243  -1.635  0.60  2.11           O  \n"
    "ATOM     21  N   ALA A  23       7.651  13.190  -0.860  1.00  1.86           N  \n"
    "ATOM     22  CA  ALA A  23       8.108  13.002   0.513  1.00  1.81           C  \n"
    "ATOM     23  C   ALA A  23       7.394  13.968   1.459  1.00  1.66           C  \n"
    "ATOM     24  O   ALA A  23       7.064  13.585   2.589  1.00  1.97           O  \n"
    "ATOM     25  CB  ALA A  23       9.620  13.168   0.681  1.00  2.12           C  \n"
    "END\n";

std::string in_mmcif(const std::string& pdb) {
  std::string text =
      "data_x\nloop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.label_atom_id\n"
      "_atom_site.label_alt_id\n_atom_site.label_comp_id\n_atom_site.label_asym_id\n_atom_site.label_seq_id\n"
      "_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n_atom_site.occupancy\n";
  for (std::size_t at = 0; pdb.compare(at, 4, "ATOM") == 0; at = pdb.find('\n', at) + 1) {
    const auto field = [&](std::size_t first, std::size_t length) {
      std::string word = pdb.substr(at + first, length);
      std::erase(word, ' ');
      return (word.empty() ? "." : word) + " ";
    };
    text += "ATOM " + field(6, 5) + field(76, 2) + field(12, 4) + field(16, 1) + field(17, 3) + field(21, 1) +
            field(22, 4) + field(30, 8) + field(38, 8) + field(46, 8) + field(54, 6) + "\n";
  }
  return text;
}

TEST(Alternates, OfTwoResiduesAtOnePlaceOneIsKeptWhole) {
  const Folder folder;
  test::write_text(folder / "a.pdb", crambin_21_to_23);
  test::write_text(folder / "a.cif", in_mmcif(crambin_21_to_23));
  for (const char* file : {"a.pdb", "a.cif"}) {
    const Molecule molecule = read_file(folder / file);
    const Topology& topology = *molecule.topology;
    ASSERT_EQ(topology.residues.size(), 3u) << file;
    EXPECT_EQ(topology.residues[1].name, "PRO") << file;
    EXPECT_EQ(first_alternate(topology, 1), 'A');
    EXPECT_TRUE(is_other_residue(topology, 1, 'B')) << "SER";
    EXPECT_FALSE(is_other_residue(topology, 0, 'B')) << "THR both times";

    // Drawn are the seven atoms of PRO; the others are there for who selects them.
    const Frame frame = molecule.trajectory->frame(0);
    const auto mask = Selection("resid 22").mask(topology, frame);
    const std::vector<glm::u8vec4> colours(mask.size(), glm::u8vec4(255));
    const auto items = represent(topology, frame, mask, Style::spheres, {}, colours, {}, 1, 1);
    ASSERT_EQ(items.size(), 1u);
    std::vector<std::string> names;
    for (const std::uint32_t atom : std::get<Spheres>(items[0]->shape).parts)
      names.push_back(topology.atoms[atom].name);
    EXPECT_EQ(names, (std::vector<std::string>{"N", "CA", "C", "O", "CB", "CG", "CD"})) << file;
    EXPECT_EQ(Selection("resid 22 and altloc B").atoms(topology, frame).size(), 6u);

    // Charges are those of PRO too, although SER has the higher occupancy.
    const auto outcome = run({"compute", "charges", folder / file, "--out", folder / "a.pqr"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Molecule charged = read_file(folder / "a.pqr");
    std::vector<std::string> heavy;
    for (const std::uint32_t i : Selection("resid 22").atoms(*charged.topology, charged.trajectory->frame(0))) {
      EXPECT_EQ(charged.topology->residue_of(i).name, "PRO");
      if (charged.topology->atoms[i].element != 1) heavy.push_back(charged.topology->atoms[i].name);
    }
    std::sort(heavy.begin(), heavy.end());
    EXPECT_EQ(heavy, (std::vector<std::string>{"C", "CA", "CB", "CD", "CG", "N", "O"})) << file;
  }
}

}  // namespace
}  // namespace isolume
