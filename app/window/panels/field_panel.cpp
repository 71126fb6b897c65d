// The panel of computed fields: the list, and the display of the selected one.
#include "app/window/panels/field_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QTreeView>
#include <algorithm>
#include <cmath>

#include "app/documents/titles.h"
#include "app/fields/cloud.h"
#include "app/fields/field_atoms.h"
#include "app/fields/surface_paint.h"
#include "app/models/labels.h"
#include "app/scene/named_selections.h"
#include "app/view/usual_look.h"
#include "app/view/usual_potential.h"
#include "app/window/panels/difference_rows.h"
#include "app/window/panels/level_rows.h"
#include "app/window/panels/potential_rows.h"
#include "app/window/panels/scatter_rows.h"
#include "app/window/panels/shape_rows.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/colour_button.h"
#include "app/window/widgets/list_bar.h"
#include "app/window/widgets/number_tips.h"
#include "app/window/widgets/outline_edit.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"
#include "app/window/widgets/transfer_edit.h"
#include "compute/base/memory.h"

namespace isolume {

int molecule_for(const SceneController& controller, Field::Kind kind) {
  for (std::size_t i = 0; i < controller.scene().molecules.size(); ++i) {
    const auto molecule = controller.molecule(i);
    if (!molecule) continue;
    bool has = false;
    switch (kind) {
      case Field::Kind::gaussian:
      case Field::Kind::solvent_excluded:
      case Field::Kind::solvent_accessible:
      case Field::Kind::cavities:
      case Field::Kind::contacts:
        has = molecule->atom_count() > 0 && molecule->frame_count() > 0;
        break;
      case Field::Kind::orbital:
        has = !molecule->orbitals.empty();
        break;
      case Field::Kind::potential:
        has = molecule->topology && molecule->topology->has_charges;
        break;
      case Field::Kind::volume:
        has = !molecule->volumes.empty();
        break;
    }
    if (has) return static_cast<int>(i);
  }
  return -1;
}

FieldPanel::FieldPanel(SceneController& controller, QWidget* parent)
    : QWidget(parent), controller_(controller), model_(tr("Atoms or map")) {
  setAccessibleName(tr("Surfaces and maps"));
  build_list();
  build_form();
  connect_form();
  lay_out_panel(this, list_, bar_, form_);
  connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &FieldPanel::show_current);
  controller_.listen(this, SceneParts::molecules | SceneParts::fields | SceneParts::frame, &FieldPanel::show_scene);
  show_scene(controller_.scene());
}

void FieldPanel::build_list() {
  list_ = make_list_view(model_, tr("Surfaces and maps of the scene"), this);
  empty_ = make_hint(tr("No surfaces or maps. + lists those there can be"), list_);
  bar_ = new ListBar(tr("surface or map"), this);
  bar_->add_menu(list_);
  auto* as_file = new QAction(tr("&Export..."), list_);
  as_file->setToolTip(tr("Export the values or the surface as a file for other programs"));
  connect(as_file, &QAction::triggered, this, [this] {
    if (list_->currentIndex().isValid()) Q_EMIT export_asked(list_->currentIndex().row());
  });
  list_->addAction(as_file);
  auto* menu = new QMenu(bar_->add_button());
  menu->setAccessibleName(tr("Kinds of surfaces and maps"));
  menu->setToolTipsVisible(true);
  bar_->add_button()->setMenu(menu);
  bar_->add_button()->setPopupMode(QToolButton::InstantPopup);
  connect(menu, &QMenu::aboutToShow, this, &FieldPanel::fill_add_menu);

  connect(bar_, &ListBar::duplicate, this, [this] {
    const int row = current();
    if (row < 0) return;
    controller_.edit(tr("Duplicate surface or map"), [row](Scene& scene) {
      const Field copy = scene.fields[static_cast<std::size_t>(row)];
      scene.fields.insert(scene.fields.begin() + row + 1, copy);
    });
    choose(row + 1);
  });
  connect(bar_, &ListBar::remove, this, [this] {
    const int row = current();
    if (row < 0) return;
    controller_.edit(tr("Remove surface or map"),
                     [row](Scene& scene) { scene.fields.erase(scene.fields.begin() + row); });
    choose(std::min(row, model_.rowCount() - 1));
  });
  connect(bar_, &ListBar::move, this, [this](int by) {
    const int row = current();
    const int to = row + by;
    if (row < 0 || to < 0 || to >= model_.rowCount()) return;
    controller_.edit(tr("Reorder surfaces and maps"), [row, to](Scene& scene) {
      std::swap(scene.fields[static_cast<std::size_t>(row)], scene.fields[static_cast<std::size_t>(to)]);
    });
    choose(to);
  });
  connect(&model_, &SceneListModel::row_dragged, this, [this](int from, int to) {
    controller_.edit(tr("Reorder surfaces and maps"), [from, to](Scene& scene) {
      const auto first = scene.fields.begin();
      from < to ? std::rotate(first + from, first + from + 1, first + to)
                : std::rotate(first + to, first + from, first + from + 1);
    });
    choose(from < to ? to - 1 : to);
  });
  connect(&model_, &SceneListModel::visibility_edited, this, [this](int row, bool visible) {
    controller_.edit(visible ? tr("Show surface or map") : tr("Hide surface or map"),
                     [row, visible](Scene& scene) { scene.fields[static_cast<std::size_t>(row)].visible = visible; });
  });
}

