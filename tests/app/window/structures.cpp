// Named selections, interactions and the Ramachandran plot in the window.
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QCompleter>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QInputDialog>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QTreeWidget>
#include <algorithm>

#include "app/scene/scene_json.h"
#include "app/window/dialogs/analysis_dialog.h"
#include "app/window/dialogs/superpose_dialog.h"
#include "app/window/maps/density_dialog.h"
#include "app/window/panels/console_panel.h"
#include "app/window/panels/representation_panel.h"
#include "app/window/select/named_selections.h"
#include "app/window/sequence/sequence_rows.h"
#include "app/window/shell/message_bar.h"
#include "app/window/shell/panels.h"
#include "app/window/shell/pick_actions.h"
#include "app/window/structures/interaction_panel.h"
#include "app/window/structures/ramachandran_panel.h"
#include "app/window/widgets/selection_edit.h"
#include "fixture.h"
#include "held_pool.h"
#include "two_chains.h"

namespace isolume::test {
namespace {

class StructuresTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    write_two_chains(temporary(QStringLiteral("complex.pdb")));
    ASSERT_TRUE(open({temporary(QStringLiteral("complex.pdb"))}));
  }
  const Scene& scene() { return window_->controller().scene(); }
  std::size_t picked() { return window_->controller().picked().size(); }
  bool select(const char* words, std::size_t atoms) {
    window_->controller().set_picked({});
    window_->run_command(QStringLiteral("select %1").arg(QLatin1String(words)));
    return wait_until([&] { return picked() == atoms; });
  }
};

TEST_F(StructuresTest, ASelectionIsKeptUnderANameAndUsed) {
  auto& named = window_->panels().get<NamedSelections>();
  QAction* save = window_->commands().find(QStringLiteral("save_selection"));
  ASSERT_NE(save, nullptr);
  EXPECT_FALSE(save->isEnabled()) << "nothing is selected";
  ASSERT_TRUE(select("ligand", 4));
  save->trigger();
  auto* dialog = window_->findChild<QInputDialog*>(QStringLiteral("selection_name"));
  ASSERT_NE(dialog, nullptr);
  dialog->setTextValue(QStringLiteral("guest"));
  dialog->accept();
  ASSERT_EQ(scene().selections.size(), 1u);
  EXPECT_EQ(scene().selections[0], (NamedSelection{"guest", 0, "index 48 to 51"}));
  EXPECT_EQ(window_->controller().undo_text(), QStringLiteral("Save selection guest"));
  EXPECT_EQ(named.list()->topLevelItemCount(), 1);
  ASSERT_EQ(named.names()->actions().size(), 1);
  // It is a word of the language, with others around it; other names are refused.
  EXPECT_TRUE(select("@guest", 4));
  EXPECT_TRUE(select("@guest and element C", 2));
  window_->run_command(QStringLiteral("select @gest"));
  EXPECT_TRUE(wait_until(
      [&] { return window_->console().text().contains(QStringLiteral("there is no named selection 'gest'")); }));
  window_->controller().set_picked({});
  named.names()->actions().front()->trigger();
  EXPECT_TRUE(wait_until([&] { return picked() == 4; }));
  // Shown, renamed where it is used, removed without loss, and all of it undone.
  named.show_atoms(QStringLiteral("guest"));
  EXPECT_EQ(scene().representations.back().selection, "@guest");
  ASSERT_TRUE(wait_for_picture());
  EXPECT_FALSE(window_->messages().isVisible());
  named.rename(QStringLiteral("guest"), QStringLiteral("inhibitor"));
  EXPECT_EQ(scene().representations.back().selection, "@inhibitor");
  EXPECT_EQ(scene().selections[0].name, "inhibitor");
  EXPECT_THROW(named.rename(QStringLiteral("inhibitor"), QStringLiteral("2nd")), Error);
  const Scene kept = scene_from_json(scene_to_json(scene()));
  EXPECT_EQ(kept.selections, scene().selections) << "a session has it";
  named.remove(QStringLiteral("inhibitor"));
  EXPECT_EQ(scene().representations.back().selection, "(index 48 to 51)");
  EXPECT_TRUE(scene().selections.empty());
  for (int i = 0; i < 4; ++i) window_->commands().undo->trigger();
  EXPECT_TRUE(scene().selections.empty());
  EXPECT_FALSE(window_->controller().can_undo());
}

