// What a file leaves out, completed: bonds by distance, secondary structure.
#include "formats/complete.h"

#include <algorithm>

#include "molecule/bonds.h"
#include "molecule/residue_kinds.h"
#include "molecule/secondary_structure.h"

namespace isolume {
namespace {

bool has_protein(const Topology& topology) {
  for (std::size_t i = 0; i < topology.residues.size(); ++i) {
    if (residue_kind(topology, i) == ResidueKind::protein) return true;
  }
  return false;
}

}  // namespace

void complete(Molecule& molecule) {
  if (!molecule.topology || molecule.frame_count() == 0) return;
  const bool needs_bonds = !molecule.topology->has_bonds;
  const bool needs_structure = !molecule.topology->has_structure && has_protein(*molecule.topology);
  if (!needs_bonds && !needs_structure) return;

  const Frame frame = molecule.trajectory->frame(0);
  if (frame.positions.size() != molecule.topology->atoms.size()) return;
  bool crowded = false;
  const std::vector<Bond> guessed =
      needs_bonds ? guess_bonds(*molecule.topology, frame, false, &crowded) : std::vector<Bond>();
  // Where nothing is added, the topology of millions of ions need not be copied.
  if (guessed.empty() && !crowded && !needs_structure && molecule.topology->bonds.empty()) return;
  auto completed = std::make_shared<Topology>(*molecule.topology);
  if (needs_bonds) {
    // Those of the file (CONECT of ligands, disulfides) are kept beside those by distance.
    const std::size_t given = completed->bonds.size();
    std::vector<Bond> joined;
    joined.reserve(given + guessed.size());
    const auto before = [](const Bond& x, const Bond& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; };
    std::set_union(completed->bonds.begin(), completed->bonds.end(), guessed.begin(), guessed.end(),
                   std::back_inserter(joined), before);
    completed->bonds = std::move(joined);
    if (crowded) {
      completed->notes.push_back(
          "The atoms are so crowded that bonds were sought within residues and along chains alone.");
    }
    if (!completed->bonds.empty()) {
      completed->notes.push_back(given > 0 ? "Bonds that the file does not list were found by distance."
                                           : "Bonds were found by distance.");
    }
  }
  if (needs_structure) {
    const std::vector<SecondaryStructure> classes = secondary_structure(*completed, frame);
    for (std::size_t i = 0; i < completed->residues.size() && i < classes.size(); ++i) {
      completed->residues[i].structure = classes[i];
    }
    completed->notes.push_back("Secondary structure was computed from the first frame (DSSP).");
  }
  molecule.topology = std::move(completed);
}

}  // namespace isolume
