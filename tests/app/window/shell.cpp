// The shell of the window: surfaces that are found, small windows, panels, menus of rows.
#include <QAbstractButton>
#include <QApplication>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QTabBar>
#include <QTest>
#include <QTreeView>

#include "app/window/panels/field_panel.h"
#include "app/window/panels/representation_panel.h"
#include "app/window/panels/trajectory_panel.h"
#include "app/window/shell/command_palette.h"
#include "app/window/shell/message_bar.h"
#include "app/window/shell/panels.h"
#include "app/window/widgets/theme.h"
#include "fixture.h"
#include "molecule/base/error.h"
#include "tests/app/window/shell_test.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

TEST_F(ShellTest, PanelsAreFoundByNameAndClass) {
  const Panels& panels = window_->panels();
  EXPECT_TRUE(panels.dock("fields").isAncestorOf(&panels.get<FieldPanel>()));
  EXPECT_EQ(panels.dock_of(&panels.get<TrajectoryPanel>()), &panels.dock("trajectory"));
  EXPECT_EQ(panels.dock_of(&window_->viewport()), nullptr);
  EXPECT_THROW(panels.dock("surfaces"), Error);
  EXPECT_THROW(panels.get<MessageBar>(), Error) << "it is in no panel";
}

TEST_F(ShellTest, WithoutChargesThePotentialSaysWhatToOpen) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  window_->commands().add_potential->trigger();
  EXPECT_TRUE(window_->messages().message().contains(QStringLiteral("PQR")));
  EXPECT_FALSE(window_->messages().message().contains(QStringLiteral("--"))) << "options are the command line's";
}

TEST_F(ShellTest, SurfacesOfEveryKindAreInTheMenuAndFound) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  MainActions& commands = window_->commands();
  const std::pair<QAction*, Field::Kind> kinds[] = {{commands.add_surface, Field::Kind::gaussian},
                                                    {commands.add_excluded, Field::Kind::solvent_excluded},
                                                    {commands.add_accessible, Field::Kind::solvent_accessible},
                                                    {commands.add_cavities, Field::Kind::cavities}};
  for (const auto& [action, kind] : kinds) {
    EXPECT_TRUE(action->isEnabled());
    action->trigger();
    EXPECT_EQ(window_->controller().scene().fields.back().kind, kind);
    EXPECT_EQ(window_->controller().scene().fields.back().colouring, Colouring::uniform) << "not of elements";
  }
  commands.add_bare->trigger();
  EXPECT_EQ(window_->controller().scene().fields.back().kind, Field::Kind::solvent_excluded);
  EXPECT_EQ(window_->controller().scene().fields.back().probe_radius, 0) << "the spheres of the atoms";
  const auto probe_shown = [this] {
    for (const QLabel* label : window_->field_panel().findChildren<QLabel*>())
      if (QString(label->text()).remove(QLatin1Char('&')) == QStringLiteral("Probe")) return !label->isHidden();
    return false;
  };
  EXPECT_FALSE(probe_shown()) << "there is none";
  commands.add_excluded->trigger();
  EXPECT_TRUE(probe_shown());
  EXPECT_EQ(first_found(QStringLiteral("van der waals")), QStringLiteral("Van der Waals surface"));
  EXPECT_EQ(first_found(QStringLiteral("vdw")), QStringLiteral("Van der Waals surface"));
  const QString excluded = QStringLiteral("Solvent-excluded surface");
  EXPECT_EQ(first_found(QStringLiteral("solvent-excl")), excluded);
  EXPECT_EQ(first_found(QStringLiteral("SES")), excluded);
  EXPECT_TRUE(all_found(QStringLiteral("connolly")).contains(excluded));
  EXPECT_EQ(first_found(QStringLiteral("SASA")), QStringLiteral("Solvent-accessible surface"));
  for (const auto& [action, kind] : kinds)
    EXPECT_TRUE(all_found(QStringLiteral("surface")).contains(QString(action->text()).remove(QLatin1Char('&'))));
  EXPECT_EQ(first_found(QStringLiteral("RMSF")), QStringLiteral("RMSF of residues"));
  EXPECT_EQ(first_found(QStringLiteral("film")), QStringLiteral("Export movie"));
  EXPECT_EQ(all_found(QStringLiteral("film")).size(), 1) << all_found(QStringLiteral("film")).join(';').toStdString();
}

