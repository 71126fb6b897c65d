// isolume compute volmap --kind value: any number of the atoms on a grid over frames, against its formula. Energies of
// water on a grid.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <numbers>

#include "formats/read.h"
#include "tests/app/cli/program.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

constexpr int frame_count = 5;
constexpr double radius = 1.2;

glm::dvec3 place(int frame, int atom) {
  return atom == 0 ? glm::dvec3(0.25 * frame, 0, 0) : glm::dvec3(5, 0.5 * frame, 1);
}

/// Two atoms with B factors of 10 and 25.
std::string structure() {
  std::string text;
  for (int f = 0; f < frame_count; ++f) {
    text += fmt::format("MODEL     {:4}\n", f + 1);
    for (int a = 0; a < 2; ++a) {
      const glm::dvec3 at = place(f, a);
      text += fmt::format("ATOM  {:5}  C   ALA A{:4}    {:8.3f}{:8.3f}{:8.3f}  0.50{:6.2f}           C\n", a + 1, a + 1,
                          at.x, at.y, at.z, a == 0 ? 10.0 : 25.0);
    }
    text += "ENDMDL\n";
  }
  return text;
}

template <typename Value>
std::string npy(const std::string& type, const std::string& shape, const std::vector<Value>& values) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape);
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(header.size() & 255);
  text += static_cast<char>(header.size() >> 8);
  text += header;
  text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
  return text;
}

/// The mean over the frames of sum w g(r - r_i), g the Gaussian of width `radius`.
template <class Weight>
double formula(glm::dvec3 at, const Weight& weight) {
  double sum = 0;
  for (int f = 0; f < frame_count; ++f)
    for (int a = 0; a < 2; ++a) {
      const glm::dvec3 away = at - place(f, a);
      sum += weight(f, a) * std::pow(2 * std::numbers::pi * radius * radius, -1.5) *
             std::exp(-glm::dot(away, away) / (2 * radius * radius)) / frame_count;
    }
  return sum;
}

