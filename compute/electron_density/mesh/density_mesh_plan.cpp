// How a density's potential is taken apart for a mesh: which Gaussians are sharp, where, and how fine the mesh is.
#include "compute/electron_density/mesh/density_mesh_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "compute/base/parallel_for.h"
#include "compute/electron_density/mesh/density_mesh_sites.h"
#include "compute/electron_density/mesh/density_mesh_spline.h"
#include "compute/electron_density/mesh/site_harmonics.h"
#include "compute/fft/fft_plan.h"
#include "compute/orbitals/orbital_terms.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr double of_a_site = 0.02;    // of the accuracy: what a source's expansion may leave out
constexpr double of_a_source = 1e-3;  // likewise: beyond the reach of a source on the mesh
constexpr double of_dropped = 1e-5;   // likewise: a source that is left out

double root_of_factorial(int n) {
  static const auto table = [] {
    std::array<double, 64> values{};
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sqrt(std::tgamma(static_cast<double>(i) + 1));
    return values;
  }();
  return table[static_cast<std::size_t>(n)];
}

constexpr int series_length = 8;

/// Of the m-th term of the series of a part of degree n: sqrt((n + m)! / n!) (2 n + 1) / (2 (n + m) + 1) / m!.
struct SeriesTerms {
  static constexpr int most = most_site_order + 2 + series_length;
  std::array<std::array<double, most>, 2 * max_degree + 1> of{};

  SeriesTerms() {
    for (int n = 0; n <= 2 * max_degree; ++n) {
      for (int m = 0; m < most; ++m) {
        of[static_cast<std::size_t>(n)][static_cast<std::size_t>(m)] =
            root_of_factorial(n + m) / root_of_factorial(n) * (2 * n + 1) / (2 * (n + m) + 1) / std::tgamma(m + 1);
      }
    }
  }
  static const SeriesTerms& get() {
    static const SeriesTerms terms;
    return terms;
  }
};

/// Bounds of a source's parts by their degree, as potentials in hartree/e: |H_n(x) exp(-x^2)| < 1.09 2^(n/2) sqrt(n!).
struct Bounds {
  std::array<double, 2 * max_degree + 1> of{};
  double total = 0;

  Bounds() = default;
  Bounds(const HermiteDensity& density, const HermiteSource& source, std::span<const int> degrees) {
    const double* c = density.coefficients.data() + source.first;
    for (int h = 0; h < hermite_count(source.order); ++h) {
      of[static_cast<std::size_t>(degrees[static_cast<std::size_t>(h)])] += std::abs(c[h]);
    }
    const double root = std::sqrt(2 * source.exponent);
    double power = 1;
    for (int n = 0; n <= source.order; ++n, power *= root) {
      of[static_cast<std::size_t>(n)] *= power * root_of_factorial(n) / (2 * n + 1);
      total += of[static_cast<std::size_t>(n)];
    }
  }

  /// What an expansion of order `order` leaves out after a shift of x / sqrt(2 exponent): the next terms of the series.
  double left_out(int source_order, int order, double x) const {
    static const SeriesTerms& terms = SeriesTerms::get();
    double sum = 0;
    for (int n = 0; n <= source_order; ++n) {
      const double size = of[static_cast<std::size_t>(n)];
      if (size == 0) continue;
      const int first = order - n + 1;
      const double* const term = terms.of[static_cast<std::size_t>(n)].data() + first;
      double power = 1;
      for (int m = 0; m < first; ++m) power *= x;
      double part = 0;
      for (int m = 0; m < series_length; ++m, power *= x) part += term[m] * power;
      sum += size * part;
    }
    return sum;
  }
};

/// Sites by the cubes that they are in or next to: there are fewer of them than there are questions.
class SiteCells {
 public:
  explicit SiteCells(double edge) : edge_(edge) {}
  void add(glm::dvec3 point, std::uint32_t site) {
    const glm::i64vec3 at = cell(point);
    for (int n = 0; n < 27; ++n) cells_[key(at + glm::i64vec3(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1))].push_back(site);
  }
  /// Sites that are within an edge of the point are among those.
  template <class Use>
  void near(glm::dvec3 point, const Use& use) const {
    const auto found = cells_.find(key(cell(point)));
    if (found == cells_.end()) return;
    for (const std::uint32_t site : found->second) use(site);
  }

 private:
  glm::i64vec3 cell(glm::dvec3 point) const { return glm::i64vec3(glm::floor(point / edge_)); }
  static std::uint64_t key(glm::i64vec3 at) {
    return (static_cast<std::uint64_t>(at.x + (1 << 20)) << 42) ^ (static_cast<std::uint64_t>(at.y + (1 << 20)) << 21) ^
           static_cast<std::uint64_t>(at.z + (1 << 20));
  }
  double edge_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells_;
};

