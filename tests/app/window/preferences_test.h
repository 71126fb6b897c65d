// A window with its preferences open, and drags in its picture.
#pragma once

#include <QTest>

#include "app/window/dialogs/preferences_dialog.h"
#include "tests/app/window/fixture.h"

namespace isolume::test {

class PreferencesTest : public WindowTest {
 protected:
  PreferencesDialog* dialog() {
    QTest::keyClick(window_.get(), Qt::Key_Comma, Qt::ControlModifier);
    PreferencesDialog* found = nullptr;
    EXPECT_TRUE(wait_until([&] {
      found = window_->findChild<PreferencesDialog*>(QStringLiteral("preferences"));
      return found != nullptr && found->isVisible();
    }));
    return found;
  }
  void drag(Qt::MouseButton button, Qt::KeyboardModifiers modifiers, QPoint from, QPoint to) {
    Viewport& viewport = window_->viewport();
    QTest::mousePress(&viewport, button, modifiers, from);
    for (const QPoint at : {(from + to) / 2, to}) {
      QMouseEvent move(QEvent::MouseMove, at, viewport.mapToGlobal(QPointF(at)), Qt::NoButton, button, modifiers);
      QCoreApplication::sendEvent(&viewport, &move);
    }
    QTest::mouseRelease(&viewport, button, modifiers, to);
  }
};

}  // namespace isolume::test
