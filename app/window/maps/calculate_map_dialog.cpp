// The dialog that calculates a map from others and adds it to the scene: its inputs and computation.
#include "app/window/maps/calculate_map_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>

#include "app/documents/frames.h"
#include "app/models/labels.h"
#include "app/view/usual_volume.h"
#include "app/window/maps/model_atoms.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/save_dialog.h"
#include "compute/analysis/resample.h"
#include "compute/base/memory.h"
#include "compute/density_maps/map_calculation.h"
#include "compute/electrostatics/map_comparison.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume {

using Task = CalculateMapDialog::Task;
using With = MapCalculation::With;

/// What a thread of the pool is asked: values only.
struct CalculateMapDialog::Asked {
  Task task{};
  std::shared_ptr<const Volume> map, other;
  std::shared_ptr<const Molecule> model;
  std::uint32_t model_number = 0;
  std::vector<std::string> model_paths;
  std::string map_name;
  std::size_t frame = 0;
  double number = 0, resolution = 0, level = 0;
  bool scaled = false;
  std::string path;
};

struct CalculateMapDialog::Made {
  std::vector<SceneMolecule> opened;
  std::shared_ptr<const Molecule> molecule;
  CalculatedMap map;  ///< its values are in the file
};

namespace {

bool with_map(Task task) {
  return task == Task::difference || task == Task::sum || task == Task::local_correlation || task == Task::same_grid;
}
/// The values of both are taken at each point.
bool at_same_points(Task task) {
  return with_map(task) && task != Task::same_grid;
}
bool with_model(Task task) {
  return task == Task::model_difference || task == Task::model_correlation || task == Task::near;
}
bool of_correlation(Task task) {
  return task == Task::local_correlation || task == Task::model_correlation;
}
bool of_difference(Task task) {
  return task == Task::difference || task == Task::model_difference;
}

/// What the number of a task is, its unit, its usual value; an empty text where it has none.
struct Number {
  QString text, unit;
  double usual = 0;
  int decimals = 1;
};
Number number_of(Task task) {
  const QString angstrom = QStringLiteral("\u202f\u00c5");
  switch (task) {
    case Task::sum:
      return {CalculateMapDialog::tr("Factor"), {}, 1, 3};
    case Task::local_correlation:
    case Task::model_correlation:
      return {CalculateMapDialog::tr("Window"), angstrom, 4, 1};
    case Task::step:
      return {CalculateMapDialog::tr("Every n-th point"), {}, 2, 0};
    case Task::near:
      return {CalculateMapDialog::tr("Distance"), angstrom, 4, 1};
    case Task::dust:
      return {CalculateMapDialog::tr("Smallest part"), angstrom, 10, 1};
    default:
      return {};
  }
}

/// "41 x 41 x 41 points, 0.5 A apart, from -10, -10, -10".
QString points_text(const Grid& grid) {
  const auto number = [](double value) { return QString::number(value, 'g', 3); };
  QStringList steps;
  for (int axis = 0; axis < 3; ++axis) steps += number(glm::length(grid.step[axis]));
  steps.removeDuplicates();
  return CalculateMapDialog::tr("%1 x %2 x %3 points, %4\u202f\u00c5 apart, from %5, %6, %7")
      .arg(grid.counts.x)
      .arg(grid.counts.y)
      .arg(grid.counts.z)
      .arg(steps.join(QStringLiteral(" x ")), number(grid.origin.x), number(grid.origin.y), number(grid.origin.z));
}

const char* file_of(Task task) {
  switch (task) {
    case Task::difference:
    case Task::model_difference:
      return "difference";
    case Task::sum:
      return "sum";
    case Task::local_correlation:
    case Task::model_correlation:
      return "local-correlation";
    case Task::same_grid:
      return "resampled";
    case Task::step:
      return "coarse";
    case Task::near:
      return "zone";
    case Task::dust:
      return "clean";
    case Task::sigma:
      return "sigma";
  }
  return "map";
}

std::vector<float> map_of_model(const std::vector<MapAtom>& atoms, const Grid& grid, Job& job) {
  if (!grid.axis_aligned()) throw Error("the map of a model needs a grid along x, y and z", Error::Kind::usage);
  std::vector<float> values(grid.size());
  density_map(atoms, grid, {values.data(), values.size(), Device::cpu()}, job);
  return values;
}

}  // namespace

