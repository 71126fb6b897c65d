// The panel of contacts: how near residues are, as a picture linked with the selection.
#pragma once

#include <QWidget>
#include <memory>

#include "app/window/live/live_view.h"
#include "app/window/live/scene_controller.h"
#include "app/window/over_time/heat_map.h"
#include "compute/timeline/residue_contacts.h"

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QToolButton;

namespace isolume {

class SelectionEdit;

/// Residues against residues: the distance in the frame that is shown, or the part of the frames in which they touch.
/// Computed on a thread of the pool, and only while the panel is visible.
class ContactMapPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ContactMapPanel(SceneController& controller, QWidget* parent = nullptr);
  ~ContactMapPanel() override;

  /// The picture is another one.
  void show_picture(std::shared_ptr<const BuiltView> built);
  HeatMap* map() const { return map_; }
  QComboBox* shown() const { return shown_; }
  QComboBox* measure() const { return measure_; }
  QComboBox* molecule_box() const { return molecule_; }
  SelectionEdit* atoms() const { return atoms_; }
  QDoubleSpinBox* cutoff() const { return cutoff_; }
  QLabel* note() const { return note_; }
  const ResidueMatrix& matrix() const { return matrix_; }
  bool busy() const { return job_ != nullptr; }
  /// Stops counting over the frames; the distances of this frame are shown then.
  void cancel();
  /// A line for each pair, as CSV; written whole or not at all. Throws Error.
  void write(const QString& path) const;

 Q_SIGNALS:
  void failed(const QString& message);
  void progress(const QString& what, double fraction);
  void written(const QString& path);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// What a picture is of.
  struct Asked {
    std::shared_ptr<const Molecule> molecule;
    std::shared_ptr<const Frame> frame;  ///< null: over all frames
    std::uint32_t number = 0;
    std::string selection;
    double cutoff = 4.5;
    std::size_t frame_number = 0;  ///< of `frame`
    bool operator==(const Asked&) const = default;
  };
  struct Made {
    ResidueMatrix matrix;
    HeatPicture picture;
    std::size_t contacts = 0;  ///< pairs within the cutoff
  };
  void build();
  /// The map is a square as high as the panel; the form has the rest of the width.
  void fit_map();
  void show_scene(const Scene& scene);
  Asked asked() const;
  void refresh();
  void compute(const Asked& asked);
  static Made make(const Asked& asked, Job& job);
  void take(Made made);
  void end();
  void show_picked();
  void select(std::pair<std::size_t, std::size_t> rows, std::pair<std::size_t, std::size_t> columns, bool add);
  void ask_export();

  SceneController& controller_;
  HeatMap* map_;
  QGridLayout* form_;
  QComboBox *molecule_, *measure_, *shown_;
  SelectionEdit* atoms_;
  QDoubleSpinBox* cutoff_;
  QLabel *note_, *pointed_;
  QToolButton* export_;
  std::shared_ptr<const BuiltView> built_;
  ResidueMatrix matrix_;
  Asked made_;  ///< of the picture, or of the one that is made
  std::shared_ptr<Job> job_;
};

}  // namespace isolume
