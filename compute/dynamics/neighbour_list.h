// NeighbourList: for every atom the others within a distance, without the excluded ones, valid until something has
// moved half of a margin.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/dynamics/vector3.h"
#include "molecule/cell.h"
#include "molecule/force_field/force_field.h"

namespace isolume {

/// Partners in compressed rows: those of atom i are partners[offsets[i]] to partners[offsets[i + 1] - 1], ascending;
/// every pair is in both rows, so that forces are gathered without two threads writing to one atom.
class NeighbourList {
 public:
  /// Pairs up to `cutoff` + `margin` (angstrom) are listed. In a cell the margin is cut to what half of its least width
  /// leaves; the cutoff must fit. Throws Error (usage) where it does not.
  NeighbourList(const ForceField& field, const Cell& cell, double cutoff, double margin);

  /// True where an atom has moved by more than half of the margin since build().
  bool stale(std::span<const glm::dvec3> positions) const;
  /// Lists the pairs at these positions. Throws Error where the list would not fit in memory (more than 2^32 partners),
  /// a position is not finite, or (cancelled).
  void build(std::span<const glm::dvec3> positions, Job& job);

  double margin() const { return margin_; }
  double cutoff() const { return cutoff_; }
  const std::vector<std::uint32_t>& offsets() const { return offsets_; }
  const std::vector<std::uint32_t>& partners() const { return partners_; }
  /// How often it was built.
  std::size_t builds() const { return builds_; }

 private:
  const ForceField& field_;
  Cell cell_;
  ImageBox box_;
  double cutoff_, margin_;
  std::vector<std::uint32_t> row_offsets_, row_partners_;  ///< exclusions, from both sides
  std::vector<glm::dvec3> built_at_;
  std::vector<std::uint32_t> offsets_, partners_;
  std::size_t builds_ = 0;
};

}  // namespace isolume
