// Counts of distances: lattices, an ideal gas, the reference in cells of every shape, and what is refused.
#include "compute/analysis/distance_counts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compute/analysis/distance_tiles.h"
#include "compute/base/memory.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

using namespace test;
using DistanceCounts = OnDevice;
ISOLUME_ON_EVERY_DEVICE(DistanceCounts);

constexpr double pi = 3.14159265358979323846;

DistancePoints points_of(std::vector<glm::vec3>& positions, const std::vector<std::uint32_t>& groups = {}) {
  return {Span<const glm::vec3>(positions.data(), positions.size(), Device::cpu()), groups};
}

std::vector<std::uint64_t> counted(Device device, const DistancePoints& a, const DistancePoints* b, const Cell& cell,
                                   const DistanceBins& bins) {
  Job job;
  return on_device<std::uint64_t>(device, bins.count, [&](Span<std::uint64_t> counts) {
    if (b) {
      count_distances(a, *b, cell, bins, counts, job);
    } else {
      count_distances_within(a, cell, bins, counts, job);
    }
  });
}

Cell cubic(double side) {
  Cell cell;
  cell.vectors = glm::dmat3(side);
  return cell;
}

std::vector<glm::vec3> gas(std::size_t count, const Cell& cell, std::uint64_t seed, double spread = 1) {
  Random random(seed);
  std::vector<glm::vec3> points;
  for (std::size_t i = 0; i < count; ++i) points.emplace_back(cell.vectors * (spread * random.in_box(-0.5, 0.9)));
  return points;
}

/// Every number of pairs below the end of a bin is that of the reference, but for pairs within rounding of that end.
void expect_as_reference(const std::vector<std::uint64_t>& counts, const DistancePoints& a, const DistancePoints& b,
                         bool within, const Cell& cell, const DistanceBins& bins, double rounding) {
  std::vector<std::uint64_t> expected(bins.count), near(bins.count + 1, 0);
  count_distances_reference(a, b, within, cell, bins, expected);
  for (std::size_t i = 0; i < a.positions.size; ++i)
    for (std::size_t j = within ? i + 1 : 0; j < b.positions.size; ++j) {
      glm::dvec3 d = glm::dvec3(b.positions.data[j]) - glm::dvec3(a.positions.data[i]);
      if (cell.exists()) d = cell.minimum_image(d);
      const double width = bins.maximum / bins.count, r = glm::length(d);
      const double end = std::round(r / width);
      if (end <= bins.count && std::abs(end * width - r) <= rounding) ++near[static_cast<std::size_t>(end)];
    }
  std::int64_t below = 0;
  std::uint64_t all = 0;
  for (std::size_t k = 0; k < bins.count; ++k) {
    below += static_cast<std::int64_t>(counts[k]) - static_cast<std::int64_t>(expected[k]);
    all += expected[k];
    ASSERT_LE(std::abs(below), static_cast<std::int64_t>(near[k + 1])) << "pairs below the end of bin " << k;
  }
  EXPECT_GT(all, 60u) << "the test counts something";
}

TEST_P(DistanceCounts, ShellsOfALatticeHaveTheirNumbers) {
  // A simple cubic lattice of 4 angstrom, 6 x 6 x 6: 6, 12, 8, 6 and 24 neighbours at 4 sqrt(1, 2, 3, 4, 5).
  std::vector<glm::vec3> points;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < 6; ++k) points.emplace_back(4 * i, 4 * j, 4 * k);
  const DistanceBins bins{12, 120};
  const auto counts = counted(GetParam(), points_of(points), nullptr, cubic(24), bins);
  std::vector<std::uint64_t> expected(120, 0);
  const int shells[][2] = {{1, 6}, {2, 12}, {3, 8}, {4, 6}, {5, 24}, {6, 24}, {8, 12}};
  for (const auto& [square, neighbours] : shells)
    expected[static_cast<std::size_t>(4 * std::sqrt(square) * 10 + 0.01)] = 216u * unsigned(neighbours) / 2;
  for (std::size_t k = 0; k < 120; ++k) {
    // 4 and 8 angstrom are ends of bins, which rounding may put on either side.
    if (k == 39 || k == 79 || k == 40 || k == 80) continue;
    EXPECT_EQ(counts[k], expected[k]) << k;
  }
  EXPECT_EQ(counts[39] + counts[40], 216u * 3);
  EXPECT_EQ(counts[79] + counts[80], 216u * 3);
}

