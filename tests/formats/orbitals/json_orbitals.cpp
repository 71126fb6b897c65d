// QCSchema, Chemical JSON and ORCA's JSON: orbitals written from a Molden file by the schemas' rules, and files of
// other programs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "formats/orbitals/cjson.h"
#include "formats/orbitals/orca_json.h"
#include "formats/orbitals/qcschema.h"
#include "formats/read.h"
#include "tests/formats/structures/structures.h"
#include "tests/support/bytes_of.h"
#include "tests/support/damage.h"

namespace isolume {
namespace {

using test::bytes_of;

using test::read_text;
using test::shared_data;

struct Writing {
  bool functions_first = true;  ///< rows of the matrix are functions
  bool p_by_m = true;           ///< p functions of spherical bases as y z x
  bool texts = false;           ///< numbers of the basis in quotes, as the basis set exchange writes them
};

/// A QCSchema result of a molecule with orbitals, by the rules of the schema: lexical order of Cartesian functions, m
/// from -l to l for spherical ones.
std::string qcschema_of(const Molecule& molecule, const Writing& writing) {
  const Orbitals& orbitals = *molecule.orbitals_at(0);
  const Basis& basis = *orbitals.basis;
  std::string symbols, geometry, map, data;
  const auto comma = [](std::string& text) { text += text.empty() ? "" : ", "; };
  bool spherical = false;
  for (const Shell& shell : basis.shells) spherical = spherical || shell.spherical;
  const auto number = [&](double value) {
    return writing.texts ? fmt::format("\"{}\"", value) : fmt::format("{}", value);
  };
  for (std::size_t i = 0; i < molecule.atom_count(); ++i) {
    comma(symbols);
    symbols += '"' + molecule.topology->atoms[i].name + '"';
    for (int k = 0; k < 3; ++k) {
      comma(geometry);
      geometry += fmt::format("{}", orbitals.centres[i][k]);
    }
    comma(map);
    map += fmt::format("\"centre_{}\"", i);
    std::string shells;
    for (const Shell& shell : basis.shells) {
      if (shell.centre != i) continue;
      comma(shells);
      std::string exponents, coefficients;
      for (std::size_t k = 0; k < shell.exponents.size(); ++k) {
        comma(exponents);
        exponents += number(shell.exponents[k]);
        comma(coefficients);
        coefficients += number(shell.coefficients[k]);
      }
      shells += fmt::format(
          R"({{"harmonic_type": "{}", "angular_momentum": [{}], "exponents": [{}], "coefficients": [[{}]]}})",
          spherical ? "spherical" : "cartesian", shell.l, exponents, coefficients);
    }
    comma(data);
    data += fmt::format(R"("centre_{}": {{"electron_shells": [{}]}})", i, shells);
  }
  // Places of our functions in the order of the schema: they differ for p of spherical bases alone.
  std::vector<std::size_t> order;
  for (const Shell& shell : basis.shells) {
    const std::size_t first = order.size();
    for (std::size_t n = 0; n < shell.function_count(); ++n) {
      const bool turned = spherical && writing.p_by_m && shell.l == 1;
      order.push_back(first + (turned ? (n + 1) % 3 : n));
    }
  }
  std::string matrix, energies, occupations;
  const std::size_t functions = order.size(), count = orbitals.count();
  for (std::size_t i = 0; i < functions * count; ++i) {
    const std::size_t orbital = writing.functions_first ? i % count : i / functions;
    const std::size_t function = writing.functions_first ? i / count : i % functions;
    comma(matrix);
    matrix += fmt::format("{}", orbitals.row(orbital)[order[function]]);
  }
  for (const Orbital& orbital : orbitals.orbitals) {
    comma(energies);
    energies += fmt::format("{}", orbital.energy);
    comma(occupations);
    occupations += fmt::format("{}", orbital.occupation / 2);
  }
  return fmt::format(
      R"({{"schema_name": "qcschema_output", "schema_version": 1, "driver": "energy",
 "molecule": {{"schema_name": "qcschema_molecule", "symbols": [{}], "geometry": [{}]}},
 "model": {{"method": "scf", "basis": "test"}}, "properties": {{}},
 "wavefunction": {{"restricted": true,
  "basis": {{"name": "test", "center_data": {{{}}}, "atom_map": [{}]}},
  "scf_orbitals_a": [{}], "scf_eigenvalues_a": [{}], "scf_occupations_a": [{}],
  "orbitals_a": "scf_orbitals_a", "eigenvalues_a": "scf_eigenvalues_a", "occupations_a": "scf_occupations_a"}}}})",
      symbols, geometry, data, map, matrix, energies, occupations);
}

