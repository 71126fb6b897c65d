// Molden files: geometries, basis and orbitals.
#include "formats/orbitals/molden.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "formats/orbitals/molden_order.h"
#include "formats/orbitals/molden_reader.h"
#include "formats/orbitals/orbital_conventions.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/elements.h"

namespace isolume {
namespace {

Frame frame_of(const std::vector<glm::dvec3>& positions) {
  Frame frame;
  frame.precise_positions = positions;
  frame.positions.assign(positions.begin(), positions.end());
  return frame;
}

bool same_positions(const std::vector<glm::dvec3>& a, const std::vector<glm::dvec3>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](glm::dvec3 p, glm::dvec3 q) {
           return glm::all(glm::lessThan(glm::abs(p - q), glm::dvec3(1e-3)));
         });
}

std::shared_ptr<const Orbitals> orbitals_of(MoldenBlock& block, const ByteSource& source,
                                            std::vector<std::string>& warnings) {
  if (!block.has_basis || block.orbitals.shells.empty() || block.orbitals.orbitals.empty()) return nullptr;
  for (const MoldenAtom& atom : block.atoms) block.orbitals.centres.push_back(atom.position);
  block.orbitals.order = molden_order;
  block.orbitals.names_orca = block.title.find("orca") != std::string::npos;
  for (FileShell& shell : block.orbitals.shells) shell.spherical = block.spherical[static_cast<std::size_t>(shell.l)];
  for (std::size_t l = 0; l < 7; ++l) block.orbitals.maybe_spherical[l] = !block.declared[l];
  std::uint64_t functions = 0;
  for (const FileShell& shell : block.orbitals.shells) {
    functions += static_cast<std::uint64_t>((shell.l + 1) * (shell.l + 2) / 2);
  }
  // A file may leave out zeros, but not so many that a small one fills the memory.
  const auto bytes = checked_product(functions * sizeof(double), block.orbitals.orbitals.size());
  if (!bytes || *bytes > (std::uint64_t{256} << 20) + 64 * source.bytes().size()) {
    throw Error::in_file(source.name(), block.orbital_line,
                         fmt::format("{} orbitals over {} functions are far more than the file has coefficients",
                                     block.orbitals.orbitals.size(), functions));
  }
  for (const MoldenAtom& atom : block.atoms) block.orbitals.nuclear_charges.push_back(atom.charge);
  try {
    return std::make_shared<const Orbitals>(convert_orbitals(block.orbitals, warnings));
  } catch (const Error& error) {
    throw Error::in_file(source.name(), block.orbital_line, error.what());
  }
}

}  // namespace

/// A file that lists every coefficient of every orbital but the last few of the last one was cut there.
void MoldenReader::drop_cut_orbital() {
  FileOrbitals& target = block().orbitals;
  const std::size_t count = target.rows.size();
  if (count < 2) return;
  const std::size_t full = target.rows.front().size();
  for (std::size_t i = 0; i + 1 < count; ++i) {
    if (target.rows[i].size() != full || target.rows[i].empty() || target.rows[i].back().function + 1 != full) return;
  }
  if (target.rows.back().size() >= full) return;
  target.rows.pop_back();
  target.orbitals.pop_back();
  warnings.push_back(
      fmt::format("The file ends inside orbital {}; the {} whole ones before it are read.", count, count - 1));
}

void MoldenBlock::take_numbers(const std::vector<std::int64_t>& numbers) {
  constexpr std::uint32_t none = 0xffffffffu;
  by_number.assign(numbers.size(), none);
  bool in_order = true;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::int64_t n = numbers[i];
    // Numbers that are missing or there twice say nothing.
    if (n < 1 || n > static_cast<std::int64_t>(numbers.size()) || by_number[static_cast<std::size_t>(n - 1)] != none) {
      in_order = true;
      break;
    }
    by_number[static_cast<std::size_t>(n - 1)] = static_cast<std::uint32_t>(i);
    in_order = in_order && n == static_cast<std::int64_t>(i) + 1;
  }
  if (in_order) by_number.clear();
}

namespace {

Topology topology_of(const std::vector<MoldenAtom>& atoms) {
  TopologyBuilder builder;
  std::int32_t serial = 0;
  for (const MoldenAtom& source : atoms) {
    Atom atom;
    atom.name = source.name;
    atom.element = source.element;
    atom.serial = ++serial;
    atom.hetero = true;
    builder.add(std::move(atom), "MOL", 1, ' ', "");
  }
  return builder.finish();
}

bool same_shells(const std::vector<FileShell>& a, const std::vector<FileShell>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const FileShell& x, const FileShell& y) {
    return x.centre == y.centre && x.l == y.l && x.exponents == y.exponents && x.coefficients == y.coefficients;
  });
}

