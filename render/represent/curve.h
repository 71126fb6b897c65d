// The smooth curve through a backbone, with a direction across it.
#pragma once

#include <vector>

#include "render/represent/backbone.h"
#include "render/represent/ribbon.h"

namespace isolume {

/// What a stretch of a protein is drawn as.
enum class Shape : std::uint8_t { coil, helix, strand };

/// One shape per residue: runs of helix of less than four residues and of strand of less than two are coil.
std::vector<Shape> shapes(const Backbone& backbone);

/// Cubic Hermite curve; parameter i is residue i. In helices the tangents are those of a helix, so that it is round;
/// strands are smoothed along the sheet. The direction across follows the peptide planes (Carson and Bugg 1986,
/// doi:10.1016/0263-7855(86)80010-8), in helices their axis; without oxygen atoms it follows the bends of the trace.
class Curve {
 public:
  Curve(const Backbone& backbone, const std::vector<Shape>& shapes);

  std::size_t size() const { return points_.size(); }
  /// Adds a point after the last one.
  void extend(glm::vec3 point);
  Station at(float u) const;
  glm::vec3 point(std::size_t i) const { return points_[i]; }

 private:
  /// Axis of the helix at every residue of one, 0 elsewhere.
  std::vector<glm::vec3> helix_axes(const std::vector<Shape>& shapes) const;
  void set_tangents(const std::vector<Shape>& shapes);
  void set_across(const Backbone& backbone, const std::vector<Shape>& shapes);
  std::vector<glm::vec3> points_, tangents_, across_;
};

}  // namespace isolume
