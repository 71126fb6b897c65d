// The panel of clipping planes: their positions, the objects they cut, and actions that add one.
#include "app/window/panels/clip_panel.h"

#include <QAction>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/models/labels.h"
#include "app/view/clip_planes.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/flow_layout.h"
#include "app/window/widgets/list_bar.h"
#include "app/window/widgets/number_tips.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/value_slider.h"
#include "molecule/base/error.h"

namespace isolume {

ClipPanel::ClipPanel(SceneController& controller, std::function<bool(PickedAtom, glm::vec3&)> position,
                     std::function<double()> radius, QWidget* parent)
    : QWidget(parent),
      controller_(controller),
      position_(std::move(position)),
      radius_(std::move(radius)),
      model_(tr("Cuts away along")) {
  setAccessibleName(tr("Clipping planes"));
  model_.set_title(tr("Plane"));
  list_ = make_list_view(model_, tr("Clipping planes of the scene"), this);
  bar_ = new ListBar(tr("clipping plane"), this);
  bar_->add_menu(list_);
  build_actions();
  build_form();
  // Side by side: the panel is at the bottom of the window, where there is more width than height.
  auto* left = new QVBoxLayout;
  left->setSpacing(6);
  left->addWidget(list_, 1);
  left->addWidget(bar_);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 6);
  layout->setSpacing(12);
  layout->addLayout(left, 1);
  layout->addWidget(scroll_form(this, form_), 1);
  make_hint(tr("No clipping planes. + adds one that faces you; View > Clipping planes has others"), list_)
      ->setObjectName(QStringLiteral("no_planes"));

  connect(bar_, &ListBar::add, actions_.front(), &QAction::trigger);
  connect(bar_, &ListBar::duplicate, this, [this] {
    if (current() >= 0) add(controller_.scene().clip_planes[static_cast<std::size_t>(current())]);
  });
  connect(bar_, &ListBar::remove, this, [this] {
    const int row = current();
    if (row < 0) return;
    controller_.edit(tr("Remove clipping plane"),
                     [row](Scene& scene) { scene.clip_planes.erase(scene.clip_planes.begin() + row); });
    choose(std::min(row, model_.rowCount() - 1));
  });
  const auto reorder = [this](int from, int to) {
    if (from < 0 || to < 0 || to >= model_.rowCount() || from == to) return;
    controller_.edit(tr("Reorder clipping planes"), [from, to](Scene& scene) {
      const auto first = scene.clip_planes.begin();
      from < to ? std::rotate(first + from, first + from + 1, first + to + 1)
                : std::rotate(first + to, first + from, first + from + 1);
    });
    choose(to);
  };
  connect(bar_, &ListBar::move, this, [this, reorder](int by) { reorder(current(), current() + by); });
  connect(&model_, &SceneListModel::row_dragged, this,
          [reorder](int from, int to) { reorder(from, from < to ? to - 1 : to); });
  connect(&model_, &SceneListModel::visibility_edited, this, [this](int row, bool on) {
    controller_.edit(on ? tr("Turn clipping plane on") : tr("Turn clipping plane off"),
                     [row, on](Scene& scene) { scene.clip_planes[static_cast<std::size_t>(row)].on = on; });
  });
  connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ClipPanel::show_current);
  connect(&controller_, &SceneController::picked_changed, this, &ClipPanel::show_picked);
  controller_.listen(this, SceneParts::molecules | SceneParts::look, &ClipPanel::show_scene);
  show_scene(controller_.scene());
}

