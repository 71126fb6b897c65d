// Means of fields over frames, as the window makes them while frames come.
#include "app/fields/averages/running_average.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "formats/bytes/frames.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

/// Two charges of +1 and -1 whose distance is 4 + x of each frame, on the x axis; with `turn` each frame is rotated.
std::shared_ptr<const Molecule> dipoles(const std::vector<float>& x, bool turn = false) {
  auto molecule = std::make_shared<Molecule>();
  Topology topology;
  topology.atoms.resize(3);
  topology.atoms.change(0, [](Atom& atom) { atom.charge = 1; });
  topology.atoms.change(1, [](Atom& atom) { atom.charge = -1; });
  topology.atoms.change(2, [](Atom& atom) { atom.charge = 0; });
  topology.atoms.change_kinds([](Atom& kind) { kind.name = "C"; });
  topology.has_charges = true;
  topology.residues.resize(1);
  topology.chains.resize(1);
  molecule->topology = std::make_shared<const Topology>(topology);
  std::vector<Frame> frames;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Frame frame;
    frame.positions = {{0, 0, 0}, {4 + x[i], 0, 0}, {0, 3, 0}};
    if (turn) {
      const auto angle = 0.3f * static_cast<float>(i);
      for (glm::vec3& p : frame.positions)
        p = {p.x * std::cos(angle) - p.y * std::sin(angle) + angle, p.x * std::sin(angle) + p.y * std::cos(angle), p.z};
    }
    frames.push_back(std::move(frame));
  }
  molecule->trajectory = std::make_shared<MemoryTrajectory>(std::move(frames));
  return molecule;
}

Field potential_field() {
  Field field;
  field.kind = Field::Kind::potential;
  field.potential.method = PotentialMethod::direct;
  field.spacing = 1;
  return field;
}

/// The mean over frames of the two charges' potential at a point, volts.
double exact(const std::vector<float>& x, glm::dvec3 at) {
  double sum = 0;
  for (const float shift : x)
    sum += units::coulomb_volt_angstrom *
           (1 / glm::length(at) - 1 / glm::length(at - glm::dvec3(4 + static_cast<double>(shift), 0, 0)));
  return sum / static_cast<double>(x.size());
}