CalculateMapDialog::CalculateMapDialog(SceneController& controller, QString folder, QWidget* parent)
    : QDialog(parent), controller_(controller), folder_(std::move(folder)) {
  setWindowTitle(tr("Calculate map"));
  setAccessibleName(windowTitle());
  setAttribute(Qt::WA_DeleteOnClose);
  resize(520, 320);
  build();
  show_scene(controller_.scene());
  // With one map alone, what needs no other one.
  const auto model = controller_.molecule(static_cast<std::size_t>(std::max(0, model_->currentIndex())));
  if (map_->count() == 1)
    task_->setCurrentIndex(static_cast<int>(model && model->atom_count() > 0 ? Task::model_difference : Task::step));
  show_task();
  connect(map_, &QComboBox::currentIndexChanged, this, [this] { show_scene(controller_.scene()); });
  connect(task_, &QComboBox::currentIndexChanged, this, &CalculateMapDialog::show_task);
  connect(work_->go(), &QPushButton::clicked, this, &CalculateMapDialog::start);
  connect(work_, &DialogWork::changed, this, [this] { show_scene(controller_.scene()); });
  controller_.listen(this, SceneParts::molecules, &CalculateMapDialog::show_scene);
}

Task CalculateMapDialog::task() const {
  return static_cast<Task>(std::max(0, task_->currentIndex()));
}

void CalculateMapDialog::propose(Task task, const MapPlace& map, int molecule, double resolution) {
  task_->setCurrentIndex(static_cast<int>(task));
  const int place = map_->findData(QStringLiteral("%1 %2").arg(map.molecule).arg(map.volume));
  if (place >= 0) map_->setCurrentIndex(place);
  if (molecule >= 0) model_->setCurrentIndex(molecule);
  resolution_->setValue(resolution);
}

void CalculateMapDialog::show_scene(const Scene& scene) {
  show_maps(map_, controller_);
  show_maps(other_, controller_, chosen_map(map_));  // with itself there is nothing to calculate
  {
    const QSignalBlocker quiet(model_);
    show_molecules(model_, scene);
    for (int m = 0; m < model_->count() && model_->currentIndex() < 0; ++m) {
      const auto loaded = controller_.molecule(static_cast<std::size_t>(m));
      if (loaded && loaded->atom_count() > 0) model_->setCurrentIndex(m);
    }
  }
  show_possible();
}

void CalculateMapDialog::show_possible() {
  const bool lacks_other = with_map(task()) && other_->count() == 0;
  work_->go()->setEnabled(!work_->running() && map_->count() > 0 && !lacks_other);
  other_->setPlaceholderText(tr("Open another map"));
}

void CalculateMapDialog::show_task() {
  const Task now = task();
  const Number number = number_of(now);
  show_row(form_, other_, with_map(now));
  show_row(form_, model_, with_model(now));
  show_row(form_, resolution_, now == Task::model_difference || now == Task::model_correlation);
  show_row(form_, number_, !number.text.isEmpty());
  show_row(form_, scaled_, of_difference(now));
  show_row(form_, resample_, at_same_points(now));
  number_->setDecimals(number.decimals);
  number_->setSuffix(number.unit);
  number_->setValue(number.usual);
  number_->setAccessibleName(number.text.isEmpty() ? tr("Number") : number.text);
  set_label(form_, number_, number.text.isEmpty() ? tr("Number") : number.text);
  scaled_->setChecked(now == Task::model_difference);
  const auto map = chosen_map(map_);
  const auto volume = map ? volume_at(controller_, *map) : nullptr;
  if (volume && resolution_->value() <= resolution_->minimum())
    resolution_->setValue(proposed_resolution(volume->grid));
  file_->setText(new_file(folder_, QString::fromLatin1(file_of(now)), QStringLiteral("mrc")));
  show_possible();
}

