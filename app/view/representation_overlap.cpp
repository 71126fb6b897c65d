// How the atoms of representations lie to other atoms.
#include "app/view/representation_overlap.h"

#include "molecule/selection/selection.h"

namespace isolume {
namespace {

std::string within(const std::string& selection, const std::string& words) {
  return selection == "all" ? words : "(" + selection + ") and " + words;
}

}  // namespace

std::vector<Overlap> overlaps(const std::vector<Representation>& representations, std::uint32_t number,
                              const Molecule& molecule, const Frame& frame, const std::string& words) {
  std::vector<Overlap> result(representations.size(), Overlap::none);
  if (!molecule.topology) return result;
  const std::vector<std::uint8_t> wanted = Selection(words).mask(*molecule.topology, frame);
  for (std::size_t r = 0; r < representations.size(); ++r) {
    if (representations[r].molecule != number || !representations[r].visible) continue;
    const std::vector<std::uint8_t> own = Selection(representations[r].selection).mask(*molecule.topology, frame);
    bool common = false, other = false;
    for (std::size_t i = 0; i < own.size() && !(common && other); ++i) {
      common = common || (own[i] && wanted[i]);
      other = other || (own[i] && !wanted[i]);
    }
    if (common) result[r] = other ? Overlap::some : Overlap::all;
  }
  return result;
}

void colour_atoms(std::vector<Representation>& representations, const std::vector<Overlap>& lie,
                  const std::string& words, glm::u8vec4 colour) {
  std::vector<Representation> result;
  for (std::size_t i = 0; i < representations.size(); ++i) {
    Representation& own = representations[i];
    const Overlap overlap = i < lie.size() ? lie[i] : Overlap::none;
    Representation part = own;
    part.colouring = Colouring::uniform;
    part.colour = colour;
    if (overlap == Overlap::some) {
      part.selection = within(own.selection, "(" + words + ")");
      own.selection = within(own.selection, "not (" + words + ")");
    }
    if (overlap != Overlap::all) result.push_back(own);
    if (overlap != Overlap::none) result.push_back(part);
  }
  representations = std::move(result);
}

void show_around(std::vector<Representation>& representations, const std::vector<Overlap>& lie, std::uint32_t molecule,
                 const std::string& words, Style style) {
  constexpr glm::u8vec4 carbon{143, 188, 143, 255};  // apart from a ligand's grey and from the usual chains
  const auto of_atoms = [](Style s) {
    return s == Style::sticks || s == Style::ball_and_stick || s == Style::spheres || s == Style::ellipsoids;
  };
  bool shown = false;
  for (std::size_t i = 0; i < representations.size() && i < lie.size(); ++i)
    shown = shown || (lie[i] != Overlap::none && of_atoms(representations[i].style));
  Representation next;
  next.molecule = molecule;
  next.style = style;
  next.selection = "not water and same residue as within 5 of (" + words + ")";
  if (shown) next.selection += " and not (" + words + ")";
  next.colour = carbon;
  representations.push_back(next);
}

void leave_out(std::string& selection, const std::string& words) {
  selection = within(selection, "not (" + words + ")");
}

void hide_atoms(std::vector<Representation>& representations, const std::vector<Overlap>& lie,
                const std::string& words) {
  for (std::size_t i = 0; i < representations.size() && i < lie.size(); ++i) {
    if (lie[i] == Overlap::all) representations[i].visible = false;
    if (lie[i] == Overlap::some) leave_out(representations[i].selection, words);
  }
}

}  // namespace isolume
