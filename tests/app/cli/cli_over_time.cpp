// isolume compute potential --average, compute volmap and merge as a process: means with their standard errors.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "formats/read.h"
#include "ion_files.h"
#include "program.h"

namespace isolume::test {
namespace {

std::string synthetic(const std::string& file) {
  return shared_data("over-time/synthetic/" + file);
}

/// Pairs of numbers from lines "a,b".
std::vector<std::pair<double, double>> pairs(const std::string& text) {
  std::vector<std::pair<double, double>> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t comma = line.find(',');
    found.emplace_back(std::stod(line.substr(0, comma)), std::stod(line.substr(comma + 1)));
  }
  return found;
}

std::string points_file(const Folder& folder, const nlohmann::json& system) {
  std::string text;
  for (const auto& p : system["points"])
    text += fmt::format("{},{},{}\n", p[0].get<double>(), p[1].get<double>(), p[2].get<double>());
  write_text(folder / "points.csv", text);
  return folder / "points.csv";
}

std::vector<std::string> average(const std::string& name, const std::string& points) {
  return {"compute", "potential", synthetic(name + ".pqr"), synthetic(name + ".dcd"), "--average", "--at", points,
          "--pbc",   "as-is"};
}

TEST(OverTime, MeanPotentialOfKnownTrajectories) {
  for (const char* name :
       {"single_iso_tau10", "twelve_mode_tau50", "dipole_mode_tau25", "telegraph_p03_lam095", "ten_independent"}) {
    if (!std::filesystem::exists(synthetic(std::string(name) + ".dcd"))) continue;
    const Folder folder;
    const auto system = read_json(synthetic(std::string(name) + ".json"));
    const Outcome outcome =
        run(average(name, points_file(folder, system)) + std::vector<std::string>{"--report", folder / "r.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto found = pairs(outcome.out);
    const auto &sample = system["sample_dcd"], &exact = system["exact"];
    ASSERT_EQ(found.size(), sample["mean_V"].size());
    const auto report = read_json(folder / "r.json");
    if (report["result"]["standard_error"]["rough"].get<double>() > 0) {
      EXPECT_CONTAINS(outcome.err, "fewer than 50 independent frames");
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(found[i].first, sample["mean_V"][i].get<double>(), 2e-5) << name << i;
      const auto variance = sample["variance_ddof1_V2"][i].get<double>();
      EXPECT_NEAR(report["result"]["points"][i]["variance"].get<double>(), variance, 1e-4 * variance) << name << i;
      const auto error = exact["standard_error_of_500_frame_mean_V"][i].get<double>();
      EXPECT_LT(std::abs(found[i].first - exact["mean_V"][i].get<double>()), 3 * error) << name << i;
      // Errors from fewer than 50 independent frames are called rough.
      const auto& point = report["result"]["points"][i];
      if (!std::isnan(found[i].second)) {
        EXPECT_EQ(point["rough"].get<bool>(), 500 / point["inefficiency"].get<double>() < 50) << name << i;
        if (found[i].second < 0.6 * error) {
          EXPECT_TRUE(point["rough"].get<bool>()) << name << i;
        }
      }
      // Where an error is given it is of the right size, unless there are fewer than 20 independent frames.
      if (std::isnan(found[i].second) || exact["statistical_inefficiency"][i].get<double>() > 25) continue;
      EXPECT_GT(found[i].second, 0.5 * error) << name << i;
      EXPECT_LT(found[i].second, 2 * error) << name << i;
    }
  }
}

TEST(OverTime, SaysWhereFramesAreTooFew) {
  const Folder folder;
  const auto system = read_json(synthetic("twelve_mode_tau50.json"));
  const Outcome outcome = run(average("twelve_mode_tau50", points_file(folder, system)));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const auto& [mean, error] : pairs(outcome.out)) EXPECT_TRUE(std::isnan(error)) << mean;
  EXPECT_CONTAINS(outcome.err, "too few for a standard error");
}

TEST(OverTime, PartsMergeToTheWholeAndResume) {
  const Folder folder;
  const auto words = average("single_iso_tau10", points_file(folder, read_json(synthetic("single_iso_tau10.json"))));
  const auto run_part = [&](const std::string& frames, const std::string& part) {
    const Outcome outcome = run(words + std::vector<std::string>{"--frames", frames, "--partial", folder / part});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return pairs(outcome.out);
  };
  const auto whole = pairs(run(words).out);
  const auto expect_whole = [&](const std::vector<std::pair<double, double>>& joined) {
    ASSERT_EQ(joined.size(), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) {
      EXPECT_NEAR(joined[i].first, whole[i].first, 1e-12);
      EXPECT_EQ(std::isnan(joined[i].second), std::isnan(whole[i].second)) << i;
      if (!std::isnan(whole[i].second)) {
        EXPECT_NEAR(joined[i].second, whole[i].second, 1e-9 * whole[i].second);
      }
    }
  };
  // Blocks reach from one part into the next, wherever the frames are cut and in whichever order parts are given.
  run_part("0:217", "part.1");
  run_part("217:218", "part.2a");
  run_part("218:500", "part.2b");
  const Outcome second = run({"merge", folder / "part.2b", folder / "part.2a", "--partial", folder / "part.2"});
  ASSERT_EQ(second.code, 0) << second.err;
  const Outcome merged = run({"merge", folder / "part.2", folder / "part.1", "--out", folder / "m.csv"});
  ASSERT_EQ(merged.code, 0) << merged.err;
  expect_whole(pairs(read_text(folder / "m.csv")));
  // Every other frame is another series, whose parts fit together likewise.
  const auto half = pairs(run(words + std::vector<std::string>{"--frames", "100:500:2"}).out);
  run_part("100:300:2", "even.1");
  run_part("300:500:2", "even.2");
  const Outcome even = run({"merge", folder / "even.1", folder / "even.2", "--allow-gaps", "--out", folder / "e.csv"});
  ASSERT_EQ(even.code, 0) << even.err;
  const auto evens = pairs(read_text(folder / "e.csv"));
  ASSERT_EQ(evens.size(), half.size());
  for (std::size_t i = 0; i < half.size(); ++i) {
    EXPECT_EQ(std::isnan(evens[i].second), std::isnan(half[i].second)) << i;
    if (!std::isnan(half[i].second)) {
      EXPECT_NEAR(evens[i].second, half[i].second, 1e-9 * half[i].second);
    }
  }
  run_part("0:100", "part.3");
  const auto resumed = run_part("0:500", "part.3");  // goes on from 100
  for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_EQ(resumed[i].first, whole[i].first);
  // A part of something else, an overlap, a cut file, another beginning.
  run(average("twelve_mode_tau50", folder / "points.csv") + std::vector<std::string>{"--partial", folder / "other"});
  const Outcome other = run({"merge", folder / "part.1", folder / "other", "--out", folder / "x.csv"});
  EXPECT_EQ(other.code, 3);
  EXPECT_CONTAINS(other.err, "part of another average");
  const Outcome twice = run({"merge", folder / "part.1", folder / "part.3", "--out", folder / "x.csv"});
  EXPECT_EQ(twice.code, 3);
  EXPECT_CONTAINS(twice.err, "has frame 0");
  const std::string bytes = read_text(folder / "part.1");
  write_text(folder / "cut", bytes.substr(0, bytes.size() - 50));
  const Outcome cut = run({"merge", folder / "cut", "--out", folder / "x.csv"});
  EXPECT_EQ(cut.code, 3);
  EXPECT_CONTAINS(cut.err, "no whole part");
  const Outcome beginning = run(words + std::vector<std::string>{"--frames", "5:", "--partial", folder / "part.1"});
  EXPECT_EQ(beginning.code, 3);
  EXPECT_CONTAINS(beginning.err, "cannot go on");
}

/// Whether a program still runs, as the kernel says.
bool runs(pid_t child) {
  std::ifstream status("/proc/" + std::to_string(child) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("State:")) return line.find('Z') == std::string::npos;
  return false;
}

TEST(OverTime, ARunThatIsKilledLeavesAPart) {
  const Folder folder;
  std::string points;
  for (int i = 0; i < 30000; ++i) points += fmt::format("{},{},{}\n", i % 50, i / 50 % 30, i / 1500);
  write_text(folder / "points.csv", points);
  const std::string part = folder / "part";
  const pid_t child = start({"compute", "potential", examples("crambin_water/crambin_water.gro.gz"),
                             examples("crambin_water/crambin_water.xtc"), "--average", "--at", folder / "points.csv",
                             "--device", "cpu", "--threads", "1", "--partial", part, "--out", folder / "m.csv"},
                            folder / "out", folder / "err");
  while (!std::filesystem::exists(part) && runs(child)) continue;
  EXPECT_EQ(kill(child, SIGKILL), 0);
  wait_for(child);
  EXPECT_FALSE(std::filesystem::exists(folder / "m.csv")) << "the part is there before the end";
  const Outcome rest = run({"merge", part, "--out", folder / "r.csv", "--report", folder / "r.json"});
  ASSERT_EQ(rest.code, 0) << rest.err << read_text(folder / "err");
  EXPECT_EQ(pairs(read_text(folder / "r.csv")).size(), 30000u);
  EXPECT_GT(read_json(folder / "r.json")["result"]["frames"].get<int>(), 0);
}

TEST(OverTime, AMapIsWhatItsPointsAre) {
  const Folder folder;
  const std::vector<std::string> files{
      "compute", "potential", synthetic("single_iso_tau10.pqr"), synthetic("single_iso_tau10.dcd"), "--average",
      "--pbc",   "as-is"};
  const Outcome map = run(files + std::vector<std::string>{"--counts", "6,5,4", "--out", folder / "m.dx", "--error-out",
                                                           folder / "e.mrc", "--convergence", folder / "c.csv",
                                                           "--faded-out", folder / "s.mrc", "--partial", folder / "p",
                                                           "--variance-out", folder / "v.mrc"});
  ASSERT_EQ(map.code, 0) << map.err;
  const Molecule mean = read_file(folder / "m.dx"), error = read_file(folder / "e.mrc");
  const Molecule shown = read_file(folder / "s.mrc");
  const Volume &values = *mean.volumes.at(0), &errors = *error.volumes.at(0);
  std::string text;
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 5; ++j)
      for (int i = 0; i < 6; ++i) {
        const glm::dvec3 p = values.grid.point(i, j, k);
        text += fmt::format("{},{},{}\n", p.x, p.y, p.z);
      }
  write_text(folder / "points.csv", text);
  const auto at = pairs(run(files + std::vector<std::string>{"--at", folder / "points.csv"}).out);
  ASSERT_EQ(at.size(), values.values.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    EXPECT_NEAR(values.values[i], at[i].first, 1e-4 * std::abs(at[i].first) + 1e-4);
    EXPECT_EQ(errors.values[i] == -1, std::isnan(at[i].second)) << i;  // readers of maps take no NaN
    if (!std::isnan(at[i].second)) {
      EXPECT_NEAR(errors.values[i], at[i].second, 0.02 * at[i].second);
    }
  }
  // The variance is that of the points, by the report of the run at points, and of the part that was kept.
  ASSERT_EQ(run(files + std::vector<std::string>{"--at", folder / "points.csv", "--out", folder / "at.csv", "--report",
                                                 folder / "r.json"})
                .code,
            0);
  ASSERT_EQ(run({"merge", folder / "p", "--variance-out", folder / "merged.mrc"}).code, 0);
  const Molecule variance = read_file(folder / "v.mrc"), merged = read_file(folder / "merged.mrc");
  const auto listed = read_json(folder / "r.json")["result"]["points"];
  ASSERT_EQ(listed.size(), at.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double expected = listed[i]["variance"].get<double>();
    EXPECT_NEAR(variance.volumes.at(0)->values[i], expected, 1e-3 * expected + 1e-9) << i;
    EXPECT_EQ(merged.volumes.at(0)->values[i], variance.volumes.at(0)->values[i]) << i;
  }
  EXPECT_EQ(run({"merge", folder / "p", "--minus", folder / "p", "--out", folder / "d.dx", "--variance-out",
                 folder / "v.mrc"})
                .code,
            2);
  // Whole from four standard errors on, gone up to two.
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double value = static_cast<double>(values.values[i]), size = std::abs(at[i].first) / at[i].second;
    const double part = std::isnan(size) ? 0 : std::clamp(size / 2 - 1, 0.0, 1.0);
    EXPECT_NEAR(shown.volumes.at(0)->values[i], part * value, 0.05 * std::abs(value) + 1e-6) << i;
  }
  // A mean less itself is nowhere significant.
  const Outcome none =
      run({"merge", folder / "p", "--minus", folder / "p", "--out", folder / "d.dx", "--faded-out", folder / "f.mrc"});
  ASSERT_EQ(none.code, 0) << none.err;
  const Molecule nothing = read_file(folder / "f.mrc");
  for (const float value : nothing.volumes.at(0)->values) EXPECT_EQ(value, 0);
  const std::string convergence = read_text(folder / "c.csv");
  EXPECT_CONTAINS(convergence, "frames,standard error (V)");
  EXPECT_CONTAINS(convergence, "\n500,");
}

