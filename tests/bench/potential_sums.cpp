// Times of the sums next to multilevel summation: direct, fast direct, cutoff, Debye-Hückel, each with its error.
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "compute/electrostatics/debye_hueckel/debye_hueckel.h"
#include "compute/electrostatics/direct/direct.h"
#include "compute/electrostatics/direct/fast_direct.h"
#include "compute/electrostatics/pairs/cutoff.h"
#include "tests/bench/potential_systems.h"
#include "tests/bench/potential_timing.h"

namespace isolume::bench {

namespace {

/// The product as a number of evaluations or pairs.
double pairs_of(std::size_t charges, std::size_t points) {
  return static_cast<double>(charges) * static_cast<double>(points);
}

}  // namespace

void cutoff_sum(const Settings& s) {
  const auto charges = water(s.side);
  const Grid grid = map_of(s);
  for (const double cutoff : {6.0, 12.0}) {
    const CutoffOptions options{cutoff, 0.8 * cutoff, CutoffForm::shifted, {}};
    std::vector<float> values;
    Timing timing = time_it(
        s, grid.size(), fmt::format("cutoff {} atoms, {}^3 points, {} A", charges.size(), grid.counts.x, cutoff),
        &values, [&](Span<float> out, Job& job) { cutoff_potential(charges, grid, options, out, job); });
    const double density = static_cast<double>(charges.size()) / (s.side * s.side * s.side);
    const double inside = s.side * s.side * s.side / (s.spacing * s.spacing * s.spacing);
    const auto reference = [&](std::span<const glm::dvec3> at, std::span<double> potential) {
      cutoff_potential_reference(charges, at, options, potential);
    };
    Job job;
    add_error(timing, potential_error(charges, grid, Span<const float>(values.data(), values.size(), Device::cpu()),
                                      reference, 200, 1, job));
    timing.facts.emplace_back("useful pairs/s", inside * density * 4.18879 * cutoff * cutoff * cutoff / timing.median);
    print(s, timing);
  }
}

void debye_hueckel_sum(const Settings& s) {
  std::vector<ChargedSphere> spheres;
  for (const PointCharge& c : water(99.2)) {
    spheres.push_back({c.position, c.charge, c.charge < 0 ? 1.7f : 1.0f});
  }
  const auto report = [&](std::size_t count, const Grid& grid, bool faces) {
    const std::span<const ChargedSphere> some(spheres.data(), std::min(count, spheres.size()));
    const std::size_t points = faces ? debye_hueckel_face_points(grid) : grid.size();
    std::vector<float> values;
    Timing timing = time_it(s, points, fmt::format("Debye-Hueckel {} spheres, {} points", some.size(), points), &values,
                            [&](Span<float> out, Job& job) {
                              faces ? debye_hueckel_faces(some, grid, {}, out, job)
                                    : debye_hueckel_potential(some, grid, {}, out, job);
                            });
    timing.facts.emplace_back("pairs/s", pairs_of(some.size(), points) / timing.median);
    // Every so many points, against the sum in double precision.
    std::vector<Grid> grids{grid};
    if (faces) {
      const auto six = debye_hueckel_face_grids(grid);
      grids.assign(six.begin(), six.end());
    }
    std::vector<glm::dvec3> places;
    std::vector<double> found;
    std::size_t offset = 0;
    for (const Grid& part : grids) {
      const auto nx = static_cast<std::size_t>(part.counts.x), ny = static_cast<std::size_t>(part.counts.y);
      for (std::size_t at = 0; at < part.size(); at += points / 500) {
        places.push_back(part.point(static_cast<double>(at % nx), static_cast<double>(at / nx % ny),
                                    static_cast<double>(at / nx / ny)));
        found.push_back(static_cast<double>(values[offset + at]));
      }
      offset += part.size();
    }
    std::vector<double> exact(places.size());
    debye_hueckel_reference(some, places, {}, exact);
    add_error(timing, compare_potentials(found, exact));
    print(s, timing);
  };
  report(10000, {glm::dvec3(-25), glm::dmat3(0.5), glm::ivec3(193)}, true);
  if (s.device.is_cuda()) report(100000, {glm::dvec3(0), glm::dmat3(99.2 / 128), glm::ivec3(128)}, false);
}

void direct_sum(const Settings& s, double side) {
  const auto charges = water(side);
  const Grid grid{glm::dvec3(0.1), glm::dmat3(side / 128), glm::ivec3(128)};
  std::vector<float> values;
  Timing timing = time_it(s, grid.size(), fmt::format("direct {} charges, 128^3 points", charges.size()), &values,
                          [&](Span<float> out, Job& job) { direct_potential(charges, grid, out, job); });
  timing.facts.emplace_back("evaluations/s", pairs_of(charges.size(), grid.size()) / timing.median);
  timing.facts.emplace_back("relative error", error_of(charges, grid, values, 400).relative);
  print(s, timing);
}

void fast_sum(const Settings& s) {
  for (const double side : {99.2, 213.8}) {
    const auto charges = water(side);
    const int n = side < 100 ? 128 : 256;
    const Grid grid{glm::dvec3(0.1), glm::dmat3(side / n), glm::ivec3(n)};
    for (const double accuracy : {1e-2, 1e-3, 1e-4, 1e-5}) {
      std::vector<float> values;
      Timing timing = time_it(
          s, grid.size(),
          fmt::format("fast direct {} charges, {}^3 points, {:.0e}, p = {}", charges.size(), n, accuracy,
                      fast_direct_order(accuracy)),
          &values, [&](Span<float> out, Job& job) { fast_direct_potential(charges, grid, {accuracy}, out, job); });
      timing.facts.emplace_back("evaluations/s in effect", pairs_of(charges.size(), grid.size()) / timing.median);
      timing.facts.emplace_back("relative error", error_of(charges, grid, values, 300).relative);
      print(s, timing);
    }
    if (!s.device.is_cuda()) break;
  }
}

}  // namespace isolume::bench
