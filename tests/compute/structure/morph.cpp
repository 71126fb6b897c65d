// Morphs: rigid motions are followed along their screws, bonds keep their lengths, ends are exact.
#include "compute/structure/morph.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <random>

#include "molecule/base/error.h"

namespace isolume {
namespace {

using Bonds = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// A chain of bonds of 1.5 angstrom that winds through `from` onwards.
std::vector<glm::dvec3> chain(std::size_t count, glm::dvec3 from, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<glm::dvec3> places{from};
  while (places.size() < count)
    places.push_back(places.back() +
                     1.5 * glm::normalize(glm::dvec3(1.5 + normal(engine), normal(engine), normal(engine))));
  return places;
}

Bonds bonds_of(std::size_t count) {
  Bonds bonds;
  for (std::uint32_t i = 1; i < count; ++i) bonds.emplace_back(i - 1, i);
  return bonds;
}

// Two bodies of 30 atoms; the second turns by 100 degrees about an axis through the joint. At t it has turned by
// 100 t degrees.
TEST(Morph, AHingeTurnsAtAnEvenRate) {
  const std::vector<glm::dvec3> start = chain(60, {0, 0, 0}, 4);
  const glm::dvec3 joint = 0.5 * (start[29] + start[30]), axis = glm::normalize(start[30] - start[29]);
  const auto turned = [&](double degrees) {
    std::vector<glm::dvec3> places = start;
    for (std::size_t i = 30; i < 60; ++i)
      places[i] = joint + glm::angleAxis(glm::radians(degrees), axis) * (start[i] - joint);
    return places;
  };
  // The end is elsewhere as a whole, which superposition undoes.
  std::vector<glm::dvec3> end = turned(100);
  for (glm::dvec3& place : end) place = glm::angleAxis(2.0, glm::normalize(glm::dvec3(1, 2, -1))) * place + 40.0;
  Job job;
  const Morph morph(start, end, {}, bonds_of(60), {}, {}, job);
  ASSERT_EQ(morph.domains(), 2u);
  EXPECT_EQ(morph.core_size(0) + morph.core_size(1), 60u);
  // One body stays where the superposition leaves it: the first or the second.
  const bool first = std::abs(morph.turn(0)) < 1e-3 && glm::distance(morph.at(1, job).places[0], start[0]) < 1e-6;
  for (const double t : {0.0, 0.25, 0.5, 0.9, 1.0}) {
    const MorphFrame frame = morph.at(t, job);
    EXPECT_LE(frame.bond_error, 0.005 + 1e-12) << t;
    const std::vector<glm::dvec3> expected = turned(100 * t);
    double worst = 0;
    for (std::size_t i = 0; i < 60; ++i)
      for (std::size_t k = 0; k < 60; ++k)
        worst = std::max(
            worst, std::abs(glm::distance(frame.places[i], frame.places[k]) - glm::distance(expected[i], expected[k])));
    EXPECT_LT(worst, 0.05) << t << ' ' << first;
  }
}

TEST(Morph, AScrewIsFollowedExactly) {
  // The whole stays together, so superposition leaves nothing to do: places do not move.
  const std::vector<glm::dvec3> start = chain(40, {1, 2, 3}, 9);
  std::vector<glm::dvec3> end = start;
  for (glm::dvec3& place : end) place = glm::angleAxis(2.5, glm::dvec3(0, 0, 1)) * place + glm::dvec3(3, -4, 5);
  Job job;
  const Morph morph(start, end, {}, bonds_of(40), {}, {}, job);
  ASSERT_EQ(morph.domains(), 1u);
  for (const double t : {0.3, 1.0})
    for (std::size_t i = 0; i < 40; ++i) EXPECT_LT(glm::distance(morph.at(t, job).places[i], start[i]), 1e-9);
}

TEST(Morph, LinearIsTheMean) {
  const std::vector<glm::dvec3> start = chain(20, {0, 0, 0}, 2);
  std::vector<glm::dvec3> end = start;
  for (std::size_t i = 15; i < 20; ++i) end[i] += glm::dvec3(0, 6, 0);
  Job job;
  const Morph morph(start, end, {}, {}, {}, {.method = MorphMethod::linear}, job);
  const auto half = morph.at(0.5, job).places, last = morph.at(1, job).places;
  for (std::size_t i = 0; i < 20; ++i) EXPECT_LT(glm::distance(half[i], 0.5 * (start[i] + last[i])), 1e-12);
  EXPECT_EQ(morph.at(0, job).places, start);
}

// Ends that share nothing but their bonds: lengths are still those in between.
TEST(Morph, BondsKeepTheirLengths) {
  const std::vector<glm::dvec3> start = chain(50, {0, 0, 0}, 11), end = chain(50, {0, 0, 0}, 12);
  Job job;
  const Morph rigid(start, end, {}, bonds_of(50), {}, {}, job);
  const Morph linear(start, end, {}, bonds_of(50), {}, {.method = MorphMethod::linear}, job);
  EXPECT_LT(rigid.at(0.5, job).bond_error, 0.05);
  EXPECT_GT(linear.at(0.5, job).bond_error, 0.2);
  EXPECT_THROW(Morph(start, chain(49, {}, 1), {}, {}, {}, {}, job), Error);
  EXPECT_THROW(Morph(start, end, {50}, {}, {}, {}, job), Error);
  EXPECT_THROW(Morph(start, end, {}, Bonds{{0, 50}}, {}, {}, job), Error);
}

}  // namespace
}  // namespace isolume
