// isolume compute energy --binding and --method gb, and potentials of pb at points, as processes.
#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <sstream>

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

constexpr double coulomb = units::coulomb_kcal_angstrom;

/// The rows of a table as words; the heading is the first.
std::vector<std::vector<std::string>> table(const std::string& path) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream in(test::read_text(path));
  for (std::string line; std::getline(in, line);) {
    rows.emplace_back();
    std::istringstream words(line);
    for (std::string word; std::getline(words, word, ',');) rows.back().push_back(word);
  }
  return rows;
}

double number(const std::string& text) {
  double value = NAN;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

TEST(SolventsCli, GivesABindingEnergyWithItsSpacings) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", pqr({{0, 0, 0, 1}, {0, 0, 5, -1}, {20, 20, 20, 0.5}}));
  const auto outcome = run({"compute",
                            "energy",
                            folder / "ions.pqr",
                            "--method",
                            "pb",
                            "--binding",
                            "serial 1",
                            "serial 2",
                            "--spacing",
                            "0.4",
                            "--solute-dielectric",
                            "1",
                            "--ionic-strength",
                            "0",
                            "--residues",
                            folder / "residues.csv",
                            "--out",
                            folder / "frames.csv",
                            "--report",
                            folder / "r.json",
                            "--device",
                            "cpu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto report = test::read_json(folder / "r.json");
  const auto& result = report["result"];
  EXPECT_NEAR(result["terms"]["coulomb"].get<double>(), -coulomb / 5, 1e-4);
  EXPECT_EQ(result["terms"]["lennard_jones"], nullptr);
  EXPECT_EQ(result["terms"]["internal"], 0.0);
  EXPECT_EQ(result["atoms"], 2);
  EXPECT_EQ(result["atoms_left_out"], 1);
  // In water the ions have little left of Coulomb's attraction.
  const double both = result["terms"]["electrostatic"].get<double>();
  EXPECT_LT(both, 0);
  EXPECT_GT(both, -2.5);
  ASSERT_EQ(result["spacings"].size(), 3u);
  EXPECT_NEAR(result["spacings"][1]["spacing"].get<double>(), 0.6, 1e-9);
  EXPECT_NEAR(result["spacings"][2]["spacing"].get<double>(), 0.8, 1e-9);
  EXPECT_GT(report["error"]["rms"].get<double>(), 0);
  EXPECT_CONTAINS(outcome.err, "against the grid's steps");
  const auto rows = table(folder / "residues.csv");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0][8], "total (kcal/mol)");
  double total = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) total += number(rows[i][8]);
  EXPECT_NEAR(total, result["energy"].get<double>(), 1e-5);
  EXPECT_EQ(table(folder / "frames.csv").size(), 2u);
}

