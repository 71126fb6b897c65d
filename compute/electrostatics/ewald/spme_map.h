// Maps of the potential by SPME in parts: the mesh is summed once.
#pragma once

#include <memory>
#include <span>

#include "compute/electrostatics/ewald/spme.h"

namespace isolume {

class SpmeMapBody;

/// A particle-mesh Ewald sum whose mesh is done: from it come maps of any grids, one after the other.
class SpmeField {
 public:
  /// Throws Error as spme_potential() does.
  SpmeField(std::span<const PointCharge> charges, const Cell& cell, const SpmeOptions& options, SpmeMap map,
            Device device, Job& job);
  ~SpmeField();
  SpmeField(SpmeField&&) noexcept;
  SpmeField& operator=(SpmeField&&) noexcept;

  /// As spme_potential(). The value at a point does not depend on the other points of its grid, but for the rounding of
  /// places from the grid's origin.
  void map(const Grid& grid, Span<float> potential, Job& job);

 private:
  Device device_;
  std::unique_ptr<SpmeMapBody> body_;
};

}  // namespace isolume
