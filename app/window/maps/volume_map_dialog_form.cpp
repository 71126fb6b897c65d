// What the dialog of volume maps asks for and shows.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/window/maps/volume_map_dialog.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"

namespace isolume {

void VolumeMapDialog::build() {
  work_ = new DialogWork(
      {tr("Calcula&te"), tr("Go over all frames, save the mean and show it. Undo removes it and keeps the file"),
       tr("Stop; nothing is written"), tr("Cancelled; nothing was written"), tr("Close; finished maps are kept")},
      this);
  auto* layout = new QVBoxLayout(this);
  auto* top = new QWidget;
  top->setAccessibleName(tr("Options of the map"));
  form_ = make_form(top);
  form_->setContentsMargins(0, 0, 0, 0);
  molecule_ = make_box(tr("Molecule"), tr("Molecule whose frames are taken"), {});
  kind_ = make_box(
      tr("Map"),
      tr("Density counts atoms, occupancy is the part of the frames with an atom there, residence how "
         "long a residue stays, distance that to the nearest atom; a value is any number of the atoms"),
      {tr("Density"), tr("Mass"), tr("Charge"), tr("Occupancy"), tr("Residence"), tr("Distance"), tr("Value")});
  values_ = make_box(tr("Values"),
                     tr("Number of each atom. Or the path of a file: a table with a column of numbers (csv), or an "
                        "array with one number for each atom, or a row of them for each frame (npy)"),
                     {QStringLiteral("b-factor"), QStringLiteral("occupancy"), QStringLiteral("formal-charge")});
  values_->setEditable(true);
  values_->setInsertPolicy(QComboBox::NoInsert);
  values_->lineEdit()->setAccessibleName(tr("Values"));
  values_->lineEdit()->setToolTip(values_->toolTip());
  error_ = new QCheckBox(tr("Standard &error"));
  error_->setAccessibleName(tr("Standard error"));
  error_->setToolTip(
      tr("Also save the standard error of the mean, and the mean faded where it is within that, next to the file. The "
         "surface is pale where it is not significant"));
  error_->setChecked(true);
  atoms_ = new SelectionEdit;
  atoms_->line()->setAccessibleName(tr("Atoms"));
  atoms_->line()->setToolTip(tr("Atoms that are mapped, such as water and name O"));
  atoms_->set_text(QStringLiteral("all"));
  align_ = new SelectionEdit;
  align_->line()->setAccessibleName(tr("Superpose by"));
  align_->line()->setToolTip(tr("Atoms by which each frame is superposed on the first one; the map is around them"));
  align_->set_optional(tr("frames as they are"));
  around_ = new SelectionEdit;
  around_->line()->setAccessibleName(tr("Around residues"));
  around_->line()->setToolTip(
      tr("Spatial distribution: the mean around each of these residues, seen from its CA, C and N (or first atoms)"));
  around_->set_optional(tr("in space"));
  unit_ = make_box(tr("Unit"), tr("Unit of the map"), {});
  spacing_ = new QDoubleSpinBox;
  spacing_->setAccessibleName(tr("Spacing"));
  spacing_->setToolTip(tr("Distance between grid points"));
  spacing_->setRange(0.1, 20);
  spacing_->setDecimals(2);
  spacing_->setSingleStep(0.25);
  spacing_->setSuffix(QStringLiteral("\u202f\u00c5"));
  spacing_->setValue(1);
  radius_ = new QDoubleSpinBox;
  radius_->setAccessibleName(tr("Radius"));
  radius_->setToolTip(tr("Radius of all atoms; 0: each has its own"));
  radius_->setRange(0, 20);
  radius_->setDecimals(2);
  radius_->setSingleStep(0.1);
  radius_->setSuffix(QStringLiteral("\u202f\u00c5"));
  radius_->setSpecialValueText(tr("Of each atom"));
  file_ = new QLineEdit;
  file_->setAccessibleName(tr("Save as"));
  file_->setToolTip(tr("The file of the new map: mrc, map, ccp4, dx or cube"));
  auto* browse = work_->make_browse(tr("Save map"), tr("Maps (*.mrc *.map *.ccp4 *.dx *.cube)"), file_);
  add_row(form_, tr("&Molecule"), molecule_);
  add_row(form_, tr("Ma&p"), kind_);
  add_row(form_, tr("&Values"), values_);
  add_row(form_, tr("A&toms"), atoms_, true);
  add_row(form_, tr("S&uperpose by"), align_, true);
  add_row(form_, tr("&Around"), around_, true);
  add_row(form_, tr("U&nit"), unit_);
  add_row(form_, tr("Spacin&g"), spacing_);
  add_row(form_, tr("&Radius"), radius_);
  add_row(form_, QString(), error_);
  add_row(form_, tr("Save a&s"), file_);
  add_row(form_, QString(), browse);
  layout->addWidget(top);
  work_->add_progress(layout);
  sites_ = new QTreeWidget;
  sites_->setAccessibleName(tr("Sites"));
  sites_->setToolTip(
      tr("The highest points of the map and what is within 1.4 \u00c5 of them. Select one to centre it"));
  sites_->setHeaderLabels({tr("Site"), tr("x (\u00c5)"), tr("y (\u00c5)"), tr("z (\u00c5)"), tr("Value"), tr("Sum")});
  sites_->header()->setAccessibleName(tr("Column headers"));
  sites_->setRootIsDecorated(false);
  sites_->setUniformRowHeights(true);
  sites_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  sites_->hide();
  layout->addWidget(sites_, 20);
  layout->addStretch(1);
  work_->add_buttons(layout);
}

}  // namespace isolume
