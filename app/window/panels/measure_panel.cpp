// The panel of measurements and labels: distances, angles, dihedrals, names of residues and atoms.
#include "app/window/panels/measure_panel.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QShortcut>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "app/models/labels.h"
#include "app/view/label_set.h"
#include "app/view/measurement.h"
#include "app/window/panels/label_form.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/icons.h"
#include "app/window/widgets/panel_form.h"
#include "molecule/frames.h"
#include "molecule/selection/index_selection.h"

namespace isolume {

QString measured_atom_label(const SceneController& controller, const SceneAtom& atom) {
  const auto topology = controller.topology(atom.molecule);
  if (!topology || atom.atom >= topology->atoms.size()) return QStringLiteral("-");
  return atom_name(*topology, atom.atom);
}

QString point_label(glm::dvec3 point) {
  return QStringLiteral("(%1, %2, %3)").arg(point.x, 0, 'f', 1).arg(point.y, 0, 'f', 1).arg(point.z, 0, 'f', 1);
}

QString measured_ends_label(const SceneController& controller, const Measurement& measurement) {
  QStringList ends;
  for (const SceneAtom& atom : measurement.atoms) ends += measured_atom_label(controller, atom);
  for (const ScenePoint& point : measurement.points) ends += point_label(point.position);
  return ends.join(QStringLiteral(" \u2013 "));
}

MeasurePanel::MeasurePanel(SceneController& controller, std::function<bool(PickedAtom, glm::vec3&)> position,
                           const QList<QAction*>& tools, QWidget* parent)
    : QWidget(parent), controller_(controller), position_(std::move(position)), list_(new QTreeWidget(this)) {
  setAccessibleName(tr("Measure"));
  const auto button = [](QToolButton* made, const QString& name, const QString& tip) {
    made->setAccessibleName(name);
    made->setToolTip(tip);
    made->setFocusPolicy(Qt::TabFocus);  // a click leaves the keys with the picture: 2, two atoms
    made->setAutoRaise(true);
    return made;
  };
  auto* top = new QHBoxLayout;
  top->setSpacing(4);
  for (QAction* tool : tools) {
    auto* made = new QToolButton(this);
    made->setDefaultAction(tool);
    made->setToolButtonStyle(Qt::ToolButtonTextOnly);
    top->addWidget(button(made, QString(tool->text()).remove(QLatin1Char('&')), tool->toolTip()));
  }
  top->addStretch(1);

  list_->setAccessibleName(tr("Measurements and labels of the scene"));
  list_->setToolTip(tr("Measurements with their values in the current frame, and labels"));
  list_->setHeaderLabels({tr("Type"), tr("Atoms"), tr("Value")});
  list_->header()->setAccessibleName(tr("Column headers"));
  list_->setRootIsDecorated(false);
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(1, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);

  remove_ = button(new QToolButton(this), tr("Remove measurements and labels"),
                   tr("Remove the selected measurements and labels (Del)"));
  remove_->setIcon(icon(QStringLiteral("remove")));
  auto* del = new QShortcut(QKeySequence::Delete, list_, nullptr, nullptr, Qt::WidgetShortcut);
  connect(del, &QShortcut::activated, remove_, &QToolButton::click);
  plot_ = button(new QToolButton(this), tr("Plot over frames"),
                 tr("Plot the selected measurements, or all, over the trajectory"));
  plot_->setText(tr("Plot over frames"));
  label_ = button(new QToolButton(this), tr("Add labels"),
                  tr("Write the names of residues, chains or atoms, or a text, next to the selected atoms"));
  label_->setText(tr("Add labels"));
  form_ = new LabelForm(this);
  empty_ = make_hint(tr("No measurements. Press 2, 3 or 4, then click 2, 3 or 4 atoms"), list_);
  auto* foot = new QHBoxLayout;
  foot->addWidget(remove_);
  foot->addWidget(label_);
  foot->addStretch(1);
  foot->addWidget(plot_);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 6);
  layout->setSpacing(6);
  layout->addLayout(top);
  layout->addWidget(list_, 1);
  layout->addLayout(foot);
  layout->addWidget(form_);

