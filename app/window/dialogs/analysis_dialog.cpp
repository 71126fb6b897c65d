// The dialog for analyses of a trajectory.
#include "app/window/dialogs/analysis_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "app/models/labels.h"
#include "app/scene/named_selections.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"
#include "compute/analysis/residue_matching.h"
#include "molecule/residue_kinds.h"

namespace isolume {
namespace {

constexpr AnalysisKind plotted[] = {
    AnalysisKind::rmsd,           AnalysisKind::rmsf, AnalysisKind::gyration, AnalysisKind::contacts,
    AnalysisKind::hydrogen_bonds, AnalysisKind::area, AnalysisKind::dipole,   AnalysisKind::rdf};

bool has(const Topology& topology, std::initializer_list<ResidueKind> kinds) {
  for (std::size_t i = 0; i < topology.residues.size(); ++i)
    if (std::find(kinds.begin(), kinds.end(), residue_kind(topology, i)) != kinds.end()) return true;
  return false;
}

/// The atoms that are usual for a kind; those of a molecule that has them.
QString usual_atoms(AnalysisKind kind, const Molecule* molecule) {
  if (!molecule || !molecule->topology) return QStringLiteral("all");
  const Topology& topology = *molecule->topology;
  if (kind == AnalysisKind::rmsd || kind == AnalysisKind::rmsf)
    return trace_atoms(topology).size() < 3 ? QStringLiteral("all") : QStringLiteral("polymer and name CA P");
  if (kind == AnalysisKind::rdf)
    return has(topology, {ResidueKind::water}) ? QStringLiteral("water and element O") : QStringLiteral("all");
  return has(topology, {ResidueKind::protein, ResidueKind::nucleic}) ? QStringLiteral("protein or nucleic")
                                                                     : QStringLiteral("all");
}

}  // namespace

QString analysis_title(AnalysisKind kind) {
  switch (kind) {
    case AnalysisKind::rmsd:
      return AnalysisDialog::tr("RMSD");
    case AnalysisKind::gyration:
      return AnalysisDialog::tr("Radius of gyration");
    case AnalysisKind::contacts:
      return AnalysisDialog::tr("Contacts");
    case AnalysisKind::dipole:
      return AnalysisDialog::tr("Dipole moment");
    case AnalysisKind::area:
      return AnalysisDialog::tr("Accessible area");
    case AnalysisKind::hydrogen_bonds:
      return AnalysisDialog::tr("Hydrogen bonds");
    case AnalysisKind::rmsf:
      return AnalysisDialog::tr("RMSF of residues");
    case AnalysisKind::rdf:
      return AnalysisDialog::tr("Radial distribution");
    case AnalysisKind::distance:
      return AnalysisDialog::tr("Distance");
    case AnalysisKind::contact_map:
      return AnalysisDialog::tr("Contact map");
  }
  return {};
}

AnalysisDialog::AnalysisDialog(SceneController& controller, AnalysisKind kind, QWidget* parent)
    : QDialog(parent), controller_(controller) {
  setWindowTitle(tr("Add a plot"));
  setAccessibleName(windowTitle());
  setAttribute(Qt::WA_DeleteOnClose);
  setMinimumWidth(420);
  auto* layout = new QVBoxLayout(this);
  auto* top = new QWidget;
  top->setAccessibleName(tr("Plot settings"));
  build(form_ = make_form(top));
  layout->addWidget(top);
  layout->addStretch(1);
  plot_ = new QPushButton(tr("&Plot"));
  plot_->setToolTip(tr("Compute it and show it in the Plots panel"));
  plot_->setDefault(true);
  auto* close = new QPushButton(tr("&Cancel"));
  close->setToolTip(tr("Close without a plot"));
  close->setAutoDefault(false);
  auto* bottom = new QHBoxLayout;
  bottom->addStretch(1);
  for (QPushButton* button : {plot_, close}) {
    button->setAccessibleName(button->text().remove(QLatin1Char('&')));
    bottom->addWidget(button);
  }
  layout->addLayout(bottom);

  show_scene(controller_.scene());
  const auto* const at = std::find(std::begin(plotted), std::end(plotted), kind);
  kind_->setCurrentIndex(static_cast<int>(at - std::begin(plotted)));
  show_kind();
  connect(kind_, &QComboBox::currentIndexChanged, this, &AnalysisDialog::show_kind);
  connect(molecule_, &QComboBox::currentIndexChanged, this, &AnalysisDialog::show_kind);
  connect(fit_, &QCheckBox::toggled, fit_atoms_, &QWidget::setEnabled);
  controller_.listen(this, SceneParts::molecules | SceneParts::selections | SceneParts::frame,
                     &AnalysisDialog::show_scene);
  connect(close, &QPushButton::clicked, this, &QDialog::close);
  connect(plot_, &QPushButton::clicked, this, [this] {
    Q_EMIT asked(molecule_->currentIndex(), request());
    QDialog::close();
  });
}

void AnalysisDialog::build(QGridLayout* form) {
  form->setContentsMargins(0, 0, 0, 0);
  QStringList titles;
  for (const AnalysisKind kind : plotted) titles += analysis_title(kind);
  kind_ = make_box(tr("What"), tr("Analysis"), titles);
  molecule_ = make_box(tr("Molecule"), tr("Molecule and trajectory to analyse"), {});
  const auto edit = [](const QString& what, const QString& tip) {
    auto* made = new SelectionEdit;
    made->setAccessibleName(what);
    made->setToolTip(tip);
    return made;
  };
  atoms_ = edit(tr("Atoms"), tr("Atoms to analyse, as a selection; evaluated once, in the first frame"));
  other_ = edit(tr("Other atoms"), tr("Second group of atoms for contacts or the radial distribution"));
  fit_ = new QCheckBox(tr("&Superpose the frames by"));
  fit_->setAccessibleName(tr("Superpose the frames"));
  fit_->setToolTip(tr("Fit each frame to the reference, or to the mean, by least squares on these atoms"));
  fit_->setChecked(true);
  fit_atoms_ = edit(tr("Atoms of the fit"), tr("Atoms used to superpose the frames"));
  reference_ = new QSpinBox;
  reference_->setAccessibleName(tr("Reference frame"));
  reference_->setToolTip(tr("Reference frame, counted from 0"));
  const auto number = [](const QString& what, const QString& tip, double lower, double upper, double value) {
    auto* made = new QDoubleSpinBox;
    made->setAccessibleName(what);
    made->setToolTip(tip);
    made->setRange(lower, upper);
    made->setDecimals(2);
    made->setSingleStep(0.5);
    made->setSuffix(QStringLiteral("\u202f\u00c5"));
    made->setValue(value);
    return made;
  };
  cutoff_ = number(tr("Cutoff"), tr("Atoms closer than this are in contact; 0.5 to 50 \u00c5"), 0.5, 50, 4.5);
  maximum_ =
      number(tr("Up to"),
             tr("Largest distance, 0 to 1000 \u00c5. 0 means 15 \u00c5, or half the periodic cell if that is less"), 0,
             1000, 0);
  maximum_->setSpecialValueText(tr("Automatic"));
  width_ = number(tr("Width of bins"), tr("Width of the histogram bins, 0.01 to 5 \u00c5"), 0.01, 5, 0.1);
  width_->setSingleStep(0.05);
  between_ = new QCheckBox(tr("Only &between molecules"));
  between_->setAccessibleName(tr("Only between molecules"));
  between_->setToolTip(tr("Ignore pairs of atoms in the same molecule"));
  add_row(form, tr("&What"), kind_);
  add_row(form, tr("&Molecule"), molecule_);
  add_row(form, tr("&Atoms"), atoms_, true);
  add_row(form, tr("&Other atoms"), other_, true);
  add_row(form, QString(), fit_);
  add_row(form, tr("A&toms of the fit"), fit_atoms_, true);
  add_row(form, tr("&Reference frame"), reference_);
  add_row(form, tr("C&utoff"), cutoff_);
  add_row(form, tr("&Up to"), maximum_);
  add_row(form, tr("Width of &bins"), width_);
  add_row(form, QString(), between_);
}

AnalysisKind AnalysisDialog::kind() const {
  return plotted[static_cast<std::size_t>(
      std::clamp(kind_->currentIndex(), 0, static_cast<int>(std::size(plotted)) - 1))];
}

void AnalysisDialog::show_kind() {
  const AnalysisKind kind = this->kind();
  const bool fits = kind == AnalysisKind::rmsd || kind == AnalysisKind::rmsf;
  const bool pairs = kind == AnalysisKind::contacts || kind == AnalysisKind::rdf;
  const bool radial = kind == AnalysisKind::rdf;
  show_row(form_, other_, pairs);
  show_row(form_, fit_, fits);
  show_row(form_, fit_atoms_, fits);
  show_row(form_, reference_, kind == AnalysisKind::rmsd || kind == AnalysisKind::contacts);
  show_row(form_, cutoff_, kind == AnalysisKind::contacts);
  show_row(form_, maximum_, radial);
  show_row(form_, width_, radial);
  show_row(form_, between_, radial);
  const auto molecule = controller_.molecule(static_cast<std::size_t>(std::max(0, molecule_->currentIndex())));
  const QString usual = usual_atoms(kind, molecule.get());
  for (SelectionEdit* edit : {atoms_, other_, fit_atoms_}) edit->set_text(usual);
  show_scene(controller_.scene());
  adjustSize();
}

void AnalysisDialog::show_scene(const Scene& scene) {
  show_molecules(molecule_, scene);
  if (molecule_->currentIndex() < 0 && molecule_->count() > 0) {
    // Proposed: the first that has several frames.
    int first = 0;
    while (first + 1 < molecule_->count()) {
      const auto candidate = controller_.molecule(static_cast<std::size_t>(first));
      if (candidate && candidate->frame_count() > 1) break;
      ++first;
    }
    const auto candidate = controller_.molecule(static_cast<std::size_t>(first));
    molecule_->setCurrentIndex(candidate && candidate->frame_count() > 1 ? first : 0);
  }
  const int chosen = std::max(0, molecule_->currentIndex());
  const auto molecule = controller_.molecule(static_cast<std::size_t>(chosen));
  const SelectionNames names = names_of(scene, static_cast<std::uint32_t>(chosen));
  for (SelectionEdit* edit : {atoms_, other_, fit_atoms_}) edit->set_molecule(molecule, scene.frame, names);
  const int frames = molecule ? static_cast<int>(molecule->frame_count()) : 0;
  reference_->setRange(0, std::max(0, frames - 1));
  plot_->setEnabled(molecule && molecule->topology && frames > 0);
}

AnalysisRequest AnalysisDialog::request() const {
  AnalysisRequest request;
  request.kind = kind();
  const auto words = [](const SelectionEdit* edit) { return edit->words(); };
  request.selection = words(atoms_);
  const bool pairs = request.kind == AnalysisKind::contacts || request.kind == AnalysisKind::rdf;
  if (pairs && words(other_) != request.selection) request.other = words(other_);
  request.superpose = fit_->isChecked();
  if (words(fit_atoms_) != request.selection) request.fit = words(fit_atoms_);
  request.reference_frame = static_cast<std::size_t>(reference_->value());
  request.by_mass = request.kind == AnalysisKind::gyration;
  request.cutoff = cutoff_->value();
  request.within_molecules = !between_->isChecked();
  request.bins.maximum = maximum_->value();
  request.bin_width = width_->value();
  return request;
}

}  // namespace isolume
