// The panel of timelines: what it computes, and its links with frame and selection.
#include "app/window/over_time/timeline_panel.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QLabel>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>
#include <cmath>

#include "app/cli/tables/panel_table.h"
#include "app/cli/timeline/timeline_table.h"
#include "app/models/labels.h"
#include "app/scene/named_selections.h"
#include "app/view/interaction_lines.h"
#include "app/window/live/table_record.h"
#include "app/window/maps/map_box.h"
#include "app/window/maps/model_atoms.h"
#include "app/window/over_time/frame_bars.h"
#include "app/window/over_time/panel_export.h"
#include "app/window/over_time/reporting_job.h"
#include "app/window/over_time/residue_rows.h"
#include "app/window/over_time/timeline_line.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/drawing_file.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::size_t most_rows = 5000;

TimelineKind kind_of(int of) {
  using enum TimelineKind;
  constexpr TimelineKind kinds[] = {structure, structure, rmsd, rmsf, sasa, contacts, potential, correlation};
  return kinds[of];
}

InteractionKinds kinds_of_row(int row) {
  InteractionKinds kinds{};
  const auto set = [&](InteractionKind kind) { kinds[static_cast<std::size_t>(kind)] = true; };
  using enum InteractionKind;
  switch (row) {
    case 1:
      set(hydrogen_bond);
      break;
    case 2:
      set(salt_bridge);
      break;
    case 3:
      set(stacking), set(edge_stacking), set(cation_pi);
      break;
    case 4:
      set(contact);
      break;
    default:
      set(hydrogen_bond), set(salt_bridge), set(stacking), set(edge_stacking), set(cation_pi);
  }
  return kinds;
}

}  // namespace

void TimelinePanel::compute() {
  cancel();
  const int index = molecule_->currentIndex();
  const auto molecule = index < 0 ? nullptr : controller_.molecule(static_cast<std::size_t>(index));
  if (!molecule || !molecule->topology || molecule->frame_count() == 0)
    return Q_EMIT failed(tr("A timeline needs a molecule with frames"));
  const auto place = chosen_map(map_box_);
  const bool with_map = of_->currentIndex() == correlation_of;
  const auto map = place ? volume_at(controller_, *place) : nullptr;
  if (with_map && !map) return Q_EMIT failed(tr("A correlation needs a density map; open one (Ctrl+O)"));
  clear();
  std::vector<std::size_t> frames;
  for (std::size_t f = 0; f < molecule->frame_count(); f += static_cast<std::size_t>(step_->value()))
    frames.push_back(f);
  molecule_of_ = molecule;
  number_ = static_cast<std::uint32_t>(index);
  asked_ = {molecules_of(controller_.scene(), {number_}), "Timeline", {}};
  const QString what = tr("Timeline: %1").arg(of_->currentText());
  job_ = reporting_job(this, what, [this](const QString& text, double part) { Q_EMIT progress(text, part); });
  show_controls();
  Q_EMIT progress(what, -1);
  const auto fault = [this, job = job_](const QString& message) {
    if (job != job_) return;
    end();
    Q_EMIT failed(message);
  };
  if (of_->currentIndex() == interactions_of) {
    InteractionTimelineRequest request;
    request.molecule = molecule;
    request.frames = std::move(frames);
    request.selection = atoms_->words();
    request.other = others_->text().trimmed().isEmpty() ? std::string() : others_->words();
    request.kinds = kinds_of_row(kinds_->currentIndex());
    asked_.asked = {{"of", "interactions"}, {"selection", request.selection}, {"other", request.other}};
    asked_.asked["kinds"] = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < request.kinds.size(); ++k)
      if (request.kinds[k]) asked_.asked["kinds"].push_back(name(static_cast<InteractionKind>(k)));
    asked_.asked["step"] = step_->value();
    run_async(
        this, [request, job = job_] { return interaction_timeline(request, *job); },
        [this, job = job_](InteractionTimeline found) {
          if (job != job_) return;
          end();
          take(std::move(found));
        },
        fault);
    return;
  }
  LineRequest asked;
  asked.molecule = molecule;
  asked.request.kind = kind_of(of_->currentIndex());
  asked.request.frames = std::move(frames);
  asked.request.selection = atoms_->words();
  asked.request.device = device_();
  if (with_map) {
    asked.map = map;
    asked.map_name = map_box_->currentText().toStdString();
    asked.request.map.resolution = resolution_->value();
  }
  structure_ = asked.request.kind == TimelineKind::structure;
  asked_.asked = {{"of", "timeline"},
                  {"kind", cli::timeline_word(asked.request.kind)},
                  {"selection", asked.request.selection},
                  {"step", step_->value()}};
  if (with_map) {
    asked_.scene = molecules_of(controller_.scene(), {number_, place->molecule});
    asked_.asked["volume"] = place->volume;
    asked_.asked["resolution"] = asked.request.map.resolution;
  }
  run_async(
      this, [asked, job = job_] { return make_line(asked, *job); },
      [this, job = job_](MadeLine made) {
        if (job != job_) return;
        end();
        take(std::move(made.line), std::move(made.picture));
      },
      fault);
}

