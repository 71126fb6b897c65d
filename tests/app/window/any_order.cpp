// Whatever is chosen, pressed and undone, in any order and without waiting: the window goes on, and every step is
// undone.
#include <QAbstractButton>
#include <QColorDialog>
#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QRandomGenerator>
#include <QSpinBox>
#include <QTest>
#include <QTimer>

#include "app/window/shell/command_palette.h"
#include "fixture.h"
#include "tests/support/data.h"
#include "two_chains.h"

namespace isolume::test {
namespace {

/// Actions that leave the window: they end it, or start another program.
const QStringList leaving = {QStringLiteral("quit"), QStringLiteral("new_window"), QStringLiteral("manual"),
                             QStringLiteral("news"), QStringLiteral("full_screen")};

/// ISOLUME_SEEDS for a longer search.
unsigned seeds() {
  const QByteArray wanted = qgetenv("ISOLUME_SEEDS");
  return wanted.isEmpty() ? 3 : wanted.toUInt();
}

class AnyOrderTest : public WindowTest, public ::testing::WithParamInterface<unsigned> {
 protected:
  template <class List>
  auto any(const List& list) {
    return list[static_cast<int>(random_.bounded(static_cast<quint32>(list.size())))];
  }

  /// What an action does, or nothing where it cannot be chosen now.
  QString choose_action() {
    QList<QAction*> actions;
    for (const auto& entry : entries_of(window_->menuBar()))
      if (entry.action && entry.action->isEnabled() && !leaving.contains(entry.action->objectName()))
        actions.append(entry.action);
    if (actions.isEmpty()) return {};
    QAction* const chosen = any(actions);
    const QString name = chosen->objectName().isEmpty() ? chosen->text() : chosen->objectName();
    steps_ << name;
    chosen->trigger();
    return name;
  }

  /// One of the controls that can be seen, of the window or of its dialogs.
  void use_control() {
    QList<QWidget*> controls;
    for (QWidget* top : QApplication::topLevelWidgets()) {
      if (!top->isVisible() || qobject_cast<QFileDialog*>(top) || qobject_cast<QMenu*>(top)) continue;
      for (QWidget* widget : top->findChildren<QWidget*>()) {
        const bool used = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget) ||
                          qobject_cast<QAbstractSpinBox*>(widget);
        bool of_files = false;
        for (const QWidget* parent = widget; parent; parent = parent->parentWidget())
          of_files = of_files || qobject_cast<const QFileDialog*>(parent);
        if (used && !of_files && widget->isVisible() && widget->isEnabled()) controls.append(widget);
      }
    }
    if (controls.isEmpty()) return;
    QWidget* const widget = any(controls);
    steps_ << QStringLiteral("%1 '%2'").arg(QLatin1String(widget->metaObject()->className()), widget->accessibleName());
    if (auto* box = qobject_cast<QComboBox*>(widget); box && box->count() > 0) {
      const int index = static_cast<int>(random_.bounded(static_cast<quint32>(box->count())));
      const QPointer<QComboBox> there(box);
      box->setCurrentIndex(index);
      if (there) Q_EMIT box->activated(index);
    } else if (auto* number = qobject_cast<QAbstractSpinBox*>(widget)) {
      number->stepBy(random_.bounded(2) == 0 ? 1 : -1);
    } else if (auto* button = qobject_cast<QAbstractButton*>(widget)) {
      auto* tool = qobject_cast<QToolButton*>(button);
      if (!tool || tool->popupMode() != QToolButton::InstantPopup) button->click();
    }
  }

  void close_dialogs() {
    while (QWidget* popup = QApplication::activePopupWidget()) popup->close();
    for (QWidget* top : QApplication::topLevelWidgets())
      if (auto* dialog = qobject_cast<QDialog*>(top); dialog && dialog->isVisible()) dialog->reject();
  }

  void pick() {
    const Scene& scene = window_->controller().scene();
    std::vector<PickedAtom> atoms;
    for (std::uint32_t m = 0; m < scene.molecules.size(); ++m)
      if (const auto topology = window_->controller().topology(m); topology && !topology->atoms.empty())
        atoms.push_back({m, random_.bounded(static_cast<quint32>(topology->atoms.size()))});
    steps_ << QStringLiteral("pick");
    window_->controller().set_picked(std::move(atoms));
  }

  /// What a step changes, which undo takes back.
  static Scene content(Scene scene) {
    scene.camera = {};
    scene.frame = 0;
    scene.playback = {};
    return scene;
  }

  QRandomGenerator random_{GetParam()};
  QStringList steps_;
};

TEST_P(AnyOrderTest, TheWindowGoesOnAndEveryStepIsUndone) {
  const QByteArray wanted = qgetenv("ISOLUME_STEPS");
  const int count = wanted.isEmpty() ? 120 : wanted.toInt();
  write_two_chains(temporary(QStringLiteral("complex.pdb")));
  ASSERT_TRUE(open({temporary(QStringLiteral("complex.pdb"))}));
  // A copy: images and movies are saved next to it.
  ASSERT_TRUE(
      QFile::copy(QString::fromStdString(data("window/water.molden")), temporary(QStringLiteral("water.molden"))));
  ASSERT_TRUE(open({temporary(QStringLiteral("water.molden"))}));
  ASSERT_TRUE(open({write_breathing_xyz(5)}));
  SceneController& controller = window_->controller();
  // Dialogs and menus that are waited for in a loop of their own.
  QTimer waited;
  QObject::connect(&waited, &QTimer::timeout, [] {
    if (auto* dialog = qobject_cast<QColorDialog*>(QApplication::activeModalWidget())) dialog->reject();
    if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) menu->close();
  });
  waited.start(20);
  for (int i = 0; i < count; ++i) {
    SCOPED_TRACE(steps_.mid(std::max<qsizetype>(0, steps_.size() - 8)).join(QStringLiteral(", ")).toStdString());
    switch (random_.bounded(10)) {
      case 0:
        controller.can_undo() ? controller.undo() : controller.redo();
        break;
      case 1:
        controller.redo();
        break;
      case 2:
        pick();
        break;
      case 3:
        close_dialogs();
        break;
      case 4:
      case 5:
      case 6:
        use_control();
        break;
      default:
        choose_action();
        break;
    }
    // Now and then what was begun is done before the next step, mostly not.
    if (random_.bounded(4) == 0) QTest::qWait(static_cast<int>(random_.bounded(60u)));
    QApplication::processEvents(QEventLoop::AllEvents, 20);
    if (!qEnvironmentVariableIsEmpty("ISOLUME_TELL")) qInfo().noquote() << i << steps_.value(steps_.size() - 1);
  }
  close_dialogs();
  window_->player().pause();
  QApplication::processEvents();
  const Scene last = content(controller.scene());
  int undone = 0;
  while (controller.can_undo()) {
    controller.undo();
    ASSERT_LT(++undone, 10000);
  }
  for (; undone > 0; --undone) controller.redo();
  EXPECT_EQ(content(controller.scene()), last) << steps_.join(QStringLiteral(", ")).toStdString();
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyOrderTest, ::testing::Range(1u, seeds() + 1));

}  // namespace
}  // namespace isolume::test
