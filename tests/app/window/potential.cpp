// The potential in the window: its settings, field lines, legends, charges and error.
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QTest>
#include <QTextStream>
#include <algorithm>

#include "app/window/panels/charge_list.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/molecule_panel.h"
#include "app/window/panels/potential_rows.h"
#include "app/window/panels/shape_rows.h"
#include "app/window/shell/message_bar.h"
#include "app/window/viewport/legend_overlay.h"
#include "app/window/widgets/theme.h"
#include "app/window/widgets/value_slider.h"
#include "fixture.h"
#include "formats/write/write.h"
#include "tests/app/window/potential_test.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

TEST_F(WindowTest, AStructureWithoutChargesGetsThemForItsPotential) {
  raise_fields(*window_);
  ASSERT_TRUE(open({QString::fromStdString(data("../../resources/examples/crambin.pdb.gz"))}));
  SceneController& controller = window_->controller();
  const std::size_t before = controller.molecule(0)->atom_count();
  // A distance from the first atom to the chain's last oxygen: what is between them changes.
  const auto place = [&](std::uint32_t atom) { return controller.molecule(0)->trajectory->frame(0).positions[atom]; };
  const auto& atoms = controller.molecule(0)->topology->atoms;
  const auto oxygen = std::find_if(atoms.begin(), atoms.end(), [](const Atom& atom) { return atom.name == "OXT"; });
  ASSERT_NE(oxygen, atoms.end());
  const auto last = static_cast<std::uint32_t>(oxygen - atoms.begin());
  const glm::vec3 at = place(last);
  controller.edit(QStringLiteral("measure"), [&](Scene& scene) {
    scene.measurements = {{{{0, 0}, {0, last}}}};
    scene.selections = {{"end", 0, "index " + std::to_string(last)}, {"helix", 0, "resid 7 to 19"}};
    scene.labels = {{0, "within 0.1 of @end"}};
  });
  window_->field_panel().add(Field::Kind::potential);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !controller.scene().fields.empty(); }, 30000));
  ASSERT_TRUE(wait_for_picture());
  const Scene& scene = controller.scene();
  EXPECT_EQ(scene.molecules[0].templates, std::vector<std::string>{"tables:amber"});
  EXPECT_EQ(scene.fields[0].paint, Field::Paint::potential);
  EXPECT_TRUE(controller.molecule(0)->topology->has_charges);
  // Crambin has 642 atoms with its hydrogens; the file has alternate locations besides.
  EXPECT_EQ(controller.molecule(0)->atom_count(), 642u);
  EXPECT_NEAR(controller.molecule(0)->topology->total_charge(), 0, 1e-3);
  ASSERT_EQ(scene.measurements.size(), 1u);
  EXPECT_EQ(place(scene.measurements[0].atoms[1].atom), at);
  EXPECT_EQ(scene.selections[0].selection, "index " + std::to_string(scene.measurements[0].atoms[1].atom));
  EXPECT_EQ(scene.selections[1].selection, "resid 7 to 19");
  EXPECT_EQ(scene.labels[0].selection, "within 0.1 of @end");
  controller.undo();
  EXPECT_EQ(controller.molecule(0)->atom_count(), before);
}

