// Probes of a molecule over frames: places, contributions by the formula, what is kept, refusals.
#include "compute/over_time/probing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/frames.h"
#include "molecule/trajectory.h"

namespace isolume {
namespace {

constexpr double charges[] = {0.5, -0.5, 1, -0.8};

std::vector<glm::dvec3> places(std::size_t frame) {
  return {{0, 0, 0}, {1.5, 0, 0}, {6 + 0.5 * static_cast<double>(frame), 1, 0}, {-5, 3, 0}};
}

/// Four charges of three residues in two chains; the third one moves away.
std::shared_ptr<const Molecule> ions(std::size_t frames) {
  TopologyBuilder builder;
  constexpr const char* residues[] = {"LIG", "LIG", "ALA", "LYS"};
  constexpr int numbers[] = {1, 1, 2, 3};
  for (std::size_t i = 0; i < 4; ++i) {
    Atom atom;
    atom.name = std::string(1, "COND"[i]);
    atom.element = 6;
    atom.charge = static_cast<float>(charges[i]);
    builder.add(atom, residues[i], numbers[i], ' ', i < 3 ? "A" : "B");
  }
  builder.topology().has_charges = true;
  auto molecule = std::make_shared<Molecule>();
  molecule->topology = std::make_shared<const Topology>(builder.finish());
  std::vector<Frame> all(frames);
  for (std::size_t f = 0; f < frames; ++f)
    for (const glm::dvec3& place : places(f)) all[f].positions.emplace_back(place);
  molecule->trajectory = std::make_shared<const MemoryTrajectory>(std::move(all));
  return molecule;
}

ProbeRequest request_for(std::shared_ptr<const Molecule> molecule, ShareBy by = ShareBy::residue) {
  const Topology& topology = *molecule->topology;
  ProbeRequest request;
  request.charges = molecule_charges(*molecule, frame_at(*molecule, 0), "all");
  request.method = DirectOptions{};
  request.places = {{"0", {}, {1, 2, 3}, false},
                    probe_at_atom(topology, 3),
                    probe_at_bond(topology, 0, 1),
                    probe_at_residue(topology, 0)};
  request.by = by;
  request.molecule = std::move(molecule);
  return request;
}

/// Volts, and volts per angstrom, of some of the charges.
GroupShare formula(std::size_t frame, glm::dvec3 at, const std::vector<std::size_t>& atoms) {
  GroupShare share;
  for (const std::size_t i : atoms) {
    const glm::dvec3 d = at - places(frame)[i];
    const double r = glm::length(d);
    if (r < 1e-3) continue;
    share.potential += units::coulomb_volt_angstrom * charges[i] / r;
    share.field += units::coulomb_volt_angstrom * charges[i] / (r * r * r) * d;
  }
  return share;
}

TEST(Probing, SharesAreThoseOfTheFormulaInEveryFrame) {
  const Probing probing(request_for(ions(5)));
  ASSERT_EQ(probing.groups().names, (std::vector<std::string>{"A/LIG1", "A/ALA2", "B/LYS3"}));
  EXPECT_EQ(probing.places()[2].name, "A/LIG1:C-O");
  EXPECT_TRUE(probing.have_bonds());
  const std::vector<std::vector<std::size_t>> groups{{0, 1}, {2}, {3}, {0, 1, 2, 3}};
  const glm::dvec3 points[] = {{1, 2, 3}, {-5, 3, 0}, {0.75, 0, 0}, {0.75, 0, 0}};
  Job job;
  for (std::size_t f = 0; f < 5; ++f) {
    const ProbeShares found = probing.shares_of(f, job);
    ASSERT_EQ(found.values.size(), 4 * 4 * share_numbers);
    for (std::size_t p = 0; p < 4; ++p)
      for (std::size_t g = 0; g < 4; ++g) {
        const double* v = &found.values[(p * 4 + g) * share_numbers];
        const GroupShare expected = formula(f, points[p], groups[g]);
        EXPECT_NEAR(v[0], expected.potential, 2e-5) << f << p << g;
        for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(v[1 + axis], expected.field[axis], 2e-5) << f << p << g;
        EXPECT_NEAR(v[4], p == 2 ? expected.field.x : 0, 2e-5) << "along the bond, which is along x";
      }
  }
}

TEST(Probing, ASeriesKeepsSharesAsFarAsTheyHaveRoom) {
  const Probing probing(request_for(ions(6), ShareBy::chain));
  ASSERT_EQ(probing.groups().names, (std::vector<std::string>{"A", "B"}));
  Job job;
  const ProbeSeries all = probe_series(probing, {1, 3, 5}, 3 * 4 * 2 * sizeof(float), job);
  ASSERT_EQ(all.totals.size(), 3 * 4 * share_numbers);
  ASSERT_EQ(all.shares.size(), std::size_t{3 * 4 * 2});
  for (std::size_t i = 0; i < 3; ++i) {
    const ProbeShares one = probing.shares_of(all.frames[i], job);
    for (std::size_t p = 0; p < 4; ++p) {
      EXPECT_EQ(all.totals[(i * 4 + p) * share_numbers], one.values[(p * 3 + 2) * share_numbers]);
      for (std::size_t g = 0; g < 2; ++g)
        EXPECT_EQ(all.shares[(i * 4 + p) * 2 + g], static_cast<float>(one.values[(p * 3 + g) * share_numbers]));
    }
  }
  const ProbeSeries totals = probe_series(probing, {1, 3, 5}, 3 * 4 * 2 * sizeof(float) - 1, job);
  EXPECT_TRUE(totals.shares.empty());
  EXPECT_EQ(totals.totals, all.totals);
  Job stopped;
  stopped.cancel();
  EXPECT_THROW(probe_series(probing, {0}, 1000, stopped), Error);
}

TEST(Probing, TheTableHasALineForEachGroupAndTheTotal) {
  const Probing probing(request_for(ions(2)));
  Job job;
  std::ostringstream out;
  write_probe_table(out, probing, "V", job);
  std::istringstream lines(out.str());
  std::vector<std::string> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(line);
  ASSERT_EQ(rows.size(), std::size_t{1 + 2 * 4 * 4});
  EXPECT_EQ(rows[0],
            "frame,probe,group,potential (V),field x (V/A),field y (V/A),field z (V/A),field along bond (V/A)");
  EXPECT_TRUE(rows[4].starts_with("0,0,total,") && rows[4].ends_with(',')) << rows[4];
  EXPECT_TRUE(rows[17].starts_with("1,0,A/LIG1,")) << rows[17];
}

TEST(Probing, GradientsStandBehindTheFieldAndAddUp) {
  ProbeRequest request = request_for(ions(3));
  request.gradient = true;
  request.factor = 2;
  const Probing probing(request);
  ASSERT_EQ(probing.numbers(), share_numbers + 6);
  Job job;
  const std::vector<std::vector<std::size_t>> groups{{0, 1}, {2}, {3}, {0, 1, 2, 3}};
  const glm::dvec3 points[] = {{1, 2, 3}, {-5, 3, 0}, {0.75, 0, 0}, {0.75, 0, 0}};
  constexpr int axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  constexpr double h = 1e-3;
  for (std::size_t f = 0; f < 3; ++f) {
    const ProbeShares found = probing.shares_of(f, job);
    ASSERT_EQ(found.values.size(), 4 * 4 * probing.numbers());
    for (std::size_t p = 0; p < 4; ++p)
      for (std::size_t g = 0; g < 4; ++g) {
        const double* v = &found.values[(p * 4 + g) * probing.numbers()];
        EXPECT_NEAR(v[0], 2 * formula(f, points[p], groups[g]).potential, 4e-5);
        for (std::size_t n = 0; n < 6; ++n) {
          if (p == 1 && (g == 2 || g == 3)) continue;  // on the atom itself, which differences see
          glm::dvec3 step(0);
          step[axes[n][1]] = h;
          const double slope = (formula(f, points[p] + step, groups[g]).field[axes[n][0]] -
                                formula(f, points[p] - step, groups[g]).field[axes[n][0]]) /
                               (2 * h);
          EXPECT_NEAR(v[share_numbers + n], 2 * slope, 1e-4 * std::max(1.0, std::abs(slope))) << f << p << g << n;
        }
      }
  }
  std::ostringstream out;
  write_probe_table(out, probing, "V", job);
  EXPECT_TRUE(
      out.str().starts_with("frame,probe,group,potential (V),field x (V/A),field y (V/A),field z (V/A),field "
                            "along bond (V/A),gradient xx (V/A^2),gradient yy (V/A^2),gradient zz (V/A^2),"
                            "gradient xy (V/A^2),gradient xz (V/A^2),gradient yz (V/A^2)\n"))
      << out.str().substr(0, 300);
  request.method = CutoffOptions{};
  EXPECT_THROW(Probing{request}, Error);
}

TEST(Probing, AFarResidueActsByItsChargeUnderHcp) {
  ProbeRequest request = request_for(ions(3));
  HcpMethod method;
  method.hcp.thresholds = {15, HcpOptions::never, HcpOptions::never};
  method.parts = charge_parts(*request.molecule->topology, request.charges.atoms);
  request.method = method;
  request.places = {{"0", {}, {40, 2, 3}, false}};
  const Probing probing(request);
  Job job;
  for (std::size_t f = 0; f < 3; ++f) {
    const ProbeShares found = probing.shares_of(f, job);
    // The first residue is a dipole without a charge, the others are one atom each.
    EXPECT_NEAR(found.values[0], 0, 1e-12);
    double sum = 0;
    for (std::size_t g = 1; g < 3; ++g) {
      const double expected = formula(f, {40, 2, 3}, {g + 1}).potential;
      sum += expected;
      EXPECT_NEAR(found.values[g * share_numbers], expected, 2e-5) << f << g;
    }
    EXPECT_NEAR(found.values[3 * share_numbers], sum, 2e-5);
  }
}

TEST(Probing, RefusesWhatDoesNotAddUpOrIsNotThere) {
  const auto molecule = ions(1);
  EXPECT_THROW(probe_at_atom(*molecule->topology, 4), Error);
  EXPECT_THROW(probe_at_bond(*molecule->topology, 2, 2), Error);
  EXPECT_THROW(probe_at_residue(*molecule->topology, 3), Error);
  ProbeRequest request = request_for(molecule);
  request.method = GeneralisedBornOptions{};
  EXPECT_THROW(Probing{request}, Error);
  request.method = SpmeMethod{{}, Cell{glm::dmat3(20.0)}};
  const Probing periodic(request);
  Job job;
  EXPECT_THROW(periodic.shares_of(0, job), Error) << "the frame has no cell";
}

}  // namespace
}  // namespace isolume
