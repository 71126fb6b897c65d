// The dialog that superposes one molecule of the scene on another.
#include "app/window/dialogs/superpose_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "app/models/labels.h"
#include "app/scene/named_selections.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/plot.h"
#include "app/window/widgets/selection_edit.h"

namespace isolume {
namespace {

const QString trace_words = QStringLiteral("polymer and name CA P");

/// The same atoms in the same order, wherever they are.
bool same_molecule(const Scene& scene, std::uint32_t index, const SceneMolecule& entry) {
  if (index >= scene.molecules.size()) return false;
  const SceneMolecule& there = scene.molecules[index];
  return there.paths == entry.paths && there.assembly == entry.assembly;
}

QString usual_atoms(const Molecule* molecule) {
  if (molecule == nullptr || !molecule->topology) return QStringLiteral("all");
  return trace_atoms(*molecule->topology).size() < 3 ? QStringLiteral("all") : trace_words;
}

}  // namespace

/// What a thread of the pool found, and of which molecules of the scene.
struct SuperposeDialog::Placed {
  std::uint32_t moving = 0, fixed = 0;
  SceneMolecule moved, onto;  ///< as they were when it was asked for
  Placement placement;
  std::optional<SuperposeResult> result;  ///< nothing for frames onto a frame of the same molecule
};

SuperposeDialog::SuperposeDialog(SceneController& controller, int moving, QWidget* parent)
    : QDialog(parent), controller_(controller) {
  setWindowTitle(tr("Superpose molecules"));
  setAccessibleName(windowTitle());
  setAttribute(Qt::WA_DeleteOnClose);
  resize(560, 560);
  auto* layout = new QVBoxLayout(this);
  auto* top = new QWidget;
  top->setAccessibleName(tr("Summary"));
  build(make_form(top));
  layout->addWidget(top);
  message_ = new QLabel;
  message_->setAccessibleName(tr("Result"));
  message_->setTextFormat(Qt::PlainText);
  message_->setWordWrap(true);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  layout->addWidget(message_);
  plot_ = new Plot(tr("Distance of every residue"));
  plot_->setToolTip(
      tr("Distance of each residue (0, 1, ... in file order) from its partner, in angstrom;\nmarked residues were left "
         "out of the fit. Click to select the atom of a residue."));
  plot_->set_labels({tr("Residue"), tr("Distance (\u00c5)"), tr("Distances of residues after superposition"), true});
  layout->addWidget(plot_, 1);
  superpose_ = new QPushButton(tr("&Superpose"));
  superpose_->setToolTip(tr("Fit the first molecule to the second; can be undone"));
  back_ = new QPushButton(tr("&Reset position"));
  back_->setToolTip(tr("Return the first molecule to the position in its file"));
  auto* close = new QPushButton(tr("&Close"));
  close->setToolTip(tr("Close; the molecules keep their positions"));
  superpose_->setDefault(true);
  back_->setAutoDefault(false);
  close->setAutoDefault(false);
  auto* bottom = new QHBoxLayout;
  bottom->addStretch(1);
  for (QPushButton* button : {superpose_, back_, close}) {
    button->setAccessibleName(button->text().remove(QLatin1Char('&')));
    bottom->addWidget(button);
  }
  layout->addLayout(bottom);

  show_scene(controller_.scene());
  const int count = moving_->count();
  // It moves onto the first other one that has atoms, as maps have not.
  const auto with_atoms = [&](int from, int but) {
    for (int i = from; i < count; ++i) {
      const auto there = controller_.molecule(static_cast<std::size_t>(i));
      if (i != but && there && there->topology && there->atom_count() > 0) return i;
    }
    return -1;
  };
  const int first = with_atoms(0, -1), second = with_atoms(first + 1, first);
  const int proposed = std::clamp(moving >= 0 ? moving : second >= 0 ? second : 1, 0, std::max(0, count - 1));
  const int onto = with_atoms(0, proposed);
  moving_->setCurrentIndex(proposed);
  fixed_->setCurrentIndex(onto >= 0 ? onto : proposed > 0 || count < 2 ? 0 : 1);
  propose();
  connect(moving_, &QComboBox::currentIndexChanged, this, &SuperposeDialog::propose);
  connect(fixed_, &QComboBox::currentIndexChanged, this, &SuperposeDialog::propose);
  connect(superpose_, &QPushButton::clicked, this, &SuperposeDialog::start);
  connect(back_, &QPushButton::clicked, this, &SuperposeDialog::put_back);
  connect(close, &QPushButton::clicked, this, &QDialog::close);
  controller_.listen(this, SceneParts::molecules | SceneParts::selections | SceneParts::frame,
                     &SuperposeDialog::show_scene);
  connect(&controller_, &SceneController::picked_changed, this, &SuperposeDialog::show_cursor);
  const auto pick = [this](double x) {
    if (!result_ || x < 0 || x >= static_cast<double>(result_->by_residue.size())) return;
    controller_.set_picked({{shown_, result_->by_residue[static_cast<std::size_t>(x)].atom}});
  };
  connect(plot_, &Plot::x_clicked, this, pick);
  connect(plot_, &Plot::curve_clicked, this, [pick](int, double x) { pick(x); });
}

SuperposeDialog::~SuperposeDialog() {
  if (job_) job_->cancel();
}

int SuperposeDialog::chosen(const QComboBox* box) const {
  const int index = box->currentIndex();
  return index >= 0 && static_cast<std::size_t>(index) < controller_.scene().molecules.size() ? index : -1;
}

void SuperposeDialog::show_scene(const Scene& scene) {
  if (result_ && !same_molecule(scene, shown_, shown_molecule_)) forget();  // its atoms are another's now
  {
    const QSignalBlocker quiet(moving_), silent(fixed_);
    show_molecules(moving_, scene);
    show_molecules(fixed_, scene);
  }
  const int moving = chosen(moving_), fixed = chosen(fixed_);
  const auto molecule_of = [this](int index) {
    return index < 0 ? nullptr : controller_.molecule(static_cast<std::size_t>(index));
  };
  const auto a = molecule_of(moving), b = molecule_of(fixed);
  const auto names = [&](int index) { return names_of(scene, static_cast<std::uint32_t>(std::max(0, index))); };
  moving_atoms_->set_molecule(a, scene.frame, names(moving));
  fixed_atoms_->set_molecule(b, scene.frame, names(fixed));
  const bool itself = moving == fixed;
  const bool frames = a && a->frame_count() > 1;
  frames_->setEnabled(frames && !itself);
  if (itself) frames_->setChecked(frames);
  for (QWidget* widget :
       {static_cast<QWidget*>(fixed_atoms_), static_cast<QWidget*>(matching_), static_cast<QWidget*>(cutoff_)})
    widget->setEnabled(!itself);
  superpose_->setEnabled(!job_ && a && b && (!itself || frames));
  back_->setEnabled(moving >= 0 && scene.molecules[static_cast<std::size_t>(moving)].placement != Placement{});
}

void SuperposeDialog::forget() {
  result_.reset();
  message_->clear();
  show_plot();
}

void SuperposeDialog::propose() {
  const int moving = chosen(moving_), fixed = chosen(fixed_);
  if (moving < 0 || fixed < 0) return;
  forget();  // of other molecules
  // As this one is; show_scene() ticks it for a molecule onto itself.
  frames_->setChecked(!controller_.scene().molecules[static_cast<std::size_t>(moving)].placement.steady.empty());
  const auto a = controller_.molecule(static_cast<std::size_t>(moving));
  const auto b = controller_.molecule(static_cast<std::size_t>(fixed));
  moving_atoms_->set_text(usual_atoms(a.get()));
  fixed_atoms_->set_text(usual_atoms(b.get()));
  show_scene(controller_.scene());
}

void SuperposeDialog::start() {
  const int moving = chosen(moving_), fixed = chosen(fixed_);
  if (job_ || moving < 0 || fixed < 0) return;
  message_->setText(tr("Superposing"));
  job_ = std::make_shared<Job>();
  SuperposeOptions options;
  options.moving_selection = moving_atoms_->words();
  options.fixed_selection = fixed_atoms_->words();
  options.matching = static_cast<AtomMatching>(matching_->currentIndex());
  options.cutoff = cutoff_->value();
  const Scene& scene = controller_.scene();
  SceneMolecule entry = scene.molecules[static_cast<std::size_t>(moving)];
  Placed asked;
  asked.moving = static_cast<std::uint32_t>(moving);
  asked.fixed = static_cast<std::uint32_t>(fixed);
  asked.moved = entry;
  asked.onto = scene.molecules[static_cast<std::size_t>(fixed)];
  if (frames_->isChecked() && options.moving_selection.empty()) options.moving_selection = "all";
  entry.placement.steady = frames_->isChecked() ? options.moving_selection : std::string();
  entry.placement.steady_frame = 0;
  show_scene(scene);
  run_async(
      this,
      [job = job_, documents = &controller_.documents(), entry, options, placed = asked,
       frame = scene.frame]() mutable {
        SceneMolecule still = entry;
        still.placement = {};
        if (!entry.placement.steady.empty()) {
          // A shorter trajectory than another's ends before the frame that is shown.
          const std::size_t frames = std::max<std::size_t>(1, documents->molecule(still)->frame_count());
          entry.placement.steady_frame = std::min(frame, frames - 1);
          still.placement.steady = entry.placement.steady;
          still.placement.steady_frame = entry.placement.steady_frame;
        }
        if (placed.moving != placed.fixed) {
          placed.result = superpose_molecules(*documents->molecule(still), frame, *documents->molecule(placed.onto),
                                              frame, options, *job);
          entry.placement.motion = placed.result->motion;
        }
        documents->molecule(entry);  // so that it is there when it is shown
        placed.placement = entry.placement;
        return placed;
      },
      [this](const Placed& placed) {
        job_.reset();
        take(placed);
      },
      [this](const QString& text) {
        job_.reset();
        message_->setText(text);
        show_scene(controller_.scene());
      });
}

void SuperposeDialog::take(const Placed& placed) {
  // Molecules were removed, replaced or moved meanwhile: the motion is none of theirs.
  const auto as_asked = [&](std::uint32_t index, const SceneMolecule& entry) {
    const Scene& scene = controller_.scene();
    return same_molecule(scene, index, entry) && scene.molecules[index].placement == entry.placement;
  };
  if (!as_asked(placed.moving, placed.moved) || !as_asked(placed.fixed, placed.onto)) {
    show_scene(controller_.scene());
    message_->setText(tr("The scene has changed; nothing was moved"));
    return;
  }
  result_ = placed.result;
  shown_ = placed.fixed;
  shown_molecule_ = placed.onto;
  if (result_) {
    QString text = to_qt(isolume::describe(*result_));
    static const QRegularExpression angstroms(QStringLiteral("(?<=[0-9]) A(?![A-Za-z0-9])"));
    message_->setText(text.replace(angstroms, QStringLiteral("\u202f\u00c5")));
  } else {
    message_->setText(tr("All frames are fitted to frame %1").arg(placed.placement.steady_frame));
  }
  controller_.edit(result_ ? tr("Superpose") : tr("Superpose frames"),
                   [&](Scene& scene) { scene.molecules[placed.moving].placement = placed.placement; });
  show_scene(controller_.scene());
  show_plot();
  Q_EMIT superposed();
  if (result_) return;
  Q_EMIT frames_superposed(message_->text());
  close();  // it would cover what comes next
}

void SuperposeDialog::put_back() {
  const int moving = chosen(moving_);
  if (moving < 0) return;
  controller_.edit(tr("Reset position"),
                   [&](Scene& scene) { scene.molecules[static_cast<std::size_t>(moving)].placement = {}; });
  result_.reset();
  message_->setText(tr("Position as in the file"));
  show_plot();
  Q_EMIT superposed();
}

void SuperposeDialog::show_plot() {
  std::vector<PlotCurve> curves;
  if (result_) {
    PlotCurve curve;
    curve.name = tr("Distance");
    curve.points = result_->by_residue.size() < 60;
    for (std::size_t i = 0; i < result_->by_residue.size(); ++i) {
      curve.x.push_back(static_cast<double>(i));
      curve.y.push_back(result_->by_residue[i].distance);
      curve.marked.push_back(!result_->by_residue[i].kept);
    }
    curves.push_back(std::move(curve));
  }
  plot_->set_curves(std::move(curves));
  show_cursor();
}

void SuperposeDialog::show_cursor() {
  plot_->set_cursor(std::nullopt);
  const auto topology = controller_.topology(shown_);
  if (!result_ || controller_.picked().empty() || !topology) return;
  const PickedAtom atom = controller_.picked().back();
  if (atom.molecule != shown_ || atom.atom >= topology->atoms.size()) return;
  const std::uint32_t residue = topology->atoms[atom.atom].residue;
  const auto& list = result_->by_residue;
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const ResidueDistance& entry) { return entry.residue == residue; });
  if (found != list.end()) plot_->set_cursor(static_cast<double>(found - list.begin()));
}

}  // namespace isolume
