// Parameters of multilevel summation, and its map held against its double-precision reference, for its tests.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <vector>

#include "compute/electrostatics/msm/msm.h"
#include "tests/compute/electrostatics/potential_systems.h"

namespace isolume::test {

inline MsmOptions msm_options(double a, double h, int p, int smoothing, int levels = 0,
                              MsmLattice lattice = MsmLattice::automatic) {
  MsmOptions options;
  options.cutoff = a;
  options.spacing = h;
  options.degree = p;
  options.smoothing = smoothing;
  options.levels = levels;
  options.lattice = lattice;
  return options;
}

inline MsmOptions in_cell(MsmOptions options, const Cell& cell, std::array<bool, 3> periodic) {
  options.cell = cell;
  options.periodic = periodic;
  return options;
}

inline std::vector<float> msm_map(Device device, std::span<const PointCharge> charges, const Grid& grid,
                                  const MsmOptions& options) {
  return on_device<float>(device, grid.size(), [&](Span<float> out) {
    Job job;
    msm_potential(charges, grid, options, out, job);
  });
}

/// The double-precision reference with the same options is met to single precision.
inline void expect_reference(Device device, std::span<const PointCharge> charges, const Grid& grid,
                             const MsmOptions& options) {
  SCOPED_TRACE(describe(options));
  const std::vector<glm::dvec3> points = grid_points(grid);
  std::vector<double> expected(points.size());
  msm_potential_reference(charges, grid, options, points, expected);
  const auto d = deviation(msm_map(device, charges, grid, options), expected);
  EXPECT_LE(d.rms, 2e-5);
  EXPECT_LE(d.max, 4e-4);
}

}  // namespace isolume::test
