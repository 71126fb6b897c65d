// isolume compute density --average: the mean of a density of frames' orbitals, or of a field of it.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "app/cli/compute/compute.h"
#include "app/cli/over_time/average_options.h"
#include "compute/electron_density/density_measures.h"
#include "compute/orbitals/electron_density.h"

namespace isolume::cli {

struct DensityAverage {
  const GridOptions& grid;
  const AverageOptions& average;
  const DensityMeasureInfo* measure = nullptr;    ///< null: the density itself
  DensityKind kind = DensityKind::electron;       ///< of the density itself
  std::string name;                               ///< "electron density", "density of homo, lumo (alpha)", "ELF"
  double margin = 4;                              ///< angstrom of the grid around the atoms of the reference frame
  std::function<Orbitals(std::size_t)> orbitals;  ///< of a frame; those that count are occupied

  /// What larger values count as: reduced gradients have no bound.
  bool has_most() const { return measure && measure->measure == DensityMeasure::rdg; }
  double most() const { return has_most() ? 10 : 1e30; }
};

/// A grid with a margin (angstrom) around positions. A spacing of 0 is chosen for some 200 000 points. Throws Error
/// (usage) where there are no positions.
Grid density_grid(std::span<const glm::vec3> positions, double margin, double spacing);

/// Of a gradient its length. Reduced gradients above 10, which are those of empty space, count as 10.
/// The grid is around the atoms of the frame of --frame (0), so that parts of one average share it; grid and points
/// stay where they are in that frame. Orbitals are turned with their atoms. Throws Error, among others where a frame
/// has no orbitals of its own.
void average_density(Run& run, const DensityAverage& options, const Molecule& molecule);

}  // namespace isolume::cli
