// Gaussian formatted checkpoint files: geometries, basis and orbitals.
#include "formats/orbitals/fchk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "formats/bytes/text.h"
#include "formats/orbitals/fchk_sections.h"
#include "formats/orbitals/gaussian_order.h"
#include "formats/orbitals/quantum_molecule.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

class Reader {
 public:
  explicit Reader(std::shared_ptr<const ByteSource> source) : source_(source), file_(std::move(source)) {}
  Molecule read();

 private:
  glm::dvec3 position(const std::vector<double>& values, std::size_t first, std::int64_t line) const;
  std::vector<QuantumAtom> atoms() const;
  std::vector<FileShell> shells(std::size_t atoms) const;
  void add_spin(const FchkStep& step, Spin spin, std::size_t functions, FileOrbitals& out) const;
  std::shared_ptr<const Orbitals> orbitals(const FchkStep& step);
  std::vector<QuantumFrame> path(std::size_t atoms) const;
  void add_step(const FchkStep& step, std::size_t atoms, std::vector<QuantumFrame>& frames);

  std::shared_ptr<const ByteSource> source_;
  FchkSections file_;
  Molecule molecule_;
  std::vector<FileShell> shells_;
};

glm::dvec3 Reader::position(const std::vector<double>& values, std::size_t first, std::int64_t line) const {
  const glm::dvec3 p(values[first], values[first + 1], values[first + 2]);
  if (!(glm::length(p) < 1e6)) file_.fail("an atom is farther than a million bohr from the origin", line);
  return p;
}

std::vector<FileShell> Reader::shells(std::size_t atoms) const {
  if (!file_.has("Shell types")) return {};
  const std::vector<double>& types = file_.need("Shell types");
  const std::vector<double>& primitives = file_.need("Number of primitives per shell");
  const std::vector<double>& centres = file_.need("Shell to atom map");
  const std::vector<double>& exponents = file_.need("Primitive exponents");
  const std::vector<double>& coefficients = file_.need("Contraction coefficients");
  if (primitives.size() != types.size() || centres.size() != types.size() || coefficients.size() != exponents.size()) {
    file_.fail(
        fmt::format("{} shell types, {} numbers of primitives, {} atoms of shells, {} exponents, {} coefficients",
                    types.size(), primitives.size(), centres.size(), exponents.size(), coefficients.size()));
  }
  std::vector<FileShell> out;
  std::size_t first = 0;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const double type = types[i], count = primitives[i], centre = centres[i];
    if (type != std::floor(type) || std::abs(type) > 6)
      file_.fail(fmt::format("shell {} has the type {}", i + 1, type));
    if (!(count >= 1) || count > static_cast<double>(exponents.size() - first)) {
      file_.fail(fmt::format("shell {} has {} primitives where {} are left", i + 1, count, exponents.size() - first));
    }
    if (!(centre >= 1) || centre > static_cast<double>(atoms)) {
      file_.fail(fmt::format("shell {} is on atom {} of {}", i + 1, centre, atoms));
    }
    FileShell shell;
    shell.centre = static_cast<std::uint32_t>(centre) - 1;
    shell.l = type == -1 ? 0 : static_cast<int>(std::abs(type));
    shell.spherical = type < -1;
    const std::size_t last = first + static_cast<std::size_t>(count);
    for (std::size_t k = first; k < last; ++k) {
      if (!(exponents[k] > 1e-100 && exponents[k] < 1e100)) file_.fail("an exponent must be positive");
      shell.exponents.push_back(exponents[k]);
      shell.coefficients.push_back(coefficients[k]);
    }
    FileShell second = shell;
    out.push_back(std::move(shell));
    if (type == -1) {
      const std::vector<double>& p = file_.need("P(S=P) Contraction coefficients");
      if (p.size() != exponents.size()) file_.fail("sp shells need as many p coefficients as exponents");
      second.l = 1;
      second.coefficients.assign(p.begin() + static_cast<std::ptrdiff_t>(first),
                                 p.begin() + static_cast<std::ptrdiff_t>(last));
      out.push_back(std::move(second));
    }
    first = last;
  }
  return out;
}

void Reader::add_spin(const FchkStep& step, Spin spin, std::size_t functions, FileOrbitals& file) const {
  const std::string name = spin == Spin::alpha ? "Alpha" : "Beta";
  const auto found = step.values.find(name + " MO coefficients");
  if (found == step.values.end()) return;
  const auto energies = step.values.find(name + " Orbital Energies");
  const std::size_t count = found->second.size() / functions;
  for (std::size_t i = 0; i < count; ++i) {
    Orbital orbital;
    orbital.spin = spin;
    if (energies != step.values.end() && i < energies->second.size()) orbital.energy = energies->second[i];
    std::vector<FileCoefficient> row;
    for (std::size_t k = 0; k < functions; ++k) {
      row.push_back({static_cast<std::uint32_t>(k), found->second[i * functions + k]});
    }
    file.orbitals.push_back(orbital);
    file.rows.push_back(std::move(row));
  }
}