TEST_P(DistanceCounts, AnIdealGasIsEvenlySpread) {
  const Cell cell = cubic(60);
  Random random(5);
  std::vector<glm::vec3> points;
  for (int i = 0; i < 20000; ++i) points.emplace_back(random.in_box(0, 60));
  const DistanceBins bins{30, 60};
  const auto counts = counted(GetParam(), points_of(points), nullptr, cell, bins);
  const double pairs = 20000.0 * 19999 / 2;
  for (std::size_t k = 4; k < 60; ++k) {
    const double shell = 4 * pi / 3 * (std::pow(0.5 * double(k + 1), 3) - std::pow(0.5 * double(k), 3));
    // Pairs of independent points: the variance of the count is that of single pairs, as each two of them share at
    // most one point.
    const double expected = pairs * shell / cell.volume();
    EXPECT_NEAR(static_cast<double>(counts[k]), expected, 5 * std::sqrt(expected)) << k;
  }
}

TEST_P(DistanceCounts, AreThoseOfTheReferenceInCellsOfEveryShape) {
  const Cell cells[] = {Cell{},
                        cubic(40),
                        Cell::from_lengths_angles({31, 44, 52}, {90, 90, 90}),
                        Cell::from_lengths_angles({40, 40, 40}, {60, 60, 90}),   // rhombic dodecahedron
                        Cell::from_lengths_angles({45, 33, 38}, {72, 101, 64}),  // no right angle
                        Cell::from_lengths_angles({30, 90, 40}, {90, 90, 25})};  // b leans over three times a
  for (const Cell& cell : cells) {
    SCOPED_TRACE(glm::length(cell.vectors[1]));
    const Cell spread = cell.exists() ? cell : cubic(50);
    std::vector<glm::vec3> a = gas(1000, spread, 3, 1.7), b = gas(437, spread, 4, 1.7);
    const DistanceBins bins{std::min(0.999999 * largest_unique_distance(cell), 24.0), 131};
    const DistancePoints first = points_of(a), second = points_of(b);
    expect_as_reference(counted(GetParam(), first, nullptr, cell, bins), first, first, true, cell, bins, 3e-5);
    expect_as_reference(counted(GetParam(), first, &second, cell, bins), first, second, false, cell, bins, 3e-5);
    const DistanceBins small{4.5, 45};
    expect_as_reference(counted(GetParam(), first, nullptr, cell, small), first, first, true, cell, small, 3e-5);
  }
}

TEST_P(DistanceCounts, PairsOfOneGroupDoNotCount) {
  const Cell cell = cubic(30);
  std::vector<glm::vec3> a = gas(900, cell, 8), b = gas(600, cell, 9);
  std::vector<std::uint32_t> in_a(900), in_b(600);
  for (std::uint32_t i = 0; i < 900; ++i) in_a[i] = i / 3;
  for (std::uint32_t i = 0; i < 600; ++i) in_b[i] = i / 2;
  const DistancePoints first = points_of(a, in_a), second = points_of(b, in_b);
  const DistanceBins bins{14, 70};
  expect_as_reference(counted(GetParam(), first, nullptr, cell, bins), first, first, true, cell, bins, 3e-5);
  expect_as_reference(counted(GetParam(), first, &second, cell, bins), first, second, false, cell, bins, 3e-5);
  // A set with itself, each point a group: twice the pairs within.
  std::vector<std::uint32_t> alone(900);
  std::iota(alone.begin(), alone.end(), 0u);
  const DistancePoints named = points_of(a, alone), plain = points_of(a);
  const auto both = counted(GetParam(), named, &named, cell, bins),
             once = counted(GetParam(), plain, nullptr, cell, bins);
  const auto sum = [](const auto& v) { return std::accumulate(v.begin(), v.end(), std::uint64_t{0}); };
  EXPECT_NEAR(static_cast<double>(sum(both)), 2 * static_cast<double>(sum(once)), 2);
}

TEST_P(DistanceCounts, DoNotDependOnTheOrderOfThePoints) {
  const Cell cell = Cell::from_lengths_angles({45, 33, 38}, {72, 101, 64});
  std::vector<glm::vec3> points = gas(3000, cell, 21), turned(points.rbegin(), points.rend());
  const DistanceBins bins{10, 100};
  const auto there = counted(GetParam(), points_of(points), nullptr, cell, bins);
  const auto back = counted(GetParam(), points_of(turned), nullptr, cell, bins);
  std::int64_t below = 0;
  for (std::size_t k = 0; k < 100; ++k) {
    below += static_cast<std::int64_t>(there[k]) - static_cast<std::int64_t>(back[k]);
    EXPECT_LE(std::abs(below), 2) << "but for rounding at the end of bin " << k;
  }
  EXPECT_EQ(there, counted(GetParam(), points_of(points), nullptr, cell, bins)) << "the same points again";
}

