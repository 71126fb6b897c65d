// The Select menu and the bar of classes: what they select, show and hide.
#include <QInputDialog>
#include <QMenu>
#include <QMenuBar>
#include <QTest>

#include "app/window/panels/console_panel.h"
#include "app/window/select/class_bar.h"
#include "app/window/select/select_actions.h"
#include "app/window/shell/command_palette.h"
#include "app/window/shell/pick_actions.h"
#include "fixture.h"
#include "held_pool.h"
#include "two_chains.h"

namespace isolume::test {
namespace {

class SelectTest : public TwoChainsTest {
 protected:
  /// Triggers an action; waits until so many atoms are selected.
  bool selects(const char* name, std::size_t atoms) {
    QAction* action = window_->commands().find(QLatin1String(name));
    if (!action || !action->isEnabled()) return false;
    action->trigger();
    return wait_until([&] { return window_->controller().picked().size() == atoms; });
  }
  const Scene& scene() { return window_->controller().scene(); }
};

TEST_F(SelectTest, EveryClassIsSelectedByItsEntry) {
  EXPECT_TRUE(selects("select_all", 55));
  EXPECT_TRUE(selects("select_protein", 48));
  EXPECT_TRUE(selects("select_ligand", 4));
  EXPECT_TRUE(selects("select_water", 2));
  EXPECT_TRUE(selects("select_ion", 1));
  EXPECT_TRUE(selects("select_hydrogen", 2));
  EXPECT_TRUE(selects("select_nucleic", 0));
  EXPECT_TRUE(selects("select_backbone", 48));
  EXPECT_TRUE(selects("select_invert", 7));
  // Each of them is found by Ctrl+K and in the menu.
  const auto entries = entries_of(window_->menuBar());
  for (const QAction* action : window_->selecting().all())
    EXPECT_TRUE(std::any_of(entries.begin(), entries.end(), [&](const auto& e) { return e.action == action; }))
        << action->objectName().toStdString();
}

TEST_F(SelectTest, ASelectionGrowsAndShrinks) {
  EXPECT_FALSE(window_->commands().find(QStringLiteral("select_grow"))->isEnabled()) << "nothing is selected";
  window_->controller().set_picked({{0, 1}});  // C-alpha of MET 1
  EXPECT_TRUE(selects("select_grow", 3)) << "N, CA, C";
  EXPECT_TRUE(selects("select_grow", 5)) << "O, and N of the next residue";
  EXPECT_TRUE(selects("select_shrink", 4)) << "the next N has a neighbour outside";
  EXPECT_TRUE(selects("select_chain", 24 + 7)) << "chain A with its ligand, water and ion";
  window_->controller().set_picked({{0, 1}});
  EXPECT_TRUE(selects("select_residue", 4));
  EXPECT_TRUE(selects("select_molecule", 24)) << "what bonds join";
  EXPECT_TRUE(selects("select_ligand", 4));
  // Of other residues LYS 2 alone is so near: its C-alpha is 2.66 angstrom from H1; C of MET 1 is 3.67 from it.
  window_->commands().find(QStringLiteral("select_within"))->trigger();
  auto* dialog = window_->findChild<QInputDialog*>(QStringLiteral("within"));
  ASSERT_NE(dialog, nullptr);
  dialog->setDoubleValue(3.5);
  dialog->accept();
  EXPECT_TRUE(wait_until([&] { return window_->controller().picked().size() == 8; })) << "itself and LYS 2";
}

TEST_F(SelectTest, WhatDependsOnTheSelectionWaitsForIt) {
  const auto trigger = [&](const char* name) { window_->commands().find(QLatin1String(name))->trigger(); };
  window_->controller().set_picked({{0, 1}});  // C-alpha of MET 1
  trigger("select_grow");
  trigger("select_grow");
  EXPECT_TRUE(wait_until([&] { return window_->controller().picked().size() == 5; })) << "two bonds far";
  // A click between them begins again.
  {
    HeldPool pool;
    trigger("select_grow");
    trigger("select_grow");
    window_->controller().set_picked({{0, 3}});  // O of MET 1
    trigger("select_grow");
  }
  EXPECT_TRUE(wait_until([&] { return window_->controller().picked().size() == 2; })) << "C and O";
  take_results();
  EXPECT_EQ(window_->controller().picked().size(), 2u);
}

TEST_F(SelectTest, APictureOlderThanTheSceneChangesNoButton) {
  ClassBar& bar = window_->classes();
  QToolButton* ligand = bar.button(QStringLiteral("ligand"));
  ASSERT_TRUE(wait_until([&] { return ligand->isChecked(); }));
  const auto older = window_->picture().built();
  const Scene before = scene();
  ligand->click();
  ASSERT_TRUE(wait_until([&] { return scene() != before; }));
  ASSERT_TRUE(wait_for_picture());
  bar.show_picture(older);
  take_results();
  EXPECT_FALSE(ligand->isChecked());
  EXPECT_FALSE(bar.states()[2].shown);
}

TEST(EditQueueTest, AnEditBeginsWhenTheOneBeforeHasEnded) {
  EditQueue queue;
  std::string said;
  queue.when_idle([&] { said += "idle "; });
  queue.add([&] { said += "first "; });
  queue.add([&] { said += "second "; });
  // One that has nothing to do ends at once.
  queue.add([&] {
    said += "third ";
    queue.end();
  });
  EXPECT_EQ(said, "first ");
  queue.end();
  EXPECT_EQ(said, "first second ");
  EXPECT_TRUE(queue.busy());
  queue.end();
  EXPECT_EQ(said, "first second third idle ");
  EXPECT_FALSE(queue.busy());
}

TEST_F(SelectTest, ClassesAreHiddenAndShownAndUndone) {
  ClassBar& bar = window_->classes();
  ASSERT_TRUE(wait_until([&] { return bar.states().size() == 7 && bar.states()[0].present; }));
  EXPECT_TRUE(bar.button(QStringLiteral("protein"))->isVisible());
  EXPECT_TRUE(bar.button(QStringLiteral("ligand"))->isVisible());
  EXPECT_FALSE(bar.button(QStringLiteral("nucleic"))->isVisible()) << "there is none";
  EXPECT_TRUE(bar.button(QStringLiteral("ligand"))->isChecked());
  screenshot(QStringLiteral("classes"));
  const Scene before = scene();
  const auto shown = [&](std::size_t number) { return bar.states()[number].shown; };

  bar.button(QStringLiteral("ligand"))->click();
  EXPECT_TRUE(wait_until([&] { return scene() != before && !shown(2); }));
  EXPECT_TRUE(shown(0)) << "the protein stays";
  EXPECT_EQ(window_->controller().undo_text(), QStringLiteral("Hide ligands"));
  bar.button(QStringLiteral("ligand"))->click();
  EXPECT_TRUE(wait_until([&] { return shown(2); }));
  EXPECT_EQ(scene().representations, before.representations) << "as it was";

  // A part of what a representation shows.
  window_->controller().edit(QStringLiteral("Sticks"), [](Scene& s) {
    s.representations = {Representation{}};
    s.representations[0].style = Style::sticks;
  });
  ASSERT_TRUE(wait_for_picture());
  window_->commands().find(QStringLiteral("hide_hydrogen"))->trigger();
  EXPECT_TRUE(wait_until([&] { return !shown(6); }));
  EXPECT_EQ(scene().representations[0].selection, "not (hydrogen)");
  window_->commands().find(QStringLiteral("hide_water"))->trigger();
  EXPECT_TRUE(wait_until([&] { return !shown(4); }));
  window_->commands().find(QStringLiteral("show_water"))->trigger();
  EXPECT_TRUE(wait_until([&] { return shown(4); }));
  EXPECT_EQ(scene().representations[0].selection, "not (hydrogen)");
  for (int i = 0; i < 3; ++i) window_->commands().undo->trigger();
  EXPECT_EQ(scene().representations[0].selection, "all");
  EXPECT_TRUE(wait_until([&] { return shown(6) && shown(4); }));
}

TEST_F(SelectTest, WhatWasJustMovedIsSelected) {
  SceneController& controller = window_->controller();
  const auto residues = controller.topology(0);
  ASSERT_TRUE(residues);
  // The molecule at its new place is made in the background; nothing here waits for it.
  const auto move = [&](double x) {
    controller.set_picked({});
    controller.edit(QStringLiteral("Move"), [x](Scene& next) {
      next.molecules[0].placement.motion.translation = {x, 0, 0};
    });
  };
  move(3);
  EXPECT_EQ(controller.topology(0), residues) << "moving changes no residue";
  EXPECT_TRUE(selects("select_ligand", 4));
  move(5);
  window_->run_command(QStringLiteral("select water"));
  EXPECT_TRUE(wait_until([&] { return controller.picked().size() == 2; }));
  move(7);
  std::string fault;
  window_->picking().select_words(0, QStringLiteral("element Na K Cl Zn Mg Ca"), {},
                                  [&](const QString& message) { fault = message.toStdString(); });
  EXPECT_TRUE(wait_until([&] { return controller.picked().size() == 1 || !fault.empty(); }));
  EXPECT_EQ(fault, "");
}

TEST_F(SelectTest, TheConsoleRunsEveryActionByItsName) {
  window_->run_command(QStringLiteral("action select_ligand"));
  EXPECT_TRUE(wait_until([&] { return window_->controller().picked().size() == 4; }));
  window_->run_command(QStringLiteral("action select_lignad"));
  EXPECT_TRUE(window_->console().text().contains(QStringLiteral("there is no action 'select_lignad'")));
}

}  // namespace
}  // namespace isolume::test
