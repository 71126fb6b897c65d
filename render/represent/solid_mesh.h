// Representations as triangles, for files: spheres and cylinders cut into facets, ribbons and surfaces as they are.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "molecule/mesh.h"
#include "render/represent/represent.h"

namespace isolume {

/// What the triangles of items take.
struct SolidCount {
  std::size_t vertices = 0, triangles = 0;
  std::size_t bytes() const { return vertices * (2 * sizeof(glm::vec3) + 4) + triangles * sizeof(glm::uvec3); }
};

/// Whether a style draws anything with an inside or a surface; lines and points do not.
bool has_solids(Style style);

/// How finely round things are cut so that a file of so many stays small: 3 (1 280 triangles of a sphere, 32 sides of a
/// cylinder) up to 2 000 spheres and cylinders, 2 (320, 16) up to 50 000, 1 (80, 8) beyond.
int cuts_of(std::span<const std::shared_ptr<const DrawItem>> items);

SolidCount count_solids(std::span<const std::shared_ptr<const DrawItem>> items, int cuts);

/// The triangles of items, in their order, with their copies. Corners are on the spheres and cylinders, so that these
/// are a little smaller than they are drawn; each is closed by itself, and those that overlap are not joined. Colours
/// are the items' with their opacity as alpha; a cylinder has the colour of each end up to its middle. Lines, points,
/// wireframes and clouds are left out. `progress` is called with the part that is done; what it throws ends the work.
/// Throws Error (usage) beyond the 2^32 vertices that triangles can name.
Mesh solid_mesh(std::span<const std::shared_ptr<const DrawItem>> items, int cuts,
                const std::function<void(double)>& progress = {});

}  // namespace isolume