TEST(RunningAverage, IsTheMeanOfTheFramesSoFar) {
  const std::vector<float> x{0, 0.5f, -0.5f, 0.25f, 0.75f, -0.25f};
  const auto molecule = dipoles(x);
  RunningAverage average(potential_field(), "", Device::cpu());
  Job job;
  EXPECT_THROW(average.maps(job), Error);
  for (std::size_t n = 1; n <= x.size(); ++n) {
    average.add_next(molecule, job);
    ASSERT_EQ(average.frames(), n);
    const auto maps = average.maps(job);
    ASSERT_EQ(maps.size(), 4u);
    const Volume& mean = *maps[0];
    EXPECT_EQ(mean.unit, "V");
    EXPECT_EQ(maps[3]->unit, "V^2");
    const std::vector<float> so_far(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
    for (int k = 0; k < mean.grid.counts.z; k += 3)
      for (int i = 0; i < mean.grid.counts.x; i += 3) {
        const glm::dvec3 at = mean.grid.point(i, 0, k);
        const double expected = exact(so_far, at);
        EXPECT_NEAR(mean.values[mean.grid.index(i, 0, k)], expected, 1e-5 * std::max(1.0, std::abs(expected)));
        double squares = 0;
        for (const float shift : so_far) squares += std::pow(exact({shift}, at) - expected, 2);
        const double variance = n > 1 ? squares / static_cast<double>(n - 1) : 0;
        EXPECT_NEAR(maps[3]->values[mean.grid.index(i, 0, k)], variance, 1e-4 * std::max(0.1, variance));
      }
  }
  EXPECT_THROW(average.add_next(molecule, job), Error) << "there are no more frames";
  EXPECT_EQ(average.convergence().back().frames, x.size());
}

TEST(RunningAverage, FramesAreSuperposedOnTheFirst) {
  Job job;
  const std::vector<float> still(4, 0.0f);  // rigid, at rest or turning about another place in each frame
  RunningAverage there(potential_field(), "", Device::cpu()), turned(potential_field(), "all", Device::cpu());
  const auto straight = dipoles(still), rotating = dipoles(still, true);
  for (std::size_t n = 0; n < still.size(); ++n) {
    there.add_next(straight, job);
    turned.add_next(rotating, job);
  }
  const auto a = there.maps(job), b = turned.maps(job);
  ASSERT_EQ(a[0]->values.size(), b[0]->values.size());
  for (std::size_t i = 0; i < a[0]->values.size(); ++i)
    EXPECT_NEAR(a[0]->values[i], b[0]->values[i], 2e-4f * std::max(1.0f, std::abs(a[0]->values[i])));
  EXPECT_NE(turned.text().find("superposed on frame 0 by 3 atoms"), std::string::npos) << turned.text();
}

TEST(RunningAverage, WhatIsWithinItsErrorIsFaded) {
  // The charge of -1 jumps far to either side: near it the mean is unsure, near the other one it is not.
  std::vector<float> x;
  std::uint32_t state = 1;
  for (int i = 0; i < 200; ++i) {
    state = state * 1664525u + 1013904223u;
    x.push_back(state >> 31 ? 3.0f : -3.0f);
  }
  const auto molecule = dipoles(x);
  RunningAverage average(potential_field(), "", Device::cpu());
  Job job;
  for (std::size_t n = 0; n < x.size(); ++n) average.add_next(molecule, job);
  const auto maps = average.maps(job);
  const Grid& grid = maps[0]->grid;
  std::size_t whole = 0, gone = 0;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const float mean = maps[0]->values[i], faded = maps[1]->values[i], error = maps[2]->values[i];
    if (error < 0) {
      EXPECT_EQ(faded, 0);
    } else if (std::abs(mean) >= 4 * error) {
      EXPECT_NEAR(faded, mean, 1e-6f * std::abs(mean));
      ++whole;
    } else if (std::abs(mean) <= 2 * error) {
      EXPECT_EQ(faded, 0);
      ++gone;
    }
  }
  EXPECT_GT(whole, 0u);
  EXPECT_GT(gone, 0u);
  // Independent frames: the error falls, and one of two or so says as much as an independent one.
  const ConvergencePoint& last = average.convergence().back();
  EXPECT_EQ(last.frames, 200u);
  EXPECT_GT(last.error, 0);
  EXPECT_LT(last.inefficiency, 3);
}

TEST(RunningAverage, OthersAreRefused) {
  Field field;
  field.kind = Field::Kind::orbital;
  EXPECT_THROW(RunningAverage(field, "", Device::cpu()), Error);
  Field difference = potential_field();
  difference.minus.kind = Subtrahend::Kind::potential;
  EXPECT_THROW(RunningAverage(difference, "", Device::cpu()), Error);
  const auto molecule = dipoles({0});
  RunningAverage average(potential_field(), "name X", Device::cpu());
  Job job;
  EXPECT_THROW(average.add_next(molecule, job), Error);
  EXPECT_EQ(average.frames(), 0u);
  // A reader left out frames of other atoms.
  auto lacking = std::make_shared<Molecule>(*dipoles({0, 1}));
  warn_left_out(*lacking, {{2, 2}}, 3, "frame");
  RunningAverage fewer(potential_field(), "", Device::cpu());
  EXPECT_THROW(fewer.add_next(lacking, job), Error);
  EXPECT_EQ(fewer.frames(), 0u);
  job.cancel();
  RunningAverage cancelled(potential_field(), "", Device::cpu());
  EXPECT_THROW(cancelled.add_next(molecule, job), Error);
  EXPECT_EQ(cancelled.frames(), 0u);
}

