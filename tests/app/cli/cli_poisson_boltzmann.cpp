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

TEST(PoissonBoltzmannCli, WritesTheReactionPotentialTheFieldAndTheIons) {
  const Folder folder;
  test::write_text(folder / "ion.pqr", pqr({{0, 0, 0, 1}}));
  const auto outcome = run({"compute",
                            "potential",
                            folder / "ion.pqr",
                            "--method",
                            "pb",
                            "--padding",
                            "12",
                            "--spacing",
                            "0.5",
                            "--unit",
                            "kT/e",
                            "--out",
                            folder / "phi.dx",
                            "--reaction-out",
                            folder / "reaction.dx",
                            "--field-out",
                            folder / "E.dx",
                            "--ions-out",
                            folder / "ions.dx",
                            "--report",
                            folder / "r.json",
                            "--device",
                            "cpu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto value = [&](const std::string& name, glm::dvec3 at) {
    return static_cast<double>(interpolate(*read_file(folder / name).volumes.at(0), at));
  };
  const double kappa = 0.12728218167158462, a = 3.5, e2 = 78.54;
  const double bjerrum = units::coulomb_volt_angstrom / units::thermal_voltage(298.15);
  const auto potential = [&](double r) { return bjerrum * std::exp(-kappa * (r - a)) / (e2 * r * (1 + kappa * a)); };
  const glm::dvec3 at(3, -4, 5);
  const double r = glm::length(at);
  // In the ion it is the same everywhere; outside the potential less Coulomb's in the ion's dielectric.
  const double inner = -bjerrum * ((1 / 2.0 - 1 / e2) / 1.5 + kappa / (e2 * (1 + kappa * a)));
  EXPECT_NEAR(value("reaction.dx", {0.2, 0.1, -0.3}), inner, 0.005 * std::abs(inner));
  EXPECT_NEAR(value("reaction.dx", at), potential(r) - bjerrum / (2 * r), 0.005 * bjerrum / (2 * r));
  const double field = potential(r) * (1 + kappa * r) / r;
  EXPECT_NEAR(value("E.dx", at), field, 0.03 * field);
  const char* const components[] = {"E_x.dx", "E_y.dx", "E_z.dx"};
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(value(components[axis], at), field * at[axis] / r, 0.03 * field) << axis;
  const double charge = -e2 * kappa * kappa * potential(r) / (4 * units::pi * bjerrum);
  EXPECT_NEAR(value("ions.dx", at), charge, 0.02 * std::abs(charge));
  // What the ions have in the box is what the flux through its faces is short of the ion's charge.
  const auto report = test::read_json(folder / "r.json");
  const auto& result = report["result"];
  EXPECT_EQ(result["solute_charge_in_box"], 1);
  EXPECT_LT(result["ion_charge"].get<double>(), -0.2);
  EXPECT_NEAR(result["charge_by_flux"].get<double>(), 1 + result["ion_charge"].get<double>(), 0.005);
  EXPECT_CONTAINS(outcome.err, "charge in the box: ions -0.");
  EXPECT_EQ(result["field"]["components"].size(), 3u);
  EXPECT_GT(result["field"]["error"]["rms"].get<double>(), 0);
  EXPECT_EQ(result["field"]["error"]["unit"], "kT/e/A");
  EXPECT_GT(result["reaction_potential"]["error"]["points"].get<int>(), 1000);
  EXPECT_GT(result["ion_charge_map"]["error"]["rms"].get<double>(), 0);

  const auto refused = [&](std::vector<std::string> words, const char* message) {
    words.insert(words.begin(), {"compute", "potential", folder / "ion.pqr", "--out", folder / "none.dx"});
    const auto bad = run(words);
    EXPECT_EQ(bad.code, 2) << bad.err;
    EXPECT_CONTAINS(bad.err, message);
    EXPECT_FALSE(std::filesystem::exists(folder / "none.dx"));
  };
  refused({"--method", "direct", "--ions-out", folder / "i.dx"}, "belong to --method pb");
  refused({"--method", "pb", "--field-out", folder / "E.csv"}, "E.csv");
  refused({"--method", "pb", "--field-out", folder / "f.dx", "--ions-out", folder / "f_y.dx"},
          "is named for two outputs");
}

TEST(PoissonBoltzmannCli, ShortensTheStepsOfEnergiesAndPoints) {
  const Folder folder;
  test::write_text(folder / "ion.pqr", pqr({{0, 0, 0, 1}, {2.5, 0.3, 0.2, 1}}));
  const auto energy = run({"compute", "energy", folder / "ion.pqr", "--method", "pb", "--tolerance", "0.0005",
                           "--report", folder / "r.json", "--device", "cpu"});
  ASSERT_EQ(energy.code, 0) << energy.err;
  EXPECT_CONTAINS(energy.err, "once more with steps of");
  const auto report = test::read_json(folder / "r.json");
  EXPECT_LE(report["error"]["relative"].get<double>(), 0.0005);
  const auto& tries = report["result"]["tries"];
  ASSERT_GT(tries.size(), 1u);
  EXPECT_DOUBLE_EQ(report["grid"]["step"][0][0].get<double>(), tries.back()["spacing"].get<double>());
  // Steps half as long as the last ones have that energy, within what is allowed of both.
  const double last = report["grid"]["step"][0][0].get<double>();
  const auto finer = run({"compute", "energy", folder / "ion.pqr", "--method", "pb", "--spacing",
                          std::to_string(last * 0.6), "--report", folder / "f.json", "--device", "cpu"});
  ASSERT_EQ(finer.code, 0) << finer.err;
  const double found = report["result"]["energy"].get<double>();
  EXPECT_NEAR(found, test::read_json(folder / "f.json")["result"]["energy"].get<double>(), 0.001 * std::abs(found));

  test::write_text(folder / "points.csv", "x,y,z\n6,0,0\n3,-4,5\n-3,2,1\n");
  const auto points =
      run({"compute", "potential", folder / "ion.pqr", "--method", "pb", "--at", folder / "points.csv", "--tolerance",
           "0.004", "--unit", "kT/e", "--out", folder / "v.csv", "--report", folder / "p.json", "--device", "cpu"});
  ASSERT_EQ(points.code, 0) << points.err;
  const auto at = test::read_json(folder / "p.json");
  EXPECT_LE(at["error"]["relative"].get<double>(), 0.004);
  EXPECT_FALSE(at["result"]["tries"].empty());

  // Steps that are given stay, and nothing is written.
  const auto fixed = run({"compute", "energy", folder / "ion.pqr", "--method", "pb", "--spacing", "0.5", "--tolerance",
                          "0.00001", "--atoms", folder / "a.npy", "--device", "cpu"});
  EXPECT_EQ(fixed.code, 1);
  EXPECT_EQ(fixed.out, "");
  EXPECT_CONTAINS(fixed.err, "without --spacing shorter steps would be tried");
  EXPECT_FALSE(std::filesystem::exists(folder / "a.npy"));
  const auto other = run({"compute", "energy", folder / "ion.pqr", "--method", "gb", "--tolerance", "0.01"});
  EXPECT_EQ(other.code, 2);
  EXPECT_CONTAINS(other.err, "--tolerance belongs to --method pb, not to gb");
  const auto direct = run({"compute", "potential", folder / "ion.pqr", "--method", "direct", "--at",
                           folder / "points.csv", "--tolerance", "0.01"});
  EXPECT_EQ(direct.code, 2);
  EXPECT_CONTAINS(direct.err, "--tolerance is for maps, and with --at for pb");
}

// Of ions of 1 and 3 angstrom the larger radius is that of both: the electrolyte begins at 4.5 A from an ion of 1.5 A.
TEST(PoissonBoltzmannCli, TakesTheLargestOfTheIonsRadii) {
  const Folder folder;
  test::write_text(folder / "ion.pqr", pqr({{0, 0, 0, 1}}));
  const auto energy_with = [&](std::vector<std::string> words, const char* said) {
    words.insert(words.begin(), {"compute", "energy", folder / "ion.pqr", "--method", "pb", "--report",
                                 folder / "r.json", "--device", "cpu"});
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("the ions' radii differ; the largest, 3 A") != std::string::npos, *said != 0);
    return test::read_json(folder / "r.json");
  };
  const auto both = energy_with({"--ions", "1:1:1", "--ions", "-1:1:3"}, "said");
  EXPECT_EQ(both["method"]["ion_radius"], 3);
  const double found = both["result"]["energy"].get<double>();
  const auto of_radius = [&](const char* radius) {
    return energy_with({"--ionic-strength", "1", "--ion-radius", radius}, "")["result"]["energy"].get<double>();
  };
  EXPECT_EQ(found, of_radius("3"));
  const double kappa = 0.12728218167158462 * std::sqrt(1 / 0.15);
  const auto of_ions = [&](double a) {
    return -0.5 * units::coulomb_kcal_angstrom * kappa / (78.54 * (1 + kappa * a));
  };
  const double apart = of_ions(4.5) - of_ions(2.5);
  EXPECT_NEAR(found - of_radius("1"), apart, 0.15 * apart);
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
