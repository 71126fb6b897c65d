// Probes in the window: clicks, values, contributions, colours, frames, tables.
#include <QComboBox>
#include <QCoreApplication>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QProcess>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>
#include <cmath>

#include "app/fields/field_styles.h"
#include "app/scene/scene_json.h"
#include "app/window/over_time/probe_panel.h"
#include "app/window/over_time/probe_tool.h"
#include "app/window/over_time/share_bars.h"
#include "app/window/shell/panels.h"
#include "app/window/shell/pick_menu.h"
#include "app/window/viewport/viewport_overlay.h"
#include "app/window/widgets/plot.h"
#include "formats/read.h"
#include "formats/write/write.h"
#include "molecule/base/units.h"
#include "tests/app/window/fixture.h"
#include "tests/app/window/held_pool.h"
#include "tests/app/window/replayed.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

constexpr int frame_number = 12;

/// Four charges of three residues in two chains; the third one moves away.
class ProbesTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    QFile file(temporary(QStringLiteral("ions.pqr")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(
        "ATOM      1  C   LIG A   1       0.000   0.000   0.000  0.5000 1.700\n"
        "ATOM      2  O   LIG A   1       1.500   0.000   0.000 -0.5000 1.500\n"
        "ATOM      3  N   ALA A   2       6.000   1.000   0.000  1.0000 1.600\n"
        "ATOM      4  C   LYS B   3      -5.000   3.000   0.000 -0.8000 1.700\n");
    file.close();
    files_ = {file.fileName(), temporary(QStringLiteral("ions.dcd"))};
    const Molecule ions = read_file(file.fileName().toStdString());
    const auto out = create_writer(files_[1].toStdString(), ions);
    for (int f = 0; f < frame_number; ++f) {
      Frame frame;
      for (const glm::dvec3& place : places(f)) frame.positions.emplace_back(place);
      out->add(frame);
    }
    out->finish();
    ASSERT_TRUE(open(files_));
    window_->controller().edit(QStringLiteral("Style"), [](Scene& scene) {
      scene.representations.resize(1);
      scene.representations[0].style = Style::ball_and_stick;
    });
    ASSERT_TRUE(wait_for_picture());
    panel_ = &window_->panels().get<ProbePanel>();
    shot();
  }
  static std::vector<glm::dvec3> places(int frame) {
    return {{0, 0, 0}, {1.5, 0, 0}, {6 + 0.5 * frame, 1, 0}, {-5, 3, 0}};
  }
  static constexpr double charges[] = {0.5, -0.5, 1, -0.8};
  /// Volts, of the charges of these atoms.
  static double potential(int frame, glm::dvec3 at, const std::vector<std::size_t>& atoms) {
    double sum = 0;
    for (const std::size_t i : atoms)
      if (const double r = glm::distance(at, places(frame)[i]); r > 1e-3)
        sum += units::coulomb_volt_angstrom * charges[i] / r;
    return sum;
  }
  static double field_x(int frame, glm::dvec3 at) {
    constexpr double h = 1e-4;
    const std::vector<std::size_t> all{0, 1, 2, 3};
    return -(potential(frame, at + glm::dvec3(h, 0, 0), all) - potential(frame, at - glm::dvec3(h, 0, 0), all)) /
           (2 * h);
  }
  const Scene& scene() { return window_->controller().scene(); }
  bool ready() {
    return wait_until([&] { return panel_->up_to_date() && !panel_->bars()->values().empty(); });
  }
  void add(const FieldProbe& probe) { window_->probe_tool().add(probe); }
  static FieldProbe at_atom(std::uint32_t atom) {
    FieldProbe probe;
    probe.kind = FieldProbe::Kind::atom;
    probe.atom = atom;
    return probe;
  }
  double listed(int probe, int column) {
    return panel_->list()->topLevelItem(probe)->text(column).split(QChar(0x202f)).first().toDouble();
  }
  QStringList files_;
  ProbePanel* panel_ = nullptr;
};

