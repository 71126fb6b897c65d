// A molecule with ions appended.
#include "compute/sampling/ion_structure.h"

#include <algorithm>
#include <string>

#include "molecule/far_positions.h"
#include "molecule/frames.h"

namespace isolume {
namespace {

// The first letter that no chain has; a blank where all are taken.
std::string free_chain(const Topology& topology) {
  for (const char letter : std::string_view("IJKLMNOPQRSTUVWXYZABCDEFGHabcdefghijklmnopqrstuvwxyz")) {
    const std::string id(1, letter);
    if (std::none_of(topology.chains.begin(), topology.chains.end(), [&](const Chain& c) { return c.id == id; }))
      return id;
  }
  return " ";
}

}  // namespace

Molecule with_ions(const Molecule& molecule, std::size_t frame, std::span<const std::uint32_t> removed,
                   std::span<const IonPlace> ions) {
  const Topology& old = *molecule.topology;
  const Frame from = frame_at(molecule, frame);
  std::vector<std::uint8_t> gone(old.residues.size(), 0);
  for (const std::uint32_t residue : removed) gone[residue] = 1;
  TopologyBuilder builder;
  Frame to;
  to.cell = from.cell;
  constexpr std::uint32_t none = ~0u;
  std::vector<std::uint32_t> place_of(old.atoms.size(), none);
  std::uint32_t kept = 0;
  for (const Chain& chain : old.chains) {
    for (std::uint32_t r = chain.first_residue; r < chain.first_residue + chain.residue_count; ++r) {
      const Residue& residue = old.residues[r];
      for (std::uint32_t i = residue.first_atom; gone[r] == 0 && i < residue.first_atom + residue.atom_count; ++i) {
        builder.add(old.atoms[i], residue.name, residue.number, residue.insertion, chain.id, chain.segment);
        add_position(precise_position(from, i), to);
        place_of[i] = kept++;
      }
    }
    builder.end_chain();
  }
  Topology& made = builder.topology();
  made.has_charges = old.has_charges;
  made.has_radii = old.has_radii;
  made.has_bonds = old.has_bonds;
  made.notes = old.notes;
  for (const Bond& bond : old.bonds) {
    if (place_of[bond.a] != none && place_of[bond.b] != none)
      made.bonds.push_back({place_of[bond.a], place_of[bond.b], bond.order});
  }
  const std::string chain = free_chain(old);
  std::int32_t number = 0;
  for (const IonPlace& ion : ions) {
    Atom atom;
    atom.name = atom.type = std::string(ion.kind->name);
    atom.element = static_cast<std::uint8_t>(ion.kind->element);
    atom.charge = static_cast<float>(ion.kind->charge);
    atom.formal_charge = static_cast<std::int8_t>(ion.kind->charge);
    atom.radius = ion.kind->radius;
    atom.hetero = true;
    ++number;
    atom.serial = static_cast<std::int32_t>(kept) + number;
    builder.add(atom, atom.name, number, ' ', chain, "ION");
    add_position(ion.place, to);
  }
  Molecule result;
  result.title = molecule.title;
  result.format = molecule.format;
  result.topology = std::make_shared<const Topology>(builder.finish());
  result.trajectory = std::make_shared<const MemoryTrajectory>(std::vector<Frame>{to});
  return result;
}

}  // namespace isolume
