// The panel of a running simulation.
#include "app/window/over_time/stream_panel.h"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/models/labels.h"
#include "app/window/widgets/flow_layout.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/save_dialog.h"

namespace isolume {
namespace {

using Phase = StreamFollower::Phase;

/// What the simulation says of itself.
QString figures_of(const StreamFollower::State& state) {
  const QLocale locale;
  QStringList lines;
  const auto count = [&locale](auto number) { return locale.toString(static_cast<qlonglong>(number)); };
  if (state.received > 0) {
    QString frames = StreamPanel::tr("%1 frames").arg(count(state.received));
    if (state.step) frames += StreamPanel::tr(", step %1").arg(count(*state.step));
    if (state.time) frames += StreamPanel::tr(", %1 ps").arg(*state.time, 0, 'f', 2);
    lines += frames;
    if (state.every > 1)
      lines += StreamPanel::tr("%1 are kept, one of %2").arg(count(state.kept)).arg(count(state.every));
  }
  if (!state.file.empty())
    lines += StreamPanel::tr("Recorded in %1: %2 frames")
                 .arg(QFileInfo(to_qt(state.file)).fileName())
                 .arg(count(state.recorded));
  if (!state.recording_message.empty())
    lines += StreamPanel::tr("Recording ended: %1").arg(to_qt(state.recording_message));
  if (state.energies) {
    const auto& e = *state.energies;
    // Only version 3 fixes the unit.
    const QString unit = state.session && state.session->version == 3 ? QStringLiteral(" kJ/mol") : QString();
    QStringList words;
    if (std::isfinite(e.temperature)) words += StreamPanel::tr("%1 K").arg(double(e.temperature), 0, 'f', 1);
    if (std::isfinite(e.potential))
      words += StreamPanel::tr("potential energy %1%2").arg(double(e.potential), 0, 'g', 7).arg(unit);
    if (std::isfinite(e.total)) words += StreamPanel::tr("total %1%2").arg(double(e.total), 0, 'g', 7).arg(unit);
    lines += words.join(QStringLiteral(", "));
  }
  return lines.join(QLatin1Char('\n'));
}

QString words_of(const StreamFollower::State& state) {
  switch (state.phase) {
    case Phase::connecting:
      return StreamPanel::tr("Connecting");
    case Phase::receiving: {
      if (state.paused) return StreamPanel::tr("Paused");
      const QString version =
          state.session ? StreamPanel::tr("Connected, IMD version %1").arg(state.session->version) : QString();
      if (state.since_last < 3) return version;
      return StreamPanel::tr("%1; nothing came for %2 s").arg(version).arg(state.since_last, 0, 'f', 0);
    }
    default:
      return state.message.empty() ? StreamPanel::tr("Not connected") : to_qt(state.message);
  }
}

}  // namespace

StreamPanel::StreamPanel(SceneController& controller, QWidget* parent)
    : QWidget(parent), controller_(controller), stream_(controller) {
  setAccessibleName(tr("Running simulation"));
  build();
  connect(&stream_, &StreamFollow::changed, this, &StreamPanel::show_state);
  connect(connect_, &QPushButton::clicked, this,
          [this] { stream_.active() ? stream_.end() : stream_.follow(address_->text(), molecule_->currentIndex()); });
  connect(address_, &QLineEdit::returnPressed, this, [this] {
    if (!stream_.active()) stream_.follow(address_->text(), molecule_->currentIndex());
  });
  connect(pause_, &QPushButton::clicked, this, [this] { stream_.set_paused(!stream_.state().paused); });
  connect(record_, &QPushButton::clicked, this,
          [this] { stream_.state().file.empty() ? ask_file() : stream_.stop_recording(); });
  controller_.listen(this, SceneParts::molecules, &StreamPanel::show_scene);
  show_scene(controller_.scene());
  show_state();
}

void StreamPanel::build() {
  // Next to each other: the panel is low, and what the simulation says is to be seen.
  auto* line = new QHBoxLayout;
  line->setSpacing(12);
  const auto form = [this, line](const QString& name, int stretch) {
    auto* owner = new QWidget(this);
    owner->setAccessibleName(name);
    QGridLayout* rows = make_form(owner);
    rows->setContentsMargins(0, 0, 0, 0);
    line->addWidget(owner, stretch);
    return rows;
  };
  address_ = new QLineEdit(QStringLiteral("imd://localhost:8888"), this);
  address_->setAccessibleName(tr("Address"));
  address_->setToolTip(
      tr("Where the simulation waits: imd://HOST:PORT. GROMACS, NAMD and LAMMPS print the port (IMD version 2 or 3)"));
  add_row(form(tr("Connection"), 3), tr("Address"), address_);
  molecule_ = make_box(tr("Molecule"), tr("Molecule of the scene with the atoms that the simulation sends"), {});
  molecule_->setMinimumContentsLength(8);
  molecule_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  add_row(form(tr("Structure"), 2), tr("Molecule"), molecule_);
  const auto button = [this](const QString& tip) {
    auto* made = new QPushButton(this);
    made->setToolTip(tip);
    made->setAutoDefault(false);
    return made;
  };
  connect_ = button(tr("Follow the simulation, or end the connection; the frames that have come stay"));
  pause_ = button(tr("Let the simulation itself wait, or go on"));
  record_ = button(tr("Write every frame from now on to a file: DCD is whole at any time, XTC when recording ends"));
  auto* buttons = new FlowLayout;
  for (QPushButton* each : {connect_, pause_, record_}) buttons->addWidget(each);
  const auto label = [this](const QString& name) {
    auto* made = new QLabel(this);
    made->setAccessibleName(name);
    made->setTextFormat(Qt::PlainText);
    made->setWordWrap(true);
    made->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return made;
  };
  state_ = label(tr("State of the connection"));
  figures_ = label(tr("Frames and energies of the simulation"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 6);
  layout->addLayout(line);
  layout->addLayout(buttons);
  layout->addWidget(state_);
  layout->addWidget(figures_);
  layout->addStretch(1);
}

void StreamPanel::follow(const QString& address, int molecule) {
  address_->setText(address);
  molecule_->setCurrentIndex(molecule);
  stream_.follow(address, molecule);
}

void StreamPanel::follow_awaited() {
  const QString address = std::exchange(awaited_, {});
  if (address.isEmpty()) return;
  Q_EMIT asked();
  follow(address, static_cast<int>(controller_.scene().molecules.size()) - 1);
}

void StreamPanel::show_scene(const Scene& scene) {
  show_molecules(molecule_, scene);
  show_state();
}

void StreamPanel::show_state() {
  const StreamFollower::State state = stream_.state();
  const bool active = stream_.active(), receives = active && state.phase == Phase::receiving;
  connect_->setText(active ? tr("Disconnect") : tr("Connect"));
  connect_->setEnabled(active || molecule_->count() > 0);
  pause_->setText(state.paused ? tr("Resume") : tr("Pause"));
  pause_->setEnabled(receives);
  record_->setText(state.file.empty() ? tr("Record...") : tr("Stop recording"));
  record_->setEnabled(receives || !state.file.empty());
  address_->setEnabled(!active);
  molecule_->setEnabled(!active);
  state_->setText(molecule_->count() > 0 ? words_of(state)
                                         : tr("Open the structure of the simulation first (PDB, GRO, PSF, ...)"));
  figures_->setText(figures_of(state));
}

void StreamPanel::ask_file() {
  ask_where_to_save(this,
                    {tr("Record the simulation"), tr("DCD (*.dcd);;XTC (*.xtc);;XYZ (*.xyz)"), QStringLiteral("dcd"),
                     stem_of(controller_.scene()) + QStringLiteral("-run"), last_save_folder()},
                    [this](const QString& path) { stream_.record(path); });
}

}  // namespace isolume
