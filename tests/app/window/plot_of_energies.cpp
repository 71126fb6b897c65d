// Energies of a file as a plot of the window.
#include <QFile>
#include <QTest>

#include "app/window/panels/plots_panel.h"
#include "app/window/shell/task_panel.h"
#include "app/window/widgets/plot.h"
#include "fixture.h"
#include "tests/app/window/plots_test.h"

namespace isolume::test {
namespace {

// TOTAL of the log is -500 - r / 4 at 0.02 r ps, for r from 0 to 5; frames are 0.04 ps apart.
TEST_F(PlotsTest, EnergiesAreAtTheFramesOfTheirTime) {
  const QString path = temporary(QStringLiteral("timed.xyz"));
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  for (int f = 0; f < 3; ++f)
    file.write(QStringLiteral("2\n i = %1, time = %2, E = -1.0\nO 0 0 0\nH 0.96 0 0\n").arg(f).arg(40 * f).toUtf8());
  file.close();
  ASSERT_TRUE(open({path}));
  show_panel();
  const QString log = temporary(QStringLiteral("dynamics_namd.log"));
  QFile energies(log);
  ASSERT_TRUE(energies.open(QIODevice::WriteOnly));
  energies.write("Info: TIMESTEP 2\nETITLE: TS TOTAL TEMP POTENTIAL\n");
  for (int r = 0; r < 6; ++r)
    energies.write(QStringLiteral("ENERGY: %1 %2 300 -585\n").arg(10 * r).arg(-500 - 0.25 * r).toUtf8());
  energies.close();
  panel().add_energies({log});
  ASSERT_TRUE(wait_until([&] { return !said_.isEmpty() || (!panel().busy() && !plot()->curves().empty()); }));
  ASSERT_TRUE(said_.isEmpty()) << said_.toStdString();
  EXPECT_EQ(panel().kinds()->currentText(), QStringLiteral("POTENTIAL (dynamics_namd.log)"));
  panel().kinds()->setCurrentText(QStringLiteral("TOTAL (dynamics_namd.log)"));
  ASSERT_EQ(plot()->curves().size(), 1u);
  const PlotCurve& curve = plot()->curves().front();
  ASSERT_EQ(curve.x.size(), 5u);  // the row at 0.1 ps is after the last frame
  for (std::size_t r = 0; r < 5; ++r) {
    EXPECT_NEAR(curve.x[r], 0.5 * static_cast<double>(r), 1e-9);
    EXPECT_NEAR(curve.y[r], -500 - 0.25 * static_cast<double>(r), 1e-9);
  }
  QTest::mouseClick(plot(), Qt::LeftButton, {}, at(2));
  EXPECT_TRUE(wait_until([&] { return scene().frame == 2; }));
  panel().add_energies({path});
  EXPECT_TRUE(wait_until([&] { return !said_.isEmpty(); }));
}

}  // namespace
}  // namespace isolume::test
