// The welcome page of an empty window.
#pragma once

#include <QWidget>

class QVBoxLayout;

namespace isolume {

/// Open, the bundled examples, recent files, and that files may be dropped here.
class WelcomePage : public QWidget {
  Q_OBJECT
 public:
  explicit WelcomePage(QWidget* parent = nullptr);

  /// The first of them are shown, and all that are pinned.
  void set_recent(const QStringList& paths);

 Q_SIGNALS:
  void open_asked();
  void tour_asked();
  void files_asked(const QStringList& paths);
  /// The file shall stay among the recent ones, or need not any more.
  void pin_asked(const QString& path, bool pinned);

 private:
  QWidget* example_list();
  QVBoxLayout* recent_;
  QWidget* recent_part_;
};

}  // namespace isolume