TEST(SolventsCli, ShortensTheStepsOfABindingEnergy) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", pqr({{0, 0, 0, 1}, {0, 0, 5, -1}}));
  const auto with = [&](const std::vector<std::string>& further) {
    std::vector<std::string> words{
        "compute",  "energy",   folder / "ions.pqr", "--method", "pb",       "--binding",
        "serial 1", "serial 2", "--ionic-strength",  "0",        "--report", folder / "r.json",
        "--device", "cpu"};
    words.insert(words.end(), further.begin(), further.end());
    return run(words);
  };
  const auto outcome = with({"--tolerance", "0.003"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto report = test::read_json(folder / "r.json");
  const auto& tries = report["result"]["tries"];
  ASSERT_GE(tries.size(), 2u);
  for (std::size_t i = 0; i + 1 < tries.size(); ++i) {
    EXPECT_GT(tries[i]["relative"].get<double>(), 0.003);
    EXPECT_GT(tries[i]["spacing"].get<double>(), tries[i + 1]["spacing"].get<double>());
  }
  EXPECT_LE(tries.back()["relative"].get<double>(), 0.003);
  EXPECT_NEAR(report["error"]["relative"].get<double>(), tries.back()["relative"].get<double>(), 1e-3);
  EXPECT_NEAR(report["grid"]["step"][0][0].get<double>(), tries.back()["spacing"].get<double>(), 1e-9);
  const auto fixed = with({"--tolerance", "1e-5", "--spacing", "0.5", "--out", folder / "frames.csv"});
  EXPECT_EQ(fixed.code, 1);
  EXPECT_CONTAINS(fixed.err, "without --spacing shorter steps would be tried");
  EXPECT_FALSE(std::filesystem::exists(folder / "frames.csv"));
}

TEST(SolventsCli, GivesMeansOverFrames) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", pqr({{0, 0, 0, 1}, {0, 0, 4, -1}}));
  std::string text;
  for (int frame = 0; frame < 8; ++frame)
    text += fmt::format("2\nframe\nNa 0 0 0\nNa 0 0 {}\n", 4 + 0.25 * (frame % 3));
  test::write_text(folder / "ions.xyz", text);
  ASSERT_EQ(run({"convert", folder / "ions.xyz", folder / "ions.dcd"}).code, 0);
  const auto outcome = run({"compute", "energy", folder / "ions.pqr", folder / "ions.dcd", "--method", "gb",
                            "--binding", "serial 1", "serial 2", "--frames", "0:8:2", "--out", folder / "frames.csv",
                            "--report", folder / "r.json", "--device", "cpu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report["result"]["frames"], 4);
  const auto rows = table(folder / "frames.csv");
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[2][0], "2");
  EXPECT_NEAR(number(rows[2][3]), -coulomb / 4.5, 1e-3);
  const auto& mean = report["result"]["means"]["coulomb"];
  EXPECT_NEAR(mean["mean"].get<double>(), -coulomb * (1 / 4.0 + 1 / 4.5 + 1 / 4.25 + 1 / 4.0) / 4, 1e-3);
  EXPECT_FALSE(mean["enough_blocks"].get<bool>());
  EXPECT_CONTAINS(outcome.err, "too few");
}

TEST(SolventsCli, ScansResiduesToAlanine) {
  const Folder folder;
  // Serine of ff14SB, and an ion near its hydroxyl.
  std::string text;
  int serial = 0;
  const auto atom = [&](const char* name, const char* residue, char chain, int number, double x, double y, double z,
                        double charge, double radius) {
    text += fmt::format("ATOM  {:5} {:<4} {} {}{:4}    {:8.3f}{:8.3f}{:8.3f} {:7.4f} {:6.4f}\n", ++serial, name,
                        residue, chain, number, x, y, z, charge, radius);
  };
  atom("N", "SER", 'A', 5, 0, 0, 0, -0.4157, 1.824);
  atom("H", "SER", 'A', 5, -0.5, 0.84, 0, 0.2719, 0.6);
  atom("CA", "SER", 'A', 5, 1.458, 0, 0, -0.0249, 1.908);
  atom("HA", "SER", 'A', 5, 1.8, -0.51, 0.9, 0.0843, 1.387);
  atom("C", "SER", 'A', 5, 2, 1.42, 0, 0.5973, 1.908);
  atom("O", "SER", 'A', 5, 1.25, 2.39, 0, -0.5679, 1.6612);
  atom("CB", "SER", 'A', 5, 1.99, -0.77, -1.21, 0.2117, 1.908);
  atom("HB2", "SER", 'A', 5, 1.65, -0.3, -2.13, 0.0352, 1.387);
  atom("HB3", "SER", 'A', 5, 3.08, -0.77, -1.19, 0.0352, 1.387);
  atom("OG", "SER", 'A', 5, 1.53, -2.12, -1.17, -0.6546, 1.721);
  atom("HG", "SER", 'A', 5, 0.605, -2.12, -0.878, 0.4275, 0.6);
  atom("NA", "NA", 'B', 1, 1.2, -5.5, -2.5, 1, 1.5);
  test::write_text(folder / "pair.pqr", text + "END\n");
  for (const char* method : {"gb", "pb"}) {
    const auto outcome =
        run({"compute", "energy", folder / "pair.pqr", "--method", method, "--binding", "chain A", "chain B",
             "--alanine-scan", "--scan-out", folder / "scan.csv", "--report", folder / "r.json", "--device", "cpu"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_CONTAINS(outcome.out, "SER 5 A to ALA");
    EXPECT_CONTAINS(outcome.err, "not cut to alanine, since it is no amino acid that the tables know: NA 1 B");
    const auto report = test::read_json(folder / "r.json");
    const auto& scan = report["result"]["alanine_scan"];
    ASSERT_EQ(scan["residues"].size(), 1u);
    EXPECT_EQ(scan["skipped"].size(), 1u);
    const auto& row = scan["residues"][0];
    EXPECT_EQ(row["charges"], "ff14sb");
    EXPECT_FALSE(row["changes_charge"].get<bool>());
    const double terms = row["coulomb"].get<double>() + row["polar"].get<double>() + row["nonpolar"].get<double>();
    EXPECT_NEAR(row["ddg"].get<double>(), terms, 1e-9);
    const auto rows = table(folder / "scan.csv");
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[1][2], "SER");
    EXPECT_NEAR(number(rows[1][9]), row["ddg"].get<double>(), 1e-5);
    // The hydroxyl's oxygen is 3.6 angstrom from the ion: without it binding is weaker.
    EXPECT_GT(row["coulomb"].get<double>(), 0);
  }
  const auto refused = [&](std::vector<std::string> words, const char* message) {
    words.insert(words.begin(), {"compute", "energy", folder / "pair.pqr", "--method", "gb"});
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_CONTAINS(outcome.err, message);
  };
  refused({"--alanine-scan", "chain A"}, "--alanine-scan belongs to --binding");
  refused({"--binding", "chain A", "chain B", "--alanine-scan", "chain B"}, "none of 1 residues can be cut");
  refused({"--binding", "chain A", "chain B", "--scan-out", folder / "s.csv"}, "--scan-out belongs to --alanine-scan");
}

TEST(SolventsCli, GivesTheEnergyOfAnIonByGeneralisedBorn) {
  const Folder folder;
  test::write_text(folder / "ion.pqr", pqr({{0, 0, 0, 2}}));
  const auto outcome = run({"compute", "energy", folder / "ion.pqr", "--method", "gb", "--ionic-strength", "0",
                            "--report", folder / "r.json", "--residues", folder / "residues.csv", "--device", "cpu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const double exact = -0.5 * coulomb * 4 * (1 - 1 / 78.54) / 1.41;
  EXPECT_NEAR(number(outcome.out), exact, 1e-4 * std::abs(exact));
  const auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report["method"]["model"], "OBC II");
  EXPECT_NEAR(report["result"]["born_radii"]["minimum"].get<double>(), 1.41, 1e-5);
  EXPECT_NEAR(number(table(folder / "residues.csv").at(1).at(4)), exact, 1e-3);
}

TEST(SolventsCli, GivesTheEnergyOfDnaByNeck2) {
  const Folder folder;
  // DNA of the file, and its energy by OpenMM with permittivities 1 and 78.5, kJ/mol.
  std::string text, word, last;
  double energy = 0;
  std::istringstream in(test::read_text(test::data("potential/neck2_openmm.txt")));
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    words >> word;
    if (word == "molecule") {
      words >> last >> energy;
      continue;
    }
    if (word == "#" || last != "dna_6_nucleotides") continue;
    std::string residue, chain, symbol;
    int number = 0;
    double x = 0, y = 0, z = 0, charge = 0, radius = 0;
    words >> residue >> number >> chain >> symbol >> x >> y >> z >> charge >> radius;
    text += fmt::format("ATOM  {:5} {:<4} {} {}{:4}    {:8.3f}{:8.3f}{:8.3f} {:7.4f} {:6.4f}\n", 1, word, residue,
                        chain, number, x, y, z, charge, 1.0);
  }
  test::write_text(folder / "dna.pqr", text + "END\n");
  const auto words = [&](std::vector<std::string> more) {
    std::vector<std::string> all{"compute", "energy", folder / "dna.pqr", "--method", "gb", "--gb-model", "neck2"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const auto outcome =
      run(words({"--ionic-strength", "0", "--solvent-dielectric", "78.5", "--report", folder / "r.json"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NEAR(number(outcome.out) * units::calorie_in_joule, energy, 1e-4 * std::abs(energy));
  const auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report["method"]["model"], "GB-neck2");
  EXPECT_EQ(report["method"]["alpha"], "by element");
  EXPECT_EQ(report["device"]["kind"], "cpu");
  const auto bound = run(words({"--binding", "chain A", "chain B", "--report", folder / "b.json"}));
  ASSERT_EQ(bound.code, 0) << bound.err;
  EXPECT_EQ(test::read_json(folder / "b.json")["method"]["model"], "GB-neck2");
  EXPECT_EQ(run(words({"--device", "cuda"})).code, 2);
  test::write_text(folder / "zinc.pqr", "ATOM      1 ZN   ZN A 301       0.000   0.000   0.000  2.0000 1.4000\nEND\n");
  const auto zinc = run({"compute", "energy", folder / "zinc.pqr", "--method", "gb", "--gb-model", "neck2"});
  EXPECT_EQ(zinc.code, 2);
  EXPECT_CONTAINS(zinc.err, "GB-neck2 has no parameters for zinc (atom 1, ZN of ZN 301)");
}

TEST(SolventsCli, HasMembranesAndSeveralPermittivities) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", pqr({{0, 0, 0, 1}, {0, 0, 30, 1}}));
  const auto energy = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"compute", "energy", folder / "ions.pqr", "--method", "pb", "--ionic-strength", "0",
                                 "--spacing", "0.5", "--device", "cpu", "--report", folder / "r.json"});
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return test::read_json(folder / "r.json");
  };
  // Far from each other, each has its own energy of Born: C q^2 / 2 (1/es - 1/e) / R.
  const double half = units::coulomb_kcal_angstrom / 2 / 1.5;
  const auto own = energy({"--dielectric-of", "serial 2=8"});
  const double pair = units::coulomb_kcal_angstrom / 30 * (1 / 78.54 - (1 / 2.0 + 1 / 8.0) / 2);
  const double exact = half * (2 / 78.54 - 1 / 2.0 - 1 / 8.0) + pair;
  EXPECT_NEAR(own["result"]["solvation_energy"].get<double>(), exact, 0.005 * std::abs(exact));
  // In a membrane the first keeps most of its energy in its own medium.
  const auto in_water = energy({});
  const auto slab = energy({"--membrane", "24", "--membrane-dielectric", "2"});
  EXPECT_EQ(slab["method"]["membrane"]["pore"], "enclosed by the molecule");
  EXPECT_GT(slab["result"]["solvation_energy"].get<double>(),
            in_water["result"]["solvation_energy"].get<double>() + 30);
  const auto gaussian = energy({"--boundary-surface", "gaussian"});
  EXPECT_EQ(gaussian["method"]["boundary_surface"], "gaussian");
  const auto refused = [&](std::vector<std::string> words, const char* message) {
    words.insert(words.begin(), {"compute", "energy", folder / "ions.pqr", "--method", "pb"});
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_CONTAINS(outcome.err, message);
  };
  refused({"--pore", "3"}, "--pore belongs to --membrane");
  refused({"--dielectric-of", "serial 2"}, "expected SELECTION=EPS");
  refused({"--dielectric-of", "serial 9=4"}, "--dielectric-of: ");
}

TEST(SolventsCli, GivesThePotentialAtPointsWithItsError) {
  const Folder folder;
  test::write_text(folder / "ion.pqr", pqr({{0, 0, 0, 1}}));
  test::write_text(folder / "points.csv", "x,y,z\n6,0,0\n3,4,5\n0,0,-9\n0.4,0.5,0.3\n");
  const auto outcome = run({"compute", "potential", folder / "ion.pqr", "--method", "pb", "--at", folder / "points.csv",
                            "--unit", "kT/e", "--spacing", "0.4", "--out", folder / "values.csv", "--report",
                            folder / "r.json", "--device", "cpu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto rows = table(folder / "values.csv");
  ASSERT_EQ(rows.size(), 4u);
  const double kappa = 0.12728218167158462, a = 3.5, radius = 1.5;
  const double bjerrum = units::coulomb_volt_angstrom / units::thermal_voltage(298.15);
  const auto outside = [&](double r) { return bjerrum * std::exp(-kappa * (r - a)) / (78.54 * r * (1 + kappa * a)); };
  const double near = std::sqrt(0.5);
  const double within = bjerrum * (1 / (2 * near) - (1 / 2.0 - 1 / 78.54) / radius - kappa / (78.54 * (1 + kappa * a)));
  const double exact[] = {outside(6), outside(std::sqrt(50.0)), outside(9), within};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(number(rows[i][0]), exact[i], 0.02 * std::abs(exact[i])) << i;
    EXPECT_GT(number(rows[i][1]), 0) << i;
    EXPECT_LT(number(rows[i][1]), 0.05 * std::abs(exact[i])) << i;
  }
  EXPECT_EQ(test::read_json(folder / "r.json")["error"]["points"], 4);
}

TEST(SolventsCli, RefusesWhatMakesNoSense) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", pqr({{0, 0, 0, 1}, {0, 0, 5, -1}}));
  const auto refused = [&](std::vector<std::string> words, const char* message) {
    words.insert(words.begin(), {"compute", "energy", folder / "ions.pqr"});
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_CONTAINS(outcome.err, message);
  };
  refused({"--method", "direct", "--binding", "serial 1", "serial 2"}, "--binding belongs to --method pb or gb");
  refused({"--method", "pb", "--binding", "serial 1", "all"}, "share 1 atoms");
  refused({"--method", "gb", "--binding", "serial 1", "serial 7"},
          "--binding: the selection 'serial 7' holds no atoms");
  refused({"--method", "gb", "--frames", "0:1"}, "--frames belongs to --binding");
  refused({"--method", "gb", "--binding", "serial 1", "serial 2", "--out", folder / "f.npy"}, "csv");
  refused({"--method", "gb", "--probe-radius", "1"}, "--probe-radius belongs to --method pb");
  refused({"--method", "spme", "--screening-factor", "1"}, "--screening-factor belongs to --method gb");
  refused({"--method", "pb", "--gb-model", "neck2"}, "--gb-model belongs to --method gb");
  refused({"--apbs", folder / "x.in"}, "--apbs: the file names");
}

}  // namespace
}  // namespace isolume
