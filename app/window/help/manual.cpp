// The built-in manual, for help without a network.
#include "app/window/help/manual.h"

#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextDocument>
#include <QVBoxLayout>

// Outside of every namespace, as the macro wants it.
static void load_help() {
  Q_INIT_RESOURCE(isolume_help);
}

namespace isolume {
namespace {

/// The text of a page, for Qt's Markdown. Pictures of panels are left out: the panels themselves are there.
QString text_of(const QString& page) {
  QFile file(QStringLiteral(":/help/%1.md").arg(page));
  if (!file.open(QIODevice::ReadOnly)) return {};
  static const QRegularExpression picture(QStringLiteral("^ *!\\[[^\\]]*\\]\\([^)]*\\)\\n"),
                                          QRegularExpression::MultilineOption);
  return QString::fromUtf8(file.readAll()).remove(picture);
}

}  // namespace

Manual::Manual(QWidget* parent) : QDialog(parent) {
  load_help();
  setWindowTitle(tr("Manual"));
  setAccessibleName(windowTitle());
  setObjectName(QStringLiteral("manual"));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(900, 640);
  pages_ = new QListWidget(this);
  pages_->setAccessibleName(tr("Pages"));
  pages_->setToolTip(tr("Manual pages"));
  pages_->setMaximumWidth(180);
  const QPair<QString, QString> known[] = {
      {tr("The window"), QStringLiteral("window")},           {tr("File formats"), QStringLiteral("formats")},
      {tr("Orbital files"), QStringLiteral("orbital-files")}, {tr("Command line"), QStringLiteral("command-line")},
      {tr("Scenes as JSON"), QStringLiteral("scene")},        {tr("Python"), QStringLiteral("python")},
      {tr("What's new"), QStringLiteral("changes")}};
  for (const auto& [title, page] : known) {
    auto* item = new QListWidgetItem(title, pages_);
    item->setData(Qt::UserRole, page);
  }
  text_ = new QTextBrowser(this);
  text_->setAccessibleName(tr("Text of the manual"));
  text_->setOpenLinks(false);  // nothing is opened but pages
  search_ = new QLineEdit(this);
  search_->setAccessibleName(tr("Search the manual"));
  search_->setPlaceholderText(tr("Search"));
  search_->setToolTip(tr("Search text; Enter finds the next match"));
  search_->setClearButtonEnabled(true);
  auto* close = new QPushButton(tr("&Close"), this);
  close->setAccessibleName(tr("Close"));
  close->setToolTip(tr("Close the manual"));
  close->setAutoDefault(false);
  auto* bottom = new QHBoxLayout;
  bottom->addWidget(search_, 1);
  bottom->addWidget(close);
  auto* right = new QVBoxLayout;
  right->addWidget(text_, 1);
  right->addLayout(bottom);
  auto* layout = new QHBoxLayout(this);
  layout->addWidget(pages_);
  layout->addLayout(right, 1);
  connect(pages_, &QListWidget::currentRowChanged, this, &Manual::load);
  connect(search_, &QLineEdit::returnPressed, this, &Manual::search);
  connect(close, &QPushButton::clicked, this, &QDialog::close);
  connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
    if (link.isRelative()) show_page(QFileInfo(link.path()).baseName());
  });
  pages_->setCurrentRow(0);
}

void Manual::load(int row) {
  if (row < 0 || row == shown_) return;
  shown_ = row;
  // Read next to the browser, which would lay the page out after every cell of its tables (Qt 6.4: most of a minute).
  QTextDocument page;
  page.setUndoRedoEnabled(false);
  page.setMarkdown(text_of(pages_->item(row)->data(Qt::UserRole).toString()));
  text_->setHtml(page.toHtml());
  text_->moveCursor(QTextCursor::Start);
}

void Manual::show_page(const QString& page, const QString& word) {
  for (int row = 0; row < pages_->count(); ++row) {
    if (pages_->item(row)->data(Qt::UserRole).toString() != page) continue;
    pages_->setCurrentRow(row);
    text_->moveCursor(QTextCursor::Start);
    if (word.isEmpty() || !text_->find(word, QTextDocument::FindCaseSensitively)) return;
    // The place comes to the top.
    const int top = text_->verticalScrollBar()->value() + text_->cursorRect().top();
    text_->verticalScrollBar()->setValue(top);
    return;
  }
}

void Manual::search() {
  const QString words = search_->text().trimmed();
  if (words.isEmpty() || text_->find(words)) return;
  for (int step = 1; step <= pages_->count(); ++step) {
    const int row = (shown_ + step) % pages_->count();
    if (!text_of(pages_->item(row)->data(Qt::UserRole).toString()).contains(words, Qt::CaseInsensitive)) continue;
    pages_->setCurrentRow(row);
    text_->moveCursor(QTextCursor::Start);
    if (text_->find(words)) return;
  }
}

}  // namespace isolume
