// isolume compute probe as a process: contributions of residues against a second program, sums, fields.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <glm/glm.hpp>
#include <map>
#include <sstream>

#include "formats/bytes/byte_source.h"
#include "ion_files.h"
#include "program.h"

namespace isolume::test {
namespace {

/// The numbers of each line behind its first three fields, by these: "0,2,THR1".
std::map<std::string, std::vector<double>> rows_of(const std::string& text) {
  std::map<std::string, std::vector<double>> rows;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::vector<std::string> fields;
    std::istringstream parts(line);
    for (std::string field; std::getline(parts, field, ',');) fields.push_back(field);
    std::vector<double>& values = rows[fields[0] + "," + fields[1] + "," + fields[2]];
    for (std::size_t i = 3; i < fields.size(); ++i) values.push_back(std::stod(fields[i]));
  }
  return rows;
}

TEST(Probe, ContributionsOfResiduesOverASimulation) {
  const Folder folder;
  const auto source = ByteSource::open(shared_data("over-time/probe/probe.json.gz"));
  const auto reference = nlohmann::json::parse(source->text());
  std::string points;
  for (const auto& p : reference["points"])
    points += fmt::format("{},{},{}\n", p[0].get<double>(), p[1].get<double>(), p[2].get<double>());
  write_text(folder / "points.csv", points);
  const Outcome outcome =
      run({"compute", "probe", data("collection/over-time/probe/crambin_water_top.pqr.gz"),
           shared_data("md-computed/crambin_water.xtc"), "--points", folder / "points.csv", "--align",
           "protein and name CA", "--frames", "0:60:3", "--out", folder / "p.csv", "--mean-out", folder / "m.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto rows = rows_of(read_text(folder / "p.csv"));
  const auto &groups = reference["groups"], &frames = reference["frames"];
  std::map<std::string, std::string> names;  // "THR1" to ours, which may have a chain
  for (const auto& [key, values] : rows) {
    const std::string name = key.substr(key.rfind(',') + 1);
    names[name.substr(name.find('/') == std::string::npos ? 0 : name.find('/') + 1)] = name;
  }
  for (std::size_t f = 0; f < frames.size(); ++f)
    for (std::size_t p = 0; p < reference["points"].size(); ++p) {
      double sum = 0;
      for (std::size_t g = 0; g < groups.size(); ++g) {
        const auto own =
            rows.find(fmt::format("{},{},{}", frames[f].get<int>(), p, names[groups[g].get<std::string>()]));
        ASSERT_NE(own, rows.end()) << groups[g];
        if (g < 46) sum += own->second[0];
        // Positions are single precision, some 4e-6 A at 50 A. Where a charge is near, with a field E there, that is
        // E times as much in volts and, with E = k q / r^2, up to 2 E^1.5 / sqrt(k q) times in the field.
        glm::dvec3 field(0);
        for (int axis = 0; axis < 3; ++axis) field[axis] = reference["field_V_per_A"][f][p][g][axis].get<double>();
        const double strength = glm::length(field), base = g < 46 ? 2e-5 : 1e-4;  // water: of 7500 charges
        EXPECT_NEAR(own->second[0], reference["potential_V"][f][p][g].get<double>(), base + 1e-5 * strength)
            << f << groups[g];
        for (int axis = 0; axis < 3; ++axis)
          EXPECT_NEAR(own->second[1 + static_cast<std::size_t>(axis)], field[axis],
                      base + 1e-5 * std::pow(strength, 1.5))
              << f << groups[g];
      }
      EXPECT_NEAR(sum, reference["total_protein_potential_V"][f][p].get<double>(), 1e-4);
    }
  EXPECT_CONTAINS(read_text(folder / "m.csv"), "potential (V),standard error (V)");
}

TEST(Probe, GroupsAddUpForEveryMethod) {
  const Folder folder;
  // Two residues of one chain and one of another, in a cell.
  write_text(folder / "a.pqr",
             "CRYST1   20.000   20.000   20.000  90.00  90.00  90.00\n"
             "ATOM      1  C   ALA A   1       5.000   5.000   5.000  0.5000 1.7000\n"
             "ATOM      2  O   ALA A   1       6.200   5.100   5.000 -0.7000 1.5000\n"
             "ATOM      3  C   GLY A   2       8.000   9.000   7.000  0.4000 1.7000\n"
             "ATOM      4  N   LYS B   3      12.000   9.000  11.000 -0.2000 1.6000\n");
  write_text(folder / "p.csv", "7,7,7\n14,3,9.5\n");
  const std::vector<std::string> methods[] = {
      {"direct"}, {"cutoff"}, {"debye-hueckel"}, {"spme"}, {"hcp", "--thresholds", "6/12", "--charges", "2"}};
  for (const std::vector<std::string>& words : methods) {
    const std::string& method = words.front();
    for (const char* by : {"residue", "chain"}) {
      const Outcome outcome =
          run(std::vector<std::string>{"compute", "probe", folder / "a.pqr", "--points", folder / "p.csv", "--by", by,
                                       "--out", folder / "o.csv", "--method"} +
              words);
      ASSERT_EQ(outcome.code, 0) << method << outcome.err;
      const auto rows = rows_of(read_text(folder / "o.csv"));
      ASSERT_EQ(rows.size(), by == std::string("chain") ? 6u : 8u);
      const Outcome all = run(std::vector<std::string>{"compute", "potential", folder / "a.pqr", "--at",
                                                       folder / "p.csv", "--field", "--method"} +
                              words);
      ASSERT_EQ(all.code, 0) << all.err;
      std::istringstream lines(all.out);
      for (int p = 0; p < 2; ++p) {
        std::string line;
        std::getline(lines, line);
        std::vector<double> sum(4);
        for (const auto& [key, values] : rows)
          if (key.starts_with(fmt::format("0,{},", p)) && !key.ends_with(",total"))
            for (std::size_t n = 0; n < 4; ++n) sum[n] += values[n];
        std::istringstream parts(line);
        for (std::size_t n = 0; n < 4; ++n) {
          std::string field;
          std::getline(parts, field, ',');
          EXPECT_NEAR(sum[n], std::stod(field), 2e-6) << method << by << n;
          EXPECT_NEAR(rows.at(fmt::format("0,{},total", p))[n], sum[n], 1e-7);
        }
      }
    }
  }
}

TEST(Probe, FieldAlongABondIsThatOfDifferences) {
  const Folder folder;
  write_text(folder / "a.pqr", pqr({{0, 0, 0, 0.5}, {1.2, 0.3, 0, -0.5}, {4, 1, 2, 1}, {-3, 2, 5, -1}}));
  const Outcome outcome = run({"compute", "probe", folder / "a.pqr", "--bonds", "index 0 1", "--by", "all", "--total",
                               "--out", folder / "o.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto rows = rows_of(read_text(folder / "o.csv"));
  ASSERT_EQ(rows.size(), 1u);
  const double length = std::sqrt(1.2 * 1.2 + 0.3 * 0.3), h = 1e-4;
  std::string points;
  for (const double t : {-h, h}) points += fmt::format("{},{},0\n", 0.6 + 1.2 * t / length, 0.15 + 0.3 * t / length);
  write_text(folder / "p.csv", points);
  const auto values = numbers(run({"compute", "potential", folder / "a.pqr", "--at", folder / "p.csv"}).out);
  EXPECT_NEAR(rows.begin()->second[4], -(values[1] - values[0]) / (2 * h), 1e-5);
}

TEST(Probe, GradientIsThatOfDifferencesOfTheField) {
  const Folder folder;
  write_text(folder / "a.pqr", pqr({{0, 0, 0, 0.5}, {1.2, 0.3, 0, -0.5}, {4, 1, 2, 1}, {-3, 2, 5, -1}}));
  const glm::dvec3 at(1, 2, 1);
  constexpr double h = 1e-2;
  std::string points = fmt::format("{},{},{}\n", at.x, at.y, at.z);
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0}) {
      glm::dvec3 place = at;
      place[axis] += sign * h;
      points += fmt::format("{},{},{}\n", place.x, place.y, place.z);
    }
  write_text(folder / "p.csv", points);
  for (const char* method : {"direct", "debye-hueckel"}) {
    const Outcome outcome = run({"compute", "probe", folder / "a.pqr", "--points", folder / "p.csv", "--method", method,
                                 "--gradient", "--out", folder / "o.csv", "--mean-out", folder / "m.csv"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto rows = rows_of(read_text(folder / "o.csv"));
    const std::vector<double>& here = rows.at("0,0,total");
    ASSERT_EQ(here.size(), 10u);
    constexpr int axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    double sum = 0;
    for (const auto& [key, values] : rows)
      if (key.starts_with("0,0,") && !key.ends_with("total")) sum += values[4];
    EXPECT_NEAR(sum, here[4], 1e-7) << "shares add up";
    for (std::size_t n = 0; n < 6; ++n) {
      const auto& before = rows.at(fmt::format("0,{},total", 1 + 2 * axes[n][1]));
      const auto& after = rows.at(fmt::format("0,{},total", 2 + 2 * axes[n][1]));
      const auto a = static_cast<std::size_t>(1 + axes[n][0]);
      EXPECT_NEAR(here[4 + n], (after[a] - before[a]) / (2 * h), 1e-3) << method << n;
    }
    if (method == std::string("direct")) {
      EXPECT_NEAR(here[4] + here[5] + here[6], 0, 1e-7);
    }
    EXPECT_CONTAINS(read_text(folder / "m.csv"), "gradient yz (V/A^2),standard error (V/A^2)");
  }
}

TEST(Probe, PoissonBoltzmannByResiduesAndChains) {
  const Folder folder;
  write_text(folder / "points.csv", "32,20,25\n");
  const std::string crambin = data("charges/crambin_pdb2pqr.pqr.gz");
  const auto probed = [&](const char* by, const std::vector<std::string>& where) {
    std::vector<std::string> words{"compute",   "probe", crambin, "--method",       "pb",       "--by",           by,
                                   "--spacing", "0.8",   "--out", folder / "p.csv", "--report", folder / "r.json"};
    words.insert(words.end(), where.begin(), where.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return rows_of(read_text(folder / "p.csv"));
  };
  // On an atom: a unit charge there and on either side of it, and once all charges.
  const auto residues = probed("residue", {"--atoms", "resid 24 and name CB"});
  const auto report = read_json(folder / "r.json");
  EXPECT_EQ(report["result"]["solutions"], 8);
  EXPECT_EQ(report["result"]["frames_by_reciprocity"], 1);
  const double apart = report["result"]["contributions"]["largest_difference_from_total"];
  EXPECT_LE(apart, report["result"]["contributions"]["largest_estimated_error_of_total"].get<double>());
  ASSERT_EQ(residues.size(), 47u);
  double sum = 0, total = 0;
  for (const auto& [key, values] : residues) (key.ends_with(",total") ? total : sum) += values[0];
  EXPECT_NEAR(sum, total, apart + 1e-8);
  // The total is what compute potential solves for.
  const auto chains = probed("chain", {"--points", folder / "points.csv"});
  EXPECT_EQ(read_json(folder / "r.json")["result"]["frames_by_reciprocity"], 0);
  const auto values = numbers(run({"compute", "potential", crambin, "--method", "pb", "--at", folder / "points.csv",
                                   "--spacing", "0.8", "--quiet"})
                                  .out);
  for (const auto& [key, share] : chains) EXPECT_NEAR(share[0], values[0], 1e-6 * std::abs(values[0])) << key;
}

TEST(Probe, PlacesOfAllKindsFollowEachOther) {
  const Folder folder;
  write_text(folder / "a.pqr",
             "ATOM      1  C   ALA A   1       5.000   5.000   5.000  0.5000 1.7000\n"
             "ATOM      2  O   ALA A   1       6.200   5.100   5.000 -0.7000 1.5000\n"
             "ATOM      3  C   GLY A   2       8.000   9.000   7.000  0.4000 1.7000\n");
  write_text(folder / "p.csv", "5.6,5.05,5\n");
  const Outcome outcome =
      run({"compute", "probe", folder / "a.pqr", "--residues", "resid 1", "--bonds", "index 0 1", "--atoms", "index 2",
           "--points", folder / "p.csv", "--by", "all", "--total", "--out", folder / "o.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::istringstream lines(read_text(folder / "o.csv"));
  std::vector<std::string> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(line);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_TRUE(rows[1].starts_with("0,0,total,") && rows[1].ends_with(',')) << "no bond: " << rows[1];
  EXPECT_TRUE(rows[2].starts_with("0,A/GLY2:C,total,")) << rows[2];
  EXPECT_TRUE(rows[3].starts_with("0,A/ALA1:C-O,total,") && !rows[3].ends_with(',')) << rows[3];
  EXPECT_TRUE(rows[4].starts_with("0,A/ALA1,total,")) << rows[4];
  // The middle of the residue's two atoms is that of the bond, and the point is there too.
  const auto values = rows_of(read_text(folder / "o.csv"));
  for (const char* other : {"0,A/ALA1:C-O,total", "0,A/ALA1,total"})
    EXPECT_NEAR(values.at(other)[0], values.at("0,0,total")[0], 1e-5) << other;
}

TEST(Probe, RefusesWhatMakesNoSense) {
  const Folder folder;
  write_text(folder / "a.pqr", pqr({{0, 0, 0, 0.5}, {1.2, 0.3, 0, -0.5}, {4, 1, 2, 1}}));
  const auto fails = [&](std::vector<std::string> words, const char* why) {
    words.insert(words.begin(), {"compute", "probe", folder / "a.pqr", "--out", folder / "o.csv"});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_CONTAINS(outcome.err, why);
  };
  fails({}, "--points, --atoms, --bonds or --residues");
  fails({"--bonds", "all"}, "this holds 3");
  fails({"--atoms", "all", "--method", "hcp", "--thresholds", "20/10"}, "rise from groups to complexes");
  fails({"--atoms", "all", "--gradient", "--method", "hcp"}, "--gradient is there for");
  fails({"--atoms", "all", "--method", "pb", "--nonlinear"}, "the ions answer to all charges together");
  fails({"--atoms", "all", "--method", "gb"}, "there are direct");
  fails({"--atoms", "all", "--spacing", "0.5"}, "--spacing");
  fails({"--atoms", "all", "--gradient", "--method", "msm"}, "--gradient is there for");
  fails({"--atoms", "all", "--gradient", "--device", "cuda"}, "computed on the CPU");
  fails({"--atoms", "all", "--method", "msm", "--device", "cuda"}, "for the direct sum alone");
}

}  // namespace
}  // namespace isolume::test
