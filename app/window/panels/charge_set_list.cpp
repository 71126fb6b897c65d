// The list of the sets of charges that a molecule can have, with their totals; one is in use.
#include "app/window/panels/charge_set_list.h"

#include <QAction>
#include <QHeaderView>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/models/labels.h"
#include "app/scene/built_in_tables.h"
#include "app/window/live/scene_controller.h"
#include "app/window/quantum/table_files.h"
#include "app/window/widgets/async.h"

namespace isolume {
namespace {

constexpr std::size_t most_atoms = 200'000;  // whose charges are found only to be listed

QString charge_text(double charge) {
  if (std::abs(charge) < 5e-4) charge = 0;
  return (charge > 0 ? QStringLiteral("+") : QString()) + QString::number(charge, 'f', 3) + QStringLiteral(" e");
}

}  // namespace

ChargeSetList::ChargeSetList(SceneController& controller, QWidget* parent)
    : QTreeWidget(parent), controller_(controller) {
  setAccessibleName(tr("Charge sets"));
  setToolTip(tr("The sets of charges that the molecule can have. Click one to use it; undo goes back"));
  setHeaderLabels({tr("Charges"), tr("Total"), tr("Residues without")});
  header()->setAccessibleName(tr("Column headers"));
  header()->setStretchLastSection(false);
  header()->setSectionResizeMode(0, QHeaderView::Stretch);
  for (const int column : {1, 2}) header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
  setRootIsDecorated(false);
  setUniformRowHeights(true);
  make_actions();
  const auto chosen = [this](QTreeWidgetItem* item) {
    const int row = indexOfTopLevelItem(item);
    if (row >= 0 && static_cast<std::size_t>(row) < sets_.size())
      choose(sets_[static_cast<std::size_t>(row)].templates);
  };
  connect(this, &QTreeWidget::itemClicked, this, chosen);
  connect(this, &QTreeWidget::itemActivated, this, chosen);
}

void ChargeSetList::make_actions() {
  const auto make = [this](const char* name, const QString& text, const QString& tip) {
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(name));
    action->setToolTip(tip);
    action->setProperty("words", tr("charge set partial charges force field"));
    actions_ += action;
    return action;
  };
  const auto use = [this](QAction* action, std::vector<std::string> templates) {
    connect(action, &QAction::triggered, this, [this, templates = std::move(templates)]() mutable {
      // Side chains that were built stay.
      for (const ChargeSetChoice& set : sets_)
        if (!templates.empty() && !set.templates.empty() && set.templates.front().starts_with(templates.front()))
          return choose(set.templates);
      choose(templates);
    });
  };
  use(make("charges_file", tr("&From the file"), tr("Use the charges that the file has")), {});
  use(make("charges_amber", tr("&AMBER ff14SB"), tr("Use hydrogens and charges of the AMBER tables")),
      {"tables:amber"});
  use(make("charges_charmm", tr("&CHARMM36"), tr("Use hydrogens and charges of the CHARMM tables")), {"tables:charmm"});
  use(make("charges_parse", tr("&PARSE"), tr("Use hydrogens, charges and radii of the PARSE tables")),
      {"tables:parse"});
  use(make("charges_estimated", tr("&Estimated"), tr("Use Gasteiger-Marsili charges")), {"tables:gasteiger"});
  connect(make("charges_add", tr("From &another file..."),
               tr("Use the charges that another file has for the same residues, such as PQR, MOL2 or PRMTOP")),
          &QAction::triggered, this, &ChargeSetList::ask);
}

void ChargeSetList::show_molecule(int row) {
  const Scene& scene = controller_.scene();
  const auto at = static_cast<std::size_t>(row);
  const bool there = row >= 0 && at < scene.molecules.size();
  const auto molecule = there ? controller_.molecule(at) : nullptr;
  if (there && scene.molecules[at].paths != paths_) {
    paths_ = scene.molecules[at].paths;
    totals_.clear();
  }
  std::vector<ChargeSetChoice> sets;
  if (molecule && scene.molecules[at].assembly.empty())
    sets = charge_sets(scene, controller_.documents(), static_cast<std::uint32_t>(row), added_[paths_]);
  if (sets.size() < 2) sets.clear();
  row_ = row;
  shown_ = molecule;
  const bool other = sets != sets_;
  sets_ = std::move(sets);
  setVisible(!sets_.empty());
  for (QAction* action : actions_) action->setEnabled(!sets_.empty());
  if (!other) return;
  fill();
  pending_ = !sets_.empty() && shown_->atom_count() <= most_atoms;
}

