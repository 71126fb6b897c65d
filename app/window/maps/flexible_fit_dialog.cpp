// The dialog that lets a density map pull a molecule of the scene into it: the run, and its frames in the scene.
#include "app/window/maps/flexible_fit_dialog.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QPushButton>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/documents/frames.h"
#include "app/documents/held_molecules.h"
#include "app/documents/streams/stream_follower.h"
#include "app/scene/path_part.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/plot.h"
#include "app/window/widgets/selection_edit.h"
#include "compute/base/memory.h"
#include "molecule/base/error.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

constexpr int look_every = 100;         // ms
constexpr qint64 shortest_rest = 200;   // ms between frames that are shown
constexpr qint64 share_of_window = 10;  // one part of the window's time in so many
constexpr std::size_t least_kept = std::size_t{64} << 20;

/// A path that stands for nothing yet.
std::string free_path(const std::string& file) {
  PathPart part{file, PathPart::Kind::fit};
  for (part.number = 1; held_molecule(path_of(part)); ++part.number) {
  }
  return path_of(part);
}

}  // namespace

FlexibleFitDialog::FlexibleFitDialog(SceneController& controller, std::function<Device()> device, QWidget* parent)
    : QDialog(parent), controller_(controller), device_(std::move(device)) {
  setWindowTitle(tr("Flexible fit"));
  setAccessibleName(windowTitle());
  setAttribute(Qt::WA_DeleteOnClose);
  resize(560, 600);
  build();
  show_scene(controller_.scene());
  inputs_->choose_molecule(true);
  inputs_->propose_resolution();
  show_scene(controller_.scene());
  timer_.setInterval(look_every);
  connect(&timer_, &QTimer::timeout, this, &FlexibleFitDialog::look);
  connect(inputs_->molecule_box(), &QComboBox::currentIndexChanged, this, [this] { show_scene(controller_.scene()); });
  connect(inputs_->map_box(), &QComboBox::currentIndexChanged, this, [this] { inputs_->propose_resolution(); });
  connect(work_->go(), &QPushButton::clicked, this, &FlexibleFitDialog::start);
  connect(stop_, &QPushButton::clicked, this, [this] {
    if (run_) run_->stop();
  });
  connect(work_->cancel_button(), &QPushButton::clicked, this, [this] {
    if (run_) run_->cancel();
    put_back();
    run_.reset();  // frames that are on their way do not come any more
  });
  connect(work_, &DialogWork::changed, this, [this] { show_scene(controller_.scene()); });
  connect(plot_, &Plot::x_clicked, this, [this](double time) {
    const auto frames = run_ ? run_->frames() : nullptr;
    if (!frames || !shown_ || place() < 0) return;
    // Kept frames cover the whole time evenly.
    const std::vector<double> times = run_->state().times;
    const auto sample = static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), time) - times.begin());
    const std::size_t frame = std::min(sample * frames->frame_count() / times.size(), frames->frame_count() - 1);
    controller_.touch([frame](Scene& scene) { scene.frame = frame; });
  });
  controller_.listen(this, SceneParts::molecules | SceneParts::selections | SceneParts::frame,
                     &FlexibleFitDialog::show_scene);
}

FlexibleFitDialog::~FlexibleFitDialog() {
  if (run_) run_->stop();
}

void FlexibleFitDialog::propose(const MapPlace& map, int molecule, double resolution) {
  inputs_->propose(map, molecule, resolution);
}

int FlexibleFitDialog::place() const {
  const auto& molecules = controller_.scene().molecules;
  const std::vector<std::string>& paths = shown_ ? fitted_.paths : before_.paths;
  for (std::size_t m = molecules.size(); m-- > 0;)
    if (molecules[m].paths == paths) return static_cast<int>(m);
  return -1;
}

void FlexibleFitDialog::show_scene(const Scene& scene) {
  inputs_->show_scene(scene);
  work_->go()->setEnabled(!work_->running());
  stop_->setVisible(work_->running());
  // Undone, or closed.
  if (work_->running() && !publishing_ && place() < 0) {
    work_->cancel_button()->click();
  }
}

