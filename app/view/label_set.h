// Names of residues, chains and atoms as texts in space.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/scene/scene.h"
#include "molecule/frame.h"
#include "molecule/topology.h"
#include "render/view/scene_view.h"

namespace isolume {

/// More texts than these nobody can read.
constexpr std::size_t most_labels = 1000;

/// The texts of a set in a frame. Of a residue it is at its CA or C1' where that is selected, else in the middle of its
/// selected atoms, like that of a chain; of an atom at the atom. In the order of the atoms.
/// A residue is written with its chain, "A/GLY 27", where residues of several chains are labelled.
/// @param mask  one byte for each atom: the selected ones
/// @param labelled  the same of all residues that are labelled in the molecule, by other sets too; empty: `mask`
/// Throws Error (usage) for charges of a molecule without, and for more than `most_labels`.
std::vector<Label> labels_of(const LabelSet& set, const Topology& topology, const Frame& frame,
                             std::span<const std::uint8_t> mask, std::span<const std::uint8_t> labelled = {});

/// What is labelled where nobody has said it: the residues of a polymer at their CA or C1', the chains of a large one,
/// else the names of the atoms that are no hydrogens. Of molecule 0.
LabelSet usual_labels(const Topology& topology);

/// The same in a scene. Where visible representations draw the atoms of some residues of a polymer, and not of all (a
/// pocket), these alone are labelled, however large the polymer is. Names of selections that are not known count as no
/// atoms.
LabelSet usual_labels(const Scene& scene, std::uint32_t molecule, const Topology& topology, const Frame& frame);

}  // namespace isolume