TEST_F(ProbesTest, ClicksPutProbesOnAtomsBondsAndResidues) {
  Viewport& viewport = window_->viewport();
  QTest::keyClick(&viewport, Qt::Key_6);
  EXPECT_TRUE(window_->probe_tool().active());
  EXPECT_TRUE(viewport.overlay().hint().startsWith(QStringLiteral("Probe: click")));
  QTest::mouseClick(&viewport, Qt::LeftButton, {}, place_of({0, 3}));
  ASSERT_TRUE(wait_until([&] { return scene().probes.size() == 1; }));
  EXPECT_EQ(scene().probes[0], at_atom(3));
  shot();  // the panel has come up, and the view is lower
  QTest::mouseClick(&viewport, Qt::LeftButton, {}, (place_of({0, 0}) + place_of({0, 1})) / 2);
  ASSERT_TRUE(wait_until([&] { return scene().probes.size() == 2; }));
  const FieldProbe bond = scene().probes[1];
  EXPECT_EQ(bond.kind, FieldProbe::Kind::bond);
  EXPECT_EQ(std::min(bond.atom, bond.second), 0u);
  EXPECT_EQ(std::max(bond.atom, bond.second), 1u);
  shot();
  QTest::mouseClick(&viewport, Qt::LeftButton, Qt::ShiftModifier, place_of({0, 2}));
  ASSERT_TRUE(wait_until([&] { return scene().probes.size() == 3; }));
  EXPECT_EQ(scene().probes[2].kind, FieldProbe::Kind::residue);
  // The same place again is no second probe.
  shot();
  QTest::mouseClick(&viewport, Qt::LeftButton, {}, place_of({0, 3}));
  ASSERT_TRUE(wait_until([&] { return panel_->current() == 0; }));
  EXPECT_EQ(scene().probes.size(), 3u);
  ASSERT_TRUE(ready());
  // Esc ends the tool. Each probe is a step of the history, and there again after a session.
  QTest::keyClick(&viewport, Qt::Key_Escape);
  EXPECT_FALSE(window_->probe_tool().active());
  EXPECT_TRUE(viewport.overlay().hint().isEmpty());
  EXPECT_EQ(scene_from_json(scene_to_json(scene())).probes, scene().probes);
  ASSERT_TRUE(wait_for_picture());
  ASSERT_EQ(viewport.view()->labels.size(), 3u) << "numbers at the marks";
  EXPECT_EQ(viewport.view()->labels[0].text, "1");
  EXPECT_LT(glm::distance(viewport.view()->labels[1].position, glm::vec3(0.75, 0, 0)), 1e-5f);
  EXPECT_EQ(panel_->list()->topLevelItem(0)->text(1), QStringLiteral("B/LYS3:C"));
  window_->commands().undo->trigger();
  EXPECT_EQ(scene().probes.size(), 2u);
  window_->commands().redo->trigger();
  EXPECT_EQ(scene().probes.size(), 3u);
}

