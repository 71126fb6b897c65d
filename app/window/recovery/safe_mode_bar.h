// Says that the window is in safe mode, and the way back.
#pragma once

#include "app/window/recovery/notice_bar.h"
#include "app/window/recovery/safe_mode.h"

namespace isolume {

/// A line above the picture: what safe mode is, and a button that starts Isolume as usual in a window of its own, so
/// that nothing of this one is lost.
class SafeModeBar : public NoticeBar {
  Q_OBJECT
 public:
  explicit SafeModeBar(SafeMode mode, QWidget* parent = nullptr);

  QPushButton* start_button() const { return start_; }

 Q_SIGNALS:
  /// Isolume is to be started with --no-safe-mode.
  void start_asked();

 private:
  QPushButton* start_;
};

}  // namespace isolume
