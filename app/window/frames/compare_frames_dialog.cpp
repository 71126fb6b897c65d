// The dialog that compares all frames of a trajectory: RMSD of all pairs, clusters, principal components.
#include "app/window/frames/compare_frames_dialog.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>

#include "app/models/labels.h"
#include "app/scene/named_selections.h"
#include "app/window/frames/frame_map.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"
#include "compute/trajectory/principal_components.h"

namespace isolume {

struct CompareFramesDialog::Found {
  FrameSet set;
  RmsdMatrix matrix;
  FrameClusters clusters;
  PrincipalComponents components;
};

CompareFramesDialog::CompareFramesDialog(SceneController& controller, QWidget* parent)
    : QDialog(parent), controller_(controller) {
  setWindowTitle(tr("Compare frames"));
  setAccessibleName(windowTitle());
  setAttribute(Qt::WA_DeleteOnClose);
  resize(760, 640);
  build();
  show_scene(controller_.scene());
  for (int m = 0; m < molecule_->count(); ++m) {
    const auto loaded = controller_.molecule(static_cast<std::size_t>(m));
    if (!loaded || loaded->frame_count() < 2) continue;
    molecule_->setCurrentIndex(m);
    break;
  }
  show_scene(controller_.scene());
  connect(molecule_, &QComboBox::currentIndexChanged, this, [this] { show_scene(controller_.scene()); });
  connect(work_->go(), &QPushButton::clicked, this, &CompareFramesDialog::start);
  connect(work_, &DialogWork::changed, this, [this] { show_scene(controller_.scene()); });
  connect(show_, &QComboBox::currentIndexChanged, this,
          [this](int index) { map_->set_show(static_cast<FrameMap::Show>(index)); });
  const auto go = [this](std::size_t frame) { controller_.touch([frame](Scene& scene) { scene.frame = frame; }); };
  connect(map_, &FrameMap::frame_chosen, this, go);
  connect(list_, &QTreeWidget::itemSelectionChanged, this, [this, go] {
    const auto chosen = list_->selectedItems();
    const int row = chosen.isEmpty() ? -1 : list_->indexOfTopLevelItem(chosen.front());
    if (row >= 0 && static_cast<std::size_t>(row) < middles_.size()) go(middles_[static_cast<std::size_t>(row)]);
  });
  controller_.listen(this, SceneParts::molecules | SceneParts::selections | SceneParts::frame,
                     &CompareFramesDialog::show_scene);
}

void CompareFramesDialog::build() {
  auto* layout = new QVBoxLayout(this);
  auto* top = new QWidget;
  top->setAccessibleName(tr("Comparison options"));
  QGridLayout* form = make_form(top);
  form->setContentsMargins(0, 0, 0, 0);
  molecule_ = make_box(tr("Molecule"), tr("Molecule with the frames to compare"), {});
  atoms_ = new SelectionEdit;
  atoms_->line()->setAccessibleName(tr("Atoms"));
  atoms_->set_text(QStringLiteral("polymer and name CA P"));
  method_ = make_box(tr("Clusters"),
                     tr("Neighbours of a frame within the cutoff (gromos), or average linkage up to the cutoff"),
                     {tr("Neighbours (gromos)"), tr("Average linkage")});
  cutoff_ = new QDoubleSpinBox;
  cutoff_->setAccessibleName(tr("Cutoff"));
  cutoff_->setToolTip(tr("RMSD up to which frames belong together"));
  cutoff_->setRange(0.01, 1000);
  cutoff_->setDecimals(2);
  cutoff_->setSingleStep(0.1);
  cutoff_->setValue(2);
  cutoff_->setSuffix(QStringLiteral("\u202f\u00c5"));
  show_ = make_box(tr("Show"), tr("The RMSD of all pairs, or each frame as a point of the first two components"),
                   {tr("RMSD of all pairs"), tr("Principal components")});
  add_row(form, tr("&Molecule"), molecule_);
  add_row(form, tr("A&toms"), atoms_, true);
  add_row(form, tr("C&lusters"), method_);
  add_row(form, tr("Cuto&ff"), cutoff_);
  add_row(form, tr("Sho&w"), show_);
  layout->addWidget(top);
  work_ = new DialogWork({tr("&Compare"), tr("Superpose all pairs of frames, and group them"),
                          tr("Stop the comparison"), tr("Cancelled"), tr("Close this dialog")},
                         this);
  work_->add_progress(layout);
  map_ = new FrameMap;
  list_ = new QTreeWidget;
  list_->setAccessibleName(tr("Clusters of frames"));
  list_->setToolTip(tr("The clusters, the largest first. Select one to show its middle frame"));
  list_->setHeaderLabels({tr("Cluster"), tr("Frames"), tr("Middle frame")});
  list_->setRootIsDecorated(false);
  list_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  // The matrix is a square: the clusters have the room at its side.
  auto* found = new QHBoxLayout;
  found->setSpacing(8);
  found->addWidget(map_, 5);
  found->addWidget(list_, 3);
  layout->addLayout(found, 1);
  work_->add_buttons(layout);
}

void CompareFramesDialog::show_scene(const Scene& scene) {
  {
    const QSignalBlocker quiet(molecule_);
    show_molecules(molecule_, scene);
  }
  const int index = molecule_->currentIndex();
  const auto loaded = index < 0 ? nullptr : controller_.molecule(static_cast<std::size_t>(index));
  atoms_->set_molecule(loaded, scene.frame, names_of(scene, static_cast<std::uint32_t>(std::max(0, index))));
  work_->go()->setEnabled(!work_->running() && loaded && loaded->topology && loaded->frame_count() > 1);
  map_->set_current(scene.frame);
}

void CompareFramesDialog::start() {
  const int index = molecule_->currentIndex();
  const auto molecule = index < 0 ? nullptr : controller_.molecule(static_cast<std::size_t>(index));
  if (work_->running() || !molecule) return;
  ClusterOptions options;
  options.method = static_cast<ClusterMethod>(method_->currentIndex());
  options.cutoff = cutoff_->value();
  work_->start(
      tr("Comparing frames"),
      [molecule, options, selection = atoms_->words()](Job& job) {
        std::vector<std::size_t> frames(molecule->frame_count());
        std::iota(frames.begin(), frames.end(), std::size_t{0});
        Found found;
        found.set = read_frames(*molecule, frames, selection, job);
        found.matrix = rmsd_matrix(found.set, true, job);
        found.clusters = cluster_frames(found.matrix.values, found.matrix.frames, options, job);
        found.components = principal_components(found.set, 2, true, job);
        return found;
      },
      [this](const Found& found) { take(found); });
}

void CompareFramesDialog::take(const Found& found) {
  const std::size_t frames = found.set.frames.size(), kept = found.components.variances.size();
  std::vector<double> x(frames), y(frames, 0);
  for (std::size_t i = 0; i < frames; ++i) {
    x[i] = found.components.projections[i * kept];
    if (kept > 1) y[i] = found.components.projections[i * kept + 1];
  }
  map_->set_frames(found.set.frames, found.clusters.of_frame);
  map_->set_matrix(found.matrix);
  map_->set_points(std::move(x), std::move(y));
  map_->set_current(controller_.scene().frame);
  const QSignalBlocker quiet(list_);
  list_->clear();
  middles_.clear();
  for (std::size_t c = 0; c < found.clusters.frames.size(); ++c) {
    middles_.push_back(found.set.frames[found.clusters.middles[c]]);
    auto* item = new QTreeWidgetItem(
        {QString::number(c + 1), QString::number(found.clusters.frames[c].size()), QString::number(middles_.back())});
    QPixmap mark(12, 12);
    mark.fill(FrameMap::cluster_colour(static_cast<std::uint32_t>(c)));
    item->setIcon(0, QIcon(mark));
    list_->addTopLevelItem(item);
  }
  const double part = found.components.total > 0 ? found.components.variances[0] / found.components.total : 0;
  work_->say(tr("%1 frames, %2; %3 atoms. The first principal component has %4 % of the motion")
                 .arg(frames)
                 .arg(found.clusters.frames.size() == 1 ? tr("1 cluster")
                                                        : tr("%1 clusters").arg(found.clusters.frames.size()))
                 .arg(found.set.atoms.size())
                 .arg(100 * part, 0, 'f', 1));
}

}  // namespace isolume
