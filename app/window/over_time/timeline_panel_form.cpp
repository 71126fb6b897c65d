// The panel of timelines: its list, its picture and its form.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "app/window/over_time/frame_bars.h"
#include "app/window/over_time/residue_rows.h"
#include "app/window/over_time/timeline_panel.h"
#include "app/window/widgets/menu_entry.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"

namespace isolume {
namespace {

QToolButton* make_button(const QString& text, const QString& name, const QString& tip, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setText(text);
  button->setAccessibleName(name);
  button->setToolTip(tip);
  button->setFocusPolicy(Qt::StrongFocus);
  return button;
}

}  // namespace

TimelinePanel::TimelinePanel(SceneController& controller, std::function<Device()> device, QWidget* parent)
    : QWidget(parent),
      controller_(controller),
      device_(std::move(device)),
      map_(new HeatMap(tr("Residues over the frames"), this)) {
  setAccessibleName(tr("Timeline"));
  build();
  connect(of_, &QComboBox::activated, this, [this] {
    cancel();
    clear();
    show_controls();
  });
  connect(molecule_, &QComboBox::activated, this, [this] { show_scene(controller_.scene()); });
  connect(map_box_, &QComboBox::activated, this, &TimelinePanel::propose_resolution);
  connect(compute_, &QToolButton::clicked, this, &TimelinePanel::compute);
  connect(export_, &QToolButton::clicked, this, &TimelinePanel::ask_export);
  add_menu_entry(*map_, *export_);
  connect(list_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
    // The next frame in which the pair interacts; after the last the first.
    const int row = list_->indexOfTopLevelItem(item);
    if (!interactions_ || row < 0 || static_cast<std::size_t>(row) >= listed_.size()) return;
    const auto& distances = interactions_->rows[listed_[static_cast<std::size_t>(row)]].distances;
    std::optional<std::size_t> first, next;
    for (std::size_t f = 0; f < distances.size(); ++f) {
      if (!(distances[f] >= 0)) continue;
      if (!first) first = interactions_->frames[f];
      if (!next && interactions_->frames[f] > controller_.scene().frame) next = interactions_->frames[f];
    }
    choose(row, next ? next : first);
  });
  connect(map_, &HeatMap::hovered, pointed_, &QLabel::setText);
  connect(map_, &HeatMap::chosen, this,
          [this](std::pair<std::size_t, std::size_t> rows, std::pair<std::size_t, std::size_t> columns, bool add) {
            if (!line_) return;
            std::vector<std::uint32_t> residues;
            for (std::size_t r = rows.first; r <= rows.second && r < line_->rows.size(); ++r)
              residues.push_back(line_->rows[r].residue);
            select_residues(controller_, number_, residues, add);
            if (columns.second < line_->frames.size()) go(line_->frames[columns.second]);
          });
  connect(&controller_, &SceneController::picked_changed, this, &TimelinePanel::show_picked);
  controller_.listen(this, SceneParts::molecules | SceneParts::selections | SceneParts::frame,
                     &TimelinePanel::show_scene);
  show_scene(controller_.scene());
}

TimelinePanel::~TimelinePanel() {
  if (job_) job_->cancel();
}

