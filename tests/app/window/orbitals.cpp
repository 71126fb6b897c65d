// The orbital panel: levels, energies over frames, following, several orbitals, enclosed probability, coarser grids.
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QTest>
#include <fstream>

#include "app/window/panels/orbital_panel.h"
#include "app/window/panels/shape_rows.h"
#include "app/window/viewport/legend_overlay.h"
#include "app/window/widgets/level_diagram.h"
#include "app/window/widgets/selection_edit.h"
#include "app/window/widgets/theme.h"
#include "app/window/widgets/value_slider.h"
#include "fixture.h"
#include "tests/app/window/orbitals_test.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

TEST_F(OrbitalPanelTest, TheLegendIsOfThePictureUntilTheNewOneIsThere) {
  ASSERT_TRUE(open_water());
  const auto* overlay = window_->findChild<LegendOverlay*>(QStringLiteral("legends"));
  ASSERT_NE(overlay, nullptr);
  ASSERT_EQ(overlay->legends().size(), 1u);
  const FieldLegend homo = overlay->legends()[0];
  window_->controller().edit(QStringLiteral("lumo"), [](Scene& next) {
    next.fields[0].orbital = "lumo";
    next.fields[0].isovalue = 0.02;
  });
  // The HOMO is still drawn.
  ASSERT_EQ(overlay->legends().size(), 1u);
  EXPECT_EQ(overlay->legends()[0], homo);
  ASSERT_TRUE(wait_for_picture());
  ASSERT_EQ(overlay->legends().size(), 1u);
  EXPECT_NE(overlay->legends()[0].title, homo.title);
  EXPECT_DOUBLE_EQ(overlay->legends()[0].upper, 0.02);
}

/// Whether a panel says that the orbitals fail the self-check.
bool says_misread(const QWidget& panel) {
  for (const QLabel* label : panel.findChildren<QLabel*>()) {
    if (label->text().contains(QStringLiteral("not orthonormal"))) return true;
  }
  return false;
}

TEST_F(OrbitalPanelTest, SaysNothingOfOrbitalsThatAreRight) {
  ASSERT_TRUE(open_water());
  EXPECT_FALSE(says_misread(panel()));
}

TEST_F(OrbitalPanelTest, SaysThatOrbitalsAreMisread) {
  const std::string path = testing::TempDir() + "/isolume_misread.molden";
  std::ofstream(path) << "[Molden Format]\n[Atoms] AU\nH 1 1 0 0 0\n[GTO]\n1 0\ns 1 1.00\n 1.0 1.0\n\n[MO]\n"
                         "Ene= -0.5\nSpin= Alpha\nOccup= 1\n1 1.2\n";
  ASSERT_TRUE(open({QString::fromStdString(path)}));
  EXPECT_TRUE(says_misread(panel()));
}

TEST_F(OrbitalPanelTest, KeysAndSearchFindOrbitals) {
  ASSERT_TRUE(open_water());
  raise();
  panel().table()->setFocus();
  QTest::keyClick(panel().table(), Qt::Key_L);
  EXPECT_EQ(scene().fields[0].orbital, "lumo");
  QTest::keyClick(panel().table(), Qt::Key_H);
  EXPECT_EQ(scene().fields[0].orbital, "homo");
  QTest::keyClick(panel().table(), Qt::Key_BracketRight);
  EXPECT_EQ(chosen_number(), 6);
  QTest::keyClick(panel().table(), Qt::Key_BracketLeft);
  QTest::keyClick(panel().table(), Qt::Key_BracketLeft);
  EXPECT_EQ(chosen_number(), 4);
  // Letters that are typed into the search are no keys of the panel.
  panel().search()->setFocus();
  QTest::keyClicks(panel().search(), QStringLiteral("homo"));
  EXPECT_EQ(panel().search()->text(), QStringLiteral("homo"));
  EXPECT_EQ(panel().table()->model()->rowCount(), 5);
  EXPECT_EQ(scene().fields[0].orbital, "4");
  panel().search()->clear();
  EXPECT_EQ(panel().table()->model()->rowCount(), 19);
}

TEST_F(OrbitalPanelTest, AClickOnALevelShowsIt) {
  ASSERT_TRUE(open_water());
  raise();
  panel().tabs()->setCurrentIndex(1);
  QCoreApplication::processEvents();
  LevelDiagram* levels = panel().levels();
  ASSERT_TRUE(levels->isVisible());
  QTest::mouseClick(levels, Qt::LeftButton, {}, levels->place(3).center().toPoint());
  EXPECT_EQ(scene().fields[0].orbital, "4");
  EXPECT_EQ(chosen_number(), 4);
  QTest::keyClick(levels, Qt::Key_Up);
  EXPECT_EQ(chosen_number(), 5);
  // Of two levels the lower energy is lower.
  EXPECT_GT(levels->place(3).center().y(), levels->place(5).center().y());
}

