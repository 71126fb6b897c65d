// The panel of running tasks with their remaining time, and of past messages.
#include "app/window/shell/task_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QTime>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/window/widgets/icons.h"
#include "app/window/widgets/panel_form.h"

namespace isolume {
namespace {

constexpr int longest = 2000;  // lines of the log

QString word(TaskPanel::Kind kind) {
  switch (kind) {
    case TaskPanel::Kind::fault:
      return TaskPanel::tr("Error");
    case TaskPanel::Kind::done:
      return TaskPanel::tr("Done");
    default:
      return TaskPanel::tr("Note");
  }
}

}  // namespace

QString time_left(double seconds, double fraction) {
  if (seconds < 0.5 || fraction < 0.02 || fraction >= 1) return {};
  const double left = seconds * (1 - fraction) / fraction;
  if (left < 90) return TaskPanel::tr("%1 s left").arg(std::max(1, qRound(left)));
  return TaskPanel::tr("%1 min left").arg(qRound(left / 60));
}

TaskPanel::TaskPanel(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Log and tasks"));
  rows_ = new QVBoxLayout;
  rows_->setSpacing(4);
  idle_ = new QLabel(tr("Nothing is running"));
  idle_->setAccessibleName(tr("Running"));
  idle_->setForegroundRole(QPalette::PlaceholderText);
  rows_->addWidget(idle_);
  list_ = new QTreeWidget(this);
  list_->setAccessibleName(tr("Log"));
  list_->setToolTip(tr("Actions and errors, newest last"));
  list_->setHeaderLabels({tr("Time"), tr("Kind"), tr("What")});
  list_->header()->setAccessibleName(tr("Titles"));
  list_->setRootIsDecorated(false);
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  kinds_ = make_box(tr("Shown"), tr("Show all lines, or errors only"), {tr("All"), tr("Errors")});
  search_ = new QLineEdit(this);
  search_->setAccessibleName(tr("Search the log"));
  search_->setToolTip(tr("Show lines that contain this text"));
  search_->setPlaceholderText(tr("Search"));
  auto* copy = new QToolButton(this);
  copy->setText(tr("Copy"));
  copy->setAccessibleName(tr("Copy the log"));
  copy->setToolTip(tr("Copy the log as text"));
  copy->setFocusPolicy(Qt::StrongFocus);
  auto* foot = new QHBoxLayout;
  foot->addWidget(kinds_);
  foot->addWidget(search_, 1);
  foot->addWidget(copy);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 6, 10, 8);
  layout->setSpacing(6);
  layout->addLayout(rows_);
  layout->addWidget(list_, 1);
  layout->addLayout(foot);
  connect(copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(log_text()); });
  connect(kinds_, &QComboBox::currentIndexChanged, this, &TaskPanel::narrow);
  connect(search_, &QLineEdit::textChanged, this, &TaskPanel::narrow);
  clock_.setInterval(500);
  connect(&clock_, &QTimer::timeout, this, &TaskPanel::tick);
}

void TaskPanel::make_row(Task& task) {
  task.row = new QWidget(this);
  task.row->setAccessibleName(tr("Running task"));
  task.what = new QLabel(task.row);
  task.what->setAccessibleName(tr("Current task"));
  task.what->setTextFormat(Qt::PlainText);
  task.bar = new QProgressBar(task.row);
  task.bar->setAccessibleName(tr("Progress"));
  task.bar->setMaximumHeight(14);
  task.bar->setMaximumWidth(260);
  task.left = new QLabel(task.row);
  task.left->setAccessibleName(tr("Time left"));
  task.left->setMinimumWidth(task.left->fontMetrics().horizontalAdvance(tr("%1 min left").arg(888)));
  auto* stop = new QToolButton(task.row);
  stop->setText(tr("Cancel"));
  stop->setAccessibleName(tr("Cancel this task"));
  stop->setToolTip(tr("Stop and keep the previous result (Esc)"));
  stop->setFocusPolicy(Qt::StrongFocus);
  connect(stop, &QToolButton::clicked, this, &TaskPanel::cancel);
  auto* layout = new QHBoxLayout(task.row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(task.what, 1);
  layout->addWidget(task.bar, 1);
  layout->addWidget(task.left);
  layout->addWidget(stop);
  rows_->addWidget(task.row);
  task.since.start();
}

void TaskPanel::show_task(const QString& key, const QString& what, double fraction) {
  if (what.isEmpty()) {
    const auto found = tasks_.find(key);
    if (found == tasks_.end()) return;
    found->second.row->deleteLater();
    found->second.row->hide();
    tasks_.erase(found);
  } else {
    Task& task = tasks_[key];
    if (task.row == nullptr) make_row(task);
    // A fraction that falls back is another piece of work under the same key.
    if (fraction < task.fraction) task.since.start();
    task.fraction = fraction;
    task.what->setText(what);
    task.bar->setRange(0, fraction >= 0 ? 100 : 0);
    if (fraction >= 0) task.bar->setValue(static_cast<int>(100 * fraction));
  }
  idle_->setVisible(tasks_.empty());
  if (tasks_.empty()) clock_.stop();
  if (!tasks_.empty() && !clock_.isActive()) clock_.start();
}

void TaskPanel::tick() {
  for (auto& [key, task] : tasks_) task.left->setText(time_left(double(task.since.elapsed()) / 1000, task.fraction));
}

void TaskPanel::log(Kind kind, const QString& text) {
  if (list_->topLevelItemCount() >= longest) delete list_->takeTopLevelItem(0);
  auto* item = new QTreeWidgetItem(
      list_, {QTime::currentTime().toString(QStringLiteral("HH:mm:ss")), word(kind), text.simplified()});
  item->setData(1, Qt::UserRole, static_cast<int>(kind));
  item->setToolTip(2, text);
  if (kind == Kind::fault) item->setIcon(1, icon(QStringLiteral("warning")));
  narrow();
  list_->resizeColumnToContents(0);
  list_->resizeColumnToContents(1);
  list_->scrollToBottom();
}

void TaskPanel::narrow() {
  for (int i = 0; i < list_->topLevelItemCount(); ++i) {
    QTreeWidgetItem* item = list_->topLevelItem(i);
    const bool kind =
        kinds_->currentIndex() == 0 || item->data(1, Qt::UserRole).toInt() == static_cast<int>(Kind::fault);
    item->setHidden(!kind || !item->text(2).contains(search_->text(), Qt::CaseInsensitive));
  }
}

QString TaskPanel::log_text() const {
  QString text;
  for (int i = 0; i < list_->topLevelItemCount(); ++i) {
    const QTreeWidgetItem* item = list_->topLevelItem(i);
    text += QStringLiteral("%1  %2  %3\n").arg(item->text(0), item->text(1), item->text(2));
  }
  return text;
}

}  // namespace isolume