TEST_P(DistanceCounts, FewPointsManyBinsAndNone) {
  std::vector<glm::vec3> two{{0, 0, 0}, {3.25f, 0, 0}}, none, one{{1, 1, 1}};
  std::vector<std::uint64_t> expected(8192, 0);
  expected[2662] = 1;  // 3.25 / 10 * 8192 = 2662.4
  EXPECT_EQ(counted(GetParam(), points_of(two), nullptr, {}, {10, 8192}), expected);
  // Through the face of the cell: 4 - 3.25.
  std::vector<std::uint64_t> image(10, 0);
  image[3] = 1;
  EXPECT_EQ(counted(GetParam(), points_of(two), nullptr, cubic(4), {2, 10}), image);
  const std::vector<std::uint64_t> zero(10, 0);
  EXPECT_EQ(counted(GetParam(), points_of(none), nullptr, {}, {2, 10}), zero);
  EXPECT_EQ(counted(GetParam(), points_of(one), nullptr, cubic(4), {2, 10}), zero);
  const DistancePoints other = points_of(none);
  EXPECT_EQ(counted(GetParam(), points_of(one), &other, cubic(4), {2, 10}), zero);
  // Points that lie on each other.
  std::vector<glm::vec3> crowd(100, glm::vec3(1, 2, 3));
  std::vector<std::uint64_t> all(10, 0);
  all[0] = 4950;
  EXPECT_EQ(counted(GetParam(), points_of(crowd), nullptr, cubic(40), {2, 10}), all);
  // One far away makes the box of all wide.
  crowd.emplace_back(1e6f, -1e6f, 3.0f);
  EXPECT_EQ(counted(GetParam(), points_of(crowd), nullptr, {}, {2, 10}), all);
}

TEST_P(DistanceCounts, PointsMayBeOnTheDevice) {
  const Cell cell = cubic(30);
  std::vector<glm::vec3> points = gas(2000, cell, 2);
  const DistanceBins bins{12, 60};
  const auto there = DeviceArray<glm::vec3>::from_host(points, GetParam());
  const DistancePoints resident{there.span(), {}};
  EXPECT_EQ(counted(GetParam(), resident, nullptr, cell, bins),
            counted(GetParam(), points_of(points), nullptr, cell, bins));
}

TEST_P(DistanceCounts, WhatIsRefusedIsNamed) {
  std::vector<glm::vec3> points{{0, 0, 0}, {1, 0, 0}};
  const auto message = [&](const Cell& cell, const DistanceBins& bins) -> std::string {
    try {
      counted(GetParam(), points_of(points), nullptr, cell, bins);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::usage);
      return error.what();
    }
    return "none";
  };
  EXPECT_NE(message(cubic(20), {10.1, 10}).find("beyond 10"), std::string::npos) << message(cubic(20), {10.1, 10});
  // The shortest vector of this lattice is a - b, not an edge.
  const Cell leaning = Cell::from_lengths_angles({20, 20, 30}, {90, 90, 40});
  EXPECT_NEAR(largest_unique_distance(leaning), 20 * std::sin(20 * pi / 180), 1e-9);
  EXPECT_NE(message(leaning, {8, 10}).find("more than one image"), std::string::npos);
  EXPECT_NE(message({}, {0, 10}), "none");
  EXPECT_NE(message({}, {5, 0}), "none");
  const std::uint32_t most = most_distance_bins;
  EXPECT_NE(message({}, {5, most + 1}).find("1 to " + std::to_string(most) + " bins"), std::string::npos);
  EXPECT_EQ(message({}, {5, most}), "none");
  points[1].y = std::nanf("");
  EXPECT_NE(message({}, {5, 10}).find("point 2"), std::string::npos) << message({}, {5, 10});
  EXPECT_NE(message(cubic(20), {5, 10}).find("point 2"), std::string::npos);
  const std::vector<std::uint32_t> groups{1};
  std::vector<std::uint64_t> counts(10);
  Job job;
  EXPECT_THROW(count_distances_within(points_of(points, groups), {}, {5, 10}, counts, job), Error);
}

