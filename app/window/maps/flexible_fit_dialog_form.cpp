// What the dialog of a flexible fit asks for and shows.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/window/maps/flexible_fit_dialog.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/plot.h"
#include "app/window/widgets/selection_edit.h"

namespace isolume {
namespace {

QDoubleSpinBox* value_box(const QString& name, const QString& tip, double least, double most, double value,
                          int decimals, const QString& suffix) {
  auto* box = new QDoubleSpinBox;
  box->setAccessibleName(name);
  box->setToolTip(tip);
  box->setDecimals(decimals);
  box->setRange(least, most);
  box->setValue(value);
  box->setSuffix(suffix);
  return box;
}

}  // namespace

void FlexibleFitDialog::build() {
  auto* layout = new QVBoxLayout(this);
  auto* top = new QWidget;
  top->setAccessibleName(tr("Options of the fit"));
  QGridLayout* form = make_form(top);
  form->setContentsMargins(0, 0, 0, 0);
  inputs_ =
      std::make_unique<ModelAndMap>(controller_, form,
                                    ModelAndMap::Texts{tr("The model with its force field; its file does not change"),
                                                       tr("Density map that pulls these atoms, each by its mass"),
                                                       QStringLiteral("not water and not hydrogen")});
  strength_ =
      value_box(tr("Strength"), tr("How strongly the map pulls. More is faster; too much bends the model into noise"),
                0.001, 100, 0.3, 3, tr(" kcal/mol per Da"));
  threshold_ = value_box(tr("Threshold"), tr("Level of the map below which it does not pull, such as that of noise"),
                         -1e9, 1e9, 0, 4, QString());
  length_ = value_box(tr("Time"), tr("Time that is simulated, at 300 K in steps of 1 fs"), 0.01, 100000, 20, 2,
                      QStringLiteral("\u202fps"));
  restraints_ =
      make_box(tr("Keep"), tr("Angles that keep their values, so that the model stays a protein"),
               {tr("Helices, strands, chirality, peptides"), tr("Chirality and peptide bonds"), tr("Nothing")});
  add_row(form, tr("Stren&gth"), strength_);
  add_row(form, tr("T&hreshold"), threshold_);
  add_row(form, tr("&Keep"), restraints_);
  add_row(form, tr("T&ime"), length_);
  layout->addWidget(top);
  work_ = new DialogWork(
      {tr("&Fit"), tr("Let the map pull the molecule; can be undone"), tr("Stop, and put the molecule back"),
       tr("Cancelled; the molecule is where it was"), tr("Close; a run ends, and its frames stay")},
      this);
  work_->add_progress(layout);
  plot_ = new Plot(tr("Correlation over time"));
  plot_->setToolTip(tr("Correlation of the map and the model over the time of the run. Click to go to a frame"));
  plot_->set_labels({tr("Time (ps)"), tr("Correlation"), tr("Correlation while the model moves"), false});
  layout->addWidget(plot_, 1);
  stop_ = new QPushButton(tr("&Stop"));
  stop_->setToolTip(tr("Stop here and keep the frames so far"));
  work_->add_buttons(layout, {stop_});
  stop_->hide();
}

}  // namespace isolume