void ClipPanel::build_actions() {
  const auto make = [this](const char* name, const QString& text, const QString& tip) {
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(name));
    action->setToolTip(tip);
    action->setProperty("words", tr("clip cut section slab slice open cross-section"));
    actions_ += action;
    return action;
  };
  const QAction* facing =
      make("clip_view", tr("Add one facing the &viewer"),
           tr("Cut away everything in front of the selected atoms, or in front of the centre of rotation"));
  connect(facing, &QAction::triggered, this, [this] {
    const auto points = picked_points();
    glm::dvec3 through = controller_.scene().camera.centre;
    if (!points.empty()) {
      through = glm::dvec3(0);
      for (const glm::dvec3& point : points) through += point / static_cast<double>(points.size());
    }
    add(plane_facing(controller_.scene().camera, through));
  });
  through_ = make("clip_selected", tr("Add one through the &selected atoms"),
                  tr("Best-fit plane of three or more atoms. With fewer, a plane through them that faces the viewer"));
  connect(through_, &QAction::triggered, this,
          [this] { add(plane_of_points(picked_points(), controller_.scene().camera)); });
  const QString texts[] = {tr("Add one across &a (x)"), tr("Add one across &b (y)"), tr("Add one across &c (z)")};
  const char* names[] = {"clip_a", "clip_b", "clip_c"};
  for (int axis = 0; axis < 3; ++axis) {
    const QAction* across =
        make(names[axis], texts[axis],
             tr("Perpendicular to this vector of the unit cell, or to the axis if there is no cell"));
    connect(across, &QAction::triggered, this, [this, axis] {
      run_async(
          this,
          [scene = controller_.scene(), documents = &controller_.documents(), axis] {
            return plane_across_cell(axis, scene, *documents);
          },
          [this](const ClipPlane& plane) { add(plane); }, [this](const QString& text) { Q_EMIT refused(text); });
    });
  }
  none_ = make("clip_remove", tr("&Remove all"), tr("Remove all clipping planes"));
  connect(none_, &QAction::triggered, this,
          [this] { controller_.edit(tr("Remove clipping planes"), [](Scene& scene) { scene.clip_planes.clear(); }); });
}

void ClipPanel::build_form() {
  form_ = new QWidget(this);
  form_->setAccessibleName(tr("Selected clipping plane"));
  set_cost(form_, tr("Redrawn only, not recomputed"));
  rows_ = make_form(form_);
  offset_ = new ValueSlider(tr("Offset"), tr("Shift of the plane; everything beyond it is cut away"));
  offset_->set_range(-50, 50, ValueSlider::Scale::linear, 1);
  offset_->set_suffix(QStringLiteral("\u202f\u00c5"));
  cuts_ = make_box(tr("Cuts"), tr("Objects that the plane cuts"),
                   {tr("Everything"), tr("Surfaces"), tr("Atoms and bonds")});
  const auto button = [](const QString& text, const QString& tip) {
    auto* made = new QPushButton(text);
    made->setAccessibleName(QString(text).remove(QLatin1Char('&')));
    made->setToolTip(tip);
    made->setAutoDefault(false);
    return made;
  };
  flip_ = button(tr("Fli&p"), tr("Cut away the other side"));
  turn_ = button(tr("&Turn to the view"), tr("Turn the plane to face the viewer"));
  to_picked_ = button(tr("To the selecte&d atoms"), tr("Move the plane into the middle of the selected atoms"));
  add_row(rows_, tr("&Offset"), offset_);
  add_row(rows_, tr("C&uts"), cuts_);
  auto* buttons = new QWidget;
  buttons->setAccessibleName(tr("Turn and move"));
  auto* row = new FlowLayout(buttons);
  for (QPushButton* each : {flip_, turn_, to_picked_}) row->addWidget(each);
  add_wide_row(rows_, buttons);
  connect(offset_, &ValueSlider::moved, this, [this](double value) {
    edit(
        tr("Move clipping plane"), [value](ClipPlane& plane) { plane.offset = value; }, true);
  });
  connect(cuts_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change objects that a clipping plane cuts"),
         [index](ClipPlane& plane) { plane.cuts = static_cast<ClipPlane::Cuts>(index); });
  });
  connect(flip_, &QPushButton::clicked, this, [this] {
    edit(tr("Flip clipping plane"), [](ClipPlane& plane) {
      plane.normal = -plane.normal;
      plane.offset = -plane.offset;  // it stays where it is
    });
  });
  connect(turn_, &QPushButton::clicked, this, [this] {
    edit(tr("Turn clipping plane"), [camera = controller_.scene().camera](ClipPlane& plane) {
      const glm::dvec3 place = plane.point + plane.offset * glm::normalize(plane.normal);
      plane.point = place;
      plane.offset = 0;
      plane.normal = plane_facing(camera, place).normal;
    });
  });
  connect(to_picked_, &QPushButton::clicked, this, [this] {
    const auto points = picked_points();
    if (points.empty()) return;
    edit(tr("Move clipping plane to atoms"), [&](ClipPlane& plane) {
      plane.point = plane_of_points(points, controller_.scene().camera).point;
      plane.offset = 0;
    });
  });
}