TEST_F(WindowTest, RemarksOnChargesSelectTheirResidue) {
  // A glycine, an acetate that no table has, and an iron compound that gets no charges.
  QFile file(temporary(QStringLiteral("remarks.pdb")));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(
      "ATOM      1  N   GLY A   1      -1.460   0.000   0.000  1.00  0.00           N\n"
      "ATOM      2  CA  GLY A   1       0.000   0.000   0.000  1.00  0.00           C\n"
      "ATOM      3  C   GLY A   1       0.550   1.420   0.000  1.00  0.00           C\n"
      "ATOM      4  O   GLY A   1      -0.220   2.390   0.000  1.00  0.00           O\n"
      "ATOM      5  OXT GLY A   1       1.790   1.560   0.000  1.00  0.00           O\n"
      "HETATM    6  C1  ACX A   2       8.000   0.000   0.000  1.00  0.00           C\n"
      "HETATM    7  C2  ACX A   2       9.530   0.000   0.000  1.00  0.00           C\n"
      "HETATM    8  O1  ACX A   2      10.150   1.080   0.000  1.00  0.00           O\n"
      "HETATM    9  O2  ACX A   2      10.150  -1.080   0.000  1.00  0.00           O\n"
      "HETATM   10 FE   FEO A   3       4.000   8.000   0.000  1.00  0.00          FE\n"
      "HETATM   11  O   FEO A   3       5.700   8.000   0.000  1.00  0.00           O\nEND\n");
  file.close();
  window_->findChild<QDockWidget*>(QStringLiteral("molecules"))->raise();
  ASSERT_TRUE(open({file.fileName()}));
  ChargeList* list = window_->findChild<ChargeList*>();
  ASSERT_NE(list, nullptr);
  const auto entry = [&](const QString& part) -> QTreeWidgetItem* {
    const auto found = list->findItems(part, Qt::MatchContains | Qt::MatchRecursive);
    return found.isEmpty() ? nullptr : found.front();
  };
  ASSERT_TRUE(wait_until([&] { return entry(QStringLiteral("Total charge")) != nullptr; }));
  // Glycine alone is a zwitterion: 0; the acetate is -1.
  EXPECT_EQ(entry(QStringLiteral("Total charge"))->text(1), QStringLiteral("-1.000 e"));
  ASSERT_NE(entry(QStringLiteral("FEO 3 A")), nullptr);
  ASSERT_NE(entry(QStringLiteral("ACX 2 A")), nullptr);
  EXPECT_TRUE(entry(QStringLiteral("ACX 2 A"))->text(0).contains(QStringLiteral("estimated")));
  QTreeWidgetItem* ligands = entry(QStringLiteral("Ligands"));
  ASSERT_NE(ligands, nullptr);
  ASSERT_EQ(ligands->childCount(), 2);
  EXPECT_EQ(ligands->child(0)->text(0), QStringLiteral("ACX 2 A (estimated)"));
  EXPECT_EQ(ligands->child(0)->text(1), QStringLiteral("-1.000 e"));
  EXPECT_EQ(ligands->child(1)->text(0), QStringLiteral("FEO 3 A"));
  const auto click = [&](const QString& part) {
    QTreeWidgetItem* item = entry(part);
    list->scrollToItem(item);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(item).center());
  };
  click(QStringLiteral("ACX 2 A"));
  const std::vector<PickedAtom> acetate{{0, 5}, {0, 6}, {0, 7}, {0, 8}};
  EXPECT_EQ(window_->controller().picked(), acetate);
  // With its hydrogens the acetate has three atoms more, and its places are others.
  window_->field_panel().add(Field::Kind::potential);
  ASSERT_TRUE(wait_until([&] { return !window_->controller().scene().fields.empty(); }));
  ASSERT_TRUE(wait_for_picture());
  ASSERT_TRUE(wait_until([&] { return entry(QStringLiteral("ACX 2 A")) != nullptr; }));
  click(QStringLiteral("ACX 2 A"));
  ASSERT_EQ(window_->controller().picked().size(), 7u);
  const auto molecule = window_->controller().molecule(0);
  for (const PickedAtom& atom : window_->controller().picked()) {
    EXPECT_EQ(molecule->topology->residue_of(atom.atom).name, "ACX");
  }
}

