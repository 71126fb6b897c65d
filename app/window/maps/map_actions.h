// Electron density, maps of maps, ligand maps and ions, Interface areas, Compare frames, Mean structure, components and
// Morph as actions.
#pragma once

#include <QAction>
#include <QList>
#include <QMenu>
#include <QObject>
#include <functional>

#include "app/window/live/scene_controller.h"
#include "compute/base/device.h"

namespace isolume {

class CalculateMapDialog;
class FlexibleFitDialog;

/// Adds them to a menu and opens their dialogs; an action is enabled where the scene has what it needs.
class MapActions : public QObject {
  Q_OBJECT
 public:
  /// Before the action `before` of the menu; `folder` proposes where maps are saved, `device` says what computes.
  MapActions(QMenu& menu, QAction& before, SceneController& controller, std::function<QString()> folder,
             std::function<Device()> device, QWidget* window);

  /// Named compute_density, fit_map, flexible_fit, difference_map, calculate_map, volume_map, ligand_map, ionize,
  /// interface_areas, compare_frames, mean_structure, animate_component and morph.
  QList<QAction*> all() const {
    return {density_, fit_,        flexible_, difference_, calculate_, volume_, ligand_,
            ions_,    interfaces_, compare_,  mean_,       component_, morph_};
  }

 Q_SIGNALS:
  /// A map was saved, or frames.
  void saved(const QString& path);
  /// Atoms of a molecule are to be selected.
  void selection_asked(std::uint32_t molecule, const QString& words);
  /// The scene has frames that are to be played from the first on.
  void play_asked();
  /// A place in space is to be in the middle of the picture; angstrom.
  void place_asked(glm::dvec3 place);

 private:
  QAction* make(const QString& name, const QString& text, const QString& tip, const QString& words);
  CalculateMapDialog* open_calculation();
  /// Makes the usual difference at once; its dialog closes when the map is there.
  void make_difference();
  void open_volume_map();
  void open_ligand_map();
  void open_ions();
  void open_interfaces();
  void open_density();
  void open_fit();
  FlexibleFitDialog* open_flexible_fit();
  void open_morph();
  void open_motion(bool component);
  void show_possible();

  SceneController& controller_;
  std::function<QString()> folder_;
  std::function<Device()> device_;
  QWidget* window_;
  QAction *density_, *fit_, *flexible_, *difference_, *calculate_, *volume_, *ligand_, *ions_, *interfaces_, *compare_,
      *mean_, *component_, *morph_;
};

}  // namespace isolume
