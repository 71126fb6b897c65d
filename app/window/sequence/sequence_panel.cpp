// The panel of the sequences, linked with the picture.
#include "app/window/sequence/sequence_panel.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/documents/titles.h"
#include "app/models/labels.h"
#include "app/view/residue_colours.h"
#include "app/window/sequence/sequence_view.h"
#include "app/window/widgets/async.h"

namespace isolume {

SequencePanel::SequencePanel(SceneController& controller, QWidget* parent)
    : QWidget(parent), controller_(controller), view_(new SequenceView(this)) {
  setAccessibleName(tr("Sequence"));
  align_ = new QCheckBox(this);
  align_->setText(tr("Align chains"));
  align_->setAccessibleName(tr("Align chains"));
  align_->setToolTip(tr("Align all chains with the current one and show their identity"));
  copy_ = new QToolButton(this);
  copy_->setText(tr("Copy as FASTA"));
  copy_->setAccessibleName(tr("Copy as FASTA"));
  copy_->setToolTip(tr("Copy the selected residues as FASTA, or all if none is selected (Ctrl+C)"));
  note_ = new QLabel(this);
  note_->setAccessibleName(tr("Selected residues"));
  note_->setToolTip(tr("Current selection"));
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(6, 4, 6, 2);
  bar->addWidget(align_);
  bar->addWidget(copy_);
  bar->addWidget(note_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addLayout(bar);
  layout->addWidget(view_, 1);
  connect(view_, &SequenceView::residues_selected, this, &SequencePanel::select);
  connect(view_, &SequenceView::copy_asked, this, &SequencePanel::copy);
  connect(copy_, &QToolButton::clicked, this, &SequencePanel::copy);
  connect(align_, &QCheckBox::clicked, this, &SequencePanel::set_aligned);
  connect(&controller_, &SceneController::scene_changed, this, &SequencePanel::refresh);
  connect(&controller_, &SceneController::picked_changed, this, &SequencePanel::show_picked);
  show_note();
}

void SequencePanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
  show_colours();
  show_picked();
}

void SequencePanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  if (job_) job_->cancel();
}

void SequencePanel::refresh() {
  if (!isVisible()) return;
  std::vector<std::shared_ptr<const Molecule>> wanted;
  const Scene& scene = controller_.scene();
  for (std::size_t m = 0; m < scene.molecules.size(); ++m)
    wanted.push_back(scene.molecules[m].visible ? controller_.molecule(m) : nullptr);
  if (wanted == shown_ && (!job_ || !job_->cancelled())) return;
  if (wanted != shown_) aligned_with_ = 0;
  coloured_.clear();  // colours may be of what was read before
  shown_ = std::move(wanted);
  make_rows();
}

void SequencePanel::make_rows() {
  if (job_) job_->cancel();
  job_ = std::make_shared<Job>();
  std::vector<QString> titles;
  for (const SceneMolecule& molecule : controller_.scene().molecules)
    titles.push_back(controller_.scene().molecules.size() > 1 ? to_qt(file_title(molecule.paths)) : QString());
  ++busy_;
  run_async(
      this,
      [molecules = shown_, titles, aligned = align_->isChecked(), with = aligned_with_, job = job_] {
        std::vector<SequenceRow> rows;
        for (std::size_t m = 0; m < molecules.size(); ++m) {
          if (!molecules[m]) continue;
          for (SequenceRow& row : sequence_rows(static_cast<std::uint32_t>(m), *molecules[m], titles[m]))
            rows.push_back(std::move(row));
        }
        std::string fault;
        if (aligned) {
          try {
            align_rows(rows, with, *job);
          } catch (const Error& error) {
            if (error.kind() != Error::Kind::cancelled) fault = error.what();
          }
        }
        return std::pair(std::move(rows), fault);
      },
      [this, number = ++asked_](std::pair<std::vector<SequenceRow>, std::string> made) {
        --busy_;
        if (number != asked_) return;
        view_->set_rows(std::move(made.first));
        if (!made.second.empty()) Q_EMIT failed(to_qt(made.second));
        show_picked();
      },
      [this](const QString& message) {
        --busy_;
        Q_EMIT failed(message);
      });
}

