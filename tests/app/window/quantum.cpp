// Normal modes and excited states in the window: tables, spectra, animation, natural transition orbitals.
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>
#include <cmath>

#include "app/scene/path_part.h"
#include "app/scene/scene_json.h"
#include "app/view/representation_colours.h"
#include "app/window/live/live_picture.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/scatter_rows.h"
#include "app/window/panels/shape_rows.h"
#include "app/window/quantum/spectrum_view.h"
#include "app/window/quantum/states_panel.h"
#include "app/window/quantum/vibrations_panel.h"
#include "app/window/shell/message_bar.h"
#include "app/window/shell/panels.h"
#include "app/window/widgets/list_bar.h"
#include "app/window/widgets/plot.h"
#include "app/window/widgets/selection_edit.h"
#include "app/window/widgets/value_slider.h"
#include "fixture.h"
#include "held_pool.h"
#include "replayed.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

class QuantumTest : public WindowTest {
 protected:
  const Scene& scene() { return window_->controller().scene(); }
  VibrationsPanel& vibrations() { return window_->panels().get<VibrationsPanel>(); }
  StatesPanel& states() { return window_->panels().get<StatesPanel>(); }
  bool open_water() {
    const QString file = QString::fromStdString(shared_data("qm-fields/vibrations/water_vib.molden"));
    return open({file});
  }
  QString read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }
};

TEST_F(QuantumTest, ModesAreListedWithTheirSpectrum) {
  ASSERT_TRUE(open_water());
  window_->run_command(QStringLiteral("action vibrations"));
  auto& panel = vibrations();
  ASSERT_TRUE(wait_until([&] { return panel.isVisible() && panel.table()->topLevelItemCount() == 3; }));
  EXPECT_EQ(panel.table()->topLevelItem(0)->text(1), QStringLiteral("1826.6"));
  EXPECT_EQ(panel.table()->topLevelItem(0)->text(2), QStringLiteral("107.27"));
  EXPECT_TRUE(panel.table()->isColumnHidden(3)) << "no Raman activities in the file";
  ASSERT_TRUE(wait_until([&] { return !panel.spectrum()->busy() && panel.spectrum()->plot()->curves().size() == 2; }));
  // The line by itself is as high as a Lorentzian of its area: 2 A / (pi w), A = 100 / ln 10 L/(mol cm^2) of 1 km/mol.
  const PlotCurve& lines = panel.spectrum()->plot()->curves()[1];
  ASSERT_GE(lines.y.size(), 2u);
  EXPECT_NEAR(lines.x[1], 1826.553728, 1e-6);
  EXPECT_NEAR(lines.y[1], 2 * 107.27037711 * 100 / std::log(10.0) / (std::acos(-1.0) * 15), 1e-3);
  // Row and line are one selection.
  Q_EMIT panel.spectrum()->plot()->x_clicked(4100);
  EXPECT_EQ(panel.table()->indexOfTopLevelItem(panel.table()->currentItem()), 1);
  panel.table()->setCurrentItem(panel.table()->topLevelItem(2));
  ASSERT_TRUE(panel.spectrum()->plot()->cursor());
  EXPECT_NEAR(*panel.spectrum()->plot()->cursor(), 4188.704257, 1e-6);
  EXPECT_FALSE(window_->controller().can_undo()) << "looking changes nothing";
  panel.write_table(temporary(QStringLiteral("modes.csv")));
  EXPECT_TRUE(read(temporary(QStringLiteral("modes.csv"))).contains(QStringLiteral("\n2,4070.45941,18.20891781,")));
  expect_replayed(temporary(QStringLiteral("modes.csv")));
  panel.write_spectrum(temporary(QStringLiteral("spectrum.csv")));
  EXPECT_EQ(read(temporary(QStringLiteral("spectrum.csv"))).count(QLatin1Char('\n')), 1501);
  const QString refused = replay_refused(temporary(QStringLiteral("spectrum.csv")));
  EXPECT_TRUE(refused.contains(QStringLiteral("the panel Vibrations, spectrum of a window wrote it")))
      << refused.toStdString();
  screenshot(QStringLiteral("vibrations"));
}

