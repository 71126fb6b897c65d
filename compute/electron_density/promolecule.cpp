// The promolecule on grids and at points: which atoms reach a batch, and the fields that follow.
#include "compute/electron_density/promolecule.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "compute/base/checks.h"
#include "compute/base/parallel_for.h"
#include "compute/base/tiles.h"
#include "compute/electron_density/atomic_density.h"
#include "compute/electron_density/promolecule_bodies_cuda.h"
#include "compute/electron_density/promolecule_body.h"
#include "compute/electron_density/promolecule_map.h"
#include "compute/electron_density/promolecule_math.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr double least_atom = 1e-8;   // bohr^-3
constexpr double least_term = 1e-10;  // bohr^-3
constexpr double nothing = 1e-20;     // bohr^-3: left out of the reference too
static_assert(PromoleculeTilePoints::most <= promolecule_points);

PromoleculeKind kind_of(int element) {
  const AtomicDensity& atom = AtomicDensity::of(element);
  PromoleculeKind kind;
  kind.element = element;
  kind.reach = atom.reach(least_atom);
  kind.end = atom.reach(nothing);
  for (const AtomicTerm& term : atom.terms()) {
    PromoleculeKind::Term to{static_cast<float>(term.power), static_cast<float>(term.exponent),
                             static_cast<float>(term.factor), 0};
    // Beyond the maximum the term falls.
    double lower = term.power / term.exponent, upper = lower + 100 / term.exponent + 64;
    const auto value = [&](double r) { return term.factor * std::pow(r, term.power) * std::exp(-term.exponent * r); };
    for (int i = 0; i < 40; ++i) {
      const double middle = 0.5 * (lower + upper);
      (value(middle) > least_term ? lower : upper) = middle;
    }
    to.reach = static_cast<float>(upper);
    kind.terms.push_back(to);
  }
  std::ranges::sort(kind.terms, std::greater(), &PromoleculeKind::Term::reach);
  return kind;
}

PromoleculePoint point_of(const PromoleculeTile& tile, int n) {
  PromoleculePoint point;
  point.density.density = double{tile.density[n]};
  for (int axis = 0; axis < 3; ++axis) point.density.gradient[axis] = double{tile.gradient[axis][n]};
  for (std::size_t k = 0; k < 6; ++k) point.density.hessian[k] = double{tile.hessian[k][n]};
  if (!tile.wants_lengths) return point;
  const glm::dvec3 gradient = point.density.gradient;
  const glm::dvec3 lengths(tile.lengths[0][n], tile.lengths[1][n], tile.lengths[2][n]);
  const glm::dvec3 first(tile.first[0][n], tile.first[1][n], tile.first[2][n]);
  const double whole = glm::length(gradient);
  point.delta_g = glm::length(lengths) - whole;
  point.delta_g_inter = glm::length(glm::abs(first) + glm::abs(gradient - first)) - whole;
  return point;
}

void place(PromoleculeTile& tile, std::span<const glm::dvec3> points) {
  glm::dvec3 lower = points[0], upper = points[0];
  for (const glm::dvec3& point : points) {
    lower = glm::min(lower, point);
    upper = glm::max(upper, point);
  }
  tile.centre = 0.5 * (lower + upper);
  for (int axis = 0; axis < 3; ++axis) tile.half[axis] = static_cast<float>(0.5 * (upper - lower)[axis]);
  for (std::size_t n = 0; n < promolecule_points; ++n) {
    const glm::dvec3 relative = points[std::min(n, points.size() - 1)] - tile.centre;
    for (int axis = 0; axis < 3; ++axis) tile.points[axis][n] = static_cast<float>(relative[axis]);
  }
}

/// The tiles that each atom may reach.
std::vector<TileRange> ranges_of(const Promolecule::Atoms& atoms, const Grid& grid, const Tiling& tiling) {
  const TileReach reach(grid, tiling);
  std::vector<TileRange> ranges;
  for (std::size_t i = 0; i < atoms.positions.size(); ++i) {
    const double radius = atoms.of_kind[atoms.kinds[i]].reach;
    ranges.push_back(reach.may_reach(atoms.positions[i], radius) ? reach.tiles(atoms.positions[i], radius)
                                                                 : TileRange());
  }
  return ranges;
}

