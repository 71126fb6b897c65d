// What is computed of a simulation: energies that its program wrote, lifetimes of hydrogen bonds.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <sstream>

#include "program.h"

namespace isolume::test {
namespace {

std::vector<std::vector<std::string>> rows_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back(1);
    for (const char c : line) {
      if (c == ',') {
        rows.back().emplace_back();
      } else {
        rows.back().back().push_back(c);
      }
    }
  }
  return rows;
}

double value(const std::string& text) {
  double found = NAN;
  std::from_chars(text.data(), text.data() + text.size(), found);
  return found;
}

/// Two waters in XYZ, the second one bonded to the first (2.8 angstrom) or far away, frame by frame,
/// with the times of CP2K; `step` in ps.
std::string waters(const std::vector<bool>& bonded, double step) {
  std::string text;
  for (std::size_t f = 0; f < bonded.size(); ++f) {
    const double away = bonded[f] ? 0 : 20;
    text += "6\n i = " + std::to_string(f) + ", time = " + std::to_string(1000 * step * static_cast<double>(f)) +
            ", E = -17.2\nO 0 0 0\nH 0.96 0 0\nH -0.24 0.93 0\n";
    for (const char* atom : {"O 2.8 0 0", "H 3.4 0.75 0", "H 3.4 -0.75 0"}) {
      std::istringstream fields(atom);
      std::string element;
      double x = 0, y = 0, z = 0;
      fields >> element >> x >> y >> z;
      text += element + " " + std::to_string(x + away) + " " + std::to_string(y) + " " + std::to_string(z) + "\n";
    }
  }
  return text;
}

TEST(RunEnergies, AreATable) {
  const Folder folder;
  const Outcome done = run({"compute", "timeline", data("energies/version5_double.edr"), "--of", "energy", "--terms",
                            "potential,Temperature", "--out", folder / "e.csv", "--report", folder / "r.json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const auto rows = rows_of(read_text(folder / "e.csv"));
  ASSERT_EQ(rows.size(), 12u);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"time (ps)", "step", "Potential (kcal/mol)", "Temperature (K)"}));
  for (std::size_t r = 0; r < 11; ++r) {
    const auto row = static_cast<double>(r);
    EXPECT_NEAR(value(rows[r + 1][0]), 0.02 * row, 1e-9);
    EXPECT_NEAR(value(rows[r + 1][2]), -1000 / 4.184 - row, 1e-6);
    EXPECT_NEAR(value(rows[r + 1][3]), 300 + row / 4, 1e-9);
  }
  const auto report = read_json(folder / "r.json");
  EXPECT_EQ(report["device"]["kind"], "cpu");
  EXPECT_NEAR(report["result"]["terms"]["Potential"]["mean"].get<double>(), -1000 / 4.184 - 5, 1e-9);
  EXPECT_NEAR(report["result"]["terms"]["Potential"]["drift"].get<double>(), -10, 1e-9);
  EXPECT_NEAR(report["result"]["terms"]["Potential"]["standard_deviation"].get<double>(), std::sqrt(11.0), 1e-9);
}

TEST(RunEnergies, KeepTheirUnitAndPickRows) {
  const Outcome done = run({"compute", "timeline", data("energies/version5_double.edr"), "--of", "energy", "--unit",
                            "kJ/mol", "--terms", "Potential", "--frames", "2:4", "--quiet"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.out, "time (ps),step,Potential (kJ/mol)\n0.04,20,-1008.368\n0.06,30,-1012.552\n");
}

TEST(RunEnergies, AreThoseOfFramesByTime) {
  const Folder folder;
  write_text(folder / "w.xyz", waters({true, true, true, true}, 0.05));
  const Outcome done = run({"compute", "timeline", folder / "w.xyz", data("energies/dynamics_namd.log"), "--of",
                            "energy", "--terms", "TOTAL,TEMP", "--out", folder / "e.csv"});
  ASSERT_EQ(done.code, 0) << done.err;
  const auto rows = rows_of(read_text(folder / "e.csv"));
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0][0], "frame");
  // Frames at 0, 0.05, 0.1 and 0.15 ps, energies every 0.02 ps up to 0.1: TOTAL is -500 - r / 4.
  EXPECT_NEAR(value(rows[1][3]), -500, 1e-9);
  EXPECT_NEAR(value(rows[3][3]), -501.25, 1e-9);
  EXPECT_EQ(rows[4][3], "");
  EXPECT_CONTAINS(done.err, "1 of 4 frames have no energies");
}

