// A window with a trajectory and its plots.
#pragma once

#include <QAction>
#include <QDockWidget>
#include <QFile>
#include <QMouseEvent>
#include <QTest>
#include <QTextStream>

#include <cmath>

#include "app/window/dialogs/analysis_dialog.h"
#include "app/window/panels/plots_panel.h"
#include "app/window/panels/trajectory_panel.h"
#include "app/window/shell/task_panel.h"
#include "app/window/widgets/plot.h"
#include "app/window/widgets/theme.h"
#include "fixture.h"

namespace isolume::test {

constexpr int frames = 24;

class PlotsTest : public WindowTest {
 protected:
  PlotsPanel& panel() { return window_->plots(); }
  Plot* plot() { return window_->plots().plot(); }
  const Scene& scene() { return window_->controller().scene(); }
  void show_panel() {
    QObject::connect(&panel(), &PlotsPanel::failed, [this](const QString& message) { said_ = message; });
    auto* dock = window_->findChild<QDockWidget*>(QStringLiteral("plots"));
    dock->show();
    dock->raise();
    ASSERT_TRUE(wait_until([&] { return plot()->isVisible() && plot()->width() > 100; }));
  }
  /// Through the menu of the panel and its dialog.
  void add(const QString& title) {
    QAction* chosen = nullptr;
    for (QAction* action : panel().add_button()->menu()->actions())
      if (action->text().startsWith(title)) chosen = action;
    ASSERT_NE(chosen, nullptr);
    chosen->trigger();
    AnalysisDialog* dialog = nullptr;
    ASSERT_TRUE(wait_until([&] {
      dialog = panel().findChild<AnalysisDialog*>();
      return dialog && dialog->isVisible();
    }));
    if (const QString folder = qEnvironmentVariable("ISOLUME_SCREENSHOTS"); !folder.isEmpty())
      dialog->grab().save(folder + QStringLiteral("/plot_dialog_") + title.left(4) + QStringLiteral(".png"));
    QTest::mouseClick(dialog->plot_button(), Qt::LeftButton);
    const bool done = wait_until([&] { return !said_.isEmpty() || (!panel().busy() && !plot()->curves().empty()); });
    ASSERT_TRUE(done && said_.isEmpty()) << said_.toStdString();
    ASSERT_TRUE(wait_until([&] { return !panel().findChild<AnalysisDialog*>(); }));
  }
  QPoint at(double x) { return {qRound(plot()->x_axis().pixel(x)), plot()->height() / 3}; }
  void move(QPoint to, Qt::MouseButtons buttons = Qt::NoButton) {
    QMouseEvent event(QEvent::MouseMove, QPointF(to), plot()->mapToGlobal(QPointF(to)), Qt::NoButton, buttons, {});
    QCoreApplication::sendEvent(plot(), &event);
  }
  void drag(double from, double to) {
    QTest::mousePress(plot(), Qt::LeftButton, {}, at(from));
    move(at(0.5 * (from + to)), Qt::LeftButton);
    move(at(to), Qt::LeftButton);
    QTest::mouseRelease(plot(), Qt::LeftButton, {}, at(to));
  }
  /// A chain of eight residues of one CA each; that of residue i swings by 0.1 i angstrom along z.
  QString write_chain() {
    const QString path = temporary(QStringLiteral("chain.pdb"));
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    QTextStream out(&file);
    for (int f = 0; f < frames; ++f) {
      out << "MODEL " << f + 1 << "\n";
      for (int i = 0; i < 8; ++i) {
        const double z = 0.1 * i * std::sin(2 * 3.14159265358979 * f / frames);
        out << QString::asprintf("ATOM  %5d  CA  GLY A%4d    %8.3f%8.3f%8.3f  1.00  0.00           C\n", i + 1, i + 11,
                                 3.8 * i, i % 2 * 1.5, z);
      }
      out << "ENDMDL\n";
    }
    return path;
  }

  QString said_;  ///< what failed
};

}  // namespace isolume::test
