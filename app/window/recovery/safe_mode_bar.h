// Says that the window is in safe mode, and the way back.
#pragma once

#include <QFrame>

#include "app/window/recovery/safe_mode.h"

class QLabel;
class QPushButton;

namespace isolume {

/// A line above the picture: what safe mode is, and a button that starts Isolume as usual in a window of its own, so
/// that nothing of this one is lost.
class SafeModeBar : public QFrame {
  Q_OBJECT
 public:
  explicit SafeModeBar(SafeMode mode, QWidget* parent = nullptr);

  QString text() const;
  QPushButton* start_button() const { return start_; }

 Q_SIGNALS:
  /// Isolume is to be started with --no-safe-mode.
  void start_asked();

 private:
  QLabel* text_;
  QPushButton* start_;
};

}  // namespace isolume
