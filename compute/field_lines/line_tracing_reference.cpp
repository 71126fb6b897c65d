// Lines followed through a field, plainly.
#include "compute/field_lines/line_tracing.h"

namespace isolume {

std::vector<TracedLine> trace_lines_reference(const Grid& grid, std::span<const float> values,
                                              std::span<const LineSeed> seeds, std::span<const glm::vec4> spheres,
                                              const LineTracing& options) {
  const FieldSampler field(grid, values);
  std::vector<TracedLine> lines;
  for (const LineSeed& seed : seeds) {
    TracedLine& traced = lines.emplace_back();
    glm::dvec3 place = seed.place;
    const auto direction = [&](glm::dvec3 at, glm::dvec3& to) {
      FieldSampler::Sample s;
      if (!field.at(at, s) || !(glm::length(s.gradient) > options.least)) return false;
      to = seed.sign * glm::normalize(s.gradient);
      return true;
    };
    for (std::size_t n = 0; n < options.most; ++n) {
      FieldSampler::Sample here;
      if (!field.at(place, here)) {
        traced.end = LineEnd::border;
        break;
      }
      traced.line.points.emplace_back(place);
      traced.line.values.push_back(static_cast<float>(here.value));
      bool met = false;
      for (const glm::vec4& s : spheres)
        met = met || glm::distance(place, glm::dvec3(s)) < options.within * static_cast<double>(s.w);
      if (met && n > 0) {
        traced.end = LineEnd::surface;
        break;
      }
      glm::dvec3 k1, k2, k3, k4;
      if (!direction(place, k1)) break;
      if (!direction(place + 0.5 * options.step * k1, k2) || !direction(place + 0.5 * options.step * k2, k3) ||
          !direction(place + options.step * k3, k4)) {
        traced.end = LineEnd::border;
        break;
      }
      const glm::dvec3 along = (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0;
      if (glm::length(along) < 0.5) break;
      place += options.step * along;
    }
  }
  return lines;
}

}  // namespace isolume