TEST(OverTime, MeanOfHierarchicalPartitioningIsThatOfItsFrames) {
  const Folder folder;
  const std::string points = points_file(folder, read_json(synthetic("twelve_mode_tau50.json")));
  const std::vector<std::string> method{"--method", "hcp", "--thresholds", "5.5/7", "--charges", "2"};
  const auto mean =
      pairs(run(average("twelve_mode_tau50", points) + method + std::vector<std::string>{"--frames", "0:300:100"}).out);
  ASSERT_EQ(mean.size(), 20u);
  std::vector<double> sum(mean.size());
  double largest = 0;
  for (const char* frame : {"0", "100", "200"}) {
    const std::vector<std::string> words{"compute",
                                         "potential",
                                         synthetic("twelve_mode_tau50.pqr"),
                                         synthetic("twelve_mode_tau50.dcd"),
                                         "--at",
                                         points,
                                         "--pbc",
                                         "as-is",
                                         "--frame",
                                         frame};
    const auto values = numbers(run(words + method).out), direct = numbers(run(words).out);
    ASSERT_EQ(values.size(), sum.size());
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] += values[i];
      largest = std::max(largest, std::abs(values[i] - direct[i]));
    }
  }
  EXPECT_GT(largest, 0.01) << "the chain is far from some points";
  for (std::size_t i = 0; i < sum.size(); ++i) EXPECT_NEAR(mean[i].first, sum[i] / 3, 1e-6) << i;
}