void CalculateMapDialog::start() {
  const auto map = chosen_map(map_), other = chosen_map(other_);
  if (work_->running() || !map) return;
  Asked asked;
  asked.task = task();
  asked.map = volume_at(controller_, *map);
  if (other) asked.other = volume_at(controller_, *other);
  asked.model_number = static_cast<std::uint32_t>(std::max(0, model_->currentIndex()));
  asked.model = controller_.molecule(asked.model_number);
  if (asked.model) asked.model_paths = controller_.scene().molecules[asked.model_number].paths;
  asked.map_name = map_->currentText().toStdString();
  asked.frame = controller_.scene().frame;
  asked.number = number_->value();
  asked.resolution = resolution_->value();
  asked.scaled = scaled_->isChecked();
  asked.path = file_->text().trimmed().toStdString();
  // Dust is judged at the level that is seen.
  for (const Field& field : controller_.scene().fields)
    if (field.kind == Field::Kind::volume && MapPlace{field.molecule, field.volume} == *map) {
      asked.level = shown_isovalue(field);
      break;
    }
  if (!asked.map || asked.path.empty() || (with_model(asked.task) && !asked.model)) return;
  if (at_same_points(asked.task) && asked.other && !resample_->isChecked() &&
      !same_points(asked.map->grid, asked.other->grid)) {
    work_->say(tr("Turn on Resample to interpolate %3 (%4) at the points of %1 (%2)")
                   .arg(map_->currentText(), points_text(asked.map->grid), other_->currentText(),
                        points_text(asked.other->grid)));
    return;
  }
  if (!work_->may_write({to_qt(asked.path)})) return;
  work_->start(
      tr("Calculating"),
      [asked, documents = &controller_.documents()](Job& job) {
        MapCalculation c;
        const Task task = asked.task;
        if (task == Task::same_grid && asked.other) c.grid = asked.other->grid;
        if (task == Task::step) c.step = static_cast<int>(std::lround(std::max(1.0, asked.number)));
        if (task == Task::dust) {
          c.dust = asked.number;
          c.dust_level = asked.level;
        }
        c.normalised = task == Task::sigma;
        c.window = asked.number;
        c.scaled = asked.scaled && of_difference(task);
        if (task == Task::sum) c.factor = asked.number;
        c.with = of_difference(task)    ? With::minus
                 : of_correlation(task) ? With::correlation
                 : task == Task::sum    ? With::plus
                                        : With::nothing;
        if (with_model(task)) {
          const ModelAtoms model = model_atoms(*asked.model, asked.frame, "not water", std::max(0.5, asked.resolution));
          if (task != Task::near) check_model(model, asked.map->grid, asked.resolution, asked.map_name, true);
          if (task == Task::near) {
            c.distance = asked.number;
            for (const MapAtom& atom : model.gaussians) c.places.push_back(atom.position);
          } else {
            c.other = [atoms = model.gaussians](const Grid& grid, Job& job) { return map_of_model(atoms, grid, job); };
          }
        } else if (asked.other) {
          c.other = [other = asked.other](const Grid& grid, Job& job) { return resampled(*other, grid, job); };
        }
        require_memory(calculated_map_memory(*asked.map, c), Device::cpu(), "map");
        Made made;
        made.map = calculated_map(*asked.map, c, job);
        made.map.volume.name = file_of(task);
        made.map.volume.unit = of_correlation(task) || c.normalised ? std::string() : asked.map->unit;
        job.check();
        write_volume(asked.path, made.map.volume, nullptr, 0, made.map.volume.name + ", computed by Isolume");
        made.map.volume.values.clear();
        made.opened = documents->open({asked.path});
        made.molecule = documents->molecule(made.opened.front());
        return made;
      },
      [this, asked](const Made& made) { take(asked, made); });
}

void CalculateMapDialog::take(const Asked& asked, const Made& made) {
  Scene next = controller_.scene();
  // A file that the scene has already is shown again.
  const auto same = std::find_if(next.molecules.begin(), next.molecules.end(),
                                 [&](const SceneMolecule& m) { return m.paths == made.opened.front().paths; });
  const bool there = same != next.molecules.end();
  const auto number = static_cast<std::uint32_t>(same - next.molecules.begin());
  controller_.edit(tr("Calculate map"), [&](Scene& scene) {
    if (!there) scene.molecules.push_back(made.opened.front());
    if (of_correlation(asked.task)) {
      for (Representation& r : scene.representations) {
        if (asked.task != Task::model_correlation || r.molecule != asked.model_number) continue;
        if (scene.molecules[r.molecule].paths != asked.model_paths) continue;  // the number is another one's by now
        r.colouring = Colouring::map;
        r.map_molecule = number;
        r.map_volume = 0;
        r.lower = 0;
        r.upper = 1;
      }
      return;
    }
    if (there) return;
    Field field;
    field.kind = Field::Kind::volume;
    field.molecule = number;
    show_usually(field, *made.molecule, true);
    if (of_difference(asked.task)) field.style = Surface::Style::wireframe;
    scene.fields.push_back(field);
  });
  if (there) controller_.molecules_changed();
  QString text = tr("Saved %1").arg(to_qt(asked.path));
  if (asked.scaled && of_difference(asked.task))
    text += tr("; the other map was taken %1 times").arg(made.map.factor, 0, 'g', 4);
  if (asked.task == Task::dust) text += tr("; parts removed: %1").arg(made.map.parts_removed);
  if (made.map.other_outside > 0) text += tr("; %1 points outside the other map").arg(made.map.other_outside);
  work_->say(text);
  if (file_->text().trimmed().toStdString() == asked.path)  // else the user has typed the next one
    file_->setText(new_file(folder_, QString::fromLatin1(file_of(task())), QStringLiteral("mrc")));
  Q_EMIT this->made(to_qt(asked.path));
}

}  // namespace isolume
