// The panel of normal modes: a table, its spectrum, and the mode shown.
#pragma once

#include <QDateTime>
#include <QWidget>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/path_part.h"
#include "app/window/live/scene_controller.h"
#include "molecule/quantum/vibrations.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QToolButton;
class QTreeWidget;

namespace isolume {

class Player;
class SpectrumView;

/// The modes of a molecule's file, or of another file of the same molecule, as a table and as a spectrum; a row and a
/// line are one selection. The mode that is shown is part of the scene (app/scene/path_part.h): frames of one period,
/// with arrows where they are wanted. Files are read on a thread of the pool, and only while the panel is visible.
class VibrationsPanel : public QWidget {
  Q_OBJECT
 public:
  VibrationsPanel(SceneController& controller, Player& player, QWidget* parent = nullptr);

  QTreeWidget* table() const { return table_; }
  SpectrumView* spectrum() const { return spectrum_; }
  QComboBox* quantity() const { return quantity_; }
  QToolButton* animate() const { return animate_; }
  QToolButton* rest() const { return rest_; }
  QCheckBox* arrows() const { return arrows_; }
  QDoubleSpinBox* amplitude() const { return amplitude_; }
  QDoubleSpinBox* speed() const { return speed_; }
  QLabel* note() const { return note_; }
  bool busy() const { return reading_ || showing_; }
  const Vibrations& vibrations() const { return vibrations_; }
  /// Reads the modes of the molecule from another file.
  void open_modes(const QString& path);
  /// Written whole or not at all; throws Error.
  void write_table(const QString& path) const;
  void write_spectrum(const QString& path) const;

 Q_SIGNALS:
  void failed(const QString& message);
  void written(const QString& path);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  /// The mode wanted: from 1, or 0 for the rest positions.
  struct Wanted {
    int mode = 0;
    bool arrows = false, play = false;
  };
  QWidget* build_controls();
  void show_scene(const Scene& scene);
  void show_scene_if_visible(const Scene& scene);
  int molecule() const;
  /// The mode of the scene's molecule, a part of kind file where there is none.
  PathPart shown() const;
  /// The number of the mode that was asked for last, which may still be on its way; 0 for the rest positions.
  int wanted_mode() const;
  bool has_arrows() const;
  std::string source() const;
  void read();
  void take(Vibrations vibrations);
  void show_spectrum();
  void show_controls();
  int row() const;
  /// The selected mode, from 1; the first where none is, 0 for none.
  int row_of_animation();
  void show_mode(const Wanted& wanted);
  void set_speed();
  void ask_modes();
  void ask_export(bool spectrum);

  SceneController& controller_;
  Player& player_;
  QComboBox* molecules_;
  QTreeWidget* table_;
  QLabel *note_, *hint_;
  SpectrumView* spectrum_;
  QComboBox* quantity_;
  QToolButton *animate_, *rest_, *open_, *export_;
  QCheckBox* arrows_;
  QDoubleSpinBox *amplitude_, *speed_;
  Vibrations vibrations_;
  std::string file_;  ///< of vibrations_, also where it has none
  QDateTime read_at_;
  std::vector<std::pair<std::string, std::string>> chosen_;  ///< first file of a molecule, its file of modes
  bool reading_ = false, read_again_ = false, showing_ = false, filling_ = false;
  int showing_mode_ = 0;  ///< the one that is on its way
  std::optional<Wanted> next_;
};

}  // namespace isolume
