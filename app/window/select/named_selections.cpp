// Named selections: their panel and their actions.
#include "app/window/select/named_selections.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QShortcut>
#include <QTreeWidget>
#include <algorithm>
#include <map>

#include "app/documents/titles.h"
#include "app/models/labels.h"
#include "app/scene/named_selections.h"
#include "app/window/select/select_actions.h"
#include "app/window/widgets/panel_form.h"
#include "molecule/selection/index_selection.h"

namespace isolume {

NamedSelections::NamedSelections(SceneController& controller, SelectActions& select, QMenu& menu, QWidget* parent)
    : QWidget(parent), controller_(controller), select_(select) {
  setAccessibleName(tr("Named selections"));
  const auto make = [&](const char* name, const QString& text, const QString& tip, const QString& words) {
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(name));
    action->setToolTip(tip);
    action->setProperty("words", words);
    return action;
  };
  save_ = make("save_selection", tr("Sa&ve selection as..."),
               tr("Keep the selected atoms under a name, which selections use as @name"),
               tr("named selection store remember group define"));
  show_ = make("show_selection", tr("Show atoms of the named selection"),
               tr("Add a representation of the named selection marked in the list"), tr("named selection"));
  rename_ = make("rename_selection", tr("Rename named selection..."), tr("Give the marked selection another name"),
                 tr("named selection"));
  remove_ = make("remove_selection", tr("Remove named selection"),
                 tr("Remove the marked name. Representations and labels that use it keep their atoms"),
                 tr("named selection delete"));
  menu.addSeparator();
  menu.addAction(save_);
  names_ = menu.addMenu(tr("Named selections"));
  names_->setAccessibleName(tr("Named selections"));
  names_->setToolTipsVisible(true);
  menu.addActions({show_, rename_, remove_});

  list_ = new QTreeWidget(this);
  list_->setAccessibleName(tr("Named selections"));
  list_->setToolTip(tr("Click a name to select its atoms; double-click to rename it"));
  list_->setHeaderLabels({tr("Name"), tr("Molecule"), tr("Atoms")});
  list_->header()->setAccessibleName(tr("Column headers"));
  list_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  list_->setRootIsDecorated(false);
  list_->setContextMenuPolicy(Qt::ActionsContextMenu);
  list_->addActions({show_, rename_, remove_});
  list_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  empty_ = make_hint(tr("No named selections. Select atoms, then Save selection"), list_);
  auto* foot = new QHBoxLayout;
  const std::pair<QAction*, QString> entries[] = {
      {save_, tr("Save...")}, {show_, tr("Show")}, {rename_, tr("Rename...")}, {remove_, tr("Remove")}};
  for (const auto& [action, text] : entries) foot->addWidget(make_text_button(action, text, this));
  foot->addStretch(1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 6);
  layout->setSpacing(6);
  layout->addWidget(list_, 1);
  layout->addLayout(foot);

  auto* del = new QShortcut(QKeySequence::Delete, list_, nullptr, nullptr, Qt::WidgetShortcut);
  connect(del, &QShortcut::activated, remove_, &QAction::trigger);
  connect(save_, &QAction::triggered, this, &NamedSelections::ask_name);
  connect(show_, &QAction::triggered, this, [this] { show_atoms(current()); });
  connect(rename_, &QAction::triggered, this, [this] {
    if (QTreeWidgetItem* item = list_->currentItem()) list_->editItem(item, 0);
  });
  connect(remove_, &QAction::triggered, this, [this] { remove(current()); });
  connect(list_, &QTreeWidget::itemClicked, this,
          [this](QTreeWidgetItem* item) { this->select(item->data(0, Qt::UserRole).toString()); });
  connect(list_, &QTreeWidget::itemActivated, this,
          [this](QTreeWidgetItem* item) { this->select(item->data(0, Qt::UserRole).toString()); });
  connect(list_, &QTreeWidget::currentItemChanged, this, &NamedSelections::enable);
  connect(list_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int column) {
    const QString from = item->data(0, Qt::UserRole).toString(), to = item->text(0).trimmed();
    if (column != 0 || from == to) return;
    // The list is filled again, and not while it tells of this.
    QMetaObject::invokeMethod(
        this,
        [this, from, to] {
          try {
            rename(from, to);
          } catch (const Error& error) {
            Q_EMIT failed(to_qt(error.what()));
            show_scene(controller_.scene());
          }
        },
        Qt::QueuedConnection);
  });
  connect(&controller_, &SceneController::picked_changed, this, &NamedSelections::enable);
  controller_.listen(this, SceneParts::molecules | SceneParts::selections, &NamedSelections::show_scene);
  show_scene(controller_.scene());
}

