// The menu of the picture knows what it was asked for.
#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QTest>

#include <algorithm>
#include <cmath>

#include "app/window/panels/representation_panel.h"
#include "fixture.h"
#include "formats/read.h"
#include "molecule/selection/selection.h"

namespace isolume::test {
namespace {

QMenu* submenu(QMenu* menu, const QString& begin) {
  for (const QAction* action : menu->actions())
    if (action->menu() != nullptr && action->text().remove(QLatin1Char('&')).startsWith(begin)) return action->menu();
  return nullptr;
}

QAction* entry(QMenu* menu, const QString& begin) {
  for (QAction* action : menu->actions())
    if (action->text().remove(QLatin1Char('&')).startsWith(begin)) return action;
  return nullptr;
}

class ContextMenuTest : public WindowTest {
 protected:
  QMenu* menu_at(QPoint place) {
    QTest::mouseClick(&window_->viewport(), Qt::RightButton, {}, place);
    wait_until([] { return qobject_cast<QMenu*>(QApplication::activePopupWidget()) != nullptr; });
    return qobject_cast<QMenu*>(QApplication::activePopupWidget());
  }
};

TEST_F(ContextMenuTest, OfAnAtomHidesColoursComputesAndExports) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  ASSERT_TRUE(wait_for_picture());
  QMenu* menu = menu_at(place_of({0, 0}));
  ASSERT_NE(menu, nullptr);
  const QAction* title = menu->actions().first();
  EXPECT_TRUE(title->text().contains(QLatin1Char('C'))) << title->text().toStdString();
  EXPECT_FALSE(title->isEnabled());
  EXPECT_FALSE(title->isSeparator()) << "titles of separators are drawn under the menu's border";
  QMenu* residue = submenu(menu, QStringLiteral("Residue"));
  ASSERT_NE(residue, nullptr);
  for (const char* what :
       {"Show as sticks", "Molecular surface", "Select", "Hide", "Export atoms", "Copy selection text"})
    EXPECT_NE(entry(residue, QLatin1String(what)), nullptr) << what;
  for (const char* what : {"Centre here", "Measure distance", "Superpose the molecule", "Remove the molecule", "Fit"})
    EXPECT_NE(entry(menu, QLatin1String(what)), nullptr) << what;
  QMenu* colours = submenu(residue, QStringLiteral("Colour"));
  ASSERT_NE(colours, nullptr);
  const auto shown = [this]() -> const auto& {
    return window_->controller().scene().representations;
  };
  const std::size_t before = shown().size();
  entry(colours, QStringLiteral("Blue"))->trigger();
  menu->close();
  // The file has one residue, so that whole representations change their colour.
  ASSERT_TRUE(wait_until([&] { return shown()[0].colouring == Colouring::uniform; }));
  EXPECT_EQ(shown().size(), before);
  EXPECT_EQ(shown()[0].colour, glm::u8vec4(0, 114, 178, 255));
  EXPECT_EQ(shown()[0].selection, "all");
  ASSERT_TRUE(wait_for_picture());
  window_->commands().undo->trigger();
  EXPECT_EQ(shown()[0].colouring, Colouring::element);
  // What is added is what is edited next.
  menu = menu_at(place_of({0, 0}));
  ASSERT_NE(menu, nullptr);
  entry(submenu(menu, QStringLiteral("Residue")), QStringLiteral("Show as spheres"))->trigger();
  menu->close();
  ASSERT_EQ(shown().size(), before + 1);
  EXPECT_EQ(window_->representations().list()->currentIndex().row(), static_cast<int>(before));
}

TEST_F(ContextMenuTest, PartsAreColouredAndHiddenWithoutEmptyRepresentations) {
  ASSERT_TRUE(open({write_salt_pqr(2)}));  // eight residues of an atom each
  window_->controller().edit(QStringLiteral("two"), [](Scene& scene) {
    Representation half;
    half.style = Style::spheres;
    half.selection = "resid 1 to 4";
    scene.representations = {half, half};
    scene.representations[1].selection = "resid 5 to 8";
  });
  ASSERT_TRUE(wait_for_picture());
  const auto shown = [this]() -> const auto& {
    return window_->controller().scene().representations;
  };
  glm::vec3 here;
  ASSERT_TRUE(window_->picture().position({0, 0}, here));
  // The one of eight ions that is nearest to the camera is under the pointer, whichever it is.
  const auto colour = [&](const char* name) {
    QMenu* menu = menu_at(place_of({0, 0}));
    ASSERT_NE(menu, nullptr);
    QMenu* residue = submenu(menu, QStringLiteral("Residue"));
    ASSERT_NE(residue, nullptr);
    entry(submenu(residue, QStringLiteral("Colour")), QLatin1String(name))->trigger();
    menu->close();
  };
  colour("Blue");
  ASSERT_TRUE(wait_until([&] { return shown().size() == 3; }));
  const auto blue = [](const Representation& r) {
    return r.colouring == Colouring::uniform && r.colour == glm::u8vec4(0, 114, 178, 255);
  };
  ASSERT_EQ(std::count_if(shown().begin(), shown().end(), blue), 1);
  ASSERT_TRUE(wait_for_picture());
  colour("Orange");  // again, the same ion: its own representation is of it alone
  ASSERT_TRUE(wait_until([&] { return std::none_of(shown().begin(), shown().end(), blue); }));
  EXPECT_EQ(shown().size(), 3u);
  const auto molecule = window_->controller().molecule(0);
  for (const Representation& r : shown()) {
    EXPECT_EQ(r.style, Style::spheres) << "only the colour is another";
    EXPECT_FALSE(Selection(r.selection).atoms(*molecule->topology, {}).empty()) << r.selection;
  }
  // Hidden, the one that has no other atoms goes as a whole.
  ASSERT_TRUE(wait_for_picture());
  QMenu* menu = menu_at(place_of({0, 0}));
  ASSERT_NE(menu, nullptr);
  entry(submenu(menu, QStringLiteral("Residue")), QStringLiteral("Hide"))->trigger();
  menu->close();
  const auto visible = [](const Representation& r) { return r.visible; };
  ASSERT_TRUE(wait_until([&] { return std::count_if(shown().begin(), shown().end(), visible) == 2; }));
  EXPECT_EQ(shown().size(), 3u);
}

TEST_F(ContextMenuTest, AtomsAreExportedAndPaintedByTheirPotential) {
  ASSERT_TRUE(open({write_salt_pqr(2)}));
  QMenu* menu = menu_at(place_of({0, 0}));
  ASSERT_NE(menu, nullptr);
  QMenu* molecule = submenu(menu, QStringLiteral("Molecule"));
  ASSERT_NE(molecule, nullptr);
  QMenu* residue = submenu(menu, QStringLiteral("Residue"));
  ASSERT_NE(residue, nullptr);
  const QString folder = qEnvironmentVariable("ISOLUME_SCREENSHOTS");
  if (!folder.isEmpty()) {
    EXPECT_TRUE(menu->grab().save(folder + QStringLiteral("/menu.png")));
  }
  entry(residue, QStringLiteral("Export atoms"))->trigger();
  entry(molecule, QStringLiteral("Surface coloured"))->trigger();
  menu->close();
  ASSERT_EQ(window_->controller().scene().fields.size(), 1u);
  EXPECT_EQ(window_->controller().scene().fields[0].paint, Field::Paint::potential);
  auto* dialog = window_->findChild<QFileDialog*>(QStringLiteral("atoms"));
  ASSERT_NE(dialog, nullptr);
  const QString path = temporary(QStringLiteral("ion.pqr"));
  Q_EMIT dialog->fileSelected(path);
  dialog->close();
  ASSERT_TRUE(wait_until([&] { return QFileInfo::exists(path); }));
  const Molecule written = read_file(path.toStdString());
  ASSERT_EQ(written.atom_count(), 1u) << "the residue alone";
  EXPECT_EQ(std::abs(written.topology->atoms[0].charge), 1);
}

TEST_F(ContextMenuTest, BesideEverythingItIsOfTheViewAlone) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  ASSERT_TRUE(wait_for_picture());
  QMenu* menu = menu_at({3, 3});
  ASSERT_NE(menu, nullptr);
  EXPECT_EQ(submenu(menu, QStringLiteral("Residue")), nullptr);
  EXPECT_NE(entry(menu, QStringLiteral("Fit")), nullptr);
  EXPECT_NE(entry(menu, QStringLiteral("Export image")), nullptr);
  menu->close();
}

}  // namespace
}  // namespace isolume::test
