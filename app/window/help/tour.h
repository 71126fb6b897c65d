// A tour of the window in a few steps.
#pragma once

#include <QFrame>
#include <QPointer>
#include <QWidget>
#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace isolume {

/// Lies over the window, leaves one widget of it bright and says what it is for. Next, Back, Skip; Esc skips.
class Tour : public QWidget {
  Q_OBJECT
 public:
  struct Step {
    std::function<QWidget*()> target;  ///< made visible by it; null for the middle of the window
    QString title, text;
  };
  Tour(std::vector<Step> steps, QWidget* window);

  int step() const { return step_; }
  QPushButton* next_button() const { return next_; }
  QPushButton* skip_button() const { return skip_; }

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void go(int step);
  void place();

  std::vector<Step> steps_;
  int step_ = 0;
  QPointer<QWidget> target_;
  QFrame* bubble_;
  QLabel* title_;
  QLabel* text_;
  QLabel* count_;
  QPushButton* back_;
  QPushButton* next_;
  QPushButton* skip_;
};

}  // namespace isolume
