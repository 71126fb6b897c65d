// The context menu of the 3D view, for the atoms or the surface under the pointer.
#pragma once

#include <QMenu>
#include <cstdint>
#include <functional>
#include <vector>

#include "app/scene/scene.h"
#include "render/view/scene_view.h"

namespace isolume {

class LivePicture;
class MainWindow;
class PickActions;
class SceneController;
struct TreeRow;
enum class Overlap : std::uint8_t;

class PickMenu : public QObject {
  Q_OBJECT
 public:
  PickMenu(MainWindow& window, PickActions& picking);

  void show(PickId id, QPoint global);
  /// The menu of a row of the scene tree: what the menus of the picture and of the panels have for it.
  void show_row(const TreeRow& row, QPoint global);

 private:
  /// What the entries below it are of, in line with them.
  static void add_title(QMenu& menu, const QString& text);
  /// What can be done with an atom and what it belongs to.
  void add_selection_menu(QMenu& menu, PickId id);
  /// What can be done with atoms; `residue`: they are of one; `around`: those whose surroundings they are.
  void add_part_entries(QMenu& menu, std::uint32_t molecule, const QString& selection, bool residue,
                        const QString& around = {});
  void add_picked_menu(QMenu& menu);
  /// Entries for the surface of the scene's field of that number.
  void add_surface_entries(QMenu& menu, std::size_t index);
  void add_surface_styles(QMenu& menu, std::size_t index);
  /// Changes the field of that number, if it is still the one that the menu is of.
  void change_surface(std::size_t index, Field::Kind kind, const QString& what,
                      const std::function<void(Scene&, Field&)>& edit);
  /// The residues around the atoms of a selection.
  void add_surroundings_of(std::uint32_t molecule, const QString& selection, Style style);
  void add_representation_of(std::uint32_t molecule, const QString& selection, Style style);
  void add_surface_of(std::uint32_t molecule, const QString& selection, bool painted);
  /// Asks for a file for these atoms, as they are in the frame that is shown.
  void ask_atoms(std::uint32_t molecule, const QString& selection);
  /// Changes the representations by how their atoms lie to those that words select, which a thread of the pool finds.
  void change_words(std::uint32_t molecule, const QString& what, const QString& selection,
                    std::function<void(std::vector<Representation>&, const std::vector<Overlap>&)> change);
  void compute_words(std::uint32_t number, const QString& what, const QString& selection,
                     const std::function<void(std::vector<Representation>&, const std::vector<Overlap>&)>& change,
                     const std::vector<SceneMolecule>& molecules);
  /// Shows atoms as they are shown, in another colour.
  void colour_words(std::uint32_t molecule, const QString& selection, glm::u8vec4 colour);
  /// Adds labels of atoms, and shows them in their panel.
  void label_words(std::uint32_t molecule, const QString& selection, LabelSet::Text text);
  /// Takes atoms out of the representations that show them.
  void hide_words(std::uint32_t molecule, const QString& selection);
  /// The picked atoms of a molecule as a selection.
  QString picked_words(std::uint32_t molecule) const;

  MainWindow& window_;
  PickActions& picking_;
  SceneController& controller_;
  LivePicture& picture_;
};

}  // namespace isolume
