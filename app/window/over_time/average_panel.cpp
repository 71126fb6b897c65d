// The panel of running averages.
#include "app/window/over_time/average_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "app/cli/over_time/running_volume_map.h"
#include "app/cli/over_time/volmap_mean.h"
#include "app/documents/held_molecules.h"
#include "app/documents/titles.h"
#include "app/fields/averages/running_average.h"
#include "app/models/labels.h"
#include "app/scene/density_name.h"
#include "app/scene/named_selections.h"
#include "app/scene/path_part.h"
#include "app/window/over_time/atom_map_rows.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/plot.h"
#include "app/window/widgets/selection_edit.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

using Clock = std::chrono::steady_clock;

enum Until { all_frames, current_frame };
constexpr auto shortest_piece = std::chrono::milliseconds(250);
constexpr int pieces_to_maps = 4;  // frames take so many times what maps take, or more

QString average_label(const Field& field) {
  return field.kind == Field::Kind::orbital ? orbital_label(field.orbital) : label(field.kind);
}

/// The value below which nine in ten of a map's are, by 10 000 of them: near nuclei potentials are large.
double usual_range(const Volume& map) {
  constexpr std::size_t most = 10000;
  std::vector<float> values;
  const std::size_t step = map.values.size() / most + 1;
  for (std::size_t i = 0; i < map.values.size(); i += step) values.push_back(std::abs(map.values[i]));
  if (values.empty()) return 1;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() * 9 / 10);
  std::nth_element(values.begin(), at, values.end());
  return *at > 0 ? static_cast<double>(*at) : 1;
}

/// How the mean is shown: as its field, pale where it is within its error.
Field shown_mean(const Field& of, std::uint32_t molecule) {
  Field field;
  field.kind = Field::Kind::volume;
  field.molecule = molecule;
  field.volume = 0;
  field.isovalue = std::abs(shown_isovalue(of));
  field.both_signs =
      of.kind == Field::Kind::potential || (of.kind == Field::Kind::orbital && of.orbital == spin_density_name);
  field.colour = of.colour;
  field.negative_colour = of.negative_colour;
  field.opacity = of.opacity;
  field.paint = Field::Paint::map;
  field.map_molecule = molecule;
  field.map_volume = 1;
  field.paint_range = field.isovalue;
  return field;
}

/// How the mean of a map of atoms is shown: as VolumeMapDialog shows it.
Field shown_map(const std::string& kind, double level, bool both_signs, std::uint32_t molecule) {
  Field field;
  field.kind = Field::Kind::volume;
  field.molecule = molecule;
  field.isovalue = level;
  field.both_signs = kind == "charge" || (kind == "value" && both_signs);
  field.opacity = kind == "charge" ? 0.8f : 0.6f;
  if (field.both_signs) {
    field.colour = {60, 90, 200, 255};
    field.negative_colour = {200, 60, 50, 255};
  }
  field.paint = Field::Paint::map;
  field.map_molecule = molecule;
  field.map_volume = 1;
  return field;
}

}  // namespace

/// What a piece of the work gives.
struct AveragePanel::Piece {
  std::uint64_t frames = 0;
  std::vector<ConvergencePoint> convergence;
  std::string text, unit;
  std::vector<double> ranges;
  double level = 0;
  bool both_signs = false;
  Clock::duration maps_took{};
};

AveragePanel::AveragePanel(SceneController& controller, std::function<Device()> device, QWidget* parent)
    : QWidget(parent), controller_(controller), device_(std::move(device)) {
  setAccessibleName(tr("Running averages"));
  build();
  connect(start_, &QPushButton::clicked, this, [this] { running_ ? stop() : start(); });
  connect(until_, &QComboBox::activated, this, [this] { go_on(); });
  connect(colours_, &QComboBox::activated, this, [this] { colour_map(); });
  connect(field_, &QComboBox::currentIndexChanged, this, [this] {
    chosen_ = true;
    show_scene(controller_.scene());
  });
  controller_.listen(this, SceneParts::molecules | SceneParts::fields | SceneParts::selections,
                     &AveragePanel::show_scene);
  controller_.listen(this, SceneParts::frame, &AveragePanel::show_frame);
  show_scene(controller_.scene());
  show_figures();
}