std::shared_ptr<const Orbitals> Reader::orbitals(const FchkStep& step) {
  if (shells_.empty() || !step.values.contains("Alpha MO coefficients")) return nullptr;
  FileOrbitals file;
  file.format = "Gaussian checkpoint";
  file.order = gaussian_order;
  const bool cartesian_g =
      std::any_of(shells_.begin(), shells_.end(), [](const FileShell& s) { return s.l >= 4 && !s.spherical; });
  if (cartesian_g && upper(file_.title).find("PSI4") != std::string::npos) {
    file.other_order = molden_order;
    file.other_order_name = "Cartesian g functions and above in Molden's order (Psi4)";
  }
  file.shells = shells_;
  std::size_t functions = 0;
  for (const FileShell& shell : shells_) {
    functions += static_cast<std::size_t>(shell.spherical ? 2 * shell.l + 1 : (shell.l + 1) * (shell.l + 2) / 2);
  }
  const auto stated = file_.numbers.find("Number of basis functions");
  if (stated != file_.numbers.end() && stated->second != static_cast<double>(functions)) {
    throw Error::in_file(
        source_->name(), step.line,
        fmt::format("the shells have {} functions, \"Number of basis functions\" says {}", functions, stated->second),
        step.line);
  }
  for (std::size_t i = 0; i + 2 < step.coordinates.size(); i += 3) {
    file.centres.emplace_back(step.coordinates[i], step.coordinates[i + 1], step.coordinates[i + 2]);
  }
  add_spin(step, Spin::alpha, functions, file);
  const std::size_t alpha = file.orbitals.size();
  add_spin(step, Spin::beta, functions, file);
  const auto electrons = [&](const char* name) {
    const auto found = file_.numbers.find(name);
    return found == file_.numbers.end() ? std::int64_t{0}
                                        : static_cast<std::int64_t>(std::clamp(found->second, 0.0, 1e9));
  };
  occupy(file.orbitals, electrons("Number of alpha electrons"), electrons("Number of beta electrons"),
         file.orbitals.size() > alpha);
  const auto stated_number = [&](const char* name) {
    const auto found = file_.numbers.find(name);
    return found == file_.numbers.end() ? std::nullopt : std::optional<double>(found->second);
  };
  file.stated_electrons = stated_number("Number of electrons");
  file.stated_charge = stated_number("Charge");
  if (file_.has("Nuclear charges")) file.nuclear_charges = file_.need("Nuclear charges");
  return checked_orbitals(file, *source_, step.line, molecule_.warnings);
}

std::vector<QuantumFrame> Reader::path(std::size_t atoms) const {
  std::vector<QuantumFrame> frames;
  for (const auto& [name, values] : file_.path) {
    if (values.size() % (3 * atoms) != 0) {
      file_.fail(fmt::format("\"{}\" has {} values, no multiple of {}", name, values.size(), 3 * atoms));
    }
    for (std::size_t i = 0; i < values.size(); i += 3) {
      if (i % (3 * atoms) == 0) frames.emplace_back();
      frames.back().positions.push_back(position(values, i, 0));
    }
  }
  return frames;
}

void Reader::add_step(const FchkStep& step, std::size_t atoms, std::vector<QuantumFrame>& frames) {
  if (step.coordinates.size() != 3 * atoms) {
    file_.fail(fmt::format("{} coordinates for {} atoms", step.coordinates.size(), atoms), step.line);
  }
  QuantumFrame frame;
  for (std::size_t i = 0; i < step.coordinates.size(); i += 3) {
    frame.positions.push_back(position(step.coordinates, i, step.line));
  }
  frame.orbitals = orbitals(step);
  const auto same = std::find_if(frames.begin(), frames.end(), [&](const QuantumFrame& other) {
    return !other.orbitals && std::equal(other.positions.begin(), other.positions.end(), frame.positions.begin(),
                                         [](glm::dvec3 a, glm::dvec3 b) { return glm::distance(a, b) < 1e-5; });
  });
  if (same != frames.end() && !file_.path.empty()) {
    same->orbitals = std::move(frame.orbitals);
  } else {
    frames.push_back(std::move(frame));
  }
}

std::vector<QuantumAtom> Reader::atoms() const {
  const std::vector<double>& numbers = file_.need("Atomic numbers");
  static const std::vector<double> none;
  const std::vector<double>& nuclear = file_.has("Nuclear charges") ? file_.need("Nuclear charges") : none;
  const std::vector<double>& charges = file_.has("Mulliken Charges") ? file_.need("Mulliken Charges") : none;
  std::vector<QuantumAtom> atoms;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool ghost = i < nuclear.size() && nuclear[i] == 0;
    atoms.push_back(quantum_atom(ghost ? 0 : static_cast<std::int64_t>(std::clamp(numbers[i], 0.0, 1000.0))));
    if (i < charges.size()) atoms.back().charge = static_cast<float>(charges[i]);
  }
  if (atoms.empty()) file_.fail("the file has no atoms");
  return atoms;
}

Molecule Reader::read() {
  molecule_.format = fchk_format.name;
  molecule_.title = file_.title;
  molecule_.warnings = file_.warnings;
  const std::vector<QuantumAtom> atoms = this->atoms();
  shells_ = shells(atoms.size());
  std::vector<QuantumFrame> frames = path(atoms.size());
  for (const FchkStep& step : file_.steps) add_step(step, atoms.size(), frames);
  if (frames.empty()) file_.fail("the file has no \"Current cartesian coordinates\"");
  fill_molecule(molecule_, atoms, std::move(frames));
  if (molecule_.orbitals.empty()) {
    molecule_.warnings.push_back(shells_.empty() ? "The file has no basis." : "The file has a basis but no orbitals.");
  }
  return std::move(molecule_);
}

int sniff(const ByteSource& source) {
  const std::vector<std::string_view> lines = first_lines(source, 12);
  int headers = 0;
  for (std::size_t i = 2; i < lines.size(); ++i) headers += is_fchk_header(lines[i]) ? 1 : 0;
  return headers >= 4 ? 90 : headers >= 1 ? 40 : 0;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  return Reader(std::move(source)).read();
}

}  // namespace

const Format fchk_format = {"Gaussian checkpoint", "fchk fch fck", "orbitals", sniff, read};

}  // namespace isolume