int FieldPanel::current() const {
  const QModelIndex index = list_->currentIndex();
  return index.isValid() && static_cast<std::size_t>(index.row()) < controller_.scene().fields.size() ? index.row()
                                                                                                      : -1;
}

void FieldPanel::choose(int row) {
  if (row >= 0) list_->setCurrentIndex(model_.index(row, 0));
}

void FieldPanel::edit(const QString& what, const std::function<void(Field&)>& change, bool merge) {
  const int row = current();
  if (row < 0) return;
  controller_.edit(
      what, [&](Scene& scene) { change(scene.fields[static_cast<std::size_t>(row)]); }, merge);
}

void FieldPanel::show_summary(int field, const QString& summary) {
  if (summaries_.size() <= static_cast<std::size_t>(field)) summaries_.resize(static_cast<std::size_t>(field) + 1);
  summaries_[static_cast<std::size_t>(field)] = summary;
  if (field == current()) summary_->setText(summary);
}

void FieldPanel::show_scene(const Scene& scene) {
  empty_->setVisible(scene.fields.empty());
  std::vector<SceneRow> rows;
  for (const Field& field : scene.fields) {
    rows.push_back(scene_row(field));
    const auto molecule = controller_.molecule(field.molecule);
    if (field.kind == Field::Kind::volume) {
      if (molecule && field.volume < molecule->volumes.size())
        rows.back().detail = to_qt(volume_title(*molecule, field.volume));
    } else if (scene.molecules.size() > 1) {
      rows.back().detail =
          tr("%1: %2").arg(to_qt(file_title(scene.molecules[field.molecule].paths)), rows.back().detail);
    }
  }
  if (rows.size() != model_.rows().size()) summaries_.assign(rows.size(), {});
  if (rows != model_.rows()) model_.set_rows(std::move(rows));
  if (current() < 0 && model_.rowCount() > 0) choose(0);
  show_molecules(molecule_, scene);
  show_current();
}

void FieldPanel::show_current() {
  const int row = current();
  bar_->set_state(row, model_.rowCount(), !controller_.scene().molecules.empty());
  form_->setVisible(row >= 0);
  if (row < 0) return;
  const Field& field = controller_.scene().fields[static_cast<std::size_t>(row)];
  const auto molecule = controller_.molecule(field.molecule);
  molecule_->setCurrentIndex(static_cast<int>(field.molecule));
  const std::uint32_t of = field.kind == Field::Kind::volume ? field.zone_molecule : field.molecule;
  selection_->set_molecule(molecule, controller_.scene().frame, names_of(controller_.scene(), of));
  selection_->set_text(to_qt(field.selection));
  partners_->set_molecule(molecule, controller_.scene().frame, names_of(controller_.scene(), of));
  partners_->set_text(to_qt(field.partners));
  if (!orbital_->hasFocus()) orbital_->setText(to_qt(field.orbital));
  spin_->setCurrentIndex(field.spin == Spin::beta ? 1 : 0);
  QStringList volumes;
  for (std::size_t i = 0; molecule && i < molecule->volumes.size(); ++i) {
    volumes += to_qt(volume_title(*molecule, i)).simplified();
  }
  if (volume_->count() != volumes.size() || (volume_->count() > 0 && volume_->itemText(0) != volumes.first())) {
    volume_->clear();
    volume_->addItems(volumes);
  }
  volume_->setCurrentIndex(static_cast<int>(field.volume));
  show_range(field);
  isovalue_->set_value(shown_isovalue(field));
  {
    const QSignalBlocker quiet(spacing_);
    if (!spacing_->hasFocus()) spacing_->setValue(field.spacing);
  }
  radius_scale_->set_value(double(field.radius_scale));
  beads_->setCurrentIndex(static_cast<int>(field.beads));
  quality_->setCurrentIndex(static_cast<int>(field.quality));
  probe_->set_value(field.probe_radius);
  {
    const QSignalBlocker quiet(zone_);
    if (!zone_->hasFocus()) zone_->setValue(field.zone);
  }
  for (int axis = 0; axis < 3; ++axis) {
    QSpinBox* box = repeat_[static_cast<std::size_t>(axis)];
    const QSignalBlocker quiet(box);
    if (!box->hasFocus()) box->setValue(field.repeat[axis]);
  }
  colouring_->setCurrentIndex(static_cast<int>(field.colouring));
  both_signs_->setChecked(field.both_signs);
  interatomic_->setChecked(field.interatomic);
  periodic_->setChecked(field.periodic);
  colour_->set_colour(field.colour.a > 0 ? field.colour : glm::u8vec4(144, 144, 144, 255));
  negative_colour_->set_colour(field.negative_colour);
  shape_->show_field(field);
  findChild<LevelRows*>()->show_field(row);
  transfer_->set_points(transfer_of(field), field.both_signs);
  show_cloud_range(field, static_cast<std::size_t>(row));
  show_sigma(field, static_cast<std::size_t>(row));
  material_->setCurrentIndex(static_cast<int>(field.material));
  outline_->set_outline(field.outline);
  opacity_->set_value(100 * double(field.opacity));
  summary_->setText(static_cast<std::size_t>(row) < summaries_.size() ? summaries_[static_cast<std::size_t>(row)]
                                                                      : QString());
  ask_cell(molecule);
  show_rows(field);
  show_cost();
  std::vector<PotentialRows::Map> maps;
  for (std::size_t m = 0; m < controller_.scene().molecules.size(); ++m) {
    const auto loaded = controller_.molecule(m);
    for (std::size_t v = 0; loaded && v < loaded->volumes.size(); ++v)
      maps.push_back({to_qt(map_title(*loaded->volumes[v], *loaded)).simplified(), to_qt(loaded->volumes[v]->unit),
                      static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(v)});
  }
  potential_->show_field(field, molecule, std::move(maps), has_cell_);
  difference_->show_field(field);
  scatter_->show_field(field);
  const auto at = static_cast<std::size_t>(row);
  potential_->show_legend(at < legends_.size() ? legends_[at] : std::nullopt);
  show_scatter(at);
}