AveragePanel::~AveragePanel() {
  if (job_) job_->cancel();
  if (!entry_.paths.empty()) release_molecule(entry_.paths.back());
}

void AveragePanel::build() {
  auto* side = new QWidget(this);
  side->setAccessibleName(tr("Options of averages"));
  QGridLayout* const form = make_form(side);
  form->setContentsMargins(0, 0, 0, 0);
  field_ =
      make_box(tr("Mean of"),
               tr("Potential or density of the scene, or map of the atoms of a molecule, whose mean is taken"), {});
  field_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  align_ = new SelectionEdit(side);
  align_->line()->setAccessibleName(tr("Superpose by"));
  align_->line()->setToolTip(tr("Atoms by which each frame is superposed on the first one"));
  align_->set_optional(tr("frames as they are"));
  until_ = make_box(tr("Frames"), tr("All frames, or those up to the one that is shown, while it plays"),
                    {tr("All"), tr("Up to the current one")});
  colours_ =
      make_box(tr("Colours of the mean"),
               tr("What colours the surface of the mean: itself, pale where it is within its error, its standard "
                  "error, or the variance over the frames"),
               {tr("Mean, pale within error"), tr("Standard error"), tr("Variance")});
  add_row(form, tr("Mean of"), field_);
  map_rows_ = new AtomMapRows(form, side);
  add_row(form, tr("Superpose by"), align_, true);
  add_row(form, tr("Frames"), until_);
  add_row(form, tr("Colours"), colours_);
  start_ = new QPushButton(tr("Start"), this);
  start_->setAutoDefault(false);
  start_->setToolTip(tr("Go over the frames from the first one on, or end; the maps so far stay"));
  figures_ = new QLabel(this);
  figures_->setAccessibleName(tr("State of the average"));
  figures_->setTextFormat(Qt::PlainText);
  figures_->setWordWrap(true);
  figures_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  error_plot_ = new Plot(tr("Standard error of the mean"), this);
  error_plot_->setToolTip(tr("Standard error of the mean (RMS over the map) against the number of frames"));
  inefficiency_plot_ = new Plot(tr("Statistical inefficiency"), this);
  inefficiency_plot_->setToolTip(
      tr("Statistical inefficiency (median over the map): how many frames say as much as an independent one"));
  auto* left = new QVBoxLayout;
  left->addWidget(side);
  left->addStretch(1);
  auto* plots = new QHBoxLayout;
  plots->setSpacing(12);
  plots->addWidget(error_plot_);
  plots->addWidget(inefficiency_plot_);
  // At the top, where it is seen in a low panel too.
  auto* state = new QHBoxLayout;
  state->setSpacing(12);
  state->addWidget(start_, 0, Qt::AlignTop);
  state->addWidget(figures_, 1);
  auto* right = new QVBoxLayout;
  right->addLayout(state);
  right->addLayout(plots, 1);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 6);
  layout->setSpacing(12);
  layout->addLayout(left, 2);
  layout->addLayout(right, 4);
}

int AveragePanel::source() const {
  const auto& molecules = controller_.scene().molecules;
  for (std::size_t m = 0; m < molecules.size(); ++m)
    if (molecules[m].paths == source_.paths && molecules[m].templates == source_.templates) return static_cast<int>(m);
  return -1;
}

int AveragePanel::maps() const {
  const auto& molecules = controller_.scene().molecules;
  for (std::size_t m = 0; m < molecules.size(); ++m)
    if (molecules[m].paths == entry_.paths) return static_cast<int>(m);
  return -1;
}

