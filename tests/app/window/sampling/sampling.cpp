// Ligand maps and ions in the window.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTest>
#include <QTreeWidget>
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/window/panels/field_panel.h"
#include "app/window/sampling/ion_dialog.h"
#include "app/window/sampling/ligand_map_dialog.h"
#include "app/window/widgets/selection_edit.h"
#include "app/window/widgets/value_slider.h"
#include "compute/sampling/probe_field.h"
#include "molecule/base/units.h"
#include "tests/app/window/fixture.h"
#include "tests/app/window/held_pool.h"

namespace isolume::test {
namespace {

class SamplingTest : public WindowTest {
 protected:
  const Scene& scene() { return window_->controller().scene(); }
  QString write(const QString& name, const QByteArray& text) {
    QFile file(temporary(name));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
    return file.fileName();
  }
  template <class Dialog>
  Dialog* dialog_of(const char* action) {
    window_->run_command(QStringLiteral("action %1").arg(QLatin1String(action)));
    EXPECT_TRUE(wait_until([&] { return window_->findChild<Dialog*>() != nullptr; }));
    return window_->findChild<Dialog*>();
  }
  template <class Dialog>
  void make(Dialog* dialog, const QString& name) {
    dialog->file_edit()->setText(temporary(name));
    QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
    ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  }
  std::shared_ptr<const Volume> volume(std::size_t molecule) {
    const auto loaded = window_->controller().molecule(molecule);
    return loaded && !loaded->volumes.empty() ? loaded->volumes[0] : nullptr;
  }
};

/// Lennard-Jones of argon (the built-in table's) and a site of sigma 3 and epsilon 0.2, kcal/mol.
double energy(double r) {
  const double sigma = 0.5 * (3.0 + 3.401), epsilon = std::sqrt(0.2 * 0.978638 / units::calorie_in_joule);
  return 4 * epsilon * (std::pow(sigma / r, 12) - std::pow(sigma / r, 6));
}

TEST_F(SamplingTest, ALigandMapIsTheMeanOverFramesWithItsError) {
  // In one of three frames the second argon is near.
  QByteArray text;
  for (const int z : {8, 40, 40}) text += QStringLiteral("2\nargon\nAr 0 0 0\nAr 0 0 %1\n").arg(z).toUtf8();
  ASSERT_TRUE(open({write(QStringLiteral("argon.xyz"), text)}));
  auto* dialog = dialog_of<LigandMapDialog>("ligand_map");
  ASSERT_NE(dialog, nullptr);
  EXPECT_TRUE(dialog->rotations_box()->isHidden()) << "xenon has one site";
  dialog->probe_box()->setCurrentText(QStringLiteral("O2"));
  EXPECT_FALSE(dialog->rotations_box()->isHidden());
  EXPECT_TRUE(dialog->sigma_box()->isHidden());
  dialog->probe_box()->setCurrentIndex(dialog->probe_box()->count() - 1);
  EXPECT_FALSE(dialog->sigma_box()->isHidden());
  dialog->sigma_box()->setValue(3);
  dialog->epsilon_box()->setValue(0.2);
  dialog->around()->set_text(QStringLiteral("index 0"));
  dialog->padding_box()->setValue(5);
  make(dialog, QStringLiteral("probe.dx"));
  ASSERT_EQ(scene().molecules.size(), 3u) << dialog->message()->text().toStdString();
  const auto map = volume(1), effective = volume(2);
  ASSERT_TRUE(map && effective);
  const double kt = probe_kt(300);
  for (const glm::dvec3 at : {glm::dvec3(0, 0, 4), glm::dvec3(4, 0, 0), glm::dvec3(0, 3, 3)}) {
    double sum = 0, squares = 0;
    for (const double z : {8.0, 40.0, 40.0}) {
      double e = energy(glm::length(at));
      if (glm::length(at - glm::dvec3(0, 0, z)) < 10) e += energy(glm::length(at - glm::dvec3(0, 0, z)));
      const double w = std::exp(-e / kt);
      sum += w;
      squares += w * w;
    }
    EXPECT_NEAR(static_cast<double>(interpolate(*map, at)), -kt * std::log(sum / 3), 2e-4) << at.x << " " << at.z;
    EXPECT_NEAR(static_cast<double>(interpolate(*effective, at)), sum * sum / squares, 1e-3) << at.x << " " << at.z;
  }
  EXPECT_TRUE(QFile::exists(temporary(QStringLiteral("probe_error.dx"))));
  ASSERT_EQ(scene().fields.size(), 1u);
  const Field& field = scene().fields[0];
  EXPECT_EQ(field.kind, Field::Kind::volume);
  EXPECT_LT(field.isovalue, 0);
  EXPECT_FALSE(field.both_signs);
  EXPECT_EQ(field.paint, Field::Paint::map);
  EXPECT_EQ(field.map_molecule, 2u);
  // The panel shows the level, which is below 0, and its slider keeps the sign.
  FieldPanel& panel = window_->field_panel();
  panel.select(0);
  const double level = field.isovalue;
  EXPECT_NEAR(panel.isovalue()->value(), level, 1e-5);
  panel.isovalue()->slider()->setValue(panel.isovalue()->slider()->value() - 50);
  EXPECT_LT(scene().fields[0].isovalue, 2 * level);
  window_->controller().undo();
  EXPECT_EQ(scene().fields[0].isovalue, level);
  // Minima: the lowest first, and the first comes into the middle of the picture.
  QTreeWidget* minima = dialog->minima();
  ASSERT_GE(minima->topLevelItemCount(), 2);
  double before = -1e9;
  for (int i = 0; i < minima->topLevelItemCount(); ++i) {
    const double value = minima->topLevelItem(i)->text(1).toDouble();
    EXPECT_GE(value, before);
    before = value;
  }
  EXPECT_GE(level, minima->topLevelItem(0)->text(1).toDouble());
  ASSERT_TRUE(wait_for_picture());
  minima->setCurrentItem(minima->topLevelItem(0));
  EXPECT_NEAR(scene().camera.centre.z, minima->topLevelItem(0)->text(7).toDouble(), 0.01);
  ASSERT_TRUE(wait_for_picture());
  screenshot(QStringLiteral("ligand-map"));
  window_->commands().undo->trigger();
  EXPECT_EQ(scene().molecules.size(), 1u);
  EXPECT_TRUE(QFile::exists(temporary(QStringLiteral("probe.dx"))));
  // In the frame shown: the energy itself, without maps of its error.
  dialog->frames_box()->setCurrentIndex(1);
  make(dialog, QStringLiteral("shown.dx"));
  ASSERT_EQ(scene().molecules.size(), 2u) << dialog->message()->text().toStdString();
  EXPECT_NEAR(static_cast<double>(interpolate(*volume(1), {0, 0, 4})), 2 * energy(4), 2e-4);
  EXPECT_FALSE(QFile::exists(temporary(QStringLiteral("shown_error.dx"))));
}

TEST_F(SamplingTest, IonsTakeTheBestPlaces) {
  ASSERT_TRUE(open({write(QStringLiteral("charge.pqr"), "ATOM 1 C1 LIG A 1 0.0 0.0 0.0 2.0 1.5\n")}));
  auto* dialog = dialog_of<IonDialog>("ionize");
  ASSERT_NE(dialog, nullptr);
  EXPECT_TRUE(dialog->numbers_edit()->isHidden());
  dialog->amount_box()->setCurrentIndex(1);
  EXPECT_TRUE(dialog->concentration_box()->isHidden());
  make(dialog, QStringLiteral("ions.pqr"));  // without numbers: those that make it neutral
  ASSERT_EQ(scene().molecules.size(), 2u) << dialog->message()->text().toStdString();
  EXPECT_FALSE(scene().molecules[0].visible);
  EXPECT_TRUE(scene().molecules[1].visible);
  QTreeWidget* ions = dialog->ions();
  ASSERT_EQ(ions->topLevelItemCount(), 2);
  // Chlorides 5 angstrom away: of equal sites that of the lowest x; the second one opposite.
  const double unit = 332.0637;  // kcal/mol angstrom / e^2
  for (int n = 0; n < 2; ++n) {
    EXPECT_EQ(ions->topLevelItem(n)->text(1), QStringLiteral("CL"));
    EXPECT_NEAR(ions->topLevelItem(n)->text(4).toDouble(), n == 0 ? -5 : 5, 1e-9);
    EXPECT_NEAR(ions->topLevelItem(n)->text(2).toDouble(), unit / 80 * (-2.0 / 5 + (n == 1 ? 1.0 / 10 : 0)), 1e-3);
  }
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("total charge 0 e, before 2 e")))
      << dialog->message()->text().toStdString();
  const auto made = window_->controller().molecule(1);
  ASSERT_EQ(made->topology->atoms.size(), 3u);
  EXPECT_EQ(made->topology->residue_of(2).name, "CL");
  EXPECT_TRUE(made->topology->has_charges);
  ASSERT_TRUE(wait_for_picture());
  ions->setCurrentItem(ions->topLevelItem(1));
  EXPECT_NEAR(scene().camera.centre.x, 5, 0.01);
  ASSERT_TRUE(wait_for_picture());
  screenshot(QStringLiteral("ions"));
  window_->commands().undo->trigger();
  EXPECT_EQ(scene().molecules.size(), 1u);
  EXPECT_TRUE(scene().molecules[0].visible);
}

