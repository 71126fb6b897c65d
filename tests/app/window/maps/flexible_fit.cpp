// Flexible fits in the window.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QTest>

#include "app/window/maps/flexible_fit_dialog.h"
#include "app/window/widgets/plot.h"
#include "formats/write/write.h"
#include "tests/app/window/maps/hairpin.h"
#include "tests/app/window/maps/maps_test.h"

namespace isolume::test {
namespace {

/// The hairpin of trpzip2 in one conformation, and the map of another at 6 angstrom.
class FlexibleFitTest : public MapTest {
 protected:
  FlexibleFitDialog* open_hairpin() {
    const std::vector<std::string> files = hairpin_files();
    const QString path = temporary(QStringLiteral("other.mrc"));
    write_volume(path.toStdString(), hairpin_map(read_files(files).front()));
    EXPECT_TRUE(open({QString::fromStdString(files[0]), QString::fromStdString(files[1])}));
    EXPECT_TRUE(open({path}));
    window_->findChild<QAction*>(QStringLiteral("flexible_fit"))->trigger();
    auto* dialog = window_->findChild<FlexibleFitDialog*>();
    if (dialog == nullptr) return nullptr;
    dialog->resolution_box()->setValue(6);
    dialog->strength_box()->setValue(0.5);
    dialog->restraints_box()->setCurrentIndex(1);
    return dialog;
  }
  bool has_frames() { return scene().molecules[0].paths.back().find("#fit=") != std::string::npos; }
};

TEST_F(FlexibleFitTest, AMapPullsAModelIntoIt) {
  ISOLUME_NEEDS(shared_data("trajectories/tz2/tz2.nc"));
  auto* dialog = open_hairpin();
  ASSERT_NE(dialog, nullptr);
  const SceneMolecule before = scene().molecules[0];
  dialog->length_box()->setValue(2);
  QTest::mouseClick(dialog->fit_button(), Qt::LeftButton);
  EXPECT_TRUE(dialog->running()) << dialog->message()->text().toStdString();
  EXPECT_FALSE(dialog->fit_button()->isEnabled());
  // It moves while it runs.
  ASSERT_TRUE(wait_until([&] { return has_frames(); })) << dialog->message()->text().toStdString();
  ASSERT_TRUE(wait_until([&] { return dialog->message()->text().startsWith(QStringLiteral("Done")); }, 200000))
      << dialog->message()->text().toStdString();
  EXPECT_FALSE(dialog->running());
  ASSERT_EQ(dialog->plot()->curves().size(), 1u);
  const PlotCurve& curve = dialog->plot()->curves()[0];
  ASSERT_EQ(curve.y.size(), 41u);  // 2000 steps, every 50, and the start
  EXPECT_NEAR(curve.x.back(), 2, 1e-9);
  EXPECT_GT(curve.y.back(), curve.y.front() + 0.02);
  EXPECT_EQ(scene().frame, 40u);
  EXPECT_EQ(window_->controller().frame_count(), 41u);
  ASSERT_TRUE(wait_for_picture());
  picture(QStringLiteral("flexible_fit"), dialog);
  screenshot(QStringLiteral("flexible_fit_window"));
  Q_EMIT dialog->plot()->x_clicked(1.0);
  EXPECT_EQ(scene().frame, 20u);
  window_->controller().undo();
  EXPECT_EQ(scene().molecules[0], before);
  window_->controller().redo();
  EXPECT_TRUE(has_frames());
}

TEST_F(FlexibleFitTest, ItIsStoppedOrCancelled) {
  ISOLUME_NEEDS(shared_data("trajectories/tz2/tz2.nc"));
  auto* dialog = open_hairpin();
  ASSERT_NE(dialog, nullptr);
  const SceneMolecule before = scene().molecules[0];
  dialog->length_box()->setValue(50000);
  QTest::mouseClick(dialog->fit_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return has_frames(); })) << dialog->message()->text().toStdString();
  QTest::mouseClick(dialog->cancel_button(), Qt::LeftButton);
  EXPECT_FALSE(dialog->running());
  EXPECT_EQ(scene().molecules[0], before);
  EXPECT_FALSE(window_->controller().can_undo() && window_->controller().undo_text() == QStringLiteral("Flexible fit"));
  QTest::mouseClick(dialog->fit_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return has_frames(); })) << dialog->message()->text().toStdString();
  ASSERT_TRUE(dialog->stop_button()->isVisible());
  QTest::mouseClick(dialog->stop_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return dialog->message()->text().startsWith(QStringLiteral("Stopped")); }))
      << dialog->message()->text().toStdString();
  EXPECT_FALSE(dialog->running());
  EXPECT_TRUE(has_frames());
  EXPECT_GE(window_->controller().frame_count(), 1u);
  // Closing it keeps the frames, and so does undo while it runs: the run ends.
  QTest::mouseClick(dialog->fit_button(), Qt::LeftButton);
  EXPECT_TRUE(dialog->running());
  window_->controller().undo();
  EXPECT_EQ(scene().molecules[0], before);
  EXPECT_FALSE(dialog->running());
}

