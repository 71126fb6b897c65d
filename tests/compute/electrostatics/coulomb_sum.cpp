// Coulomb's sums at points on every device: pairs and lattices, against the double-precision sum.
#include "compute/electrostatics/coulomb_sum/coulomb_sum.h"

#include "molecule/base/error.h"
#include "tests/compute/electrostatics/poisson_boltzmann/pb_solution.h"
#include "tests/compute/electrostatics/potential_systems.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

class CoulombSums : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(CoulombSums);

struct Found {
  std::vector<double> potential;
  std::vector<glm::dvec3> gradients;
};

glm::dvec3 corner(std::span<const PointCharge> charges, bool upper) {
  glm::dvec3 at(charges.front().position);
  for (const PointCharge& c : charges)
    at = upper ? glm::max(at, glm::dvec3(c.position)) : glm::min(at, glm::dvec3(c.position));
  return at;
}

Found sums(std::span<const PointCharge> charges, std::span<const glm::dvec3> points, Device device) {
  Found found{std::vector<double>(points.size()), std::vector<glm::dvec3>(points.size())};
  Job job;
  CoulombSum({charges.begin(), charges.end()}, corner(charges, false), corner(charges, true), device)
      .at(points, found.potential, found.gradients, job);
  return found;
}

Found reference(std::span<const PointCharge> charges, std::span<const glm::dvec3> points) {
  Found found{std::vector<double>(points.size()), std::vector<glm::dvec3>(points.size())};
  coulomb_sum_reference(charges, points, found.potential, found.gradients);
  return found;
}

/// RMS differences over RMS values, of every `step`-th point.
struct Errors {
  double potential, gradient;
};
Errors errors(std::span<const PointCharge> charges, std::span<const glm::dvec3> points, const Found& found,
              std::size_t step) {
  std::vector<glm::dvec3> some;
  for (std::size_t i = 0; i < points.size(); i += step) some.push_back(points[i]);
  const Found exact = reference(charges, some);
  double apart = 0, all = 0, slopes_apart = 0, slopes = 0;
  for (std::size_t i = 0; i < some.size(); ++i) {
    const double difference = found.potential[i * step] - exact.potential[i];
    const glm::dvec3 slope = found.gradients[i * step] - exact.gradients[i];
    apart += difference * difference;
    all += exact.potential[i] * exact.potential[i];
    slopes_apart += glm::dot(slope, slope);
    slopes += glm::dot(exact.gradients[i], exact.gradients[i]);
  }
  return {std::sqrt(apart / all), std::sqrt(slopes_apart / slopes)};
}

/// Points from 1.2 to 3 angstrom from charges, drawn evenly, as where a surface cuts edges.
std::vector<glm::dvec3> points_near(std::span<const PointCharge> charges, std::size_t count) {
  std::mt19937_64 random(3);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1.0p-53; };
  std::vector<glm::dvec3> points;
  while (points.size() < count) {
    const glm::dvec3 way(2 * uniform() - 1, 2 * uniform() - 1, 2 * uniform() - 1);
    const double length = glm::length(way);
    if (length > 1 || length < 0.1) continue;
    const auto j = static_cast<std::size_t>(uniform() * static_cast<double>(charges.size()));
    points.push_back(glm::dvec3(charges[j].position) + (1.2 + 1.8 * uniform()) / length * way);
  }
  return points;
}

/// Charges of mixed sign in a shell between two radii, with a total of `total`.
std::vector<PointCharge> shell(std::size_t count, double inner, double outer, double total) {
  std::vector<PointCharge> charges;
  for (const PointCharge& c : test::random_charges(4 * count, 2 * outer, 11)) {
    const glm::vec3 at = c.position - static_cast<float>(outer);
    const auto r = static_cast<double>(glm::length(at));
    if (r > inner && r < outer && charges.size() < count) charges.push_back({at, c.charge});
  }
  double sum = 0;
  for (const PointCharge& c : charges) sum += static_cast<double>(c.charge);
  for (PointCharge& c : charges) c.charge += static_cast<float>((total - sum) / static_cast<double>(charges.size()));
  return charges;
}

TEST_P(CoulombSums, OfFewPairsAreExact) {
  const auto charges = test::random_charges(3000, 30);
  const auto points = points_near(charges, 5000);
  ASSERT_FALSE(coulomb_sum_by_lattices(charges.size(), points.size()));
  const Errors error = errors(charges, points, sums(charges, points, GetParam()), 1);
  EXPECT_LT(error.potential, 1e-6);
  EXPECT_LT(error.gradient, 1e-5);  // places are rounded to 1e-6 angstrom
}

