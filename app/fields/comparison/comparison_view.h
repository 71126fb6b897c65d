// Two methods of the potential in space: a surface painted by each of them and by their difference, side by side.
#pragma once

#include <memory>

#include "app/fields/comparison/potential_comparison.h"
#include "render/view/scene_view.h"

namespace isolume {

/// Which surface is painted: of the atoms that are compared (their Gaussian density or the solvent-excluded one), or
/// where the potential has a value of either sign, each method's own.
enum class ComparedSurface : std::uint8_t { gaussian, solvent_excluded, isosurfaces };

struct ComparisonView {
  /// Three tiles seen by one camera: the first, the second, the second less the first (of isosurfaces: on the first's).
  std::shared_ptr<const SceneView> view;
  double range = 0;             ///< volts at the full colours of the first two tiles
  double difference_range = 0;  ///< and of the third
  std::size_t vertices = 0;     ///< of the painted surface, or of the first's isosurfaces
  std::size_t beyond = 0;       ///< of those, grey: the maps do not reach there
};

/// @param request    that of the comparison: molecule, frame, device, and the field with the selection and the colours
/// @param isovalue   volts, above 0; for isosurfaces
/// Throws Error: where there is no surface (usage), memory, cancelled.
ComparisonView comparison_view(const FieldRequest& request, const PotentialComparison& comparison,
                               ComparedSurface surface, double isovalue, Job& job);

/// The value of a map at a point by trilinear interpolation; NaN beyond the grid, or where `periodic` (the grid is one
/// period) that of the point's image.
double map_value(const Grid& grid, std::span<const float> values, bool periodic, glm::dvec3 point);

}  // namespace isolume
