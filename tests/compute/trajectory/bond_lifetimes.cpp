// Lifetimes of hydrogen bonds, and energies at the times of frames.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "compute/trajectory/energy_frames.h"
#include "compute/trajectory/hydrogen_bond_lifetimes.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

using Bonds = std::vector<std::vector<std::uint32_t>>;

/// Bonds that break with probability `breaks` and form with `forms` between two frames, from their equilibrium on.
Bonds markov(std::size_t count, std::size_t frames, double breaks, double forms, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform;
  Bonds bonds(count);
  for (auto& bond : bonds) {
    bool there = uniform(engine) < forms / (forms + breaks);
    for (std::uint32_t f = 0; f < frames; ++f) {
      if (there) bond.push_back(f);
      there = there ? uniform(engine) >= breaks : uniform(engine) < forms;
    }
  }
  std::erase_if(bonds, [](const auto& bond) { return bond.empty(); });
  return bonds;
}

TEST(BondLifetimes, CorrelationsAreThoseOfTheDefinition) {
  for (const std::size_t frames : {4, 37, 100}) {
    const Bonds bonds = markov(6, frames, 0.3, 0.2, static_cast<unsigned>(frames));
    for (const std::size_t blocks : {2, 3}) {
      Job job;
      const BondLifetimes found = bond_lifetimes(bonds, frames, {1, frames - 1, 0, blocks}, job);
      ASSERT_EQ(found.lags.size(), frames);
      for (std::size_t t = 0; t < frames; ++t) {
        const BondCorrelation exact = bond_correlation_reference(bonds, frames, t);
        if (std::isnan(exact.intermittent)) continue;  // no bond in the first frames
        EXPECT_DOUBLE_EQ(found.intermittent[t], exact.intermittent) << t;
        EXPECT_DOUBLE_EQ(found.continuous[t], exact.continuous) << t;
      }
    }
  }
}

