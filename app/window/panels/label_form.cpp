// The form of the labels that are selected in the list of measurements.
#include "app/window/panels/label_form.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QSignalBlocker>

#include "app/models/labels.h"
#include "app/scene/named_selections.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"

namespace isolume {

LabelForm::LabelForm(QWidget* parent) : QWidget(parent), form_(make_form(this)) {
  setAccessibleName(tr("Labels"));
  QStringList texts;
  for (int text = 0; text <= static_cast<int>(LabelSet::Text::own); ++text)
    texts += title(static_cast<LabelSet::Text>(text));
  molecule_ = make_box(tr("Molecule"), tr("Molecule to label"), {});
  text_ = make_box(tr("Text of the labels"), tr("Property written next to each atom"), texts);
  own_ = new QLineEdit(this);
  own_->setAccessibleName(tr("Own text"));
  own_->setToolTip(tr("Written once, in the middle of the atoms"));
  atoms_ = new SelectionEdit(this);
  atoms_->line()->setAccessibleName(tr("Atoms to label"));
  size_ = make_points(tr("Size of the labels"), tr("Letters in points, the same on paper at every resolution"),
                      tr("As the scene"));
  add_row(form_, tr("Molecule"), molecule_);
  add_row(form_, tr("Text"), text_);
  add_row(form_, tr("Own text"), own_);
  add_row(form_, tr("Size"), size_);
  add_row(form_, tr("Atoms"), atoms_, true);

  connect(molecule_, &QComboBox::activated, this, [this](int row) {
    LabelSet next = labels_;
    next.molecule = static_cast<std::uint32_t>(row);
    change(next);
  });
  connect(text_, &QComboBox::activated, this, [this](int row) {
    LabelSet next = labels_;
    next.text = static_cast<LabelSet::Text>(row);
    if (next.text == LabelSet::Text::own && next.own.empty()) next.own = tr("Label").toStdString();
    change(next);
  });
  connect(size_, &QDoubleSpinBox::valueChanged, this, [this](double points) {
    LabelSet next = labels_;
    next.points = static_cast<float>(points);
    change(next);
  });
  connect(own_, &QLineEdit::editingFinished, this, [this] {
    LabelSet next = labels_;
    next.own = own_->text().toStdString();
    change(next);
  });
  connect(atoms_, &SelectionEdit::entered, this, [this](const QString& text) {
    LabelSet next = labels_;
    next.selection = text.toStdString();
    change(next);
  });
}

QString LabelForm::title(LabelSet::Text text) {
  switch (text) {
    case LabelSet::Text::residue:
      return tr("Residue");
    case LabelSet::Text::chain:
      return tr("Chain");
    case LabelSet::Text::atom:
      return tr("Atom name");
    case LabelSet::Text::element:
      return tr("Element");
    case LabelSet::Text::charge:
      return tr("Charge");
    default:
      return tr("Own text");
  }
}

void LabelForm::change(LabelSet next) {
  if (next != labels_) Q_EMIT changed(next);
}

void LabelForm::show_labels(const Scene& scene, const LabelSet& labels,
                            const std::shared_ptr<const Molecule>& molecule) {
  labels_ = labels;
  show_molecules(molecule_, scene);
  molecule_->setCurrentIndex(static_cast<int>(labels.molecule));
  show_row(form_, molecule_, scene.molecules.size() > 1);
  text_->setCurrentIndex(static_cast<int>(labels.text));
  show_row(form_, own_, labels.text == LabelSet::Text::own);
  {
    const QSignalBlocker quiet(size_);
    size_->setValue(double(labels.points));
  }
  if (!own_->hasFocus()) own_->setText(to_qt(labels.own));
  atoms_->set_molecule(molecule, scene.frame, names_of(scene, labels.molecule));
  atoms_->set_text(to_qt(labels.selection));
}

}  // namespace isolume