TEST_F(OrbitalPanelTest, SeveralOrbitalsAreShownAndEditedApart) {
  ASSERT_TRUE(open_water());
  raise();
  QTest::mouseClick(panel().add_button(), Qt::LeftButton);
  ASSERT_EQ(scene().fields.size(), 2u);
  EXPECT_EQ(scene().fields[0].orbital, "homo");
  EXPECT_EQ(scene().fields[1].orbital, "lumo");
  EXPECT_NE(scene().fields[0].colour, scene().fields[1].colour);
  EXPECT_EQ(panel().shown()->currentIndex(), 1);
  panel().isovalue()->box()->setValue(0.08);
  EXPECT_EQ(scene().fields[1].isovalue, 0.08);
  EXPECT_EQ(scene().fields[0].isovalue, 0);
  ASSERT_TRUE(wait_for_picture());
  panel().shown()->setFocus();
  QTest::keyClick(panel().shown(), Qt::Key_Up);
  EXPECT_EQ(panel().shown()->currentIndex(), 0);
  QTest::keyClick(panel().table(), Qt::Key_BracketLeft);
  EXPECT_EQ(scene().fields[0].orbital, "4");
  QTest::mouseClick(panel().remove_button(), Qt::LeftButton);
  ASSERT_EQ(scene().fields.size(), 1u);
  EXPECT_EQ(scene().fields[0].orbital, "lumo");
  window_->controller().undo();
  EXPECT_EQ(scene().fields.size(), 2u);
}

TEST_F(OrbitalPanelTest, ASliceIsShownOnThePlaneThatIsChosen) {
  ASSERT_TRUE(open_water());
  raise();
  ShapeRows* shape = panel().shape();
  EXPECT_FALSE(shape->plane_box()->isVisible());
  const auto choose = [](QComboBox* box, int row) {
    box->setCurrentIndex(row);
    Q_EMIT box->activated(row);
  };
  choose(shape->style_box(), 3);
  EXPECT_EQ(scene().fields[0].slice.kind, SlicePlane::Kind::x);
  EXPECT_TRUE(shape->plane_box()->isVisible());
  EXPECT_FALSE(shape->atoms_edit()->isVisible());
  ASSERT_TRUE(wait_for_picture());
  const auto result = [&] { return window_->fields().results()[0]; };
  EXPECT_NE(result().summary.find("plane across x"), std::string::npos) << result().summary;
  ASSERT_TRUE(result().legend);
  // Three picked atoms are the plane; the node of water's HOMO.
  window_->controller().set_picked({{0, 0}, {0, 1}, {0, 2}});
  choose(shape->plane_box(), 3);
  EXPECT_EQ(scene().fields[0].slice.kind, SlicePlane::Kind::atoms);
  EXPECT_EQ(scene().fields[0].slice.selection, "index 0 to 2");
  EXPECT_TRUE(shape->atoms_edit()->isVisible());
  ASSERT_TRUE(wait_for_picture());
  EXPECT_NE(result().summary.find("plane through index 0 to 2"), std::string::npos) << result().summary;
  shape->offset_slider()->box()->setValue(0.5);
  EXPECT_EQ(scene().fields[0].slice.offset, 0.5);
  ASSERT_TRUE(wait_for_picture());
  screenshot(QStringLiteral("slice"));
  // The rows of the slice take room from the table, which keeps the chosen orbital in sight.
  const QTableView* table = panel().table();
  EXPECT_TRUE(table->viewport()->rect().contains(table->visualRect(table->currentIndex()).center()));
  choose(shape->style_box(), 1);
  EXPECT_EQ(scene().fields[0].slice.kind, SlicePlane::Kind::none);
  EXPECT_EQ(scene().fields[0].style, Surface::Style::wireframe);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(result().items.size(), 2u) << "two lobes";
  for (int i = 0; i < 4; ++i) window_->controller().undo();
  EXPECT_EQ(scene().fields[0].slice.kind, SlicePlane::Kind::none);
  EXPECT_EQ(scene().fields[0].style, Surface::Style::solid);
}

