// GROMACS topologies: molecules, includes, conditions, what is missing.
#include <filesystem>

#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::expect_error;
using test::read_text;
using test::shared_data;

TEST(GromacsTopology, ReadsMoleculesTypesAndUsualSolvents) {
  const Molecule molecule = read_file(test::data("formats/sample.top"));
  EXPECT_EQ(molecule.format, "GROMACS topology");
  EXPECT_EQ(molecule.title, "Peptide in water");
  EXPECT_EQ(molecule.frame_count(), 0u);
  const Topology& topology = *molecule.topology;
  ASSERT_EQ(topology.atoms.size(), 4u + 6u + 2u);
  EXPECT_TRUE(topology.has_charges);
  EXPECT_TRUE(topology.has_bonds);
  EXPECT_FLOAT_EQ(topology.atoms[0].charge, -0.5F);
  EXPECT_FLOAT_EQ(topology.atoms[1].charge, 0.5F);   // by #define
  EXPECT_FLOAT_EQ(topology.atoms[2].charge, 0.25F);  // by its type
  EXPECT_FLOAT_EQ(topology.atoms[3].mass, 1.008F);
  EXPECT_EQ(topology.atoms[2].type, "XC");
  EXPECT_EQ(topology.atoms[0].element, 7);
  EXPECT_EQ(topology.atoms[3].element, 1);
  EXPECT_EQ(topology.residues[1].insertion, 'A');
  EXPECT_EQ(topology.residues[1].number, 8);
  EXPECT_EQ(topology.chains[0].id, "B");
  EXPECT_EQ(topology.chains[0].segment, "Protein_chain_B");
  // TIP3P, whose file is missing.
  EXPECT_EQ(topology.residues[2].name, "SOL");
  EXPECT_FLOAT_EQ(topology.atoms[4].charge, -0.834F);
  EXPECT_FLOAT_EQ(topology.atoms[5].charge, 0.417F);
  EXPECT_FLOAT_EQ(topology.atoms[10].charge, 1.0F);
  EXPECT_FLOAT_EQ(topology.atoms[11].charge, -1.0F);
  EXPECT_EQ(topology.atoms[11].element, 17);
  EXPECT_NEAR(topology.total_charge(), 0.0, 1e-6);
  EXPECT_EQ(topology.bonds,
            (std::vector<Bond>{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {4, 5, 1}, {4, 6, 1}, {7, 8, 1}, {7, 9, 1}}));
  ASSERT_FALSE(molecule.warnings.empty());
  EXPECT_NE(molecule.warnings[0].find("amber99sb-ildn.ff/forcefield.itp"), std::string::npos) << molecule.warnings[0];
  EXPECT_NE(molecule.warnings[0].find("SOL (tip3p)"), std::string::npos) << molecule.warnings[0];
}

TEST(GromacsTopology, ReadsIncludesNextToItAndNoneOutside) {
  const Molecule molecule = read_file(test::data("formats/included.top"));
  ASSERT_EQ(molecule.atom_count(), 4u);
  EXPECT_FLOAT_EQ(molecule.topology->atoms[2].charge, -0.0776F);
  EXPECT_EQ(molecule.topology->bonds, (std::vector<Bond>{{0, 1, 1}, {2, 3, 1}}));
  const std::string outside = R"(#include "../formats/molecules/part.itp")";
  expect_error(outside + "\n[ system ]\nx\n[ molecules ]\nLIG 1\n", "outside.top", 0, "no such [ moleculetype ]");
  expect_error("#include \"/etc/hostname\"\n[ system ]\nx\n", "absolute.top", 0, "/etc/hostname");
}

TEST(GromacsTopology, TakesTheFramesOfATrajectoryAndAStructure) {
  const std::string top = shared_data("md-computed/crambin_water.top");
  const std::string xtc = shared_data("md-computed/crambin_water.xtc");
  const std::string pqr = shared_data("md-computed/crambin_water.pqr.gz");
  ISOLUME_NEEDS(top);
  ISOLUME_NEEDS(xtc);
  ISOLUME_NEEDS(pqr);
  const std::vector<Molecule> read = read_files({top, xtc});
  ASSERT_EQ(read.size(), 1u);
  EXPECT_GT(read[0].frame_count(), 1u);
  // GROMACS wrote the same system as PQR, with charges of two digits.
  const Molecule other = read_file(pqr);
  ASSERT_EQ(read[0].atom_count(), other.atom_count());
  for (std::size_t i = 0; i < other.atom_count(); ++i) {
    ASSERT_NEAR(read[0].topology->atoms[i].charge, other.topology->atoms[i].charge, 5.1e-3) << i;
  }
  EXPECT_NEAR(read[0].topology->total_charge(), 0.0, 1e-3);
}

TEST(GromacsTopology, ErrorsNameWhatIsMissing) {
  const std::string head = "[ moleculetype ]\nLIG 3\n[ atoms ]\n";
  const std::string atom = "1 c3 1 LIG C1 1 -0.1 12.01\n";
  expect_error("; water\n#include \"amber99sb.ff/forcefield.itp\"\n", "topol.top", 0, "amber99sb.ff/forcefield.itp");
  expect_error("[ moleculetype ]\n; name nrexcl\nSOL 2\n", "topol.top", 0, "no atoms");
  expect_error(head + "1 c3 1 LIG C1 1\n", "bare.top", 0, "has no charge, and its type c3");
  expect_error(head + atom + "3 c3 1 LIG C2 1 0 1\n", "number.top", 5, "atom 3 follows atom 1");
  expect_error(head + atom + "[ bonds ]\n1 2 1\n", "bond.top", 6, "from 1 to 1");
  expect_error(head + "1 c3 1 LIG C1 1 x\n", "charge.top", 4, "charge: expected a number");
  expect_error(head + atom + "[ molecules ]\nABC 1\n", "kind.top", 0, "there are LIG");
  expect_error(head + atom + "[ molecules ]\nLIG 999999999\n", "many.top", 0, "more atoms than the limit");
  expect_error("#ifdef A\n" + head + atom, "open.top", 0, "#endif is missing");
  expect_error("[ moleculetype ]\nA 1\n#if A\n", "if.top", 3, "#if is not known");
  expect_error("[ moleculetype ]\nA 1\n#endif\n", "endif.top", 3, "#endif without");
}

}  // namespace
}  // namespace isolume
