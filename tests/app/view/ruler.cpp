// Rulers: the places of ticks and numbers, by their formulas.
#include <gtest/gtest.h>

#include <cmath>

#include "app/view/measurement.h"

namespace isolume {
namespace {

TEST(Ruler, ARulerHasATickAtEachStep) {
  Measurement measurement;
  measurement.atoms.resize(2);
  measurement.ruler = true;
  EXPECT_STREQ(measurement_name(measurement), "ruler");
  const glm::dvec3 from(1, 2, 3), along = glm::normalize(glm::dvec3(2, -1, 2));
  const std::vector<glm::dvec3> points{from, from + 23.4 * along};
  const auto drawing = draw_measurement(measurement, points, "");
  EXPECT_EQ(drawing.label.text, "23.40 \u00c5");
  EXPECT_EQ(drawing.label.position, glm::vec3(points[1]));
  // Numbers every 5 angstrom, ticks every angstrom, all in their places.
  EXPECT_EQ(ruler_steps(23.4).number, 5);
  EXPECT_EQ(ruler_steps(23.4).tick, 1);
  ASSERT_EQ(drawing.ticks.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(drawing.ticks[static_cast<std::size_t>(i)].text, std::to_string(5 * (i + 1)));
    EXPECT_LT(
        glm::distance(glm::dvec3(drawing.ticks[static_cast<std::size_t>(i)].position), from + 5.0 * (i + 1) * along),
        1e-5);
  }
  const auto& lines = std::get<Lines>(drawing.lines->shape);
  ASSERT_EQ(lines.points.size(), 2 * (1 + 2 * (24 + 1))) << "the line, two strokes at 0 to 23 and at the end";
  for (std::size_t i = 2; i < lines.points.size(); i += 2) {
    const glm::dvec3 stroke(lines.points[i + 1] - lines.points[i]);
    EXPECT_NEAR(glm::dot(stroke, along), 0, 1e-5) << "across the line";
    const double at = glm::dot(glm::dvec3(lines.points[i]) - from, along);
    EXPECT_NEAR(at, i + 4 >= lines.points.size() ? 23.4 : std::round(at), 1e-5);
  }
}

TEST(Ruler, StepsOfRulersAreRound) {
  for (const double length : {0.7, 1.5, 3.2, 8.0, 23.4, 61.0, 150.0, 999.0}) {
    const RulerSteps steps = ruler_steps(length);
    EXPECT_LE(length / steps.number, 8 + 1e-9) << length;
    EXPECT_GT(length / steps.number, 3) << length;
    const double ticks = steps.number / steps.tick;
    EXPECT_NEAR(ticks, std::round(ticks), 1e-9) << length;
    const double mantissa = steps.number / std::pow(10.0, std::floor(std::log10(steps.number) + 1e-9));
    EXPECT_TRUE(std::abs(mantissa - 1) < 1e-9 || std::abs(mantissa - 2) < 1e-9 || std::abs(mantissa - 5) < 1e-9)
        << length;
  }
}

}  // namespace
}  // namespace isolume
