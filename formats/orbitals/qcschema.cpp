// QCSchema results and molecules (MolSSI): geometry, basis and orbitals.
#include "formats/orbitals/qcschema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "formats/orbitals/gamess_basis.h"
#include "formats/orbitals/json_document.h"
#include "formats/orbitals/qcschema_basis.h"
#include "formats/orbitals/quantum_molecule.h"
#include "molecule/base/error.h"
#include "molecule/elements.h"

namespace isolume {
namespace {

using Json = nlohmann::json;

/// The order of the Common Component Architecture, which QCSchema prescribes: Cartesian functions xx xy xz yy yz zz,
/// spherical ones from m = -l to l.
int cca_m(int l, int n) {
  return n - l;
}

class Reader {
 public:
  explicit Reader(std::shared_ptr<const ByteSource> source) : source_(std::move(source)), file_(*source_) {}
  Molecule read();

 private:
  void add_result(const Json& result);
  QuantumFrame geometry(const Json& molecule);
  std::shared_ptr<const Orbitals> orbitals(const Json& result, const QuantumFrame& frame);
  void spin(const Json& wave, Spin spin, std::size_t functions, bool by_function, FileOrbitals& out) const;
  const Json* quantity(const Json& wave, const std::string& name) const;
  void add_bonds(const Json& molecule);

