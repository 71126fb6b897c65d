// The row of controls above the plot.
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/window/dialogs/analysis_dialog.h"
#include "app/window/panels/plots_panel.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/plot.h"

namespace isolume {

void PlotsPanel::build() {
  kinds_ = make_box(tr("Shown"), tr("Plotted values"), {});
  kinds_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  const auto button = [this](const QString& text, const QString& tip) {
    auto* made = new QToolButton(this);
    made->setText(text);
    made->setAccessibleName(text);
    made->setToolTip(tip);
    made->setFocusPolicy(Qt::StrongFocus);
    return made;
  };
  add_ = button(tr("Add") + QStringLiteral("\u00a0\u00a0"),
                tr("Compute RMSD, RMSF, gyration, contacts, radial distributions ... and plot them"));
  add_->setAccessibleName(tr("Add a plot"));
  add_->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(add_);
  menu->setAccessibleName(tr("Plots to add"));
  const std::pair<AnalysisKind, const char*> kinds[] = {{AnalysisKind::rmsd, "plot_rmsd"},
                                                        {AnalysisKind::rmsf, "plot_rmsf"},
                                                        {AnalysisKind::gyration, "plot_gyration"},
                                                        {AnalysisKind::contacts, "plot_contacts"},
                                                        {AnalysisKind::hydrogen_bonds, "plot_hydrogen_bonds"},
                                                        {AnalysisKind::area, "plot_area"},
                                                        {AnalysisKind::dipole, "plot_dipole"},
                                                        {AnalysisKind::rdf, "plot_rdf"}};
  for (const auto& [kind, name] : kinds) {
    QAction* action = menu->addAction(analysis_title(kind) + QStringLiteral("..."));
    action->setObjectName(QLatin1String(name));
    action->setToolTip(tr("Compute it of the frames and plot it"));
    action->setProperty("words", tr("plot analysis over time trajectory frames"));
    connect(action, &QAction::triggered, this, [this, kind = kind] { ask_analysis(kind); });
    plots_ += action;
  }
  menu->addSeparator();
  QAction* energies = menu->addAction(tr("Energies of a run..."), this, &PlotsPanel::ask_energies);
  energies->setToolTip(tr("Energies that GROMACS (.edr), AMBER (mdout) or NAMD (log) wrote, by time"));
  energies->setObjectName(QStringLiteral("plot_energies"));
  plots_ += energies;
  add_->setMenu(menu);
  preview_ = new QCheckBox(tr("Preview"), this);
  preview_->setAccessibleName(preview_->text());
  preview_->setToolTip(tr("Preview the frame under the pointer; leaving the plot returns to the current frame"));
  preview_->setChecked(true);
  all_frames_ = button(tr("All frames"), tr("Clear the frame range and play all frames (Delete)"));
  all_frames_->setVisible(false);
  connect(all_frames_, &QToolButton::clicked, this, &PlotsPanel::range_cleared);
  reading_ = new QLabel(this);
  reading_->setAccessibleName(tr("Value under the pointer"));
  reading_->setToolTip(tr("Value under the pointer, or in the current frame"));
  reading_->setTextFormat(Qt::PlainText);
  reading_->setMinimumWidth(40);
  reading_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  drawing_ = button(tr("Export plot..."), tr("Export the plot as a vector drawing, SVG or PDF"));
  csv_ = button(tr("Export CSV..."), tr("Export the values, one line per frame, residue or distance"));
  empty_ = button(tr("Clear"), tr("Remove all curves; the measurements stay"));
  auto* head = new QHBoxLayout;
  head->addWidget(add_);
  head->addWidget(kinds_);
  head->addWidget(reading_, 1);
  head->addWidget(all_frames_);
  head->addWidget(preview_);
  for (QToolButton* made : {drawing_, csv_, empty_}) head->addWidget(made);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 6, 10, 8);
  layout->setSpacing(6);
  layout->addLayout(head);
  layout->addWidget(plot_, 1);
}

}  // namespace isolume
