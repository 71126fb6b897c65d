// Energies of water around a peptide against cpptraj's.
#include <gtest/gtest.h>

#include <filesystem>

#include "compute/over_time/hydration_energy.h"
#include "formats/read.h"
#include "molecule/selection/selection.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

/// A voxel in which one molecule of water is found in ten frames, from the middle of the peptide, and its energies with
/// the solute and half of that with other water, kcal/mol.
struct Voxel {
  glm::dvec3 middle;
  double with_solute, with_water;
};

// Amber-MD/cpptraj, test/Test_GIST/Gist6.out.save (GIST output v4): `gist nopme` of tz2.ortho after `autoimage origin`,
// voxels of 0.5 angstrom.
const Voxel voxels[] = {{{-6.75, -9.75, -7.25}, 0.411134, -13.8684},   {{-6.75, -9.75, -6.25}, 0.330089, -5.79555},
                        {{-6.75, -9.75, -1.25}, -0.949391, -8.33248},  {{-6.75, -8.75, 1.25}, -2.12035, -6.91281},
                        {{-6.75, -8.25, -4.75}, -0.547978, -8.43527},  {{-6.75, -8.25, -1.25}, -0.627368, -8.87795},
                        {{-6.75, -8.25, 5.25}, -0.952897, -9.70121},   {{-6.75, -7.75, -8.25}, -0.0439819, -11.8934},
                        {{-6.75, -7.75, -3.75}, -0.572154, -10.5683},  {{-6.75, -7.25, -3.25}, -0.680906, -6.9636},
                        {{-6.75, -7.25, 3.25}, 0.0285862, -7.99288},   {{-6.75, -7.25, 5.75}, -1.42432, -9.97275},
                        {{-6.75, -6.75, -2.25}, -0.00989241, -9.96332}};

TEST(HydrationEnergies, OfWaterAroundAPeptideAreThoseOfCpptraj) {
  const std::string topology_file = test::shared_data("trajectories/tz2/tz2.ortho.parm7.gz");
  const std::string frames_file = test::shared_data("trajectories/tz2/tz2.ortho.nc");
  ISOLUME_NEEDS(topology_file);
  ISOLUME_NEEDS(frames_file);
  const std::vector<Molecule> molecules = read_files({topology_file, frames_file});
  ASSERT_EQ(molecules.size(), 1u);
  const Molecule& molecule = molecules.front();
  ASSERT_TRUE(molecule.force_field);
  ASSERT_EQ(molecule.frame_count(), 10u);
  const Topology& topology = *molecule.topology;
  const Frame first = molecule.trajectory->frame(0);
  const auto water = Selection("water").atoms(topology, first),
             oxygens = Selection("water and name O").atoms(topology, first);
  const auto peptide = Selection("protein").atoms(topology, first);
  const HydrationEnergies energies(topology, *molecule.force_field, water);
  std::vector<int> found(std::size(voxels), 0);
  for (std::size_t t = 0; t < 10; ++t) {
    const Frame frame = molecule.trajectory->frame(t);
    std::vector<glm::dvec3> positions;
    for (const glm::vec3& p : frame.positions) positions.emplace_back(p);
    glm::dvec3 middle(0);
    for (const std::uint32_t atom : peptide) middle += positions[atom] / static_cast<double>(peptide.size());
    for (const std::uint32_t oxygen : oxygens) {
      const glm::dvec3 place = frame.cell.minimum_image(positions[oxygen] - middle);
      for (std::size_t v = 0; v < std::size(voxels); ++v) {
        const glm::dvec3 from = place - voxels[v].middle;
        if (glm::any(glm::lessThan(from, glm::dvec3(-0.25))) || glm::any(glm::greaterThanEqual(from, glm::dvec3(0.25))))
          continue;
        ++found[v];
        const std::uint32_t which[] = {oxygen};
        const double with_solute = energies.of(which, positions, frame.cell, HydrationPartner::solute, Job())[0];
        const double with_water = energies.of(which, positions, frame.cell, HydrationPartner::water, Job())[0];
        EXPECT_NEAR(with_solute, voxels[v].with_solute, 2e-3) << v;
        EXPECT_NEAR(with_water, voxels[v].with_water, 2e-3) << v;
      }
    }
  }
  for (std::size_t v = 0; v < std::size(voxels); ++v) EXPECT_EQ(found[v], 1) << v;
}

}  // namespace
}  // namespace isolume