TEST_F(FlexibleFitTest, WhatIsMissingIsSaid) {
  ASSERT_TRUE(open({write_model({0, 0, 0})}));
  window_->findChild<QAction*>(QStringLiteral("flexible_fit"))->trigger();
  auto* dialog = window_->findChild<FlexibleFitDialog*>();
  ASSERT_NE(dialog, nullptr);
  QTest::mouseClick(dialog->fit_button(), Qt::LeftButton);
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("no density map")));
  ASSERT_TRUE(open({write_map()}));
  QTest::mouseClick(dialog->fit_button(), Qt::LeftButton);
  EXPECT_FALSE(dialog->running());
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("has no force field")));
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("Ctrl+O")));
}

TEST_F(FlexibleFitTest, ItRunsOnTheWindowsDevice) {
  ISOLUME_NEEDS(shared_data("trajectories/tz2/tz2.nc"));
  ASSERT_NE(open_hairpin(), nullptr);
  int asked = 0;
  auto* dialog = new FlexibleFitDialog(
      window_->controller(),
      [&] {
        ++asked;
        return window_->fields().device();
      },
      window_.get());
  dialog->show();
  dialog->length_box()->setValue(0.05);
  dialog->resolution_box()->setValue(6);
  EXPECT_EQ(asked, 0) << "only when it starts: it may be chosen meanwhile";
  QTest::mouseClick(dialog->fit_button(), Qt::LeftButton);
  EXPECT_EQ(asked, 1);
  ASSERT_TRUE(wait_until([&] { return dialog->message()->text().startsWith(QStringLiteral("Done")); }))
      << dialog->message()->text().toStdString();
}

TEST_F(FlexibleFitTest, AResolutionThatTheGridCannotHoldIsSaid) {
  ISOLUME_NEEDS(shared_data("trajectories/tz2/tz2.nc"));
  auto* dialog = open_hairpin();
  ASSERT_NE(dialog, nullptr);
  dialog->resolution_box()->setValue(1.5);
  QTest::mouseClick(dialog->fit_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("Nyquist"))) << dialog->message()->text().toStdString();
  EXPECT_FALSE(has_frames());
}

TEST_F(FlexibleFitTest, AMapElsewhereIsSaid) {
  ISOLUME_NEEDS(shared_data("trajectories/tz2/tz2.nc"));
  auto* dialog = open_hairpin();
  ASSERT_NE(dialog, nullptr);
  window_->controller().edit(QStringLiteral("Move"), [](Scene& scene) {
    scene.molecules[0].placement.motion.translation = {300, 0, 0};
  });
  ASSERT_TRUE(wait_until([&] { return window_->controller().molecule(0) != nullptr; }));
  QTest::mouseClick(dialog->fit_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("do not meet")))
      << dialog->message()->text().toStdString();
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("Search all places")));
  EXPECT_FALSE(has_frames());
}

}  // namespace
}  // namespace isolume::test
