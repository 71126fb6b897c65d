// The charge sets of a molecule in the window: listed with totals, switched, undone, kept in the scene, compared.
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTableWidget>
#include <QTest>
#include <QTextStream>
#include <QTreeWidget>

#include "app/scene/scene_json.h"
#include "app/window/dialogs/compare_dialog.h"
#include "app/window/panels/charge_set_list.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/molecule_panel.h"
#include "app/window/panels/potential_rows.h"
#include "app/window/shell/panels.h"
#include "tests/app/window/fixture.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

class ChargeSetTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    const QString path = temporary(QStringLiteral("peptide.pdb"));
    write_peptide(path);
    ASSERT_TRUE(open({path}));
    window_->panels().raise("molecules");
    list_ = window_->molecules().charge_sets();
    // Totals are found when the list is seen.
    for (QWidget* parent = list_->parentWidget(); parent; parent = parent->parentWidget())
      if (auto* scroll = qobject_cast<QScrollArea*>(parent)) scroll->ensureWidgetVisible(list_);
    ASSERT_TRUE(wait_until([&] { return list_->isVisible() && full(); }));
  }
  /// Every row has its total.
  bool full() const {
    for (int row = 0; row < list_->topLevelItemCount(); ++row)
      if (list_->topLevelItem(row)->text(1).isEmpty()) return false;
    return list_->topLevelItemCount() > 0;
  }
  int row_of(const QString& title) const {
    for (int row = 0; row < list_->topLevelItemCount(); ++row)
      if (list_->topLevelItem(row)->text(0).endsWith(title)) return row;
    return -1;
  }
  bool in_use(const QString& title) const {
    const int row = row_of(title);
    return row >= 0 && list_->topLevelItem(row)->text(0).startsWith(QChar(0x25cf));
  }
  const Scene& scene() { return window_->controller().scene(); }
  double charge() {
    const auto molecule = window_->controller().molecule(0);
    double sum = 0;
    for (const Atom& atom : molecule->topology->atoms) sum += double(atom.charge);
    return sum;
  }
  /// Alanine and glycine, without hydrogens, and a sodium ion.
  static void write_peptide(const QString& path) {
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    QTextStream(&file) << R"(ATOM      1  N   ALA A   1      -0.966   0.493   1.500  1.00  0.00           N
ATOM      2  CA  ALA A   1       0.257   0.418   0.692  1.00  0.00           C
ATOM      3  C   ALA A   1      -0.094   0.017  -0.716  1.00  0.00           C
ATOM      4  O   ALA A   1      -1.056  -0.682  -0.923  1.00  0.00           O
ATOM      5  CB  ALA A   1       1.204  -0.620   1.296  1.00  0.00           C
ATOM      6  N   GLY A   2       0.661   0.439  -1.742  1.00  0.00           N
ATOM      7  CA  GLY A   2       0.321   0.050  -3.108  1.00  0.00           C
ATOM      8  C   GLY A   2       1.428   0.420  -4.072  1.00  0.00           C
ATOM      9  O   GLY A   2       2.520   0.864  -3.701  1.00  0.00           O
HETATM   10 NA    NA A 101       6.000   6.000   2.000  1.00  0.00          NA
END
)";
  }
  ChargeSetList* list_ = nullptr;
};

TEST_F(ChargeSetTest, AreListedSwitchedAndUndone) {
  EXPECT_TRUE(in_use(QStringLiteral("None (as in the file)")));
  for (const char* title : {"AMBER ff14SB", "CHARMM36", "PARSE"}) {
    const int row = row_of(QString::fromLatin1(title));
    ASSERT_GE(row, 0) << title;
    EXPECT_EQ(list_->topLevelItem(row)->text(1), QStringLiteral("+1.000 e")) << title;
    EXPECT_EQ(list_->topLevelItem(row)->text(2), QStringLiteral("0")) << title;
  }
  screenshot(QStringLiteral("charge_sets"));
  const Scene before = scene();
  const QRect row = list_->visualItemRect(list_->topLevelItem(row_of(QStringLiteral("PARSE"))));
  QTest::mouseClick(list_->viewport(), Qt::LeftButton, Qt::NoModifier, row.center());
  ASSERT_TRUE(wait_until([&] { return in_use(QStringLiteral("PARSE")); }));
  EXPECT_EQ(scene().molecules[0].templates, (std::vector<std::string>{"tables:parse"}));
  ASSERT_TRUE(wait_for_picture());
  EXPECT_NEAR(charge(), 1, 1e-4);
  // By its name in the menus, the palette and the console.
  window_->run_command(QStringLiteral("action charges_charmm"));
  ASSERT_TRUE(wait_until([&] { return in_use(QStringLiteral("CHARMM36")); }));
  EXPECT_EQ(scene_from_json(scene_to_json(scene())).molecules[0].templates,
            (std::vector<std::string>{"tables:charmm"}));
  window_->controller().undo();
  EXPECT_TRUE(in_use(QStringLiteral("PARSE")));
  window_->controller().undo();
  EXPECT_EQ(scene().molecules, before.molecules);
  EXPECT_EQ(scene().representations, before.representations);
  EXPECT_TRUE(in_use(QStringLiteral("None (as in the file)")));
}

