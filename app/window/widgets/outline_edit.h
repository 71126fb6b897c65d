// The outline of one thing: as the scene has it, none, or one of its own with a colour and a width.
#pragma once

#include <QWidget>

#include "render/view/look.h"

class QComboBox;
class QDoubleSpinBox;

namespace isolume {

class ColourButton;

class OutlineEdit : public QWidget {
  Q_OBJECT
 public:
  explicit OutlineEdit(QWidget* parent = nullptr);

  void set_outline(const Outline& outline);
  const Outline& outline() const { return outline_; }
  QComboBox* mode_box() const { return mode_; }
  QDoubleSpinBox* width_box() const { return width_; }
  ColourButton* colour_button() const { return colour_; }

 Q_SIGNALS:
  /// By the user. `merge`: one step of undo with the change before.
  void changed(const isolume::Outline& outline, bool merge);

 private:
  void show_outline();

  Outline outline_;
  QComboBox* mode_;
  ColourButton* colour_;
  QDoubleSpinBox* width_;
};

}  // namespace isolume
