// isolume compute as a process: against stored reference values, formulas and other programs' cubes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <csignal>

#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

const std::vector<std::string> report_keys = {"version", "command", "inputs",  "device", "grid",  "method",
                                              "unit",    "time",    "kernels", "memory", "error", "result"};

void expect_report(const nlohmann::json& report) {
  for (const std::string& key : report_keys) EXPECT_TRUE(report.contains(key)) << key;
  for (const char* key : {"read", "plan", "compute", "transfer", "write", "total"})
    EXPECT_GE(report["time"][key].get<double>(), 0) << key;
  for (const char* key : {"kind", "name", "memory"}) EXPECT_TRUE(report["device"].contains(key)) << key;
  for (const char* key : {"predicted", "peak"}) EXPECT_TRUE(report["memory"].contains(key)) << key;
  ASSERT_FALSE(report["inputs"].empty());
  EXPECT_EQ(report["inputs"][0]["sha256"].get<std::string>().size(), 64u);
}

// Points in bohr as a CSV in angstrom.
std::string points_csv(const nlohmann::json& points) {
  std::string text = "x,y,z\n";
  for (const auto& p : points)
    text += fmt::format("{},{},{}\n", p[0].get<double>() * units::bohr_in_angstrom,
                        p[1].get<double>() * units::bohr_in_angstrom, p[2].get<double>() * units::bohr_in_angstrom);
  return text;
}

// Every orbital of a reference list against `compute orbital --at`, to 1e-5 of the orbital's maximum. A sign may
// differ.
void expect_orbitals(const Folder& folder, const nlohmann::json& orbitals, const std::vector<std::string>& files) {
  for (const auto& reference : orbitals) {
    test::write_text(folder / "points.csv", points_csv(reference["points_bohr"]));
    std::vector<std::string> words{"compute", "orbital"};
    words.insert(words.end(), files.begin(), files.end());
    for (const std::string& word :
         {std::string("--orbital"), std::to_string(reference["orbital"].get<int>()), std::string("--spin"),
          reference["spin"].get<std::string>(), std::string("--at"), folder / "points.csv"})
      words.push_back(word);
    const auto outcome = run(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::vector<double> values = test::numbers(outcome.out);
    const auto expected = reference["values"].get<std::vector<double>>();
    ASSERT_EQ(values.size(), expected.size());
    double largest = 0, plus = 0, minus = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      largest = std::max(largest, std::abs(expected[i]));
      plus = std::max(plus, std::abs(values[i] - expected[i]));
      minus = std::max(minus, std::abs(values[i] + expected[i]));
    }
    EXPECT_LE(std::min(plus, minus), 1e-5 * largest) << files[0] << " orbital " << reference["orbital"];
  }
}

class StoredOrbitals : public testing::TestWithParam<const char*> {};

TEST_P(StoredOrbitals, AgreeAtPoints) {
  const std::string stem = test::shared_data(std::string("qm-computed/") + GetParam());
  ISOLUME_NEEDS(stem + "_orbpts.json");
  const Folder folder;
  expect_orbitals(folder, test::read_json(stem + "_orbpts.json")["orbitals"], {stem + ".molden"});
}

