// What fields are made of, the grids, and the grid of each Gaussian by its width.
#include "compute/electron_density/fine_grids/pair_plan.h"

#include "molecule/base/units.h"

namespace isolume::pairs {
namespace {

constexpr std::size_t most_at_a_point = 1000;  // Gaussians of quotients, in the largest molecules too

}  // namespace

Needs needs_of(DensityMeasure measure) {
  using M = DensityMeasure;
  switch (measure) {
    case M::electron:
    case M::spin:
    case M::alpha:
    case M::beta:
      return {};
    case M::gradient:
      return {true, false, PairOutput::slopes, false};
    case M::tau:
    case M::tau_alpha:
    case M::tau_beta:
      return {false, true, PairOutput::value, false};
    case M::elf:
    case M::elf_alpha:
    case M::elf_beta:
    case M::elf_spin:
      return {true, true, PairOutput::slopes, true};
    case M::lol:
    case M::lol_spin:
      return {true, true, PairOutput::value, true};
    default:
      return {true, false, PairOutput::second, false};
  }
}

Level finest(const Grid& grid) {
  Level to;
  to.origin = units::angstrom_in_bohr * grid.origin;
  for (int axis = 0; axis < 3; ++axis) to.step[axis] = units::angstrom_in_bohr * grid.step[axis][axis];
  to.counts = to.used = grid.counts;
  return to;
}

Level coarser(const Level& fine) {
  Level to;
  to.step = 2.0 * fine.step;
  to.origin = fine.origin - double{before} * to.step;
  to.counts = (fine.used + side - 1) / side * cells + cells;
  to.used = (fine.used - 1) / 2 + mixed::taps;
  return to;
}

std::vector<Level> levels_of(const Grid& grid) {
  std::vector<Level> levels{finest(grid)};
  while (levels.size() < most_levels) levels.push_back(coarser(levels.back()));
  return levels;
}

Sum::Sum(const DensityFunctions& functions, PairQuantity quantity, PairOutput output, bool quotient,
         const Limits& limits, double step, Job& job)
    : output_(output) {
  const int derivatives = output == PairOutput::second ? 2 : output == PairOutput::slopes ? 1 : 0;
  all_ = pair_gaussians(functions, quantity, derivatives, limits.left_out, job);
  // Errors of n Gaussians at a point add as those of sqrt(n).
  std::size_t count = std::max<std::size_t>(1, all_.gaussians.size());
  if (quotient) count = std::min(count, most_at_a_point);
  const double within = limits.within / std::sqrt(static_cast<double>(count));
  for (std::uint32_t n = 0; n < all_.gaussians.size(); ++n) {
    const PairGaussian& of = all_.gaussians[n];
    const double factor = 4 * of.sharpness * std::pow(of.exponent, 0.5 * derivatives);
    const double power = 8 - 0.5 * derivatives;
    // factor (p H^2)^power <= within for the step H of the grid.
    const double widest = std::sqrt(std::pow(within / factor, 1 / power) / of.exponent);
    int level = 0;
    for (double next = 2 * step; level + 1 < most_levels && next <= widest; next *= 2) ++level;
    by_level_[static_cast<std::size_t>(level)].push_back(n);
  }
}

std::vector<Sum> sums_of(std::span<const DensityFunctions* const> sets, const Needs& needs, const Limits& limits,
                         double step, Job& job) {
  std::vector<Sum> sums;
  for (const DensityFunctions* functions : sets) {
    if (needs.density)
      sums.emplace_back(*functions, PairQuantity::density, needs.output, needs.quotient, limits, step, job);
    if (needs.tau)
      sums.emplace_back(*functions, PairQuantity::tau, PairOutput::value, needs.quotient, limits, step, job);
  }
  return sums;
}

}  // namespace isolume::pairs
