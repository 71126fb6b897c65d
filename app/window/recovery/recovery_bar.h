// Offers scenes saved before a crash.
#pragma once

#include "app/window/recovery/notice_bar.h"
#include "app/window/recovery/recovery.h"

namespace isolume {

/// A line above the picture with Recover, Discard and Later. Nothing is opened unless Recover is pressed.
class RecoveryBar : public NoticeBar {
  Q_OBJECT
 public:
  explicit RecoveryBar(QWidget* parent = nullptr);

  void offer(QList<Recovery::Found> found);
  QPushButton* recover_button() const { return recover_; }
  QPushButton* discard_button() const { return discard_; }
  QPushButton* later_button() const { return later_; }

 Q_SIGNALS:
  /// The user wants this state back; its folder is to be discarded when it is there.
  void recover(const isolume::Recovery::Found& found);

 private:
  void show_first();

  QList<Recovery::Found> found_;
  QPushButton* recover_;
  QPushButton* discard_;
  QPushButton* later_;
};

}  // namespace isolume
