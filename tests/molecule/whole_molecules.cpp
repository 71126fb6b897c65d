// Molecules made whole, wrapped and centred, where the answer is known.
#include "molecule/whole_molecules.h"

#include <gtest/gtest.h>

#include <cmath>

#include "molecule/treated_trajectory.h"

namespace isolume {
namespace {

using Mode = CellTreatment::Mode;

glm::dvec3 into_cell(const Cell& cell, glm::dvec3 point) {
  return cell.vectors * glm::fract(glm::inverse(cell.vectors) * point);
}

std::vector<Cell> some_cells() {
  return {Cell::from_lengths_angles({20, 24, 22}, {90, 90, 90}),
          Cell::from_lengths_angles({20, 20, 20}, {60, 60, 90}),              // rhombic dodecahedron
          Cell::from_lengths_angles({20, 20, 20}, {109.47, 109.47, 109.47}),  // truncated octahedron
          Cell::from_lengths_angles({25, 22, 24}, {75, 100, 115})};
}

/// Molecules of atoms in a row, each bonded to the next one.
std::shared_ptr<const Topology> chains(const std::vector<std::uint32_t>& lengths) {
  TopologyBuilder builder;
  std::uint32_t first = 0;
  for (const std::uint32_t length : lengths) {
    for (std::uint32_t i = 0; i < length; ++i) {
      Atom atom;
      atom.name = "C";
      builder.add(atom, "MOL", static_cast<std::int32_t>(first), ' ', "A");
      if (i > 0) builder.topology().bonds.push_back({first + i - 1, first + i});
    }
    first += length;
  }
  return std::make_shared<const Topology>(builder.finish());
}

void add_row(Frame& frame, glm::dvec3 first, glm::dvec3 step, int count) {
  for (int i = 0; i < count; ++i) frame.positions.emplace_back(into_cell(frame.cell, first + double(i) * step));
}

void expect_near(glm::dvec3 found, glm::dvec3 expected, const std::string& where) {
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(found[c], expected[c], 1e-4) << where;
}

TEST(WholeMolecules, AChainAcrossEachFaceIsARowAgainInEveryFrame) {
  const auto topology = chains({12});
  for (const Cell& cell : some_cells())
    for (int axis = 0; axis < 3; ++axis) {
      // Along a cell vector, in both directions, through its two faces; it moves on from frame to frame.
      std::vector<Frame> frames;
      std::vector<glm::dvec3> steps;
      for (int f = 0; f < 8; ++f) {
        const double sign = f % 2 == 0 ? 1 : -1;
        steps.push_back(sign * 1.5 * glm::normalize(cell.vectors[axis]));
        Frame frame;
        frame.cell = cell;
        glm::dvec3 start(0.4, 0.55, 0.61);
        start[axis] = 0.13 * f;
        add_row(frame, cell.vectors * start, steps.back(), 12);
        frames.push_back(std::move(frame));
      }
      const auto whole = treated_trajectory(std::make_shared<MemoryTrajectory>(frames), topology, Mode::whole);
      ASSERT_EQ(whole->frame_count(), frames.size());
      int crossings = 0;
      for (std::size_t f = 0; f < frames.size(); ++f) {
        const Frame frame = whole->frame(f);
        EXPECT_EQ(frame.positions[0], frames[f].positions[0]);
        for (std::size_t i = 0; i < 12; ++i) {
          expect_near(glm::dvec3(frame.positions[i]) - glm::dvec3(frame.positions[0]), double(i) * steps[f],
                      "axis " + std::to_string(axis) + ", frame " + std::to_string(f));
          crossings += glm::distance(frame.positions[i], frames[f].positions[i]) > 1;
        }
      }
      EXPECT_GT(crossings, 8) << "the chain was broken";
    }
}

/// Frames that are decoded as far as they are asked for.
class CountingTrajectory final : public Trajectory {
 public:
  explicit CountingTrajectory(Frame frame) : frame_(std::move(frame)) {}
  std::size_t frame_count() const override { return 2; }
  std::size_t atom_count() const override { return frame_.positions.size(); }
  Frame frame(std::size_t) const override { return frame_; }
  Frame leading_frame(std::size_t, std::size_t atoms) const override {
    asked = atoms;
    Frame part = frame_;
    part.positions.resize(std::min(atoms, frame_.positions.size()));
    return part;
  }
  mutable std::size_t asked = 0;