std::size_t AveragePanel::available() const {
  const int at = source();
  const auto molecule = at >= 0 ? controller_.molecule(static_cast<std::size_t>(at)) : nullptr;
  if (!molecule) return 0;
  const std::size_t all = molecule->frame_count();
  return until_->currentIndex() == all_frames ? all : std::min(all, controller_.scene().frame + 1);
}

std::optional<AveragePanel::Row> AveragePanel::row() const {
  const int at = field_->currentIndex();
  if (at < 0 || static_cast<std::size_t>(at) >= rows_.size()) return std::nullopt;
  return rows_[static_cast<std::size_t>(at)];
}

std::vector<AveragePanel::Row> AveragePanel::possible_rows(const Scene& scene) const {
  std::vector<Row> rows;
  for (std::size_t f = 0; f < scene.fields.size(); ++f)
    if (can_be_averaged(scene.fields[f]) && scene.fields[f].molecule < scene.molecules.size())
      rows.push_back({false, f, scene.fields[f].molecule});
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m) {
    const auto molecule = controller_.molecule(m);
    if (!molecule || !molecule->topology || molecule->atom_count() == 0 || molecule->frame_count() == 0) continue;
    for (const std::size_t map : AtomMapRows::possible(*molecule)) rows.push_back({true, map, m});
  }
  return rows;
}

QString AveragePanel::row_label(const Row& row, const Scene& scene) const {
  const QString file = to_qt(file_title(scene.molecules[row.molecule].paths));
  return row.is_map ? AtomMapRows::title(row.number, file)
                    : tr("%1 of %2").arg(average_label(scene.fields[row.number]), file);
}

void AveragePanel::show_row_options() {
  const std::optional<Row> at = row();
  map_rows_->show_for(at && at->is_map ? std::optional(at->number) : std::nullopt);
}

void AveragePanel::show_scene(const Scene& scene) {
  const std::optional<Row> before = row();
  QStringList names, shown;
  rows_ = possible_rows(scene);
  for (const Row& possible : rows_) names += row_label(possible, scene);
  for (int i = 0; i < field_->count(); ++i) shown += field_->itemText(i);
  if (names != shown) {
    const QSignalBlocker quiet(field_);
    field_->clear();
    field_->addItems(names);
    // Before the user has chosen it is the first one: fields of the scene come before maps.
    const auto again = before && (chosen_ || running_) ? std::find(rows_.begin(), rows_.end(), *before) : rows_.end();
    field_->setCurrentIndex(again != rows_.end() ? static_cast<int>(again - rows_.begin()) : names.isEmpty() ? -1 : 0);
  }
  if (const std::optional<Row> at = row())
    for (SelectionEdit* edit : {align_, map_rows_->atoms()})
      edit->set_molecule(controller_.molecule(at->molecule), 0, names_of(scene, at->molecule));
  show_row_options();
  start_->setEnabled(running_ || !rows_.empty());
  if (convergence_.empty()) show_figures();  // what is said where nothing can be averaged goes when something can
  if (running_ && (source() < 0 || (in_scene_ && maps() < 0))) {
    stop();
    Q_EMIT told(tr("The average was ended, as its molecule or its map was removed"));
  }
  go_on();
}

void AveragePanel::show_frame(const Scene&) {
  go_on();
}

std::shared_ptr<RunningMean> AveragePanel::new_average() const {
  if (map_) return std::make_shared<cli::RunningVolumeMap>(*map_, align_->words());
  return std::make_shared<RunningAverage>(averaged_, align_->words(), device_());
}

