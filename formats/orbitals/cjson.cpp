// Chemical JSON files: geometries, bonds, basis, orbitals and one volume.
#include "formats/orbitals/cjson.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "formats/bytes/text.h"
#include "formats/orbitals/gaussian_order.h"
#include "formats/orbitals/json_document.h"
#include "formats/orbitals/quantum_molecule.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

using Json = nlohmann::json;

class Reader {
 public:
  explicit Reader(std::shared_ptr<const ByteSource> source) : source_(std::move(source)), file_(*source_) {}
  Molecule read();

 private:
  void atoms(const Json& tree);
  std::vector<glm::dvec3> positions(const Json& list, const char* what) const;
  std::vector<Bond> bonds(const Json& tree) const;
  std::vector<FileShell> shells(const Json& basis) const;
  std::shared_ptr<const Orbitals> orbitals(const Json& tree, const std::vector<glm::dvec3>& centres);
  void spin(const Json& orbitals, Spin spin, std::size_t functions, FileOrbitals& out) const;
  std::shared_ptr<const Volume> volume(const Json& cube) const;

  std::shared_ptr<const ByteSource> source_;
  JsonFile file_;
  Molecule molecule_;
  std::vector<QuantumAtom> atoms_;
};

void Reader::atoms(const Json& tree) {
  const Json& atoms = file_.need(tree, "atoms");
  for (const double z : file_.numbers(file_.need(file_.need(atoms, "elements"), "number"), "atoms.elements.number")) {
    atoms_.push_back(quantum_atom(static_cast<std::int64_t>(std::clamp(z, 0.0, 1000.0))));
  }
  if (atoms_.empty()) file_.fail("the file has no atoms");
  const Json* charges = JsonFile::find(atoms, "partialCharges");
  if (charges == nullptr || !charges->is_object() || charges->empty()) return;
  const auto chosen = charges->contains("Mulliken") ? charges->find("Mulliken") : charges->begin();
  const std::vector<double> values = file_.numbers(*chosen, "atoms.partialCharges");
  for (std::size_t i = 0; i < std::min(values.size(), atoms_.size()); ++i) {
    atoms_[i].charge = static_cast<float>(values[i]);
  }
}

/// x y z of every atom, given in angstrom, in bohr.
std::vector<glm::dvec3> Reader::positions(const Json& list, const char* what) const {
  const std::vector<double> values = file_.numbers(list, what);
  if (values.size() != 3 * atoms_.size()) {
    file_.fail(fmt::format("{}: {} numbers for {} atoms", what, values.size(), atoms_.size()));
  }
  std::vector<glm::dvec3> out;
  for (std::size_t i = 0; i < values.size(); i += 3) {
    out.emplace_back(glm::dvec3(values[i], values[i + 1], values[i + 2]) * units::angstrom_in_bohr);
    if (!(glm::length(out.back()) < 1e6)) file_.fail("an atom is farther than a million bohr from the origin");
  }
  return out;
}

std::vector<Bond> Reader::bonds(const Json& tree) const {
  std::vector<Bond> out;
  const Json* list = JsonFile::find(tree, "bonds");
  const Json* connections = list == nullptr ? nullptr : JsonFile::find(*list, "connections");
  if (connections == nullptr) return out;
  const std::vector<double> atoms = file_.numbers(file_.need(*connections, "index"), "bonds.connections.index");
  const Json* given = JsonFile::find(*list, "order");
  const std::vector<double> orders = given == nullptr ? std::vector<double>() : file_.numbers(*given, "bonds.order");
  for (std::size_t i = 0; i + 1 < atoms.size(); i += 2) {
    const auto last = static_cast<double>(atoms_.size()) - 1;
    const bool whole = atoms[i] == std::floor(atoms[i]) && atoms[i + 1] == std::floor(atoms[i + 1]);
    if (!whole || !(atoms[i] >= 0 && atoms[i] <= last && atoms[i + 1] >= 0 && atoms[i + 1] <= last) ||
        atoms[i] == atoms[i + 1]) {
      file_.fail(fmt::format("bonds.connections.index: a bond from {} to {} of {} atoms", atoms[i], atoms[i + 1],
                             atoms_.size()));
    }
    const auto a = static_cast<std::uint32_t>(atoms[i]), b = static_cast<std::uint32_t>(atoms[i + 1]);
    const double order = i / 2 < orders.size() ? std::clamp(orders[i / 2], 1.0, 3.0) : 1.0;
    out.push_back({std::min(a, b), std::max(a, b), static_cast<std::uint8_t>(order)});
  }
  return out;
}

