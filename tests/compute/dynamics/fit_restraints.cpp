// Restraints of flexible fits: what crambin has, and what its mirror image has.
#include "compute/dynamics/fit_restraints.h"

#include "formats/read.h"
#include "molecule/secondary_structure.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

TEST(FitRestraints, KeepWhatCrambinHas) {
  const std::string path = test::shared_data("structures/1ejg.pdb");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  const Topology& topology = *molecule.topology;
  const Frame frame = molecule.trajectory->frame(0);
  std::vector<glm::dvec3> positions(frame.positions.begin(), frame.positions.end());
  const auto structure = secondary_structure(topology, frame);
  const auto of = [&](const FitRestraintOptions& options) {
    return fit_restraints(topology, structure, positions, options);
  };
  const FitRestraints all = of({});
  // 46 residues in one chain, 4 of them GLY, 6 THR and 5 ILE (one place is LEU and ILE): see the sequence of the file.
  EXPECT_EQ(all.peptides, 45u);
  EXPECT_GE(all.chirality, 42u);
  EXPECT_EQ(all.cis, 0u);
  EXPECT_EQ(all.mirrored, 0u);
  EXPECT_GT(all.structure, 20u);
  EXPECT_EQ(all.terms.size(), all.peptides + all.chirality + all.structure);
  const FitRestraints centres = of({0, 50, 0});
  EXPECT_EQ(centres.terms.size(), all.chirality);
  EXPECT_EQ(centres.peptides, 0u);
  for (glm::dvec3& p : positions) p.x = -p.x;
  EXPECT_EQ(of({}).mirrored, 42u);
}

}  // namespace
}  // namespace isolume
