// JSON files that ORCA's orca_2json writes of a .gbw file: geometry, basis and orbitals.
#include "formats/orbitals/orca_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "formats/bytes/text.h"
#include "formats/orbitals/json_document.h"
#include "formats/orbitals/molden_order.h"
#include "formats/orbitals/quantum_molecule.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

using Json = nlohmann::json;

constexpr std::string_view letters = "spdfghi";

/// Where ORCA has function n of a shell in the order of Molden, and its sign there.
struct OrcaFunction {
  std::uint32_t place = 0;
  double sign = 1;
};
std::vector<OrcaFunction> orca_functions(const std::vector<FileShell>& shells) {
  static constexpr std::uint32_t of_p[] = {2, 0, 1};  // z, x, y
  std::vector<OrcaFunction> functions;
  for (const FileShell& shell : shells) {
    const auto first = static_cast<std::uint32_t>(functions.size());
    for (int n = 0; n < 2 * shell.l + 1; ++n) {
      const int m = std::abs(molden_m(shell.l, n));
      functions.push_back({first + (shell.l == 1 ? of_p[n] : static_cast<std::uint32_t>(n)),
                           shell.l > 2 && (m == 3 || m == 4) ? -1.0 : 1.0});
    }
  }
  return functions;
}

class Reader {
 public:
  explicit Reader(std::shared_ptr<const ByteSource> source) : source_(std::move(source)), file_(*source_) {}
  Molecule read();

 private:
  void atom(const Json& atom, double unit);
  void shell(const Json& shell, std::uint32_t centre);
  void spins(const Json& list, std::string_view type);

  std::shared_ptr<const ByteSource> source_;
  JsonFile file_;
  Molecule molecule_;
  std::vector<QuantumAtom> atoms_;
  FileOrbitals orbitals_;
};

void Reader::atom(const Json& atom, double unit) {
  const std::vector<double> place = file_.numbers(file_.need(atom, "Coords"), "Molecule.Atoms.Coords");
  if (place.size() != 3) file_.fail(fmt::format("Molecule.Atoms.Coords: {} numbers, expected 3", place.size()));
  const glm::dvec3 position = unit * glm::dvec3(place[0], place[1], place[2]);
  if (!(glm::length(position) < 1e6)) file_.fail("an atom is farther than a million bohr from the origin");
  const std::int64_t element =
      file_.integer(file_.need(atom, "ElementNumber"), "Molecule.Atoms.ElementNumber", 0, 1000);
  const Json* charge = JsonFile::find(atom, "NuclearCharge");
  const double nucleus =
      charge == nullptr ? static_cast<double>(element) : file_.number(*charge, "Molecule.Atoms.NuclearCharge");
  if (!(std::abs(nucleus) < 1000)) file_.fail("Molecule.Atoms.NuclearCharge: no charge of a nucleus");
  // A ghost has functions and no charge.
  atoms_.push_back(quantum_atom(nucleus == 0 ? 0 : element));
  orbitals_.nuclear_charges.push_back(nucleus);
  orbitals_.centres.push_back(position);
  const Json* basis = JsonFile::find(atom, "Basis");
  if (basis == nullptr) basis = JsonFile::find(atom, "BasisFunctions");
  if (basis == nullptr) return;
  if (!basis->is_array()) file_.fail("Molecule.Atoms.Basis: expected a list of shells");
  for (const Json& one : *basis) shell(one, static_cast<std::uint32_t>(atoms_.size() - 1));
}

void Reader::shell(const Json& json, std::uint32_t centre) {
  const std::string name = file_.text(file_.need(json, "Shell"), "Molecule.Atoms.Basis.Shell");
  const std::size_t l = name.size() == 1 ? letters.find(static_cast<char>(name[0] | 0x20)) : std::string_view::npos;
  if (l == std::string_view::npos)
    file_.fail(fmt::format("a shell of the type \"{}\"; there are s to i", clean(name, 8)));
  FileShell shell;
  shell.centre = centre;
  shell.l = static_cast<int>(l);
  shell.spherical = true;
  shell.exponents = file_.numbers(file_.need(json, "Exponents"), "Molecule.Atoms.Basis.Exponents");
  shell.coefficients = file_.numbers(file_.need(json, "Coefficients"), "Molecule.Atoms.Basis.Coefficients");
  if (shell.exponents.empty() || shell.exponents.size() != shell.coefficients.size()) {
    file_.fail(
        fmt::format("a shell has {} exponents and {} coefficients", shell.exponents.size(), shell.coefficients.size()));
  }
  for (const double exponent : shell.exponents) {
    if (!(exponent > 1e-100 && exponent < 1e100)) file_.fail("an exponent must be positive");
  }
  orbitals_.shells.push_back(std::move(shell));
}