void expect_same(const Orbitals& a, const Orbitals& b) {
  ASSERT_EQ(a.count(), b.count());
  ASSERT_EQ(a.coefficients.size(), b.coefficients.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.coefficients.size(); ++i) {
    worst = std::max(worst, std::abs(a.coefficients[i] - b.coefficients[i]));
  }
  EXPECT_LT(worst, 1e-10);
  for (std::size_t i = 0; i < a.count(); ++i) {
    EXPECT_EQ(a.orbitals[i].energy, b.orbitals[i].energy);
    EXPECT_EQ(a.orbitals[i].occupation, b.orbitals[i].occupation);
  }
}

class QcSchema : public testing::TestWithParam<const char*> {};

TEST_P(QcSchema, gives_the_orbitals_however_its_matrix_runs) {
  const std::string file = shared_data(std::string("qm-computed/") + GetParam());
  ISOLUME_NEEDS(file);
  const Molecule reference = read_file(file);
  for (const Writing& writing :
       {Writing{}, Writing{false, true, false}, Writing{true, false, true}, Writing{false, false, false}}) {
    const Molecule molecule = read_text(qcschema_of(reference, writing), "result.json");
    EXPECT_EQ(molecule.format, "QCSchema");
    ASSERT_TRUE(molecule.orbitals_at(0));
    EXPECT_LT(molecule.orbitals_at(0)->norm_residual, 1e-6);
    EXPECT_TRUE(molecule.warnings.empty()) << molecule.warnings[0];
    expect_same(*molecule.orbitals_at(0), *reference.orbitals_at(0));
  }
}

INSTANTIATE_TEST_SUITE_P(files, QcSchema, testing::Values("H2O-631Gd-cart.molden", "H2O-VQZ-sph.molden"),
                         [](const auto& info) { return info.index == 0 ? "cartesian" : "spherical"; });

TEST(QcSchema, opens_results_without_wave_function) {
  const std::string file = shared_data("qm/json/H2O_CCSDprTpr_STO3G_output.json");
  ISOLUME_NEEDS(file);
  const Molecule molecule = read_file(file);
  EXPECT_EQ(molecule.title, "CCSD(T)/sto-3g");
  EXPECT_EQ(molecule.atom_count(), 3u);
  EXPECT_EQ(molecule.topology->bonds, (std::vector<Bond>{{0, 1, 1}, {0, 2, 1}}));
  EXPECT_NEAR(molecule.trajectory->frame(0).precise_positions[1].y, -1.49418734 * 0.529177210903, 1e-9);
  ASSERT_FALSE(molecule.warnings.empty());
  EXPECT_NE(molecule.warnings[0].find("no wave function"), std::string::npos);
}

TEST(QcSchema, says_what_is_missing_or_wrong) {
  const std::string start = R"({"schema_name": "qcschema_output", "molecule": )";
  test::expect_error(start + "{}}", "a.json", 0, "no \"symbols\"");
  test::expect_error(start + R"({"symbols": ["H"], "geometry": [0, 0]}})", "a.json", 0, "1 symbols and 2 coordinates");
  test::expect_error(start + R"({"symbols": ["H"], "geometry": [0, "x", 0]}})", "a.json", 0, "expected a number");
  test::expect_error(start, "a.json", 0, "not JSON");
  const std::string molecule = start + R"({"symbols": ["H"], "geometry": [0, 0, 0]}, "wavefunction": )";
  test::expect_error(molecule + "{\"restricted\": true}}", "a.json", 0, "no \"basis\"");
  test::expect_error(molecule + R"({"basis": {"center_data": {}, "atom_map": ["h"]}}})", "a.json", 0, "no \"h\"");
  std::string deep = start;
  for (int i = 0; i < 100; ++i) deep += '[';
  test::expect_error(deep, "a.json", 0, "nested deeper");
}

TEST(QcSchema, survives_damage) {
  ISOLUME_NEEDS(shared_data("qm-computed/H2O-631Gd-cart.molden"));
  const Molecule reference = read_file(shared_data("qm-computed/H2O-631Gd-cart.molden"));
  EXPECT_GE(test::survives_damage(qcschema_format, qcschema_of(reference, {}), 199, 300), 20);
}

