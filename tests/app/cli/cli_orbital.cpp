// isolume compute orbital and density over frames: followed orbitals, enclosed probability, several at once,
// differences.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "formats/read.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

/// A CSV with a heading as one map a row.
std::vector<std::map<std::string, std::string>> table(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::map<std::string, std::string>> rows;
  std::vector<std::string> keys;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> cells(1);
    for (const char c : line) {
      if (c == ',') {
        cells.emplace_back();
      } else {
        cells.back() += c;
      }
    }
    if (keys.empty()) {
      keys = cells;
      continue;
    }
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < keys.size() && i < cells.size(); ++i) row[keys[i]] = cells[i];
  }
  return rows;
}

std::string ethylene() {
  return test::shared_data("qm-computed/ethylene_torsion");
}

// Between frames the orbitals that are followed have the overlap of the reference matrix, positive with the signs on.
TEST(FollowedOrbitals, HaveTheOverlapsOfTheReference) {
  ISOLUME_NEEDS(ethylene());
  const Folder folder;
  const auto outcome = run({"compute", "orbital", ethylene(), "--orbital", "homo", "--orbital", "lumo", "--frames", ":",
                            "--follow", "--out", folder / "t.csv", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto rows = table(test::read_text(folder / "t.csv"));
  ASSERT_EQ(rows.size(), 2u * 37);
  const auto reference = test::read_json(ethylene() + "/ethylene_overlaps.json");
  for (std::size_t k = 0; k < 37; ++k) {
    for (std::size_t i = 0; i < 2; ++i) {
      const auto& row = rows[2 * k + i];
      EXPECT_EQ(row.at("frame"), std::to_string(k));
      EXPECT_EQ(row.at("orbital"), i == 0 ? "homo" : "lumo");
      // They change places between frames 18 and 19.
      EXPECT_EQ(row.at("number"), (i == 0) == (k <= 18) ? "8" : "9") << k;
      EXPECT_EQ(row.at("weak"), "false") << k;
      if (k == 0) continue;
      const auto& before = rows[2 * (k - 1) + i];
      const auto& pair = reference["pairs"][k - 1];
      ASSERT_EQ(pair["k1"].get<std::size_t>(), k);
      const double overlap = pair["overlap"][std::stoul(before.at("number")) - 7][std::stoul(row.at("number")) - 7];
      EXPECT_NEAR(std::stod(row.at("overlap")), std::abs(overlap), 1e-8) << k;
      EXPECT_GT(overlap * std::stod(before.at("sign")) * std::stod(row.at("sign")), 0.9) << k;
    }
  }
  const auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report["inputs"].size(), 37u);
  EXPECT_EQ(report["result"]["orbitals"].size(), 74u);
}

/// Cosine of the angle between two volumes on one grid.
double alike(const Volume& a, const Volume& b) {
  double aa = 0, bb = 0, ab = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    aa += double(a.values[i]) * a.values[i];
    bb += double(b.values[i]) * b.values[i];
    ab += double(a.values[i]) * b.values[i];
  }
  return ab / std::sqrt(aa * bb);
}

