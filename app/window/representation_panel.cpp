// The panel in which atoms are given their styles.
#include "app/window/representation_panel.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

#include "app/models/labels.h"
#include "app/window/colour_button.h"
#include "app/window/list_bar.h"
#include "app/window/panel_form.h"
#include "app/window/selection_edit.h"
#include "app/window/value_slider.h"

namespace isolume {

RepresentationPanel::RepresentationPanel(SceneController& controller, QWidget* parent)
    : QWidget(parent), controller_(controller), model_(tr("Atoms")) {
  setAccessibleName(tr("Representations"));
  list_ = make_list_view(model_, tr("Representations of the scene"), this);
  bar_ = new ListBar(tr("representation"), this);
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
  connect(&controller_, &SceneController::scene_changed, this, &RepresentationPanel::show_scene);
  show_scene(controller_.scene());
}

void RepresentationPanel::build_form() {
  form_ = new QWidget(this);
  form_->setAccessibleName(tr("Chosen representation"));
  rows_ = make_form(form_);
  molecule_ = make_box(tr("Molecule"), tr("The molecule whose atoms are shown"), {});
  selection_ = new SelectionEdit;
  style_ = make_box(tr("Style"), tr("How the atoms and bonds are drawn"), style_labels());
  colouring_ = make_box(tr("Colour by"), tr("What decides the colour of an atom"), colouring_labels());
  colour_ = new ColourButton(tr("Colour of the representation"));
  colour_->setToolTip(tr("The one colour; under Element, the colour of carbon"));
  opacity_ = make_percent(tr("Opacity"), tr("100 % is solid, 0 % invisible"));
  sphere_scale_ = new ValueSlider(tr("Sphere size"), tr("Factor on the van der Waals radius"));
  sphere_scale_->set_range(0.1, 2, ValueSlider::Scale::linear, 2);
  bond_radius_ = new ValueSlider(tr("Bond radius"), tr("Radius of bonds in angstrom"));
  bond_radius_->set_range(0.02, 0.6, ValueSlider::Scale::linear, 2);
  bond_radius_->set_suffix(QStringLiteral("\u00c5"));
  line_width_ = new ValueSlider(tr("Line width"), tr("Width of lines in pixels"));
  line_width_->set_range(0.5, 8, ValueSlider::Scale::linear, 1);
  line_width_->set_suffix(QStringLiteral("px"));
  ribbon_width_ = new ValueSlider(tr("Ribbon width"), tr("Half width of helices and strands in angstrom"));
  ribbon_width_->set_range(0.3, 3, ValueSlider::Scale::linear, 2);
  ribbon_width_->set_suffix(QStringLiteral("\u00c5"));

  add_row(rows_, tr("&Molecule"), molecule_);
  add_row(rows_, tr("&Atoms"), selection_, true);
  add_row(rows_, tr("&Style"), style_);
  add_row(rows_, tr("Colour &by"), colouring_);
  add_row(rows_, tr("&Colour"), colour_);
  add_row(rows_, tr("&Opacity"), opacity_);
  add_row(rows_, tr("Sphere si&ze"), sphere_scale_);
  add_row(rows_, tr("Bond &radius"), bond_radius_);
  add_row(rows_, tr("&Line width"), line_width_);
  add_row(rows_, tr("&Ribbon width"), ribbon_width_);

  connect(molecule_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change molecule"), [index](Representation& r) { r.molecule = static_cast<std::uint32_t>(index); });
  });
  connect(selection_, &SelectionEdit::entered, this, [this](const QString& text) {
    edit(tr("Change selection"), [&](Representation& r) { r.selection = text.toStdString(); });
  });
  connect(style_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change style"), [index](Representation& r) { r.style = static_cast<Style>(index); });
  });
  connect(colouring_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change colouring"), [index](Representation& r) {
      r.colouring = static_cast<Colouring>(index);
      if (r.colouring == Colouring::uniform && r.colour.a == 0) r.colour = {0, 114, 178, 255};
      if (r.colouring == Colouring::element) r.colour = {0, 0, 0, 0};
    });
  });
  connect(colour_, &ColourButton::chosen, this, [this](const QColor& c) {
    edit(tr("Change colour"), [&](Representation& r) { r.colour = {c.red(), c.green(), c.blue(), 255}; });
  });
  connect(opacity_, &ValueSlider::moved, this, [this](double percent) {
    edit(
        tr("Change opacity"), [percent](Representation& r) { r.opacity = static_cast<float>(percent / 100); }, true);
  });
  const auto measure = [this](ValueSlider* slider, float StyleOptions::*member, const QString& what) {
    connect(slider, &ValueSlider::moved, this, [this, member, what](double value) {
      edit(
          what, [=](Representation& r) { r.options.*member = static_cast<float>(value); }, true);
    });
  };
  measure(sphere_scale_, &StyleOptions::sphere_scale, tr("Change sphere size"));
  measure(bond_radius_, &StyleOptions::bond_radius, tr("Change bond radius"));
  measure(line_width_, &StyleOptions::line_width, tr("Change line width"));
  measure(ribbon_width_, &StyleOptions::cartoon_width, tr("Change ribbon width"));
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
  for (const Representation& representation : scene.representations) rows.push_back(scene_row(representation));
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
  selection_->set_molecule(controller_.molecule(r.molecule), controller_.scene().frame);
  selection_->set_text(to_qt(r.selection));
  style_->setCurrentIndex(static_cast<int>(r.style));
  colouring_->setCurrentIndex(static_cast<int>(r.colouring));
  colour_->set_colour(r.colour.a > 0 ? r.colour : glm::u8vec4(144, 144, 144, 255));
  opacity_->set_value(100 * double(r.opacity));
  sphere_scale_->set_value(double(r.options.sphere_scale));
  bond_radius_->set_value(double(r.options.bond_radius));
  line_width_->set_value(double(r.options.line_width));
  ribbon_width_->set_value(double(r.options.cartoon_width));

  const bool balls = r.style == Style::spheres || r.style == Style::ball_and_stick;
  const bool bonds =
      r.style == Style::sticks || r.style == Style::ball_and_stick || r.style == Style::tube || r.style == Style::trace;
  show_row(rows_, molecule_, controller_.scene().molecules.size() > 1);
  show_row(rows_, colour_, r.colouring == Colouring::uniform || r.colouring == Colouring::element);
  show_row(rows_, sphere_scale_, balls);
  show_row(rows_, bond_radius_, bonds);
  show_row(rows_, line_width_, r.style == Style::lines || r.style == Style::points);
  show_row(rows_, ribbon_width_, r.style == Style::cartoon);
}

}  // namespace isolume
