// The panel of excited states: its table and its controls.
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/models/labels.h"
#include "app/window/quantum/spectrum_view.h"
#include "app/window/quantum/states_panel.h"
#include "app/window/quantum/table_files.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/save_dialog.h"
#include "molecule/base/error.h"

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

StatesPanel::StatesPanel(SceneController& controller, QWidget* parent) : QWidget(parent), controller_(controller) {
  setAccessibleName(tr("Excited states"));
  table_ = new QTreeWidget(this);
  table_->setAccessibleName(tr("Excited states in the file"));
  table_->setToolTip(tr("Click a row to mark its line; double-click it to show its natural transition orbitals"));
  show_headings();
  table_->header()->setSectionResizeMode(4, QHeaderView::Stretch);  // long ones are in the tip
  table_->header()->setAccessibleName(tr("Column headers"));
  table_->setRootIsDecorated(false);
  table_->setUniformRowHeights(true);
  hint_ = make_hint({}, table_);
  note_ = new QLabel(this);
  note_->setAccessibleName(tr("Which states and orbitals are shown"));
  note_->setTextFormat(Qt::PlainText);
  note_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  spectrum_ = new SpectrumView(tr("Absorption spectrum"), LineShape::gaussian, 0.3, 0.02, 2, tr("eV"), this);
  axis_ = make_box(tr("Axis"), tr("Energies or wavelengths"), {tr("Energy"), tr("Wavelength")});
  axis_->setMinimumContentsLength(SpectrumView::narrow_box);
  spectrum_->head()->insertWidget(0, axis_);
  auto* left = new QVBoxLayout;
  left->setSpacing(6);
  left->addWidget(table_, 1);
  left->addWidget(build_controls());
  left->addWidget(fragments_);
  auto* foot = new QHBoxLayout;
  foot->addWidget(note_, 1);
  foot->addWidget(open_);
  left->addLayout(foot);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 6);
  layout->addLayout(left, 3);
  layout->addWidget(spectrum_, 2);

  connect(axis_, &QComboBox::activated, this, &StatesPanel::show_spectrum);
  connect(table_, &QTreeWidget::currentItemChanged, this, [this] {
    spectrum_->mark(row());
    show_controls();
  });
  connect(table_, &QTreeWidget::itemActivated, this, [this] {
    if (row() >= 0) show_pair(row() + 1, pair_->value());
  });
  connect(spectrum_, &SpectrumView::line_clicked, this,
          [this](int line) { table_->setCurrentItem(table_->topLevelItem(line)); });
  controller_.listen(this, SceneParts::molecules, &StatesPanel::show_scene);
  take({});
}

QWidget* StatesPanel::build_controls() {
  auto* controls = new QWidget(this);
  controls->setAccessibleName(tr("Density of the state to show"));
  open_ = make_button(tr("Open..."), tr("Open amplitudes"),
                      tr("Read excited states (amplitudes between the loaded orbitals) from a file"), controls);
  show_ = make_button(tr("Show orbitals"), tr("Show natural transition orbitals"),
                      tr("Show hole and particle of the selected state as orbitals"), controls);
  pair_ = new QSpinBox(controls);
  pair_->setAccessibleName(tr("Pair"));
  pair_->setToolTip(tr("Which pair of natural transition orbitals; the first has the largest weight"));
  pair_->setRange(1, 99);
  pair_->setPrefix(tr("Pair "));
  pair_->setKeyboardTracking(false);
  fragments_ = new QLineEdit(this);
  fragments_->setAccessibleName(tr("Fragments"));
  fragments_->setPlaceholderText(tr("Fragments"));
  fragments_->setToolTip(
      tr("Selections between semicolons (index 0 to 3; index 4 to 9): adds how much of each state goes from one to the "
         "other. Atoms of none are one more"));
  export_ =
      make_button(tr("Export"), tr("Export states"), tr("Export the table or the broadened spectrum as CSV"), controls);
  export_->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(export_);
  menu->setAccessibleName(tr("Data to export"));
  connect(menu->addAction(tr("Table of states...")), &QAction::triggered, this, [this] { ask_export(false); });
  connect(menu->addAction(tr("Spectrum...")), &QAction::triggered, this, [this] { ask_export(true); });
  export_->setMenu(menu);
  auto* row = new QHBoxLayout(controls);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(show_);
  row->addWidget(pair_);
  row->addStretch(1);
  row->addWidget(export_);
  connect(open_, &QToolButton::clicked, this, &StatesPanel::ask_amplitudes);
  connect(fragments_, &QLineEdit::editingFinished, this, [this] {
    if (fragments_->isModified()) read();
    fragments_->setModified(false);
  });
  connect(show_, &QToolButton::clicked, this, [this] {
    if (this->row() >= 0) show_pair(this->row() + 1, pair_->value());
  });
  return controls;
}

void StatesPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  show_controls();
}

void StatesPanel::ask_amplitudes() {
  ask_file(this, tr("Open amplitudes"), tr("Amplitudes of excited states"),
           [this](const QString& path) { open_amplitudes(path); });
}

void StatesPanel::ask_export(bool spectrum) {
  const QString stem =
      stem_of(controller_.scene()) + (spectrum ? QStringLiteral("-spectrum") : QStringLiteral("-states"));
  ask_table(this, spectrum ? tr("Export spectrum") : tr("Export states"), stem, [this, spectrum](const QString& path) {
    try {
      spectrum ? write_spectrum(path) : write_table(path);
      Q_EMIT written(path);
    } catch (const Error& error) {
      Q_EMIT failed(to_qt(error.what()));
    }
  });
}

}  // namespace isolume
