// Mean structures and components as motions: frames that were made from a known mean.
#include "compute/trajectory/mean_structure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <numbers>
#include <random>

#include "compute/analysis/fluctuation.h"
#include "compute/analysis/superposition.h"
#include "molecule/base/error.h"
#include "molecule/trajectory.h"

namespace isolume::test {
namespace {

constexpr std::size_t atoms = 24, moving = 5;

std::vector<glm::dvec3> rest_places() {
  std::mt19937 engine(11);
  std::normal_distribution<double> normal;
  std::vector<glm::dvec3> places;
  for (std::size_t i = 0; i < atoms; ++i)
    places.push_back({6 * normal(engine), 6 * normal(engine), 6 * normal(engine)});
  return places;
}

/// The last atom swings along x by `swing` times sin(2 pi f / frames); each frame is turned and shifted as a whole.
std::shared_ptr<Molecule> swinging(std::size_t frames, double swing, bool turned) {
  std::mt19937 engine(5);
  std::normal_distribution<double> normal;
  const std::vector<glm::dvec3> places = rest_places();
  TopologyBuilder builder;
  for (std::size_t i = 0; i < atoms; ++i) {
    Atom atom;
    atom.name = "CA";
    atom.element = 6;
    builder.add(atom, "ALA", static_cast<int>(i) + 1, ' ', "A");
  }
  std::vector<Frame> made;
  for (std::size_t f = 0; f < frames; ++f) {
    const glm::dquat turn = glm::normalize(glm::dquat(normal(engine), normal(engine), normal(engine), normal(engine)));
    const glm::dvec3 shift(3 * normal(engine), 3 * normal(engine), 3 * normal(engine));
    Frame frame;
    for (std::size_t i = 0; i < atoms; ++i) {
      glm::dvec3 place = places[i];
      if (i == moving) place.x += swing * std::sin(2 * std::numbers::pi * double(f) / double(frames));
      frame.positions.push_back(glm::vec3(turned ? turn * place + shift : place));
    }
    made.push_back(frame);
  }
  auto molecule = std::make_shared<Molecule>();
  molecule->topology = std::make_shared<const Topology>(builder.finish());
  molecule->trajectory = std::make_shared<MemoryTrajectory>(std::move(made));
  return molecule;
}

/// The part of the square of a small swing that is left when the frames are superposed: a shift of all atoms takes 1 /
/// N, a turn w I^-1 w, where w = r x (1, 0, 0), r is from the centre, and I is the tensor of inertia of equal atoms.
double part_left() {
  const std::vector<glm::dvec3> places = rest_places();
  glm::dvec3 centre(0);
  for (const glm::dvec3& place : places) centre += place / double(atoms);
  glm::dmat3 inertia(0);
  for (const glm::dvec3& place : places) {
    const glm::dvec3 r = place - centre;
    inertia += glm::dot(r, r) * glm::dmat3(1) - glm::outerProduct(r, r);
  }
  const glm::dvec3 w = glm::cross(places[moving] - centre, glm::dvec3(1, 0, 0));
  return 1 - 1 / double(atoms) - glm::dot(w, glm::inverse(inertia) * w);
}

MeanStructureRequest request_of(std::shared_ptr<const Molecule> molecule) {
  MeanStructureRequest request;
  request.molecule = std::move(molecule);
  for (std::size_t f = 0; f < request.molecule->frame_count(); ++f) request.frames.push_back(f);
  return request;
}

TEST(MeanStructure, IsWhereAtomsAreOnAverage) {
  MeanStructureRequest request = request_of(swinging(16, 2, true));
  request.fit = "not resid 6";  // what does not swing: its superposition is exact
  Job job;
  const MeanStructure mean = mean_structure(request, job);
  ASSERT_EQ(mean.atoms.size(), atoms);
  std::vector<glm::dvec3> found(mean.frame.positions.begin(), mean.frame.positions.end());
  EXPECT_LT(superpose(found, rest_places()).rmsd, 1e-4);
  for (std::size_t i = 0; i < atoms; ++i)
    EXPECT_NEAR(mean.fluctuations[i], i == moving ? 2 / std::numbers::sqrt2 : 0, 1e-4) << i;
  EXPECT_NEAR(mean.molecule.topology->atoms[moving].b_factor, b_factor(2.0), 1e-2);
  EXPECT_TRUE(mean.nearest_frame == 0 || mean.nearest_frame == 8) << mean.nearest_frame;
  EXPECT_LT(mean.nearest_rmsd, 1e-3);
}

TEST(MeanStructure, TakesTheFramesAndAtomsThatAreAskedFor) {
  MeanStructureRequest request = request_of(swinging(16, 2, false));
  request.superpose = false;
  request.selection = "resid 5 to 7";
  request.frames = {2, 4, 6};  // sin: 0.7071, 1, 0.7071
  Job job;
  const MeanStructure mean = mean_structure(request, job);
  EXPECT_EQ(mean.atoms, (std::vector<std::uint32_t>{4, 5, 6}));
  EXPECT_TRUE(mean.fit.empty());
  const double part = (1 + std::numbers::sqrt2) / 3;
  EXPECT_NEAR(mean.frame.positions[moving].x, rest_places()[moving].x + 2 * part, 1e-5);
  EXPECT_NE(mean.nearest_frame, 4u) << "1 is farther from 0.805 than 0.707";
  request.selection = "resid 99";
  EXPECT_THROW(mean_structure(request, job), Error);
  request.selection = "all";
  request.superpose = true;
  request.fit = "resid 1 2";
  EXPECT_THROW(mean_structure(request, job), Error) << "two atoms";
  request.frames.clear();
  EXPECT_THROW(mean_structure(request, job), Error);
}

TEST(ComponentMotion, GoesToAndFroAlongTheComponent) {
  ComponentMotionRequest request;
  request.molecule = swinging(16, 0.5, true);
  for (std::size_t f = 0; f < 16; ++f) request.frames.push_back(f);
  request.selection = "all";
  request.amplitude = 3;
  request.steps = 8;
  Job job;
  const ComponentMotion motion = component_motion(request, job);
  ASSERT_EQ(motion.frames.size(), 8u);
  EXPECT_GT(motion.part, 0.99) << "one atom moves along a line";
  // Nearly all of the unit vector is of the atom that swings, but for what the superposition gives to the others.
  EXPECT_NEAR(motion.largest, 3, 0.2);
  for (std::size_t i = 0; i < atoms; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const float middle = motion.frames[0].positions[i][axis];
      EXPECT_NEAR(motion.frames[4].positions[i][axis], middle, 1e-5);
      EXPECT_NEAR(motion.frames[2].positions[i][axis] + motion.frames[6].positions[i][axis], 2 * middle, 1e-5);
    }
  const double reach = glm::length(motion.frames[2].positions[moving] - motion.frames[0].positions[moving]);
  EXPECT_NEAR(reach, motion.largest, 1e-4);
  request.amplitude = 0;
  const ComponentMotion usual = component_motion(request, job);
  // Two standard deviations of 0.5 sin over whole periods, by 16 - 1.
  EXPECT_NEAR(usual.amplitude, 2 * 0.5 * std::sqrt(0.5 * 16 / 15 * part_left()), 0.02);
  request.component = 40;
  EXPECT_THROW(component_motion(request, job), Error);
}

}  // namespace
}  // namespace isolume::test
