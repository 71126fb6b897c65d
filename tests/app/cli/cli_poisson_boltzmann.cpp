// isolume compute potential and energy --method pb as a process: Born's ion, the report, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/app/cli/ion_files.h"
#include "tests/app/cli/program.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::Folder;
using test::pqr;
using test::run;

/// Of an ion of 1.5 angstrom (those of the file), kcal/mol.
double born(double inside, double kappa) {
  return -0.5 * units::coulomb_kcal_angstrom * ((1 / inside - 1 / 78.54) / 1.5 + kappa / (78.54 * (1 + kappa * 3.5)));
}

TEST(PoissonBoltzmannCli, WritesTheMapOfAnIonAndItsEnergy) {
  const Folder folder;
  test::write_text(folder / "ion.pqr", pqr({{0, 0, 0, 1}}));
  const auto outcome = run({"compute", "potential", folder / "ion.pqr", "--method", "pb", "--solute-dielectric", "1",
                            "--padding", "8", "--spacing", "0.5", "--unit", "kT/e", "--out", folder / "phi.dx",
                            "--report", folder / "r.json", "--device", "cpu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.err, "solvation energy");
  const auto report = test::read_json(folder / "r.json");
  const double kappa = 0.12728218167158462;  // 0.15 mol/l at 298.15 K
  EXPECT_NEAR(report["result"]["solvation_energy"].get<double>(), born(1, kappa), 0.005 * std::abs(born(1, kappa)));
  EXPECT_EQ(report["method"]["name"], "pb");
  EXPECT_EQ(report["method"]["equation"], "linear");
  EXPECT_NEAR(report["method"]["debye_length"].get<double>(), 1 / kappa, 1e-6);
  EXPECT_LE(report["method"]["residual"].get<double>(), 1.5e-6);
  EXPECT_GT(report["error"]["rms"].get<double>(), 0);
  EXPECT_GT(report["error"]["points"].get<int>(), 1000);
  EXPECT_EQ(report["unit"], "kT/e");
  // 6 angstrom from the ion, in the electrolyte: Debye and Hückel's potential.
  const Volume map = *read_file(folder / "phi.dx").volumes.at(0);
  const double bjerrum = units::coulomb_volt_angstrom / units::thermal_voltage(298.15);
  const double expected = bjerrum * std::exp(-kappa * 2.5) / (78.54 * 6 * (1 + kappa * 3.5));
  EXPECT_NEAR(static_cast<double>(interpolate(map, {6, 0, 0})), expected, 0.02 * expected);
}

TEST(PoissonBoltzmannCli, ShortensTheStepsUntilTheErrorIsWithin) {
  const Folder folder;
  test::write_text(folder / "ion.pqr", pqr({{0, 0, 0, 1}}));
  const std::vector<std::string> words{
      "compute",     "potential", folder / "ion.pqr", "--method", "pb",       "--padding",       "20",
      "--tolerance", "0.01",      "--unit",           "kT/e",     "--report", folder / "r.json", "--device",
      "cpu",         "--out",     folder / "phi.dx"};
  const auto outcome = run(words);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.err, "once more with steps of");
  const auto report = test::read_json(folder / "r.json");
  EXPECT_LE(report["error"]["relative"].get<double>(), 0.01);
  const auto& tries = report["result"]["tries"];
  ASSERT_GT(tries.size(), 1u);
  for (std::size_t i = 1; i < tries.size(); ++i)
    EXPECT_LT(tries[i]["spacing"].get<double>(), tries[i - 1]["spacing"].get<double>());
  EXPECT_DOUBLE_EQ(report["grid"]["step"][0][0].get<double>(), tries.back()["spacing"].get<double>());
  // The map is that of the last steps, and as near to Debye and Hückel's potential as it says.
  const Volume map = *read_file(folder / "phi.dx").volumes.at(0);
  const double kappa = 0.12728218167158462, bjerrum = units::coulomb_volt_angstrom / units::thermal_voltage(298.15);
  double square = 0, values = 0;
  for (const glm::dvec3 point :
       {glm::dvec3(4, 0, 0), glm::dvec3(0, 5, 0), glm::dvec3(3, -4, 5), glm::dvec3(4, 4, -4)}) {
    const double r = glm::length(point);
    const double exact = bjerrum * std::exp(-kappa * (r - 3.5)) / (78.54 * r * (1 + kappa * 3.5));
    square += std::pow(static_cast<double>(interpolate(map, point)) - exact, 2);
    values += exact * exact;
  }
  EXPECT_LT(std::sqrt(square / values), 0.01);
  // Steps that were given stay; what cannot be met writes nothing.
  std::vector<std::string> fixed = words;
  fixed.back() = folder / "none.dx";
  fixed.insert(fixed.end(), {"--spacing", "1"});
  const auto missed = run(fixed);
  EXPECT_EQ(missed.code, 1);
  EXPECT_CONTAINS(missed.err, "--tolerance 0.01 cannot be met");
  EXPECT_CONTAINS(missed.err, "without --spacing");
  EXPECT_FALSE(std::filesystem::exists(folder / "none.dx"));
}

TEST(PoissonBoltzmannCli, GivesTheFieldAtPoints) {
  const Folder folder;
  test::write_text(folder / "ion.pqr", pqr({{0, 0, 0, 1}}));
  test::write_text(folder / "points.csv", "x,y,z\n6,0,0\n3,-4,5\n0,0.8,0.6\n");
  const auto outcome = run({"compute", "potential", folder / "ion.pqr", "--method", "pb", "--at", folder / "points.csv",
                            "--field", "--unit", "kT/e", "--spacing", "0.4", "--out", folder / "values.csv", "--report",
                            folder / "r.json", "--device", "cpu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const double kappa = 0.12728218167158462, a = 3.5;
  const double bjerrum = units::coulomb_volt_angstrom / units::thermal_voltage(298.15);
  const auto outside = [&](double r) {
    return bjerrum * std::exp(-kappa * (r - a)) * (1 + kappa * r) / (78.54 * r * r * (1 + kappa * a));
  };
  const glm::dvec3 points[] = {{6, 0, 0}, {3, -4, 5}, {0, 0.8, 0.6}};
  const double expected[] = {outside(6), outside(std::sqrt(50.0)), bjerrum / 2};
  std::ifstream file(folder / "values.csv");
  for (int i = 0; i < 3; ++i) {
    double v = 0;
    glm::dvec3 field(0);
    char comma = 0;
    ASSERT_TRUE(file >> v >> comma >> field.x >> comma >> field.y >> comma >> field.z) << i;
    EXPECT_LT(glm::distance(field, expected[i] * glm::normalize(points[i])), 0.03 * expected[i]) << i;
  }
  const auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report["result"]["field_unit"], "kT/e/A");
  EXPECT_GT(report["error"]["field_rms"].get<double>(), 0);
}

TEST(PoissonBoltzmannCli, GivesTheSolvationEnergy) {
  const Folder folder;
  test::write_text(folder / "ion.pqr", pqr({{0, 0, 0, 1}}));
  const auto outcome =
      run({"compute", "energy", folder / "ion.pqr", "--method", "pb", "--ionic-strength", "0", "--spacing", "0.5",
           "--atoms", folder / "atoms.npy", "--report", folder / "r.json", "--device", "cpu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto report = test::read_json(folder / "r.json");
  const double exact = born(2, 0);
  EXPECT_NEAR(report["result"]["solvation_energy"].get<double>(), exact, 0.005 * std::abs(exact));
  EXPECT_NEAR(std::stod(outcome.out), exact, 0.005 * std::abs(exact));
  EXPECT_EQ(report["method"]["debye_length"], nullptr);
  EXPECT_TRUE(std::filesystem::exists(folder / "atoms.npy"));
}

TEST(PoissonBoltzmannCli, RefusesWhatMakesNoSense) {
  const Folder folder;
  test::write_text(folder / "ion.pqr", pqr({{0, 0, 0, 1}, {0.05, 0, 0, 1}}));
  const auto refused = [&](const char* verb, std::vector<std::string> words, const char* message) {
    words.insert(words.begin(), {"compute", verb, folder / "ion.pqr"});
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_CONTAINS(outcome.err, message);
    EXPECT_FALSE(std::filesystem::exists(folder / "o.dx"));
  };
  const std::string out = folder / "o.dx";
  refused("potential", {"--method", "pb", "--spacing", "0.5", "--padding", "8", "--out", out}, "atoms 1 and 2 overlap");
  refused("potential", {"--method", "pb", "--cutoff", "9", "--out", out}, "--cutoff belongs to --method");
  refused("potential", {"--method", "direct", "--nonlinear", "--out", out}, "--nonlinear belongs to --method pb");
  refused("potential", {"--method", "pb", "--ions", "2:x", "--out", out}, "--ions 2:x");
  refused("potential", {"--method", "pb", "--boundary-width", "1", "--out", out}, "--boundary-width belongs to");
  refused("energy", {"--method", "pb", "--out", folder / "f.npy"}, "no forces");
  refused("energy", {"--method", "direct", "--spacing", "1"}, "--spacing belongs to --method pb");
}

}  // namespace
}  // namespace isolume
