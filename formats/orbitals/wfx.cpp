// AIM extended wave functions (WFX).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "formats/bytes/number_run.h"
#include "formats/bytes/text.h"
#include "formats/orbitals/primitives.h"
#include "formats/orbitals/quantum_molecule.h"
#include "formats/orbitals/wfn.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

/// Sections "<NAME>" to "</NAME>" by name.
class Sections {
 public:
  explicit Sections(const ByteSource& source);
  bool has(const std::string& name) const { return values_.contains(name); }
  const std::vector<double>& need(const std::string& name) const;
  [[noreturn]] void fail(const std::string& message) const { throw Error::in_file(source_.name(), 0, message); }
  std::string title;
  std::vector<std::string> spins;
  std::int64_t coefficients_line = 0;

 private:
  void section(LineScanner& lines, const std::string& name);

  const ByteSource& source_;
  std::map<std::string, std::vector<double>> values_;
};

constexpr const char* spin_types = "Molecular Orbital Spin Types";
constexpr const char* coefficients = "Molecular Orbital Primitive Coefficients";

bool is_numeric(const std::string& name) {
  static const std::vector<std::string> known = {"Number of Nuclei",
                                                 "Number of Primitives",
                                                 "Number of Occupied Molecular Orbitals",
                                                 "Number of Electrons",
                                                 "Net Charge",
                                                 "Atomic Numbers",
                                                 "Nuclear Charges",
                                                 "Nuclear Cartesian Coordinates",
                                                 "Primitive Centers",
                                                 "Primitive Types",
                                                 "Primitive Exponents",
                                                 "Molecular Orbital Occupation Numbers",
                                                 "Molecular Orbital Energies",
                                                 coefficients};
  return std::find(known.begin(), known.end(), name) != known.end();
}

Sections::Sections(const ByteSource& source) : source_(source) {
  LineScanner lines(source);
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    if (line.size() < 3 || line.front() != '<' || line.back() != '>' || line[1] == '/') continue;
    const std::string name = clean(line.substr(1, line.size() - 2));
    if (is_numeric(name) || name == "Title" || name == spin_types) section(lines, name);
  }
}

void Sections::section(LineScanner& lines, const std::string& name) {
  const std::int64_t start = lines.number();
  const bool numeric = is_numeric(name);
  const std::string end = "</" + name + ">";
  std::vector<double> numbers;
  if (name == coefficients) coefficients_line = start;
  while (true) {
    if (!lines.next()) {
      throw Error::in_file(source_.name(), start, fmt::format("section <{}> has no end", name));
    }
    std::string_view line = trimmed(lines.line());
    if (line == end) break;
    if (name == coefficients && line == "<MO Number>") {
      lines.require("the number of an orbital");
      if (trimmed(lines.require("</MO Number>")) != "</MO Number>") lines.fail("expected \"</MO Number>\"");
      continue;
    }
    if (!line.empty() && line.front() == '<' && name != "Title") {
      lines.fail(fmt::format("section <{}> of line {} has no end before \"{}\"", name, start, clean(line, 60)));
    }
    if (name == "Title" && title.empty()) title = clean(line);
    if (name == spin_types && !line.empty()) spins.push_back(clean(line, 20));
    double value = 0;
    while (numeric && next_number(lines, line, value, name)) numbers.push_back(value);
  }
  if (numeric) values_[name] = std::move(numbers);
}

const std::vector<double>& Sections::need(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) fail("the file has no section <" + name + ">");
  return found->second;
}

