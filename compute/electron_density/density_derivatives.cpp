// The density's derivatives at points: which shells reach a batch, and the two spins.
#include "compute/electron_density/density_derivatives.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compute/base/parallel_for.h"
#include "compute/electron_density/density_bodies_cuda.h"
#include "compute/electron_density/density_derivatives_body.h"
#include "compute/orbitals/electron_density.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr double left_out = 1e-13;  // of a function of norm 1 (bohr^-3/2)

/// Fills the batch's points, and lists the shells that reach their box.
void place(const DensityFunctions& all, std::span<const glm::dvec3> points, DerivativeTile& tile) {
  glm::dvec3 lower = points[0], upper = points[0];
  for (std::size_t n = 0; n < static_cast<std::size_t>(derivative_points); ++n) {
    const glm::dvec3 point = points[std::min(n, points.size() - 1)];
    lower = glm::min(lower, point);
    upper = glm::max(upper, point);
    for (int axis = 0; axis < 3; ++axis) tile.points[axis][n] = point[axis];
  }
  tile.used = static_cast<int>((points.size() + derivative_block - 1) / derivative_block);
  tile.shells.clear();
  for (std::uint32_t s = 0; s < all.shells.size(); ++s) {
    const DensityShell& shell = all.shells[s];
    const glm::dvec3 away = glm::max(glm::max(lower - shell.centre, shell.centre - upper), glm::dvec3(0));
    if (shell.cutoff > 0 && glm::dot(away, away) <= shell.cutoff * shell.cutoff) tile.shells.push_back(s);
  }
}

void check_batch(std::size_t points, std::size_t values) {
  if (points > DensityEvaluator::batch || values != points)
    throw Error("density: a batch has at most 64 points, and a value for each", Error::Kind::usage);
}

DerivativeTile* tile_of_thread() {
  thread_local std::unique_ptr<DerivativeTile> tile;
  if (!tile) tile = std::make_unique<DerivativeTile>();
  return tile.get();
}

/// Of a closed shell the spins are halves.
void halve(std::span<DensityDerivatives> alpha, std::span<DensityDerivatives> beta) {
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    DensityDerivatives& half = alpha[i];
    half.density *= 0.5;
    half.gradient *= 0.5;
    for (double& value : half.hessian) value *= 0.5;
    half.tau *= 0.5;
    beta[i] = half;
  }
}

}  // namespace

DensityDerivatives& DensityDerivatives::operator+=(const DensityDerivatives& other) {
  density += other.density;
  gradient += other.gradient;
  for (std::size_t i = 0; i < hessian.size(); ++i) hessian[i] += other.hessian[i];
  tau += other.tau;
  return *this;
}

DensityEvaluator::DensityEvaluator(const Orbitals& orbitals, std::span<const double> weights) {
  if (weights.size() != orbitals.count()) {
    throw Error(fmt::format("density: {} weights for {} orbitals", weights.size(), orbitals.count()),
                Error::Kind::usage);
  }
  functions_ = std::make_unique<DensityFunctions>(density_functions(orbitals, weights));
  functions_->cut_below(left_out);
}

DensityEvaluator::~DensityEvaluator() = default;
DensityEvaluator::DensityEvaluator(DensityEvaluator&&) noexcept = default;

void DensityEvaluator::evaluate(std::span<const glm::dvec3> points, DensityOrder order,
                                std::span<DensityDerivatives> values) const {
  check_batch(points.size(), values.size());
  if (points.empty()) return;
  DerivativeTile* const tile = tile_of_thread();
  place(*functions_, points, *tile);
  sum_derivatives(*functions_, order, *tile);
  for (std::size_t n = 0; n < points.size(); ++n) {
    DensityDerivatives& value = values[n];
    value = {};
    value.density = tile->density[n];
    if (order == DensityOrder::value) continue;
    for (int axis = 0; axis < 3; ++axis) value.gradient[axis] = tile->gradient[axis][n];
    value.tau = tile->tau[n];
    if (order == DensityOrder::gradient) continue;
    for (std::size_t i = 0; i < 6; ++i) value.hessian[i] = tile->hessian[i][n];
  }
}

