// Modes of other files, pictures of modes and states, states of outputs, contacts of orbitals, by the program.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "formats/read.h"
#include "molecule/frames.h"
#include "tests/app/cli/program.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

TEST(QuantumProgram, ModesOfAnotherFileAreTurnedOntoTheStructure) {
  const Folder folder;
  const std::string modes = test::shared_data("qm-fields/vibrations/water_vib.molden");
  // The file's water with z for x, x for y and y for z.
  test::write_text(folder / "water.xyz", "3\n\nO 0.0083160 0 0\nH 0.5817243 0.7540664 0\nH 0.5817243 -0.7540664 0\n");
  const auto outcome = run({"compute", "modes", folder / "water.xyz", "--modes", modes, "--mode", "2", "--steps", "4",
                            "--amplitude", "0.2", "--trajectory", folder / "t.xyz", "--out", folder / "m.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Molecule frames = read_file(folder / "t.xyz");
  const glm::vec3 moved = frame_at(frames, 1).positions[1] - frame_at(frames, 0).positions[1];
  EXPECT_NEAR(glm::length(moved), 0.2f, 1e-4f);
  EXPECT_NEAR(moved.y / moved.x, 0.5833955278 / 0.3979849051, 1e-3);
  // A water of another shape, and another molecule.
  test::write_text(folder / "wide.xyz", "3\n\nO 0 0 0\nH 0.58 0.95 0\nH 0.58 -0.95 0\n");
  const auto wide = run({"compute", "modes", folder / "wide.xyz", "--modes", modes, "--out", folder / "m.csv"});
  EXPECT_EQ(wide.code, 3);
  EXPECT_CONTAINS(wide.err, "another geometry");
  test::write_text(folder / "two.xyz", "2\n\nO 0 0 0\nH 0.58 0.95 0\n");
  EXPECT_EQ(run({"compute", "modes", folder / "two.xyz", "--modes", modes, "--out", folder / "m.csv"}).code, 3);
}

TEST(QuantumProgram, PicturesOfModesAndStates) {
  const Folder folder;
  const std::string water = test::shared_data("qm-fields/vibrations/water_vib.molden");
  const auto still = run({"render", water, "--size", "160x120", "--out", folder / "still.png"});
  ASSERT_EQ(still.code, 0) << still.err;
  const auto moved = run({"render", water, water + "#mode=2,amplitude=0.4,frames=8", "--frame", "2", "--size",
                          "160x120", "--out", folder / "moved.png"});
  ASSERT_EQ(moved.code, 0) << moved.err;
  EXPECT_NE(test::read_text(folder / "still.png"), test::read_text(folder / "moved.png"));
  const auto far = run({"render", water, water + "#mode=4", "--out", folder / "far.png"});
  EXPECT_EQ(far.code, 3);
  EXPECT_CONTAINS(far.err, "1 to 3");
  const std::string orbitals = test::data("orbitals/formaldehyde.molden.gz");
  const auto state = run({"render", orbitals, test::data("orbitals/formaldehyde_tda.json.gz") + "#state=4", "--orbital",
                          "homo", "--size", "160x120", "--out", folder / "hole.png", "--report", folder / "r.json"});
  ASSERT_EQ(state.code, 0) << state.err;
  EXPECT_EQ(test::read_json(folder / "r.json").at("inputs").size(), 2u);
}

TEST(QuantumProgram, ExtremesOfThePotentialOnTheDensity) {
  const Folder folder;
  const std::string formaldehyde = test::data("orbitals/formaldehyde.molden.gz");
  const auto outcome =
      run({"compute", "surface-potential", formaldehyde, "--spacing", "0.2", "--out", folder / "e.csv", "--statistics",
           folder / "s.csv", "--mesh", folder / "m.ply", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string extremes = test::read_text(folder / "e.csv");
  EXPECT_CONTAINS(extremes, "number,type,x (angstrom),y (angstrom),z (angstrom),potential (kcal/mol/e),nearest atom\n");
  EXPECT_CONTAINS(extremes, ",minimum,");
  EXPECT_CONTAINS(extremes, ",O2\n") << "the minima are at its lone pairs";
  EXPECT_CONTAINS(test::read_text(folder / "s.csv"), "positive area,");
  const auto report = test::read_json(folder / "r.json");
  const auto& result = report.at("result");
  EXPECT_NEAR(result.at("positive area").get<double>() + result.at("negative area").get<double>(),
              result.at("area").get<double>(), 1e-6);
  EXPECT_LT(result.at("minimum").get<double>(), -20);
  EXPECT_GT(result.at("maximum").get<double>(), 15);
  EXPECT_LT(report.at("error").at("density").get<double>(), 1e-8);
  EXPECT_TRUE(std::filesystem::exists(folder / "m.ply"));
  EXPECT_CONTAINS(outcome.err, "potential on the surface of 0.002 e/bohr^3");
  EXPECT_EQ(run({"compute", "surface-potential", formaldehyde, "--isovalue", "0.9", "--out", folder / "e.csv"}).code, 0)
      << "around the nuclei";
}

TEST(QuantumProgram, ChargeTransferBetweenFragments) {
  const Folder folder;
  const std::vector<std::string> common{"compute", "states", test::data("orbitals/formaldehyde.molden.gz"),
                                        "--amplitudes", test::data("orbitals/formaldehyde_tda.json.gz")};
  const std::string table = folder / "s.csv", said = folder / "r.json";
  auto words = common;
  for (const std::string& word : std::vector<std::string>{"--fragment", "element O", "--out", table, "--report", said})
    words.push_back(word);
  const auto outcome = run(words);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(test::read_text(folder / "s.csv"), ",charge transfer,1 to 1,1 to rest,rest to 1,rest to rest\n");
  const auto report = test::read_json(folder / "r.json").at("result");
  EXPECT_EQ(report.at("fragments"), (std::vector<std::string>{"1", "rest"}));
  // By PySCF's overlap (tests/data/orbitals/charge_transfer_pyscf.json): from the oxygen's lone pair.
  const auto numbers = report.at("charge_transfer")[0].at("numbers").get<std::vector<double>>();
  const double expected[] = {0.26771, 0.45264, 0.10268, 0.17697};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(numbers.at(i), expected[i], 2e-5);
  auto twice = common;
  for (const char* word : {"--fragment", "element O", "--fragment", "index 1"}) twice.emplace_back(word);
  const auto shared = run(twice);
  EXPECT_EQ(shared.code, 2);
  EXPECT_CONTAINS(shared.err, "have atom 1 in common");
}

TEST(QuantumProgram, StatesOfAnOutputOfOrca) {
  const Folder folder;
  test::write_text(
      folder / "orca.out",
      "                                 * O   R   C   A *\n"
      " Number of Electrons    NEL             ....   16\n Basis Dimension        Dim             ....   38\n"
      "TD-DFT/TDA EXCITED STATES (SINGLETS)\n\n"
      "STATE  1:  E=   0.147721 au      4.020 eV    32421.2 cm**-1 <S**2> =   0.000000\n"
      "     7a ->   8a  :     0.997140 (c=  0.99857)\n\n");
  const auto outcome = run({"compute", "states", test::data("orbitals/formaldehyde.molden.gz"), "--amplitudes",
                            folder / "orca.out", "--out", folder / "s.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.err, "miss their norm") << "amplitudes below 1 % are not in an output";
  EXPECT_CONTAINS(test::read_text(folder / "s.csv"), "0.147721");
}

TEST(QuantumProgram, ContactsOfOrbitals) {
  const Folder folder;
  const std::string water = test::shared_data("qm-fields/water.molden");
  const auto outcome = run({"compute",
                            "density",
                            water,
                            "--kind",
                            "delta-g-inter",
                            "--select",
                            "index 0",
                            "--between",
                            "index 1 2",
                            "--spacing",
                            "0.4",
                            "--margin",
                            "2",
                            "--scatter",
                            folder / "s.csv",
                            "--signed-density",
                            folder / "sign.cube",
                            "--out",
                            folder / "inter.cube",
                            "--report",
                            folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report.at("result").at("atoms"), 3);
  EXPECT_EQ(report.at("device").at("kind"), "cpu");
  EXPECT_GT(report.at("result").at("maximum").get<double>(), 0.01) << "bonds";
  EXPECT_LT(report.at("error").at("max").get<double>(), 1e-5);
  EXPECT_TRUE(std::filesystem::exists(folder / "sign.cube"));
  EXPECT_CONTAINS(test::read_text(folder / "s.csv"), "delta-g-inter");
  // What does not fit is refused before any work.
  const auto one = run({"compute", "density", water, "--kind", "delta-g-inter", "--out", folder / "i.cube"});
  EXPECT_EQ(one.code, 2);
  EXPECT_CONTAINS(one.err, "two selections");
  EXPECT_EQ(run({"compute", "density", water, "--kind", "delta-g", "--frames", "0:1", "--out", folder / "i.cube"}).code,
            2);
  const auto both = run({"compute", "density", water, "--kind", "delta-g-inter", "--select", "index 0 1", "--between",
                         "index 1 2", "--out", folder / "i.cube"});
  EXPECT_EQ(both.code, 2);
  EXPECT_CONTAINS(both.err, "share atom 2");
}

}  // namespace
}  // namespace isolume
