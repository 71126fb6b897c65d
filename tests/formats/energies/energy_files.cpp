// Energies of runs: GROMACS, AMBER and NAMD. The files of tests/data/energies are written from formulas, which are
// those of the expected values; pyedr 0.8 reads the same from the GROMACS ones.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>

#include "formats/energies/read_energies.h"
#include "molecule/base/error.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

std::string bytes_of(const std::string& name) {
  std::ifstream file(test::data("energies/" + name), std::ios::binary);
  return {(std::istreambuf_iterator<char>(file)), {}};
}

EnergySeries read_bytes(std::string bytes, const ReadLimits& limits = {}) {
  return read_energies(*ByteSource::from_bytes(std::move(bytes), "test", limits));
}

class Edr : public testing::TestWithParam<const char*> {};

TEST_P(Edr, HasTheValuesOfTheFormula) {
  const EnergySeries series = read_bytes(bytes_of(GetParam()));
  const bool first = std::string(GetParam()).starts_with("version1");
  const bool twice = std::string(GetParam()).find("double") != std::string::npos;
  EXPECT_EQ(series.program, "GROMACS");
  EXPECT_TRUE(series.warnings.empty());
  ASSERT_EQ(series.rows(), 11u);
  // Ten terms, so that step 10 is their number too: nothing but the frame before tells the precision.
  ASSERT_EQ(series.terms.size(), std::string(GetParam()) == "version1_double.edr" ? 10u : 3u);
  EXPECT_EQ(series.terms[1].unit, first ? "kJ/mol" : "K");  // version 1 has no units
  const double part = twice ? 1e-15 : 6e-8;
  for (std::size_t r = 0; r < 11; ++r) {
    const auto row = static_cast<double>(r);
    EXPECT_EQ(series.steps[r], static_cast<std::int64_t>(10 * r));
    EXPECT_NEAR(series.times[r], 0.02 * row, first && !twice ? 2e-8 : 1e-15);
    EXPECT_NEAR(find_term(series, "potential").values[r], -1000 - 4.184 * row, 1100 * part);
    EXPECT_EQ(find_term(series, "Temperature").values[r], 300 + row / 4);
    EXPECT_EQ(find_term(series, "Pressure").values[r], 1 - row / 2);
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, Edr,
                         testing::Values("version1.edr", "version1_double.edr", "version3_double.edr", "version5.edr",
                                         "version5_double.edr"));

TEST(EnergyFiles, KilojoulesBecomeKilocalories) {
  EnergySeries series = read_bytes(bytes_of("version5_double.edr"));
  convert_energies(series, "kcal/mol");
  EXPECT_EQ(series.terms[0].unit, "kcal/mol");
  EXPECT_EQ(series.terms[1].unit, "K");
  for (std::size_t r = 0; r < 11; ++r)
    EXPECT_NEAR(series.terms[0].values[r], -1000 / 4.184 - static_cast<double>(r), 1e-12);
  EXPECT_EQ(series.terms[1].values[4], 301);
}

TEST(EnergyFiles, ACutFrameIsAWarning) {
  const std::string whole = bytes_of("version5.edr");
  const EnergySeries cut = read_bytes(whole.substr(0, whole.size() - 10));
  EXPECT_EQ(cut.rows(), 10u);
  ASSERT_EQ(cut.warnings.size(), 1u);
  EXPECT_NE(cut.warnings[0].find("the 10 before it are read"), std::string::npos);
  EXPECT_THROW(read_bytes(whole.substr(0, 100)), Error);
}

TEST(EnergyFiles, DynamicsOfAmberWithoutAverages) {
  const EnergySeries series = read_bytes(bytes_of("dynamics.mdout"));
  EXPECT_EQ(series.program, "AMBER");
  ASSERT_EQ(series.rows(), 6u);
  for (std::size_t r = 0; r < 6; ++r) {
    const auto row = static_cast<double>(r);
    EXPECT_EQ(series.steps[r], static_cast<std::int64_t>(10 * r));
    EXPECT_NEAR(series.times[r], 1 + 0.02 * row, 1e-12);
    EXPECT_EQ(find_term(series, "Etot").values[r], -100 - row);
    EXPECT_EQ(find_term(series, "EPtot").values[r], -150 - row);
    EXPECT_EQ(find_term(series, "1-4 EEL").values[r], -4);
    EXPECT_EQ(find_term(series, "VOLUME").values[r], 8000 + row);
    EXPECT_TRUE(std::isnan(find_term(series, "DIHED").values[r]));  // stars
  }
  EXPECT_EQ(find_term(series, "TEMP(K)").unit, "K");
  EXPECT_EQ(find_term(series, "Density").unit, "g/cm^3");
}

TEST(EnergyFiles, MinimisationOfAmberHasNoTime) {
  const EnergySeries series = read_bytes(bytes_of("minimisation.mdout"));
  EXPECT_EQ(series.steps, (std::vector<std::int64_t>{1, 50, 100, 150}));
  EXPECT_TRUE(series.times.empty());
  for (std::size_t r = 0; r < 4; ++r) {
    EXPECT_EQ(find_term(series, "ENERGY").values[r], -1000 - 10 * static_cast<double>(r));
    EXPECT_EQ(find_term(series, "BOND").values[r], 4 - static_cast<double>(r));  // not the 99 of the final results
  }
  EXPECT_EQ(find_term(series, "RMS").unit, "kcal/(mol angstrom)");
}

TEST(EnergyFiles, NamdGainsTermsAndSkipsBrokenLines) {
  const EnergySeries series = read_bytes(bytes_of("dynamics_namd.log"));
  EXPECT_EQ(series.program, "NAMD");
  ASSERT_EQ(series.rows(), 6u);  // step 50 is there twice
  for (std::size_t r = 0; r < 6; ++r) {
    EXPECT_NEAR(series.times[r], 0.02 * static_cast<double>(r), 1e-15);
    EXPECT_EQ(find_term(series, "TOTAL").values[r], -500 - static_cast<double>(r) / 4);
    EXPECT_EQ(find_term(series, "TEMP").values[r], 300 + static_cast<double>(r));
  }
  EXPECT_EQ(series.warnings.size(), 2u);
  const EnergySeries early = read_bytes("ETITLE: TS TOTAL\nENERGY: 0 5\nETITLE: TS TOTAL PRESSURE\nENERGY: 1 6 7\n");
  EXPECT_TRUE(early.times.empty());
  EXPECT_TRUE(std::isnan(find_term(early, "PRESSURE").values[0]));
  EXPECT_EQ(find_term(early, "PRESSURE").values[1], 7);
}

TEST(EnergyFiles, LaterPartsReplaceWhatTheyOverlap) {
  const EnergySeries whole = read_bytes(bytes_of("version5.edr"));
  EnergySeries second = whole;
  for (std::size_t r = 0; r < 11; ++r) {
    second.times[r] += 0.1;  // five rows
    second.steps[r] += 50;
    second.terms[0].values[r] = 7;
  }
  const EnergySeries all = joined_energies({whole, second});
  ASSERT_EQ(all.rows(), 16u);
  EXPECT_NE(all.terms[0].values[4], 7);
  EXPECT_EQ(all.terms[0].values[5], 7);
  EXPECT_TRUE(std::is_sorted(all.steps.begin(), all.steps.end()));
  EXPECT_THROW(joined_energies({whole, read_bytes(bytes_of("dynamics.mdout"))}), Error);
  EXPECT_THROW(joined_energies({}), Error);
  EXPECT_THROW(find_term(whole, "Enthalpy"), Error);
}

TEST(EnergyFiles, DamageIsReadOrRefused) {
  std::mt19937 random(20240612);
  for (const char* name : {"version1.edr", "version3_double.edr", "version5.edr", "dynamics.mdout",
                           "minimisation.mdout", "dynamics_namd.log"}) {
    const std::string whole = bytes_of(name);
    int read = 0;
    for (std::size_t i = 0; i < 2000 + whole.size(); ++i) {
      std::string bytes = i < whole.size() ? whole.substr(0, i) : whole;
      if (i >= whole.size()) bytes[random() % bytes.size()] = static_cast<char>(random() % 2 ? random() : 0xff);
      try {
        const EnergySeries series = read_bytes(std::move(bytes));
        ASSERT_EQ(series.times.empty() ? series.rows() : series.times.size(), series.rows());
        for (const EnergyTerm& term : series.terms) ASSERT_EQ(term.values.size(), series.rows());
        ASSERT_TRUE(std::is_sorted(series.times.begin(), series.times.end()));
        ++read;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::input) << error.what();
      }
    }
    EXPECT_GT(read, 500) << name;
  }
}

TEST(EnergyFiles, TermsTimesRowsAreLimited) {
  std::string text = "ETITLE: TS";
  for (int i = 0; i < 1000; ++i) text += " T" + std::to_string(i);
  text += "\nENERGY: 0";
  for (int i = 0; i < 1000; ++i) text += " 1";
  text += "\nETITLE: TS TOTAL\n";
  for (int i = 1; i < 3000; ++i) text += "ENERGY: " + std::to_string(i) + " 1\n";
  ReadLimits limits;
  limits.bytes_out = 1'000'000;
  const EnergySeries series = read_bytes(text, limits);
  EXPECT_LT(series.rows() * series.terms.size() * sizeof(double), 1'000'000u);
  EXPECT_EQ(series.warnings.size(), 1u);
  EXPECT_THROW(read_bytes("no energies\n"), Error);
}

}  // namespace
}  // namespace isolume
