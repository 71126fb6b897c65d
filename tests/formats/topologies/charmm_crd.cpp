// CHARMM's coordinate files: both kinds of columns, and with a PSF as the topology.
#include <cmath>

#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::expect_error;
using test::expect_near;
using test::shared_data;

TEST(CharmmCrd, reads_normal_and_wide_columns) {
  for (const char* name : {"formats/sample.crd", "formats/extended.crd"}) {
    SCOPED_TRACE(name);
    const Molecule molecule = read_file(test::data(name));
    EXPECT_EQ(molecule.format, "CHARMM CRD");
    ASSERT_EQ(molecule.atom_count(), 4u);
    const Topology& topology = *molecule.topology;
    ASSERT_EQ(topology.residues.size(), 2u);
    EXPECT_EQ(topology.atoms[0].name, "OH2");
    EXPECT_EQ(topology.atoms[0].element, 8);
    EXPECT_EQ(topology.atoms[3].element, 20);
    EXPECT_EQ(topology.residues[0].name, "TIP3");
    EXPECT_EQ(topology.residues[0].number, 7);
    EXPECT_EQ(topology.residues[1].number, 12);
    EXPECT_EQ(topology.residues[1].insertion, 'A');
    EXPECT_EQ(topology.chains[0].segment, "WAT");
    EXPECT_EQ(topology.chains[1].segment, "ION");
    EXPECT_FALSE(topology.has_charges);
    const Frame frame = molecule.trajectory->frame(0);
    expect_near(frame.positions[1], {1.4572, -1.25, 2}, 1e-6);
    expect_near(frame.positions[3], {-12, 13.5, -104.25}, 1e-6);  // columns that touch
  }
}

TEST(CharmmCrd, says_what_is_wrong) {
  const std::string title = "* A TITLE\n*\n";
  const std::string atom = "    1    1 TIP3 OH2    0.50000  -1.25000   2.00000 WAT  7      0.00000\n";
  expect_error(title + "    3\n", "short.crd", 3, "atoms");
  expect_error(title + "    2\n" + atom + "    2    1 TIP3 H1     1.45720   0.00000\n          \n", "cut.crd", 5,
               "columns 21 to 50");
  expect_error(title + "    1\n" + "    1    1 TIP3 OH2    0.50000  xx.25000   2.00000 WAT  7      0.00000\n",
               "word.crd", 4, "position");
  expect_error(title + "    1\n" + "    1    1 TIP3 OH2        nan  -1.25000   2.00000 WAT  7      0.00000\n",
               "nan.crd", 4, "position");
}

TEST(CharmmCrd, has_the_positions_of_the_pdb_file_that_it_was_made_from) {
  const std::string crd = shared_data("structures/adk_open.crd");
  const std::string pdb = shared_data("structures/adk_open.pdb");
  ISOLUME_NEEDS(crd);
  ISOLUME_NEEDS(pdb);
  const Molecule a = read_file(crd);
  const Molecule b = read_file(pdb);
  ASSERT_EQ(a.atom_count(), 3341u);
  ASSERT_EQ(b.atom_count(), 3341u);
  EXPECT_EQ(a.topology->residues.size(), b.topology->residues.size());
  const Frame here = a.trajectory->frame(0);
  const Frame there = b.trajectory->frame(0);
  for (std::size_t i = 0; i < a.atom_count(); ++i) {
    expect_near(here.positions[i], glm::dvec3(there.positions[i]), 1e-3);
    EXPECT_EQ(a.topology->atoms[i].name, b.topology->atoms[i].name);
    EXPECT_EQ(a.topology->atoms[i].element, b.topology->atoms[i].element);
  }
}

TEST(CharmmCrd, gives_a_psf_its_positions) {
  const std::string psf = shared_data("structures/ala3_solv.psf");
  const std::string crd = shared_data("structures/ala3_solv.crd");
  ISOLUME_NEEDS(psf);
  ISOLUME_NEEDS(crd);
  for (const auto& paths : {std::vector{psf, crd}, std::vector{crd, psf}}) {
    const std::vector<Molecule> molecules = read_files(paths);
    ASSERT_EQ(molecules.size(), 1u);
    const Molecule& molecule = molecules[0];
    ASSERT_EQ(molecule.atom_count(), 2776u);
    EXPECT_TRUE(molecule.topology->has_charges);
    expect_near(molecule.trajectory->frame(0).positions[0], {-4.7646055673, -0.3618371390, 0.0735617208}, 1e-6);
    // Bonds of the PSF are as long as bonds are.
    const Frame frame = molecule.trajectory->frame(0);
    for (const Bond& bond : molecule.topology->bonds) {
      const Frame& frame = molecule.trajectory->frame(0);
      const float length = glm::distance(frame.positions[bond.a], frame.positions[bond.b]);
      ASSERT_LT(length, 2.2f);
    }
  }
  const Molecule normal = read_file(shared_data("structures/1tnm.crd"));
  EXPECT_EQ(normal.atom_count(), 1414u);
  EXPECT_EQ(normal.topology->residues.size(), 91u);
}

}  // namespace
}  // namespace isolume
