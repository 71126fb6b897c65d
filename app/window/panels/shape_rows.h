// The part of a field's form for its style: surface, mesh, points, colours on a plane, cloud, lines.
#pragma once

#include <QObject>
#include <functional>
#include <string>

#include "app/window/live/scene_controller.h"

class QComboBox;
class QGridLayout;

namespace isolume {

class SelectionEdit;
class ValueSlider;

/// Rows of a form: the style, and for a slice its plane, the atoms that it goes through and its offset;
/// for field lines their number and where they go through.
class ShapeRows : public QObject {
  Q_OBJECT
 public:
  /// A plane through atoms begins with those that are picked, where there are three; lines around atoms likewise,
  /// where there is one.
  ShapeRows(QGridLayout* form, SceneController& controller, QObject* parent = nullptr);

  /// Shows a field's values, and the rows that it needs.
  void show_field(const Field& field);
  void set_enabled(bool enabled);

  QComboBox* style_box() const { return style_; }
  QComboBox* plane_box() const { return plane_; }
  SelectionEdit* atoms_edit() const { return atoms_; }
  ValueSlider* offset_slider() const { return offset_; }
  QComboBox* from_box() const { return from_; }
  ValueSlider* radius_slider() const { return radius_; }
  ValueSlider* lines_slider() const { return lines_; }

 Q_SIGNALS:
  /// `merge`: one step of undo with the change before.
  void edited(const QString& what, const std::function<void(isolume::Field&)>& change, bool merge);

 private:
  /// Empty where fewer than `least` are picked.
  std::string picked_atoms(std::size_t least) const;

  QGridLayout* form_;
  SceneController& controller_;
  std::uint32_t molecule_ = 0;  ///< of the field that is shown
  bool paths_offered_ = false;  ///< it is an electron density
  QComboBox *style_, *from_;
  QComboBox* plane_;
  SelectionEdit* atoms_;
  ValueSlider* offset_;
  ValueSlider *lines_, *radius_;
};

}  // namespace isolume
