// The scene as a tree: molecules with their parts, measurements and labels.
#include "app/window/tree/scene_tree.h"

#include <QAction>
#include <QApplication>
#include <QColorDialog>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "app/models/scene_list_model.h"
#include "app/scene/named_selections.h"
#include "app/view/atom_classes.h"
#include "app/window/select/select_actions.h"
#include "app/window/tree/tree_edits.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/list_bar.h"
#include "app/window/widgets/panel_form.h"

namespace isolume {
namespace {

constexpr int row_role = Qt::UserRole;  // the number of the row

}  // namespace

SceneTree::SceneTree(SceneController& controller, SelectActions& select, QWidget* parent)
    : QWidget(parent), controller_(controller), select_(select), list_(new QTreeWidget(this)) {
  setAccessibleName(tr("Scene"));
  build_list();
  build_actions();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 6);
  layout->addWidget(list_, 1);
  controller_.listen(this,
                     SceneParts::molecules | SceneParts::representations | SceneParts::fields |
                         SceneParts::measurements | SceneParts::selections,
                     &SceneTree::show_scene);
  connect(&controller_, &SceneController::scene_changed, this, [this](const Scene&, SceneParts change) {
    if (!touches(change, SceneParts::files)) return;
    ++asked_;
    known_.reset();  // the same files have other atoms by now
  });
  connect(&select_, &SelectActions::edited, this, &SceneTree::find_parts);
  show_scene(controller_.scene());
}

void SceneTree::build_list() {
  list_->setAccessibleName(tr("Everything in the scene"));
  list_->setToolTip(
      tr("Click a row to select it, its check box to show or hide it, its colour to change it; double-click for all "
         "settings"));
  list_->setHeaderLabels({tr("Name"), tr("Details")});
  list_->header()->setAccessibleName(tr("Column headers"));
  list_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  list_->header()->setStretchLastSection(true);
  list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  list_->setUniformRowHeights(true);
  list_->setAllColumnsShowFocus(true);
  list_->setTabKeyNavigation(false);
  list_->setExpandsOnDoubleClick(false);
  list_->setIndentation(16);
  list_->setItemDelegate(make_roomy_rows(list_));
  list_->setMinimumHeight(96);
  list_->setContextMenuPolicy(Qt::CustomContextMenu);
  list_->installEventFilter(this);
  empty_ = make_hint(tr("The scene is empty. Open a file, or drop one on the window"), list_);
  connect(list_, &QTreeWidget::currentItemChanged, this, [this] {
    enable();
    if (QApplication::mouseButtons() == Qt::NoButton && list_->hasFocus()) pick_row(false);
  });
  connect(list_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item, int column) {
    if (checked_) return;
    pick_row(false);
    const TreeRow* row = row_of(item);
    if (column == 1 && row && row->colour) ask_colour();
  });
  connect(list_, &QTreeWidget::itemDoubleClicked, this, [this] { pick_row(true); });
  connect(list_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int column) {
    const TreeRow* found = row_of(item);
    if (!found || column != 0) return;
    // The tree is filled again, and not while it tells of this.
    const TreeRow row = *found;
    const bool visible = item->checkState(0) != Qt::Unchecked;
    const QString name = item->text(0).trimmed();
    if (row.visible && item->checkState(0) != *row.visible) {
      checked_ = true;
      QMetaObject::invokeMethod(
          this,
          [this, row, visible] {
            checked_ = false;
            if (const TreeRow* now = same_row(row)) change_visible(TreeRow(*now), visible);
          },
          Qt::QueuedConnection);
    } else if (row.renames && name != row.title) {
      QMetaObject::invokeMethod(
          this,
          [this, row, name] {
            const TreeRow* now = same_row(row);
            now ? rename(TreeRow(*now), name) : show_scene(controller_.scene());
          },
          Qt::QueuedConnection);
    }
  });
  connect(list_, &QTreeWidget::itemCollapsed, this, [this](QTreeWidgetItem* item) {
    const TreeRow* row = row_of(item);
    if (!row) return;
    folded_ += row->key();
    opened_ -= row->key();
  });
  connect(list_, &QTreeWidget::itemExpanded, this, [this](QTreeWidgetItem* item) {
    const TreeRow* row = row_of(item);
    if (!row) return;
    folded_ -= row->key();
    opened_ += row->key();
  });
  connect(list_, &QWidget::customContextMenuRequested, this, [this](QPoint place) {
    const TreeRow* row = row_of(list_->itemAt(place));
    if (row) Q_EMIT menu_asked(TreeRow(*row), list_->viewport()->mapToGlobal(place));
  });
}