 private:
  Frame frame_;
};

TEST(WholeMolecules, TheFirstAtomsAreWholeWithoutTheOthers) {
  // Three chains across a face; the third has atoms among those of the second.
  const Cell cell = Cell::from_lengths_angles({20, 24, 22}, {90, 90, 90});
  TopologyBuilder builder;
  Frame frame;
  frame.cell = cell;
  for (std::uint32_t i = 0; i < 30; ++i) {
    builder.add(Atom{}, "MOL", 1, ' ', "A");
    frame.positions.emplace_back(into_cell(cell, glm::dvec3(15 + 0.9 * (i % 10), 3.0 + i / 10, 4)));
  }
  for (std::uint32_t i = 1; i < 10; ++i) builder.topology().bonds.push_back({i - 1, i});
  // 10, 12, 14 ... 28 and 11, 13 ... 29.
  for (std::uint32_t i = 12; i < 30; ++i) builder.topology().bonds.push_back({i - 2, i});
  const auto topology = std::make_shared<const Topology>(builder.finish());
  const auto source = std::make_shared<CountingTrajectory>(frame);
  const auto whole = treated_trajectory(source, topology, Mode::whole);
  const Frame all = whole->frame(1);
  for (const auto& [atoms, needed] :
       std::vector<std::pair<std::size_t, std::size_t>>{{1, 10}, {5, 10}, {10, 10}, {11, 29}, {12, 30}, {29, 30}}) {
    const Frame part = whole->leading_frame(1, atoms);
    EXPECT_EQ(source->asked, needed) << atoms;
    ASSERT_GE(part.positions.size(), atoms);
    for (std::size_t i = 0; i < atoms; ++i) EXPECT_EQ(part.positions[i], all.positions[i]) << atoms << ", " << i;
  }
  EXPECT_NE(all.positions, frame.positions) << "the chains were broken";
  // What others decide is of all atoms.
  source->asked = 0;
  EXPECT_EQ(treated_trajectory(source, topology, Mode::wrap)->leading_frame(1, 3).positions.size(), 30u);
  EXPECT_EQ(source->asked, 0u);
}

TEST(WholeMolecules, MoleculesWithoutAnEndStayAsTheyAre) {
  // A ring through the cell, bonded to its own image, and next to it a chain that is broken.
  const Cell cell = Cell::from_lengths_angles({15, 16, 17}, {90, 80, 90});
  TopologyBuilder builder;
  Frame frame;
  frame.cell = cell;
  for (std::uint32_t i = 0; i < 14; ++i) {
    builder.add(Atom{}, "MOL", i < 10 ? 1 : 2, ' ', "A");
    if (i != 0 && i != 10) builder.topology().bonds.push_back({i - 1, i});
  }
  builder.topology().bonds.push_back({0, 9});
  for (int i = 0; i < 10; ++i) frame.positions.emplace_back(into_cell(cell, glm::dvec3(7 + 1.5 * i, 3, 4)));
  for (int i = 0; i < 4; ++i) frame.positions.emplace_back(into_cell(cell, glm::dvec3(13 + 1.5 * i, 8, 9)));
  const auto topology = std::make_shared<const Topology>(builder.finish());
  const auto trajectory = std::make_shared<MemoryTrajectory>(std::vector<Frame>{frame});
  const Frame whole = treated_trajectory(trajectory, topology, Mode::whole)->frame(0);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(whole.positions[i], frame.positions[i]) << i;
  for (std::size_t i = 10; i < 14; ++i)
    expect_near(glm::dvec3(whole.positions[i]), {13 + 1.5 * double(i - 10), 8, 9}, "the chain");
  // Of the bonds that cross a face, only the ring's have no end.
  std::size_t endless = 0;
  const std::vector<std::uint8_t> marked = endless_bonds(*topology, frame);
  for (std::size_t i = 0; i < marked.size(); ++i) {
    if (!marked[i]) continue;
    ++endless;
    EXPECT_LT(topology->bonds[i].b, 10u);
  }
  EXPECT_EQ(endless, 1u);
}

TEST(WholeMolecules, WrappingPutsTheMiddleOfEachMoleculeIntoTheCell) {
  const auto topology = chains({5, 3, 1});
  for (const Cell& cell : some_cells()) {
    Frame frame;
    frame.cell = cell;
    const glm::dmat3 inverse = glm::inverse(cell.vectors);
    // Far out, whole: the middle of the first at (1.2, -0.3, 2.6) of the cell.
    const glm::dvec3 middle = cell.vectors * glm::dvec3(1.2, -0.3, 2.6);
    for (int i = 0; i < 5; ++i) frame.positions.emplace_back(middle + glm::dvec3(0, 1.5 * (i - 2), 0));
    for (int i = 0; i < 3; ++i)
      frame.positions.emplace_back(cell.vectors * glm::dvec3(-0.9, 0.5, 0.5) + glm::dvec3(i, 0, 0));
    frame.positions.emplace_back(cell.vectors * glm::dvec3(3.25, 0.5, -7.5));
    const Frame wrapped =
        treated_trajectory(std::make_shared<MemoryTrajectory>(std::vector<Frame>{frame}), topology, Mode::wrap)
            ->frame(0);
    const glm::dvec3 there = cell.vectors * glm::dvec3(0.2, 0.7, 0.6);
    for (int i = 0; i < 5; ++i)
      expect_near(glm::dvec3(wrapped.positions[i]), there + glm::dvec3(0, 1.5 * (i - 2), 0), "first");
    expect_near(inverse * glm::dvec3(wrapped.positions[8]), {0.25, 0.5, 0.5}, "alone");
  }
}

TEST(WholeMolecules, CentringKeepsTheSelectedTogetherInTheMiddle) {
  // Two chains side by side, 4 angstrom apart, across a corner of the cell, and single atoms around them.
  const auto topology = chains({6, 6, 1, 1, 1});
  for (const Cell& cell : some_cells()) {
    std::vector<Frame> frames;
    for (int f = 0; f < 6; ++f) {
      Frame frame;
      frame.cell = cell;
      const glm::dvec3 start = cell.vectors * (glm::dvec3(0.93, 0.95, 0.9) + 0.04 * double(f));
      add_row(frame, start, {1.5, 0, 0}, 6);
      add_row(frame, start + glm::dvec3(0, 4, 0), {1.5, 0, 0}, 6);
      add_row(frame, start + glm::dvec3(1, 2, 2), {0, 0, 0}, 1);
      add_row(frame, start + glm::dvec3(-2, 0, 3), {0, 0, 0}, 1);
      add_row(frame, start + glm::dvec3(4, -3, -1), {0, 0, 0}, 1);
      frames.push_back(std::move(frame));
    }
    std::vector<std::uint32_t> atoms(12);
    for (std::uint32_t i = 0; i < 12; ++i) atoms[i] = i;
    const auto centred = treated_trajectory(std::make_shared<MemoryTrajectory>(frames), topology, Mode::centre, atoms);
    const glm::dvec3 middle = cell.vectors * glm::dvec3(0.5);
    const glm::dvec3 start = middle - glm::dvec3(0.5 * 5 * 1.5, 2, 0);
    for (std::size_t f = 0; f < frames.size(); ++f) {
      const Frame frame = centred->frame(f);
      for (int i = 0; i < 6; ++i) {
        expect_near(glm::dvec3(frame.positions[i]), start + glm::dvec3(1.5 * i, 0, 0), "first chain");
        expect_near(glm::dvec3(frame.positions[6 + i]), start + glm::dvec3(1.5 * i, 4, 0), "second chain");
      }
      expect_near(glm::dvec3(frame.positions[12]), start + glm::dvec3(1, 2, 2), "around");
      expect_near(glm::dvec3(frame.positions[13]), start + glm::dvec3(-2, 0, 3), "around");
      expect_near(glm::dvec3(frame.positions[14]), start + glm::dvec3(4, -3, -1), "around");
    }
    // Without a selection the largest molecule, here the first.
    const Frame first =
        treated_trajectory(std::make_shared<MemoryTrajectory>(frames), topology, Mode::centre)->frame(3);
    expect_near(0.5 * (glm::dvec3(first.positions[0]) + glm::dvec3(first.positions[5])), middle, "largest");
  }
}

TEST(WholeMolecules, AVirtualSiteGoesWithItsWater) {
  TopologyBuilder builder;
  for (const int element : {8, 1, 1, 0}) {
    Atom atom;
    atom.element = static_cast<std::uint8_t>(element);
    builder.add(atom, "SOL", 1, ' ', "A");
  }
  builder.topology().bonds = {{0, 1}, {0, 2}};
  Frame frame;
  frame.cell = Cell::from_lengths_angles({10, 10, 10}, {90, 90, 90});
  frame.positions = {{9.95f, 5, 5}, {0.7f, 5.6f, 5}, {0.7f, 4.4f, 5}, {0.1f, 5, 5}};
  const auto topology = std::make_shared<const Topology>(builder.finish());
  const auto source = std::make_shared<MemoryTrajectory>(std::vector<Frame>{frame});
  const Frame whole = treated_trajectory(source, topology, Mode::whole)->frame(0);
  expect_near(glm::dvec3(whole.positions[1]), {10.7, 5.6, 5}, "hydrogen");
  expect_near(glm::dvec3(whole.positions[3]), {10.1, 5, 5}, "site");
  const Frame wrapped = treated_trajectory(source, topology, Mode::wrap)->frame(0);
  expect_near(glm::dvec3(wrapped.positions[3]), {0.1, 5, 5},
              "site, wrapped with its water, the middle of which is at 10.36");
}

TEST(WholeMolecules, ATreatedTrajectoryIsTreatedAnewFromItsSource) {
  const auto topology = chains({4});
  Frame frame;
  frame.cell = Cell::from_lengths_angles({10, 10, 10}, {90, 90, 90});
  add_row(frame, {8, 5, 5}, {1.5, 0, 0}, 4);
  const auto source = std::make_shared<MemoryTrajectory>(std::vector<Frame>{frame});
  const auto whole = treated_trajectory(source, topology, Mode::whole);
  EXPECT_NE(whole, std::shared_ptr<const Trajectory>(source));
  EXPECT_EQ(treated_trajectory(whole, topology, Mode::as_is), std::shared_ptr<const Trajectory>(source));
  const Frame wrapped = treated_trajectory(whole, topology, Mode::wrap)->frame(0);
  expect_near(glm::dvec3(wrapped.positions[0]), {-2, 5, 5}, "its middle, 10.25, is at 0.25");
}

TEST(WholeMolecules, WhatHasNoUsableCellStaysAsItIs) {
  const auto topology = chains({3});
  Frame frame;
  frame.positions = {{0, 0, 0}, {40, 0, 0}, {0, 0, 40}};
  for (const Cell& cell : {Cell(), Cell::from_lengths_angles({1, 1, 1}, {90, 90, 90})}) {
    frame.cell = cell;
    const auto source = std::make_shared<MemoryTrajectory>(std::vector<Frame>{frame});
    for (const Mode mode : {Mode::whole, Mode::wrap, Mode::centre})
      EXPECT_EQ(treated_trajectory(source, topology, mode)->frame(0).positions, frame.positions);
  }
}

}  // namespace
}  // namespace isolume
