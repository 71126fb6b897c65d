// Gaussian logs: geometries, and orbitals where the log prints basis and coefficients.
#include "formats/orbitals/gaussian_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "formats/bytes/text.h"
#include "formats/orbitals/gaussian_order.h"
#include "formats/orbitals/quantum_molecule.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

struct Step {
  std::vector<glm::dvec3> positions;  ///< bohr
  FileOrbitals orbitals;
  std::int64_t line = 0;
};

class Reader {
 public:
  explicit Reader(std::shared_ptr<const ByteSource> source) : source_(std::move(source)), lines_(*source_) {}
  Molecule read();

 private:
  void line();
  void geometry(std::vector<Step>& steps);
  void basis();
  void cores();
  void shell(std::uint32_t centre, const std::vector<std::string_view>& head);
  void coefficients(Spin spin);
  void block(FileOrbitals& file, Spin spin, std::size_t count, std::size_t functions);
  std::shared_ptr<const Orbitals> orbitals(Step& step);

  std::shared_ptr<const ByteSource> source_;
  LineScanner lines_;
  Molecule molecule_;
  std::vector<QuantumAtom> atoms_;
  std::vector<Step> input_, standard_;
  std::vector<FileShell> shells_;
  bool five_d_ = false, seven_f_ = false;
  std::int64_t alpha_ = 0, beta_ = 0;
  std::vector<double> charges_;  ///< of the nuclei, less effective cores
  std::optional<double> charge_;
  bool valence_only_ = false;  ///< semi-empirical
  bool again_ = false;         ///< the current line is still to be looked at
};

/// Two rules, two lines of heads and a rule around "centre, atomic number, type, x, y, z".
void Reader::geometry(std::vector<Step>& steps) {
  Step step;
  step.line = lines_.number();
  std::vector<QuantumAtom> atoms;
  for (int i = 0; i < 4; ++i) lines_.require("a geometry");
  while (!trimmed(lines_.require("an atom or the rule below the last one")).starts_with("---")) {
    const std::vector<std::string_view> fields = split(lines_.line());
    if (fields.size() < 5) lines_.fail("an atom needs centre, atomic number, type, x, y and z");
    const std::int64_t z = lines_.integer(fields[1], "atomic number");
    if (z < 0) continue;  // a dummy atom
    glm::dvec3 position;
    for (std::size_t i = 0; i < 3; ++i) {
      position[static_cast<int>(i)] =
          lines_.coordinate(fields[fields.size() - 3 + i], "coordinate", units::angstrom_in_bohr);
    }
    step.positions.push_back(position);
    atoms.push_back(quantum_atom(z));
  }
  if (atoms.empty()) lines_.fail("a geometry without atoms");
  if (atoms_.empty()) {
    atoms_ = atoms;
    for (const QuantumAtom& atom : atoms) charges_.push_back(atom.element);
  }
  if (atoms.size() != atoms_.size()) {
    lines_.fail(fmt::format("a geometry of {} atoms after one of {}", atoms.size(), atoms_.size()));
  }
  const bool same =
      !steps.empty() && std::equal(steps.back().positions.begin(), steps.back().positions.end(), step.positions.begin(),
                                   [](glm::dvec3 a, glm::dvec3 b) { return glm::distance(a, b) < 1e-6; });
  if (!same) steps.push_back(std::move(step));
}

void Reader::shell(std::uint32_t centre, const std::vector<std::string_view>& head) {
  static constexpr std::string_view letters = "SPDFGHI";
  const bool sp = head[0] == "SP";
  const std::size_t l = head[0].size() == 1 ? letters.find(head[0][0]) : std::string_view::npos;
  if (!sp && l == std::string_view::npos) lines_.fail("a shell is none of s p sp d f g h i");
  const std::int64_t count = lines_.integer(head[1], "number of primitives", 1, 500);
  FileShell first;
  first.centre = centre;
  first.l = sp ? 0 : static_cast<int>(l);
  first.spherical = first.l == 2 ? five_d_ : first.l > 2 && seven_f_;
  FileShell second = first;
  second.l = 1;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::vector<std::string_view> fields = split(lines_.require("a primitive"));
    if (fields.size() < (sp ? 3u : 2u)) lines_.fail("a primitive needs its exponent and coefficients");
    const double exponent = lines_.real(fields[0], "exponent");
    if (!(exponent > 1e-100 && exponent < 1e100)) lines_.fail("an exponent must be positive");
    first.exponents.push_back(exponent);
    first.coefficients.push_back(lines_.real(fields[1], "contraction coefficient"));
    if (!sp) continue;
    second.exponents.push_back(exponent);
    second.coefficients.push_back(lines_.real(fields[2], "contraction coefficient"));
  }
  shells_.push_back(std::move(first));
  if (sp) shells_.push_back(std::move(second));
}

