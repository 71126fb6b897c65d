// The panel of normal modes: its table and its controls.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/models/labels.h"
#include "app/window/live/player.h"
#include "app/window/quantum/spectrum_view.h"
#include "app/window/quantum/table_files.h"
#include "app/window/quantum/vibrations_panel.h"
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

QDoubleSpinBox* make_number(const QString& name, const QString& tip, double low, double high, double value, double step,
                            const QString& unit, QWidget* parent) {
  auto* box = new QDoubleSpinBox(parent);
  box->setAccessibleName(name);
  box->setToolTip(tip);
  box->setRange(low, high);
  box->setDecimals(2);
  box->setSingleStep(step);
  box->setValue(value);
  box->setSuffix(unit);
  box->setKeyboardTracking(false);
  return box;
}

}  // namespace

VibrationsPanel::VibrationsPanel(SceneController& controller, Player& player, QWidget* parent)
    : QWidget(parent), controller_(controller), player_(player) {
  setAccessibleName(tr("Vibrations"));
  molecules_ = make_box(tr("Molecule"), tr("Molecule with the normal modes listed"), {});
  table_ = new QTreeWidget(this);
  table_->setAccessibleName(tr("Normal modes"));
  table_->setToolTip(tr("Click a row to mark its line; double-click it to animate the mode"));
  table_->setHeaderLabels({tr("Mode"), tr("Wavenumber (cm\u207b\u00b9)"), tr("IR (km/mol)"),
                           tr("Raman (\u00c5\u2074/Da)"), tr("Symmetry"), tr("Reduced mass (Da)")});
  table_->header()->setAccessibleName(tr("Column headers"));
  table_->setRootIsDecorated(false);
  table_->setUniformRowHeights(true);
  hint_ = make_hint({}, table_);
  note_ = new QLabel(this);
  note_->setAccessibleName(tr("Number of modes"));
  note_->setTextFormat(Qt::PlainText);
  note_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  spectrum_ =
      new SpectrumView(tr("Vibrational spectrum"), LineShape::lorentzian, 15, 1, 200, tr("cm\u207b\u00b9"), this);
  quantity_ = make_box(tr("Spectrum"), tr("Infrared absorption or Raman activity"), {tr("Infrared"), tr("Raman")});
  quantity_->setMinimumContentsLength(SpectrumView::narrow_box);
  spectrum_->head()->insertWidget(0, quantity_);

  auto* left = new QVBoxLayout;
  left->setSpacing(6);
  left->addWidget(molecules_);
  left->addWidget(table_, 1);
  left->addWidget(build_controls());
  auto* foot = new QHBoxLayout;
  foot->addWidget(note_, 1);
  foot->addWidget(open_);
  left->addLayout(foot);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 6);
  layout->addLayout(left, 1);
  layout->addWidget(spectrum_, 1);

  connect(molecules_, &QComboBox::activated, this, [this] { show_scene(controller_.scene()); });
  connect(quantity_, &QComboBox::activated, this, &VibrationsPanel::show_spectrum);
  connect(table_, &QTreeWidget::currentItemChanged, this, [this] {
    if (filling_) return;
    spectrum_->mark(row());
    // A mode that is shown gives way to the one that is selected.
    if (row() >= 0 && wanted_mode() > 0 && wanted_mode() != row() + 1)
      show_mode({row() + 1, arrows_->isChecked(), player_.playing()});
  });
  connect(table_, &QTreeWidget::itemActivated, this, [this] {
    if (row() >= 0) show_mode({row() + 1, arrows_->isChecked(), true});
  });
  connect(spectrum_, &SpectrumView::line_clicked, this,
          [this](int line) { table_->setCurrentItem(table_->topLevelItem(line)); });
  connect(&player_, &Player::playing_changed, this, [this] {
    if (isVisible()) show_controls();
  });
  controller_.listen(this, SceneParts::molecules | SceneParts::representations,
                     &VibrationsPanel::show_scene_if_visible);
  take({});
}

