// The dialog that exports data of the scene: which object, atoms, frames and format.
#pragma once

#include <QDialog>
#include <vector>

#include "app/export/data_export.h"
#include "app/window/live/scene_controller.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QSpinBox;

namespace isolume {

class SelectionEdit;

class DataExportDialog : public QDialog {
  Q_OBJECT
 public:
  /// `field`: which field of the scene is proposed; -1 for the first thing.
  DataExportDialog(SceneController& controller, int field, QWidget* parent = nullptr);

  /// Proposes atoms of a molecule of the scene instead; of a file without atoms, its first map.
  void propose_atoms(std::size_t molecule, const QString& selection);
  /// Proposes a representation of the scene instead.
  void propose_representation(std::size_t index);

  /// Without a path, which is asked for next.
  DataExport wanted() const;
  /// The extension that was chosen, without a dot.
  QString extension() const;

  QComboBox* what_box() const { return what_; }
  QComboBox* format_box() const { return format_; }
  QComboBox* frames_box() const { return frames_; }

 private:
  void show_source();
  void show_rows();

  SceneController& controller_;
  std::vector<DataSource> sources_;
  QGridLayout* form_;
  QComboBox* what_;
  QComboBox* format_;
  SelectionEdit* atoms_;
  QComboBox* frames_;
  QSpinBox* first_;
  QSpinBox* last_;
  QSpinBox* step_;
  QLabel* note_;
};

/// What it is called in a list of things: "Electrostatic potential, protein", "Cartoon, protein".
QString field_name(const Field& field);
QString representation_name(const Representation& representation);

}  // namespace isolume