TEST_F(SamplingTest, IonsThatCannotBePlacedAreRefusedBeforeWork) {
  ASSERT_TRUE(open({write(QStringLiteral("charge.pqr"), "ATOM 1 C1 LIG A 1 0.0 0.0 0.0 1.0 1.5\n")}));
  auto* dialog = dialog_of<IonDialog>("ionize");
  ASSERT_NE(dialog, nullptr);
  const auto says = [&](const char* text) {
    make(dialog, QStringLiteral("no.pqr"));
    EXPECT_TRUE(dialog->message()->text().contains(QLatin1String(text))) << dialog->message()->text().toStdString();
    EXPECT_FALSE(QFile::exists(temporary(QStringLiteral("no.pqr"))));
    EXPECT_EQ(scene().molecules.size(), 1u);
  };
  dialog->salt_box()->setCurrentText(QStringLiteral("NaCl3"));
  says("not a known salt");
  dialog->salt_box()->setCurrentText(QStringLiteral("NaCl"));
  dialog->sites_box()->setCurrentIndex(1);
  says("the file has no waters");
  dialog->sites_box()->setCurrentIndex(0);
  dialog->distance_box()->setValue(300);
  says("do not fit");
  dialog->distance_box()->setValue(5);
  dialog->ion_distance_box()->setValue(300);
  dialog->amount_box()->setCurrentIndex(1);
  dialog->numbers_edit()->setText(QStringLiteral("NA:2"));
  says("ions do not fit: no more than 1 of the ");
  dialog->ion_distance_box()->setValue(5);
  dialog->amount_box()->setCurrentIndex(1);
  dialog->numbers_edit()->setText(QStringLiteral("UO:3"));
  says("not a known ion");
  dialog->neutral_box()->setChecked(false);
  dialog->numbers_edit()->setText({});
  says("Enter numbers of ions");
  // A structure without charges.
  dialog->numbers_edit()->setText(QStringLiteral("NA:1"));
  ASSERT_TRUE(open({write(QStringLiteral("bare.xyz"), "1\nneon\nNe 0 0 0\n")}));
  dialog->molecule_box()->setCurrentIndex(1);
  dialog->file_edit()->setText(temporary(QStringLiteral("no.pqr")));
  QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("charges"))) << dialog->message()->text().toStdString();
}

