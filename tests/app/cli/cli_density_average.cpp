// isolume compute density --average: means of densities over files with orbitals, against their formula.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/app/cli/program.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

constexpr double exponent = 0.5;  // bohr^-2

/// Three hydrogens at places (bohr). The first has one electron in an s function, the second one in a p function along
/// `direction`; both are alpha where `open`, else they are alpha and beta.
std::string molden(const std::vector<glm::dvec3>& places, glm::dvec3 direction, bool open) {
  std::string text = "[Molden Format]\n[Atoms] AU\n";
  for (std::size_t i = 0; i < places.size(); ++i)
    text += fmt::format("H {} 1 {:.10f} {:.10f} {:.10f}\n", i + 1, places[i].x, places[i].y, places[i].z);
  text += "[GTO]\n";
  for (std::size_t i = 0; i < places.size(); ++i)
    text += fmt::format("{} 0\n {} 1 1.0\n {:.6f} 1.0\n\n", i + 1, i == 1 ? 'p' : 's', exponent);
  text += "[MO]\n";
  const auto orbital = [&](const char* spin, double occupation, const std::vector<double>& coefficients) {
    text += fmt::format("Sym= a\nEne= -0.5\nSpin= {}\nOccup= {}\n", spin, occupation);
    for (std::size_t i = 0; i < coefficients.size(); ++i) text += fmt::format("{} {:.12f}\n", i + 1, coefficients[i]);
  };
  const std::vector<double> s{1, 0, 0, 0, 0}, p{0, direction.x, direction.y, direction.z, 0};
  orbital("Alpha", 1, s);
  if (open) orbital("Alpha", 1, p);
  orbital("Beta", open ? 0 : 1, open ? s : p);
  return text;
}

double s_density(glm::dvec3 from) {  // bohr
  return std::pow(2 * exponent / std::numbers::pi, 1.5) * std::exp(-2 * exponent * glm::dot(from, from));
}

double p_density(glm::dvec3 from, glm::dvec3 direction) {
  const double along = glm::dot(from, direction);
  return 4 * exponent * along * along * s_density(from);
}

std::vector<std::pair<double, double>> pairs(const std::string& text) {
  std::vector<std::pair<double, double>> result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t comma = line.find(','); comma != std::string::npos)
      result.emplace_back(std::stod(line.substr(0, comma)), std::stod(line.substr(comma + 1)));
  return result;
}

const std::vector<glm::dvec3> points{{0.3, 0.1, 0}, {0.9, 0.9, 0.4}, {-0.5, 0.8, 1.1}, {1.6, 0, 0.2}};  // angstrom

std::string points_file(const Folder& folder) {
  std::string text;
  for (const glm::dvec3& point : points) text += fmt::format("{},{},{}\n", point.x, point.y, point.z);
  write_text(folder / "points.csv", text);
  return folder / "points.csv";
}

/// The three atoms of frame i of a series whose frames have nothing to do with each other.
std::vector<std::vector<glm::dvec3>> series(std::size_t count) {
  std::uint32_t state = 7;
  const auto next = [&] {
    state = state * 1664525u + 1013904223u;
    return static_cast<double>(state >> 8) / static_cast<double>(1u << 24) - 0.5;
  };
  std::vector<std::vector<glm::dvec3>> frames;
  for (std::size_t i = 0; i < count; ++i) {
    frames.push_back({{0, 0, 0}, {3, 0, 0}, {0, 2.5, 0}});
    for (glm::dvec3& place : frames.back()) place += glm::dvec3(next(), next(), next());
  }
  return frames;
}

