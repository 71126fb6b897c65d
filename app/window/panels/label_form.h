// The form of the labels that are selected in the list of measurements.
#pragma once

#include <QWidget>
#include <memory>

#include "app/scene/scene.h"
#include "molecule/molecule.h"

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLineEdit;

namespace isolume {

class SelectionEdit;

/// The text of labels, and the atoms they are next to.
class LabelForm : public QWidget {
  Q_OBJECT
 public:
  explicit LabelForm(QWidget* parent = nullptr);

  /// "Residue", "Chain", "Atom name", "Element", "Charge", "Own text".
  static QString title(LabelSet::Text text);

  /// Shows labels of the scene without announcing them.
  void show_labels(const Scene& scene, const LabelSet& labels, const std::shared_ptr<const Molecule>& molecule);

  QComboBox* text_box() const { return text_; }
  QLineEdit* own_line() const { return own_; }
  QDoubleSpinBox* size_box() const { return size_; }
  SelectionEdit* atoms() const { return atoms_; }

 Q_SIGNALS:
  void changed(const LabelSet& labels);

 private:
  void change(LabelSet next);

  LabelSet labels_;
  QGridLayout* form_;
  QComboBox* molecule_;
  QComboBox* text_;
  QLineEdit* own_;
  QDoubleSpinBox* size_;
  SelectionEdit* atoms_;
};

}  // namespace isolume
