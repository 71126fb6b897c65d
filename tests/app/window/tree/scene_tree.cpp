// The scene tree: what it lists, shows, hides, selects, renames and removes.
#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QStyleOptionViewItem>
#include <QTest>
#include <QTreeView>
#include <QTreeWidget>
#include <algorithm>

#include "app/scene/scene_json.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/representation_panel.h"
#include "app/window/select/select_actions.h"
#include "app/window/shell/panels.h"
#include "app/window/tree/scene_tree.h"
#include "app/window/widgets/theme.h"
#include "tests/app/window/fixture.h"
#include "tests/app/window/held_pool.h"
#include "tests/app/window/two_chains.h"

namespace isolume::test {
namespace {

class SceneTreeTest : public TwoChainsTest {
 protected:
  void SetUp() override {
    TwoChainsTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    window_->panels().raise("scene");
    ASSERT_TRUE(wait_until([&] { return item("Chain B") != nullptr; }));
  }
  SceneTree& tree() { return window_->panels().get<SceneTree>(); }
  QTreeWidget* list() { return tree().list(); }
  const Scene& scene() { return window_->controller().scene(); }
  QTreeWidgetItem* item(const char* title) {
    const auto found = list()->findItems(QLatin1String(title), Qt::MatchExactly | Qt::MatchRecursive);
    return found.isEmpty() ? nullptr : found.first();
  }
  Qt::CheckState box(const char* title) { return item(title)->checkState(0); }
  void click(QTreeWidgetItem* which, int column = 0) {
    list()->scrollToItem(which);
    const QModelIndex index = list()->indexFromItem(which, column);
    QTest::mouseClick(list()->viewport(), Qt::LeftButton, {}, list()->visualRect(index).center());
  }
  void click_box(QTreeWidgetItem* which) {
    list()->scrollToItem(which);
    QStyleOptionViewItem option;
    option.initFrom(list());
    option.rect = list()->visualRect(list()->indexFromItem(which, 0));
    option.features = QStyleOptionViewItem::HasCheckIndicator | QStyleOptionViewItem::HasDisplay;
    option.text = which->text(0);
    const QRect place = list()->style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, list());
    QTest::mouseClick(list()->viewport(), Qt::LeftButton, {}, place.center());
  }
  /// Sets one representation, sticks of all atoms.
  void sticks() {
    window_->controller().edit(QStringLiteral("Sticks"), [](Scene& s) {
      s.representations = {Representation{}};
      s.representations[0].style = Style::sticks;
    });
    ASSERT_TRUE(wait_for_picture());
  }
};

TEST_F(SceneTreeTest, HasAllThatTheSceneHasByItsName) {
  QTreeWidgetItem* molecule = list()->topLevelItem(0);
  EXPECT_EQ(molecule->text(0), QStringLiteral("complex.pdb"));
  EXPECT_EQ(item("Chain A")->parent(), molecule);
  EXPECT_EQ(item("Chain A")->text(1), QStringLiteral("31 atoms")) << "six residues of four, ligand, waters, ion";
  EXPECT_EQ(item("BEN 101")->text(1), QStringLiteral("chain A, 4 atoms"));
  EXPECT_EQ(molecule->childCount(), 3 + static_cast<int>(scene().representations.size()));
  window_->controller().edit(QStringLiteral("more"), [](Scene& s) {
    s.measurements.resize(2);
    s.measurements[0].atoms = {{0, 0}, {0, 1}};
    s.measurements[1].atoms = {{0, 0}, {0, 1}, {0, 2}};
    s.labels.resize(1);
    s.labels[0].text = LabelSet::Text::own;
    s.labels[0].own = "pocket";
    s.selections = {{"site", 0, "resname BEN"}};
  });
  EXPECT_EQ(item("Measurements")->childCount(), 2);
  EXPECT_EQ(item("Labels")->child(0)->text(0), QStringLiteral("pocket"));
  EXPECT_EQ(item("Named selections")->child(0)->text(0), QStringLiteral("site"));
  if (qEnvironmentVariableIsSet("ISOLUME_SCREENSHOTS")) {
    window_->resize(1366, 768);
    for (const Theme theme : {Theme::dark, Theme::light}) {
      apply_theme(theme);
      QCoreApplication::processEvents();
      screenshot(QStringLiteral("scene_tree_%1_%2").arg(name(theme)).arg(qRound(window_->devicePixelRatioF())));
    }
  }
  // A group's check box is that of its rows: one step of undo.
  click_box(item("Measurements"));
  EXPECT_TRUE(wait_until([&] { return !scene().measurements[0].visible && !scene().measurements[1].visible; }));
  EXPECT_EQ(window_->controller().undo_text(), QStringLiteral("Hide measurements"));
  click_box(item("Measurements")->child(1));
  EXPECT_TRUE(wait_until([&] { return scene().measurements[1].visible; }));
  EXPECT_EQ(box("Measurements"), Qt::PartiallyChecked);
}

TEST_F(SceneTreeTest, ChainsAreHiddenAndShownWithUndoAndSaved) {
  sticks();
  const Image all = shot();
  // The scene is as asked for, and the boxes are as the picture.
  const auto becomes = [&](const std::string& selection, bool visible, const char* title, Qt::CheckState state) {
    return wait_until([&] {
      const auto& all = scene().representations;
      return all.size() == 1 && all[0].selection == selection && all[0].visible == visible && box(title) == state;
    });
  };
  list()->setFocus();
  list()->setCurrentItem(item("Chain A"));
  QTest::keyClick(list(), Qt::Key_Space);
  ASSERT_TRUE(becomes("not (chain A)", true, "Chain A", Qt::Unchecked));
  EXPECT_EQ(window_->controller().undo_text().toStdString(), "Hide chain A");
  EXPECT_TRUE(wait_until([&] { return box("BEN 101") == Qt::Unchecked; })) << "it is of chain A";
  EXPECT_EQ(box("Chain B"), Qt::Checked);
  EXPECT_EQ(scene_from_json(scene_to_json(scene())), scene()) << "the scene keeps it";
  ASSERT_TRUE(wait_for_picture());
  EXPECT_GT(compare(all, shot()).mean, 0.001);

  // Nothing else is left in the representation: it is hidden as a whole.
  click_box(item("Chain B"));
  ASSERT_TRUE(becomes("not (chain A)", false, "Chain B", Qt::Unchecked));
  click_box(item("Chain B"));
  ASSERT_TRUE(becomes("not (chain A)", true, "Chain B", Qt::Checked));
  for (int i = 0; i < 3; ++i) window_->commands().undo->trigger();
  ASSERT_TRUE(becomes("all", true, "BEN 101", Qt::Checked));

  // A chain and a ligand come back in whichever order.
  click_box(item("Chain B"));
  ASSERT_TRUE(becomes("not (chain B)", true, "Chain B", Qt::Unchecked));
  click_box(item("BEN 101"));
  const std::string ligand = "not (chain A and resid 101 and resname BEN)";
  ASSERT_TRUE(becomes("(not (chain B)) and " + ligand, true, "BEN 101", Qt::Unchecked));
  click_box(item("Chain B"));
  ASSERT_TRUE(becomes(ligand, true, "Chain B", Qt::Checked));
  click_box(item("BEN 101"));
  ASSERT_TRUE(becomes("all", true, "BEN 101", Qt::Checked));
}

TEST_F(SceneTreeTest, APictureOlderThanTheSceneChangesNoBox) {
  sticks();
  ASSERT_TRUE(wait_until([&] { return box("BEN 101") == Qt::Checked; }));
  const auto older = window_->picture().built();
  list()->setFocus();
  list()->setCurrentItem(item("BEN 101"));
  QTest::keyClick(list(), Qt::Key_Space);
  ASSERT_TRUE(wait_until([&] { return scene().representations[0].selection != "all"; }));
  ASSERT_TRUE(wait_for_picture());
  tree().show_picture(older);
  take_results();
  EXPECT_EQ(box("BEN 101"), Qt::Unchecked);
  // The next click shows it again, as its box says.
  click_box(item("BEN 101"));
  EXPECT_TRUE(wait_until([&] { return scene().representations[0].selection == "all"; }));
}

TEST_F(SceneTreeTest, APictureThatIsLookedIntoDuringAClickChangesNoBox) {
  sticks();
  ASSERT_TRUE(wait_until([&] { return box("BEN 101") == Qt::Checked; }));
  list()->setFocus();
  list()->setCurrentItem(item("BEN 101"));
  {
    HeldPool pool;
    window_->controller().edit(QStringLiteral("Colour"), [](Scene& s) {
      s.representations[0].colour = {9, 9, 9, 255};
    });
    ASSERT_TRUE(wait_for_picture());
    pool.hold_from_here();
    QTest::keyClick(list(), Qt::Key_Space);
    ASSERT_EQ(box("BEN 101"), Qt::Unchecked);
    pool.run();  // the chains and ligands of a picture with the ligand
    EXPECT_EQ(scene().representations[0].selection, "all") << "the click is still computed";
    EXPECT_EQ(box("BEN 101"), Qt::Unchecked);
  }
  ASSERT_TRUE(wait_until([&] { return scene().representations[0].selection != "all"; }));
  ASSERT_TRUE(wait_for_picture());
  take_results();
  EXPECT_EQ(box("BEN 101"), Qt::Unchecked);
}

TEST_F(SceneTreeTest, UndoBeforeThePictureBringsTheBoxBack) {
  sticks();
  ASSERT_TRUE(wait_until([&] { return box("BEN 101") == Qt::Checked; }));
  // Of the pictures the tree gets the last one alone, as where the others take too long to be built.
  QObject::disconnect(&window_->picture(), &LivePicture::shown, &tree(), nullptr);
  list()->setFocus();
  list()->setCurrentItem(item("BEN 101"));
  QTest::keyClick(list(), Qt::Key_Space);
  ASSERT_TRUE(wait_until([&] { return scene().representations[0].selection != "all"; }));
  window_->commands().undo->trigger();
  ASSERT_EQ(scene().representations[0].selection, "all");
  ASSERT_TRUE(wait_for_picture());
  tree().show_picture(window_->picture().built());
  take_results();
  EXPECT_EQ(box("BEN 101"), Qt::Checked);
}

TEST_F(SceneTreeTest, QuickClicksAreTakenInTheirOrder) {
  sticks();
  ASSERT_TRUE(wait_until([&] { return box("BEN 101") == Qt::Checked; }));
  list()->setFocus();
  list()->setCurrentItem(item("BEN 101"));
  for (int i = 0; i < 3; ++i) QTest::keyClick(list(), Qt::Key_Space);  // hide, show, hide
  ASSERT_TRUE(wait_until([&] { return !window_->selecting().edits().busy(); }));
  EXPECT_NE(scene().representations[0].selection, "all");
  ASSERT_TRUE(wait_for_picture());
  take_results();
  EXPECT_EQ(box("BEN 101"), Qt::Unchecked);
  for (int i = 0; i < 3; ++i) window_->commands().undo->trigger();
  EXPECT_EQ(scene().representations[0].selection, "all") << "each click was a step";
}

TEST_F(SceneTreeTest, ARowSelectsWhatItIsOf) {
  const auto picked = [&](std::size_t count) {
    return wait_until([&] { return window_->controller().picked().size() == count; });
  };
  click(item("Chain B"));
  EXPECT_TRUE(picked(24));
  list()->setFocus();
  list()->setCurrentItem(item("Chain A"));
  list()->setCurrentItem(item("BEN 101"));
  EXPECT_TRUE(picked(4)) << "what was asked for last";
  // A check box shows and hides, and selects nothing.
  click_box(item("Chain A"));
  ASSERT_TRUE(wait_until([&] { return window_->controller().undo_text() == QStringLiteral("Hide chain A"); }));
  EXPECT_EQ(window_->controller().picked().size(), 4u);

  const auto last = scene().representations.size() - 1;
  QTreeWidgetItem* row = list()->topLevelItem(0)->child(list()->topLevelItem(0)->childCount() - 1);
  click(row);
  EXPECT_EQ(window_->representations().current(), static_cast<int>(last));
  EXPECT_TRUE(tree().isVisible());
  EXPECT_EQ(tree().current()->kind, TreeRow::Kind::representation);
  QTest::keyClick(list(), Qt::Key_Return);
  EXPECT_TRUE(wait_until([&] { return window_->representations().isVisible(); })) << "Enter opens its panel";
}

TEST_F(SceneTreeTest, ASurfaceClickedInThePictureIsItsRow) {
  window_->controller().edit(QStringLiteral("surfaces"), [](Scene& s) {
    Field field;
    field.kind = Field::Kind::solvent_excluded;
    field.both_signs = false;
    field.selection = "chain B";
    s.fields = {field, field};
    s.fields[1].selection = "chain A";
  });
  ASSERT_TRUE(wait_for_picture());
  list()->setCurrentItem(list()->topLevelItem(0));
  const QPoint on_a = place_of({0, 5});  // C-alpha of LYS 2 of chain A, inside its surface
  QTest::mouseClick(&window_->viewport(), Qt::LeftButton, {}, on_a);
  ASSERT_TRUE(wait_until([&] { return tree().current()->kind == TreeRow::Kind::field; }));
  EXPECT_EQ(tree().current()->index, 1u);
  EXPECT_EQ(window_->field_panel().current(), 1);
  EXPECT_EQ(tree().current()->detail, QStringLiteral("chain A"));
}

TEST_F(SceneTreeTest, RowsAreRenamedAndRemovedAndUndone) {
  window_->controller().edit(QStringLiteral("name"), [](Scene& s) {
    s.selections = {{"site", 0, "resname BEN"}};
    s.representations.push_back({});
    s.representations.back().selection = "@site";
  });
  const Scene before = scene();
  list()->setFocus();
  list()->setCurrentItem(item("site"));
  QTest::keyClick(list(), Qt::Key_F2);
  auto* line = list()->findChild<QLineEdit*>();
  ASSERT_NE(line, nullptr);
  line->setText(QStringLiteral("pocket"));
  QTest::keyClick(line, Qt::Key_Return);
  ASSERT_TRUE(wait_until([&] { return scene().selections[0].name == "pocket"; }));
  EXPECT_EQ(scene().representations.back().selection, "@pocket");
  list()->setFocus();
  list()->setCurrentItem(list()->topLevelItem(0)->child(list()->topLevelItem(0)->childCount() - 1));
  QTest::keyClick(list(), Qt::Key_Delete);
  EXPECT_EQ(scene().representations.size(), before.representations.size() - 1);
  EXPECT_EQ(window_->controller().undo_text(), QStringLiteral("Remove representation"));
  window_->commands().undo->trigger();
  window_->commands().undo->trigger();
  EXPECT_EQ(scene(), before);
  // A chain is of the file: it is hidden, never removed.
  list()->setCurrentItem(item("Chain A"));
  QTest::keyClick(list(), Qt::Key_Delete);
  EXPECT_EQ(scene(), before);
}

TEST_F(SceneTreeTest, MenusAreThoseOfPictureAndPanels) {
  const auto menu_of = [&](QTreeWidgetItem* which) -> QMenu* {
    const QPoint place = list()->visualItemRect(which).center();
    list()->setCurrentItem(which);
    Q_EMIT list()->customContextMenuRequested(place);
    return qobject_cast<QMenu*>(QApplication::activePopupWidget());
  };
  const auto has = [](const QMenu* menu, const char* begin) {
    const auto actions = menu->actions();
    return std::any_of(actions.begin(), actions.end(), [&](const QAction* action) {
      return action->text().remove(QLatin1Char('&')).startsWith(QLatin1String(begin));
    });
  };
  QMenu* menu = menu_of(item("Chain A"));
  ASSERT_NE(menu, nullptr);
  for (const char* what : {"Chain A", "Show or hide", "Show as sticks", "Colour", "Label residues", "Export atoms"})
    EXPECT_TRUE(has(menu, what)) << what;
  menu->close();
  menu = menu_of(list()->topLevelItem(0)->child(list()->topLevelItem(0)->childCount() - 1));
  ASSERT_NE(menu, nullptr);
  for (const char* what : {"Show or hide", "Duplicate", "Remove", "Move up"}) EXPECT_TRUE(has(menu, what)) << what;
  menu->close();
  menu = menu_of(list()->topLevelItem(0));
  ASSERT_NE(menu, nullptr);
  for (const char* what : {"Superpose", "Remove", "Show as sticks"}) EXPECT_TRUE(has(menu, what)) << what;
  menu->close();
}

}  // namespace
}  // namespace isolume::test
