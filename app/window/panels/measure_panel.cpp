// The panel of what is measured: distances, angles, dihedrals.
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
#include "app/view/measurement.h"
#include "app/window/widgets/icons.h"

namespace isolume {

QString measured_atom_label(const SceneController& controller, const SceneAtom& atom) {
  const auto molecule = controller.molecule(atom.molecule);
  if (!molecule || !molecule->topology || atom.atom >= molecule->atom_count()) return QStringLiteral("-");
  return atom_name(*molecule->topology, atom.atom);
}

MeasurePanel::MeasurePanel(SceneController& controller, std::function<bool(PickedAtom, glm::vec3&)> position,
                           const QList<QAction*>& tools, QWidget* parent)
    : QWidget(parent), controller_(controller), position_(std::move(position)), list_(new QTreeWidget(this)) {
  setAccessibleName(tr("Measure"));
  const auto button = [this](QToolButton* made, const QString& name, const QString& tip) {
    made->setAccessibleName(name);
    made->setToolTip(tip);
    made->setFocusPolicy(Qt::StrongFocus);
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

  list_->setAccessibleName(tr("Measurements of the scene"));
  list_->setToolTip(tr("Measurements and their values in the current frame"));
  list_->setHeaderLabels({tr("Type"), tr("Atoms"), tr("Value")});
  list_->header()->setAccessibleName(tr("Column headers"));
  list_->setRootIsDecorated(false);
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(1, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);

  remove_ = button(new QToolButton(this), tr("Remove measurements"), tr("Remove the selected measurements (Del)"));
  remove_->setIcon(icon(QStringLiteral("remove")));
  auto* del = new QShortcut(QKeySequence::Delete, list_, nullptr, nullptr, Qt::WidgetShortcut);
  connect(del, &QShortcut::activated, remove_, &QToolButton::click);
  plot_ = button(new QToolButton(this), tr("Plot over frames"),
                 tr("Plot the selected measurements, or all, over the trajectory"));
  plot_->setText(tr("Plot over frames"));
  empty_ = new QLabel(tr("No measurements. Press 2, 3 or 4, then click 2, 3 or 4 atoms"), list_->viewport());
  empty_->setAccessibleName(tr("Hint"));
  empty_->setWordWrap(true);
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setForegroundRole(QPalette::PlaceholderText);
  auto* middle = new QVBoxLayout(list_->viewport());
  middle->addWidget(empty_);
  auto* foot = new QHBoxLayout;
  foot->addWidget(remove_);
  foot->addStretch(1);
  foot->addWidget(plot_);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 6);
  layout->setSpacing(6);
  layout->addLayout(top);
  layout->addWidget(list_, 1);
  layout->addLayout(foot);

  connect(remove_, &QToolButton::clicked, this, [this] {
    const QList<int> rows = chosen();
    if (rows.isEmpty()) return;
    controller_.edit(tr("Remove measurement"), [&](Scene& scene) {
      for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
        scene.measurements.erase(scene.measurements.begin() + *row);
      }
    });
  });
  connect(plot_, &QToolButton::clicked, this, [this] {
    QList<int> rows = chosen();
    for (int i = 0; rows.isEmpty() && i < list_->topLevelItemCount(); ++i) rows.append(i);
    // A name has no value to plot.
    rows.removeIf(
        [this](int i) { return controller_.scene().measurements[static_cast<std::size_t>(i)].atoms.size() < 2; });
    if (!rows.isEmpty()) Q_EMIT plot_asked(rows);
  });
  connect(list_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int column) {
    const int row = list_->indexOfTopLevelItem(item);
    const bool visible = item->checkState(0) == Qt::Checked;
    if (column != 0 || row < 0 || static_cast<std::size_t>(row) >= controller_.scene().measurements.size()) return;
    controller_.edit(visible ? tr("Show measurement") : tr("Hide measurement"),
                     [&](Scene& scene) { scene.measurements[static_cast<std::size_t>(row)].visible = visible; });
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

double MeasurePanel::value(const Measurement& measurement) const {
  std::vector<glm::dvec3> points;
  for (const SceneAtom& atom : measurement.atoms) {
    glm::vec3 point;
    if (!position_({atom.molecule, atom.atom}, point)) return std::numeric_limits<double>::quiet_NaN();
    points.emplace_back(point);
  }
  return measured(points);
}

void MeasurePanel::show_scene(const Scene& scene) {
  const QSignalBlocker quiet(list_);
  const int count = static_cast<int>(scene.measurements.size());
  while (list_->topLevelItemCount() > count) delete list_->takeTopLevelItem(list_->topLevelItemCount() - 1);
  while (list_->topLevelItemCount() < count) new QTreeWidgetItem(list_);
  for (int i = 0; i < count; ++i) {
    const Measurement& measurement = scene.measurements[static_cast<std::size_t>(i)];
    QTreeWidgetItem* item = list_->topLevelItem(i);
    QString name = to_qt(measurement_name(measurement.atoms.size()));
    name[0] = name[0].toUpper();
    item->setText(0, name);
    item->setCheckState(0, measurement.visible ? Qt::Checked : Qt::Unchecked);
    QStringList atoms;
    for (const SceneAtom& atom : measurement.atoms) atoms += measured_atom_label(controller_, atom);
    item->setText(1, atoms.join(QStringLiteral(" \u2013 ")));
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
  plot_->setEnabled(count > 0 && controller_.frame_count() > 1);
  show_values();
}

void MeasurePanel::show_values() {
  const QSignalBlocker quiet(list_);
  const auto& measurements = controller_.scene().measurements;
  for (int i = 0; i < list_->topLevelItemCount() && static_cast<std::size_t>(i) < measurements.size(); ++i) {
    const Measurement& measurement = measurements[static_cast<std::size_t>(i)];
    const QString text = measurement.atoms.size() < 2
                             ? QString()
                             : to_qt(measurement_text(measurement.atoms.size(), value(measurement)));
    list_->topLevelItem(i)->setText(2, text);
  }
}

}  // namespace isolume
