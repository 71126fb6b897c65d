// The panel of timelines: interactions and numbers of residues over the frames, linked with frame and selection.
#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/export/recorded_table.h"
#include "app/window/live/scene_controller.h"
#include "app/window/over_time/heat_map.h"
#include "compute/timeline/interaction_timeline.h"
#include "compute/timeline/timeline.h"

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QSpinBox;
class QStackedWidget;
class QToolButton;
class QTreeWidget;

namespace isolume {

class SelectionEdit;

/// Rows are interactions, with a bar of the frames in which each is there, or residues as a picture. A click goes to
/// the frame and selects what interacts. Computed on a thread of the pool when it is asked for, on the given device
/// where that has a body for it.
class TimelinePanel : public QWidget {
  Q_OBJECT
 public:
  enum Of {
    interactions_of,
    structure_of,
    displacement_of,
    fluctuation_of,
    area_of,
    contacts_of,
    potential_of,
    correlation_of
  };
  /// `device` says what computes areas, potentials and correlations.
  TimelinePanel(SceneController& controller, std::function<Device()> device, QWidget* parent = nullptr);
  ~TimelinePanel() override;

  QComboBox* of() const { return of_; }
  QComboBox* molecule_box() const { return molecule_; }
  QComboBox* kinds() const { return kinds_; }
  SelectionEdit* atoms() const { return atoms_; }
  SelectionEdit* others() const { return others_; }
  /// Of correlations.
  QComboBox* map_box() const { return map_box_; }
  QDoubleSpinBox* resolution_box() const { return resolution_; }
  QSpinBox* step() const { return step_; }
  QToolButton* compute_button() const { return compute_; }
  QTreeWidget* list() const { return list_; }
  HeatMap* map() const { return map_; }
  QLabel* note() const { return note_; }
  bool busy() const { return job_ != nullptr; }
  const std::optional<InteractionTimeline>& interactions() const { return interactions_; }
  const std::optional<Timeline>& line() const { return line_; }
  /// The rows of the list, by their place in interactions().
  const std::vector<std::size_t>& listed() const { return listed_; }
  /// The frame at a place of the list's last column.
  std::size_t frame_at(int x) const;

  void compute();
  void cancel();
  /// As CSV; written whole or not at all. Throws Error.
  void write(const QString& path) const;

 Q_SIGNALS:
  void failed(const QString& message);
  void progress(const QString& what, double fraction);
  void written(const QString& path);
  /// The selected atoms are to be brought to the middle.
  void centre_asked();

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void build();
  QWidget* build_form();
  void show_scene(const Scene& scene);
  void show_rows();
  void show_controls();
  void take(InteractionTimeline found);
  void take(Timeline found, HeatPicture picture);
  void clear();
  void end();
  /// The resolution that the map's grid allows.
  void propose_resolution();
  void go(std::size_t frame);
  void choose(int row, std::optional<std::size_t> frame);
  void show_picked();
  void ask_export();

  SceneController& controller_;
  std::function<Device()> device_;
  QComboBox *of_, *molecule_, *kinds_, *map_box_;
  QDoubleSpinBox* resolution_;
  QGridLayout* form_;
  SelectionEdit *atoms_, *others_;
  QSpinBox* step_;
  QToolButton *compute_, *export_;
  QStackedWidget* pages_;
  QTreeWidget* list_;
  HeatMap* map_;
  QLabel *note_, *pointed_, *hint_;
  std::optional<InteractionTimeline> interactions_;
  std::vector<std::size_t> listed_;
  std::optional<Timeline> line_;
  RecordedTable asked_;                          ///< as the record next to an export has it
  bool structure_ = false;                       ///< the line is of secondary structure
  std::shared_ptr<const Molecule> molecule_of_;  ///< of what is shown
  std::uint32_t number_ = 0;
  std::shared_ptr<Job> job_;
};

}  // namespace isolume