TEST_F(QuantumTest, AModeIsAnimatedWithArrowsAndUndone) {
  ASSERT_TRUE(open_water());
  const Scene before = scene();
  window_->run_command(QStringLiteral("action vibrations"));
  auto& panel = vibrations();
  ASSERT_TRUE(wait_until([&] { return panel.isVisible() && panel.table()->topLevelItemCount() == 3; }));
  panel.table()->setCurrentItem(panel.table()->topLevelItem(1));
  panel.speed()->setValue(2);
  panel.animate()->click();
  ASSERT_TRUE(wait_until([&] { return window_->controller().frame_count() == 24; }));
  ASSERT_EQ(scene().molecules[0].paths.size(), 2u);
  EXPECT_EQ(path_part(scene().molecules[0].paths[1]).number, 2);
  EXPECT_EQ(scene().playback.frames_per_second, 48);
  EXPECT_TRUE(wait_until([&] { return scene().frame > 2; })) << "it plays";
  // Arrows are a representation of the velocities; another row is another mode.
  panel.arrows()->click();
  ASSERT_TRUE(wait_until([&] { return scene().representations.size() == before.representations.size() + 1; }));
  EXPECT_EQ(scene().representations.back().style, Style::vectors);
  panel.table()->setCurrentItem(panel.table()->topLevelItem(2));
  ASSERT_TRUE(wait_until([&] { return path_part(scene().molecules[0].paths[1]).number == 3; }));
  EXPECT_EQ(scene().representations.size(), before.representations.size() + 1);
  panel.amplitude()->setValue(0.5);
  ASSERT_TRUE(wait_until([&] { return path_part(scene().molecules[0].paths[1]).amplitude == 0.5; }));
  panel.animate()->click();
  window_->controller().touch([](Scene& s) { s.frame = 6; });
  ASSERT_TRUE(wait_for_picture());
  // A quarter of a period: the hydrogens of the antisymmetric stretch are 0.5 angstrom from where they rest.
  glm::vec3 position{0};
  ASSERT_TRUE(window_->picture().position({0, 1}, position));
  const glm::vec3 rest = glm::vec3(1.424978995807, 0, 1.099299549508) * 0.529177210903f;
  EXPECT_NEAR(glm::length(position - rest), 0.5, 1e-3);
  EXPECT_FALSE(window_->messages().isVisible());
  window_->controller().touch([](Scene& s) { s.frame = 0; });
  ASSERT_TRUE(wait_for_picture());
  screenshot(QStringLiteral("mode"));
  // A session has it; rest and undo take it back.
  EXPECT_EQ(scene_from_json(scene_to_json(scene())).molecules, scene().molecules);
  panel.rest()->click();
  ASSERT_TRUE(wait_until([&] { return window_->controller().frame_count() == 1; }));
  EXPECT_EQ(scene().molecules, before.molecules);
  EXPECT_EQ(scene().representations, before.representations);
  window_->commands().undo->trigger();
  EXPECT_EQ(scene().molecules[0].paths.size(), 2u);
  window_->commands().undo->trigger();
  EXPECT_EQ(scene().molecules, before.molecules) << "all that was shown is one step";
  EXPECT_EQ(scene().representations, before.representations);
}

TEST_F(QuantumTest, TheModeAndAmplitudeAskedForLastAreShown) {
  ASSERT_TRUE(open_water());
  window_->run_command(QStringLiteral("action vibrations"));
  auto& panel = vibrations();
  ASSERT_TRUE(wait_until([&] { return panel.isVisible() && panel.table()->topLevelItemCount() == 3; }));
  panel.table()->setCurrentItem(panel.table()->topLevelItem(1));
  panel.animate()->click();
  ASSERT_TRUE(wait_until([&] { return window_->controller().frame_count() == 24 && !panel.busy(); }));
  {
    HeldPool pool;
    panel.amplitude()->setValue(0.4);
    panel.amplitude()->setValue(0.6);
  }
  ASSERT_TRUE(wait_until([&] { return !panel.busy(); }));
  EXPECT_EQ(path_part(scene().molecules[0].paths[1]).amplitude, 0.6);
  EXPECT_EQ(panel.amplitude()->value(), 0.6);
  {
    HeldPool pool;
    panel.table()->setCurrentItem(panel.table()->topLevelItem(2));
    panel.table()->setCurrentItem(panel.table()->topLevelItem(1));  // and back
    panel.amplitude()->setValue(0.8);
  }
  ASSERT_TRUE(wait_until([&] { return !panel.busy(); }));
  EXPECT_EQ(path_part(scene().molecules[0].paths[1]).number, 2);
  EXPECT_EQ(path_part(scene().molecules[0].paths[1]).amplitude, 0.8);
  EXPECT_EQ(panel.table()->indexOfTopLevelItem(panel.table()->currentItem()), 1);
}

