// Marks of probes in the picture.
#include "app/view/probe_mark.h"

#include <array>
#include <cmath>
#include <string>

#include "app/fields/probes/scene_probes.h"
#include "app/view/dashes.h"

namespace isolume {

glm::u8vec4 probe_colour(std::size_t number) {
  // Those of curves on light ground, which are the same hues.
  constexpr std::array<glm::u8vec3, 8> colours{{{0, 114, 178},
                                                {213, 94, 0},
                                                {0, 158, 115},
                                                {162, 59, 120},
                                                {176, 125, 0},
                                                {47, 143, 196},
                                                {107, 95, 181},
                                                {92, 100, 112}}};
  return {colours[number % colours.size()], 255};
}

ProbeMark probe_mark(const Scene& scene, std::size_t number, const Topology& topology, const Frame& frame) {
  constexpr double arm = 1.6;  // angstrom: out of balls and ribbons
  const ProbePlace place = place_of(scene, number, topology);
  const glm::dvec3 at = point_of(place, frame);
  const glm::dvec3 x = place.bond ? direction_of(place, frame) : glm::dvec3(1, 0, 0);
  const glm::dvec3 y = glm::normalize(glm::cross(x, std::abs(x.z) < 0.9 ? glm::dvec3(0, 0, 1) : glm::dvec3(0, 1, 0)));
  const glm::dvec3 z = glm::cross(x, y);
  Dashes lines(3.0f);
  for (const glm::dvec3& axis : {x, y, z}) lines.segment(at - arm * axis, at + arm * axis, probe_colour(number));
  return {std::move(lines).item(), {glm::vec3(at), std::to_string(number + 1)}};
}

}  // namespace isolume