INSTANTIATE_TEST_SUITE_P(Files, StoredOrbitals, testing::Values("H2O-631Gd-cart", "H2O-VQZ-sph", "Kr-A", "Thr-A"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(StoredOrbitals, AgreeOnAFrameOfEthylene) {
  const std::string folder_name = test::shared_data("qm-computed/ethylene_torsion");
  ISOLUME_NEEDS(folder_name);
  const Folder folder;
  const auto frames = test::read_json(folder_name + "/ethylene_torsion_orbpts.json")["frames"];
  const auto& frame = frames.at(12);
  expect_orbitals(folder, frame["orbitals"],
                  {fmt::format("{}/frame_{:03}.molden", folder_name, frame["frame"].get<int>())});
}

TEST(StoredDensity, AgreesAtPoints) {
  const std::string stem = test::shared_data("qm-computed/H2O-631Gd-cart");
  ISOLUME_NEEDS(stem + "_orbpts.json");
  const Folder folder;
  const auto reference = test::read_json(stem + "_orbpts.json")["density"];
  test::write_text(folder / "points.csv", points_csv(reference["points_bohr"]));
  const auto outcome = run({"compute", "density", stem + ".molden", "--at", folder / "points.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto values = test::numbers(outcome.out);
  const auto expected = reference["values_au"].get<std::vector<double>>();
  ASSERT_EQ(values.size(), expected.size());
  const double largest = *std::max_element(expected.begin(), expected.end());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-5 * largest) << i;
}

class StoredCubes : public testing::TestWithParam<std::pair<const char*, int>> {};

TEST_P(StoredCubes, AgreeToTheirDigits) {
  const auto [name, orbital] = GetParam();
  const std::string stem = test::shared_data(std::string("qm-computed/") + name);
  const std::string cube = fmt::format("{}_Psi_a_{}_{}-A.cube.gz", stem, orbital, orbital);
  ISOLUME_NEEDS(cube);
  const Folder folder;
  const auto outcome = run({"compute", "orbital", stem + ".molden", "--orbital", std::to_string(orbital), "--grid",
                            cube, "--out", folder / "psi.cube", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Molecule expected = read_file(cube), found = read_file(folder / "psi.cube");
  const Volume &a = *expected.volumes.at(0), &b = *found.volumes.at(0);
  ASSERT_EQ(a.grid.counts, b.grid.counts);
  for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(glm::distance(a.grid.step[axis], b.grid.step[axis]), 0, 1e-6);
  EXPECT_NEAR(glm::distance(a.grid.origin, b.grid.origin), 0, 1e-6);
  double plus = 0, minus = 0, largest = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    largest = std::max<double>(largest, std::abs(a.values[i]));
    plus = std::max<double>(plus, std::abs(a.values[i] - b.values[i]));
    minus = std::max<double>(minus, std::abs(a.values[i] + b.values[i]));
  }
  EXPECT_LE(std::min(plus, minus), 1e-5 * largest);  // the cubes have six digits
  const auto report = test::read_json(folder / "r.json");
  expect_report(report);
  EXPECT_EQ(report["grid"]["counts"][0], a.grid.counts.x);
  EXPECT_EQ(report["unit"], "bohr^-3/2");
  EXPECT_LE(report["error"]["max"].get<double>(), 1e-6 * largest);
}

INSTANTIATE_TEST_SUITE_P(Files, StoredCubes,
                         testing::Values(std::pair{"H2O-631Gd-cart", 5}, std::pair{"H2O-631Gd-cart", 6},
                                         std::pair{"Kr-A", 18}, std::pair{"Thr-A", 32}));

TEST(ComputeOrbital, ReportsWhatItDid) {
  const Folder folder;
  const auto outcome =
      run({"compute", "orbital", test::data("H2O-631Gd-cart.molden"), "--orbital", "homo", "--spacing", "0.15", "--out",
           folder / "homo.cube", "--report", folder / "r.json", "--device", "cpu", "--threads", "1"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  const auto report = test::read_json(folder / "r.json");
  expect_report(report);
  EXPECT_EQ(report["device"]["kind"], "cpu");
  EXPECT_EQ(report["method"]["name"], "orbital");
  EXPECT_NEAR(report["grid"]["step"][0][0].get<double>(), 0.15, 1e-12);
  EXPECT_EQ(report["result"]["role"], "HOMO");
  EXPECT_NEAR(report["result"]["norm_on_grid"].get<double>(), 1, 2e-3);
  EXPECT_EQ(report["error"]["points"], 1000);
  EXPECT_EQ(report["inputs"][0]["bytes"], std::filesystem::file_size(test::data("H2O-631Gd-cart.molden")));
}

TEST(ComputeDensity, HoldsAllElectrons) {
  const Folder folder;
  const auto outcome = run({"compute", "density", test::data("H2O-631Gd-cart.molden"), "--spacing", "0.06", "--margin",
                            "2.5", "--out", folder / "rho.dx", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto report = test::read_json(folder / "r.json");
  expect_report(report);
  EXPECT_EQ(report["result"]["electrons_of_file"], 10);
  // The sharp 1s of oxygen is what a grid misses: a density 2 (z^3/pi) exp(-2 z r), z = 7.66, summed at steps of
  // h = 0.1134 bohr is off by at most 6 neighbours in reciprocal space, 6 * 2 / (1 + (pi/(h z))^2)^2 = 0.06.
  EXPECT_NEAR(report["result"]["electrons_on_grid"].get<double>(), 10, 0.06);
}

std::string pqr(const std::vector<std::array<double, 4>>& charges) {
  std::string text;
  for (std::size_t i = 0; i < charges.size(); ++i)
    text += fmt::format("ATOM  {:5} {:<4} ION A{:4}    {:8.3f}{:8.3f}{:8.3f} {:7.4f} {:6.4f}\n", i + 1, "NA", i + 1,
                        charges[i][0], charges[i][1], charges[i][2], charges[i][3], 1.5);
  return text + "END\n";
}

TEST(ComputePotential, IsCoulombsLaw) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", pqr({{0, 0, 0, 1}, {4, 0, 0, -2}}));
  test::write_text(folder / "points.csv", "# x y z\n1 0 0\n0,3,0\n2;0;5\n");
  const auto at = run({"compute", "potential", folder / "ions.pqr", "--at", folder / "points.csv"});
  ASSERT_EQ(at.code, 0) << at.err;
  const auto values = test::numbers(at.out);
  ASSERT_EQ(values.size(), 3u);
  // e / (4 pi eps0 r) = 14.399645 V angstrom / r (CODATA 2018).
  EXPECT_NEAR(values[0], 14.399645 * (1.0 - 2.0 / 3), 1e-5);
  EXPECT_NEAR(values[1], 14.399645 * (1.0 / 3 - 2.0 / 5), 1e-5);
  EXPECT_NEAR(values[2], 14.399645 * (1.0 - 2.0) / std::sqrt(29), 1e-5);

  const auto map = run({"compute", "potential", folder / "ions.pqr", "--method", "direct", "--spacing", "0.9", "--out",
                        folder / "phi.dx", "--report", folder / "r.json"});
  ASSERT_EQ(map.code, 0) << map.err;
  const auto report = test::read_json(folder / "r.json");
  expect_report(report);
  EXPECT_EQ(report["unit"], "V");
  EXPECT_EQ(report["result"]["total_charge"], -1);
  EXPECT_LE(report["error"]["relative"].get<double>(), 1e-5);
  const Molecule read = read_file(folder / "phi.dx");
  const Volume& volume = *read.volumes.at(0);
  for (int k = 0; k < volume.grid.counts.z; k += 3)
    for (int j = 0; j < volume.grid.counts.y; j += 3)
      for (int i = 0; i < volume.grid.counts.x; i += 3) {
        const glm::dvec3 p = volume.grid.point(i, j, k);
        const double expected = 14.399645 * (1 / glm::length(p) - 2 / glm::distance(p, glm::dvec3(4, 0, 0)));
        ASSERT_NEAR(volume.values[volume.grid.index(i, j, k)], expected, 1e-4 + 1e-5 * std::abs(expected));
      }
}

TEST(ComputeSurface, IsASphereForOneAtom) {
  const Folder folder;
  test::write_text(folder / "ion.pqr", pqr({{1, 2, 3, 1}}));
  const auto outcome = run({"compute", "surface", folder / "ion.pqr", "--spacing", "0.05", "--isovalue", "0.5", "--out",
                            folder / "s.ply", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto report = test::read_json(folder / "r.json");
  expect_report(report);
  // exp(-u^2 / 2) - exp(-2.5^2 / 2) u^2 / 2.5^2 = 1/2 at r = u R, with R = 1.5 from the file.
  double u = 1;
  for (int i = 0; i < 60; ++i) u = std::sqrt(-2 * std::log(0.5 + std::exp(-3.125) * u * u / 6.25));
  const double r = 1.5 * u;
  EXPECT_NEAR(report["result"]["area"].get<double>() / (4 * units::pi * r * r), 1, 2e-3);
  EXPECT_NEAR(report["result"]["volume"].get<double>() / (4 * units::pi * r * r * r / 3), 1, 2e-3);
  EXPECT_EQ(report["result"]["euler_characteristic"], 2);
  EXPECT_EQ(test::read_text(folder / "s.ply").rfind("ply\n", 0), 0u);
  const auto none = run({"compute", "surface", folder / "ion.pqr", "--isovalue", "7", "--out", folder / "n.stl"});
  EXPECT_EQ(none.code, 2);
  EXPECT_CONTAINS(none.err, "no surface");
  EXPECT_FALSE(std::filesystem::exists(folder / "n.stl"));
}

TEST(Compute, RefusesWhatDoesNotFit) {
  const Folder folder;
  const auto outcome = run({"compute", "orbital", test::data("H2O-631Gd-cart.molden"), "--spacing", "0.02",
                            "--memory-limit", "0.001", "--out", folder / "x.cube"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_CONTAINS(outcome.err, "needs");
  EXPECT_FALSE(std::filesystem::exists(folder / "x.cube"));
}

TEST(Compute, AFailedWriteLeavesTheOldFile) {
  const Folder folder;
  test::write_text(folder / "old.cube", "precious");
  const auto full =
      run({"compute", "orbital", test::data("H2O-631Gd-cart.molden"), "--orbital", "99", "--out", folder / "old.cube"});
  EXPECT_EQ(full.code, 2);
  EXPECT_EQ(test::read_text(folder / "old.cube"), "precious");
  EXPECT_EQ(run({"compute", "orbital", test::data("H2O-631Gd-cart.molden"), "--out", "/dev/full/x.cube"}).code, 1);
}

TEST(Compute, AnInterruptCancelsAndLeavesTheOldFile) {
  const Folder folder;
  test::write_text(folder / "old.cube", "precious");
  // Minutes of work on a fine grid: wherever the interrupt meets it, the program ends with 130.
  const pid_t child = test::start(
      {"compute", "density", test::data("H2O-631Gd-cart.molden"), "--spacing", "0.02", "--out", folder / "old.cube"},
      folder / "out", folder / "err");
  ASSERT_GT(child, 0);
  ASSERT_EQ(kill(child, SIGINT), 0);
  const int code = test::wait_for(child);
  EXPECT_TRUE(code == 130) << code << test::read_text(folder / "err");
  EXPECT_EQ(test::read_text(folder / "old.cube"), "precious");
}

}  // namespace
}  // namespace isolume