void SceneTree::build_actions() {
  const auto make = [this](const QString& text, const QString& tip, auto what) {
    auto* action = new QAction(text, this);
    action->setToolTip(tip);
    connect(action, &QAction::triggered, this, what);
    return action;
  };
  show_ = make(tr("Show or &hide"), tr("Show or hide the current row (Space)"), [this] { toggle(); });
  colour_ = make(tr("&Colour..."), tr("Change the colour of the current row"), [this] { ask_colour(); });
  rename_ = make(tr("Re&name"), tr("Rename the current row (F2)"), [this] {
    if (QTreeWidgetItem* item = list_->currentItem()) list_->editItem(item, 0);
  });
  remove_ = make(tr("&Remove"), tr("Remove the current row from the scene (Del)"), [this] { remove(); });
  enable();
}

bool SceneTree::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
    return QWidget::eventFilter(watched, event);
  auto* press = static_cast<QKeyEvent*>(event);
  QAction* action = nullptr;
  if (press->modifiers() == Qt::NoModifier) {
    if (press->key() == Qt::Key_Space) action = show_;
    if (press->key() == Qt::Key_F2) action = rename_;
    if (press->key() == Qt::Key_Delete) action = remove_;
  }
  const bool opens = press->key() == Qt::Key_Return || press->key() == Qt::Key_Enter;
  if (!action && !opens) return QWidget::eventFilter(watched, event);
  if (event->type() == QEvent::ShortcutOverride) {
    event->accept();  // these keys are other ones in the 3D view
    return true;
  }
  if (opens) pick_row(true);
  if (action && action->isEnabled()) action->trigger();
  return true;
}

const TreeRow* SceneTree::row_of(const QTreeWidgetItem* item) const {
  const auto number = item ? static_cast<std::size_t>(item->data(0, row_role).toInt()) : rows_.size();
  return number < rows_.size() ? &rows_[number] : nullptr;
}

const TreeRow* SceneTree::current() const {
  return row_of(list_->currentItem());
}

const TreeRow* SceneTree::same_row(const TreeRow& row) const {
  // The number may be another one's by now.
  const auto found = std::find_if(rows_.begin(), rows_.end(),
                                  [&](const TreeRow& now) { return now.key() == row.key() && now.title == row.title; });
  return found == rows_.end() ? nullptr : &*found;
}

void SceneTree::choose(TreeRow::Kind kind, std::size_t index) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].kind != kind || rows_[i].index != index) continue;
    const QSignalBlocker quiet(list_);
    list_->setCurrentItem(items_[i]);
    list_->scrollToItem(items_[i]);
    enable();
    return;
  }
}

void SceneTree::show_picture(const std::shared_ptr<const BuiltView>& built) {
  built_ = built;
  find_parts();
}

bool SceneTree::up_to_date(const BuiltView& built) const {
  return !select_.edits().busy() && show_same_atoms(built.scene, controller_.scene());
}

void SceneTree::find_parts() {
  const auto built = built_.lock();
  // Without any parts nothing can have been asked for.
  if (!built || (!parts_.empty() && !up_to_date(*built)) || (known_ && show_same_atoms(*known_, built->scene))) return;
  known_.emplace();
  known_->molecules = built->scene.molecules;
  known_->representations = built->scene.representations;
  known_->selections = built->scene.selections;
  run_async(
      this,
      [built, documents = &controller_.documents()] { return molecule_parts(built->scene, *documents, built->frames); },
      [this, built, number = ++asked_](std::vector<std::vector<MoleculePart>> parts) {
        if (number != asked_) return;
        // Something was asked for meanwhile: the next picture will show it.
        if (!parts_.empty() && !up_to_date(*built)) return known_.reset();
        parts_ = std::move(parts);
        molecules_ = built->scene.molecules;
        show_scene(controller_.scene());
      },
      [this](const QString& message) { Q_EMIT failed(message); });
}

