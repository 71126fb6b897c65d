// Molecules placed where a scene has them: documents, orbitals and fields move with them.
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
#include "tests/app/cli/program.h"
#include "tests/app/documents/gate.h"

namespace isolume {
namespace {

const RigidMotion some_motion{glm::normalize(glm::dquat(0.3, -0.7, 0.2, 0.5)), {4, -2.5, 11}};

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
