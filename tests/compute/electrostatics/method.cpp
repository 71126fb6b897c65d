// The door of electrostatics: names and options of all methods, maps and energies by formula, grids, and the loop that
// refines until an error is met.
#include "compute/electrostatics/method.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "compute/base/device_array.h"
#include "compute/base/usual_spacing.h"
#include "compute/electrostatics/method_energy.h"
#include "compute/electrostatics/potential_grid.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

// e^2 / (4 pi epsilon_0), CODATA 2018.
constexpr double volt_angstrom = 14.3996454784;
constexpr double kcal_angstrom = 332.063713;

std::vector<float> map_of(const std::vector<ChargedSphere>& charges, const Grid& grid, const PotentialOptions& method,
                          PotentialRoom* room = nullptr) {
  Job job;
  std::vector<float> values(grid.size(), NAN);
  potential(charges, grid, method, Span<float>(values.data(), values.size(), Device::cpu()), job, room);
  return values;
}

TEST(Method, NamesAndOptionsAreInOneOrder) {
  for (const MethodName& entry : method_names) {
    EXPECT_EQ(method_from_name(entry.name), entry.method);
    EXPECT_STREQ(name(entry.method), entry.name);
    EXPECT_STRNE(title(entry.method), "");
    if (entry.method == PotentialMethod::automatic) continue;
    EXPECT_EQ(method_of(usual_options(entry.method)), entry.method) << entry.name;
    EXPECT_NE(list_of_methods().find(entry.name), std::string::npos);
  }
  EXPECT_FALSE(method_from_name("ewald").has_value());
  EXPECT_THROW(usual_options(PotentialMethod::automatic), Error);
}

// Where a charge is alone, every sum is q / (4 pi epsilon_0 epsilon r).
TEST(Method, EveryMapOfOneChargeIsItsFormula) {
  const std::vector<ChargedSphere> charges{{{0, 0, 0}, 0.7f, 0}};
  const Grid grid{glm::dvec3(3, 0, 0), glm::dmat3(1.0), {4, 1, 1}};
  auto parts = std::make_shared<HcpHierarchy>();
  parts->first = {std::vector<std::uint32_t>{0, 1}, {0, 1}, {0, 1}};
  const Dielectric four = Dielectric::constant(4);
  CutoffOptions cutoff;
  cutoff.form = CutoffForm::plain;
  cutoff.cutoff = 20;
  cutoff.dielectric = four;
  MsmMethod msm;
  msm.msm.cutoff = 8;
  msm.msm.degree = 7;
  msm.msm.smoothing = 4;
  msm.dielectric = 4;
  HcpMethod hcp{{}, parts};
  hcp.hcp.dielectric = four;
  const DebyeHueckelOptions no_ions{0, 298.15, 4};
  for (const PotentialOptions& method :
       std::initializer_list<PotentialOptions>{DirectOptions{four, 0}, cutoff, msm, hcp, no_ions}) {
    SCOPED_TRACE(describe(method));
    const std::vector<float> values = map_of(charges, grid, method);
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(values[static_cast<std::size_t>(i)], volt_angstrom * 0.7 / (4 * (3 + i)), 1e-3);
    std::vector<double> exact(1);
    const glm::dvec3 at(5, 0, 0);
    potential_exact(charges, method, {&at, 1}, exact);
    EXPECT_NEAR(exact[0], volt_angstrom * 0.7 / 20, 1e-7);
    EXPECT_GE(potential_memory(charges, grid, method, Device::cpu()), grid.size() * sizeof(float));
  }
}

