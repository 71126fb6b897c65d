// isolume compute potential as a process: every method against closed forms and against the exact sums.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <sstream>

#include "formats/read.h"
#include "molecule/units.h"
#include "render/image.h"
#include "tests/app/program.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

constexpr double volt_angstrom = 14.399645;  // e / (4 pi eps0), CODATA 2018

std::string pqr(const std::vector<std::array<double, 4>>& charges, const std::string& head = {}) {
  std::string text = head;
  for (std::size_t i = 0; i < charges.size(); ++i)
    text += fmt::format("ATOM  {:5} {:<4} ION A{:4}    {:8.3f}{:8.3f}{:8.3f} {:7.4f} {:6.4f}\n", i + 1, "NA", i + 1,
                        charges[i][0], charges[i][1], charges[i][2], charges[i][3], 1.5);
  return text + "END\n";
}

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

TEST(PotentialMap, OfEveryMethodAgreesWithItsReference) {
  const Folder folder;
  const auto made = run({"convert", "--make", "water:14", folder / "water.pqr"});
  ASSERT_EQ(made.code, 0) << made.err;
  const Molecule water = read_file(folder / "water.pqr");
  EXPECT_NEAR(water.topology->total_charge(), 0, 1e-4);
  EXPECT_NEAR(water.trajectory->frame(0).cell.volume(), 14.0 * 14 * 14, 1e-3);
  struct Case {
    std::vector<std::string> words;
    double relative;  // of the report, at most
  };
  const std::vector<Case> cases{{{"--method", "direct"}, 1e-5},
                                {{"--method", "direct", "--dielectric", "sigmoidal"}, 1e-4},
                                {{"--method", "direct", "--dielectric", "constant:2"}, 1e-5},
                                {{"--method", "debye-hueckel"}, 1e-5},
                                {{"--method", "cutoff", "--cutoff", "60", "--form", "plain"}, 1e-5},
                                {{"--method", "msm"}, 4e-3},
                                {{"--method", "msm", "--published"}, 4e-3},
                                {{"--method", "msm", "--tolerance", "1e-4"}, 1e-4}};
  for (const Case& test_case : cases) {
    std::vector<std::string> words{"compute", "potential",       folder / "water.pqr", "--spacing",      "1",
                                   "--out",   folder / "phi.dx", "--report",           folder / "r.json"};
    words.insert(words.end(), test_case.words.begin(), test_case.words.end());
    const auto outcome = run(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto report = test::read_json(folder / "r.json");
    EXPECT_EQ(report["method"]["name"], test_case.words[1]);
    EXPECT_LE(report["error"]["relative"].get<double>(), test_case.relative) << fmt::format("{}", outcome.err);
    EXPECT_GT(report["error"]["points"].get<int>(), 0);
    EXPECT_NEAR(report["result"]["total_charge"].get<double>(), 0, 1e-4);
    EXPECT_CONTAINS(outcome.err, "relative");
    EXPECT_CONTAINS(test::read_text(folder / "phi.dx").substr(0, 400), "rel. error");
  }
}

TEST(PotentialMap, OfPeriodicSaltHasMadelungsConstant) {
  // One cubic cell of rock salt, a = 5.64; at a point of the grid on an ion that ion itself is left out.
  const double a = 5.64, h = a / 2;
  const Folder folder;
  test::write_text(folder / "salt.pqr", pqr({{0, 0, 0, 1},
                                             {h, h, 0, 1},
                                             {h, 0, h, 1},
                                             {0, h, h, 1},
                                             {h, 0, 0, -1},
                                             {0, h, 0, -1},
                                             {0, 0, h, -1},
                                             {h, h, h, -1}},
                                            "CRYST1    5.640    5.640    5.640  90.00  90.00  90.00 P 1\n"));
  const auto outcome =
      run({"compute", "potential", folder / "salt.pqr", "--method", "msm", "--periodic", "xyz", "--spacing", "1.41",
           "--tolerance", "1e-4", "--out", folder / "phi.dx", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Molecule map = read_file(folder / "phi.dx");
  const Volume& volume = *map.volumes.at(0);
  ASSERT_EQ(volume.grid.counts, glm::ivec3(4));
  const double expected = -1.7475645946 * volt_angstrom / h;
  EXPECT_NEAR(volume.values[volume.grid.index(0, 0, 0)], expected, 1e-3 * std::abs(expected));
  EXPECT_NEAR(volume.values[volume.grid.index(2, 0, 0)], -expected, 1e-3 * std::abs(expected));
  EXPECT_CONTAINS(test::read_json(folder / "r.json")["error"]["reference"].get<std::string>(), "Ewald");
}

TEST(PotentialMap, ItsGridIsMadeByCountsPaddingOrAnotherMap) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", pqr({{0, 0, 0, 1}, {4, 0, 0, -2}}));
  const std::string ions = folder / "ions.pqr", out = folder / "phi.dx";
  const auto grid = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"compute", "potential", ions, "--out", out});
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_file(out).volumes.at(0)->grid;
  };
  const Grid counted = grid({"--counts", "9,5,3", "--padding", "2"});
  EXPECT_EQ(counted.counts, glm::ivec3(9, 5, 3));
  EXPECT_EQ(counted.origin, glm::dvec3(-2));
  EXPECT_EQ(counted.step, glm::dmat3(1, 0, 0, 0, 1, 0, 0, 0, 2));
  const Grid padded = grid({"--padding", "3", "--spacing", "0.5"});
  EXPECT_EQ(padded.counts, glm::ivec3(21, 13, 13));
  EXPECT_EQ(padded.origin, glm::dvec3(-3));
  std::filesystem::copy_file(out, folder / "like.dx");
  EXPECT_EQ(grid({"--like", folder / "like.dx"}), padded);
  EXPECT_EQ(grid({"--grid", folder / "like.dx", "--method", "msm"}), padded);
}

