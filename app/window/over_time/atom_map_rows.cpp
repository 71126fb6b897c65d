// The rows of a form for maps of atoms.
#include "app/window/over_time/atom_map_rows.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <initializer_list>
#include <iterator>

#include "app/cli/over_time/atom_values.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"

namespace isolume {
namespace {

enum Map { density, mass, charge, occupancy, distance, value };
constexpr const char* map_words[] = {"density", "mass", "charge", "occupancy", "distance", "value"};
constexpr std::size_t map_count = std::size(map_words);

}  // namespace

AtomMapRows::AtomMapRows(QGridLayout* form, QWidget* owner) : QObject(owner), form_(form) {
  values_ = make_box(tr("Values"),
                     tr("Number of each atom. Or the path of a file: a table with a column of numbers (csv), or an "
                        "array with one number for each atom, or a row of them for each frame (npy)"),
                     {});
  for (const char* const word : cli::atom_value_words) values_->addItem(QLatin1String(word));
  values_->setEditable(true);
  values_->setInsertPolicy(QComboBox::NoInsert);
  values_->lineEdit()->setAccessibleName(tr("Values"));
  values_->lineEdit()->setToolTip(values_->toolTip());
  atoms_ = new SelectionEdit(owner);
  atoms_->line()->setAccessibleName(tr("Atoms"));
  atoms_->line()->setToolTip(tr("Atoms that are mapped, such as water and name O"));
  atoms_->set_text(QStringLiteral("all"));
  radius_ = make_number(tr("Radius"), tr("Radius of all atoms; 0: each has its own"), 0, 20, 2,
                        QStringLiteral("\u202f\u00c5"));
  radius_->setSingleStep(0.1);
  radius_->setSpecialValueText(tr("Of each atom"));
  spacing_ = make_number(tr("Spacing"), tr("Distance between grid points"), 0.1, 20, 2, QStringLiteral("\u202f\u00c5"));
  spacing_->setSingleStep(0.25);
  spacing_->setValue(1);
  add_row(form_, tr("Values"), values_);
  add_row(form_, tr("Atoms"), atoms_, true);
  add_row(form_, tr("Radius"), radius_);
  add_row(form_, tr("Spacing"), spacing_);
}

std::vector<std::size_t> AtomMapRows::possible(const Molecule& molecule) {
  std::vector<std::size_t> maps;
  for (std::size_t map = 0; map < map_count; ++map)
    if (map != charge || molecule.topology->has_charges) maps.push_back(map);
  return maps;
}

QString AtomMapRows::title(std::size_t map, const QString& file) {
  const QString texts[map_count] = {tr("Density of atoms of %1"),  tr("Mass of atoms of %1"),
                                    tr("Charge of atoms of %1"),   tr("Occupancy by atoms of %1"),
                                    tr("Distance to atoms of %1"), tr("Value of atoms of %1")};
  return texts[map].arg(file);
}

void AtomMapRows::show_for(std::optional<std::size_t> map) {
  show_row(form_, values_, map == value);
  show_row(form_, atoms_, map.has_value());
  show_row(form_, radius_, map && map != distance);
  show_row(form_, spacing_, map.has_value());
}

void AtomMapRows::set_enabled(bool enabled) {
  for (QWidget* row : std::initializer_list<QWidget*>{values_, atoms_, radius_, spacing_}) row->setEnabled(enabled);
}

cli::VolmapChoice AtomMapRows::choice(std::size_t map) const {
  cli::VolmapChoice choice;
  choice.kind = map_words[map];
  choice.selection = atoms_->words();
  choice.spacing = spacing_->value();
  if (map != distance) choice.radius = radius_->value();
  if (map == value) choice.values = values_->currentText().trimmed().toStdString();
  return choice;
}

}  // namespace isolume