TEST_F(WindowTest, MissingSideChainsAreBuiltByACheckBox) {
  // A lysine that ends at CB.
  QFile file(temporary(QStringLiteral("stub.pdb")));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(
      "ATOM      1  N   LYS A   1      -0.525   1.360   0.000  1.00  0.00           N\n"
      "ATOM      2  CA  LYS A   1       0.000   0.000   0.000  1.00  0.00           C\n"
      "ATOM      3  C   LYS A   1       1.525   0.000   0.000  1.00  0.00           C\n"
      "ATOM      4  O   LYS A   1       2.153  -1.062   0.000  1.00  0.00           O\n"
      "ATOM      5  CB  LYS A   1      -0.540  -0.760  -1.220  1.00  0.00           C\nEND\n");
  file.close();
  window_->findChild<QDockWidget*>(QStringLiteral("molecules"))->raise();
  ASSERT_TRUE(open({file.fileName()}));
  auto* panel = window_->findChild<MoleculePanel*>();
  ASSERT_NE(panel, nullptr);
  QCheckBox* box = panel->side_chains_box();
  ASSERT_TRUE(wait_until([&] { return box->isVisible(); })) << "found when the list of charges is made";
  EXPECT_FALSE(box->isChecked());
  const auto& controller = window_->controller();
  box->click();
  ASSERT_TRUE(wait_until([&] { return !controller.scene().molecules[0].templates.empty(); }));
  EXPECT_EQ(controller.scene().molecules[0].templates.front(), "tables:amber+side-chains");
  ASSERT_TRUE(wait_for_picture());
  // 5 atoms, CG CD CE NZ, OXT, and 15 hydrogens of a lysine on its own.
  EXPECT_EQ(controller.molecule(0)->atom_count(), 25u);
  EXPECT_NEAR(controller.molecule(0)->topology->total_charge(), 1, 1e-3);
  ASSERT_TRUE(wait_until([&] {
    const auto found = panel->charges()->findItems(QStringLiteral("CG, CD, CE, NZ were built"),
                                                   Qt::MatchContains | Qt::MatchRecursive);
    return !found.isEmpty();
  }));
  EXPECT_TRUE(box->isVisible());
  EXPECT_TRUE(box->isChecked());
  box->click();
  ASSERT_TRUE(wait_until([&] { return controller.scene().molecules[0].templates.front() == "tables:amber"; }));
  EXPECT_EQ(controller.molecule(0)->topology->total_charge() < 0.9, true);
  window_->controller().undo();
  EXPECT_TRUE(box->isChecked());
  window_->controller().undo();
  EXPECT_TRUE(controller.scene().molecules[0].templates.empty());
  EXPECT_FALSE(box->isChecked());
}

TEST_F(WindowTest, APotentialIsShownAsFieldLines) {
  raise_fields(*window_);
  ASSERT_TRUE(open({write_salt_pqr(2)}));
  FieldPanel& panel = window_->field_panel();
  panel.add(Field::Kind::potential);
  ASSERT_TRUE(wait_for_picture());
  const auto field = [this] { return window_->controller().scene().fields[0]; };
  QComboBox* style = panel.shape()->style_box();
  style->setCurrentIndex(style->count() - 1);
  Q_EMIT style->activated(style->currentIndex());
  EXPECT_EQ(style->currentText(), QStringLiteral("Field lines"));
  EXPECT_EQ(field().show, Field::Show::lines);
  ASSERT_TRUE(wait_for_picture());
  const auto summary = [this] { return window_->fields().results()[0].summary; };
  EXPECT_NE(summary().find("field lines"), std::string::npos) << summary();
  EXPECT_FALSE(panel.isovalue()->isVisible());
  ValueSlider* lines = panel.shape()->lines_slider();
  EXPECT_TRUE(lines->isVisible());
  lines->box()->setValue(20);
  EXPECT_EQ(field().lines, 20u);
  ASSERT_TRUE(wait_for_picture());
  ASSERT_EQ(legends(*window_)->legends().size(), 1u);
  EXPECT_EQ(legends(*window_)->legends()[0].unit, "V");
  EXPECT_FALSE(legends(*window_)->legends()[0].isosurfaces);
  for (int i = 0; i < 2; ++i) window_->controller().undo();
  EXPECT_EQ(field().show, Field::Show::surfaces);
  EXPECT_FALSE(lines->isVisible());
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(summary().find("field lines"), std::string::npos) << summary();
}

TEST_F(WindowTest, FieldLinesGoThroughAPlaneOrAroundAtoms) {
  raise_fields(*window_);
  ASSERT_TRUE(open({write_salt_pqr(2)}));
  FieldPanel& panel = window_->field_panel();
  panel.add(Field::Kind::potential);
  ASSERT_TRUE(wait_for_picture());
  const auto field = [this] { return window_->controller().scene().fields[0]; };
  const ShapeRows& rows = *panel.shape();
  choose(rows.style_box(), rows.style_box()->count() - 1);
  EXPECT_TRUE(rows.from_box()->isVisible());
  EXPECT_FALSE(rows.plane_box()->isVisible()) << "they begin on the surface";
  choose(rows.from_box(), 1);
  EXPECT_EQ(field().seeds.kind, LineSeeds::Kind::plane);
  EXPECT_TRUE(rows.plane_box()->isVisible());
  EXPECT_TRUE(rows.offset_slider()->isVisible());
  choose(rows.plane_box(), 0);
  rows.offset_slider()->box()->setValue(1.5);
  EXPECT_EQ(field().seeds.plane, (SlicePlane{SlicePlane::Kind::x, "all", 1.5}));
  EXPECT_EQ(field().slice.kind, SlicePlane::Kind::none) << "the field is not sliced";
  ASSERT_TRUE(wait_for_picture());
  const auto summary = [this] { return window_->fields().results()[0].summary; };
  EXPECT_NE(summary().find("field lines"), std::string::npos) << summary();
  window_->controller().set_picked({{0, 3}});
  choose(rows.from_box(), 2);
  EXPECT_EQ(field().seeds.kind, LineSeeds::Kind::atoms);
  EXPECT_EQ(field().seeds.selection, "index 3") << "what is picked";
  EXPECT_TRUE(rows.radius_slider()->isVisible());
  EXPECT_FALSE(rows.plane_box()->isVisible());
  rows.radius_slider()->box()->setValue(1.5);
  EXPECT_EQ(field().seeds.radius, 1.5);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_NE(summary().find("field lines"), std::string::npos) << summary();
  screenshot(QStringLiteral("lines-around-an-atom"));
  choose(rows.style_box(), 0);
  EXPECT_FALSE(rows.from_box()->isVisible());
}

