// The panel of contacts: how near residues are, as a picture linked with the selection.
#include "app/window/over_time/contact_map_panel.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/cli/tables/panel_table.h"
#include "app/models/labels.h"
#include "app/scene/named_selections.h"
#include "app/window/live/table_record.h"
#include "app/window/over_time/panel_export.h"
#include "app/window/over_time/reporting_job.h"
#include "app/window/over_time/residue_rows.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/drawing_file.h"
#include "app/window/widgets/menu_entry.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

enum Measure { nearest, traces };
constexpr double usual_cutoff[] = {4.5, 8};
/// Cutoffs up to which distances are told apart by their shade.
constexpr double shades = 3;

}  // namespace

ContactMapPanel::ContactMapPanel(SceneController& controller, QWidget* parent)
    : QWidget(parent), controller_(controller), map_(new HeatMap(tr("Contact map"), this)) {
  setAccessibleName(tr("Contact map"));
  build();
  const auto again = [this] { refresh(); };
  connect(molecule_, &QComboBox::activated, this, [this] { show_scene(controller_.scene()); });
  connect(shown_, &QComboBox::activated, this, again);
  connect(measure_, &QComboBox::activated, this, [this](int row) {
    // A cutoff of one's own stays.
    if (cutoff_->value() == usual_cutoff[1 - row]) {
      const QSignalBlocker quiet(cutoff_);
      cutoff_->setValue(usual_cutoff[row]);
    }
    refresh();
  });
  connect(cutoff_, &QDoubleSpinBox::valueChanged, this, again);
  connect(atoms_, &SelectionEdit::entered, this, again);
  connect(map_, &HeatMap::chosen, this, &ContactMapPanel::select);
  connect(map_, &HeatMap::hovered, pointed_, &QLabel::setText);
  connect(export_, &QToolButton::clicked, this, &ContactMapPanel::ask_export);
  add_menu_entry(*map_, *export_);
  connect(&controller_, &SceneController::picked_changed, this, &ContactMapPanel::show_picked);
  controller_.listen(this, SceneParts::molecules | SceneParts::selections, &ContactMapPanel::show_scene);
  show_scene(controller_.scene());
  compute({});
}

ContactMapPanel::~ContactMapPanel() {
  if (job_) job_->cancel();
}

void ContactMapPanel::build() {
  map_->setToolTip(
      tr("Click to select two residues, drag for several, with Ctrl more. The arrow keys move. What is selected is "
         "marked at the edges. The wheel zooms, double-click shows all"));
  auto* side = new QWidget(this);
  side->setAccessibleName(tr("Contact map options"));
  form_ = make_form(side);
  form_->setContentsMargins(0, 0, 0, 0);
  shown_ = make_box(tr("Show"), tr("Distances in the current frame, or the share of all frames with a contact"),
                    {tr("Distance in this frame"), tr("Share of the frames")});
  measure_ = make_box(tr("Between"), tr("Which atoms of two residues count"),
                      {tr("Nearest heavy atoms"), tr("CA atoms (P of nucleic acids)")});
  cutoff_ = new QDoubleSpinBox(side);
  cutoff_->setAccessibleName(tr("Cutoff"));
  cutoff_->setToolTip(tr("Distance up to which two residues are in contact"));
  cutoff_->setRange(1, 50);
  cutoff_->setDecimals(1);
  cutoff_->setSingleStep(0.5);
  cutoff_->setValue(usual_cutoff[nearest]);
  cutoff_->setSuffix(QStringLiteral("\u202f\u00c5"));
  cutoff_->setKeyboardTracking(false);
  molecule_ = make_box(tr("Molecule"), tr("Molecule whose residues are compared"), {});
  atoms_ = new SelectionEdit(side);
  atoms_->line()->setAccessibleName(tr("Residues"));
  atoms_->set_text(QStringLiteral("protein or nucleic"));
  add_row(form_, tr("Show"), shown_);
  add_row(form_, tr("Between"), measure_);
  add_row(form_, tr("Cutoff"), cutoff_);
  add_row(form_, tr("Molecule"), molecule_);
  add_row(form_, tr("Residues"), atoms_, true);
  note_ = new QLabel(this);
  note_->setAccessibleName(tr("Number of contacts"));
  note_->setWordWrap(true);
  pointed_ = new QLabel(this);
  pointed_->setAccessibleName(tr("Residues under the pointer"));
  pointed_->setTextFormat(Qt::PlainText);
  pointed_->setWordWrap(true);
  export_ = new QToolButton(this);
  export_->setText(tr("Export..."));
  export_->setAccessibleName(tr("Export contacts"));
  export_->setToolTip(tr(
      "Write the pairs of residues with their values as CSV, the matrix as NumPy array, or the picture as SVG or PDF"));
  export_->setFocusPolicy(Qt::StrongFocus);
  auto* right = new QVBoxLayout;
  right->addWidget(side);
  right->addWidget(note_);
  right->addWidget(pointed_);
  right->addStretch(1);
  right->addWidget(export_, 0, Qt::AlignLeft);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 6);
  layout->addWidget(map_, 3);
  layout->addLayout(right, 2);
}

void ContactMapPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
  show_picked();
}

void ContactMapPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit_map();
}

void ContactMapPanel::fit_map() {
  const QMargins edges = layout()->contentsMargins();
  map_->setMaximumWidth(std::max(200, map_->width_for(height() - edges.top() - edges.bottom())));
}

void ContactMapPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  if (!job_) return;
  job_->cancel();
  end();
  made_ = {};
  take({});
}

void ContactMapPanel::show_scene(const Scene& scene) {
  {
    const QSignalBlocker quiet(molecule_);
    show_molecules(molecule_, scene);
    if (molecule_->currentIndex() < 0 && molecule_->count() > 0) molecule_->setCurrentIndex(0);
  }
  show_row(form_, molecule_, molecule_->count() > 1);
  const int index = molecule_->currentIndex();
  const auto number = static_cast<std::uint32_t>(std::max(0, index));
  atoms_->set_molecule(index < 0 ? nullptr : controller_.molecule(number), scene.frame, names_of(scene, number));
  refresh();
}

void ContactMapPanel::show_picture(std::shared_ptr<const BuiltView> built) {
  built_ = std::move(built);
  refresh();
}

ContactMapPanel::Asked ContactMapPanel::asked() const {
  Asked asked;
  if (!built_ || molecule_->currentIndex() < 0 || built_->scene.molecules != controller_.scene().molecules)
    return asked;
  asked.number = static_cast<std::uint32_t>(molecule_->currentIndex());
  asked.molecule = controller_.molecule(asked.number);
  if (!asked.molecule || !asked.molecule->topology || asked.number >= built_->frames.size() ||
      !built_->frames[asked.number])
    return {};
  if (shown_->currentIndex() == 0) {
    asked.frame = built_->frames[asked.number];
    asked.frame_number = built_->scene.frame;
  }
  asked.selection = "(" + atoms_->words() + ") and " +
                    (measure_->currentIndex() == traces ? "polymer and name CA P" : "not element H");
  asked.cutoff = cutoff_->value();
  return asked;
}

void ContactMapPanel::refresh() {
  if (!isVisible()) return;
  const Asked wanted = asked();
  if (wanted == made_) return;
  if (job_) {
    // Distances follow the frames: the next comes when this one is there. A count of other frames is not waited for.
    if (made_.frame && wanted.frame) return;
    job_->cancel();
    end();
  }
  compute(wanted);
}

void ContactMapPanel::compute(const Asked& asked) {
  made_ = asked;
  if (!asked.molecule) {
    take({});
    return map_->set_empty(tr("Open a molecule to see which residues touch"));
  }
  const QString what = tr("Counting contacts");
  const bool over_frames = !asked.frame;
  if (matrix().residues.empty()) map_->set_empty(what + QStringLiteral("..."));
  job_ = over_frames
             ? reporting_job(this, what, [this](const QString& text, double part) { Q_EMIT progress(text, part); })
             : std::make_shared<Job>();
  if (over_frames) Q_EMIT progress(what, -1);
  run_async(
      this, [asked, job = job_] { return make(asked, *job); },
      [this, job = job_](Made made) {
        if (job != job_) return;
        end();
        take(std::move(made));
        refresh();
      },
      [this, job = job_](const QString& message) {
        if (job != job_) return;
        end();
        take({});
        map_->set_empty(message);
        refresh();
      });
}

