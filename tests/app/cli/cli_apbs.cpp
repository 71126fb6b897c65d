// isolume compute energy and potential --apbs: input files of APBS, as processes.
#include <gtest/gtest.h>

#include <cmath>

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

TEST(ApbsCli, SolvesItsBlocksAndWritesTheirMaps) {
  const Folder folder;
  test::write_text(folder / "ion.pqr", pqr({{0, 0, 0, 1}}));
  const auto elec = [&](const char* name, const char* surroundings, const char* more) {
    return fmt::format(
        "elec name {}\n  mg-manual\n  dime 65 65 65\n  glen 24 24 24\n  gcent mol 1\n  mol 1\n  lpbe\n  bcfl mdh\n"
        "  pdie 2.0\n  {}\n  srfm smol\n  chgm spl2\n  sdens 10\n  srad 1.4\n  swin 0.3\n  temp 298.15\n"
        "  calcenergy total\n  calcforce no\n{}end\n",
        name, surroundings, more);
  };
  const std::string input =
      "# Born\nread\n  mol pqr ion.pqr\nend\n" +
      elec("solv", "sdie 78.54\n ion charge 1 conc 0.15 radius 2.0\n ion charge -1 conc 0.15 radius 2.0",
           ("  write pot dx " + (folder / "phi") + "\n").c_str()) +
      elec("ref", "sdie 2.0", "") + "print elecEnergy solv - ref end\nquit\n";
  test::write_text(folder / "born.in", input);
  const auto outcome =
      run({"compute", "energy", "--apbs", folder / "born.in", "--report", folder / "r.json", "--device", "cpu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const double kappa = 0.12728218167158462;
  const double exact = -0.5 * coulomb * ((1 / 2.0 - 1 / 78.54) / 1.5 + kappa / (78.54 * (1 + kappa * 3.5)));
  const auto report = test::read_json(folder / "r.json");
  const auto& print = report["result"]["print"][0];
  EXPECT_NEAR(print["kcal/mol"].get<double>(), exact, 0.005 * std::abs(exact));
  EXPECT_NEAR(print["kJ/mol"].get<double>(), 4.184 * print["kcal/mol"].get<double>(), 1e-9);
  EXPECT_TRUE(print["self_energies_cancel"].get<bool>());
  EXPECT_CONTAINS(outcome.out, "kJ/mol");
  EXPECT_CONTAINS(outcome.err, "chgm spl2: charges are not spread");
  // Of the grid's own nodes, and in kT/e.
  const Volume map = *read_file(folder / "phi.dx").volumes.at(0);
  EXPECT_EQ(map.grid.counts, glm::ivec3(65));
  const double bjerrum = units::coulomb_volt_angstrom / units::thermal_voltage(298.15);
  const double expected = bjerrum * std::exp(-kappa * 2.5) / (78.54 * 6 * (1 + kappa * 3.5));
  EXPECT_NEAR(static_cast<double>(interpolate(map, {6, 0, 0})), expected, 0.02 * expected);

  // Another dielectric: of a polynomial of degree 7 between R - swin and R + swin.
  std::string polynomial = input;
  for (std::size_t at = polynomial.find("smol"); at != std::string::npos; at = polynomial.find("smol"))
    polynomial.replace(at, 4, "spl4");
  test::write_text(folder / "spl4.in", polynomial);
  const auto spl4 =
      run({"compute", "energy", "--apbs", folder / "spl4.in", "--report", folder / "spl4.json", "--device", "cpu"});
  ASSERT_EQ(spl4.code, 0) << spl4.err;
  double radial = -(1 / 2.0 - 1 / 78.54) / 1.8 - kappa / (78.54 * (1 + kappa * 3.5));
  for (int i = 0; i < 10000; ++i) {
    const double t = (i + 0.5) / 10000, r = 1.2 + 0.6 * t;
    const double share = t * t * t * t * (35 + t * (-84 + t * (70 - 20 * t)));
    radial += (1 / (2 + 76.54 * share) - 1 / 2.0) / (r * r) * 0.6 / 10000;
  }
  radial *= coulomb / 2;
  EXPECT_NEAR(test::read_json(folder / "spl4.json")["result"]["print"][0]["kcal/mol"].get<double>(), radial,
              0.03 * std::abs(radial));

  // The maps alone, and no energies.
  std::string maps = input;
  const std::string asked = "write pot dx " + (folder / "phi");
  maps.replace(maps.find(asked), asked.size(),
               "write pot dx " + (folder / "again") + "\n write dielz dx " + (folder / "dielz") + "\n write ivdw dx " +
                   (folder / "ivdw") + "\n write qdens dx " + (folder / "qdens"));
  test::write_text(folder / "maps.in", maps);
  const auto written = run({"compute", "potential", "--apbs", folder / "maps.in", "--device", "cpu"});
  ASSERT_EQ(written.code, 0) << written.err;
  EXPECT_EQ(written.out, "");
  EXPECT_EQ(read_file(folder / "again.dx").volumes.at(0)->values, map.values);
  const Volume dielectric = *read_file(folder / "dielz.dx").volumes.at(0),
               ions = *read_file(folder / "ivdw.dx").volumes.at(0),
               charge = *read_file(folder / "qdens.dx").volumes.at(0);
  EXPECT_NEAR(dielectric.grid.origin.z - map.grid.origin.z, 24 / 64.0 / 2, 1e-4);
  EXPECT_NEAR(static_cast<double>(interpolate(dielectric, {0, 0, 0})), 2, 1e-4);
  EXPECT_NEAR(static_cast<double>(interpolate(dielectric, {0, 0, 8})), 78.54, 1e-3);
  EXPECT_EQ(interpolate(ions, {2.5, 0, 0}), 0);
  EXPECT_EQ(interpolate(ions, {6, 0, 0}), 1);
  EXPECT_NEAR(static_cast<double>(interpolate(charge, {6, 0, 0})), -0.3 * expected, 0.02 * 0.3 * expected);
  const auto none = run({"compute", "potential", "--apbs", folder / "maps.in", "--out", folder / "x.dx"});
  EXPECT_EQ(none.code, 2);
  EXPECT_CONTAINS(none.err, "FILE, --out, --at and grid options cannot be used with it");

  const auto refused = [&](const std::string& from, const std::string& to, const char* message) {
    std::string text = input;
    text.replace(text.find(from), from.size(), to);
    test::write_text(folder / "bad.in", text);
    const auto bad = run({"compute", "energy", "--apbs", folder / "bad.in"});
    EXPECT_NE(bad.code, 0);
    EXPECT_CONTAINS(bad.err, message);
  };
  refused("sdens 10", "sdense 10", "ELEC sdense: unknown");
  refused("srfm smol", "srfm spl5", "srfm spl5: expected mol, smol, spl2 or spl4");
  refused("mol 1\n  lpbe", "mol 2\n  lpbe", "there are 1 molecules");
  refused("solv - ref", "solv - other", "no ELEC block is named 'other'");
  refused("  bcfl mdh\n", "", "no bcfl");
  refused("dime 65 65 65", "dime 65 65 many", "'many' is not a number");
  refused("mol pqr ion.pqr", "mol pqr none.pqr", "none.pqr");
}

/// An input with one ELEC block; `more` are further lines of it.
std::string one_block(const std::string& more) {
  return "read\n mol pqr ion.pqr\nend\nelec name solv\n mg-auto\n dime 65 65 65\n cglen 48 48 48\n fglen 24 24 24\n"
         " cgcent mol 1\n fgcent mol 1\n mol 1\n lpbe\n bcfl sdh\n pdie 2.0\n sdie 78.54\n srfm mol\n chgm spl2\n"
         " sdens 10\n srad 1.4\n swin 0.3\n temp 298.15\n calcenergy total\n calcforce no\n" +
         more + "end\n";
}

TEST(ApbsCli, WritesAccessibilityToIonsChargesAndSplines) {
  const Folder folder;
  test::write_text(folder / "ion.pqr", pqr({{0, 0, 0, 1}}));
  const std::string ions = " ion charge 2 conc 0.05 radius 1.5\n ion charge -1 conc 0.1 radius 2.5\n";
  test::write_text(folder / "maps.in",
                   one_block(ions + " write kappa dx " + (folder / "kappa") + "\n write charge dx " +
                             (folder / "charge") + "\n write sspl dx " + (folder / "sspl") + "\n"));
  const auto outcome =
      run({"compute", "potential", "--apbs", folder / "maps.in", "--device", "cpu", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.err, "ion radius 1.5: as in APBS the largest, 2.5 A, is that of all ions");
  const Volume kappa = *read_file(folder / "kappa.dx").volumes.at(0),
               charge = *read_file(folder / "charge.dx").volumes.at(0),
               spline = *read_file(folder / "sspl.dx").volumes.at(0);
  // The ion's 1.5 angstrom and the larger radius of the electrolyte's are 4.
  EXPECT_EQ(interpolate(kappa, {3.375, 0, 0}), 0);
  EXPECT_EQ(interpolate(kappa, {4.5, 0, 0}), 1);
  // A charge on a node, spread by cubic splines: 8/27 of it there, over the cell.
  const double cell = std::pow(24 / 64.0, 3);
  EXPECT_NEAR(static_cast<double>(interpolate(charge, {0, 0, 0})), 8.0 / 27 / cell, 1e-4);
  double total = 0;
  for (const float value : charge.values) total += static_cast<double>(value) * cell;
  EXPECT_NEAR(total, 1, 1e-5);
  // 3/4 t^2 - 1/4 t^3 with t = (r - R + w) / w: at 1.5 angstrom, the middle, 1/2.
  EXPECT_EQ(interpolate(spline, {1.125, 0, 0}), 0);
  EXPECT_NEAR(static_cast<double>(interpolate(spline, {1.5, 0, 0})), 0.5, 1e-5);
  EXPECT_EQ(interpolate(spline, {1.875, 0, 0}), 1);
  EXPECT_EQ(test::read_json(folder / "r.json")["result"]["elec"][0]["written"].size(), 3u);

  const auto refused = [&](const std::string& more, const char* message) {
    test::write_text(folder / "bad.in", one_block(ions + " write pot dx " + (folder / "phi") + "\n" + more));
    const auto bad = run({"compute", "energy", "--apbs", folder / "bad.in"});
    EXPECT_NE(bad.code, 0);
    EXPECT_CONTAINS(bad.err, message);
    EXPECT_FALSE(std::filesystem::exists(folder / "phi.dx"));
  };
  refused(" write lap dx a\n", "write lap: not supported");
  refused(" write edens dx a\n", "write edens: not supported");
  refused(" write atompot flat a\n", "write atompot: not supported");
  refused(" write pots dx a\n", "write pots: expected pot, dielx");
  refused(" calcforce total\n", "calcforce total: forces are not computed");
  refused(" chgm spl3\n", "chgm spl3: expected spl0, spl2 or spl4");
  refused("end\nprint elecForce solv end\nelec name b\n", "print elecForce: forces are not computed");
}

TEST(ApbsCli, ComputesApolarEnergiesByAreaAndVolume) {
  const Folder folder;
  test::write_text(folder / "ion.pqr", pqr({{0, 0, 0, 1}}));
  const std::string read = "read\n mol pqr ion.pqr\nend\n";
  const auto apolar = [](const char* name, double gamma, double pressure, double probe, const char* more = "") {
    return fmt::format(
        "apolar name {}\n mol 1\n bconc 0.0\n press {}\n gamma {}\n grid 0.2 0.25 0.3\n srfm sacc\n srad {}\n"
        " swin 0.3\n sdens 100\n dpos 0.2\n temp 300\n calcenergy total\n calcforce no\n{}end\n",
        name, pressure, gamma, probe, more);
  };
  test::write_text(folder / "apolar.in", read + apolar("one", 0.03, 0.2, 1.4) + apolar("two", 0.03, 0, 0.5) +
                                             "print apolEnergy one - two end\nquit\n");
  const auto outcome = run({"compute", "energy", "--apbs", folder / "apolar.in", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto report = test::read_json(folder / "r.json");
  const auto& blocks = report["result"]["apolar"];
  const double area = 4 * units::pi * 2.9 * 2.9, volume = area * 2.9 / 3, other = 4 * units::pi * 2.0 * 2.0;
  EXPECT_NEAR(blocks[0]["area"].get<double>(), area, 1e-3 * area);
  EXPECT_NEAR(blocks[0]["volume"].get<double>(), volume, 3e-3 * volume);
  EXPECT_NEAR(blocks[0]["kJ/mol"].get<double>(), 0.03 * area + 0.2 * volume, 3e-3 * (0.03 * area + 0.2 * volume));
  EXPECT_NEAR(blocks[1]["area"].get<double>(), other, 1e-3 * other);
  EXPECT_TRUE(blocks[1]["volume"].is_null());
  const auto& print = report["result"]["print"][0];
  EXPECT_EQ(print["kind"], "apolEnergy");
  EXPECT_NEAR(print["kJ/mol"].get<double>(), blocks[0]["kJ/mol"].get<double>() - blocks[1]["kJ/mol"].get<double>(),
              1e-9);
  EXPECT_CONTAINS(outcome.out, "apolEnergy one - two: ");
  const auto refused = [&](const std::string& text, const char* message) {
    test::write_text(folder / "bad.in", read + text);
    const auto bad = run({"compute", "energy", "--apbs", folder / "bad.in"});
    EXPECT_NE(bad.code, 0);
    EXPECT_CONTAINS(bad.err, message);
  };
  refused(apolar("one", 0.03, 0.2, 1.4, " bconc 0.033\n"), "bconc 0.033: the integral over the solvent's");
  refused(apolar("one", 0.03, 0.2, 1.4, " srfm spl2\n"), "srfm spl2: expected sacc");
  refused(apolar("one", 0.03, 0.2, 1.4, " mol 2\n"), "mol 2: there are 1 molecules");
  refused(apolar("one", 0.03, 0.2, 1.4, " gama 1\n"), "APOLAR gama: unknown");
  refused(apolar("one", 0.03, 0.2, 1.4) + "print apolEnergy none end\n", "no APOLAR block is named 'none'");
  refused("apolar name a\n mol 1\n gamma 1\nend\n", "APOLAR a: no press");
  refused("quit\n", "no ELEC and no APOLAR block");
}

}  // namespace
}  // namespace isolume
