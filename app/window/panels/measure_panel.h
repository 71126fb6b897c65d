// The panel of measurements and labels: distances, angles, dihedrals, names of residues and atoms.
#pragma once

#include <QWidget>
#include <functional>

#include "app/window/live/scene_controller.h"

class QAction;
class QLabel;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace isolume {

class LabelForm;

/// Buttons that begin a measurement, and the list of what is measured with its value in the frame that is shown. The
/// labels of the scene follow in the same list, with a form for the one that is selected.
class MeasurePanel : public QWidget {
  Q_OBJECT
 public:
  /// `position` says where an atom is in the frame that is shown, false where it is not known; `tools` are the actions
  /// that begin a measurement of one to four atoms, or a ruler.
  MeasurePanel(SceneController& controller, std::function<bool(PickedAtom, glm::vec3&)> position,
               const QList<QAction*>& tools, QWidget* parent = nullptr);

  QTreeWidget* list() const { return list_; }
  QToolButton* plot_button() const { return plot_; }
  QToolButton* label_button() const { return label_; }
  LabelForm& labels() const { return *form_; }
  /// Adds labels to the scene, and selects them in the list.
  void add_labels(const LabelSet& labels);
  /// Labels the selected atoms, or where there are none what is usual (usual_labels()).
  void label_selected();
  /// The frame that is shown is another one.
  void show_values();

 Q_SIGNALS:
  /// Values over the frames are asked for, of the scene's measurements with these indices.
  void plot_asked(const QList<int>& measurements);

 private:
  void show_scene(const Scene& scene);
  void show_labels(const Scene& scene);
  /// Looks up which labels are usual, and adds them.
  void add_usual_labels();
  void remove_rows(const QList<int>& rows);
  /// Index into Scene::labels of the only row that is selected; -1 for none.
  int chosen_labels() const;
  QList<int> chosen() const;
  double value(const Measurement& measurement) const;

  SceneController& controller_;
  std::function<bool(PickedAtom, glm::vec3&)> position_;
  QTreeWidget* list_;
  QLabel* empty_;
  QToolButton* remove_;
  QToolButton* plot_;
  QToolButton* label_;
  LabelForm* form_;
};

/// "ALA 12 CA": an atom of a measurement in short; "-" where its molecule is not loaded.
QString measured_atom_label(const SceneController& controller, const SceneAtom& atom);
/// "(1.2, 3.4, 5.6)": a point of a ruler, angstrom.
QString point_label(glm::dvec3 point);
/// The ends of a measurement, with dashes between them.
QString measured_ends_label(const SceneController& controller, const Measurement& measurement);

}  // namespace isolume
