// Solvent-accessible area: caps of spheres, the reference, and what another program finds for a protein.
#include "compute/analysis/sasa.h"

#include <fstream>
#include <sstream>

#include "tests/compute/base/devices.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using namespace test;
using SolventAccessibleArea = OnDevice;
ISOLUME_ON_EVERY_DEVICE(SolventAccessibleArea);

constexpr double pi = 3.14159265358979323846;

std::vector<float> areas_of(Device device, const std::vector<SasaAtom>& atoms, const SasaOptions& options) {
  Job job;
  return on_device<float>(device, atoms.size(),
                          [&](Span<float> areas) { solvent_accessible_area(atoms, options, areas, job); });
}

TEST(SpherePoints, are_spread_evenly) {
  for (const int count : {12, 100, 960, 5000}) {
    const std::vector<glm::dvec3> points = sphere_points(count);
    ASSERT_EQ(points.size(), static_cast<std::size_t>(count));
    glm::dvec3 sum(0);
    for (const glm::dvec3& p : points) {
      ASSERT_NEAR(glm::length(p), 1, 1e-12);
      sum += p;
    }
    EXPECT_LT(glm::length(sum) / count, 1.0 / count);
    // Any cap holds its share of the points, to a few of them.
    for (const glm::dvec3& axis : {glm::dvec3(1, 0, 0), glm::dvec3(0, 1, 0), glm::dvec3(0.6, 0, 0.8)}) {
      for (const double height : {0.3, 0.8, 1.3}) {
        double inside = 0;
        for (const glm::dvec3& p : points) inside += glm::dot(p, axis) > 1 - height;
        EXPECT_NEAR(inside, height / 2 * count, 1.5 + 0.5 * std::sqrt(static_cast<double>(count)) / 2) << count;
      }
    }
  }
}

TEST_P(SolventAccessibleArea, of_one_atom_is_that_of_its_sphere) {
  const std::vector<float> areas = areas_of(GetParam(), {{{1, 2, 3}, 1.7f}}, {1.4f, 100});
  EXPECT_NEAR(areas[0], 4 * pi * 3.1 * 3.1, 1e-4);
}

TEST_P(SolventAccessibleArea, of_two_atoms_loses_the_caps) {
  const double ra = 1.9 + 1.4, rb = 1.2 + 1.4, d = 3.7;
  const std::vector<float> areas = areas_of(GetParam(), {{{0, 0, 0}, 1.9f}, {{2.22f, 0, 2.96f}, 1.2f}}, {1.4f, 20000});
  const double along = (d * d + ra * ra - rb * rb) / (2 * d);  // of the plane of the circle, from the first
  // The points in a cap differ from its share by up to about points^(1/4), whatever the set (Beck 1984).
  const double off = std::pow(20000, 0.25) / 20000 * 4 * pi;
  EXPECT_NEAR(areas[0], 2 * pi * ra * (ra + along), off * ra * ra);
  EXPECT_NEAR(areas[1], 2 * pi * rb * (rb + (d - along)), off * rb * rb);
}

TEST_P(SolventAccessibleArea, counts_the_points_of_the_reference) {
  Random random(3);
  for (const std::size_t count : {0, 1, 2, 33, 500}) {
    std::vector<SasaAtom> atoms;
    for (std::size_t i = 0; i < count; ++i)
      atoms.push_back({glm::vec3(random.in_box(-9, 9)), static_cast<float>(random(0.5, 2.2))});
    for (const int points : {12, 100, 960, 5000}) {
      const SasaOptions options{1.4f, points};
      std::vector<double> expected(count);
      solvent_accessible_area_reference(atoms, options, expected);
      const std::vector<float> areas = areas_of(GetParam(), atoms, options);
      std::size_t different = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const double radius = static_cast<double>(atoms[i].radius) + 1.4;
        const double one = 4 * pi * radius * radius / points;
        const double off = std::abs(static_cast<double>(areas[i]) - expected[i]) / one;
        ASSERT_LT(off, 1.01) << i;  // a point within rounding of a sphere
        different += off > 0.5;
      }
      EXPECT_LE(different, 1 + count * static_cast<std::size_t>(points) / 100'000);
    }
  }
}

TEST_P(SolventAccessibleArea, of_an_atom_inside_another_is_nothing) {
  const std::vector<float> areas = areas_of(GetParam(), {{{0, 0, 0}, 3.0f}, {{0.2f, 0, 0}, 1.0f}}, {1.4f, 960});
  EXPECT_NEAR(areas[0], 4 * pi * 4.4 * 4.4, 1e-3);
  EXPECT_EQ(areas[1], 0);
}

TEST_P(SolventAccessibleArea, refuses_what_makes_no_sense) {
  const Device device = GetParam();
  EXPECT_THROW(areas_of(device, {{{0, 0, 0}, 0.0f}}, {}), Error);
  EXPECT_THROW(areas_of(device, {{{0, 0, INFINITY}, 1.0f}}, {}), Error);
  EXPECT_THROW(areas_of(device, {{{0, 0, 0}, 1.0f}}, {-1.0f, 960}), Error);
  EXPECT_THROW(areas_of(device, {{{0, 0, 0}, 1.0f}}, {1.4f, 3}), Error);
}

// Crambin with FreeSASA's radii and its areas: where they are from is in the file.
TEST_P(SolventAccessibleArea, agrees_with_freesasa) {
  const std::string path = data("sasa_1crn_freesasa.csv");
  ISOLUME_NEEDS(path);
  std::ifstream file(path);
  std::vector<SasaAtom> atoms;
  std::vector<double> expected;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#' || line[0] == 'x') continue;
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream in(line);
    double x = 0, y = 0, z = 0, radius = 0, area = 0;
    in >> x >> y >> z >> radius >> area;
    atoms.push_back({{x, y, z}, static_cast<float>(radius)});
    expected.push_back(area);
  }
  ASSERT_EQ(atoms.size(), 327u);
  const std::vector<float> areas = areas_of(GetParam(), atoms, {1.4f, 5000});
  double total = 0, expected_total = 0, largest = 0;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    total += static_cast<double>(areas[i]);
    expected_total += expected[i];
    largest = std::max(largest, std::abs(static_cast<double>(areas[i]) - expected[i]));
  }
  EXPECT_NEAR(total, expected_total, 2e-4 * expected_total);
  EXPECT_LT(largest, 0.25);  // angstrom^2, of an atom
}

}  // namespace
}  // namespace isolume