TEST_F(StructuresTest, NamesAreUsedInDialogsAndCommands) {
  window_->run_command(QStringLiteral("add selections {\"name\": \"guest\", \"selection\": \"ligand\"}"));
  ASSERT_EQ(scene().selections.size(), 1u);
  AnalysisDialog analysis(window_->controller(), AnalysisKind::gyration);
  analysis.setAttribute(Qt::WA_DeleteOnClose, false);
  analysis.atoms()->set_text(QStringLiteral("@guest and element C"));
  EXPECT_EQ(analysis.atoms()->words(), "(ligand) and element C");
  EXPECT_TRUE(wait_until([&] { return analysis.atoms()->note()->text().startsWith(QStringLiteral("2 ")); }));
  // A name that comes while a dialog is open is known there.
  window_->run_command(QStringLiteral("add selections {\"name\": \"rim\", \"selection\": \"@guest and element O\"}"));
  analysis.atoms()->set_text(QStringLiteral("@rim"));
  EXPECT_EQ(analysis.atoms()->words(), "((ligand) and element O)");
  std::string asked;
  QObject::connect(&analysis, &AnalysisDialog::asked, &analysis,
                   [&](int, const AnalysisRequest& request) { asked = request.selection; });
  analysis.plot_button()->click();
  EXPECT_EQ(asked, "((ligand) and element O)");
  SuperposeDialog superpose(window_->controller(), 0);
  superpose.setAttribute(Qt::WA_DeleteOnClose, false);
  superpose.moving_atoms()->set_text(QStringLiteral("not @guest"));
  EXPECT_EQ(superpose.moving_atoms()->words(), "not (ligand)");
  // One that means itself, or is none, is refused with the reason.
  window_->run_command(QStringLiteral("set selections[0].selection @rim"));
  EXPECT_TRUE(window_->console().text().contains(QStringLiteral("means itself")));
  EXPECT_EQ(scene().selections[0].selection, "ligand");
  window_->run_command(QStringLiteral("compute sasa complex.pdb --select @gust --out a.csv"));
  EXPECT_TRUE(window_->console().text().contains(QStringLiteral("there are guest, rim")));
  // Where no scene is asked, what the name means now is kept.
  window_->run_command(QStringLiteral("set molecules[0].cell.selection @guest"));
  EXPECT_EQ(scene().molecules[0].cell.selection, "(ligand)");
}

TEST_F(StructuresTest, NamesAreCompletedWhileTyping) {
  window_->run_command(QStringLiteral("add selections {\"name\": \"guest1\", \"selection\": \"ligand\"}"));
  ASSERT_TRUE(wait_for_picture());
  SelectionEdit* edit = window_->representations().selection();
  edit->line()->selectAll();
  QTest::keyClicks(edit->line(), QStringLiteral("not (@"));
  EXPECT_TRUE(edit->completer()->popup()->isVisible()) << "the sign alone lists the names";
  EXPECT_EQ(edit->completer()->completionCount(), 1);
  QTest::keyClicks(edit->line(), QStringLiteral("gue"));
  EXPECT_EQ(edit->completer()->currentCompletion(), QStringLiteral("@guest1"));
  Q_EMIT edit->completer()->activated(QStringLiteral("@guest1"));
  EXPECT_EQ(edit->text(), QStringLiteral("not (@guest1 "));
  // In an AMBER mask the sign is another.
  edit->line()->selectAll();
  QTest::keyClicks(edit->line(), QStringLiteral(":5@g"));
  EXPECT_FALSE(edit->completer()->popup()->isVisible());
  // Keywords as before.
  edit->line()->selectAll();
  QTest::keyClicks(edit->line(), QStringLiteral("prot"));
  EXPECT_EQ(edit->completer()->currentCompletion(), QStringLiteral("protein"));
}

TEST_F(StructuresTest, SelectKnowsAllMolecules) {
  write_two_chains(temporary(QStringLiteral("other.pdb")));
  ASSERT_TRUE(open({temporary(QStringLiteral("other.pdb"))}));
  ASSERT_EQ(scene().molecules.size(), 2u);
  const auto all_of = [&](std::uint32_t molecule) {
    const auto& atoms = window_->controller().picked();
    return std::all_of(atoms.begin(), atoms.end(), [&](const PickedAtom& atom) { return atom.molecule == molecule; });
  };
  EXPECT_TRUE(select("ligand", 8)) << "in both";
  EXPECT_TRUE(select("molecule 1 ligand", 4) && all_of(1));
  EXPECT_TRUE(select("molecule complex.pdb ligand and element C", 2) && all_of(0));
  window_->run_command(QStringLiteral("select molecule 2 ligand"));
  EXPECT_TRUE(window_->console().text().contains(
      QStringLiteral("there is no molecule '2'; there are 0 (complex.pdb), 1 (other.pdb)")))
      << window_->console().text().toStdString();
  window_->run_command(QStringLiteral("set molecules[0].visible false"));
  EXPECT_TRUE(select("ligand", 4) && all_of(1)) << "hidden molecules are left out";
}