void ClipPanel::add_words(const QString& words) {
  run_async(
      this,
      [scene = controller_.scene(), documents = &controller_.documents(), words = words.toStdString()] {
        return clip_plane_of(words, scene, *documents);
      },
      [this](const ClipPlane& plane) { add(plane); }, [this](const QString& text) { Q_EMIT refused(text); });
}

void ClipPanel::add(const ClipPlane& plane) {
  try {
    Scene with = controller_.scene();
    add_clip_plane(with, plane);
    controller_.edit(tr("Add clipping plane"), [&](Scene& scene) { scene.clip_planes = with.clip_planes; });
    choose(model_.rowCount() - 1);
    Q_EMIT added();
  } catch (const Error& error) {
    Q_EMIT refused(to_qt(error.what()));
  }
}

int ClipPanel::current() const {
  const QModelIndex index = list_->currentIndex();
  return index.isValid() && static_cast<std::size_t>(index.row()) < controller_.scene().clip_planes.size() ? index.row()
                                                                                                           : -1;
}

void ClipPanel::choose(int row) {
  if (row >= 0) list_->setCurrentIndex(model_.index(row, 0));
}

void ClipPanel::edit(const QString& what, const std::function<void(ClipPlane&)>& change, bool merge) {
  const int row = current();
  if (row < 0) return;
  controller_.edit(
      what, [&](Scene& scene) { change(scene.clip_planes[static_cast<std::size_t>(row)]); }, merge);
}

void ClipPanel::show_scene(const Scene& scene) {
  std::vector<SceneRow> rows;
  for (std::size_t i = 0; i < scene.clip_planes.size(); ++i) {
    const ClipPlane& plane = scene.clip_planes[i];
    const glm::dvec3 n = glm::normalize(plane.normal);
    const auto part = [](double v) { return QString::number(std::abs(v) < 0.005 ? 0.0 : v, 'f', 2); };
    SceneRow row;
    row.visible = plane.on;
    row.what = tr("Plane %1").arg(i + 1);
    row.detail = QStringLiteral("(%1, %2, %3)").arg(part(n.x), part(n.y), part(n.z));
    rows.push_back(row);
  }
  if (rows != model_.rows()) model_.set_rows(std::move(rows));
  if (current() < 0 && model_.rowCount() > 0) choose(0);
  const bool any = !scene.molecules.empty();
  for (QAction* action : actions_) action->setEnabled(any);
  none_->setEnabled(!scene.clip_planes.empty());
  if (auto* hint = list_->viewport()->findChild<QWidget*>(QStringLiteral("no_planes")))
    hint->setVisible(scene.clip_planes.empty());
  show_picked();
  show_current();
}

void ClipPanel::show_picked() {
  const bool any = !controller_.picked().empty() && !controller_.scene().molecules.empty();
  through_->setEnabled(any);
  to_picked_->setEnabled(any);
}

void ClipPanel::show_current() {
  const int row = current();
  bar_->set_state(row, model_.rowCount(),
                  !controller_.scene().molecules.empty() && controller_.scene().clip_planes.size() < most_clip_planes);
  form_->setVisible(row >= 0);
  if (row < 0) return;
  const ClipPlane& plane = controller_.scene().clip_planes[static_cast<std::size_t>(row)];
  // From one end of the drawing to the other, in round numbers; it grows but does not shrink during a drag.
  const double reach = 10 * std::ceil(std::max({2 * radius_(), std::abs(plane.offset), 10.0}) / 10);
  if (reach > offset_->box()->maximum() || reach < 0.5 * offset_->box()->maximum())
    offset_->set_range(-reach, reach, ValueSlider::Scale::linear, 1);
  offset_->set_value(plane.offset);
  cuts_->setCurrentIndex(static_cast<int>(plane.cuts));
}

std::vector<glm::dvec3> ClipPanel::picked_points() const {
  std::vector<glm::dvec3> points;
  for (const PickedAtom& atom : controller_.picked()) {
    glm::vec3 point;
    if (position_(atom, point)) points.emplace_back(point);
  }
  return points;
}

}  // namespace isolume
