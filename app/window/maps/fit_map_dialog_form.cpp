// What the dialog that fits a molecule into a map asks for and shows.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/window/maps/fit_map_dialog.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/plot.h"
#include "app/window/widgets/selection_edit.h"

namespace isolume {

void FitMapDialog::build() {
  auto* layout = new QVBoxLayout(this);
  auto* top = new QWidget;
  top->setAccessibleName(tr("Fit options"));
  QGridLayout* form = make_form(top);
  form->setContentsMargins(0, 0, 0, 0);
  inputs_ = std::make_unique<ModelAndMap>(
      controller_, form,
      ModelAndMap::Texts{tr("This molecule moves as a whole; its file does not change"),
                         tr("Density map, from any file of the scene"), QStringLiteral("not water")});
  search_ = new QCheckBox(tr("&Search all places"));
  search_->setAccessibleName(tr("Search all places"));
  search_->setToolTip(tr("Try all turns and shifts and list the best; otherwise move uphill from the present place"));
  add_row(form, QString(), search_);
  layout->addWidget(top);
  work_ = new DialogWork({tr("&Fit"), tr("Move the molecule into the map; can be undone"), tr("Stop; nothing is moved"),
                          tr("Cancelled; nothing was moved"), tr("Close; the molecule keeps its position")},
                         this);
  work_->add_progress(layout);
  list_ = new QTreeWidget;
  list_->setAccessibleName(tr("Places"));
  list_->setToolTip(tr("Fits found, best first. Select one to move the molecule there"));
  list_->setHeaderLabels({tr("Place"), tr("Correlation"), tr("Near atoms"), tr("Moved (\u00c5)")});
  list_->setRootIsDecorated(false);
  list_->hide();
  layout->addWidget(list_, 1);
  plot_ = new Plot(tr("Correlation of every residue"));
  plot_->setToolTip(
      tr("Correlation of map and model within 3 \u00c5 of each residue (0, 1, ... in file order). Click to "
         "select the residue"));
  plot_->set_labels({tr("Residue"), tr("Correlation"), tr("Correlation of every residue"), true});
  layout->addWidget(plot_, 1);
  compare_ = new QPushButton(tr("&Correlation"));
  compare_->setToolTip(tr("Compare map and model at the model's current position"));
  difference_ = new QPushButton(tr("&Difference map..."));
  difference_->setToolTip(tr("The map less that of the model"));
  local_ = new QPushButton(tr("Colour by &agreement..."));
  local_->setToolTip(tr("Colour the model by its local correlation with the map"));
  flexible_ = new QPushButton(tr("Fle&xible fit..."));
  flexible_->setToolTip(tr("Let the map pull the atoms into it, while the model keeps its shape"));
  work_->add_buttons(layout, {flexible_, compare_, difference_, local_});
}

}  // namespace isolume
