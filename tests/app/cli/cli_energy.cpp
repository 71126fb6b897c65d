// isolume compute energy as a process: energies and forces against closed forms, and what it refuses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "tests/app/cli/program.h"
#include "tests/support/data.h"
#include "tests/support/npy.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

constexpr double coulomb = 332.06371;  // kcal angstrom / (mol e^2), CODATA 2018

std::string ion(int serial, const char* residue, int number, double x, double y, double z, double charge) {
  return fmt::format("ATOM  {:5}  NA  {} A{:4}    {:8.3f}{:8.3f}{:8.3f} {:7.4f} {:6.4f}\n", serial, residue, number, x,
                     y, z, charge, 1.5);
}

TEST(Energy, DirectOfThreeIonsIsCoulombsLaw) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", ion(1, "ION", 1, 0, 0, 0, 1) + ion(2, "ION", 2, 4, 0, 0, -2) +
                                            ion(3, "ION", 3, 0, 3, 0, 0.5) + "END\n");
  const auto outcome = run({"compute", "energy", folder / "ions.pqr", "--out", folder / "f.npy", "--report",
                            folder / "r.json", "--device", "cpu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const double energy = coulomb * (-2.0 / 4 + 0.5 / 3 - 1.0 / 5);
  const auto report = test::read_json(folder / "r.json");
  EXPECT_NEAR(report["result"]["energy"].get<double>(), energy, 1e-5 * std::abs(energy));
  EXPECT_NEAR(test::numbers(outcome.out).at(0), energy, 1e-5 * std::abs(energy));
  EXPECT_LT(report["error"]["relative"].get<double>(), 1e-5);
  const std::vector<double> forces = test::read_npy(folder / "f.npy");
  ASSERT_EQ(forces.size(), 9u);
  EXPECT_NEAR(forces[0], coulomb * 2 / 16, 1e-3);    // towards the ion of opposite sign
  EXPECT_NEAR(forces[1], -coulomb * 0.5 / 9, 1e-3);  // away from that of the same
  EXPECT_NEAR(forces[2], 0, 1e-4);
}

TEST(Energy, WithoutCoordinatesSaysWhatToOpen) {
  const Folder folder;
  test::write_text(
      folder / "t.top",
      "[ moleculetype ]\nIon 1\n[ atoms ]\n1 NA 1 NA NA 1 1.0 22.99\n[ system ]\nions\n[ molecules ]\nIon 2\n");
  const auto outcome = run({"compute", "energy", folder / "t.top", "--method", "direct", "--out", folder / "e.npy"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.err, "t.top has no coordinates: open it with a trajectory");
}

TEST(Energy, AWaterBoxBeyondTheLimitIsRefused) {
  const Folder folder;
  const auto outcome = run({"convert", "--make", "water:300", folder / "w.pqr", "--memory-limit", "0.05"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_CONTAINS(outcome.err, "water:300: needs 442");
  EXPECT_FALSE(std::filesystem::exists(folder / "w.pqr"));
}

// A crystal's forces are nought by symmetry: their error in kcal/(mol A) means something, the relative one does not.
TEST(Energy, SaysTheErrorOfForcesInTheirUnit) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", ion(1, "ION", 1, 0, 0, 0, 1) + ion(2, "ION", 2, 4, 0, 0, -1) + "END\n");
  const auto outcome = run({"compute", "energy", folder / "ions.pqr", "--method", "direct", "--out", folder / "e.npy"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.err, " kcal/(mol A) rms (");
}

TEST(Energy, DirectInADielectricIsItsLaw) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", ion(1, "ION", 1, 0, 0, 0, 1) + ion(2, "ION", 2, 5, 0, 0, -2) + "END\n");
  // Ramstein and Lavery: D - (D - 1)/2 (x^2 + 2x + 2) exp(-x), x = 0.16 r.
  const double x = 0.16 * 5;
  const double eps = 78 - 77 / 2.0 * (x * x + 2 * x + 2) * std::exp(-x);
  for (const auto& [dielectric, expected] : {std::pair{"sigmoidal", eps}, std::pair{"constant:4", 4.0}}) {
    const auto outcome = run({"compute", "energy", folder / "ions.pqr", "--dielectric", dielectric, "--report",
                              folder / "r.json", "--device", "cpu"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto report = test::read_json(folder / "r.json");
    EXPECT_NEAR(report["result"]["energy"].get<double>(), coulomb * -2 / (5 * expected), 1e-4);
    EXPECT_LT(report["error"]["relative"].get<double>(), 1e-5);
  }
}

TEST(Energy, OptionsAndReportsAreThoseOfMaps) {
  const Folder folder;
  ASSERT_EQ(run({"convert", "--make", "water:12", folder / "water.pqr"}).code, 0);
  const auto method = [&](std::vector<std::string> words) {
    words.insert(words.end(), {folder / "water.pqr", "--report", folder / "r.json", "--device", "cpu"});
    const bool map = words[1] == "potential";
    if (map) words.insert(words.end(), {"--spacing", "3", "--out", folder / "phi.dx"});
    if (!map) words.insert(words.end(), {"--exclusions", "none", "--samples", "0"});
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return test::read_json(folder / "r.json")["method"];
  };
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--method", "msm", "--lattice-spacing", "1.5"},
                                             {"--method", "msm", "--lattice-spacing", "1.5", "--periodic", "none"},
                                             {"--method", "spme"},
                                             {"--method", "spme", "--cutoff", "5"},
                                             {"--method", "hcp", "--charges", "2", "--dielectric", "constant:4"}}) {
    std::vector<std::string> map{"compute", "potential"}, energy{"compute", "energy"};
    map.insert(map.end(), options.begin(), options.end());
    energy.insert(energy.end(), options.begin(), options.end());
    const auto of_map = method(map), of_energy = method(energy);
    for (const char* key : {"name", "boundary", "surroundings", "cutoff", "lattice_spacing", "degree", "smoothing",
                            "alpha", "order", "mesh", "thresholds", "charges", "dielectric", "dielectric_constant"}) {
      ASSERT_EQ(of_map.contains(key), of_energy.contains(key)) << key << " of " << options[1];
      if (of_map.contains(key)) {
        EXPECT_EQ(of_map[key], of_energy[key]) << key << " of " << options[1];
      }
    }
  }
  const auto open = method({"compute", "energy", "--method", "msm", "--open"});
  EXPECT_EQ(open, method({"compute", "energy", "--method", "msm", "--periodic", "none"}));
  EXPECT_EQ(open["cutoff"], 9);
  for (const auto& [words, message] : std::vector<std::pair<std::vector<std::string>, const char*>>{
           {{"--method", "cutoff"}, "there are direct, msm, spme, hcp, pb and gb"},
           {{"--method", "msm", "--periodic", "xy"}, "all vectors"},
           {{"--method", "msm", "--dielectric", "constant:4"}, "belongs to --method direct or hcp"}}) {
    std::vector<std::string> all{"compute", "energy", folder / "water.pqr"};
    all.insert(all.end(), words.begin(), words.end());
    const auto outcome = run(all);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_CONTAINS(outcome.err, message);
  }
}

TEST(Energy, HierarchicalReplacesAFarResidueByItsCharge) {
  const Folder folder;
  // A residue of charges 1 and 1 at 3 angstrom from each other, and an ion 100 angstrom away on the bisector.
  test::write_text(folder / "ions.pqr", ion(1, "RES", 1, 0, -1.5, 0, 1) + ion(2, "RES", 1, 0, 1.5, 0, 1) +
                                            ion(3, "ION", 2, 100, 0, 0, 1) + "END\n");
  const auto outcome = run({"compute", "energy", folder / "ions.pqr", "--method", "hcp", "--thresholds", "15", "--out",
                            folder / "f.npy", "--report", folder / "r.json", "--device", "cpu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<double> forces = test::read_npy(folder / "f.npy");
  ASSERT_EQ(forces.size(), 9u);
  EXPECT_NEAR(forces[6], coulomb * 2 / 1e4, 1e-6);
  const double exact = coulomb * 2 * 100 / std::pow(100 * 100 + 1.5 * 1.5, 1.5);
  const auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report["method"]["groups"], 2);
  // The error is that against all atoms: the ion's, over the RMS force (the residue's own repulsion).
  EXPECT_NEAR(report["error"]["max"].get<double>(), coulomb * 2 / 1e4 - exact, 2e-6);
  // So is that of the energy: half of what the ion sees in the residue's charge, 100 A away in place of 100.01.
  const double distance = std::sqrt(100 * 100 + 1.5 * 1.5), energy = coulomb / 3 + coulomb * 2 / distance;
  const auto& of_energy = report["error"]["energy"];
  EXPECT_NEAR(of_energy["error"].get<double>(), coulomb / 100 - coulomb / distance, 2e-5);
  EXPECT_NEAR(of_energy["relative"].get<double>(), (coulomb / 100 - coulomb / distance) / energy, 2e-7);
  EXPECT_EQ(of_energy["atoms"], 3);
  EXPECT_EQ(of_energy["standard_error"], 0);
  EXPECT_CONTAINS(outcome.err, ", energy error 3.");
  EXPECT_CONTAINS(outcome.err, " relative), force error ");
}

TEST(Energy, SpmeOfRockSaltIsMadelungsConstant) {
  const Folder folder;
  std::string text = "CRYST1   22.560   22.560   22.560  90.00  90.00  90.00 P 1           1\n";
  int serial = 0;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      for (int k = 0; k < 8; ++k, ++serial)
        text += ion(serial + 1, "ION", serial + 1, 2.82 * i, 2.82 * j, 2.82 * k, (i + j + k) % 2 ? -1 : 1);
  test::write_text(folder / "salt.pqr", text + "END\n");
  const auto outcome = run({"compute", "energy", folder / "salt.pqr", "--method", "spme", "--accuracy", "1e-4",
                            "--samples", "0", "--report", folder / "r.json", "--device", "cpu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const double energy = -256 * 1.747564594633182 * coulomb / 2.82;
  EXPECT_NEAR(test::read_json(folder / "r.json")["result"]["energy"].get<double>(), energy, 1e-4 * -energy);
}

TEST(Energy, SaysWhatIsWrong) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", ion(1, "ION", 1, 0, 0, 0, 1) + ion(2, "ION", 2, 4, 0, 0, -2) + "END\n");
  const auto code = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"compute", "energy", folder / "ions.pqr", "--device", "cpu"});
    const auto outcome = run(words);
    EXPECT_FALSE(outcome.err.empty());
    return outcome.code;
  };
  EXPECT_EQ(code({"--method", "spme"}), 2);  // no box
  EXPECT_EQ(code({"--thresholds", "15"}), 2);
  EXPECT_EQ(code({"--method", "hcp", "--thresholds", "0"}), 2);
  EXPECT_EQ(code({"--method", "hcp", "--dielectric", "constant:0.5"}), 2);
  EXPECT_EQ(code({"--frame", "3"}), 2);
  EXPECT_EQ(code({"--out", folder / "missing/f.npy"}), 1);
  test::write_text(folder / "ions.pqr", ion(1, "ION", 1, 0, 0, 0, 0) + ion(2, "ION", 2, 4, 0, 0, 0) + "END\n");
  EXPECT_EQ(code({}), 2);  // charges that are all 0
}

TEST(Energy, SaysWhereAtomsLieOnEachOther) {
  // Two at one place do not interact, the third with each of them does.
  const Folder folder;
  test::write_text(folder / "ions.pqr", ion(1, "ION", 1, 0, 0, 0, 1) + ion(2, "ION", 2, 0, 0, 0, 1) +
                                            ion(3, "ION", 3, 4, 0, 0, -1) + "END\n");
  const auto outcome =
      run({"compute", "energy", folder / "ions.pqr", "--device", "cpu", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("2 atoms are at the place of another"), std::string::npos) << outcome.err;
  const auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report["result"]["coincident_atoms"], 2);
  EXPECT_NEAR(report["result"]["energy"].get<double>(), -2 * coulomb / 4, 1e-3);
}

TEST(Energy, MapsOfParticleMeshEwaldNameWhatWasChosen) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", "CRYST1   20.000   20.000   20.000  90.00  90.00  90.00 P 1           1\n" +
                                            ion(1, "ION", 1, 5, 5, 5, 1) + ion(2, "ION", 2, 10, 10, 10, -1) + "END\n");
  // Atoms on points of the grid: finite values there.
  const auto outcome = run({"compute", "potential", folder / "ions.pqr", "--method", "spme", "--spacing", "1", "--out",
                            folder / "p.dx", "--device", "cpu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string map = test::read_text(folder / "p.dx");
  EXPECT_NE(map.find("mesh 20 x 20 x 20, order 4"), std::string::npos) << map.substr(0, 400);
  EXPECT_EQ(map.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace isolume
