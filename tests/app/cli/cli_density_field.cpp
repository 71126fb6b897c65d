// isolume compute density --kind, critical-points and atomic-charges: values, files and refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

std::string stored(const std::string& name) {
  return test::shared_data("qm-fields/" + name);
}

/// Writes the points of a JSON as the command line takes them; returns its values.
nlohmann::json write_points(const std::string& name, const std::string& path) {
  const nlohmann::json json = test::read_json(stored(name + "_fields.json"));
  std::string text;
  for (const auto& p : json.at("points_bohr")) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      char digits[32];
      const auto end = std::to_chars(digits, digits + 32, p[axis].get<double>() * units::bohr_in_angstrom);
      text += std::string(digits, end.ptr) + (axis < 2 ? "," : "\n");
    }
  }
  test::write_text(path, text);
  return json.at("values");
}

TEST(DensityFields, AtPointsAreTheStoredOnes) {
  const Folder folder;
  const auto values = write_points("hi_ecp", folder / "p.csv");
  const auto of = [&](std::vector<std::string> words) {
    words.insert(words.begin(),
                 {"compute", "density", stored("hi_ecp.molden"), "--at", folder / "p.csv", "--out", folder / "v.csv"});
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return test::numbers(test::read_text(folder / "v.csv"));
  };
  const auto compare = [&](const std::vector<double>& ours, const char* key, double factor) {
    ASSERT_EQ(ours.size(), values.at(key).size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
      const double expected = factor * values.at(key)[i].get<double>();
      EXPECT_NEAR(ours[i], expected, 1e-8 * (1 + std::abs(expected))) << key;
    }
  };
  compare(of({"--kind", "potential"}), "esp", 1);
  compare(of({"--kind", "potential", "--unit", "V"}), "esp", units::hartree_in_ev);
  compare(of({"--kind", "potential", "--unit", "kcal/mol/e"}), "esp", units::hartree_in_ev * units::ev_in_kcal_per_mol);
  compare(of({"--kind", "laplacian"}), "laplacian", 1);
  compare(of({"--kind", "tau"}), "tau", 1);
}

TEST(DensityFields, OnGridsSayTheirError) {
  const Folder folder;
  for (const std::string kind : {"elf", "gradient", "potential"}) {
    const auto outcome = run({"compute", "density", stored("ethylene.molden"), "--kind", kind, "--spacing", "0.6",
                              "--out", folder / "f.cube", "--report", folder / "r.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto report = test::read_json(folder / "r.json");
    EXPECT_LT(report.at("error").at("relative").get<double>(), 1e-6);
    EXPECT_GT(report.at("error").at("points").get<int>(), 100);
    const Molecule cube = read_file(folder / "f.cube");
    ASSERT_EQ(cube.volumes.size(), 1u);
    // None of so coarse a grid is interpolated.
    if (kind != "potential") {
      EXPECT_EQ(report.at("method").at("computed_points").get<std::size_t>(), cube.volumes[0]->values.size());
    }
    if (kind != "elf") continue;
    for (const float value : cube.volumes[0]->values) {
      EXPECT_GE(value, 0);
      EXPECT_LE(value, 1);
    }
  }
}

// The file's own exact map is what the mesh is held against, here at every point.
TEST(DensityFields, PotentialsByAMeshAreThoseOfTheSumWithinTheTolerance) {
  ISOLUME_NEEDS(stored("formamide.molden.gz"));
  const Folder folder;
  const auto map = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"compute",  "density",        stored("formamide.molden.gz"),
                                   "--kind",   "potential",      "--spacing",
                                   "0.35",     "--out",          folder / "v.cube",
                                   "--report", folder / "r.json"};
    words.insert(words.end(), more.begin(), more.end());
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_file(folder / "v.cube").volumes.at(0)->values;
  };
  const std::vector<float> exact = map({"--method", "exact"});
  EXPECT_CONTAINS(test::read_json(folder / "r.json").at("method").at("name").get<std::string>(), "exact");
  const std::vector<float> mesh = map({"--method", "mesh", "--tolerance", "1e-5"});
  const auto report = test::read_json(folder / "r.json");
  EXPECT_CONTAINS(report.at("method").at("name").get<std::string>(), "mesh");
  EXPECT_EQ(report.at("error").at("points").get<int>(), 2000);
  EXPECT_LT(report.at("error").at("relative").get<double>(), 1e-5);
  EXPECT_GT(report.at("memory").at("predicted").get<double>(), 1e6);
  EXPECT_EQ(report.at("result").at("tries").size(), 1u);
  ASSERT_EQ(mesh.size(), exact.size());
  double squares = 0, whole = 0;
  for (std::size_t i = 0; i < mesh.size(); ++i) {
    squares += std::pow(double{mesh[i]} - exact[i], 2);
    whole += std::pow(double{exact[i]}, 2);
  }
  EXPECT_LT(std::sqrt(squares / whole), 1e-5);
}

