// isolume compute potential --at as a process: every method at points against closed forms, and field vectors.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <glm/glm.hpp>
#include <sstream>

#include "molecule/base/units.h"
#include "tests/app/cli/ion_files.h"
#include "tests/app/cli/program.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::Folder;
using test::pqr;
using test::run;
using test::volt_angstrom;

// Values at (3,0,0) and (0,0,8) of charges 1 at the origin and -2 at (4,0,0).
std::vector<double> at_points(std::vector<std::string> words) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", pqr({{0, 0, 0, 1}, {4, 0, 0, -2}}));
  test::write_text(folder / "points.csv", "3,0,0\n0,0,8\n");
  words.insert(words.begin(), {"compute", "potential", folder / "ions.pqr", "--at", folder / "points.csv"});
  const auto outcome = run(words);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return test::numbers(outcome.out);
}

const double far_r = std::sqrt(80.0);  // from (4,0,0) to (0,0,8)

TEST(PotentialAt, UnitsAndConstantDielectric) {
  const double expected = volt_angstrom * (1.0 / 8 - 2.0 / far_r);
  EXPECT_NEAR(at_points({})[1], expected, 1e-6);
  EXPECT_NEAR(at_points({"--dielectric", "constant:4"})[1], expected / 4, 1e-6);
  EXPECT_NEAR(at_points({"--unit", "kcal/mol/e"})[1], expected * 23.06055, 1e-4);
  EXPECT_NEAR(at_points({"--unit", "kT/e", "--temperature", "298.15"})[1], expected / 0.02569258, 1e-4);
}

TEST(PotentialAt, SigmoidalDielectric) {
  const auto eps = [](double r) {
    const double x = 0.16 * r;
    return 78 - 77.0 / 2 * (x * x + 2 * x + 2) * std::exp(-x);
  };
  const auto values = at_points({"--dielectric", "sigmoidal"});
  EXPECT_NEAR(values[0], volt_angstrom * (1 / (3 * eps(3)) - 2 / (1 * eps(1))), 1e-6);
  EXPECT_NEAR(values[1], volt_angstrom * (1 / (8 * eps(8)) - 2 / (far_r * eps(far_r))), 1e-6);
}

TEST(PotentialAt, Cutoffs) {
  const auto plain = at_points({"--method", "cutoff", "--cutoff", "8.5", "--form", "plain"});
  EXPECT_NEAR(plain[0], volt_angstrom * (1.0 / 3 - 2), 1e-6);
  EXPECT_NEAR(plain[1], volt_angstrom / 8, 1e-6);  // the other charge is 8.9 away
  const auto shifted = at_points({"--method", "cutoff", "--cutoff", "10"});
  const auto shift = [](double r) { return std::pow(1 - r * r / 100, 2) / r; };
  EXPECT_NEAR(shifted[0], volt_angstrom * (shift(3) - 2 * shift(1)), 1e-6);
  EXPECT_NEAR(shifted[1], volt_angstrom * (shift(8) - 2 * shift(far_r)), 1e-6);
}

TEST(PotentialAt, DebyeHueckel) {
  // kappa = sqrt(2 e^2 N_A I / (eps0 eps k T)) of the physical constants.
  const double kappa = 1e-10 * std::sqrt(2 * std::pow(1.602176634e-19, 2) * 6.02214076e23 * 100 /
                                         (8.8541878128e-12 * 80 * 1.380649e-23 * 300));
  const auto v = [&](double q, double r) {
    return volt_angstrom * q / (80 * r) * std::exp(-kappa * (r - 1.5)) / (1 + kappa * 1.5);
  };
  const auto values = at_points(
      {"--method", "debye-hueckel", "--ionic-strength", "0.1", "--temperature", "300", "--solvent-dielectric", "80"});
  EXPECT_NEAR(values[0], v(1, 3) + v(-2, 1), 1e-6);
  EXPECT_NEAR(values[1], v(1, 8) + v(-2, far_r), 1e-7);
  const auto points =
      at_points({"--method", "debye-hueckel", "--ionic-strength", "0", "--solvent-dielectric", "2", "--radii", "zero"});
  EXPECT_NEAR(points[1], volt_angstrom / 2 * (1.0 / 8 - 2.0 / far_r), 1e-6);
}

