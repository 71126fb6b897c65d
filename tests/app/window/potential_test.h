// What tests of potentials in the window look for and change.
#pragma once

#include <QComboBox>
#include <QDockWidget>
#include <QTest>

#include "app/window/viewport/legend_overlay.h"
#include "tests/app/window/fixture.h"

namespace isolume::test {

inline void choose(QComboBox* box, int index) {
  box->setFocus();
  QTest::keyClick(box, Qt::Key_Home);
  while (box->currentIndex() < index) QTest::keyClick(box, Qt::Key_Down);
  EXPECT_EQ(box->currentIndex(), index);
}

inline LegendOverlay* legends(MainWindow& window) {
  return window.findChild<LegendOverlay*>(QStringLiteral("legends"));
}

// The panel is behind others in its tabs.
inline void raise_fields(MainWindow& window) {
  window.findChild<QDockWidget*>(QStringLiteral("fields"))->raise();
}

}  // namespace isolume::test
