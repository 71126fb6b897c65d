// Distances, angles and dihedrals against their formulas.
#include "app/view/measurement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <random>

namespace isolume {
namespace {

double value(std::vector<glm::dvec3> points) {
  return measured(points);
}

TEST(Measurement, Distances) {
  EXPECT_DOUBLE_EQ(value({{0, 0, 0}, {3, 4, 12}}), 13);
  EXPECT_DOUBLE_EQ(value({{1, 1, 1}, {1, 1, 1}}), 0);
}

TEST(Measurement, AnglesAtTheSecondAtom) {
  for (const double angle : {1e-6, 1.0, 60.0, 90.0, 109.4712206, 179.0, 180.0}) {
    const double t = angle * M_PI / 180;
    EXPECT_NEAR(value({{2, 0, 0}, {0, 0, 0}, {3 * std::cos(t), 3 * std::sin(t), 0}}), angle, 1e-9);
  }
  EXPECT_TRUE(std::isnan(value({{0, 0, 0}, {0, 0, 0}, {1, 0, 0}})));
}

// IUPAC: looking from the second atom to the third, clockwise from the first to the fourth is positive.
TEST(Measurement, DihedralsAreClockwisePositive) {
  for (const double angle : {-179.0, -120.0, -60.0, 0.0, 45.0, 60.0, 120.0, 180.0}) {
    const double t = angle * M_PI / 180;
    // A viewer who looks along +z with x to the right has +y downwards: from x to y is clockwise.
    const glm::dvec3 a(1, 0, 0), b(0, 0, 0), c(0, 0, 1.5), d(std::cos(t), std::sin(t), 1.5);
    EXPECT_NEAR(std::abs(value({a, b, c, d})), std::abs(angle), 1e-9);
    if (std::abs(angle) < 180) {
      EXPECT_NEAR(value({a, b, c, d}), angle, 1e-9);
    }
  }
  EXPECT_TRUE(std::isnan(value({{1, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 1, 0}})));
  EXPECT_TRUE(std::isnan(value({{0, 0, -1}, {0, 0, 0}, {0, 0, 1}, {0, 1, 1}}))) << "the first three on a line";
}

TEST(Measurement, TurnsAndShiftsChangeNothing) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> uniform(-3, 3);
  const auto point = [&] { return glm::dvec3(uniform(engine), uniform(engine), uniform(engine)); };
  for (int i = 0; i < 50; ++i) {
    const std::vector<glm::dvec3> points{point(), point(), point(), point()};
    const glm::dquat turn = glm::normalize(glm::dquat(uniform(engine), uniform(engine), uniform(engine), 1));
    const glm::dvec3 shift = point();
    for (std::size_t count = 2; count <= 4; ++count) {
      std::vector<glm::dvec3> some(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(count)), moved;
      for (const auto& p : some) moved.push_back(turn * p + shift);
      EXPECT_NEAR(measured(some), measured(moved), 1e-9);
      // From the other end it is the same; a mirror turns the dihedral's sign.
      EXPECT_NEAR(measured(some), measured(std::vector<glm::dvec3>(some.rbegin(), some.rend())), 1e-9);
      for (auto& p : some) p.z = -p.z;
      EXPECT_NEAR(measured(some), (count == 4 ? -1 : 1) * measured(moved), 1e-9);
    }
  }
}

TEST(Measurement, WhatIsDrawnLiesBetweenTheAtoms) {
  Measurement measurement;
  measurement.atoms.resize(2);
  const std::vector<glm::dvec3> points{{0, 0, 0}, {4, 0, 0}};
  const auto drawing = draw_measurement(measurement, points, "");
  EXPECT_EQ(drawing.label.text, "4.00 \u00c5");
  EXPECT_EQ(drawing.label.position, glm::vec3(2, 0, 0));
  const auto& lines = std::get<Lines>(drawing.lines->shape);
  ASSERT_EQ(lines.points.size() % 2, 0u);
  EXPECT_GT(lines.points.size(), 10u);
  double drawn = 0;
  for (std::size_t i = 0; i < lines.points.size(); i += 2) {
    EXPECT_GE(lines.points[i].x, 0);
    EXPECT_LE(lines.points[i + 1].x, 4);
    drawn += glm::distance(lines.points[i], lines.points[i + 1]);
  }
  EXPECT_NEAR(drawn, 4 * 0.16 / 0.28, 1e-5) << "dashes and gaps";
  EXPECT_EQ(drawing.lines->object, 0u) << "cannot be picked";
  const auto name = draw_measurement({{{0, 0}}}, std::vector<glm::dvec3>{{1, 2, 3}}, "ALA 1 CA");
  EXPECT_EQ(name.label.text, "ALA 1 CA");
  EXPECT_EQ(name.lines, nullptr);
}

}  // namespace
}  // namespace isolume
