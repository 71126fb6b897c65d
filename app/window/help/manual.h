// The built-in manual, for help without a network.
#pragma once

#include <QDialog>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace isolume {

/// The pages of docs/ and what is new, with a search; opens at a word of a page ("Fields" of "window").
class Manual : public QDialog {
  Q_OBJECT
 public:
  explicit Manual(QWidget* parent = nullptr);

  /// `page`: "window", "formats", "orbital-files", "command-line", "scene", "python", "changes".
  void show_page(const QString& page, const QString& word = {});
  QListWidget* pages() const { return pages_; }
  QTextBrowser* text() const { return text_; }
  QLineEdit* search_line() const { return search_; }

 private:
  void load(int row);
  /// The next match, on this page or a later one.
  void search();

  QListWidget* pages_;
  QTextBrowser* text_;
  QLineEdit* search_;
  int shown_ = -1;
};

}  // namespace isolume
