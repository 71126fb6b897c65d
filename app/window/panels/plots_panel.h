// The panel of plots: values over the frames, of residues, and over distances.
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/window/live/scene_controller.h"
#include "compute/analysis/analysis.h"
#include "compute/base/job.h"
#include "molecule/energy_series.h"

class QAction;
class QCheckBox;
class QComboBox;
class QLabel;
class QToolButton;

namespace isolume {

class Plot;
struct PlotCurve;

/// Curves over the frames of the trajectory: of the scene's measurements, and of analyses (RMSD, gyration, contacts,
/// ...). The frame that is shown is a line in the plot; a click or the arrow keys in the plot go to a frame, and the
/// frame under the pointer is shown while it is there. Dragging chooses a range of frames, which alone are played and
/// of which RMSF and radial distributions are computed. A click on a curve picks its atoms too, and the curves whose
/// atoms are picked are drawn above the others; of fluctuations, a click picks the residue and dragging picks many.
/// Energies that a simulation program wrote are read from its files and placed at the frames of their time.
/// Everything is computed on a thread; curves of measurements go with these.
class PlotsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit PlotsPanel(SceneController& controller, QWidget* parent = nullptr);
  ~PlotsPanel() override;

  /// Adds curves of these measurements of the scene, and shows them.
  void add(const QList<int>& measurements);
  /// Computes an analysis of a molecule of the scene (the request's own molecule and frames are left out of account)
  /// and shows it.
  void add_analysis(int molecule, const AnalysisRequest& request);
  /// Opens the dialog that asks for one.
  void ask_analysis(AnalysisKind kind);
  /// Reads the energies of a run (GROMACS .edr, AMBER mdout, NAMD log; several files are its parts) and shows a page
  /// for each term. Rows are placed at the frames of their time, of the molecule with the most frames; without times
  /// of frames the axis is the time of the run.
  void add_energies(const QStringList& paths);
  /// Opens the dialog that asks for the files.
  void ask_energies();
  Plot* plot() const { return plot_; }
  QComboBox* kinds() const { return kinds_; }
  QToolButton* add_button() const { return add_; }
  /// What the menu of that button has, named plot_rmsd, plot_rmsf, plot_gyration ... and plot_energies.
  const QList<QAction*>& plots() const { return plots_; }
  QCheckBox* preview_button() const { return preview_; }
  QToolButton* range_button() const { return all_frames_; }
  QLabel* reading() const { return reading_; }
  bool busy() const { return running_ > 0 || computing_ > 0; }
  /// A frame is shown only because the pointer is over it.
  bool previewing() const { return before_.has_value(); }
  /// The range of frames that is played, for the band; what was computed of a range is computed again.
  void set_range(std::optional<std::pair<std::size_t, std::size_t>> range);
  /// Stops the computation.
  void cancel();
  /// Written whole or not at all; throws Error.
  void write_csv(const QString& path) const;
  /// As SVG, or PDF by the path's suffix.
  void write_drawing(const QString& path) const;

 Q_SIGNALS:
  void progress(const QString& what, double fraction);
  void failed(const QString& message);
  void written(const QString& path);
  /// The user chose a range of frames in the plot, or took it away.
  void range_chosen(std::size_t first, std::size_t last);
  void range_cleared();

 private:
  struct Curve {
    Measurement measurement;
    std::vector<std::shared_ptr<const Molecule>> molecules;  ///< that it was computed of
    QString name;
    std::vector<double> values;
    std::uint64_t asked = 0;  ///< the number of the newest computation; 0 for none
  };
  /// An analysis, with its table once it is computed.
  struct Analysis {
    std::uint64_t id = 0;
    std::uint32_t index = 0;  ///< of the scene's molecules
    SceneMolecule entry;      ///< what that was
    AnalysisRequest request;
    AnalysisTable table;
    std::shared_ptr<Job> job;   ///< while it is computed
    std::uint64_t choices = 0;  ///< pages that the user had chosen when it was asked for
  };
  struct Energies {
    QString name;  ///< of the first file
    QStringList paths;
    std::shared_ptr<const Molecule> molecule;  ///< whose frames have their times, or would have them
    EnergySeries series;
    std::vector<double> x;   ///< frame numbers with fractions (NaN where there is no frame), times or steps
    bool of_frames = false;  ///< x are frame numbers
  };
  enum class Axis : std::uint8_t { frames, residues, radius, time, steps };
  /// What the box of kinds offers.
  struct Page {
    AnalysisKind kind{};
    int column = 0;        ///< of the table's columns behind the axis; of page 0 and 1 none
    bool measured = true;  ///< of measurements
    Axis axis = Axis::frames;
    QString title, y;
    int run = -1;  ///< of energies_, whose term is `column`; -1 for none
  };
  /// The residues' numbers where these ascend, else their order from 0.
  static std::vector<double> residue_axis(const AnalysisTable& table);
  void build();
  void show_scene(const Scene& scene);
  void compute(std::size_t index);
  void show_curves();
  void show_cursor();
  void show_pages();
  const Page& page() const;
  void start(Analysis& analysis);
  void take(std::uint64_t id, AnalysisTable table);
  void drop(std::uint64_t id);
  void restart_ranged();
  void show_analyses(const Scene& scene);
  std::vector<PlotCurve> analysis_curves(const Page& page);
  void take_energies(Energies energies, std::uint64_t id, std::uint64_t choices);
  void read_energies_of(const QStringList& paths, std::uint64_t id, std::uint64_t choices);
  /// Of the scene the one with the most frames; null where none has several.
  std::shared_ptr<const Molecule> longest_trajectory() const;
  /// Whether the page of what was asked for as `id`, when the user had made so many choices, may come to the front.
  bool comes_to_front(std::uint64_t id, std::uint64_t choices);
  void cancel_energies();
  void add_energy_pages(std::vector<Page>& pages) const;
  PlotCurve energy_curve(const Page& page) const;
  void clicked(double x);
  void hover(double x);
  void end_hover();
  void show_reading(std::optional<double> x);
  void pick_rows(double lower, double upper);
  /// Draws those above the others whose atoms are picked.
  void show_picked();
  void ask_file(bool drawing);

  SceneController& controller_;
  Plot* plot_;
  QComboBox* kinds_;
  QToolButton* add_;
  QList<QAction*> plots_;
  QCheckBox* preview_;
  QToolButton* all_frames_;
  QLabel* reading_;
  QToolButton* drawing_;
  QToolButton* csv_;
  QToolButton* empty_;
  std::vector<Curve> curves_;
  std::vector<std::size_t> shown_;  ///< of curves_, as the plot counts them
  std::shared_ptr<Job> job_;
  int running_ = 0;
  std::vector<Page> pages_;
  std::vector<Analysis> analyses_;
  std::vector<Energies> energies_;
  std::vector<std::shared_ptr<Job>> energy_jobs_;  ///< of files that are being read
  std::uint64_t next_id_ = 1;
  std::uint64_t choices_ = 0;   ///< pages that the user has chosen
  std::uint64_t in_front_ = 0;  ///< the newest of what was asked for whose page came to the front
  int computing_ = 0;
  std::optional<std::pair<std::size_t, std::size_t>> range_;
  std::optional<std::size_t> before_;  ///< the frame that was shown before the pointer came
  std::size_t wanted_ = 0;             ///< the frame under the pointer
  QTimer hover_timer_, range_timer_;
};

}  // namespace isolume