QString NamedSelections::current() const {
  const QTreeWidgetItem* item = list_->currentItem();
  return item ? item->data(0, Qt::UserRole).toString() : QString();
}

void NamedSelections::enable() {
  save_->setEnabled(!controller_.picked().empty());
  for (QAction* action : {show_, rename_, remove_}) action->setEnabled(list_->currentItem() != nullptr);
}

void NamedSelections::show_scene(const Scene& scene) {
  const QString chosen = current();
  const QSignalBlocker quiet(list_);
  list_->clear();
  names_->clear();
  QStringList seen;
  for (const NamedSelection& named : scene.selections) {
    const QString name = to_qt(named.name), words = to_qt(named.selection);
    auto* item = new QTreeWidgetItem(list_, {name, {}, words});
    item->setText(1, to_qt(file_title(scene.molecules[named.molecule].paths)));
    item->setData(0, Qt::UserRole, name);
    item->setToolTip(2, words.left(400));
    item->setFlags(item->flags() | Qt::ItemIsEditable);
    if (name == chosen && !list_->currentItem()) list_->setCurrentItem(item);
    if (seen.contains(name)) continue;
    seen += name;
    QAction* action = names_->addAction(QStringLiteral("@") + name);
    action->setToolTip(tr("Select the atoms of %1").arg(name));
    connect(action, &QAction::triggered, this, [this, name] { this->select(name); });
  }
  list_->setColumnHidden(1, scene.molecules.size() < 2);
  names_->setEnabled(!seen.isEmpty());
  empty_->setVisible(seen.isEmpty());
  enable();
}

void NamedSelections::ask_name() {
  auto* dialog = new QInputDialog(window());
  dialog->setObjectName(QStringLiteral("selection_name"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Save selection"));
  dialog->setLabelText(tr("Name (letters, digits and _); selections use it as @name"));
  dialog->setTextValue(to_qt(free_name(controller_.scene(), "selection")));
  connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) {
    try {
      save(name.trimmed());
    } catch (const Error& error) {
      Q_EMIT failed(to_qt(error.what()));
    }
  });
  dialog->open();
}

namespace {

void check_name(const QString& name) {
  if (!is_selection_name(name.toStdString()))
    throw Error(NamedSelections::tr("'%1' cannot be a name: expected a letter, then letters, digits or _, at most 64")
                    .arg(name)
                    .toStdString(),
                Error::Kind::usage);
}

}  // namespace

void NamedSelections::save(const QString& name) {
  check_name(name);
  if (controller_.picked().empty())
    throw Error(tr("nothing is selected that could be kept as %1").arg(name).toStdString(), Error::Kind::usage);
  std::map<std::uint32_t, std::vector<std::uint32_t>> atoms;
  for (const PickedAtom& atom : controller_.picked()) atoms[atom.molecule].push_back(atom.atom);
  const std::string text = name.toStdString();
  controller_.edit(tr("Save selection %1").arg(name), [&](Scene& scene) {
    std::erase_if(scene.selections, [&](const NamedSelection& named) { return named.name == text; });
    for (auto& [molecule, own] : atoms) scene.selections.push_back({text, molecule, index_selection(std::move(own))});
  });
  Q_EMIT told(tr("Kept as @%1").arg(name));
}

void NamedSelections::select(const QString& name) {
  if (!name.isEmpty()) select_.select(QStringLiteral("@") + name);
}

void NamedSelections::show_atoms(const QString& name) {
  if (name.isEmpty()) return;
  const std::string text = name.toStdString();
  controller_.edit(tr("Show %1").arg(name), [&](Scene& scene) {
    for (const NamedSelection& named : controller_.scene().selections) {
      if (named.name != text) continue;
      Representation next;
      next.molecule = named.molecule;
      next.selection = "@" + text;
      next.style = Style::sticks;
      scene.representations.push_back(next);
    }
  });
}

void NamedSelections::rename(const QString& from, const QString& to) {
  check_name(to);
  const auto& all = controller_.scene().selections;
  const std::string text = to.toStdString();
  if (std::any_of(all.begin(), all.end(), [&](const NamedSelection& named) { return named.name == text; }))
    throw Error(tr("a selection named '%1' already exists").arg(to).toStdString(), Error::Kind::usage);
  controller_.edit(tr("Rename selection %1").arg(from),
                   [&](Scene& scene) { rename_selection(scene, from.toStdString(), text); });
}

void NamedSelections::remove(const QString& name) {
  if (name.isEmpty()) return;
  controller_.edit(tr("Remove selection %1").arg(name),
                   [&](Scene& scene) { remove_selection(scene, name.toStdString()); });
}

}  // namespace isolume
