// The panel of probes: potential and field where the user clicked, and what each residue adds, in every frame.
#pragma once

#include <QWidget>
#include <map>
#include <memory>
#include <vector>

#include "app/fields/probes/scene_probes.h"
#include "app/window/live/scene_controller.h"
#include "app/window/over_time/probe_frames.h"

class QAction;
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QTabWidget;
class QToolButton;
class QTreeWidget;

namespace isolume {

class Plot;
class ShareBars;

/// The probes of the scene with their values in the frame that is shown, the contributions at the current one as bars,
/// and a plot over the frames (ProbeFrames). All is computed on threads of the pool, by what isolume compute probe
/// computes with; this frame only while the panel is visible.
class ProbePanel : public QWidget {
  Q_OBJECT
 public:
  /// `tool`: the action that adds probes by clicks.
  ProbePanel(SceneController& controller, QAction* tool, QWidget* parent = nullptr);
  ~ProbePanel() override;

  QTreeWidget* list() const { return list_; }
  ShareBars* bars() const { return bars_; }
  Plot* plot() const { return plot_; }
  QComboBox* method_box() const { return method_; }
  QComboBox* thresholds_box() const { return thresholds_; }
  QComboBox* charges_each_box() const { return charges_each_; }
  QComboBox* by_box() const { return by_; }
  QComboBox* unit_box() const { return unit_; }
  QComboBox* quantity_box() const { return quantity_; }
  QToolButton* frames_button() const { return frames_; }
  QToolButton* colour_button() const { return colour_; }
  QToolButton* remove_button() const { return remove_; }
  QToolButton* export_button() const { return export_; }
  QTabWidget* tabs() const { return tabs_; }
  QLabel* figures() const { return figures_; }

  /// Makes the scene's probe of that number the current one; -1 for none.
  void choose(int probe);
  int current() const;
  /// Whether something is being computed.
  bool busy() const { return now_job_ || over_frames_->busy(); }
  /// The values of this frame are those of the scene.
  bool up_to_date() const { return !now_job_ && !stale_; }
  /// Stops all that is computed; what was shown stays.
  void cancel();
  /// Goes over all frames.
  void compute();
  /// Writes the table of all frames in the background, as isolume compute probe --out does.
  void write(const QString& path);

 Q_SIGNALS:
  void failed(const QString& message);
  void progress(const QString& what, double fraction);
  void written(const QString& path);
  void centre_asked();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  /// A molecule's probes in the frame that is shown.
  struct Now {
    SceneProbing ready;
    std::size_t frame = 0;
    ProbeShares shares;
  };
  void build();
  QWidget* build_form();
  void connect_form();
  void show_scene(const Scene& scene);
  void show_form(const Scene& scene);
  void show_list();
  void show_bars();
  void show_plot();
  void show_cursor();
  void show_picked();
  void show_figures();
  void show_controls();
  void refresh();
  void set(const QString& what, const std::function<void(ProbeSettings&)>& change);
  void choose_group(int group);
  void colour_structure();
  void remove_current();
  void ask_export();
  ProbeQuantity shown_quantity() const;
  /// The current probe's molecule in this frame, and its place among the probes of that; null where not known.
  const Now* now_of(int probe, std::size_t& place) const;
  /// The atoms of a group of contributions.
  static std::vector<PickedAtom> atoms_of(const Now& now, std::uint32_t molecule, std::size_t group);

  SceneController& controller_;
  QTreeWidget* list_;
  QLabel *hint_, *figures_;
  ShareBars* bars_;
  Plot* plot_;
  QTabWidget* tabs_;
  QGridLayout* form_;
  QComboBox *method_, *by_, *unit_, *quantity_, *thresholds_, *charges_each_;
  QDoubleSpinBox *dielectric_, *cutoff_, *ionic_strength_, *solute_;
  QCheckBox* periodic_;
  QToolButton *tool_, *remove_, *colour_, *frames_, *export_;

  std::map<std::uint32_t, Now> now_;  ///< by molecule
  AskedProbes asked_;                 ///< of now_, or of what is being computed
  std::shared_ptr<Job> now_job_;      ///< of this frame,
  bool stale_ = false;                ///< whose result is no longer what is wanted
  QString fault_;
  ProbeFrames* over_frames_;
};

}  // namespace isolume
