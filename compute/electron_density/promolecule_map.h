// What the promolecule and the gradient model by Hirshfeld atoms share: the points of a tile, and maps of their fields.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "compute/base/checks.h"
#include "compute/electron_density/promolecule.h"
#include "molecule/base/units.h"

namespace isolume {

/// Points of a tile along x, y and z.
inline constexpr int promolecule_tile = 4;

/// The points of a tile of a grid, in bohr, and their places among the grid's values.
struct PromoleculeTilePoints {
  static constexpr std::size_t most = promolecule_tile * promolecule_tile * promolecule_tile;
  std::array<glm::dvec3, most> points;
  std::array<std::size_t, most> places;
  std::size_t count = 0;

  /// From `begin` up to `end`, which is not included.
  PromoleculeTilePoints(const Grid& grid, glm::ivec3 begin, glm::ivec3 end) {
    for (int k = begin.z; k < end.z; ++k) {
      for (int j = begin.y; j < end.y; ++j) {
        for (int i = begin.x; i < end.x; ++i, ++count) {
          points[count] = units::angstrom_in_bohr * grid.point(i, j, k);
          places[count] = grid.index(i, j, k);
        }
      }
    }
  }
};

/// A map of one field. `visit(store)` calls store(place, point) for each point of the grid.
template <class Visit>
void promolecule_map(PromoleculeField field, const Grid& grid, std::span<float> values, const char* what,
                     const Visit& visit) {
  check_values(grid, Span<float>(values.data(), values.size(), Device::cpu()), what);
  visit(
      [&](std::size_t to, const PromoleculePoint& point) { values[to] = static_cast<float>(map_value(field, point)); });
}

/// Maps of two fields at once.
template <class Visit>
void promolecule_maps(PromoleculeField first, PromoleculeField second, const Grid& grid, std::span<float> first_values,
                      std::span<float> second_values, const char* what, const Visit& visit) {
  check_values(grid, Span<float>(first_values.data(), first_values.size(), Device::cpu()), what);
  check_values(grid, Span<float>(second_values.data(), second_values.size(), Device::cpu()), what);
  visit([&](std::size_t to, const PromoleculePoint& point) {
    first_values[to] = static_cast<float>(map_value(first, point));
    second_values[to] = static_cast<float>(map_value(second, point));
  });
}

}  // namespace isolume
