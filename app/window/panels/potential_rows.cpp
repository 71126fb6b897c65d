// The part of a field's form that says how its potential is computed and shown.
#include "app/window/panels/potential_rows.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <cmath>

#include "app/fields/legend.h"
#include "app/models/labels.h"
#include "app/window/widgets/panel_form.h"

namespace isolume {
namespace {

using Method = PotentialSettings::Method;

constexpr double accuracies[] = {1e-2, 5e-3, 2.5e-3, 1e-3, 5e-4, 1e-4, 2e-5};
constexpr const char* thresholds[] = {"15/66", "21/90", "15/48", "15"};  // as published

QString percent(double accuracy) {
  return QStringLiteral("%1\u202f%").arg(100 * accuracy, 0, 'g', 3);
}

QDoubleSpinBox* make_number(const QString& what, const QString& tip, double lowest, double highest, int decimals,
                            const QString& unit) {
  auto* box = new QDoubleSpinBox;
  box->setAccessibleName(what);
  box->setToolTip(tip);
  box->setRange(lowest, highest);
  box->setDecimals(decimals);
  box->setSuffix(unit.isEmpty() ? QString() : QStringLiteral("\u202f") + unit);
  box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  box->setKeyboardTracking(false);
  box->setFocusPolicy(Qt::StrongFocus);
  return box;
}

void show_number(QDoubleSpinBox* box, double value) {
  if (box->hasFocus()) return;
  const QSignalBlocker quiet(box);
  box->setValue(value);
}

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

PotentialRows::PotentialRows(QGridLayout* form, QObject* parent) : QObject(parent), form_(form) {
  build_paint(form);
  build_method(form);
  compare_ = new QPushButton(tr("&Compare methods..."));
  compare_->setAccessibleName(tr("Compare methods"));
  compare_->setToolTip(tr("Two methods side by side, with the map of their difference, times and errors"));
  add_row(form, QString(), compare_);
  connect(compare_, &QPushButton::clicked, this, &PotentialRows::compare_asked);
  connect_boxes();
}

void PotentialRows::build_paint(QGridLayout* form) {
  paint_ = make_box(tr("Painted by"),
                    tr("What colours the surface: its own colours, the electrostatic potential, or (surfaces of atoms) "
                       "its mean curvature"),
                    {tr("Own colours"), tr("Electrostatic potential"), tr("Curvature")});
  unit_ = make_box(tr("Unit"), tr("Unit in which the potential is shown"), {tr("V"), tr("kT/e"), tr("kcal/mol/e")});
  range_ = make_number(tr("Colour range"),
                       tr("The potential at full red (minus) and full blue (plus). "
                          "Automatic takes a round number by the potential on the surface."),
                       0, 1e6, 3, {});
  range_->setSpecialValueText(tr("Automatic"));
  offset_ = make_number(tr("Distance from the surface"),
                        tr("How far outside of the surface, along its normal, the potential is taken"), -100, 100, 2,
                        QStringLiteral("\u00c5"));
  add_row(form, tr("Painte&d by"), paint_);
  add_row(form, tr("&Unit"), unit_);
  add_row(form, tr("Colour ran&ge"), range_);
  add_row(form, tr("Distance"), offset_);
}

void PotentialRows::build_method(QGridLayout* form) {
  method_ = make_box(tr("Method"),
                     tr("How the potential is summed. Automatic takes the direct sum where it is quick, "
                        "else multilevel summation."),
                     {tr("Automatic"), tr("Direct sum"), tr("Cutoff sum"), tr("Multilevel summation"),
                      tr("Debye-H\u00fcckel"), tr("Particle-mesh Ewald"), tr("Hierarchical partitioning")});
  QStringList steps;
  for (const double accuracy : accuracies) steps += percent(accuracy);
  accuracy_ =
      make_box(tr("Accuracy"),
               tr("Relative error for which multilevel summation and particle-mesh Ewald are planned; finer costs "
                  "more time and memory. What is measured stands below"),
               steps);
  const QString angstrom = QStringLiteral("\u00c5");
  cutoff_ = make_number(tr("Cutoff"), tr("Charges farther away do not count. Twice as far costs eight times the time"),
                        1, 1000, 1, angstrom);
  QStringList distances;
  for (const char* text : thresholds) distances += QStringLiteral("%1\u202f\u00c5").arg(QString::fromLatin1(text));
  thresholds_ = make_box(tr("Far beyond"),
                         tr("The distances beyond which residues, and chains, act by the charges that stand for them"),
                         distances);
  charges_each_ =
      make_box(tr("Charges for each part"), tr("One charge keeps a part's net charge, two keep its dipole moment too"),
               {tr("One charge"), tr("Two charges")});
  medium_ =
      make_box(tr("Dielectric"), tr("A constant, or one that rises with distance from 1 to 78 (Ramstein and Lavery)"),
               {tr("Constant"), tr("Sigmoidal")});
  dielectric_ =
      make_number(tr("Dielectric constant"), tr("1 is vacuum; 2 to 4 a protein's inside; 78.5 water"), 1, 1e4, 2, {});
  ionic_strength_ = make_number(tr("Ionic strength"), tr("Of the solvent's salt"), 0, 100, 3, tr("mol/l"));
  solvent_ = make_number(tr("Solvent dielectric"), tr("Relative permittivity of the solvent"), 1, 1e4, 2, {});
  temperature_ = make_number(tr("Temperature"), tr("Of the solvent, and of the unit kT/e"), 1, 1e5, 2, tr("K"));
  periodic_ = new QCheckBox(tr("Periodic along the cell"));
  periodic_->setAccessibleName(periodic_->text());
  periodic_->setToolTip(
      tr("The charges repeat along the three vectors of the frame's cell. The mean of the potential is then 0, and a "
         "net charge is neutralised by a uniform background."));
  charge_ = make_fact(tr("Total charge"), tr("Of the atoms that count, in elementary charges"));
  error_ = make_fact(tr("Measured error"), tr("Against the exact sum in double precision, at sampled points"));
  add_row(form, tr("M&ethod"), method_);
  add_row(form, tr("Accuracy"), accuracy_);
  add_row(form, tr("Cuto&ff"), cutoff_);
  add_row(form, tr("Far beyond"), thresholds_);
  add_row(form, tr("Parts act by"), charges_each_);
  add_row(form, tr("Die&lectric"), medium_);
  add_row(form, tr("Co&nstant"), dielectric_);
  add_row(form, tr("Ionic strengt&h"), ionic_strength_);
  add_row(form, tr("Solvent"), solvent_);
  add_row(form, tr("Temperature"), temperature_);
  add_row(form, QString(), periodic_);
  add_row(form, tr("Total charge"), charge_);
  add_row(form, tr("Measured error"), error_, true);
}

void PotentialRows::connect_boxes() {
  connect(paint_, &QComboBox::activated, this, [this](int index) {
    Q_EMIT edited(
        tr("Change paint"), [index](Field& f) { f.paint = static_cast<Field::Paint>(index); }, false);
  });
  connect(unit_, &QComboBox::activated, this, [this](int index) {
    Q_EMIT edited(
        tr("Change unit"), [index](Field& f) { f.potential.unit = static_cast<PotentialSettings::Unit>(index); },
        false);
  });
  connect(range_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    Q_EMIT edited(
        tr("Change colour range"), [value, this](Field& f) { f.paint_range = value / range_factor_; }, true);
  });
  connect(offset_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    Q_EMIT edited(
        tr("Change distance from the surface"), [value](Field& f) { f.paint_offset = value; }, true);
  });
  connect(method_, &QComboBox::activated, this, [this](int index) {
    Q_EMIT edited(
        tr("Change method"),
        [index](Field& f) {
          f.potential.method = static_cast<Method>(index);
          if (f.potential.method == Method::msm || f.potential.method == Method::spme)
            f.potential.medium = PotentialSettings::Medium::constant;
        },
        false);
  });
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
        tr("Change charges of parts"), [index](Field& f) { f.potential.hcp_charges = index + 1; }, false);
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
        on ? tr("Periodic potential") : tr("Potential without periodicity"),
        [on](Field& f) {
          f.potential.periodic = on;
          if (on) f.potential.medium = PotentialSettings::Medium::constant;
        },
        false);
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
  number(temperature_, tr("Change temperature"), &PotentialSettings::temperature);
}