/// What gfinput prints: "1 0", shells, "****" for every atom, up to a line that is none of these.
void Reader::basis() {
  shells_.clear();
  std::int64_t centre = 0;
  while (lines_.next()) {
    const std::vector<std::string_view> fields = split(lines_.line());
    if (fields.size() == 2 && fields[1] == "0" && parse_integer(fields[0])) {
      centre = lines_.integer(fields[0], "number of the atom", 1, static_cast<std::int64_t>(atoms_.size()));
    } else if (fields.size() >= 3 && fields[0].size() <= 2 && fields[0][0] >= 'A' && fields[0][0] <= 'Z' &&
               parse_integer(fields[1])) {
      if (centre == 0) lines_.fail("a shell without the number of its atom");
      shell(static_cast<std::uint32_t>(centre - 1), fields);
    } else if (fields.size() != 1 || fields[0] != "****") {
      again_ = true;
      return;
    }
  }
}

/// "Pseudopotential Parameters": between rules "centre, atomic number, valence electrons" and terms for every atom;
/// where there is no potential the third is missing, or coordinates follow.
void Reader::cores() {
  if (atoms_.empty()) lines_.fail("pseudopotentials before the atoms");
  for (int rules = 0; rules < 3;) {
    const std::string_view line = trimmed(lines_.require("the rule below the pseudopotentials"));
    if (line.starts_with("=====")) ++rules;
    const std::vector<std::string_view> fields = split(line);
    if (fields.size() < 3 || !parse_integer(fields[0]) || !parse_integer(fields[1])) continue;
    const auto valence = parse_integer(fields[2]);
    if (!valence) continue;
    const std::int64_t centre = lines_.integer(fields[0], "centre", 1, static_cast<std::int64_t>(atoms_.size()));
    const auto atom = static_cast<std::size_t>(centre - 1);
    const std::int64_t z = lines_.integer(fields[1], "atomic number", 0, 118);
    if (*valence < 0 || *valence > z) lines_.fail(fmt::format("{} valence electrons of atomic number {}", *valence, z));
    if (atoms_[atom].element != z) {
      lines_.fail(fmt::format("centre {} has the atomic number {}, and {} in the geometry", centre, z,
                              int{atoms_[atom].element}));
    }
    charges_[atom] = static_cast<double>(*valence);
  }
}

/// Up to five orbitals side by side, in columns of 10 from column 22.
void Reader::block(FileOrbitals& file, Spin spin, std::size_t count, std::size_t functions) {
  const auto column = [&](std::size_t i) { return columns(lines_.line(), 22 + 10 * i, 31 + 10 * i); };
  const std::size_t first = file.orbitals.size();
  file.orbitals.resize(first + count);
  file.rows.resize(first + count);
  lines_.require("the symmetries of the orbitals");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string symmetry = clean(column(i), 16);
    const std::size_t close = symmetry.find(')');
    if (symmetry.starts_with('(') && close != std::string::npos) {
      file.orbitals[first + i].symmetry = symmetry.substr(1, close - 1);
    }
    file.orbitals[first + i].spin = spin;
  }
  if (!starts_with_nocase(trimmed(lines_.require("Eigenvalues --")), "EIGENVALUES --")) {
    lines_.fail("expected \"Eigenvalues --\"");
  }
  for (std::size_t i = 0; i < count; ++i) file.orbitals[first + i].energy = lines_.real(column(i), "orbital energy");
  for (std::size_t row = 0; row < functions; ++row) {
    lines_.require("the coefficients of a function");
    for (std::size_t i = 0; i < count; ++i) {
      const double value = lines_.real(column(i), "orbital coefficient");
      file.rows[first + i].push_back({static_cast<std::uint32_t>(row), value});
    }
  }
}

void Reader::coefficients(Spin spin) {
  std::vector<Step>& steps = standard_.empty() ? input_ : standard_;
  if (steps.empty()) lines_.fail("orbitals before any geometry");
  if (shells_.empty()) {
    molecule_.warnings.push_back(
        "The log prints orbitals but not their basis, so that they are left out: add gfinput to the route.");
    return;
  }
  FileOrbitals& file = steps.back().orbitals;
  if (spin == Spin::alpha) {
    file.orbitals.clear();
    file.rows.clear();
  }
  std::size_t functions = 0;
  for (const FileShell& shell : shells_) {
    functions += static_cast<std::size_t>(shell.spherical ? 2 * shell.l + 1 : (shell.l + 1) * (shell.l + 2) / 2);
  }
  while (lines_.next()) {
    const std::vector<std::string_view> numbers = split(lines_.line());
    const bool head = !numbers.empty() && numbers.size() <= 5 &&
                      std::all_of(numbers.begin(), numbers.end(),
                                  [](std::string_view field) { return parse_integer(field).has_value(); });
    if (!head) {
      again_ = true;
      return;
    }
    block(file, spin, numbers.size(), functions);
  }
}

