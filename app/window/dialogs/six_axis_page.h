// The page of the preferences about 3-D mice.
#pragma once

#include <QList>
#include <QWidget>

#include "app/window/settings/six_axis_use.h"

class QAction;
class QCheckBox;
class QComboBox;
class QLabel;
class QSpinBox;

namespace isolume {

class SixAxisPage : public QWidget {
  Q_OBJECT
 public:
  /// `actions`: those that buttons can have.
  explicit SixAxisPage(const QList<QAction*>& actions, QWidget* parent = nullptr);

  void show_use(const SixAxisUse& use);
  /// Whether the daemon is there.
  void show_connected(bool connected);

  QCheckBox* on_box() const { return on_; }
  QComboBox* cap_box() const { return cap_; }
  QSpinBox* turn_box() const { return turn_; }
  /// In the order of SixAxisMotion.
  QList<QCheckBox*> reverse_boxes() const { return reversed_; }
  QList<QComboBox*> button_boxes() const { return buttons_; }
  QLabel* state() const { return state_; }

 Q_SIGNALS:
  void changed(const isolume::SixAxisUse& use);

 private:
  void build_form();
  QWidget* reverse_row();
  QWidget* button_rows(const QList<QAction*>& actions);
  /// What the controls say.
  SixAxisUse use() const;

  QLabel* state_;
  QCheckBox* on_;
  QComboBox* cap_;
  QSpinBox *move_, *turn_;
  QCheckBox* strongest_;
  QList<QCheckBox*> reversed_;
  QList<QComboBox*> buttons_;
};

}  // namespace isolume
