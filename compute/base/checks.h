// The checks that every dispatcher makes before it chooses a body.
#pragma once

#include <fmt/core.h>

#include <glm/glm.hpp>

#include "compute/base/span.h"
#include "molecule/base/error.h"
#include "molecule/grid.h"

namespace isolume {

/// Throws Error (usage) where the grid has negative counts or coordinates that are not finite.
inline void check_grid(const Grid& grid, const char* what) {
  if (grid.counts.x < 0 || grid.counts.y < 0 || grid.counts.z < 0) {
    throw Error(fmt::format("{}: grid of {} x {} x {} points", what, grid.counts.x, grid.counts.y, grid.counts.z),
                Error::Kind::usage);
  }
  for (int axis = 0; axis < 3; ++axis) {
    const glm::dvec3 step = grid.step[axis];
    if (!std::isfinite(grid.origin[axis]) || !std::isfinite(step.x + step.y + step.z)) {
      throw Error(fmt::format("{}: the grid's origin or steps are not finite", what), Error::Kind::usage);
    }
  }
}

/// Throws Error (usage) where a span does not have one value per grid point.
template <class T>
void check_values(const Grid& grid, const Span<T>& values, const char* what) {
  if (values.size == grid.size()) return;
  throw Error(fmt::format("{}: {} values for a grid of {} points", what, values.size, grid.size()), Error::Kind::usage);
}

/// Throws Error (usage) where two spans that one computation uses are on different devices.
template <class T, class U>
void check_same_device(const Span<T>& a, const Span<U>& b, const char* what) {
  if (a.empty() || b.empty() || a.device == b.device) return;
  throw Error(
      fmt::format("{}: memory on {} and on {} in one computation", what, to_string(a.device), to_string(b.device)),
      Error::Kind::usage);
}

/// Throws Error (usage) naming the first of `count` items whose position or value is not finite.
template <class Item, class Sum>
void check_finite(std::span<const Item> items, const char* what, const Sum& sum) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    // One sum is not finite if any part is not (parts of opposite infinite sign make NaN).
    if (!std::isfinite(sum(items[i]))) {
      throw Error(fmt::format("{} {}: a coordinate or value is not a finite number", what, i + 1), Error::Kind::usage);
    }
  }
}

}  // namespace isolume