TEST_F(ProbesTest, ContributionsAreThoseOfTheFormulaAndAddUp) {
  add(at_atom(0));
  FieldProbe bond = at_atom(0);
  bond.kind = FieldProbe::Kind::bond;
  bond.second = 1;
  add(bond);
  panel_->choose(0);
  ASSERT_TRUE(ready());
  ASSERT_EQ(panel_->bars()->names(),
            (std::vector<QString>{QStringLiteral("A/LIG1"), QStringLiteral("A/ALA2"), QStringLiteral("B/LYS3")}));
  const glm::dvec3 here(0);
  const double expected[] = {potential(0, here, {1}), potential(0, here, {2}), potential(0, here, {3})};
  for (std::size_t g = 0; g < 3; ++g) EXPECT_NEAR(panel_->bars()->values()[g], expected[g], 2e-6);
  EXPECT_EQ(panel_->bars()->order(), (std::vector<std::size_t>{0, 1, 2})) << "the largest amounts first";
  EXPECT_NEAR(listed(0, 2), expected[0] + expected[1] + expected[2], 5e-4);
  const glm::dvec3 middle(0.75, 0, 0);
  EXPECT_NEAR(listed(1, 2), potential(0, middle, {0, 1, 2, 3}), 5e-3);
  EXPECT_NEAR(listed(1, 4), field_x(0, middle), 5e-3 * std::abs(field_x(0, middle)));
  // A bar selects its residue; what is selected elsewhere is marked.
  const QRect row = panel_->bars()->row_rect(2);
  window_->panels().raise("probes");
  QTest::mouseClick(panel_->bars()->viewport(), Qt::LeftButton, {}, row.center());
  EXPECT_EQ(window_->controller().picked(), (std::vector<PickedAtom>{{0, 3}}));
  // By chains, in another unit.
  panel_->by_box()->setCurrentIndex(1);
  Q_EMIT panel_->by_box()->activated(1);
  panel_->unit_box()->setCurrentIndex(2);
  Q_EMIT panel_->unit_box()->activated(2);
  ASSERT_TRUE(ready());
  ASSERT_EQ(panel_->bars()->names(), (std::vector<QString>{QStringLiteral("A"), QStringLiteral("B")}));
  EXPECT_NEAR(panel_->bars()->values()[0], potential(0, here, {1, 2}) * units::ev_in_kcal_per_mol, 1e-4);
  // Of another frame.
  window_->controller().touch([](Scene& next) { next.frame = 7; });
  ASSERT_TRUE(ready());
  EXPECT_NEAR(panel_->bars()->values()[0], potential(7, here, {1, 2}) * units::ev_in_kcal_per_mol, 1e-4);
}

TEST_F(ProbesTest, TheGradientIsThatOfDifferencesOfTheField) {
  FieldProbe probe;
  probe.position = {3, 0, 0};
  add(probe);
  ASSERT_TRUE(ready());
  constexpr double h = 1e-3;
  const glm::dvec3 step(h, 0, 0);
  const auto slope = [&](int frame) {
    return (field_x(frame, probe.position + step) - field_x(frame, probe.position - step)) / (2 * h);
  };
  const QString tip = panel_->list()->topLevelItem(0)->toolTip(5);
  const QStringList first = tip.section(QLatin1Char('\n'), 1, 1).split(QStringLiteral(", "));
  ASSERT_EQ(first.size(), 3) << qPrintable(tip);
  EXPECT_NEAR(first[0].toDouble(), slope(0), 2e-3 * std::abs(slope(0)));
  double trace = first[0].toDouble();
  for (int row = 1; row < 3; ++row)
    trace += tip.section(QLatin1Char('\n'), row + 1, row + 1).split(QStringLiteral(", "))[row].toDouble();
  EXPECT_NEAR(trace, 0, 2e-3 * std::abs(slope(0))) << "no charge is there";
  // The largest principal value is nearly along x, where all charges but one are.
  EXPECT_NEAR(listed(0, 5), slope(0), 0.15 * std::abs(slope(0)));
  panel_->frames_button()->click();
  ASSERT_TRUE(wait_until([&] { return panel_->plot()->curves().size() == 1; }));
  panel_->quantity_box()->setCurrentIndex(3);
  Q_EMIT panel_->quantity_box()->activated(3);
  ASSERT_EQ(panel_->plot()->curves().size(), 1u);
  EXPECT_NEAR(panel_->plot()->curves()[0].y[5], slope(5), 0.15 * std::abs(slope(5)));
  EXPECT_TRUE(panel_->figures()->text().contains(QStringLiteral("V/\u00c5\u00b2")))
      << qPrintable(panel_->figures()->text());
  screenshot(QStringLiteral("probe-gradient"));
  // A method without gradients has none.
  panel_->method_box()->setCurrentIndex(static_cast<int>(PotentialMethod::cutoff));
  Q_EMIT panel_->method_box()->activated(static_cast<int>(PotentialMethod::cutoff));
  ASSERT_TRUE(ready());
  EXPECT_TRUE(panel_->list()->topLevelItem(0)->text(5).isEmpty());
}

