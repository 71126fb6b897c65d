// Hydrogens and charges given to a molecule of a scene: what names atoms by number keeps to the same atoms.
#include "app/view/give_charges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "molecule/base/error.h"
#include "molecule/frames.h"
#include "molecule/selection/selection.h"
#include "tests/app/cli/program.h"

namespace isolume::test {
namespace {

/// Alanine, glycine, serine without hydrogens.
std::string write_peptide(const Folder& folder) {
  const std::string path = folder / "peptide.pdb";
  std::ofstream(path) << R"(ATOM      1  N   ALA A   1      -0.966   0.493   1.500  1.00  0.00           N
ATOM      2  CA  ALA A   1       0.257   0.418   0.692  1.00  0.00           C
ATOM      3  C   ALA A   1      -0.094   0.017  -0.716  1.00  0.00           C
ATOM      4  O   ALA A   1      -1.056  -0.682  -0.923  1.00  0.00           O
ATOM      5  CB  ALA A   1       1.204  -0.620   1.296  1.00  0.00           C
ATOM      6  N   GLY A   2       0.661   0.439  -1.742  1.00  0.00           N
ATOM      7  CA  GLY A   2       0.321   0.050  -3.108  1.00  0.00           C
ATOM      8  C   GLY A   2       1.428   0.420  -4.072  1.00  0.00           C
ATOM      9  O   GLY A   2       2.520   0.864  -3.701  1.00  0.00           O
ATOM     10  N   SER A   3       1.153   0.240  -5.369  1.00  0.00           N
ATOM     11  CA  SER A   3       2.151   0.560  -6.386  1.00  0.00           C
ATOM     12  C   SER A   3       1.557   0.480  -7.790  1.00  0.00           C
ATOM     13  O   SER A   3       0.360   0.256  -7.956  1.00  0.00           O
ATOM     14  CB  SER A   3       3.340  -0.396  -6.266  1.00  0.00           C
ATOM     15  OG  SER A   3       2.922  -1.750  -6.376  1.00  0.00           O
END
)";
  return path;
}

std::vector<std::string> names(Documents& documents, const Scene& scene, const std::string& words) {
  const auto molecule = documents.molecule(scene.molecules[0]);
  std::vector<std::string> result;
  for (const std::uint32_t atom : Selection(words).atoms(*molecule->topology, frame_at(*molecule, 0)))
    result.push_back(molecule->topology->atoms[atom].name);
  return result;
}

TEST(GiveCharges, NumbersOfAtomsFollowThem) {
  const Folder folder;
  Documents documents;
  Scene scene;
  scene.molecules = {{{write_peptide(folder)}}};
  scene.representations.resize(3);
  scene.representations[0].selection = "index 5 to 8";
  scene.representations[0].style = Style::sticks;
  scene.representations[1].selection = "protein";
  scene.representations[2].selection = "resname SER";
  scene.representations[2].style = Style::ball_and_stick;
  scene.selections = {{"end", 0, "serial 14 15"}, {"both", 0, "@end or index 0"}};
  scene.labels = {{0, "@end"}};
  scene.measurements = {{{{0, 9}, {0, 14}}}};
  FieldProbe probe;
  probe.kind = FieldProbe::Kind::bond;
  probe.atom = 13;
  probe.second = 14;
  scene.probes = {probe};
  const std::vector<std::string> glycine{"N", "CA", "C", "O"};
  ASSERT_EQ(names(documents, scene, scene.representations[0].selection), glycine);
  const GivenCharges given = give_charges(scene, documents, 0);
  // NH3+ HA HB3, H HA2, H HA HB2 HG.
  EXPECT_EQ(given.hydrogens, 7u + 3u + 5u);
  EXPECT_NEAR(given.charge, 0, 1e-3);
  EXPECT_EQ(names(documents, scene, scene.representations[0].selection), glycine);
  EXPECT_EQ(names(documents, scene, scene.selections[0].selection), (std::vector<std::string>{"CB", "OG"}));
  EXPECT_EQ(names(documents, scene, scene.selections[1].selection), (std::vector<std::string>{"N", "CB", "OG"}));
  EXPECT_EQ(scene.labels[0].selection, "@end");
  const auto atoms = documents.molecule(scene.molecules[0])->topology;
  ASSERT_EQ(scene.measurements.size(), 1u);
  EXPECT_EQ(atoms->atoms[scene.measurements[0].atoms[0].atom].name, "N");
  EXPECT_EQ(atoms->atoms[scene.measurements[0].atoms[1].atom].name, "OG");
  ASSERT_EQ(scene.probes.size(), 1u);
  EXPECT_EQ(atoms->atoms[scene.probes[0].atom].name, "CB");
  EXPECT_EQ(atoms->atoms[scene.probes[0].second].name, "OG");
  // The file has no hydrogens, and so the pictures of atoms stay as they were.
  EXPECT_EQ(scene.representations[1].selection, "protein");
  EXPECT_EQ(scene.representations[2].selection, "(resname SER) and not (hydrogen)");
}

TEST(GiveCharges, SideChainsAreBuiltAndTakenAwayAgain) {
  const Folder folder;
  const std::string whole = write_peptide(folder), cut = folder / "cut.pdb";
  std::ifstream lines(whole);
  std::ofstream out(cut);
  for (std::string line; std::getline(lines, line);)
    if (line.find(" OG ") == std::string::npos) out << line << '\n';
  out.close();
  Documents documents;
  Scene scene;
  scene.molecules = {{{cut}}};
  scene.representations.resize(2);
  scene.representations[0].selection = "serial 1 to 5";
  scene.representations[1].selection = "resname SER";
  scene.measurements = {{{{0, 1}, {0, 13}}}};  // CA of ALA, CB of SER
  const GivenCharges without = give_charges(scene, documents, 0);
  EXPECT_EQ(without.side_chains, 0u);
  const std::vector<std::string> alanine{"N", "CA", "C", "O", "CB"};
  EXPECT_EQ(names(documents, scene, scene.representations[0].selection), alanine);
  const auto marked = [&](std::size_t k) {
    const Topology& topology = *documents.molecule(scene.molecules[0])->topology;
    const std::uint32_t atom = scene.measurements.at(0).atoms[k].atom;
    return topology.residue_of(atom).name + topology.atoms[atom].name;
  };
  const GivenCharges built = give_charges(scene, documents, 0, "tables:amber+side-chains");
  EXPECT_EQ(built.side_chains, 1u);
  EXPECT_NEAR(built.charge, 0, 1e-3);
  EXPECT_EQ(scene.molecules[0].templates, std::vector<std::string>{"tables:amber+side-chains"});
  const auto serine = names(documents, scene, "resname SER and not hydrogen");
  EXPECT_EQ(std::count(serine.begin(), serine.end(), "OG"), 1);
  EXPECT_EQ(names(documents, scene, scene.representations[0].selection), alanine);
  EXPECT_EQ(marked(0), "ALACA");
  EXPECT_EQ(marked(1), "SERCB");
  give_charges(scene, documents, 0);
  const auto again = names(documents, scene, "resname SER and not hydrogen");
  EXPECT_EQ(std::count(again.begin(), again.end(), "OG"), 0);
  EXPECT_EQ(names(documents, scene, scene.representations[0].selection), alanine);
  EXPECT_EQ(marked(1), "SERCB");
  scene.molecules[0].assembly = "1";
  EXPECT_THROW(give_charges(scene, documents, 0, "tables:amber+side-chains"), Error);
  scene.molecules[0].assembly.clear();
  EXPECT_THROW(give_charges(scene, documents, 0, "tables:opls+side-chains"), Error);
}

}  // namespace
}  // namespace isolume::test
