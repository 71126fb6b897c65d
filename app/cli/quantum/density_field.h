// What `isolume compute density` makes beyond the density itself: its derivatives, ELF and others, and its potential.
#pragma once

#include <string>
#include <vector>

#include "app/cli/compute/compute.h"
#include "compute/electron_density/density_measures.h"
#include "molecule/grid.h"

namespace isolume::cli {

/// A field of the density, as given.
struct DensityField {
  const GridOptions& options;
  std::string kind;  ///< a name of density_measures(), "potential" or "field"
  std::string unit;  ///< of the potential, empty for hartree/e
  std::vector<std::string> cores;
  double temperature = 298.15;  ///< kelvin, of kT/e
  std::string method = "auto";  ///< of the potential on a grid: "auto", "exact" or "mesh"
  double tolerance = 1e-4;      ///< relative root mean square error that a mesh may have
};

/// True for what run_density_field() makes.
bool is_density_field(const std::string& kind);
/// "potential, field, gradient, ..."
std::string density_field_names();

/// The error of a map against the formula in double precision at some of its points, spread and near the atoms. Values
/// above `most` are `most`.
nlohmann::ordered_json measure_error(const DensityMeasureInfo& info, const SpinEvaluator& evaluator,
                                     const Volume& volume, const std::vector<glm::vec3>& positions, double most = 1e30);

/// Computes the field of the orbitals at points or on `grid`, with its error in the report, and writes it. Throws
/// Error.
void run_density_field(Run& run, const DensityField& field, const Molecule& molecule, const Orbitals& orbitals,
                       const Grid& grid, std::size_t frame);

}  // namespace isolume::cli
