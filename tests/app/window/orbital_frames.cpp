// Orbitals over frames in the window.
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QTableView>
#include <QTest>

#include "app/scene/path_part.h"
#include "app/window/panels/orbital_panel.h"
#include "app/window/shell/message_bar.h"
#include "app/window/widgets/level_diagram.h"
#include "app/window/widgets/orbital_energies.h"
#include "app/window/widgets/plot.h"
#include "fixture.h"
#include "tests/app/window/orbitals_test.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

TEST_F(OrbitalPanelTest, FollowsAnOrbitalThroughACrossing) {
  ISOLUME_NEEDS(ethylene());
  ASSERT_TRUE(open({QString::fromStdString(ethylene())}));
  raise();
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(chosen_number(), 8);
  QTest::mouseClick(panel().follow(), Qt::LeftButton);
  ASSERT_TRUE(scene().fields[0].follow);
  go_to(24);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_TRUE(wait_until([&] { return chosen_number() == 9; })) << "HOMO and LUMO change places at frame 19";
  EXPECT_TRUE(panel().match()->text().contains(QStringLiteral("from frame 0, overlap 0.9")))
      << panel().match()->text().toStdString();
  // Without following the orbital that is seen stays, by its number.
  QTest::mouseClick(panel().follow(), Qt::LeftButton);
  EXPECT_FALSE(scene().fields[0].follow);
  EXPECT_EQ(scene().fields[0].orbital, "9");
  EXPECT_EQ(chosen_number(), 9);
}

TEST_F(OrbitalPanelTest, ThePlotOverFramesFollowsAndGoesToFrames) {
  ISOLUME_NEEDS(ethylene());
  ASSERT_TRUE(open({QString::fromStdString(ethylene())}));
  raise();
  panel().tabs()->setCurrentIndex(2);
  Plot* plot = panel().energies()->plot();
  ASSERT_TRUE(wait_until([&] { return plot->curves().size() == 14; }));
  // HOMO of frame 0: by its identity it has the energy of orbital 9 in frame 24.
  const auto molecule = window_->controller().molecule(0);
  const PlotCurve& pi = plot->curves()[6];
  ASSERT_EQ(pi.x.size(), 37u);
  EXPECT_NEAR(pi.y[24], molecule->orbitals_at(24)->orbitals[8].energy * 27.211386245988, 1e-9);
  EXPECT_TRUE(pi.chosen);
  const auto at = [&](double x, double y) {
    return QPointF(plot->x_axis().pixel(x), plot->y_axis().pixel(y)).toPoint();
  };
  QTest::mouseClick(plot, Qt::LeftButton, {}, at(30, pi.y[30]));
  EXPECT_TRUE(scene().fields[0].follow);
  EXPECT_EQ(scene().fields[0].follow_from, 30u);
  EXPECT_EQ(scene().fields[0].orbital, "9");
  // Between two curves: the frame.
  const double middle = 0.5 * (pi.y[12] + plot->curves()[7].y[12]);
  QTest::mouseClick(plot, Qt::LeftButton, {}, at(12, middle));
  EXPECT_EQ(scene().frame, 12u);
  EXPECT_EQ(plot->cursor(), 12.0);
  QTest::keyClick(plot, Qt::Key_Right);
  EXPECT_EQ(scene().frame, 13u);
  ASSERT_TRUE(wait_for_picture());
}

TEST_F(OrbitalPanelTest, LocalisedOrbitalsTakeThePlaceOfCanonicalOnes) {
  ASSERT_TRUE(open_water());
  raise();
  const Scene before = scene();
  const auto choose = [&](int row) {
    panel().localisation()->setCurrentIndex(row);
    Q_EMIT panel().localisation()->activated(row);
    return wait_until([&] { return !panel().localising(); }) && wait_for_picture();
  };
  ASSERT_TRUE(choose(1));
  EXPECT_TRUE(panel().about()->text().contains(QStringLiteral("Pipek-Mezey, gradient")))
      << panel().about()->text().toStdString();
  QStringList atoms;
  for (int row = 0; row < 5; ++row)
    atoms += panel().model().index(row, OrbitalModel::symmetry_column).data().toString();
  EXPECT_EQ(atoms.count(QStringLiteral("O1")), 3) << atoms.join(u' ').toStdString();
  EXPECT_FALSE(panel().table()->isColumnHidden(OrbitalModel::symmetry_column));
  ASSERT_TRUE(choose(2));
  EXPECT_EQ(path_part(scene().molecules[0].paths.back()).method, "boys");
  EXPECT_EQ(scene().molecules[0].paths.size(), before.molecules[0].paths.size() + 1);
  screenshot(QStringLiteral("localised"));
  window_->commands().undo->trigger();
  window_->commands().undo->trigger();
  EXPECT_EQ(scene().molecules, before.molecules);
  EXPECT_EQ(panel().localisation()->currentIndex(), 0);
  EXPECT_FALSE(window_->messages().isVisible());
}

TEST_F(OrbitalPanelTest, NaturalOrbitalsHaveNoEnergiesOverFrames) {
  ISOLUME_NEEDS(ethylene());
  // The same orbitals, with zeros where their energies were, as programs write natural ones.
  QStringList paths;
  for (int frame = 0; frame < 3; ++frame) {
    const QString name = QStringLiteral("frame_%1.molden").arg(frame, 3, 10, QLatin1Char('0'));
    QFile source(QString::fromStdString(ethylene()) + QLatin1Char('/') + name);
    ASSERT_TRUE(source.open(QIODevice::ReadOnly));
    QFile copy(temporary(name));
    ASSERT_TRUE(copy.open(QIODevice::WriteOnly));
    while (!source.atEnd()) {
      const QByteArray line = source.readLine();
      copy.write(line.trimmed().startsWith("Ene=") ? QByteArray(" Ene= 0.0\n") : line);
    }
    paths += copy.fileName();
  }
  bool matched = false;
  QObject::connect(panel().energies(), &OrbitalEnergies::matched, panel().energies(), [&] { matched = true; });
  ASSERT_TRUE(open(paths));
  raise();
  panel().tabs()->setCurrentIndex(2);
  ASSERT_TRUE(wait_until([&] { return matched; }));
  EXPECT_TRUE(panel().energies()->plot()->curves().empty());
  EXPECT_EQ(panel().energies()->plot()->labels().empty, QStringLiteral("Natural orbitals have no energies."));
}

}  // namespace
}  // namespace isolume::test
