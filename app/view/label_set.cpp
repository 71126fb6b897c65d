// Names of residues, chains and atoms as texts in space.
#include "app/view/label_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "molecule/base/error.h"
#include "molecule/elements.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

using Text = LabelSet::Text;

/// The atom at which the label of a residue is expected.
bool leads(const Atom& atom) {
  return (atom.name == "CA" && atom.element != 20) || atom.name == "C1'" || atom.name == "C1*";
}

std::string text_of(Text text, const Topology& topology, std::size_t atom) {
  const Residue& residue = topology.residue_of(atom);
  const Chain& chain = topology.chain_of(atom);
  switch (text) {
    case Text::residue:
      return residue.insertion == ' ' ? fmt::format("{} {}", residue.name, residue.number)
                                      : fmt::format("{} {}{}", residue.name, residue.number, residue.insertion);
    case Text::chain:
      return !chain.id.empty() ? chain.id : !chain.segment.empty() ? chain.segment : "-";
    case Text::element:
      return std::string(element(topology.atoms[atom].element).symbol);
    case Text::charge:
      return fmt::format("{:+.2f}", topology.atoms[atom].charge);
    default:
      return topology.atoms[atom].name;
  }
}

/// Which atoms share one label: those of a residue, of a chain, or of all; else each has its own.
std::size_t group_of(Text text, const Topology& topology, std::size_t atom) {
  if (text == Text::residue) return topology.atoms[atom].residue;
  if (text == Text::chain) return topology.residue_of(atom).chain;
  return text == Text::own ? 0 : atom;
}

}  // namespace

std::vector<Label> labels_of(const LabelSet& set, const Topology& topology, const Frame& frame,
                             std::span<const std::uint8_t> mask) {
  if (set.text == Text::charge && !topology.has_charges)
    throw Error("the molecule has no partial charges to write", Error::Kind::usage);
  std::vector<Label> labels;
  std::optional<std::size_t> group, leader;
  glm::dvec3 sum(0.0);
  std::size_t count = 0, first = 0;
  const auto close = [&] {
    if (count == 0) return;
    const glm::dvec3 place = leader ? glm::dvec3(frame.positions[*leader]) : sum / static_cast<double>(count);
    labels.push_back(
        {glm::vec3(place), set.text == Text::own ? set.own : text_of(set.text, topology, first), set.points});
    if (labels.size() > most_labels)
      throw Error(fmt::format("more than {} texts cannot be read: select fewer atoms", most_labels),
                  Error::Kind::usage);
  };
  const std::size_t atoms = std::min({mask.size(), frame.positions.size(), topology.atoms.size()});
  for (std::size_t atom = 0; atom < atoms; ++atom) {
    if (!mask[atom]) continue;
    const std::size_t own_group = group_of(set.text, topology, atom);
    if (!group || *group != own_group) {
      close();
      group = own_group;
      leader.reset();
      sum = glm::dvec3(0.0);
      count = 0;
      first = atom;
    }
    sum += glm::dvec3(frame.positions[atom]);
    ++count;
    if (set.text == Text::residue && !leader && leads(topology.atoms[atom])) leader = atom;
  }
  close();
  return labels;
}

LabelSet usual_labels(const Topology& topology) {
  constexpr std::size_t many = 400;  // residues
  LabelSet set;
  const std::size_t residues = Selection("guide").atoms(topology, {}).size();
  if (residues == 0) {
    set.selection = "noh";
    set.text = Text::atom;
  } else if (residues <= many) {
    set.selection = "guide";
  } else {
    set.selection = "polymer";
    set.text = Text::chain;
  }
  return set;
}

}  // namespace isolume
