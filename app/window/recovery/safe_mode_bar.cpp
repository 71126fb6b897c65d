// Says that the window is in safe mode, and the way back.
#include "app/window/recovery/safe_mode_bar.h"

#include <QPushButton>

namespace isolume {

SafeModeBar::SafeModeBar(SafeMode mode, QWidget* parent)
    : NoticeBar(QStringLiteral("safe_mode"), tr("Safe mode"), tr("Safe mode"), parent) {
  const QString what =
      tr("Safe mode: no CUDA, images are drawn by the processor, and the panels have their first layout.");
  set_text(mode == SafeMode::crashed
               ? tr("Isolume ended unexpectedly %1 times in a row. %2").arg(crash_budget).arg(what)
               : what);
  start_ = add_button(tr("&Start normally"), tr("Start Isolume as usual, in another window; this one stays open"));
  connect(start_, &QPushButton::clicked, this, &SafeModeBar::start_asked);
  connect(add_button(tr("&Close"), tr("Hide this message; safe mode ends with this window")), &QPushButton::clicked,
          this, &QWidget::hide);
}

}  // namespace isolume