TEST_F(SamplingTest, ALigandMapSaysWhatCannotBeAndStops) {
  ASSERT_TRUE(open({write(QStringLiteral("metal.xyz"), "2\nuranium\nU 0 0 0\nU 3 0 0\n")}));
  auto* dialog = dialog_of<LigandMapDialog>("ligand_map");
  ASSERT_NE(dialog, nullptr);
  const auto says = [&](const char* text) {
    make(dialog, QStringLiteral("no.dx"));
    EXPECT_TRUE(dialog->message()->text().contains(QLatin1String(text))) << dialog->message()->text().toStdString();
    EXPECT_FALSE(QFile::exists(temporary(QStringLiteral("no.dx"))));
    EXPECT_EQ(scene().molecules.size(), 1u);
  };
  says("no Lennard-Jones parameters");
  dialog->probe_box()->setCurrentText(QStringLiteral("H3O"));
  says("known are Ar");
  dialog->probe_box()->setCurrentText(write(QStringLiteral("pairs.csv"), "kind,A,B,C\nC,83630,3.60,568\n"));
  EXPECT_TRUE(dialog->rotations_box()->isHidden());
  says("no parameters for atom 1");
  dialog->atoms()->set_text(QStringLiteral("name NONE"));
  says("NONE");
  dialog->atoms()->set_text(QStringLiteral("all"));
  // Buckingham's law from a table, in the frame shown.
  dialog->probe_box()->setCurrentText(write(QStringLiteral("all.csv"), "*,83630,3.60,568\n"));
  make(dialog, QStringLiteral("law.dx"));
  ASSERT_EQ(scene().molecules.size(), 2u) << dialog->message()->text().toStdString();
  const auto law = [](double r) { return 83630 * std::exp(-3.60 * r) - 568 / std::pow(r, 6); };
  EXPECT_NEAR(static_cast<double>(interpolate(*volume(1), {6, 0, 0})), law(6) + law(3), 1e-4);
  window_->commands().undo->trigger();
  {
    HeldPool pool;
    dialog->file_edit()->setText(temporary(QStringLiteral("no.dx")));
    QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
    EXPECT_TRUE(dialog->running());
    QTest::mouseClick(dialog->cancel_button(), Qt::LeftButton);
    EXPECT_FALSE(dialog->running());
  }
  take_results();
  EXPECT_EQ(scene().molecules.size(), 1u);
  EXPECT_FALSE(QFile::exists(temporary(QStringLiteral("no.dx"))));
}