void FlexibleFitDialog::start() {
  const int index = inputs_->molecule();
  const auto map = inputs_->map();
  if (work_->running() || publishing_) return;
  const auto loaded = inputs_->loaded();
  if (!loaded || loaded->atom_count() == 0 || loaded->frame_count() == 0)
    return work_->say(tr("There is no model. Open one with its force field (Ctrl+O)."));
  if (!map) return work_->say(tr("There is no density map. Open one (Ctrl+O)."));
  if (inputs_->is_map_of_molecule())
    return work_->say(
        tr("The map was opened together with this molecule and moves with it. Close them, then open one after the "
           "other."));
  if (!loaded->force_field)
    return work_->say(tr("%1 has no force field, so its atoms cannot move against each other. Open an AMBER topology "
                         "(prmtop, parm7), or a PSF with CHARMM's parameters (prm, str), together with the coordinates "
                         "(Ctrl+O, select all of them). Charges alone are not enough.")
                          .arg(inputs_->molecule_box()->currentText()));
  FlexibleFitInput input;
  input.map = volume_at(controller_, *map);
  input.name = inputs_->map_box()->currentText().toStdString();
  input.remedy = "move the model by Compute: Fit in map with Search all places first";
  FlexibleFitOptions options;
  options.resolution = inputs_->resolution_box()->value();
  options.length = length_->value();
  options.friction = 5;
  options.device = device_();
  options.pull.scale = strength_->value();
  options.pull.threshold = threshold_->value();
  options.pull.restraints = static_cast<MapRestraints>(restraints_->currentIndex());
  before_ = controller_.scene().molecules[static_cast<std::size_t>(index)];
  std::vector<std::string> files;
  for (const std::string& path : before_.paths)
    if (path_part(path).kind != PathPart::Kind::fit) files.push_back(path);
  fitted_ = before_;
  fitted_.paths = files;
  fitted_.paths.push_back(free_path(file_of(files.front())));
  // Frames have all of its atoms where they are in the scene.
  fitted_.placement = {};
  fitted_.assembly.clear();
  fitted_.templates.clear();
  fitted_.images = glm::ivec3(1);
  run_ = std::make_shared<FlexibleFitRun>(std::max(least_kept, available_memory(Device::cpu()) / 4));
  structure_ = loaded;
  published_ = 0;
  shown_ = false;
  ended_.clear();
  rest_ = 0;
  since_.start();
  plot_->set_curves({});
  timer_.start();
  work_->start(
      tr("Preparing"),
      [input, options, run = run_, loaded, frame = controller_.scene().frame,
       words = inputs_->atoms_edit()->words()](Job& job) mutable {
        input.molecule = loaded;
        input.frame = frame_at(*loaded, std::min(frame, loaded->frame_count() - 1));
        input.atoms = Selection(words).atoms(*loaded->topology, input.frame);
        if (input.atoms.empty()) throw Error("the selection '" + words + "' holds no atoms", Error::Kind::usage);
        run->run(input, options, job);
        return run->stopped();
      },
      [this](bool stopped) { end(stopped ? tr("Stopped") : tr("Done")); });
}

void FlexibleFitDialog::end(const QString& how) {
  ended_ = how;
  if (run_ && !publishing_ && run_->state().samples == published_) show_correlation();
  look();
}

void FlexibleFitDialog::look() {
  if (!run_) return;
  const std::size_t samples = run_->state().samples;
  const bool rests = since_.elapsed() < rest_ && ended_.isEmpty();
  if (samples > 0 && samples != published_ && !publishing_ && !rests) return publish();
  if (work_->running() || publishing_ || samples != published_) return;
  timer_.stop();
}

void FlexibleFitDialog::publish() {
  const int at = place();
  if (at < 0) return;
  publishing_ = true;
  const std::size_t samples = run_->state().samples;
  // The user may have moved or hidden it meanwhile.
  const SceneMolecule entry = shown_ ? controller_.scene().molecules[static_cast<std::size_t>(at)] : fitted_;
  run_async(
      this,
      [documents = &controller_.documents(), run = run_, structure = structure_, entry] {
        const auto frames = run->frames();
        if (!frames) return std::size_t{0};  // it began again on another device
        hold_molecule(entry.paths.back(), std::make_shared<const Molecule>(with_stream_frames(*structure, frames)));
        documents->reload(entry);
        return frames->frame_count();
      },
      [this, samples, run = run_](std::size_t count) {
        publishing_ = false;
        if (run != run_ || place() < 0 || count == 0) return;
        published_ = samples;
        show_frames(count);
      },
      [this](const QString& message) {
        publishing_ = false;
        if (run_) run_->cancel();
        work_->say(message);
      });
}

void FlexibleFitDialog::show_frames(std::size_t count) {
  QElapsedTimer taken;
  taken.start();
  if (const int at = place(); !shown_) {
    shown_ = true;
    controller_.edit(tr("Flexible fit"), [&](Scene& scene) {
      scene.molecules[static_cast<std::size_t>(at)] = fitted_;
      scene.frame = count - 1;
    });
  } else {
    controller_.molecules_changed();
    controller_.touch([count](Scene& scene) { scene.frame = count - 1; });
  }
  show_correlation();
  rest_ = std::max(shortest_rest, share_of_window * taken.elapsed());
  since_.start();
  if (!ended_.isEmpty()) look();
}

void FlexibleFitDialog::show_correlation() {
  const FlexibleFitRun::State state = run_->state();
  if (state.samples == 0) return;
  PlotCurve curve;
  curve.name = tr("Correlation");
  curve.points = state.samples < 40;
  curve.x = state.times;
  curve.y = state.correlations;
  plot_->set_curves({curve});
  const QString text = tr("Correlation %1 at the start, %2 at %3 ps")
                           .arg(state.correlations.front(), 0, 'f', 4)
                           .arg(state.correlations.back(), 0, 'f', 4)
                           .arg(state.times.back(), 0, 'f', 2);
  if (ended_.isEmpty() || state.samples != published_) {
    if (work_->running()) work_->say(text);
    return;
  }
  work_->say(
      tr("%1. %2. Frames kept: %3. Undo puts the molecule back.").arg(ended_, text).arg(run_->frames()->frame_count()));
}

void FlexibleFitDialog::put_back() {
  timer_.stop();
  const int at = place();
  if (!shown_ || at < 0) return;
  shown_ = false;
  if (controller_.can_undo() && controller_.undo_text() == tr("Flexible fit")) return controller_.undo();
  controller_.edit(tr("Cancel flexible fit"),
                   [&](Scene& scene) { scene.molecules[static_cast<std::size_t>(at)] = before_; });
}

}  // namespace isolume