void TimelinePanel::take(InteractionTimeline found) {
  interactions_ = std::move(found);
  show_rows();
  show_controls();
}

void TimelinePanel::take(Timeline found, HeatPicture picture) {
  line_ = std::move(found);
  map_->set_picture(std::move(picture));
  map_->set_words([this](std::size_t row, std::size_t column) {
    if (!line_ || row >= line_->rows.size() || column >= line_->frames.size()) return QString();
    const float value = line_->at(row, column);
    const QString text = structure_ ? to_qt(cli::structure_word(static_cast<int>(value)))
                                    : QStringLiteral("%1 %2").arg(double(value), 0, 'g', 4).arg(to_qt(line_->unit));
    return tr("%1, frame %2: %3")
        .arg(map_->picture().row_names.value(static_cast<int>(row)))
        .arg(line_->frames[column])
        .arg(text.trimmed());
  });
  QString text = tr("%1 residues in %2 frames").arg(line_->rows.size()).arg(line_->frames.size());
  if (structure_) {
    QStringList key;
    for (const int c : {1, 2, 3, 4, 5, 0})
      key += QStringLiteral("<span style='color:%1'>\u25a0</span>&nbsp;%2")
                 .arg(structure_colours()[c].name(), to_qt(cli::structure_word(c)));
    text += QStringLiteral("<br>") + key.join(QStringLiteral(" "));
  }
  note_->setText(text);
  show_scene(controller_.scene());
  show_picked();
}

void TimelinePanel::clear() {
  interactions_.reset();
  line_.reset();
  listed_.clear();
  list_->clear();
  map_->set_picture({});
  note_->clear();
  molecule_of_.reset();
}

void TimelinePanel::end() {
  job_.reset();
  Q_EMIT progress({}, 0);
  show_controls();
}

void TimelinePanel::cancel() {
  if (!job_) return;
  job_->cancel();
  end();
}

