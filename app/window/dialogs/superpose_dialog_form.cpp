// What the dialog that superposes molecules asks for.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>

#include "app/window/dialogs/superpose_dialog.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"

namespace isolume {

void SuperposeDialog::build(QGridLayout* form) {
  form->setContentsMargins(0, 0, 0, 0);
  moving_ = make_box(tr("Mobile molecule"), tr("The positions of this molecule change; its file does not"), {});
  fixed_ = make_box(tr("Reference molecule"),
                    tr("The mobile molecule is fitted to this one at the current frame. Choose the same molecule to "
                       "align its own trajectory"),
                    {});
  moving_atoms_ = new SelectionEdit;
  moving_atoms_->setAccessibleName(tr("Mobile atoms"));
  fixed_atoms_ = new SelectionEdit;
  fixed_atoms_->setAccessibleName(tr("Reference atoms"));
  matching_ =
      make_box(tr("Matched by"),
               tr("Pair atoms by chain, residue number and name; by aligned sequences (BLOSUM62); or in file order"),
               {tr("Automatic"), tr("Residues"), tr("Sequence"), tr("Order")});
  cutoff_ = new QDoubleSpinBox;
  cutoff_->setAccessibleName(tr("Ignore pairs beyond"));
  cutoff_->setToolTip(
      tr("Iteratively leave pairs farther apart than this out of the fit; 0 to 100 \u00c5, 0 keeps all"));
  cutoff_->setRange(0, 100);
  cutoff_->setDecimals(1);
  cutoff_->setSingleStep(0.5);
  cutoff_->setSuffix(QStringLiteral("\u202f\u00c5"));
  cutoff_->setSpecialValueText(tr("Nothing"));
  cutoff_->setValue(2);
  frames_ = new QCheckBox(tr("&Every frame, to the current one"));
  frames_->setAccessibleName(tr("Every frame"));
  frames_->setToolTip(tr("Align the whole trajectory by the same atoms; one fit per displayed frame"));
  add_row(form, tr("&Move"), moving_);
  add_row(form, tr("Its a&toms"), moving_atoms_, true);
  add_row(form, tr("&Onto"), fixed_);
  add_row(form, tr("I&ts atoms"), fixed_atoms_, true);
  add_row(form, tr("Matched &by"), matching_);
  add_row(form, tr("&Ignore pairs beyond"), cutoff_);
  add_row(form, QString(), frames_);
}

}  // namespace isolume
