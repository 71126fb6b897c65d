// Gyration, fluctuation and contacts of points whose values formulas give.
#include <gtest/gtest.h>

#include <cmath>

#include "compute/analysis/contacts.h"
#include "compute/analysis/fluctuation.h"
#include "compute/analysis/gyration.h"
#include "molecule/rigid_motion.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

using test::Random;
constexpr double pi = 3.14159265358979323846;
const RigidMotion some_motion{glm::normalize(glm::dquat(0.3, -0.7, 0.2, 0.5)), {4, -2.5, 11}};

TEST(GyrationOfPoints, OfARod) {
  // n points a step apart on a line: the mean square about the middle is step^2 (n^2 - 1) / 12.
  std::vector<glm::dvec3> rod;
  for (int i = 0; i < 25; ++i) rod.push_back(some_motion(glm::dvec3(1.5 * i, 0, 0)));
  const Gyration g = gyration(rod);
  const double square = 1.5 * 1.5 * (25 * 25 - 1) / 12.0;
  EXPECT_NEAR(g.radius, std::sqrt(square), 1e-12);
  EXPECT_NEAR(g.moments.z, square, 1e-10);
  EXPECT_NEAR(g.moments.y, 0, 1e-12);
  EXPECT_NEAR(g.asphericity(), square, 1e-10);
  EXPECT_NEAR(g.acylindricity(), 0, 1e-12);
  EXPECT_NEAR(g.anisotropy(), 1, 1e-12);
}

TEST(GyrationOfPoints, OfABoxWithWeights) {
  // Corners of a box of half edges 1, 2, 3: principal values 1, 4, 9. A heavier corner is as many points.
  std::vector<glm::dvec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back(some_motion(glm::dvec3(i & 1 ? 1 : -1, i & 2 ? 2 : -2, i & 4 ? 3 : -3)));
  const Gyration g = gyration(corners);
  EXPECT_NEAR(g.moments.x, 1, 1e-12);
  EXPECT_NEAR(g.moments.y, 4, 1e-12);
  EXPECT_NEAR(g.moments.z, 9, 1e-12);
  EXPECT_NEAR(g.radius, std::sqrt(14), 1e-12);
  EXPECT_NEAR(g.asphericity(), 9 - 2.5, 1e-12);
  EXPECT_NEAR(g.acylindricity(), 3, 1e-12);
  EXPECT_NEAR(g.anisotropy(), (6.5 * 6.5 + 0.75 * 9) / 196, 1e-12);
  std::vector<double> weights(8, 1.0);
  weights[5] = 3;
  std::vector<glm::dvec3> more = corners;
  more.insert(more.end(), 2, corners[5]);
  EXPECT_NEAR(gyration(corners, weights).radius, gyration(more).radius, 1e-12);
  EXPECT_THROW(gyration({}), Error);
  EXPECT_THROW(gyration(corners, std::vector<double>(8, 0.0)), Error);
  EXPECT_THROW(gyration(corners, std::vector<double>(7, 1.0)), Error);
}

TEST(FluctuationOfPoints, OfASwingAboutAFrameThatTumbles) {
  // A rigid body that tumbles, and a point on it that swings by 0.7 cos(t) along its x: the mean square is 0.49 / 2.
  Random random(4);
  std::vector<glm::dvec3> body;
  for (int i = 0; i < 40; ++i) body.push_back(random.in_box(-8, 8));
  constexpr std::size_t frames = 64;
  const auto read = [&](std::size_t f, FluctuationFrame& frame) {
    const double t = 2 * pi * static_cast<double>(f) / frames;
    RigidMotion motion;
    motion.rotation = glm::angleAxis(0.37 * static_cast<double>(f), glm::normalize(glm::dvec3(1, 2, -1)));
    motion.translation = {0.2 * static_cast<double>(f), 3, -1};
    frame.fitted.clear();
    for (const glm::dvec3& p : body) frame.fitted.push_back(motion(p));
    frame.points = {motion(body[0]), motion(glm::dvec3(5 + 0.7 * std::cos(t), 1, 1))};
  };
  Job job;
  const Fluctuations found = fluctuations(frames, read, job);
  ASSERT_EQ(found.squares.size(), 2u);
  EXPECT_NEAR(found.squares[0], 0, 1e-12);
  EXPECT_NEAR(found.squares[1], 0.245, 1e-12);
  EXPECT_LT(found.change, 1e-4);
  EXPECT_NEAR(b_factor(0.245), 8 * pi * pi / 3 * 0.245, 1e-12);
  // Without superposing, the swing is lost in the tumbling.
  const Fluctuations loose = fluctuations(
      frames,
      [&](std::size_t f, FluctuationFrame& frame) {
        read(f, frame);
        frame.fitted.clear();
      },
      job);
  EXPECT_GT(loose.squares[0], 10.0);
  EXPECT_EQ(loose.rounds, 1);
}

