// The panel of the Ramachandran plot.
#include "app/window/structures/ramachandran_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <set>
#include <utility>

#include "app/models/labels.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/panel_form.h"

namespace isolume {

RamachandranPanel::RamachandranPanel(SceneController& controller, QWidget* parent)
    : QWidget(parent), controller_(controller), plot_(new RamachandranPlot(this)) {
  setAccessibleName(tr("Ramachandran plot"));
  classes_ = make_box(tr("Residues"), tr("Residues to show, with the allowed regions of their type"),
                      {tr("All residues"), tr("General"), tr("Glycine"), tr("Proline"), tr("Before proline")});
  note_ = new QLabel(this);
  note_->setAccessibleName(tr("Residue under the pointer"));
  note_->setTextFormat(Qt::PlainText);
  counts_ = new QLabel(this);
  counts_->setAccessibleName(tr("How many residues are in the regions"));
  counts_->setWordWrap(true);
  plot_->setToolTip(
      tr("Dark: no contact of atoms below the normal limits; pale: none below the outer limits (rigid "
         "geometry, Ramachandran and\nSasisekharan 1968). Triangles: glycine, squares: proline. A residue "
         "outside is not necessarily an error."));
  auto* meaning =
      new QLabel(tr("The shades are contact limits of rigid atoms, not statistics of known structures: even in "
                    "good structures some residues are outside"),
                 this);
  meaning->setAccessibleName(tr("Meaning of the shades"));
  meaning->setWordWrap(true);
  meaning->setForegroundRole(QPalette::PlaceholderText);
  auto* side = new QVBoxLayout;
  side->addWidget(classes_);
  side->addWidget(counts_);
  side->addWidget(meaning);
  side->addWidget(note_);
  side->addStretch(1);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 6);
  layout->addWidget(plot_, 3);
  layout->addLayout(side, 2);

  // As high as the dock: scrolled, half of the square would be seen.
  plot_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
  connect(classes_, &QComboBox::activated, this, [this](int row) {
    plot_->set_class(row == 0 ? std::optional<RamachandranClass>() : static_cast<RamachandranClass>(row - 1));
  });
  connect(plot_, &RamachandranPlot::hovered, note_, &QLabel::setText);
  connect(plot_, &RamachandranPlot::chosen, this, &RamachandranPanel::select);
  connect(&controller_, &SceneController::picked_changed, this, &RamachandranPanel::show_picked);
}

/// A square as high as the panel; the text has the rest of the width.
void RamachandranPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const QMargins edges = layout()->contentsMargins();
  plot_->setMaximumWidth(plot_->width_for(event->size().height() - edges.top() - edges.bottom()));
}

QSize RamachandranPanel::sizeHint() const {
  return {QWidget::sizeHint().width(), plot_->sizeHint().height()};
}

void RamachandranPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  compute();
}

void RamachandranPanel::show_picture(std::shared_ptr<const BuiltView> built) {
  built_ = std::move(built);
  compute();
}

void RamachandranPanel::compute() {
  if (!isVisible() || !built_) return;
  std::vector<std::shared_ptr<const Frame>> frames;
  for (std::size_t m = 0; m < built_->frames.size(); ++m)
    frames.push_back(m < built_->scene.molecules.size() && built_->scene.molecules[m].visible ? built_->frames[m]
                                                                                              : nullptr);
  if (frames == computed_) return;
  if (busy_) {
    again_ = true;
    return;
  }
  computed_ = frames;
  busy_ = true;
  const auto done = [this] {
    busy_ = false;
    if (std::exchange(again_, false)) compute();
  };
  run_async(
      this,
      [built = built_, frames, documents = &controller_.documents()] {
        std::vector<PlottedResidue> residues;
        for (std::uint32_t m = 0; m < frames.size(); ++m) {
          const auto molecule = documents->loaded(built->scene.molecules[m]);
          if (!frames[m] || !molecule || !molecule->topology) continue;
          const Topology& topology = *molecule->topology;
          for (const RamachandranPoint& point : ramachandran(topology, *frames[m])) {
            const Residue& residue = topology.residues[point.residue];
            const RamachandranRegion region = ramachandran_region(point.kind, point.phi, point.psi);
            residues.push_back({m, point, region,
                                QStringLiteral("%1/%2 %3   \u03c6 %4\u00b0  \u03c8 %5\u00b0   %6")
                                    .arg(to_qt(topology.chains[residue.chain].id), to_qt(residue.name))
                                    .arg(residue.number)
                                    .arg(double(point.phi), 0, 'f', 0)
                                    .arg(double(point.psi), 0, 'f', 0)
                                    .arg(QLatin1String(name(region))),
                                false});
          }
        }
        return residues;
      },
      [this, done](std::vector<PlottedResidue> residues) {
        std::size_t counts[3] = {0, 0, 0};
        for (const PlottedResidue& residue : residues) ++counts[static_cast<std::size_t>(residue.region)];
        counts_->setText(residues.empty() ? tr("No residues of protein")
                                          : tr("%1 residues: %2 within normal limits of contact, %3 within outer ones, "
                                               "%4 outside")
                                                .arg(residues.size())
                                                .arg(counts[2])
                                                .arg(counts[1])
                                                .arg(counts[0]));
        plot_->set_residues(std::move(residues));
        show_picked();
        done();
      },
      [done](const QString&) { done(); });
}

void RamachandranPanel::show_picked() {
  if (!isVisible()) return;
  std::set<std::pair<std::uint32_t, std::uint32_t>> picked;
  for (const PickedAtom& atom : controller_.picked()) {
    const auto topology = controller_.topology(atom.molecule);
    if (topology && atom.atom < topology->atoms.size())
      picked.emplace(atom.molecule, topology->atoms[atom.atom].residue);
  }
  plot_->mark([&](const PlottedResidue& residue) {
    return picked.contains({residue.molecule, residue.point.residue});
  });
}

void RamachandranPanel::select(const std::vector<std::size_t>& residues, bool add) {
  std::vector<PickedAtom> picked = add ? controller_.picked() : std::vector<PickedAtom>{};
  for (const std::size_t i : residues) {
    const PlottedResidue& chosen = plot_->residues()[i];
    const auto topology = controller_.topology(chosen.molecule);
    if (!topology || chosen.point.residue >= topology->residues.size()) continue;
    const Residue& residue = topology->residues[chosen.point.residue];
    for (std::uint32_t k = 0; k < residue.atom_count; ++k) {
      const PickedAtom atom{chosen.molecule, residue.first_atom + k};
      if (std::find(picked.begin(), picked.end(), atom) == picked.end()) picked.push_back(atom);
    }
  }
  controller_.set_picked(std::move(picked));
}

}  // namespace isolume
