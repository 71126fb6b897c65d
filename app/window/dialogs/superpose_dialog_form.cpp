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
  moving_ = make_box(tr("Molecule that moves"),
                     tr("Its positions change, in the picture and in all that is computed of "
                        "it; its file stays as it is"),
                     {});
  fixed_ = make_box(tr("Molecule that stands"),
                    tr("The first molecule is brought onto this one, in the frame that is "
                       "shown; onto itself: its frames onto that frame"),
                    {});
  moving_atoms_ = new SelectionEdit;
  moving_atoms_->setAccessibleName(tr("Atoms that move"));
  fixed_atoms_ = new SelectionEdit;
  fixed_atoms_->setAccessibleName(tr("Atoms that stand"));
  matching_ = make_box(tr("Matched by"),
                       tr("Which atoms belong together: those of the same chain, residue number and name; those of "
                          "aligned sequences (BLOSUM62); or the first with the first, and so on"),
                       {tr("What fits"), tr("Residues"), tr("Sequence"), tr("Order")});
  cutoff_ = new QDoubleSpinBox;
  cutoff_->setAccessibleName(tr("Leave out beyond"));
  cutoff_->setToolTip(
      tr("Pairs farther apart are left out of the fit, a few at a time, until none is; 0 to 100 \u00c5, "
         "0 keeps all"));
  cutoff_->setRange(0, 100);
  cutoff_->setDecimals(1);
  cutoff_->setSingleStep(0.5);
  cutoff_->setSuffix(QStringLiteral("\u202f\u00c5"));
  cutoff_->setSpecialValueText(tr("Nothing"));
  cutoff_->setValue(2);
  frames_ = new QCheckBox(tr("&Every frame of it, onto the one that is shown"));
  frames_->setAccessibleName(tr("Every frame of it"));
  frames_->setToolTip(
      tr("The frames of the trajectory are superposed by the same atoms, so that it does not tumble;\n"
         "costs one more fit for each frame that is shown"));
  add_row(form, tr("&Move"), moving_);
  add_row(form, tr("&Its atoms"), moving_atoms_, true);
  add_row(form, tr("&Onto"), fixed_);
  add_row(form, tr("I&ts atoms"), fixed_atoms_, true);
  add_row(form, tr("Matched &by"), matching_);
  add_row(form, tr("&Leave out beyond"), cutoff_);
  add_row(form, QString(), frames_);
}

}  // namespace isolume