TEST(OverTime, RefusesWhatMakesNoSense) {
  const std::string pqr = synthetic("single_iso_tau10.pqr"), dcd = synthetic("single_iso_tau10.dcd");
  const auto fails = [&](std::vector<std::string> words, const char* why) {
    words.insert(words.begin(), {"compute", "potential", pqr, dcd});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_CONTAINS(outcome.err, why);
  };
  fails({"--frames", "0:5", "--out", "x.dx"}, "belongs to --average");
  fails({"--average", "--tolerance", "1e-3", "--out", "x.dx"}, "--average takes a method as it is");
  fails({"--average", "--align", "name XX", "--out", "x.dx"}, "XX");
  fails({"--average", "--align", "all", "--out", "x.dx"}, "three or more");
  fails({"--average", "--frames", "900:", "--out", "x.dx"}, "frame");
}

TEST(OverTime, DifferencesOfAverages) {
  const Folder folder;
  const auto words = average("single_iso_tau10", points_file(folder, read_json(synthetic("single_iso_tau10.json"))));
  const auto part = [&](const std::string& frames, const std::string& name) {
    EXPECT_EQ(run(words + std::vector<std::string>{"--frames", frames, "--partial", folder / name}).code, 0);
  };
  part("0:500", "all");
  part("0:250", "first");
  part("250:500", "second");
  const Outcome itself = run(
      {"merge", folder / "all", "--minus", folder / "all", "--out", folder / "d.csv", "--report", folder / "r.json"});
  ASSERT_EQ(itself.code, 0) << itself.err;
  const auto whole = pairs(run(words).out), zero = pairs(read_text(folder / "d.csv"));
  ASSERT_EQ(zero.size(), whole.size());
  for (std::size_t i = 0; i < zero.size(); ++i) {
    EXPECT_EQ(zero[i].first, 0);
    EXPECT_EQ(std::isnan(zero[i].second), std::isnan(whole[i].second));
    if (!std::isnan(zero[i].second)) {
      EXPECT_NEAR(zero[i].second, std::sqrt(2.0) * whole[i].second, 1e-9);
    }
  }
  EXPECT_EQ(read_json(folder / "r.json")["result"]["significant"], 0);
  const Outcome halves = run({"merge", folder / "second", "--minus", folder / "first", "--out", folder / "h.csv"});
  ASSERT_EQ(halves.code, 0) << halves.err;
  const auto half = pairs(read_text(folder / "h.csv"));
  const auto first = pairs(run(words + std::vector<std::string>{"--frames", "0:250"}).out);
  for (std::size_t i = 0; i < half.size(); ++i)  // the mean of both halves is that of all
    EXPECT_NEAR(half[i].first, 2 * (whole[i].first - first[i].first), 1e-9);
  run(average("single_iso_tau10", folder / "points.csv") +
      std::vector<std::string>{"--unit", "kT/e", "--partial", folder / "kt"});
  const Outcome units = run({"merge", folder / "all", "--minus", folder / "kt", "--out", folder / "u.csv"});
  EXPECT_EQ(units.code, 3);
  EXPECT_CONTAINS(units.err, "is in kT/e, not in V");
}