TEST_F(WindowTest, PotentialShowsChargeErrorAndLegendInTheChosenUnit) {
  raise_fields(*window_);
  ASSERT_TRUE(open({write_salt_pqr(3)}));  // 14 cations, 13 anions
  FieldPanel& panel = window_->field_panel();
  panel.add(Field::Kind::potential);
  ASSERT_TRUE(wait_for_picture());
  PotentialRows* rows = panel.potential();
  EXPECT_EQ(rows->charge_text()->text(), QStringLiteral("+1\u202fe"));
  EXPECT_TRUE(rows->error_text()->text().contains(QStringLiteral("rms"))) << rows->error_text()->text().toStdString();
  EXPECT_TRUE(rows->paint_box()->isHidden());
  LegendOverlay* overlay = legends(*window_);
  ASSERT_TRUE(overlay != nullptr);
  ASSERT_EQ(overlay->legends().size(), 1u);
  EXPECT_TRUE(overlay->isVisible());
  EXPECT_EQ(overlay->legends()[0].unit, "V");
  EXPECT_NEAR(overlay->legends()[0].upper, 0.5, 1e-9);
  EXPECT_NEAR(overlay->legends()[0].lower, -0.5, 1e-9);
  EXPECT_LT(overlay->legends()[0].relative_error, 1e-5);
  EXPECT_EQ(overlay->legends()[0].colours.size(), 2u);

  choose(rows->unit_box(), 1);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(overlay->legends()[0].unit, "kT/e");
  EXPECT_NEAR(overlay->legends()[0].upper, 0.5 / 0.02569258, 1e-3);
  EXPECT_TRUE(panel.isovalue()->box()->suffix().contains(QStringLiteral("kT/e")));
  EXPECT_NEAR(panel.isovalue()->value(), 0.5 / 0.02569258, 1e-2);
  panel.isovalue()->box()->setValue(10);
  EXPECT_NEAR(window_->controller().scene().fields[0].isovalue, 10, 1e-5);

  choose(rows->method_box(), 4);  // Debye and Hueckel
  ASSERT_TRUE(wait_for_picture());
  EXPECT_NE(overlay->legends()[0].method.find("Debye"), std::string::npos);
  EXPECT_TRUE(rows->accuracy_box()->isHidden());

  choose(rows->method_box(), 6);  // hierarchical partitioning
  ASSERT_TRUE(wait_for_picture());
  EXPECT_NE(overlay->legends()[0].method.find("groups beyond 15 A, chains beyond 66 A"), std::string::npos);
  choose(rows->thresholds_box(), 1);
  choose(rows->charges_each_box(), 1);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_NE(overlay->legends()[0].method.find("2 charges each for groups beyond 21 A"), std::string::npos);
  EXPECT_EQ(window_->controller().scene().fields[0].potential.hcp_thresholds, "21/90");

  panel.list()->setFocus();
  QTest::keyClick(panel.list(), Qt::Key_Space);
  EXPECT_TRUE(wait_until([&] { return overlay->legends().empty(); })) << "a hidden field has no legend";
}

