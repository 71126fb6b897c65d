// The welcome page of an empty window.
#include "app/window/help/welcome_page.h"

#include <QCommandLinkButton>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/window/help/examples.h"
#include "app/window/help/recent_files.h"
#include "app/window/help/thumbnails.h"
#include "app/window/widgets/icons.h"

namespace isolume {
namespace {

QLabel* heading(const QString& text, double scale, bool bold) {
  auto* label = new QLabel(text);
  label->setAccessibleName(text);
  label->setTextFormat(Qt::PlainText);
  QFont font = label->font();
  font.setPointSizeF(font.pointSizeF() * scale);
  font.setBold(bold);
  label->setFont(font);
  return label;
}

}  // namespace

WelcomePage::WelcomePage(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("welcome"));
  setAccessibleName(tr("Welcome"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);

  auto* page = new QWidget;
  page->setAccessibleName(tr("Welcome"));
  page->setMaximumWidth(760);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(32, 32, 32, 32);
  column->setSpacing(10);
  column->addStretch(1);
  column->addWidget(heading(tr("Isolume"), 2.4, false));
  auto* what = heading(tr("Molecules and their fields, computed live."), 1.1, false);
  what->setForegroundRole(QPalette::PlaceholderText);
  column->addWidget(what);
  column->addSpacing(18);

  auto* row = new QHBoxLayout;
  row->setSpacing(14);
  auto* open = new QPushButton(icon(QStringLiteral("open")), tr("&Open a file..."));
  open->setAccessibleName(tr("Open a file"));
  open->setToolTip(tr("Structures, trajectories, orbitals, maps and sessions (Ctrl+O)"));
  open->setIconSize(QSize(20, 20));
  open->setMinimumHeight(38);
  open->setDefault(true);
  auto* drop = new QLabel(tr("or drop one or more files here"));
  drop->setAccessibleName(drop->text());
  drop->setForegroundRole(QPalette::PlaceholderText);
  row->addWidget(open);
  row->addWidget(drop);
  row->addStretch(1);
  column->addLayout(row);
  column->addSpacing(18);
  connect(open, &QPushButton::clicked, this, &WelcomePage::open_asked);
  auto* tour = new QPushButton(tr("Take the &tour"));
  tour->setAccessibleName(tr("Take the tour"));
  tour->setToolTip(tr("The window in four steps; also in the Help menu"));
  tour->setMinimumHeight(38);
  row->addWidget(tour);
  connect(tour, &QPushButton::clicked, this, &WelcomePage::tour_asked);

  if (QWidget* list = example_list()) {
    column->addWidget(heading(tr("Examples"), 1.15, true));
    column->addWidget(list);
    column->addSpacing(14);
  }

  recent_part_ = new QWidget;
  recent_part_->setAccessibleName(tr("Recent files"));
  auto* part = new QVBoxLayout(recent_part_);
  part->setContentsMargins(0, 0, 0, 0);
  part->addWidget(heading(tr("Recent files"), 1.15, true));
  recent_ = new QVBoxLayout;
  recent_->setSpacing(2);
  part->addLayout(recent_);
  column->addWidget(recent_part_);
  column->addStretch(2);
  recent_part_->hide();

  auto* middle = new QWidget;
  middle->setAccessibleName(tr("Welcome"));
  auto* around = new QHBoxLayout(middle);
  around->setContentsMargins(0, 0, 0, 0);
  around->addStretch(1);
  around->addWidget(page, 8);
  around->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setAccessibleName(tr("Welcome"));
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->viewport()->setBackgroundRole(QPalette::Base);
  middle->setBackgroundRole(QPalette::Base);
  scroll->setWidget(middle);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(scroll);
}

QWidget* WelcomePage::example_list() {
  const std::vector<Example> all = examples();
  if (all.empty()) return nullptr;
  auto* list = new QWidget;
  list->setAccessibleName(tr("Examples"));
  auto* grid = new QGridLayout(list);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(8);
  int place = 0;
  for (const Example& example : all) {
    auto* button = new QCommandLinkButton(example.title, example.what);
    button->setAccessibleName(tr("Example: %1").arg(example.title));
    button->setToolTip(tr("Open the example %1: %2").arg(example.title, example.what));
    const QPixmap shown(example.thumbnail);
    button->setIcon(shown.isNull() ? icon(example.picture) : QIcon(shown));
    button->setIconSize(shown.isNull() ? QSize(28, 28) : thumbnail_size);
    connect(button, &QCommandLinkButton::clicked, this, [this, paths = example.paths] { Q_EMIT files_asked(paths); });
    grid->addWidget(button, place / 2, place % 2);
    ++place;
  }
  return list;
}

void WelcomePage::set_recent(const QStringList& paths) {
  while (QLayoutItem* item = recent_->takeAt(0)) {
    item->widget()->hide();
    item->widget()->deleteLater();  // it may be the one that was clicked
    delete item;
  }
  for (qsizetype i = 0; i < paths.size(); ++i) {
    const QString& path = paths[i];
    const bool pinned = is_pinned(path);
    if (i >= 6 && !pinned) break;
    auto* row = new QWidget;
    row->setAccessibleName(tr("Recent file"));
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(2);
    auto* pin = new QToolButton;
    pin->setText(pinned ? QStringLiteral("\u2605") : QStringLiteral("\u2606"));
    pin->setCheckable(true);
    pin->setChecked(pinned);
    pin->setAutoRaise(true);
    pin->setFocusPolicy(Qt::StrongFocus);
    pin->setMinimumSize(28, 28);
    pin->setAccessibleName(tr("Pin %1").arg(QFileInfo(path).fileName()));
    pin->setToolTip(pinned ? tr("Pinned to the list; click to unpin") : tr("Pin to the list"));
    connect(pin, &QToolButton::clicked, this, [this, path](bool on) { Q_EMIT pin_asked(path, on); });
    line->addWidget(pin);
    const QFileInfo file(path);
    auto* button = new QToolButton;  // which writes to the left, other than a push button
    const QIcon picture = thumbnail(path);
    button->setIcon(picture.isNull() ? icon(QStringLiteral("file")) : picture);
    button->setIconSize(picture.isNull() ? QSize(20, 20) : thumbnail_size / 2);
    button->setText(QStringLiteral("%1    %2").arg(file.fileName(), file.absolutePath()));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setMinimumHeight(28);
    button->setAccessibleName(tr("Recent file %1").arg(file.fileName()));
    button->setToolTip(path);
    connect(button, &QToolButton::clicked, this, [this, path] { Q_EMIT files_asked({path}); });
    line->addWidget(button);
    line->addStretch(1);
    recent_->addWidget(row);
  }
  recent_part_->setVisible(!paths.isEmpty());
}

}  // namespace isolume