TEST_F(ProbesTest, ThePlotOverFramesIsLinkedBothWays) {
  add(at_atom(0));
  add(at_atom(3));
  ASSERT_TRUE(ready());
  panel_->frames_button()->click();
  EXPECT_TRUE(panel_->busy());
  ASSERT_TRUE(wait_until([&] { return panel_->plot()->curves().size() == 2; }));
  for (int f = 0; f < frame_number; ++f)
    EXPECT_NEAR(panel_->plot()->curves()[0].y[static_cast<std::size_t>(f)], potential(f, glm::dvec3(0), {1, 2, 3}),
                5e-6);
  double sum = 0;
  for (int f = 0; f < frame_number; ++f) sum += potential(f, glm::dvec3(0), {1, 2, 3});
  panel_->choose(0);
  const QString mean = panel_->figures()->text().section(QStringLiteral("Mean over 12 frames "), 1);
  EXPECT_NEAR(mean.section(QLatin1Char(' '), 0, 0).toDouble(), sum / frame_number, 6e-4) << qPrintable(mean);
  EXPECT_TRUE(mean.endsWith(QStringLiteral("too few for a standard error"))) << qPrintable(mean);
  // A click goes to the frame; the frame that is shown is the cursor.
  Q_EMIT panel_->plot()->curve_clicked(0, 5);
  EXPECT_EQ(scene().frame, 5u);
  EXPECT_EQ(panel_->current(), 0);
  window_->controller().touch([](Scene& next) { next.frame = 9; });
  EXPECT_EQ(panel_->plot()->cursor(), 9.0);
  ASSERT_TRUE(ready());
  EXPECT_NEAR(listed(0, 2), potential(9, glm::dvec3(0), {1, 2, 3}), 5e-3);
  // The share of a residue as a curve of its own.
  Q_EMIT panel_->bars()->group_clicked(1);
  panel_->bars()->set_chosen(1);
  Q_EMIT panel_->bars()->group_clicked(1);
  ASSERT_EQ(panel_->plot()->curves().size(), 3u);
  EXPECT_EQ(panel_->plot()->curves()[2].name, QStringLiteral("A/ALA2"));
  EXPECT_NEAR(panel_->plot()->curves()[2].y[4], potential(4, glm::dvec3(0), {2}), 5e-6);
  window_->panels().raise("probes");
  ASSERT_TRUE(wait_for_picture());
  screenshot(QStringLiteral("probes"));
  // Another structure changes nothing.
  QFile other(temporary(QStringLiteral("other.xyz")));
  ASSERT_TRUE(other.open(QIODevice::WriteOnly));
  other.write("1\n\nC 0 20 0\n");
  other.close();
  ASSERT_TRUE(open({other.fileName()}));
  EXPECT_EQ(scene().molecules.size(), 2u);
  EXPECT_EQ(panel_->plot()->curves().size(), 3u);
  // Another method: what was plotted is no longer true.
  window_->controller().edit(QStringLiteral("Dielectric"), [](Scene& next) { next.probing.potential.dielectric = 4; });
  EXPECT_TRUE(panel_->plot()->curves().empty());
}