/// Shell types as in Gaussian's checkpoint files: 0 s, 1 p, -1 sp, 2 Cartesian d, -2 spherical d, ...
std::vector<FileShell> Reader::shells(const Json& basis) const {
  const auto list = [&](const char* key) {
    return file_.numbers(file_.need(basis, key), std::string("basisSet.") + key);
  };
  const std::vector<double> types = list("shellTypes"), counts = list("primitivesPerShell"),
                            centres = list("shellToAtomMap"), exponents = list("exponents"),
                            coefficients = list("coefficients");
  if (counts.size() < types.size() || centres.size() != types.size() || coefficients.size() != exponents.size()) {
    file_.fail(fmt::format("basisSet: {} types, {} numbers of primitives, {} atoms, {} exponents, {} coefficients",
                           types.size(), counts.size(), centres.size(), exponents.size(), coefficients.size()));
  }
  std::vector<FileShell> out;
  std::size_t first = 0;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i] != std::floor(types[i]) || std::abs(types[i]) > 6 || types[i] == -1) {
      file_.fail(fmt::format("basisSet.shellTypes: shell {} has the type {}", i + 1, types[i]));
    }
    if (!(counts[i] >= 1) || counts[i] > static_cast<double>(exponents.size() - first)) {
      file_.fail(fmt::format("basisSet: shell {} has {} primitives where {} are left", i + 1, counts[i],
                             exponents.size() - first));
    }
    if (!(centres[i] >= 0) || centres[i] >= static_cast<double>(atoms_.size())) {
      file_.fail(
          fmt::format("basisSet.shellToAtomMap: shell {} is on atom {} of {}", i + 1, centres[i], atoms_.size()));
    }
    FileShell shell;
    shell.centre = static_cast<std::uint32_t>(centres[i]);
    shell.l = static_cast<int>(std::abs(types[i]));
    shell.spherical = types[i] < 0;
    const std::size_t last = first + static_cast<std::size_t>(counts[i]);
    for (; first < last; ++first) {
      if (!(exponents[first] > 1e-100 && exponents[first] < 1e100)) file_.fail("an exponent must be positive");
      shell.exponents.push_back(exponents[first]);
      shell.coefficients.push_back(coefficients[first]);
    }
    out.push_back(std::move(shell));
  }
  return out;
}

void Reader::spin(const Json& orbitals, Spin spin, std::size_t functions, FileOrbitals& out) const {
  const bool alpha = spin == Spin::alpha;
  const auto find = [&](const char* restricted, const char* a, const char* b) {
    const Json* found = JsonFile::find(orbitals, alpha ? a : b);
    return found == nullptr && alpha ? JsonFile::find(orbitals, restricted) : found;
  };
  const auto list = [&](const Json* json, const char* what) {
    return json == nullptr ? std::vector<double>() : file_.numbers(*json, std::string("orbitals.") + what);
  };
  const std::vector<double> values =
      list(find("moCoefficients", "alphaCoefficients", "betaCoefficients"), "moCoefficients");
  const std::vector<double> energies = list(find("energies", "alphaEnergies", "betaEnergies"), "energies");
  const std::vector<double> occupations =
      list(find("occupations", "alphaOccupations", "betaOccupations"), "occupations");
  const Json* symmetries = find("symmetries", "alphaSymmetries", "betaSymmetries");
  if (values.empty()) return;
  if (functions == 0 || values.size() % functions != 0) {
    file_.fail(
        fmt::format("orbitals: {} coefficients, no multiple of the {} basis functions", values.size(), functions));
  }
  for (std::size_t i = 0; i < values.size() / functions; ++i) {
    Orbital orbital;
    orbital.spin = spin;
    if (i < energies.size()) orbital.energy = energies[i] / units::hartree_in_ev;
    if (i < occupations.size()) orbital.occupation = occupations[i];
    if (symmetries != nullptr && symmetries->is_array() && i < symmetries->size() && (*symmetries)[i].is_string()) {
      orbital.symmetry = clean((*symmetries)[i].get_ref<const std::string&>(), 16);
    }
    std::vector<FileCoefficient> row;
    for (std::size_t k = 0; k < functions; ++k) {
      row.push_back({static_cast<std::uint32_t>(k), values[i * functions + k]});
    }
    out.orbitals.push_back(std::move(orbital));
    out.rows.push_back(std::move(row));
  }
}

