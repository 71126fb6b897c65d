// The dialog in which preferences are changed.
#pragma once

#include <QDialog>

#include "app/window/settings/preferences.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSpinBox;
class QTableWidget;

namespace isolume {

class SixAxisPage;

/// Device, memory, drawing, theme, mouse and keys. Changes are announced at once, so that they can be seen; Cancel
/// announces the old ones again.
class PreferencesDialog : public QDialog {
  Q_OBJECT
 public:
  /// `devices`: names and words for the box ("cuda:0", "cuda:0: NVIDIA H200"); `actions` with their usual keys.
  PreferencesDialog(Preferences preferences, const QList<QPair<QString, QString>>& devices,
                    const QList<QAction*>& actions, QMap<QString, QList<QKeySequence>> usual,
                    QWidget* parent = nullptr);

  const Preferences& preferences() const { return now_; }
  QComboBox* theme_box() const { return theme_; }
  QComboBox* input_box() const { return input_; }
  QComboBox* scroll_box() const { return scroll_; }
  QTableWidget* key_table() const { return keys_; }
  SixAxisPage* six_axis_page() const { return six_axes_; }

 Q_SIGNALS:
  void changed(const isolume::Preferences& preferences);

 private:
  QWidget* general_page(const QList<QPair<QString, QString>>& devices);
  QWidget* mouse_page();
  QWidget* key_page(const QList<QAction*>& actions);
  void announce();
  void show_mouse();
  void show_keys();

  Preferences before_, now_;
  QList<QAction*> actions_;
  QMap<QString, QList<QKeySequence>> usual_;
  QComboBox* theme_;
  QComboBox* device_;
  QDoubleSpinBox* memory_;
  QComboBox* drawing_;
  QSpinBox* autosave_;
  QCheckBox* ask_;
  QCheckBox* follow_;
  QCheckBox* still_;
  QCheckBox* index_;
  QComboBox* input_;
  QComboBox* scroll_;
  QTableWidget* mouse_;
  SixAxisPage* six_axes_;
  QTableWidget* keys_;
};

}  // namespace isolume
