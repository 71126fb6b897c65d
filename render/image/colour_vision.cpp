// How colours look to eyes that tell fewer of them apart.
#include "render/image/colour_vision.h"

#include <cmath>

namespace isolume {
namespace {

glm::mat3 rows(glm::vec3 red, glm::vec3 green, glm::vec3 blue) {
  return glm::transpose(glm::mat3(red, green, blue));
}

float to_linear(float v) {
  return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
}
float to_srgb(float v) {
  return v <= 0.0031308f ? 12.92f * v : 1.055f * std::pow(v, 1 / 2.4f) - 0.055f;
}

}  // namespace

glm::mat3 vision_matrix(ColourVision vision) {
  switch (vision) {
    case ColourVision::full:
      return glm::mat3(1.0f);
    case ColourVision::protanopia:
      return rows({0.152286f, 1.052583f, -0.204868f}, {0.114503f, 0.786281f, 0.099216f},
                  {-0.003882f, -0.048116f, 1.051998f});
    case ColourVision::deuteranopia:
      return rows({0.367322f, 0.860646f, -0.227968f}, {0.280085f, 0.672501f, 0.047413f},
                  {-0.011820f, 0.042940f, 0.968881f});
    case ColourVision::tritanopia:
      return rows({1.255528f, -0.076749f, -0.178779f}, {-0.078411f, 0.930809f, 0.147602f},
                  {0.004733f, 0.691367f, 0.303900f});
    case ColourVision::grey: {
      const glm::vec3 luminance(0.2126f, 0.7152f, 0.0722f);
      return rows(luminance, luminance, luminance);
    }
  }
  return glm::mat3(1.0f);
}

glm::vec3 seen_colour(glm::vec3 colour, ColourVision vision) {
  glm::vec3 linear;
  for (int i = 0; i < 3; ++i) linear[i] = to_linear(colour[i]);
  linear = glm::clamp(vision_matrix(vision) * linear, glm::vec3(0), glm::vec3(1));
  glm::vec3 result;
  for (int i = 0; i < 3; ++i) result[i] = to_srgb(linear[i]);
  return result;
}

}  // namespace isolume