TEST(DensityFields, AMeshThatMissesTheToleranceIsRefusedOrSummedExactly) {
  ISOLUME_NEEDS(stored("formamide.molden.gz"));
  const Folder folder;
  const std::vector<std::string> words{"compute",     "density",   stored("formamide.molden.gz"),
                                       "--kind",      "potential", "--spacing",
                                       "0.8",         "--out",     folder / "v.cube",
                                       "--tolerance", "1e-9"};
  const auto with = [&](const char* method) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--method", method});
    return run(all);
  };
  const auto outcome = with("mesh");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_CONTAINS(outcome.err, "--tolerance 1e-09 cannot be met");
  EXPECT_CONTAINS(outcome.err, "--method exact");
  EXPECT_FALSE(std::filesystem::exists(folder / "v.cube"));
  EXPECT_EQ(with("auto").code, 0);
}

// Orbitals at displaced geometries, as along a mode: one file a frame, all on one grid.
TEST(DensityFields, OfFramesAreNumberedFilesOnOneGrid) {
  const Folder folder;
  const std::string text = test::read_text(stored("ethylene.molden"));
  test::write_text(folder / "mode_0.molden", text);
  std::istringstream lines(text);
  std::string moved;
  bool atoms = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('[')) atoms = line.starts_with("[Atoms]") || line.starts_with("[ATOMS]");
    std::istringstream fields(line);
    std::string name, number, element;
    double x = 0, y = 0, z = 0;
    if (atoms && fields >> name >> number >> element >> x >> y >> z) {
      line = name + " " + number + " " + element + " " + std::to_string(x + 2) + " " + std::to_string(y) + " " +
             std::to_string(z);
    }
    moved += line + "\n";
  }
  test::write_text(folder / "mode_1.molden", moved);
  const auto outcome = run({"compute", "density", folder / "mode_*.molden", "--frames", ":", "--kind", "gradient",
                            "--spacing", "0.7", "--out", folder / "g.cube", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto report = test::read_json(folder / "r.json");
  ASSERT_EQ(report.at("result").at("frames").size(), 2u);
  EXPECT_LT(report.at("result").at("frames")[1].at("error").at("relative").get<double>(), 1e-6);
  const auto first = read_file(folder / "g_0000.cube").volumes.at(0),
             second = read_file(folder / "g_0001.cube").volumes.at(0);
  EXPECT_EQ(first->grid, second->grid);
  EXPECT_NE(first->values, second->values);
  const auto alone = run({"compute", "density", folder / "mode_*.molden", "--frame", "1", "--kind", "gradient",
                          "--grid", folder / "g_0000.cube", "--out", folder / "alone.cube"});
  ASSERT_EQ(alone.code, 0) << alone.err;
  // Cube files round their grids, and the gradient is steep at nuclei.
  const std::vector<float> expected = read_file(folder / "alone.cube").volumes.at(0)->values;
  ASSERT_EQ(expected.size(), second->values.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(second->values[i], expected[i], 1e-3 * (std::abs(expected[i]) + 1e-3)) << i;
  const auto both = run(
      {"compute", "density", folder / "mode_*.molden", "--frames", ":", "--frame", "1", "--out", folder / "g.cube"});
  EXPECT_EQ(both.code, 2);
  EXPECT_CONTAINS(both.err, "exclude each other");
}

TEST(DensityFields, RefuseWhatMakesNoSense) {
  const Folder folder;
  test::write_text(folder / "p.csv", "0,0,1\n");
  const auto refused = [&](std::vector<std::string> words, const std::string& part) {
    words.insert(words.begin(), {"compute", "density", stored("hi_ecp.molden")});
    const auto outcome = run(words);
    EXPECT_NE(outcome.code, 0);
    EXPECT_CONTAINS(outcome.err, part);
  };
  const std::string at = folder / "p.csv", cube = folder / "f.cube";
  refused({"--kind", "elff", "--at", at}, "elf-spin");
  refused({"--kind", "elf", "--at", at, "--unit", "V"}, "--unit belongs to");
  refused({"--kind", "elf", "--at", at, "--minus", "0"}, "differences");
  refused({"--kind", "hessian", "--out", cube}, "--at");
  refused({"--kind", "potential", "--at", at, "--method", "mesh"}, "points and fields are exact");
  refused({"--kind", "field", "--out", cube, "--method", "mesh"}, "points and fields are exact");
  refused({"--kind", "elf", "--out", cube, "--tolerance", "1e-3"}, "--tolerance belongs to");
  refused({"--kind", "potential", "--out", cube, "--method", "exact", "--tolerance", "1e-3"}, "--tolerance belongs to");
  refused({"--kind", "potential", "--out", cube, "--method", "mesh", "--memory-limit", "0.001"}, "needs");
  refused({"--kind", "potential", "--at", at, "--cores", "Xx:3"}, "I:28");
  refused({"--kind", "potential", "--at", at, "--cores", "Au:60"}, "no such atom");
  refused({"--kind", "potential", "--at", at, "--cores", "I:0"}, "--cores");
}

constexpr const char* two_waters =
    "6\ntwo waters\nO 0 0 0\nH 0.76 0.58 0\nH -0.76 0.58 0\nO 0.1 -2.9 0\nH 0.1 -1.94 0\nH 1.0 -3.2 0.1\n"
    "6\nfar apart\nO 0 0 0\nH 0.76 0.58 0\nH -0.76 0.58 0\nO 0.1 -7.9 0\nH 0.1 -6.94 0\nH 1.0 -8.2 0.1\n";

TEST(PromolecularFields, OfATrajectoryAreNumberedFilesWithTables) {
  const Folder folder;
  test::write_text(folder / "w.xyz", two_waters);
  const auto outcome = run(
      {"compute",         "density",   folder / "w.xyz",   "--promolecular",  "--kind",    "delta-g-inter",  "--select",
       "index 0 to 2",    "--between", "index 3 to 5",     "--frames",        "0:2",       "--spacing",      "0.3",
       "--margin",        "1",         "--signed-density", folder / "s.cube", "--scatter", folder / "t.csv", "--out",
       folder / "d.cube", "--report",  folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report.at("device").at("kind"), "cpu");
  EXPECT_LT(report.at("error").at("max").get<double>(), 1e-5);
  EXPECT_LT(report.at("method").at("table_error").get<double>(), 0.03);
  float largest[2] = {0, 0};
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename();
    if (!name.starts_with("d") || !name.ends_with(".cube")) continue;
    const Molecule cube = read_file(entry.path());
    for (const float value : cube.volumes.at(0)->values) {
      float& most = largest[name.find('1') == std::string::npos ? 0 : 1];
      most = std::max(most, value);
    }
    ++found;
  }
  EXPECT_EQ(found, 2);
  EXPECT_GT(largest[0], 0.01f);  // a hydrogen bond
  EXPECT_LT(largest[1], 1e-4f);  // nothing
}

TEST(PromolecularFields, RefuseWhatMakesNoSense) {
  const Folder folder;
  test::write_text(folder / "w.xyz", two_waters);
  const auto refused = [&](std::vector<std::string> words, const std::string& part) {
    words.insert(words.begin(), {"compute", "density", folder / "w.xyz", "--out", folder / "d.cube"});
    const auto outcome = run(words);
    EXPECT_NE(outcome.code, 0);
    EXPECT_CONTAINS(outcome.err, part);
  };
  refused({"--promolecular", "--kind", "elf"}, "delta-g-inter");
  refused({"--promolecular", "--kind", "delta-g-inter"}, "--between");
  refused({"--promolecular", "--kind", "rdg", "--between", "index 1"}, "belongs to --kind delta-g-inter");
  refused({"--promolecular", "--kind", "delta-g-inter", "--select", "all", "--between", "index 1"}, "share atom 2");
  refused({"--promolecular", "--kind", "rdg", "--select", "index 99"}, "no atoms");
  refused({"--kind", "electron", "--scatter", folder / "t.csv"}, "belong to --promolecular");
}

TEST(CriticalPoints, OfEthyleneAreFiveBonds) {
  const std::string file = stored("ethylene.molden");
  const Folder folder;
  const auto outcome =
      run({"compute", "critical-points", file, "--out", folder / "c.csv", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto result = test::read_json(folder / "r.json").at("result");
  EXPECT_EQ(result.at("nucleus"), 6);
  EXPECT_EQ(result.at("bond"), 5);
  EXPECT_EQ(result.at("ring"), 0);
  EXPECT_EQ(result.at("poincare_hopf"), 1);
  EXPECT_CONTAINS(outcome.err, "Poincare-Hopf sum 1");
}

TEST(AtomicCharges, AddUpToTheCharge) {
  const std::string file = stored("ethylene.molden");
  const Folder folder;
  for (const std::string kind : {"mk", "chelpg", "resp", "hirshfeld", "bader"}) {
    const auto outcome = run(
        {"compute", "atomic-charges", file, "--kind", kind, "--out", folder / "q.csv", "--report", folder / "r.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto result = test::read_json(folder / "r.json").at("result");
    EXPECT_NEAR(result.at("sum").get<double>(), 0, 1e-4) << kind;
    // By symmetry the carbons are alike, and so are the hydrogens.
    const auto charges = result.at("charges").get<std::vector<double>>();
    EXPECT_NEAR(charges[0], charges[1], 0.02) << kind;
    EXPECT_NEAR(charges[2], charges[5], 0.02) << kind;
    EXPECT_LT(charges[0], 0) << kind;
  }
}

TEST(AtomicCharges, RefuseWhatMakesNoSense) {
  const Folder folder;
  const auto refused = [&](std::vector<std::string> words, const std::string& part) {
    words.insert(words.begin(), {"compute", "atomic-charges", stored("hi_ecp.molden"), "--out", folder / "q.csv"});
    const auto outcome = run(words);
    EXPECT_NE(outcome.code, 0);
    EXPECT_CONTAINS(outcome.err, part);
  };
  refused({"--kind", "hirshfeld"}, "effective core");
  refused({"--kind", "mk", "--equal", "1=9"}, "from 1 to 2");
  refused({"--kind", "mk", "--stages", "1"}, "--stages belongs to resp");
  refused({"--kind", "bader"}, "effective core");
  refused({"--kind", "mk", "--spacing", "0.1"}, "--spacing belongs to bader");
}

}  // namespace
}  // namespace isolume