TEST_F(StructuresTest, PanelsAreAsHighAsWhatTheyShow) {
  window_->resize(1366, 768);
  window_->run_command(QStringLiteral("action sequence"));
  ASSERT_TRUE(select("ligand", 4));
  window_->run_command(QStringLiteral("action add_interactions"));
  auto& interactions = window_->panels().get<InteractionPanel>();
  QDockWidget& dock = window_->panels().dock("interactions");
  auto* scroll = dock.findChild<QScrollArea*>(QStringLiteral("panel_scroll"));
  ASSERT_NE(scroll, nullptr);
  ASSERT_TRUE(wait_until([&] { return interactions.isVisible(); }));
  EXPECT_TRUE(wait_until([&] { return scroll->verticalScrollBar()->maximum() == 0; }))
      << interactions.minimumSizeHint().height() << " pixels wanted, " << scroll->viewport()->height() << " there";
  EXPECT_EQ(scroll->horizontalScrollBar()->maximum(), 0);
  EXPECT_FALSE(scene().interactions[0].other.empty()) << "both partners have their rows";
  window_->run_command(QStringLiteral("action ramachandran"));
  const RamachandranPlot* plot = window_->panels().get<RamachandranPanel>().plot();
  ASSERT_TRUE(wait_until([&] { return plot->isVisible() && plot->height() >= 200; })) << plot->height();
  EXPECT_TRUE(wait_until([&] { return plot->width() == plot->width_for(plot->height()); }))
      << "a hole at its side: " << plot->width() << " x " << plot->height();
}

TEST_F(StructuresTest, TheSelectionAskedForLastWins) {
  bool answered = false;
  const auto done = [&](std::size_t) { answered = true; };
  const auto failed = [](const QString& message) { FAIL() << message.toStdString(); };
  // A click comes while words are looked up: the words' answer is too late.
  window_->picking().select_words(0, QStringLiteral("ligand"), done, failed);
  window_->controller().set_picked({{0, 3}});
  ASSERT_TRUE(wait_until([&] { return answered; }));
  EXPECT_EQ(window_->controller().picked(), (std::vector<PickedAtom>{{0, 3}}));
  // Of two that are looked up at once, the second counts, whichever is ready first.
  int answers = 0;
  const auto count = [&](std::size_t) { ++answers; };
  window_->picking().select_words(0, QStringLiteral("within 8 of ligand"), count, failed);
  window_->picking().select_words(0, QStringLiteral("ligand and element C"), count, failed);
  ASSERT_TRUE(wait_until([&] { return answers == 2; }));
  EXPECT_EQ(picked(), 2u);
}

TEST_F(StructuresTest, NamesFollowTheirMoleculeAndOldScenesAreRead) {
  write_two_chains(temporary(QStringLiteral("other.pdb")));
  Scene scene;
  scene.molecules = {{{"a.pdb"}}, {{"b.pdb"}}};
  scene.selections = {{"site", 0, "resid 5"}, {"site", 1, "resid 7"}, {"near", 1, "within 4 of @site"}};
  const std::string json = scene_to_json(scene);
  EXPECT_EQ(scene_from_json(json).selections, scene.selections);
  EXPECT_TRUE(scene_from_json(R"({"format": "isolume-scene", "version": 2, "molecules": []})").selections.empty());
}

/// LYS and ASP whose charges are 3 angstrom apart, and a phenyl ring.
void write_bridge(const QString& path) {
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  QTextStream out(&file);
  int serial = 0;
  const auto atom = [&](const char* name, const char* residue, int number, double x, double y, const char* element) {
    out << QString::asprintf("ATOM  %5d %-4s %3s A%4d    %8.3f%8.3f%8.3f  1.00  0.00          %2s\n", ++serial, name,
                             residue, number, x, y, 0.0, element);
  };
  atom(" CE", "LYS", 1, -1.49, 0, "C");
  atom(" NZ", "LYS", 1, 0, 0, "N");
  atom(" OD1", "ASP", 2, 3.0, 0, "O");
  atom(" CG", "ASP", 2, 4.1, 0.6, "C");
  atom(" OD2", "ASP", 2, 4.1, 1.85, "O");
  atom(" CB", "ASP", 2, 5.4, -0.2, "C");
  out << "END\n";
}