TEST(RunEnergies, SayWhatIsWrong) {
  const Outcome term = run({"compute", "timeline", data("energies/dynamics.mdout"), "--of", "energy", "--terms", "X"});
  EXPECT_EQ(term.code, 2);
  EXPECT_CONTAINS(term.err, "EPtot");
  const Outcome file = run({"compute", "timeline", data("formats/sample.pdb"), "--of", "energy"});
  EXPECT_EQ(file.code, 3);
  const Outcome cuda =
      run({"compute", "timeline", data("energies/dynamics.mdout"), "--of", "energy", "--device", "cuda"});
  EXPECT_EQ(cuda.code, 2);
  EXPECT_EQ(cuda.out, "");
}

// A bond of two states: breaks with a = 0.2 and forms with b = 0.1 a frame. S(t) = (1 - a)^t, whose trapezoids are
// 1 / a - 1 / 2 frames, and C(t) = p + (1 - p) (1 - a - b)^t with p = b / (a + b).
TEST(HydrogenBondLifetimes, OfTwoStates) {
  const Folder folder;
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> uniform;
  std::vector<bool> bonded;
  bool there = true;
  for (int f = 0; f < 6000; ++f) {
    bonded.push_back(there);
    there = there ? uniform(engine) >= 0.2 : uniform(engine) < 0.1;
  }
  write_text(folder / "w.xyz", waters(bonded, 2));
  const Outcome done = run({"compute", "hbonds", folder / "w.xyz", "--select", "all", "--step", "2", "--longest-lag",
                            "100", "--bonds", folder / "b.csv", "--correlation", folder / "c.csv", "--out",
                            folder / "n.csv", "--report", folder / "r.json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const auto counts = rows_of(read_text(folder / "n.csv")), bonds = rows_of(read_text(folder / "b.csv"));
  ASSERT_EQ(counts.size(), 6001u);
  for (std::size_t f = 0; f < 6000; ++f) ASSERT_EQ(value(counts[f + 1].back()), bonded[f] ? 1 : 0) << f;
  ASSERT_EQ(bonds.size(), 2u);
  const auto column = [&](const std::string& name) {
    const auto at = std::find(bonds[0].begin(), bonds[0].end(), name);
    return at == bonds[0].end() ? NAN : value(bonds[1][static_cast<std::size_t>(at - bonds[0].begin())]);
  };
  const auto times = static_cast<double>(std::count(bonded.begin(), bonded.end(), true));
  EXPECT_EQ(column("frames"), times);
  EXPECT_NEAR(column("occupancy"), times / 6000, 1e-5);
  EXPECT_NEAR(column("occupancy"), 1.0 / 3, 4 * column("occupancy error"));
  EXPECT_NEAR(column("mean distance (angstrom)"), 2.8, 1e-3);
  EXPECT_NEAR(column("continuous lifetime (ps)"), 9, 4 * column("continuous error (ps)"));
  EXPECT_LT(column("continuous error (ps)"), 1);
  EXPECT_NEAR(column("intermittent lifetime (ps)"), 2 * (1 / 0.3 - 0.5), 1);
  const auto decay = rows_of(read_text(folder / "c.csv"));
  ASSERT_EQ(decay.size(), 52u);
  EXPECT_EQ(decay[0][0], "lag (ps)");
  EXPECT_NEAR(value(decay[4][3]), std::pow(0.8, 3), 4 * value(decay[4][4]));
  EXPECT_NEAR(value(decay[4][1]), 1.0 / 3 + 2.0 / 3 * std::pow(0.7, 3), 4 * value(decay[4][2]));
  EXPECT_EQ(read_json(folder / "r.json")["result"]["continuous_lifetime"]["unit"], "ps");
}

TEST(HydrogenBondLifetimes, BetweenTwoSelections) {
  const Folder folder;
  write_text(folder / "w.xyz", waters({true, true, false, true}, 1));
  const auto counts = [&](const char* to) {
    const Outcome done =
        run({"compute", "hbonds", folder / "w.xyz", "--select", "index 0 to 2", "--to", to, "--out", folder / "n.csv"});
    EXPECT_EQ(done.code, 0) << done.err;
    std::string found;
    for (const auto& row : rows_of(read_text(folder / "n.csv"))) found += row.back() + " ";
    return found;
  };
  EXPECT_EQ(counts("index 3 to 5"), "hydrogen bonds 1 1 0 1 ");
  EXPECT_EQ(counts("index 4 5"), "hydrogen bonds 0 0 0 0 ");
}

}  // namespace
}  // namespace isolume::test
