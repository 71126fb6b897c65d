// What the dialog that places ions asks for and shows.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/window/sampling/ion_dialog.h"
#include "app/window/widgets/panel_form.h"

namespace isolume {

void IonDialog::build() {
  work_ = new DialogWork(
      {tr("&Place ions"), tr("Place the ions, save the structure and show it. Undo shows the one before"),
       tr("Stop; nothing is written"), tr("Cancelled; nothing was written"),
       tr("Close; ions that are placed are kept")},
      this);
  auto* layout = new QVBoxLayout(this);
  auto* top = new QWidget;
  top->setAccessibleName(tr("Options of the ions"));
  form_ = make_form(top);
  form_->setContentsMargins(0, 0, 0, 0);
  molecule_ = make_box(tr("Molecule"), tr("Molecule around which ions are placed, in the frame shown"), {});
  salt_ = make_box(tr("Salt"), tr("The salt, by the formula of a positive and a negative ion"),
                   {QStringLiteral("NaCl"), QStringLiteral("KCl"), QStringLiteral("MgCl2"), QStringLiteral("CaCl2"),
                    QStringLiteral("NaBr"), QStringLiteral("LiCl")});
  salt_->setEditable(true);
  salt_->setInsertPolicy(QComboBox::NoInsert);
  salt_->lineEdit()->setAccessibleName(tr("Salt"));
  salt_->lineEdit()->setToolTip(salt_->toolTip());
  amount_ = make_box(tr("Amount"), tr("A concentration in the cell or the box, or how many of each ion"),
                     {tr("Concentration"), tr("Numbers")});
  concentration_ = make_number(tr("Concentration"), tr("Of the salt; 0 with Neutralise for counter-ions alone"), 0, 20,
                               3, QStringLiteral("mol/l"));
  concentration_->setValue(0.15);
  numbers_ = new QLineEdit;
  numbers_->setAccessibleName(tr("Numbers of ions"));
  numbers_->setToolTip(tr("Ions and their numbers, such as NA:10,CL:12"));
  numbers_->setPlaceholderText(QStringLiteral("NA:10,CL:12"));
  neutral_ = new QCheckBox(tr("Ne&utralise"));
  neutral_->setAccessibleName(tr("Neutralise"));
  neutral_->setToolTip(tr("Add the fewest ions of the salt that make the total charge 0"));
  neutral_->setChecked(true);
  order_ = make_box(tr("Order"), tr("Kinds in turn, or counter-ions for the molecule's charge first"),
                    {tr("In turn"), tr("Neutralise first")});
  sites_ = make_box(tr("Sites"), tr("Points of a lattice around the molecule, or the oxygens of its waters"),
                    {tr("Lattice"), tr("Places of waters")});
  const QString angstrom = QStringLiteral("\u00c5");
  distance_ = make_number(tr("From the molecule"), tr("Least distance from all atoms"), 0, 1000, 1, angstrom);
  distance_->setValue(5);
  ion_distance_ = make_number(tr("Between ions"), tr("Least distance between ions"), 0, 1000, 1, angstrom);
  ion_distance_->setValue(5);
  spacing_ = make_number(tr("Spacing"), tr("Distance between the points of the lattice"), 0.1, 20, 2, angstrom);
  spacing_->setValue(1);
  dielectric_ = make_number(tr("Dielectric"), tr("Relative permittivity of all space"), 1, 1000, 1, {});
  dielectric_->setValue(80);
  file_ = new QLineEdit;
  file_->setAccessibleName(tr("Save as"));
  file_->setToolTip(tr("The structure with its ions: pqr, pdb or gro. PQR keeps the charges"));
  auto* browse = work_->make_browse(tr("Save structure"), tr("Structures (*.pqr *.pdb *.gro)"), file_);
  add_row(form_, tr("&Molecule"), molecule_);
  add_row(form_, tr("Sal&t"), salt_);
  add_row(form_, tr("&Amount"), amount_);
  add_row(form_, tr("&Concentration"), concentration_);
  add_row(form_, tr("Num&bers"), numbers_);
  add_row(form_, QString(), neutral_);
  add_row(form_, tr("O&rder"), order_);
  add_row(form_, tr("S&ites"), sites_);
  add_row(form_, tr("Spaci&ng"), spacing_);
  add_row(form_, tr("&From the molecule"), distance_);
  add_row(form_, tr("Bet&ween ions"), ion_distance_);
  add_row(form_, tr("&Dielectric"), dielectric_);
  add_row(form_, tr("Save a&s"), file_);
  add_row(form_, QString(), browse);
  layout->addWidget(top);
  work_->add_progress(layout);
  ions_ = new QTreeWidget;
  ions_->setAccessibleName(tr("Ions"));
  ions_->setToolTip(
      tr("The ions in the order in which they were placed. The energy is that in the potential of the molecule and of "
         "the ions before; next: how much higher that of the next site was. Select one to centre it"));
  ions_->setHeaderLabels({tr("Number"), tr("Ion"), tr("Energy (kcal/mol)"), tr("Next (kcal/mol)"), tr("x (\u00c5)"),
                          tr("y (\u00c5)"), tr("z (\u00c5)")});
  ions_->header()->setAccessibleName(tr("Column headers"));
  ions_->setRootIsDecorated(false);
  ions_->setUniformRowHeights(true);
  ions_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  ions_->hide();
  layout->addWidget(ions_, 20);
  layout->addStretch(1);
  work_->add_buttons(layout);
}

}  // namespace isolume
