// Densities from their formula, and the errors of maps against it.
#include "app/cli/quantum/density_formula.h"

#include <algorithm>
#include <optional>

#include "app/cli/compute/compute.h"
#include "compute/orbitals/orbital.h"

namespace isolume::cli {
namespace {

// The orbitals occupied by what counts with one sign in a density.
Orbitals weighted(const Orbitals& orbitals, DensityKind kind, double sign) {
  Orbitals result = orbitals;
  const std::vector<double> weights = density_weights(orbitals, kind);
  for (std::size_t i = 0; i < weights.size(); ++i) result.orbitals[i].occupation = std::max(0.0, sign * weights[i]);
  return result;
}

}  // namespace

DensityFormula::DensityFormula(const Orbitals& orbitals, DensityKind kind)
    : plus_(weighted(orbitals, kind, 1)), minus_(weighted(orbitals, kind, -1)), spin_(kind == DensityKind::spin) {}

void DensityFormula::operator()(std::span<const glm::dvec3> points, std::span<double> values) const {
  electron_density_reference(plus_, points, values);
  if (!spin_) return;
  std::vector<double> beta(points.size());
  electron_density_reference(minus_, points, beta);
  for (std::size_t i = 0; i < beta.size(); ++i) values[i] -= beta[i];
}

nlohmann::ordered_json error_by_formula(const DensityFormula& density, const std::optional<DensityFormula>& minus,
                                        const Volume& volume, const Frame& frame) {
  const auto chosen = sample_points(volume.grid, frame.positions, 500);
  std::vector<glm::dvec3> points;
  for (const std::size_t i : chosen) points.push_back(point_of(volume.grid, i));
  std::vector<double> exact(points.size());
  density(points, exact);
  if (minus) {
    std::vector<double> other(points.size());
    (*minus)(points, other);
    for (std::size_t i = 0; i < other.size(); ++i) exact[i] -= other[i];
  }
  return sampled_error(volume.grid, volume.values, chosen, exact, "double precision at sampled points");
}

}  // namespace isolume::cli
