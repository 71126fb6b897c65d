// What a new user does daily takes one or two clicks: images, movies, differences, interfaces, plots.
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTest>
#include <QToolBar>
#include <QTreeWidget>
#include <cmath>

#include "app/window/dialogs/analysis_dialog.h"
#include "app/window/maps/calculate_map_dialog.h"
#include "app/window/panels/plots_panel.h"
#include "app/window/shell/message_bar.h"
#include "app/window/shell/panels.h"
#include "app/window/shell/program_runner.h"
#include "app/window/structures/interface_dialog.h"
#include "compute/analysis/sasa.h"
#include "fixture.h"
#include "formats/write/write.h"
#include "molecule/elements.h"
#include "molecule/frames.h"
#include "tests/support/data.h"
#include "two_chains.h"

namespace isolume::test {
namespace {

class ClicksTest : public WindowTest {
 protected:
  const Scene& scene() { return window_->controller().scene(); }
  QAction* action(const char* name) { return window_->commands().find(QLatin1String(name)); }
  QStringList files(const QString& pattern) {
    return QDir(folder_.path()).entryList({pattern}, QDir::Files, QDir::Name);
  }
  void save_here() { QSettings().setValue(QStringLiteral("save_folder"), folder_.path()); }
  /// Two maps of one grid: the second has half of the first one's values, except at one point, where it has more.
  QStringList write_maps() {
    QStringList paths;
    for (const float factor : {1.0f, 0.5f}) {
      Volume map;
      map.grid = Grid{{-4, -4, -4}, glm::dmat3(1.0), {9, 9, 9}};
      map.values.resize(map.grid.size());
      for (int z = 0; z < 9; ++z)
        for (int y = 0; y < 9; ++y)
          for (int x = 0; x < 9; ++x) {
            const auto r2 = static_cast<float>((x - 4) * (x - 4) + (y - 4) * (y - 4) + (z - 4) * (z - 4));
            map.values[map.grid.index(x, y, z)] = factor * std::exp(-r2 / 8);
          }
      map.values[map.grid.index(1, 1, 1)] = factor == 1 ? 3 : 4;
      paths += temporary(factor == 1 ? QStringLiteral("first.mrc") : QStringLiteral("second.mrc"));
      write_volume(paths.last().toStdString(), map);
    }
    return paths;
  }
};

TEST_F(ClicksTest, OneClickSavesTheImageUnderANewName) {
  save_here();
  EXPECT_FALSE(action("save_picture")->isEnabled()) << "nothing is open";
  ASSERT_TRUE(open({write_breathing_xyz(1)}));
  const auto* bar = window_->findChild<QToolBar*>(QStringLiteral("tools"));
  ASSERT_NE(bar, nullptr);
  EXPECT_TRUE(bar->actions().contains(action("save_picture")));
  // Twice in a row: the second does not wait for the file of the first.
  action("save_picture")->trigger();
  action("save_picture")->trigger();
  ASSERT_TRUE(wait_until([&] { return files(QStringLiteral("*.png")).size() == 2; }));
  const QString stem = QFileInfo(scene().molecules.front().paths.front().c_str()).baseName();
  EXPECT_EQ(files(QStringLiteral("*.png")),
            (QStringList{stem + QStringLiteral("-2.png"), stem + QStringLiteral(".png")}));
  ASSERT_TRUE(wait_until([&] { return !QImage(temporary(stem + QStringLiteral(".png"))).isNull(); }));
  const QImage image(temporary(stem + QStringLiteral(".png")));
  const Viewport& viewport = window_->viewport();
  EXPECT_EQ(image.size(), (QSizeF(viewport.size()) * viewport.devicePixelRatioF()).toSize());
  EXPECT_FALSE(window_->commands().undo->isEnabled()) << "the scene is as it was";
}

TEST_F(ClicksTest, WithoutAFolderItIsSavedNextToTheFile) {
  QSettings().remove(QStringLiteral("save_folder"));
  QSettings().remove(QStringLiteral("folder"));
  ASSERT_TRUE(open({write_breathing_xyz(1)}));
  action("save_picture")->trigger();
  ASSERT_TRUE(wait_until([&] { return files(QStringLiteral("*.png")).size() == 1; }));
}

TEST_F(ClicksTest, OneClickSavesTheMovie) {
  if (QStandardPaths::findExecutable(QStringLiteral("ffmpeg")).isEmpty()) GTEST_SKIP() << "ffmpeg is not installed";
  save_here();
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  window_->resize(400, 300);
  action("save_movie")->trigger();
  ASSERT_TRUE(wait_until([&] { return files(QStringLiteral("*.mp4")).size() == 1; }, 120000));
  ASSERT_TRUE(wait_until([&] { return window_->messages().message().contains(QStringLiteral("Movie saved")); }));
  EXPECT_GT(QFileInfo(temporary(files(QStringLiteral("*.mp4")).front())).size(), 0);
}

TEST_F(ClicksTest, OneStructureIsSavedAsATurntable) {
  if (QStandardPaths::findExecutable(QStringLiteral("ffmpeg")).isEmpty()) GTEST_SKIP() << "ffmpeg is not installed";
  save_here();
  ASSERT_TRUE(open({write_breathing_xyz(1)}));
  action("save_movie")->trigger();
  // A still picture of one structure would be one picture.
  ASSERT_TRUE(wait_until([&] {
    for (const QString& name : QDir(folder_.path()).entryList({QStringLiteral("*.pictures")}, QDir::Dirs))
      if (QDir(temporary(name)).entryList({QStringLiteral("*.png")}, QDir::Files).size() > 1) return true;
    return false;
  }));
  window_->programs().end();
}

TEST_F(ClicksTest, TheDifferenceOfTwoMapsIsMadeAtOnce) {
  save_here();
  ASSERT_TRUE(open(write_maps()));
  ASSERT_TRUE(wait_until([&] { return action("difference_map")->isEnabled(); }));
  action("difference_map")->trigger();
  ASSERT_TRUE(wait_until([&] { return scene().molecules.size() == 3; }));
  ASSERT_TRUE(wait_until([&] { return window_->findChild<CalculateMapDialog*>() == nullptr; }))
      << "it closes when the map is there";
  EXPECT_EQ(files(QStringLiteral("difference*.mrc")), QStringList{QStringLiteral("difference.mrc")});
  ASSERT_TRUE(wait_until([&] { return window_->controller().molecule(2) != nullptr; }));
  const auto made = window_->controller().molecule(2);
  ASSERT_EQ(made->volumes.size(), 1u);
  const Grid& grid = made->volumes[0]->grid;
  EXPECT_NEAR(made->volumes[0]->values[grid.index(4, 4, 4)], 0.5, 1e-6);
  EXPECT_NEAR(made->volumes[0]->values[grid.index(6, 4, 4)], 0.5 * std::exp(-0.5), 1e-6);
  EXPECT_NEAR(made->volumes[0]->values[grid.index(1, 1, 1)], -1, 1e-6);
  ASSERT_EQ(scene().fields.size(), 3u);
  EXPECT_TRUE(scene().fields[2].both_signs);
  window_->commands().undo->trigger();
  EXPECT_EQ(scene().molecules.size(), 2u);
  EXPECT_EQ(scene().fields.size(), 2u);
}

TEST_F(ClicksTest, OneMapAloneHasNoDifference) {
  ASSERT_TRUE(open({write_maps().front()}));
  ASSERT_TRUE(wait_until([&] { return action("calculate_map")->isEnabled(); }));
  EXPECT_FALSE(action("difference_map")->isEnabled());
}

TEST_F(ClicksTest, InterfacesAreListedAndSelected) {
  write_two_chains(temporary(QStringLiteral("complex.pdb")));
  ASSERT_TRUE(open({temporary(QStringLiteral("complex.pdb"))}));
  ASSERT_TRUE(wait_until([&] { return action("interface_areas")->isEnabled(); }));
  action("interface_areas")->trigger();
  auto* dialog = window_->findChild<InterfaceDialog*>();
  ASSERT_NE(dialog, nullptr);
  ASSERT_TRUE(wait_until([&] { return dialog->list()->topLevelItemCount() > 0; }))
      << dialog->message()->text().toStdString();
  // The chains are 12 angstrom apart, too far to touch; the ligand is between them, nearer to the first one.
  ASSERT_EQ(dialog->list()->topLevelItemCount(), 2) << dialog->message()->text().toStdString();
  const auto* second = dialog->list()->topLevelItem(1);
  EXPECT_EQ(second->text(0), QStringLiteral("Chain B"));
  EXPECT_TRUE(second->text(1).startsWith(QStringLiteral("BEN"))) << second->text(1).toStdString();
  QTreeWidgetItem* row = dialog->list()->topLevelItem(0);
  EXPECT_EQ(row->text(0), QStringLiteral("Chain A"));
  EXPECT_TRUE(row->text(1).startsWith(QStringLiteral("BEN"))) << row->text(1).toStdString();
  // Half of what both lose, by two plain loops in double precision.
  const auto molecule = window_->controller().molecule(0);
  ASSERT_NE(molecule, nullptr);
  const Frame frame = frame_at(*molecule, 0);
  const auto area = [&](std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges) {
    std::vector<SasaAtom> atoms;
    for (const auto& [first, end] : ranges)
      for (std::uint32_t i = first; i < end; ++i)
        atoms.push_back({frame.positions[i], element(molecule->topology->atoms[i].element).vdw_radius});
    std::vector<double> areas(atoms.size());
    solvent_accessible_area_reference(atoms, {}, areas);
    double sum = 0;
    for (const double one : areas) sum += one;
    return sum;
  };
  const double expected = 0.5 * (area({{0, 24}}) + area({{48, 52}}) - area({{0, 24}, {48, 52}}));
  EXPECT_GT(expected, 5);
  EXPECT_NEAR(row->text(2).toDouble(), expected, 0.5 + 1e-3 * expected);
  const double other = 0.5 * (area({{24, 48}}) + area({{48, 52}}) - area({{24, 48}, {48, 52}}));
  EXPECT_NEAR(second->text(2).toDouble(), other, 0.5 + 1e-3 * other);
  row->setSelected(true);
  ASSERT_TRUE(wait_until([&] { return !window_->controller().picked().empty(); }));
  const auto& picked = window_->controller().picked();
  bool chain = false, ligand = false;
  for (const PickedAtom& atom : picked) {
    EXPECT_TRUE(atom.atom < 24 || (atom.atom >= 48 && atom.atom < 52)) << atom.atom;
    chain = chain || atom.atom < 24;
    ligand = ligand || atom.atom >= 48;
  }
  EXPECT_TRUE(chain && ligand);
}

TEST_F(ClicksTest, ThePanelOfWhatWasOpenedComesToTheFront) {
  const auto in_front = [this](const char* name) {
    const QDockWidget& dock = window_->panels().dock(name);
    return !dock.isHidden() && !dock.visibleRegion().isEmpty();
  };
  ASSERT_TRUE(open({QString::fromStdString(data("window/water.molden"))}));
  EXPECT_TRUE(wait_until([&] { return in_front("orbitals"); })) << "the LUMO is one click away";
  ASSERT_TRUE(open({write_maps().front()}));
  EXPECT_TRUE(in_front("orbitals")) << "further files leave the panel that is used in front";
  window_->commands().close_all->trigger();
  if (auto* box = window_->findChild<QMessageBox*>(QStringLiteral("unsaved")))
    box->button(QMessageBox::Discard)->click();
  ASSERT_TRUE(wait_until([&] { return scene().molecules.empty(); }));
  ASSERT_TRUE(open({write_maps().front()}));
  EXPECT_TRUE(wait_until([&] { return in_front("fields"); })) << "its level is dragged there";
}

TEST_F(ClicksTest, APanelThatWasClosedStaysSoAndAnEmptyOneGivesWay) {
  const auto in_front = [this](const char* name) {
    const QDockWidget& dock = window_->panels().dock(name);
    return !dock.isHidden() && !dock.visibleRegion().isEmpty();
  };
  window_->panels().raise("orbitals");
  ASSERT_TRUE(wait_until([&] { return in_front("orbitals"); }));
  window_->panels().dock("fields").hide();
  ASSERT_TRUE(open({write_breathing_xyz(1)}));
  EXPECT_TRUE(wait_until([&] { return in_front("representations"); })) << "there are no orbitals";
  window_->commands().close_all->trigger();
  ASSERT_TRUE(wait_until([&] { return scene().molecules.empty(); }));
  ASSERT_TRUE(open({write_maps().front()}));
  EXPECT_TRUE(window_->panels().dock("fields").isHidden());
}

TEST_F(ClicksTest, OneKeyExtendsTheSelection) {
  write_two_chains(temporary(QStringLiteral("complex.pdb")));
  ASSERT_TRUE(open({temporary(QStringLiteral("complex.pdb"))}));
  EXPECT_FALSE(action("select_wider")->isEnabled()) << "nothing is selected";
  window_->controller().set_picked({{0, 5}});
  window_->viewport().setFocus();
  const auto picked = [this] {
    std::vector<std::uint32_t> atoms;
    for (const PickedAtom& atom : window_->controller().picked()) atoms.push_back(atom.atom);
    return atoms;
  };
  QTest::keyClick(&window_->viewport(), Qt::Key_Up, Qt::ControlModifier);
  ASSERT_TRUE(wait_until([&] { return picked() == std::vector<std::uint32_t>{4, 5, 6, 7}; })) << "its residue";
  QTest::keyClick(&window_->viewport(), Qt::Key_Up, Qt::ControlModifier);
  ASSERT_TRUE(wait_until([&] { return picked().size() >= 24; })) << "its chain";
  for (const std::uint32_t atom : picked()) EXPECT_TRUE(atom < 24 || atom >= 48) << "none of the other chain";
  for (int i = 0; i < 2 && picked().size() < 55; ++i) {
    const std::size_t before = picked().size();
    QTest::keyClick(&window_->viewport(), Qt::Key_Up, Qt::ControlModifier);
    ASSERT_TRUE(wait_until([&] { return picked().size() > before; }));
  }
  EXPECT_EQ(picked().size(), 55u) << "everything in the end";
}

TEST_F(ClicksTest, PlotsAreInTheComputeMenu) {
  ASSERT_TRUE(open({write_breathing_xyz(4)}));
  QAction* rmsd = action("plot_rmsd");
  ASSERT_NE(rmsd, nullptr);
  window_->run_command(QStringLiteral("action plot_rmsd"));
  auto* dialog = window_->findChild<AnalysisDialog*>();
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->kind(), AnalysisKind::rmsd);
  EXPECT_TRUE(dialog->plot_button()->isDefault());
  dialog->plot_button()->click();
  PlotsPanel& plots = window_->plots();
  ASSERT_TRUE(wait_until([&] { return !plots.busy() && plots.kinds()->count() > 0; }));
  EXPECT_TRUE(plots.isVisible()) << "the panel comes to the front";
  EXPECT_NE(plots.kinds()->findText(QStringLiteral("RMSD"), Qt::MatchStartsWith), -1);
}

}  // namespace
}  // namespace isolume::test
