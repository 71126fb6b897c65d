// The dialog that makes a molecule of a trajectory's frames: their mean, or one of their principal components.
#include "app/window/frames/motion_dialog.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "app/models/labels.h"
#include "app/scene/named_selections.h"
#include "app/view/usual_look.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/save_dialog.h"
#include "app/window/widgets/selection_edit.h"
#include "compute/trajectory/mean_structure.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

QSpinBox* number_box(const QString& what, const QString& tip, int least, int most, int value) {
  auto* box = new QSpinBox;
  box->setAccessibleName(what);
  box->setToolTip(tip);
  box->setRange(least, most);
  box->setValue(value);
  return box;
}

}  // namespace

struct MotionDialog::Asked {
  Task task{};
  Scene scene;  ///< as it was
  std::size_t molecule = 0;
  std::vector<std::size_t> frames;
  std::string atoms, fit, path;
  std::size_t component = 0, steps = 40;
  double amplitude = 0;
};

struct MotionDialog::Made {
  SceneMolecule molecule;
  std::vector<Representation> look;
  std::size_t atoms = 0, nearest_frame = 0;
  double nearest_rmsd = 0, amplitude = 0, largest = 0, part = 0;
};

MotionDialog::MotionDialog(SceneController& controller, Task task, QString folder, QWidget* parent)
    : QDialog(parent), controller_(controller), task_(task), folder_(std::move(folder)) {
  setWindowTitle(task == Task::mean ? tr("Mean structure") : tr("Animate principal component"));
  setAccessibleName(windowTitle());
  setAttribute(Qt::WA_DeleteOnClose);
  build();
  show_scene(controller_.scene());
  for (int m = 0; m < molecule_->count(); ++m) {
    const auto loaded = controller_.molecule(static_cast<std::size_t>(m));
    if (!loaded || loaded->frame_count() < 2) continue;
    molecule_->setCurrentIndex(m);
    break;
  }
  show_scene(controller_.scene());
  propose_file();
  connect(molecule_, &QComboBox::currentIndexChanged, this, [this] { show_scene(controller_.scene()); });
  connect(work_->go(), &QPushButton::clicked, this, &MotionDialog::start);
  connect(work_, &DialogWork::changed, this, [this] { show_scene(controller_.scene()); });
  controller_.listen(this, SceneParts::molecules | SceneParts::selections, &MotionDialog::show_scene);
}

