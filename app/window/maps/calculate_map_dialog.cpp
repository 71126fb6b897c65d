// The dialog that calculates a map from others and adds it to the scene: its inputs and computation.
#include "app/window/maps/calculate_map_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPushButton>
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
  std::shared_ptr<const Volume> map, other;  ///< null where they are still read
  std::shared_ptr<const Molecule> model;
  MapPlace map_place, other_place;
  std::vector<SceneMolecule> entries;  ///< of the scene
  std::uint32_t model_number = 0;
  std::vector<std::string> model_paths;
  std::string map_name, other_name;
  bool resample = false, own_grid = false;
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
  return task == Task::model_difference || task == Task::model_correlation || task == Task::near || task == Task::model;
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

/// Why two maps are not taken together; empty where they are.
QString fault_of_points(const Grid& map, const QString& name, const Grid& other, const QString& other_name) {
  if (same_points(map, other)) return {};
  return CalculateMapDialog::tr("Turn on Resample to interpolate %3 (%4) at the points of %1 (%2)")
      .arg(name, points_text(map), other_name, points_text(other));
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
    case Task::model:
      return "model";
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

namespace {

void choose(QComboBox* box, const MapPlace& map) {
  const int place = box->findData(QStringLiteral("%1 %2").arg(map.molecule).arg(map.volume));
  if (place >= 0) box->setCurrentIndex(place);
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
  const bool model = choose_model();
  if (map_->count() == 0) task_->setCurrentIndex(static_cast<int>(Task::model));
  if (map_->count() == 1) task_->setCurrentIndex(static_cast<int>(model ? Task::model_difference : Task::step));
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
  choose(map_, map);
  if (molecule >= 0) model_->setCurrentIndex(molecule);
  resolution_->setValue(resolution);
}

bool CalculateMapDialog::choose_model() {
  for (int m = 0; m < model_->count(); ++m) {
    const auto loaded = controller_.molecule(static_cast<std::size_t>(m));
    if (!loaded || loaded->atom_count() == 0) continue;
    model_->setCurrentIndex(m);
    return true;
  }
  return false;
}

void CalculateMapDialog::propose_difference(const std::vector<MapPlace>& shown) {
  if (!shown.empty()) choose(map_, shown[0]);
  if (map_->count() < 2 || (shown.size() == 1 && choose_model())) {
    task_->setCurrentIndex(static_cast<int>(Task::model_difference));
  } else if (shown.size() > 1) {
    choose(other_, shown[1]);
  }
}

void CalculateMapDialog::show_scene(const Scene& scene) {
  show_maps(map_, controller_);
  show_maps(other_, controller_, chosen_map(map_));  // with itself there is nothing to calculate
  show_models(model_, scene, [this](std::size_t m) { return controller_.molecule(m); });
  show_possible();
}

void CalculateMapDialog::show_possible() {
  const bool lacks_other = with_map(task()) && other_->count() == 0;
  work_->go()->setEnabled(!work_->running() && (map_->count() > 0 || task() == Task::model) && !lacks_other);
  other_->setPlaceholderText(tr("Open another map"));
  show_row(form_, map_, task() != Task::model || map_->count() > 0);
}

void CalculateMapDialog::show_task() {
  const Task now = task();
  const Number number = number_of(now);
  show_row(form_, other_, with_map(now));
  show_row(form_, model_, with_model(now));
  show_row(form_, map_, now != Task::model || map_->count() > 0);
  set_label(form_, map_, now == Task::model ? tr("On the grid of") : tr("&Map"));
  show_row(form_, resolution_, with_model(now) && now != Task::near);
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
  if (map_->count() == 0 && resolution_->value() <= resolution_->minimum()) resolution_->setValue(6);
  file_->setText(new_file(folder_, QString::fromLatin1(file_of(now)), QStringLiteral("mrc")));
  show_possible();
}

void CalculateMapDialog::start() {
  const auto map = chosen_map(map_), other = chosen_map(other_);
  if (work_->running() || (!map && task() != Task::model)) return;
  Asked asked;
  asked.task = task();
  asked.entries = controller_.scene().molecules;
  asked.own_grid = !map;
  if (map) asked.map_place = *map;
  if (map) asked.map = volume_at(controller_, *map);
  if (with_map(asked.task) && !other) return;
  if (other) asked.other_place = *other;
  if (other) asked.other = volume_at(controller_, *other);
  asked.model_number = static_cast<std::uint32_t>(std::max(0, model_->currentIndex()));
  asked.model = controller_.molecule(asked.model_number);
  if (asked.model_number < asked.entries.size()) asked.model_paths = asked.entries[asked.model_number].paths;
  asked.map_name = map_->currentText().toStdString();
  asked.other_name = other_->currentText().toStdString();
  asked.resample = resample_->isChecked();
  asked.frame = controller_.scene().frame;
  asked.number = number_->value();
  asked.resolution = resolution_->value();
  asked.scaled = scaled_->isChecked();
  asked.path = file_->text().trimmed().toStdString();
  // Dust is judged at the level that is seen.
  for (const Field& field : controller_.scene().fields)
    if (map && field.kind == Field::Kind::volume && MapPlace{field.molecule, field.volume} == *map) {
      asked.level = shown_isovalue(field);
      break;
    }
  if (asked.path.empty()) return work_->say(tr("Enter the name of the file"));
  if (with_model(asked.task) && model_->currentIndex() < 0) return work_->say(tr("Open a model first (Ctrl+O)"));
  if (at_same_points(asked.task) && !asked.resample && asked.map && asked.other)
    if (const QString fault =
            fault_of_points(asked.map->grid, map_->currentText(), asked.other->grid, other_->currentText());
        !fault.isEmpty())
      return work_->say(fault);
  if (!work_->may_write({to_qt(asked.path)})) return;
  // What is still read, as after a molecule was moved, the thread waits for.
  QStringList loading;
  if (map && !asked.map) loading += map_->currentText();
  if (with_map(asked.task) && !asked.other) loading += other_->currentText();
  if (with_model(asked.task) && !asked.model) loading += model_->currentText();
  work_->start(
      loading.isEmpty() ? tr("Calculating") : tr("Loading %1").arg(loading.join(tr(", "))),
      [asked, documents = &controller_.documents()](Job& job) { return make(asked, *documents, job); },
      [this, asked](const Made& made) { take(asked, made); });
}

CalculateMapDialog::Made CalculateMapDialog::make(const Asked& asked, Documents& documents, Job& job) {
  MapCalculation c;
  const Task task = asked.task;
  const auto volume_of = [&](const std::shared_ptr<const Volume>& loaded, const MapPlace& place) {
    return loaded ? loaded : documents.molecule(asked.entries.at(place.molecule))->volumes.at(place.volume);
  };
  const std::shared_ptr<const Volume> map =
      asked.own_grid ? std::shared_ptr<const Volume>() : volume_of(asked.map, asked.map_place);
  const std::shared_ptr<const Volume> second =
      with_map(task) ? volume_of(asked.other, asked.other_place) : std::shared_ptr<const Volume>();
  job.check();
  if (at_same_points(task) && !asked.resample)
    if (const QString fault = fault_of_points(map->grid, to_qt(asked.map_name), second->grid, to_qt(asked.other_name));
        !fault.isEmpty())
      throw Error(fault.toStdString(), Error::Kind::usage);
  if (task == Task::same_grid) c.grid = second->grid;
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
  Made made;
  if (with_model(task)) {
    const auto molecule = asked.model ? asked.model : documents.molecule(asked.entries.at(asked.model_number));
    const ModelAtoms model = model_atoms(*molecule, asked.frame, "not water", std::max(0.5, asked.resolution));
    const Grid own = map ? Grid{} : density_map_grid(model.gaussians, asked.resolution / 3);
    const Grid& points = map ? map->grid : own;
    if (task != Task::near)
      check_model(model, points, asked.resolution, map ? asked.map_name : "the map", map != nullptr);
    if (task == Task::near) {
      c.distance = asked.number;
      for (const MapAtom& atom : model.gaussians) c.places.push_back(atom.position);
    } else if (task == Task::model) {
      require_memory(points.size() * sizeof(float) + density_map_memory(model.gaussians, points, Device::cpu()),
                     Device::cpu(), "map");
      made.map.volume.grid = points;
      made.map.volume.values = map_of_model(model.gaussians, points, job);
      made.map.volume.unit = "e/angstrom^3";
    } else {
      c.other = [atoms = model.gaussians](const Grid& grid, Job& job) { return map_of_model(atoms, grid, job); };
    }
  } else if (second) {
    c.other = [second](const Grid& grid, Job& job) { return resampled(*second, grid, job); };
  }
  if (task != Task::model) {
    require_memory(calculated_map_memory(*map, c), Device::cpu(), "map");
    made.map = calculated_map(*map, c, job);
    made.map.volume.unit = of_correlation(task) || c.normalised ? std::string() : map->unit;
  }
  made.map.volume.name = file_of(task);
  job.check();
  write_volume(asked.path, made.map.volume, nullptr, 0, made.map.volume.name + ", computed by Isolume");
  made.map.volume.values.clear();
  made.opened = documents.open({asked.path});
  made.molecule = documents.molecule(made.opened.front());
  return made;
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
    colour_apart(field, scene);
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