TEST_F(ChargeSetTest, MayComeFromAnotherFile) {
  // The same residues with charges and hydrogens: twice those of the sodium ion.
  const QString path = temporary(QStringLiteral("ion.pqr"));
  {
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    QTextStream(&file) << "ATOM 1 O HOH A 1 0.000 0.000 0.000 -0.80 1.70\n"
                          "ATOM 2 H1 HOH A 1 0.957 0.000 0.000 0.40 1.00\n"
                          "ATOM 3 H2 HOH A 1 -0.240 0.927 0.000 0.40 1.00\n"
                          "ATOM 4 NA NA A 2 9.000 0.000 0.000 0.75 1.80\nEND\n";
  }
  list_->add_file(path);
  ASSERT_TRUE(wait_until([&] { return in_use(QStringLiteral("ion.pqr")); }));
  ASSERT_TRUE(wait_until([&] { return window_->controller().molecule(0) != nullptr && charge() > 0; }));
  EXPECT_NEAR(charge(), 0.75, 1e-5);
  // Another set is used, and this one stays in the list.
  window_->run_command(QStringLiteral("action charges_amber"));
  ASSERT_TRUE(wait_until([&] { return in_use(QStringLiteral("AMBER ff14SB")); }));
  EXPECT_GE(row_of(QStringLiteral("ion.pqr")), 0);
}

TEST_F(ChargeSetTest, TwoAreComparedSideBySide) {
  window_->run_command(QStringLiteral("action charges_amber"));
  ASSERT_TRUE(wait_until([&] { return in_use(QStringLiteral("AMBER ff14SB")); }));
  window_->panels().raise("fields");
  window_->field_panel().add(Field::Kind::potential);
  ASSERT_TRUE(wait_for_picture());
  Q_EMIT window_->field_panel().potential()->compare_asked();
  auto* dialog = window_->findChild<CompareDialog*>();
  ASSERT_NE(dialog, nullptr);
  ASSERT_TRUE(dialog->charges_box(0)->isVisible());
  EXPECT_EQ(dialog->charges_box(0)->currentText(), QStringLiteral("AMBER ff14SB"));
  dialog->charges_box(1)->setCurrentText(QStringLiteral("PARSE"));
  ASSERT_EQ(dialog->charges_box(1)->currentText(), QStringLiteral("PARSE"));
  for (const int side : {0, 1})
    dialog->method_box(side)->setCurrentIndex(static_cast<int>(PotentialSettings::Method::direct));
  dialog->shown_box()->setCurrentIndex(static_cast<int>(CompareDialog::Shown::layer));
  QTest::mouseClick(dialog->compute_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !dialog->running() && dialog->result() != nullptr; }))
      << dialog->message()->text().toStdString();
  // The same sum of other charges: the difference is theirs.
  const PotentialComparison& result = *dialog->result();
  EXPECT_GT(result.differences[1].rms, 1e-3);
  EXPECT_LT(result.sides[0].error.relative, 1e-5);
  EXPECT_LT(result.sides[1].error.relative, 1e-5);
  EXPECT_EQ(dialog->table()->verticalHeaderItem(1)->text(), QStringLiteral("Second: PARSE"));
  screenshot(QStringLiteral("charges_compared"));
  dialog->close();
}

}  // namespace
}  // namespace isolume::test
