// Multilevel summation with B-splines on every device: its weights, its reference, its errors and their slopes.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/electrostatics/ewald/ewald_reference.h"
#include "compute/electrostatics/msm/msm.h"
#include "compute/electrostatics/msm/msm_math.h"
#include "molecule/base/units.h"
#include "tests/compute/electrostatics/msm/msm_cases.h"

namespace isolume {
namespace {

using test::deviation;
using test::expect_reference;
using test::grid_points;
using test::in_cell;
using test::msm_map;
using test::random_charges;
using test::water_charges;

class MsmBsplines : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(MsmBsplines);

MsmOptions make(double a, double h, int p, int smoothing, int levels = 0, MsmLattice lattice = MsmLattice::automatic) {
  MsmOptions options = test::msm_options(a, h, p, smoothing, levels, lattice);
  options.basis = MsmBasisKind::bspline;
  return options;
}

double error_of(Device device, std::span<const PointCharge> charges, const Grid& grid, const MsmOptions& options) {
  const std::vector<glm::dvec3> points = grid_points(grid);
  std::vector<double> expected(points.size());
  if (options.periodic[0] || options.periodic[1] || options.periodic[2]) {
    ewald_potential_reference(charges, options.cell, options.periodic, points, expected);
  } else {
    direct_potential_reference(charges, points, expected);
  }
  return deviation(msm_map(device, charges, grid, options), expected).rms;
}

TEST(MsmBasisOfBsplines, AddsUpToOneIsSmoothAndMadeOfHalves) {
  for (const int p : {3, 5, 7}) {
    const MsmBasis basis(p, MsmBasisKind::bspline);
    for (const double t : {0.0, 0.1, 0.5, 0.77}) {
      double sum = 0;
      for (int m = 0; m <= p; ++m) sum += basis.weight(m, t);
      EXPECT_NEAR(sum, 1, 1e-13);
    }
    for (double x = 0; x < p; x += 0.0625) {
      EXPECT_GE(basis.phi(x), 0);
      // The two-scale relation.
      double halves = 0;
      for (int t = -p; t <= p; ++t) halves += basis.refine(t) * basis.phi(2 * x - t);
      EXPECT_NEAR(basis.phi(x), halves, 1e-13);
    }
  }
  // The cubic: 2/3, 1/6 at nodes; 23/48 and 1/48 between them.
  const MsmBasis cubic(3, MsmBasisKind::bspline);
  EXPECT_NEAR(cubic.phi(0), 2.0 / 3, 1e-15);
  EXPECT_NEAR(cubic.phi(1), 1.0 / 6, 1e-15);
  EXPECT_NEAR(cubic.phi(0.5), 23.0 / 48, 1e-15);
  EXPECT_NEAR(cubic.phi(1.5), 1.0 / 48, 1e-15);
}

TEST_P(MsmBsplines, EqualTheirReference) {
  const auto charges = random_charges(900, 15);
  const Grid grid{{-2.3, 1.1, 0.7}, glm::dmat3(0.55), {33, 17, 12}};
  expect_reference(GetParam(), charges, grid, make(4, 1.2, 5, 3, 2));
  expect_reference(GetParam(), charges, grid, make(5, 1.5, 3, 2, 2, MsmLattice::direct));
  expect_reference(GetParam(), charges, grid, make(5, 1.5, 7, 4, 2, MsmLattice::fft));
  const Grid skewed{{2, 3, 4}, {0.4, 0.1, 0.05, -0.2, 0.5, 0.1, 0.15, -0.3, 0.6}, {19, 15, 12}};
  expect_reference(GetParam(), charges, skewed, make(5, 1.5, 5, 3));
}

TEST_P(MsmBsplines, EqualTheirReferenceInCells) {
  const auto charges = random_charges(300, 11);
  const Grid grid{{-6, 2, 3}, glm::dmat3(0.9), {23, 9, 8}};
  const Cell orthogonal{glm::dmat3(11, 0, 0, 0, 12, 0, 0, 0, 13)};
  const Cell triclinic = Cell::from_lengths_angles({11, 12, 13}, {75, 100, 65});
  for (const Cell& cell : {orthogonal, triclinic}) {
    expect_reference(GetParam(), charges, grid, in_cell(make(5, 1.25, 5, 3), cell, {true, true, true}));
    expect_reference(GetParam(), charges, grid, in_cell(make(4, 1.3, 3, 2, 2), cell, {true, true, true}));
    expect_reference(GetParam(), charges, grid, in_cell(make(4, 1.5, 3, 2), cell, {true, true, false}));
  }
}

TEST_P(MsmBsplines, AreMoreAccurateThanTheNodalBasisWithAsManyNodes) {
  const auto charges = water_charges(38);
  const Grid grid{glm::dvec3(8.2, 9.1, 10.3), glm::dmat3(0.63), {31, 31, 9}};
  for (const auto& [p, smoothing] : {std::pair{3, 2}, {5, 3}, {7, 4}}) {
    MsmOptions options = make(4, 1, p, smoothing);
    const double splines = error_of(GetParam(), charges, grid, options);
    options.basis = MsmBasisKind::nodal;
    EXPECT_LE(2 * splines, error_of(GetParam(), charges, grid, options)) << p;
  }
}

TEST_P(MsmBsplines, ErrorFallsAsTheBoundSays) {
  // Of splines of degree p the error goes as h^(p+1) at fixed a, as long as the smoothing is smooth enough.
  const auto charges = random_charges(2000, 30);
  const Grid grid{glm::dvec3(6.3, 7.2, 8.1), glm::dmat3(0.5), {31, 31, 9}};
  const auto error = [&](double h, int p, int smoothing) {
    return error_of(GetParam(), charges, grid, make(5, h, p, smoothing, 1));
  };
  EXPECT_NEAR(std::log2(error(1.25, 3, 3) / error(0.625, 3, 3)), 4, 0.5);
  EXPECT_GE(std::log2(error(1.25, 5, 4) / error(0.625, 5, 4)), 4.8);
}

TEST_P(MsmBsplines, ApproachEwaldsSum) {
  const double side = 15;
  const auto charges = water_charges(side);
  const Grid grid{{-1.2, 0.7, 1.4}, glm::dmat3(0.95), {15, 5, 3}};
  const Cell cube{glm::dmat3(side)};
  const std::array<bool, 3> all{true, true, true};
  EXPECT_LE(error_of(GetParam(), charges, grid, in_cell(make(4, 1, 5, 3), cube, all)), 1.2e-3);
  EXPECT_LE(error_of(GetParam(), charges, grid, in_cell(make(6, 1, 7, 4), cube, all)), 1e-4);
}

TEST_P(MsmBsplines, GiveTheFieldAsTheSlopeOfThePotential) {
  const auto charges = random_charges(500, 14);
  const Grid grid{glm::dvec3(0), glm::dmat3(1.0), glm::ivec3(15)};
  Job job;
  MsmField field(charges, grid, make(5, 1.25, 5, 3), GetParam(), job);
  const double step = 1e-4;
  std::vector<glm::dvec3> points;
  for (const glm::dvec3 p : {glm::dvec3(3.1, 4.2, 5.3), {7.77, 2.1, 9.9}, {11.2, 8.4, 3.3}}) {
    points.push_back(p);
    for (int axis = 0; axis < 3; ++axis) {
      for (const double side : {-step, step}) {
        points.push_back(p);
        points.back()[axis] += side;
      }
    }
  }
  std::vector<double> values(points.size());
  std::vector<glm::dvec3> vectors(points.size());
  field.at(points, values, vectors, job);
  for (std::size_t i = 0; i < points.size(); i += 7) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double slope = (values[i + 2 * axis + 2] - values[i + 2 * axis + 1]) / (2 * step);
      EXPECT_NEAR(vectors[i][static_cast<int>(axis)], -slope, 1e-4 * glm::length(vectors[i]));
    }
  }
}

}  // namespace
}  // namespace isolume
