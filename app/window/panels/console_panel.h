// A console: the commands of past actions, and a line for new ones.
#pragma once

#include <QPlainTextEdit>
#include <QWidget>
#include <functional>

class QCompleter;
class QLineEdit;
class QStringListModel;

namespace isolume {

/// Shows commands and what they answered; the line takes one, with completion (Tab) and history (Up, Down). The panel
/// knows no command: whoever owns it carries them out and says what can follow.
class ConsolePanel : public QWidget {
  Q_OBJECT
 public:
  explicit ConsolePanel(QWidget* parent = nullptr);

  /// What may complete the last word of a line.
  void set_completions(std::function<QStringList(const QString& line)> completions);
  /// A command that was carried out, here or elsewhere in the window.
  void show_command(const QString& command);
  enum class Kind { answer, fault };
  void show_text(const QString& text, Kind kind = Kind::answer);
  void clear();

  /// The commands that were shown, oldest first.
  const QStringList& commands() const { return commands_; }
  QLineEdit* line() const { return line_; }
  QString text() const { return text_->toPlainText(); }

 Q_SIGNALS:
  void entered(const QString& command);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void append(const QString& text, const QColor& colour, bool bold);
  void complete();
  void recall(int by);

  QPlainTextEdit* text_;
  QLineEdit* line_;
  QCompleter* completer_;
  QStringListModel* words_;
  std::function<QStringList(const QString&)> completions_;
  QStringList commands_;
  QStringList history_;
  int place_ = 0;  ///< in the history while it is recalled
};

}  // namespace isolume