  std::shared_ptr<const ByteSource> source_;
  JsonFile file_;
  Molecule molecule_;
  std::vector<QuantumAtom> atoms_;
  std::vector<Bond> bonds_;
  std::vector<QuantumFrame> frames_;
};

/// Symbols and positions (bohr); atoms that are not "real" are ghosts.
QuantumFrame Reader::geometry(const Json& molecule) {
  const Json& symbols = file_.need(molecule, "symbols");
  const std::vector<double> positions = file_.numbers(file_.need(molecule, "geometry"), "molecule.geometry");
  if (!symbols.is_array() || symbols.empty() || positions.size() != 3 * symbols.size()) {
    file_.fail(fmt::format("molecule: {} symbols and {} coordinates", symbols.size(), positions.size()));
  }
  const Json* real = JsonFile::find(molecule, "real");
  std::vector<QuantumAtom> atoms;
  QuantumFrame frame;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const bool ghost = real != nullptr && real->is_array() && i < real->size() && (*real)[i] == false;
    const std::string symbol = file_.text(symbols[i], "molecule.symbols");
    atoms.push_back(quantum_atom(ghost ? 0 : element_from_symbol(symbol)));
    const glm::dvec3 p(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
    if (!(glm::length(p) < 1e6)) file_.fail("an atom is farther than a million bohr from the origin");
    frame.positions.push_back(p);
  }
  if (atoms_.empty()) {
    atoms_ = atoms;
    add_bonds(molecule);
  }
  const bool same = std::equal(atoms.begin(), atoms.end(), atoms_.begin(), atoms_.end(),
                               [](const QuantumAtom& a, const QuantumAtom& b) { return a.element == b.element; });
  if (!same) file_.fail(fmt::format("step {} has other atoms than the first one", frames_.size()));
  return frame;
}

void Reader::add_bonds(const Json& molecule) {
  const Json* list = JsonFile::find(molecule, "connectivity");
  if (list == nullptr || !list->is_array()) return;
  const auto last = static_cast<std::int64_t>(atoms_.size()) - 1;
  for (const Json& bond : *list) {
    if (!bond.is_array() || bond.size() < 2) file_.fail("molecule.connectivity: expected [atom, atom, order]");
    const auto a = static_cast<std::uint32_t>(file_.integer(bond[0], "molecule.connectivity", 0, last));
    const auto b = static_cast<std::uint32_t>(file_.integer(bond[1], "molecule.connectivity", 0, last));
    const double order = bond.size() > 2 ? file_.number(bond[2], "molecule.connectivity") : 1;
    if (a == b) file_.fail("molecule.connectivity: a bond of an atom with itself");
    const auto rounded = order > 1.2 && order < 1.8 ? 4 : static_cast<int>(std::lround(std::clamp(order, 1.0, 3.0)));
    bonds_.push_back({std::min(a, b), std::max(a, b), static_cast<std::uint8_t>(rounded)});
  }
}

/// A quantity of the wave function: what "orbitals_a" points at, or the SCF's.
const Json* Reader::quantity(const Json& wave, const std::string& name) const {
  if (const Json* pointer = JsonFile::find(wave, name); pointer != nullptr && pointer->is_string()) {
    return JsonFile::find(wave, pointer->get_ref<const std::string&>());
  }
  return JsonFile::find(wave, "scf_" + name);
}

void Reader::spin(const Json& wave, Spin spin, std::size_t functions, bool by_function, FileOrbitals& out) const {
  const std::string suffix = spin == Spin::alpha ? "_a" : "_b";
  const Json* matrix = quantity(wave, "orbitals" + suffix);
  if (matrix == nullptr || functions == 0) return;
  const std::vector<double> values = file_.numbers(*matrix, "wavefunction.orbitals" + suffix);
  const auto list = [&](const std::string& name) {
    const Json* found = quantity(wave, name + suffix);
    return found == nullptr ? std::vector<double>() : file_.numbers(*found, "wavefunction." + name + suffix);
  };
  const std::vector<double> energies = list("eigenvalues"), occupations = list("occupations");
  if (values.size() % functions != 0) {
    file_.fail(fmt::format("wavefunction.orbitals{}: {} values, no multiple of the {} functions", suffix, values.size(),
                           functions));
  }
  const std::size_t count = values.size() / functions;
  for (std::size_t i = 0; i < count; ++i) {
    Orbital orbital;
    orbital.spin = spin;
    if (i < energies.size()) orbital.energy = energies[i];
    if (i < occupations.size()) orbital.occupation = occupations[i];
    std::vector<FileCoefficient> row;
    for (std::size_t k = 0; k < functions; ++k) {
      row.push_back({static_cast<std::uint32_t>(k), values[by_function ? k * count + i : i * functions + k]});
    }
    out.orbitals.push_back(orbital);
    out.rows.push_back(std::move(row));
  }
}

/// p functions by m (y z x) brought into the order x y z.
void turn_p(FileOrbitals& file) {
  static constexpr std::uint32_t places[] = {1, 2, 0};
  std::vector<std::uint32_t> place;
  for (const FileShell& shell : file.shells) {
    const auto first = static_cast<std::uint32_t>(place.size());
    const int count = shell.spherical ? 2 * shell.l + 1 : (shell.l + 1) * (shell.l + 2) / 2;
    for (int n = 0; n < count; ++n) {
      place.push_back(first + (shell.l == 1 ? places[n] : static_cast<std::uint32_t>(n)));
    }
  }
  for (auto& row : file.rows) {
    for (FileCoefficient& c : row) c.function = place[c.function];
  }
}

std::shared_ptr<const Orbitals> Reader::orbitals(const Json& result, const QuantumFrame& frame) {
  const Json* wave = JsonFile::find(result, "wavefunction");
  if (wave == nullptr || !wave->is_object()) return nullptr;
  FileOrbitals base;
  base.format = "QCSchema";
  base.order = {gamess_powers, cca_m};
  base.centres = frame.positions;
  std::size_t coefficients = 0;
  for (const char* matrix : {"orbitals_a", "orbitals_b"}) {
    if (const Json* found = quantity(*wave, matrix)) coefficients += file_.numbers(*found, matrix).size();
  }
  constexpr std::size_t without_orbitals = 100'000;
  base.shells =
      qcschema_shells(file_, file_.need(*wave, "basis"),
                      {atoms_.size(), coefficients > 0 ? coefficients : without_orbitals, source_->bytes().size()});
  std::size_t functions = 0;
  bool spherical = false;
  for (const FileShell& shell : base.shells) {
    functions += functions_of(shell);
    spherical = spherical || shell.spherical;
  }
  std::shared_ptr<const Orbitals> best;
  std::vector<std::string> best_warnings;
  // The schema leaves open whether the functions or the orbitals run fastest, and whether p functions of spherical
  // bases go by m as the others do; the self-check says which.
  for (const bool by_function : {true, false}) {
    for (const bool p_by_m : {true, false}) {
      if (p_by_m && !spherical) continue;
      FileOrbitals file = base;
      spin(*wave, Spin::alpha, functions, by_function, file);
      const std::size_t alpha = file.orbitals.size();
      spin(*wave, Spin::beta, functions, by_function, file);
      if (file.orbitals.empty()) return nullptr;
      const bool unrestricted = file.orbitals.size() > alpha;
      double electrons = 0;
      for (const Orbital& orbital : file.orbitals) electrons += orbital.occupation;
      const Json* properties = JsonFile::find(result, "properties");
      const auto count = [&](const char* key) -> std::int64_t {
        const Json* found = properties == nullptr ? nullptr : JsonFile::find(*properties, key);
        return found == nullptr ? 0 : file_.integer(*found, key, 0, 1'000'000);
      };
      if (electrons == 0) {
        occupy(file.orbitals, count("calcinfo_nalpha"), count("calcinfo_nbeta"), unrestricted);
      } else if (!unrestricted) {  // those of alpha stand for beta too
        const auto beta = quantity(*wave, "occupations_b");
        const std::vector<double> others =
            beta ? file_.numbers(*beta, "wavefunction.occupations_b") : std::vector<double>();
        for (std::size_t i = 0; i < file.orbitals.size(); ++i) {
          double& n = file.orbitals[i].occupation;
          n += i < others.size() ? others[i] : n <= 1 ? n : 0;
        }
      }
      if (p_by_m) turn_p(file);
      std::vector<std::string> warnings;
      auto found = checked_orbitals(file, *source_, 0, warnings);
      if (!found) return nullptr;
      if (!best || found->norm_residual < best->norm_residual) {
        best = std::move(found);
        best_warnings = std::move(warnings);
      }
      if (best->norm_residual <= 1e-4) break;
    }
    if (best && best->norm_residual <= 1e-4) break;
  }
  molecule_.warnings.insert(molecule_.warnings.end(), best_warnings.begin(), best_warnings.end());
  return best;
}

void Reader::add_result(const Json& result) {
  const Json* molecule = JsonFile::find(result, "molecule");
  QuantumFrame frame = geometry(molecule != nullptr ? *molecule : result);
  frame.orbitals = orbitals(result, frame);
  frames_.push_back(std::move(frame));
}

Molecule Reader::read() {
  molecule_.format = qcschema_format.name;
  const Json tree = parse_json(*source_);
  if (!tree.is_object()) file_.fail("a QCSchema file is an object");
  const Json* steps = JsonFile::find(tree, "trajectory");  // of an optimisation
  if (steps == nullptr) steps = JsonFile::find(tree, "trajectory_results");
  if (steps != nullptr && steps->is_array() && !steps->empty()) {
    for (const Json& step : *steps) add_result(step);
  } else if (JsonFile::find(tree, "molecule") == nullptr && JsonFile::find(tree, "initial_molecule") != nullptr) {
    frames_.push_back(geometry(file_.need(tree, "initial_molecule")));
  } else {
    add_result(tree);
  }
  const Json* model = JsonFile::find(tree, "model");
  const Json* method = model == nullptr ? nullptr : JsonFile::find(*model, "method");
  const Json* basis = model == nullptr ? nullptr : JsonFile::find(*model, "basis");
  if (method != nullptr && method->is_string()) molecule_.title = file_.text(*method, "model.method");
  if (basis != nullptr && basis->is_string()) molecule_.title += "/" + file_.text(*basis, "model.basis");
  fill_molecule(molecule_, atoms_, std::move(frames_), std::move(bonds_));
  if (molecule_.orbitals.empty()) {
    molecule_.warnings.push_back(
        "The file has no wave function: ask for it with \"protocols\": {\"wavefunction\": "
        "\"orbitals_and_eigenvalues\"}.");
  }
  return std::move(molecule_);
}

int sniff(const ByteSource& source) {
  return json_mentions(source, 1 << 20, {"\"qcschema_", "\"qc_schema"}) ? 95 : 0;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  return Reader(std::move(source)).read();
}

}  // namespace

const Format qcschema_format = {"QCSchema", "json qcjson", "orbitals", sniff, read};

}  // namespace isolume
