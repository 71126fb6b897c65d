// Methods of the potential in space: a surface painted by each of them and by their differences, side by side.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/fields/comparison/potential_comparison.h"
#include "render/view/scene_view.h"

namespace isolume {

/// Which surface is painted: of the atoms that are compared (their Gaussian density or the solvent-excluded one), or
/// where the potential has a value of either sign, each method's own.
enum class ComparedSurface : std::uint8_t { gaussian, solvent_excluded, isosurfaces };

/// What a tile shows.
struct ComparedTile {
  enum class Kind : std::uint8_t { side, difference, empty };
  Kind kind = Kind::side;
  std::size_t side = 0;  ///< of the comparison
};

/// Tiles of a comparison of `sides`, in rows of compared_columns(): of two both and their difference, of more the
/// sides, and under each its difference to the reference, under the reference nothing.
std::vector<ComparedTile> compared_tiles(std::size_t sides, std::size_t reference);
int compared_columns(std::size_t sides);

struct ComparisonView {
  /// The tiles of compared_tiles(), seen by one camera. Differences of isosurfaces are on the reference's.
  std::shared_ptr<const SceneView> view;
  double range = 0;             ///< volts at the full colours of all sides
  double difference_range = 0;  ///< and of all differences
  std::size_t vertices = 0;     ///< of the painted surface, or of the reference's isosurfaces
  std::size_t beyond = 0;       ///< of those, grey: the maps do not reach there
};

/// @param request    that of the comparison: molecule, frame, device, and the field with the selection and the colours
/// @param isovalue   volts, above 0; for isosurfaces
/// Throws Error: where there is no surface (usage), memory, cancelled.
ComparisonView comparison_view(const FieldRequest& request, const PotentialComparison& comparison,
                               ComparedSurface surface, double isovalue, Job& job);

}  // namespace isolume
