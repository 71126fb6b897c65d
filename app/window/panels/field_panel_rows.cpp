// The panel of computed fields: which controls the chosen one has, and their ranges.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>

#include "app/fields/cloud.h"
#include "app/fields/line_field.h"
#include "app/fields/surface_paint.h"
#include "app/models/labels.h"
#include "app/scene/density_name.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/potential_rows.h"
#include "app/window/widgets/colour_button.h"
#include "app/window/widgets/outline_edit.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"
#include "app/window/widgets/transfer_edit.h"

namespace isolume {

bool FieldPanel::has_atoms(std::uint32_t molecule) const {
  const auto loaded = controller_.molecule(molecule);
  return loaded && loaded->atom_count() > 0 && loaded->frame_count() > 0;
}

int FieldPanel::first_with_atoms() const {
  for (std::uint32_t m = 0; m < controller_.scene().molecules.size(); ++m)
    if (has_atoms(m)) return static_cast<int>(m);
  return -1;
}

void FieldPanel::show_rows(const Field& field) {
  const bool gaussian = field.kind == Field::Kind::gaussian;
  const bool wraps = wraps_atoms(field.kind);
  const bool painted = field.kind != Field::Kind::potential && field.paint == Field::Paint::potential;
  const bool by_values = painted || painted_by_map(field) || (wraps && field.paint == Field::Paint::curvature);
  const bool contacts = field.kind == Field::Kind::contacts;
  const bool atoms = wraps || contacts || field.kind == Field::Kind::potential || painted;
  const bool orbital = field.kind == Field::Kind::orbital;
  const bool volume = field.kind == Field::Kind::volume;
  const auto molecule = controller_.molecule(field.molecule);
  const auto orbitals = molecule ? molecule->orbitals_at(0) : nullptr;
  show_row(rows_, molecule_, controller_.scene().molecules.size() > 1);
  show_row(rows_, selection_, atoms);
  show_row(rows_, partners_, contacts);
  show_row(rows_, orbital_, orbital);
  show_row(rows_, spin_, orbital && orbitals && orbitals->unrestricted && !names_density(field.orbital));
  show_row(rows_, volume_, volume);
  const bool paths = shows_bond_paths(field);
  show_row(rows_, spacing_, !volume && !paths);
  show_row(rows_, radius_scale_, gaussian);
  show_row(rows_, beads_, gaussian);
  show_row(rows_, quality_, gaussian);
  const bool bare = field.kind == Field::Kind::solvent_excluded && field.probe_radius <= 0;
  show_row(rows_, probe_, wraps && !gaussian && !bare);
  show_row(rows_, zone_, volume && !is_cloud(field) && first_with_atoms() >= 0);
  show_row(rows_, copies_, volume);
  show_row(rows_, periodic_, wraps && field.kind != Field::Kind::cavities && (has_cell_ || field.periodic));
  const bool cloud = is_cloud(field);
  show_row(rows_, transfer_, cloud);
  show_row(rows_, cloud_range_, cloud);
  show_row(rows_, outline_,
           !cloud && !paths && field.slice.kind == SlicePlane::Kind::none && field.style == Surface::Style::solid);
  show_row(rows_, material_, !cloud && field.slice.kind == SlicePlane::Kind::none);
  const bool lines_of_atoms = shows_lines(field) && field.kind == Field::Kind::potential;
  show_row(rows_, isovalue_, gaussian || (!wraps && !cloud && !lines_of_atoms && !paths));
  show_row(rows_, colouring_, wraps && !by_values);
  show_row(rows_, interatomic_, paths);
  show_row(rows_, both_signs_, !wraps && !contacts && !lines_of_atoms && !paths);
  show_row(rows_, colours_,
           !by_values && !paths && !contacts &&
               (!wraps || field.colouring == Colouring::uniform || field.colouring == Colouring::element));
  negative_colour_->setVisible(!wraps && (field.both_signs || shows_lines(field)));
}

void FieldPanel::show_range(const Field& field) {
  const bool density = field.kind == Field::Kind::orbital && names_density(field.orbital);
  const bool density_before = range_of_.kind == Field::Kind::orbital && names_density(range_of_.orbital);
  if (field.kind == range_of_.kind && density == density_before && field.volume == range_of_.volume &&
      field.molecule == range_of_.molecule && field.potential.unit == range_of_.potential.unit &&
      (field.isovalue < 0) == (range_of_.isovalue < 0) && field.both_signs == range_of_.both_signs &&
      isovalue_->box()->maximum() > 1e-12 && isovalue_->property("kind").isValid()) {
    return;
  }
  range_of_ = field;
  isovalue_->setProperty("kind", static_cast<int>(field.kind));
  isovalue_->set_suffix(density ? tr("bohr\u207b\u00b3") : isovalue_unit(field.kind));
  cloud_range_->set_suffix(field.kind == Field::Kind::potential ? QString::fromUtf8(name(field.potential.unit))
                                                                : isovalue_unit(field.kind));
  cloud_range_->set_range(1e-4, 1e4, ValueSlider::Scale::logarithmic, 4);
  switch (field.kind) {
    case Field::Kind::gaussian:
      isovalue_->set_range(0.05, 5, ValueSlider::Scale::logarithmic, 3);
      break;
    case Field::Kind::orbital:
      isovalue_->set_range(density ? 1e-4 : 0.002, 0.5, ValueSlider::Scale::logarithmic, density ? 5 : 4);
      break;
    case Field::Kind::potential:
      isovalue_->set_range(1e-3 * shown_factor(field), 20 * shown_factor(field), ValueSlider::Scale::logarithmic, 3);
      isovalue_->set_suffix(QString::fromUtf8(name(field.potential.unit)));
      break;
    case Field::Kind::volume:
      // The slider keeps the sign, the number may have either: favourable energies are below 0.
      field.isovalue < 0 ? isovalue_->set_range(-1e4, -1e-4, ValueSlider::Scale::logarithmic, 5)
                         : isovalue_->set_range(1e-4, 1e4, ValueSlider::Scale::logarithmic, 5);
      if (!field.both_signs) {
        const QSignalBlocker quiet(isovalue_->box());
        isovalue_->box()->setRange(-1e4, 1e4);
      }
      break;
    case Field::Kind::solvent_excluded:
    case Field::Kind::solvent_accessible:
    case Field::Kind::cavities:
      break;  // at 0, always
    case Field::Kind::contacts:
      isovalue_->set_range(1e-3, 0.2, ValueSlider::Scale::logarithmic, 4);
      break;
  }
}

}  // namespace isolume
