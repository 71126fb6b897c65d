// Dynamics on every device: closed solutions of the integrators, statistics of the bath, minimisation, refusals.
#include "compute/dynamics/dynamics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "molecule/base/error.h"
#include "tests/compute/dynamics/dynamics_systems.h"

namespace isolume {
namespace {

class DynamicsOn : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(DynamicsOn);

/// `count` pairs of atoms 50 angstrom apart, each with a bond of 1 angstrom, k = 200, masses 1 and 3.
test::DynamicsSystem oscillators(std::size_t count, double stretch) {
  test::DynamicsSystem s;
  s.field = std::make_shared<ForceField>(test::empty_field(2 * count));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t i = 0; i < 2 * count; i += 2) {
    s.field->masses[i] = 1;
    s.field->masses[i + 1] = 3;
    s.field->bonds.push_back({{i, i + 1}, 200, 1});
    pairs.emplace_back(i, i + 1);
    const glm::dvec3 home(50.0 * (i % 64), 50.0 * (i / 64), 0);
    s.positions.push_back(home);
    s.positions.push_back(home + glm::dvec3(1 + stretch, 0, 0));
  }
  test::exclude(*s.field, std::move(pairs));
  return s;
}

constexpr double reduced_mass = 0.75;
/// Angular frequency, 1/ps: the spring is 2 k.
const double omega = std::sqrt(2 * 200 * acceleration_unit / reduced_mass);

DynamicsOptions verlet(double step) {
  DynamicsOptions o;
  o.langevin = false;
  o.time_step = step;
  return o;
}

TEST(Philox, HasItsKnownAnswers) {
  // From the authors' list of known answers (Random123, kat_vectors).
  const RandomBlock zero = philox({{0, 0, 0, 0}}, 0, 0);
  EXPECT_EQ(zero.word[0], 0x6627e8d5u);
  EXPECT_EQ(zero.word[1], 0xe169c58du);
  EXPECT_EQ(zero.word[2], 0xbc57ac4cu);
  EXPECT_EQ(zero.word[3], 0x9b00dbd8u);
  const RandomBlock ones = philox({{~0u, ~0u, ~0u, ~0u}}, ~0u, ~0u);
  EXPECT_EQ(ones.word[0], 0x408f276du);
  EXPECT_EQ(ones.word[1], 0x41c83b0eu);
  EXPECT_EQ(ones.word[2], 0xa20bc7c6u);
  EXPECT_EQ(ones.word[3], 0x6d5451fdu);
}

TEST_P(DynamicsOn, VerletOfABondIsItsClosedSolution) {
  // From rest the stretch after n steps of h is exactly A cos(n theta) with cos theta = 1 - (omega h)^2/2.
  const double stretch = 0.05;
  const double h = 0.0005;
  const auto s = oscillators(1, stretch);
  Dynamics dynamics(test::direct_forces(s, GetParam()), s.positions, verlet(h));
  const double theta = std::acos(1 - std::pow(omega * h, 2) / 2);
  Job job;
  for (int n = 1; n <= 5; ++n) {
    dynamics.advance(20, job);
    const Frame frame = dynamics.frame();
    const double now = static_cast<double>(frame.positions[1].x) - static_cast<double>(frame.positions[0].x) - 1;
    EXPECT_NEAR(now, stretch * std::cos(20 * n * theta), 1e-6);
  }
}

TEST_P(DynamicsOn, EnergyOfVerletDoesNotDriftAndItsErrorIsOfSecondOrder) {
  const auto s = test::chains(6, 8, {}, 12);
  const auto spread = [&](double h) {
    Dynamics dynamics(test::direct_forces(s, GetParam(), {12, 9, 2}), s.positions, verlet(h));
    Job job;
    dynamics.minimise(300, 0.5, job);
    dynamics.draw_velocities();
    const auto steps = [&](double time) { return static_cast<std::size_t>(std::llround(time / h)); };
    // From a minimum all bonds start in step; a while later they do not.
    dynamics.advance(steps(0.1), job);
    std::vector<DynamicsSample> samples;
    for (int k = 0; k < 100; ++k) {
      samples.push_back(dynamics.sample(job));
      dynamics.advance(steps(0.002), job);
    }
    const EnergyDrift drift = energy_drift(samples, s.positions.size());
    // In the course of the run the line rises by no more than the energy jitters about it.
    EXPECT_LT(std::abs(drift.per_atom_and_ns) * static_cast<double>(s.positions.size()) * drift.span / 1000,
              2 * drift.rms);
    return drift.rms;
  };
  const double coarse = spread(0.0005);
  const double fine = spread(0.00025);
  EXPECT_NEAR(coarse / fine, 4, 0.8);
}

TEST_P(DynamicsOn, LangevinsBathGivesEquipartitionAndTheBondItsSpread) {
  // A bond along a line would have <stretch^2> = kT/(2k); in space its length has the density r^2 exp(-k (r-1)^2/kT).
  const std::size_t count = 500;
  const auto s = oscillators(count, 0);
  DynamicsOptions o;
  o.time_step = 0.0005;
  o.temperature = 300;
  o.friction = 50;
  o.seed = 7;
  Dynamics dynamics(test::direct_forces(s, GetParam()), s.positions, o);
  dynamics.draw_velocities();
  Job job;
  dynamics.advance(400, job);
  double temperature = 0, squares = 0;
  const int samples = 40;
  for (int n = 0; n < samples; ++n) {
    dynamics.advance(60, job);
    temperature += dynamics.sample(job).temperature / samples;
    const Frame frame = dynamics.frame();
    for (std::size_t i = 0; i < count; ++i) {
      const double r = static_cast<double>(glm::length(frame.positions[2 * i + 1] - frame.positions[2 * i]));
      squares += (r - 1) * (r - 1) / static_cast<double>(samples * count);
    }
  }
  const double kt = boltzmann_kcal * o.temperature;
  double weight = 0, expected = 0;
  for (double r = 0.5; r < 1.5; r += 1e-4) {
    const double w = r * r * std::exp(-200 * (r - 1) * (r - 1) / kt);
    weight += w;
    expected += w * (r - 1) * (r - 1);
  }
  expected /= weight;
  // 20 000 bonds of which some two thirds are independent: a deviation is 1.2 %.
  // BAOAB's velocities along the bond, one of six directions, are low by (omega h)^2/4, 1.4 %.
  EXPECT_NEAR(temperature / o.temperature, 1, 0.04);
  // The mean of n squares of normal numbers deviates by sqrt(2/n): of 13 000 by 1.2 %, and four times that is allowed.
  EXPECT_NEAR(squares / expected, 1, 0.05);
}

TEST_P(DynamicsOn, TheSameSeedGivesTheSameRun) {
  const auto s = test::chains(8, 8, {}, 20);
  const auto run = [&](std::uint64_t seed) {
    DynamicsOptions o;
    o.seed = seed;
    Dynamics dynamics(test::direct_forces(s, GetParam()), s.positions, o);
    Job job;
    dynamics.minimise(50, 1, job);
    dynamics.draw_velocities();
    dynamics.advance(60, job);
    return dynamics.frame().positions;
  };
  const auto first = run(5);
  EXPECT_EQ(first, run(5));
  EXPECT_NE(first, run(6));
}

TEST_P(DynamicsOn, DrawnVelocitiesAreMaxwells) {
  const auto s = oscillators(2000, 0);
  DynamicsOptions o = verlet(0.0005);
  o.temperature = 450;
  Dynamics dynamics(test::direct_forces(s, GetParam()), s.positions, o);
  dynamics.draw_velocities();
  const Frame frame = dynamics.frame();
  glm::dvec3 momentum(0);
  double light = 0;
  for (std::size_t i = 0; i < frame.velocities.size(); ++i) {
    momentum += s.field->masses[i] * glm::dvec3(frame.velocities[i]);
    if (i % 2 == 0) light += glm::dot(glm::dvec3(frame.velocities[i]), glm::dvec3(frame.velocities[i])) / 6000;
  }
  EXPECT_LT(glm::length(momentum), 1e-2);
  const double expected = boltzmann_kcal * o.temperature * acceleration_unit;  // kT/m, m = 1 Da
  EXPECT_NEAR(light / expected, 1, 5 * std::sqrt(2.0 / 6000));
}

TEST_P(DynamicsOn, MinimisationFindsTheWell) {
  // Two atoms of A/r^12 - B/r^6: the well is at (2A/B)^(1/6), B^2/(4A) deep.
  test::DynamicsSystem s;
  s.field = std::make_shared<ForceField>(test::empty_field(2));
  const double a = 1e6, b = 600;
  s.field->lj_a = {a};
  s.field->lj_b = {b};
  s.positions = {{0, 0, 0}, {0.1, 0, 0}};  // nearly on top of each other
  Dynamics dynamics(test::direct_forces(s, GetParam(), {40, 40, 1}), s.positions, verlet(0.001));
  Job job;
  const Minimised m = dynamics.minimise(5000, 1e-4, job);
  EXPECT_LT(m.rms_force, 1e-4);
  EXPECT_NEAR(m.after, -b * b / (4 * a), 1e-5);
  const Frame frame = dynamics.frame();
  EXPECT_NEAR(static_cast<double>(glm::length(frame.positions[1] - frame.positions[0])), std::pow(2 * a / b, 1.0 / 6),
              1e-2);
}

TEST_P(DynamicsOn, StopsWhenItIsCancelled) {
  const auto s = test::chains(40, 8, {}, 30);
  Dynamics dynamics(test::direct_forces(s, GetParam()), s.positions, DynamicsOptions());
  Job job;
  dynamics.advance(2, job);
  test::expect_cancelled(GetParam(), [&](Job& other) {
    other.progress(0);
    dynamics.advance(1000000, other);
  });
}

TEST(DynamicsChecks, SayWhatIsWrong) {
  const auto s = oscillators(1, 0);
  const auto message = [&](const DynamicsOptions& o, const ForceField& field) -> std::string {
    try {
      check_dynamics(o, field);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::usage);
      return error.what();
    }
    return {};
  };
  DynamicsOptions good;
  EXPECT_EQ(message(good, *s.field), "");
  // The period of the bond: 2 pi/omega = 13.6 fs; the limit 2/omega.
  EXPECT_NEAR(fastest_period(*s.field), 2 * units::pi / omega, 1e-12);
  DynamicsOptions o = good;
  o.time_step = 1.01 * 2 / omega;
  EXPECT_NE(message(o, *s.field).find("time step"), std::string::npos);
  o.time_step = 0.99 * 2 / omega;
  EXPECT_EQ(message(o, *s.field), "");
  for (const double step : {0.0, -1.0, static_cast<double>(NAN)}) {
    o = good;
    o.time_step = step;
    EXPECT_NE(message(o, *s.field), "");
  }
  o = good;
  o.temperature = -1;
  EXPECT_NE(message(o, *s.field).find("temperature"), std::string::npos);
  o = good;
  o.friction = 0;
  EXPECT_NE(message(o, *s.field).find("friction"), std::string::npos);
  ForceField massless = *s.field;
  massless.masses[1] = 0;
  EXPECT_NE(message(good, massless).find("atom 2"), std::string::npos);
}

