// The panel of excited states: a table, the absorption spectrum, and the natural transition orbitals of a state.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/quantum/state_list.h"
#include "app/window/live/scene_controller.h"
#include "compute/base/job.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QToolButton;
class QTreeWidget;

namespace isolume {

class SpectrumView;

/// The states of a file of amplitudes for the orbitals of a molecule, as a table and as a spectrum; a row and a line
/// are one selection. A state's pairs of natural transition orbitals are shown as a second molecule of the scene, which
/// has these orbitals (app/scene/path_part.h), and two orbital fields. Computed on a thread of the pool.
class StatesPanel : public QWidget {
  Q_OBJECT
 public:
  explicit StatesPanel(SceneController& controller, QWidget* parent = nullptr);
  ~StatesPanel() override;

  QTreeWidget* table() const { return table_; }
  SpectrumView* spectrum() const { return spectrum_; }
  QComboBox* axis() const { return axis_; }
  QToolButton* show_button() const { return show_; }
  QSpinBox* pair() const { return pair_; }
  QLineEdit* fragments() const { return fragments_; }
  QLabel* note() const { return note_; }
  bool busy() const { return reading_ || showing_; }
  /// Reads amplitudes of the molecule's orbitals.
  void open_amplitudes(const QString& path);
  /// Shows a pair of natural transition orbitals of a state, both from 1.
  void show_pair(int state, int pair);
  /// Stops the computation.
  void cancel();
  /// Written whole or not at all; throws Error.
  void write_table(const QString& path) const;
  void write_spectrum(const QString& path) const;

 Q_SIGNALS:
  void failed(const QString& message);
  void progress(const QString& what, double fraction);
  void written(const QString& path);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* build_controls();
  void show_scene(const Scene& scene);
  /// Index of the molecule whose orbitals are those of the file; -1 where there is none.
  int molecule() const;
  int row() const;
  /// What a file says of its states.
  void read();
  void take(cli::StateList found);
  /// The molecule and the file of its amplitudes; nothing where the molecule is gone.
  Scene recorded_scene() const;
  void show_headings();
  void show_spectrum();
  void show_controls();
  void ask_amplitudes();
  void ask_export(bool spectrum);

  SceneController& controller_;
  QTreeWidget* table_;
  QLabel *note_, *hint_;
  SpectrumView* spectrum_;
  QComboBox* axis_;
  QToolButton *open_, *show_, *export_;
  QSpinBox* pair_;
  QLineEdit* fragments_;
  cli::StateList list_;
  std::vector<std::string> words_;  ///< the fragments that were asked for
  std::string file_;                ///< of the amplitudes
  std::vector<std::string> of_;     ///< paths of the molecule that they are for
  std::shared_ptr<Job> job_;
  bool reading_ = false, showing_ = false;
  std::optional<std::pair<int, int>> next_;  ///< state and pair that were asked for while others are computed
};

}  // namespace isolume
