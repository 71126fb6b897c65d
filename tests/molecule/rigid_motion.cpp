// Rigid motions of frames, grids, cells and displacements.
#include "molecule/rigid_motion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "molecule/molecule.h"
#include "molecule/quantum/orbital_rotation.h"

namespace isolume {
namespace {

const RigidMotion quarter{glm::dquat(std::sqrt(0.5), 0, 0, std::sqrt(0.5)), {1, 2, 3}};  // 90 degrees about z

void expect_near(glm::dvec3 a, glm::dvec3 b, double tolerance = 1e-12) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], tolerance);
}

TEST(RigidMotion, TurnsThenShifts) {
  expect_near(quarter({1, 0, 0}), {1, 3, 3});
  expect_near(quarter({0, 1, 0}), {0, 2, 3});
  EXPECT_TRUE(RigidMotion{}.none());
  EXPECT_FALSE(quarter.none());
}

TEST(RigidMotion, ComposesAndInverts) {
  const RigidMotion other{glm::normalize(glm::dquat(0.3, -0.7, 0.2, 0.5)), {-4, 0.5, 9}};
  const glm::dvec3 point(0.3, -7, 2.5);
  expect_near(then(quarter, other)(point), other(quarter(point)));
  expect_near(inverse(other)(other(point)), point);
  expect_near(then(other, inverse(other))(point), point);
}

TEST(RigidMotion, MovesAllThatAMoleculeHas) {
  Frame frame;
  frame.positions = {{1, 0, 0}, {0, 0, 5}};
  frame.precise_positions = {{1, 0, 0}, {0, 0, 5}};
  frame.velocities = {{0, 2, 0}, {0, 0, 1}};
  frame.forces = {{3, 0, 0}, {0, 0, 0}};
  frame.cell.vectors = glm::dmat3(10, 0, 0, 0, 20, 0, 1, 2, 30);
  frame.time = 4;
  auto topology = std::make_shared<Topology>();
  topology->displacements = {{0.1f, 0.2f, 0.3f, 0.01f, 0.02f, 0.03f}};
  auto volume = std::make_shared<Volume>();
  volume->grid = {{1, 1, 1}, glm::dmat3(2, 0, 0, 0, 3, 0, 0, 0, 4), {2, 1, 1}};
  volume->values = {7, 8};
  Molecule molecule;
  molecule.topology = topology;
  molecule.trajectory = std::make_shared<MemoryTrajectory>(std::vector<Frame>{frame});
  molecule.volumes = {volume};

  const Molecule there = moved(molecule, quarter);
  const Frame now = there.trajectory->frame(0);
  expect_near(now.positions[0], {1, 3, 3}, 1e-6);
  expect_near(now.positions[1], {1, 2, 8}, 1e-6);
  expect_near(now.precise_positions[1], {1, 2, 8});
  expect_near(now.velocities[0], {-2, 0, 0}, 1e-6);
  expect_near(now.forces[0], {0, 3, 0}, 1e-6);
  expect_near(now.cell.vectors[0], {0, 10, 0});
  expect_near(now.cell.vectors[2], {-2, 1, 30});
  EXPECT_NEAR(now.cell.volume(), frame.cell.volume(), 1e-9);
  EXPECT_EQ(now.time, 4);
  // x is y now: U11 and U22 change places; U12 and U13 turn with them.
  const auto& u = there.topology->displacements[0];
  const float expected[] = {0.2f, 0.1f, 0.3f, -0.01f, -0.03f, 0.02f};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(u[i], expected[i], 1e-6f) << i;
  const Grid& grid = there.volumes[0]->grid;
  for (int i = 0; i < 2; ++i) expect_near(grid.point(i, 0, 0), quarter(volume->grid.point(i, 0, 0)));
  EXPECT_EQ(there.volumes[0]->values, volume->values);
  EXPECT_EQ(moved(molecule, {}).topology, molecule.topology) << "what does not move is shared";
}

// Turning by R and then by S is turning by S R, for the functions of every shell.
TEST(RigidMotion, ShellRotationsCompose) {
  const glm::dmat3 r = glm::mat3_cast(glm::normalize(glm::dquat(0.3, -0.7, 0.2, 0.5)));
  const glm::dmat3 s = glm::mat3_cast(glm::normalize(glm::dquat(-0.1, 0.4, 0.8, 0.2)));
  for (int l = 0; l <= 6; ++l)
    for (const bool spherical : {false, true}) {
      if (spherical && l < 2) continue;
      const auto first = shell_rotation(l, spherical, r), second = shell_rotation(l, spherical, s);
      const auto both = shell_rotation(l, spherical, s * r);
      const std::size_t n =
          spherical ? 2u * static_cast<unsigned>(l) + 1u : static_cast<std::size_t>((l + 1) * (l + 2) / 2);
      ASSERT_EQ(both.size(), n * n);
      for (std::size_t b = 0; b < n; ++b)
        for (std::size_t a = 0; a < n; ++a) {
          double product = 0;
          for (std::size_t k = 0; k < n; ++k) product += second[b * n + k] * first[k * n + a];
          EXPECT_NEAR(both[b * n + a], product, 1e-11) << "l = " << l;
        }
    }
}

}  // namespace
}  // namespace isolume