TEST(ChemicalJson, gives_bonds_frames_orbitals_and_volume) {
  const std::string file = shared_data("qm/cjson/formaldehyde.cjson");
  ISOLUME_NEEDS(file);
  const Molecule molecule = read_file(file);
  EXPECT_EQ(molecule.format, "Chemical JSON");
  EXPECT_EQ(molecule.topology->bonds, (std::vector<Bond>{{0, 1, 2}, {0, 2, 1}, {0, 3, 1}}));
  EXPECT_TRUE(molecule.topology->has_charges);
  EXPECT_NEAR(molecule.topology->atoms[1].charge, -0.201292, 1e-6);
  ASSERT_EQ(molecule.volumes.size(), 1u);
  EXPECT_EQ(molecule.volumes[0]->grid.counts, glm::ivec3(33, 33, 28));
  std::size_t with = 0;
  for (const auto& orbitals : molecule.orbitals) {
    if (!orbitals) continue;
    ++with;
    EXPECT_EQ(orbitals->count(), 38u);
    EXPECT_EQ(orbitals->electron_count(), 16);
    EXPECT_NEAR(orbitals->orbitals[*orbitals->homo()].energy, -7.282042754000001 / 27.211386245988, 1e-9);
    EXPECT_LT(orbitals->norm_residual, 1e-4);  // six decimals
  }
  EXPECT_EQ(with, 1u);
}

TEST(ChemicalJson, opens_structures_and_says_what_is_wrong) {
  const Molecule molecule = read_text(
      R"({"chemicalJson": 1, "atoms": {"coords": {"3d": [0, 0, 0, 0, 0, 1.09]}, "elements": {"number": [6, 1]}}})",
      "ch.cjson");
  EXPECT_EQ(molecule.atom_count(), 2u);
  EXPECT_FALSE(molecule.topology->has_bonds);
  EXPECT_EQ(molecule.topology->bonds.size(), 1u);
  test::expect_error(R"({"chemicalJson": 1, "atoms": {"coords": {"3d": [0]}, "elements": {"number": [1]}}})", "a.cjson",
                     0, "1 numbers for 1 atoms");
  test::expect_error(R"({"chemicalJson": 1})", "a.cjson", 0, "no \"atoms\"");
}

TEST(ChemicalJson, survives_damage) {
  ISOLUME_NEEDS(shared_data("qm/cjson/ferrocene.cjson"));
  EXPECT_GE(test::survives_damage(cjson_format, bytes_of(shared_data("qm/cjson/ferrocene.cjson")), 97, 300), 20);
}

/// An orbital at a point (bohr): real solid harmonics by their definition, times primitives of norm 1.
double spherical_value(const Orbitals& orbitals, std::size_t orbital, glm::dvec3 point) {
  double sum = 0;
  std::size_t function = 0;
  for (const Shell& shell : orbitals.basis->shells) {
    const glm::dvec3 d = point - orbitals.centres[shell.centre];
    const double x = d.x, y = d.y, z = d.z, r3 = std::sqrt(3.0), a = std::sqrt(0.375), b = std::sqrt(0.625);
    const double r15 = std::sqrt(15.0);
    const std::vector<double> of_l[] = {
        {1},
        {x, y, z},
        {r3 * x * y, r3 * y * z, z * z - 0.5 * (x * x + y * y), r3 * x * z, r3 / 2 * (x * x - y * y)},
        {b * (3 * x * x * y - y * y * y), r15 * x * y * z, a * y * (4 * z * z - x * x - y * y),
         z * (z * z - 1.5 * (x * x + y * y)), a * x * (4 * z * z - x * x - y * y), r15 / 2 * z * (x * x - y * y),
         b * (x * x * x - 3 * x * y * y)}};
    double radial = 0;
    for (std::size_t k = 0; k < shell.exponents.size(); ++k) {
      const double e = shell.exponents[k];
      double odd = 1;
      for (int n = 2 * shell.l - 1; n > 1; n -= 2) odd *= n;
      radial += shell.coefficients[k] * std::pow(2 * e / M_PI, 0.75) * std::pow(4 * e, shell.l / 2.0) / std::sqrt(odd) *
                std::exp(-e * glm::dot(d, d));
    }
    for (const double part : of_l[shell.l]) sum += orbitals.row(orbital)[function++] * part * radial;
  }
  return sum;
}

// Values that make_files.py computed from its own functions, in ORCA's order and signs.
TEST(OrcaJson, has_the_orbitals_that_were_written) {
  const Molecule molecule = read_file(test::data("orbitals/made_up_orca.json"));
  EXPECT_EQ(molecule.format, "ORCA JSON");
  EXPECT_TRUE(molecule.warnings.empty());
  const auto& orbitals = molecule.orbitals.at(0);
  ASSERT_TRUE(orbitals);
  ASSERT_EQ(orbitals->count(), 19u);
  EXPECT_EQ(orbitals->electron_count(), 10);
  EXPECT_EQ(orbitals->nuclear_charges, (std::vector<double>{8, 1, 1}));
  EXPECT_NEAR(orbitals->orbitals[3].energy, -14, 1e-12);
  EXPECT_LT(orbitals->norm_residual, 1e-10);
  std::ifstream file(test::data("orbitals/values_orca.csv"));
  std::size_t points = 0;
  for (std::string line; std::getline(file, line); ++points) {
    std::istringstream fields(line);
    std::vector<double> numbers;
    for (std::string field; std::getline(fields, field, ',');) numbers.push_back(std::stod(field));
    ASSERT_EQ(numbers.size(), 22u);
    for (std::size_t i = 0; i < 19; ++i) {
      EXPECT_NEAR(spherical_value(*orbitals, i, {numbers[0], numbers[1], numbers[2]}), numbers[3 + i], 1e-9)
          << "orbital " << i << ", line " << points;
    }
  }
  EXPECT_EQ(points, 6u);
}