TEST_F(ShellTest, TitlesOfPanelsAreWrittenAcrossTheirTabs) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  int seen = 0;
  for (const QTabBar* bar : window_->findChildren<QTabBar*>()) {
    if (bar->shape() != QTabBar::RoundedEast || !bar->isVisible()) continue;
    for (int i = 0; i < bar->count(); ++i, ++seen) {
      EXPECT_GE(bar->tabRect(i).width(), bar->fontMetrics().horizontalAdvance(bar->tabText(i)));
      EXPECT_LT(bar->tabRect(i).height(), 3 * bar->fontMetrics().height());
    }
  }
  EXPECT_GE(seen, 6);
}

TEST_F(ShellTest, SmallWindowsHoldEverything) {
  window_->resize(800, 500);
  ASSERT_TRUE(open({write_breathing_xyz(9)}));
  EXPECT_EQ(window_->size(), QSize(800, 500)) << "panels that appear do not widen it";
  window_->commands().add_surface->trigger();
  ASSERT_TRUE(wait_for_picture());
  for (const QSize size : {QSize(1366, 768), QSize(1024, 700), QSize(800, 500)}) {
    window_->resize(size);
    ASSERT_TRUE(wait_until([&] { return window_->size() == size; }))
        << window_->width() << " x " << window_->height() << ", at least " << window_->minimumSizeHint().width()
        << " x " << window_->minimumSizeHint().height();
    for (QDockWidget* panel : window_->findChildren<QDockWidget*>()) {
      if (!in_front(panel)) continue;
      const QRect place(panel->mapTo(window_.get(), QPoint(0, 0)), panel->size());
      EXPECT_TRUE(window_->rect().contains(place)) << panel->objectName().toStdString() << " at " << size.width();
      // What a scroll area holds is never narrower than it needs, unless it can be scrolled to.
      for (const QScrollArea* area : panel->findChildren<QScrollArea*>()) {
        if (!area->isVisible() || area->widget() == nullptr || area->widget()->isHidden()) continue;
        const bool whole = area->widget()->minimumSizeHint().width() <= area->viewport()->width();
        const bool scrolled = area->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff;
        EXPECT_TRUE(whole || scrolled) << area->accessibleName().toStdString() << " at " << size.width();
      }
    }
    EXPECT_GE(window_->trajectory().slider()->width(), 100) << size.width();
    EXPECT_GT(window_->viewport().width(), 3 * size.width() / 10);
  }
}

TEST_F(ShellTest, PanelsAreNotCutInASmallWindow) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  window_->commands().add_excluded->trigger();
  ASSERT_TRUE(wait_for_picture());
  window_->resize(800, 500);  // half of 1600 x 1000 pixels, at a scale of 2
  ASSERT_TRUE(wait_until([&] { return window_->size() == QSize(800, 500); }));
  window_->commands().reset_layout->trigger();
  for (const char* name : {"representations", "fields", "orbitals", "measure", "molecules", "look", "scene"}) {
    window_->panels().raise(name);
    const auto* area = dock(name)->findChild<QScrollArea*>(QStringLiteral("panel_scroll"));
    ASSERT_NE(area, nullptr) << name;
    EXPECT_TRUE(wait_until([&] { return area->widget()->minimumSizeHint().width() <= area->viewport()->width(); }))
        << name << " needs " << area->widget()->minimumSizeHint().width() << " of " << area->viewport()->width();
  }
  EXPECT_GT(window_->viewport().width(), 3 * 800 / 10);
}

TEST_F(ShellTest, TheTrajectoryPanelIsThereWhereThereAreFrames) {
  EXPECT_TRUE(dock("trajectory")->isHidden());
  ASSERT_TRUE(open({QString::fromStdString(data("window/water.molden"))}));
  EXPECT_TRUE(dock("trajectory")->isHidden()) << "a single structure";
  EXPECT_TRUE(window_->commands().export_film->isEnabled()) << "it can turn";
  EXPECT_TRUE(window_->commands().export_film->toolTip().contains(QStringLiteral("turntable")));
  ASSERT_TRUE(open({write_breathing_xyz(3)}));
  EXPECT_FALSE(dock("trajectory")->isHidden());
  EXPECT_TRUE(window_->commands().export_film->isEnabled());
  dock("trajectory")->hide();
  window_->commands().close_all->trigger();
  if (auto* box = window_->findChild<QDialog*>(QStringLiteral("unsaved"))) box->done(QDialog::Rejected);
}

