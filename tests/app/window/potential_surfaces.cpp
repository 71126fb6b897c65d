// Surfaces painted by the potential or by a map, and the key for them.
#include <QFile>

#include <algorithm>

#include "app/window/panels/field_panel.h"
#include "app/window/panels/potential_rows.h"
#include "app/window/shell/message_bar.h"
#include "app/window/viewport/legend_overlay.h"
#include "fixture.h"
#include "formats/write/write.h"
#include "tests/app/window/potential_test.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

TEST_F(WindowTest, ASurfaceIsPaintedByThePotentialAndUnpainted) {
  raise_fields(*window_);
  ASSERT_TRUE(open({write_salt_pqr(2)}));
  FieldPanel& panel = window_->field_panel();
  panel.add(Field::Kind::gaussian);
  ASSERT_TRUE(wait_for_picture());
  const Image by_atoms = shot();
  PotentialRows* rows = panel.potential();
  EXPECT_TRUE(legends(*window_)->legends().empty());
  EXPECT_TRUE(rows->method_box()->isHidden());
  choose(rows->paint_box(), 1);
  ASSERT_TRUE(wait_for_picture());
  ASSERT_EQ(legends(*window_)->legends().size(), 1u);
  EXPECT_FALSE(legends(*window_)->legends()[0].isosurfaces);
  EXPECT_GT(compare(by_atoms, shot()).mean, 0.001);
  rows->range_box()->setValue(3);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_NEAR(legends(*window_)->legends()[0].upper, 3, 1e-9);
  EXPECT_NEAR(window_->controller().scene().fields[0].paint_range, 3, 1e-9);
  while (window_->controller().can_undo()) window_->controller().undo();
  ASSERT_TRUE(wait_for_picture());
  EXPECT_TRUE(legends(*window_)->legends().empty());
}

TEST_F(WindowTest, PoissonBoltzmannIsAMethodOfSurfaces) {
  raise_fields(*window_);
  ASSERT_TRUE(open({write_salt_pqr(2)}));
  FieldPanel& panel = window_->field_panel();
  panel.add(Field::Kind::gaussian);
  PotentialRows* rows = panel.potential();
  choose(rows->paint_box(), 1);
  ASSERT_TRUE(wait_for_picture());
  const int pb = rows->method_box()->findText(QStringLiteral("Poisson-Boltzmann"), Qt::MatchStartsWith);
  ASSERT_EQ(pb, static_cast<int>(PotentialMethod::pb));
  choose(rows->method_box(), pb);
  ASSERT_TRUE(wait_for_picture());
  const auto legend = [this] { return legends(*window_)->legends().at(0); };
  EXPECT_TRUE(wait_until([&] { return legend().method.find("Poisson-Boltzmann") != std::string::npos; }))
      << legend().method;
  EXPECT_EQ(legend().unit, "kT/e");
  EXPECT_EQ(legend().upper, 5);
  EXPECT_EQ(legend().lower, -5);
  EXPECT_GT(legend().error_points, 0u);
  EXPECT_TRUE(legend().error_estimated) << "there is no exact potential to measure it by";
  EXPECT_TRUE(rows->error_text()->text().startsWith(QStringLiteral("estimated")))
      << rows->error_text()->text().toStdString();
  choose(rows->target_box(), 2);
  EXPECT_EQ(window_->controller().scene().fields[0].potential.target_error, 0.02);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(rows->target_box()->currentIndex(), 2);
  // The keys pass by the methods between.
  const auto method = [this] { return window_->controller().scene().fields[0].potential.method; };
  EXPECT_EQ(method(), PotentialMethod::pb);
  while (method() != PotentialMethod::automatic && window_->controller().can_undo()) window_->controller().undo();
  EXPECT_EQ(method(), PotentialMethod::automatic);
}

// What cannot be solved is said in the bar of messages and in the panel, and no surface is shown. Charges outside of
// the grid cannot be asked for here: the window's grids are around the atoms.
TEST_F(WindowTest, WhatPoissonBoltzmannCannotSolveIsSaid) {
  const auto atom = [](int number, const char* x, const char* charge, const char* radius) {
    return QStringLiteral("ATOM  %1  NA  ION A %1 %2 0.000 0.000 %3 %4\n").arg(number).arg(x, charge, radius);
  };
  const struct {
    const char* name;
    QString atoms;
    bool nonlinear;
    double spacing;
    const char* says;
  } cases[] = {
      {"high", atom(1, "0.000", "1e6", "2.0") + atom(2, "5.000", "-1e6", "2.0"), true, 1, "no convergence"},
      {"twice", atom(1, "0.000", "1.0", "2.0") + atom(2, "0.050", "1.0", "2.0"), false, 1, "atoms 1 and 2 overlap"},
      {"small", atom(1, "0.000", "1.0", "0.3") + atom(2, "8.000", "1.0", "0.3") + atom(3, "13.700", "1.0", "0.3"),
       false, 3, "are too long"},
      {"bare", atom(1, "0.000", "1.0", "2.0") + atom(2, "8.000", "1.0", "0.0"), false, 1, "every atom's radius"}};
  raise_fields(*window_);
  std::uint32_t number = 0;
  for (const auto& c : cases) {
    const QString path = temporary(QString::fromLatin1(c.name) + QStringLiteral(".pqr"));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(c.atoms.toLatin1());
    file.close();
    ASSERT_TRUE(open({path})) << c.name;
    window_->messages().clear();
    window_->controller().edit(QStringLiteral("Add surface"), [&](Scene& scene) {
      scene.fields.assign(1, {});
      scene.fields[0].kind = Field::Kind::solvent_excluded;
      scene.fields[0].molecule = number;
      scene.fields[0].both_signs = false;
      scene.fields[0].spacing = c.spacing;
      scene.fields[0].paint = Field::Paint::potential;
      scene.fields[0].potential.method = PotentialMethod::pb;
      scene.fields[0].potential.nonlinear = c.nonlinear;
    });
    ++number;
    EXPECT_TRUE(wait_until([&] { return window_->messages().message().contains(QLatin1String(c.says)); }))
        << c.name << ": " << window_->messages().message().toStdString();
    ASSERT_TRUE(wait_for_picture()) << c.name;
    EXPECT_TRUE(window_->fields().results().at(0).items.empty()) << c.name;
    EXPECT_TRUE(legends(*window_)->legends().empty()) << c.name;
  }
}

