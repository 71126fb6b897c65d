// The part of a field's form that says how its potential is computed and shown.
#include "app/window/panels/potential_rows.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>

#include "app/fields/legend.h"
#include "app/fields/surface_paint.h"
#include "app/models/labels.h"
#include "app/view/usual_potential.h"
#include "app/window/panels/potential_choices.h"
#include "app/window/widgets/method_titles.h"
#include "app/window/widgets/panel_form.h"

namespace isolume {
namespace {

QLabel* make_fact(const QString& what, const QString& tip) {
  auto* label = new QLabel(QStringLiteral("\u2013"));
  label->setAccessibleName(what);
  label->setToolTip(tip);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  return label;
}

}  // namespace

PotentialRows::PotentialRows(QGridLayout* form, QObject* parent, Part part)
    : QObject(parent), form_(form), part_(part) {
  build_paint(form);
  build_method(form);
  compare_ = new QPushButton(tr("Compa&re methods..."));
  compare_->setAccessibleName(tr("Compare methods"));
  compare_->setToolTip(tr("Compare up to four methods or maps side by side, with differences, times and errors"));
  add_row(form, QString(), compare_);
  connect(compare_, &QPushButton::clicked, this, &PotentialRows::compare_asked);
  connect_boxes();
}

void PotentialRows::build_paint(QGridLayout* form) {
  paint_ =
      make_box(tr("Colour surface by"),
               tr("Colour by atoms, electrostatic potential, an open map (APBS map, ESP cube) or mean curvature"), {});
  map_ = make_box(tr("Map"), tr("Map that colours the surface, from any file of the scene"), {});
  unit_ = make_box(tr("Unit"), tr("Unit of the potential"), {tr("V"), tr("kT/e"), tr("kcal/mol/e")});
  range_ = make_number(
      tr("Colour range"),
      tr("Value at full red (negative) and full blue (positive). Automatic rounds the values on the surface."), 0, 1e6,
      3, {});
  range_->setSpecialValueText(tr("Automatic"));
  offset_ = make_number(tr("Distance from the surface"),
                        tr("Distance outside the surface, along its normal, at which the values are taken"), -100, 100,
                        2, QStringLiteral("\u00c5"));
  add_row(form, tr("Colour surface by"), paint_);
  add_row(form, tr("Map"), map_);
  add_row(form, tr("Unit"), unit_);
  add_row(form, tr("Colour ran&ge"), range_);
  extremes_ = new QCheckBox(tr("Label extremes"));
  extremes_->setAccessibleName(extremes_->text());
  extremes_->setToolTip(tr("Mark the maxima and minima on the surface with their values"));
  add_row(form, tr("Distance"), offset_);
  add_row(form, QString(), extremes_);
}

void PotentialRows::build_method(QGridLayout* form) {
  method_ = make_box(tr("Method"),
                     tr("Method that computes the potential. Poisson-Boltzmann has the molecule in water and salt, "
                        "Debye-H\u00fcckel the charges alone; the others sum charges in vacuum or one dielectric. "
                        "Automatic uses the direct sum for small systems, otherwise multilevel summation."),
                     method_titles());
  for (int i = 0; i < method_->count(); ++i) method_->setItemData(i, method_->itemText(i));
  QStringList steps;
  for (const double accuracy : accuracies) steps += percent(accuracy);
  accuracy_ = make_box(
      tr("Accuracy"), tr("Target relative error for MSM and PME. Smaller is slower. The measured error is shown below"),
      steps);
  const QString angstrom = QStringLiteral("\u00c5");
  cutoff_ =
      make_number(tr("Cutoff"), tr("Ignore charges farther away than this. Twice the cutoff takes eight times as long"),
                  1, 1000, 1, angstrom);
  thresholds_ = make_box(tr("Thresholds"),
                         tr("Distances beyond which residues and chains are replaced by their approximate charges"),
                         threshold_texts());
  charges_each_ = make_box(tr("Charges per group"),
                           tr("One charge keeps the net charge of a group, two also keep its dipole moment"),
                           {tr("One charge"), tr("Two charges")});
  medium_ = make_box(tr("Dielectric"), tr("Constant, or increasing with distance from 1 to 78 (Ramstein and Lavery)"),
                     {tr("Constant"), tr("Sigmoidal")});
  dielectric_ = make_number(tr("Dielectric constant"),
                            tr("1 for vacuum, 2 to 4 for a protein interior, 78.5 for water"), 1, 1e4, 2, {});
  solute_ = make_number(tr("Solute dielectric"), tr("Relative permittivity inside the molecule"), 1, 1e3, 2, {});
  nonlinear_ = new QCheckBox(tr("Non-linear"));
  nonlinear_->setAccessibleName(tr("Non-linear equation"));
  nonlinear_->setToolTip(tr("Solve the non-linear equation, for highly charged molecules such as DNA. Slower"));
  QStringList targets;
  for (const double error : target_errors) targets += error == 0 ? tr("As the grid gives") : percent(error);
  target_ = make_box(tr("Target error"),
                     tr("Shorten the steps until the estimated error is below this share of the potential. Each "
                        "halving takes eight times the memory"),
                     targets);
  ionic_strength_ = make_number(tr("Ionic strength"), tr("Ionic strength of the solvent"), 0, 100, 3, tr("mol/l"));
  solvent_ = make_number(tr("Solvent dielectric"), tr("Relative permittivity of the solvent"), 1, 1e4, 2, {});
  temperature_ =
      make_number(tr("Temperature"), tr("Temperature of the solvent and of the unit kT/e"), 1, 1e5, 2, tr("K"));
  periodic_ = new QCheckBox(tr("Periodic potential"));
  periodic_->setAccessibleName(periodic_->text());
  periodic_->setToolTip(
      tr("Repeat the charges along the cell vectors. The mean potential is then 0, and a uniform background "
         "neutralises a net charge."));
  charge_ = make_fact(tr("Total charge"), tr("Total charge of the atoms used, in elementary charges"));
  used_ = make_fact(tr("Computed by"), tr("Method and parameters of the last computation"));
  error_ = make_fact(tr("Measured error"),
                     tr("Compared with the exact sum in double precision at random points of the map or the surface"));
  add_row(form, tr("Meth&od"), method_);
  add_row(form, tr("Accuracy"), accuracy_);
  add_row(form, tr("Cutoff"), cutoff_);
  add_row(form, tr("Thresholds"), thresholds_);
  add_row(form, tr("Charges per group"), charges_each_);
  add_row(form, tr("Dielectric"), medium_);
  add_row(form, tr("Co&nstant"), dielectric_);
  add_row(form, tr("Ionic strength"), ionic_strength_);
  add_row(form, tr("Solvent dielectric"), solvent_);
  add_row(form, tr("Solute dielectric"), solute_);
  add_row(form, tr("Temperature"), temperature_);
  add_row(form, tr("Target error"), target_);
  add_row(form, QString(), nonlinear_);
  add_row(form, QString(), periodic_);
  add_row(form, tr("Total charge"), charge_);
  add_row(form, tr("Measured error"), error_, true);
  add_row(form, tr("Computed by"), used_, true);
}

void PotentialRows::connect_boxes() {
  connect(paint_, &QComboBox::activated, this, &PotentialRows::choose_paint);
  connect(map_, &QComboBox::activated, this, [this](int index) {
    if (index < 0 || index >= static_cast<int>(maps_.size())) return;
    const Map& map = maps_[static_cast<std::size_t>(index)];
    Q_EMIT edited(
        tr("Change map"),
        [map](Field& f) {
          f.map_molecule = map.molecule;
          f.map_volume = map.volume;
          f.paint_range = 0;
        },
        false);
  });
  connect(unit_, &QComboBox::activated, this, [this](int index) {
    Q_EMIT edited(
        tr("Change unit"), [index](Field& f) { change_unit(f, static_cast<PotentialSettings::Unit>(index)); }, false);
  });
  connect(range_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    Q_EMIT edited(
        tr("Change colour range"), [value](Field& f) { f.paint_range = value; }, true);
  });
  connect(offset_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    Q_EMIT edited(
        tr("Change distance from the surface"), [value](Field& f) { f.paint_offset = value; }, true);
  });
  connect(extremes_, &QCheckBox::clicked, this, [this](bool on) {
    Q_EMIT edited(
        on ? tr("Label extremes") : tr("Hide extremes"), [on](Field& f) { f.extremes = on; }, false);
  });
  connect(method_, &QComboBox::activated, this, &PotentialRows::choose_method);
  connect(accuracy_, &QComboBox::activated, this, [this](int index) {
    if (index >= static_cast<int>(std::size(accuracies))) return;
    Q_EMIT edited(
        tr("Change accuracy"), [index](Field& f) { f.potential.accuracy = accuracies[index]; }, false);
  });
  connect(thresholds_, &QComboBox::activated, this, [this](int index) {
    if (index >= static_cast<int>(std::size(thresholds))) return;
    Q_EMIT edited(
        tr("Change threshold distances"), [index](Field& f) { f.potential.hcp_thresholds = thresholds[index]; }, false);
  });
  connect(charges_each_, &QComboBox::activated, this, [this](int index) {
    Q_EMIT edited(
        tr("Change charges per group"), [index](Field& f) { f.potential.hcp_charges = index + 1; }, false);
  });
  connect(medium_, &QComboBox::activated, this, [this](int index) {
    Q_EMIT edited(
        tr("Change dielectric"),
        [index](Field& f) {
          f.potential.medium = static_cast<PotentialSettings::Medium>(index);
          if (index == 1) f.potential.periodic = false;
        },
        false);
  });
  connect(periodic_, &QCheckBox::clicked, this, [this](bool on) {
    Q_EMIT edited(
        on ? tr("Periodic potential") : tr("Non-periodic potential"),
        [on](Field& f) {
          f.potential.periodic = on;
          if (on) f.potential.medium = PotentialSettings::Medium::constant;
        },
        false);
  });
  connect(target_, &QComboBox::activated, this, [this](int index) {
    if (index >= static_cast<int>(std::size(target_errors))) return;
    Q_EMIT edited(
        tr("Change target error"), [index](Field& f) { f.potential.target_error = target_errors[index]; }, false);
  });
  connect(nonlinear_, &QCheckBox::clicked, this, [this](bool on) {
    Q_EMIT edited(
        on ? tr("Non-linear equation") : tr("Linear equation"), [on](Field& f) { f.potential.nonlinear = on; }, false);
  });
  const auto number = [this](QDoubleSpinBox* box, const QString& what, double PotentialSettings::*member) {
    connect(box, &QDoubleSpinBox::valueChanged, this, [this, what, member](double value) {
      Q_EMIT edited(
          what, [value, member](Field& f) { f.potential.*member = value; }, true);
    });
  };
  number(cutoff_, tr("Change cutoff"), &PotentialSettings::cutoff);
  number(dielectric_, tr("Change dielectric"), &PotentialSettings::dielectric);
  number(ionic_strength_, tr("Change ionic strength"), &PotentialSettings::ionic_strength);
  number(solvent_, tr("Change solvent"), &PotentialSettings::solvent_dielectric);
  number(solute_, tr("Change solute"), &PotentialSettings::solute_dielectric);
  number(temperature_, tr("Change temperature"), &PotentialSettings::temperature);
}

void PotentialRows::choose_paint(int index) {
  const auto paint = static_cast<Field::Paint>(paint_->itemData(index).toInt());
  const std::optional<Map> first = maps_.empty() ? std::nullopt : std::optional(maps_.front());
  const bool there = std::any_of(maps_.begin(), maps_.end(), [this](const Map& map) { return map == shown_map_; });
  Q_EMIT edited(
      tr("Change surface colouring"),
      [paint, first, there, molecule = molecule_](Field& f) {
        if (f.paint == paint) return;
        f.paint = paint;
        f.paint_range = 0;  // of what coloured it before
        if (paint == Field::Paint::map && first && !there) {
          f.map_molecule = first->molecule;
          f.map_volume = first->volume;
        }
        if (paint == Field::Paint::potential && molecule && f.potential == PotentialSettings{})
          paint_by_usual_potential(f, *molecule);
      },
      false);
}

void PotentialRows::choose_method(int index) {
  Q_EMIT edited(
      tr("Change method"), [index](Field& f) { isolume::choose_method(f, static_cast<PotentialMethod>(index)); },
      false);
}

}  // namespace isolume
