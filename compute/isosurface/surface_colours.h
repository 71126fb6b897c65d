// What the vertices of a surface are coloured by.
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/storage.h"

namespace isolume {

/// Nothing, the colours of a volume's points, or a scalar at a volume's points and the colours of its values. On the
/// device of the volume; of the slab's layers where the surface is made in slabs.
struct SurfaceColours {
  ConstColours colours;

  Span<const float> scalars;    ///< instead: a value for each point
  float lower = -1, upper = 1;  ///< the values of the first and the last colour of `map`; beyond, these
  std::vector<glm::vec3> map;   ///< 2 to 16 colours evenly from lower to upper, parts from 0 to 1; NaN is the middle
  float offset = 0;  ///< angstrom from the vertex along its normal to where the scalar is read (trilinear), in the grid

  SurfaceColours() = default;
  template <class T>
  requires std::constructible_from<ConstColours, Span<T>> SurfaceColours(Span<T> from)  // NOLINT
      : colours(from) {}
  SurfaceColours(ConstColours from) : colours(from) {}  // NOLINT
  bool empty() const { return colours.empty() && scalars.empty(); }
  std::size_t size() const { return scalars.empty() ? colours.size : scalars.size; }
  Device device() const { return scalars.empty() ? colours.device : scalars.device; }
};

}  // namespace isolume
