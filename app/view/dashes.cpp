// Dashed lines in space.
#include "app/view/dashes.h"

#include <algorithm>
#include <cmath>

namespace isolume {

namespace {
constexpr double dash = 0.16, gap = 0.12;  // angstrom
}

void Dashes::segment(glm::dvec3 a, glm::dvec3 b, glm::u8vec4 colour) {
  lines_.points.emplace_back(a);
  lines_.points.emplace_back(b);
  lines_.colours.insert(lines_.colours.end(), {colour, colour});
}

void Dashes::line(glm::dvec3 a, glm::dvec3 b, glm::u8vec4 colour) {
  const double length = glm::distance(a, b);
  const int count = std::clamp(static_cast<int>(std::lround(length / (dash + gap))), 1, 200);
  const double step = 1.0 / count, drawn = step * dash / (dash + gap);
  for (int i = 0; i < count; ++i) {
    const double begin = i * step + 0.5 * (step - drawn);
    segment(glm::mix(a, b, begin), glm::mix(a, b, begin + drawn), colour);
  }
}

std::shared_ptr<const DrawItem> Dashes::item() && {
  auto item = std::make_shared<DrawItem>();
  item->shape = std::move(lines_);
  item->lit = false;
  return item;
}

}  // namespace isolume
