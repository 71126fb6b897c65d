// What the dialog of ligand maps asks for and shows.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/window/sampling/ligand_map_dialog.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"
#include "compute/sampling/probe.h"

namespace isolume {

void LigandMapDialog::build() {
  work_ = new DialogWork(
      {tr("Ca&lculate"), tr("Make the map, save it and show it. Undo removes it and keeps the file"),
       tr("Stop; nothing is written"), tr("Cancelled; nothing was written"), tr("Close; finished maps are kept")},
      this);
  auto* layout = new QVBoxLayout(this);
  auto* top = new QWidget;
  top->setAccessibleName(tr("Options of the map"));
  form_ = make_form(top);
  form_->setContentsMargins(0, 0, 0, 0);
  molecule_ = make_box(tr("Molecule"), tr("Molecule around whose atoms the probe is placed"), {});
  QStringList probes;
  for (const Probe& probe : built_in_probes()) probes += QString::fromStdString(probe.name);
  probes += tr("One site of your own");
  probe_ = make_box(tr("Probe"),
                    tr("The small molecule. Or the path of a file with one, or of a table of Buckingham's law (csv)"),
                    probes);
  probe_->setEditable(true);
  probe_->setInsertPolicy(QComboBox::NoInsert);
  probe_->lineEdit()->setAccessibleName(tr("Probe"));
  probe_->lineEdit()->setToolTip(probe_->toolTip());
  probe_->setCurrentText(QStringLiteral("Xe"));
  const QString angstrom = QStringLiteral("\u00c5");
  sigma_ = make_number(tr("Sigma"), tr("Lennard-Jones sigma of the site"), 0.1, 20, 3, angstrom);
  sigma_->setValue(3.4);
  epsilon_ =
      make_number(tr("Epsilon"), tr("Lennard-Jones epsilon of the site"), 0.0001, 100, 4, QStringLiteral("kcal/mol"));
  epsilon_->setValue(0.1);
  mixing_ = make_box(tr("Mixing"), tr("Sigma of a pair: the mean, or the root of the product as in OPLS"),
                     {tr("Lorentz-Berthelot"), tr("Geometric")});
  atoms_ = new SelectionEdit;
  atoms_->line()->setAccessibleName(tr("Atoms"));
  atoms_->line()->setToolTip(tr("Atoms that the probe meets; without water the probe may be where water is"));
  atoms_->set_text(QStringLiteral("all"));
  around_ = new SelectionEdit;
  around_->line()->setAccessibleName(tr("Around"));
  around_->line()->setToolTip(tr("Atoms that the map surrounds"));
  around_->set_optional(tr("protein or nucleic"));
  align_ = new SelectionEdit;
  align_->line()->setAccessibleName(tr("Superpose by"));
  align_->line()->setToolTip(tr("Atoms by which each frame is superposed on the first one"));
  align_->set_optional(tr("frames as they are"));
  frames_ = make_box(tr("Frames"), tr("The free energy over the frames, or that in the frame shown"),
                     {tr("All frames"), tr("The frame shown")});
  step_ = new QSpinBox;
  step_->setAccessibleName(tr("Every"));
  step_->setToolTip(tr("Take every n-th frame"));
  step_->setRange(1, 1'000'000);
  rotations_ = new QSpinBox;
  rotations_->setAccessibleName(tr("Rotations"));
  rotations_->setToolTip(tr("Orientations of the probe at every point"));
  rotations_->setRange(1, 10'000);
  rotations_->setValue(60);
  temperature_ = make_number(tr("Temperature"), tr("Temperature of the average"), 1, 1e4, 1, QStringLiteral("K"));
  temperature_->setValue(300);
  spacing_ = make_number(tr("Spacing"), tr("Distance between grid points"), 0.1, 20, 2, angstrom);
  spacing_->setValue(1);
  padding_ = make_number(tr("Margin"), tr("Margin of the map around these atoms"), 0, 100, 1, angstrom);
  padding_->setValue(3);
  charges_ = new QCheckBox(tr("With char&ges"));
  charges_->setAccessibleName(tr("With charges"));
  charges_->setToolTip(tr("Add Coulomb's law between the charges of probe and atoms"));
  file_ = new QLineEdit;
  file_->setAccessibleName(tr("Save as"));
  file_->setToolTip(tr("The file of the new map: mrc, map, ccp4, dx or cube. Its error is saved next to it"));
  auto* browse = work_->make_browse(tr("Save map"), tr("Maps (*.mrc *.map *.ccp4 *.dx *.cube)"), file_);
  add_row(form_, tr("&Molecule"), molecule_);
  add_row(form_, tr("&Probe"), probe_);
  add_row(form_, tr("S&igma"), sigma_);
  add_row(form_, tr("&Epsilon"), epsilon_);
  add_row(form_, tr("Mi&xing"), mixing_);
  add_row(form_, tr("A&toms"), atoms_, true);
  add_row(form_, tr("&Around"), around_, true);
  add_row(form_, tr("Ma&rgin"), padding_);
  add_row(form_, tr("S&uperpose by"), align_, true);
  add_row(form_, tr("&Frames"), frames_);
  add_row(form_, tr("E&very"), step_);
  add_row(form_, tr("R&otations"), rotations_);
  add_row(form_, tr("Temperature"), temperature_);
  add_row(form_, tr("Spaci&ng"), spacing_);
  add_row(form_, QString(), charges_);
  add_row(form_, tr("Save a&s"), file_);
  add_row(form_, QString(), browse);
  layout->addWidget(top);
  work_->add_progress(layout);
  minima_ = new QTreeWidget;
  minima_->setAccessibleName(tr("Minima"));
  minima_->setToolTip(
      tr("Where the probe is best, the lowest free energy first. The error is that of the average over the frames, "
         "empty where fewer than two frames carry it. Select a row to centre it"));
  minima_->setHeaderLabels({tr("Minimum"), tr("kcal/mol"), tr("Error"), tr("Effective frames"), tr("Nearest residue"),
                            tr("x (\u00c5)"), tr("y (\u00c5)"), tr("z (\u00c5)")});
  minima_->header()->setAccessibleName(tr("Column headers"));
  minima_->setRootIsDecorated(false);
  minima_->setUniformRowHeights(true);
  minima_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  minima_->hide();
  layout->addWidget(minima_, 20);
  layout->addStretch(1);
  work_->add_buttons(layout);
}

}  // namespace isolume
