// Maps of the potential by SPME in parts: the mesh is summed once.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "compute/electrostatics/ewald/spme.h"

namespace isolume {

class SpmeMapBody;

/// A particle-mesh Ewald sum whose mesh is done: from it come maps of any grids, one after the other.
class SpmeField {
 public:
  /// Without charges; reset() comes first.
  SpmeField();
  /// Throws Error as spme_potential() does.
  SpmeField(std::span<const PointCharge> charges, const Cell& cell, const SpmeOptions& options, SpmeMap map,
            Device device, Job& job);
  ~SpmeField();
  SpmeField(SpmeField&&) noexcept;
  SpmeField& operator=(SpmeField&&) noexcept;

  /// As if newly constructed. For as many charges and the same options, memory, transforms and tables are kept; of
  /// another cell the influence function is made again.
  void reset(std::span<const PointCharge> charges, const Cell& cell, const SpmeOptions& options, SpmeMap map,
             Device device, Job& job);
  /// True where reset() may find something to keep, which is at most 256 MiB.
  bool keeps_memory() const;

  /// As spme_potential(). The value at a point does not depend on the other points of its grid, but for the rounding of
  /// places from the grid's origin.
  void map(const Grid& grid, Span<float> potential, Job& job);

 private:
  Device device_;
  std::optional<SpmeOptions> options_;  ///< of the body
  SpmeMap shown_ = SpmeMap::full;
  std::size_t bytes_ = 0;
  std::vector<glm::vec3> positions_;
  std::vector<float> charges_;
  std::unique_ptr<SpmeMapBody> body_;
};

}  // namespace isolume
