// isolume compute potential as a process: faces of a box, charges from templates, and maps that lie in files.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

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
using test::volt_angstrom;

TEST(PotentialFaces, AreThoseOfDebyeAndHueckel) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", pqr({{0, 0, 0, 1}, {4, 1, -2, -0.5}}));
  const auto outcome =
      run({"compute", "potential", folder / "ions.pqr", "--method", "debye-hueckel", "--faces", "--counts", "7,6,5",
           "--padding", "5", "--out", folder / "faces.csv", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report["result"]["faces"], (nlohmann::json{30, 30, 35, 35, 42, 42}));
  EXPECT_LT(report["error"]["relative"], 1e-5);
  EXPECT_EQ(report["error"]["points"], 214);
  std::istringstream lines(test::read_text(folder / "faces.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "x (angstrom),y (angstrom),z (angstrom),potential (V)");
  const double kappa = std::sqrt(2 * units::elementary_charge * units::elementary_charge * units::avogadro * 150 /
                                 (units::vacuum_permittivity * 78.54 * units::boltzmann * 298.15)) *
                       1e-10;
  std::size_t count = 0;
  while (std::getline(lines, line)) {
    double x = 0, y = 0, z = 0, v = 0;
    ASSERT_EQ(std::sscanf(line.c_str(), "%lf,%lf,%lf,%lf", &x, &y, &z, &v), 4) << line;
    const bool face = std::abs(x + 5) < 1e-6 || std::abs(x - 9) < 1e-6 || std::abs(y + 5) < 1e-6 ||
                      std::abs(y - 6) < 1e-6 || std::abs(z + 7) < 1e-6 || std::abs(z - 5) < 1e-6;
    EXPECT_TRUE(face) << line;
    double expected = 0;
    for (const auto& [px, py, pz, q] : {std::array{0.0, 0.0, 0.0, 1.0}, std::array{4.0, 1.0, -2.0, -0.5}}) {
      const double d = std::hypot(x - px, y - py, z - pz);
      expected += volt_angstrom / 78.54 * q / d * std::exp(-kappa * (d - 1.5)) / (1 + kappa * 1.5);
    }
    EXPECT_NEAR(v, expected, 2e-6) << line;
    ++count;
  }
  EXPECT_EQ(count, 214u);
}

TEST(PotentialFaces, SayWhereTheyDoNotBelong) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", pqr({{0, 0, 0, 1}}));
  const std::string ions = folder / "ions.pqr", out = folder / "faces.csv";
  const auto refused = [&](std::vector<std::string> words, const char* message) {
    words.insert(words.begin(), {"compute", "potential", ions, "--faces"});
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_CONTAINS(outcome.err, message);
  };
  refused({"--out", out}, "belongs to --method debye-hueckel");
  refused({"--method", "debye-hueckel", "--out", folder / "faces.dx"}, "csv");
  refused({"--method", "debye-hueckel", "--counts", "1,5,5", "--out", out}, "has no six faces");
  refused({"--method", "debye-hueckel", "--counts", "3,3,3,3", "--out", out},
          "expected one number of points, or three");
}

/// A glycine-like residue with charges, in two places, and a structure of such residues.
std::string residues(const std::vector<std::string>& names, bool charges) {
  struct Place {
    const char* name;
    double x, y, z, q, radius;
  };
  const Place places[] = {{"N", -1.4, 0.3, 0.1, -0.4, 1.8},    {"H", -1.9, 1.15, 0.0, 0.3, 0.6},
                          {"CA", 0, 0, 0, -0.05, 1.9},         {"HA2", 0.35, -0.6, 0.85, 0.05, 1.3},
                          {"HA3", 0.4, -0.5, -0.9, 0.05, 1.3}, {"C", 0.7, 1.35, 0.05, 0.6, 1.9},
                          {"O", 0.1, 2.4, 0.1, -0.55, 1.7}};
  std::string text;
  int serial = 0;
  for (std::size_t r = 0; r < names.size(); ++r) {
    for (const Place& p : places) {
      if (!charges && p.name[0] == 'H') continue;
      const double x = p.x + 30 * static_cast<double>(r);
      text += charges ? fmt::format("ATOM  {:5} {:<4} {} A{:4}    {:8.3f}{:8.3f}{:8.3f} {:7.4f} {:6.4f}\n", ++serial,
                                    p.name, names[r], r + 1, x, p.y, p.z, p.q, p.radius)
                      : fmt::format("ATOM  {:5}  {:<3} {} A{:4}    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00          {:>2}\n",
                                    ++serial, p.name, names[r], r + 1, x, p.y, p.z, std::string(1, p.name[0]));
    }
  }
  return text + "END\n";
}

TEST(PotentialMap, TakesChargesFromTemplatesAndNamesResiduesThatHaveNone) {
  const Folder folder;
  test::write_text(folder / "charged.pqr", residues({"AAA"}, true));
  test::write_text(folder / "known.pdb", residues({"AAA", "AAA"}, false));
  test::write_text(folder / "unknown.pdb", residues({"AAA", "XYZ"}, false));
  const std::string out = folder / "phi.dx";
  const auto bare = run({"compute", "potential", folder / "known.pdb", "--spacing", "2", "--out", out});
  EXPECT_EQ(bare.code, 2);
  EXPECT_CONTAINS(bare.err, "no partial charges");
  const auto good = run({"compute", "potential", folder / "known.pdb", "--templates", folder / "charged.pqr",
                         "--spacing", "2", "--out", out, "--report", folder / "r.json"});
  ASSERT_EQ(good.code, 0) << good.err;
  const auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report["result"]["charges"], 14);
  EXPECT_NEAR(report["result"]["total_charge"].get<double>(), 0, 1e-6);
  EXPECT_EQ(report["result"]["templates"]["residues"], 2);
  std::filesystem::remove(out);
  const auto unknown = run({"compute", "potential", folder / "unknown.pdb", "--templates", folder / "charged.pqr",
                            "--spacing", "2", "--out", out});
  EXPECT_EQ(unknown.code, 3) << unknown.err;
  EXPECT_CONTAINS(unknown.err, "no charges for 1 of 2 residues: XYZ 2 A: no template");
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(SeveralDevices, AreNamedOnceEachAndReported) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", pqr({{0, 0, 0, 1}, {4, 1, -2, -0.5}}));
  const auto on = [&](const std::string& devices) {
    return run({"compute", "potential", folder / "ions.pqr", "--method", "direct", "--counts", "7,6,5", "--out",
                folder / "map.dx", "--device", devices, "--report", folder / "r.json"});
  };
  auto refused = on("cpu,cpu");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("cpu is named twice"), std::string::npos) << refused.err;
  refused = on("cpu,gpu");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("'gpu' is no device; expected a list such as cuda:0,1,cpu"), std::string::npos)
      << refused.err;
  const auto made = on("cpu");
  ASSERT_EQ(made.code, 0) << made.err;
  const auto workers = test::read_json(folder / "r.json")["device"]["workers"];
  ASSERT_EQ(workers.size(), 1u);
  EXPECT_EQ(workers[0]["name"], "cpu");
  EXPECT_EQ(workers[0]["tiles"], 1);
  EXPECT_EQ(workers[0]["retries"], 0);
  EXPECT_EQ(workers[0]["retired"], false);
  EXPECT_GE(workers[0]["seconds"], 0.0);
}

