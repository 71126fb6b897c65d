// The part of a field's form that says how its potential is computed and shown: a field's values, and the rows it
// needs.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>
#include <cmath>

#include "app/fields/legend.h"
#include "app/fields/surface_paint.h"
#include "app/models/labels.h"
#include "app/window/panels/potential_choices.h"
#include "app/window/panels/potential_rows.h"
#include "app/window/widgets/panel_form.h"

namespace isolume {
namespace {

using Method = PotentialSettings::Method;

void show_number(QDoubleSpinBox* box, double value) {
  if (box->hasFocus()) return;
  const QSignalBlocker quiet(box);
  box->setValue(value);
}

}  // namespace

void PotentialRows::show_paint(const Field& field) {
  const bool wraps = wraps_atoms(field.kind);
  std::vector<std::pair<QString, Field::Paint>> paints{
      {wraps ? tr("Atom colours") : tr("Solid colour"), Field::Paint::atoms},
      {tr("Electrostatic potential"), Field::Paint::potential}};
  if (wraps) paints.emplace_back(tr("Curvature"), Field::Paint::curvature);
  if (!maps_.empty() || field.paint == Field::Paint::map) paints.emplace_back(tr("Map"), Field::Paint::map);
  QStringList texts, now;
  for (const auto& paint : paints) texts += paint.first;
  for (int i = 0; i < paint_->count(); ++i) now += paint_->itemText(i);
  if (texts != now) {
    paint_->clear();
    for (const auto& [text, paint] : paints) paint_->addItem(text, static_cast<int>(paint));
  }
  // A paint that the kind of field does not have counts as its own colours.
  paint_->setCurrentIndex(std::max(0, paint_->findData(static_cast<int>(field.paint))));
  map_->clear();
  for (const Map& map : maps_) {
    map_->addItem(map.text);
    if (map == shown_map_) map_->setCurrentIndex(map_->count() - 1);
  }
}

void PotentialRows::show_field(const Field& field, std::shared_ptr<const Molecule> molecule, std::vector<Map> maps,
                               bool has_cell) {
  molecule_ = std::move(molecule);
  maps_ = std::move(maps);
  shown_map_ = {};
  for (const Map& map : maps_)
    if (map.molecule == field.map_molecule && map.volume == field.map_volume) shown_map_ = map;
  const bool has_charges = molecule_ && molecule_->topology && molecule_->topology->has_charges;
  const PotentialSettings& s = field.potential;
  const bool wraps = wraps_atoms(field.kind);
  const bool curved = wraps && field.paint == Field::Paint::curvature;
  const bool mapped = painted_by_map(field);
  const bool painted = field.kind != Field::Kind::potential && field.paint == Field::Paint::potential;
  const bool active = painted || field.kind == Field::Kind::potential;
  const bool multilevel = s.method == Method::automatic || s.method == Method::msm;
  const bool mesh = s.method == Method::spme;
  const bool parts = s.method == Method::hcp;
  const bool screened = is_screened(s.method);
  show_paint(field);
  unit_->setCurrentIndex(static_cast<int>(s.unit));
  range_->setSuffix(QStringLiteral("\u202f") + (curved   ? QStringLiteral("\u00c5\u207b\u00b9")
                                                : mapped ? printed_unit(shown_map_.unit.toStdString())
                                                         : QString::fromUtf8(name(s.unit))));
  show_number(range_, field.paint_range);
  show_number(offset_, field.paint_offset);
  extremes_->setChecked(field.extremes);
  const QString medium =
      s.medium == PotentialSettings::Medium::constant && s.dielectric == 1 ? tr(" (vacuum)") : QString();
  for (int i = 0; i < method_->count(); ++i)
    method_->setItemText(
        i, method_->itemData(i).toString() + (is_screened(static_cast<Method>(i)) ? tr(" (screened)") : medium));
  method_->setCurrentIndex(static_cast<int>(s.method));
  int step = -1;
  for (int i = 0; i < static_cast<int>(std::size(accuracies)); ++i)
    if (std::abs(accuracies[i] / s.accuracy - 1) < 1e-6) step = i;
  const int steps = static_cast<int>(std::size(accuracies));
  if (accuracy_->count() > steps) accuracy_->removeItem(steps);
  if (step < 0) accuracy_->addItem(percent(s.accuracy));  // set elsewhere
  accuracy_->setCurrentIndex(step < 0 ? steps : step);
  show_number(cutoff_, s.cutoff);
  show_thresholds(*thresholds_, s.hcp_thresholds);
  charges_each_->setCurrentIndex(s.hcp_charges - 1);
  medium_->setCurrentIndex(static_cast<int>(s.medium));
  show_number(dielectric_, s.dielectric);
  show_number(ionic_strength_, s.ionic_strength);
  show_number(solvent_, s.solvent_dielectric);
  show_number(solute_, s.solute_dielectric);
  nonlinear_->setChecked(s.nonlinear);
  const int targets = static_cast<int>(std::size(target_errors));
  int target = 0;
  while (target < targets && std::abs(target_errors[target] - s.target_error) > 1e-9) ++target;
  if (target_->count() > targets) target_->removeItem(targets);
  if (target == targets) target_->addItem(percent(s.target_error));  // set elsewhere
  target_->setCurrentIndex(target);
  show_number(temperature_, s.temperature);
  periodic_->setChecked(s.periodic);

  show_row(form_, paint_,
           field.kind != Field::Kind::potential && field.kind != Field::Kind::contacts &&
               (wraps || has_charges || painted || mapped || !maps_.empty()));
  show_row(form_, map_, mapped);
  // Which method, how well and in which unit is asked for elsewhere where the parameters are alone.
  const bool all = active && part_ == Part::all;
  show_row(form_, unit_, all);
  show_row(form_, range_, painted || curved || mapped);
  show_row(form_, offset_, painted || mapped);
  show_row(form_, extremes_, painted || mapped);
  show_row(form_, method_, all);
  show_row(form_, accuracy_, all && (multilevel || mesh));
  show_row(form_, cutoff_, active && s.method == Method::cutoff);
  show_row(form_, thresholds_, active && parts);
  show_row(form_, charges_each_, active && parts);
  show_row(form_, medium_, active && !screened && s.method != Method::msm && !mesh);
  show_row(form_, dielectric_, active && !screened && s.medium == PotentialSettings::Medium::constant);
  show_row(form_, ionic_strength_, active && screened);
  show_row(form_, solvent_, active && screened);
  show_row(form_, solute_, active && s.method == Method::pb);
  show_row(form_, target_, all && s.method == Method::pb);
  show_row(form_, nonlinear_, active && s.method == Method::pb);
  show_row(form_, temperature_, active && (screened || (all && s.unit == PotentialSettings::Unit::thermal)));
  show_row(form_, periodic_, active && multilevel && (has_cell || s.periodic));
  for (QWidget* fact : std::initializer_list<QWidget*>{charge_, error_, used_, compare_}) show_row(form_, fact, all);
}

void PotentialRows::show_legend(const std::optional<FieldLegend>& legend) {
  if (!legend) {
    charge_->setText(QStringLiteral("\u2013"));
    error_->setText(QStringLiteral("\u2013"));
    used_->setText(QStringLiteral("\u2013"));
    return;
  }
  charge_->setText(QStringLiteral("%1\u202fe").arg(to_qt(isolume::charge_text(legend->total_charge))));
  used_->setText(to_qt(legend->note.empty() ? legend->method : legend->method + "; " + legend->note));
  const QString where = legend->at_surface ? tr("at the surface") : tr("over the map");
  const QString near =
      legend->near_relative_error > 0 ? tr(", %1 near charges").arg(legend->near_relative_error, 0, 'e', 1) : QString();
  // Of no difference between two fields nothing is a part.
  const QString relative = legend->error > 0 && legend->relative_error == 0
                               ? QString()
                               : tr(", %1 relative").arg(legend->relative_error, 0, 'e', 1);
  const QString text = legend->error_estimated ? tr("estimated: %1 %2 rms %3, %4 %2 at most%5%6, at %7 points")
                                               : tr("%1 %2 rms %3, %4 %2 at most%5%6, at %7 points");
  error_->setText(text.arg(legend->error, 0, 'e', 1)
                      .arg(to_qt(legend->unit), where)
                      .arg(legend->maximum_error, 0, 'e', 1)
                      .arg(relative, near)
                      .arg(legend->error_points));
}

}  // namespace isolume
