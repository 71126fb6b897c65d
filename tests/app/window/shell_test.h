// A window whose shell is tested: its panels, and what the command palette finds.
#pragma once

#include <QDockWidget>

#include "app/window/shell/command_palette.h"
#include "tests/app/window/fixture.h"

namespace isolume::test {

class ShellTest : public WindowTest {
 protected:
  QDockWidget* dock(const char* name) { return window_->findChild<QDockWidget*>(QString::fromLatin1(name)); }
  static bool in_front(const QDockWidget* dock) { return !dock->isHidden() && !dock->visibleRegion().isEmpty(); }
  QString first_found(const QString& typed) {
    CommandPalette palette(entries_of(window_->menuWidget()), window_.get());
    palette.line()->setText(typed);
    return palette.list()->topLevelItem(0)->text(0);
  }
  QStringList all_found(const QString& typed) {
    CommandPalette palette(entries_of(window_->menuWidget()), window_.get());
    palette.line()->setText(typed);
    QStringList names;
    for (int i = 0; i < palette.list()->topLevelItemCount(); ++i) names += palette.list()->topLevelItem(i)->text(0);
    return names;
  }
};

}  // namespace isolume::test
