// Helices as straight cylinders.
#include "render/represent/helix_cylinders.h"

#include <algorithm>
#include <cmath>

namespace isolume {
namespace {

constexpr float radius = 1.75f;           // times the half width of a ribbon
constexpr float widest = 4.5f;            // angstrom: alpha carbons of a straight helix lie 2.3 from its axis
constexpr std::size_t shortest_part = 4;  // residues

struct Axis {
  glm::vec3 start{0}, direction{0, 0, 1};
  glm::vec3 nearest(glm::vec3 p) const { return start + direction * glm::dot(p - start, direction); }
};

/// Through the means of four successive residues, a turn of an alpha helix, which lie close to its axis.
Axis axis_of(const std::vector<BackboneResidue>& r, std::size_t begin, std::size_t end) {
  const auto mean = [&](std::size_t first) {
    glm::vec3 sum(0);
    const std::size_t count = std::min<std::size_t>(4, end - begin);
    for (std::size_t i = 0; i < count; ++i) sum += r[first + i].position;
    return sum / static_cast<float>(count);
  };
  Axis axis;
  axis.start = mean(begin);
  const glm::vec3 way = mean(end - std::min<std::size_t>(4, end - begin)) - axis.start;
  const glm::vec3 chord = glm::length(way) > 0.5f ? way : r[end - 1].position - r[begin].position;
  if (glm::length(chord) > 1e-3f) axis.direction = glm::normalize(chord);
  return axis;
}

void add_part(Cylinders& columns, const StyleInput& input, std::vector<BackboneResidue>& r, std::size_t begin,
              std::size_t end) {
  const Axis axis = axis_of(r, begin, end);
  if (end - begin >= 2 * shortest_part) {
    std::size_t farthest = begin;
    float most = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const float away = glm::distance(axis.nearest(r[i].position), r[i].position);
      if (away > most) most = away, farthest = i;
    }
    if (most > widest) {
      const std::size_t cut = std::clamp(farthest, begin + shortest_part, end - shortest_part);
      add_part(columns, input, r, begin, cut);
      add_part(columns, input, r, cut, end);
      return;
    }
  }
  // Borders between residues lie half-way between their feet on the axis; feet that would run backwards are held.
  std::vector<float> feet;
  for (std::size_t i = begin; i < end; ++i) {
    const float foot = glm::dot(r[i].position - axis.start, axis.direction);
    feet.push_back(feet.empty() ? foot : std::max(foot, feet.back()));
  }
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t k = i - begin;
    const float from = k == 0 ? feet[0] : 0.5f * (feet[k - 1] + feet[k]);
    const float to = i + 1 == end ? feet[k] : 0.5f * (feet[k] + feet[k + 1]);
    if (to - from > 1e-3f) {
      columns.cylinders.push_back(
          {axis.start + from * axis.direction, axis.start + to * axis.direction, radius * input.options.cartoon_width});
      columns.colours_a.push_back(input.colours[r[i].atom]);
      columns.colours_b.push_back(input.colours[r[i].atom]);
      columns.parts_a.push_back(r[i].atom);
      columns.parts_b.push_back(r[i].atom);
    }
    r[i].position = axis.start + feet[k] * axis.direction;
  }
}

}  // namespace

void add_helix_cylinders(Cylinders& columns, const StyleInput& input, Backbone& backbone, std::vector<Shape>& shapes) {
  for (std::size_t begin = 0; begin < shapes.size();) {
    std::size_t end = begin + 1;
    while (end < shapes.size() && shapes[end] == shapes[begin]) ++end;
    if (shapes[begin] == Shape::helix) {
      add_part(columns, input, backbone.residues, begin, end);
      for (std::size_t i = begin; i < end; ++i) {
        shapes[i] = Shape::coil;
        backbone.residues[i].structure = SecondaryStructure::coil;
        backbone.residues[i].across = glm::vec3(0);
      }
    }
    begin = end;
  }
}

}  // namespace isolume
