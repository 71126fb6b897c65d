// The parts of molecules that are shown and hidden by themselves: chains and ligands.
#include "app/view/molecule_parts.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "app/scene/named_selections.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

using Mask = std::vector<std::uint8_t>;

/// One byte per atom: visible representations show it.
Mask shown_atoms(const Scene& scene, std::uint32_t number, const Topology& topology, const Frame& frame) {
  Mask shown(topology.atoms.size(), 0);
  for (const Representation& representation : scene.representations) {
    if (!representation.visible || representation.molecule != number) continue;
    const Mask mask = Selection(with_names(scene, number, representation.selection)).mask(topology, frame);
    for (std::size_t i = 0; i < mask.size(); ++i) shown[i] = shown[i] | mask[i];
  }
  return shown;
}

MoleculePart part_of(const Topology& topology, const Residue& residue, MoleculePart::Kind kind, bool shown) {
  MoleculePart part;
  part.kind = kind;
  part.chain = topology.chains[residue.chain].id;
  part.name = kind == MoleculePart::Kind::chain ? part.chain : residue.name + " " + std::to_string(residue.number);
  part.first_atom = residue.first_atom;
  part.shown = shown;
  return part;
}

std::vector<MoleculePart> parts_of(const Topology& topology, const Mask& shown, const Mask& ligand) {
  std::vector<MoleculePart> chains, ligands;
  std::unordered_map<std::string, std::size_t> places;  // waters follow with the letter of their chain
  for (const Residue& residue : topology.residues) {
    const auto first = shown.begin() + residue.first_atom;
    const bool visible = std::find(first, first + residue.atom_count, 1) != first + residue.atom_count;
    const std::string& id = topology.chains[residue.chain].id;
    if (!id.empty()) {
      const auto [place, added] = places.try_emplace(id, chains.size());
      if (added) chains.push_back(part_of(topology, residue, MoleculePart::Kind::chain, false));
      MoleculePart& chain = chains[place->second];
      chain.atoms += residue.atom_count;
      chain.shown = chain.shown || visible;
    }
    if (residue.atom_count == 0 || !ligand[residue.first_atom]) continue;
    ligands.push_back(part_of(topology, residue, MoleculePart::Kind::ligand, visible));
    ligands.back().atoms = residue.atom_count;
  }
  chains.insert(chains.end(), ligands.begin(), ligands.end());
  return chains;
}

}  // namespace

std::vector<std::vector<MoleculePart>> molecule_parts(const Scene& scene, Documents& documents,
                                                      std::span<const std::shared_ptr<const Frame>> frames) {
  std::vector<std::vector<MoleculePart>> result(scene.molecules.size());
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m) {
    const auto molecule = documents.loaded(scene.molecules[m]);
    if (!molecule || !molecule->topology) continue;
    const Topology& topology = *molecule->topology;
    const bool drawn = m < frames.size() && frames[m];
    const Mask shown = drawn ? shown_atoms(scene, m, topology, *frames[m]) : Mask(topology.atoms.size(), 1);
    result[m] = parts_of(topology, shown, Selection("ligand").mask(topology, drawn ? *frames[m] : Frame()));
  }
  return result;
}

std::string chain_selection(const std::string& id) {
  const bool plain = std::all_of(id.begin(), id.end(), [](unsigned char c) { return c < 128 && std::isalnum(c) != 0; });
  return plain ? "chain " + id : "chain '" + id + "'";
}

}  // namespace isolume