TEST_F(ProbesTest, TheTableIsTheOneOfTheCommandLine) {
  for (const std::uint32_t atom : {0u, 2u, 3u}) add(at_atom(atom));
  FieldProbe bond = at_atom(0);
  bond.kind = FieldProbe::Kind::bond;
  bond.second = 1;
  add(bond);
  FieldProbe residue = at_atom(1);
  residue.kind = FieldProbe::Kind::residue;
  add(residue);
  ASSERT_TRUE(ready());
  const QString own = temporary(QStringLiteral("window.csv")), other = temporary(QStringLiteral("program.csv"));
  QString said;
  QObject::connect(panel_, &ProbePanel::written, [&](const QString& path) { said = path; });
  panel_->write(own);
  ASSERT_TRUE(wait_until([&] { return said == own; }));
  QProcess program;
  program.start(QCoreApplication::applicationDirPath() + QStringLiteral("/isolume"),
                QStringList{QStringLiteral("compute"), QStringLiteral("probe")} + files_ +
                    QStringList{QStringLiteral("--atoms"), QStringLiteral("index 0 2 3"), QStringLiteral("--bonds"),
                                QStringLiteral("index 0 1"), QStringLiteral("--residues"), QStringLiteral("index 1"),
                                QStringLiteral("--gradient"), QStringLiteral("--out"), other});
  ASSERT_TRUE(program.waitForFinished(60000));
  ASSERT_EQ(program.exitCode(), 0) << program.readAllStandardError().constData();
  QFile a(own), b(other);
  ASSERT_TRUE(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
  const QByteArray text = a.readAll();
  EXPECT_EQ(text.count('\n'), 1 + frame_number * 5 * 4);
  EXPECT_EQ(text, b.readAll());
  expect_replayed(own);
}

TEST_F(ProbesTest, TheStructureHasTheColoursOfContributions) {
  add(at_atom(0));
  add(at_atom(3));
  panel_->choose(0);
  ASSERT_TRUE(ready());
  panel_->colour_button()->click();
  ASSERT_EQ(scene().representations[0].colouring, Colouring::probe);
  EXPECT_EQ(scene().representations[0].probe, 0u);
  ASSERT_TRUE(wait_for_picture());
  const auto& keys = window_->viewport().view()->keys;
  ASSERT_EQ(keys.size(), 1u);
  EXPECT_EQ(keys[0].title, "contribution at probe 1");
  EXPECT_EQ(keys[0].unit, "V");
  EXPECT_EQ(keys[0].lower, -keys[0].upper);
  window_->panels().raise("probes");
  ASSERT_TRUE(wait_for_picture());
  screenshot(QStringLiteral("probes-colours"));
  EXPECT_EQ(scene_from_json(scene_to_json(scene())).representations, scene().representations);
  // Without its probe the structure has usual colours again; the other probe's number is another one.
  panel_->remove_button()->click();
  ASSERT_EQ(scene().probes.size(), 1u);
  EXPECT_EQ(scene().representations[0].colouring, Colouring::element);
  window_->commands().undo->trigger();
  EXPECT_EQ(scene().representations[0].colouring, Colouring::probe);
  window_->controller().edit(QStringLiteral("Other"), [](Scene& next) { next.representations[0].probe = 1; });
  panel_->choose(0);
  panel_->remove_button()->click();
  EXPECT_EQ(scene().representations[0].probe, 0u) << "still that of atom 3";
}

TEST_F(ProbesTest, PoissonBoltzmannSaysHowGoodItIs) {
  add(at_atom(0));
  ASSERT_TRUE(ready());
  window_->controller().edit(QStringLiteral("Method"),
                             [](Scene& next) { next.probing.potential.method = PotentialMethod::pb; });
  ASSERT_TRUE(ready());
  EXPECT_TRUE(panel_->figures()->text().contains(QStringLiteral("sums of contributions are within")))
      << qPrintable(panel_->figures()->text());
  double sum = 0, largest = 0;
  for (const double value : panel_->bars()->values()) {
    sum += value;
    largest = std::max(largest, std::abs(value));
  }
  EXPECT_NEAR(listed(0, 2), sum, 0.02 * largest);
  // In water the charges at 5 and 6 A are screened.
  EXPECT_LT(std::abs(panel_->bars()->values()[1]), 0.5 * std::abs(potential(0, glm::dvec3(0), {2})));
}

TEST_F(ProbesTest, HierarchicalPartitioningReplacesFarChains) {
  EXPECT_TRUE(panel_->thresholds_box()->isHidden());
  panel_->method_box()->setCurrentIndex(static_cast<int>(PotentialMethod::hcp));
  Q_EMIT panel_->method_box()->activated(static_cast<int>(PotentialMethod::hcp));
  EXPECT_FALSE(panel_->thresholds_box()->isHidden());
  Q_EMIT panel_->charges_each_box()->activated(1);
  EXPECT_EQ(scene().probing.potential.hcp_charges, 2);
  Q_EMIT panel_->charges_each_box()->activated(0);
  Q_EMIT panel_->thresholds_box()->activated(1);
  EXPECT_EQ(scene().probing.potential.hcp_thresholds, "21/90");
  add(at_atom(3));
  ASSERT_TRUE(ready());
  EXPECT_NEAR(listed(0, 2), potential(0, {-5, 3, 0}, {0, 1, 2}), 6e-4) << "nothing is that far";
  window_->controller().edit(QStringLiteral("Thresholds"),
                             [](Scene& next) { next.probing.potential.hcp_thresholds = "5.5/6"; });
  EXPECT_EQ(panel_->thresholds_box()->currentText(), QStringLiteral("5.5/6"));
  // Chain A acts by its charge of 1 at its centre weighted by |q|: (0.5 * 1.5 + 6) / 2 along x, 1 / 2 along y.
  const double expected = units::coulomb_volt_angstrom / glm::distance(glm::dvec3(-5, 3, 0), glm::dvec3(3.375, 0.5, 0));
  ASSERT_TRUE(wait_until([&] { return panel_->up_to_date() && std::abs(listed(0, 2) - expected) < 6e-4; }))
      << listed(0, 2) << " for " << expected;
  double sum = 0;
  for (const double value : panel_->bars()->values()) sum += value;
  EXPECT_NEAR(sum, expected, 1e-5);
}

TEST_F(ProbesTest, SaysWhatCannotBe) {
  QString said;
  QObject::connect(panel_, &ProbePanel::failed, [&](const QString& text) { said = text; });
  window_->controller().edit(QStringLiteral("Method"), [](Scene& next) {
    next.probing.potential.method = PotentialMethod::pb;
    next.probing.potential.nonlinear = true;
  });
  EXPECT_TRUE(said.isEmpty()) << "there is nothing to compute";
  add(at_atom(0));
  ASSERT_TRUE(wait_until([&] { return !said.isEmpty(); }));
  EXPECT_TRUE(said.contains(QStringLiteral("the ions answer to all charges together"))) << qPrintable(said);
  EXPECT_EQ(panel_->figures()->text(), said);
  EXPECT_FALSE(panel_->frames_button()->isEnabled());
  window_->controller().edit(QStringLiteral("Method"),
                             [](Scene& next) { next.probing.potential.method = PotentialMethod::spme; });
  ASSERT_TRUE(wait_until([&] { return said.contains(QStringLiteral("no cell")); })) << qPrintable(said);
  // A molecule without charges.
  said.clear();
  window_->controller().reset({});
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  add(at_atom(0));
  ASSERT_TRUE(wait_until([&] { return !said.isEmpty(); }));
  EXPECT_TRUE(said.contains(QStringLiteral("charges"))) << qPrintable(said);
  window_->commands().undo->trigger();
  EXPECT_TRUE(panel_->figures()->text().isEmpty());
}

TEST_F(ProbesTest, AProteinWithoutChargesGetsThemByAKey) {
  window_->controller().reset({});
  ASSERT_TRUE(open({QString::fromStdString(data("../../resources/examples/crambin.pdb.gz"))}));
  add(at_atom(0));
  ASSERT_TRUE(wait_until([&] { return panel_->figures()->text().contains(QStringLiteral("Ctrl+E")); }));
  window_->commands().add_potential->trigger();
  ASSERT_TRUE(wait_until([&] { return panel_->figures()->text().contains(QStringLiteral("direct sum")); }))
      << qPrintable(panel_->figures()->text());
  EXPECT_EQ(window_->controller().scene().probes.size(), 1u);
}

TEST_F(ProbesTest, ComputesThisFrameOnlyWhileItIsSeen) {
  add(at_atom(0));
  ASSERT_TRUE(ready());
  window_->panels().dock("probes").hide();
  window_->controller().touch([](Scene& next) { next.frame = 6; });
  EXPECT_FALSE(panel_->busy());
  EXPECT_FALSE(panel_->up_to_date());
  window_->panels().raise("probes");
  ASSERT_TRUE(ready());
  EXPECT_NEAR(listed(0, 2), potential(6, glm::dvec3(0), {1, 2, 3}), 5e-3);
}

TEST_F(ProbesTest, EscStopsWhatGoesOverTheFrames) {
  add(at_atom(0));
  ASSERT_TRUE(ready());
  {
    HeldPool pool;
    panel_->frames_button()->click();
    EXPECT_TRUE(panel_->busy());
    window_->commands().cancel->trigger();
    EXPECT_FALSE(panel_->busy());
  }
  take_results();
  EXPECT_TRUE(panel_->plot()->curves().empty()) << "a result that nobody waits for is dropped";
  EXPECT_TRUE(panel_->frames_button()->isEnabled());
  panel_->frames_button()->click();
  ASSERT_TRUE(wait_until([&] { return !panel_->plot()->curves().empty(); })) << "and begins again";
}

TEST_F(ProbesTest, TheContextMenuOffersWhatIsThere) {
  PickId atom;
  atom.object = 1;
  atom.part = 0;
  QMenu menu;
  window_->probe_tool().add_entries(menu, atom, true);
  ASSERT_EQ(menu.actions().size(), 1);
  const QList<QAction*> entries = menu.actions().first()->menu()->actions();
  ASSERT_EQ(entries.size(), 3);
  EXPECT_EQ(entries[1]->text(), QStringLiteral("Residue A/LIG 1"));
  entries[2]->trigger();
  ASSERT_EQ(scene().probes.size(), 1u);
  EXPECT_EQ(scene().probes[0].kind, FieldProbe::Kind::bond);
  // A point of a surface, of the surface's molecule.
  Field surface;
  window_->controller().edit(QStringLiteral("Surface"), [&](Scene& next) { next.fields = {surface}; });
  PickId point;
  point.object = field_objects;
  point.placed = true;
  point.place = {1, 2, 3};
  QMenu other;
  window_->probe_tool().add_entries(other, point, false);
  ASSERT_EQ(other.actions().size(), 1);
  other.actions().first()->trigger();
  ASSERT_EQ(scene().probes.size(), 2u);
  EXPECT_EQ(scene().probes[1].position, glm::dvec3(1, 2, 3));
  ASSERT_TRUE(ready());
  EXPECT_NEAR(listed(1, 2), potential(0, {1, 2, 3}, {0, 1, 2, 3}), 5e-3);
  // By the tool, too: a click on a surface, not one on the background.
  point.place = {2, 2, 2};
  window_->probe_tool().pick(point, false, false);
  ASSERT_EQ(scene().probes.size(), 3u);
  EXPECT_EQ(scene().probes[2].kind, FieldProbe::Kind::point);
  point.object = 0;
  window_->probe_tool().pick(point, false, false);
  EXPECT_EQ(scene().probes.size(), 3u);
  QMenu nothing;
  window_->probe_tool().add_entries(nothing, {}, false);
  EXPECT_TRUE(nothing.isEmpty());
}

}  // namespace
}  // namespace isolume::test
