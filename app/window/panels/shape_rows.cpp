// The part of a field's form for its style: surface, mesh, points, colours on a plane, cloud, lines.
#include "app/window/panels/shape_rows.h"

#include <QComboBox>
#include <QGridLayout>

#include "app/fields/cloud.h"
#include "app/fields/line_field.h"
#include "app/models/labels.h"
#include "app/scene/density_name.h"
#include "app/scene/named_selections.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"
#include "app/window/widgets/value_slider.h"
#include "molecule/selection/index_selection.h"

namespace isolume {
namespace {

constexpr int slice_row = 3, cloud_row = 4;  // behind the styles of surfaces
constexpr int lines_row = 5;                 // field lines, of electron densities bond paths
constexpr double farthest = 10;

bool can_have_lines(const Field& field) {
  return field.kind == Field::Kind::potential || field.kind == Field::Kind::volume;
}

bool can_have_bond_paths(const Field& field) {
  return field.kind == Field::Kind::orbital && field.orbital == electron_density_name;
}

SlicePlane::Kind kind_of(int row) {
  return static_cast<SlicePlane::Kind>(row + static_cast<int>(SlicePlane::Kind::x));
}

}  // namespace

ShapeRows::ShapeRows(QGridLayout* form, SceneController& controller, QObject* parent)
    : QObject(parent), form_(form), controller_(controller) {
  QStringList styles = surface_style_labels();
  styles += {tr("Slice plane"), tr("Cloud"), tr("Field lines")};
  style_ = make_box(tr("Style"),
                    tr("Surface, mesh, points, slice plane, cloud (volume rendering), field lines, or of an electron "
                       "density its critical points and bond paths"),
                    styles);
  lines_ = new ValueSlider(tr("Number of lines"), tr("Largest number of field lines, 10 to 1000; denser where the "
                                                     "field is stronger.\nTime grows with their number"));
  lines_->set_range(10, 1000, ValueSlider::Scale::logarithmic, 0);
  plane_ = make_box(tr("Plane"), tr("Across an axis through the centre of the atoms, or through selected atoms"),
                    {tr("Across x"), tr("Across y"), tr("Across z"), tr("Through atoms")});
  atoms_ = new SelectionEdit;
  atoms_->line()->setAccessibleName(tr("Atoms of the plane"));
  offset_ = new ValueSlider(tr("Offset of the plane"), tr("Distance along the normal of the plane in angstrom"));
  offset_->set_range(-farthest, farthest, ValueSlider::Scale::linear, 2);
  offset_->set_suffix(QStringLiteral("\u202f\u00c5"));
  from_ = make_box(tr("Field lines through"),
                   tr("Places that field lines go through: the surface of the atoms or the isosurfaces, a plane, or "
                      "spheres around atoms"),
                   {tr("Surface"), tr("Plane"), tr("Around atoms")});
  radius_ = new ValueSlider(tr("Distance from the atoms"), tr("Radius of the spheres in angstrom"));
  radius_->set_range(0.5, 20, ValueSlider::Scale::logarithmic, 2);
  radius_->set_suffix(QStringLiteral("\u202f\u00c5"));
  add_row(form, tr("St&yle"), style_);
  add_row(form, tr("Through"), from_);
  add_row(form, tr("P&lane"), plane_);
  add_row(form, tr("Plane atoms"), atoms_, true);
  add_row(form, tr("Offse&t"), offset_);
  add_row(form, tr("Distance"), radius_);
  add_row(form, tr("Li&nes"), lines_);
  for (QWidget* row : std::initializer_list<QWidget*>{from_, plane_, atoms_, offset_, radius_, lines_})
    show_row(form, row, false);
  connect(style_, &QComboBox::activated, this, [this](int row) {
    const SlicePlane::Kind plane = kind_of(plane_->currentIndex());
    const auto change = [row, plane](Field& f) {
      f.slice.kind = row == slice_row ? plane : SlicePlane::Kind::none;
      if (row != slice_row)
        f.show = row == cloud_row    ? Field::Show::cloud
                 : row != lines_row  ? Field::Show::surfaces
                 : can_have_lines(f) ? Field::Show::lines
                                     : Field::Show::paths;
      if (row == lines_row) f.opacity = 1;  // tubes are to be solid, surfaces need not
      if (row < slice_row) f.style = static_cast<Surface::Style>(row);
    };
    Q_EMIT edited(row == slice_row   ? tr("Show on a plane")
                  : row == cloud_row ? tr("Show as cloud")
                  : row == lines_row ? (paths_offered_ ? tr("Show bond paths") : tr("Show field lines"))
                                     : tr("Change surface style"),
                  change, false);
  });
  connect(plane_, &QComboBox::activated, this, [this](int row) {
    const SlicePlane::Kind plane = kind_of(row);
    const std::string picked = plane == SlicePlane::Kind::atoms ? picked_atoms(3) : std::string();
    const auto change = [plane, picked](Field& f) {
      SlicePlane& changed = shows_lines(f) ? f.seeds.plane : f.slice;
      changed.kind = plane;
      if (!picked.empty()) changed.selection = picked;
    };
    Q_EMIT edited(tr("Change plane"), change, false);
  });
  connect(atoms_, &SelectionEdit::entered, this, [this](const QString& text) {
    Q_EMIT edited(
        tr("Change atoms of the plane"),
        [text](Field& f) {
          std::string& changed = !shows_lines(f)                          ? f.slice.selection
                                 : f.seeds.kind == LineSeeds::Kind::atoms ? f.seeds.selection
                                                                          : f.seeds.plane.selection;
          changed = text.toStdString();
        },
        false);
  });
  connect(offset_, &ValueSlider::moved, this, [this](double value) {
    Q_EMIT edited(
        tr("Move plane"), [value](Field& f) { (shows_lines(f) ? f.seeds.plane : f.slice).offset = value; }, true);
  });
  connect(from_, &QComboBox::activated, this, [this](int row) {
    const auto kind = static_cast<LineSeeds::Kind>(row);
    const std::string picked = picked_atoms(kind == LineSeeds::Kind::atoms ? 1 : 3);
    const auto change = [kind, picked](Field& f) {
      f.seeds.kind = kind;
      if (kind == LineSeeds::Kind::atoms && !picked.empty()) f.seeds.selection = picked;
    };
    Q_EMIT edited(tr("Change where field lines are"), change, false);
  });
  connect(radius_, &ValueSlider::moved, this, [this](double value) {
    Q_EMIT edited(
        tr("Change where field lines are"), [value](Field& f) { f.seeds.radius = value; }, true);
  });
  connect(lines_, &ValueSlider::moved, this, [this](double value) {
    Q_EMIT edited(
        tr("Change number of lines"), [value](Field& f) { f.lines = static_cast<std::uint32_t>(value + 0.5); }, true);
  });
}

std::string ShapeRows::picked_atoms(std::size_t least) const {
  std::vector<std::uint32_t> atoms;
  for (const PickedAtom& picked : controller_.picked()) {
    if (picked.molecule == molecule_) atoms.push_back(picked.atom);
  }
  return atoms.size() < least ? std::string() : index_selection(atoms);
}

void ShapeRows::show_field(const Field& field) {
  molecule_ = field.molecule;
  const bool possible = !wraps_atoms(field.kind) && field.kind != Field::Kind::contacts;
  paths_offered_ = can_have_bond_paths(field);
  const int rows = can_have_lines(field) || paths_offered_ ? lines_row + 1 : possible ? lines_row : slice_row;
  const QString more[] = {tr("Slice plane"), tr("Cloud"), paths_offered_ ? tr("Bond paths") : tr("Field lines")};
  while (style_->count() > rows) style_->removeItem(style_->count() - 1);
  while (style_->count() < rows) style_->addItem(more[style_->count() - slice_row]);
  if (rows > lines_row) style_->setItemText(lines_row, more[lines_row - slice_row]);
  const bool sliced = possible && field.slice.kind != SlicePlane::Kind::none;
  const bool lines = shows_lines(field);
  style_->setCurrentIndex(sliced                             ? slice_row
                          : is_cloud(field)                  ? cloud_row
                          : lines || shows_bond_paths(field) ? lines_row
                                                             : static_cast<int>(field.style));
  lines_->set_value(field.lines);
  show_row(form_, lines_, lines);
  from_->setCurrentIndex(static_cast<int>(field.seeds.kind));
  radius_->set_value(field.seeds.radius);
  show_row(form_, from_, lines);
  const bool seeded = lines && field.seeds.kind == LineSeeds::Kind::plane;
  const bool around = lines && field.seeds.kind == LineSeeds::Kind::atoms;
  show_row(form_, radius_, around);
  const SlicePlane& plane = lines ? field.seeds.plane : field.slice;
  if (sliced || seeded) plane_->setCurrentIndex(static_cast<int>(plane.kind) - static_cast<int>(SlicePlane::Kind::x));
  atoms_->set_molecule(controller_.molecule(field.molecule), controller_.scene().frame,
                       names_of(controller_.scene(), field.molecule));
  atoms_->set_text(to_qt(around ? field.seeds.selection : plane.selection));
  set_label(form_, atoms_, around ? tr("Atoms") : tr("Plane atoms"));
  offset_->set_value(plane.offset);
  show_row(form_, plane_, sliced || seeded);
  show_row(form_, atoms_, around || ((sliced || seeded) && plane.kind == SlicePlane::Kind::atoms));
  show_row(form_, offset_, sliced || seeded);
}

void ShapeRows::set_enabled(bool enabled) {
  for (QWidget* widget : std::initializer_list<QWidget*>{style_, from_, plane_, atoms_, offset_, radius_, lines_})
    widget->setEnabled(enabled);
}

}  // namespace isolume
