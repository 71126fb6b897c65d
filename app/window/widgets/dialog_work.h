// A dialog's background computation: its progress, its result, and the buttons that start and stop it.
#pragma once

#include <QList>
#include <QObject>
#include <QStringList>
#include <memory>
#include <utility>

#include "app/window/widgets/async.h"
#include "compute/base/job.h"

class QBoxLayout;
class QDialog;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace isolume {

/// One computation at a time, on a thread of the pool. The dialog puts the progress with the message and the row of
/// buttons into its layout. It ends with the dialog.
class DialogWork : public QObject {
  Q_OBJECT
 public:
  struct Words {
    QString go, go_tip;  ///< of the button that starts it
    QString cancel_tip;  ///< "Stop; nothing is moved"
    QString cancelled;   ///< what the message says then
    QString close_tip;
  };
  DialogWork(const Words& words, QDialog* dialog);
  ~DialogWork() override;

  void add_progress(QBoxLayout* to);
  /// Cancel, the button that starts, `others` and Close.
  void add_buttons(QBoxLayout* to, const QList<QPushButton*>& others = {});

  bool running() const { return job_ != nullptr; }
  QPushButton* go() const { return go_; }
  QPushButton* cancel_button() const { return cancel_; }
  QLabel* message() const { return message_; }

  /// Runs work(job) on a thread of the pool, then done(result) on the window's, where it was not cancelled. An Error
  /// becomes the message.
  template <class Work, class Done>
  void start(const QString& doing, Work work, Done done) {
    begin(doing);
    run_async(
        this, [job = job_, work = std::move(work)]() mutable { return work(*job); },
        [this, job = job_, done = std::move(done)](auto&& result) mutable {
          if (job != job_) return;  // cancelled when it was done already
          end();
          done(std::forward<decltype(result)>(result));
        },
        [this, job = job_](const QString& text) {
          if (job != job_) return;
          end();
          say(text);
        });
  }
  void say(const QString& text);

  /// False where one of the files exists: says so, and is true when it is asked for the same files once more.
  bool may_write(const QStringList& paths);
  /// A button with a file dialog that writes what is chosen into `file`. The dialog has asked whether to replace it.
  QPushButton* make_browse(const QString& title, const QString& filter, QLineEdit* file);

 Q_SIGNALS:
  /// It began or ended: what can be done now is another.
  void changed();

 private:
  void begin(const QString& doing);
  void end();

  QString cancelled_;
  QProgressBar* progress_;
  QLabel* message_;
  QPushButton *go_, *cancel_, *close_;
  QStringList replaced_;      ///< files that may be replaced
  std::shared_ptr<Job> job_;  ///< null where nothing runs
};

}  // namespace isolume
