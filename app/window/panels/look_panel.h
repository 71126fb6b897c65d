// The panel of lights and effects: the appearance of the picture, not its contents.
#pragma once

#include <QWidget>
#include <functional>
#include <initializer_list>
#include <vector>

#include "app/window/live/scene_controller.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QPushButton;

namespace isolume {

class ColourButton;
class ValueSlider;

/// Background, legends, occlusion, outlines, depth cue, shadows, depth of field and light of the scene, and ready-made
/// looks.
class LookPanel : public QWidget {
  Q_OBJECT
 public:
  explicit LookPanel(SceneController& controller, QWidget* parent = nullptr);

  QPushButton* presets() const { return presets_; }
  QComboBox* legends() const { return legends_; }
  QComboBox* scale_bar() const { return scale_bar_; }
  QDoubleSpinBox* text_size() const { return text_size_; }
  ValueSlider* depth_of_field() const { return depth_of_field_; }
  QCheckBox* shadows() const { return shadows_; }

 private:
  void edit(const QString& what, const std::function<void(Look&)>& change, bool merge = false);
  QCheckBox* make_check(const QString& text, const QString& tip, bool Look::*member);
  /// A slider of one number of the look, `factor` times as large in the panel.
  ValueSlider* make_slider(const QString& text, const QString& tip, float Look::*member, double lowest, double highest,
                           int decimals, double factor = 1);
  ValueSlider* add_slider(const QString& text, const QString& tip, float Look::*member, double lowest, double highest,
                          int decimals, double factor = 1);
  /// A row of an effect: the check box that turns it on, and its strength.
  void add_effect(const QString& text, QCheckBox* on, ValueSlider* strength);
  /// A row of several fields; an empty label: of the whole width.
  void add_together(const QString& text, const QString& name, std::initializer_list<QWidget*> fields, bool stretch);
  ColourButton* make_background(const QString& tip, glm::vec3 Look::*member);
  void build_light();
  void show_scene(const Scene& scene);

  SceneController& controller_;
  QWidget* form_;
  QGridLayout* rows_;
  QPushButton* presets_;
  QComboBox* legends_;
  QComboBox* scale_bar_;
  QDoubleSpinBox* text_size_;
  QCheckBox* shadows_;
  ValueSlider* depth_of_field_;
  ValueSlider* from_the_left_;
  ValueSlider* from_above_;
  std::vector<std::function<void(const Look&)>> shown_;  ///< what brings each control up to date
};

}  // namespace isolume