/// The file, changed by `change`.
template <class Change>
std::string orca_text(const Change& change) {
  std::ifstream file(test::data("orbitals/made_up_orca.json"));
  nlohmann::json json = nlohmann::json::parse(file);
  change(json["Molecule"]);
  return json.dump();
}

TEST(OrcaJson, has_two_spins_older_names_bohr_and_cores) {
  const std::string text = orca_text([](nlohmann::json& molecule) {
    molecule["HFTyp"] = "UHF";
    molecule["CoordinateUnits"] = "Bohrs";
    for (auto& atom : molecule["Atoms"]) {
      for (auto& x : atom["Coords"]) x = x.get<double>() / 0.529177210903;
      atom["BasisFunctions"] = atom["Basis"];
      atom.erase("Basis");
    }
    molecule["Atoms"][0]["NuclearCharge"] = 6;
    auto& list = molecule["MolecularOrbitals"]["MOs"];
    for (auto& orbital : list) orbital["Occupancy"] = orbital["Occupancy"].get<double>() > 0 ? 1 : 0;
    const auto alpha = list;
    for (const auto& orbital : alpha) list.push_back(orbital);
    list[4]["Occupancy"] = 0;
    list[23]["Occupancy"] = 0;
  });
  const Molecule molecule = read_text(text, "o.json");
  const auto& orbitals = molecule.orbitals.at(0);
  ASSERT_TRUE(orbitals);
  EXPECT_EQ(orbitals->count(), 38u);
  EXPECT_TRUE(orbitals->unrestricted);
  EXPECT_EQ(orbitals->electron_count(), 8);
  EXPECT_EQ(orbitals->nuclear_charges[0], 6);
  EXPECT_LT(orbitals->norm_residual, 1e-10);
  EXPECT_NEAR(orbitals->centres[1].x, 1.55, 1e-9);
}

TEST(OrcaJson, says_what_is_missing_or_wrong) {
  const auto warned = [](const std::string& text, const std::string& part) {
    const Molecule molecule = read_text(text, "o.json");
    ASSERT_FALSE(molecule.warnings.empty()) << part;
    EXPECT_NE(molecule.warnings.back().find(part), std::string::npos) << molecule.warnings.back();
  };
  warned(orca_text([](auto& m) { m.erase("MolecularOrbitals"); }), "MOCoefficients");
  warned(orca_text([](auto& m) {
           for (auto& atom : m["Atoms"]) atom.erase("Basis");
         }),
         "has no basis");
  warned(orca_text([](auto& m) { m["TD-DFT"] = nlohmann::json::array({{{"iroot", 1}}}); }), "from the output of ORCA");
  const auto wrong = [](const auto& change, const std::string& part) {
    test::expect_error(orca_text(change), "o.json", 0, part);
  };
  wrong([](auto& m) { m["CoordinateUnits"] = "miles"; }, "Angs and Bohrs");
  wrong([](auto& m) { m["Atoms"][0]["Basis"][0]["Shell"] = "sp"; }, "s to i");
  wrong([](auto& m) { m["Atoms"][0]["Basis"][0]["Exponents"] = {1.0}; }, "1 exponents and 3 coefficients");
  wrong([](auto& m) { m["MolecularOrbitals"]["MOs"][2]["MOCoefficients"] = {1.0}; }, "1 coefficients for 19 functions");
  wrong([](auto& m) { m["Atoms"] = nlohmann::json::array(); }, "no atoms");
  wrong([](auto& m) { m["MolecularOrbitals"]["EnergyUnit"] = "eV"; }, "Eh");
  test::expect_error(R"({"ORCA Header": {"Version": "6.1.0"}})", "o.json", 0, "orca_2json NAME.gbw");
}

TEST(OrcaJson, survives_damage) {
  EXPECT_GE(test::survives_damage(orca_json_format, bytes_of(test::data("orbitals/made_up_orca.json")), 97, 300), 20);
}

}  // namespace
}  // namespace isolume