void SequencePanel::set_aligned(bool aligned) {
  align_->setChecked(aligned);
  if (aligned) aligned_with_ = view_->current_row();
  make_rows();
}

void SequencePanel::show_picture(std::shared_ptr<const BuiltView> built) {
  built_ = std::move(built);
  show_colours();
}

void SequencePanel::show_colours() {
  if (!isVisible() || !built_) return;
  if (built_->scene.representations == coloured_ && built_->scene.molecules == coloured_molecules_) return;
  coloured_ = built_->scene.representations;
  coloured_molecules_ = built_->scene.molecules;
  ++busy_;
  run_async(
      this,
      [built = built_, documents = &controller_.documents()] {
        std::vector<std::vector<glm::u8vec4>> colours(built->scene.molecules.size());
        for (std::uint32_t m = 0; m < colours.size(); ++m) {
          const auto molecule = documents->loaded(built->scene.molecules[m]);
          if (molecule && molecule->topology && m < built->frames.size() && built->frames[m])
            colours[m] = residue_colours(built->scene, m, *molecule->topology, *built->frames[m], *documents);
        }
        return colours;
      },
      [this, number = ++asked_colours_](std::vector<std::vector<glm::u8vec4>> colours) {
        --busy_;
        if (number == asked_colours_) view_->set_colours(std::move(colours));
      },
      [this](const QString&) { --busy_; });  // the picture has said it
}

void SequencePanel::show_picked() {
  if (!isVisible()) return;
  if (!selecting_) {
    ResidueMask mask;
    for (const PickedAtom& atom : controller_.picked()) {
      const auto topology = controller_.topology(atom.molecule);
      if (!topology || atom.atom >= topology->atoms.size()) continue;
      if (mask.size() <= atom.molecule) mask.resize(atom.molecule + std::size_t(1));
      mask[atom.molecule].resize(topology->residues.size(), 0);
      mask[atom.molecule][topology->atoms[atom.atom].residue] = 1;
    }
    view_->set_selected(std::move(mask));
  }
  show_note();
}

void SequencePanel::select(const ResidueMask& selected) {
  std::vector<PickedAtom> picked;
  for (std::uint32_t m = 0; m < selected.size(); ++m) {
    const auto topology = controller_.topology(m);
    if (!topology) continue;
    const auto& residues = topology->residues;
    for (std::size_t r = 0; r < selected[m].size() && r < residues.size(); ++r) {
      if (!selected[m][r]) continue;
      for (std::uint32_t a = 0; a < residues[r].atom_count; ++a) picked.push_back({m, residues[r].first_atom + a});
    }
  }
  selecting_ = true;
  controller_.set_picked(std::move(picked));
  selecting_ = false;
  show_note();
}

void SequencePanel::show_note() {
  std::size_t count = 0;
  for (const SequenceRow& row : view_->rows())
    count += static_cast<std::size_t>(std::count_if(row.residues.begin(), row.residues.end(), [&](std::uint32_t r) {
      return holds(view_->selected(), row.molecule, static_cast<std::int32_t>(r));
    }));
  note_->setText(count == 0   ? QString()
                 : count == 1 ? tr("1 residue selected")
                              : tr("%1 residues selected").arg(count_label(count)));
  copy_->setEnabled(!view_->rows().empty());
  align_->setEnabled(view_->rows().size() > 1 || align_->isChecked());
}

QString SequencePanel::fasta() const {
  return isolume::fasta(view_->rows(), view_->selected(), align_->isChecked());
}

void SequencePanel::copy() {
  const QString text = fasta();
  if (text.isEmpty()) return;
  QApplication::clipboard()->setText(text);
  Q_EMIT told(tr("Copied as FASTA: %1 sequences").arg(text.count(QLatin1Char('>'))));
}

}  // namespace isolume
