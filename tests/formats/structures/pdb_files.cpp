// PDB files of the collection: counts of atoms, crambin in every detail, displacements.
#include <array>
#include <cmath>

#include "formats/structures/pdb_fields.h"
#include "molecule/elements.h"
#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::expect_counts;
using test::expect_near;
using test::shared_data;

TEST(Pdb, displacements_of_a_real_file_agree_with_its_isotropic_ones) {
  const std::string path = shared_data("structures/1ejg.pdb");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  const Topology& topology = *molecule.topology;
  ASSERT_EQ(topology.displacements.size(), topology.atoms.size());
  std::size_t with = 0;
  for (std::size_t i = 0; i < topology.atoms.size(); ++i) {
    const auto& u = topology.displacements[i];
    if (u == std::array<float, 6>{}) continue;
    ++with;
    // B = 8 pi^2 (U11 + U22 + U33) / 3, rounded in the file to 0.01.
    EXPECT_NEAR(8 * M_PI * M_PI * (u[0] + u[1] + u[2]) / 3, topology.atoms[i].b_factor, 0.02) << i;
  }
  EXPECT_EQ(with, 359u);
}

TEST(Pdb, reads_crambin) {
  const std::string path = shared_data("structures/1crn.pdb");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  EXPECT_EQ(molecule.format, "PDB");
  ASSERT_EQ(molecule.atom_count(), 327u);
  const Topology& topology = *molecule.topology;
  EXPECT_EQ(topology.residues.size(), 46u);
  EXPECT_EQ(topology.chains.size(), 1u);
  // ATOM      2  CA  THR A   1      16.967  12.784   4.338  1.00 10.80           C
  const Atom& ca = topology.atoms[1];
  EXPECT_EQ(ca.name, "CA");
  EXPECT_EQ(ca.serial, 2);
  EXPECT_EQ(ca.element, 6);
  EXPECT_FLOAT_EQ(ca.b_factor, 10.80F);
  EXPECT_FALSE(ca.hetero);
  EXPECT_EQ(topology.residue_of(1).name, "THR");
  EXPECT_EQ(topology.residue_of(1).number, 1);
  EXPECT_EQ(topology.chain_of(1).id, "A");
  const Frame frame = molecule.trajectory->frame(0);
  expect_near(frame.positions[1], {16.967, 12.784, 4.338}, 1e-5);
  expect_near(frame.positions[326], {12.703, 4.973, 10.746}, 1e-5);
  // CRYST1   40.960   18.650   22.520  90.00  90.77  90.00
  EXPECT_NEAR(frame.cell.lengths().y, 18.650, 1e-9);
  EXPECT_NEAR(frame.cell.angles().y, 90.77, 1e-9);
  // HELIX 7 to 19 and 23 to 30, SHEET 1 to 4 and 32 to 35
  EXPECT_TRUE(topology.has_structure);
  const auto structure = [&](std::size_t number) { return topology.residues[number - 1].structure; };
  EXPECT_EQ(structure(1), SecondaryStructure::strand);
  EXPECT_EQ(structure(7), SecondaryStructure::helix);
  EXPECT_EQ(structure(19), SecondaryStructure::helix);
  EXPECT_EQ(structure(20), SecondaryStructure::coil);
  EXPECT_EQ(structure(35), SecondaryStructure::strand);
}

TEST(Pdb, every_shared_file_has_the_atoms_that_its_records_count) {
  // atoms (of the first model), frames, residues where another source has them
  expect_counts("PDB", {{"structures/1aki.pdb", 1079, 1},
                        {"structures/1aon.pdb.gz", 58870, 1},
                        {"structures/1bdd.pdb", 722, 1},
                        {"structures/1bna.pdb", 566, 1},
                        {"structures/1dix.pdb", 1748, 1},
                        {"structures/1f2n.pdb", 4730, 1},
                        {"structures/1gzm.pdb", 5792, 1},
                        {"structures/1hpv.pdb", 1631, 1},
                        {"structures/1hvr.pdb", 1890, 1},
                        {"structures/1k6p.pdb", 1760, 1},
                        {"structures/1kx5.pdb.gz", 16755, 1},
                        {"structures/1m19.pdb.gz", 23243, 1},
                        {"structures/1m4x.pdb.gz", 9693, 1},
                        {"structures/1rb8.pdb", 5112, 1},
                        {"structures/1tii.pdb", 5684, 1},
                        {"structures/1ubq.pdb.gz", 650, 1},
                        {"structures/1vln-triclinic.pdb.gz", 14520, 1},
                        {"structures/2axd.pdb.gz", 1276, 1},
                        {"structures/2d0f.pdb", 5615, 1},
                        {"structures/2igd_924wat.pdb", 6488, 1},
                        {"structures/2koc.pdb.gz", 451, 20},
                        {"structures/304d.pdb", 237, 1},
                        {"structures/3mht.pdb", 3211, 1},
                        {"structures/4hhb.pdb", 4779, 1},
                        {"structures/4oz7.pdb", 181, 1},
                        {"structures/5cvz_final.pdb", 1061, 1},
                        {"structures/BaceCgMartini.pdb", 104, 1},
                        {"structures/DnaCgMartini.pdb", 130, 1},
                        {"structures/MOF-5.pdb", 65, 1},
                        {"structures/adk_open.pdb", 3341, 1},
                        {"structures/altlocs.pdb", 57, 1},
                        {"structures/apoa1/apoa1.pdb.gz", 92224, 1},
                        {"structures/charges.pdb", 36, 1},
                        {"structures/charmm_dhfr/5dhfr_cube.pdb.gz", 23558, 1},
                        {"structures/elements.pdb", 28, 1},
                        {"structures/jac/system.pdb.gz", 23558, 1},
                        {"structures/lig0FG.2models.pdb", 28, 2},
                        {"structures/nmr_neopetrosiamide.pdb.gz", 392, 24},
                        {"structures/odd-start.pdb", 20, 1},
                        {"structures/pdb1aq5.ent.gz", 2292, 20},
                        {"structures/psfgen-output.pdb", 26, 1},
                        {"structures/triclinic.pdb", 8, 1},
                        {"trajectories/2hkb.pdb.gz", 757, 10},
                        {"trajectories/cobrotoxin/cobrotoxin.pdb.gz", 19385, 1},
                        {"malformed/pdb/atom-id-0.pdb", 2, 1},
                        {"malformed/pdb/conect_error.pdb", 9, 1},
                        {"malformed/pdb/incomplete.pdb", 3, 2},
                        {"malformed/pdb/short-atom.pdb", 9, 1}});
}

}  // namespace
}  // namespace isolume
