// Which molecule, by which of its atoms, and which density map, at which resolution: the first rows of both fits.
#pragma once

#include <QString>
#include <memory>
#include <optional>

#include "app/window/live/scene_controller.h"
#include "app/window/maps/map_box.h"

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;

namespace isolume {

class SelectionEdit;

class ModelAndMap {
 public:
  struct Texts {
    QString molecule_tip, map_tip;
    QString atoms;  ///< the first selection
  };

  ModelAndMap(SceneController& controller, QGridLayout* form, const Texts& texts);

  QComboBox* molecule_box() const { return molecule_; }
  SelectionEdit* atoms_edit() const { return atoms_; }
  QComboBox* map_box() const { return map_; }
  QDoubleSpinBox* resolution_box() const { return resolution_; }

  /// Its number in the scene; -1 without one.
  int molecule() const;
  /// That molecule with its atoms; null where it is still read or there is none.
  std::shared_ptr<const Molecule> loaded() const;
  std::optional<MapPlace> map() const { return chosen_map(map_); }
  /// The map was opened together with the molecule, so that both move together.
  bool is_map_of_molecule() const;

  void show_scene(const Scene& scene);
  /// Chooses the first molecule with atoms, before it one with a force field where that is wanted.
  void choose_molecule(bool with_force_field);
  /// What another dialog has chosen.
  void propose(const MapPlace& map, int molecule, double resolution);
  /// The resolution that the map's grid allows.
  void propose_resolution();

 private:
  SceneController& controller_;
  QComboBox* molecule_;
  SelectionEdit* atoms_;
  QComboBox* map_;
  QDoubleSpinBox* resolution_;
};

}  // namespace isolume
