// The panel in which atoms are given their styles.
#pragma once

#include <QWidget>
#include <functional>

#include "app/models/scene_list_model.h"
#include "app/window/scene_controller.h"

class QComboBox;
class QGridLayout;
class QTreeView;

namespace isolume {

class ColourButton;
class ListBar;
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
  int current() const;
  void add();

 private:
  void build_form();
  void show_scene(const Scene& scene);
  void show_current();
  void choose(int row);
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
};

}  // namespace isolume
