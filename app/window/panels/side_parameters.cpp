// The dialog with the parameters of one side of a comparison of potentials.
#include "app/window/panels/side_parameters.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>

#include "app/window/panels/potential_rows.h"
#include "app/window/widgets/panel_form.h"

namespace isolume {

SideParameters::SideParameters(const QString& side, const PotentialSettings& settings, bool has_cell, QWidget* parent)
    : QDialog(parent), has_cell_(has_cell) {
  setWindowTitle(tr("%1: parameters").arg(side));
  setAccessibleName(windowTitle());
  setAttribute(Qt::WA_DeleteOnClose);
  setMinimumWidth(340);  // its title is to be read
  field_.kind = Field::Kind::potential;
  field_.potential = settings;
  auto* form = new QWidget;
  form->setAccessibleName(tr("Parameters"));
  rows_ = new PotentialRows(make_form(form), this, PotentialRows::Part::parameters);
  connect(rows_, &PotentialRows::edited, this, [this](const QString&, const std::function<void(Field&)>& change, bool) {
    change(field_);
    show_field();
  });
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(form);
  layout->addStretch(1);
  layout->addWidget(buttons);
  show_field();
}

void SideParameters::show_field() {
  rows_->show_field(field_, nullptr, {}, has_cell_);
}

}  // namespace isolume