// Bins are as many as floats tell apart: two points at a known place, and coarse bins as sums of fine ones.
TEST_P(DistanceCounts, ManyBinsAreCounted) {
  std::vector<glm::vec3> two{{0, 0, 0}, {3.25f, 0, 0}};
  const DistanceBins most{10, most_distance_bins};
  const auto found = counted(GetParam(), points_of(two), nullptr, {}, most);
  EXPECT_EQ(std::accumulate(found.begin(), found.end(), std::uint64_t{0}), 1u);
  EXPECT_EQ(found[340787], 1u);  // 3.25 / 10 * 2^20 = 340787.2
  const Cell cell = cubic(40);
  std::vector<glm::vec3> points = gas(1500, cell, 12);
  const auto fine = counted(GetParam(), points_of(points), nullptr, cell, {16, 65536});
  const auto coarse = counted(GetParam(), points_of(points), nullptr, cell, {16, 64});
  std::int64_t below = 0;
  for (std::size_t k = 0; k < 64; ++k) {
    below += std::accumulate(fine.begin() + std::ptrdiff_t(k) * 1024, fine.begin() + std::ptrdiff_t(k + 1) * 1024,
                             std::int64_t{0}) -
             static_cast<std::int64_t>(coarse[k]);
    EXPECT_LE(std::abs(below), 2) << "but for rounding at the end of bin " << k;
  }
  // A fine bin is 0.00024 angstrom: the reference within rounding of its ends.
  std::vector<glm::vec3> few(points.begin(), points.begin() + 200);
  const DistanceBins narrow{16, 65536};
  const DistancePoints set = points_of(few);
  expect_as_reference(counted(GetParam(), set, nullptr, cell, narrow), set, set, true, cell, narrow, 2e-5);
  // The last pass has fewer bins; groups and two sets.
  std::vector<std::uint32_t> groups(few.size());
  for (std::uint32_t i = 0; i < groups.size(); ++i) groups[i] = i / 3;
  std::vector<glm::vec3> others(points.begin() + 200, points.begin() + 500);
  std::vector<std::uint32_t> other_groups(others.size(), 7);
  const DistancePoints named = points_of(few, groups), second = points_of(others, other_groups);
  const DistanceBins odd{16, 20001};
  expect_as_reference(counted(GetParam(), named, nullptr, cell, odd), named, named, true, cell, odd, 2e-5);
  expect_as_reference(counted(GetParam(), named, &second, cell, odd), named, second, false, cell, odd, 2e-5);
}

// What does not fit is refused before a point is looked at: there are none here.
TEST(ManyPoints, AreRefusedByNumberAndByMemory) {
  const auto message = [](std::size_t count) -> std::string {
    const DistancePoints points{Span<const glm::vec3>(nullptr, count, Device::cpu()), {}};
    std::vector<std::uint64_t> counts(10);
    Job job;
    try {
      count_distances_within(points, {}, {5, 10}, counts, job);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_NE(message(std::size_t{1} << 32).find("the most on cpu are 4294967295"), std::string::npos);
  set_memory_limit(std::size_t{1} << 30);
  const std::string refused = message(std::size_t{1} << 27);
  set_memory_limit(0);
  EXPECT_NE(refused.find("distances: needs 6"), std::string::npos) << refused << ": 48 bytes each";
  // Four rows of 32 bits and one of 64 for each thread.
  EXPECT_EQ(distance_count_memory(0, 99, Device::cpu()), 2400u * static_cast<std::size_t>(thread_count()));
}

TEST_P(DistanceCounts, CanBeCancelled) {
  const Cell cell = cubic(200);
  std::vector<glm::vec3> points = gas(200000, cell, 6);
  expect_cancelled(GetParam(), [&](Job& job) {
    DeviceArray<std::uint64_t> counts(100, GetParam(), "test");
    count_distances_within(points_of(points), cell, {100, 100}, counts.span(), job);
  });
}

TEST(DistanceLattice, TheReducedLatticeIsTheSameLattice) {
  const Cell leaning = Cell::from_lengths_angles({30, 90, 40}, {90, 90, 25});
  const glm::dmat3 m = reduced_lattice(leaning), whole = glm::inverse(leaning.vectors) * m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(whole[i][j], std::round(whole[i][j]), 1e-9);
  EXPECT_NEAR(std::abs(glm::determinant(whole)), 1, 1e-9);
  for (int i = 0; i < 3; ++i) EXPECT_LE(glm::length(m[i]), 45.0);
}

}  // namespace
}  // namespace isolume