class Planner {
 public:
  Planner(const HermiteDensity& density, std::span<const glm::dvec3> centres, std::span<const double> charges,
          const Grid& grid, double accuracy, Job& job)
      : density_(density), centres_(centres), charges_(charges), grid_(grid), accuracy_(accuracy) {
    for (const glm::ivec3 power : hermite_powers(2 * max_degree)) degrees_.push_back(power.x + power.y + power.z);
    // By size, in steps of an eighth of a factor of 2; what is too small is left out.
    constexpr int steps = 8 * 128;
    constexpr std::size_t batch = 2048;
    bounds_.resize(density.sources.size());
    std::vector<std::int16_t> step_of(bounds_.size());
    parallel_for((bounds_.size() + batch - 1) / batch, job, "potential of the density: plan", [&](std::size_t i) {
      for (std::size_t s = i * batch; s < std::min(bounds_.size(), (i + 1) * batch); ++s) {
        bounds_[s] = Bounds(density, density.sources[s], degrees_);
        const double above = bounds_[s].total / (of_dropped * accuracy);
        step_of[s] =
            static_cast<std::int16_t>(above >= 1 ? std::min(steps - 1, static_cast<int>(8 * std::log2(above))) : -1);
      }
    });
    std::vector<std::size_t> places(steps, 0);
    for (const int step : step_of) {
      if (step >= 0) ++places[static_cast<std::size_t>(steps - 1 - step)];
    }
    std::size_t kept = 0;
    for (std::size_t& place : places) kept += std::exchange(place, kept);
    by_size_.resize(kept);
    job.check();
    for (std::size_t s = 0; s < bounds_.size(); ++s) {
      if (const int step = step_of[s]; step >= 0)
        by_size_[places[static_cast<std::size_t>(steps - 1 - step)]++] = static_cast<std::uint32_t>(s);
    }
  }

  DensityMeshPlan plan(double exponent, Job& job) const {
    DensityMeshPlan plan;
    plan.exponent = exponent;
    plan.accuracy = accuracy_;
    sites(plan, job);
    smooth(plan);
    mesh(plan);
    return plan;
  }

 private:
  void sites(DensityMeshPlan& plan, Job& job) const {
    SiteCells cells(2.2 / std::sqrt(plan.exponent));
    std::vector<std::vector<std::uint32_t>> members;
    for (std::size_t a = 0; a < centres_.size(); ++a) {
      cells.add(centres_[a], static_cast<std::uint32_t>(plan.sites.size()));
      plan.sites.push_back({centres_[a], charges_[a], 0, 0, 0, 0});
    }
    members.resize(plan.sites.size());
    const double tolerance = of_a_site * accuracy_;
    std::size_t looked = 0;
    for (const std::uint32_t s : by_size_) {
      if (++looked % 4096 == 0) job.check();
      const HermiteSource& source = density_.sources[s];
      if (source.exponent <= plan.exponent) continue;
      int best = most_site_order + 1;
      std::uint32_t chosen = 0;
      double nearest = std::numeric_limits<double>::max();
      cells.near(source.centre, [&](std::uint32_t site) {
        const double distance = glm::distance(plan.sites[site].centre, source.centre);
        const double x = std::sqrt(2 * source.exponent) * distance;
        if (x > 3) return;
        // Orders that the site has anyway cost nothing.
        int order = std::max<int>(source.order, std::min(plan.sites[site].order, most_moved_order));
        const int limit = std::max<int>(source.order, most_moved_order);
        while (order <= limit && bounds_[s].left_out(source.order, order, x) > tolerance) ++order;
        if (order <= limit && (order < best || (order == best && distance < nearest))) {
          best = order;
          chosen = site;
          nearest = distance;
        }
      });
      if (best > most_site_order) {
        best = source.order;
        chosen = static_cast<std::uint32_t>(plan.sites.size());
        cells.add(source.centre, chosen);
        plan.sites.push_back({source.centre, 0, 0, 0, 0, 0});
        members.emplace_back();
      }
      MeshSite& site = plan.sites[chosen];
      site.order = std::max(site.order, best);
      site.sharpest = std::max(site.sharpest, source.exponent);
      members[chosen].push_back(s);
    }
    std::vector<MeshSite> kept;
    for (std::size_t i = 0; i < plan.sites.size(); ++i) {
      if (members[i].empty() && plan.sites[i].nucleus == 0) continue;
      MeshSite site = plan.sites[i];
      site.first = static_cast<std::uint32_t>(plan.members.size());
      site.count = static_cast<std::uint32_t>(members[i].size());
      std::sort(members[i].begin(), members[i].end(), [&](std::uint32_t a, std::uint32_t b) {
        return density_.sources[a].exponent < density_.sources[b].exponent;
      });
      plan.members.insert(plan.members.end(), members[i].begin(), members[i].end());
      kept.push_back(site);
    }
    plan.sites = std::move(kept);
  }