void SceneTree::show_scene(const Scene& scene) {
  // Until the picture is there, the parts are those of other molecules.
  if (molecules_.size() != scene.molecules.size() ||
      !std::equal(molecules_.begin(), molecules_.end(), scene.molecules.begin(), [](const auto& a, const auto& b) {
        return a.paths == b.paths && a.assembly == b.assembly && a.templates == b.templates;
      })) {
    parts_.clear();
    known_.reset();
  }
  std::vector<TreeRow> rows = tree_rows(controller_, parts_);
  const bool same = std::equal(rows.begin(), rows.end(), rows_.begin(), rows_.end(),
                               [](const auto& a, const auto& b) { return a.level == b.level && a.key() == b.key(); });
  const QSignalBlocker quiet(list_);
  const TreeRow* before = current();
  const QString chosen = before ? before->key() : QString();
  rows_ = std::move(rows);
  if (!same) rebuild();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    fill(*items_[i], rows_[i]);
    if (!same && rows_[i].key() == chosen) list_->setCurrentItem(items_[i]);
  }
  empty_->setVisible(rows_.empty());
  enable();
}

void SceneTree::rebuild() {
  list_->clear();
  items_.clear();
  std::vector<QTreeWidgetItem*> above;  // the newest of each level
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto level = static_cast<std::size_t>(rows_[i].level);
    above.resize(level);
    auto* item = level > 0 ? new QTreeWidgetItem(above.back()) : new QTreeWidgetItem(list_);
    item->setData(0, row_role, static_cast<int>(i));
    above.push_back(item);
    items_.push_back(item);
  }
  // Many chains or ligands are closed until they are asked for.
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const bool closed = rows_[i].kind == TreeRow::Kind::chains || rows_[i].kind == TreeRow::Kind::ligands;
    items_[i]->setExpanded(closed ? opened_.contains(rows_[i].key()) : !folded_.contains(rows_[i].key()));
  }
}

void SceneTree::fill(QTreeWidgetItem& item, const TreeRow& row) {
  item.setText(0, row.title);
  item.setText(1, row.detail);
  item.setToolTip(0, row.words.isEmpty() ? row.title : QStringLiteral("%1\n%2").arg(row.title, row.words.left(400)));
  item.setToolTip(1, row.colour ? tr("%1\nClick to change the colour").arg(row.detail) : row.detail);
  item.setIcon(1, row.swatch.empty() ? QIcon() : QIcon(swatch(row.swatch)));
  Qt::ItemFlags flags = Qt::ItemIsSelectable;
  if (row.enabled) flags |= Qt::ItemIsEnabled;
  if (row.renames) flags |= Qt::ItemIsEditable;
  if (row.visible) flags |= Qt::ItemIsUserCheckable;
  item.setFlags(flags);
  item.setData(0, Qt::CheckStateRole, row.visible ? QVariant(static_cast<int>(*row.visible)) : QVariant());
  const QString shown = !row.visible                           ? QString()
                        : *row.visible == Qt::Unchecked        ? tr(", hidden")
                        : *row.visible == Qt::PartiallyChecked ? tr(", some shown")
                                                               : tr(", shown");
  item.setData(0, Qt::AccessibleTextRole, QStringLiteral("%1, %2%3").arg(row.title, row.detail, shown));
}

void SceneTree::enable() {
  const TreeRow* row = current();
  show_->setEnabled(row && row->visible && row->enabled);
  colour_->setEnabled(row && row->colour);
  rename_->setEnabled(row && row->renames);
  remove_->setEnabled(row && row->removable());
}

