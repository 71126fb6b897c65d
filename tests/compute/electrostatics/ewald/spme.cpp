// Smooth particle-mesh Ewald: against Ewald's sum, its mesh in double precision, constants, and itself in other cells.
#include "compute/electrostatics/ewald/spme.h"

#include <gtest/gtest.h>

#include "compute/electrostatics/pairs/short_range.h"
#include "tests/compute/electrostatics/energy_systems.h"

namespace isolume {
namespace {

using test::EnergySystem;
using test::evaluate;
using test::force_error;
using test::random_system;
using test::water_system;
constexpr double coulomb = units::coulomb_kcal_angstrom;

SpmeOptions make(double cutoff, double tolerance, int order, double spacing) {
  SpmeOptions o;
  o.cutoff = cutoff;
  o.tolerance = tolerance;
  o.order = order;
  o.spacing = spacing;
  return o;
}

TEST(ShortRange, IsThePairPartWithItsDerivative) {
  for (const auto& [alpha, cutoff] : {std::pair{0.35, 9.0}, std::pair{0.3, 12.0}, std::pair{1.0, 5.5}}) {
    const SmoothKernel smooth = SmoothKernel::of_ewald(alpha);
    const ShortRange f = ShortRange::fit(smooth, cutoff);
    EXPECT_LE(f.error, 1e-6);
    for (double r = 0.4; r < cutoff; r += 0.17) {
      double slope = 0;
      EXPECT_NEAR(smooth.value(r, &slope), std::erf(alpha * r) / r, 1e-14);
      const auto t = static_cast<float>(r * r) * f.scale + f.offset;
      float e = 0;
      float g = 0;
      for (int k = f.terms - 1; k >= 0; --k) e = e * t + f.energy[k];
      for (int k = f.terms - 2; k >= 0; --k) g = g * t + f.force[k];
      EXPECT_NEAR(static_cast<double>(e), std::erf(alpha * r) / r, 1e-6 * alpha);
      const double h = 1e-5;
      const double difference = (std::erf(alpha * (r + h)) / (r + h) - std::erf(alpha * (r - h)) / (r - h)) / (2 * h);
      EXPECT_NEAR(slope, -difference / r, 1e-8);
      EXPECT_NEAR(static_cast<double>(g), -difference / r, 1e-6 * alpha * alpha * alpha);
    }
  }
}

class Spme : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(Spme);

const Cell& triclinic() {
  static const Cell cell = Cell::from_lengths_angles({19, 22, 24}, {75, 100, 65});
  return cell;
}

TEST_P(Spme, MeshEqualsDoublePrecision) {
  for (int order = 4; order <= 8; ++order) {
    for (const Cell& cell : {Cell{glm::dmat3(20, 0, 0, 0, 18, 0, 0, 0, 23)}, triclinic()}) {
      SCOPED_TRACE(order);
      const EnergySystem s = random_system(300, cell, 0.5);
      SpmeOptions o = make(8, 1e-5, order, 1.0);
      if (order == 5) o.mesh = {14, 9, 35};  // few points, and odd ones
      if (order == 6) o.mesh = {6, 28, 21};
      const auto expected = spme_mesh_reference(s.problem, o, precise(s.positions));
      const auto got = evaluate(*spme_mesh(s.problem, o, GetParam()), s.positions);
      EXPECT_LE(force_error(got.forces, expected.forces), 1e-5);
      EXPECT_LE(test::deviation(got.energies, expected.energies).rms, 1e-5);
      EXPECT_NEAR(got.sums.energy(), expected.sums.long_range, 1e-6 * expected.sums.long_range);
      for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_NEAR(got.sums.virial[k], expected.sums.virial[k], 2e-6 * expected.sums.long_range) << k;
      }
    }
  }
}

TEST_P(Spme, ApproachesEwaldsSum) {
  // Coarse to fine: the error falls, with exclusions, scaled pairs and a net charge, in any cell.
  for (const Cell& cell : {Cell{glm::dmat3(20, 0, 0, 0, 18, 0, 0, 0, 23)}, triclinic()}) {
    const EnergySystem s = random_system(400, cell, 3);
    const auto expected = ewald_energy_reference(s.problem, precise(s.positions));
    const double scale = std::abs(expected.sums.pairs) + expected.sums.long_range;
    for (const auto& [options, error] :
         {std::pair{make(8, 1e-4, 4, 1.0), 1.5e-3}, std::pair{make(8, 1e-5, 6, 0.7), 5e-5},
          std::pair{make(8, 1e-6, 8, 0.6), 1e-5}}) {
      SCOPED_TRACE(describe(options));
      const auto got = evaluate(*spme_electrostatics(s.problem, options, GetParam()), s.positions);
      EXPECT_LE(force_error(got.forces, expected.forces), error);
      EXPECT_NEAR(got.sums.energy(), expected.sums.energy(), error * scale);
      EXPECT_LE(test::deviation(got.energies, expected.energies).rms, error);
      for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(got.sums.virial[k], expected.sums.virial[k], 4 * error * scale);
      // The sum of forces: below the error of one times the root of their number.
      glm::dvec3 sum(0.0);
      double squares = 0;
      for (const glm::vec3 f : got.forces) sum += glm::dvec3(f);
      for (const glm::dvec3 f : expected.forces) squares += glm::dot(f, f);
      EXPECT_LE(glm::length(sum), error * std::sqrt(squares));
    }
  }
}

TEST_P(Spme, DoesNotDependOnTheSplit) {
  // The energies of molecules cancel: their difference is held against the size of the parts.
  const EnergySystem s = water_system(20);
  const auto expected = ewald_energy_reference(s.problem, precise(s.positions));
  const double scale = std::abs(expected.sums.pairs) + expected.sums.long_range;
  for (const double tolerance : {1e-5, 1e-6}) {
    for (const double cutoff : {6.0, 8.0, 10.0}) {
      const auto got =
          evaluate(*spme_electrostatics(s.problem, make(cutoff, tolerance, 6, 0.6), GetParam()), s.positions);
      EXPECT_LE(force_error(got.forces, expected.forces), 1e-4) << cutoff;
      EXPECT_NEAR(got.sums.energy(), expected.sums.energy(), 2e-5 * scale) << cutoff;
    }
  }
}

TEST_P(Spme, GivesMadelungsConstants) {
  // Eight cells of rock salt along an edge, and of caesium chloride.
  for (const bool salt : {true, false}) {
    EnergySystem s;
    const int n = 8;
    const double a = salt ? 5.64 : 4.12;
    for (int i = 0; i < n * n * n; ++i) {
      const glm::dvec3 corner = glm::dvec3(i % n, i / n % n, i / n / n) * a;
      for (int k = 0; k < (salt ? 8 : 2); ++k) {
        const glm::dvec3 place = salt ? glm::dvec3(k % 2, k / 2 % 2, k / 4) * 0.5 : glm::dvec3(k * 0.5);
        s.positions.emplace_back(corner + place * a);
        s.problem.charges.push_back((salt ? (k % 2 + k / 2 + k / 4) % 2 : k) ? -1.0f : 1.0f);
      }
    }
    s.problem.cell = Cell{glm::dmat3(n * a)};
    const double energy = salt ? -1.747564594633182 / (a / 2) : -1.762674773070990 / (a * std::sqrt(0.75));
    const auto got = evaluate(*spme_electrostatics(s.problem, make(12, 1e-6, 6, 0.8), GetParam()), s.positions);
    const double pairs = static_cast<double>(s.positions.size()) / 2;
    EXPECT_NEAR(got.sums.energy() / pairs, energy * coulomb, 1e-5 * std::abs(energy) * coulomb);
    // Every ion sits at a centre of symmetry.
    for (const glm::vec3 f : got.forces) EXPECT_LT(glm::length(f), 2e-4 * coulomb / (a * a));
  }
}

TEST_P(Spme, IsTheSameInAnotherCellOfTheCrystal) {
  const EnergySystem s = random_system(300, Cell{glm::dmat3(22.0)}, 0);
  const SpmeOptions o = make(7, 1e-6, 8, 0.6);
  const auto straight = evaluate(*spme_electrostatics(s.problem, o, GetParam()), s.positions);
  // The same crystal by a sheared cell, atoms in other images.
  EnergySystem sheared = s;
  sheared.problem.cell.vectors[1] += s.problem.cell.vectors[0];
  for (std::size_t i = 0; i < s.positions.size(); i += 2) sheared.positions[i] += glm::vec3(22, -44, 66);
  const auto other = evaluate(*spme_electrostatics(sheared.problem, o, GetParam()), sheared.positions);
  EXPECT_LE(force_error(other.forces, straight.forces), 2e-5);
  EXPECT_NEAR(other.sums.energy(), straight.sums.energy(), 1e-5 * std::abs(straight.sums.pairs));
  // Moved and turned (x -> y -> z), together with the cell.
  EnergySystem moved = s;
  for (glm::vec3& p : moved.positions) p = glm::vec3(p.z, p.x, p.y) + glm::vec3(1.37f, -8.11f, 40.03f);
  const auto turned = evaluate(*spme_electrostatics(moved.problem, o, GetParam()), moved.positions);
  std::vector<glm::vec3> back;
  for (const glm::vec3 f : turned.forces) back.emplace_back(f.y, f.z, f.x);
  EXPECT_LE(force_error(back, straight.forces), 2e-5);
}

TEST_P(Spme, ForcesAreDerivativesOfItsEnergy) {
  // In double precision, where a difference has digits: interpolated forces are the exact gradient of the mesh energy.
  const EnergySystem s = random_system(20, triclinic(), 0);
  const SpmeOptions o = make(7, 1e-5, 4, 1.2);
  const auto at = precise(s.positions);
  const auto r = spme_mesh_reference(s.problem, o, at);
  for (const std::size_t i : {0u, 11u}) {
    for (int axis = 0; axis < 3; ++axis) {
      double e[2];
      for (int side = 0; side < 2; ++side) {
        auto moved = at;
        moved[i][axis] += side ? 1e-4 : -1e-4;
        e[side] = spme_mesh_reference(s.problem, o, moved).sums.energy();
      }
      EXPECT_NEAR(r.forces[i][axis], (e[0] - e[1]) / 2e-4, 1e-5);
    }
  }
}

TEST_P(Spme, RepeatsAndTakesNewPlacesAndCells) {
  const EnergySystem s = random_system(500, Cell{glm::dmat3(24.0)}, 0);
  const EnergySystem t = random_system(500, Cell{glm::dmat3(24.0)}, 0, 9);
  const SpmeOptions o = make(8, 1e-5, 5, 0.8);
  const auto method = spme_electrostatics(s.problem, o, GetParam());
  const auto first = evaluate(*method, s.positions);
  evaluate(*method, t.positions);
  for (int step = 0; step < 4; ++step) {
    // The same memory each time, as in dynamics.
    const auto again = evaluate(*method, s.positions);
    EXPECT_LE(force_error(again.forces, first.forces), 1e-6);
    EXPECT_NEAR(again.sums.energy(), first.sums.energy(), 1e-6 * std::abs(first.sums.pairs));
  }
  const Cell larger{glm::dmat3(25.0)};
  method->set_cell(larger);
  EnergySystem u = s;
  u.problem.cell = larger;
  const auto expected = ewald_energy_reference(u.problem, precise(u.positions));
  EXPECT_LE(force_error(evaluate(*method, u.positions).forces, expected.forces), 2e-4);
}

TEST_P(Spme, MeshDoesNotDependOnTheOrderOfThreads) {
  const EnergySystem s = random_system(2000, Cell{glm::dmat3(36.0)}, 0);
  const auto method = spme_mesh(s.problem, make(8, 1e-5, 4, 1.0), GetParam());
  const auto first = evaluate(*method, s.positions);
  const auto second = evaluate(*method, s.positions);
  for (std::size_t i = 0; i < s.positions.size(); ++i) ASSERT_EQ(first.forces[i], second.forces[i]) << i;
}

TEST_P(Spme, DoesNotRememberEarlierPlaces) {
  // A field is a pure function: A, then B, then A again has the bits of A. B is near A, or anywhere.
  for (const float most : {0.3f, 40.0f}) {
    const EnergySystem a =
        random_system(3000, Cell{glm::dmat3(glm::dvec3(48, 0, 0), glm::dvec3(5, 46, 0), glm::dvec3(0, -7, 50))}, 0);
    EnergySystem b = a;
    test::Random random(4);
    for (glm::vec3& p : b.positions) p += glm::vec3(random.in_box(-most, most));
    for (const bool all : {false, true}) {
      // Of CUDA's sum over pairs a bit may differ from one evaluation to the next.
      if (all && GetParam().is_cuda()) continue;
      const SpmeOptions o = make(9, 1e-5, 5, 1.0);
      const auto method = all ? spme_electrostatics(a.problem, o, GetParam()) : spme_mesh(a.problem, o, GetParam());
      const auto first = evaluate(*method, a.positions);
      evaluate(*method, b.positions);
      const auto again = evaluate(*method, a.positions);
      for (std::size_t i = 0; i < a.positions.size(); ++i) {
        ASSERT_EQ(first.forces[i], again.forces[i]) << i;
        ASSERT_EQ(first.energies[i], again.energies[i]) << i;
      }
      if (GetParam().is_cuda()) continue;
      EXPECT_EQ(first.sums.energy(), again.sums.energy());
      for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(first.sums.virial[k], again.sums.virial[k]) << k;
    }
  }
}

TEST_P(Spme, StaysRightWhileAtomsMove) {
  // By a little, through the faces of the cell, and far.
  EnergySystem s =
      random_system(3000, Cell{glm::dmat3(glm::dvec3(48, 0, 0), glm::dvec3(5, 46, 0), glm::dvec3(0, -7, 50))}, 0);
  const SpmeOptions o = make(9, 1e-5, 4, 1.0);
  const auto method = spme_mesh(s.problem, o, GetParam());
  test::Random random(21);
  for (const double most : {0.0, 0.2, 0.2, 0.5, 1.5, 4.0, 0.1, 60.0}) {
    for (glm::vec3& p : s.positions) p += glm::vec3(random.in_box(-most, most));
    const auto expected = spme_mesh_reference(s.problem, o, precise(s.positions));
    EXPECT_LE(force_error(evaluate(*method, s.positions).forces, expected.forces), 1e-5) << most;
  }
}

TEST_P(Spme, TakesManyAtomsInOnePlace) {
  // More than a brick of the mesh has room for at once, and all in one cell of the pairs.
  EnergySystem s;
  test::Random random(3);
  for (int i = 0; i < 1500; ++i) {
    s.positions.emplace_back(glm::vec3(10) + glm::vec3(random.in_box(-2, 2)));
    s.problem.charges.push_back(i % 2 ? 1.0f : -1.0f);
  }
  s.problem.cell = Cell{glm::dmat3(40.0)};
  const SpmeOptions o = make(9, 1e-5, 4, 1.0);
  const auto expected = spme_mesh_reference(s.problem, o, precise(s.positions));
  EXPECT_LE(force_error(evaluate(*spme_mesh(s.problem, o, GetParam()), s.positions).forces, expected.forces), 1e-5);
  const auto exact = ewald_energy_reference(s.problem, precise(s.positions));
  EXPECT_LE(force_error(evaluate(*spme_electrostatics(s.problem, o, GetParam()), s.positions).forces, exact.forces),
            1e-3);
}

TEST_P(Spme, RefusesWhatMakesNoSense) {
  EnergySystem s = random_system(10, Cell{glm::dmat3(20.0)}, 0);
  const auto message = [&](const ElectrostaticProblem& problem, const SpmeOptions& o) -> std::string {
    try {
      spme_electrostatics(problem, o, GetParam());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::usage);
      return error.what();
    }
    return "";
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  ElectrostaticProblem open = s.problem;
  open.cell = {};
  EXPECT_TRUE(has(message(open, {}), "no periodic cell"));
  EXPECT_TRUE(has(message(s.problem, make(10.5, 1e-5, 4, 1)), "the largest that does is 10"));
  EXPECT_TRUE(has(message(s.problem, make(9, 1e-5, 3, 1)), "4 to 8"));
  EXPECT_TRUE(has(message(s.problem, make(9, 0.5, 4, 1)), "tolerance"));
  EXPECT_TRUE(has(message({}, {}), "no charges"));
  SpmeOptions o;
  o.mesh = {22, 20, 20};
  EXPECT_TRUE(has(message(s.problem, o), "next size that fits is 24"));
  o.mesh = {3, 20, 20};
  EXPECT_TRUE(has(message(s.problem, o), "the order of the splines"));
  o.mesh = {0, 0, 0};
  o.spacing = 0.001;
  EXPECT_TRUE(has(message(s.problem, o), "at most 4096"));
}

}  // namespace
}  // namespace isolume