void TimelinePanel::show_rows() {
  list_->clear();
  listed_.clear();
  if (!interactions_ || !molecule_of_) return;
  const auto& rows = interactions_->rows;
  for (std::size_t r = 0; r < rows.size(); ++r) listed_.push_back(r);
  // The lasting ones first; of equal ones by kind and residues.
  std::stable_sort(listed_.begin(), listed_.end(),
                   [&](std::size_t a, std::size_t b) { return rows[a].present > rows[b].present; });
  if (listed_.size() > most_rows) listed_.resize(most_rows);
  auto bars = std::make_shared<std::vector<std::vector<std::uint8_t>>>();
  QList<QTreeWidgetItem*> items;
  for (const std::size_t r : listed_) {
    const InteractionTimelineRow& row = rows[r];
    std::vector<std::uint8_t> there(row.distances.size());
    for (std::size_t f = 0; f < there.size(); ++f) there[f] = std::isfinite(row.distances[f]) ? 1 : 0;
    bars->push_back(std::move(there));
    const Topology& topology = *molecule_of_->topology;
    QString kind = to_qt(name(row.pair.kind));
    kind[0] = kind[0].toUpper();
    auto* item = new QTreeWidgetItem(
        {kind, residue_title(topology, row.pair.first), residue_title(topology, row.pair.second),
         QString::number(100 * interactions_->share(r), 'f', 1), QString::number(row.mean_distance, 'f', 2)});
    for (const int column : {3, 4}) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    items += item;
  }
  list_->addTopLevelItems(items);
  auto* delegate = static_cast<FrameBars*>(list_->itemDelegateForColumn(5));
  delegate->set_frames(
      [bars](int row) {
        return row >= 0 && static_cast<std::size_t>(row) < bars->size() ? &(*bars)[static_cast<std::size_t>(row)]
                                                                        : nullptr;
      },
      [this](int row) {
        const glm::u8vec4 c = colour_of(interactions_->rows[listed_[static_cast<std::size_t>(row)]].pair.kind);
        return QColor(c.r, c.g, c.b);
      });
  QString text = tr("%1 pairs of residues in %2 frames").arg(rows.size()).arg(interactions_->frames.size());
  if (rows.size() > most_rows) text += tr(", the %1 most frequent are listed").arg(most_rows);
  note_->setText(text);
  show_scene(controller_.scene());
}

void TimelinePanel::show_scene(const Scene& scene) {
  {
    const QSignalBlocker quiet(molecule_);
    show_molecules(molecule_, scene);
    if (molecule_->currentIndex() < 0 && molecule_->count() > 0) molecule_->setCurrentIndex(0);
  }
  const int index = molecule_->currentIndex();
  const auto number = static_cast<std::uint32_t>(std::max(0, index));
  const auto molecule = index < 0 ? nullptr : controller_.molecule(number);
  {
    const QSignalBlocker quiet(map_box_);
    const QString before = map_box_->currentData().toString();
    show_maps(map_box_, controller_);
    if (map_box_->currentData().toString() != before) propose_resolution();
  }
  for (SelectionEdit* edit : {atoms_, others_}) edit->set_molecule(molecule, scene.frame, names_of(scene, number));
  // What is shown of a molecule that was closed or read again is no longer true.
  if (molecule_of_ && controller_.molecule(number_) != molecule_of_) {
    cancel();
    clear();
  }
  const std::vector<std::size_t>* frames = interactions_ ? &interactions_->frames : line_ ? &line_->frames : nullptr;
  int place = -1;
  if (frames) {
    const auto found = std::lower_bound(frames->begin(), frames->end(), scene.frame);
    if (found != frames->end() && *found == scene.frame) place = static_cast<int>(found - frames->begin());
  }
  map_->set_current(place < 0 ? std::nullopt : std::optional<std::size_t>(static_cast<std::size_t>(place)));
  static_cast<FrameBars*>(list_->itemDelegateForColumn(5))->set_current(place);
  list_->viewport()->update();
  show_controls();
}

void TimelinePanel::propose_resolution() {
  const auto place = chosen_map(map_box_);
  if (const auto volume = place ? volume_at(controller_, *place) : nullptr)
    resolution_->setValue(proposed_resolution(volume->grid));
}

void TimelinePanel::go(std::size_t frame) {
  controller_.touch([frame](Scene& scene) { scene.frame = frame; });
}

void TimelinePanel::choose(int row, std::optional<std::size_t> frame) {
  if (!interactions_ || row < 0 || static_cast<std::size_t>(row) >= listed_.size()) return;
  const ResiduePair& pair = interactions_->rows[listed_[static_cast<std::size_t>(row)]].pair;
  const std::uint32_t residues[] = {pair.first, pair.second};
  select_residues(controller_, number_, residues, false);
  if (frame) go(*frame);
  Q_EMIT centre_asked();
}

