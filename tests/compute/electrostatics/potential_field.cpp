// Field vectors against closed formulas and differences of the potentials; multilevel summation in parts and at points.
#include "compute/electrostatics/potential_field.h"

#include "compute/electrostatics/ewald/ewald_reference.h"
#include "compute/electrostatics/ewald/spme.h"
#include "compute/electrostatics/msm/msm.h"
#include "molecule/base/units.h"
#include "tests/compute/electrostatics/potential_systems.h"

namespace isolume {
namespace {

using test::random_charges;

class PotentialField : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(PotentialField);

std::vector<glm::dvec3> some_points(std::size_t count, double lower, double upper, std::uint64_t seed = 5) {
  test::Random random(seed);
  std::vector<glm::dvec3> points;
  for (std::size_t i = 0; i < count; ++i) points.push_back(random.in_box(lower, upper));
  return points;
}

/// `potential(points, values)` of a method should be `values` to `value_tolerance`, and the field minus its difference
/// quotient, both as RMS over RMS. One call for all points, since references that prepare lattices take long for each.
template <class Potential>
void expect_gradient(const std::vector<glm::dvec3>& points, const std::vector<double>& values,
                     const std::vector<glm::dvec3>& field, const Potential& potential, double value_tolerance,
                     double tolerance) {
  constexpr double step = 1e-4;
  std::vector<glm::dvec3> at = points;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-step, step}) {
      for (glm::dvec3 p : points) {
        p[axis] += side;
        at.push_back(p);
      }
    }
  }
  std::vector<double> all(at.size());
  potential(at, all);
  const std::size_t n = points.size();
  EXPECT_LE(test::deviation(values, std::vector<double>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n))).rms,
            value_tolerance);
  double squares = 0;
  double differences = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < n; ++i) {
      const double expected = -(all[(2 * axis + 2) * n + i] - all[(2 * axis + 1) * n + i]) / (2 * step);
      const double found = field[i][static_cast<int>(axis)];
      squares += expected * expected;
      differences += (found - expected) * (found - expected);
    }
  }
  EXPECT_LE(std::sqrt(differences / squares), tolerance);
}

TEST(DirectField, IsCoulombs) {
  const std::vector<PointCharge> one{{{1, 2, 3}, -0.5f}};
  const std::vector<glm::dvec3> points{{4, 2, 3}, {1, 2, 3}};
  std::vector<double> v(2);
  std::vector<glm::dvec3> e(2);
  direct_field(one, points, v, e);
  EXPECT_NEAR(v[0], -0.5 * units::coulomb_volt_angstrom / 3, 1e-12);
  EXPECT_NEAR(e[0].x, -0.5 * units::coulomb_volt_angstrom / 9, 1e-12);
  EXPECT_NEAR(e[0].y, 0, 1e-12);
  EXPECT_EQ(v[1], 0);
  EXPECT_EQ(e[1].x, 0);
}

TEST(PotentialFields, AreTheGradientsOfTheReferences) {
  const auto charges = random_charges(200, 12);
  const auto points = some_points(60, 1, 11);
  std::vector<double> v(points.size());
  std::vector<glm::dvec3> e(points.size());
  for (const CutoffForm form : {CutoffForm::shifted, CutoffForm::switched}) {
    for (const Dielectric& dielectric : {Dielectric::constant(4), Dielectric::sigmoidal()}) {
      const CutoffOptions options{6, 4, form, dielectric};
      cutoff_field(charges, points, options, v, e);
      expect_gradient(
          points, v, e, [&](const auto& at, auto& out) { cutoff_potential_reference(charges, at, options, out); },
          1e-12, 2e-5);
    }
  }
  std::vector<ChargedSphere> spheres;
  for (const PointCharge& c : charges) spheres.push_back({c.position, c.charge, 1.2f});
  debye_hueckel_field(spheres, points, {}, v, e);
  expect_gradient(
      points, v, e, [&](const auto& at, auto& out) { debye_hueckel_reference(spheres, at, {}, out); }, 1e-12, 2e-5);
  EXPECT_THROW(direct_field(charges, points, std::span(v).first(3), {}), Error);
}

MsmOptions choice(int degree, int smoothing) {
  MsmOptions options;
  options.cutoff = 5;
  options.spacing = 1.25;
  options.degree = degree;
  options.smoothing = smoothing;
  return options;
}

