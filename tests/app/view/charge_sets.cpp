// Sets of charges of a molecule: which there are, their totals, and what keeps to its atoms when they change.
#include "app/view/charge_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "app/documents/documents.h"
#include "molecule/base/error.h"
#include "tests/app/cli/program.h"

namespace isolume::test {
namespace {

/// Alanine, glycine and a sodium ion, without hydrogens.
std::string write_bare(const Folder& folder) {
  const std::string path = folder / "bare.pdb";
  std::ofstream(path) << R"(ATOM      1  N   ALA A   1      -0.966   0.493   1.500  1.00  0.00           N
ATOM      2  CA  ALA A   1       0.257   0.418   0.692  1.00  0.00           C
ATOM      3  C   ALA A   1      -0.094   0.017  -0.716  1.00  0.00           C
ATOM      4  O   ALA A   1      -1.056  -0.682  -0.923  1.00  0.00           O
ATOM      5  CB  ALA A   1       1.204  -0.620   1.296  1.00  0.00           C
ATOM      6  N   GLY A   2       0.661   0.439  -1.742  1.00  0.00           N
ATOM      7  CA  GLY A   2       0.321   0.050  -3.108  1.00  0.00           C
ATOM      8  C   GLY A   2       1.428   0.420  -4.072  1.00  0.00           C
ATOM      9  O   GLY A   2       2.520   0.864  -3.701  1.00  0.00           O
HETATM   10 NA    NA A 101      20.000  20.000  20.000  1.00  0.00          NA
END
)";
  return path;
}

/// Water and sodium with charges of their own: 0.5 e in all, which no table has.
std::string write_pqr(const Folder& folder) {
  const std::string path = folder / "salt.pqr";
  std::ofstream(path) << "ATOM 1 O HOH A 1 0.000 0.000 0.000 -0.80 1.70\n"
                         "ATOM 2 H1 HOH A 1 0.957 0.000 0.000 0.40 1.00\n"
                         "ATOM 3 H2 HOH A 1 -0.240 0.927 0.000 0.40 1.00\n"
                         "ATOM 4 NA NA A 2 9.000 0.000 0.000 0.50 1.80\nEND\n";
  return path;
}

std::vector<std::string> titles(const std::vector<ChargeSetChoice>& sets) {
  std::vector<std::string> result;
  for (const ChargeSetChoice& set : sets) result.push_back((set.active ? "*" : "") + set.title);
  return result;
}

TEST(ChargeSets, AreThoseOfTheFileTheTablesAndOtherMolecules) {
  const Folder folder;
  Documents documents;
  Scene scene;
  for (const std::string& path : {write_bare(folder), write_pqr(folder)})
    scene.molecules.push_back(documents.open({path}).front());
  EXPECT_EQ(titles(charge_sets(scene, documents, 0, {"/elsewhere/more.mol2"})),
            (std::vector<std::string>{"*None (as in the file)", "AMBER ff14SB", "CHARMM36", "PARSE",
                                      "Estimated (Gasteiger)", "salt.pqr", "more.mol2"}));
  EXPECT_EQ(titles(charge_sets(scene, documents, 1)).front(), "*From the file");
  scene.molecules[0].templates = {"tables:charmm"};
  EXPECT_EQ(titles(charge_sets(scene, documents, 0)),
            (std::vector<std::string>{"None (as in the file)", "AMBER ff14SB", "*CHARMM36", "PARSE",
                                      "Estimated (Gasteiger)", "salt.pqr"}));
  scene.molecules[0].templates = {"tables:charmm+side-chains"};
  const auto built = charge_sets(scene, documents, 0);
  ASSERT_GT(built.size(), 1u);
  EXPECT_EQ(built[1].templates, (std::vector<std::string>{"tables:amber+side-chains"}));
}

TEST(ChargeSets, HaveTotals) {
  const Folder folder;
  Documents documents;
  const SceneMolecule bare = documents.open({write_bare(folder)}).front();
  const SceneMolecule salt = documents.open({write_pqr(folder)}).front();
  for (const char* tables : {"tables:amber", "tables:charmm", "tables:parse"}) {
    const ChargeSetTotals totals = charge_set_totals(bare, documents, {tables});
    EXPECT_NEAR(totals.charge, 1, 1e-4) << tables << ": NH3+, COO- and Na+";
    EXPECT_EQ(totals.uncharged, 0u) << tables;
    EXPECT_GT(totals.atoms, 10u) << tables;
  }
  const ChargeSetTotals none = charge_set_totals(bare, documents, {});
  EXPECT_EQ(none.charge, 0);
  EXPECT_EQ(none.uncharged, 3u);
  EXPECT_NEAR(charge_set_totals(salt, documents, {}).charge, 0.5, 1e-6);
}

TEST(ChargeSets, KeepMeasurementsAndSelectionsToTheirAtoms) {
  const Folder folder;
  Documents documents;
  Scene scene;
  scene.molecules = {documents.open({write_bare(folder)}).front()};
  Measurement distance;
  distance.atoms = {{0, 1}, {0, 9}};  // CA and Na
  scene.measurements = {distance};
  scene.selections = {{"ion", 0, "index 9"}};
  const auto name_of = [&](std::size_t which) {
    const auto molecule = documents.molecule(scene.molecules[0]);
    return molecule->topology->atoms.at(scene.measurements.at(0).atoms[which].atom).name;
  };
  const auto charge = [&] {
    double sum = 0;
    for (const Atom& atom : documents.molecule(scene.molecules[0])->topology->atoms) sum += double(atom.charge);
    return sum;
  };
  // By tables, by others, and back to the file.
  for (const std::vector<std::string>& templates :
       {std::vector<std::string>{"tables:amber"}, {"tables:parse"}, std::vector<std::string>{}}) {
    use_charge_set(scene, documents, 0, templates);
    EXPECT_EQ(scene.molecules[0].templates, templates);
    EXPECT_EQ(name_of(0), "CA");
    EXPECT_EQ(name_of(1), "NA");
    EXPECT_NEAR(charge(), templates.empty() ? 0 : 1, 1e-4);
  }
  EXPECT_EQ(scene.selections[0].selection, "index 9");
  scene.molecules[0].assembly = "1";
  EXPECT_THROW(use_charge_set(scene, documents, 0, {"tables:amber"}), Error);
}

}  // namespace
}  // namespace isolume::test