std::size_t TimelinePanel::frame_at(int x) const {
  if (!interactions_ || interactions_->frames.empty()) return 0;
  const int left = list_->columnViewportPosition(5) + 2, width = std::max(1, list_->columnWidth(5) - 4);
  const double part = std::clamp(static_cast<double>(x - left) / width, 0.0, 1.0);
  const std::size_t count = interactions_->frames.size();
  return interactions_->frames[std::min(count - 1, static_cast<std::size_t>(part * static_cast<double>(count)))];
}

bool TimelinePanel::eventFilter(QObject* object, QEvent* event) {
  if (object != list_->viewport()) return QWidget::eventFilter(object, event);
  const bool press = event->type() == QEvent::MouseButtonPress, move = event->type() == QEvent::MouseMove;
  if (!press && !move) return false;
  const auto* mouse = static_cast<QMouseEvent*>(event);
  const QPoint at = mouse->position().toPoint();
  const QTreeWidgetItem* item = list_->itemAt(at);
  const bool bars = item && list_->columnAt(at.x()) == 5;
  if (bars) {
    const int row = list_->indexOfTopLevelItem(const_cast<QTreeWidgetItem*>(item));
    pointed_->setText(tr("Frame %1").arg(frame_at(at.x())));
    if (press && mouse->button() == Qt::LeftButton) choose(row, frame_at(at.x()));
    if (move && (mouse->buttons() & Qt::LeftButton)) go(frame_at(at.x()));
  } else {
    pointed_->clear();
    if (press && item && mouse->button() == Qt::LeftButton)
      choose(list_->indexOfTopLevelItem(const_cast<QTreeWidgetItem*>(item)), std::nullopt);
  }
  return false;
}

void TimelinePanel::show_picked() {
  if (!line_) return;
  std::vector<std::uint32_t> residues;
  for (const TimelineRow& row : line_->rows) residues.push_back(row.residue);
  map_->set_marked(selected_rows(controller_, number_, residues));
}

void TimelinePanel::show_controls() {
  const int index = molecule_->currentIndex();
  const auto molecule = index < 0 ? nullptr : controller_.molecule(static_cast<std::size_t>(index));
  const bool interactions = of_->currentIndex() == interactions_of;
  pages_->setCurrentIndex(interactions ? 0 : 1);
  show_row(form_, molecule_, molecule_->count() > 1);
  show_row(form_, kinds_, interactions);
  show_row(form_, others_, interactions);
  const bool with_map = of_->currentIndex() == correlation_of;
  show_row(form_, map_box_, with_map);
  show_row(form_, resolution_, with_map);
  compute_->setEnabled(!job_ && molecule && molecule->topology && molecule->frame_count() > 0);
  export_->setEnabled(!job_ && ((interactions && interactions_) || (!interactions && line_)));
  const QString text = job_        ? tr("Computing. Esc stops it")
                       : !molecule ? tr("Open a trajectory to see its timeline")
                       : with_map && map_box_->count() == 0
                           ? tr("Open a density map (Ctrl+O) to see how well each residue agrees with it")
                       : interactions && interactions_ ? tr("No interactions of this kind")
                                                       : tr("Press Compute");
  hint_->setText(text);
  hint_->setVisible(list_->topLevelItemCount() == 0);
  map_->set_empty(text);
}

void TimelinePanel::write(const QString& path) const {
  const bool interactions = of_->currentIndex() == interactions_of;
  if (!molecule_of_ || (interactions ? !interactions_ : !line_))
    throw Error("there is no timeline to export", Error::Kind::usage);
  const Topology& topology = *molecule_of_->topology;
  if (is_drawing(path)) {
    if (interactions)
      throw Error(
          "the list of interactions is written as a table (.csv) or an array (.npy); drawings are of the "
          "pictures of residues",
          Error::Kind::usage);
    return write_drawing(path, *map_, tr("Timeline"));
  }
  if (interactions) {
    cli::write_interaction_line(*interactions_, topology, path.toStdString());
  } else {
    cli::write_line(*line_, topology, structure_, path.toStdString());
  }
  record_table(asked_, path, device_());
}

void TimelinePanel::ask_export() {
  ask_panel_export(*this, tr("Export timeline"), controller_.scene(), QStringLiteral("timeline"));
}

}  // namespace isolume