PointDensity point_density(const PromoleculePoint& of) {
  PointDensity to;
  to.density = of.density.density;
  for (int axis = 0; axis < 3; ++axis) to.gradient[axis] = of.density.gradient[axis];
  std::ranges::copy(of.density.hessian, to.hessian);
  to.tau = of.density.tau;
  return to;
}

}  // namespace

const std::vector<PromoleculeFieldInfo>& promolecule_fields() {
  using F = PromoleculeField;
  static const std::vector<PromoleculeFieldInfo> all{
      {F::electron, "electron", "promolecular density", "bohr^-3"},
      {F::gradient, "gradient", "gradient of the promolecular density", "bohr^-4"},
      {F::laplacian, "laplacian", "Laplacian of the promolecular density", "bohr^-5"},
      {F::lambda2, "lambda2", "middle eigenvalue of the promolecular Hessian", "bohr^-5"},
      {F::rdg, "rdg", "promolecular reduced density gradient", "1"},
      {F::sign_lambda2, "sign-lambda2", "promolecular sign(lambda2) rho", "bohr^-3"},
      {F::delta_g, "delta-g", "delta-g of all atoms", "bohr^-4"},
      {F::delta_g_inter, "delta-g-inter", "delta-g between two selections", "bohr^-4"},
  };
  return all;
}

const PromoleculeFieldInfo* find_promolecule_field(const std::string& name) {
  for (const PromoleculeFieldInfo& info : promolecule_fields()) {
    if (name == info.name) return &info;
  }
  return nullptr;
}

double field_value(PromoleculeField field, const PromoleculePoint& point) {
  return promolecule_math::field_value(field, point_density(point), point.delta_g, point.delta_g_inter);
}

double map_value(PromoleculeField field, const PromoleculePoint& point) {
  return promolecule_math::map_value(field, point_density(point), point.delta_g, point.delta_g_inter);
}

void PromoleculeMaps::check(const Grid& grid, const char* what) const {
  check_grid(grid, what);
  check_values(grid, first_values, what);
  if (second_values.data) check_values(grid, second_values, what);
  check_same_device(first_values, second_values, what);
}

Promolecule::Promolecule(std::span<const glm::dvec3> positions, std::span<const int> elements,
                         std::span<const std::uint8_t> parts)
    : atoms_(std::make_unique<Atoms>()) {
  if (elements.size() != positions.size() || (!parts.empty() && parts.size() != positions.size()))
    throw Error("promolecule: an element and a part for each atom are needed", Error::Kind::usage);
  atoms_->positions.assign(positions.begin(), positions.end());
  atoms_->parts.assign(parts.begin(), parts.end());
  std::map<int, std::uint32_t> known;
  for (const int element : elements) {
    const auto [found, is_new] = known.try_emplace(element, static_cast<std::uint32_t>(atoms_->of_kind.size()));
    if (is_new) atoms_->of_kind.push_back(kind_of(element));
    atoms_->kinds.push_back(found->second);
  }
}

Promolecule::~Promolecule() = default;

std::vector<PromoleculePoint> Promolecule::at(std::span<const glm::dvec3> points, Job& job, Device device) const {
  job.check();
  if (device.is_cuda()) return promolecule_at_points_cuda(*atoms_, points, device, job);
  std::vector<PromoleculePoint> values(points.size());
  parallel_for((points.size() + batch - 1) / batch, job, "promolecule at points", [&](std::size_t b) {
    thread_local std::unique_ptr<PromoleculeTile> tile;
    if (!tile) tile = std::make_unique<PromoleculeTile>();
    const std::size_t first = b * batch, count = std::min(batch, points.size() - first);
    place(*tile, points.subspan(first, count));
    tile->wants_lengths = true;
    tile->atoms.resize(atoms_->positions.size());
    for (std::uint32_t i = 0; i < tile->atoms.size(); ++i) tile->atoms[i] = i;
    sum_promolecule(*atoms_, *tile);
    for (std::size_t n = 0; n < count; ++n) values[first + n] = point_of(*tile, static_cast<int>(n));
  });
  return values;
}