TEST_F(WindowTest, OneKeyShowsThePotentialOfAProteinAsPapersDo) {
  ASSERT_TRUE(open({QString::fromStdString(data("../../resources/examples/crambin_charges/crambin_charges.pqr.gz"))}));
  window_->commands().add_potential->trigger();
  ASSERT_EQ(window_->controller().scene().fields.size(), 1u);
  const auto field = [this] { return window_->controller().scene().fields[0]; };
  EXPECT_EQ(field().kind, Field::Kind::solvent_excluded);
  EXPECT_EQ(field().selection, "protein or nucleic");
  EXPECT_EQ(field().paint_range, 5);
  ASSERT_TRUE(wait_for_picture());
  ASSERT_EQ(legends(*window_)->legends().size(), 1u);
  EXPECT_EQ(legends(*window_)->legends()[0].unit, "kT/e");
  EXPECT_EQ(legends(*window_)->legends()[0].upper, 5);
  EXPECT_NE(legends(*window_)->legends()[0].method.find("Poisson-Boltzmann"), std::string::npos);
  EXPECT_EQ(field().paint_offset, 1.4);
  raise_fields(*window_);
  PotentialRows* rows = window_->field_panel().potential();
  EXPECT_TRUE(rows->error_text()->text().contains(QStringLiteral("over the map")));
  // Sums in vacuum are a choice, named so; the range of a screened potential is none of theirs.
  EXPECT_TRUE(rows->method_box()->itemText(1).contains(QStringLiteral("vacuum")));
  choose(rows->method_box(), 1);
  EXPECT_EQ(field().paint_range, 0);
  EXPECT_EQ(field().paint_offset, 0);
  EXPECT_EQ(field().potential.method, PotentialSettings::Method::direct);
  // The keys pass by the methods between.
  while (field().potential.method != PotentialSettings::Method::pb) window_->controller().undo();
  EXPECT_EQ(field().paint_range, 5);
  // 5 kT/e stays what it is in another unit.
  choose(rows->unit_box(), 0);
  EXPECT_NEAR(field().paint_range, 5 * 0.02569258, 1e-5);
}

TEST_F(WindowTest, WithoutChargesTheKeyForPotentialsSaysTheNextStep) {
  const QString path = temporary(QStringLiteral("neon.xyz"));
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("1\n\nNe 0 0 0\n");
  file.close();
  ASSERT_TRUE(open({path}));
  EXPECT_TRUE(window_->commands().add_potential->isEnabled());
  window_->commands().add_potential->trigger();
  EXPECT_TRUE(window_->controller().scene().fields.empty());
  const auto* bar = window_->findChild<MessageBar*>();
  ASSERT_TRUE(bar != nullptr);
  EXPECT_TRUE(bar->message().contains(QStringLiteral("PQR"))) << bar->message().toStdString();
}

TEST_F(WindowTest, ASurfaceIsColouredByAMapThatIsOpen) {
  Volume ramp;
  ramp.grid = {glm::dvec3(-10), glm::dmat3(1.0), glm::ivec3(21)};
  for (int i = 0; i < 21 * 21 * 21; ++i) ramp.values.push_back(static_cast<float>(i % 21 - 10));
  const QString map = temporary(QStringLiteral("ramp.dx"));
  write_volume(map.toStdString(), VolumeView(ramp.grid, ramp.values, "ramp", "kT/e"));
  raise_fields(*window_);
  ASSERT_TRUE(open({write_salt_pqr(2)}));
  FieldPanel& panel = window_->field_panel();
  panel.add(Field::Kind::gaussian);
  PotentialRows* rows = panel.potential();
  EXPECT_EQ(rows->paint_box()->findText(QStringLiteral("Map")), -1);
  ASSERT_TRUE(open({map}));
  panel.list()->setCurrentIndex(panel.list()->model()->index(0, 0));
  choose(rows->paint_box(), rows->paint_box()->findText(QStringLiteral("Map")));
  const Field field = window_->controller().scene().fields[0];
  EXPECT_EQ(field.paint, Field::Paint::map);
  EXPECT_EQ(field.map_molecule, 1u);
  ASSERT_TRUE(wait_for_picture());
  const auto shown = legends(*window_)->legends();
  const auto of_map =
      std::find_if(shown.begin(), shown.end(), [](const FieldLegend& legend) { return !legend.isosurfaces; });
  ASSERT_TRUE(of_map != shown.end());
  EXPECT_EQ(of_map->unit, "kT/e");
}

}  // namespace
}  // namespace isolume::test