void FieldPanel::ask_cell(const std::shared_ptr<const Molecule>& molecule) {
  if (molecule == asked_) return;
  asked_ = molecule;
  has_cell_ = false;
  if (!molecule || molecule->frame_count() == 0) return;
  run_async(
      this, [molecule] { return molecule->trajectory->frame(0).cell.exists(); },
      [this, molecule](bool exists) {
        if (molecule != asked_ || exists == has_cell_) return;
        has_cell_ = exists;
        show_current();
      },
      [](const QString&) {});
}

QString FieldPanel::cost_of(const FieldResult& result) {
  if (result.seconds <= 0 || result.grid.size() == 0) return {};
  const glm::ivec3 n = result.grid.counts;
  QString cost = tr("Recomputed: %1 s last time for %2 x %3 x %4 points")
                     .arg(result.seconds, 0, 'g', 2)
                     .arg(n.x)
                     .arg(n.y)
                     .arg(n.z);
  if (result.predicted_bytes > 0) cost += tr(", %1").arg(to_qt(bytes_in_words(result.predicted_bytes)));
  return cost;
}

void FieldPanel::show_cost() {
  const int row = current();
  const QString known = row >= 0 && row < costs_.size() ? costs_[row] : QString();
  set_cost(form_, known.isEmpty() ? tr("Recomputed; time and memory grow with the number of grid points") : known);
}

void FieldPanel::show_cloud_range(const Field& field, std::size_t row) {
  cloud_range_->set_value(cloud_range(field, row < cloud_ranges_.size() ? cloud_ranges_[row] : 0) *
                          shown_factor(field));
}

void FieldPanel::show_sigma(const Field& field, std::size_t row) {
  if (field.kind != Field::Kind::volume) return;
  const auto [mean, deviation] = row < spreads_.size() ? spreads_[row] : std::pair(0.0, 0.0);
  isovalue_->set_suffix(deviation > 0 ? tr("= %1 \u03c3").arg((effective_isovalue(field) - mean) / deviation, 0, 'f', 2)
                                      : QString());
}

void FieldPanel::show_scatter(std::size_t row) {
  if (row < scatters_.size())
    scatter_->show_result(scatters_[row], row < legends_.size() ? legends_[row] : std::nullopt);
}

void FieldPanel::show_results(const std::vector<FieldResult>& results) {
  scatters_.clear();
  for (const FieldResult& result : results) scatters_.push_back(result.scatter);
  spreads_.clear();
  for (const FieldResult& result : results) spreads_.emplace_back(result.mean, result.deviation);
  legends_.assign(results.size(), std::nullopt);
  cloud_ranges_.assign(results.size(), 0);
  for (std::size_t i = 0; i < results.size(); ++i) {
    legends_[i] = results[i].legend;
    cloud_ranges_[i] = results[i].automatic_range;
  }
  const auto row = static_cast<std::size_t>(current());
  const bool there = current() >= 0 && row < legends_.size();
  potential_->show_legend(there ? legends_[row] : std::nullopt);
  const auto& fields = controller_.scene().fields;
  if (there && row < fields.size()) show_cloud_range(fields[row], row);
  if (there && row < fields.size()) show_sigma(fields[row], row);
  if (there) show_scatter(row);
  costs_.clear();
  for (const FieldResult& result : results) costs_ += cost_of(result);
  show_cost();
}

}  // namespace isolume
