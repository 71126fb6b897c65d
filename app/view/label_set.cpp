// Names of residues, chains and atoms as texts in space.
#include "app/view/label_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "app/scene/named_selections.h"
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

/// Empty where the file names none.
const std::string& name_of(const Chain& chain) {
  return chain.id.empty() ? chain.segment : chain.id;
}

/// Whether residues of several chains have marked atoms. A chain without a name cannot be told from another.
bool several_chains(const Topology& topology, std::span<const std::uint8_t> mask) {
  const std::string* first = nullptr;
  for (std::size_t atom = 0; atom < std::min(mask.size(), topology.atoms.size()); ++atom) {
    if (!mask[atom]) continue;
    const std::string& name = name_of(topology.chain_of(atom));
    if (name.empty()) continue;
    if (first && *first != name) return true;
    first = &name;
  }
  return false;
}

std::string residue_text(const Topology& topology, std::size_t atom, bool with_chain) {
  const Residue& residue = topology.residue_of(atom);
  const std::string& chain = name_of(topology.chain_of(atom));
  std::string text = with_chain && !chain.empty() ? chain + "/" : std::string();
  text += fmt::format("{} {}", residue.name, residue.number);
  if (residue.insertion != ' ') text += residue.insertion;
  return text;
}

std::string text_of(Text text, const Topology& topology, std::size_t atom, bool with_chain) {
  switch (text) {
    case Text::residue:
      return residue_text(topology, atom, with_chain);
    case Text::chain: {
      const std::string& name = name_of(topology.chain_of(atom));
      return name.empty() ? "-" : name;
    }
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

constexpr std::size_t many_residues = 400;

bool has_single_atoms(Style style) {
  return style == Style::lines || style == Style::sticks || style == Style::ball_and_stick || style == Style::spheres ||
         style == Style::points || style == Style::ellipsoids;
}

/// Of the residues whose atoms are drawn, those that have a guide atom; empty where they are none, or all of them.
std::string residues_in_atoms(const Scene& scene, std::uint32_t molecule, const Topology& topology,
                              const Frame& frame) {
  const std::size_t all = Selection("guide").atoms(topology, frame).size();
  std::string words, looked_up;
  for (const Representation& shown : scene.representations) {
    if (shown.molecule != molecule || !shown.visible || !has_single_atoms(shown.style)) continue;
    try {
      const std::string given = with_names(scene, molecule, shown.selection);
      if (Selection(fmt::format("guide and ({})", given)).atoms(topology, frame).empty()) continue;
      words += fmt::format("{}({})", words.empty() ? "" : " or ", shown.selection);
      looked_up += fmt::format("{}({})", looked_up.empty() ? "" : " or ", given);
    } catch (const Error&) {
      continue;  // the picture says so
    }
  }
  if (words.empty()) return {};
  const std::size_t some = Selection(fmt::format("guide and ({})", looked_up)).atoms(topology, frame).size();
  return some < all && some <= many_residues ? fmt::format("guide and ({})", words) : std::string();
}

}  // namespace

std::vector<Label> labels_of(const LabelSet& set, const Topology& topology, const Frame& frame,
                             std::span<const std::uint8_t> mask, std::span<const std::uint8_t> labelled) {
  if (set.text == Text::charge && !topology.has_charges)
    throw Error("the molecule has no partial charges to write", Error::Kind::usage);
  const bool with_chain = set.text == Text::residue && several_chains(topology, labelled.empty() ? mask : labelled);
  std::vector<Label> labels;
  std::optional<std::size_t> group, leader;
  glm::dvec3 sum(0.0);
  std::size_t count = 0, first = 0;
  const auto close = [&] {
    if (count == 0) return;
    const glm::dvec3 place = leader ? glm::dvec3(frame.positions[*leader]) : sum / static_cast<double>(count);
    labels.push_back({glm::vec3(place),
                      set.text == Text::own ? set.own : text_of(set.text, topology, first, with_chain), set.points});
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
  LabelSet set;
  const std::size_t residues = Selection("guide").atoms(topology, {}).size();
  if (residues == 0) {
    set.selection = "noh";
    set.text = Text::atom;
  } else if (residues <= many_residues) {
    set.selection = "guide";
  } else {
    set.selection = "polymer";
    set.text = Text::chain;
  }
  return set;
}

LabelSet usual_labels(const Scene& scene, std::uint32_t molecule, const Topology& topology, const Frame& frame) {
  LabelSet set = usual_labels(topology);
  set.molecule = molecule;
  if (frame.positions.size() != topology.atoms.size()) return set;
  const std::string drawn = residues_in_atoms(scene, molecule, topology, frame);
  if (drawn.empty()) return set;
  set.selection = drawn;
  set.text = Text::residue;
  return set;
}

}  // namespace isolume
