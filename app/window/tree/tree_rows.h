// The rows of the scene tree: the objects of a scene, in order.
#pragma once

#include <QColor>
#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/view/molecule_parts.h"
#include "app/window/live/scene_controller.h"

namespace isolume {

struct TreeRow {
  /// The plural ones are groups, whose rows follow one level deeper.
  enum class Kind : std::uint8_t {
    molecule,
    chains,
    chain,
    ligands,
    ligand,
    representation,
    field,
    measurements,
    measurement,
    labels,
    label_set,
    interactions,
    interaction_set,
    selections,
    selection,
    probes,
    probe
  };
  Kind kind = Kind::molecule;
  int level = 0;
  std::uint32_t molecule = 0;  ///< index into Scene::molecules, of a molecule and what is below it
  std::size_t index = 0;       ///< into the list of the scene that holds it
  QString title, detail;
  QString words;                          ///< of a chain, a ligand or a named selection: the atoms
  std::optional<Qt::CheckState> visible;  ///< nothing for what has no visibility
  bool enabled = true;
  std::vector<QColor> swatch;
  std::optional<glm::u8vec4> colour;  ///< where one can be set
  bool renames = false;               ///< the title is a name of the user's
  bool operator==(const TreeRow&) const = default;

  /// The same for the same thing in another scene, as far as its number stays.
  QString key() const;
  bool is_part() const { return kind == Kind::chain || kind == Kind::ligand; }
  bool is_group() const;
  /// It can be taken out of the scene.
  bool removable() const { return !is_part() && kind != Kind::chains && kind != Kind::ligands; }
};

/// All rows from top to bottom. `parts`: of each molecule (molecule_parts()), shorter where they are not known yet.
std::vector<TreeRow> tree_rows(const SceneController& controller, const std::vector<std::vector<MoleculePart>>& parts);

}  // namespace isolume