/// Molpro writes the beta orbitals of a molecule as a file of their own behind that of the alpha orbitals: one is made
/// of two blocks that differ in nothing but the spin.
void join_spins(std::vector<MoldenBlock>& blocks) {
  const auto all = [](const MoldenBlock& block, Spin spin) {
    const auto& orbitals = block.orbitals.orbitals;
    return !orbitals.empty() &&
           std::all_of(orbitals.begin(), orbitals.end(), [&](const Orbital& o) { return o.spin == spin; });
  };
  const auto same_atom = [](const MoldenAtom& a, const MoldenAtom& b) {
    return a.element == b.element && a.position == b.position;
  };
  for (std::size_t i = 0; i + 1 < blocks.size(); ++i) {
    MoldenBlock& alpha = blocks[i];
    MoldenBlock& beta = blocks[i + 1];
    if (!all(alpha, Spin::alpha) || !all(beta, Spin::beta) || alpha.geometries != beta.geometries ||
        alpha.spherical != beta.spherical || !same_shells(alpha.orbitals.shells, beta.orbitals.shells) ||
        !std::equal(alpha.atoms.begin(), alpha.atoms.end(), beta.atoms.begin(), beta.atoms.end(), same_atom)) {
      continue;
    }
    FileOrbitals& to = alpha.orbitals;
    to.orbitals.insert(to.orbitals.end(), beta.orbitals.orbitals.begin(), beta.orbitals.orbitals.end());
    to.rows.insert(to.rows.end(), std::make_move_iterator(beta.orbitals.rows.begin()),
                   std::make_move_iterator(beta.orbitals.rows.end()));
    blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(i + 1));
  }
}

/// Appends the frames of one block, and what orbitals they have.
void add_frames(MoldenBlock& block, const ByteSource& source, std::vector<Frame>& frames, Molecule& molecule) {
  std::vector<glm::dvec3> own;
  for (const MoldenAtom& atom : block.atoms) own.push_back(atom.position * units::bohr_in_angstrom);
  auto orbitals = orbitals_of(block, source, molecule.warnings);
  const auto match = std::find_if(block.geometries.begin(), block.geometries.end(),
                                  [&](const auto& geometry) { return same_positions(geometry, own); });
  if (match == block.geometries.end()) {
    frames.push_back(frame_of(own));
    molecule.orbitals.push_back(orbitals);
  }
  for (auto geometry = block.geometries.begin(); geometry != block.geometries.end(); ++geometry) {
    frames.push_back(frame_of(*geometry));
    molecule.orbitals.push_back(geometry == match ? orbitals : nullptr);
  }
}

int sniff(const ByteSource& source) {
  for (const std::string_view line : first_lines(source, 20)) {
    if (trimmed(line).empty()) continue;
    return starts_with_nocase(trimmed(line), "[MOLDEN FORMAT]") ? 100 : 0;
  }
  return 0;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  MoldenReader reader(*source);
  std::vector<MoldenBlock> blocks = reader.read();
  join_spins(blocks);
  Molecule molecule;
  molecule.format = "Molden";
  molecule.title = reader.title;
  molecule.warnings = std::move(reader.warnings);
  MoldenBlock& first = blocks.front();
  if (first.atoms.empty()) {
    // Geometries alone: their first one says what the atoms are.
    for (std::size_t i = 0; i < first.geometry_elements.size(); ++i) {
      const std::uint8_t z = first.geometry_elements[i];
      first.atoms.push_back({std::string(element(z).symbol), z, first.geometries.front()[i] * units::angstrom_in_bohr,
                             static_cast<double>(z)});
    }
  }
  if (first.atoms.empty()) throw Error::in_file(source->name(), 0, "a Molden file without atoms");
  molecule.topology = std::make_shared<Topology>(topology_of(first.atoms));

  std::vector<Frame> frames;
  for (MoldenBlock& block : blocks) {
    const bool same = std::equal(block.atoms.begin(), block.atoms.end(), first.atoms.begin(), first.atoms.end(),
                                 [](const MoldenAtom& a, const MoldenAtom& b) { return a.element == b.element; });
    if (!same) {
      molecule.warnings.push_back("The file goes on with another molecule, which is left out.");
      break;
    }
    if (!block.geometries.empty() && block.geometries.front().size() != first.atoms.size()) {
      throw Error::in_file(
          source->name(), 0,
          fmt::format("[Atoms] has {} atoms and [GEOMETRIES] {}", first.atoms.size(), block.geometries.front().size()));
    }
    add_frames(block, *source, frames, molecule);
  }
  const bool any = std::any_of(molecule.orbitals.begin(), molecule.orbitals.end(), [](const auto& o) { return o; });
  if (!any) {
    molecule.orbitals.clear();
    if (first.has_basis) molecule.warnings.push_back("The file has a basis but no orbitals.");
  }
  molecule.trajectory = std::make_shared<const MemoryTrajectory>(std::move(frames));
  return molecule;
}

}  // namespace

const Format molden_format = {"Molden", "molden mold", "orbitals", sniff, read};

}  // namespace isolume