TEST_F(QuantumTest, ASpectrumOfNoLinesStaysEmpty) {
  SpectrumView view(QStringLiteral("Absorption"), LineShape::gaussian, 1, 0.1, 10, QStringLiteral("eV"));
  {
    HeldPool pool;
    SpectrumLines lines;
    lines.lines.push_back({5, 1});
    view.set_lines(lines);
    view.set_lines({});  // while the curve is computed
  }
  take_results();
  EXPECT_FALSE(view.busy());
  EXPECT_TRUE(view.plot()->curves().empty());
}

TEST_F(QuantumTest, ModesOfAnotherFileOfTheMolecule) {
  QFile xyz(temporary(QStringLiteral("water.xyz")));
  ASSERT_TRUE(xyz.open(QIODevice::WriteOnly));
  xyz.write("3\n\nO 0 0 0.0083160\nH 0.7540664 0 0.5817243\nH -0.7540664 0 0.5817243\n");
  xyz.close();
  ASSERT_TRUE(open({xyz.fileName()}));
  window_->run_command(QStringLiteral("action vibrations"));
  auto& panel = vibrations();
  ASSERT_TRUE(wait_until([&] { return panel.isVisible(); }));
  EXPECT_FALSE(panel.animate()->isEnabled());
  panel.open_modes(QString::fromStdString(shared_data("qm-fields/vibrations/water_vib.molden")));
  ASSERT_TRUE(wait_until([&] { return panel.table()->topLevelItemCount() == 3; }));
  Q_EMIT panel.table()->itemActivated(panel.table()->topLevelItem(0), 0);
  panel.table()->setCurrentItem(panel.table()->topLevelItem(0));
  panel.animate()->click();
  EXPECT_TRUE(wait_until([&] { return window_->controller().frame_count() == 24; }));
  // A file without modes says so and leaves nothing behind.
  panel.rest()->click();
  ASSERT_TRUE(wait_until([&] { return window_->controller().frame_count() == 1 && !panel.busy(); }));
  panel.open_modes(xyz.fileName());
  ASSERT_TRUE(wait_until([&] { return panel.table()->topLevelItemCount() == 0 && !panel.busy(); }));
  EXPECT_FALSE(panel.animate()->isEnabled());
}

TEST_F(QuantumTest, DensitiesAreFieldsOfTheAddMenu) {
  ASSERT_TRUE(open({QString::fromStdString(shared_data("qm-fields/no2_doublet.molden"))}));
  auto& panel = window_->panels().get<FieldPanel>();
  const Scene before = scene();
  const auto add = [&](const QString& text) {
    QMenu* menu = panel.findChild<ListBar*>()->add_button()->menu();
    Q_EMIT menu->aboutToShow();
    for (QAction* action : menu->actions())
      if (action->text() == text) return action->trigger();
    FAIL() << text.toStdString();
  };
  add(QStringLiteral("Electron density"));
  ASSERT_EQ(scene().fields.size(), before.fields.size() + 1);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(window_->fields().results().back().error, "");
  EXPECT_EQ(window_->fields().results().back().items.size(), 1u) << "a density has one sign";
  add(QStringLiteral("Spin density"));
  ASSERT_EQ(scene().fields.size(), before.fields.size() + 2);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(window_->fields().results().back().items.size(), 2u);
  EXPECT_FALSE(window_->messages().isVisible());
  screenshot(QStringLiteral("densities"));
  window_->commands().undo->trigger();
  window_->commands().undo->trigger();
  EXPECT_EQ(scene().fields, before.fields);
}

