// A line above the picture with a text and buttons.
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace isolume {

/// Says what the user should know at the start, with buttons for what can be done about it. Text is plain, since it may
/// name files.
class NoticeBar : public QFrame {
  Q_OBJECT
 public:
  /// `name` is that of the object, `title` and `what` what screen readers call the bar and its text.
  NoticeBar(const QString& name, const QString& title, const QString& what, QWidget* parent = nullptr);

  void set_text(const QString& text);
  QString text() const;
  /// One more button at the right end; `text` has the letter of its key behind an &.
  QPushButton* add_button(const QString& text, const QString& tip);

 private:
  QLabel* text_;
};

}  // namespace isolume