void MotionDialog::build() {
  const bool mean = task_ == Task::mean;
  auto* layout = new QVBoxLayout(this);
  auto* top = new QWidget;
  top->setAccessibleName(mean ? tr("Mean structure options") : tr("Component options"));
  form_ = make_form(top);
  form_->setContentsMargins(0, 0, 0, 0);
  molecule_ = make_box(tr("Molecule"), tr("Molecule with the frames"), {});
  atoms_ = new SelectionEdit;
  atoms_->line()->setAccessibleName(tr("Atoms"));
  atoms_->set_text(QStringLiteral("protein or nucleic"));
  fit_ = new SelectionEdit;
  fit_->line()->setAccessibleName(tr("Superposed by"));
  fit_->set_optional(tr("CA and P of polymers, else the atoms"));
  constexpr int most = std::numeric_limits<int>::max();
  first_ = number_box(tr("First frame"), tr("First frame, counted from 0"), 0, 0, 0);
  last_ = number_box(tr("Last frame"), tr("Last frame, included"), 0, 0, 0);
  step_ = number_box(tr("Every"), tr("Take every n-th frame"), 1, most, 1);
  component_ = number_box(tr("Component"), tr("Which principal component, the largest is 1"), 1, 10'000, 1);
  amplitude_ = new QDoubleSpinBox;
  amplitude_->setAccessibleName(tr("Amplitude"));
  amplitude_->setToolTip(tr("Of the projection: the root of the sum of squares of all shifts, as compute pca has it"));
  amplitude_->setRange(0, 1e6);
  amplitude_->setDecimals(1);
  amplitude_->setSuffix(QStringLiteral("\u202f\u00c5"));
  amplitude_->setSpecialValueText(tr("Two standard deviations"));
  frames_ = number_box(tr("Frames"), tr("Frames of one period"), 2, 10'000, 40);
  file_ = new QLineEdit;
  file_->setAccessibleName(tr("File"));
  file_->setToolTip(mean ? tr("File for the structure: pdb, cif, gro or xyz")
                         : tr("File for the frames: pdb, cif, gro or xyz"));
  file_->setMinimumWidth(44 * fontMetrics().averageCharWidth());
  add_row(form_, tr("&Molecule"), molecule_);
  add_row(form_, tr("&Atoms"), atoms_, true);
  add_row(form_, tr("&Superposed by"), fit_, true);
  add_row(form_, tr("Fi&rst frame"), first_);
  add_row(form_, tr("&Last frame"), last_);
  add_row(form_, tr("&Every"), step_);
  add_row(form_, tr("C&omponent"), component_);
  add_row(form_, tr("Am&plitude"), amplitude_);
  add_row(form_, tr("&Frames"), frames_);
  add_row(form_, tr("F&ile"), file_);
  show_row(form_, fit_, mean);
  for (QWidget* row :
       {static_cast<QWidget*>(component_), static_cast<QWidget*>(amplitude_), static_cast<QWidget*>(frames_)})
    show_row(form_, row, !mean);
  layout->addWidget(top);
  layout->addStretch(1);
  work_ = new DialogWork({mean ? tr("Ma&ke") : tr("A&nimate"),
                          mean ? tr("Compute the mean, write it to the file, and show it")
                               : tr("Compute the component, write its frames to the file, and play them"),
                          tr("Stop; nothing is written"), tr("Cancelled"), tr("Close this dialog")},
                         this);
  work_->add_progress(layout);
  work_->add_buttons(layout);
}

void MotionDialog::show_scene(const Scene& scene) {
  {
    const QSignalBlocker quiet(molecule_);
    show_molecules(molecule_, scene);
  }
  const int index = molecule_->currentIndex();
  const auto number = static_cast<std::uint32_t>(std::max(0, index));
  const auto loaded = index < 0 ? nullptr : controller_.molecule(number);
  for (SelectionEdit* edit : {atoms_, fit_}) edit->set_molecule(loaded, scene.frame, names_of(scene, number));
  if (loaded && loaded != ranged_) {
    ranged_ = loaded;
    const int last = static_cast<int>(std::max<std::size_t>(1, loaded->frame_count())) - 1;
    first_->setRange(0, last);
    last_->setRange(0, last);
    first_->setValue(0);
    last_->setValue(last);
  }
  const std::size_t least = task_ == Task::mean ? 1 : 2;
  work_->go()->setEnabled(!work_->running() && loaded && loaded->topology && loaded->frame_count() >= least);
}

void MotionDialog::propose_file() {
  file_->setText(new_file(folder_, task_ == Task::mean ? QStringLiteral("mean") : QStringLiteral("component"),
                          QStringLiteral("pdb")));
}

void MotionDialog::start() {
  const Scene& scene = controller_.scene();
  const int index = molecule_->currentIndex();
  if (work_->running() || index < 0 || index >= static_cast<int>(scene.molecules.size())) return;
  Asked asked;
  asked.task = task_;
  asked.scene = scene;
  asked.molecule = static_cast<std::size_t>(index);
  asked.path = file_->text().trimmed().toStdString();
  asked.component = static_cast<std::size_t>(component_->value() - 1);
  asked.steps = static_cast<std::size_t>(frames_->value());
  asked.amplitude = amplitude_->value();
  if (first_->value() > last_->value()) return work_->say(tr("The first frame is after the last one."));
  for (auto f = static_cast<std::size_t>(first_->value()); f <= static_cast<std::size_t>(last_->value());
       f += static_cast<std::size_t>(step_->value()))
    asked.frames.push_back(f);
  const auto number = static_cast<std::uint32_t>(index);
  try {
    const std::string atoms = atoms_->text().trimmed().toStdString(), fit = fit_->text().trimmed().toStdString();
    asked.atoms = with_names(scene, number, atoms.empty() ? "all" : atoms);
    asked.fit = fit.empty() ? fit : with_names(scene, number, fit);
  } catch (const Error& error) {
    return work_->say(to_qt(error.what()).section(QLatin1Char('\n'), 0, 0));  // the caret below needs the line itself
  }
  const std::filesystem::path file(asked.path);
  if (!QStringList{QStringLiteral(".pdb"), QStringLiteral(".cif"), QStringLiteral(".gro"), QStringLiteral(".xyz")}
           .contains(to_qt(file.extension().string()).toLower()))
    return work_->say(tr("The file must end in .pdb, .cif, .gro or .xyz."));
  std::error_code absent;
  for (const SceneMolecule& entry : scene.molecules)
    for (const std::string& path : entry.paths)
      if (std::filesystem::equivalent(path, file, absent))
        return work_->say(tr("%1 is open in this window. Choose another name.").arg(to_qt(asked.path)));
  if (!work_->may_write({to_qt(asked.path)})) return;
  work_->start(
      windowTitle(), [asked, documents = &controller_.documents()](Job& job) { return make(asked, *documents, job); },
      [this, asked](const Made& made) { take(asked, made); });
}

MotionDialog::Made MotionDialog::make(const Asked& asked, Documents& documents, Job& job) {
  const auto molecule = documents.molecule(asked.scene.molecules[asked.molecule]);
  Made made;
  if (asked.task == Task::mean) {
    const MeanStructure mean = mean_structure({molecule, asked.frames, asked.atoms, asked.fit, true}, job);
    const auto writer = create_writer(asked.path, mean.molecule, mean.atoms);
    writer->add(mean.frame);
    job.check();
    writer->finish();
    made.atoms = mean.atoms.size();
    made.nearest_frame = mean.nearest_frame;
    made.nearest_rmsd = mean.nearest_rmsd;
  } else {
    const ComponentMotion motion =
        component_motion({molecule, asked.frames, asked.atoms, asked.component, asked.amplitude, asked.steps}, job);
    const auto writer = create_writer(asked.path, motion.molecule, motion.atoms);
    for (const Frame& frame : motion.frames) {
      job.check();
      writer->add(frame);
    }
    writer->finish();
    made.atoms = motion.atoms.size();
    made.amplitude = motion.amplitude;
    made.largest = motion.largest;
    made.part = motion.part;
  }
  made.molecule = documents.open({asked.path}).front();
  Scene scene = asked.scene;
  scene.frame = 0;
  scene.molecules.push_back(made.molecule);
  made.look = usual_representations(scene, documents, static_cast<std::uint32_t>(scene.molecules.size() - 1));
  return made;
}

void MotionDialog::take(const Asked& asked, const Made& made) {
  const bool component = asked.task == Task::component;
  controller_.edit(component ? tr("Animate principal component") : tr("Mean structure"), [&](Scene& scene) {
    const auto number = static_cast<std::uint32_t>(scene.molecules.size());
    scene.molecules.push_back(made.molecule);
    for (Representation own : made.look) {
      own.molecule = number;
      scene.representations.push_back(std::move(own));
    }
    // Frames that play in the same place would be in the way. The trajectory by what it is, since molecules may have
    // come and gone meanwhile.
    if (!component) return;
    for (SceneMolecule& entry : scene.molecules)
      if (entry.paths == asked.scene.molecules[asked.molecule].paths) entry.visible = false;
  });
  if (component)
    controller_.touch([](Scene& scene) {
      scene.frame = 0;
      scene.playback.loop = Playback::Loop::loop;
    });
  work_->say(component ? tr("Saved %1: component %2 has %3 % of the motion; the atom that moves most goes %4 \u00c5 to "
                            "each side")
                             .arg(to_qt(asked.path))
                             .arg(asked.component + 1)
                             .arg(100 * made.part, 0, 'f', 1)
                             .arg(made.largest, 0, 'f', 2)
                       : tr("Saved %1: mean of %2 in %3 frames. Frame %4 is nearest to it, %5 \u00c5 away")
                             .arg(to_qt(asked.path), atom_count_label(made.atoms))
                             .arg(asked.frames.size())
                             .arg(made.nearest_frame)
                             .arg(made.nearest_rmsd, 0, 'f', 2));
  if (file_->text().trimmed().toStdString() == asked.path) propose_file();  // else the next one is typed already
  Q_EMIT this->made(to_qt(asked.path), component);
}

}  // namespace isolume
