// The independent gradient model of a wavefunction's density by Hirshfeld atoms (IGMH).
#include "compute/electron_density/gradient_model.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "compute/base/checks.h"
#include "compute/base/parallel_for.h"
#include "compute/base/tiles.h"
#include "compute/electron_density/atomic_density.h"
#include "compute/electron_density/promolecule_bodies_cuda.h"
#include "compute/electron_density/promolecule_map.h"
#include "compute/orbitals/electron_density.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr double least_atom = 1e-12;  // bohr^-3
static_assert(promolecule_tile * promolecule_tile * promolecule_tile <= static_cast<int>(DensityEvaluator::batch));

/// The density of a free atom and its gradient.
struct FreeDensity {
  double density = 0;
  glm::dvec3 gradient{0};
};

FreeDensity free_density(const AtomicDensity& atom, glm::dvec3 from_nucleus) {
  const double r = std::max(glm::length(from_nucleus), 1e-4);
  FreeDensity value;
  double slope = 0;
  for (const AtomicTerm& term : atom.terms()) {
    double power = 1;
    for (int n = 0; n < term.power; ++n) power *= r;
    const double part = term.factor * power * std::exp(-term.exponent * r);
    value.density += part;
    slope += (term.power / r - term.exponent) * part;
  }
  value.gradient = slope / r * from_nucleus;
  return value;
}

/// What a point has by the free atoms that reach it; `parts` of the same atoms.
void add_model(const DensityDerivatives& density, std::span<const FreeDensity> free,
               std::span<const std::uint8_t> parts, PromoleculePoint& point) {
  point.density = density;
  FreeDensity whole;
  for (const FreeDensity& atom : free) {
    whole.density += atom.density;
    whole.gradient += atom.gradient;
  }
  if (!(whole.density > 0)) return;
  glm::dvec3 lengths(0), all(0), first(0), second(0);
  for (std::size_t i = 0; i < free.size(); ++i) {
    if (parts[i] == 0) continue;
    const double weight = free[i].density / whole.density;
    const glm::dvec3 slope = (free[i].gradient - weight * whole.gradient) / whole.density;
    const glm::dvec3 gradient = weight * density.gradient + density.density * slope;
    lengths += glm::abs(gradient);
    all += gradient;
    (parts[i] == 1 ? first : second) += gradient;
  }
  const double sum = glm::length(all);
  point.delta_g = glm::length(lengths) - sum;
  point.delta_g_inter = glm::length(glm::abs(first) + glm::abs(second)) - sum;
}

}  // namespace

struct HirshfeldGradientModel::Atoms {
  DensityEvaluator evaluator;
  std::vector<glm::dvec3> positions;
  std::vector<const AtomicDensity*> free;
  std::vector<double> reach;  ///< bohr
  std::vector<std::uint8_t> parts;

  HirshfeldParts parts_of() const;
  /// At most a batch of points that are near each other.
  void evaluate(std::span<const glm::dvec3> points, DensityOrder order, std::span<PromoleculePoint> values) const {
    std::array<DensityDerivatives, DensityEvaluator::batch> densities;
    evaluator.evaluate(points, order, std::span(densities).first(points.size()));
    thread_local std::vector<FreeDensity> near;
    thread_local std::vector<std::uint8_t> near_parts;
    for (std::size_t n = 0; n < points.size(); ++n) {
      near.clear();
      near_parts.clear();
      for (std::size_t i = 0; i < positions.size(); ++i) {
        const glm::dvec3 d = points[n] - positions[i];
        if (glm::dot(d, d) > reach[i] * reach[i]) continue;
        near.push_back(free_density(*free[i], d));
        near_parts.push_back(parts[i]);
      }
      values[n] = {};
      add_model(densities[n], near, near_parts, values[n]);
    }
  }
};

