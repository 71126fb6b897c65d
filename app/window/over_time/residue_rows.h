// Residues as rows of a picture: their titles, where chains begin, and the selection that both share.
#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <span>
#include <vector>

#include "app/window/live/scene_controller.h"

namespace isolume {

/// "A/LYS 12".
QString residue_title(const Topology& topology, std::uint32_t residue);
QStringList residue_titles(const Topology& topology, std::span<const std::uint32_t> residues);
/// Rows with which another chain begins, but for the first.
std::vector<std::size_t> chain_breaks(const Topology& topology, std::span<const std::uint32_t> residues);

/// One byte for each of `residues`: whether an atom of it is selected.
std::vector<std::uint8_t> selected_rows(const SceneController& controller, std::uint32_t molecule,
                                        std::span<const std::uint32_t> residues);
/// Selects all atoms of the residues of a molecule, or adds them to what is selected.
void select_residues(SceneController& controller, std::uint32_t molecule, std::span<const std::uint32_t> residues,
                     bool add);

}  // namespace isolume