QWidget* VibrationsPanel::build_controls() {
  auto* controls = new QWidget(this);
  controls->setAccessibleName(tr("How the mode is shown"));
  animate_ =
      make_button(tr("Animate"), tr("Animate mode"),
                  tr("Play the selected mode: one period as frames, which movies and exports have too"), controls);
  animate_->setCheckable(true);
  rest_ = make_button(tr("Rest"), tr("Rest positions"), tr("Show the rest positions of the file again"), controls);
  arrows_ = new QCheckBox(tr("Arrows"), controls);
  arrows_->setAccessibleName(tr("Arrows of the mode"));
  arrows_->setToolTip(tr("Show atom velocities in the current frame; they are largest in the first frame"));
  amplitude_ = make_number(tr("Amplitude"), tr("Displacement of the atom that moves most"), 0.02, 3, 0.3, 0.05,
                           tr(" \u00c5"), controls);
  speed_ = make_number(tr("Periods per second"), tr("Periods per second of the animation"), 0.05, 5, 1, 0.1,
                       tr(" periods/s"), controls);
  open_ =
      make_button(tr("Open..."), tr("Open modes"), tr("Read the modes of this molecule from another file"), controls);
  export_ =
      make_button(tr("Export"), tr("Export modes"), tr("Export the table or the broadened spectrum as CSV"), controls);
  export_->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(export_);
  menu->setAccessibleName(tr("Data to export"));
  connect(menu->addAction(tr("Table of modes...")), &QAction::triggered, this, [this] { ask_export(false); });
  connect(menu->addAction(tr("Spectrum...")), &QAction::triggered, this, [this] { ask_export(true); });
  export_->setMenu(menu);
  amplitude_->setPrefix(tr("Amplitude "));
  auto* rows = new QVBoxLayout(controls);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(4);
  auto* first = new QHBoxLayout;
  auto* second = new QHBoxLayout;
  rows->addLayout(first);
  rows->addLayout(second);
  for (QWidget* widget :
       {static_cast<QWidget*>(animate_), static_cast<QWidget*>(rest_), static_cast<QWidget*>(arrows_)})
    first->addWidget(widget);
  first->addStretch(1);
  first->addWidget(export_);
  second->addWidget(amplitude_);
  second->addWidget(speed_);
  second->addStretch(1);

  connect(animate_, &QToolButton::clicked, this, [this](bool on) {
    if (!on) return player_.pause();
    if (row_of_animation() > 0) show_mode({row_of_animation(), arrows_->isChecked(), true});
  });
  connect(rest_, &QToolButton::clicked, this, [this] { show_mode({}); });
  connect(arrows_, &QCheckBox::clicked, this, [this](bool on) {
    if (row_of_animation() > 0) show_mode({row_of_animation(), on, player_.playing()});
  });
  connect(amplitude_, &QDoubleSpinBox::valueChanged, this, [this] {
    if (!filling_ && wanted_mode() > 0) show_mode({wanted_mode(), arrows_->isChecked(), player_.playing()});
  });
  connect(speed_, &QDoubleSpinBox::valueChanged, this, &VibrationsPanel::set_speed);
  connect(open_, &QToolButton::clicked, this, &VibrationsPanel::ask_modes);
  return controls;
}

int VibrationsPanel::row_of_animation() {
  if (row() < 0 && table_->topLevelItemCount() > 0) table_->setCurrentItem(table_->topLevelItem(0));
  return row() + 1;
}

void VibrationsPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  show_scene(controller_.scene());
}

void VibrationsPanel::ask_modes() {
  ask_file(this, tr("Open modes"), tr("Files with normal modes"), [this](const QString& path) { open_modes(path); });
}

void VibrationsPanel::ask_export(bool spectrum) {
  const QString stem =
      stem_of(controller_.scene()) + (spectrum ? QStringLiteral("-spectrum") : QStringLiteral("-modes"));
  ask_table(this, spectrum ? tr("Export spectrum") : tr("Export modes"), stem, [this, spectrum](const QString& path) {
    try {
      spectrum ? write_spectrum(path) : write_table(path);
      Q_EMIT written(path);
    } catch (const Error& error) {
      Q_EMIT failed(to_qt(error.what()));
    }
  });
}

}  // namespace isolume