TEST_F(ShellTest, PlotsOpenAtAHeightAtWhichTheyAreRead) {
  ASSERT_TRUE(open({write_breathing_xyz(3)}));
  window_->resize(1100, 760);
  dock("plots")->show();
  EXPECT_TRUE(wait_until([&] { return dock("plots")->height() >= 200; })) << dock("plots")->height();
}

TEST_F(ShellTest, NoRowOfAFormHasAHoleBelowIt) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  window_->commands().add_excluded->trigger();
  ASSERT_TRUE(wait_for_picture());
  window_->resize(1300, 1100);
  QCoreApplication::processEvents();
  // Controls of the form from top to bottom: none is far below the one before it.
  QWidget* form = nullptr;
  for (QScrollArea* area : window_->field_panel().findChildren<QScrollArea*>()) form = area->widget();
  ASSERT_NE(form, nullptr);
  QMap<int, int> ends;  // by top
  for (QWidget* child : form->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
    if (child->isVisible()) ends[child->y()] = std::max(ends.value(child->y()), child->geometry().bottom());
  ASSERT_GT(ends.size(), 6);
  int last = ends.first();
  for (auto row = ends.begin(); row != ends.end(); ++row) {
    EXPECT_LT(row.key() - last, 40) << "below " << last;
    last = std::max(last, row.value());
  }
}

TEST_F(ShellTest, AnAutomaticRangeSaysSo) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  window_->controller().edit(QStringLiteral("colour"),
                             [](Scene& scene) { scene.representations[0].colouring = Colouring::index; });
  QList<QDoubleSpinBox*> ends;
  for (auto* box : window_->representations().findChildren<QDoubleSpinBox*>())
    if (box->accessibleName().endsWith(QStringLiteral(" end"))) ends += box;
  ASSERT_EQ(ends.size(), 2);
  for (const auto* box : ends) EXPECT_EQ(box->text(), QStringLiteral("Automatic"));
  ends[1]->setValue(5);
  EXPECT_EQ(window_->controller().scene().representations[0].upper, 5);
  for (const auto* box : ends) EXPECT_NE(box->text(), QStringLiteral("Automatic"));
}

TEST_F(ShellTest, TheThemeIsNoChangeOfTheScene) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  window_->controller().set_saved();
  ASSERT_FALSE(window_->controller().modified());
  apply_theme(Theme::dark);
  ASSERT_TRUE(wait_until([&] { return window_->controller().scene().look.background.r < 0.3f; }));
  EXPECT_FALSE(window_->controller().modified());
  EXPECT_FALSE(window_->controller().can_undo());
  apply_theme(Theme::light);
  EXPECT_TRUE(wait_until([&] { return window_->controller().scene().look.background.r > 0.7f; }));
  EXPECT_FALSE(window_->controller().modified());
}

TEST_F(ShellTest, PeriodicSurfacesAreOfferedWhereThereIsACell) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  window_->commands().add_surface->trigger();
  ASSERT_TRUE(wait_for_picture());
  const auto offered = [this] {
    for (auto* box : window_->field_panel().findChildren<QAbstractButton*>())
      if (box->accessibleName() == QStringLiteral("Periodic surface")) return !box->isHidden();
    return false;
  };
  EXPECT_FALSE(offered());
  // Set elsewhere, it fails, is offered, and its message goes when it is taken back.
  const auto set = [this](bool on) {
    window_->controller().edit(QStringLiteral("periodic"), [on](Scene& scene) { scene.fields[0].periodic = on; });
  };
  set(true);
  ASSERT_TRUE(wait_until([&] { return window_->messages().message().contains(QStringLiteral("periodic")); }));
  EXPECT_TRUE(offered());
  set(false);
  EXPECT_TRUE(wait_until([&] { return window_->messages().message().isEmpty(); }));
}

TEST_F(ShellTest, AnotherOrbitalIsAddedRatherThanTheSameAgain) {
  ASSERT_TRUE(open({QString::fromStdString(data("window/water.molden"))}));
  ASSERT_EQ(window_->controller().scene().fields.size(), 1u);
  for (int i = 0; i < 2; ++i) window_->commands().add_orbital->trigger();
  const auto& fields = window_->controller().scene().fields;
  ASSERT_EQ(fields.size(), 3u);
  EXPECT_EQ(fields[0].orbital, "homo");
  EXPECT_EQ(fields[1].orbital, "lumo");
  EXPECT_EQ(fields[2].orbital, "homo-1");
  EXPECT_NE(fields[1].colour, fields[0].colour);
}