/// One electron in an s function (exponent 0.5 bohr^-2) on the first of three atoms, which moves along x and turns.
std::shared_ptr<const Molecule> hydrogens(std::size_t count, bool turn) {
  auto molecule = std::make_shared<Molecule>();
  Topology topology;
  topology.atoms.resize(3);
  topology.atoms.change_kinds([](Atom& kind) {
    kind.name = "H";
    kind.element = 1;
  });
  topology.residues.resize(1);
  topology.chains.resize(1);
  molecule->topology = std::make_shared<const Topology>(topology);
  std::vector<Frame> frames;
  for (std::size_t f = 0; f < count; ++f) {
    const double angle = turn ? 0.4 * static_cast<double>(f) : 0, shift = turn ? 0 : 0.2 * static_cast<double>(f);
    Frame frame;
    for (const glm::dvec3 place : {glm::dvec3(1 + shift, 0, 0), glm::dvec3(0, 2, 0), glm::dvec3(0, 0, 1.5)})
      frame.positions.emplace_back(place.x * std::cos(angle) - place.y * std::sin(angle),
                                   place.x * std::sin(angle) + place.y * std::cos(angle), place.z);
    auto basis = std::make_shared<Basis>();
    Shell shell;
    shell.centre = 0;
    shell.exponents = {0.5};
    shell.coefficients = {1};
    basis->shells.push_back(shell);
    Orbitals orbitals;
    orbitals.basis = basis;
    for (const glm::vec3& place : frame.positions)
      orbitals.centres.push_back(glm::dvec3(place) * units::angstrom_in_bohr);
    orbitals.orbitals = {{-0.5, 1, Spin::alpha, {}}};
    orbitals.coefficients = {1};
    molecule->orbitals.push_back(std::make_shared<const Orbitals>(std::move(orbitals)));
    frames.push_back(std::move(frame));
  }
  molecule->trajectory = std::make_shared<MemoryTrajectory>(std::move(frames));
  return molecule;
}

TEST(RunningAverage, OfTheDensityOfElectrons) {
  Field field;
  field.kind = Field::Kind::orbital;
  field.orbital = "density";
  field.spacing = 0.5;
  Job job;
  const auto density = [](glm::dvec3 away) {  // angstrom
    away *= units::angstrom_in_bohr;
    return std::pow(1 / std::numbers::pi, 1.5) * std::exp(-glm::dot(away, away));
  };
  for (const bool turn : {false, true}) {
    const auto molecule = hydrogens(5, turn);
    RunningAverage average(field, turn ? "all" : "", Device::cpu());
    for (int f = 0; f < 5; ++f) average.add_next(molecule, job);
    const Volume mean = *average.maps(job)[0];
    EXPECT_EQ(mean.unit, "bohr^-3");
    for (int i = 0; i < mean.grid.counts.x; i += 2)
      for (int k = 0; k < mean.grid.counts.z; k += 3) {
        const glm::dvec3 at = mean.grid.point(i, mean.grid.counts.y / 2, k);
        double expected = 0;
        for (int f = 0; f < 5; ++f) expected += density(at - glm::dvec3(1 + (turn ? 0 : 0.2 * f), 0, 0)) / 5;
        EXPECT_NEAR(mean.values[mean.grid.index(i, mean.grid.counts.y / 2, k)], expected, 1e-6) << turn;
      }
  }
  field.orbital = "homo";
  EXPECT_FALSE(can_be_averaged(field));
  EXPECT_THROW(RunningAverage(field, "", Device::cpu()), Error) << "its sign is arbitrary";
  field.orbital = "density";
  auto lone = std::make_shared<Molecule>(*hydrogens(3, false));
  lone->orbitals.resize(1);
  RunningAverage average(field, "", Device::cpu());
  average.add_next(lone, job);
  EXPECT_THROW(average.add_next(lone, job), Error) << "the orbitals of another geometry";
}

}  // namespace
}  // namespace isolume
