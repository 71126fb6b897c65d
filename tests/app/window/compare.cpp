// Two methods of the potential side by side, in their dialog.
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QTableWidget>
#include <QTest>

#include "app/window/compare_dialog.h"
#include "app/window/field_panel.h"
#include "app/window/layer_view.h"
#include "app/window/potential_rows.h"
#include "app/window/theme.h"
#include "fixture.h"

namespace isolume::test {
namespace {

/// Opens the dialog from the panel of a potential.
CompareDialog* open_dialog(MainWindow& window) {
  PotentialRows* rows = window.field_panel().potential();
  rows->compare_button()->click();
  return window.findChild<CompareDialog*>();
}

TEST_F(WindowTest, MethodsAreComparedSideBySide) {
  ASSERT_TRUE(open({write_salt_pqr(3)}));
  window_->field_panel().add(Field::Kind::potential);
  ASSERT_TRUE(wait_for_picture());
  CompareDialog* dialog = open_dialog(*window_);
  ASSERT_TRUE(dialog != nullptr);
  EXPECT_TRUE(dialog->view(0)->image().isNull());
  dialog->method_box(0)->setCurrentIndex(static_cast<int>(PotentialSettings::Method::direct));
  dialog->method_box(1)->setCurrentIndex(static_cast<int>(PotentialSettings::Method::msm));
  EXPECT_FALSE(dialog->accuracy_box(0)->isEnabled());
  EXPECT_TRUE(dialog->accuracy_box(1)->isEnabled());
  QTest::keyClick(dialog->compute_button(), Qt::Key_Space);
  EXPECT_TRUE(dialog->running());
  EXPECT_TRUE(dialog->cancel_button()->isEnabled());
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); })) << "does not end";
  ASSERT_TRUE(dialog->result().has_value()) << dialog->message()->text().toStdString();
  const PotentialComparison& result = *dialog->result();
  EXPECT_EQ(result.charges, 27u);
  // The exact sum is exact, the other as good as it was planned for; and the difference is that of the maps.
  EXPECT_LT(result.first.error.relative, 1e-5);
  EXPECT_GT(result.second.error.relative, 1e-6);
  EXPECT_LT(result.second.error.relative, 2.5e-3);
  double worst = 0;
  for (std::size_t i = 0; i < result.grid.size(); ++i)
    worst = std::max(
        worst, std::abs(static_cast<double>(result.second.values[i]) - static_cast<double>(result.first.values[i])));
  EXPECT_DOUBLE_EQ(result.difference.max, worst);
  EXPECT_LE(result.difference.rms, worst);
  EXPECT_GT(result.difference.rms, 0);
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 5; ++column) {
      ASSERT_TRUE(dialog->table()->item(row, column) != nullptr) << row << ", " << column;
      EXPECT_FALSE(dialog->table()->item(row, column)->text().isEmpty());
    }
  EXPECT_TRUE(dialog->table()->item(0, 4)->text().contains(QStringLiteral("direct")));
  EXPECT_TRUE(dialog->table()->item(1, 4)->text().contains(QStringLiteral("multilevel")));
  // Both sides have one range; another layer, another picture.
  EXPECT_EQ(dialog->view(0)->range(), dialog->view(1)->range());
  EXPECT_LT(dialog->view(2)->range(), dialog->view(0)->range());
  const QImage before = dialog->view(0)->image();
  EXPECT_EQ(before.width(), result.grid.counts.x);
  EXPECT_EQ(before.height(), result.grid.counts.y);
  QTest::keyClick(dialog->layer_slider(), Qt::Key_Home);
  EXPECT_NE(dialog->view(0)->image(), before);
  dialog->axis_box()->setCurrentIndex(0);
  EXPECT_EQ(dialog->view(0)->image().width(), result.grid.counts.y);
  EXPECT_FALSE(dialog->view(2)->accessibleDescription().isEmpty());
  dialog->axis_box()->setCurrentIndex(2);
  const QString folder = qEnvironmentVariable("ISOLUME_SCREENSHOTS");
  if (folder.isEmpty()) return;
  dialog->grab().save(folder + QStringLiteral("/compare.png"));
  apply_theme(Theme::dark);
  wait_until([] { return dark_palette(); });
  QCoreApplication::processEvents();
  dialog->grab().save(folder + QStringLiteral("/compare_dark.png"));
  apply_theme(Theme::light);
}

TEST_F(WindowTest, AComparisonIsCancelledAndSaysWhatIsWrong) {
  ASSERT_TRUE(open({write_salt_pqr(3)}));
  window_->field_panel().add(Field::Kind::potential);
  ASSERT_TRUE(wait_for_picture());
  CompareDialog* dialog = open_dialog(*window_);
  ASSERT_TRUE(dialog != nullptr);
  QTest::keyClick(dialog->compute_button(), Qt::Key_Space);
  dialog->cancel_button()->click();
  EXPECT_FALSE(dialog->running());
  EXPECT_FALSE(dialog->result().has_value());
  EXPECT_TRUE(dialog->compute_button()->isEnabled());
  // Particle-mesh Ewald without a cell.
  dialog->method_box(1)->setCurrentIndex(static_cast<int>(PotentialSettings::Method::spme));
  QTest::keyClick(dialog->compute_button(), Qt::Key_Space);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  EXPECT_FALSE(dialog->result().has_value());
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("cell"))) << dialog->message()->text().toStdString();
}

}  // namespace
}  // namespace isolume::test
