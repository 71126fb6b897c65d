// The dialog that makes frames between two conformations and plays them.
#include "app/window/maps/morph_dialog.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/models/labels.h"
#include "app/scene/named_selections.h"
#include "app/view/usual_look.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/save_dialog.h"
#include "app/window/widgets/selection_edit.h"
#include "compute/structure/molecule_morph.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr int most_frames = 10'000;

QSpinBox* number_box(const QString& what, const QString& tip, int least, int most) {
  auto* box = new QSpinBox;
  box->setAccessibleName(what);
  box->setToolTip(tip);
  box->setRange(least, most);
  return box;
}

/// Of a chosen molecule its frames.
int last_frame(const std::shared_ptr<const Molecule>& molecule) {
  return molecule ? static_cast<int>(std::max<std::size_t>(1, molecule->frame_count())) - 1 : 0;
}

}  // namespace

struct MorphDialog::Asked {
  Scene scene;  ///< as it was
  std::uint32_t from = 0, to = 0;
  std::size_t from_frame = 0, to_frame = 0;
  std::string from_atoms, to_atoms, path;
  int frames = 30;
  MorphOptions options;
  bool hide = true;
};

struct MorphDialog::Made {
  SceneMolecule molecule;
  std::vector<Representation> look;
  std::size_t atoms = 0, domains = 0;
};

MorphDialog::MorphDialog(SceneController& controller, QString folder, QWidget* parent)
    : QDialog(parent), controller_(controller), folder_(std::move(folder)) {
  setWindowTitle(tr("Morph"));
  setAccessibleName(windowTitle());
  setAttribute(Qt::WA_DeleteOnClose);
  build();
  show_scene(controller_.scene());
  propose();
  connect(from_, &QComboBox::currentIndexChanged, this, [this] { show_scene(controller_.scene()); });
  connect(to_, &QComboBox::currentIndexChanged, this, [this] { show_scene(controller_.scene()); });
  connect(work_->go(), &QPushButton::clicked, this, &MorphDialog::start);
  connect(work_, &DialogWork::changed, this, [this] { show_scene(controller_.scene()); });
  controller_.listen(this, SceneParts::molecules | SceneParts::selections, &MorphDialog::show_scene);
}

void MorphDialog::build() {
  auto* layout = new QVBoxLayout(this);
  auto* top = new QWidget;
  top->setAccessibleName(tr("Morph options"));
  form_ = make_form(top);
  form_->setContentsMargins(0, 0, 0, 0);
  from_ = make_box(tr("From"), tr("Start conformation; it is not moved"), {});
  from_frame_ = number_box(tr("Frame of the start"), tr("Start frame, counted from 0"), 0, 0);
  to_ = make_box(tr("To"),
                 tr("The conformation at the end, superposed on the start. It may be another frame of the same "
                    "molecule"),
                 {});
  to_frame_ = number_box(tr("Frame of the end"), tr("The frame of the end, from 0"), 0, 0);
  atoms_ = new SelectionEdit;
  atoms_->line()->setAccessibleName(tr("Atoms"));
  atoms_->set_text(QStringLiteral("all"));
  path_ = make_box(
      tr("Path"), tr("Turn rigid domains along screw axes and keep bond lengths, or move each atom in a straight line"),
      {tr("Rigid domains"), tr("Straight lines")});
  frames_ = number_box(tr("Frames"), tr("Frames of the path, with both ends"), 2, most_frames);
  frames_->setValue(30);
  hide_ = new QCheckBox(tr("&Hide the two ends"));
  hide_->setAccessibleName(tr("Hide the two ends"));
  hide_->setToolTip(tr("Show the morph alone; undo shows the molecules again"));
  hide_->setChecked(true);
  file_ = new QLineEdit;
  file_->setAccessibleName(tr("File"));
  file_->setToolTip(tr("File for the frames: pdb, cif, gro or xyz"));
  file_->setMinimumWidth(44 * fontMetrics().averageCharWidth());
  add_row(form_, tr("&From"), from_);
  add_row(form_, tr("Fra&me"), from_frame_);
  add_row(form_, tr("&To"), to_);
  add_row(form_, tr("Fram&e"), to_frame_);
  add_row(form_, tr("&Atoms"), atoms_, true);
  add_row(form_, tr("&Path"), path_);
  add_row(form_, tr("F&rames"), frames_);
  add_row(form_, tr("F&ile"), file_);
  add_row(form_, QString(), hide_);
  layout->addWidget(top);
  layout->addStretch(1);
  work_ = new DialogWork({tr("&Morph"), tr("Make the frames, write them to the file, and play them"),
                          tr("Stop; nothing is written"), tr("Cancelled"), tr("Close this dialog")},
                         this);
  work_->add_progress(layout);
  work_->add_buttons(layout);
}

