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

glm::u8vec4 residue_colour(std::string_view name) {
  struct Row {
    std::string_view names;  // between spaces
    unsigned colour;
  };
  static constexpr std::array<Row, 11> rows = {{
      {" ASP GLU ASH GLH ", 0xD55E00},
      {" LYS ARG HIS HID HIE HIP HSD HSE HSP LYN ", 0x0072B2},
      {" SER THR ASN GLN ", 0x56B4E9},
      {" ALA VAL LEU ILE MET MSE ", 0xB8B09C},
      {" PHE TYR TRP ", 0xCC79A7},
      {" CYS CYX CYM ", 0xF0E442},
      {" GLY PRO ", 0xE8E4DA},
      {" A DA RA ADE A5 A3 DA5 DA3 ", 0x009E73},
      {" G DG RG GUA G5 G3 DG5 DG3 ", 0xE69F00},
      {" C DC RC CYT C5 C3 DC5 DC3 ", 0x0072B2},
      {" U T DT DU RU URA THY U5 U3 DT5 DT3 ", 0xD55E00},
  }};
  const std::string key = " " + std::string(name) + " ";
  for (const Row& row : rows)
    if (row.names.find(key) != std::string_view::npos) return rgb(row.colour);
  return rgb(0xA8A8A8);
}

}  // namespace isolume