void DensityEvaluator::mixed(std::span<const glm::dvec3> points, std::span<MixedDensity> values) const {
  check_batch(points.size(), values.size());
  if (points.empty()) return;
  DerivativeTile* const tile = tile_of_thread();
  place(*functions_, points, *tile);
  sum_mixed(*functions_, *tile);
  for (std::size_t n = 0; n < points.size(); ++n) {
    for (std::size_t k = 0; k < values[n].size(); ++k) values[n][k] = tile->mixed[k][n];
  }
}

std::vector<DensityDerivatives> DensityEvaluator::at(std::span<const glm::dvec3> points, DensityOrder order, Job& job,
                                                     Device device) const {
  if (device.is_cuda()) {
    const DensityFunctions* const sets[] = {functions_.get()};
    return std::move(derivatives_at_points_cuda(sets, points, order, device, job)[0]);
  }
  std::vector<DensityDerivatives> values(points.size());
  parallel_for((points.size() + batch - 1) / batch, job, "density at points", [&](std::size_t i) {
    const std::size_t first = i * batch, count = std::min(batch, points.size() - first);
    evaluate(points.subspan(first, count), order, std::span(values).subspan(first, count));
  });
  return values;
}

std::size_t DensityEvaluator::memory() const {
  const std::size_t batch_bytes =
      (5 * functions_->functions + 5 * functions_->orbitals + 3 * functions_->shells.size()) * batch * sizeof(double);
  return (functions_->coefficients.size() + functions_->exponents.size() * 2) * sizeof(double) + batch_bytes;
}

SpinEvaluator::SpinEvaluator(const Orbitals& orbitals, bool unpaired) {
  const std::vector<double> total = density_weights(orbitals, DensityKind::electron);
  std::vector<double> spin(total.size(), 0.0);
  if (unpaired) spin = density_weights(orbitals, DensityKind::spin);
  const bool closed = std::all_of(spin.begin(), spin.end(), [](double s) { return std::abs(s) < 1e-12; });
  if (closed) {
    evaluators_.emplace_back(orbitals, total);
    return;
  }
  for (const double sign : {1.0, -1.0}) {
    std::vector<double> weights(total.size());
    for (std::size_t i = 0; i < total.size(); ++i) weights[i] = 0.5 * (total[i] + sign * spin[i]);
    evaluators_.emplace_back(orbitals, weights);
  }
}

void SpinEvaluator::evaluate(std::span<const glm::dvec3> points, DensityOrder order,
                             std::span<DensityDerivatives> alpha, std::span<DensityDerivatives> beta) const {
  evaluators_[0].evaluate(points, order, alpha);
  if (!closed()) return evaluators_[1].evaluate(points, order, beta);
  halve(alpha, beta);
}

void SpinEvaluator::at(std::span<const glm::dvec3> points, DensityOrder order, std::span<DensityDerivatives> alpha,
                       std::span<DensityDerivatives> beta, Job& job, Device device) const {
  std::ranges::copy(evaluators_[0].at(points, order, job, device), alpha.begin());
  if (closed()) return halve(alpha, beta);
  std::ranges::copy(evaluators_[1].at(points, order, job, device), beta.begin());
}

void SpinEvaluator::reference(std::span<const glm::dvec3> points, std::span<DensityDerivatives> alpha,
                              std::span<DensityDerivatives> beta) const {
  std::ranges::copy(evaluators_[0].reference(points), alpha.begin());
  if (closed()) return halve(alpha, beta);
  std::ranges::copy(evaluators_[1].reference(points), beta.begin());
}

std::vector<const DensityFunctions*> SpinEvaluator::functions() const {
  std::vector<const DensityFunctions*> sets;
  for (const DensityEvaluator& evaluator : evaluators_) sets.push_back(&evaluator.functions());
  return sets;
}

std::size_t SpinEvaluator::memory() const {
  std::size_t bytes = 0;
  for (const DensityEvaluator& evaluator : evaluators_) bytes += evaluator.memory();
  return bytes;
}

}  // namespace isolume