void Reader::line() {
  const std::string_view line = trimmed(lines_.line());
  if (line.size() < 9) return;
  const auto is = [&](std::string_view words) { return line.starts_with(words); };
  if (is("Standard orientation:")) {
    geometry(standard_);
  } else if (is("Input orientation:") || is("Z-Matrix orientation:")) {
    geometry(input_);
  } else if (is("Standard basis:") || is("General basis read from cards:")) {
    five_d_ = line.find("(5D") != std::string_view::npos;
    seven_f_ = line.find("7F)") != std::string_view::npos;
    valence_only_ = line.find(" VSTO-") != std::string_view::npos;
  } else if (is("Pseudopotential Parameters")) {
    cores();
  } else if (is("Charge = ") && line.find("Multiplicity") != std::string_view::npos && !charge_) {
    std::string_view rest = line.substr(9);
    // Of several layers the orbitals may be those of another than the first.
    if (line.find(" for ") == std::string_view::npos) charge_ = lines_.real(next_token(rest), "charge");
  } else if (is("AO basis set in the form of general basis input")) {
    if (atoms_.empty()) lines_.fail("a basis before the atoms");
    basis();
  } else if (line.find(" alpha electrons ") != std::string_view::npos) {
    const std::vector<std::string_view> fields = split(line);
    if (fields.size() < 6 || fields[1] != "alpha") return;
    alpha_ = lines_.integer(fields[0], "number of electrons", 0, 1'000'000);
    beta_ = lines_.integer(fields[3], "number of electrons", 0, 1'000'000);
  } else if (is("Molecular Orbital Coefficients") || is("Alpha Molecular Orbital Coefficients")) {
    coefficients(Spin::alpha);
  } else if (is("Beta Molecular Orbital Coefficients")) {
    coefficients(Spin::beta);
  }
}

std::shared_ptr<const Orbitals> Reader::orbitals(Step& step) {
  FileOrbitals& file = step.orbitals;
  if (file.orbitals.empty()) return nullptr;
  file.format = "Gaussian log";
  file.order = gaussian_order;
  file.shells = shells_;
  file.centres = step.positions;
  const bool unrestricted =
      std::any_of(file.orbitals.begin(), file.orbitals.end(), [](const Orbital& o) { return o.spin == Spin::beta; });
  occupy(file.orbitals, alpha_, beta_, unrestricted);
  file.stated_electrons = static_cast<double>(alpha_ + beta_);
  if (charge_ && !valence_only_ && charges_.size() == file.centres.size()) {
    file.stated_charge = charge_;
    file.nuclear_charges = charges_;
  }
  return checked_orbitals(file, *source_, step.line, molecule_.warnings);
}

/// True where Gaussian wrote the log, of which the beginning may have been cut off.
bool is_gaussian(const ByteSource& source) {
  const std::string_view head = source.text().substr(0, 8192);
  for (const std::string_view words :
       {"Entering Gaussian System", "This is part of the Gaussian(R)", "Entering OneElI", " Leave Link "})
    if (head.find(words) != std::string_view::npos) return true;
  return false;
}

Molecule Reader::read() {
  molecule_.format = gaussian_log_format.name;
  while (again_ || lines_.next()) {
    again_ = false;
    line();
  }
  std::vector<Step>& steps = standard_.empty() ? input_ : standard_;
  if (steps.empty() && is_gaussian(*source_))
    throw Error::in_file(source_->name(), 0,
                         "a Gaussian output in which no geometry is printed (\"Standard orientation\", \"Input "
                         "orientation\"); open the formatted checkpoint of the calculation (formchk)");
  fill_log_molecule(molecule_, atoms_, steps, *source_, [this](Step& step) { return orbitals(step); });
  return std::move(molecule_);
}

int sniff(const ByteSource& source) {
  return is_gaussian(source) ? 90 : 0;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  return Reader(std::move(source)).read();
}

}  // namespace

const Format gaussian_log_format = {"Gaussian log", "log out g03 g09 g16", "orbitals", sniff, read};

}  // namespace isolume