TEST(DynamicsChecks, DriftIsTheSlopeOfTheLine) {
  std::vector<DynamicsSample> samples(5);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    samples[k].time = 0.5 * static_cast<double>(k);
    samples[k].kinetic = 10 + 0.002 * samples[k].time;
  }
  const EnergyDrift drift = energy_drift(samples, 4);
  EXPECT_NEAR(drift.per_atom_and_ns, 0.002 * 1000 / 4, 1e-9);
  EXPECT_NEAR(drift.rms, 0, 1e-9);
  EXPECT_EQ(drift.span, 2);
  EXPECT_EQ(drift.from, 0) << "of few samples all count";
}

TEST(DynamicsChecks, DriftBeginsWhereTheEnergyHasSettled) {
  // A start-up of 3 kcal/mol that settles within 0.1 ps, a drift of 0.4 kcal/mol/ps, and noise of 0.05 kcal/mol.
  std::vector<DynamicsSample> samples(400);
  std::uint64_t state = 3;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double noise = 0.05 * std::sqrt(12.0) * (static_cast<double>(state >> 11) * 0x1.0p-53 - 0.5);
    DynamicsSample& s = samples[k];
    s.time = 0.005 * static_cast<double>(k);
    s.kinetic = 100 - 3 * std::exp(-s.time / 0.1) + 0.4 * s.time + noise;
  }
  const EnergyDrift drift = energy_drift(samples, 10);
  EXPECT_GT(drift.from, 0.2);
  EXPECT_LT(drift.from, 1.0);
  EXPECT_NEAR(drift.from + drift.span, samples.back().time, 1e-9);
  // Six deviations of a slope by least squares: noise / sqrt(sum (t - mean)^2), and what is left of the start-up.
  EXPECT_NEAR(drift.per_atom_and_ns, 0.4 * 1000 / 10, 6.0);
  EXPECT_NEAR(drift.rms, 0.05, 0.01);
  // Without a start-up everything counts.
  for (std::size_t k = 0; k < samples.size(); ++k) samples[k].kinetic += 3 * std::exp(-samples[k].time / 0.1);
  EXPECT_LT(energy_drift(samples, 10).from, 0.2);
  EXPECT_NEAR(energy_drift(samples, 10).per_atom_and_ns, 0.4 * 1000 / 10, 3.0);
}

}  // namespace
}  // namespace isolume