  void smooth(DensityMeshPlan& plan) const {
    for (const std::uint32_t s : by_size_) {
      const HermiteSource& source = density_.sources[s];
      if (source.exponent > plan.exponent) continue;
      MeshSource on_mesh;
      on_mesh.centre = source.centre;
      on_mesh.exponent = narrowed(source.exponent, plan.exponent);
      on_mesh.order = source.order;
      on_mesh.first = static_cast<std::uint32_t>(plan.coefficients.size());
      on_mesh.reach =
          mesh_reach(on_mesh.exponent, source.order, bounds_[s].total * std::sqrt(on_mesh.exponent / source.exponent),
                     of_a_source * accuracy_);
      const double factor = 0.5 * std::sqrt(units::pi / source.exponent);
      for (int h = 0; h < hermite_count(source.order); ++h) {
        plan.coefficients.push_back(
            static_cast<float>(factor * density_.coefficients[source.first + static_cast<std::size_t>(h)]));
      }
      plan.sources.push_back(on_mesh);
    }
  }

  /// From `least` on the first wave number beyond which no source has more than the accuracy: derivatives have more of
  /// short waves, by k^n.
  double longest_wave(double exponent, double least) const {
    double wave = least;
    for (const std::uint32_t s : by_size_) {
      const HermiteSource& source = density_.sources[s];
      const double p = std::min(source.exponent, exponent), scale = p / source.exponent;
      const auto beyond = [&](double k) {
        const double x = k / std::sqrt(2 * p);
        double sum = 0, power = std::sqrt(scale);
        for (int n = 0; n <= source.order; ++n, power *= x * std::sqrt(scale))
          sum += bounds_[s].of[static_cast<std::size_t>(n)] * (2 * n + 1) * power / root_of_factorial(n);
        return sum * std::exp(-0.5 * x * x);
      };
      while (beyond(wave) > accuracy_) wave *= 1.02;
    }
    return wave;
  }

  void mesh(DensityMeshPlan& plan) const {
    // Waves beyond pi / step are left out: what a Gaussian has there is exp(-pi^2 / (4 exponent step^2)) of the whole.
    const double left_out = std::clamp(0.02 * accuracy_, 1e-12, 1e-3);
    plan.step = units::pi / longest_wave(plan.exponent, 2 * std::sqrt(-std::log(left_out) * plan.exponent));
    glm::dvec3 lower(1e300), upper(-1e300);
    const auto cover = [&](glm::dvec3 point, double reach) {
      lower = glm::min(lower, point - reach);
      upper = glm::max(upper, point + reach);
    };
    for (const MeshSource& source : plan.sources) cover(source.centre, source.reach);
    for (const MeshSite& site : plan.sites)
      cover(site.centre, mesh_reach(kernel_exponent(plan.exponent), site.order, 1000, of_a_source * accuracy_));
    for (int corner = 0; corner < 8; ++corner) {
      const glm::dvec3 last = glm::dvec3(grid_.counts) - 1.0;
      const glm::dvec3 point = grid_.point(corner & 1 ? last.x : 0, corner & 2 ? last.y : 0, corner & 4 ? last.z : 0);
      cover(units::angstrom_in_bohr * point, spline_order * plan.step);
    }
    plan.origin = lower;
    plan.grid = grid_.counts;
    for (int axis = 0; axis < 3; ++axis) {
      // Beyond what any machine holds the count is of no use, and would not be a number.
      const double wanted = std::min((upper[axis] - lower[axis]) / plan.step, 1e6);
      plan.counts[axis] = std::max(8, static_cast<int>(std::ceil(wanted)) + 1);
      plan.padded[axis] = good_fft_size(2 * plan.counts[axis], true);
    }
    while (!FftPlan::supports(plan.padded.x / 2)) plan.padded.x = good_fft_size(plan.padded.x + 2, true);
  }

