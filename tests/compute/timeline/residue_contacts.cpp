// Distances and contacts of residues, and interactions over the frames: hand-made positions, and analyse() itself.
#include "compute/timeline/residue_contacts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "compute/timeline/interaction_timeline.h"
#include "molecule/base/error.h"
#include "molecule/trajectory.h"

namespace isolume::test {
namespace {

/// Residues of two carbons along x, `gap` apart, in two chains of equal length.
std::shared_ptr<Molecule> rod(int residues, float gap, std::vector<Frame> frames = {}) {
  TopologyBuilder builder;
  Frame frame;
  for (int r = 0; r < residues; ++r)
    for (const int k : {0, 1}) {
      Atom atom;
      atom.name = k ? "CB" : "CA";
      atom.element = 6;
      builder.add(atom, "ALA", r + 1, ' ', r < residues / 2 ? "A" : "B");
      frame.positions.push_back({gap * static_cast<float>(r), k ? 1.0f : 0.0f, 0});
    }
  auto molecule = std::make_shared<Molecule>();
  molecule->topology = std::make_shared<const Topology>(builder.finish());
  if (frames.empty()) frames.push_back(frame);
  molecule->trajectory = std::make_shared<MemoryTrajectory>(std::move(frames));
  return molecule;
}

std::vector<std::uint32_t> every_atom(const Molecule& molecule) {
  std::vector<std::uint32_t> atoms(molecule.topology->atoms.size());
  for (std::uint32_t i = 0; i < atoms.size(); ++i) atoms[i] = i;
  return atoms;
}

TEST(ResidueDistances, AreThoseOfTheNearestAtoms) {
  const auto molecule = rod(6, 3);
  Job job;
  const Frame frame = molecule->trajectory->frame(0);
  const ResidueMatrix matrix = residue_distances(*molecule->topology, frame, every_atom(*molecule), 10, job);
  ASSERT_EQ(matrix.residues.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) {
      const double expected = 3.0 * std::abs(static_cast<double>(i) - static_cast<double>(j));
      if (expected > 10) {
        EXPECT_TRUE(std::isnan(matrix.at(i, j))) << i << " " << j;
      } else {
        EXPECT_NEAR(matrix.at(i, j), expected, 1e-5) << i << " " << j;
      }
    }
  const std::vector<std::uint32_t> two{0, 11};  // CA of the first, CB of the last
  const ResidueMatrix far = residue_distances(*molecule->topology, frame, two, 100, job);
  EXPECT_EQ(far.residues, (std::vector<std::uint32_t>{0, 5}));
  EXPECT_NEAR(far.at(0, 1), std::sqrt(15.0 * 15.0 + 1), 1e-4);
  EXPECT_THROW(residue_distances(*molecule->topology, frame, {}, 10, job), Error);
  EXPECT_THROW(residue_distances(*molecule->topology, frame, two, 0, job), Error);
}

TEST(ResidueDistances, TakeTheNearestImages) {
  auto molecule = rod(6, 3);
  Frame frame = molecule->trajectory->frame(0);
  frame.cell = Cell::from_lengths_angles({20, 20, 20}, {90, 90, 90});
  Job job;
  // From 0 to 15 the way over the face is 5. One atom of the first residue beyond the face: nothing changes.
  for (const float shift : {0.0f, 20.0f}) {
    frame.positions[1].x = shift;
    const ResidueMatrix matrix = residue_distances(*molecule->topology, frame, every_atom(*molecule), 9, job);
    EXPECT_NEAR(matrix.at(0, 5), 5, 1e-5);
    EXPECT_NEAR(matrix.at(1, 5), 8, 1e-5);
    EXPECT_NEAR(matrix.at(0, 1), 3, 1e-5);
  }
}

TEST(ResidueDistances, AgreeWithAllPairsInASkewedCell) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> place(-5, 30);
  auto molecule = rod(40, 1);
  Frame frame = molecule->trajectory->frame(0);
  frame.cell = Cell::from_lengths_angles({22, 19, 25}, {75, 82, 110});
  for (std::size_t i = 0; i < frame.positions.size(); i += 2) {
    frame.positions[i] = {place(random), place(random), place(random)};
    frame.positions[i + 1] = frame.positions[i] + glm::vec3(0.7f, -1.1f, 0.4f);
  }
  Job job;
  const ResidueMatrix matrix = residue_distances(*molecule->topology, frame, every_atom(*molecule), 7, job);
  std::size_t near = 0;
  for (std::size_t i = 0; i < 40; ++i)
    for (std::size_t j = 0; j < 40; ++j) {
      if (i == j) continue;
      double least = 1e9;
      for (const std::size_t a : {2 * i, 2 * i + 1})
        for (const std::size_t b : {2 * j, 2 * j + 1})
          least = std::min(least, glm::length(frame.cell.minimum_image(glm::dvec3(frame.positions[b]) -
                                                                       glm::dvec3(frame.positions[a]))));
      if (least > 7) {
        EXPECT_TRUE(std::isnan(matrix.at(i, j)));
      } else {
        EXPECT_NEAR(matrix.at(i, j), least, 1e-4);
        ++near;
      }
    }
  EXPECT_GT(near, 100u);
}

TEST(ResidueContacts, AreTheTableOfTheAnalysis) {
  std::mt19937 random(3);
  std::normal_distribution<float> shift(0, 1.5);
  std::vector<Frame> frames;
  const Frame rest = rod(20, 3)->trajectory->frame(0);
  for (int f = 0; f < 25; ++f) {
    frames.push_back(rest);
    for (glm::vec3& p : frames.back().positions) p += glm::vec3(shift(random), shift(random), shift(random));
  }
  AnalysisRequest request;
  request.kind = AnalysisKind::contact_map;
  request.molecule = rod(20, 3, frames);
  request.selection = "all";
  request.cutoff = 4.5;
  request.apart = 2;
  for (std::size_t f = 0; f < 25; ++f) request.frames.push_back(f);
  Job job;
  const AnalysisTable table = analyse(request, job);
  const ResidueMatrix matrix = residue_contacts(request, job);
  ASSERT_EQ(matrix.residues.size(), 20u);
  ASSERT_GT(table.rows(), 15u);
  std::vector<float> expected(400, 0);
  const auto number = [&](std::size_t text, std::size_t row) {
    return static_cast<std::size_t>(std::atol(table.texts[text].second[row].c_str())) - 1;
  };
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::size_t i = number(2, row), j = number(5, row);
    expected[i * 20 + j] = expected[j * 20 + i] = static_cast<float>(table.columns[0].values[row]);
  }
  EXPECT_EQ(matrix.values, expected);
  const std::string text = residue_table(matrix, *request.molecule->topology, "part of frames", 4);
  EXPECT_TRUE(text.starts_with("chain,residue,number,other chain,other residue,other number,part of frames\n"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), static_cast<std::ptrdiff_t>(table.rows()) + 1);
}

