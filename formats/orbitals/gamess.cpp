// GAMESS-US logs: geometries, basis and printed orbitals.
#include "formats/orbitals/gamess.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "formats/bytes/text.h"
#include "formats/orbitals/gamess_basis.h"
#include "formats/orbitals/quantum_molecule.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

struct Step {
  std::vector<glm::dvec3> positions;  ///< bohr
  std::vector<Orbital> orbitals;
  std::vector<std::vector<FileCoefficient>> rows;
  std::int64_t line = 0;
};

class Reader {
 public:
  explicit Reader(std::shared_ptr<const ByteSource> source) : source_(std::move(source)), lines_(*source_) {}
  Molecule read();

 private:
  void geometry(double scale);
  void core(std::string_view line);
  void eigenvectors(Spin spin);
  void block(Step& step, Spin spin, const std::vector<std::string_view>& numbers);
  std::shared_ptr<const Orbitals> orbitals(Step& step);

  std::shared_ptr<const ByteSource> source_;
  LineScanner lines_;
  Molecule molecule_;
  std::vector<QuantumAtom> atoms_;
  std::vector<double> charges_;                 ///< of the nuclei, as first printed
  std::map<std::int64_t, std::int64_t> cores_;  ///< electrons of effective cores by the atom's number
  std::vector<Step> steps_;
  GamessBasis basis_;
  std::int64_t alpha_ = 0, beta_ = 0;
  std::optional<double> charge_;
  bool semi_empirical_ = false;  ///< electrons of the valence shells only
};

/// Rows "name charge x y z" up to the first line that is none.
void Reader::geometry(double scale) {
  Step step;
  step.line = lines_.number();
  std::vector<QuantumAtom> atoms;
  std::vector<double> charges;
  while (lines_.next()) {
    const std::vector<std::string_view> fields = split(lines_.line());
    const auto charge = fields.size() == 5 ? parse_real(fields[1]) : std::nullopt;
    if (!charge || !parse_real(fields[2])) {
      if (atoms.empty() && !fields.empty()) continue;  // the heads of the columns
      if (atoms.empty()) lines_.fail("a geometry without atoms");
      break;
    }
    glm::dvec3 position;
    for (int i = 0; i < 3; ++i) {
      position[i] = lines_.coordinate(fields[static_cast<std::size_t>(2 + i)], "coordinate", scale);
    }
    step.positions.push_back(position);
    atoms.push_back(quantum_atom(static_cast<std::int64_t>(std::clamp(*charge, 0.0, 1000.0) + 0.5)));
    charges.push_back(std::max(0.0, *charge));  // a ghost's is negative
  }
  if (atoms_.empty()) {
    atoms_ = atoms;
    charges_ = charges;
  }
  if (atoms.size() != atoms_.size()) {
    lines_.fail(fmt::format("a geometry of {} atoms after one of {}", atoms.size(), atoms_.size()));
  }
  const auto same = [&](const Step& last) {
    return std::equal(last.positions.begin(), last.positions.end(), step.positions.begin(),
                      [](glm::dvec3 a, glm::dvec3 b) { return glm::distance(a, b) < 1e-6; });
  };
  // The input geometry is printed again as the first step of a search.
  if (!steps_.empty() && same(steps_.back())) return;
  steps_.push_back(std::move(step));
}

/// PARAMETERS FOR "MO-ECP  " ON ATOM    1 WITH ZCORE  28 AND LMAX  3 ARE, or ... ON ATOM    4 ARE THE SAME AS ATOM   3.
void Reader::core(std::string_view line) {
  const auto number_after = [&](std::string_view words) -> std::optional<std::int64_t> {
    const std::size_t at = line.rfind(words);
    if (at == std::string_view::npos) return std::nullopt;
    std::string_view rest = line.substr(at + words.size());
    return lines_.integer(next_token(rest), "number in the line of an effective core potential", 0, 1'000'000);
  };
  const std::size_t on = line.find(" ON ATOM ");
  if (on == std::string_view::npos) return;
  std::string_view rest = line.substr(on + 9);
  const std::int64_t atom = lines_.integer(next_token(rest), "number of the atom", 1,
                                           static_cast<std::int64_t>(std::max<std::size_t>(1, atoms_.size())));
  if (const auto electrons = number_after(" WITH ZCORE ")) {
    cores_[atom] = *electrons;
  } else if (const auto same = number_after(" ARE THE SAME AS ATOM ")) {
    const auto known = cores_.find(*same);
    if (known == cores_.end()) lines_.fail(fmt::format("atom {} has no effective core potential before", *same));
    cores_[atom] = known->second;
  }
}

/// Up to five orbitals side by side: numbers, energies, symmetries, then a row for each function.
void Reader::block(Step& step, Spin spin, const std::vector<std::string_view>& numbers) {
  const std::size_t count = numbers.size(), first = step.orbitals.size();
  const std::vector<std::string_view> energies = split(lines_.require("orbital energies"));
  if (energies.size() != count) lines_.fail(fmt::format("{} energies for {} orbitals", energies.size(), count));
  for (const std::string_view energy : energies) {
    Orbital orbital;
    orbital.spin = spin;
    orbital.energy = lines_.real(energy, "orbital energy");
    step.orbitals.push_back(orbital);
    step.rows.emplace_back();
  }
  const std::vector<std::string_view> symmetries = split(lines_.require("symmetries"));
  for (std::size_t i = 0; i < std::min(count, symmetries.size()); ++i) {
    step.orbitals[first + i].symmetry = clean(symmetries[i], 16);
  }
  for (std::size_t row = 0; row < basis_.function_count(); ++row) {
    const std::string_view line = lines_.require("the coefficients of a function");
    const auto function = static_cast<std::uint32_t>(basis_.function_of_row(lines_, columns(line, 6, 15), row));
    for (std::size_t i = 0; i < count; ++i) {
      const double value = lines_.real(columns(line, 16 + 11 * i, 26 + 11 * i), "orbital coefficient");
      step.rows[first + i].push_back({function, value});
    }
  }
}

