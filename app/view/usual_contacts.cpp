// The usual field of noncovalent contacts.
#include "app/view/usual_contacts.h"

#include <algorithm>

#include "molecule/frames.h"
#include "molecule/selection/selection.h"

namespace isolume {

Field usual_contacts(const Molecule& molecule, std::uint32_t number) {
  Field field;
  field.kind = Field::Kind::contacts;
  field.molecule = number;
  field.both_signs = false;
  if (!molecule.topology || molecule.frame_count() == 0) return field;
  const Topology& topology = *molecule.topology;
  const auto mask = Selection("ligand").mask(topology, frame_at(molecule, 0));
  if (std::ranges::count(mask, std::uint8_t{1}) > 0) {
    field.selection = "ligand";
  } else if (topology.chains.size() > 1 && !topology.chains.front().id.empty()) {
    field.selection = "chain " + topology.chains.front().id;
  }
  return field;
}

}  // namespace isolume