TEST(InteractionTimeline, CountsPairsOfResiduesInTheirFrames) {
  // LYS and ASP: N to O 3 angstrom in even frames, 9 in odd ones; the second oxygen is half an angstrom farther.
  TopologyBuilder builder;
  const auto add = [&](const char* residue, int number, const char* name, std::uint8_t element) {
    Atom atom;
    atom.name = name;
    atom.element = element;
    builder.add(atom, residue, number, ' ', "A");
  };
  add("LYS", 1, "CE", 6);
  add("LYS", 1, "NZ", 7);
  add("ASP", 9, "CB", 6);
  add("ASP", 9, "CG", 6);
  add("ASP", 9, "OD1", 8);
  add("ASP", 9, "OD2", 8);
  builder.topology().bonds = {{0, 1, 1}, {2, 3, 1}, {3, 4, 1}, {3, 5, 1}};
  std::vector<Frame> frames;
  for (int f = 0; f < 5; ++f) {
    const float x = f % 2 == 0 ? 3.0f : 9.0f;
    Frame frame;
    frame.positions = {{-1.5f, 0, 0}, {0, 0, 0}, {x + 2.5f, 1, 0}, {x + 1, 1, 0}, {x, 0, 0}, {x + 0.5f, 2, 0}};
    frames.push_back(frame);
  }
  auto molecule = std::make_shared<Molecule>();
  molecule->topology = std::make_shared<const Topology>(builder.finish());
  molecule->trajectory = std::make_shared<MemoryTrajectory>(std::move(frames));
  InteractionTimelineRequest request;
  request.molecule = molecule;
  request.frames = {0, 1, 2, 3, 4};
  request.kinds[static_cast<std::size_t>(InteractionKind::salt_bridge)] = true;
  Job job;
  const InteractionTimeline line = interaction_timeline(request, job);
  ASSERT_EQ(line.rows.size(), 1u);
  const InteractionTimelineRow& row = line.rows[0];
  EXPECT_EQ(row.pair, (ResiduePair{InteractionKind::salt_bridge, 0, 1}));
  EXPECT_EQ(row.present, 3u);
  EXPECT_DOUBLE_EQ(line.share(0), 0.6);
  EXPECT_NEAR(row.mean_distance, 3, 1e-6);
  for (std::size_t f = 0; f < 5; ++f) EXPECT_EQ(std::isfinite(row.distances[f]), f % 2 == 0) << f;
  EXPECT_EQ(interaction_table(line, *molecule->topology),
            "interaction,chain,residue,number,chain 2,residue 2,number 2,occupancy,mean distance (angstrom),frame 0,"
            "frame 1,frame 2,frame 3,frame 4\nsalt bridge,A,LYS,1,A,ASP,9,0.6000,3.000,1,0,1,0,1\n");
  request.selection = "resname GLU";
  EXPECT_THROW(interaction_timeline(request, job), Error);
}

}  // namespace
}  // namespace isolume::test