  connect(remove_, &QToolButton::clicked, this, [this] { remove_rows(chosen()); });
  connect(label_, &QToolButton::clicked, this, &MeasurePanel::label_selected);
  connect(form_, &LabelForm::changed, this, [this](const LabelSet& labels) {
    const int index = chosen_labels();
    if (index < 0) return;
    controller_.edit(tr("Change labels"),
                     [&](Scene& scene) { scene.labels[static_cast<std::size_t>(index)] = labels; });
  });
  connect(list_, &QTreeWidget::itemSelectionChanged, this, [this] { show_labels(controller_.scene()); });
  connect(plot_, &QToolButton::clicked, this, [this] {
    QList<int> rows = chosen();
    for (int i = 0; rows.isEmpty() && i < list_->topLevelItemCount(); ++i) rows.append(i);
    // A name has no value to plot.
    const auto& measurements = controller_.scene().measurements;
    rows.removeIf([&](int i) {
      const auto row = static_cast<std::size_t>(i);
      return row >= measurements.size() || measurements[row].atoms.size() < 2;
    });
    if (!rows.isEmpty()) Q_EMIT plot_asked(rows);
  });
  connect(list_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int column) {
    const int row = list_->indexOfTopLevelItem(item);
    const bool visible = item->checkState(0) == Qt::Checked;
    if (column != 0 || row < 0) return;
    const auto number = static_cast<std::size_t>(row);
    const std::size_t measured = controller_.scene().measurements.size();
    if (number < measured) {
      controller_.edit(visible ? tr("Show measurement") : tr("Hide measurement"),
                       [&](Scene& scene) { scene.measurements[number].visible = visible; });
    } else if (number - measured < controller_.scene().labels.size()) {
      controller_.edit(visible ? tr("Show labels") : tr("Hide labels"),
                       [&](Scene& scene) { scene.labels[number - measured].visible = visible; });
    }
  });
  controller_.listen(this,
                     SceneParts::molecules | SceneParts::measurements | SceneParts::arrangement | SceneParts::frame,
                     &MeasurePanel::show_scene);
  show_scene(controller_.scene());
}

QList<int> MeasurePanel::chosen() const {
  QList<int> rows;
  for (int i = 0; i < list_->topLevelItemCount(); ++i) {
    if (list_->topLevelItem(i)->isSelected()) rows.append(i);
  }
  return rows;
}

int MeasurePanel::chosen_labels() const {
  const QList<int> rows = chosen();
  const Scene& scene = controller_.scene();
  const int index = rows.size() == 1 ? rows.front() - static_cast<int>(scene.measurements.size()) : -1;
  return index < static_cast<int>(scene.labels.size()) ? index : -1;
}

void MeasurePanel::label_selected() {
  LabelSet labels;
  std::vector<std::uint32_t> atoms;
  const auto& picked = controller_.picked();
  if (!picked.empty()) labels.molecule = picked.front().molecule;
  for (const PickedAtom& atom : picked)
    if (atom.molecule == labels.molecule) atoms.push_back(atom.atom);
  if (atoms.empty()) return add_usual_labels();
  labels.selection = index_selection(std::move(atoms));
  add_labels(labels);
}

void MeasurePanel::add_usual_labels() {
  const auto molecule = controller_.molecule(0);
  if (!molecule || !molecule->topology) return add_labels({});
  run_async(
      this,
      [molecule, scene = controller_.scene()] {
        const bool placed = molecule->frame_count() > 0;
        return usual_labels(scene, 0, *molecule->topology, placed ? frame_at(*molecule, scene.frame) : Frame{});
      },
      [this, molecules = controller_.scene().molecules](const LabelSet& labels) {
        if (controller_.scene().molecules == molecules) add_labels(labels);
      },
      [this, molecule](const QString&) { add_labels(usual_labels(*molecule->topology)); });
}

void MeasurePanel::add_labels(const LabelSet& labels) {
  controller_.edit(tr("Add labels"), [&](Scene& scene) { scene.labels.push_back(labels); });
  list_->clearSelection();
  if (QTreeWidgetItem* last = list_->topLevelItem(list_->topLevelItemCount() - 1)) last->setSelected(true);
}

