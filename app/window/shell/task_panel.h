// The panel of running tasks with their remaining time, and of past messages.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <map>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QTreeWidget;
class QVBoxLayout;

namespace isolume {

/// Running tasks with progress, expected end and a button that cancels; below them the log, which can be searched,
/// narrowed to faults and copied.
class TaskPanel : public QWidget {
  Q_OBJECT
 public:
  enum class Kind { note, done, fault };

  explicit TaskPanel(QWidget* parent = nullptr);

  /// One of several tasks by its key; `fraction` < 0 where it is not known; an empty `what` ends it.
  void show_task(const QString& key, const QString& what, double fraction);
  void log(Kind kind, const QString& text);
  /// The log as lines "time  kind  text".
  QString log_text() const;
  int running() const { return static_cast<int>(tasks_.size()); }

 Q_SIGNALS:
  void cancel();

 private:
  struct Task {
    QWidget* row = nullptr;
    QLabel* what = nullptr;
    QProgressBar* bar = nullptr;
    QLabel* left = nullptr;
    QElapsedTimer since;
    double fraction = -1;
  };
  void make_row(Task& task);
  void tick();
  void narrow();

  QVBoxLayout* rows_;
  QLabel* idle_;
  QTreeWidget* list_;
  QComboBox* kinds_;
  QLineEdit* search_;
  std::map<QString, Task> tasks_;
  QTimer clock_;
};

/// "4 s left", "2 min left": the time left for a task that took `seconds` to get to `fraction`; empty while that is
/// too early to say.
QString time_left(double seconds, double fraction);

}  // namespace isolume