/// The first two molecules with atoms, each at the frame that is shown; of one alone its first and its last frame.
void MorphDialog::propose() {
  std::vector<int> with_atoms;
  for (int m = 0; m < from_->count(); ++m) {
    const auto molecule = controller_.molecule(static_cast<std::size_t>(m));
    if (molecule && molecule->atom_count() > 0 && molecule->frame_count() > 0) with_atoms.push_back(m);
  }
  if (!with_atoms.empty()) from_->setCurrentIndex(with_atoms.front());
  if (!with_atoms.empty()) to_->setCurrentIndex(with_atoms[with_atoms.size() > 1 ? 1 : 0]);
  show_scene(controller_.scene());
  const auto shown = static_cast<int>(std::min<std::size_t>(controller_.scene().frame, most_frames));
  const bool itself = from_->currentIndex() == to_->currentIndex();
  from_frame_->setValue(itself ? 0 : shown);
  to_frame_->setValue(itself ? to_frame_->maximum() : shown);
  file_->setText(new_file(folder_, QStringLiteral("morph"), QStringLiteral("pdb")));
}

void MorphDialog::show_scene(const Scene& scene) {
  {
    const QSignalBlocker quiet(from_), silent(to_);
    show_molecules(from_, scene);
    show_molecules(to_, scene);
  }
  const int from = from_->currentIndex(), to = to_->currentIndex();
  const auto molecule_of = [this](int index) {
    return index < 0 ? nullptr : controller_.molecule(static_cast<std::size_t>(index));
  };
  const auto a = molecule_of(from), b = molecule_of(to);
  // What is not read yet is taken when it is there; its frames stay as they were chosen.
  if (a) from_frame_->setRange(0, last_frame(a));
  if (b) to_frame_->setRange(0, last_frame(b));
  show_row(form_, from_frame_, from_frame_->maximum() > 0);
  show_row(form_, to_frame_, to_frame_->maximum() > 0);
  atoms_->set_molecule(a, scene.frame, names_of(scene, static_cast<std::uint32_t>(std::max(0, from))));
  work_->go()->setEnabled(!work_->running() && from >= 0 && to >= 0);
}