TEST(OverTime, DifferencesOfCharges) {
  const Folder folder;
  write_text(folder / "a.pqr", pqr({{0, 0, 0, 1}, {3, 1, 0, -1}}));
  write_text(folder / "b.pqr", pqr({{0, 0, 1, 1}, {3, 1, 0, -1}}));
  const std::vector<std::string> words{"compute",   "compare", folder / "a.pqr", "--repeats",    "1",
                                       "--spacing", "2",       "--out",          folder / "d.dx"};
  const Outcome same = run(words + std::vector<std::string>{"--second-files", folder / "a.pqr"});
  ASSERT_EQ(same.code, 0) << same.err;
  const Molecule unmoved = read_file(folder / "d.dx");
  for (const float value : unmoved.volumes.at(0)->values) EXPECT_EQ(value, 0);
  const Outcome moved = run(words + std::vector<std::string>{"--second-files", folder / "b.pqr"});
  ASSERT_EQ(moved.code, 0) << moved.err;
  const Molecule molecule = read_file(folder / "d.dx");
  const Volume& map = *molecule.volumes.at(0);
  for (int k = 0; k < map.grid.counts.z; ++k)
    for (int j = 0; j < map.grid.counts.y; ++j)
      for (int i = 0; i < map.grid.counts.x; ++i) {
        const glm::dvec3 p = map.grid.point(i, j, k);
        const double from = glm::length(p), to = glm::length(p - glm::dvec3(0, 0, 1));
        if (from < 0.5 || to < 0.5) continue;
        EXPECT_NEAR(map.values[map.grid.index(i, j, k)], volt_angstrom * (1 / to - 1 / from), 1e-4);
      }
  const Outcome one = run(words + std::vector<std::string>{"--second-select", "index 0"});
  EXPECT_EQ(one.code, 0) << one.err;
  const Outcome none = run(words);
  EXPECT_EQ(none.code, 2);
  EXPECT_CONTAINS(none.err, "--second is missing");
}