ContactMapPanel::Made ContactMapPanel::make(const Asked& asked, Job& job) {
  const Topology& topology = *asked.molecule->topology;
  Made made;
  HeatColours colours;
  if (asked.frame) {
    const auto atoms = Selection(asked.selection).atoms(topology, *asked.frame);
    if (atoms.empty()) throw Error(empty_selection(asked.selection, topology), Error::Kind::usage);
    made.matrix = residue_distances(topology, *asked.frame, atoms, shades * asked.cutoff, job);
    colours = {shades * asked.cutoff, 0, asked.cutoff, {}};
  } else {
    AnalysisRequest request;
    request.molecule = asked.molecule;
    request.selection = asked.selection;
    request.cutoff = asked.cutoff;
    request.apart = 1;
    request.frames.resize(asked.molecule->frame_count());
    std::iota(request.frames.begin(), request.frames.end(), std::size_t{0});
    made.matrix = residue_contacts(request, job);
  }
  const std::size_t n = made.matrix.residues.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      const auto value = static_cast<double>(made.matrix.at(i, j));
      made.contacts += (asked.frame ? value <= asked.cutoff : value > 0) ? 1 : 0;
    }
  HeatPicture& picture = made.picture;
  picture.rows = picture.columns = made.matrix.residues.size();
  picture.values = made.matrix.values;
  picture.row_names = residue_titles(topology, made.matrix.residues);
  for (const std::uint32_t residue : made.matrix.residues)
    picture.column_names += QString::number(topology.residues[residue].number);
  picture.breaks = chain_breaks(topology, made.matrix.residues);
  picture.x = asked.frame
                  ? tr("Dark: \u2264 %1 \u00c5, white: \u2265 %2 \u00c5").arg(asked.cutoff).arg(shades * asked.cutoff)
                  : tr("Share of the frames: white 0 to dark 100 %");
  picture.square = true;
  draw_heat(picture, colours);
  return made;
}

void ContactMapPanel::take(Made made) {
  matrix_ = std::move(made.matrix);
  map_->set_picture(std::move(made.picture));
  fit_map();
  export_->setEnabled(!matrix_.residues.empty());
  const auto topology = controller_.topology(made_.number);
  map_->set_words([this, topology, of_frame = made_.frame != nullptr](std::size_t row, std::size_t column) {
    if (!topology || row >= matrix_.residues.size() || column >= matrix_.residues.size()) return QString();
    const auto value = static_cast<double>(matrix_.at(row, column));
    const QString pair = tr("%1 and %2")
                             .arg(map_->picture().row_names.value(static_cast<int>(row)),
                                  map_->picture().row_names.value(static_cast<int>(column)));
    if (!of_frame) return tr("%1: in %2 % of the frames").arg(pair).arg(100 * value, 0, 'f', 1);
    return std::isfinite(value) ? tr("%1: %2 \u00c5").arg(pair).arg(value, 0, 'f', 2)
                                : tr("%1: beyond %2 \u00c5").arg(pair).arg(shades * made_.cutoff);
  });
  const std::size_t n = matrix_.residues.size();
  note_->setText(n == 0        ? QString()
                 : made_.frame ? tr("%1 residues, %2 pairs in contact").arg(n).arg(made.contacts)
                               : tr("%1 residues, %2 pairs in contact in some of %3 frames")
                                     .arg(n)
                                     .arg(made.contacts)
                                     .arg(made_.molecule ? made_.molecule->frame_count() : 0));
  show_picked();
}

void ContactMapPanel::end() {
  job_.reset();
  Q_EMIT progress({}, 0);
}

void ContactMapPanel::cancel() {
  if (!job_ || made_.frame) return;
  job_->cancel();
  end();
  shown_->setCurrentIndex(0);
  refresh();
}

void ContactMapPanel::show_picked() {
  if (isVisible()) map_->set_marked(selected_rows(controller_, made_.number, matrix_.residues));
}

void ContactMapPanel::select(std::pair<std::size_t, std::size_t> rows, std::pair<std::size_t, std::size_t> columns,
                             bool add) {
  std::vector<std::uint32_t> residues;
  for (const auto& [first, last] : {rows, columns})
    for (std::size_t i = first; i <= last && i < matrix_.residues.size(); ++i) residues.push_back(matrix_.residues[i]);
  select_residues(controller_, made_.number, residues, add);
}

void ContactMapPanel::write(const QString& path) const {
  const auto topology = controller_.topology(made_.number);
  if (!topology || matrix_.residues.empty()) throw Error("there is no contact map to export", Error::Kind::usage);
  if (is_drawing(path)) return write_drawing(path, *map_, tr("Contact map"));
  cli::write_contacts(matrix_, *topology, made_.frame != nullptr, path.toStdString());
  const Scene& scene = controller_.scene();
  // The means of frames that smoothing shows are no frames of the file.
  if (made_.frame && scene.molecules.at(made_.number).smoothing > 0)
    return record_shown_table(scene, QStringLiteral("Contact map"), path);
  RecordedTable table{molecules_of(scene, {made_.number}), "Contact map", {}};
  table.asked = {{"of", "contacts"}, {"selection", made_.selection}, {"cutoff", made_.cutoff}, {"frame", nullptr}};
  if (made_.frame) {
    table.asked["frame"] = std::min(made_.frame_number, std::max<std::size_t>(1, made_.molecule->frame_count()) - 1);
    table.asked["range"] = shades * made_.cutoff;
  }
  record_table(std::move(table), path);
}

void ContactMapPanel::ask_export() {
  ask_panel_export(*this, tr("Export contacts"), controller_.scene(), QStringLiteral("contacts"));
}

}  // namespace isolume
