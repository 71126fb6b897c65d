// Scales of values of both signs: white at zero, towards one colour on either side, to a round number.
#include "render/represent/diverging_scale.h"

#include <algorithm>
#include <cmath>

namespace isolume {
namespace {

// Linear sRGB to the responses of the cones, and their cube roots to Oklab (columns of the published matrices).
const glm::dmat3 to_cones(0.4122214708, 0.2119034982, 0.0883024619, 0.5363325363, 0.6806995451, 0.2817188376,
                          0.0514459929, 0.1073969566, 0.6299787005);
const glm::dmat3 to_lab(0.2104542553, 1.9779984951, 0.0259040371, 0.7936177850, -2.4285922050, 0.7827717662,
                        -0.0040720468, 0.4505937099, -0.8086757660);

double to_linear(double v) {
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

double to_straight(double v) {
  return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
}

glm::dvec3 from_oklab(glm::dvec3 lab) {
  const glm::dvec3 roots = glm::inverse(to_lab) * lab;
  const glm::dvec3 linear = glm::inverse(to_cones) * (roots * roots * roots);
  glm::dvec3 colour;
  for (int i = 0; i < 3; ++i) colour[i] = to_straight(std::clamp(linear[i], 0.0, 1.0));
  return colour;
}

}  // namespace

glm::dvec3 oklab(glm::dvec3 colour) {
  glm::dvec3 linear;
  for (int i = 0; i < 3; ++i) linear[i] = to_linear(colour[i]);
  const glm::dvec3 cones = to_cones * linear;
  return to_lab * glm::dvec3(std::cbrt(cones.x), std::cbrt(cones.y), std::cbrt(cones.z));
}

glm::vec3 diverging_colour(glm::u8vec4 negative, glm::u8vec4 positive, double t) {
  const glm::dvec3 white(0.97, 0, 0);
  if (!(t == t)) t = 0;
  const glm::dvec3 end = oklab(glm::dvec3(glm::u8vec3(t < 0 ? negative : positive)) / 255.0);
  return glm::vec3(from_oklab(glm::mix(white, end, std::min(1.0, std::abs(t)))));
}

std::vector<glm::vec3> diverging_colours(glm::u8vec4 negative, glm::u8vec4 positive, int count) {
  std::vector<glm::vec3> colours;
  for (int i = 0; i < count; ++i)
    colours.push_back(diverging_colour(negative, positive, count > 1 ? 2.0 * i / (count - 1) - 1 : 0.0));
  return colours;
}

std::vector<glm::vec3> red_white_blue_colours() {
  std::vector<glm::vec3> colours;
  for (int i = -4; i <= 4; ++i) colours.push_back(red_white_blue(static_cast<float>(i) / 4.0f));
  return colours;
}

glm::vec3 red_white_blue(float t) {
  const glm::vec3 white(0.97f), red(0.80f, 0.09f, 0.11f), blue(0.10f, 0.25f, 0.80f);
  if (!(t == t)) return white;
  const float part = std::min(1.0f, std::abs(t));
  return glm::mix(white, t < 0 ? red : blue, part);
}

double round_number(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  double best = power;
  for (const double factor : {1.0, 2.0, 3.0, 5.0, 10.0})
    if (std::abs(std::log(factor * power / value)) < std::abs(std::log(best / value))) best = factor * power;
  return best;
}

}  // namespace isolume