TEST(FluctuationOfPoints, IsIteratedToTheMean) {
  // All points shake: superposed on the mean, the sum of squares is smaller than superposed on the first frame.
  Random random(9);
  std::vector<std::vector<glm::dvec3>> frames(30);
  for (auto& frame : frames) {
    Random body(1);
    for (int i = 0; i < 12; ++i) frame.push_back(body.in_box(-6, 6) + random.in_box(-1.5, 1.5));
  }
  const auto read = [&](std::size_t f, FluctuationFrame& frame) { frame.points = frame.fitted = frames[f]; };
  Job job;
  const auto sum = [](const Fluctuations& f) {
    double s = 0;
    for (const double square : f.squares) s += square;
    return s;
  };
  const Fluctuations once = fluctuations(30, read, job, 1), many = fluctuations(30, read, job, 50, 1e-9);
  EXPECT_GT(many.rounds, 2);
  EXPECT_LE(many.change, 1e-9);
  EXPECT_LT(sum(many), sum(once));
  EXPECT_THROW(fluctuations(0, read, job), Error);
}

TEST(ContactsOfPoints, AreAllPairsWithinTheCutoff) {
  Random random(12);
  for (const Cell& cell : {Cell{}, Cell::from_lengths_angles({25, 31, 28}, {75, 95, 110})}) {
    std::vector<glm::vec3> a, b;
    for (int i = 0; i < 300; ++i) a.emplace_back(random.in_box(-20, 40));
    for (int i = 0; i < 200; ++i) b.emplace_back(random.in_box(-20, 40));
    Job job;
    const std::vector<Contact> found = find_contacts(a, b, cell, 6, job);
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < a.size(); ++i)
      for (std::uint32_t j = 0; j < b.size(); ++j) {
        glm::dvec3 d = glm::dvec3(b[j]) - glm::dvec3(a[i]);
        if (cell.exists()) d = cell.minimum_image(d);
        if (glm::length(d) > 6) continue;
        ASSERT_LT(at, found.size());
        EXPECT_EQ(found[at].a, i);
        EXPECT_EQ(found[at].b, j);
        EXPECT_NEAR(static_cast<double>(found[at++].distance), glm::length(d), 1e-5);
      }
    EXPECT_EQ(at, found.size());
    EXPECT_GT(at, 50u);
  }
  Job job;
  EXPECT_THROW(find_contacts({}, {}, Cell{}, 0, job), Error);
  EXPECT_THROW(find_contacts({}, {}, Cell::from_lengths_angles({9, 9, 9}, {90, 90, 90}), 5, job), Error);
}

TEST(ContactsOfPoints, NativeOnesAreLost) {
  const std::vector<glm::vec3> a{{0, 0, 0}, {10, 0, 0}}, b{{4, 0, 0}, {10, 4, 0}};
  Job job;
  const std::vector<Contact> native = find_contacts(a, b, {}, 4.5, job);
  ASSERT_EQ(native.size(), 2u);
  EXPECT_EQ(native_contacts(native, a, b, {}, 4.5).hard, 1);
  const std::vector<glm::vec3> now{{7.2f, 0, 0}, {10, 4, 0}};
  const NativeContacts left = native_contacts(native, a, now, {}, 4.5);
  EXPECT_EQ(left.hard, 0.5);
  // At 1.8 times its distance a contact counts by half; one at its distance wholly, to exp(-5 * 3.2).
  EXPECT_NEAR(left.soft, 0.5 * (0.5 + 1 / (1 + std::exp(-5 * 0.8 * 4))), 1e-6);
}

}  // namespace
}  // namespace isolume