void Promolecule::fill(const PromoleculeMaps& maps, const Grid& grid, Job& job) const {
  maps.check(grid, "promolecule");
  job.check();
  if (grid.size() == 0) return;
  if (!(std::abs(glm::determinant(grid.step)) > 0)) throw Error("promolecule: the grid is flat", Error::Kind::usage);
  if (maps.first_values.device.is_cuda()) return promolecule_on_grid_cuda(*atoms_, maps, grid, job);
  const Tiling tiling{grid.counts, glm::ivec3(promolecule_tile)};
  TileLists lists;
  tile_lists(tiling, ranges_of(*atoms_, grid, tiling), job, lists);
  parallel_for(tiling.size(), job, "promolecule", [&](std::size_t t) {
    thread_local std::unique_ptr<PromoleculeTile> tile;
    if (!tile) tile = std::make_unique<PromoleculeTile>();
    const glm::ivec3 begin = promolecule_tile * tiling.tile(t), end = glm::min(begin + promolecule_tile, grid.counts);
    const PromoleculeTilePoints at(grid, begin, end);
    place(*tile, {at.points.data(), at.count});
    tile->wants_lengths = maps.wants_lengths();
    const auto near = lists.of(t);
    tile->atoms.assign(near.begin(), near.end());
    sum_promolecule(*atoms_, *tile);
    for (std::size_t n = 0; n < at.count; ++n) maps.store(at.places[n], point_of(*tile, static_cast<int>(n)));
  });
}

void Promolecule::on_grid(PromoleculeField field, const Grid& grid, Span<float> values, Job& job) const {
  fill({field, values, {}, {}}, grid, job);
}

void Promolecule::on_grid(PromoleculeField first, PromoleculeField second, const Grid& grid, Span<float> first_values,
                          Span<float> second_values, Job& job) const {
  check_values(grid, second_values, "promolecule");
  fill({first, first_values, second, second_values}, grid, job);
}

PromoleculePoint Promolecule::reference(glm::dvec3 at) const {
  PromoleculePoint point;
  glm::dvec3 lengths(0), first(0), second(0);
  for (std::size_t i = 0; i < atoms_->positions.size(); ++i) {
    const glm::dvec3 d = at - atoms_->positions[i];
    const double r = std::max(glm::length(d), 1e-4);
    if (r > atoms_->of_kind[atoms_->kinds[i]].end) continue;
    double rho = 0, slope = 0, curve = 0;
    for (const AtomicTerm& term : AtomicDensity::of(atoms_->of_kind[atoms_->kinds[i]].element).terms()) {
      const double value = term.factor * std::pow(r, term.power) * std::exp(-term.exponent * r);
      const double along = term.power / r - term.exponent;
      rho += value;
      slope += along * value;
      curve += (along * along - term.power / (r * r)) * value;
    }
    const glm::dvec3 gradient = slope / r * d;
    const double a = (curve - slope / r) / (r * r), u = slope / r;
    point.density.density += rho;
    point.density.gradient += gradient;
    const double hessian[6] = {a * d.x * d.x + u, a * d.x * d.y, a * d.x * d.z,
                               a * d.y * d.y + u, a * d.y * d.z, a * d.z * d.z + u};
    for (std::size_t k = 0; k < 6; ++k) point.density.hessian[k] += hessian[k];
    lengths += glm::abs(gradient);
    (!atoms_->parts.empty() && atoms_->parts[i] == 1 ? first : second) += gradient;
  }
  const double whole = glm::length(point.density.gradient);
  point.delta_g = glm::length(lengths) - whole;
  point.delta_g_inter = glm::length(glm::abs(first) + glm::abs(second)) - whole;
  return point;
}

}  // namespace isolume