// What is kept between maps is not needed, and may be of no map at all.
TEST(Method, TheErrorOfAMapDoesNotDependOnWhatIsKept) {
  const std::vector<ChargedSphere> charges{{{0, 0, 0}, 1, 0}, {{5, 1, 0}, -1, 0}};
  const Grid grid{glm::dvec3(-6), glm::dmat3(1.0), glm::ivec3(17)};
  Job job;
  for (const PotentialMethod method : {PotentialMethod::direct, PotentialMethod::cutoff, PotentialMethod::msm}) {
    const PotentialOptions options = usual_options(method);
    PotentialRoom kept;
    const std::vector<float> values = map_of(charges, grid, options, &kept);
    const Span<const float> there(values.data(), values.size(), Device::cpu());
    PotentialRoom none;
    const double expected = measured_error(charges, grid, options, there, job).relative;
    EXPECT_EQ(measured_error(charges, grid, options, there, job, 2000, &kept).relative, expected) << name(method);
    EXPECT_EQ(measured_error(charges, grid, options, there, job, 2000, &none).relative, expected) << name(method);
  }
}

// Born's ion without other ions: outside, Coulomb's potential in the solvent.
TEST(Method, PoissonBoltzmannOfAnIonIsBorns) {
  const std::vector<ChargedSphere> ion{{{0, 0, 0}, 1, 2}};
  PoissonBoltzmannOptions options;
  options.ions.clear();
  options.solvent_permittivity = 80;
  const Grid grid{glm::dvec3(-8), glm::dmat3(0.5), glm::ivec3(33)};
  PotentialRoom room;
  const std::vector<float> values = map_of(ion, grid, options, &room);
  for (const int i : {24, 28, 32}) {
    const double r = -8 + 0.5 * i;
    EXPECT_NEAR(values[grid.index(i, 16, 16)], volt_angstrom / (80 * r), 0.02 * volt_angstrom / (80 * r)) << r;
  }
  Job job;
  const Span<const float> there(values.data(), values.size(), Device::cpu());
  const MapError known = measured_error(ion, grid, options, there, job, 2000, &room);
  EXPECT_GT(known.points, 0u);
  EXPECT_LT(known.relative, 0.05);
  EXPECT_EQ(measured_error(ion, grid, options, there, job).points, 0u) << "unknown without what the map left";
  std::vector<double> value(1);
  const glm::dvec3 at(5, 0, 0);
  EXPECT_THROW(potential_at(ion, options, {&at, 1}, value, {}, Device::cpu(), job), Error);
  EXPECT_THROW(potential_exact(ion, options, {&at, 1}, value), Error);
}

TEST(Method, AThirdOfTheAccuracyIsPlannedUntilTheErrorIsMet) {
  const std::vector<ChargedSphere> charges{{{0, 0, 0}, 1, 0}, {{5, 0, 0}, -1, 0}};
  const Grid grid{glm::dvec3(-5), glm::dmat3(1.0), glm::ivec3(16)};
  const auto run = [&](PotentialOptions& method, double target, int most, std::vector<double> errors) {
    std::vector<double> planned;
    const MapError last =
        to_accuracy(target, target, most, charges, grid, Device::cpu(), method, [&](const AccuracyTry& attempt) {
          EXPECT_EQ(attempt.number, static_cast<int>(planned.size()) + 1);
          planned.push_back(attempt.planned_for);
          MapError error;
          error.relative = errors[std::min(planned.size(), errors.size()) - 1];
          return error;
        });
    EXPECT_EQ(last.relative, errors[std::min(planned.size(), errors.size()) - 1]);
    return planned;
  };
  PotentialOptions msm = MsmMethod{};
  EXPECT_EQ(run(msm, 9e-3, 10, {1e-3}), (std::vector<double>{9e-3})) << "met at once";
  const std::vector<double> three = run(msm, 9e-3, 10, {2e-2, 1e-2, 8e-3});
  ASSERT_EQ(three.size(), 3u);
  EXPECT_NEAR(three[1], 3e-3, 1e-12);
  EXPECT_NEAR(three[2], 1e-3, 1e-12);
  EXPECT_LE(msm_expected_error(std::get<MsmMethod>(msm).msm), 1e-3) << "the parameters are those of the last try";
  EXPECT_EQ(run(msm, 9e-3, 2, {1}).size(), 2u) << "no more than asked for";
  const std::vector<double> finest = run(msm, 1e-4, 100, {1});
  EXPECT_EQ(finest.back(), finest_accuracy) << "and not below the finest";
  EXPECT_EQ(finest.size(), 3u);
  PotentialOptions direct = DirectOptions{};
  EXPECT_EQ(run(direct, 1e-3, 10, {1}).size(), 1u) << "nothing to refine";
}

