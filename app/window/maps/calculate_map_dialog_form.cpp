// What the dialog that makes a map of others asks for.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/window/maps/calculate_map_dialog.h"
#include "app/window/widgets/panel_form.h"

namespace isolume {

void CalculateMapDialog::build() {
  work_ = new DialogWork(
      {tr("Calcula&te"), tr("Make the map, save it and show it. Undo removes it from the scene and keeps the file"),
       tr("Stop; nothing is written"), tr("Cancelled; nothing was written"), tr("Close; finished maps are kept")},
      this);
  auto* layout = new QVBoxLayout(this);
  auto* top = new QWidget;
  top->setAccessibleName(tr("Calculation options"));
  form_ = make_form(top);
  form_->setContentsMargins(0, 0, 0, 0);
  task_ = make_box(tr("Calculate"), tr("Calculation on the map"),
                   {tr("Difference with a map"), tr("Sum with a map"), tr("Difference with a model"),
                    tr("Local correlation with a map"), tr("Local correlation with a model"),
                    tr("On the grid of another map"), tr("Every n-th point"), tr("Near atoms only"), tr("Without dust"),
                    tr("In standard deviations"), tr("Map of a model")});
  map_ = make_box(tr("Map"), tr("Map to start from; its file is not changed"), {});
  other_ = make_box(tr("Other map"), tr("The other map. Its points are those of the first, unless Resample is on"), {});
  model_ = make_box(tr("Model"), tr("The molecule, at its current position"), {});
  resolution_ = new QDoubleSpinBox;
  resolution_->setAccessibleName(tr("Resolution"));
  resolution_->setToolTip(tr("Resolution of the map calculated from the model"));
  resolution_->setRange(0.5, 200);
  resolution_->setDecimals(1);
  resolution_->setSuffix(QStringLiteral("\u202f\u00c5"));
  resolution_->setValue(0.5);
  number_ = new QDoubleSpinBox;
  number_->setAccessibleName(tr("Number"));
  number_->setToolTip(tr("Factor, window, distance or size, as the row says"));
  number_->setRange(-1e6, 1e6);
  scaled_ = new QCheckBox(tr("&Scale to fit"));
  scaled_->setAccessibleName(tr("Scale to fit"));
  scaled_->setToolTip(tr("Take the other map times a factor, and a constant, by least squares"));
  resample_ = new QCheckBox(tr("Resam&ple"));
  resample_->setAccessibleName(tr("Resample"));
  resample_->setToolTip(
      tr("Interpolate the other map at the points of the first. Else maps with different points are refused"));
  file_ = new QLineEdit;
  file_->setAccessibleName(tr("Save as"));
  file_->setToolTip(tr("The file of the new map: mrc, map, ccp4, dx or cube"));
  auto* browse = work_->make_browse(tr("Save map"), tr("Maps (*.mrc *.map *.ccp4 *.dx *.cube)"), file_);
  add_row(form_, tr("&Calculate"), task_);
  add_row(form_, tr("&Map"), map_);
  add_row(form_, tr("&Other map"), other_);
  add_row(form_, tr("Mo&del"), model_);
  add_row(form_, tr("&Resolution"), resolution_);
  add_row(form_, tr("Factor"), number_);
  add_row(form_, QString(), scaled_);
  add_row(form_, QString(), resample_);
  add_row(form_, tr("Save &as"), file_);
  add_row(form_, QString(), browse);
  layout->addWidget(top);
  work_->add_progress(layout);
  layout->addStretch(1);
  work_->add_buttons(layout);
}

}  // namespace isolume
