// Lines of a field: which way -grad of a scalar points, followed from place to place.
#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "molecule/grid.h"

namespace isolume {

/// A scalar and its gradient between the points of a grid: cubic convolution along each step vector (R. G. Keys, IEEE
/// Trans. Acoust., Speech, Signal Process. 29 (1981) 1153), so that the gradient is continuous and that of the value
/// itself. Outside the faces the values go on as a straight line.
class FieldSampler {
 public:
  /// `values` has grid.size() values, x fastest, and outlives the sampler. Throws Error (usage) where the sizes differ
  /// or the grid has fewer than two points along an axis.
  FieldSampler(const Grid& grid, std::span<const float> values);

  struct Sample {
    double value = 0;
    glm::dvec3 gradient{0};  ///< per angstrom
  };
  /// False outside the grid; `sample` stays as it is.
  bool at(glm::dvec3 point, Sample& sample) const;
  const Grid& grid() const { return grid_; }
  std::span<const float> values() const { return values_; }

 private:
  Grid grid_;
  std::span<const float> values_;
  glm::dmat3 to_grid_;
};

/// One line, in the direction of -grad: from high values to low ones.
struct FieldLine {
  std::vector<glm::vec3> points;  ///< angstrom, at least two
  std::vector<float> values;      ///< of the scalar at the points
};

struct FieldLineOptions {
  std::size_t lines = 150;  ///< at most; fewer where the seeds meet lines of others
  double step = 0.5;        ///< of the grid's shortest step
  double longest = 0;       ///< angstrom; 0: three times the grid's diagonal
  Span<const float> there;  ///< the sampler's values on a CUDA device: lines are followed on it; empty: on the CPU
};

/// The lines of -grad that leave or reach the surface of spheres (xyz centre, w radius; angstrom): as dense on it as
/// the field is strong through it, each line once. Lines begin on the surface where the field comes out of it, and on
/// the border of the grid where they end on the surface; they end where they meet the surface again, at the border, or
/// where the field vanishes (compute/field_lines/line_tracing.h).
std::vector<FieldLine> field_lines_of_spheres(const FieldSampler& field, std::span<const glm::vec4> spheres,
                                              const FieldLineOptions& options, Job& job);

/// The lines through places, of which `options.lines` are chosen: as dense as `field` is strong there. Both ways to
/// the border, or to where the field vanishes.
std::vector<FieldLine> field_lines_through(const FieldSampler& field, std::span<const glm::vec3> places,
                                           const FieldLineOptions& options, Job& job);

/// count x count places evenly on a square about `centre`, its plane across `normal`; angstrom. Throws Error (usage)
/// for a normal of length 0 and for no places.
std::vector<glm::vec3> places_on_plane(glm::dvec3 centre, glm::dvec3 normal, double half_width, int count);

/// `count` places evenly on a sphere.
std::vector<glm::vec3> places_around(glm::dvec3 centre, double radius, std::size_t count);

/// Which of the places are taken, at most `count`: as dense as the weights are large, and apart from each other (the
/// next one is where the squared distance to those taken, times the weight, is largest). Weights of 0 are not taken.
std::vector<std::size_t> spread_places(std::span<const glm::vec3> places, std::span<const float> weights,
                                       std::size_t count, Job& job);

}  // namespace isolume