  const HermiteDensity& density_;
  std::span<const glm::dvec3> centres_;
  std::span<const double> charges_;
  const Grid& grid_;
  double accuracy_;
  std::vector<int> degrees_;
  std::vector<Bounds> bounds_;
  std::vector<std::uint32_t> by_size_;
};

}  // namespace

double mesh_reach(double exponent, int order, double size, double tolerance) {
  const double ratio = std::log(std::max(size / tolerance, 2.0));
  return (std::sqrt(ratio) + 0.15 * order) / std::sqrt(exponent);
}

std::size_t DensityMeshPlan::memory(Device device) const {
  const double points = static_cast<double>(padded.x + 16) * padded.y * padded.z;
  double bytes = static_cast<double>(sources.size() * sizeof(MeshSource) + coefficients.size() * 4);
  double moments = 0;  // numbers of all sites
  for (const MeshSite& site : sites) {
    const std::size_t width =
        device.is_cuda() ? 4 * harmonic_pairs_before(site.order, site.order + 1) : site_width(site.order);
    bytes += static_cast<double>(site_rows(site, exponent) * width * sizeof(float));
    moments += hermite_count(most_site_order);
  }
  if (device.is_cuda()) {
    // The mesh, its waves, their factors, and as much again for each transform; the moments of a batch of groups
    // twice; a slab of the grid on its way from the mesh.
    bytes += 19 * points + 8 * moments + 16.0 * 16384 * hermite_count(most_site_order) +
             4.0 * grid.x * counts.z * (static_cast<double>(counts.y) + grid.y);
  } else {
    bytes += 18.5 * points;
  }
  return bytes < 1e18 ? static_cast<std::size_t>(bytes) : static_cast<std::size_t>(1e18);
}

double DensityMeshPlan::work(const Grid& grid, Device device) const {
  // Seconds of a point, of a source and of a point of the mesh near it, of a point of the grid near a site and of a
  // number of its table, of a number of a table and source, and of a point of the grid.
  struct Cost {
    double point, source, cell, near, number, table, value;
  };
  constexpr Cost of_cpu{40e-9, 2e-6, 0.15e-9, 20e-9, 0.25e-9, 0.3e-9, 8e-9};
  constexpr Cost of_cuda{0.15e-9, 5e-9, 0.5e-12, 0.1e-9, 2.5e-12, 1.5e-12, 0.02e-9};
  const Cost cost = device.is_cuda() ? of_cuda : of_cpu;
  const double points = static_cast<double>(padded.x) * padded.y * padded.z;
  double seconds = cost.point * points;
  for (const MeshSource& source : sources) {
    const double cells = std::pow(2 * source.reach / step, 3) * units::pi / 6;
    seconds += cost.source + cost.cell * (source.order + 2) * cells;
  }
  const double cell = std::abs(glm::determinant(grid.step)) * std::pow(units::angstrom_in_bohr, 3);
  const double whole = static_cast<double>(grid.size());
  for (const MeshSite& site : sites) {
    const double reach = 3.6 / std::sqrt(exponent);
    const double within = std::min(whole, 4.19 * reach * reach * reach / std::max(cell, 1e-12));
    const auto width = static_cast<double>(site_width(site.order));
    seconds += (cost.near + cost.number * width) * within;
    seconds += cost.table * static_cast<double>(site_rows(site, exponent)) * site.count * (2 * width + 100);
  }
  return seconds + cost.value * whole;
}

DensityMeshPlan plan_density_mesh(const HermiteDensity& density, std::span<const glm::dvec3> centres,
                                  std::span<const double> charges, const Grid& grid, double accuracy, double exponent,
                                  Job& job, Device device) {
  const Planner planner(density, centres, charges, grid, accuracy, job);
  if (exponent > 0) return planner.plan(exponent, job);
  // Small exponents make small meshes but take longest to plan, which a GPU would wait for.
  static constexpr double of_cpu[] = {0.5, 1, 2, 3, 4, 6, 9, 13}, of_cuda[] = {3, 4, 6, 9};
  const std::span<const double> candidates = device.is_cuda() ? std::span<const double>(of_cuda) : of_cpu;
  DensityMeshPlan best;
  double least = std::numeric_limits<double>::max();
  std::mutex mutex;
  parallel_for(candidates.size(), job, "potential of the density: plan", [&](std::size_t i) {
    DensityMeshPlan plan = planner.plan(candidates[i], job);
    const double work = plan.work(grid, device);
    const std::lock_guard lock(mutex);
    // The same plan on any number of threads.
    if (work > least || (work == least && plan.exponent > best.exponent)) return;
    least = work;
    best = std::move(plan);
  });
  return best;
}

}  // namespace isolume