TEST_F(WindowTest, PeriodicityWithoutACellSaysSo) {
  raise_fields(*window_);
  ASSERT_TRUE(open({write_salt_pqr(2)}));
  FieldPanel& panel = window_->field_panel();
  panel.add(Field::Kind::potential);
  ASSERT_TRUE(wait_for_picture());
  QString message;
  QObject::connect(&window_->fields(), &LiveFields::field_failed, window_.get(),
                   [&](int, const QString& text) { message = text; });
  panel.potential()->periodic_box()->setFocus();
  QTest::keyClick(panel.potential()->periodic_box(), Qt::Key_Space);
  EXPECT_TRUE(window_->controller().scene().fields[0].potential.periodic);
  EXPECT_TRUE(wait_until([&] { return message.contains(QStringLiteral("no cell")); })) << message.toStdString();
}

TEST_F(WindowTest, ThePotentialFollowsTheFrames) {
  const QString path = temporary(QStringLiteral("ions.xyz"));
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  QTextStream out(&file);
  for (int frame = 0; frame < 4; ++frame) {
    out << "2\nProperties=species:S:1:pos:R:3:charge:R:1\nNa 0 0 0 1\nCl " << 3 + frame << " 0 0 -1\n";
  }
  out.flush();
  file.close();
  ASSERT_TRUE(open({path}));
  window_->field_panel().add(Field::Kind::potential);
  ASSERT_TRUE(wait_for_picture());
  double last = window_->fields().results()[0].grid.step[0].x * window_->fields().results()[0].grid.counts.x;
  for (int frame = 1; frame < 4; ++frame) {
    window_->player().step(1);
    ASSERT_TRUE(wait_for_picture());
    const FieldResult result = window_->fields().results()[0];
    const double extent = result.grid.step[0].x * result.grid.counts.x;
    EXPECT_GT(extent, last) << "the ions part, and the map grows with them";
    ASSERT_TRUE(result.legend.has_value());
    EXPECT_LT(result.legend->relative_error, 1e-5);
    last = extent;
  }
}

/// docs/images/window.png.
TEST_F(WindowTest, PictureOfTheWindowForTheEye) {
  if (qEnvironmentVariableIsEmpty("ISOLUME_SCREENSHOTS")) GTEST_SKIP() << "set ISOLUME_SCREENSHOTS to a folder";
  apply_theme(Theme::light);
  window_->resize(1600, 1000);
  ASSERT_TRUE(open({QString::fromStdString(data("../../resources/examples/crambin_charges/crambin_charges.pqr.gz"))}));
  window_->commands().add_potential->trigger();
  window_->findChild<QDockWidget*>(QStringLiteral("fields"))->raise();
  window_->controller().edit(QStringLiteral("Thin"), [](Scene& scene) {
    scene.look.depth_cue = 0.2f;
    for (std::size_t i = 1; i < scene.representations.size(); ++i) scene.representations[i].visible = false;
  });
  window_->commands().fit->trigger();
  ASSERT_TRUE(wait_for_picture());
  screenshot(QStringLiteral("window"));
}

TEST_F(WindowTest, PicturesOfPotentialsForTheEye) {
  if (qEnvironmentVariableIsEmpty("ISOLUME_SCREENSHOTS")) GTEST_SKIP() << "set ISOLUME_SCREENSHOTS to a folder";
  window_->resize(1280, 900);
  const QString protein = QString::fromStdString(shared_data("structures/pqr/1ajj.pqr"));
  for (const Theme theme : {Theme::light, Theme::dark}) {
    apply_theme(theme);
    const QString tag = name(theme);
    window_->commands().close_all->trigger();
    ASSERT_TRUE(open({protein}));
    FieldPanel& panel = window_->field_panel();
    window_->findChild<QDockWidget*>(QStringLiteral("fields"))->raise();
    panel.add(Field::Kind::gaussian);
    choose(panel.potential()->paint_box(), 1);
    ASSERT_TRUE(wait_for_picture());
    screenshot(QStringLiteral("painted-") + tag);
    panel.add(Field::Kind::potential);
    choose(panel.potential()->unit_box(), 1);
    choose(panel.potential()->method_box(), 4);
    ASSERT_TRUE(wait_for_picture());
    screenshot(QStringLiteral("isosurfaces-") + tag);
    choose(panel.potential()->method_box(), 6);
    ASSERT_TRUE(wait_for_picture());
    screenshot(QStringLiteral("partitioned-") + tag);
  }
  apply_theme(Theme::light);
}

}  // namespace
}  // namespace isolume::test