TEST(PotentialMap, SaysChargeZeroAndErrorOfAChargedPeriodicCell) {
  const Folder folder;
  test::write_text(folder / "ion.pqr",
                   pqr({{1, 2, 3, 1}, {4, 2, 3, 0.5}}, "CRYST1   12.000   12.000   12.000  90.00  90.00  90.00 P 1\n"));
  const auto outcome = run({"compute", "potential", folder / "ion.pqr", "--method", "msm", "--periodic", "xyz",
                            "--counts", "24", "--out", folder / "phi.dx", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto report = test::read_json(folder / "r.json");
  EXPECT_NEAR(report["result"]["total_charge"].get<double>(), 1.5, 1e-6);
  EXPECT_CONTAINS(report["method"]["zero"].get<std::string>(), "background");
  const std::string comment = test::read_text(folder / "phi.dx").substr(0, 500);
  EXPECT_CONTAINS(comment, "rel. error");
  EXPECT_CONTAINS(comment, "max");
  EXPECT_CONTAINS(comment, "total charge 1.5 e");
  EXPECT_CONTAINS(comment, "background");
  // The mean over the cell is 0, as is said.
  const Molecule map = read_file(folder / "phi.dx");
  double sum = 0, squares = 0;
  for (const float value : map.volumes.at(0)->values) {
    sum += double(value);
    squares += double(value) * double(value);
  }
  const double n = double(map.volumes.at(0)->values.size());
  EXPECT_LT(std::abs(sum / n), 0.02 * std::sqrt(squares / n));
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

// Maps of APBS of a protein beside ours. On its faces APBS takes the sum of Debye and Hueckel itself; inside it solves
// finite differences, and within some steps of a charge the two differ by the spreading of charges over grid points:
// there they are not comparable, and are left out.
TEST(PotentialMap, AgreesWithApbsWhereTheTwoAreComparable) {
  struct Case {
    const char *map, *charges;
    std::vector<std::string> words;
    double far;       // from atoms, angstrom: only such points are compared
    bool faces;       // only points on the faces
    double relative;  // RMS of the difference, of the RMS there
  };
  for (const Case& c : {Case{"volumes/apbs_1ajj/1ajj_pbe.dx.gz",
                             "structures/pqr/1ajj.pqr",
                             {"--method", "debye-hueckel"},
                             0,
                             true,
                             3e-5},
                        {"volumes/apbs_1ajj/1ajj_dh.dx.gz",
                         "volumes/apbs_1ajj/1ajj_r0.pqr",
                         {"--method", "debye-hueckel"},
                         8,
                         false,
                         3e-3},
                        {"volumes/apbs_1ajj/1ajj_vac.dx.gz", "volumes/apbs_1ajj/1ajj_r0.pqr", {}, 5, false, 6e-4}}) {
    const std::string map = test::shared_data(c.map), charges = test::shared_data(c.charges);
    ISOLUME_NEEDS(map);
    ISOLUME_NEEDS(charges);
    SCOPED_TRACE(c.map);
    const Folder folder;
    std::vector<std::string> words{"compute", "potential", charges, "--like",         map,
                                   "--unit",  "kT/e",      "--out", folder / "phi.dx"};
    words.insert(words.end(), c.words.begin(), c.words.end());
    const auto outcome = run(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Molecule theirs = read_file(map), ours = read_file(folder / "phi.dx"), atoms = read_file(charges);
    const Volume &a = *ours.volumes.at(0), &b = *theirs.volumes.at(0);
    ASSERT_EQ(a.grid.counts, b.grid.counts);
    const Frame frame = atoms.trajectory->frame(0);
    double difference = 0, square = 0;
    std::size_t compared = 0;
    for (int k = 0; k < b.grid.counts.z; ++k)
      for (int j = 0; j < b.grid.counts.y; ++j)
        for (int i = 0; i < b.grid.counts.x; ++i) {
          const glm::ivec3 at(i, j, k);
          bool face = false;
          for (int x = 0; x < 3; ++x) face = face || at[x] == 0 || at[x] == b.grid.counts[x] - 1;
          if (c.faces && !face) continue;
          const glm::vec3 point(b.grid.point(i, j, k));
          bool near = false;
          for (std::size_t n = 0; n < frame.positions.size() && !near && c.far > 0; ++n)
            near = glm::distance(frame.positions[n], point) < static_cast<float>(c.far);
          if (near) continue;
          const std::size_t index = b.grid.index(i, j, k);
          const double d = double(a.values[index]) - double(b.values[index]);
          difference += d * d;
          square += double(b.values[index]) * double(b.values[index]);
          ++compared;
        }
    EXPECT_GT(compared, 1000u);
    EXPECT_LT(std::sqrt(difference / square), c.relative);
  }
}

TEST(PotentialMap, OfAPrmtopHasItsChargesAndItsCell) {
  const std::string topology = test::shared_data("trajectories/nacl/nacl.box.parm7");
  const std::string coordinates = test::shared_data("trajectories/nacl/nacl.box.rst7");
  ISOLUME_NEEDS(topology);
  ISOLUME_NEEDS(coordinates);
  const Folder folder;
  // The potential at an ion of rock salt: Madelung's constant over the distance of neighbours, 2.82 angstrom.
  const auto outcome =
      run({"compute", "potential", topology, coordinates, "--method", "msm", "--periodic", "xyz", "--spacing", "0.47",
           "--tolerance", "1e-4", "--out", folder / "phi.dx", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Molecule map = read_file(folder / "phi.dx");
  const Volume& volume = *map.volumes.at(0);
  const glm::dvec3 place = volume.grid.coordinates(glm::dvec3(-5.64, -2.82, -4.23));
  const glm::ivec3 at = (glm::ivec3(glm::round(place)) % volume.grid.counts + volume.grid.counts) % volume.grid.counts;
  const double expected = 1.7475645946 * volt_angstrom / 2.82;
  EXPECT_NEAR(std::abs(volume.values[volume.grid.index(at.x, at.y, at.z)]), expected, 1e-3 * expected);
}

// A file whose charges do not add up to a whole number is shown as it is.
TEST(PotentialMap, ShowsTheTotalChargeAsItIs) {
  const std::string path = test::shared_data("md-computed/crambin_water.pqr.gz");
  ISOLUME_NEEDS(path);
  const Folder folder;
  const auto outcome = run({"compute", "potential", path, "--method", "msm", "--accuracy", "1e-2", "--spacing", "3",
                            "--out", folder / "phi.dx", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.err, "total 24.85 e");
  EXPECT_NEAR(test::read_json(folder / "r.json")["result"]["total_charge"].get<double>(), 24.85, 5e-3);
}

TEST(PotentialSurface, IsDrawnWithItsLegendAndReplayed) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", pqr({{-6, 0, 0, -1}, {6, 0, 0, 1}}));
  const auto outcome =
      run({"render", folder / "ions.pqr", "--surface", "gaussian", "--colour-by", "potential", "--range", "5", "--size",
           "400x300", "--samples", "1", "--out", folder / "a.png", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.err, "-5 V (red) to 5 V (blue)");
  const auto legend = test::read_json(folder / "r.json")["result"]["fields"][0]["legend"];
  EXPECT_EQ(legend["unit"], "V");
  EXPECT_EQ(legend["lower"], -5);
  EXPECT_EQ(legend["upper"], 5);
  // The bar's ends at the lower left: red, then blue, with every pixel of the bar between them.
  const Image image = read_png(folder / "a.png");
  int red_x = -1, blue_x = -1;
  for (int y = image.height * 3 / 4; y < image.height; ++y)
    for (int x = 0; x < image.width / 2; ++x) {
      const std::uint8_t* p = &image.rgba[4 * static_cast<std::size_t>(y * image.width + x)];
      if (p[0] > 190 && p[1] < 50 && p[2] < 50 && red_x < 0) red_x = x;
      if (p[2] > 190 && p[0] < 50 && p[1] < 80) blue_x = std::max(blue_x, x);
    }
  EXPECT_GE(red_x, 0);
  EXPECT_GT(blue_x, red_x + 100);
  const auto replayed = run({"replay", folder / "a.png", "--out", folder / "b.png"});
  ASSERT_EQ(replayed.code, 0) << replayed.err;
  EXPECT_EQ(test::read_text(folder / "a.png"), test::read_text(folder / "b.png"));
  const auto lonely = run({"render", folder / "ions.pqr", "--colour-by", "potential", "--out", folder / "c.png"});
  EXPECT_EQ(lonely.code, 2);
  EXPECT_CONTAINS(lonely.err, "--surface gaussian");
  test::write_text(folder / "bare.xyz", "1\n\nNe 0 0 0\n");
  const auto bare = run(
      {"render", folder / "bare.xyz", "--surface", "gaussian", "--colour-by", "potential", "--out", folder / "c.png"});
  EXPECT_EQ(bare.code, 2);
  EXPECT_CONTAINS(bare.err, "PQR, PSF, PRMTOP");
}

TEST(PotentialMap, RefusesWhatMakesNoSense) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", pqr({{0, 0, 0, 1}, {4, 0, 0, -2}}));
  test::write_text(folder / "bare.xyz", "1\n\nNe 0 0 0\n");
  test::write_text(folder / "points.csv", "3,0,0\n");
  test::write_text(folder / "flat.pqr",
                   pqr({{0, 0, 0, 1}}, "CRYST1    0.000    0.000    0.000  90.00  90.00  90.00 P 1\n"));
  const std::string ions = folder / "ions.pqr", flat = folder / "flat.pqr", out = folder / "x.dx";
  struct Case {
    std::vector<std::string> words;
    const char* message;
  };
  const std::vector<Case> cases{
      {{ions, "--method", "spme", "--out", out}, "not in this version"},
      {{ions, "--method", "hcp", "--out", out}, "direct, cutoff, msm and debye-hueckel"},
      {{ions, "--method", "msn", "--out", out}, "msm?"},
      {{ions, "--method", "direct", "--cutoff", "3", "--out", out}, "belongs to --method cutoff or msm"},
      {{ions, "--method", "msm", "--periodic", "xyz", "--out", out}, "no cell"},
      {{ions, "--method", "msm", "--periodic", "q", "--out", out}, "--periodic q"},
      {{ions, "--method", "msm", "--dielectric", "sigmoidal", "--out", out}, "direct or cutoff"},
      {{ions, "--method", "msm", "--at", folder / "points.csv"}, "msm computes maps"},
      {{ions, "--method", "msm", "--published", "--accuracy", "1e-3", "--out", out}, "not both"},
      {{ions, "--dielectric", "constant:0.5", "--out", out}, "1 or more"},
      {{folder / "bare.xyz", "--out", out}, "no partial charges"},
      {{ions, "--counts", "5,5", "--out", out}, "expected one number of points"},
      {{ions, "--counts", "5", "--spacing", "1", "--out", out}, "exclude each other"},
      {{ions, "--counts", "99999,99999,99999", "--out", out}, "2^32"},
      {{flat, "--method", "msm", "--periodic", "xyz", "--out", out}, "no cell"},
      {{ions, "--spacing", "0.001", "--out", out}, "points"}};
  for (const Case& test_case : cases) {
    std::vector<std::string> words{"compute", "potential"};
    words.insert(words.end(), test_case.words.begin(), test_case.words.end());
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << test_case.message << outcome.err;
    EXPECT_CONTAINS(outcome.err, test_case.message);
    EXPECT_FALSE(std::filesystem::exists(out));
  }
  // Not a layer of the map fits: said before anything is computed.
  const auto memory = run({"compute", "potential", ions, "--spacing", "0.1", "--memory-limit", "0.0001", "--out", out});
  EXPECT_EQ(memory.code, 1);
  EXPECT_CONTAINS(memory.err, "can be had");
  EXPECT_FALSE(std::filesystem::exists(out));
  const auto cannot = run({"compute", "potential", ions, "--method", "cutoff", "--cutoff", "3", "--tolerance", "1e-6",
                           "--spacing", "1", "--out", out});
  EXPECT_EQ(cannot.code, 1);
  EXPECT_CONTAINS(cannot.err, "cannot be met");
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace isolume