void MeasurePanel::remove_rows(const QList<int>& rows) {
  if (rows.isEmpty()) return;
  controller_.edit(tr("Remove measurements and labels"), [&](Scene& scene) {
    const int measured = static_cast<int>(scene.measurements.size());
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
      if (*row < measured) {
        scene.measurements.erase(scene.measurements.begin() + *row);
      } else {
        scene.labels.erase(scene.labels.begin() + (*row - measured));
      }
    }
  });
}

double MeasurePanel::value(const Measurement& measurement) const {
  std::vector<glm::dvec3> points;
  for (const SceneAtom& atom : measurement.atoms) {
    glm::vec3 point;
    if (!position_({atom.molecule, atom.atom}, point)) return std::numeric_limits<double>::quiet_NaN();
    points.emplace_back(point);
  }
  for (const ScenePoint& point : measurement.points) points.push_back(point.position);
  return measured(points);
}

void MeasurePanel::show_scene(const Scene& scene) {
  const QSignalBlocker quiet(list_);
  const int measured = static_cast<int>(scene.measurements.size());
  const int count = measured + static_cast<int>(scene.labels.size());
  while (list_->topLevelItemCount() > count) delete list_->takeTopLevelItem(list_->topLevelItemCount() - 1);
  while (list_->topLevelItemCount() < count) new QTreeWidgetItem(list_);
  for (int i = 0; i < measured; ++i) {
    const Measurement& measurement = scene.measurements[static_cast<std::size_t>(i)];
    QTreeWidgetItem* item = list_->topLevelItem(i);
    QString name = to_qt(measurement_name(measurement));
    name[0] = name[0].toUpper();
    item->setText(0, name);
    item->setCheckState(0, measurement.visible ? Qt::Checked : Qt::Unchecked);
    item->setText(1, measured_ends_label(controller_, measurement));
    const bool across = std::any_of(measurement.atoms.begin(), measurement.atoms.end(), [&](const SceneAtom& atom) {
      return atom.molecule != measurement.atoms.front().molecule;
    });
    item->setToolTip(
        1, across && scene.layout == Layout::tiles
               ? tr("%1\nThe atoms are in different tiles; the line is drawn only when molecules share one view")
                     .arg(item->text(1))
               : item->text(1));
    item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
  }
  empty_->setVisible(count == 0);
  remove_->setEnabled(count > 0);
  plot_->setEnabled(measured > 0 && controller_.frame_count() > 1);
  label_->setEnabled(!scene.molecules.empty());
  for (int i = measured; i < count; ++i) {
    const LabelSet& labels = scene.labels[static_cast<std::size_t>(i - measured)];
    QTreeWidgetItem* item = list_->topLevelItem(i);
    item->setText(0, tr("Labels"));
    item->setText(1, to_qt(labels.selection));
    item->setToolTip(1, to_qt(labels.selection));
    item->setText(2, labels.text == LabelSet::Text::own ? to_qt(labels.own) : LabelForm::title(labels.text));
    item->setCheckState(0, labels.visible ? Qt::Checked : Qt::Unchecked);
    item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
  }
  show_labels(scene);
  show_values();
}

void MeasurePanel::show_labels(const Scene& scene) {
  const int index = chosen_labels();
  form_->setVisible(index >= 0);
  if (index < 0) return;
  const LabelSet& labels = scene.labels[static_cast<std::size_t>(index)];
  form_->show_labels(scene, labels, controller_.molecule(labels.molecule));
}

void MeasurePanel::show_values() {
  const QSignalBlocker quiet(list_);
  const auto& measurements = controller_.scene().measurements;
  for (int i = 0; i < list_->topLevelItemCount() && static_cast<std::size_t>(i) < measurements.size(); ++i) {
    const Measurement& measurement = measurements[static_cast<std::size_t>(i)];
    const std::size_t ends = ends_of(measurement);
    const QString text = ends < 2 ? QString() : to_qt(measurement_text(ends, value(measurement)));
    list_->topLevelItem(i)->setText(2, text);
  }
}

}  // namespace isolume