class ValueMaps : public ::testing::Test {
 protected:
  void SetUp() override { write_text(folder_ / "a.pdb", structure()); }
  Outcome map(const std::string& values, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"compute",  "volmap", folder_ / "a.pdb", "--kind", "value",
                                   "--values", values,   "--spacing",       "1",      "--radius",
                                   "1.2",      "--out",  folder_ / "m.mrc"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  template <class Weight>
  void expect(const std::string& unit, const Weight& weight) {
    const Molecule molecule = read_file(folder_ / "m.mrc");
    const Volume& found = *molecule.volumes.at(0);
    std::size_t points = 0;
    for (int k = 0; k < found.grid.counts.z; k += 2)
      for (int j = 0; j < found.grid.counts.y; j += 2)
        for (int i = 0; i < found.grid.counts.x; i += 2, ++points)
          ASSERT_NEAR(found.values[found.grid.index(i, j, k)], formula(found.grid.point(i, j, k), weight), 2e-5)
              << unit;
    EXPECT_GT(points, 100u);
    EXPECT_EQ(read_json(folder_ / "r.json")["unit"], unit);
  }
  Folder folder_;
};

TEST_F(ValueMaps, BFactorsOccupanciesAndColumns) {
  const std::vector<std::string> report{"--report", folder_ / "r.json"};
  const Outcome factors = map("b-factor", report);
  ASSERT_EQ(factors.code, 0) << factors.err;
  expect("A^2/A^3", [](int, int a) { return a == 0 ? 10.0 : 25.0; });
  const Outcome occupancies = map("occupancy", report);
  ASSERT_EQ(occupancies.code, 0) << occupancies.err;
  expect("1/A^3", [](int, int) { return 0.5; });
  // A table by residues: the first atom has no line and counts nothing.
  write_text(folder_ / "t.csv", "chain,number,flexibility\nA,2,-3.5\n");
  const Outcome column = map(folder_ / "t.csv", report);
  ASSERT_EQ(column.code, 0) << column.err;
  expect("1/A^3", [](int, int a) { return a == 0 ? 0.0 : -3.5; });
  EXPECT_EQ(read_json(folder_ / "r.json")["method"]["values"], "flexibility");
}

TEST_F(ValueMaps, ArraysOfNumbersInEveryFrame) {
  std::vector<double> wide;
  for (int f = 0; f < frame_count; ++f)
    for (int a = 0; a < 2; ++a) wide.push_back(a == 0 ? 1.0 + f : -0.5 * f);
  write_text(folder_ / "v.npy", npy("<f8", "(5, 2)", wide));
  const Outcome each = map(folder_ / "v.npy", {"--report", folder_ / "r.json", "--error-out", folder_ / "e.mrc"});
  ASSERT_EQ(each.code, 0) << each.err;
  expect("1/A^3", [](int f, int a) { return a == 0 ? 1.0 + f : -0.5 * f; });
  write_text(folder_ / "s.npy", npy<float>("<f4", "(2,)", {4, 7}));
  const Outcome still = map(folder_ / "s.npy", {"--report", folder_ / "r.json"});
  ASSERT_EQ(still.code, 0) << still.err;
  expect("1/A^3", [](int, int a) { return a == 0 ? 4.0 : 7.0; });
  write_text(folder_ / "i.npy", npy<int>("<i4", "(2,)", {4, 7}));
  ASSERT_EQ(map(folder_ / "i.npy", {"--report", folder_ / "r.json"}).code, 0);
  expect("1/A^3", [](int, int a) { return a == 0 ? 4.0 : 7.0; });
}

TEST_F(ValueMaps, PartsMergeToTheWhole) {
  ASSERT_EQ(map("b-factor", {"--frames", "0:2", "--partial", folder_ / "1"}).code, 0);
  ASSERT_EQ(map("b-factor", {"--frames", "2:5", "--partial", folder_ / "2"}).code, 0);
  const Outcome merged =
      run({"merge", folder_ / "1", folder_ / "2", "--out", folder_ / "m.mrc", "--report", folder_ / "r.json"});
  ASSERT_EQ(merged.code, 0) << merged.err;
  expect("A^2/A^3", [](int, int a) { return a == 0 ? 10.0 : 25.0; });
  ASSERT_EQ(map("occupancy", {"--frames", "2:5", "--partial", folder_ / "3"}).code, 0);
  const Outcome other = run({"merge", folder_ / "1", folder_ / "3", "--out", folder_ / "m.mrc"});
  EXPECT_EQ(other.code, 3);
  EXPECT_CONTAINS(other.err, "part of another average");
}

TEST_F(ValueMaps, RefusesWhatMakesNoSense) {
  const auto fails = [&](const std::string& values, int code, const char* why) {
    const Outcome outcome = map(values);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_CONTAINS(outcome.err, why);
  };
  fails("beta", 2, "b-factor, occupancy, formal-charge");
  write_text(folder_ / "t.csv", "chain,number,x\nB,2,1\n");
  fails(folder_ / "t.csv", 3, "no line of the table names an atom");
  write_text(folder_ / "three.npy", npy<float>("<f4", "(3,)", {1, 2, 3}));
  fails(folder_ / "three.npy", 3, "3 numbers in a row, and the molecule 2 atoms");
  write_text(folder_ / "rows.npy", npy<float>("<f4", "(3, 2)", {1, 2, 3, 4, 5, 6}));
  fails(folder_ / "rows.npy", 3, "3 rows, and the molecule 5 frames");
  write_text(folder_ / "none.npy", npy<float>("<f4", "(1000000000000000, 0)", {}));
  fails(folder_ / "none.npy", 3, "0 numbers in a row, and the molecule 2 atoms");
  write_text(folder_ / "names.npy", npy<float>("|S4", "(2,)", {1, 2}));
  fails(folder_ / "names.npy", 3, "numbers of the type");
  write_text(folder_ / "cut.npy", npy<float>("<f4", "(2,)", {1}));
  fails(folder_ / "cut.npy", 3, "as many numbers as its shape");
  write_text(folder_ / "nan.npy", npy<float>("<f4", "(2,)", {1, std::nanf("")}));
  fails(folder_ / "nan.npy", 3, "not finite");
  write_text(folder_ / "complex.npy", npy<float>("<c8", "(1,)", {1, 2}));
  fails(folder_ / "complex.npy", 3, "numbers of the type");
  write_text(folder_ / "none.npy", "no array");
  fails(folder_ / "none.npy", 3, "no array of NumPy");
  const Outcome without = run({"compute", "volmap", folder_ / "a.pdb", "--kind", "value", "--out", folder_ / "m.mrc"});
  EXPECT_EQ(without.code, 2);
  EXPECT_CONTAINS(without.err, "needs --values");
  const Outcome other =
      run({"compute", "volmap", folder_ / "a.pdb", "--values", "b-factor", "--out", folder_ / "m.mrc"});
  EXPECT_EQ(other.code, 2);
  EXPECT_CONTAINS(other.err, "belongs to --kind value");
}

TEST(HydrationMaps, HaveTheEnergyOfWaterAndSayWhatTheyNeed) {
  const Folder folder;
  write_text(folder / "a.pdb", structure());
  const auto fails = [&](std::vector<std::string> words, const char* why) {
    words.insert(words.begin(), {"compute", "volmap"});
    words.insert(words.end(), {"--out", folder / "x.dx"});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_CONTAINS(outcome.err, why);
  };
  fails({folder / "a.pdb", "--kind", "water-energy"}, "no Lennard-Jones parameters");
  fails({folder / "a.pdb", "--kind", "solute-energy", "--spread", "voxel"}, "--spread belongs to");
  fails({folder / "a.pdb", "--kind", "solute-energy", "--peaks", folder / "p.csv"}, "--peaks belongs to");
  const std::string topology = shared_data("trajectories/tz2/tz2.ortho.parm7.gz");
  const std::string frames = shared_data("trajectories/tz2/tz2.ortho.nc");
  ISOLUME_NEEDS(topology);
  ISOLUME_NEEDS(frames);
  fails({topology, frames, "--kind", "water-energy", "--select", "water"}, "several atoms of a molecule");
  fails({topology, frames, "--kind", "water-energy", "--select", "protein and name CA"}, "is not of water");
  const auto sum = [&](const std::string& kind, const char* unit) {
    const Outcome outcome = run({"compute", "volmap", topology, frames, "--kind", kind, "--select", "water and name O",
                                 "--spread", kind == "density" ? "voxel" : "gaussian", "--spacing", "2", "--out",
                                 folder / "m.mrc", "--error-out", folder / "e.mrc", "--report", folder / "r.json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read_json(folder / "r.json")["unit"], unit);
    const Molecule map = read_file(folder / "m.mrc");
    double total = 0;
    for (const float value : map.volumes.at(0)->values) total += static_cast<double>(value);
    return total;
  };
  // TIP3P in bulk has -9.533 kcal/mol a molecule (AMBER's manual, GIST); around a peptide some of that is with it.
  const double molecules = sum("density", "1/A^3");
  const double with_water = sum("water-energy", "kcal/mol/A^3") / molecules;
  const double with_solute = sum("solute-energy", "kcal/mol/A^3") / molecules;
  EXPECT_NEAR(with_water + 0.5 * with_solute, -9.533, 0.4);
  EXPECT_LT(with_solute, 0);
}

}  // namespace
}  // namespace isolume::test
