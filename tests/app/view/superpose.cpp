// Molecules brought onto each other.
#include "compute/analysis/superpose_molecules.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/documents/documents.h"
#include "app/fields/fields.h"
#include "compute/analysis/superposition.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/selection/selection.h"
#include "tests/app/cli/program.h"
#include "tests/app/documents/gate.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

const RigidMotion some_motion{glm::normalize(glm::dquat(0.3, -0.7, 0.2, 0.5)), {4, -2.5, 11}};

std::vector<glm::dvec3> positions_of(const Molecule& molecule, std::size_t frame, const std::string& selection) {
  const Frame now = molecule.trajectory->frame(frame);
  std::vector<glm::dvec3> points;
  for (const std::uint32_t i : Selection(selection).atoms(*molecule.topology, now))
    points.emplace_back(now.positions[i]);
  return points;
}

TEST(Superpose, ACopyComesBackToItsPlace) {
  const Molecule crambin = read_file(test::examples("crambin.pdb.gz"));
  Job job;
  const SuperposeResult found = superpose_molecules(moved(crambin, some_motion), 0, crambin, 0, {}, job);
  EXPECT_EQ(found.how, AtomMatching::residues);
  EXPECT_EQ(found.pairs, 46u);
  EXPECT_EQ(found.kept, 46u);
  EXPECT_LT(found.rmsd, 1e-5) << "of positions in single precision";
  EXPECT_NEAR(std::abs(glm::dot(found.motion.rotation, inverse(some_motion).rotation)), 1, 1e-10);
  EXPECT_LT(glm::distance(found.motion.translation, inverse(some_motion).translation), 1e-4);
  ASSERT_EQ(found.by_residue.size(), 46u);
  EXPECT_EQ(crambin.topology->atoms[found.by_residue[3].atom].name, "CA");
  EXPECT_EQ(describe(found).substr(0, 26), "46 of 46 pairs by residues");
}

// Values of MDAnalysis: CA after superposition (reference/computed), and backbone of the first and last frame, of its
// own test of rms.rmsd().
TEST(Superpose, DistancesOfAdenylateKinaseAreThoseOfMDAnalysis) {
  const std::string psf = test::shared_data("trajectories/adk/adk.psf.gz"),
                    dcd = test::shared_data("trajectories/adk/adk_dims.dcd");
  ISOLUME_NEEDS(psf);
  ISOLUME_NEEDS(dcd);
  Documents documents;
  SceneMolecule entry = documents.open({psf, dcd}).at(0);
  const auto molecule = documents.molecule(entry);
  Job job;
  SuperposeOptions all;
  all.cutoff = 0;
  const struct {
    std::size_t frame;
    double rmsd;
  } known[] = {{1, 0.423430}, {50, 4.761205}, {97, 6.814428}};
  for (const auto& [frame, rmsd] : known) {
    const SuperposeResult found = superpose_molecules(*molecule, frame, *molecule, 0, all, job);
    EXPECT_EQ(found.pairs, 214u);
    EXPECT_NEAR(found.rmsd, rmsd, 2e-6) << frame;
    EXPECT_EQ(found.rmsd, found.rmsd_all);
  }
  SuperposeOptions backbone = all;
  backbone.moving_selection = backbone.fixed_selection = "name N CA C O";
  EXPECT_NEAR(superpose_molecules(*molecule, 97, *molecule, 0, backbone, job).rmsd, 6.820321761927005, 2e-6);

  // Open and closed share their core: what moved is left out.
  const SuperposeResult core = superpose_molecules(*molecule, 97, *molecule, 0, {}, job);
  EXPECT_GT(core.kept, 90u);
  EXPECT_LT(core.kept, 150u);
  EXPECT_LT(core.rmsd, 1.3);
  EXPECT_GT(core.rmsd_all, 6.814428);
  for (const ResidueDistance& residue : core.by_residue)
    if (residue.kept) {
      EXPECT_LE(residue.distance, 2);
    }

  // Frames that are superposed on the first need no superposition any more.
  entry.placement.steady = "name CA";
  const auto steady = documents.molecule(entry);
  const auto first = positions_of(*steady, 0, "name CA");
  for (const auto& [frame, value] : known)
    EXPECT_NEAR(rmsd(positions_of(*steady, frame, "name CA"), first), value, 1e-5) << frame;
  EXPECT_EQ(positions_of(*molecule, 0, "all"), positions_of(*steady, 0, "all")) << "which itself stays";
  entry.placement.steady_frame = 98;
  EXPECT_THROW(documents.molecule(entry), Error) << "there are 98 frames";
  entry.placement = {{}, "resname NOT", 0};
  EXPECT_THROW(documents.molecule(entry), Error);
}

