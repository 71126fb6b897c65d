// The panel in which atoms are given their styles.
#pragma once

#include <QWidget>
#include <functional>

#include "app/models/scene_list_model.h"
#include "app/window/live/scene_controller.h"

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLineEdit;
class QToolButton;
class QTreeView;

namespace isolume {

class ColourButton;
class ListBar;
class OutlineEdit;
class SelectionEdit;
class ValueSlider;

/// List of the scene's representations; below it the chosen one's molecule, selection, style, colours and measures.
class RepresentationPanel : public QWidget {
  Q_OBJECT
 public:
  explicit RepresentationPanel(SceneController& controller, QWidget* parent = nullptr);

  QTreeView* list() const { return list_; }
  SelectionEdit* selection() const { return selection_; }
  QComboBox* style_box() const { return style_; }
  QComboBox* colouring_box() const { return colouring_; }
  QComboBox* material_box() const { return material_; }
  OutlineEdit* outline_edit() const { return outline_; }
  QLineEdit* value_line() const { return value_; }
  int current() const;
  void add();

  /// Makes the row the current one.
  void choose(int row);

  /// Colours the current representation by a table or an alignment.
  void colour_by_file(const QString& path);

 Q_SIGNALS:
  /// What was typed cannot be, and why.
  void refused(const QString& message);

 private:
  void ask_file();
  void build_form();
  void build_colours();
  void build_measures();
  void show_colours(const Representation& representation);
  void show_measures(const Representation& representation);
  void show_scene(const Scene& scene);
  void show_current();
  void edit(const QString& what, const std::function<void(Representation&)>& change, bool merge = false);

  SceneController& controller_;
  SceneListModel model_;
  QTreeView* list_;
  ListBar* bar_;
  QWidget* form_;
  QGridLayout* rows_;
  QComboBox* molecule_;
  SelectionEdit* selection_;
  QComboBox* style_;
  QComboBox* colouring_;
  ColourButton* colour_;
  ValueSlider* opacity_;
  ValueSlider* sphere_scale_;
  ValueSlider* bond_radius_;
  ValueSlider* line_width_;
  ValueSlider* ribbon_width_;
  QLineEdit* value_;
  QComboBox* volume_;
  QComboBox* probe_;
  QToolButton* file_;
  QComboBox* structure_;
  QComboBox* map_;
  QWidget* range_;
  QDoubleSpinBox* lower_;
  QDoubleSpinBox* upper_;
  QComboBox* material_;
  OutlineEdit* outline_;
  QComboBox* profile_;
  QComboBox* bases_;
  ValueSlider* probability_;
  QComboBox* vectors_;
  QDoubleSpinBox* vector_scale_;
  ValueSlider* bond_distance_;
  ValueSlider* bond_angle_;
};

}  // namespace isolume
