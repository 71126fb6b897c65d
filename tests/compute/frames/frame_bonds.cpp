// Hydrogen bonds of groups of frames, on every device against plain loops in double precision.
#include "compute/frames/frame_bonds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <map>

#include "compute/analysis/analysis.h"
#include "compute/trajectory/hydrogen_bond_lifetimes.h"
#include "molecule/base/error.h"
#include "molecule/molecule.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

using test::OnDevice;
using test::Random;

/// Small molecules that donate and accept in all ways, thrown into a box, elsewhere in every frame.
class Mixture {
 public:
  Mixture(std::size_t molecules, bool hydrogens, std::size_t frame_count) : hydrogens_(hydrogens) {
    for (std::size_t i = 0; i < molecules; ++i) add(i);
    topology = builder_.finish();
    Random random(17);
    const double side = std::cbrt(static_cast<double>(molecules) * 30);
    for (std::size_t f = 0; f < frame_count; ++f) {
      Frame frame;
      for (std::size_t i = 0; i < molecules; ++i) {
        const glm::dvec3 at = random.in_box(0, side);
        const glm::dquat turn = glm::normalize(glm::dquat(random(-1, 1), random(-1, 1), random(-1, 1), random(-1, 1)));
        for (const glm::dvec3& place : shapes_[i % 4])
          frame.positions.emplace_back(at + turn * (place * random(0.9, 1.1)));
      }
      frames.push_back(std::move(frame));
    }
  }

  Topology topology;
  std::vector<Frame> frames;

 private:
  struct Part {
    std::uint8_t element;
    glm::dvec3 place;
    int bonded;  ///< to this part, or none
  };

  void add(std::size_t number) {
    // Water; methanol, whose oxygen is or is not a single bond from carbon; a ring of two nitrogens; an amide.
    static const std::vector<Part> kinds[4] = {{{8, {0, 0, 0}, -1}, {1, {0.96, 0, 0}, 0}, {1, {-0.24, 0.93, 0}, 0}},
                                               {{6, {0, 0, 0}, -1}, {8, {1.33, 0, 0}, 0}, {1, {1.7, 0.9, 0}, 1}},
                                               {{6, {1.1, 0, 0}, -1},
                                                {7, {0.34, 1.05, 0}, 0},
                                                {6, {-0.9, 0.65, 0}, 1},
                                                {7, {-0.9, -0.65, 0}, 2},
                                                {6, {0.34, -1.05, 0}, 3},
                                                {1, {0.7, 2.0, 0}, 1}},
                                               {{6, {0, 0, 0}, -1},
                                                {8, {0, 1.23, 0}, 0},
                                                {7, {1.15, -0.7, 0}, 0},
                                                {1, {2.0, -0.2, 0}, 2},
                                                {6, {1.1, -2.15, 0}, 2}}};
    const auto first = static_cast<std::uint32_t>(count_);
    std::vector<std::uint32_t> numbers;
    std::vector<glm::dvec3> shape;
    for (const Part& part : kinds[number % 4]) {
      numbers.push_back(static_cast<std::uint32_t>(count_));
      if (part.element == 1 && !hydrogens_) continue;
      Atom atom;
      atom.name = "X";
      atom.element = part.element;
      if (number % 7 == 0) atom.altloc = number % 2 == 0 ? 'A' : 'B';
      builder_.add(atom, "MOL", static_cast<int>(number + 1), ' ', "A");
      if (part.bonded >= 0)
        builder_.topology().bonds.push_back({numbers[static_cast<std::size_t>(part.bonded)], numbers.back(), 1});
      shape.push_back(part.place);
      ++count_;
    }
    if (number % 4 == 2) builder_.topology().bonds.push_back({first, first + 4, 1});
    if (number < 4) shapes_[number] = shape;
  }

  bool hydrogens_;
  std::size_t count_ = 0;
  TopologyBuilder builder_;
  std::vector<glm::dvec3> shapes_[4];
};