void TimelinePanel::build() {
  list_ = new QTreeWidget(this);
  list_->setAccessibleName(tr("Interactions over the frames"));
  list_->setToolTip(
      tr("Click a row to select both residues, or its bar to go to the frame, too. Enter: the next frame in which they "
         "interact"));
  list_->setHeaderLabels(
      {tr("Interaction"), tr("First"), tr("Second"), tr("Frames (%)"), tr("Mean (\u00c5)"), tr("Over the frames")});
  list_->header()->setAccessibleName(tr("Column headers"));
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->header()->setStretchLastSection(true);
  for (const int column : {0, 1, 2, 3, 4}) list_->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
  list_->setItemDelegateForColumn(5, new FrameBars(list_));
  list_->viewport()->installEventFilter(this);
  list_->viewport()->setMouseTracking(true);
  hint_ = make_hint({}, list_);
  map_->setToolTip(
      tr("Click to select a residue and go to a frame, drag for several residues. The arrow keys move. What is "
         "selected is marked at the edge. The wheel zooms, with Shift along the frames; double-click shows all"));
  pages_ = new QStackedWidget(this);
  pages_->setAccessibleName(tr("Timeline"));
  pages_->addWidget(list_);
  pages_->addWidget(map_);
  note_ = new QLabel(this);
  note_->setAccessibleName(tr("What the timeline shows"));
  note_->setWordWrap(true);
  pointed_ = new QLabel(this);
  pointed_->setAccessibleName(tr("Under the pointer"));
  pointed_->setTextFormat(Qt::PlainText);
  pointed_->setWordWrap(true);
  QWidget* form = build_form();
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(compute_);
  buttons->addWidget(export_);
  buttons->addStretch(1);
  auto* right = new QVBoxLayout;
  right->addWidget(form);
  right->addLayout(buttons);
  right->addWidget(note_);
  right->addWidget(pointed_);
  right->addStretch(1);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 6);
  layout->addWidget(pages_, 3);
  layout->addLayout(right, 1);
}

QWidget* TimelinePanel::build_form() {
  auto* owner = new QWidget(this);
  owner->setAccessibleName(tr("Timeline options"));
  form_ = make_form(owner);
  form_->setContentsMargins(0, 0, 0, 0);
  of_ = make_box(tr("Show"), tr("What is followed over the frames"),
                 {tr("Interactions"), tr("Secondary structure"), tr("Displacement (RMSD)"), tr("Fluctuation (RMSF)"),
                  tr("Accessible area"), tr("Contacts"), tr("Potential"), tr("Correlation with a map")});
  molecule_ = make_box(tr("Molecule"), tr("Molecule whose frames are followed"), {});
  kinds_ = make_box(
      tr("Kinds"), tr("Which interactions are followed"),
      {tr("All but contacts"), tr("Hydrogen bonds"), tr("Salt bridges"), tr("Stacking and cation-pi"), tr("Contacts")});
  for (QComboBox* box : {of_, kinds_})  // read whole
    for (int i = 0; i < box->count(); ++i)
      box->setMinimumContentsLength(std::max(box->minimumContentsLength(), static_cast<int>(box->itemText(i).size())));
  atoms_ = new SelectionEdit(owner);
  atoms_->line()->setAccessibleName(tr("Atoms"));
  atoms_->set_text(QStringLiteral("protein or nucleic"));
  others_ = new SelectionEdit(owner);
  others_->line()->setAccessibleName(tr("Atoms of the second partner"));
  others_->set_optional(tr("among these atoms"));
  map_box_ = make_box(tr("Density map"), tr("The map with which each residue is compared"), {});
  resolution_ = new QDoubleSpinBox(owner);
  resolution_->setAccessibleName(tr("Resolution"));
  resolution_->setToolTip(tr("Resolution at which the model is compared with the map"));
  resolution_->setRange(0.5, 200);
  resolution_->setDecimals(1);
  resolution_->setValue(5);  // until there is a map
  resolution_->setSuffix(QStringLiteral("\u202f\u00c5"));
  step_ = new QSpinBox(owner);
  step_->setAccessibleName(tr("Every"));
  step_->setToolTip(tr("Take every n-th frame"));
  step_->setRange(1, 1'000'000);
  const auto name_step = [this](int step) { step_->setSuffix(step == 1 ? tr(" frame") : tr(" frames")); };
  connect(step_, &QSpinBox::valueChanged, this, name_step);
  name_step(1);
  add_row(form_, tr("Show"), of_);
  add_row(form_, tr("Molecule"), molecule_);
  add_row(form_, tr("Kinds"), kinds_);
  add_row(form_, tr("Atoms"), atoms_, true);
  add_row(form_, tr("Others"), others_, true);
  add_row(form_, tr("Map"), map_box_);
  add_row(form_, tr("Resolution"), resolution_);
  add_row(form_, tr("Every"), step_);
  compute_ = make_button(tr("Compute"), tr("Compute timeline"), tr("Go over all frames; Esc stops it"), owner);
  export_ = make_button(tr("Export..."), tr("Export timeline"), tr("Write the timeline as CSV"), owner);
  return owner;
}

}  // namespace isolume
