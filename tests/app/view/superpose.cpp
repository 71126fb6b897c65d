// Molecules brought onto each other, and placed where a scene has them.
#include "compute/analysis/superpose_molecules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "app/documents/documents.h"
#include "app/documents/frames.h"
#include "app/documents/placement.h"
#include "app/fields/fields.h"
#include "app/scene/scene_json.h"
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

TEST(Placement, IsPartOfTheSceneAndOfNoOldFile) {
  const std::string old = R"({"format": "isolume-scene", "version": 1, "molecules": [{"paths": ["/a.pdb"]}]})";
  Scene scene = scene_from_json(old);
  EXPECT_EQ(scene.molecules[0].placement, Placement());
  EXPECT_EQ(scene.layout, Layout::together);
  scene.molecules[0].placement = {some_motion, "name CA", 7};
  scene.layout = Layout::tiles;
  EXPECT_EQ(scene_from_json(scene_to_json(scene)), scene);
  set_value(scene, "molecules[0].placement.translation", "[1, 2, 3]");
  EXPECT_EQ(scene.molecules[0].placement.motion.translation, glm::dvec3(1, 2, 3));
  EXPECT_THROW(set_value(scene, "molecules[0].placement.rotation", "[0, 0, 0, 0]"), Error);
}

TEST(Placement, DocumentsKeepEveryPlace) {
  Documents documents;
  const SceneMolecule file = documents.open({test::examples("crambin.pdb.gz")}).at(0);
  SceneMolecule there = file;
  there.placement.motion = some_motion;
  EXPECT_EQ(documents.loaded(there), nullptr);
  const auto moved_molecule = documents.molecule(there);
  EXPECT_EQ(documents.loaded(there), moved_molecule);
  EXPECT_NE(documents.loaded(file), moved_molecule);
  const Frame from = frame_at(*documents.molecule(file), 0), to = frame_at(*moved_molecule, 0);
  for (std::size_t i = 0; i < from.positions.size(); i += 17)
    EXPECT_LT(glm::distance(glm::dvec3(to.positions[i]), some_motion(glm::dvec3(from.positions[i]))), 1e-5);
  documents.reload(there);
  EXPECT_NE(documents.loaded(there), moved_molecule);
  ASSERT_NE(documents.loaded(there), nullptr);
  EXPECT_EQ(frame_at(*documents.loaded(there), 0).positions, to.positions);
}

