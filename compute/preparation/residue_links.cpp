// Bonds between residues, as far as they are chemical ones.
#include "compute/preparation/residue_building.h"
#include "molecule/elements.h"

namespace isolume {

ResidueBuilder::ResidueBuilder(const Topology& topology, const std::vector<glm::vec3>& positions,
                               const std::vector<ResidueTarget>& targets, PreparedStructure& result, bool estimates_all)
    : topology_(topology),
      bonds_(bond_table(topology)),
      used_(topology.atoms.size(), 0),
      estimates_all_(estimates_all),
      positions_(positions),
      targets_(targets),
      result_(result) {
  for (const ResidueTarget& target : targets) {
    for (const auto& [name, index] : target.heavy) used_[index] = 1;
  }
}

std::vector<std::uint32_t> ResidueBuilder::links(std::uint32_t atom) const {
  std::vector<std::uint32_t> found;
  const Atom& own = topology_.atoms[atom];
  for (std::uint32_t k = bonds_.offsets[atom]; k < bonds_.offsets[atom + 1]; ++k) {
    const std::uint32_t other = bonds_.items[k];
    const Atom& far = topology_.atoms[other];
    const TemplateKind kind = targets_[far.residue].name.kind;
    if (!used_[other] || far.residue == own.residue || is_metal(far.element) || is_metal(own.element)) continue;
    if (kind == TemplateKind::water || kind == TemplateKind::ion) continue;
    // Residues of chains that touch each other otherwise than in the chain are distorted, not bonded.
    const TemplateKind here = targets_[own.residue].name.kind;
    if (!estimates_all_ && here != TemplateKind::none && kind != TemplateKind::none && kind != TemplateKind::other)
      continue;
    // Shorter than what counts as a bond elsewhere: crystals have close contacts.
    const double usual =
        static_cast<double>(element(own.element).covalent_radius + element(far.element).covalent_radius);
    if (glm::distance(at(atom), at(other)) < usual + 0.25) found.push_back(other);
  }
  return found;
}

}  // namespace isolume
