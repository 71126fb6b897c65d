// Colour maps and palettes that people with colour-blindness can read.
#pragma once

#include <glm/glm.hpp>
#include <string_view>

#include "render/represent/colour.h"

namespace isolume {

/// Categories: Okabe and Ito (Color Universal Design, 2008), then Tol's muted scheme (SRON/EPS/TN/09-002), repeating.
glm::u8vec4 category_colour(std::size_t index);

/// Sequential map, t from 0 to 1: control points at ninths of a perceptually uniform blue-green-yellow map ("viridis",
/// van der Walt and Smith 2015), interpolated linearly.
glm::u8vec4 sequential_colour(double t);

/// Diverging map, t from -1 (red) over 0 (white) to 1 (blue).
glm::u8vec4 diverging_colour(double t);

/// Sequential map for all kinds of colour-blindness, from blue over grey to yellow: control points at ninths of
/// "cividis" (Nunez, Anderton and Renslow 2018, doi:10.1371/journal.pone.0199239).
glm::u8vec4 cividis_colour(double t);

/// Diverging map, t from -1 (orange) over 0 (white) to 1 (purple), apart for red-green-blind eyes too (after "PuOr",
/// Harrower and Brewer 2003).
glm::u8vec4 orange_purple_colour(double t);

/// Any of the maps, t from 0 to 1; automatic is viridis.
glm::u8vec4 mapped_colour(ColourMap map, double t);

/// "acidic", "base A", "other": what residue_colour() goes by.
const char* residue_character(std::string_view residue_name);

/// By chemical character of the residue: acidic, basic, polar, hydrophobic, aromatic, cysteine, glycine and proline,
/// bases by letter; grey for the rest.
glm::u8vec4 residue_colour(std::string_view residue_name);

}  // namespace isolume
