// Cubes of orbitals and densities: what they enclose, and those that other programs wrote.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

TEST(EnclosedProbability, IsWhatTheCubeHolds) {
  const Folder folder;
  const std::string water = test::data("H2O-631Gd-cart.molden");
  for (const char* given : {"0.9", "90"}) {
    const auto outcome = run({"compute", "orbital", water, "--orbital", "homo,lumo", "--points", "60000", "--enclosed",
                              given, "--out", folder / "psi.cube", "--report", folder / "r.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_CONTAINS(outcome.err, "encloses 90 %");
    const auto report = test::read_json(folder / "r.json");
    for (const char* name : {"homo", "lumo"}) {
      const Molecule cube = read_file(folder / fmt::format("psi_{}.cube", name));
      const auto& entry = report["result"]["orbitals"][std::string(name) == "homo" ? 0 : 1];
      EXPECT_EQ(entry["enclosed"], 0.9);
      const std::vector<float>& values = cube.volumes[0]->values;
      EXPECT_GT(values.size(), 40'000u);
      EXPECT_LE(values.size(), 60'000u);
      double total = 0, inside = 0;
      for (const float value : values) {
        total += double(value) * value;
        if (std::abs(value) >= entry["isovalue"].get<double>()) inside += double(value) * value;
      }
      EXPECT_NEAR(inside / total, 0.9, 1e-3) << name;
    }
  }
  EXPECT_EQ(run({"compute", "orbital", water, "--enclosed", "100", "--out", folder / "x.cube"}).code, 2);
  EXPECT_EQ(run({"compute", "orbital", water, "--enclosed", "1", "--out", folder / "x.cube"}).code, 2);
}

/// A file with orbitals, what is computed of it, and the cube that another program wrote of that.
struct Pair {
  const char* file;
  int orbital;  ///< 0 for the electron density
  const char* cube;
  const char* program;
};

void PrintTo(const Pair& pair, std::ostream* out) {
  *out << pair.cube;
}

class CubesOfOtherPrograms : public testing::TestWithParam<Pair> {};

TEST_P(CubesOfOtherPrograms, AreReproducedToTheirDigits) {
  const Pair& pair = GetParam();
  const std::string file = test::shared_data(pair.file), cube = test::shared_data(pair.cube);
  ISOLUME_NEEDS(file);
  ISOLUME_NEEDS(cube);
  const Folder folder;
  std::vector<std::string> words{
      "compute", pair.orbital > 0 ? "orbital" : "density", file, "--grid", cube, "--out", folder / "x.cube"};
  if (pair.orbital > 0) words.insert(words.end(), {"--orbital", std::to_string(pair.orbital)});
  const auto outcome = run(words);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Molecule expected = read_file(cube), found = read_file(folder / "x.cube");
  const Volume &a = *expected.volumes.at(0), &b = *found.volumes.at(0);
  ASSERT_EQ(a.grid.counts, b.grid.counts);
  double plus = 0, minus = 0, largest = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    largest = std::max<double>(largest, std::abs(a.values[i]));
    plus = std::max<double>(plus, std::abs(a.values[i] - b.values[i]));
    minus = std::max<double>(minus, std::abs(a.values[i] + b.values[i]));
  }
  // Six digits of the values, and six decimals of the grid's steps, which add up over the grid to where its far end
  // is. The overall sign of an orbital is free.
  double steepest = 0;  // per angstrom
  for (std::size_t i = 1; i < a.values.size(); ++i) {
    if (i % static_cast<std::size_t>(a.grid.counts.x) == 0) continue;
    steepest = std::max(steepest, std::abs(double(a.values[i]) - a.values[i - 1]) / glm::length(a.grid.step[0]));
  }
  const double displaced =
      0.5e-6 * units::bohr_in_angstrom * std::max({a.grid.counts.x, a.grid.counts.y, a.grid.counts.z});
  EXPECT_LE(pair.orbital > 0 ? std::min(plus, minus) : plus, 1e-5 * largest + displaced * steepest) << pair.program;
}

INSTANTIATE_TEST_SUITE_P(
    Pairs, CubesOfOtherPrograms,
    testing::Values(
        Pair{"qm-computed/H2O-631Gd-cart.molden", 4, "qm-computed/H2O-631Gd-cart_Psi_a_4_4-A.cube.gz", "Psi4"},
        Pair{"qm-computed/H2O-VQZ-cart.molden", 4, "qm-computed/H2O-VQZ-cart_Psi_a_4_4-A.cube.gz", "Psi4"},
        Pair{"qm-computed/H2O-VQZ-cart.molden", 5, "qm-computed/H2O-VQZ-cart_Psi_a_5_5-A.cube.gz", "Psi4"},
        Pair{"qm-computed/H2O-VQZ-cart_psi4native.molden", 6, "qm-computed/H2O-VQZ-cart_Psi_a_6_6-A.cube.gz", "Psi4"},
        Pair{"qm-computed/Kr-A.molden", 12, "qm-computed/Kr-A_Psi_a_12_12-A.cube.gz", "Psi4"},
        Pair{"qm-computed/Kr-A_psi4native.molden", 18, "qm-computed/Kr-A_Psi_a_18_18-A.cube.gz", "Psi4"},
        Pair{"qm-computed/Kr-A.molden", 19, "qm-computed/Kr-A_Psi_a_19_19-A.cube.gz", "Psi4"},
        Pair{"qm-computed/Thr-A.molden", 31, "qm-computed/Thr-A_Psi_a_31_31-A.cube.gz", "Psi4"},
        Pair{"qm-computed/Thr-A.molden", 33, "qm-computed/Thr-A_Psi_a_33_33-A.cube.gz", "Psi4"},
        Pair{"qm-computed/Thr-B.molden", 31, "qm-computed/Thr-B_Psi_a_31_31-A.cube.gz", "Psi4"},
        Pair{"qm-computed/Thr-B_psi4native.molden", 32, "qm-computed/Thr-B_Psi_a_32_32-A.cube.gz", "Psi4"},
        Pair{"qm-computed/Thr-B.molden", 33, "qm-computed/Thr-B_Psi_a_33_33-A.cube.gz", "Psi4"},
        Pair{"qm/gold_psi4_kr/kr.molden", 9, "qm/gold_psi4_kr/kr_MO09.cube.gz", "Psi4"},
        Pair{"qm/gold_psi4_kr/kr.fchk", 14, "qm/gold_psi4_kr/kr_MO14.cube.gz", "Psi4"},
        Pair{"qm/gold_psi4_kr/kr.molden", 18, "qm/gold_psi4_kr/kr_MO18_HOMO.cube.gz", "Psi4"},
        Pair{"qm/gold_psi4_kr/kr.fchk", 0, "qm/gold_psi4_kr/kr_density.cube.gz", "Psi4"},
        Pair{"qm/gold_psi4_threonine/threonine.molden", 20, "qm/gold_psi4_threonine/threonine_MO20.cube.gz", "Psi4"},
        Pair{"qm/gold_psi4_threonine/threonine.fchk", 32, "qm/gold_psi4_threonine/threonine_MO32_HOMO.cube.gz", "Psi4"},
        Pair{"qm/gold_psi4_threonine/threonine.molden", 33, "qm/gold_psi4_threonine/threonine_MO33_LUMO.cube.gz",
             "Psi4"},
        Pair{"qm/gold_psi4_threonine/threonine.molden", 0, "qm/gold_psi4_threonine/threonine_density.cube.gz", "Psi4"},
        Pair{"qm/gold_ch4_d/d-only.fchk", 1, "qm/gold_ch4_d/d-only.cube.gz", "Molden"},
        Pair{"qm/gold_ch4_d/d-only.gamess", 1, "qm/gold_ch4_d/d-only.cube.gz", "Molden"}));

}  // namespace
}  // namespace isolume
