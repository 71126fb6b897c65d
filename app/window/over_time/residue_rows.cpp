// Residues as rows of a picture: their titles, where chains begin, and the selection that both share.
#include "app/window/over_time/residue_rows.h"

#include <set>

#include "app/models/labels.h"

namespace isolume {

QString residue_title(const Topology& topology, std::uint32_t residue) {
  const Residue& r = topology.residues[residue];
  const Chain& chain = topology.chains[r.chain];
  const QString id = to_qt(chain.id.empty() ? chain.segment : chain.id);
  return (id.isEmpty() ? QString() : id + QLatin1Char('/')) + to_qt(r.name) + QLatin1Char(' ') +
         QString::number(r.number) + (r.insertion == ' ' ? QString() : QString(QLatin1Char(r.insertion)));
}

QStringList residue_titles(const Topology& topology, std::span<const std::uint32_t> residues) {
  QStringList titles;
  titles.reserve(static_cast<qsizetype>(residues.size()));
  for (const std::uint32_t residue : residues) titles += residue_title(topology, residue);
  return titles;
}

std::vector<std::size_t> chain_breaks(const Topology& topology, std::span<const std::uint32_t> residues) {
  std::vector<std::size_t> breaks;
  for (std::size_t i = 1; i < residues.size(); ++i)
    if (topology.residues[residues[i]].chain != topology.residues[residues[i - 1]].chain) breaks.push_back(i);
  return breaks;
}

std::vector<std::uint8_t> selected_rows(const SceneController& controller, std::uint32_t molecule,
                                        std::span<const std::uint32_t> residues) {
  std::vector<std::uint8_t> rows(residues.size(), 0);
  const auto topology = controller.topology(molecule);
  if (!topology) return rows;
  std::set<std::uint32_t> selected;
  for (const PickedAtom& atom : controller.picked())
    if (atom.molecule == molecule && atom.atom < topology->atoms.size())
      selected.insert(topology->atoms[atom.atom].residue);
  for (std::size_t i = 0; i < residues.size(); ++i) rows[i] = selected.contains(residues[i]) ? 1 : 0;
  return rows;
}

void select_residues(SceneController& controller, std::uint32_t molecule, std::span<const std::uint32_t> residues,
                     bool add) {
  const auto topology = controller.topology(molecule);
  if (!topology) return;
  std::vector<PickedAtom> picked = add ? controller.picked() : std::vector<PickedAtom>{};
  std::set<std::uint32_t> there;
  for (const PickedAtom& atom : picked)
    if (atom.molecule == molecule) there.insert(atom.atom);
  for (const std::uint32_t number : std::set<std::uint32_t>(residues.begin(), residues.end())) {
    if (number >= topology->residues.size()) continue;
    const Residue& residue = topology->residues[number];
    for (std::uint32_t k = 0; k < residue.atom_count; ++k)
      if (there.insert(residue.first_atom + k).second) picked.push_back({molecule, residue.first_atom + k});
  }
  controller.set_picked(std::move(picked));
}

}  // namespace isolume