TEST(PotentialMap, LargerThanMemoryLiesInAFileAndIsTheSame) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", pqr({{0, 0, 0, 1}, {4, 0, 0, -1}, {1, 7, 3, 0.5}}));
  struct Case {
    std::vector<std::string> method;
    const char *counts, *limit;  // GiB: less than the values, more than what next to them is needed
  };
  const std::vector<Case> cases{
      {{"debye-hueckel"}, "150,140,160", "0.012"},
      {{"msm", "--cutoff", "6", "--lattice-spacing", "1.5", "--degree", "5", "--smoothing", "3", "--basis", "bspline"},
       "240,230,160",
       "0.025"}};
  for (const Case& c : cases) {
    for (const char* name : {"phi.dx", "phi.mrc"}) {
      SCOPED_TRACE(c.method[0] + " " + name);
      const std::string whole = folder / (std::string("whole_") + name), parts = folder / name;
      std::vector<std::string> words{"compute",   "potential", folder / "ions.pqr", "--counts",        c.counts,
                                     "--padding", "6",         "--report",          folder / "r.json", "--method"};
      words.insert(words.end(), c.method.begin(), c.method.end());
      words.insert(words.end(), {"--out", whole});
      const auto one = run(words);
      ASSERT_EQ(one.code, 0) << one.err;
      EXPECT_FALSE(test::read_json(folder / "r.json")["result"]["map_in_file"]);
      words.back() = parts;
      words.insert(words.end(), {"--memory-limit", c.limit});
      const auto limited = run(words);
      ASSERT_EQ(limited.code, 0) << limited.err;
      EXPECT_CONTAINS(limited.err, "is kept in a temporary file");
      const auto report = test::read_json(folder / "r.json");
      EXPECT_TRUE(report["result"]["map_in_file"]);
      EXPECT_GT(report["result"]["slabs"], 1);
      EXPECT_EQ(std::filesystem::file_size(parts), std::filesystem::file_size(whole));
      const Molecule a = read_file(parts), b = read_file(whole);
      const std::vector<float>&x = a.volumes.at(0)->values, &y = b.volumes.at(0)->values;
      ASSERT_EQ(x.size(), y.size());
      double most = 0, scale = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        most = std::max(most, std::abs(double(x[i]) - double(y[i])));
        scale = std::max(scale, std::abs(double(y[i])));
      }
      // On the CPU the parts of a multilevel map have the bits of the whole; on CUDA charges are binned for each part.
      const bool same_bits = c.method[0] == "msm" && report["device"]["kind"] == "cpu";
      EXPECT_LE(most, same_bits ? 0.0 : 2e-6 * scale);
    }
  }
  // Nothing is left but the maps.
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    EXPECT_EQ(entry.path().filename().string().find(".isolume-map"), std::string::npos);
}

}  // namespace
}  // namespace isolume