TEST_F(ShellTest, DensitiesOfOrbitalsAreActionsOfTheirOwn) {
  EXPECT_FALSE(window_->commands().add_density->isEnabled());
  ASSERT_TRUE(open({QString::fromStdString(data("window/water.molden"))}));
  EXPECT_EQ(first_found(QStringLiteral("spin density")), QStringLiteral("Spin density"));
  window_->commands().add_density->trigger();
  window_->commands().add_spin_density->trigger();
  const auto& fields = window_->controller().scene().fields;
  ASSERT_EQ(fields.size(), 3u);
  EXPECT_EQ(fields[1].orbital, "density");
  EXPECT_FALSE(fields[1].both_signs);
  EXPECT_NE(fields[1].colour, fields[0].colour);
  EXPECT_EQ(fields[2].orbital, "spin density");
  EXPECT_TRUE(fields[2].both_signs);
}

TEST_F(ShellTest, RowsOfListsHaveAMenu) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  QTreeView* list = window_->representations().findChild<QTreeView*>();
  ASSERT_NE(list, nullptr);
  ASSERT_EQ(list->contextMenuPolicy(), Qt::ActionsContextMenu);
  const auto entry = [&](const char* name) -> QAction* {
    for (QAction* action : list->actions())
      if (QString(action->text()).remove(QLatin1Char('&')) == QLatin1String(name)) return action;
    return nullptr;
  };
  ASSERT_NE(entry("Duplicate"), nullptr);
  entry("Duplicate")->trigger();
  EXPECT_EQ(window_->controller().scene().representations.size(), 2u);
  EXPECT_FALSE(entry("Move down")->isEnabled()) << "it is the last";
  entry("Show or hide")->trigger();
  EXPECT_FALSE(window_->controller().scene().representations[1].visible);
  entry("Remove")->trigger();
  EXPECT_EQ(window_->controller().scene().representations.size(), 1u);
}

TEST_F(ShellTest, ASurfaceHasAMenuOfItsOwn) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  window_->commands().add_surface->trigger();
  ASSERT_TRUE(wait_for_picture());
  const auto title_at = [&](QPoint place) {
    QTest::mouseClick(&window_->viewport(), Qt::RightButton, {}, place);
    EXPECT_TRUE(wait_until([] { return qobject_cast<QMenu*>(QApplication::activePopupWidget()) != nullptr; }));
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QStringList texts;
    for (const QAction* action : menu->actions()) texts += QString(action->text()).remove(QLatin1Char('&'));
    for (QAction* action : menu->actions())
      if (action->text().remove(QLatin1Char('&')) == QStringLiteral("Hide") && texts.size() > 3) action->trigger();
    menu->close();
    return texts;
  };
  shot();
  const QStringList solid = title_at(place_of({0, 2}));
  EXPECT_TRUE(solid.first().startsWith(QStringLiteral("Molecular surface"))) << solid.join(';').toStdString();
  EXPECT_TRUE(solid.contains(QStringLiteral("Opacity")));
  EXPECT_FALSE(solid.contains(QStringLiteral("Centre here"))) << "the atoms behind it are not seen";
  EXPECT_FALSE(window_->controller().scene().fields[0].visible) << "its own entry hides it";
  // Through a clear one the atom is meant as well.
  window_->controller().edit(QStringLiteral("clear"), [](Scene& scene) {
    scene.fields[0].visible = true;
    scene.fields[0].opacity = 0.3f;
  });
  ASSERT_TRUE(wait_for_picture());
  shot();
  const QStringList clear = title_at(place_of({0, 2}));
  EXPECT_TRUE(clear.contains(QStringLiteral("Centre here")));
  EXPECT_FALSE(clear.filter(QStringLiteral("Molecular surface (smooth): all")).isEmpty())
      << clear.join(';').toStdString();
}

TEST_F(ShellTest, TheStatusLineSaysNothingOfBuffers) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  window_->commands().add_surface->trigger();
  ASSERT_TRUE(wait_for_picture());
  for (const QLabel* label : window_->findChildren<QLabel*>()) {
    const bool status = label->parentWidget() != nullptr && label->parentWidget()->inherits("QStatusBar");
    if (status && label->isVisible()) {
      EXPECT_FALSE(label->text().contains(QStringLiteral("memory"))) << label->text().toStdString();
    }
  }
}

}  // namespace
}  // namespace isolume::test
