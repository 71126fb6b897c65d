// The panel of running averages: the mean of a field or of a map of atoms over the frames, while they are computed and
// come.
#pragma once

#include <QWidget>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/cli/over_time/volmap_frames.h"
#include "app/fields/averages/running_mean.h"
#include "app/window/live/scene_controller.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace isolume {

class AtomMapRows;
class Plot;
class SelectionEdit;

/// Goes over the frames of a molecule in their order, on threads of the pool, and shows the mean so far as a map of the
/// scene: of a field that the scene has, or of the density, mass, charge, occupancy, distance or numbers of atoms, as
/// `isolume compute volmap` has them. Its surface is pale where the mean is within its error. Below are the standard
/// error and the statistical inefficiency against the number of frames. Frames that come later (a simulation, a file
/// that grows) are added.
class AveragePanel : public QWidget {
  Q_OBJECT
 public:
  AveragePanel(SceneController& controller, std::function<Device()> device, QWidget* parent = nullptr);
  ~AveragePanel() override;

  /// Begins with what the box shows, or ends.
  void start();
  void stop();
  bool running() const { return running_; }
  /// Frames in the map that is shown.
  std::uint64_t frames() const { return shown_frames_; }

  QComboBox* fields() const { return field_; }
  QComboBox* until() const { return until_; }
  QComboBox* colours() const { return colours_; }
  SelectionEdit* align() const { return align_; }
  /// Of maps of atoms.
  AtomMapRows* map_rows() const { return map_rows_; }
  QPushButton* start_button() const { return start_; }
  /// The standard error, and the statistical inefficiency, against the number of frames.
  Plot* error_plot() const { return error_plot_; }
  Plot* inefficiency_plot() const { return inefficiency_plot_; }
  QLabel* figures() const { return figures_; }

 Q_SIGNALS:
  void failed(const QString& message);
  void told(const QString& message);

 private:
  struct Piece;
  /// A line of the box: a field of the scene, or a map of the atoms of a molecule.
  struct Row {
    bool is_map = false;
    std::size_t number = 0;      ///< of the field, or which map
    std::uint32_t molecule = 0;  ///< index into Scene::molecules
    bool operator==(const Row&) const = default;
  };
  void build();
  std::optional<Row> row() const;
  std::vector<Row> possible_rows(const Scene& scene) const;
  QString row_label(const Row& row, const Scene& scene) const;
  void show_row_options();
  std::shared_ptr<RunningMean> new_average() const;
  void show_scene(const Scene& scene);
  void show_frame(const Scene& scene);
  void go_on();
  void take(Piece piece);
  void show_map(const SceneMolecule& entry);
  void show_figures();
  /// The field with the colours that the box says.
  Field coloured(Field field) const;
  void colour_map();
  /// Frames of the molecule that may be added now.
  std::size_t available() const;
  /// The molecule whose frames are averaged, and the one with the maps; -1 where they are gone.
  int source() const;
  int maps() const;

  SceneController& controller_;
  std::function<Device()> device_;
  QComboBox *field_, *until_, *colours_;
  SelectionEdit* align_;
  AtomMapRows* map_rows_;
  QPushButton* start_;
  QLabel* figures_;
  Plot *error_plot_, *inefficiency_plot_;
  std::vector<Row> rows_;  ///< of the box
  bool chosen_ = false;    ///< by the user

  std::optional<cli::VolmapChoice> map_;  ///< that is averaged, else it is a field
  Field averaged_, original_;             ///< that is averaged, and as the scene had it
  SceneMolecule source_, entry_;          ///< the molecule, and the one that stands for the maps
  std::shared_ptr<RunningMean> average_;
  std::shared_ptr<Job> job_;  ///< of the piece that is computed, null for none
  std::vector<ConvergencePoint> convergence_;
  QString text_, unit_;
  double level_ = 0;         ///< of the surface of a map of atoms
  bool both_signs_ = false;  ///< of its values
  std::uint64_t shown_frames_ = 0;
  std::chrono::steady_clock::duration maps_took_{};  ///< making the last maps
  std::uint64_t number_ = 0;                         ///< of averages so far
  std::vector<double> ranges_;                       ///< of each map, where its full colour is
  bool running_ = false, in_scene_ = false;
};

}  // namespace isolume