TEST_F(QuantumTest, ADensityIsShownAsItsBondPaths) {
  ASSERT_TRUE(open({QString::fromStdString(data("orbitals/formaldehyde.molden.gz"))}));
  auto& panel = window_->panels().get<FieldPanel>();
  QMenu* menu = panel.findChild<ListBar*>()->add_button()->menu();
  Q_EMIT menu->aboutToShow();
  for (QAction* action : menu->actions())
    if (action->text() == QStringLiteral("Electron density")) action->trigger();
  ASSERT_TRUE(wait_for_picture());
  window_->panels().dock("fields").raise();
  QComboBox* style = panel.shape()->style_box();
  const int last = style->count() - 1;
  ASSERT_EQ(style->itemText(last), QStringLiteral("Bond paths"));
  style->setCurrentIndex(last);
  Q_EMIT style->activated(last);
  EXPECT_EQ(scene().fields.back().show, Field::Show::paths);
  ASSERT_TRUE(wait_for_picture());
  const FieldResult result = window_->fields().results().back();
  EXPECT_EQ(result.error, "");
  EXPECT_NE(result.summary.find("3 bond points"), std::string::npos) << result.summary;
  EXPECT_EQ(style->currentIndex(), last);
  EXPECT_FALSE(panel.isovalue()->isVisible()) << "critical points have none";
  screenshot(QStringLiteral("bond_paths"));
  QCheckBox* between = nullptr;
  for (QCheckBox* box : panel.findChildren<QCheckBox*>())
    if (box->accessibleName() == QStringLiteral("Interatomic surfaces")) between = box;
  ASSERT_TRUE(between != nullptr && between->isVisibleTo(&panel));
  between->click();
  EXPECT_TRUE(scene().fields.back().interatomic);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(window_->fields().results().back().items.size(), result.items.size() + 3);
  screenshot(QStringLiteral("interatomic_surfaces"));
  window_->commands().undo->trigger();
  window_->commands().undo->trigger();
  EXPECT_EQ(scene().fields.back().show, Field::Show::surfaces);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_NE(window_->fields().results().back().summary.find("triangles"), std::string::npos);
}

TEST_F(QuantumTest, ContactsOfTwoGroupsNeedNoOrbitals) {
  QFile xyz(temporary(QStringLiteral("waters.xyz")));
  ASSERT_TRUE(xyz.open(QIODevice::WriteOnly));
  xyz.write("6\n\nO 0 0 0\nH 0.96 0 0\nH -0.24 0.93 0\nO 2.9 0 0\nH 3.2 0.75 0.52\nH 3.2 -0.75 0.52\n");
  xyz.close();
  ASSERT_TRUE(open({xyz.fileName()}));
  window_->run_command(QStringLiteral("action add_contacts"));
  ASSERT_EQ(scene().fields.back().kind, Field::Kind::contacts);
  const auto result = [&] { return window_->fields().results().back(); };
  EXPECT_EQ(scene().fields.back().selection, "all") << "there is no ligand and one chain";
  ASSERT_TRUE(
      wait_until([&] { return window_->messages().message().contains(QStringLiteral("two groups of atoms")); }));
  window_->controller().edit(QStringLiteral("one"), [](Scene& s) { s.fields.back().selection = "index 0 to 2"; });
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(result().error, "");
  ASSERT_EQ(result().items.size(), 1u);
  auto& panel = window_->panels().get<FieldPanel>();
  EXPECT_TRUE(panel.partners_edit()->isVisible());
  EXPECT_FALSE(panel.partners_edit()->note()->text().contains(QStringLiteral("expected"))) << "it may be empty";
  screenshot(QStringLiteral("contacts"));
  // A range of the colours' values in the plot: that part of the surface stays.
  Plot* plot = panel.scatter()->plot();
  ASSERT_TRUE(plot->isVisibleTo(&panel));
  ASSERT_EQ(plot->curves().size(), 1u);
  EXPECT_TRUE(plot->curves()[0].scatter);
  EXPECT_FALSE(panel.scatter()->all_button()->isVisibleTo(&panel));
  const auto triangles = [&] { return std::get_if<Surface>(&result().items.at(0)->shape)->mesh->triangles.size(); };
  Q_EMIT plot->range_chosen(-0.06, -0.015);
  EXPECT_EQ(scene().fields.back().shown_lower, -0.06);
  EXPECT_EQ(scene().fields.back().shown_upper, -0.015);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(plot->band(), std::pair(-0.06, -0.015));
  const std::size_t part = triangles();
  screenshot(QStringLiteral("contacts_range"));
  panel.scatter()->all_button()->click();
  EXPECT_EQ(scene().fields.back().shown_upper, 0);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_FALSE(plot->band());
  EXPECT_GT(part, 0u);
  if (const auto* whole = std::get_if<Surface>(&result().items.at(0)->shape); whole->mesh) {
    EXPECT_LT(part, whole->mesh->triangles.size());
  }
  Q_EMIT panel.partners_edit()->entered(QStringLiteral("index 4"));
  EXPECT_EQ(scene().fields.back().partners, "index 4");
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(result().error, "");
}