TEST(FollowedOrbitals, KeepTheirPhaseInCubes) {
  ISOLUME_NEEDS(ethylene());
  const Folder folder;
  const auto outcome =
      run({"compute", "orbital", ethylene() + "/frame_0*.molden", "--orbital", "homo", "--frames", "16:22", "--follow",
           "--margin", "3", "--spacing", "0.35", "--out", folder / "homo.cube", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto report = test::read_json(folder / "r.json");
  for (int k = 16; k < 22; ++k) {
    const auto& entry = report["result"]["orbitals"][static_cast<std::size_t>(k - 16)];
    EXPECT_EQ(entry["file"], folder / fmt::format("homo_{:04}.cube", k));
    EXPECT_EQ(entry["role"], k <= 18 ? "HOMO" : "LUMO");
    EXPECT_CONTAINS(outcome.err,
                    fmt::format("homo_{:04}.cube: {} ({} of", k, k <= 18 ? "HOMO" : "LUMO", k <= 18 ? 8 : 9));
    if (k == 16) continue;
    const Molecule before = read_file(folder / fmt::format("homo_{:04}.cube", k - 1));
    const Molecule here = read_file(folder / fmt::format("homo_{:04}.cube", k));
    ASSERT_EQ(before.volumes[0]->grid.counts, here.volumes[0]->grid.counts);
    EXPECT_GT(alike(*before.volumes[0], *here.volumes[0]), 0.95) << k;
  }
}

TEST(FollowedOrbitals, BeginWhereTheyAreTold) {
  ISOLUME_NEEDS(ethylene());
  const Folder folder;
  const auto outcome = run({"compute", "orbital", ethylene(), "--orbital", "homo", "--frames", "17:21", "--follow",
                            "--from", "20", "--out", folder / "t.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto rows = table(test::read_text(folder / "t.csv"));
  ASSERT_EQ(rows.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(rows[i].at("role"), i < 2 ? "LUMO" : "HOMO") << i;
  EXPECT_EQ(rows[3].at("sign"), "1");
  const auto wrong = run({"compute", "orbital", ethylene(), "--from", "3", "--out", folder / "x.cube"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_CONTAINS(wrong.err, "--from says where --follow begins");
}

TEST(NaturalOrbitals, HaveNoEnergies) {
  const Folder folder;
  // The occupations once more for energies, as CFOUR writes them.
  std::istringstream lines(test::read_text(test::data("H2O-631Gd-cart.molden")));
  std::string text;
  std::vector<std::string> orbital;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(" Ene="))
      orbital = {line};
    else if (orbital.empty())
      text += line + '\n';
    else
      orbital.push_back(line);
    if (!line.starts_with(" Occup=")) continue;
    orbital[0] = " Ene=" + line.substr(7);
    for (const std::string& row : orbital) text += row + '\n';
    orbital.clear();
  }
  test::write_text(folder / "natural.molden", text);
  const auto info = run({"info", folder / "natural.molden"});
  ASSERT_EQ(info.code, 0) << info.err;
  EXPECT_CONTAINS(info.out, "no energy  occupied 2");
  EXPECT_EQ(info.out.find(" Eh"), std::string::npos) << info.out;
  const auto json = nlohmann::json::parse(run({"info", folder / "natural.molden", "--json"}).out);
  EXPECT_TRUE(json["orbitals"]["list"][0]["energy_hartree"].is_null());
  const auto made = run({"compute", "orbital", folder / "natural.molden", "--orbital", "homo", "--spacing", "1",
                         "--out", folder / "h.cube", "--report", folder / "r.json"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_TRUE(test::read_json(folder / "r.json")["result"]["energy_ev"].is_null());
}

TEST(OrbitalAccuracyOption, KeepsWhatItPromises) {
  const Folder folder;
  const std::string water = test::data("H2O-631Gd-cart.molden");
  const auto values = [&](const char* accuracy) {
    const auto outcome = run({"compute", "orbital", water, "--spacing", "0.15", "--accuracy", accuracy, "--out",
                              folder / "psi.dx", "--report", folder / "r.json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const auto report = test::read_json(folder / "r.json");
    EXPECT_EQ(report["method"]["accuracy"], accuracy);
    return std::pair(read_file(folder / "psi.dx").volumes[0]->values, report["error"]["max"].get<double>());
  };
  const auto [fine, fine_error] = values("fine");
  const auto [preview, preview_error] = values("preview");
  ASSERT_EQ(fine.size(), preview.size());
  float largest = 0, off = 0;
  for (std::size_t i = 0; i < fine.size(); ++i) {
    largest = std::max(largest, std::abs(fine[i]));
    off = std::max(off, std::abs(fine[i] - preview[i]));
  }
  EXPECT_LE(fine_error, 1e-6 * double(largest));
  EXPECT_LE(preview_error, 5e-4 * double(largest));
  EXPECT_LE(off, 5e-4f * largest);
  EXPECT_GT(off, 0);  // it is another computation
  const auto unknown = run({"compute", "orbital", water, "--accuracy", "rough", "--out", folder / "x.dx"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_CONTAINS(unknown.err, "fine and preview");
  EXPECT_EQ(run({"compute", "orbital", water, "--accuracy", "preview", "--slice", "z", "--out", folder / "x.ply"}).code,
            2);
}

std::string some_points() {
  std::string text;
  for (int i = 0; i < 40; ++i) text += fmt::format("{},{},{}\n", 0.1 * i - 2, 0.3 * std::sin(i), 0.05 * i - 1);
  return text;
}

std::vector<std::vector<double>> columns(const std::string& text) {
  std::vector<std::vector<double>> rows;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    auto& row = rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
  }
  return rows;
}

// What LUMO and HOMO hold at points, and the difference of their densities there.
TEST(DensityDifference, OfOrbitalsIsThatOfTheirSquares) {
  const Folder folder;
  const std::string water = test::data("H2O-631Gd-cart.molden");
  test::write_text(folder / "p.csv", some_points());
  const auto orbitals = run({"compute", "orbital", water, "--orbital", "lumo,homo", "--at", folder / "p.csv"});
  ASSERT_EQ(orbitals.code, 0) << orbitals.err;
  const auto density =
      run({"compute", "density", water, "--orbitals", "lumo", "--minus-orbitals", "homo", "--at", folder / "p.csv"});
  ASSERT_EQ(density.code, 0) << density.err;
  const auto psi = columns(orbitals.out);
  const auto difference = test::numbers(density.out);
  ASSERT_EQ(psi.size(), 40u);
  ASSERT_EQ(difference.size(), 40u);
  for (std::size_t i = 0; i < 40; ++i) {
    ASSERT_EQ(psi[i].size(), 2u);
    EXPECT_NEAR(difference[i], psi[i][0] * psi[i][0] - psi[i][1] * psi[i][1], 1e-12) << i;
  }
}

TEST(DensityDifference, OfFramesIsThatOfTheirDensities) {
  ISOLUME_NEEDS(ethylene());
  const Folder folder;
  test::write_text(folder / "p.csv", some_points());
  const auto at = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"compute", "density", ethylene(), "--at", folder / "p.csv"};
    words.insert(words.end(), more.begin(), more.end());
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return test::numbers(outcome.out);
  };
  const auto a = at({"--frame", "18"}), b = at({"--frame", "3"});
  const auto by_frame = at({"--frame", "18", "--minus", "3"});
  const auto by_file = at({"--frame", "18", "--minus", ethylene() + "/frame_003.molden"});
  ASSERT_EQ(by_frame.size(), a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(by_frame[i], a[i] - b[i], 1e-12);
    EXPECT_NEAR(by_file[i], a[i] - b[i], 1e-12);
  }
  const auto grid = run({"compute", "density", ethylene(), "--frame", "18", "--minus", "3", "--spacing", "0.25",
                         "--out", folder / "d.cube", "--report", folder / "r.json"});
  ASSERT_EQ(grid.code, 0) << grid.err;
  const auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report["method"]["minus"], "frame 3");
  EXPECT_EQ(report["result"]["electrons_subtracted"], 16.0);
  EXPECT_LT(report["error"]["relative"].get<double>(), 1e-5);
  EXPECT_LT(report["result"]["minimum"].get<double>(), 0);
  EXPECT_GT(report["result"]["maximum"].get<double>(), 0);
}

// The n-th orbital energy that a Molden file states, n from 1.
double energy_in(const std::string& path, int n) {
  const std::string text = test::read_text(path);
  std::size_t at = 0;
  for (int i = 0; i < n && at != std::string::npos; ++i) at = text.find("Ene=", at + 1);
  return at == std::string::npos ? 0 : std::stod(text.substr(at + 4));
}

// --frame means that frame of the files: the orbital's energy is the one that the frame's own file states.
TEST(FollowedOrbitals, FrameChoosesTheFrame) {
  ISOLUME_NEEDS(ethylene());
  const Folder folder;
  for (const char* frame : {"0", "3"}) {
    const auto outcome =
        run({"compute", "orbital", ethylene(), "--orbital", "8", "--frame", frame, "--out", folder / "t.csv"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto rows = table(test::read_text(folder / "t.csv"));
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].at("frame"), frame);
    EXPECT_NEAR(std::stod(rows[0].at("energy (hartree)")), energy_in(ethylene() + "/frame_00" + frame + ".molden", 8),
                1e-9);
  }
  EXPECT_GT(std::abs(energy_in(ethylene() + "/frame_000.molden", 8) - energy_in(ethylene() + "/frame_003.molden", 8)),
            1e-6);
}

// Two bonds, two lone pairs and the core of water, and their cubes in a picture's scene.
TEST(LocalisedOrbitalsOnTheCommandLine, AreInTheTableWithTheirAtoms) {
  const Folder folder;
  const std::string water = test::data("H2O-631Gd-cart.molden");
  for (const char* method : {"pipek-mezey", "boys"}) {
    const auto outcome = run({"compute", "orbital", water, "--localise", method, "--orbital", "1,2,3,4,5", "--out",
                              folder / "t.csv", "--report", folder / "r.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_CONTAINS(outcome.err, "in 1 frame, largest gradient");
    std::map<std::string, int> atoms;
    for (const auto& row : table(test::read_text(folder / "t.csv"))) ++atoms[row.at("symmetry")];
    EXPECT_EQ(atoms, (std::map<std::string, int>{{"O1", 3}, {"O1-H2", 1}, {"O1-H3", 1}}));
    const auto report = test::read_json(folder / "r.json")["result"]["localisation"];
    EXPECT_EQ(report["method"], method);
    EXPECT_LT(report["gradient"].get<double>(), 1e-8);
    EXPECT_EQ(report["not_converged"], 0);
  }
  const auto picture = run({"render", water, "--localise", "boys", "--orbital", "homo", "--size", "64x48", "--samples",
                            "1", "--out", folder / "p.png"});
  EXPECT_EQ(picture.code, 0) << picture.err;
  const auto alone = run({"compute", "orbital", water, "--localise-virtuals", "--out", folder / "t.csv"});
  EXPECT_EQ(alone.code, 2);
  EXPECT_CONTAINS(alone.err, "--localise-virtuals belongs to --localise");
  // Occupations that are not whole are refused, as those of natural orbitals.
  std::string text = test::read_text(water);
  const std::string full = "Occup=  2.00000000000000000e+00";
  const std::size_t at = text.find(full);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, full.size(), "Occup=  1.9");
  test::write_text(folder / "n.molden", text);
  const auto natural =
      run({"compute", "orbital", folder / "n.molden", "--localise", "boys", "--out", folder / "t.csv"});
  EXPECT_EQ(natural.code, 3);
  EXPECT_CONTAINS(natural.err, "orbital 1 has 1.9000 electrons");
}

// A film begins with a frame that has orbitals, and frames without are shown without.
TEST(FramesWithoutOrbitals, AreShownWithout) {
  const Folder folder;
  const std::string text = test::read_text(test::data("H2O-631Gd-cart.molden"));
  const std::size_t basis = text.find("[GTO]");
  ASSERT_NE(basis, std::string::npos);
  test::write_text(folder / "w_0.molden", text.substr(0, basis));
  test::write_text(folder / "w_1.molden", text);
  test::write_text(folder / "w_2.molden", text.substr(0, basis));
  const auto cube = run({"compute", "orbital", folder.path(), "--points", "8000", "--out", folder / "psi.cube",
                         "--report", folder / "r.json"});
  ASSERT_EQ(cube.code, 0) << cube.err;
  EXPECT_EQ(test::read_json(folder / "r.json")["method"]["frame"], 1);
  const auto missing = run({"compute", "orbital", folder.path(), "--frame", "2", "--out", folder / "psi.cube"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_CONTAINS(missing.err, "has no orbitals; the first that has is frame 1");
  const auto film = run({"render", folder.path(), "--frames", ":", "--size", "64x48", "--samples", "1", "--out",
                         folder / "f.png", "--report", folder / "f.json"});
  ASSERT_EQ(film.code, 0) << film.err;
  EXPECT_EQ(test::read_json(folder / "f.json")["result"]["frames"], 3);
}

}  // namespace
}  // namespace isolume