void AveragePanel::start() {
  const std::optional<Row> at = row();
  if (!at) return;
  stop();
  const Scene scene = with_names(controller_.scene());
  map_.reset();
  averaged_ = original_ = {};
  if (at->is_map) {
    map_ = map_rows_->choice(at->number);
  } else {
    averaged_ = scene.fields[at->number];
    original_ = controller_.scene().fields[at->number];
  }
  source_ = scene.molecules[at->molecule];
  PathPart part{file_of(source_.paths.front()), PathPart::Kind::average};
  part.number = static_cast<int>(++number_);
  entry_ = SceneMolecule{{part.file, path_of(part)}};
  in_scene_ = false;
  shown_frames_ = 0;
  convergence_.clear();
  try {
    average_ = new_average();
  } catch (const Error& error) {
    Q_EMIT failed(to_qt(error.what()));
    return;
  }
  running_ = true;
  show_figures();
  go_on();
}

void AveragePanel::stop() {
  if (job_) job_->cancel();
  job_.reset();
  running_ = false;
  average_.reset();
  if (!entry_.paths.empty()) release_molecule(entry_.paths.back());
  show_figures();
}

void AveragePanel::go_on() {
  if (!running_ || job_ || !average_) return;
  const std::size_t end = available();
  // Where frames were dropped to save memory, the others have other numbers.
  if (end < shown_frames_ && until_->currentIndex() == all_frames && end > 0) {
    average_ = new_average();
    shown_frames_ = 0;
  }
  if (end <= shown_frames_) return;
  const auto molecule = controller_.molecule(static_cast<std::size_t>(source()));
  job_ = std::make_shared<Job>();
  run_async(
      this,
      [documents = &controller_.documents(), average = average_, job = job_, molecule, end, entry = entry_,
       kind = map_ ? map_->kind : std::string(),
       piece_time = std::max<Clock::duration>(shortest_piece, pieces_to_maps * maps_took_)] {
        const auto begin = Clock::now();
        do {
          average->add_next(molecule, *job);
        } while (average->frames() < end && Clock::now() - begin < piece_time);
        const auto maps_begin = Clock::now();
        Molecule maps;
        maps.title = "means over frames";
        maps.format = "average";
        maps.volumes = average->maps(*job);
        Piece piece;
        piece.frames = average->frames();
        piece.convergence = average->convergence();
        piece.text = average->text();
        piece.unit = average->unit();
        for (const auto& map : maps.volumes) piece.ranges.push_back(usual_range(*map));
        if (const std::vector<float>& means = maps.volumes[0]->values; !kind.empty()) {
          piece.level = cli::usual_level(kind, means);
          piece.both_signs = std::any_of(means.begin(), means.end(), [](float v) { return v < 0; });
        }
        hold_molecule(entry.paths.back(), std::make_shared<const Molecule>(std::move(maps)));
        documents->reload(entry);
        piece.maps_took = Clock::now() - maps_begin;
        return piece;
      },
      [this, job = job_](Piece piece) {
        if (job_ != job) return;
        job_.reset();
        take(std::move(piece));
      },
      [this, job = job_](const QString& message) {
        if (job_ != job) return;
        stop();
        Q_EMIT failed(message);
      });
}

void AveragePanel::take(Piece piece) {
  shown_frames_ = piece.frames;
  convergence_ = std::move(piece.convergence);
  text_ = to_qt(piece.text);
  unit_ = printed_unit(piece.unit);
  if (!in_scene_) level_ = piece.level;  // then it is the user's
  both_signs_ = piece.both_signs;
  maps_took_ = piece.maps_took;
  ranges_ = std::move(piece.ranges);
  show_map(entry_);
  show_figures();
  go_on();
}

void AveragePanel::show_map(const SceneMolecule& entry) {
  if (std::exchange(in_scene_, true)) {
    controller_.molecules_changed();
    return;
  }
  controller_.edit(tr("Average over frames"), [&](Scene& scene) {
    const auto number = static_cast<std::uint32_t>(scene.molecules.size());
    scene.molecules.push_back(entry);
    scene.fields.push_back(
        coloured(map_ ? shown_map(map_->kind, level_, both_signs_, number) : shown_mean(averaged_, number)));
    // The field of the frame would hide the mean.
    for (Field& field : scene.fields)
      if (!map_ && field == original_) field.visible = false;
  });
}

