// The buttons under a list of the scene, and the list's view.
#include "app/window/widgets/list_bar.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QStyledItemDelegate>
#include <QTreeView>

#include "app/models/scene_list_model.h"
#include "app/window/widgets/icons.h"

namespace isolume {
namespace {

/// Rows with some air between them (a style sheet would do it, too, but holds on to the colours of one theme).
class RoomyRows final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(6, 6);
  }
};

}  // namespace

ListBar::ListBar(const QString& what, QWidget* parent) : QWidget(parent) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  add_ = make(QStringLiteral("add"), tr("Add a %1").arg(what));
  duplicate_ = make(QStringLiteral("duplicate"), tr("Duplicate the selected %1").arg(what));
  remove_ = make(QStringLiteral("remove"), tr("Remove the selected %1").arg(what));
  layout->addWidget(add_);
  layout->addWidget(duplicate_);
  layout->addWidget(remove_);
  layout->addStretch(1);
  up_ = make(QStringLiteral("up"), tr("Move the selected %1 up").arg(what));
  down_ = make(QStringLiteral("down"), tr("Move the selected %1 down").arg(what));
  layout->addWidget(up_);
  layout->addWidget(down_);
  connect(add_, &QToolButton::clicked, this, &ListBar::add);
  connect(duplicate_, &QToolButton::clicked, this, &ListBar::duplicate);
  connect(remove_, &QToolButton::clicked, this, &ListBar::remove);
  connect(up_, &QToolButton::clicked, this, [this] { Q_EMIT move(-1); });
  connect(down_, &QToolButton::clicked, this, [this] { Q_EMIT move(1); });
}

void ListBar::add_menu(QTreeView* list) {
  const auto entry = [this, list](const QString& text, const QString& tip, auto what) {
    auto* action = new QAction(text, list);
    action->setToolTip(tip);
    connect(action, &QAction::triggered, this, what);
    list->addAction(action);
    entries_ += action;
  };
  entry(tr("Show or &hide"), tr("Show or hide the selected row"), [list] {
    const QModelIndex row = list->currentIndex().siblingAtColumn(SceneListModel::what_column);
    const bool shown = row.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    list->model()->setData(row, shown ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
  });
  entry(tr("&Duplicate"), duplicate_->toolTip(), [this] { Q_EMIT duplicate(); });
  entry(tr("&Remove"), remove_->toolTip(), [this] { Q_EMIT remove(); });
  entry(tr("Move &up"), up_->toolTip(), [this] { Q_EMIT move(-1); });
  entry(tr("Move do&wn"), down_->toolTip(), [this] { Q_EMIT move(1); });
  list->setContextMenuPolicy(Qt::ActionsContextMenu);
}

QToolButton* ListBar::make(const QString& name, const QString& tip) {
  auto* button = new QToolButton(this);
  button->setIcon(icon(name));
  button->setIconSize(QSize(18, 18));
  button->setAutoRaise(true);
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setFocusPolicy(Qt::StrongFocus);
  return button;
}

void ListBar::set_state(int row, int count, bool can_add) {
  add_->setEnabled(can_add);
  duplicate_->setEnabled(row >= 0);
  remove_->setEnabled(row >= 0);
  up_->setEnabled(row > 0);
  down_->setEnabled(row >= 0 && row + 1 < count);
  const bool possible[] = {row >= 0, row >= 0, row >= 0, row > 0, row >= 0 && row + 1 < count};
  for (int i = 0; i < entries_.size(); ++i) entries_[i]->setEnabled(possible[i]);
}

QStyledItemDelegate* make_roomy_rows(QObject* parent) {
  return new RoomyRows(parent);
}

QTreeView* make_list_view(SceneListModel& model, const QString& name, QWidget* parent) {
  auto* view = new QTreeView(parent);
  view->setModel(&model);
  view->setAccessibleName(name);
  view->setToolTip(name);
  view->setRootIsDecorated(false);
  view->setUniformRowHeights(true);
  view->setAllColumnsShowFocus(true);
  view->setAlternatingRowColors(true);
  view->setSelectionMode(QAbstractItemView::SingleSelection);
  view->setEditTriggers(QAbstractItemView::NoEditTriggers);
  view->setTextElideMode(Qt::ElideRight);
  view->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  view->header()->setStretchLastSection(true);
  view->header()->setSectionsMovable(false);
  view->header()->setAccessibleName(name + QObject::tr(", column headers"));
  view->setMinimumHeight(96);
  view->setItemDelegate(make_roomy_rows(view));
  view->setTabKeyNavigation(false);
  view->setDragDropMode(QAbstractItemView::InternalMove);
  view->setDropIndicatorShown(true);
  return view;
}

QLabel* form_label(const QString& text, QWidget* buddy) {
  auto* label = new QLabel(text);
  label->setBuddy(buddy);
  label->setToolTip(buddy->toolTip());
  QString name = text;
  label->setAccessibleName(name.remove(QLatin1Char('&')));
  return label;
}

}  // namespace isolume
