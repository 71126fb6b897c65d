// Gaussian formatted checkpoint files: geometries, basis and orbitals.
#include "formats/fchk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "formats/gaussian_order.h"
#include "formats/number_run.h"
#include "formats/quantum_molecule.h"
#include "formats/text.h"
#include "molecule/error.h"

namespace isolume {
namespace {

/// The header of a section: 40 columns of name, the type in column 44, then a value or "N=" and a count.
struct Section {
  std::string name;
  char type = ' ';
  bool array = false;
  std::string_view rest;
};

bool is_header(std::string_view line) {
  if (line.size() < 46 || line[0] == ' ' || line[42] != ' ' || line[44] != ' ') return false;
  return std::string_view("IRCLH").find(line[43]) != std::string_view::npos;
}

Section header_of(std::string_view line) {
  Section section;
  section.name = clean(line.substr(0, 40));
  section.type = line[43];
  section.array = line.size() > 48 && line.substr(47, 2) == "N=";
  section.rest = trimmed(line.substr(section.array ? 49 : 44));
  return section;
}

/// One set of coordinates and the orbitals that follow it.
struct Step {
  std::vector<double> coordinates;
  std::map<std::string, std::vector<double>> values;
  std::int64_t line = 0;
};

class Reader {
 public:
  explicit Reader(std::shared_ptr<const ByteSource> source) : source_(std::move(source)), lines_(*source_) {}
  Molecule read();

 private:
  void sections();
  void array(const Section& section);
  std::vector<FileShell> shells(std::size_t atoms);
  std::shared_ptr<const Orbitals> orbitals(const Step& step);
  void add_spin(const Step& step, Spin spin, std::size_t functions, FileOrbitals& file);
  const std::vector<double>& need(const std::string& name) const;
  std::vector<std::vector<glm::dvec3>> path() const;