void ChargeSetList::paintEvent(QPaintEvent* event) {
  QTreeWidget::paintEvent(event);
  if (std::exchange(pending_, false)) QTimer::singleShot(0, this, &ChargeSetList::start);
}

void ChargeSetList::start() {
  const auto& molecules = controller_.scene().molecules;
  if (row_ < 0 || static_cast<std::size_t>(row_) >= molecules.size()) return;
  std::vector<std::vector<std::string>> wanted;
  for (const ChargeSetChoice& set : sets_)
    if (!totals_.contains(set.templates)) wanted.push_back(set.templates);
  if (wanted.empty()) return;
  busy_ = true;
  run_async(
      this,
      [entry = molecules[static_cast<std::size_t>(row_)], documents = &controller_.documents(), wanted] {
        std::map<std::vector<std::string>, Row> rows;
        for (const auto& templates : wanted) {
          try {
            const ChargeSetTotals totals = charge_set_totals(entry, *documents, templates);
            rows[templates] = {charge_text(totals.charge), QString::number(totals.uncharged),
                               std::abs(totals.charge - std::round(totals.charge)) > 0.01};
          } catch (const Error& error) {
            rows[templates] = {QStringLiteral("\u2013"), to_qt(error.what()), false};
          }
        }
        return rows;
      },
      [this, paths = paths_](const std::map<std::vector<std::string>, Row>& rows) {
        busy_ = false;
        if (paths != paths_) return;
        for (const auto& [templates, row] : rows) totals_[templates] = row;
        fill();
      },
      [this](const QString&) { busy_ = false; });
}

void ChargeSetList::fill() {
  clear();
  for (const ChargeSetChoice& set : sets_) {
    auto* item = new QTreeWidgetItem(this, {to_qt(set.title)});
    QFont font = item->font(0);
    font.setBold(set.active);
    for (int column = 0; column < 3; ++column) item->setFont(column, font);
    item->setText(0, (set.active ? QStringLiteral("\u25cf ") : QStringLiteral("\u25cb ")) + to_qt(set.title));
    item->setData(0, Qt::AccessibleTextRole, set.active ? tr("%1, in use").arg(to_qt(set.title)) : to_qt(set.title));
    for (const int column : {1, 2}) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    const auto found = totals_.find(set.templates);
    if (found == totals_.end()) continue;
    const Row& row = found->second;
    item->setText(1, row.total);
    item->setText(2, row.remark);
    item->setToolTip(2, row.remark);
    item->setToolTip(1, row.odd ? tr("Not near an integer") : QString());
    if (row.odd) item->setForeground(1, QBrush(QColor(0xd0, 0x50, 0x20)));
  }
  // As high as its rows, up to eight of them.
  if (!sets_.empty())
    setFixedHeight(std::min(topLevelItemCount(), 8) * sizeHintForRow(0) + header()->sizeHint().height() +
                   2 * frameWidth());
}

void ChargeSetList::choose(const std::vector<std::string>& templates) {
  const Scene& scene = controller_.scene();
  if (row_ < 0 || static_cast<std::size_t>(row_) >= scene.molecules.size()) return;
  if (scene.molecules[static_cast<std::size_t>(row_)].templates == templates) return;
  const auto number = static_cast<std::uint32_t>(row_);
  busy_ = true;
  Q_EMIT progress(tr("Changing charges"), -1);
  run_async(
      this,
      [made = Scene(scene), number, templates, documents = &controller_.documents()]() mutable {
        use_charge_set(made, *documents, number, templates);
        documents->molecule(made.molecules[number]);  // so that showing it need not wait
        return std::move(made);
      },
      [this, before = scene](Scene made) mutable {
        busy_ = false;
        Q_EMIT progress({}, 0);
        const Scene& now = controller_.scene();
        for (Scene* then : {&before, &made}) {  // turning and playing go on meanwhile
          then->camera = now.camera;
          then->frame = now.frame;
        }
        if (!(now == before))
          return Q_EMIT failed(tr("Charges were not changed, since the scene was changed meanwhile"));
        controller_.set_picked({});
        controller_.edit(tr("Change charges"), [&](Scene& target) { target = made; });
      },
      [this](const QString& message) {
        busy_ = false;
        Q_EMIT progress({}, 0);
        Q_EMIT failed(message);
      });
}

void ChargeSetList::add_file(const QString& path) {
  if (row_ < 0) return;
  std::vector<std::string>& files = added_[paths_];
  const std::string file = path.toStdString();
  if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
  show_molecule(row_);
  choose({file});
}

void ChargeSetList::ask() {
  ask_file(this, tr("Open charges"), tr("Files with charges"), [this](const QString& path) { add_file(path); });
}

}  // namespace isolume
