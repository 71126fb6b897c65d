// Hydrogens and charges of crystal structures from the residues of a simulated protein.
#include <gtest/gtest.h>

#include <cmath>

#include "formats/read.h"
#include "molecule/force_field/residue_templates.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

TEST(ResidueTemplatesOfFiles, MakeUbiquitinOfItsPublishedSize) {
  const std::string topology = test::shared_data("structures/jac/JAC.prmtop.gz");
  const std::string crystal = test::shared_data("structures/1ubq.pdb.gz");
  ISOLUME_NEEDS(topology);
  ISOLUME_NEEDS(crystal);
  const ResidueTemplates templates(read_files({topology, test::shared_data("structures/jac/JAC.inpcrd")}).front());
  const CompletedStructure got = templates.complete(read_file(crystal));
  const Topology& t = *got.molecule.topology;
  EXPECT_TRUE(got.unmatched.empty()) << got.unmatched.front();
  std::size_t protein = 0, water = 0;
  double charge = 0;
  for (std::size_t i = 0; i < t.atoms.size(); ++i) {
    (t.residue_of(i).name == "HOH" ? water : protein)++;
    charge += static_cast<double>(t.atoms[i].charge);
  }
  // 1231 in Table 1 of Anandakrishnan, Daga, Onufriev, Feng (2016), less histidine 68 (17), which this file does not
  // have, and with the two hydrogens that make the residue after it the beginning of a chain; 58 waters.
  EXPECT_EQ(protein, 1231u - 17 + 2);
  EXPECT_EQ(water, 58u * 3);
  // Ubiquitin is neutral with a neutral histidine; the ammonium group after the gap has no carboxylate before it.
  EXPECT_NEAR(charge, 1, 1e-3);
  // Every hydrogen of the protein is at a bond's length from one of its heavy atoms, and no two of its atoms are on
  // top of each other. Waters are turned anyhow and may be near.
  std::vector<int> bonds(t.atoms.size(), 0);
  const auto is_water = [&](std::size_t i) { return t.residue_of(i).name == "HOH"; };
  for (const Bond& b : t.bonds) {
    if (is_water(b.a) || is_water(b.b)) continue;
    ++bonds[b.a];
    ++bonds[b.b];
  }
  const auto at = got.molecule.trajectory->frame(0).positions;
  std::size_t crowded = 0;
  for (std::size_t i = 0; i < t.atoms.size(); ++i) {
    if (is_water(i)) continue;
    if (t.atoms[i].element == 1) {
      EXPECT_EQ(bonds[i], 1) << t.atoms[i].name << " of " << t.residue_of(i).number;
    }
    for (std::size_t j = 0; j < i; ++j) crowded += !is_water(j) && glm::length(at[i] - at[j]) < 0.8f ? 1 : 0;
  }
  EXPECT_EQ(crowded, 0u);
}

}  // namespace
}  // namespace isolume
