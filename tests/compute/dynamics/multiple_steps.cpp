// Multiple time steps on every device: near and far forces add up, and a cycle is r-RESPA's.
#include <gtest/gtest.h>

#include <cmath>

#include "compute/dynamics/dynamics.h"
#include "compute/electrostatics/ewald/spme.h"
#include "compute/electrostatics/msm/msm_forces.h"
#include "molecule/base/error.h"
#include "tests/compute/dynamics/dynamics_systems.h"
#include "tests/compute/electrostatics/energy_systems.h"

namespace isolume {
namespace {

class MultipleStepsOn : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(MultipleStepsOn);

const Cell box{glm::dmat3(glm::dvec3(26, 0, 0), glm::dvec3(0, 27, 0), glm::dvec3(0, 0, 25))};
const LennardJonesOptions lj{9, 7, 1.5};

std::unique_ptr<MolecularForces> by_spme(const test::DynamicsSystem& s, Device device) {
  SpmeOptions fine;
  fine.cutoff = 9;
  fine.tolerance = 1e-6;
  fine.order = 6;
  fine.spacing = 0.7;
  return MolecularForces::create(s.field, spme_electrostatics(force_field_problem(*s.field, s.cell), fine, device),
                                 s.cell, lj);
}

std::unique_ptr<MolecularForces> by_msm(const test::DynamicsSystem& s, bool periodic, Device device) {
  MsmOptions o;
  o.cutoff = 9, o.spacing = 1, o.degree = 7, o.smoothing = 4;
  const Cell cell = periodic ? s.cell : Cell();
  return MolecularForces::create(s.field, msm_electrostatics(force_field_problem(*s.field, cell), o, periodic, device),
                                 cell, lj);
}

std::vector<glm::dvec3> forces_of(MolecularForces& method, const std::vector<glm::dvec3>& positions,
                                  std::optional<ForceTerms> terms) {
  const auto at = DeviceArray<glm::dvec3>::from_host(positions, method.device());
  DeviceArray<glm::dvec3> forces(positions.size(), method.device());
  Job job;
  if (terms) {
    method.evaluate_terms(*terms, at.span(), forces.span(), job);
  } else {
    method.evaluate(at.span(), forces.span(), false, job);
  }
  method.stream().synchronize("test");
  return forces.copy_to_host();
}

DynamicsOptions constant_energy(double step, std::size_t near_every, std::size_t far_every) {
  DynamicsOptions o;
  o.langevin = false;
  o.time_step = step;
  o.near_every = near_every;
  o.far_every = far_every;
  return o;
}

TEST_P(MultipleStepsOn, TermsAddUpToAllForces) {
  const auto s = test::chains(30, 8, box, 25);
  const auto check = [&](MolecularForces& method, const char* what) {
    std::vector<glm::dvec3> sum = forces_of(method, s.positions, ForceTerms::bonded);
    // Far forces first: they must not rest on what the near ones left.
    for (const ForceTerms terms : {ForceTerms::far, ForceTerms::near}) {
      if (terms == ForceTerms::far && !method.has_far()) continue;
      const auto some = forces_of(method, s.positions, terms);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += some[i];
    }
    EXPECT_LE(test::force_error(sum, forces_of(method, s.positions, {})), 2e-6) << what;
  };
  check(*by_spme(s, GetParam()), "SPME");
  check(*by_msm(s, true, GetParam()), "MSM in a cell");
  check(*by_msm(s, false, GetParam()), "MSM");
  const auto direct = test::direct_forces(s, GetParam(), lj);
  EXPECT_FALSE(direct->has_far());
  check(*direct, "direct");
}

TEST_P(MultipleStepsOn, TheFarPartOfABondIsThatOfItsImages) {
  // Two charges that are excluded from each other: no near part; the far part takes their smooth interaction away from
  // that of the mesh. What is left is the force of all their images, which a bond's motion hardly changes.
  test::DynamicsSystem s;
  s.field = std::make_shared<ForceField>(test::empty_field(2));
  s.field->charges = {1, -1};
  test::exclude(*s.field, {{0, 1}});
  s.cell = box;
  s.positions = {{10, 10, 10}, {11, 10, 10}};
  const auto method = by_spme(s, GetParam());
  const auto near = forces_of(*method, s.positions, ForceTerms::near);
  EXPECT_EQ(near[0], glm::dvec3(0));
  const auto here = forces_of(*method, s.positions, ForceTerms::far);
  s.positions[1].x += 0.05;
  const auto stretched = forces_of(*method, s.positions, ForceTerms::far);
  // Of the pair itself 332 kcal/mol A would change by 33 with that step.
  EXPECT_LT(glm::length(stretched[0] - here[0]), 0.05);
}

TEST_P(MultipleStepsOn, ACycleIsTheNestedLoopsOfRespa) {
  // As the method is written down: kicks by the far forces around cycles with kicks by the near ones around steps of
  // velocity Verlet by the bonded ones.
  const auto s = test::chains(12, 8, box, 25);
  const double h = 0.0005;
  const std::size_t near_every = 2, far_every = 4;
  Dynamics dynamics(by_spme(s, GetParam()), s.positions, constant_energy(h, near_every, far_every));
  Job job;
  dynamics.minimise(100, 1, job);
  dynamics.draw_velocities();
  std::vector<glm::dvec3> x, v;
  for (const glm::vec3 p : dynamics.frame().positions) x.emplace_back(p);
  for (const glm::vec3 u : dynamics.frame().velocities) v.emplace_back(u);
  Dynamics again(by_spme(s, GetParam()), x, constant_energy(h, near_every, far_every));
  again.set_velocities(dynamics.frame().velocities);
  const auto method = by_spme(s, GetParam());
  const auto kick = [&](ForceTerms terms, double time) {
    const auto f = forces_of(*method, x, terms);
    for (std::size_t i = 0; i < x.size(); ++i) v[i] += time / 2 * acceleration_unit / s.field->masses[i] * f[i];
  };
  const auto near_cycle = [&] {
    kick(ForceTerms::near, near_every * h);
    for (std::size_t k = 0; k < near_every; ++k) {
      kick(ForceTerms::bonded, h);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += h * v[i];
      kick(ForceTerms::bonded, h);
    }
    kick(ForceTerms::near, near_every * h);
  };
  for (int cycle = 0; cycle < 5; ++cycle) {
    kick(ForceTerms::far, far_every * h);
    for (std::size_t k = 0; k < far_every / near_every; ++k) near_cycle();
    kick(ForceTerms::far, far_every * h);
  }
  again.advance(5 * far_every, job);
  const Frame frame = again.frame();
  for (std::size_t i = 0; i < x.size(); ++i) {
    // Frames are in single precision.
    EXPECT_LT(glm::length(glm::dvec3(frame.positions[i]) - x[i]), 1e-5);
    EXPECT_LT(glm::length(glm::dvec3(frame.velocities[i]) - v[i]), 2e-3);
  }
}

TEST_P(MultipleStepsOn, EnergyDoesNotDriftAndItsErrorIsOfSecondOrder) {
  const auto s = test::chains(12, 8, box, 25);
  const auto spread = [&](double h) {
    Dynamics dynamics(by_spme(s, GetParam()), s.positions, constant_energy(h, 2, 4));
    Job job;
    dynamics.minimise(300, 0.5, job);
    dynamics.draw_velocities();
    const auto steps = [&](double time) { return static_cast<std::size_t>(std::llround(time / h)); };
    dynamics.advance(steps(0.1), job);
    std::vector<DynamicsSample> samples;
    for (int k = 0; k < 100; ++k) {
      samples.push_back(dynamics.sample(job));
      dynamics.advance(steps(0.002), job);
    }
    const EnergyDrift drift = energy_drift(samples, s.positions.size());
    EXPECT_LT(std::abs(drift.per_atom_and_ns) * static_cast<double>(s.positions.size()) * drift.span / 1000,
              2 * drift.rms);
    return drift.rms;
  };
  EXPECT_NEAR(spread(0.0005) / spread(0.00025), 4, 1);
}

TEST_P(MultipleStepsOn, RefuseWhatHasNoMeaning) {
  const auto s = test::chains(4, 6, box, 20);
  const auto message = [&](std::unique_ptr<MolecularForces> forces, const DynamicsOptions& o) -> std::string {
    try {
      Dynamics dynamics(std::move(forces), s.positions, o);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::usage);
      return error.what();
    }
    return {};
  };
  const auto spme = [&](double step, std::size_t near_every, std::size_t far_every) {
    return message(by_spme(s, GetParam()), constant_energy(step, near_every, far_every));
  };
  EXPECT_EQ(spme(0.0005, 2, 4), "");
  EXPECT_NE(spme(0.0005, 2, 3).find("multiple"), std::string::npos);
  EXPECT_NE(spme(0.0005, 0, 4).find("1 or more"), std::string::npos);
  EXPECT_NE(spme(0.0005, 1, 40).find("resonate"), std::string::npos);
  // Without a far part near and far are one.
  EXPECT_EQ(message(test::direct_forces(s, GetParam()), constant_energy(0.0005, 3, 3)), "");
  EXPECT_NE(message(test::direct_forces(s, GetParam()), constant_energy(0.0005, 1, 2)).find("no long-range part"),
            std::string::npos);
  // Between two evaluations of the far forces the total energy is not defined.
  Dynamics dynamics(by_spme(s, GetParam()), s.positions, constant_energy(0.0002, 2, 4));
  Job job;
  dynamics.advance(2, job);
  EXPECT_THROW((void)dynamics.sample(job), Error);
  dynamics.advance(2, job);
  EXPECT_NO_THROW((void)dynamics.sample(job));
}

}  // namespace
}  // namespace isolume