TEST_F(OrbitalPanelTest, IsovalueAndEnclosedProbabilityShowEachOther) {
  ASSERT_TRUE(open_water());
  raise();
  ASSERT_TRUE(wait_for_picture());
  // What the usual isovalue holds is shown next to it.
  const double enclosed = panel().enclosed()->value();
  EXPECT_GT(enclosed, 50);
  panel().enclosed()->box()->setValue(80);
  EXPECT_NEAR(scene().fields[0].enclosed, 0.8, 1e-12);
  ASSERT_TRUE(wait_for_picture());
  const double isovalue = panel().isovalue()->value();
  EXPECT_GT(isovalue, 0.05) << "80 % lie within a smaller surface than " << enclosed << " %";
  panel().isovalue()->box()->setValue(isovalue);
  panel().isovalue()->box()->setValue(isovalue + 0.0001);
  EXPECT_EQ(scene().fields[0].enclosed, 0);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_NEAR(panel().enclosed()->value(), 80, 1.5);
}

// The panel alone, with each of its views, in each way that an orbital can be drawn.
TEST_F(OrbitalPanelTest, PicturesForTheEye) {
  const QString folder = qEnvironmentVariable("ISOLUME_SCREENSHOTS");
  if (folder.isEmpty()) GTEST_SKIP() << "set ISOLUME_SCREENSHOTS to a folder";
  window_->resize(1280, 820);
  for (const Theme theme : {Theme::light, Theme::dark}) {
    apply_theme(theme);
    const auto save = [&](const char* what) {
      EXPECT_TRUE(wait_for_picture());
      const QString file = QStringLiteral("%1/orbitals-%2-%3.png").arg(folder, QLatin1String(what), name(theme));
      EXPECT_TRUE(panel().grab().save(file));
    };
    window_->controller().reset({});
    QStringList frames;
    for (int i = 0; i < 36; i += 3) {
      frames += QString::fromStdString(ethylene()) + QStringLiteral("/frame_%1.molden").arg(i, 3, 10, QLatin1Char('0'));
    }
    ASSERT_TRUE(open(frames));
    raise();
    save("table");
    panel().tabs()->setCurrentIndex(1);
    save("levels");
    panel().tabs()->setCurrentIndex(2);
    save("frames");
    QTest::mouseClick(panel().add_button(), Qt::LeftButton);
    window_->controller().edit(QStringLiteral("Follow"), [](Scene& scene) {
      for (Field& field : scene.fields) field.follow = true;
      scene.frame = 8;
    });
    save("followed");
    panel().tabs()->setCurrentIndex(0);
    panel().search()->setText(QStringLiteral("LUMO"));
    const auto draw = [this](const std::function<void(Field&)>& change) {
      window_->controller().edit(QStringLiteral("Draw"), [&](Scene& scene) { change(scene.fields[1]); });
    };
    draw([](Field& field) { field.slice.kind = SlicePlane::Kind::x; });
    save("slice");
    panel().search()->clear();
    draw([](Field& field) {
      field.slice.kind = SlicePlane::Kind::none;
      field.style = Surface::Style::wireframe;
      field.enclosed = 0.8;
    });
    save("mesh");
  }
  apply_theme(Theme::light);
}

TEST_F(OrbitalPanelTest, WhatTellsRowsApartIsSeenFirst) {
  ASSERT_TRUE(open_water());
  const QTableView* table = panel().table();
  const QHeaderView* header = table->horizontalHeader();
  EXPECT_LT(header->visualIndex(OrbitalModel::spin_column), header->visualIndex(OrbitalModel::ev_column));
  EXPECT_LT(header->visualIndex(OrbitalModel::occupation_column), header->visualIndex(OrbitalModel::hartree_column));
  EXPECT_TRUE(table->isColumnHidden(OrbitalModel::spin_column)) << "all are of both spins";
}

TEST_F(OrbitalPanelTest, ALevelHasRoomForItsSigma) {
  ValueSlider level(QStringLiteral("Isovalue"), {});
  level.set_range(0, 1000, ValueSlider::Scale::linear, 5);
  level.set_suffix(QStringLiteral("= 1.5 \u03c3"));
  level.set_value(0.6);
  EXPECT_EQ(level.box()->text(), QStringLiteral("0.6\u202f= 1.5 \u03c3"));
  level.set_value(120);
  EXPECT_EQ(level.box()->text(), QStringLiteral("120\u202f= 1.5 \u03c3"));
  level.set_value(0.00125);
  EXPECT_DOUBLE_EQ(level.value(), 0.00125);
}

}  // namespace
}  // namespace isolume::test