/// The points of some atoms of all frames on a device.
struct MadeGroup {
  MadeGroup(const std::vector<Frame>& frames, const std::vector<std::uint32_t>& atoms, Device device) {
    std::vector<glm::vec3> places;
    for (const Frame& frame : frames)
      for (const std::uint32_t atom : atoms) places.push_back(frame.positions[atom]);
    points = DeviceArray<glm::vec3>::from_host(places, device);
    group.frames = frames.size();
    group.points = atoms.size();
    group.positions = points.span();
  }
  DeviceArray<glm::vec3> points;
  FrameGroup group;
};

std::vector<std::uint8_t> every(std::size_t atoms, std::size_t step, std::size_t first) {
  std::vector<std::uint8_t> mask(atoms, 0);
  for (std::size_t i = 0; i < atoms; ++i) mask[i] = i % step >= first ? 1 : 0;
  return mask;
}

class FrameBondsOnDevice : public OnDevice {};

TEST_P(FrameBondsOnDevice, AreThoseOfPlainLoops) {
  Job job;
  for (const bool hydrogens : {true, false}) {
    const Mixture mixture(330, hydrogens, 5);
    const std::size_t atoms = mixture.topology.atoms.size();
    const std::vector<std::uint8_t> all(atoms, 1);
    for (const bool between : {false, true}) {
      const HydrogenBondSites sites = between
                                          ? HydrogenBondSites(mixture.topology, every(atoms, 3, 1), every(atoms, 5, 2))
                                          : HydrogenBondSites(mixture.topology, all);
      const HydrogenBondRule rule{3.6f, 110};
      const FrameBonds bonds(sites, rule, GetParam());
      const MadeGroup made(mixture.frames, bonds.atoms(), GetParam());
      const auto found = bonds.of(made.group, job);
      const auto counts = bonds.count(made.group, job);
      ASSERT_EQ(found.size(), mixture.frames.size());
      std::size_t together = 0;
      for (std::size_t f = 0; f < found.size(); ++f) {
        std::vector<glm::dvec3> places;
        for (const glm::vec3& p : mixture.frames[f].positions) places.emplace_back(p);
        const std::vector<HydrogenBond> expected = frame_bonds_reference(sites, places, rule);
        ASSERT_EQ(found[f].size(), expected.size()) << hydrogens << between << f;
        EXPECT_EQ(counts[f], expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
          EXPECT_EQ(found[f][i].donor, expected[i].donor);
          EXPECT_EQ(found[f][i].hydrogen, expected[i].hydrogen);
          EXPECT_EQ(found[f][i].acceptor, expected[i].acceptor);
          EXPECT_NEAR(static_cast<double>(found[f][i].distance), static_cast<double>(expected[i].distance), 1e-6);
        }
        // One frame alone, all atoms in their places: the same bit by bit.
        EXPECT_EQ(found[f], sites.find(mixture.frames[f].positions, rule));
        if (!between) {
          EXPECT_EQ(found[f], hydrogen_bonds(mixture.topology, mixture.frames[f], all, rule));
        }
        together += expected.size();
      }
      EXPECT_GT(together, between ? 20u : 100u);
    }
  }
}