/// Alpha before beta; where each has as many as there are functions, a list of both is twice as long.
void Reader::spins(const Json& list, std::string_view type) {
  const std::vector<OrcaFunction> functions = orca_functions(orbitals_.shells);
  const bool two = type.starts_with("U") || list.size() > functions.size();
  if (two && list.size() % 2 != 0) {
    file_.fail(fmt::format("Molecule.MolecularOrbitals.MOs: {} orbitals of two spins", list.size()));
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::vector<double> values =
        file_.numbers(file_.need(list[i], "MOCoefficients"), "Molecule.MolecularOrbitals.MOs.MOCoefficients");
    if (values.size() != functions.size()) {
      file_.fail(fmt::format("orbital {} has {} coefficients for {} functions", i, values.size(), functions.size()));
    }
    Orbital orbital;
    orbital.spin = two && i >= list.size() / 2 ? Spin::beta : Spin::alpha;
    if (const Json* n = JsonFile::find(list[i], "Occupancy")) orbital.occupation = file_.number(*n, "Occupancy");
    if (const Json* e = JsonFile::find(list[i], "OrbitalEnergy")) orbital.energy = file_.number(*e, "OrbitalEnergy");
    if (const Json* s = JsonFile::find(list[i], "OrbitalSymmetry"); s != nullptr && s->is_string())
      orbital.symmetry = clean(s->get_ref<const std::string&>(), 16);
    std::vector<FileCoefficient> row;
    for (std::size_t k = 0; k < functions.size(); ++k)
      row.push_back({functions[k].place, functions[k].sign * values[k]});
    orbitals_.orbitals.push_back(std::move(orbital));
    orbitals_.rows.push_back(std::move(row));
  }
}

Molecule Reader::read() {
  molecule_.format = orca_json_format.name;
  const Json tree = parse_json(*source_);
  const Json* found = tree.is_object() ? JsonFile::find(tree, "Molecule") : nullptr;
  if (found == nullptr || !found->is_object()) {
    file_.fail(
        "a file of ORCA without \"Molecule\", as orca_2json makes it of a property file; orbitals are in that of "
        "orca_2json NAME.gbw");
  }
  const Json& molecule = *found;
  const Json* units = JsonFile::find(molecule, "CoordinateUnits");
  const std::string unit = units == nullptr ? "Angs" : file_.text(*units, "Molecule.CoordinateUnits");
  if (unit != "Angs" && unit != "Bohrs")
    file_.fail(fmt::format("Molecule.CoordinateUnits: \"{}\"; there are Angs and Bohrs", clean(unit, 16)));
  const Json& atoms = file_.need(molecule, "Atoms");
  if (!atoms.is_array() || atoms.empty()) file_.fail("the file has no atoms");
  for (const Json& one : atoms) atom(one, unit == "Angs" ? units::angstrom_in_bohr : 1.0);
  if (const Json* name = JsonFile::find(molecule, "BaseName"); name != nullptr && name->is_string())
    molecule_.title = file_.text(*name, "Molecule.BaseName");
  if (const Json* charge = JsonFile::find(molecule, "Charge"))
    orbitals_.stated_charge = file_.number(*charge, "Molecule.Charge");
  orbitals_.format = "ORCA JSON";
  orbitals_.order = {molden_powers, molden_m};
  const Json* wave = JsonFile::find(molecule, "MolecularOrbitals");
  const Json* list = wave == nullptr ? nullptr : JsonFile::find(*wave, "MOs");
  std::shared_ptr<const Orbitals> orbitals;
  if (list != nullptr && list->is_array() && !list->empty() && !orbitals_.shells.empty()) {
    const Json* energies = JsonFile::find(*wave, "EnergyUnit");
    if (energies != nullptr && *energies != "Eh")
      file_.fail("Molecule.MolecularOrbitals.EnergyUnit: energies are read in Eh alone");
    const Json* type = JsonFile::find(molecule, "HFTyp");
    spins(*list, type == nullptr ? std::string() : file_.text(*type, "Molecule.HFTyp"));
    orbitals = checked_orbitals(orbitals_, *source_, 0, molecule_.warnings);
  } else {
    molecule_.warnings.push_back(
        fmt::format("The file has no {}: ask for it in NAME.json.conf with {{\"MOCoefficients\": true, \"Basisset\": "
                    "true}} and run "
                    "orca_2json NAME.gbw again.",
                    orbitals_.shells.empty() ? "basis" : "orbitals"));
  }
  const Json* excited = JsonFile::find(molecule, "TD-DFT");
  if (excited != nullptr && !excited->empty()) {
    molecule_.warnings.push_back(
        "The excited states of the file are passed over: it has neither their energies nor the order of their "
        "amplitudes. They are read from the output of ORCA (with the Tamm-Dancoff approximation).");
  }
  std::vector<QuantumFrame> frames;
  frames.push_back({orbitals_.centres, orbitals});
  fill_molecule(molecule_, atoms_, std::move(frames));
  return std::move(molecule_);
}

int sniff(const ByteSource& source) {
  return json_mentions(source, 1 << 20, {"\"ElementLabel\"", "\"ORCA Header\"", "\"CoordinateUnits\""}) ? 94 : 0;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  return Reader(std::move(source)).read();
}

}  // namespace

const Format orca_json_format = {"ORCA JSON", "json", "orbitals", sniff, read};

}  // namespace isolume