TEST_F(StructuresTest, InteractionsAreListedDrawnAndSelected) {
  write_bridge(temporary(QStringLiteral("bridge.pdb")));
  window_->run_command(QStringLiteral("close"));
  ASSERT_TRUE(open({temporary(QStringLiteral("bridge.pdb"))}));
  auto& panel = window_->panels().get<InteractionPanel>();
  const Scene before = scene();
  window_->run_command(QStringLiteral("action add_interactions"));
  ASSERT_EQ(scene().interactions.size(), 1u);
  EXPECT_TRUE(panel.isVisible());
  ASSERT_TRUE(wait_for_picture());
  ASSERT_TRUE(wait_until([&] { return panel.list()->topLevelItemCount() == 2; }));
  EXPECT_EQ(panel.list()->topLevelItem(0)->text(0), QStringLiteral("Hydrogen bond"));
  QTreeWidgetItem* bridge = panel.list()->topLevelItem(1);
  EXPECT_EQ(bridge->text(0), QStringLiteral("Salt bridge"));
  EXPECT_EQ(bridge->text(1), QStringLiteral("A/LYS 1/NZ"));
  EXPECT_EQ(bridge->text(2), QStringLiteral("A/ASP 2/OD1"));
  EXPECT_EQ(bridge->text(3), QStringLiteral("3.00"));
  EXPECT_TRUE(panel.note()->text().contains(QStringLiteral("1 salt bridge")));
  screenshot(QStringLiteral("interactions"));
  Q_EMIT panel.list()->itemClicked(bridge, 0);
  EXPECT_EQ(window_->controller().picked(), (std::vector<PickedAtom>{{0, 1}, {0, 2}}));
  // A kind less, hidden, removed, and back.
  panel.kinds()[0]->click();
  EXPECT_FALSE(scene().interactions[0].hydrogen_bonds);
  EXPECT_TRUE(wait_until([&] { return panel.list()->topLevelItemCount() == 1; }));
  const Image drawn = shot();
  window_->run_command(QStringLiteral("set interactions[0].visible false"));
  ASSERT_TRUE(wait_for_picture());
  EXPECT_NE(shot().rgba, drawn.rgba) << "the dashed line is gone";
  window_->run_command(QStringLiteral("action remove_interactions"));
  EXPECT_TRUE(scene().interactions.empty());
  while (window_->controller().can_undo()) window_->commands().undo->trigger();
  EXPECT_EQ(scene().interactions, before.interactions);
}

TEST_F(StructuresTest, InteractionsThatAreGoneAreNotListedLater) {
  write_bridge(temporary(QStringLiteral("bridge.pdb")));
  window_->run_command(QStringLiteral("close"));
  ASSERT_TRUE(open({temporary(QStringLiteral("bridge.pdb"))}));
  auto& panel = window_->panels().get<InteractionPanel>();
  {
    HeldPool pool;
    window_->run_command(QStringLiteral("action add_interactions"));
    ASSERT_EQ(scene().interactions.size(), 1u);
    ASSERT_TRUE(wait_until([&] { return panel.busy(); }));
    window_->commands().undo->trigger();  // while they are looked for
    ASSERT_TRUE(scene().interactions.empty());
  }
  take_results();
  ASSERT_FALSE(panel.busy());
  EXPECT_EQ(panel.list()->topLevelItemCount(), 0);
}

TEST_F(StructuresTest, WordsThatAreBeingTypedStayWhenTheSceneChanges) {
  SelectionEdit* edit = window_->representations().selection();
  edit->line()->setFocus();
  ASSERT_TRUE(wait_until([&] { return edit->line()->hasFocus(); }));
  edit->line()->selectAll();
  QTest::keyClicks(edit->line(), QStringLiteral("chain"));
  ASSERT_TRUE(wait_until([&] { return edit->note()->text().startsWith(QChar(0x26a0)); })) << "half a selection";
  // Without a window manager the list of completions takes the focus with it.
  QApplication::setActiveWindow(window_.get());
  edit->line()->setFocus();
  ASSERT_TRUE(wait_until([&] { return edit->line()->hasFocus(); }));
  const std::string before = scene().representations[0].selection;
  window_->controller().edit(QStringLiteral("Colour"), [](Scene& s) { s.representations[0].colour = {9, 9, 9, 255}; });
  EXPECT_EQ(edit->text(), QStringLiteral("chain"));
  QTest::keyClicks(edit->line(), QStringLiteral(" A"));
  QTest::keyClick(edit->line(), Qt::Key_Return);
  EXPECT_EQ(scene().representations[0].selection, "chain A");
  // Undo is of the words themselves.
  window_->commands().undo->trigger();
  EXPECT_EQ(edit->text().toStdString(), before);
}

