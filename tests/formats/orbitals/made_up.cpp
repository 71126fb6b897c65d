// One set of orbitals in the files of every format, against values that tests/data/orbitals/make_files.py computed.
#include <cmath>
#include <fstream>
#include <sstream>

#include "molecule/quantum/solid_harmonics.h"
#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::data;

double double_factorial(int n) {
  return n <= 1 ? 1 : n * double_factorial(n - 2);
}

/// The orbital at a point (bohr), by the formulas of molecule/quantum/basis.h.
double value(const Orbitals& orbitals, std::size_t orbital, glm::dvec3 point) {
  double sum = 0;
  std::size_t function = 0;
  for (const Shell& shell : orbitals.basis->shells) {
    const glm::dvec3 d = point - orbitals.centres[shell.centre];
    for (const glm::ivec3& p : cartesian_powers(shell.l)) {
      double radial = 0;
      for (std::size_t k = 0; k < shell.exponents.size(); ++k) {
        const double a = shell.exponents[k];
        const double norm =
            std::pow(2 * a / M_PI, 0.75) * std::pow(4 * a, shell.l / 2.0) /
            std::sqrt(double_factorial(2 * p.x - 1) * double_factorial(2 * p.y - 1) * double_factorial(2 * p.z - 1));
        radial += shell.coefficients[k] * norm * std::exp(-a * glm::dot(d, d));
      }
      sum += orbitals.row(orbital)[function++] * std::pow(d.x, p.x) * std::pow(d.y, p.y) * std::pow(d.z, p.z) * radial;
    }
  }
  return sum;
}

struct Case {
  const char* file;
  const char* format;
  std::size_t orbitals;
  double tolerance;  ///< of orthonormality, by the digits of the file; of values ten times as much
};

class MadeUpOrbitals : public testing::TestWithParam<Case> {};

TEST_P(MadeUpOrbitals, have_the_values_that_were_written) {
  const Case& c = GetParam();
  const Molecule molecule = read_file(data(std::string("orbitals/") + c.file));
  EXPECT_EQ(molecule.format, c.format);
  EXPECT_TRUE(molecule.warnings.empty());
  ASSERT_EQ(molecule.atom_count(), 3u);
  const auto orbitals = molecule.orbitals_at(0);
  ASSERT_TRUE(orbitals);
  ASSERT_EQ(orbitals->count(), c.orbitals);
  EXPECT_NEAR(orbitals->electron_count(), 10, 1e-12);
  EXPECT_GE(orbitals->norm_residual, 0);
  EXPECT_LT(orbitals->norm_residual, c.tolerance);
  EXPECT_EQ(orbitals->homo(), 4u);
  for (std::size_t i = 0; i < c.orbitals; ++i) {
    EXPECT_NEAR(orbitals->orbitals[i].energy, -20 + 2 * static_cast<double>(i), 1e-9);
  }
  for (const Shell& shell : orbitals->basis->shells) ASSERT_FALSE(shell.spherical);
  std::ifstream file(data("orbitals/values.csv"));
  std::size_t points = 0;
  for (std::string line; std::getline(file, line); ++points) {
    std::istringstream fields(line);
    std::vector<double> numbers;
    for (std::string field; std::getline(fields, field, ',');) numbers.push_back(std::stod(field));
    ASSERT_EQ(numbers.size(), 16u);
    const glm::dvec3 point(numbers[0], numbers[1], numbers[2]);
    for (std::size_t i = 0; i < c.orbitals; ++i) {
      EXPECT_NEAR(value(*orbitals, i, point), numbers[3 + i], 10 * c.tolerance)
          << "orbital " << i << ", line " << points;
    }
  }
  EXPECT_EQ(points, 6u);
}

INSTANTIATE_TEST_SUITE_P(files, MadeUpOrbitals,
                         testing::Values(Case{"made_up.molden", "Molden", 13, 1e-10},
                                         Case{"made_up.fchk", "Gaussian checkpoint", 13, 1e-7},
                                         Case{"made_up.wfn", "WFN", 5, 1e-7}, Case{"made_up.wfx", "WFX", 5, 1e-12},
                                         Case{"made_up.json", "QCSchema", 13, 1e-12},
                                         Case{"made_up.cjson", "Chemical JSON", 13, 1e-12},
                                         Case{"made_up_gamess.log", "GAMESS log", 13, 5e-6},
                                         Case{"made_up_gaussian.log", "Gaussian log", 13, 5e-5}),
                         [](const auto& info) {
                           std::string name = info.param.file;
                           name[name.find('.')] = '_';
                           return name;
                         });

}  // namespace
}  // namespace isolume
