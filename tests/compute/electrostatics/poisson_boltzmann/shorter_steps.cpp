// Steps that an error asks for: errors of a known order, and ends of the search.
#include "compute/electrostatics/poisson_boltzmann/shorter_steps.h"

#include <gtest/gtest.h>

#include <cmath>

namespace isolume {
namespace {

TEST(ShorterSteps, reach_a_tolerance_by_the_order_of_the_errors) {
  for (const double order : {1.0, 1.5, 2.0}) {
    const auto error = [order](double step) { return 0.04 * std::pow(step, order); };
    ShorterSteps steps(0.001);
    double step = 1;
    std::size_t tries = 0;
    while (const auto next = steps.next({step, error(step)})) {
      EXPECT_LE(*next, 0.85 * step);
      EXPECT_GE(*next, 0.4 * step - 0.001);
      step = *next;
      ++tries;
    }
    ASSERT_TRUE(steps.met()) << order;
    EXPECT_LE(error(step), 0.001);
    // Not much shorter than need be: the error is that of a step, and 15 % are kept as a margin.
    EXPECT_GT(error(step), 0.001 * 0.3) << order;
    EXPECT_EQ(steps.tries().size(), tries + 1);
  }
}

TEST(ShorterSteps, end_where_there_are_no_shorter_ones) {
  ShorterSteps at_once(0.01);
  EXPECT_FALSE(at_once.next({0.5, 0.01}).has_value());
  EXPECT_TRUE(at_once.met());
  // An error that does not fall: after eight tries, or below the shortest step.
  ShorterSteps constant(0.01);
  double step = 0.5;
  while (const auto next = constant.next({step, 0.2})) step = *next;
  EXPECT_FALSE(constant.met());
  EXPECT_GE(step, ShorterSteps::shortest);
  EXPECT_LE(constant.tries().size(), ShorterSteps::most_tries);
  ShorterSteps rising(0.01);
  ASSERT_TRUE(rising.next({0.5, 0.02}).has_value());
  EXPECT_TRUE(rising.next({0.4, 0.05}).has_value());
}

}  // namespace
}  // namespace isolume