// CA atoms of chains A and C of 4hhb, and pairs of A and B aligned by BLOSUM62 with gaps of -11 and -1, by
// Biopython 1.88 (tests/bench/peers/superposition_biopython.py).
TEST(Superpose, ChainsOfHaemoglobinAreThoseOfBiopython) {
  const std::string file = test::shared_data("structures/4hhb.pdb");
  ISOLUME_NEEDS(file);
  const Molecule molecule = read_file(file);
  Job job;
  SuperposeOptions options;
  options.moving_selection = "chain A and protein and name CA";
  options.fixed_selection = "chain C and protein and name CA";
  options.matching = AtomMatching::sequence;
  options.cutoff = 0;
  const SuperposeResult same = superpose_molecules(molecule, 0, molecule, 0, options, job);
  EXPECT_EQ(same.pairs, 141u);
  EXPECT_EQ(same.identical, 141u);
  EXPECT_NEAR(same.rmsd, 0.29704894494220646, 1e-5);
  EXPECT_EQ(same.chains, "A with C");
  options.fixed_selection = "chain B and protein and name CA";
  const SuperposeResult other = superpose_molecules(molecule, 0, molecule, 0, options, job);
  EXPECT_EQ(other.pairs, 139u);
  EXPECT_EQ(other.identical, 63u);
}

TEST(Superpose, FramesAreMatchedOnceAndProgressNeverGoesBack) {
  Molecule run = *test::molecule_of({{0, 0, 0}, {3, 0, 0}, {0, 5, 0}, {0, 0, 4}, {-2, 1, 1}});
  Frame turned;
  turned.positions = {{1, 1, 1}, {1, 4, 1}, {-4, 1, 1}, {1, 1, 5}, {0, -1, 2}};
  run.trajectory = std::make_shared<MemoryTrajectory>(std::vector<Frame>{run.trajectory->frame(0), turned});
  double last = 0;
  Job job([&](double fraction, const std::string&) {
    EXPECT_GE(fraction, last);
    last = fraction;
  });
  SuperposeOptions options;
  options.moving_selection = options.fixed_selection = "x < 2";  // of the first frame: four atoms; of the second, all
  options.cutoff = 0;
  const Superposer superpose_on(run, 1, run, 0, options, job);
  for (std::size_t frame = 0; frame < 2; ++frame) {
    const SuperposeResult found = superpose_on(run.trajectory->frame(frame));
    EXPECT_EQ(found.pairs, 4u);
    EXPECT_LT(found.rmsd, 1e-6) << "a turn by 90 degrees about z, and a shift";
  }
  EXPECT_EQ(superpose_molecules(run, 1, run, 0, options, job).pairs, 4u);
  EXPECT_THROW(superpose_on(Frame()), Error);
}

TEST(Superpose, SaysWhatDoesNotMatch) {
  const auto one = test::molecule_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}),
             two = test::molecule_of({{0, 0, 0}, {1, 0, 0}});
  Job job;
  EXPECT_THROW(superpose_molecules(*one, 0, *two, 0, {}, job), Error) << "two pairs";
  SuperposeOptions order;
  order.matching = AtomMatching::order;
  EXPECT_THROW(superpose_molecules(*one, 0, *two, 0, order, job), Error);
  EXPECT_THROW(superpose_molecules(Molecule(), 0, *two, 0, {}, job), Error);
  EXPECT_LT(superpose_molecules(moved(*one, some_motion), 0, *one, 0, order, job).rmsd, 1e-5);
}

}  // namespace
}  // namespace isolume