void Reader::eigenvectors(Spin spin) {
  if (steps_.empty()) lines_.fail("orbitals before any geometry");
  if (basis_.shells().empty()) {
    molecule_.warnings.push_back("The log prints orbitals but not their basis (NPRINT), so that they are left out.");
    return;
  }
  Step& step = steps_.back();
  const auto others = [&](const Orbital& orbital) { return spin == Spin::beta && orbital.spin == Spin::alpha; };
  if (!std::all_of(step.orbitals.begin(), step.orbitals.end(), others)) {
    // Printed a second time for this geometry: the last ones are the converged ones.
    step.orbitals.clear();
    step.rows.clear();
  }
  while (lines_.next()) {
    const std::string_view line = trimmed(lines_.line());
    if (line.empty() || line.starts_with("---")) continue;
    const std::vector<std::string_view> numbers = split(line);
    const bool head = numbers.size() <= 10 && std::all_of(numbers.begin(), numbers.end(), [](std::string_view f) {
                        return parse_integer(f).has_value();
                      });
    if (!head) return;
    block(step, spin, numbers);
  }
}

std::shared_ptr<const Orbitals> Reader::orbitals(Step& step) {
  if (step.orbitals.empty()) return nullptr;
  FileOrbitals file;
  file.format = "GAMESS log";
  file.order = {gamess_powers, nullptr};
  file.shells = basis_.shells();
  file.centres = step.positions;
  file.orbitals = std::move(step.orbitals);
  file.rows = std::move(step.rows);
  const bool unrestricted =
      std::any_of(file.orbitals.begin(), file.orbitals.end(), [](const Orbital& o) { return o.spin == Spin::beta; });
  occupy(file.orbitals, alpha_, beta_, unrestricted);
  file.stated_electrons = static_cast<double>(alpha_ + beta_);
  if (charge_ && !semi_empirical_ && charges_.size() == file.centres.size()) {
    file.stated_charge = charge_;
    file.nuclear_charges = charges_;
    for (const auto& [atom, electrons] : cores_)
      file.nuclear_charges[static_cast<std::size_t>(atom - 1)] -= static_cast<double>(electrons);
  }
  return checked_orbitals(file, *source_, step.line, molecule_.warnings);
}

Molecule Reader::read() {
  molecule_.format = gamess_format.name;
  Spin spin = Spin::alpha;
  while (lines_.next()) {
    const std::string_view line = trimmed(lines_.line());
    if (line.size() < 9) continue;
    const auto is = [&](std::string_view words) { return line.starts_with(words); };
    if (is("ATOM      ATOMIC") && line.find("(BOHR)") != std::string_view::npos && steps_.empty()) {
      geometry(1);
    } else if (is("COORDINATES OF ALL ATOMS ARE (ANGS)")) {
      geometry(units::angstrom_in_bohr);
      spin = Spin::alpha;
    } else if (is("ATOMIC BASIS SET")) {
      if (atoms_.empty()) lines_.fail("a basis before the atoms");
      basis_.read(lines_, atoms_.size());
    } else if (is("NUMBER OF OCCUPIED ORBITALS (ALPHA)") || is("NUMBER OF OCCUPIED ORBITALS (BETA")) {
      const std::size_t equals = line.find('=');
      if (equals == std::string_view::npos) continue;
      (is("NUMBER OF OCCUPIED ORBITALS (A") ? alpha_ : beta_) =
          lines_.integer(line.substr(equals + 1), "number of occupied orbitals", 0, 1'000'000);
    } else if (is("CHARGE OF MOLECULE")) {
      const std::size_t equals = line.find('=');
      if (equals != std::string_view::npos) charge_ = lines_.real(line.substr(equals + 1), "charge of the molecule");
    } else if (is("PARAMETERS FOR \"")) {
      core(line);
    } else if (is("GBASIS=")) {
      const std::string_view basis = trimmed(line.substr(7)).substr(0, 4);
      semi_empirical_ =
          basis.starts_with("AM1") || basis.starts_with("PM3") || basis.starts_with("RM1") || basis.starts_with("MNDO");
    } else if (line.find("--- ALPHA SET ---") != std::string_view::npos) {
      spin = Spin::alpha;
    } else if (line.find("--- BETA SET ---") != std::string_view::npos) {
      spin = Spin::beta;
    } else if (line == "EIGENVECTORS" || line == "MOLECULAR ORBITALS") {
      eigenvectors(spin);
    }
  }
  fill_log_molecule(molecule_, atoms_, steps_, *source_, [this](Step& step) { return orbitals(step); });
  return std::move(molecule_);
}

int sniff(const ByteSource& source) {
  const std::string_view head = source.text().substr(0, 32'768);
  for (const std::string_view words : {"GAMESS VERSION =", "PC GAMESS version", "Firefly version"}) {
    if (head.find(words) != std::string_view::npos) return 90;
  }
  return 0;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  return Reader(std::move(source)).read();
}

}  // namespace

const Format gamess_format = {"GAMESS log", "gms gamess gamout log out", "orbitals", sniff, read};

}  // namespace isolume
