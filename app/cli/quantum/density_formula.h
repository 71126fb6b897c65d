// A density at points, straight from its formula in double precision.
#pragma once

#include <glm/glm.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "compute/orbitals/electron_density.h"
#include "molecule/frame.h"
#include "molecule/grid.h"

namespace isolume::cli {

/// Evaluates the density at points in double precision, straight from the formula.
class DensityFormula {
 public:
  DensityFormula(const Orbitals& orbitals, DensityKind kind);

  void operator()(std::span<const glm::dvec3> points, std::span<double> values) const;

 private:
  Orbitals plus_, minus_;
  bool spin_;
};

/// The error of a map against the formula at some of its points, spread and near the atoms.
nlohmann::ordered_json error_by_formula(const DensityFormula& density, const std::optional<DensityFormula>& minus,
                                        const Volume& volume, const Frame& frame);

}  // namespace isolume::cli
