// Energies and forces by multilevel summation against exact sums, and their continuity.
#include "compute/electrostatics/msm/msm_forces.h"

#include <gtest/gtest.h>

#include "tests/compute/electrostatics/energy_systems.h"

namespace isolume {
namespace {

using test::EnergySystem;
using test::evaluate;
using test::force_error;
using test::random_system;
using test::water_system;

MsmOptions make(double cutoff, double spacing, int degree, int smoothing) {
  MsmOptions o;
  o.cutoff = cutoff;
  o.spacing = spacing;
  o.degree = degree;
  o.smoothing = smoothing;
  return o;
}

class MsmForces : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(MsmForces);

TEST_P(MsmForces, ApproachExactSums) {
  // Net charge, exclusions and scaled pairs; an orthogonal, an oblique and no cell.
  for (const Cell& cell :
       {Cell{glm::dmat3(21, 0, 0, 0, 20, 0, 0, 0, 23)}, Cell::from_lengths_angles({22, 24, 25}, {80, 95, 75})}) {
    const EnergySystem s = random_system(400, cell, 2);
    const auto at = precise(s.positions);
    for (const bool periodic : {true, false}) {
      SCOPED_TRACE(periodic);
      const auto expected = periodic ? ewald_energy_reference(s.problem, at) : direct_energy_reference(s.problem, at);
      const double scale = std::abs(expected.sums.pairs) + std::abs(expected.sums.long_range);
      double before = 1;
      for (const auto& [options, error] : {std::pair{make(5, 1.0, 5, 3), 3e-2}, std::pair{make(8, 0.8, 7, 4), 2e-3}}) {
        const auto got = evaluate(*msm_electrostatics(s.problem, options, periodic, GetParam()), s.positions);
        const double found = force_error(got.forces, expected.forces);
        EXPECT_LE(found, error);
        EXPECT_LT(found, before);
        before = found;
        EXPECT_NEAR(got.sums.energy(), expected.sums.energy(), error * scale);
        EXPECT_LE(test::deviation(got.energies, expected.energies).rms, error);
        double sum = 0;
        for (const float e : got.energies) sum += static_cast<double>(e);
        EXPECT_NEAR(sum, got.sums.energy(), 1e-5 * scale);
        ASSERT_EQ(got.sums.has_virial, periodic);
        if (!periodic) continue;
        double trace = 0;
        for (std::size_t c = 0; c < 6; ++c) {
          EXPECT_NEAR(got.sums.virial[c], expected.sums.virial[c], error * scale) << c;
          if (c < 3) trace += got.sums.virial[c];
        }
        EXPECT_NEAR(trace, expected.sums.energy(), error * scale);
      }
    }
  }
}

TEST_P(MsmForces, VirialIsTheSlopeOfTheEnergyByTheStrainOfTheCell) {
  // Several levels by transforms and directly, both bases, an oblique cell, a net charge and excluded pairs.
  const Cell cell = Cell::from_lengths_angles({20.3, 21.2, 22.4}, {82, 95, 77});
  const EnergySystem s = random_system(300, cell, 2);
  struct Case {
    int levels;
    MsmLattice lattice;
    MsmBasisKind basis;
    std::vector<std::size_t> components;
  };
  for (const auto& [levels, lattice, basis, components] :
       {Case{1, MsmLattice::fft, MsmBasisKind::nodal, {0, 1, 2, 3, 4, 5}},
        Case{2, MsmLattice::fft, MsmBasisKind::bspline, {0, 5}},
        Case{3, MsmLattice::direct, MsmBasisKind::nodal, {1, 3}}}) {
    SCOPED_TRACE(levels);
    MsmOptions options = make(5, 1.37, 5, 3);  // strained cells have as many nodes
    options.levels = levels;
    options.lattice = lattice;
    options.basis = basis;
    const auto method = msm_electrostatics(s.problem, options, true, GetParam());
    const ElectrostaticSums sums = evaluate(*method, s.positions).sums;
    const double scale = std::abs(sums.pairs) + std::abs(sums.long_range);
    const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
    for (const std::size_t c : components) {
      double energies[2];
      constexpr double strain = 2e-3;
      for (const int side : {0, 1}) {
        glm::dmat3 stretch(1.0);
        stretch[second[c]][first[c]] += side == 0 ? -strain : strain;
        EnergySystem strained = s;
        Cell wider = cell;
        for (int edge = 0; edge < 3; ++edge) wider.vectors[edge] = stretch * cell.vectors[edge];
        for (glm::vec3& p : strained.positions) p = glm::vec3(stretch * glm::dvec3(p));
        method->set_cell(wider);
        energies[side] = evaluate(*method, strained.positions).sums.energy();
      }
      EXPECT_NEAR(sums.virial[c], -(energies[1] - energies[0]) / (2 * strain), 5e-4 * scale) << c;
    }
  }
}

TEST_P(MsmForces, AreContinuousAcrossNodes) {
  // An atom passes nodes of the lattice (every angstrom) in small steps: the force changes as little as the field does.
  EnergySystem s = random_system(60, Cell{glm::dmat3(20.0)}, 0);
  const auto method = msm_electrostatics(s.problem, make(6, 1, 5, 3), true, GetParam());
  s.positions[0] = {9.9f, 10, 10};
  glm::vec3 before(0);
  double largest = 0;
  double step_largest = 0;
  for (int i = 0; i <= 40; ++i) {
    s.positions[0].x = 9.9f + 0.005f * static_cast<float>(i);
    const glm::vec3 f = evaluate(*method, s.positions).forces[0];
    if (i > 0) step_largest = std::max(step_largest, static_cast<double>(glm::length(f - before)));
    largest = std::max(largest, static_cast<double>(glm::length(f)));
    before = f;
  }
  EXPECT_LE(step_largest, 0.05 * largest);
}

TEST_P(MsmForces, TakeNewPlaces) {
  const EnergySystem s = water_system(18);
  const auto method = msm_electrostatics(s.problem, make(7, 1, 7, 4), false, GetParam());
  for (const float shift : {0.0f, 3.0f, 60.0f, 0.0f}) {
    EnergySystem moved = s;
    for (glm::vec3& p : moved.positions) p += shift;
    moved.positions[5] += glm::vec3(shift);  // one atom leaves the others
    const auto expected = direct_energy_reference(moved.problem, precise(moved.positions));
    EXPECT_LE(force_error(evaluate(*method, moved.positions).forces, expected.forces), 5e-3) << shift;
  }
}

TEST_P(MsmForces, RefuseWhatMakesNoSense) {
  const EnergySystem s = random_system(10, Cell{glm::dmat3(12.0)}, 0);
  EXPECT_THROW(msm_electrostatics(s.problem, make(6.5, 1, 5, 3), true, GetParam()), Error);
  EXPECT_THROW(msm_electrostatics(s.problem, make(5, 1, 4, 3), true, GetParam()), Error);
  EXPECT_THROW(msm_electrostatics({}, make(5, 1, 5, 3), false, GetParam()), Error);
  ElectrostaticProblem open = s.problem;
  open.cell = {};
  EXPECT_THROW(msm_electrostatics(open, make(5, 1, 5, 3), true, GetParam()), Error);
}

}  // namespace
}  // namespace isolume
