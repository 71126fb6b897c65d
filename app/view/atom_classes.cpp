// Classes of atoms (protein, ligand, water, ...): which of them a molecule has and shows, and how they are shown.
#include "app/view/atom_classes.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "app/scene/named_selections.h"
#include "app/view/representation_overlap.h"
#include "app/view/usual_look.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

using Frames = std::span<const std::shared_ptr<const Frame>>;
using Mask = std::vector<std::uint8_t>;

constexpr std::array<AtomClass, 7> classes = {{{"protein", "Protein"},
                                               {"nucleic", "Nucleic acid"},
                                               {"ligand", "Ligands"},
                                               {"lipid", "Lipids"},
                                               {"water", "Water"},
                                               {"ion", "Ions"},
                                               {"hydrogen", "Hydrogens"}}};

bool any(const Mask& mask) {
  return std::find(mask.begin(), mask.end(), 1) != mask.end();
}

/// Calls with every visible molecule (`only`: with that one) that is loaded and has atoms: its number, the molecule and
/// its frame.
template <class Call>
void each_molecule(const Scene& scene, Documents& documents, Frames frames, std::optional<std::uint32_t> only,
                   const Call& call) {
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m) {
    if (only && *only != m) continue;
    if (!scene.molecules[m].visible || m >= frames.size() || !frames[m]) continue;
    const auto molecule = documents.loaded(scene.molecules[m]);
    if (molecule && molecule->topology) call(m, *molecule, *frames[m]);
  }
}

/// Where the parenthesis is closed that a text begins with; npos for none.
std::size_t closing(const std::string& text) {
  int level = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++level;
    if (text[i] == ')' && --level == 0) return i;
  }
  return std::string::npos;
}

/// What hide_atoms() has written into a selection, taken out of it, also where other atoms were hidden after these;
/// false where it has not.
bool bring_back(std::string& selection, const std::string& words) {
  const std::string hidden = "not (" + words + ")", between = " and not (";
  if (selection == hidden) {
    selection = "all";
    return true;
  }
  // "(others) and not (words)"
  const std::size_t close = selection.starts_with('(') ? closing(selection) : std::string::npos;
  if (close == std::string::npos || selection.compare(close + 1, between.size(), between) != 0) return false;
  std::string others = selection.substr(1, close - 1);
  const std::string last = selection.substr(close + 1 + between.size() - 5);  // "not (...)"
  if (closing(last.substr(4)) != last.size() - 5) return false;
  if (last == hidden) {
    selection = others;
    return true;
  }
  if (!bring_back(others, words)) return false;
  selection = others == "all" ? last : "(" + others + ") and " + last;
  return true;
}

}  // namespace

std::span<const AtomClass> atom_classes() {
  return classes;
}

std::vector<ClassState> class_states(const Scene& scene, Documents& documents, Frames frames) {
  std::vector<ClassState> states(classes.size());
  each_molecule(scene, documents, frames, {}, [&](std::uint32_t m, const Molecule& molecule, const Frame& frame) {
    Mask shown(molecule.atom_count(), 0);
    for (const Representation& representation : scene.representations) {
      if (!representation.visible || representation.molecule != m) continue;
      const Mask mask = Selection(with_names(scene, m, representation.selection)).mask(*molecule.topology, frame);
      for (std::size_t i = 0; i < mask.size(); ++i) shown[i] = shown[i] | mask[i];
    }
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const Mask mask = Selection(classes[c].words).mask(*molecule.topology, frame);
      for (std::size_t i = 0; i < mask.size() && !states[c].shown; ++i) {
        if (!mask[i]) continue;
        states[c].present = true;
        states[c].shown = shown[i] != 0;
      }
    }
  });
  return states;
}

bool show_same_atoms(const Scene& a, const Scene& b) {
  return a.molecules == b.molecules && a.representations == b.representations && a.selections == b.selections;
}

std::vector<Representation> with_class_shown(const Scene& scene, Documents& documents, Frames frames,
                                             const std::string& words, std::optional<std::uint32_t> only) {
  Scene next = scene;
  each_molecule(scene, documents, frames, only, [&](std::uint32_t m, const Molecule& molecule, const Frame& frame) {
    const Mask wanted = Selection(words).mask(*molecule.topology, frame);
    if (!any(wanted)) return;
    bool shown = false;
    for (Representation& own : next.representations) {
      if (own.molecule != m) continue;
      if (own.visible) shown = bring_back(own.selection, words) || shown;
      if (own.visible) continue;
      const Mask mask = Selection(with_names(scene, m, own.selection)).mask(*molecule.topology, frame);
      bool others = false;
      for (std::size_t i = 0; i < mask.size() && !others; ++i) others = mask[i] && !wanted[i];
      own.visible = any(mask) && !others;
      shown = shown || own.visible;
    }
    const auto lie = overlaps(with_names(next).representations, m, molecule, frame, words);
    if (shown || std::any_of(lie.begin(), lie.end(), [](Overlap o) { return o != Overlap::none; })) return;
    // Hydrogens alone would be loose dots: what they are bonded to belongs to them.
    const std::string made = words == "hydrogen" ? "hydrogen or withinbonds 1 of hydrogen" : words;
    for (Representation& usual : usual_representations(scene, documents, m, made)) {
      usual.visible = true;
      if (words == "hydrogen") usual.style = Style::lines;
      next.representations.push_back(std::move(usual));
    }
  });
  return next.representations;
}

std::vector<Representation> with_class_hidden(const Scene& scene, Documents& documents, Frames frames,
                                              const std::string& words, std::optional<std::uint32_t> only) {
  Scene next = scene;
  each_molecule(scene, documents, frames, only, [&](std::uint32_t m, const Molecule& molecule, const Frame& frame) {
    hide_atoms(next.representations, overlaps(with_names(next).representations, m, molecule, frame, words), words);
  });
  return next.representations;
}

}  // namespace isolume
