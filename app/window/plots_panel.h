// The panel of values over the frames.
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "app/window/scene_controller.h"
#include "compute/job.h"

class QComboBox;
class QToolButton;

namespace isolume {

class Plot;

/// Curves over the frames of the trajectory, of the scene's measurements. The frame that is shown is a line in the
/// plot; a click or the arrow keys in the plot go to a frame. A click on a curve picks its atoms too, and the curves
/// whose atoms are picked are drawn above the others. Curves are computed on a thread and go with their measurement.
class PlotsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit PlotsPanel(SceneController& controller, QWidget* parent = nullptr);
  ~PlotsPanel() override;

  /// Adds curves of these measurements of the scene, and shows them.
  void add(const QList<int>& measurements);
  Plot* plot() const { return plot_; }
  QComboBox* kinds() const { return kinds_; }
  bool busy() const { return running_ > 0; }
  /// Written whole or not at all; throws Error.
  void write_csv(const QString& path) const;
  void write_svg(const QString& path) const;

 Q_SIGNALS:
  void progress(const QString& what, double fraction);
  void failed(const QString& message);
  void written(const QString& path);

 private:
  struct Curve {
    Measurement measurement;
    std::vector<std::shared_ptr<const Molecule>> molecules;  ///< that it was computed of
    QString name;
    std::vector<double> values;
    bool asked = false;
  };
  void show_scene(const Scene& scene);
  void compute(std::size_t index);
  void show_curves();
  /// Draws those above the others whose atoms are picked.
  void show_picked();
  void ask_file(bool svg);

  SceneController& controller_;
  Plot* plot_;
  QComboBox* kinds_;
  QToolButton* svg_;
  QToolButton* csv_;
  QToolButton* empty_;
  std::vector<Curve> curves_;
  std::vector<std::size_t> shown_;  ///< of curves_, as the plot counts them
  std::shared_ptr<Job> job_;
  int running_ = 0;
};

}  // namespace isolume
