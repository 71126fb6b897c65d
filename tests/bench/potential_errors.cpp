// Tables of multilevel summation's error: over the lattice's spacing, over all parameters, over the size of the box.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>

#include "compute/base/device_array.h"
#include "compute/electrostatics/direct/exact_sum.h"
#include "compute/electrostatics/error/error_estimate.h"
#include "compute/electrostatics/msm/msm.h"
#include "compute/electrostatics/msm/msm_errors.h"
#include "compute/electrostatics/msm/msm_plan.h"
#include "tests/bench/kept_rows.h"
#include "tests/bench/potential_systems.h"

namespace isolume::bench {

namespace {

const char* name_of(MsmBasisKind basis) {
  return basis == MsmBasisKind::nodal ? "nodal" : "bspline";
}

/// The relative errors of maps of one grid: the exact values, at the same points each time, are summed once.
class Errors {
 public:
  Errors(const std::vector<PointCharge>& charges, const Grid& grid, Device device)
      : charges_(charges), grid_(grid), device_(device) {}

  double of(const MsmOptions& options) {
    DeviceArray<float> out(grid_.size(), device_);
    Job job;
    msm_potential(charges_, grid_, options, out.span(), job);
    const auto exact = [&](std::span<const glm::dvec3> at, std::span<double> potential) {
      std::vector<double> key;
      for (const glm::dvec3& p : at) key.insert(key.end(), {p.x, p.y, p.z});
      {
        const std::lock_guard lock(mutex_);
        if (const auto found = known_.find(key); found != known_.end()) {
          std::copy(found->second.begin(), found->second.end(), potential.begin());
          return;
        }
      }
      exact_potential(charges_, at, potential, device_, job);
      const std::lock_guard lock(mutex_);
      known_.emplace(std::move(key), std::vector<double>(potential.begin(), potential.end()));
    };
    return potential_error(charges_, grid_, out.span(), exact, 2000, 1, job).relative;
  }

 private:
  const std::vector<PointCharge>& charges_;
  const Grid& grid_;
  Device device_;
  std::mutex mutex_;
  std::map<std::vector<double>, std::vector<double>> known_;  // by the points' coordinates
};

}  // namespace

void potential_slopes(const Settings& s, const std::string& keep, double seconds) {
  const auto charges = water(30);
  const Grid grid{glm::dvec3(7.1), glm::dmat3(0.5), {31, 31, 9}};
  Errors errors(charges, grid, s.device);
  KeptRows rows(keep, "basis,p,taylor,a,h,relative_error", seconds);
  for (const MsmBasisKind basis : {MsmBasisKind::nodal, MsmBasisKind::bspline}) {
    for (const auto& [p, taylor] : {std::pair{3, 2}, {3, 3}, {5, 3}, {5, 4}, {7, 4}}) {
      for (const double a : {4.0, 6.0, 8.0}) {
        for (const double ratio : {2.0, 2.83, 4.0, 5.66, 8.0, 11.3, 16.0}) {
          MsmOptions options;
          options.cutoff = a;
          options.spacing = a / ratio;
          options.degree = p;
          options.smoothing = taylor;
          options.levels = 1;
          options.basis = basis;
          const std::string key = fmt::format("{},{},{},{},{:.4f}", name_of(basis), p, taylor, a, options.spacing);
          if (rows.wants(key)) rows.add(key, fmt::format("{:.4e}", errors.of(options)));
        }
      }
    }
  }
  rows.finish();
}

void potential_allowance(const Settings& s, double atoms, std::uint32_t seed, const std::string& basis,
                         const std::string& keep, double seconds) {
  const double side = std::cbrt(atoms / 0.1023);
  const auto charges = water(side, seed);
  const Grid grid{glm::dvec3(-4), glm::dmat3(1.0), glm::ivec3(static_cast<int>(side) + 9)};
  Errors errors(charges, grid, s.device);
  KeptRows rows(keep, "atoms,seed,basis,p,taylor,a,ratio,levels,table,measured,measured/table", seconds);
  for (const MsmChoice choice : msm_choices()) {
    if (!basis.empty() && basis != name_of(choice.basis)) continue;
    for (const double accuracy : {1e-2, 2.5e-3, 5e-4, 1e-4, 5e-5, 2.5e-5, 1.2e-5}) {
      for (const double a : {3.0, 3.5, 4.0, 5.5, 8.0, 10.0, 12.0}) {
        const auto found = msm_least_ratio(accuracy, [&](double r) { return msm_table_error(choice, a, r); });
        if (!found || *found == 2) continue;
        const double ratio = *found;
        MsmOptions options;
        options.cutoff = a;
        options.spacing = a / ratio;
        options.degree = choice.degree;
        options.smoothing = choice.smoothing;
        options.basis = choice.basis;
        const std::string key = fmt::format("{},{},{},{},{},{},{:.3f}", charges.size(), seed, name_of(choice.basis),
                                            choice.degree, choice.smoothing, a, ratio);
        if (!rows.wants(key)) continue;
        const std::size_t levels = MsmPlan(charges, grid, options, s.device).levels.size();
        const double measured = errors.of(options);
        const double table = msm_table_error(choice, a, ratio);
        rows.add(key, fmt::format("{},{:.3e},{:.3e},{:.3f}", levels, table, measured, measured / table));
      }
    }
  }
  rows.finish();
}

void potential_errors(const Settings& s) {
  constexpr double ratios[] = {2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 8};
  std::vector<std::vector<PointCharge>> boxes;
  std::vector<Grid> grids;
  for (const auto& [side, seed] : {std::pair{38.0, 1u}, {44.0, 2u}, {49.0, 3u}}) {
    boxes.push_back(water(side, seed));
    grids.push_back({glm::dvec3(0), glm::dmat3(0.5), glm::ivec3(static_cast<int>(2 * side) + 1)});
  }
  std::vector<std::unique_ptr<Errors>> errors;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    errors.push_back(std::make_unique<Errors>(boxes[i], grids[i], s.device));
  for (const MsmBasisKind basis : {MsmBasisKind::nodal, MsmBasisKind::bspline}) {
    for (const auto& [p, taylor] : {std::pair{3, 2}, {3, 3}, {5, 3}, {5, 4}, {7, 3}, {7, 4}}) {
      fmt::print("{} p = {}, Taylor {}, a/h =", name_of(basis), p, taylor);
      for (const double ratio : ratios) fmt::print(" {}", ratio);
      fmt::print("\n");
      for (const double a : {3.0, 4.0, 5.0, 6.0, 8.0, 12.0}) {
        fmt::print("  a = {:2}:", a);
        for (const double ratio : ratios) {
          MsmOptions options;
          options.cutoff = a;
          options.spacing = a / ratio;
          options.degree = p;
          options.smoothing = taylor;
          options.basis = basis;
          double squares = 0;
          for (std::size_t i = 0; i < boxes.size(); ++i) {
            const double error = errors[i]->of(options);
            squares += error * error / static_cast<double>(boxes.size());
          }
          fmt::print(" {:.2e}", std::sqrt(squares));
        }
        fmt::print("\n");
        std::fflush(stdout);
      }
    }
  }
}

}  // namespace isolume::bench
