// AMBER topology files: atoms, residues, chains and bonds.
#include "formats/topologies/prmtop.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "formats/bytes/element_column.h"
#include "formats/bytes/text.h"
#include "formats/topologies/prmtop_force_field.h"
#include "formats/topologies/prmtop_sections.h"
#include "molecule/base/error.h"
#include "molecule/element_guess.h"
#include "molecule/force_field/force_field.h"

namespace isolume {
namespace {

int sniff(const ByteSource& source) {
  const auto lines = first_lines(source, 2);
  if (lines.empty() || !lines[0].starts_with("%VERSION")) return 0;
  return lines.size() > 1 && lines[1].starts_with("%FLAG") ? 97 : 70;
}

PrmtopPointers read_pointers(const PrmtopSections& sections, const ByteSource& source) {
  const auto p = sections.integers("POINTERS");
  if (p.size() < 28) sections.fail("POINTERS", "expected 30 or more integers, found " + std::to_string(p.size()));
  for (std::size_t i = 0; i < 28; ++i) {
    if (p[i] < 0 || p[i] > std::numeric_limits<std::int32_t>::max()) {
      sections.fail("POINTERS", "integer " + std::to_string(i + 1) + " is " + std::to_string(p[i]));
    }
  }
  const auto count = [&](std::size_t i) { return static_cast<std::size_t>(p[i]); };
  PrmtopPointers n;
  n.atoms = count(0);
  n.types = count(1);
  n.bonds_with = count(2);
  n.bonds_without = count(12);  // NBONA: constraint bonds are counted too
  n.angles_with = count(4);
  n.angles_without = count(13);
  n.dihedrals_with = count(6);
  n.dihedrals_without = count(14);
  n.exclusions = count(10);
  n.residues = count(11);
  n.bond_types = count(15);
  n.angle_types = count(16);
  n.dihedral_types = count(17);
  n.hydrogen_bonds = count(19);
  n.box = p[27];
  if (n.atoms == 0) throw Error::in_file(source.name(), 0, "no atoms in this topology");
  if (n.atoms > source.limits().atoms) sections.fail("POINTERS", "more atoms than the limit allows");
  if (n.types > 10'000) sections.fail("POINTERS", std::to_string(n.types) + " Lennard-Jones types");
  return n;
}

/// Molecules by bonds: the lowest atom of each stands for it.
std::vector<std::uint32_t> molecules_of(std::size_t atoms, const std::vector<BondTerm>& bonds) {
  std::vector<std::uint32_t> root(atoms);
  std::iota(root.begin(), root.end(), 0u);
  const auto find = [&](std::uint32_t atom) {
    while (root[atom] != atom) atom = root[atom] = root[root[atom]];
    return atom;
  };
  for (const BondTerm& bond : bonds) {
    const std::uint32_t a = find(bond.atoms[0]);
    const std::uint32_t b = find(bond.atoms[1]);
    root[std::max(a, b)] = std::min(a, b);
  }
  for (std::uint32_t atom = 0; atom < atoms; ++atom) root[atom] = find(atom);
  return root;
}

/// True for each residue that begins a chain: where a molecule of several residues begins or ends. Waters and ions
/// share one.
std::vector<bool> chain_starts(const std::vector<std::int64_t>& first_atoms, std::size_t atoms,
                               const std::vector<BondTerm>& bonds) {
  const auto molecule = molecules_of(atoms, bonds);
  const auto of = [&](std::size_t residue) { return molecule[static_cast<std::size_t>(first_atoms[residue] - 1)]; };
  std::vector<std::uint32_t> residues(atoms, 0);  // by molecule
  for (std::size_t r = 0; r < first_atoms.size(); ++r) ++residues[of(r)];
  std::vector<bool> starts(first_atoms.size(), false);
  for (std::size_t r = 1; r < first_atoms.size(); ++r) {
    starts[r] = of(r) != of(r - 1) && (residues[of(r)] > 1 || residues[of(r - 1)] > 1);
  }
  return starts;
}

Cell read_cell(const PrmtopSections& sections, const PrmtopPointers& n, std::vector<std::string>& notes) {
  if (n.box == 0 || !sections.has("BOX_DIMENSIONS")) return {};
  const auto box = sections.reals("BOX_DIMENSIONS", 4);  // beta, a, b, c
  if (!(box[1] > 0 && box[2] > 0 && box[3] > 0)) return {};
  const bool octahedron = n.box == 2 || std::abs(box[0] - 109.4712190) < 0.01;
  if (n.box > 2 && !octahedron && box[0] != 90) {
    notes.push_back("The cell's angles are in the coordinate file, not in the topology.");
    return {};
  }
  const glm::dvec3 angles = octahedron ? glm::dvec3(box[0]) : glm::dvec3(90, box[0], 90);
  try {
    return Cell::from_lengths_angles({box[1], box[2], box[3]}, angles);
  } catch (const Error& error) {
    notes.push_back(std::string("The cell of BOX_DIMENSIONS is left out: ") + error.what() + ".");
    return {};
  }
}

Topology read_topology(const PrmtopSections& sections, const PrmtopPointers& n, const ForceField& field) {
  const auto names = sections.words("ATOM_NAME", n.atoms);
  const auto types = sections.words("AMBER_ATOM_TYPE", sections.has("AMBER_ATOM_TYPE") ? n.atoms : 0);
  const auto labels = sections.words("RESIDUE_LABEL", n.residues);
  const auto starts = sections.integers("RESIDUE_POINTER", n.residues, 1, static_cast<std::int64_t>(n.atoms));
  constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
  const auto optional_integers = [&](const char* name, std::size_t count) {
    return sections.has(name) ? sections.integers(name, count, -largest, largest) : std::vector<std::int64_t>();
  };
  const auto atomic_numbers = optional_integers("ATOMIC_NUMBER", n.atoms);
  const auto numbers = optional_integers("RESIDUE_NUMBER", n.residues);
  const auto chains = sections.words_or_blanks("RESIDUE_CHAINID", n.residues);
  const auto insertions = sections.words_or_blanks("RESIDUE_ICODE", n.residues);
  const auto radii = sections.has("RADII") ? sections.reals("RADII", n.atoms) : std::vector<double>();
  const bool has_radii = std::any_of(radii.begin(), radii.end(), [](double radius) { return radius > 0; });
  for (std::size_t r = 0; r < n.residues; ++r) {
    if (r == 0 ? starts[r] != 1 : starts[r] <= starts[r - 1]) {
      sections.fail("RESIDUE_POINTER", "expected atoms in ascending order from 1, found " + std::to_string(starts[r]));
    }
  }
  if (n.residues == 0) sections.fail("POINTERS", "atoms, but no residues");
  const auto begins_chain = chain_starts(starts, n.atoms, field.bonds);
  const auto last_of = [&](std::size_t r) {
    return r + 1 < n.residues ? static_cast<std::size_t>(starts[r + 1] - 1) : n.atoms;
  };
  bool took_mass = false;
  for (std::size_t r = 0; r < n.residues && !took_mass; ++r) {
    for (auto i = static_cast<std::size_t>(starts[r] - 1); i < last_of(r) && !took_mass; ++i)
      took_mass = has_taken_mass(names[i], labels[r], field.masses[i]);
  }
  TopologyBuilder builder;
  ElementColumn elements;
  for (std::size_t r = 0; r < n.residues; ++r) {
    const std::size_t end = last_of(r);
    if (begins_chain[r]) builder.end_chain();
    for (auto i = static_cast<std::size_t>(starts[r] - 1); i < end; ++i) {
      Atom atom;
      atom.serial = static_cast<std::int32_t>(i + 1);
      atom.name = names[i];
      if (!types.empty()) atom.type = types[i];
      atom.charge = static_cast<float>(field.charges[i]);
      atom.mass = static_cast<float>(field.masses[i]);
      if (has_radii) atom.radius = static_cast<float>(std::max(0.0, radii[i]));
      const std::int64_t z = atomic_numbers.empty() ? 0 : atomic_numbers[i];
      if (z >= 1 && z <= 118) {
        atom.element = static_cast<std::uint8_t>(z);
      } else if (field.masses[i] > 0) {
        // Programs write -1 for an element that they do not know.
        atom.element = elements({atom.name, labels[r], atom.type, field.masses[i], took_mass});
      }
      const std::int64_t number = numbers.empty() ? static_cast<std::int64_t>(r) + 1 : numbers[r];
      builder.add(std::move(atom), labels[r], static_cast<std::int32_t>(number),
                  insertions[r].empty() ? ' ' : insertions[r].front(), chains[r]);
    }
  }
  elements.add_notes(builder.topology());
  std::size_t left_out = 0;
  for (const BondTerm& bond : field.bonds) {
    const auto [a, b] = std::minmax(bond.atoms[0], bond.atoms[1]);
    // The third side of a rigid water is no bond.
    if (builder.topology().atoms[a].element == 1 && builder.topology().atoms[b].element == 1) {
      ++left_out;
    } else {
      builder.topology().bonds.push_back({a, b, 1});
    }
  }
  if (left_out > 0) {
    builder.topology().notes.push_back(std::to_string(left_out) +
                                       " bonds between hydrogens, which keep waters rigid, are not drawn as bonds.");
  }
  builder.topology().has_bonds = true;
  builder.topology().has_charges = true;
  builder.topology().has_radii = has_radii;
  return builder.finish();
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  const PrmtopSections sections(*source);
  const PrmtopPointers pointers = read_pointers(sections, *source);
  auto field = std::make_shared<ForceField>(read_prmtop_force_field(sections, pointers));
  field->cell = read_cell(sections, pointers, field->notes);
  Topology topology = read_topology(sections, pointers, *field);
  topology.notes.insert(topology.notes.end(), field->notes.begin(), field->notes.end());
  Molecule molecule;
  molecule.title = sections.title(sections.has("CTITLE") ? "CTITLE" : "TITLE");
  molecule.topology = std::make_shared<Topology>(std::move(topology));
  if (pointers.types > 0) molecule.force_field = std::move(field);
  return molecule;
}

}  // namespace

const Format prmtop_format = {"PRMTOP", "prmtop parm7 parm top", "structure", sniff, read};

}  // namespace isolume