void SceneTree::pick_row(bool opens) {
  const TreeRow* found = current();
  if (!found) return;
  const TreeRow row = *found;
  if (row.is_part()) select_.select_in(row.molecule, row.words);
  if (row.kind == TreeRow::Kind::selection) select_.select(row.words);
  Q_EMIT row_chosen(row, opens);
}

void SceneTree::change_visible(const TreeRow& row, bool visible) {
  if (row.is_part()) {
    // As asked for, until the picture says what is shown.
    parts_[row.molecule][row.index].shown = visible;
    ++asked_;
    known_.reset();
    const bool chain = row.kind == TreeRow::Kind::chain;
    select_.show_in(row.molecule, row.words, chain ? row.title.left(1).toLower() + row.title.mid(1) : row.title,
                    visible);
    find_parts();
  } else {
    QString what = row.kind == TreeRow::Kind::molecule         ? tr("molecule")
                   : row.kind == TreeRow::Kind::representation ? tr("representation")
                   : row.kind == TreeRow::Kind::field          ? tr("surface or map")
                                                               : row.title.toLower();
    if (row.kind == TreeRow::Kind::label_set) what = tr("labels");
    controller_.edit(visible ? tr("Show %1").arg(what) : tr("Hide %1").arg(what),
                     [&](Scene& scene) { set_visible(scene, row, visible); });
  }
  show_scene(controller_.scene());
}

void SceneTree::toggle() {
  const TreeRow* row = current();
  if (row && row->visible) change_visible(TreeRow(*row), *row->visible == Qt::Unchecked);
}

void SceneTree::ask_colour() {
  const TreeRow* found = current();
  if (!found || !found->colour) return;
  const TreeRow row = *found;
  auto* dialog = new QColorDialog(QColor(row.colour->r, row.colour->g, row.colour->b), this);
  dialog->setObjectName(QStringLiteral("row_colour"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setOption(QColorDialog::DontUseNativeDialog);
  dialog->setWindowTitle(tr("Colour of %1").arg(row.title));
  connect(dialog, &QColorDialog::colorSelected, this, [this, row](const QColor& colour) {
    const TreeRow* now = same_row(row);
    if (!now) return;
    controller_.edit(tr("Change colour"), [&](Scene& scene) {
      set_colour(scene, *now, glm::u8vec4(colour.red(), colour.green(), colour.blue(), 255));
    });
  });
  dialog->open();
}

void SceneTree::rename(const TreeRow& row, const QString& name) {
  const std::string text = name.toStdString();
  if (row.kind == TreeRow::Kind::label_set && !name.isEmpty()) {
    controller_.edit(tr("Change labels"), [&](Scene& scene) { scene.labels[row.index].own = text; });
  } else if (row.kind == TreeRow::Kind::selection) {
    const auto& all = controller_.scene().selections;
    const bool taken = std::any_of(all.begin(), all.end(), [&](const auto& named) { return named.name == text; });
    if (taken) {
      Q_EMIT failed(tr("A selection named '%1' already exists").arg(name));
    } else if (!is_selection_name(text)) {
      Q_EMIT failed(tr("'%1' cannot be a name: expected a letter, then letters, digits or _, at most 64").arg(name));
    } else {
      controller_.edit(tr("Rename selection %1").arg(row.title),
                       [&](Scene& scene) { rename_selection(scene, row.title.toStdString(), text); });
    }
  }
  show_scene(controller_.scene());
}

void SceneTree::remove() {
  const TreeRow* found = current();
  if (!found || !found->removable()) return;
  const TreeRow row = *found;
  const QString what = row.kind == TreeRow::Kind::molecule         ? tr("molecule")
                       : row.kind == TreeRow::Kind::representation ? tr("representation")
                       : row.kind == TreeRow::Kind::field          ? tr("surface or map")
                                                                   : row.title.toLower();
  controller_.edit(tr("Remove %1").arg(what), [&](Scene& scene) { remove_row(scene, row); });
}

}  // namespace isolume
