// Scales of values of both signs: white at zero, towards one colour on either side, to a round number.
#pragma once

#include <glm/glm.hpp>
#include <vector>

namespace isolume {

/// The colour of t from -1 (`negative`) over 0 (nearly white) to 1 (`positive`), beyond them the ends; parts from 0 to
/// 1 of straight sRGB. Between, lightness and chroma change evenly as the eye sees them: straight lines in Oklab
/// (B. Ottosson, A perceptual color space for image processing, 2020). Of the scene's usual colours, blue and
/// vermilion, every pair +t and -t stays apart for colour-blind eyes. NaN is white.
glm::vec3 diverging_colour(glm::u8vec4 negative, glm::u8vec4 positive, double t);

/// The colours of evenly spaced t from -1 to 1.
std::vector<glm::vec3> diverging_colours(glm::u8vec4 negative, glm::u8vec4 positive, int count);

/// Nine colours from red over white to blue.
std::vector<glm::vec3> red_white_blue_colours();

/// The colour of `t` from -1 (red) over 0 (white) to 1 (blue); beyond, that of the end. Parts from 0 to 1.
glm::vec3 red_white_blue(float t);

/// 1, 2, 3 or 5 times a power of ten, next to `value` by ratio; 1 where value is not above 0.
double round_number(double value);

/// Lightness, green to red, blue to yellow of a straight sRGB colour, in Oklab.
glm::dvec3 oklab(glm::dvec3 colour);

}  // namespace isolume