TEST(Placement, PlacesOfNoUseAnyMoreGoByTheirSize) {
  // A cube's volume is copied to each place; 10 x 10 x 10 values are 4000 bytes.
  const std::string path = (std::filesystem::temp_directory_path() / "isolume_places.dx").string();
  std::ofstream out(path);
  out << "object 1 class gridpositions counts 10 10 10\norigin 0 0 0\ndelta 1 0 0\ndelta 0 1 0\ndelta 0 0 1\n"
         "object 2 class gridconnections counts 10 10 10\n"
         "object 3 class array type double rank 0 items 1000 data follows\n";
  for (int i = 0; i < 1000; ++i) out << i << '\n';
  out.close();
  Documents documents(10'000);
  const SceneMolecule file = documents.open({path}).at(0);
  const auto at = [&](double x) {
    SceneMolecule there = file;
    there.placement.motion.translation.x = x;
    return there;
  };
  for (int i = 1; i <= 5; ++i) (void)documents.molecule(at(i));
  std::remove(path.c_str());
  EXPECT_NE(documents.loaded(file), nullptr);
  EXPECT_EQ(documents.loaded(at(2)), nullptr);
  EXPECT_NE(documents.loaded(at(3)), nullptr);
  EXPECT_NE(documents.loaded(at(4)), nullptr) << "two of 4000 bytes fit";
  EXPECT_NE(documents.loaded(at(5)), nullptr) << "the newest is in use";
}

TEST(Placement, OrbitalsOfSteadyFramesAreTurnedOnce) {
  const Molecule water = read_file(test::data("H2O-631Gd-cart.molden"));
  const RigidMotion tumble{glm::normalize(glm::dquat(0.7, -0.1, 0.5, 0.2)), {1, 2, 3}};
  Molecule sequence = water;
  const Frame first = frame_at(water, 0), second = moved(first, tumble);
  sequence.trajectory = std::make_shared<MemoryTrajectory>(std::vector<Frame>{first, second});
  const auto own = water.orbitals_at(0);
  const auto tumbled = std::make_shared<const Orbitals>(moved(*own, tumble));
  sequence.orbitals = {own, tumbled};
  const Molecule there = placed(sequence, {some_motion, "all", 0});
  // One motion for both: to the last bit what the composed one gives, not what two in turn give.
  std::vector<glm::dvec3> from, to;
  for (std::size_t i = 0; i < first.positions.size(); ++i) {
    from.emplace_back(second.positions[i]);
    to.emplace_back(first.positions[i]);
  }
  const RigidMotion both = then(superpose(from, to).motion, some_motion);
  EXPECT_EQ(there.orbitals_at(1)->coefficients, moved(*tumbled, both).coefficients);
  EXPECT_EQ(frame_at(there, 1).positions, moved(second, both).positions);
  // And frame 1 is where frame 0 is.
  const Frame a = frame_at(there, 0), b = frame_at(there, 1);
  for (std::size_t i = 0; i < a.positions.size(); ++i)
    EXPECT_LT(glm::distance(a.positions[i], b.positions[i]), 1e-5f) << i;
}

/// Of a field of a molecule at points, and of the moved molecule at the moved points.
struct MovedDifference {
  double worst = 0, largest = 0;  ///< difference, value
  double rms = 0, rms_value = 0;
};
MovedDifference moved_difference(FieldRequest request) {
  Job job;
  const ComputedVolume before = compute_volume(request, job);
  request.grid = moved(before.grid, some_motion);
  request.molecule = std::make_shared<const Molecule>(placed(*request.molecule, {some_motion, {}, 0}));
  const ComputedVolume after = compute_volume(request, job);
  EXPECT_EQ(before.values.size(), after.values.size());
  MovedDifference found;
  for (std::size_t i = 0; i < before.values.size(); ++i) {
    const double value = static_cast<double>(before.values[i]);
    const double difference = value - static_cast<double>(after.values[i]);
    found.largest = std::max(found.largest, std::abs(value));
    found.worst = std::max(found.worst, std::abs(difference));
    found.rms += difference * difference;
    found.rms_value += value * value;
  }
  found.rms = std::sqrt(found.rms / static_cast<double>(before.values.size()));
  found.rms_value = std::sqrt(found.rms_value / static_cast<double>(before.values.size()));
  return found;
}

TEST(Placement, FieldsMoveWithTheMolecule) {
  FieldRequest orbital;
  orbital.field.kind = Field::Kind::orbital;
  orbital.field.spacing = 0.3;
  orbital.molecule = std::make_shared<const Molecule>(read_file(test::data("H2O-631Gd-cart.molden")));
  for (const char* which : {"homo", "homo-1", "lumo"}) {
    orbital.field.orbital = which;
    const MovedDifference found = moved_difference(orbital);
    EXPECT_GT(found.largest, 0.1);
    EXPECT_LT(found.worst, 3e-6 * found.largest) << which;
  }
  FieldRequest potential;
  potential.field.kind = Field::Kind::potential;
  potential.field.spacing = 1.5;
  potential.field.potential.method = PotentialSettings::Method::direct;
  potential.molecule = test::molecule_of({{0, 0, 0}, {3, 0, 0}, {0, 4, 1}}, {1, -0.5f, -0.5f});
  const MovedDifference found = moved_difference(potential);
  EXPECT_GT(found.largest, 1);
  EXPECT_LT(found.worst, 1e-4 * found.largest);
}

// A turned cell is a cell: the periodic potential of ions in it is that of the ions in the cell as it was.
TEST(Placement, PeriodicPotentialsMoveWithTheCell) {
  auto ions = test::molecule_of({{1, 1, 1}, {7, 2, 3}, {4, 8, 9}, {10, 9, 2}}, {1, -1, 1, -1});
  Frame frame = ions->trajectory->frame(0);
  frame.cell = Cell::from_lengths_angles({14, 15, 13}, {80, 75, 100});
  auto periodic = std::make_shared<Molecule>(*ions);
  periodic->trajectory = std::make_shared<MemoryTrajectory>(std::vector<Frame>{frame});
  FieldRequest request;
  request.field.kind = Field::Kind::potential;
  request.field.spacing = 1;
  request.molecule = periodic;
  for (const auto method : {PotentialSettings::Method::spme, PotentialSettings::Method::msm}) {
    request.field.potential.method = method;
    request.field.potential.periodic = true;
    request.field.potential.accuracy = 1e-3;
    const MovedDifference found = moved_difference(request);
    EXPECT_GT(found.largest, 1);
    // Each may be off by the accuracy that it was planned for; of so few ions little more than rounding is left.
    EXPECT_LT(found.rms, 5e-5 * found.rms_value) << static_cast<int>(method);
    EXPECT_LT(found.worst, 5e-5 * found.largest) << static_cast<int>(method);
  }
}

}  // namespace
}  // namespace isolume
