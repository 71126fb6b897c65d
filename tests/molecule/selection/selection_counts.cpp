// Selections on real structures, in VMD's words and in PyMOL's: how many atoms they hold.
#include <gtest/gtest.h>

#include <span>

#include "formats/read.h"
#include "molecule/selection/selection.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

struct Expected {
  const char* text;
  std::size_t atoms;
};

// The counts come from a script of its own that reads the columns of the ATOM and HETATM records and compares all
// distances by brute force (Python, NumPy); helices from the HELIX records.
const Expected haemoglobin[] = {
    {"all", 4779},
    {"*", 4779},
    {"none", 0},
    {"protein", 4384},
    {"polymer.protein", 4384},
    {"polymer", 4384},
    {"water", 221},
    {"solvent", 221},
    {"resname HOH", 221},
    {"resn hoh", 221},
    {"backbone", 2300},
    {"bb.", 2300},
    {"sidechain", 2084},
    {"alpha", 574},
    {"guide", 574},
    {"protein and name CA", 574},
    {"hetero", 395},
    {"hetatm", 395},
    {"hetero and not water", 174},
    {"het & !sol.", 174},
    {"ligand", 172},
    {"organic", 172},
    {"inorganic", 2},
    {"not protein and not water", 174},
    {"!(protein | water)", 174},
    {"resname HEM HOH", 393},
    {"resn HEM+HOH", 393},
    {"resname HEM or water", 393},
    {"chain A", 1168},
    {"c. A", 1168},
    {"chain A B", 2392},
    {"chain A+B", 2392},
    {"resid 10 to 20", 320},
    {"resid 10-20", 320},
    {"resi 10-20", 320},
    {"resi 10:20", 320},
    {"resid >= 10 and resid <= 20", 320},
    {"10 <= resid <= 20", 320},
    {"resid 10 12 14", 92},
    {"resi 10+12+14", 92},
    {"i. 10,12,14", 92},
    {"resid 10 to 20 30", 360},
    {"resi 10-20+30", 360},
    {"resname ALA GLY", 520},
    {"resn ALA+GLY", 520},
    {"name CA CB", 1108},
    {"name CA+CB", 1108},
    {"name \"C.*\"", 2954},
    {"name C*", 2954},
    {"name \"[NO][DE][12]\"", 246},
    {"element C", 2954},
    {"elem c", 2954},
    {"e. Fe", 4},
    {"element N O", 1807},
    {"index 5 to 10", 6},
    {"index > 4 and index < 11", 6},
    {"serial 100 to 200", 101},
    {"id 100-200", 101},
    {"acidic", 456},
    {"basic", 912},
    {"charged", 1368},
    {"hydrophobic", 2028},
    {"polar", 2356},
    {"aromatic", 940},
    {"helix", 3328},
    {"ss H", 3328},
    {"sheet", 0},
    {"ss S", 0},
    {"beta > 50", 271},
    {"b > 50", 271},
    {"b<10", 110},
    {"occupancy < 1", 0},
    {"q < 1", 0},
    {"x > 6", 1911},
    {"x > 6 and sqr(x) + sqr(y) < 400", 891},
    {"x > 6 and sqrt(x*x + y^2) < 20", 891},
    {"abs(z) < 5", 1120},
    {"-5 < z < 5", 1120},
    {"0 < x < 10", 861},
    {"(x + y) / 2 > z", 2285},
    {"x - z > z - y", 2285},
    {"mass > 30", 18},
    {"mass 12 to 14.5", 3734},
    {"within 5 of resname HEM", 534},
    {"resname HEM expand 5", 534},
    {"all within 5 of resn HEM", 534},
    {"exwithin 5 of resname HEM", 362},
    {"resname HEM around 5", 362},
    {"protein within 5 of resname HEM", 342},
    {"protein and within 5 of resname HEM", 342},
    {"same residue as within 5 of resname HEM", 950},
    {"byres (resn HEM expand 5)", 950},
    {"not within 5 of resname HEM", 4245},
    {"all beyond 5 of resname HEM", 4245},
    {"water within 3 of protein", 161},
    {"same chain as (name CA and resid 1 and chain B)", 1224},
    {"bychain (n. CA & i. 1 & c. B)", 1224},
    {"resname HIS name NE2 within 3 of element FE", 4},
    {"chain A resid 1 to 5 name CA", 5},
};

const Expected ubiquitin[] = {
    {"all", 650},
    {"within 3.5 of (resname LYS and name NZ)", 37},
    {"(resn LYS & n. NZ) expand 3.5", 37},
    {"same residue as within 3.5 of (resname LYS and name NZ)", 116},
    {"resname LYS around 4", 138},
    {"exwithin 4 of resname LYS", 138},
    {"protein beyond 20 of resname LYS", 3},
    {"occupancy < 1", 57},
    {"abs(z) < 5", 47},
    {"sidechain", 291},
};

void expect_counts(const std::string& file, std::span<const Expected> table) {
  const std::string path = test::shared_data("structures/" + file);
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  const Frame frame = molecule.trajectory->frame(0);
  for (const Expected& expected : table) {
    const Selection selection(expected.text);
    EXPECT_EQ(selection.atoms(*molecule.topology, frame).size(), expected.atoms) << expected.text;
  }
}

TEST(Selection, CountsOfHaemoglobin) {
  expect_counts("4hhb.pdb", haemoglobin);
}

TEST(Selection, CountsOfUbiquitin) {
  expect_counts("1ubq.pdb.gz", ubiquitin);
}

}  // namespace
}  // namespace isolume
