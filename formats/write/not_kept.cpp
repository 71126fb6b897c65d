// What each format of atoms has no place for.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "formats/write/frame_writer.h"
#include "formats/write/output_file.h"
#include "formats/write/writers.h"

namespace isolume {
namespace {

enum Thing : unsigned {
  names = 1u << 0,
  chains = 1u << 1,
  charges = 1u << 2,
  radii = 1u << 3,
  bonds = 1u << 4,
  orders = 1u << 5,
  factors = 1u << 6,
  alternates = 1u << 7,
  displacements = 1u << 8,
  cell = 1u << 9,
  orientation = 1u << 10,
  times = 1u << 11,
  velocities = 1u << 12,
  forces = 1u << 13,
  assemblies = 1u << 14,
};

struct Word {
  unsigned thing;
  const char* text;
};
constexpr Word words[] = {
    {names, "names of atoms and residues"},
    {chains, "chains"},
    {charges, "charges"},
    {radii, "radii"},
    {bonds, "bonds"},
    {orders, "orders of bonds"},
    {factors, "occupancies and B factors"},
    {alternates, "alternate locations"},
    {displacements, "anisotropic displacements"},
    {cell, "the cell"},
    {orientation, "the orientation of the cell"},
    {times, "times"},
    {velocities, "velocities"},
    {forces, "forces"},
    {assemblies, "other biological assemblies"},
};

struct Format {
  std::string_view extension;
  const char* name;
  unsigned keeps;
};
// Bonds of PDB are those of hetero atoms; the others follow from their residues.
constexpr Format formats[] = {
    {"pdb", "PDB", names | chains | bonds | factors | alternates | cell},
    {"ent", "PDB", names | chains | bonds | factors | alternates | cell},
    {"cif", "mmCIF", names | chains | bonds | orders | factors | alternates | displacements | cell},
    {"mmcif", "mmCIF", names | chains | bonds | orders | factors | alternates | displacements | cell},
    {"bcif", "BinaryCIF", names | chains | bonds | orders | factors | alternates | displacements | cell},
    {"pqr", "PQR", names | chains | charges | radii | cell},
    {"gro", "GRO", names | cell | orientation | times | velocities},
    {"mol2", "MOL2", names | chains | charges | bonds | orders | cell},
    {"xyz", "XYZ", cell | orientation | times},
    {"extxyz", "XYZ", cell | orientation | times},
    {"xtc", "XTC", cell | orientation | times},
    {"dcd", "DCD", cell | times},
};

/// Whether a along x and b in the xy plane.
bool turned(const Cell& given) {
  if (!given.exists()) return false;
  const Cell usual = Cell::from_lengths_angles(given.lengths(), given.angles());
  for (int i = 0; i < 3; ++i)
    if (glm::length(usual.vectors[i] - given.vectors[i]) > 1e-4 * given.lengths()[i]) return true;
  return false;
}

unsigned things_of(const Molecule& molecule, const Frame& frame) {
  unsigned there = 0;
  const auto add = [&](unsigned thing, bool is) { there |= is ? thing : 0u; };
  if (molecule.topology) {
    const Topology& t = *molecule.topology;
    const auto any = [](const auto& list, auto&& test) { return std::any_of(list.begin(), list.end(), test); };
    add(names, any(t.residues, [](const Residue& r) { return !r.name.empty(); }));
    add(chains, any(t.chains, [](const Chain& c) { return !c.id.empty(); }));
    add(charges, t.has_charges);
    add(radii, t.has_radii);
    add(bonds, t.has_bonds && !t.bonds.empty());
    add(orders, any(t.bonds, [](const Bond& b) { return b.order > 1; }));
    add(factors, any(t.atoms, [](const Atom& a) { return a.b_factor != 0 || a.occupancy != 1; }));
    add(alternates, any(t.atoms, [](const Atom& a) { return a.altloc != ' '; }));
    add(displacements, !t.displacements.empty());
  }
  add(assemblies, molecule.assemblies.size() > 1);
  add(cell, frame.cell.exists());
  add(orientation, turned(frame.cell));
  add(times, frame.has_time && molecule.frame_count() > 1);
  add(velocities, !frame.velocities.empty());
  add(forces, !frame.forces.empty());
  return there;
}

}  // namespace

std::vector<std::string> notes_of(const TrajectoryWriter& writer) {
  const auto* const noting = dynamic_cast<const NotingWriter*>(&writer);
  return noting ? noting->notes() : std::vector<std::string>();
}

std::string not_kept(const std::string& path, const Molecule& molecule, const Frame& frame) {
  const std::string extension = extension_of(path);
  const auto* const format =
      std::find_if(std::begin(formats), std::end(formats), [&](const Format& f) { return f.extension == extension; });
  if (format == std::end(formats)) return {};
  const unsigned lost = things_of(molecule, frame) & ~format->keeps;
  std::vector<std::string> said;
  for (const Word& word : words)
    if ((lost & word.thing) != 0) said.emplace_back(word.text);
  if (said.empty()) return {};
  std::string list = said.front();
  for (std::size_t i = 1; i < said.size(); ++i) list += (i + 1 == said.size() ? " and " : ", ") + said[i];
  return fmt::format("{} has no place for {}.", format->name, list);
}

}  // namespace isolume