void PotentialRows::show_field(const Field& field, bool has_charges) {
  const PotentialSettings& s = field.potential;
  const bool wraps = wraps_atoms(field.kind);
  const bool curved = wraps && field.paint == Field::Paint::curvature;
  range_factor_ = curved ? 1 : per_volt(s);
  const bool painted = field.kind != Field::Kind::potential && field.paint == Field::Paint::potential;
  const bool active = painted || field.kind == Field::Kind::potential;
  const bool multilevel = s.method == Method::automatic || s.method == Method::msm;
  const bool mesh = s.method == Method::spme;
  const bool parts = s.method == Method::hcp;
  const bool screened = s.method == Method::debye_hueckel;
  paint_->setItemText(0, wraps ? tr("Its atoms") : tr("Own colours"));
  if (wraps && paint_->count() == 2) paint_->addItem(tr("Curvature"));
  if (!wraps && paint_->count() == 3) paint_->removeItem(2);
  // A paint that the kind of field does not have counts as its own colours.
  paint_->setCurrentIndex(static_cast<int>(field.paint) < paint_->count() ? static_cast<int>(field.paint) : 0);
  unit_->setCurrentIndex(static_cast<int>(s.unit));
  range_->setSuffix(QStringLiteral("\u202f") +
                    (curved ? QStringLiteral("\u00c5\u207b\u00b9") : QString::fromUtf8(name(s.unit))));
  show_number(range_, field.paint_range * range_factor_);
  show_number(offset_, field.paint_offset);
  method_->setCurrentIndex(static_cast<int>(s.method));
  int step = -1;
  for (int i = 0; i < static_cast<int>(std::size(accuracies)); ++i)
    if (std::abs(accuracies[i] / s.accuracy - 1) < 1e-6) step = i;
  const int steps = static_cast<int>(std::size(accuracies));
  if (accuracy_->count() > steps) accuracy_->removeItem(steps);
  if (step < 0) accuracy_->addItem(percent(s.accuracy));  // set elsewhere
  accuracy_->setCurrentIndex(step < 0 ? steps : step);
  show_number(cutoff_, s.cutoff);
  const int presets = static_cast<int>(std::size(thresholds));
  int preset = 0;
  while (preset < presets && s.hcp_thresholds != thresholds[preset]) ++preset;
  if (thresholds_->count() > presets) thresholds_->removeItem(presets);
  if (preset == presets) thresholds_->addItem(to_qt(s.hcp_thresholds));  // set elsewhere
  thresholds_->setCurrentIndex(preset);
  charges_each_->setCurrentIndex(s.hcp_charges - 1);
  medium_->setCurrentIndex(static_cast<int>(s.medium));
  show_number(dielectric_, s.dielectric);
  show_number(ionic_strength_, s.ionic_strength);
  show_number(solvent_, s.solvent_dielectric);
  show_number(temperature_, s.temperature);
  periodic_->setChecked(s.periodic);

  show_row(form_, paint_, field.kind != Field::Kind::potential && (wraps || has_charges || painted));
  show_row(form_, unit_, active);
  show_row(form_, range_, painted || curved);
  show_row(form_, offset_, painted);
  show_row(form_, method_, active);
  show_row(form_, accuracy_, active && (multilevel || mesh));
  show_row(form_, cutoff_, active && s.method == Method::cutoff);
  show_row(form_, thresholds_, active && parts);
  show_row(form_, charges_each_, active && parts);
  show_row(form_, medium_, active && !screened && s.method != Method::msm && !mesh);
  show_row(form_, dielectric_, active && !screened && s.medium == PotentialSettings::Medium::constant);
  show_row(form_, ionic_strength_, active && screened);
  show_row(form_, solvent_, active && screened);
  show_row(form_, temperature_, active && (screened || s.unit == PotentialSettings::Unit::thermal));
  show_row(form_, periodic_, active && multilevel);
  show_row(form_, charge_, active);
  show_row(form_, error_, active);
  show_row(form_, compare_, active);
}

void PotentialRows::show_legend(const std::optional<FieldLegend>& legend) {
  if (!legend) {
    charge_->setText(QStringLiteral("\u2013"));
    error_->setText(QStringLiteral("\u2013"));
    return;
  }
  charge_->setText(QStringLiteral("%1\u202fe").arg(to_qt(isolume::charge_text(legend->total_charge))));
  error_->setText(tr("%1 %2 rms, %3 %2 at most, %4 relative, at %5 points")
                      .arg(legend->error, 0, 'e', 1)
                      .arg(to_qt(legend->unit))
                      .arg(legend->maximum_error, 0, 'e', 1)
                      .arg(legend->relative_error, 0, 'e', 1)
                      .arg(legend->error_points));
}

}  // namespace isolume
