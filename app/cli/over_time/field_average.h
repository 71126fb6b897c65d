// The mean of a field over the frames of a molecule, whatever the field: its frames, its points and its outputs.
#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/over_time/averager.h"

namespace isolume::cli {

/// A field of which a mean is taken. Grid and points are those of the reference frame, on which the others are
/// superposed.
class FieldOfFrames {
 public:
  /// Superposes by `options.align`. Throws Error where the frames of the molecule differ in their atoms.
  FieldOfFrames(const Molecule& molecule, const AverageOptions& options, std::size_t reference);
  virtual ~FieldOfFrames() = default;

  /// Chooses the grid; `points` (null for a map): only these are wanted. What is planned for them is planned here.
  virtual Grid plan(const std::vector<glm::dvec3>* points) = 0;
  /// What the average is of: all but its points or grid, its frames and statistics.
  virtual AveragePart part() const = 0;
  /// Adds all frames that are left, in their order.
  virtual void on_grid(const Grid& grid, Averager& averager) = 0;
  virtual void at_points(const std::vector<glm::dvec3>& points, Averager& averager) = 0;

  const FrameAlignment& alignment() const { return alignment_; }
  const Molecule& molecule() const { return molecule_; }

 private:
  const Molecule& molecule_;
  FrameAlignment alignment_;
};

struct FieldAverage {
  const AverageOptions& options;
  std::string out;                                ///< a map, or lines mean,standard error; empty: see AverageOutputs
  std::optional<std::vector<glm::dvec3>> points;  ///< angstrom; none for a map
  std::string needs;                              ///< "--average takes several frames with ...": where there is one
};

/// Takes the mean and writes it. Throws Error, among others where there is one frame alone.
void average_field(Run& run, const FieldAverage& average, FieldOfFrames& field);

}  // namespace isolume::cli