TEST_P(PotentialField, OfMultilevelSummationIsTheGradientOfItsReference) {
  const auto charges = random_charges(300, 14);
  const auto points = some_points(40, 1.5, 12.5);
  MsmOptions periodic = choice(5, 3);
  periodic.periodic = {true, true, true};
  periodic.cell.vectors = glm::dmat3(15, 0, 0, 2, 16, 0, 1, -2, 15);
  const Grid grids[] = {test::make_grid({0, 0, 0}, {0.7, 0.7, 0.7}, {21, 21, 21}),
                        test::make_skewed_grid({-2, -6, -2}, 0.9, {25, 22, 21})};
  for (const MsmOptions& options : {choice(5, 3), choice(7, 4), periodic}) {
    for (const Grid& grid : grids) {
      SCOPED_TRACE(describe(options));
      Job job;
      MsmField msm(charges, grid, options, GetParam(), job);
      std::vector<double> v(points.size());
      std::vector<glm::dvec3> e(points.size());
      msm.at(points, v, e, job);
      const auto reference = [&](const std::vector<glm::dvec3>& at, std::vector<double>& out) {
        msm_potential_reference(charges, grid, options, at, out);
      };
      expect_gradient(points, v, e, reference, 2e-5, 1e-4);
    }
  }
}

TEST(PotentialFields, OfParticleMeshEwaldIsTheGradientOfEwaldsSum) {
  auto charges = random_charges(80, 14);
  const auto points = some_points(40, -3, 22);  // inside of the cell and out
  SpmeOptions options;
  options.cutoff = 7;
  options.tolerance = 1e-7;
  options.order = 8;
  options.spacing = 0.5;
  for (const Cell& cell :
       {Cell{glm::dmat3(16, 0, 0, 0, 17, 0, 0, 0, 18)}, Cell{glm::dmat3(17, 0, 0, 3, 17, 0, 1, -4, 18)}}) {
    for (const double net : {0.0, 10.0}) {
      charges[0].charge += static_cast<float>(net);
      Job job;
      std::vector<double> v(points.size());
      std::vector<glm::dvec3> e(points.size());
      spme_field(charges, points, cell, options, v, e, job);
      const auto ewald = [&](const std::vector<glm::dvec3>& at, std::vector<double>& out) {
        ewald_potential_reference(charges, cell, {true, true, true}, at, out);
      };
      expect_gradient(points, v, e, ewald, 2e-5, 1e-4);
    }
  }
  std::vector<double> few(3);
  Job job;
  EXPECT_THROW(spme_field(charges, points, Cell{glm::dmat3(16)}, options, few, {}, job), Error);
}

TEST_P(PotentialField, MultilevelSummationRefusesPointsBeyondItsLattices) {
  const auto charges = random_charges(20, 10);
  Job job;
  MsmField msm(charges, test::make_grid({0, 0, 0}, {1, 1, 1}, {11, 11, 11}), choice(5, 3), GetParam(), job);
  const std::vector<glm::dvec3> far{{5, 5, 60}};
  std::vector<double> v(1);
  EXPECT_THROW(msm.at(far, v, {}, job), Error);
}

TEST_P(PotentialField, MultilevelSummationInPartsIsThatOfTheWhole) {
  const auto charges = random_charges(1500, 18);
  for (const Grid& grid : {test::make_grid({-2.3, 1.1, 0.7}, {0.55, 0.5, 0.8}, {39, 21, 23}),
                           test::make_skewed_grid({2, 3, 4}, 0.6, {25, 22, 19})}) {
    Job job;
    const std::size_t plane = grid.size() / static_cast<std::size_t>(grid.counts.z);
    const auto whole = test::on_device<float>(
        GetParam(), grid.size(), [&](Span<float> out) { msm_potential(charges, grid, choice(5, 3), out, job); });
    MsmField msm(charges, grid, choice(5, 3), GetParam(), job);
    std::vector<float> parts;
    for (int first = 0; first < grid.counts.z; first += 7) {
      const int layers = std::min(7, grid.counts.z - first);
      const auto part = test::on_device<float>(GetParam(), plane * static_cast<std::size_t>(layers),
                                               [&](Span<float> out) { msm.map(first, layers, out, job); });
      parts.insert(parts.end(), part.begin(), part.end());
    }
    EXPECT_LE(test::deviation(parts, whole).max, 2e-5);
    std::vector<float> sent(grid.size(), NAN);
    int done = 0;
    msm.map_to_host(0, grid.counts.z, 5, sent, job, [&](int layers) { done += layers; });
    EXPECT_EQ(done, grid.counts.z);
    EXPECT_LE(test::deviation(sent, whole).max, 2e-5);
    EXPECT_THROW(msm.map_to_host(1, grid.counts.z, 5, sent, job), Error);
    DeviceArray<float> wrong(plane, GetParam());
    EXPECT_THROW(msm.map(grid.counts.z, 1, wrong.span(), job), Error);
    EXPECT_THROW(msm.map(0, 2, wrong.span(), job), Error);
  }
}

}  // namespace
}  // namespace isolume
