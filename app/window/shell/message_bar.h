// Messages next to the picture, which block nothing.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QToolButton>
#include <vector>

namespace isolume {

/// Shows what went wrong, or what the user should know, above the picture until it is closed. Several messages are
/// counted and shown one after another. Text is plain, since it may come from a file.
class MessageBar : public QFrame {
  Q_OBJECT
 public:
  enum class Kind { note, fault };
  explicit MessageBar(QWidget* parent = nullptr);

  void show_message(Kind kind, const QString& text);
  /// The message that is shown, empty for none.
  QString message() const;
  void clear();
  /// Removes the message with this text: it is no longer true.
  void dismiss(const QString& text);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Message {
    Kind kind;
    QString text;
    bool operator==(const Message&) const = default;
  };
  void close_one();
  void refresh();

  QLabel* picture_;
  QLabel* text_;
  QLabel* more_;
  QToolButton* close_;
  std::vector<Message> messages_;
};

}  // namespace isolume
