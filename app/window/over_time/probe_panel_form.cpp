// The panel of probes: its list, its bars, its plot and its form.
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QShortcut>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/models/labels.h"
#include "app/window/over_time/probe_panel.h"
#include "app/window/over_time/share_bars.h"
#include "app/window/panels/potential_choices.h"
#include "app/window/widgets/flow_layout.h"
#include "app/window/widgets/icons.h"
#include "app/window/widgets/menu_entry.h"
#include "app/window/widgets/method_titles.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/plot.h"

namespace isolume {
namespace {

QToolButton* make_button(const QString& text, const QString& name, const QString& tip, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setText(text);
  button->setAccessibleName(name);
  button->setToolTip(tip);
  button->setFocusPolicy(Qt::TabFocus);  // a click leaves the keys with the picture
  return button;
}

}  // namespace

void ProbePanel::build() {
  list_ = new QTreeWidget(this);
  list_->setAccessibleName(tr("Probes of the scene"));
  list_->setToolTip(tr("Potential and field at each probe in the frame that is shown. The check box shows its mark"));
  list_->setHeaderLabels(
      {tr("Probe"), tr("Place"), tr("Potential"), tr("Field"), tr("Along bond"), tr("Gradient"), tr("x, y, z")});
  list_->headerItem()->setToolTip(3, tr("Strength of the field"));
  list_->headerItem()->setToolTip(4, tr("Field from the first atom of the bond to the second"));
  list_->headerItem()->setToolTip(5, tr("Gradient of the field: its principal value of the largest magnitude. The tool "
                                        "tip of a value has all nine numbers"));
  list_->header()->setAccessibleName(tr("Column headers"));
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->header()->setStretchLastSection(true);
  for (const int column : {0, 1, 2, 3, 4, 5, 6})
    list_->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
  list_->setMinimumWidth(190);  // the buttons below it in two lines
  hint_ = make_hint(tr("No probes. Press 6, then click an atom, a bond or a surface"), list_);
  figures_ = new QLabel(this);
  figures_->setAccessibleName(tr("How the values were computed"));
  figures_->setTextFormat(Qt::PlainText);
  figures_->setWordWrap(true);
  figures_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  bars_ = new ShareBars(tr("Contributions to the potential"), this);
  bars_->setToolTip(
      tr("What each residue or chain adds to the potential at the selected probe, the largest first. "
         "Click one to select and centre it"));
  plot_ = new Plot(tr("Probes over the frames"), this);
  plot_->setToolTip(tr("Values over the frames. Click to go to a frame, or a curve to select its probe, too"));
  tool_->setPopupMode(QToolButton::DelayedPopup);
  remove_ = make_button({}, tr("Remove probe"), tr("Remove the selected probe (Del)"), this);
  remove_->setIcon(icon(QStringLiteral("remove")));
  auto* del = new QShortcut(QKeySequence::Delete, list_, nullptr, nullptr, Qt::WidgetShortcut);
  connect(del, &QShortcut::activated, remove_, &QToolButton::click);
  colour_ = make_button(tr("Colour structure"), tr("Colour the structure by contributions"),
                        tr("Colour the representations of the molecule by what each residue or chain adds at the "
                           "selected probe, in every frame"),
                        this);
  frames_ = make_button(tr("Over frames"), tr("Compute over the frames"), tr("Go over all frames; Esc stops it"), this);
  export_ = make_button(tr("Export..."), tr("Export probes"),
                        tr("Write all frames as CSV: a line for each frame, probe and residue or chain"), this);
  add_menu_entry(*bars_, *export_);
  auto* buttons = new FlowLayout;
  for (QToolButton* button : {tool_, remove_, colour_, frames_, export_}) buttons->addWidget(button);
  auto* left = new QVBoxLayout;
  left->setSpacing(6);
  left->addWidget(list_, 1);
  left->addLayout(buttons);
  left->addWidget(figures_);
  plot_->setMinimumSize(170, 120);
  tabs_ = new QTabWidget(this);
  tabs_->setAccessibleName(tr("Plot and options of probes"));
  tabs_->setToolTip(tr("The values over the frames, and how they are computed"));
  tabs_->setDocumentMode(true);
  tabs_->addTab(plot_, tr("Frames"));
  tabs_->addTab(build_form(), tr("Options"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 6);
  layout->setSpacing(10);
  layout->addLayout(left, 4);
  layout->addWidget(bars_, 3);
  layout->addWidget(tabs_, 4);
}

QWidget* ProbePanel::build_form() {
  auto* owner = new QWidget(this);
  owner->setAccessibleName(tr("Options of probes"));
  form_ = make_form(owner);
  form_->setContentsMargins(8, 8, 8, 8);
  method_ = make_box(tr("Method"),
                     tr("Method that computes the potential at the probes. Automatic is the direct sum, of a periodic "
                        "cell multilevel summation"),
                     method_titles());
  by_ = make_box(tr("Contributions"), tr("Whose contributions are told apart. Waters count together, and ions by name"),
                 {tr("By residue"), tr("By chain"), tr("All together")});
  unit_ = make_box(tr("Unit"), tr("Unit of the potential; fields are in it per angstrom"),
                   {tr("V"), tr("kT/e"), tr("kcal/mol/e")});
  quantity_ = make_box(tr("Plot"), tr("What is plotted over the frames"),
                       {tr("Potential"), tr("Field strength"), tr("Field along bond"), tr("Field gradient")});
  dielectric_ = make_number(tr("Dielectric constant"),
                            tr("1 for vacuum, 2 to 4 for a protein interior, 78.5 for water"), 1, 1e4, 2, {});
  cutoff_ =
      make_number(tr("Cutoff"), tr("Ignore charges farther away than this"), 1, 1000, 1, QStringLiteral("\u00c5"));
  thresholds_ = make_box(tr("Thresholds"),
                         tr("Distances beyond which residues and chains are replaced by their approximate charges"),
                         threshold_texts());
  charges_each_ = make_box(tr("Charges per group"),
                           tr("One charge keeps the net charge of a group, two also keep its dipole moment"),
                           {tr("One charge"), tr("Two charges")});
  ionic_strength_ = make_number(tr("Ionic strength"), tr("Ionic strength of the solvent"), 0, 100, 3, tr("mol/l"));
  solute_ = make_number(tr("Solute dielectric"), tr("Relative permittivity inside the molecule"), 1, 1e3, 2, {});
  periodic_ = new QCheckBox(tr("Periodic"));
  periodic_->setAccessibleName(tr("Periodic"));
  periodic_->setToolTip(tr("Sum over all images of the cell"));
  add_row(form_, tr("Method"), method_);
  add_row(form_, tr("Dielectric"), dielectric_);
  add_row(form_, tr("Cutoff"), cutoff_);
  add_row(form_, tr("Thresholds"), thresholds_);
  add_row(form_, tr("Charges per group"), charges_each_);
  add_row(form_, tr("Solute"), solute_);
  add_row(form_, tr("Ions"), ionic_strength_);
  add_row(form_, QString(), periodic_);
  add_row(form_, tr("Shares"), by_);
  add_row(form_, tr("Unit"), unit_);
  add_row(form_, tr("Plot"), quantity_);
  form_->setRowStretch(form_->rowCount(), 1);
  return scroll_form(this, owner);
}

void ProbePanel::connect_form() {
  connect(method_, &QComboBox::activated, this, [this](int index) {
    set(tr("Change method of probes"),
        [index](ProbeSettings& s) { s.potential.method = static_cast<PotentialMethod>(index); });
  });
  connect(by_, &QComboBox::activated, this, [this](int index) {
    set(tr("Change contributions of probes"), [index](ProbeSettings& s) { s.by = static_cast<ShareBy>(index); });
  });
  connect(unit_, &QComboBox::activated, this, [this](int index) {
    set(tr("Change unit of probes"),
        [index](ProbeSettings& s) { s.potential.unit = static_cast<PotentialSettings::Unit>(index); });
  });
  connect(thresholds_, &QComboBox::activated, this, [this](int index) {
    if (index >= static_cast<int>(std::size(thresholds))) return;
    set(tr("Change thresholds of probes"),
        [index](ProbeSettings& s) { s.potential.hcp_thresholds = thresholds[index]; });
  });
  connect(charges_each_, &QComboBox::activated, this, [this](int index) {
    set(tr("Change charges per group of probes"), [index](ProbeSettings& s) { s.potential.hcp_charges = index + 1; });
  });
  const auto number = [this](QDoubleSpinBox* box, double PotentialSettings::*member, const QString& what) {
    connect(box, &QDoubleSpinBox::valueChanged, this,
            [this, member, what](double value) { set(what, [=](ProbeSettings& s) { s.potential.*member = value; }); });
  };
  number(dielectric_, &PotentialSettings::dielectric, tr("Change dielectric of probes"));
  number(cutoff_, &PotentialSettings::cutoff, tr("Change cutoff of probes"));
  number(ionic_strength_, &PotentialSettings::ionic_strength, tr("Change ions of probes"));
  number(solute_, &PotentialSettings::solute_dielectric, tr("Change dielectric of probes"));
  connect(periodic_, &QCheckBox::clicked, this, [this](bool on) {
    set(tr("Change periodicity of probes"), [on](ProbeSettings& s) { s.potential.periodic = on; });
  });
  connect(quantity_, &QComboBox::activated, this, [this] {
    show_plot();
    show_figures();
  });
}

void ProbePanel::show_form(const Scene& scene) {
  using Method = PotentialMethod;
  const PotentialSettings& s = scene.probing.potential;
  const auto show_number = [](QDoubleSpinBox* box, double value) {
    const QSignalBlocker quiet(box);
    if (!box->hasFocus()) box->setValue(value);
  };
  method_->setCurrentIndex(static_cast<int>(s.method));
  by_->setCurrentIndex(static_cast<int>(scene.probing.by));
  unit_->setCurrentIndex(static_cast<int>(s.unit));
  show_number(dielectric_, s.dielectric);
  show_number(cutoff_, s.cutoff);
  show_thresholds(*thresholds_, s.hcp_thresholds);
  charges_each_->setCurrentIndex(s.hcp_charges - 1);
  show_number(ionic_strength_, s.ionic_strength);
  show_number(solute_, s.solute_dielectric);
  periodic_->setChecked(s.periodic);
  const bool screened = s.method == Method::debye_hueckel || s.method == Method::pb;
  show_row(form_, dielectric_, !screened);
  show_row(form_, cutoff_, s.method == Method::cutoff);
  show_row(form_, thresholds_, s.method == Method::hcp);
  show_row(form_, charges_each_, s.method == Method::hcp);
  show_row(form_, ionic_strength_, screened);
  show_row(form_, solute_, s.method == Method::pb);
  show_row(form_, periodic_, s.method == Method::automatic || s.method == Method::msm);
}

}  // namespace isolume
