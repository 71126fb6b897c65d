// All actions of the window in one list that is searched by typing.
#include "app/window/shell/command_palette.h"

#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QRegularExpression>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "app/window/widgets/icons.h"

namespace isolume {
namespace {

QString plain(QString text) {
  return text.remove(QLatin1Char('&')).remove(QStringLiteral("..."));
}

void collect(const QList<QAction*>& actions, const QString& place, QList<CommandPalette::Entry>& out) {
  for (QAction* action : actions) {
    if (action->isSeparator() || action->text().isEmpty()) continue;
    if (const QMenu* menu = action->menu()) {
      const QString title = plain(action->text());
      collect(menu->actions(), place.isEmpty() ? title : QStringLiteral("%1: %2").arg(place, title), out);
    } else if (std::none_of(out.begin(), out.end(), [action](const auto& entry) { return entry.action == action; })) {
      out.append({action, place});  // once, also where it is in two menus
    }
  }
}

/// Not too far apart, or nearly any letters would do.
bool letters_follow(const QString& word, const QString& text) {
  qsizetype at = 0, first = -1;
  for (const QChar letter : word) {
    at = text.indexOf(letter, at) + 1;
    if (at == 0) return false;
    if (first < 0) first = at;
  }
  return at - first < 3 * word.size();
}

}  // namespace

QList<CommandPalette::Entry> entries_of(const QWidget* menu_bar) {
  QList<CommandPalette::Entry> out;
  collect(menu_bar->actions(), {}, out);
  return out;
}

int fit_of(const QString& typed, const QString& text, bool beginnings) {
  const QString within = text.toLower();
  int total = 1;
  for (const QString& word : typed.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    int fit = 0;
    const qsizetype at = within.indexOf(word);
    const bool begins =
        at >= 0 && within.contains(QRegularExpression(QStringLiteral("\\b") + QRegularExpression::escape(word)));
    if (at >= 0 && within.contains(QRegularExpression(QStringLiteral("\\b") + QRegularExpression::escape(word) +
                                                      QStringLiteral("\\b")))) {
      fit = 150;  // a whole word, as the short name of something
    } else if (at == 0) {
      fit = 100;
    } else if (begins) {
      fit = 60;
    } else if (at > 0 && !beginnings) {
      fit = 25;
    } else if (word.size() > 1 && !beginnings && letters_follow(word, within)) {
      fit = 5;
    }
    if (fit == 0) return 0;
    total += fit;
  }
  // "Undo add ..." has the words of what was added, too.
  if (within.startsWith(typed.trimmed().toLower())) total += 10;
  return total;
}

CommandPalette::CommandPalette(QList<Entry> entries, QWidget* parent)
    : QDialog(parent), entries_(std::move(entries)), line_(new QLineEdit(this)), list_(new QTreeWidget(this)) {
  setWindowTitle(tr("Find an action"));
  setAccessibleName(windowTitle());
  setWindowFlags(Qt::Popup | Qt::FramelessWindowHint);
  line_->setAccessibleName(windowTitle());
  line_->setPlaceholderText(tr("Type to search actions"));
  line_->setToolTip(tr("Type to search actions; Enter runs, Up/Down select, Esc closes"));
  line_->installEventFilter(this);
  list_->setAccessibleName(tr("Matching actions"));
  list_->setToolTip(tr("Actions and their keys"));
  list_->setColumnCount(3);
  list_->setHeaderHidden(true);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setFocusPolicy(Qt::NoFocus);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 8);
  layout->addWidget(line_);
  layout->addWidget(list_);
  connect(line_, &QLineEdit::textChanged, this, &CommandPalette::narrow);
  connect(list_, &QTreeWidget::itemClicked, this, &CommandPalette::carry_out);
  narrow({});
}

void CommandPalette::showEvent(QShowEvent* event) {
  const QWidget* window = parentWidget();
  const int width = std::min(640, window->width() - 40);
  resize(width, std::min(460, window->height() - 120));
  move(window->mapToGlobal(QPoint((window->width() - width) / 2, 70)));
  QDialog::showEvent(event);
  line_->setFocus();
}

void CommandPalette::paintEvent(QPaintEvent* event) {
  QDialog::paintEvent(event);
  QPainter painter(this);  // an edge, or it would run into a background of its own colour
  painter.setPen(palette().color(QPalette::Mid));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void CommandPalette::narrow(const QString& text) {
  struct Fit {
    int fit;
    const Entry* entry;
  };
  std::vector<Fit> fits;
  for (const Entry& entry : entries_) {
    if (!entry.action) continue;
    const QString name = plain(entry.action->text());
    const int fit = text.trimmed().isEmpty() ? 1
                                             : std::max(2 * fit_of(text, name),
                                                        fit_of(text,
                                                               QStringList{entry.place, name, entry.action->toolTip(),
                                                                           entry.action->property("words").toString()}
                                                                   .join(QLatin1Char(' ')),
                                                               true));
    if (fit > 0) fits.push_back({entry.action->isEnabled() ? fit : fit - 1, &entry});
  }
  std::stable_sort(fits.begin(), fits.end(), [](const Fit& a, const Fit& b) { return a.fit > b.fit; });
  list_->clear();
  for (const Fit& found : fits) {
    const QAction* action = found.entry->action;
    auto* item = new QTreeWidgetItem(
        list_, {plain(action->text()), found.entry->place, action->shortcut().toString(QKeySequence::NativeText)});
    item->setIcon(0, list_icon(action->icon()));
    item->setToolTip(0, action->toolTip());
    item->setForeground(1, palette().color(QPalette::PlaceholderText));
    item->setForeground(2, palette().color(QPalette::PlaceholderText));
    if (action->isCheckable() && action->isChecked()) item->setText(0, item->text(0) + QStringLiteral("  \u2713"));
    if (!action->isEnabled()) item->setDisabled(true);
    item->setData(0, Qt::UserRole, static_cast<int>(found.entry - entries_.constData()));
  }
  if (list_->topLevelItemCount() == 0) {
    auto* none = new QTreeWidgetItem(list_, {tr("No matching action; try another word")});
    none->setDisabled(true);
    return;
  }
  list_->setCurrentItem(list_->topLevelItem(0));
}

void CommandPalette::carry_out() {
  const QTreeWidgetItem* item = list_->currentItem();
  if (item == nullptr || item->isDisabled()) return;
  const QPointer<QAction> action = entries_[item->data(0, Qt::UserRole).toInt()].action;
  accept();
  if (action && action->isEnabled()) action->trigger();
}

bool CommandPalette::eventFilter(QObject* object, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QDialog::eventFilter(object, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  if (key == Qt::Key_Return || key == Qt::Key_Enter) {
    carry_out();
    return true;
  }
  const int by = key == Qt::Key_Down       ? 1
                 : key == Qt::Key_Up       ? -1
                 : key == Qt::Key_PageDown ? 10
                 : key == Qt::Key_PageUp   ? -10
                                           : 0;
  if (by == 0) return false;
  const int row = list_->indexOfTopLevelItem(list_->currentItem());
  list_->setCurrentItem(list_->topLevelItem(std::clamp(row + by, 0, list_->topLevelItemCount() - 1)));
  return true;
}

}  // namespace isolume