TEST_P(FrameBondsOnDevice, OfManyTilesAreThoseOfOneFrame) {
  // So many that several warps share the acceptors of a donor.
  const Mixture mixture(30'000, true, 2);
  const HydrogenBondSites sites(mixture.topology, std::vector<std::uint8_t>(mixture.topology.atoms.size(), 1));
  const HydrogenBondRule rule{3.6f, 110};
  Job job;
  const FrameBonds bonds(sites, rule, GetParam());
  const MadeGroup made(mixture.frames, bonds.atoms(), GetParam());
  const auto found = bonds.of(made.group, job);
  ASSERT_EQ(found.size(), 2u);
  for (std::size_t f = 0; f < 2; ++f) {
    EXPECT_GT(found[f].size(), 5000u);
    EXPECT_EQ(found[f], sites.find(mixture.frames[f].positions, rule));
  }
}

TEST_P(FrameBondsOnDevice, HistoriesAreThoseOfEachFrame) {
  // More frames than are searched at once.
  const Mixture mixture(60, true, 40);
  Molecule molecule;
  molecule.topology = std::make_shared<const Topology>(mixture.topology);
  molecule.trajectory = std::make_shared<const MemoryTrajectory>(mixture.frames);
  const std::vector<std::uint8_t> all(mixture.topology.atoms.size(), 1);
  const HydrogenBondRule rule{3.6f, 110};
  std::vector<std::size_t> frames;
  for (std::size_t f = 39; f > 0; --f) frames.push_back(f);
  const HydrogenBondSites sites(mixture.topology, all);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> expected;
  for (std::uint32_t place = 0; place < frames.size(); ++place) {
    std::vector<glm::dvec3> places;
    for (const glm::vec3& p : mixture.frames[frames[place]].positions) places.emplace_back(p);
    for (const HydrogenBond& bond : frame_bonds_reference(sites, places, rule))
      expected[{bond.donor, bond.acceptor}].push_back(place);
  }
  Job job;
  const auto found = hydrogen_bond_history(molecule, frames, all, {}, rule, GetParam(), job);
  ASSERT_EQ(found.size(), expected.size());
  EXPECT_GT(found.size(), 50u);
  std::size_t i = 0;
  for (const auto& [pair, when] : expected) {
    EXPECT_EQ(found[i].donor, pair.first);
    EXPECT_EQ(found[i].acceptor, pair.second);
    EXPECT_EQ(found[i].frames, when);
    EXPECT_GE(found[i].angle, 110 - 1e-3);
    ++i;
  }
  const std::vector<std::uint8_t> nothing(all.size(), 0);
  EXPECT_TRUE(hydrogen_bond_history(molecule, frames, nothing, {}, rule, GetParam(), job).empty());
}

TEST_P(FrameBondsOnDevice, AreCountedByTheAnalysis) {
  const Mixture mixture(120, true, 6);
  auto molecule = std::make_shared<Molecule>();
  molecule->topology = std::make_shared<const Topology>(mixture.topology);
  molecule->trajectory = std::make_shared<const MemoryTrajectory>(mixture.frames);
  AnalysisRequest request;
  request.kind = AnalysisKind::hydrogen_bonds;
  request.molecule = molecule;
  request.selection = "resid 1 to 60";
  request.other = "resid 40 to 120";
  request.frames = {0, 2, 5};
  request.device = GetParam();
  Job job;
  const AnalysisTable table = analyse(request, job);
  std::vector<std::uint8_t> first, second;
  for (const Atom& atom : mixture.topology.atoms) {
    const int number = mixture.topology.residues[atom.residue].number;
    first.push_back(number <= 60 ? 1 : 0);
    second.push_back(number >= 40 ? 1 : 0);
  }
  const HydrogenBondSites sites(mixture.topology, first, second);
  for (std::size_t row = 0; row < 3; ++row) {
    std::vector<glm::dvec3> places;
    for (const glm::vec3& p : mixture.frames[request.frames[row]].positions) places.emplace_back(p);
    EXPECT_EQ(table.columns[1].values[row],
              static_cast<double>(frame_bonds_reference(sites, places, request.bond_rule).size()));
  }
}

TEST_P(FrameBondsOnDevice, OfNoDonorsAndOtherPoints) {
  const Mixture mixture(8, true, 2);
  Job job;
  const std::vector<std::uint8_t> nothing(mixture.topology.atoms.size(), 0), all(mixture.topology.atoms.size(), 1);
  const FrameBonds none(HydrogenBondSites(mixture.topology, nothing), {}, GetParam());
  const MadeGroup empty(mixture.frames, none.atoms(), GetParam());
  EXPECT_EQ(none.count(empty.group, job), std::vector<std::size_t>(2, 0));
  const FrameBonds bonds(HydrogenBondSites(mixture.topology, all), {}, GetParam());
  EXPECT_THROW(bonds.count(empty.group, job), Error);
}

ISOLUME_ON_EVERY_DEVICE(FrameBondsOnDevice);

}  // namespace
}  // namespace isolume
