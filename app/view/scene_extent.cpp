// Where what a scene shows is.
#include "app/view/scene_extent.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/documents/frames.h"
#include "app/documents/placement.h"
#include "app/view/tiling.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/rigid_motion.h"
#include "molecule/selection/selection.h"

namespace isolume {

namespace {

// What is to be seen: points, then the sphere about the middle of their box.
class Bounds {
 public:
  /// Room for so many points more.
  void expect(std::size_t points) { points_.reserve(points_.size() + points); }
  void include(glm::dvec3 point) {
    points_.push_back(point);
    lower_ = glm::min(lower_, point);
    upper_ = glm::max(upper_, point);
  }
  Extent sphere(double margin) const {
    if (points_.empty()) return {};
    const glm::dvec3 centre = 0.5 * (lower_ + upper_);
    double radius = 0;
    for (const glm::dvec3& point : points_) radius = std::max(radius, glm::distance(point, centre));
    return {centre, radius + margin};
  }

 private:
  std::vector<glm::dvec3> points_;
  glm::dvec3 lower_{1e300}, upper_{-1e300};
};

/// Of all that is visible, in one space.
Extent extent_together(const Scene& scene, Documents& documents) {
  Bounds bounds;
  double margin = 1.4;
  const auto shown = [&](std::size_t molecule) {
    return molecule < scene.molecules.size() && scene.molecules[molecule].visible;
  };
  for (const Representation& representation : scene.representations) {
    if (!representation.visible || !shown(representation.molecule)) continue;
    const auto molecule = documents.molecule(scene.molecules[representation.molecule]);
    if (!molecule->topology || molecule->frame_count() == 0) continue;
    const Frame frame = frame_at(*molecule, scene.frame);
    const auto mask = Selection(representation.selection).mask(*molecule->topology, frame);
    bounds.expect(mask.size());
    for (std::size_t i = 0; i < mask.size(); ++i)
      if (mask[i]) bounds.include(frame.positions[i]);
    for (const glm::vec3& shift : image_shifts(scene.molecules[representation.molecule], frame.cell))
      if (shift != glm::vec3(0))
        for (std::size_t i = 0; i < mask.size(); ++i)
          if (mask[i]) bounds.include(frame.positions[i] + shift);
    if (representation.style == Style::spheres)
      for (std::size_t i = 0; i < mask.size(); ++i)
        if (mask[i])
          margin =
              std::max<double>(margin, molecule->topology->atoms[i].radius * representation.options.sphere_scale + 0.2);
  }
  for (const Field& field : scene.fields) {
    if (!field.visible || !shown(field.molecule)) continue;
    const auto molecule = documents.molecule(scene.molecules[field.molecule]);
    if (field.kind == Field::Kind::volume && molecule->atom_count() == 0) {
      if (field.volume >= molecule->volumes.size()) continue;
      const Grid& grid = molecule->volumes[field.volume]->grid;
      for (int corner = 0; corner < 8; ++corner)
        bounds.include(grid.point(corner & 1 ? grid.counts.x - 1 : 0, corner & 2 ? grid.counts.y - 1 : 0,
                                  corner & 4 ? grid.counts.z - 1 : 0));
      continue;
    }
    margin = std::max(margin, field.slice.kind == SlicePlane::Kind::none ? 1.6 : 3.0);
    const Frame frame = frame_at(*molecule, scene.frame);
    if (!molecule->topology || frame.positions.empty()) continue;
    const bool of_atoms = wraps_atoms(field.kind) || field.kind == Field::Kind::potential;
    const auto mask = Selection(of_atoms ? field.selection : "all").mask(*molecule->topology, frame);
    for (std::size_t i = 0; i < mask.size(); ++i)
      if (mask[i]) bounds.include(frame.positions[i]);
  }
  if (scene.show_box)
    for (std::size_t m = 0; m < scene.molecules.size(); ++m) {
      const auto molecule = shown(m) ? documents.molecule(scene.molecules[m]) : nullptr;
      if (!molecule || molecule->frame_count() == 0) continue;
      const Cell cell = frame_at(*molecule, scene.frame).cell;
      for (int corner = 0; corner < 8 && cell.exists(); ++corner)
        for (const glm::vec3& shift : image_shifts(scene.molecules[m], cell))
          bounds.include(cell.vectors * glm::dvec3(corner & 1, (corner >> 1) & 1, corner >> 2) + glm::dvec3(shift));
    }
  return bounds.sphere(margin);
}

}  // namespace

Extent scene_extent(const Scene& scene, Documents& documents) {
  const std::vector<SceneTile> tiles = tiles_of(scene, documents);
  if (tiles.empty()) return extent_together(scene, documents);
  std::vector<Extent> extents;
  glm::dvec3 centre(0);
  for (const SceneTile& tile : tiles) {
    Scene alone = scene;
    for (std::size_t m = 0; m < alone.molecules.size(); ++m) alone.molecules[m].visible = m == tile.molecule;
    extents.push_back(extent_together(alone, documents));
    extents.back().centre -= tile.shift;
    centre += extents.back().centre / static_cast<double>(tiles.size());
  }
  Extent all{centre, 0};
  for (const Extent& extent : extents)
    all.radius = std::max(all.radius, glm::distance(extent.centre, centre) + extent.radius);
  return all;
}

}  // namespace isolume