TEST_F(QuantumTest, NothingScrollsSidewaysInANarrowWindow) {
  ASSERT_TRUE(open({QString::fromStdString(data("orbitals/formaldehyde.molden.gz"))}));
  window_->resize(1100, 760);
  for (const char* name : {"states", "vibrations"}) {
    window_->run_command(QStringLiteral("action %1").arg(QLatin1String(name)));
    QDockWidget& dock = window_->panels().dock(name);
    ASSERT_TRUE(wait_until([&] { return dock.isVisible() && window_->width() == 1100; }));
    auto* scroll = dock.findChild<QScrollArea*>(QStringLiteral("panel_scroll"));
    ASSERT_NE(scroll, nullptr) << name;
    EXPECT_TRUE(wait_until([&] { return scroll->horizontalScrollBar()->maximum() == 0; }))
        << name << ": " << scroll->widget()->minimumSizeHint().width() << " pixels wanted, "
        << scroll->viewport()->width() << " there";
    screenshot(QStringLiteral("narrow_%1").arg(QLatin1String(name)));
  }
}

TEST_F(QuantumTest, StatesAreListedAndTheirOrbitalsShown) {
  ASSERT_TRUE(open({QString::fromStdString(data("orbitals/formaldehyde.molden.gz"))}));
  window_->run_command(QStringLiteral("action states"));
  auto& panel = states();
  ASSERT_TRUE(wait_until([&] { return panel.isVisible(); }));
  panel.open_amplitudes(QString::fromStdString(data("orbitals/formaldehyde_tda.json.gz")));
  ASSERT_TRUE(wait_until([&] { return !panel.busy() && panel.table()->topLevelItemCount() == 5; }));
  EXPECT_EQ(panel.table()->topLevelItem(1)->text(1), QStringLiteral("8.5108"));
  EXPECT_EQ(panel.table()->topLevelItem(1)->text(2), QStringLiteral("145.7"));
  EXPECT_EQ(panel.table()->topLevelItem(1)->text(3), QStringLiteral("0.1716"));
  EXPECT_EQ(panel.table()->topLevelItem(3)->text(4),
            QStringLiteral("HOMO \u2192 LUMO+2 61 %, HOMO-1 \u2192 LUMO 36 %"));
  // Energies or wavelengths; a click selects the state.
  ASSERT_TRUE(wait_until([&] { return !panel.spectrum()->busy() && panel.spectrum()->plot()->curves().size() == 2; }));
  Q_EMIT panel.spectrum()->plot()->x_clicked(9.8);
  EXPECT_EQ(panel.table()->indexOfTopLevelItem(panel.table()->currentItem()), 3);
  panel.axis()->setCurrentIndex(1);
  Q_EMIT panel.axis()->activated(1);
  ASSERT_TRUE(wait_until([&] { return !panel.spectrum()->busy(); }));
  ASSERT_TRUE(panel.spectrum()->plot()->cursor());
  EXPECT_NEAR(*panel.spectrum()->plot()->cursor(), 1239.8419843 / 9.89843889730719, 1e-4);
  screenshot(QStringLiteral("states"));
  // Charge-transfer numbers between the oxygen and the rest; they add up to 1.
  panel.fragments()->setText(QStringLiteral("element O"));
  panel.fragments()->setModified(true);
  Q_EMIT panel.fragments()->editingFinished();
  ASSERT_TRUE(wait_until([&] { return !panel.busy() && panel.table()->columnCount() == 10; }));
  EXPECT_EQ(panel.table()->topLevelItem(0)->text(7), QStringLiteral("0.453"));
  double sum = 0;
  for (int column = 6; column < 10; ++column) sum += panel.table()->topLevelItem(0)->text(column).toDouble();
  EXPECT_NEAR(sum, 1, 0.002);
  screenshot(QStringLiteral("charge_transfer"));
  panel.table()->setCurrentItem(panel.table()->topLevelItem(3));
  // The pair is two orbital fields of a second molecule; another state takes its place; undo takes all of it back.
  const Scene before = scene();
  panel.show_button()->click();
  ASSERT_TRUE(wait_until([&] { return scene().molecules.size() == 2 && !panel.busy(); }));
  EXPECT_EQ(path_part(scene().molecules[1].paths.back()).number, 4);
  std::vector<std::string> shown;
  for (const Field& field : scene().fields)
    if (field.visible && field.kind == Field::Kind::orbital) {
      EXPECT_EQ(field.molecule, 1u);
      shown.push_back(field.orbital);
    }
  EXPECT_EQ(shown, (std::vector<std::string>{"homo", "lumo"}));
  EXPECT_TRUE(panel.note()->text().contains(QStringLiteral("hole 0.627 and particle 0.627")))
      << panel.note()->text().toStdString();
  ASSERT_TRUE(wait_for_picture());
  EXPECT_FALSE(window_->messages().isVisible());
  std::vector<std::string> titles;
  for (const FieldLegend& legend : legends_of(scene(), window_->fields().results(), *window_->viewport().view()))
    titles.push_back(legend.title);
  EXPECT_EQ(titles, (std::vector<std::string>{"hole of pair 1", "particle of pair 1"}));
  screenshot(QStringLiteral("nto"));
  panel.show_pair(1, 2);
  ASSERT_TRUE(wait_until([&] { return path_part(scene().molecules[1].paths.back()).number == 1 && !panel.busy(); }));
  EXPECT_EQ(scene().molecules.size(), 2u);
  EXPECT_EQ(scene().fields.back().orbital, "lumo+1");
  // Of several that are asked for at once the last one is shown.
  panel.show_pair(2, 1);
  panel.show_pair(3, 1);
  panel.show_pair(1, 2);
  ASSERT_TRUE(panel.busy());
  ASSERT_TRUE(wait_until([&] { return !panel.busy(); }));
  EXPECT_EQ(path_part(scene().molecules[1].paths.back()).number, 1);
  EXPECT_EQ(scene().fields.back().orbital, "lumo+1");
  panel.write_table(temporary(QStringLiteral("states.csv")));
  EXPECT_TRUE(read(temporary(QStringLiteral("states.csv"))).contains(QStringLiteral("\n1,4.019696,308.4")));
  expect_replayed(temporary(QStringLiteral("states.csv")));
  window_->commands().undo->trigger();
  EXPECT_EQ(scene().molecules, before.molecules);
  EXPECT_EQ(scene().fields, before.fields);
  // Amplitudes of other orbitals are refused.
  panel.open_amplitudes(QString::fromStdString(shared_data("qm-fields/vibrations/water_vib.json")));
  ASSERT_TRUE(wait_until([&] { return !panel.busy() && window_->messages().isVisible(); }));
  EXPECT_EQ(panel.table()->topLevelItemCount(), 0);
}

}  // namespace
}  // namespace isolume::test