// Of two states C(t) = p + (1 - p) (1 - a - b)^t and S(t) = (1 - a)^t, with a, b the probabilities that a bond breaks
// and forms and p = b / (a + b). The trapezoids of S are step (1 / a - 1 / 2), those of the part of C that decays
// step (1 / (a + b) - 1 / 2).
TEST(BondLifetimes, TwoStatesHaveTheClosedForm) {
  constexpr double a = 0.1, b = 0.05, step = 0.5;
  const Bonds bonds = markov(40, 20'000, a, b, 7);
  Job job;
  const BondLifetimes found = bond_lifetimes(bonds, 20'000, {step, 400, 0, 10}, job);
  const double p = b / (a + b);
  EXPECT_NEAR(found.all.occupancy, 40 * p, 0.2);
  EXPECT_NEAR(found.all.plateau, p, 0.005);
  for (const std::size_t t : {1, 2, 5, 10, 20}) {
    const auto lag = static_cast<double>(t);
    EXPECT_NEAR(found.lags[t], step * lag, 1e-12);
    EXPECT_NEAR(found.intermittent[t], p + (1 - p) * std::pow(1 - a - b, lag), 5 * found.intermittent_error[t]);
    EXPECT_NEAR(found.continuous[t], std::pow(1 - a, lag), 5 * found.continuous_error[t]);
    EXPECT_LT(found.intermittent_error[t], 0.01);
    EXPECT_GT(found.intermittent_error[t], 1e-4);
  }
  EXPECT_NEAR(found.all.continuous.value, step * (1 / a - 0.5), 5 * found.all.continuous.error);
  EXPECT_LT(found.all.continuous.error, 0.01 * found.all.continuous.value);
  EXPECT_NEAR(found.all.intermittent.value, step * (1 / (a + b) - 0.5), 0.03 * step / (a + b));
  EXPECT_FALSE(found.all.continuous.lower_bound);
}

// The errors say how far estimates are from the truth: of 60 runs about a third are more than one away.
TEST(BondLifetimes, ErrorsAreAsLargeAsTheScatter) {
  constexpr double a = 0.2, b = 0.2, truth = 1 / a - 0.5;
  double squares = 0, errors = 0;
  constexpr int runs = 60;
  for (int seed = 0; seed < runs; ++seed) {
    Job job;
    const BondLifetime life =
        bond_lifetimes(markov(1, 4'000, a, b, 100u + static_cast<unsigned>(seed)), 4'000, {1, 100, 0, 10}, job).all;
    squares += (life.continuous.value - truth) * (life.continuous.value - truth) / runs;
    errors += life.continuous.error * life.continuous.error / runs;
  }
  EXPECT_NEAR(std::sqrt(errors / squares), 1, 0.3);
}

TEST(BondLifetimes, ABondThatIsOnAndOff) {
  // Three frames on, two off, eight times: S(t) falls as 1, 2/3, 1/3, 0, and so its trapezoids are 1.5.
  std::vector<std::uint32_t> bond;
  for (std::uint32_t f = 0; f < 40; ++f)
    if (f % 5 < 3) bond.push_back(f);
  Job job;
  const BondLifetime life = bond_lifetimes(Bonds{bond}, 40, {1, 5, 0, 2}, job).bonds.at(0);
  EXPECT_EQ(life.formed, 8u);
  EXPECT_EQ(life.longest, 3u);
  EXPECT_NEAR(life.occupancy, 0.6, 1e-15);
  EXPECT_NEAR(life.plateau, 0.6, 1e-15);
  // Origins near the end have no lag of 2, so a little less than 1.5 is wrong by no more than one of 24 origins.
  EXPECT_NEAR(life.continuous.value, 1.5, 0.1);
  const BondLifetime filled = bond_lifetimes(Bonds{bond}, 40, {1, 5, 2, 2}, job).bonds.at(0);
  EXPECT_EQ(filled.formed, 1u);
  // Frames 0 to 37 without a gap: of the origins from which lag t is within the 40 frames, 38 - t are still bonded.
  const double s[] = {1, 37.0 / 38, 36.0 / 38, 35.0 / 37, 34.0 / 36, 33.0 / 35};
  EXPECT_NEAR(filled.continuous.value, 0.5 * s[0] + s[1] + s[2] + s[3] + s[4] + 0.5 * s[5], 1e-12);
  EXPECT_TRUE(filled.continuous.lower_bound);
  EXPECT_EQ(filled.intermittent.value, life.intermittent.value);
}

TEST(BondLifetimes, WhatIsAlwaysThereHasNoLifetime) {
  std::vector<std::uint32_t> bond(20);
  for (std::uint32_t f = 0; f < 20; ++f) bond[f] = f;
  Job job;
  const BondLifetime life = bond_lifetimes(Bonds{bond}, 20, {}, job).bonds.at(0);
  EXPECT_TRUE(std::isnan(life.intermittent.value));
  EXPECT_TRUE(life.continuous.lower_bound);
  EXPECT_THROW(bond_lifetimes(Bonds{{3, 2}}, 20, {}, job), Error);
  EXPECT_THROW(bond_lifetimes(Bonds{{20}}, 20, {}, job), Error);
  EXPECT_THROW(bond_lifetimes(Bonds{{1}}, 3, {}, job), Error);
  job.cancel();
  EXPECT_THROW(bond_lifetimes(Bonds{bond}, 20, {}, job), Error);
}

TEST(BondHistory, SaysWhenAPairIsBonded) {
  // Two waters in a row; in frames 1 and 3 the second one is far away.
  auto topology = std::make_shared<Topology>();
  for (int water = 0; water < 2; ++water) {
    for (const std::uint8_t element : {8, 1, 1}) {
      Atom atom;
      atom.element = element;
      atom.residue = static_cast<std::uint32_t>(water);
      topology->atoms.push_back(atom);
    }
    const auto first = static_cast<std::uint32_t>(3 * water);
    topology->bonds.push_back({first, first + 1, 1});
    topology->bonds.push_back({first, first + 2, 1});
    Residue residue;
    residue.first_atom = first;
    residue.atom_count = 3;
    topology->residues.push_back(residue);
  }
  topology->chains.emplace_back();
  topology->chains.back().residue_count = 2;
  std::vector<Frame> frames(4);
  for (std::size_t f = 0; f < 4; ++f) {
    const float away = f % 2 ? 20.0f : 0.0f;
    frames[f].positions = {{0, 0, 0},           {0.96f, 0, 0},           {-0.24f, 0.93f, 0},
                           {2.8f + away, 0, 0}, {3.4f + away, 0.75f, 0}, {3.4f + away, -0.75f, 0}};
  }
  Molecule molecule;
  molecule.topology = topology;
  molecule.trajectory = std::make_shared<MemoryTrajectory>(frames);
  Job job;
  const std::vector<std::size_t> all{0, 1, 2, 3};
  const std::vector<std::uint8_t> everything(6, 1), first{1, 1, 1, 0, 0, 0}, second{0, 0, 0, 1, 1, 1};
  const auto found = hydrogen_bond_history(molecule, all, everything, {}, {}, Device::cpu(), job);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].donor, 0u);
  EXPECT_EQ(found[0].hydrogen, 1u);
  EXPECT_EQ(found[0].acceptor, 3u);
  EXPECT_EQ(found[0].frames, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_NEAR(found[0].distance, 2.8, 1e-6);
  EXPECT_NEAR(found[0].angle, 180, 1e-2);
  EXPECT_EQ(hydrogen_bond_history(molecule, all, second, first, {}, Device::cpu(), job).size(), 1u);
  EXPECT_TRUE(hydrogen_bond_history(molecule, all, first, {}, {}, Device::cpu(), job).empty());
}

TEST(EnergyFrames, RowsAreTheNearestInTime) {
  const std::vector<double> rows{0, 1, 2, 3, 4}, frames{0, 1.9, 2.4, 10, 4.5};
  const auto found = rows_of_frames(rows, frames);
  EXPECT_EQ(found[0], 0u);
  EXPECT_EQ(found[1], 2u);
  EXPECT_EQ(found[2], 2u);
  EXPECT_FALSE(found[3].has_value());
  EXPECT_EQ(found[4], 4u);
  EXPECT_FALSE(rows_of_frames({}, frames)[0].has_value());
}

TEST(EnergyFrames, NumbersHaveFractionsBetweenFrames) {
  const std::vector<double> frames{10, 20, 40}, rows{5, 10, 15, 20, 30, 40, 41};
  const std::vector<double> found = frame_numbers(rows, frames);
  const std::vector<double> expected{NAN, 0, 0.5, 1, 1.5, 2, NAN};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(std::isnan(found[i]), std::isnan(expected[i])) << i;
    if (std::isfinite(expected[i])) {
      EXPECT_NEAR(found[i], expected[i], 1e-12);
    }
  }
  EXPECT_TRUE(frame_numbers(rows, std::vector<double>{1, 1}).empty());
}

TEST(EnergyFrames, TimesOfManyEvenFramesAreInterpolated) {
  class Counted final : public Trajectory {
   public:
    explicit Counted(double late) : late_(late) {}
    std::size_t frame_count() const override { return 1000; }
    std::size_t atom_count() const override { return 0; }
    Frame frame(std::size_t index) const override {
      ++read;
      Frame frame;
      frame.has_time = true;
      frame.time = 5 + 2 * static_cast<double>(index) + (index >= 700 ? late_ : 0);
      return frame;
    }
    mutable std::size_t read = 0;

   private:
    double late_;
  };
  Job job;
  const Counted even(0), uneven(7);
  const std::vector<double> times = frame_times(even, job);
  ASSERT_EQ(times.size(), 1000u);
  EXPECT_LT(even.read, 40u);
  for (const std::size_t i : {0, 13, 500, 999}) EXPECT_NEAR(times[i], 5 + 2 * static_cast<double>(i), 1e-9);
  EXPECT_NEAR(frame_times(uneven, job)[701], 5 + 2 * 701 + 7, 1e-12);
}

}  // namespace
}  // namespace isolume
