// Colour maps and palettes that people with colour-blindness can read.
#include "render/represent/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace isolume {
namespace {

constexpr glm::u8vec4 rgb(unsigned hex) {
  return glm::u8vec4(hex >> 16, (hex >> 8) & 255, hex & 255, 255);
}

template <std::size_t N>
glm::u8vec4 interpolate(const std::array<unsigned, N>& points, double t) {
  if (!(t > 0)) t = 0;  // also where it is no number
  const double x = std::min(t, 1.0) * (N - 1);
  const auto i = std::min(static_cast<std::size_t>(x), N - 2);
  const glm::dvec4 a(rgb(points[i])), b(rgb(points[i + 1]));
  return glm::u8vec4(glm::round(glm::mix(a, b, x - static_cast<double>(i))));
}

}  // namespace

glm::u8vec4 category_colour(std::size_t index) {
  static constexpr std::array<unsigned, 12> colours = {0x56B4E9, 0xE69F00, 0x009E73, 0xCC79A7, 0x0072B2, 0xD55E00,
                                                       0xF0E442, 0x332288, 0x44AA99, 0x882255, 0x999933, 0xDDCC77};
  return rgb(colours[index % colours.size()]);
}

glm::u8vec4 sequential_colour(double t) {
  static constexpr std::array<unsigned, 10> points = {0x440154, 0x482878, 0x3E4A89, 0x31688E, 0x26828E,
                                                      0x1F9E89, 0x35B779, 0x6DCD59, 0xB4DE2C, 0xFDE725};
  return interpolate(points, t);
}

glm::u8vec4 diverging_colour(double t) {
  static constexpr std::array<unsigned, 5> points = {0xC81E1E, 0xF0907A, 0xF7F7F7, 0x7AA6E6, 0x1F4FC4};
  return interpolate(points, 0.5 + 0.5 * t);
}

glm::u8vec4 cividis_colour(double t) {
  static constexpr std::array<unsigned, 10> points = {0x00224E, 0x083370, 0x35456C, 0x4F576C, 0x666970,
                                                      0x7D7C78, 0x948E77, 0xAEA371, 0xC8B866, 0xFEE838};
  return interpolate(points, t);
}

glm::u8vec4 orange_purple_colour(double t) {
  static constexpr std::array<unsigned, 5> points = {0xB35806, 0xFDB863, 0xF7F7F7, 0xB2ABD2, 0x542788};
  return interpolate(points, 0.5 + 0.5 * t);
}

glm::u8vec4 mapped_colour(ColourMap map, double t) {
  t = std::clamp(t, 0.0, 1.0);
  switch (map) {
    case ColourMap::automatic:
    case ColourMap::viridis:
      return sequential_colour(t);
    case ColourMap::cividis:
      return cividis_colour(t);
    case ColourMap::grey: {
      const auto level = static_cast<unsigned char>(std::lround(30 + 215 * t));
      return {level, level, level, 255};
    }
    case ColourMap::red_white_blue:
      return diverging_colour(2 * t - 1);
    case ColourMap::orange_white_purple:
      return orange_purple_colour(2 * t - 1);
  }
  return sequential_colour(t);
}

namespace {

struct Character {
  std::string_view names;  // between spaces
  const char* name;
  unsigned colour;
};
constexpr std::array<Character, 11> characters = {{
    {" ASP GLU ASH GLH ", "acidic", 0xD55E00},
    {" LYS ARG HIS HID HIE HIP HSD HSE HSP LYN ", "basic", 0x0072B2},
    {" SER THR ASN GLN ", "polar", 0x56B4E9},
    {" ALA VAL LEU ILE MET MSE ", "hydrophobic", 0xB8B09C},
    {" PHE TYR TRP ", "aromatic", 0xCC79A7},
    {" CYS CYX CYM ", "cysteine", 0xF0E442},
    {" GLY PRO ", "glycine, proline", 0xE8E4DA},
    {" A DA RA ADE A5 A3 DA5 DA3 ", "base A", 0x009E73},
    {" G DG RG GUA G5 G3 DG5 DG3 ", "base G", 0xE69F00},
    {" C DC RC CYT C5 C3 DC5 DC3 ", "base C", 0x0072B2},
    {" U T DT DU RU URA THY U5 U3 DT5 DT3 ", "base T, U", 0xD55E00},
}};

const Character* character_of(std::string_view residue_name) {
  const std::string key = " " + std::string(residue_name) + " ";
  for (const Character& known : characters)
    if (known.names.find(key) != std::string_view::npos) return &known;
  return nullptr;
}

}  // namespace

const char* residue_character(std::string_view residue_name) {
  const Character* known = character_of(residue_name);
  return known ? known->name : "other";
}

glm::u8vec4 residue_colour(std::string_view residue_name) {
  const Character* known = character_of(residue_name);
  return rgb(known ? known->colour : 0xA8A8A8);
}

}  // namespace isolume