std::shared_ptr<const Orbitals> Reader::orbitals(const Json& tree, const std::vector<glm::dvec3>& centres) {
  const Json* basis = JsonFile::find(tree, "basisSet");
  const Json* list = JsonFile::find(tree, "orbitals");
  if (basis == nullptr || list == nullptr) return nullptr;
  FileOrbitals file;
  file.format = "Chemical JSON";
  file.order = gaussian_order;
  file.centres = centres;
  file.shells = shells(*basis);
  std::size_t functions = 0;
  for (const FileShell& shell : file.shells) {
    functions += static_cast<std::size_t>(shell.spherical ? 2 * shell.l + 1 : (shell.l + 1) * (shell.l + 2) / 2);
  }
  spin(*list, Spin::alpha, functions, file);
  const std::size_t alpha = file.orbitals.size();
  spin(*list, Spin::beta, functions, file);
  const bool occupied =
      std::any_of(file.orbitals.begin(), file.orbitals.end(), [](const Orbital& o) { return o.occupation != 0; });
  if (!occupied) {
    const Json* count = JsonFile::find(*list, "electronCount");
    const Json* properties = JsonFile::find(tree, "properties");
    const Json* spins = properties == nullptr ? nullptr : JsonFile::find(*properties, "totalSpinMultiplicity");
    const std::int64_t electrons =
        count == nullptr ? 0 : file_.integer(*count, "orbitals.electronCount", 0, 1'000'000'000);
    const std::int64_t unpaired =
        spins == nullptr ? electrons % 2 : file_.integer(*spins, "properties.totalSpinMultiplicity", 1, 1000) - 1;
    occupy(file.orbitals, (electrons + unpaired) / 2, (electrons - unpaired) / 2, file.orbitals.size() > alpha);
  }
  return checked_orbitals(file, *source_, 0, molecule_.warnings);
}

/// Angstrom, z fastest.
std::shared_ptr<const Volume> Reader::volume(const Json& cube) const {
  const std::vector<double> counts = file_.numbers(file_.need(cube, "dimensions"), "cube.dimensions");
  const std::vector<double> origin = file_.numbers(file_.need(cube, "origin"), "cube.origin");
  const std::vector<double> step = file_.numbers(file_.need(cube, "spacing"), "cube.spacing");
  const std::vector<double> values = file_.numbers(file_.need(cube, "scalars"), "cube.scalars");
  if (counts.size() != 3 || origin.size() != 3 || step.size() != 3) file_.fail("cube: expected three numbers each");
  auto volume = std::make_shared<Volume>();
  double points = 1;
  for (int i = 0; i < 3; ++i) {
    const auto axis = static_cast<std::size_t>(i);
    if (!(counts[axis] >= 1 && counts[axis] <= 1e6) || !(step[axis] > 0)) file_.fail("cube: no grid");
    points *= std::floor(counts[axis]);
    volume->grid.counts[i] = static_cast<int>(counts[axis]);
    volume->grid.origin[i] = origin[axis];
    volume->grid.step[i] = glm::dvec3(0);
    volume->grid.step[i][i] = step[axis];
  }
  if (points != static_cast<double>(values.size())) {
    file_.fail(fmt::format("cube: {} values for {} points", values.size(), points));
  }
  const auto nx = static_cast<std::size_t>(volume->grid.counts.x), ny = static_cast<std::size_t>(volume->grid.counts.y),
             nz = static_cast<std::size_t>(volume->grid.counts.z);
  volume->values.resize(values.size());
  for (std::size_t i = 0; i < nx; ++i) {
    for (std::size_t j = 0; j < ny; ++j) {
      for (std::size_t k = 0; k < nz; ++k) {
        volume->values[i + nx * (j + ny * k)] = static_cast<float>(values[(i * ny + j) * nz + k]);
      }
    }
  }
  volume->name = "cube";
  return volume;
}

Molecule Reader::read() {
  molecule_.format = cjson_format.name;
  const Json tree = parse_json(*source_);
  if (const Json* name = JsonFile::find(tree, "name"); name != nullptr && name->is_string()) {
    molecule_.title = file_.text(*name, "name");
  }
  atoms(tree);
  const Json& coordinates = file_.need(file_.need(tree, "atoms"), "coords");
  QuantumFrame own;
  own.positions = positions(file_.need(coordinates, "3d"), "atoms.coords.3d");
  own.orbitals = orbitals(tree, own.positions);
  std::vector<QuantumFrame> frames;
  if (const Json* sets = JsonFile::find(coordinates, "3dSets"); sets != nullptr && sets->is_array()) {
    for (const Json& set : *sets) frames.push_back({positions(set, "atoms.coords.3dSets"), nullptr});
  }
  const auto same = std::find_if(frames.begin(), frames.end(), [&](const QuantumFrame& frame) {
    return std::equal(frame.positions.begin(), frame.positions.end(), own.positions.begin(),
                      [](glm::dvec3 a, glm::dvec3 b) { return glm::distance(a, b) < 1e-6; });
  });
  if (same != frames.end()) {
    same->orbitals = own.orbitals;
  } else {
    frames.push_back(std::move(own));
  }
  fill_molecule(molecule_, atoms_, std::move(frames), bonds(tree));
  if (const Json* cube = JsonFile::find(tree, "cube")) molecule_.volumes.push_back(volume(*cube));
  return std::move(molecule_);
}

int sniff(const ByteSource& source) {
  return json_mentions(source, std::size_t{1} << 24, {"\"chemicalJson\"", "\"chemical json\"", "\"chemical-json\""})
             ? 95
             : 0;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  return Reader(std::move(source)).read();
}

}  // namespace

const Format cjson_format = {"Chemical JSON", "cjson", "orbitals", sniff, read};

}  // namespace isolume