HirshfeldGradientModel::HirshfeldGradientModel(const Orbitals& orbitals, std::span<const int> elements,
                                               std::span<const std::uint8_t> parts) {
  if (elements.size() != orbitals.centres.size() || parts.size() != elements.size())
    throw Error(fmt::format("gradient model: the orbitals have {} centres; an element and a part for each are needed",
                            orbitals.centres.size()),
                Error::Kind::usage);
  atoms_ = std::make_unique<Atoms>(Atoms{DensityEvaluator(orbitals, density_weights(orbitals, DensityKind::electron)),
                                         orbitals.centres,
                                         {},
                                         {},
                                         {parts.begin(), parts.end()}});
  for (const int element : elements) {
    atoms_->free.push_back(&AtomicDensity::of(element));
    atoms_->reach.push_back(atoms_->free.back()->reach(least_atom));
  }
}

HirshfeldGradientModel::~HirshfeldGradientModel() = default;

std::size_t HirshfeldGradientModel::memory() const {
  return atoms_->evaluator.memory();
}

std::size_t HirshfeldGradientModel::memory(Device device, const Grid& grid) const {
  if (!device.is_cuda()) return memory();
  return memory() + gradient_model_point_bytes * static_cast<std::size_t>(grid.counts.x) *
                        static_cast<std::size_t>(grid.counts.y) * static_cast<std::size_t>(gradient_model_planes(grid));
}

HirshfeldParts HirshfeldGradientModel::Atoms::parts_of() const {
  return {evaluator.functions(), positions, free, reach, parts};
}

std::vector<PromoleculePoint> HirshfeldGradientModel::at(std::span<const glm::dvec3> points, Job& job,
                                                         Device device) const {
  job.check();
  if (device.is_cuda()) return gradient_model_at_points_cuda(atoms_->parts_of(), points, device, job);
  constexpr std::size_t batch = DensityEvaluator::batch;
  std::vector<PromoleculePoint> values(points.size());
  parallel_for((points.size() + batch - 1) / batch, job, "gradient model at points", [&](std::size_t b) {
    const std::size_t first = b * batch, count = std::min(batch, points.size() - first);
    atoms_->evaluate(points.subspan(first, count), DensityOrder::hessian, std::span(values).subspan(first, count));
  });
  return values;
}

void HirshfeldGradientModel::fill(const PromoleculeMaps& maps, const Grid& grid, Job& job) const {
  maps.check(grid, "gradient model");
  job.check();
  if (grid.size() == 0) return;
  if (maps.first_values.device.is_cuda()) return gradient_model_on_grid_cuda(atoms_->parts_of(), maps, grid, job);
  // The second derivatives take most of the time, and are for the eigenvalues alone.
  const DensityOrder order = maps.wants_hessian() ? DensityOrder::hessian : DensityOrder::gradient;
  const Tiling tiling{grid.counts, glm::ivec3(promolecule_tile)};
  parallel_for(tiling.size(), job, "gradient model", [&](std::size_t t) {
    const glm::ivec3 begin = promolecule_tile * tiling.tile(t), end = glm::min(begin + promolecule_tile, grid.counts);
    const PromoleculeTilePoints at(grid, begin, end);
    std::array<PromoleculePoint, PromoleculeTilePoints::most> values;
    atoms_->evaluate({at.points.data(), at.count}, order, {values.data(), at.count});
    for (std::size_t n = 0; n < at.count; ++n) maps.store(at.places[n], values[n]);
  });
}

void HirshfeldGradientModel::on_grid(PromoleculeField field, const Grid& grid, Span<float> values, Job& job) const {
  fill({field, values, {}, {}}, grid, job);
}

void HirshfeldGradientModel::on_grid(PromoleculeField first, PromoleculeField second, const Grid& grid,
                                     Span<float> first_values, Span<float> second_values, Job& job) const {
  check_values(grid, second_values, "gradient model");
  fill({first, first_values, second, second_values}, grid, job);
}

PromoleculePoint HirshfeldGradientModel::reference(glm::dvec3 point) const {
  const DensityDerivatives density = atoms_->evaluator.reference(std::span(&point, 1)).front();
  std::vector<FreeDensity> free;
  for (std::size_t i = 0; i < atoms_->positions.size(); ++i)
    free.push_back(free_density(*atoms_->free[i], point - atoms_->positions[i]));
  PromoleculePoint value;
  add_model(density, free, atoms_->parts, value);
  return value;
}

}  // namespace isolume