TEST(DensityAverage, IsTheMeanOfTheFormula) {
  const Folder folder;
  const auto frames = series(64);
  const glm::dvec3 direction = glm::normalize(glm::dvec3(1, 2, -1));
  for (std::size_t i = 0; i < frames.size(); ++i)
    write_text(folder / fmt::format("f_{:03}.molden", i), molden(frames[i], direction, false));
  const auto average = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"compute", "density", folder / "f_*.molden", "--average"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  const std::string at = points_file(folder);
  for (const bool spin : {false, true}) {
    const Outcome outcome = average({"--kind", spin ? "spin" : "electron", "--at", at, "--report", folder / "r.json",
                                     "--partial", folder / (spin ? "spin" : "electron")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto found = pairs(outcome.out);
    ASSERT_EQ(found.size(), points.size());
    const auto report = read_json(folder / "r.json");
    EXPECT_EQ(report["unit"], "bohr^-3");
    for (std::size_t p = 0; p < points.size(); ++p) {
      const glm::dvec3 point = points[p] * units::angstrom_in_bohr;
      std::vector<double> values;
      for (const auto& places : frames)
        values.push_back(s_density(point - places[0]) + (spin ? -1 : 1) * p_density(point - places[1], direction));
      double mean = 0, variance = 0;
      for (const double value : values) mean += value / 64;
      for (const double value : values) variance += (value - mean) * (value - mean) / 63;
      EXPECT_NEAR(found[p].first, mean, 1e-7) << p;
      EXPECT_NEAR(report["result"]["points"][p]["variance"].get<double>(), variance, 1e-4 * variance) << p;
      // Of independent values; blocks know it to a quarter here.
      if (!std::isnan(found[p].second)) {
        EXPECT_NEAR(found[p].second / std::sqrt(variance / 64), 1, 0.5) << p;
      }
    }
  }
  // The part goes on, refuses another density, and halves join to the whole.
  const auto whole = pairs(average({"--at", at}).out);
  for (const char* frames_of : {"0:20", "20:64"})
    EXPECT_EQ(average({"--at", at, "--frames", frames_of, "--partial", folder / frames_of}).code, 0);
  const Outcome joined = run({"merge", folder / "0:20", folder / "20:64", "--out", folder / "m.csv"});
  ASSERT_EQ(joined.code, 0) << joined.err;
  const auto merged = pairs(read_text(folder / "m.csv"));
  const auto resumed = pairs(average({"--at", at, "--frames", "0:64", "--partial", folder / "0:20"}).out);
  ASSERT_EQ(merged.size(), whole.size());
  for (std::size_t p = 0; p < whole.size(); ++p) {
    EXPECT_NEAR(merged[p].first, whole[p].first, 1e-14);
    EXPECT_EQ(resumed[p].first, whole[p].first);
  }
  const Outcome other = average({"--kind", "spin", "--at", at, "--partial", folder / "electron"});
  EXPECT_EQ(other.code, 3);
  EXPECT_CONTAINS(other.err, "part of another average");
  const Outcome orbital = average({"--orbitals", "1", "--at", at});
  ASSERT_EQ(orbital.code, 0) << orbital.err;
  const auto first = pairs(orbital.out);
  for (std::size_t p = 0; p < points.size(); ++p) {
    double mean = 0;
    for (const auto& places : frames) mean += s_density(points[p] * units::angstrom_in_bohr - places[0]) / 64;
    EXPECT_NEAR(first[p].first, mean, 1e-7) << p;
  }
}

TEST(DensityAverage, AMapIsWhatItsPointsAre) {
  const Folder folder;
  const auto frames = series(48);
  for (std::size_t i = 0; i < frames.size(); ++i)
    write_text(folder / fmt::format("f_{:03}.molden", i), molden(frames[i], {0, 1, 0}, true));
  const std::vector<std::string> words{"compute", "density", folder / "f_*.molden", "--average"};
  const Outcome outcome =
      run(words + std::vector<std::string>{"--margin", "3", "--spacing", "0.5", "--out", folder / "m.cube",
                                           "--error-out", folder / "e.cube", "--faded-out", folder / "s.cube",
                                           "--convergence", folder / "c.csv", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Molecule mean = read_file(folder / "m.cube"), error = read_file(folder / "e.cube");
  const Volume &values = *mean.volumes.at(0), &errors = *error.volumes.at(0);
  EXPECT_EQ(mean.atom_count(), 3u);
  std::string text;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < values.values.size(); i += 37) {
    const int x = values.grid.counts.x, y = values.grid.counts.y, n = static_cast<int>(i);
    const glm::dvec3 point = values.grid.point(n % x, n / x % y, n / (x * y));
    text += fmt::format("{},{},{}\n", point.x, point.y, point.z);
    chosen.push_back(i);
  }
  write_text(folder / "points.csv", text);
  const auto at = pairs(run(words + std::vector<std::string>{"--at", folder / "points.csv"}).out);
  ASSERT_EQ(at.size(), chosen.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    EXPECT_NEAR(values.values[chosen[i]], at[i].first, 2e-6) << i;
    if (std::isnan(at[i].second) || at[i].first < 1e-4) continue;
    EXPECT_NEAR(errors.values[chosen[i]], at[i].second, 0.02 * at[i].second) << i;
  }
  const auto report = read_json(folder / "r.json");
  EXPECT_NEAR(report["result"]["electrons_on_grid"].get<double>(), 2, 0.02);
  EXPECT_LT(report["error"]["relative"].get<double>(), 1e-5);
  EXPECT_CONTAINS(read_text(folder / "c.csv"), "frames,standard error (bohr^-3)");
  EXPECT_CONTAINS(read_text(folder / "c.csv"), "\n48,");
}

/// Fields of one electron in an s function, at a distance r (bohr) of its atom: rho = N exp(-r^2).
double s_field(const std::string& kind, glm::dvec3 from) {
  const double r = glm::length(from), rho = s_density(from), kinetic = r * r * rho / 2;
  const double fermi = 3 * std::numbers::pi * std::numbers::pi, uniform = 0.3 * std::pow(fermi, 2.0 / 3);
  if (kind == "gradient") return 2 * r * rho;
  if (kind == "laplacian") return (4 * r * r - 6) * rho;
  if (kind == "tau") return kinetic;
  if (kind == "elf") return 1;  // one orbital
  const double free = uniform * std::pow(rho, 5.0 / 3);
  if (kind == "lol") return free / (free + kinetic);
  return std::min(10.0, r / (std::cbrt(fermi) * std::cbrt(rho)));  // rdg
}

TEST(DensityAverage, OfOtherFieldsIsTheMeanOfTheirFormulas) {
  const Folder folder;
  const auto frames = series(24);
  for (std::size_t i = 0; i < frames.size(); ++i)
    write_text(folder / fmt::format("f_{:03}.molden", i), molden(frames[i], {0, 1, 0}, false));
  const auto mean = [&](const std::string& kind, glm::dvec3 point) {
    double sum = 0;
    for (const auto& places : frames) sum += s_field(kind, point * units::angstrom_in_bohr - places[0]);
    return sum / static_cast<double>(frames.size());
  };
  const std::string at = points_file(folder);
  for (const std::string kind : {"gradient", "laplacian", "tau", "elf", "lol", "rdg"}) {
    const std::vector<std::string> words{
        "compute", "density",  folder / "f_*.molden", "--average", "--kind", kind, "--orbitals",
        "1",       "--report", folder / "r.json"};
    const Outcome outcome = run(words + std::vector<std::string>{"--at", at});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto found = pairs(outcome.out);
    ASSERT_EQ(found.size(), points.size());
    for (std::size_t p = 0; p < points.size(); ++p) {
      const double exact = mean(kind, points[p]);
      EXPECT_NEAR(found[p].first, exact, 1e-5 * (0.1 + std::abs(exact))) << kind << p;
    }
    // Of one orbital the numerator of the localisation is 0, and far out what rounding leaves of it counts.
    if (kind == "elf") continue;
    // Far out reduced gradients have no bound, and count as 10.
    const Outcome map = run(words + std::vector<std::string>{"--margin", "3", "--spacing", "0.6", "--out",
                                                             folder / "m.cube", "--error-out", folder / "e.cube"});
    ASSERT_EQ(map.code, 0) << map.err;
    const Molecule file = read_file(folder / "m.cube");
    const Volume& volume = *file.volumes.at(0);
    for (std::size_t i = 0; i < volume.values.size(); i += 41) {
      const int x = volume.grid.counts.x, y = volume.grid.counts.y, n = static_cast<int>(i);
      const double exact = mean(kind, volume.grid.point(n % x, n / x % y, n / (x * y)));
      EXPECT_NEAR(volume.values[i], exact, 1e-4 * (0.1 + std::abs(exact))) << kind << i;
    }
    const auto report = read_json(folder / "r.json");
    EXPECT_LT(report["error"]["relative"].get<double>(), 1e-4) << kind;
    EXPECT_FALSE(report["result"].contains("electrons_on_grid")) << kind;
  }
}

TEST(DensityAverage, OrbitalsTurnWithTheAtoms) {
  const Folder folder;
  const glm::dvec3 places[] = {{0, 0, 0}, {2, 0, 0}, {0.5, 2.5, 0.3}};
  for (int i = 0; i < 8; ++i) {
    const double angle = 0.7 * i;
    const auto turned = [&](glm::dvec3 p) {
      return glm::dvec3(p.x * std::cos(angle) - p.y * std::sin(angle), p.x * std::sin(angle) + p.y * std::cos(angle),
                        p.z);
    };
    std::vector<glm::dvec3> atoms;
    for (const glm::dvec3& place : places) atoms.push_back(turned(place) + glm::dvec3(0, 3.0 * i, 0));
    write_text(folder / fmt::format("f_{}.molden", i), molden(atoms, turned({1, 0, 0}), false));
  }
  const std::string at = points_file(folder);
  const Outcome outcome = run({"compute", "density", folder / "f_*.molden", "--average", "--align", "all", "--at", at,
                               "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto found = pairs(outcome.out);
  const auto report = read_json(folder / "r.json");
  for (std::size_t p = 0; p < points.size(); ++p) {
    const glm::dvec3 point = points[p] * units::angstrom_in_bohr;
    const double exact = s_density(point - places[0]) + p_density(point - places[1], {1, 0, 0});
    EXPECT_NEAR(found[p].first, exact, 1e-5) << p;
    EXPECT_LT(report["result"]["points"][p]["variance"].get<double>(), 1e-10) << p;
  }
  EXPECT_LT(report["result"]["alignment"]["rmsd_max"].get<double>(), 1e-4);
}

TEST(DensityAverage, RefusesWhatMakesNoSense) {
  const Folder folder;
  const auto frames = series(3);
  for (std::size_t i = 0; i < frames.size(); ++i)
    write_text(folder / fmt::format("f_{}.molden", i), molden(frames[i], {0, 1, 0}, false));
  const std::string files = folder / "f_*.molden", out = folder / "x.cube";
  const auto fails = [&](std::vector<std::string> words, int code, const char* why) {
    words.insert(words.begin(), {"compute", "density"});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_CONTAINS(outcome.err, why);
  };
  fails({files, "--align", "all", "--out", out}, 2, "belongs to --average");
  fails({files, "--average", "--kind", "potential", "--out", out}, 2, "one number a point");
  fails({files, "--average", "--kind", "hessian", "--at", points_file(folder)}, 2, "one number a point");
  fails({files, "--average", "--minus", "0", "--out", out}, 2, "merge --minus");
  fails({folder / "f_0.molden", "--average", "--out", out}, 2, "several frames");
  fails({files, "--average", "--frames", "0:9", "--frame", "7", "--out", out}, 2, "frame");
  // One file with orbitals and a trajectory without: the same orbitals again and again are no average.
  write_text(folder / "t.xyz", "3\n\nH 0 0 0\nH 1 0 0\nH 0 1 0\n3\n\nH 0 0 0\nH 1.1 0 0\nH 0 1 0\n");
  const Outcome lone = run({"compute", "density", folder / "f_0.molden", folder / "t.xyz", "--average", "--out", out});
  EXPECT_NE(lone.code, 0) << lone.err;
}

}  // namespace
}  // namespace isolume::test