Field AveragePanel::coloured(Field field) const {
  const int shown = colours_->currentIndex();  // after the mean come its faded map, its error and the variance
  field.map_volume = static_cast<std::uint32_t>(shown + 1);
  field.paint_range = shown > 0 ? ranges_.at(field.map_volume)
                      : map_    ? QString::number(field.isovalue, 'g', 2).toDouble()  // read in the legend
                                : field.isovalue;
  return field;
}

void AveragePanel::colour_map() {
  const int at = in_scene_ ? maps() : -1;
  if (at < 0) return;
  controller_.edit(tr("Colours of the average"), [&](Scene& scene) {
    for (Field& field : scene.fields)
      if (field.kind == Field::Kind::volume && field.paint == Field::Paint::map &&
          field.molecule == static_cast<std::uint32_t>(at) && field.map_molecule == field.molecule)
        field = coloured(field);
  });
}

void AveragePanel::show_figures() {
  start_->setText(running_ ? tr("Stop") : tr("Start"));
  start_->setEnabled(running_ || !rows_.empty());
  field_->setEnabled(!running_);
  align_->setEnabled(!running_);
  map_rows_->set_enabled(!running_);
  if (convergence_.empty()) {
    figures_->setText(
        rows_.empty()
            ? tr("Open a trajectory first; the mean of a field or of a map of its atoms is taken over its frames")
            : QString());
  } else {
    const ConvergencePoint& now = convergence_.back();
    QStringList lines{tr("Mean of %1 frames").arg(count_label(static_cast<std::size_t>(now.frames)))};
    if (std::isfinite(now.error) && now.error > 0) {
      const QString unit = unit_.isEmpty() ? QString() : QLatin1Char(' ') + unit_;
      lines += tr("Standard error %1%2 (RMS), inefficiency %3 frames")
                   .arg(now.error, 0, 'g', 3)
                   .arg(unit)
                   .arg(now.inefficiency, 0, 'g', 3);
    }
    if (now.without > 0)
      lines += tr("%1 % of the map is pale: it has no error yet, since there are too few frames")
                   .arg(100 * now.without, 0, 'g', 3);
    if (now.rough > 0)
      lines += tr("On %1 % the error is rough, and may be half of the true one: fewer than %2 independent frames")
                   .arg(100 * now.rough, 0, 'g', 3)
                   .arg(enough_independent);
    if (!text_.isEmpty()) lines += text_;
    figures_->setText(lines.join(QLatin1Char('\n')));
  }
  PlotCurve error, inefficiency;
  error.name = tr("standard error");
  inefficiency.name = tr("inefficiency (frames)");
  for (const ConvergencePoint& point : convergence_) {
    const auto frames = static_cast<double>(point.frames);
    error.x.push_back(frames);
    error.y.push_back(point.error);
    inefficiency.x.push_back(frames);
    inefficiency.y.push_back(point.inefficiency);
  }
  error.points = inefficiency.points = convergence_.size() < 40;
  // Each has its axis: they differ in unit and size.
  const auto show = [](Plot& plot, PlotCurve curve, const QString& title) {
    PlotLabels labels;
    labels.x = tr("Frames");
    labels.y = title;
    labels.empty = tr("Known from some 40 frames on");
    labels.whole_x = true;
    plot.set_labels(labels);
    std::vector<PlotCurve> curves;
    if (std::any_of(curve.y.begin(), curve.y.end(), [](double y) { return std::isfinite(y); }))
      curves.push_back(std::move(curve));
    plot.set_curves(std::move(curves));
  };
  show(*error_plot_, std::move(error), unit_.isEmpty() ? tr("Standard error") : tr("Standard error (%1)").arg(unit_));
  show(*inefficiency_plot_, std::move(inefficiency), tr("Inefficiency (frames)"));
}

}  // namespace isolume
