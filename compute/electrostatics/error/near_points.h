// The points of a grid near charges, drawn at random with known probabilities.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "compute/electrostatics/direct/direct.h"

namespace isolume {

/// A number below `count`, the same on every platform (std::uniform_int_distribution is not).
inline std::size_t draw(std::mt19937_64& random, std::size_t count) {
  return static_cast<std::size_t>(random() % count);
}

/// The points of a grid near charges, and how probable each is. The grid must outlive it.
class NearPoints {
 public:
  NearPoints(std::span<const PointCharge> charges, const Grid& grid);

  /// True where no charge is near a point of the grid.
  bool empty() const { return places_.empty(); }

  /// The index of a point within 4 angstrom of a charge along every axis; of a corner of the cell that holds a charge.
  /// First the charge is drawn, then one of its points.
  std::size_t draw_near(std::mt19937_64& random) const;
  std::size_t draw_corner(std::mt19937_64& random) const;

  /// How probable a point is by draw_near() and by draw_corner().
  std::pair<double, double> probability(glm::ivec3 point) const;

 private:
  struct Place {
    glm::ivec3 nearest, below;  ///< points of the grid
  };
  glm::ivec3 width() const { return 2 * reach_ + 1; }
  std::size_t block_index(glm::ivec3 block) const;
  const Place& any_place(std::mt19937_64& random) const { return places_[draw(random, places_.size())]; }

  const Grid& grid_;
  glm::ivec3 reach_{1}, blocks_{1};
  std::vector<Place> places_;         ///< of the charges near points of the grid, block by block
  std::vector<std::uint32_t> first_;  ///< of every block, and one more
};

}  // namespace isolume