TEST_P(CoulombSums, OfManyPairsKeepTheirPromise) {
  const auto water = test::water_charges(56);
  auto charged = test::random_charges(20'000, 60);
  for (PointCharge& c : charged) c.charge += 0.002f;  // 40 e together
  const std::pair<const char*, std::vector<PointCharge>> systems[] = {
      {"water", water}, {"random, 40 e", charged}, {"a wide shell, -30 e", shell(20'000, 60, 75, -30)}};
  for (const auto& [name, charges] : systems) {
    ASSERT_GT(charges.size(), 12'000u) << name;
    const auto points = points_near(charges, 90'000);
    ASSERT_TRUE(coulomb_sum_by_lattices(charges.size(), points.size())) << name;
    const Found found = sums(charges, points, GetParam());
    const Errors error = errors(charges, points, found, 97);
    EXPECT_LT(error.potential, 2e-5) << name;
    EXPECT_LT(error.gradient, 2e-5) << name;
    const Found again = sums(charges, points, GetParam());
    EXPECT_EQ(again.potential, found.potential) << name;
  }
}

TEST_P(CoulombSums, OfProteinsKeepTheirPromise) {
  const std::string path = test::shared_data("structures/pqr/mache.pqr");
  ISOLUME_NEEDS(path);
  std::vector<PointCharge> charges;  // of two of them, -20 e
  for (const ChargedSphere& atom : test::read_pqr(path))
    for (const float shift : {0.0f, 90.0f}) charges.push_back({atom.position + glm::vec3(shift, 0, 0), atom.charge});
  ASSERT_GT(charges.size(), 16'000u);
  const auto points = points_near(charges, 80'000);
  ASSERT_TRUE(coulomb_sum_by_lattices(charges.size(), points.size()));
  const Errors error = errors(charges, points, sums(charges, points, GetParam()), 83);
  EXPECT_LT(error.potential, 2e-5);
  EXPECT_LT(error.gradient, 2e-5);
}

TEST_P(CoulombSums, LeaveOutAChargeThatIsOnAPoint) {
  const auto charges = test::water_charges(52);
  std::vector<glm::dvec3> points;
  while (points.size() < 100'000)
    for (const PointCharge& c : charges) points.push_back(glm::dvec3(c.position));
  ASSERT_TRUE(coulomb_sum_by_lattices(charges.size(), points.size()));
  const Errors error = errors(charges, points, sums(charges, points, GetParam()), 313);
  EXPECT_LT(error.potential, 2e-5);
  EXPECT_LT(error.gradient, 2e-5);
}

TEST_P(CoulombSums, TakePointsFarFromTheBox) {
  const auto charges = test::random_charges(15'000, 50);
  auto points = points_near(charges, 80'000);
  points.push_back({-40, 25, 25});
  points.push_back({25, 25, 130});
  const Found found = sums(charges, points, GetParam());
  const std::vector<glm::dvec3> far(points.end() - 2, points.end());
  const Found exact = reference(charges, far);
  const Found near = reference(charges, std::vector<glm::dvec3>(points.begin(), points.begin() + 500));
  double scale = 0;
  for (const double value : near.potential) scale += value * value / 500;
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(found.potential[points.size() - 2 + i], exact.potential[i], 1e-4 * std::sqrt(scale));
}

TEST_P(CoulombSums, WithoutChargesAre0) {
  const std::vector<glm::dvec3> points{{1, 2, 3}, {0, 0, 0}};
  std::vector<double> values(2, 7.0);
  Job job;
  CoulombSum({}, glm::dvec3(0), glm::dvec3(1), GetParam()).at(points, values, {}, job);
  EXPECT_EQ(values, std::vector<double>(2, 0.0));
  EXPECT_THROW(CoulombSum({}, glm::dvec3(0), glm::dvec3(1), GetParam()).at(points, std::span(values).first(1), {}, job),
               Error);
}

TEST_P(CoulombSums, AreCancelled) {
  const auto charges = test::random_charges(20'000, 60);
  const auto points = points_near(charges, 400'000);
  std::vector<double> values(points.size());
  int reports = 0;
  Job* self = nullptr;
  Job job([&](double, const std::string&) {
    ++reports;
    self->cancel();
  });
  self = &job;
  CoulombSum sum({charges.begin(), charges.end()}, glm::dvec3(0), glm::dvec3(60), GetParam());
  EXPECT_THROW(sum.at(points, values, {}, job), Error);
  EXPECT_GT(reports, 0);
}

}  // namespace
}  // namespace isolume