std::vector<Primitive> primitives_of(const Sections& file, std::size_t atoms) {
  const std::vector<double>& centres = file.need("Primitive Centers");
  const std::vector<double>& types = file.need("Primitive Types");
  const std::vector<double>& exponents = file.need("Primitive Exponents");
  if (centres.size() != types.size() || centres.size() != exponents.size()) {
    file.fail(
        fmt::format("{} primitive centres, {} types and {} exponents", centres.size(), types.size(), exponents.size()));
  }
  std::vector<Primitive> primitives;
  for (std::size_t i = 0; i < centres.size(); ++i) {
    if (!(centres[i] >= 1 && centres[i] <= static_cast<double>(atoms))) {
      file.fail(fmt::format("primitive {} is on nucleus {} of {}", i + 1, centres[i], atoms));
    }
    if (!(types[i] >= 1 && types[i] <= 84)) file.fail(fmt::format("primitive {} has type {}", i + 1, types[i]));
    if (!(exponents[i] > 1e-100 && exponents[i] < 1e100)) file.fail("an exponent must be positive");
    primitives.push_back({static_cast<std::uint32_t>(centres[i]) - 1, static_cast<int>(types[i]), exponents[i]});
  }
  return primitives;
}

void fill_orbitals(const Sections& file, std::size_t primitives, FileOrbitals& out) {
  const std::vector<double>& values = file.need(coefficients);
  const std::vector<double>& occupations = file.need("Molecular Orbital Occupation Numbers");
  const std::vector<double>& energies = file.need("Molecular Orbital Energies");
  const std::size_t count = occupations.size();
  if (energies.size() != count || values.size() != count * primitives ||
      (!file.spins.empty() && file.spins.size() != count)) {
    file.fail(fmt::format("{} occupations, {} energies, {} spins and {} coefficients over {} primitives", count,
                          energies.size(), file.spins.size(), values.size(), primitives));
  }
  for (std::size_t i = 0; i < count; ++i) {
    Orbital orbital;
    orbital.occupation = occupations[i];
    orbital.energy = energies[i];
    if (!file.spins.empty() && file.spins[i] == "Beta") orbital.spin = Spin::beta;
    out.orbitals.push_back(orbital);
    auto& row = out.rows.emplace_back();
    for (std::size_t k = 0; k < primitives; ++k) {
      row.push_back({static_cast<std::uint32_t>(k), values[i * primitives + k]});
    }
  }
  if (file.spins.empty()) guess_beta(out.orbitals);
}

int sniff(const ByteSource& source) {
  for (const std::string_view line : first_lines(source, 10)) {
    if (trimmed(line).empty() || trimmed(line).front() == '#') continue;
    return trimmed(line) == "<Title>" ? 90 : 0;
  }
  return 0;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  const Sections file(*source);
  Molecule molecule;
  molecule.format = wfx_format.name;
  molecule.title = file.title;
  const std::vector<double>& numbers = file.need("Atomic Numbers");
  const std::vector<double>& positions = file.need("Nuclear Cartesian Coordinates");
  if (numbers.empty() || positions.size() != 3 * numbers.size()) {
    file.fail(fmt::format("{} atomic numbers and {} coordinates", numbers.size(), positions.size()));
  }
  std::vector<QuantumAtom> atoms;
  FileOrbitals orbitals;
  orbitals.format = molecule.format;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    atoms.push_back(quantum_atom(static_cast<std::int64_t>(std::clamp(numbers[i], 0.0, 1000.0))));
    const glm::dvec3 p(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
    if (!(glm::length(p) < 1e6)) file.fail("an atom is farther than a million bohr from the origin");
    orbitals.centres.push_back(p);
  }
  const std::vector<Primitive> primitives = primitives_of(file, atoms.size());
  if (primitives.empty()) file.fail("the file has no primitives");
  fill_orbitals(file, primitives.size(), orbitals);
  const auto stated = [&](const char* name) {
    return file.has(name) && !file.need(name).empty() ? std::optional<double>(file.need(name).front()) : std::nullopt;
  };
  orbitals.stated_electrons = stated("Number of Electrons");
  orbitals.stated_charge = stated("Net Charge");
  if (file.has("Nuclear Charges") && file.need("Nuclear Charges").size() == numbers.size())
    orbitals.nuclear_charges = file.need("Nuclear Charges");
  auto checked = checked_primitive_orbitals(orbitals, primitives, *source, file.coefficients_line, molecule.warnings);
  fill_molecule(molecule, atoms, {{orbitals.centres, std::move(checked)}});
  return molecule;
}

}  // namespace

const Format wfx_format = {"WFX", "wfx", "orbitals", sniff, read};

}  // namespace isolume