  std::shared_ptr<const ByteSource> source_;
  LineScanner lines_;
  Molecule molecule_;
  std::map<std::string, double> numbers_;
  std::map<std::string, std::vector<double>> arrays_;
  std::vector<Step> steps_;
  std::vector<FileShell> shells_;
  std::vector<std::pair<std::string, std::vector<double>>> path_;  ///< geometries of an optimisation, scan or IRC
};

bool is_of_a_step(const std::string& name) {
  return name == "Alpha Orbital Energies" || name == "Beta Orbital Energies" || name == "Alpha MO coefficients" ||
         name == "Beta MO coefficients";
}

bool is_wanted(const std::string& name) {
  static const std::vector<std::string> known = {"Atomic numbers",
                                                 "Nuclear charges",
                                                 "Shell types",
                                                 "Number of primitives per shell",
                                                 "Shell to atom map",
                                                 "Primitive exponents",
                                                 "Mulliken Charges",
                                                 "Contraction coefficients",
                                                 "P(S=P) Contraction coefficients"};
  return std::find(known.begin(), known.end(), name) != known.end();
}

bool is_path(const std::string& name) {
  return (name.starts_with("Opt point") || name.starts_with("IRC point")) && name.ends_with("Geometries");
}

void Reader::array(const Section& section) {
  const std::int64_t count = lines_.integer(section.rest, section.name, 0, std::int64_t{1} << 40);
  const bool coordinates = section.name == "Current cartesian coordinates";
  const bool of_a_step = is_of_a_step(section.name);
  if (!coordinates && !of_a_step && !is_wanted(section.name) && !is_path(section.name)) return;
  if (section.type != 'I' && section.type != 'R') lines_.fail(section.name + ": numbers expected");
  const std::int64_t line = lines_.number();
  // A cut file is allowed to lack the end of its orbitals, but nothing makes us reserve what is not there.
  const bool may_be_cut = section.name.ends_with("MO coefficients");
  if (!may_be_cut) {
    check_count(*source_, line, static_cast<std::uint64_t>(count), 2, lines_.bytes_left(), section.name);
  }
  std::vector<double> values;
  values.reserve(std::min<std::size_t>(static_cast<std::size_t>(count), lines_.bytes_left() / 2));
  while (static_cast<std::int64_t>(values.size()) < count && lines_.next()) {
    std::string_view rest = lines_.line();
    if (is_header(rest)) {
      lines_.fail(fmt::format("{}: {} of {} values before the next section", section.name, values.size(), count));
    }
    // A last number that the end of the file cut is a number too, but not the right one.
    if (may_be_cut && lines_.bytes_left() == 0 && !source_->text().ends_with('\n')) break;
    double value = 0;
    while (static_cast<std::int64_t>(values.size()) < count && next_number(lines_, rest, value, section.name)) {
      values.push_back(value);
    }
  }
  if (static_cast<std::int64_t>(values.size()) < count) {
    const std::string message =
        fmt::format("the file ends after {} of {} values of \"{}\"", values.size(), count, section.name);
    if (!may_be_cut) lines_.fail(message);
    molecule_.warnings.push_back(message + "; the whole orbitals among them are read.");
  }
  if (coordinates) {
    if (steps_.empty() || !steps_.back().values.empty() || steps_.back().coordinates != values) steps_.emplace_back();
    steps_.back().coordinates = std::move(values);
    steps_.back().line = line;
  } else if (of_a_step) {
    if (steps_.empty()) steps_.emplace_back();
    steps_.back().values[section.name] = std::move(values);
  } else if (is_path(section.name)) {
    path_.emplace_back(section.name, std::move(values));
  } else {
    arrays_[section.name] = std::move(values);
  }
}

void Reader::sections() {
  molecule_.title = clean(lines_.require("the title"));
  lines_.require("the type of the calculation");
  while (lines_.next()) {
    if (!is_header(lines_.line())) continue;
    const Section section = header_of(lines_.line());
    if (section.array) {
      array(section);
    } else if (section.type == 'I' || section.type == 'R') {
      if (const auto value = parse_real(section.rest)) numbers_[section.name] = *value;
    }
  }
}

const std::vector<double>& Reader::need(const std::string& name) const {
  const auto found = arrays_.find(name);
  if (found == arrays_.end()) throw Error::in_file(source_->name(), 0, "the file has no section \"" + name + "\"");
  return found->second;
}

std::vector<FileShell> Reader::shells(std::size_t atoms) {
  if (!arrays_.contains("Shell types")) return {};
  const std::vector<double>& types = need("Shell types");
  const std::vector<double>& primitives = need("Number of primitives per shell");
  const std::vector<double>& centres = need("Shell to atom map");
  const std::vector<double>& exponents = need("Primitive exponents");
  const std::vector<double>& coefficients = need("Contraction coefficients");
  const auto fail = [&](const std::string& message) { throw Error::in_file(source_->name(), 0, message); };
  if (primitives.size() != types.size() || centres.size() != types.size() || coefficients.size() != exponents.size()) {
    fail(fmt::format("{} shell types, {} numbers of primitives, {} atoms of shells, {} exponents, {} coefficients",
                     types.size(), primitives.size(), centres.size(), exponents.size(), coefficients.size()));
  }
  std::vector<FileShell> out;
  std::size_t first = 0;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const double type = types[i], count = primitives[i], centre = centres[i];
    if (type != std::floor(type) || std::abs(type) > 6) fail(fmt::format("shell {} has the type {}", i + 1, type));
    if (!(count >= 1) || count > static_cast<double>(exponents.size() - first)) {
      fail(fmt::format("shell {} has {} primitives where {} are left", i + 1, count, exponents.size() - first));
    }
    if (!(centre >= 1) || centre > static_cast<double>(atoms)) {
      fail(fmt::format("shell {} is on atom {} of {}", i + 1, centre, atoms));
    }
    FileShell shell;
    shell.centre = static_cast<std::uint32_t>(centre) - 1;
    shell.l = type == -1 ? 0 : static_cast<int>(std::abs(type));
    shell.spherical = type < -1;
    const std::size_t last = first + static_cast<std::size_t>(count);
    for (std::size_t k = first; k < last; ++k) {
      if (!(exponents[k] > 1e-100 && exponents[k] < 1e100)) fail("an exponent must be positive");
      shell.exponents.push_back(exponents[k]);
      shell.coefficients.push_back(coefficients[k]);
    }
    FileShell second = shell;
    out.push_back(std::move(shell));
    if (type == -1) {
      const std::vector<double>& p = need("P(S=P) Contraction coefficients");
      if (p.size() != exponents.size()) fail("sp shells need as many p coefficients as exponents");
      second.l = 1;
      second.coefficients.assign(p.begin() + static_cast<std::ptrdiff_t>(first),
                                 p.begin() + static_cast<std::ptrdiff_t>(last));
      out.push_back(std::move(second));
    }
    first = last;
  }
  return out;
}

void Reader::add_spin(const Step& step, Spin spin, std::size_t functions, FileOrbitals& file) {
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

std::shared_ptr<const Orbitals> Reader::orbitals(const Step& step) {
  if (shells_.empty() || !step.values.contains("Alpha MO coefficients")) return nullptr;
  FileOrbitals file;
  file.format = "Gaussian checkpoint";
  file.order = gaussian_order;
  file.shells = shells_;
  std::size_t functions = 0;
  for (const FileShell& shell : shells_) {
    functions += static_cast<std::size_t>(shell.spherical ? 2 * shell.l + 1 : (shell.l + 1) * (shell.l + 2) / 2);
  }
  const auto stated = numbers_.find("Number of basis functions");
  if (stated != numbers_.end() && stated->second != static_cast<double>(functions)) {
    throw Error::in_file(
        source_->name(), step.line,
        fmt::format("the shells have {} functions, \"Number of basis functions\" says {}", functions, stated->second));
  }
  for (std::size_t i = 0; i + 2 < step.coordinates.size(); i += 3) {
    file.centres.emplace_back(step.coordinates[i], step.coordinates[i + 1], step.coordinates[i + 2]);
  }
  add_spin(step, Spin::alpha, functions, file);
  const std::size_t alpha = file.orbitals.size();
  add_spin(step, Spin::beta, functions, file);
  const auto electrons = [&](const char* name) {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? std::int64_t{0} : static_cast<std::int64_t>(std::clamp(found->second, 0.0, 1e9));
  };
  occupy(file.orbitals, electrons("Number of alpha electrons"), electrons("Number of beta electrons"),
         file.orbitals.size() > alpha);
  return checked_orbitals(file, *source_, step.line, molecule_.warnings);
}

std::vector<std::vector<glm::dvec3>> Reader::path() const {
  const std::size_t per_frame = need("Atomic numbers").size() * 3;
  std::vector<std::vector<glm::dvec3>> frames;
  for (const auto& [name, values] : path_) {
    if (per_frame == 0 || values.size() % per_frame != 0) {
      throw Error::in_file(source_->name(), 0,
                           fmt::format("\"{}\" has {} values, no multiple of {}", name, values.size(), per_frame));
    }
    for (std::size_t i = 0; i < values.size(); i += 3) {
      if (i % per_frame == 0) frames.emplace_back();
      frames.back().emplace_back(values[i], values[i + 1], values[i + 2]);
    }
  }
  return frames;
}

Molecule Reader::read() {
  molecule_.format = fchk_format.name;
  sections();
  const std::vector<double>& numbers = need("Atomic numbers");
  const auto charges = arrays_.find("Mulliken Charges");
  const auto nuclear = arrays_.find("Nuclear charges");
  std::vector<QuantumAtom> atoms;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool ghost = nuclear != arrays_.end() && i < nuclear->second.size() && nuclear->second[i] == 0;
    atoms.push_back(quantum_atom(ghost ? 0 : static_cast<std::int64_t>(std::clamp(numbers[i], 0.0, 1000.0))));
    if (charges != arrays_.end() && i < charges->second.size()) {
      atoms.back().charge = static_cast<float>(charges->second[i]);
    }
  }
  if (atoms.empty()) throw Error::in_file(source_->name(), 0, "the file has no atoms");
  shells_ = shells(atoms.size());

  std::vector<QuantumFrame> frames;
  for (auto& positions : path()) frames.push_back({std::move(positions), nullptr});
  for (const Step& step : steps_) {
    if (step.coordinates.size() != 3 * atoms.size()) {
      throw Error::in_file(source_->name(), step.line,
                           fmt::format("{} coordinates for {} atoms", step.coordinates.size(), atoms.size()));
    }
    QuantumFrame frame;
    for (std::size_t i = 0; i < step.coordinates.size(); i += 3) {
      const glm::dvec3 p(step.coordinates[i], step.coordinates[i + 1], step.coordinates[i + 2]);
      if (!(glm::length(p) < 1e6)) throw Error::in_file(source_->name(), step.line, "an atom is farther than 1e6 bohr");
      frame.positions.push_back(p);
    }
    frame.orbitals = orbitals(step);
    const auto same = std::find_if(frames.begin(), frames.end(), [&](const QuantumFrame& other) {
      return !other.orbitals && std::equal(other.positions.begin(), other.positions.end(), frame.positions.begin(),
                                           [](glm::dvec3 a, glm::dvec3 b) { return glm::distance(a, b) < 1e-5; });
    });
    if (same != frames.end() && !path_.empty()) {
      same->orbitals = std::move(frame.orbitals);
    } else {
      frames.push_back(std::move(frame));
    }
  }
  if (frames.empty()) throw Error::in_file(source_->name(), 0, "the file has no \"Current cartesian coordinates\"");
  fill_molecule(molecule_, atoms, std::move(frames));
  if (molecule_.orbitals.empty()) {
    molecule_.warnings.push_back(shells_.empty() ? "The file has no basis." : "The file has a basis but no orbitals.");
  }
  return std::move(molecule_);
}

int sniff(const ByteSource& source) {
  const std::vector<std::string_view> lines = first_lines(source, 12);
  int headers = 0;
  for (std::size_t i = 2; i < lines.size(); ++i) headers += is_header(lines[i]) ? 1 : 0;
  return headers >= 4 ? 90 : headers >= 1 ? 40 : 0;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  return Reader(std::move(source)).read();
}

}  // namespace

const Format fchk_format = {"Gaussian checkpoint", "fchk fch fck", "orbitals", sniff, read};

}  // namespace isolume