const std::string gro = "md-computed/crambin_water_em.gro.gz", xtc = "md-computed/crambin_water.xtc";

TEST(OverTime, VolumeMapsOfASimulation) {
  const Folder folder;
  const std::string like = shared_data("over-time/volmap/water_O_count_density.mrc.gz");
  const std::vector<std::string> words{"compute", "volmap", shared_data(gro), shared_data(xtc),
                                       "--like",  like,     "--align",        "protein and name CA"};
  const Outcome count = run(words + std::vector<std::string>{"--select", "water and name OW", "--spread", "voxel",
                                                             "--out", folder / "n.mrc", "--peaks", folder / "p.csv",
                                                             "--error-out", folder / "e.mrc"});
  ASSERT_EQ(count.code, 0) << count.err;
  const Molecule found = read_file(folder / "n.mrc"), reference = read_file(like);
  const auto &own = found.volumes.at(0)->values, &its = reference.volumes.at(0)->values;
  ASSERT_EQ(own.size(), its.size());
  double sum = 0, sum_reference = 0;
  int other = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    sum += static_cast<double>(own[i]);
    sum_reference += static_cast<double>(its[i]);
    EXPECT_NEAR(own[i], its[i], 0.0165);  // an oxygen on the edge of a voxel in one of 61 frames
    if (std::abs(own[i] - its[i]) > 1e-4) ++other;
  }
  EXPECT_LT(other, 60);
  EXPECT_NEAR(sum, sum_reference, 0.2);
  EXPECT_CONTAINS(read_text(folder / "p.csv"), "site,x (angstrom)");
}