TEST_F(SamplingTest, DialogsBeginWithAMoleculeThatHasAtomsAndBrowseForFiles) {
  ASSERT_TRUE(open({write(QStringLiteral("map.dx"),
                          "object 1 class gridpositions counts 2 2 2\norigin 0 0 0\ndelta 1 0 0\ndelta 0 1 0\n"
                          "delta 0 0 1\nobject 2 class gridconnections counts 2 2 2\n"
                          "object 3 class array type double rank 0 items 8 data follows\n1 2 3\n4 5 6\n7 8\n")}));
  ASSERT_TRUE(open({write(QStringLiteral("charge.pqr"), "ATOM 1 C1 LIG A 1 0.0 0.0 0.0 2.0 1.5\n")}));
  ASSERT_EQ(scene().molecules.size(), 2u);
  auto* probe = dialog_of<LigandMapDialog>("ligand_map");
  ASSERT_NE(probe, nullptr);
  EXPECT_TRUE(probe->make_button()->isEnabled());
  probe->close();
  auto* dialog = dialog_of<IonDialog>("ionize");
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->molecule_box()->currentIndex(), 1);
  EXPECT_TRUE(dialog->make_button()->isDefault());
  // Tab goes from the options to the buttons.
  int place = 0, options = 0, buttons = 0;
  for (QWidget* w = dialog->nextInFocusChain(); w != dialog; w = w->nextInFocusChain(), ++place) {
    if (w == dialog->file_edit()) options = place;
    if (w == dialog->make_button()) buttons = place;
  }
  EXPECT_LT(options, buttons);
  // A file that is chosen in the file dialog is not asked for once more.
  const QString chosen = write(QStringLiteral("there.pqr"), "x");
  for (auto* button : dialog->findChildren<QPushButton*>())
    if (button->accessibleName() == QStringLiteral("Browse")) QTest::mouseClick(button, Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return dialog->findChild<QFileDialog*>() != nullptr; }));
  auto* files = dialog->findChild<QFileDialog*>();
  EXPECT_EQ(files->windowTitle(), QStringLiteral("Save structure"));
  Q_EMIT files->fileSelected(chosen);
  files->close();
  EXPECT_EQ(dialog->file_edit()->text(), chosen);
  dialog->amount_box()->setCurrentIndex(1);
  QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  EXPECT_EQ(scene().molecules.size(), 3u) << dialog->message()->text().toStdString();
}

}  // namespace
}  // namespace isolume::test
