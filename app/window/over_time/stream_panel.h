// The panel of a running simulation: where it is, what has come, and what is done with it.
#pragma once

#include <QWidget>

#include "app/window/live/stream_follow.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace isolume {

/// Address and molecule, buttons that connect, pause and record, and the figures of the simulation.
class StreamPanel : public QWidget {
  Q_OBJECT
 public:
  explicit StreamPanel(SceneController& controller, QWidget* parent = nullptr);

  StreamFollow& stream() { return stream_; }
  /// Connects the molecule to the address, as if both had been entered.
  void follow(const QString& address, int molecule);
  /// An address that was given together with files: follow_awaited() connects the newest molecule to it once they are
  /// open; with an empty one nothing is awaited.
  void await(const QString& address) { awaited_ = address; }
  void follow_awaited();

  QLineEdit* address() const { return address_; }
  QComboBox* molecules() const { return molecule_; }
  QPushButton* connect_button() const { return connect_; }
  QPushButton* pause_button() const { return pause_; }
  QPushButton* record_button() const { return record_; }
  QLabel* figures() const { return figures_; }

 Q_SIGNALS:
  /// A simulation is connected: the panel wants to be seen.
  void asked();

 private:
  void build();
  void show_scene(const Scene& scene);
  void show_state();
  void ask_file();

  SceneController& controller_;
  StreamFollow stream_;
  QString awaited_;
  QLineEdit* address_;
  QComboBox* molecule_;
  QPushButton *connect_, *pause_, *record_;
  QLabel *state_, *figures_;
};

}  // namespace isolume
