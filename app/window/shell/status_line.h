// The line at the foot of the window.
#pragma once

#include <QStatusBar>
#include <map>

class QLabel;
class QProgressBar;
class QToolButton;

namespace isolume {

/// Atom under the pointer; what runs, how far it is, and a button that cancels it; device, a note and frame rate.
class StatusLine : public QStatusBar {
  Q_OBJECT
 public:
  explicit StatusLine(QWidget* parent = nullptr);

  void show_atom(const QString& text);
  /// One of several tasks by its key ("loading"); `fraction` < 0 where it is not known; an empty `what` ends it.
  void show_task(const QString& key, const QString& what, double fraction);
  bool has_task() const { return !tasks_.empty(); }
  /// That task and no other.
  bool has_only(const QString& key) const { return tasks_.size() == 1 && tasks_.count(key) == 1; }
  void show_device(const QString& device, const QString& tip);
  /// Remarks on the surfaces shown, empty for none.
  void show_note(const QString& note);
  void show_frame_rate(double fps);
  /// How far a path-traced picture is; empty where none is seen or made.
  void show_traced(const QString& text, const QString& tip);
  /// That a finer picture is on its way.
  void show_refining(bool on);

 Q_SIGNALS:
  void cancel();

 private:
  struct Task {
    QString what;
    double fraction;
  };
  QLabel* make(const QString& name);
  void refresh();

  QLabel* atom_;
  QWidget* task_;
  QLabel* what_;
  QProgressBar* bar_;
  QToolButton* cancel_;
  QLabel* device_;
  QLabel* note_;
  QLabel* rate_;
  QLabel* refining_;
  bool finer_comes_ = false;
  QString traced_, traced_tip_;
  std::map<QString, Task> tasks_;
};

}  // namespace isolume