// APBS 3.4.1's boundary mdh (tests/bench/peers/apbs_mdh.py).
TEST(PotentialAt, DebyeHueckelIsTheMultipleDebyeHueckelOfApbs) {
  const Folder folder;
  std::istringstream lines(test::read_text(test::data("potential/apbs_mdh_faces.csv")));
  std::string points;
  std::vector<double> expected;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) continue;
    const std::size_t comma = line.rfind(',');
    points += line.substr(0, comma) + "\n";
    expected.push_back(std::stod(line.substr(comma + 1)));
  }
  ASSERT_GT(expected.size(), 400u);
  test::write_text(folder / "points.csv", points);
  const auto outcome = run({"compute", "potential", test::data("potential/spheres.pqr"), "--method", "debye-hueckel",
                            "--unit", "kT/e", "--at", folder / "points.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<double> values = test::numbers(outcome.out);
  ASSERT_EQ(values.size(), expected.size());
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    worst = std::max(worst, std::abs(values[i] - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
  }
  EXPECT_LT(worst, 1e-5 * largest);
}

// V, Ex, Ey, Ez in each line.
std::vector<std::array<double, 4>> vectors(const std::string& text) {
  std::vector<std::array<double, 4>> result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::array<double, 4> values{};
    for (double& value : values) {
      words >> value;
      words.ignore(1);
    }
    result.push_back(values);
  }
  return result;
}

TEST(PotentialAt, FieldVectorsOfEveryMethodAreThoseOfTheDirectSum) {
  // Some dozen ions; at the points V and E of Coulomb's law.
  std::vector<std::array<double, 4>> ions;
  for (int i = 0; i < 24; ++i)
    ions.push_back({std::fmod(7.3 * i, 19.0), std::fmod(5.1 * i, 17.0), std::fmod(3.7 * i, 18.0), i % 2 ? -1.0 : 1.0});
  const std::vector<glm::dvec3> points{{3.5, 2.5, 8.5}, {9.1, 9.3, 9.7}, {15.5, 3.25, 12.75}, {-2, -3, 21}};
  const Folder folder;
  test::write_text(folder / "ions.pqr", pqr(ions));
  std::string text;
  for (const glm::dvec3& p : points) text += fmt::format("{},{},{}\n", p.x, p.y, p.z);
  test::write_text(folder / "points.csv", text);
  double scale = 0, field_scale = 0;
  std::vector<std::array<double, 4>> expected;
  for (const glm::dvec3& p : points) {
    std::array<double, 4> sum{};
    for (const auto& ion : ions) {
      const glm::dvec3 d = p - glm::dvec3(ion[0], ion[1], ion[2]);
      const double r = glm::length(d);
      sum[0] += volt_angstrom * ion[3] / r;
      for (int axis = 0; axis < 3; ++axis)
        sum[static_cast<std::size_t>(axis) + 1] += volt_angstrom * ion[3] * d[axis] / (r * r * r);
    }
    expected.push_back(sum);
    scale = std::max(scale, std::abs(sum[0]));
    field_scale = std::max(field_scale, glm::length(glm::dvec3(sum[1], sum[2], sum[3])));
  }
  // Positions in the file have three digits, and the sums are of them: what is left is the method's own error.
  struct Case {
    std::vector<std::string> words;
    double tolerance;
  };
  const std::vector<Case> cases{
      {{"--method", "direct"}, 1e-6},
      {{"--method", "cutoff", "--form", "plain", "--cutoff", "90"}, 1e-6},
      {{"--method", "debye-hueckel", "--ionic-strength", "0", "--solvent-dielectric", "1", "--radii", "zero"}, 1e-6},
      {{"--method", "hcp"}, 1e-6},
      {{"--method", "msm", "--accuracy", "1e-4"}, 2e-3},
      {{"--method", "msm", "--cutoff", "8", "--lattice-spacing", "1", "--degree", "7", "--smoothing", "4"}, 1e-3}};
  for (const Case& c : cases) {
    std::vector<std::string> words{"compute", "potential", folder / "ions.pqr", "--at", folder / "points.csv",
                                   "--field", "--report",  folder / "r.json"};
    words.insert(words.end(), c.words.begin(), c.words.end());
    const auto outcome = run(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto found = vectors(outcome.out);
    ASSERT_EQ(found.size(), points.size()) << outcome.out;
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_NEAR(found[i][0], expected[i][0], c.tolerance * scale) << c.words[1];
      for (std::size_t k = 1; k < 4; ++k)
        EXPECT_NEAR(found[i][k], expected[i][k], c.tolerance * field_scale) << c.words[1];
    }
    const auto report = test::read_json(folder / "r.json");
    EXPECT_EQ(report["result"]["field_unit"], "V/A");
    if (c.words[1] == "msm") {
      EXPECT_LE(report["error"]["relative"].get<double>(), c.tolerance);
    }
  }
}

TEST(PotentialAt, OfPeriodicMethodsIsMadelungs) {
  // Rock salt, neighbours 2.82 apart: V at an ion by Madelung's constant, and no field there by symmetry.
  std::vector<std::array<double, 4>> ions;
  for (int n = 0; n < 64; ++n) {
    const int x = n % 4, y = n / 4 % 4, z = n / 16;
    ions.push_back({2.82 * x, 2.82 * y, 2.82 * z, (x + y + z) % 2 ? -1.0 : 1.0});
  }
  const Folder folder;
  test::write_text(folder / "salt.pqr", pqr(ions, "CRYST1   11.280   11.280   11.280  90.00  90.00  90.00 P 1\n"));
  test::write_text(folder / "points.csv", "0,0,0\n2.82,0,0\n1.41,1.41,1.41\n");
  const double madelung = 1.7475645946 * volt_angstrom / 2.82;
  for (const std::vector<std::string>& method :
       {std::vector<std::string>{"--method", "spme", "--cutoff", "5.5", "--order", "8", "--mesh-spacing", "0.4"},
        std::vector<std::string>{"--method", "msm", "--periodic", "xyz", "--cutoff", "6", "--lattice-spacing", "0.7",
                                 "--degree", "7", "--smoothing", "4"}}) {
    std::vector<std::string> words{"compute", "potential",           folder / "salt.pqr",
                                   "--at",    folder / "points.csv", "--field"};
    words.insert(words.end(), method.begin(), method.end());
    const auto outcome = run(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto found = vectors(outcome.out);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_NEAR(found[0][0], -madelung, 2e-4 * madelung) << method[1];
    EXPECT_NEAR(found[1][0], madelung, 2e-4 * madelung) << method[1];
    EXPECT_NEAR(found[2][0], 0, 2e-4 * madelung) << method[1];
    for (std::size_t k = 1; k < 4; ++k) EXPECT_NEAR(found[0][k], 0, 5e-4 * madelung) << method[1];
  }
}

}  // namespace
}  // namespace isolume