TEST(Method, GridsAreAroundTheChargesOrThePeriodOfACell) {
  EXPECT_DOUBLE_EQ(usual_spacing(2.5e5 * 8, 2.5e5, 0.2, 4), 2);
  EXPECT_DOUBLE_EQ(usual_spacing(1, 2.5e5, 0.2, 4), 0.2);
  EXPECT_DOUBLE_EQ(usual_spacing(1e12, 2.5e5, 0.2, 4), 4);
  const std::vector<ChargedSphere> charges{{{0, 0, 0}, 1, 0}, {{10, 0, 0}, -1, 0}};
  const ChargeExtent box = box_around(charges, {100, 0, 0}, 5);
  EXPECT_EQ(box.lower, glm::dvec3(95, -5, -5));
  EXPECT_EQ(box.upper, glm::dvec3(115, 5, 5));
  const Grid fixed = potential_grid(box, glm::ivec3(21, 11, 1));
  EXPECT_EQ(fixed.counts, glm::ivec3(21, 11, 1));
  EXPECT_EQ(fixed.origin, glm::dvec3(95, -5, 0)) << "one layer is in the middle";
  EXPECT_DOUBLE_EQ(fixed.step[0][0], 1);
  EXPECT_EQ(seen_from(fixed, {95, 0, 0}).origin.x, 0);
  Cell cell;
  cell.vectors = glm::dmat3(glm::dvec3(10, 0, 0), glm::dvec3(0, 12, 0), glm::dvec3(0, 3, 11));
  const Grid period = cell_grid(cell, 1.0);
  EXPECT_EQ(period.counts, glm::ivec3(10, 12, 12));  // |(0, 3, 11)| = 11.4
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(glm::distance(period.step[axis] * double(period.counts[axis]), cell.vectors[axis]), 0, 1e-12);
  EXPECT_THROW(cell_grid(cell, 1e-4), Error);
}

TEST(Method, EnergiesAreOfTheSameOptions) {
  ElectrostaticProblem problem;
  problem.charges = {1, -0.5f};
  HcpHierarchy parts;
  parts.first = {std::vector<std::uint32_t>{0, 2}, {0, 1}, {0, 1}};
  const std::vector<glm::vec3> positions{{0, 0, 0}, {4, 0, 0}};
  const auto at = DeviceArray<glm::vec3>::from_host(positions, Device::cpu(), "positions");
  const auto energy = [&](const PotentialOptions& method) {
    Job job;
    DeviceArray<glm::vec3> forces(2, Device::cpu(), "forces");
    return electrostatics(method, problem, parts, Device::cpu())
        ->evaluate(at.span(), {forces.span(), {}, true}, job)
        .energy();
  };
  const double vacuum = -kcal_angstrom * 0.5 / 4;
  EXPECT_NEAR(energy(DirectOptions{}), vacuum, 1e-3);
  EXPECT_NEAR(energy(DirectOptions{Dielectric::constant(4), 0}), vacuum / 4, 1e-3);
  HcpMethod hcp;
  hcp.hcp.dielectric = Dielectric::constant(2);
  EXPECT_NEAR(energy(hcp), vacuum / 2, 1e-3);
  EXPECT_THROW(energy(CutoffOptions{}), Error);
  EXPECT_THROW(energy(PoissonBoltzmannOptions{}), Error);
}

}  // namespace
}  // namespace isolume