void MorphDialog::start() {
  const Scene& scene = controller_.scene();
  const int from = from_->currentIndex(), to = to_->currentIndex();
  const auto count = static_cast<int>(scene.molecules.size());
  if (work_->running() || from < 0 || to < 0 || from >= count || to >= count) return;
  Asked asked;
  asked.scene = scene;
  asked.from = static_cast<std::uint32_t>(from);
  asked.to = static_cast<std::uint32_t>(to);
  asked.from_frame = static_cast<std::size_t>(from_frame_->value());
  asked.to_frame = static_cast<std::size_t>(to_frame_->value());
  asked.path = file_->text().trimmed().toStdString();
  asked.frames = frames_->value();
  asked.options.method = path_->currentIndex() == 1 ? MorphMethod::linear : MorphMethod::rigid;
  asked.hide = hide_->isChecked();
  if (from == to && asked.from_frame == asked.to_frame)
    return work_->say(tr("Both ends are the same frame. Choose another molecule or frame."));
  const std::string atoms = atoms_->text().trimmed().isEmpty() ? "all" : atoms_->text().trimmed().toStdString();
  try {
    asked.from_atoms = with_names(scene, asked.from, atoms);
    asked.to_atoms = with_names(scene, asked.to, atoms);
  } catch (const Error& error) {
    return work_->say(to_qt(error.what()).section(QLatin1Char('\n'), 0, 0));  // the caret below needs the line itself
  }
  const std::filesystem::path file(asked.path);
  const QString extension = to_qt(file.extension().string()).toLower();
  if (!QStringList{QStringLiteral(".pdb"), QStringLiteral(".cif"), QStringLiteral(".gro"), QStringLiteral(".xyz")}
           .contains(extension))
    return work_->say(tr("The file must end in .pdb, .cif, .gro or .xyz."));
  std::error_code absent;
  for (const SceneMolecule& entry : scene.molecules)
    for (const std::string& path : entry.paths)
      if (std::filesystem::equivalent(path, file, absent))
        return work_->say(tr("%1 is open in this window. Choose another name.").arg(to_qt(asked.path)));
  if (!work_->may_write({to_qt(asked.path)})) return;
  work_->start(
      tr("Morphing"),
      [asked, documents = &controller_.documents()](Job& job) {
        const MorphEnd start{documents->molecule(asked.scene.molecules[asked.from]), asked.from_frame,
                             asked.from_atoms};
        const MorphEnd end{documents->molecule(asked.scene.molecules[asked.to]), asked.to_frame, asked.to_atoms};
        const MoleculeMorph way(start, end, AtomMatching::automatic, asked.options, job);
        const auto writer = create_writer(asked.path, way.molecule(), way.atoms());
        double bond_error = 0;
        for (int i = 0; i < asked.frames; ++i) {
          job.check();
          writer->add(way.frame(static_cast<double>(i) / (asked.frames - 1), bond_error, job));
          job.progress(static_cast<double>(i + 1) / asked.frames, "Morphing");
        }
        job.check();
        writer->finish();
        Made made;
        made.atoms = way.atoms().size();
        made.domains = way.morph().domains();
        made.molecule = documents->open({asked.path}).front();
        Scene scene = asked.scene;
        scene.frame = 0;
        scene.molecules.push_back(made.molecule);
        made.look = usual_representations(scene, *documents, static_cast<std::uint32_t>(scene.molecules.size() - 1));
        return made;
      },
      [this, asked](const Made& made) { take(asked, made); });
}

void MorphDialog::take(const Asked& asked, const Made& made) {
  controller_.edit(tr("Morph"), [&](Scene& scene) {
    const auto number = static_cast<std::uint32_t>(scene.molecules.size());
    scene.molecules.push_back(made.molecule);
    for (Representation own : made.look) {
      own.molecule = number;
      scene.representations.push_back(std::move(own));
    }
    // The ends by what they are, since molecules may have come and gone meanwhile.
    for (const std::uint32_t end : {asked.from, asked.to})
      for (SceneMolecule& entry : scene.molecules)
        if (asked.hide && entry.paths == asked.scene.molecules[end].paths) entry.visible = false;
  });
  controller_.touch([](Scene& scene) {
    scene.frame = 0;
    scene.playback.loop = Playback::Loop::rock;
  });
  work_->say(tr("Saved %1: %2 frames of %3, rigid domains: %4")
                 .arg(to_qt(asked.path))
                 .arg(asked.frames)
                 .arg(atom_count_label(made.atoms))
                 .arg(made.domains));
  if (file_->text().trimmed().toStdString() == asked.path)  // else the user has typed the next one
    file_->setText(new_file(folder_, QStringLiteral("morph"), QStringLiteral("pdb")));
  Q_EMIT this->made(to_qt(asked.path));
}

}  // namespace isolume
