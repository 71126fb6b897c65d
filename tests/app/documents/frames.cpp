// Frames: clamped numbers, and molecules that are whole.
#include "app/documents/frames.h"

#include <gtest/gtest.h>

#include <random>

#include "app/documents/frame_cache.h"
#include "molecule/base/error.h"
#include "molecule/treated_trajectory.h"
#include "tests/app/documents/gate.h"

namespace isolume {
namespace {

TEST(Frames, NumbersBeyondTheLastAreTheLast) {
  Molecule molecule;
  EXPECT_EQ(frame_in(molecule, 5), 0u);
  EXPECT_TRUE(frame_at(molecule, 5).positions.empty());
  std::vector<Frame> frames(3);
  for (int i = 0; i < 3; ++i) frames[i].positions = {{static_cast<float>(i), 0, 0}};
  molecule.trajectory = std::make_shared<MemoryTrajectory>(frames);
  EXPECT_EQ(frame_in(molecule, 1), 1u);
  EXPECT_EQ(frame_in(molecule, 9), 2u);
  EXPECT_EQ(frame_at(molecule, 9).positions[0].x, 2);
  EXPECT_THROW(orbitals_of(molecule, 0), Error);
}

/// Three frames, and how often one was decoded.
class Counted final : public Trajectory {
 public:
  std::size_t frame_count() const override { return 3; }
  std::size_t atom_count() const override { return 1; }
  Frame frame(std::size_t index) const override {
    ++decoded;
    Frame frame;
    frame.positions = {{static_cast<float>(index), 0, 0}};
    return frame;
  }
  mutable int decoded = 0;
};

TEST(FrameCache, DecodesTheFrameOfAMoleculeOnce) {
  const auto counted = std::make_shared<Counted>();
  const auto molecule = std::make_shared<Molecule>();
  FrameCache cache;
  EXPECT_EQ(cache.get(0, molecule, 1), nullptr) << "it has no positions";
  EXPECT_EQ(cache.get(1, nullptr, 1), nullptr);
  molecule->trajectory = counted;
  const auto last = cache.get(2, molecule, 9);
  EXPECT_EQ(last->positions[0].x, 2);
  EXPECT_EQ(cache.get(2, molecule, 2), last) << "9 is the last frame";
  EXPECT_EQ(counted->decoded, 1);
  EXPECT_EQ(cache.get(2, molecule, 0)->positions[0].x, 0);
  EXPECT_EQ(counted->decoded, 2);
  EXPECT_EQ(cache.get(2, std::make_shared<Molecule>(*molecule), 0)->positions[0].x, 0);
  EXPECT_EQ(counted->decoded, 3) << "another molecule";
}

TEST(Frames, BondsAcrossTheCellAreMadeWhole) {
  std::mt19937 engine(5);
  std::normal_distribution<double> normal;
  const Cell cell = Cell::from_lengths_angles({12, 13, 11}, {60, 60, 90});  // rhombic dodecahedron-like
  // A chain with bonds of 1.5 angstrom that leaves the cell several times, put back atom by atom.
  TopologyBuilder builder;
  std::vector<Frame> frames(1);
  frames[0].cell = cell;
  glm::dvec3 at(1);
  const glm::dmat3 inverse = glm::inverse(cell.vectors);
  for (std::uint32_t i = 0; i < 60; ++i) {
    Atom atom;
    atom.name = "C";
    builder.add(atom, "MOL", 1, ' ', "A");
    if (i > 0) builder.topology().bonds.push_back({i - 1, i});
    frames[0].positions.push_back(glm::vec3(cell.vectors * glm::fract(inverse * at)));
    at += 1.5 * glm::normalize(glm::dvec3(1 + normal(engine), normal(engine), normal(engine)));
  }
  const auto topology = std::make_shared<const Topology>(builder.finish());
  const auto broken = std::make_shared<MemoryTrajectory>(frames);
  const Frame whole = treated_trajectory(broken, topology, CellTreatment::Mode::whole)->frame(0);
  int crossings = 0;
  for (std::size_t i = 1; i < 60; ++i) {
    EXPECT_NEAR(glm::distance(whole.positions[i], whole.positions[i - 1]), 1.5, 1e-4) << i;
    crossings += glm::distance(frames[0].positions[i], frames[0].positions[i - 1]) > 2;
    const glm::dvec3 moved = inverse * glm::dvec3(whole.positions[i] - frames[0].positions[i]);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(moved[c], std::round(moved[c]), 1e-4) << "moved by cell vectors only";
  }
  EXPECT_GT(crossings, 2);
  EXPECT_EQ(whole.positions[0], frames[0].positions[0]);
}

TEST(Frames, WithoutACellNothingMoves) {
  TopologyBuilder builder;
  for (int i = 0; i < 2; ++i) builder.add(Atom{}, "MOL", 1, ' ', "A");
  builder.topology().bonds.push_back({0, 1});
  const auto topology = std::make_shared<const Topology>(builder.finish());
  std::vector<Frame> frames(1);
  frames[0].positions = {{0, 0, 0}, {90, 0, 0}};
  const auto trajectory = std::make_shared<MemoryTrajectory>(frames);
  EXPECT_EQ(treated_trajectory(trajectory, topology, CellTreatment::Mode::whole)->frame(0).positions,
            frames[0].positions);
}

}  // namespace
}  // namespace isolume