TEST(OverTime, OccupancyOfAProtein) {
  const Folder folder;
  const std::string like = shared_data("over-time/volmap/protein_occupancy.mrc.gz");
  // The reference's radii are its own; those of carbon, one element at a time, are the same as here.
  const Outcome outcome =
      run({"compute", "volmap", shared_data(gro), shared_data(xtc), "--like", like, "--align", "protein and name CA",
           "--kind", "occupancy", "--select", "protein", "--out", folder / "o.mrc"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto values = read_file(folder / "o.mrc").volumes.at(0)->values;
  const auto reference = read_file(like).volumes.at(0)->values;
  double most = 0, difference = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    most = std::max(most, static_cast<double>(values[i]));
    difference += std::abs(static_cast<double>(values[i] - reference[i])) / static_cast<double>(values.size());
  }
  EXPECT_EQ(most, 1);
  EXPECT_LT(difference, 0.01) << "hydrogens have 1.2 here and 1.0 there";
}

TEST(OverTime, WaterAroundResidues) {
  const Folder folder;
  const auto reference = read_json(shared_data("over-time/volmap/water_around_residue.json"));
  const Outcome outcome =
      run({"compute", "volmap", shared_data(gro), shared_data(xtc), "--around", "resname THR", "--select",
           "water and name OW", "--spread", "voxel", "--unit", "bulk", "--out", folder / "s.mrc"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Molecule molecule = read_file(folder / "s.mrc");
  const Volume& map = *molecule.volumes.at(0);
  ASSERT_EQ(map.grid.counts, glm::ivec3(17));
  const auto& nodes = reference["node_indices"];
  const auto& values = reference["values"]["THR"];
  int other = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const float own = map.values[map.grid.index(nodes[i][0], nodes[i][1], nodes[i][2])];
    if (std::abs(own - values[i].get<double>()) > 2e-3) ++other;
  }
  EXPECT_LE(other, 2) << "of " << nodes.size();
}

}  // namespace
}  // namespace isolume::test
