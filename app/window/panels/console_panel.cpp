// A console: the commands of past actions, and a line for new ones.
#include "app/window/panels/console_panel.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QCompleter>
#include <QFontDatabase>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollBar>
#include <QSettings>
#include <QStringListModel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/window/widgets/theme.h"

namespace isolume {
namespace {

constexpr int longest_text = 5000;    // lines
constexpr int longest_history = 500;  // commands
const QString history_key = QStringLiteral("console/history");

}  // namespace

ConsolePanel::ConsolePanel(QWidget* parent)
    : QWidget(parent),
      text_(new QPlainTextEdit(this)),
      line_(new QLineEdit(this)),
      completer_(new QCompleter(this)),
      words_(new QStringListModel(this)) {
  setAccessibleName(tr("Console"));
  const QFont mono = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  text_->setReadOnly(true);
  text_->setMaximumBlockCount(longest_text);
  text_->setFont(mono);
  text_->setAccessibleName(tr("Commands and answers"));
  text_->setToolTip(tr("Everything done in this window, as commands"));
  text_->setTabChangesFocus(true);
  line_->setFont(mono);
  line_->setAccessibleName(tr("Command"));
  line_->setPlaceholderText(tr("open FILE, set PATH VALUE, frame N, compute ...   (help lists them)"));
  line_->setToolTip(tr("A command; Tab completes, Up/Down recall, Enter runs"));
  line_->installEventFilter(this);
  setFocusProxy(line_);  // who opens the console wants to type
  completer_->setModel(words_);
  completer_->setWidget(line_);
  completer_->setCaseSensitivity(Qt::CaseInsensitive);
  history_ = QSettings().value(history_key).toStringList();
  place_ = static_cast<int>(history_.size());

  auto* copy = new QToolButton(this);
  copy->setText(tr("Copy as script"));
  copy->setAccessibleName(copy->text());
  copy->setToolTip(tr("Copy all commands of this window, one per line"));
  copy->setFocusPolicy(Qt::StrongFocus);
  auto* empty = new QToolButton(this);
  empty->setText(tr("Clear"));
  empty->setAccessibleName(empty->text());
  empty->setToolTip(tr("Clear the console; the history is kept"));
  empty->setFocusPolicy(Qt::StrongFocus);
  auto* foot = new QHBoxLayout;
  foot->addWidget(line_, 1);
  foot->addWidget(copy);
  foot->addWidget(empty);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 6, 10, 8);
  layout->setSpacing(6);
  layout->addWidget(text_, 1);
  layout->addLayout(foot);

  connect(copy, &QToolButton::clicked, this,
          [this] { QApplication::clipboard()->setText(commands_.join(QLatin1Char('\n')) + QLatin1Char('\n')); });
  connect(empty, &QToolButton::clicked, this, &ConsolePanel::clear);
  connect(completer_, qOverload<const QString&>(&QCompleter::activated), this, [this](const QString& word) {
    const qsizetype start = line_->text().lastIndexOf(QLatin1Char(' ')) + 1;
    line_->setText(line_->text().left(start) + word +
                   (word.endsWith(QLatin1Char('/')) ? QString() : QStringLiteral(" ")));
  });
  connect(line_, &QLineEdit::returnPressed, this, [this] {
    const QString command = line_->text().trimmed();
    if (command.isEmpty()) return;
    completer_->popup()->hide();
    line_->clear();
    history_.removeAll(command);
    history_.append(command);
    history_ = history_.mid(std::max<qsizetype>(0, history_.size() - longest_history));
    place_ = static_cast<int>(history_.size());
    QSettings().setValue(history_key, history_);
    Q_EMIT entered(command);
  });
}

void ConsolePanel::set_completions(std::function<QStringList(const QString&)> completions) {
  completions_ = std::move(completions);
}

void ConsolePanel::append(const QString& text, const QColor& colour, bool bold) {
  QScrollBar* bar = text_->verticalScrollBar();
  const bool at_end = bar->value() >= bar->maximum() - 4;
  QTextCharFormat format;
  format.setForeground(colour);
  if (bold) format.setFontWeight(QFont::DemiBold);
  QTextCursor cursor(text_->document());
  cursor.movePosition(QTextCursor::End);
  if (!text_->document()->isEmpty()) cursor.insertBlock();
  cursor.insertText(text, format);
  if (at_end) bar->setValue(bar->maximum());
}

void ConsolePanel::show_command(const QString& command) {
  commands_.append(command);
  append(command, text_->palette().color(QPalette::Link), true);
}

void ConsolePanel::show_text(const QString& text, Kind kind) {
  if (text.isEmpty()) return;
  const QColor red = dark_palette() ? QColor(0xff9d8a) : QColor(0xa3260f);
  append(text, kind == Kind::fault ? red : text_->palette().color(QPalette::Text), false);
}

void ConsolePanel::clear() {
  text_->clear();
}

void ConsolePanel::complete() {
  const QString line = line_->text().left(line_->cursorPosition());
  const QString word = line.mid(line.lastIndexOf(QLatin1Char(' ')) + 1);
  QStringList fitting;
  for (const QString& candidate : completions_ ? completions_(line) : QStringList()) {
    if (candidate.startsWith(word, Qt::CaseInsensitive)) fitting += candidate;
  }
  if (fitting.isEmpty()) return;
  // What all that fit have in common is written at once.
  QString common = fitting.first();
  for (const QString& candidate : fitting) {
    while (!candidate.startsWith(common, Qt::CaseInsensitive)) common.chop(1);
  }
  const bool only = fitting.size() == 1;
  if (only && !common.endsWith(QLatin1Char('/'))) common += QLatin1Char(' ');
  if (common.size() > word.size()) {
    line_->setText(line.left(line.size() - word.size()) + common);
    completer_->popup()->hide();
    return;
  }
  words_->setStringList(fitting);
  completer_->setCompletionPrefix(word);
  completer_->popup()->setAccessibleName(tr("Completions"));
  completer_->complete();
}

void ConsolePanel::recall(int by) {
  const int place = std::clamp(place_ + by, 0, static_cast<int>(history_.size()));
  if (place == place_) return;
  place_ = place;
  line_->setText(place < history_.size() ? history_[place] : QString());
}

bool ConsolePanel::eventFilter(QObject* object, QEvent* event) {
  if (object != line_ || event->type() != QEvent::KeyPress) return QWidget::eventFilter(object, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  const bool popup = completer_->popup()->isVisible();
  if (key->key() == Qt::Key_Tab && !line_->text().isEmpty()) {  // in an empty line it goes on to the next control
    complete();
    return true;
  }
  if (!popup && (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down)) {
    recall(key->key() == Qt::Key_Up ? -1 : 1);
    return true;
  }
  return false;
}

}  // namespace isolume