TEST_F(StructuresTest, TheRamachandranPlotIsLinkedBothWays) {
  auto& panel = window_->panels().get<RamachandranPanel>();
  window_->run_command(QStringLiteral("action ramachandran"));
  ASSERT_TRUE(wait_until([&] { return panel.isVisible() && panel.plot()->residues().size() == 6; }))
      << "of chain A residues 2 to 5, of chain B 2 and 6";
  const auto& residues = panel.plot()->residues();
  EXPECT_EQ(residues[0].point.residue, 1u);
  EXPECT_TRUE(residues[0].text.startsWith(QStringLiteral("A/LYS 2")));
  screenshot(QStringLiteral("ramachandran"));
  // A residue of the picture is marked in the plot.
  window_->controller().set_picked({{0, 9}});
  EXPECT_TRUE(residues[1].selected) << "THR 3";
  EXPECT_FALSE(residues[0].selected);
  // A click on a dot selects its residue; all have the same dihedrals here, so the arrow keys go on from one to the
  // next.
  window_->controller().set_picked({});
  const QPointF place = panel.plot()->place(residues[0].point.phi, residues[0].point.psi);
  QTest::mouseClick(panel.plot(), Qt::LeftButton, Qt::NoModifier, place.toPoint());
  ASSERT_EQ(picked(), 4u) << "the atoms of one residue";
  const std::uint32_t first = window_->controller().picked().front().atom;
  QTest::keyClick(panel.plot(), Qt::Key_Right);
  ASSERT_EQ(picked(), 4u);
  EXPECT_GT(window_->controller().picked().front().atom, first);
  // A rectangle around everything, and nothing of another class.
  const QPoint corner = panel.plot()->place(-180, 180).toPoint(), end = panel.plot()->place(180, -180).toPoint();
  const auto drag = [&] {
    QTest::mousePress(panel.plot(), Qt::LeftButton, Qt::NoModifier, corner - QPoint(3, 3));
    QTest::mouseMove(panel.plot(), end);
    QTest::mouseRelease(panel.plot(), Qt::LeftButton, Qt::NoModifier, end + QPoint(3, 3));
  };
  drag();
  EXPECT_EQ(picked(), 24u);
  panel.classes()->setCurrentIndex(3);
  Q_EMIT panel.classes()->activated(3);
  drag();
  EXPECT_EQ(picked(), 0u) << "there is no proline";
}

TEST(SequenceRows, ChainsAreAlikeAboveACurveOfIdentity) {
  EXPECT_FALSE(is_related(71, 19, 71)) << "26.8 % of 71: 34.4 % are needed";
  EXPECT_TRUE(is_related(71, 25, 71));
  EXPECT_FALSE(is_related(40, 40, 100)) << "less than half is in pairs";
  EXPECT_TRUE(is_related(5, 4, 6));
  EXPECT_TRUE(is_related(450, 90, 450)) << "20 %";
  EXPECT_FALSE(is_related(450, 85, 450));
  EXPECT_FALSE(is_related(0, 0, 0));
}

TEST_F(WindowTest, DialogsProposeWhatTheyCanUse) {
  const QString molden = QString::fromStdString(data("orbitals/formaldehyde.molden.gz"));
  const QString crambin = QString::fromStdString(data("../../resources/examples/crambin.pdb.gz"));
  // A map has no atoms, and crambin has no orbitals.
  ASSERT_TRUE(open({crambin}));
  ASSERT_TRUE(open({QString::fromStdString(data("maps/1crn_molmap_4A.mrc.gz"))}));
  ASSERT_TRUE(open({molden}));
  ASSERT_EQ(window_->controller().scene().molecules.size(), 3u);
  SuperposeDialog superpose(window_->controller(), -1);
  superpose.setAttribute(Qt::WA_DeleteOnClose, false);
  EXPECT_EQ(superpose.moving_box()->currentIndex(), 2);
  EXPECT_EQ(superpose.fixed_box()->currentIndex(), 0);
  DensityDialog density(window_->controller(), QDir::tempPath(), [] { return Device::cpu(); });
  density.setAttribute(Qt::WA_DeleteOnClose, false);
  EXPECT_EQ(density.molecule_box()->currentIndex(), 2);
  // Nobody has typed anything yet.
  window_->commands().find(QStringLiteral("select_words"))->trigger();
  auto* words = window_->findChild<QDialog*>(QStringLiteral("select_words"));
  ASSERT_NE(words, nullptr);
  EXPECT_EQ(words->findChild<SelectionEdit*>()->note()->text(), QString());
  words->close();
}

}  // namespace
}  // namespace isolume::test
