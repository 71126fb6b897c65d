// The panel in which atoms are given their styles.
#include "app/window/panels/representation_panel.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

#include "app/documents/titles.h"
#include "app/models/labels.h"
#include "app/scene/named_selections.h"
#include "app/window/widgets/colour_button.h"
#include "app/window/widgets/list_bar.h"
#include "app/window/widgets/outline_edit.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"
#include "app/window/widgets/value_slider.h"

namespace isolume {

RepresentationPanel::RepresentationPanel(SceneController& controller, QWidget* parent)
    : QWidget(parent), controller_(controller), model_(tr("Atoms")) {
  setAccessibleName(tr("Representations"));
  list_ = make_list_view(model_, tr("Representations of the scene"), this);
  bar_ = new ListBar(tr("representation"), this);
  bar_->add_menu(list_);
  build_form();
  lay_out_panel(this, list_, bar_, form_);

  connect(bar_, &ListBar::add, this, &RepresentationPanel::add);
  connect(bar_, &ListBar::duplicate, this, [this] {
    const int row = current();
    if (row < 0) return;
    controller_.edit(tr("Duplicate representation"), [row](Scene& scene) {
      const Representation copy = scene.representations[static_cast<std::size_t>(row)];
      scene.representations.insert(scene.representations.begin() + row + 1, copy);
    });
    choose(row + 1);
  });
  connect(bar_, &ListBar::remove, this, [this] {
    const int row = current();
    if (row < 0) return;
    controller_.edit(tr("Remove representation"),
                     [row](Scene& scene) { scene.representations.erase(scene.representations.begin() + row); });
    choose(std::min(row, model_.rowCount() - 1));
  });
  connect(bar_, &ListBar::move, this, [this](int by) {
    const int row = current();
    const int to = row + by;
    if (row < 0 || to < 0 || to >= model_.rowCount()) return;
    controller_.edit(tr("Reorder representations"), [row, to](Scene& scene) {
      std::swap(scene.representations[static_cast<std::size_t>(row)],
                scene.representations[static_cast<std::size_t>(to)]);
    });
    choose(to);
  });
  connect(&model_, &SceneListModel::row_dragged, this, [this](int from, int to) {
    controller_.edit(tr("Reorder representations"), [from, to](Scene& scene) {
      const auto first = scene.representations.begin();
      from < to ? std::rotate(first + from, first + from + 1, first + to)
                : std::rotate(first + to, first + from, first + from + 1);
    });
    choose(from < to ? to - 1 : to);
  });
  connect(&model_, &SceneListModel::visibility_edited, this, [this](int row, bool visible) {
    controller_.edit(visible ? tr("Show representation") : tr("Hide representation"), [row, visible](Scene& scene) {
      scene.representations[static_cast<std::size_t>(row)].visible = visible;
    });
  });
  connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &RepresentationPanel::show_current);
  controller_.listen(this,
                     SceneParts::molecules | SceneParts::representations | SceneParts::measurements | SceneParts::frame,
                     &RepresentationPanel::show_scene);
  show_scene(controller_.scene());
}

int RepresentationPanel::current() const {
  const QModelIndex index = list_->currentIndex();
  return index.isValid() && static_cast<std::size_t>(index.row()) < controller_.scene().representations.size()
             ? index.row()
             : -1;
}

void RepresentationPanel::choose(int row) {
  if (row >= 0) list_->setCurrentIndex(model_.index(row, 0));
}

void RepresentationPanel::add() {
  if (controller_.scene().molecules.empty()) return;
  Representation next;
  const int row = current();
  if (row >= 0) next.molecule = controller_.scene().representations[static_cast<std::size_t>(row)].molecule;
  next.style = Style::sticks;
  controller_.edit(tr("Add representation"), [&](Scene& scene) { scene.representations.push_back(next); });
  choose(model_.rowCount() - 1);
  selection_->line()->setFocus();
  selection_->line()->selectAll();
}

void RepresentationPanel::edit(const QString& what, const std::function<void(Representation&)>& change, bool merge) {
  const int row = current();
  if (row < 0) return;
  controller_.edit(
      what, [&](Scene& scene) { change(scene.representations[static_cast<std::size_t>(row)]); }, merge);
}

void RepresentationPanel::show_scene(const Scene& scene) {
  std::vector<SceneRow> rows;
  for (const Representation& representation : scene.representations) {
    rows.push_back(scene_row(representation));
    if (scene.molecules.size() > 1)
      rows.back().detail =
          tr("%1: %2").arg(to_qt(file_title(scene.molecules[representation.molecule].paths)), rows.back().detail);
  }
  if (rows != model_.rows()) model_.set_rows(std::move(rows));
  if (current() < 0 && model_.rowCount() > 0) choose(0);
  show_molecules(molecule_, scene);
  show_current();
}

void RepresentationPanel::show_current() {
  const int row = current();
  bar_->set_state(row, model_.rowCount(), !controller_.scene().molecules.empty());
  form_->setVisible(row >= 0);
  if (row < 0) return;
  const Representation& r = controller_.scene().representations[static_cast<std::size_t>(row)];
  molecule_->setCurrentIndex(static_cast<int>(r.molecule));
  selection_->set_molecule(controller_.molecule(r.molecule), controller_.scene().frame,
                           names_of(controller_.scene(), r.molecule));
  selection_->set_text(to_qt(r.selection));
  style_->setCurrentIndex(static_cast<int>(r.style));
  colouring_->setCurrentIndex(static_cast<int>(r.colouring));
  colour_->set_colour(r.colour.a > 0 ? r.colour : glm::u8vec4(144, 144, 144, 255));
  material_->setCurrentIndex(static_cast<int>(r.material));
  outline_->set_outline(r.outline);
  opacity_->set_value(100 * double(r.opacity));
  sphere_scale_->set_value(double(r.options.sphere_scale));
  bond_radius_->set_value(double(r.options.bond_radius));
  line_width_->set_value(double(r.options.line_width));
  ribbon_width_->set_value(double(r.options.cartoon_width));
  show_colours(r);
  show_measures(r);
}

}  // namespace isolume
