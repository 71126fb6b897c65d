// The panel of probes: potential and field where the user clicked, and what each residue adds, in every frame.
#include "app/window/over_time/probe_panel.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/documents/table_charges.h"
#include "app/documents/titles.h"
#include "app/fields/legend.h"
#include "app/models/labels.h"
#include "app/scene/scene_commands.h"
#include "app/window/over_time/probe_tool.h"
#include "app/window/over_time/share_bars.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/plot.h"
#include "app/window/widgets/save_dialog.h"
#include "molecule/base/error.h"
#include "molecule/frames.h"

namespace isolume {
namespace {

QIcon patch(int probe) {
  QPixmap picture(12, 12);
  picture.fill(plot_colour(probe));
  return QIcon(picture);
}

std::vector<QString> to_names(const ShareGroups& groups) {
  std::vector<QString> names;
  for (const std::string& name : groups.names) names.push_back(to_qt(name));
  return names;
}

/// What gives charges to a molecule of probes that has none, where the built-in tables have some for it; else empty.
QString advice_on_charges(const SceneController& controller) {
  const Scene& scene = controller.scene();
  for (const FieldProbe& probe : scene.probes) {
    const auto molecule = controller.molecule(probe.molecule);
    if (molecule && molecule->topology && !molecule->topology->has_charges && takes_tables(*molecule))
      return ProbePanel::tr(
                 "%1 has no partial charges. Add: Electrostatic potential (Ctrl+E) adds hydrogens and "
                 "charges; the probes stay.")
          .arg(to_qt(file_title(scene.molecules[probe.molecule].paths)));
  }
  return {};
}

}  // namespace

ProbePanel::ProbePanel(SceneController& controller, QAction* tool, QWidget* parent)
    : QWidget(parent),
      controller_(controller),
      tool_(new QToolButton(this)),
      over_frames_(new ProbeFrames(controller, this)) {
  setAccessibleName(tr("Probes"));
  tool_->setDefaultAction(tool);
  tool_->setToolButtonStyle(Qt::ToolButtonTextOnly);
  tool_->setFocusPolicy(Qt::TabFocus);
  tool_->setAccessibleName(tr("Probe"));
  build();
  connect_form();
  connect(list_, &QTreeWidget::currentItemChanged, this, [this] {
    bars_->set_chosen(std::nullopt);
    show_bars();
    show_plot();
    show_figures();
    show_controls();
  });
  connect(list_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int column) {
    const auto row = static_cast<std::size_t>(list_->indexOfTopLevelItem(item));
    const bool visible = item->checkState(0) == Qt::Checked;
    if (column != 0 || row >= controller_.scene().probes.size() || controller_.scene().probes[row].visible == visible)
      return;
    controller_.edit(visible ? tr("Show probe") : tr("Hide probe"),
                     [&](Scene& scene) { scene.probes[row].visible = visible; });
  });
  connect(bars_, &ShareBars::group_clicked, this, &ProbePanel::choose_group);
  connect(remove_, &QToolButton::clicked, this, &ProbePanel::remove_current);
  connect(colour_, &QToolButton::clicked, this, &ProbePanel::colour_structure);
  connect(frames_, &QToolButton::clicked, this, &ProbePanel::compute);
  connect(over_frames_, &ProbeFrames::changed, this, [this] {
    show_plot();
    show_figures();
    show_controls();
  });
  connect(over_frames_, &ProbeFrames::failed, this, &ProbePanel::failed);
  connect(over_frames_, &ProbeFrames::progress, this, &ProbePanel::progress);
  connect(over_frames_, &ProbeFrames::written, this, &ProbePanel::written);
  connect(export_, &QToolButton::clicked, this, &ProbePanel::ask_export);
  const auto go = [this](double x) {
    const auto count = static_cast<double>(controller_.frame_count());
    if (count < 1) return;
    const auto frame = static_cast<std::size_t>(std::clamp(std::round(x), 0.0, count - 1));
    controller_.touch([frame](Scene& scene) { scene.frame = frame; });
  };
  connect(plot_, &Plot::x_clicked, this, go);
  connect(plot_, &Plot::curve_clicked, this, [this, go](int curve, double x) {
    if (const int probe = over_frames_->probe_of(curve); probe >= 0) choose(probe);
    go(x);
  });
  connect(&controller_, &SceneController::picked_changed, this, &ProbePanel::show_picked);
  controller_.listen(this, SceneParts::molecules | SceneParts::measurements | SceneParts::frame,
                     &ProbePanel::show_scene);
  show_scene(controller_.scene());
}

ProbePanel::~ProbePanel() {
  if (now_job_) now_job_->cancel();
}

void ProbePanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

int ProbePanel::current() const {
  return list_->indexOfTopLevelItem(list_->currentItem());
}

void ProbePanel::choose(int probe) {
  list_->setCurrentItem(list_->topLevelItem(probe));
}

void ProbePanel::show_scene(const Scene& scene) {
  show_form(scene);
  {
    const QSignalBlocker quiet(list_);
    const auto count = static_cast<int>(scene.probes.size());
    while (list_->topLevelItemCount() > count) delete list_->takeTopLevelItem(list_->topLevelItemCount() - 1);
    while (list_->topLevelItemCount() < count) new QTreeWidgetItem(list_);
    if (count > 0 && !list_->currentItem()) list_->setCurrentItem(list_->topLevelItem(count - 1));
  }
  refresh();
  show_list();
  show_bars();
  show_plot();
  show_figures();
  show_controls();
}

void ProbePanel::refresh() {
  const AskedProbes wanted = asked_probes(controller_);
  const Scene& scene = controller_.scene();
  const bool same = wanted == asked_;
  if (!same) {
    if (now_job_) now_job_->cancel();
    now_job_.reset();
    asked_ = wanted;
    now_.clear();
    fault_.clear();
    stale_ = false;
    over_frames_->keep(wanted);
  }
  const bool known = std::all_of(now_.begin(), now_.end(), [&](const auto& entry) {
    return entry.second.frame == frame_in(*wanted.molecules[entry.first], scene.frame);
  });
  if (scene.probes.empty() || (same && ((known && !now_.empty()) || !fault_.isEmpty()))) {
    stale_ = stale_ && now_job_;
    return;
  }
  if (!isVisible()) {
    stale_ = true;
    return;
  }
  // A frame that is being computed is finished first, so that a slow method shows some frames of a movie.
  if (now_job_) {
    stale_ = true;
    return;
  }
  stale_ = false;
  now_job_ = std::make_shared<Job>();
  run_async(
      this,
      [scene, wanted, before = now_, job = now_job_] {
        std::map<std::uint32_t, Now> found;
        for (std::uint32_t m = 0; m < scene.molecules.size(); ++m) {
          const std::vector<std::size_t> numbers = probes_of(scene, m);
          if (numbers.empty() || !wanted.molecules[m]) continue;
          Now& now = found[m];
          const auto kept = before.find(m);
          now.ready = kept != before.end() ? kept->second.ready : ready_probes(scene, wanted.molecules[m], numbers);
          now.frame = frame_in(*wanted.molecules[m], scene.frame);
          now.shares = now.ready.probing->shares_of(now.frame, *job);
        }
        return found;
      },
      [this, job = now_job_](std::map<std::uint32_t, Now> found) {
        if (job != now_job_) return;
        now_job_.reset();
        now_ = std::move(found);
        show_list();
        show_bars();
        show_figures();
        show_controls();
        if (std::exchange(stale_, false)) refresh();
      },
      [this, job = now_job_](const QString& message) {
        if (job != now_job_) return;
        now_job_.reset();
        stale_ = false;
        now_.clear();
        const QString advice = advice_on_charges(controller_);
        fault_ = advice.isEmpty() ? message : advice;
        show_list();
        show_bars();
        show_figures();
        show_controls();
        Q_EMIT failed(fault_);
      });
}

const ProbePanel::Now* ProbePanel::now_of(int probe, std::size_t& place) const {
  const auto& probes = controller_.scene().probes;
  if (probe < 0 || static_cast<std::size_t>(probe) >= probes.size()) return nullptr;
  const auto found = now_.find(probes[static_cast<std::size_t>(probe)].molecule);
  if (found == now_.end()) return nullptr;
  const auto& numbers = found->second.ready.numbers;
  const auto at = std::find(numbers.begin(), numbers.end(), static_cast<std::size_t>(probe));
  if (at == numbers.end()) return nullptr;
  place = static_cast<std::size_t>(at - numbers.begin());
  return &found->second;
}

void ProbePanel::show_list() {
  const QSignalBlocker quiet(list_);
  const auto& probes = controller_.scene().probes;
  const auto number = [](double value) { return QString::number(value, 'g', 4); };
  for (int i = 0; i < list_->topLevelItemCount() && static_cast<std::size_t>(i) < probes.size(); ++i) {
    const FieldProbe& probe = probes[static_cast<std::size_t>(i)];
    QTreeWidgetItem* item = list_->topLevelItem(i);
    item->setText(0, QString::number(i + 1));
    item->setIcon(0, patch(i));
    item->setCheckState(0, probe.visible ? Qt::Checked : Qt::Unchecked);
    item->setText(1, probe_label(controller_, static_cast<std::size_t>(i)));
    for (const int column : {2, 3, 4, 5, 6}) item->setText(column, {});
    item->setToolTip(5, {});
    for (const int column : {2, 3, 4, 5}) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    std::size_t at = 0;
    const Now* now = now_of(i, at);
    if (!now) continue;
    const std::size_t groups = now->ready.probing->group_count();
    const Probing& probing = *now->ready.probing;
    const double* values = now->shares.values.data() + (at * (groups + 1) + groups) * probing.numbers();
    const auto show = [&](int column, ProbeQuantity which) {
      const double value = quantity(probing, at, values, which);
      if (!std::isnan(value))
        item->setText(column,
                      QStringLiteral("%1\u202f%2").arg(number(value), quantity_unit(to_qt(now->ready.unit), which)));
    };
    show(2, ProbeQuantity::potential);
    show(3, ProbeQuantity::strength);
    show(4, ProbeQuantity::along);
    item->setText(6, QStringLiteral("%1, %2, %3").arg(number(values[1]), number(values[2]), number(values[3])));
    show(5, ProbeQuantity::gradient);
    if (!probing.request().gradient) continue;
    const FieldGradient g = gradient_of(values);
    const auto row = [&](double x, double y, double z) {
      return QStringLiteral("%1, %2, %3").arg(number(x), number(y), number(z));
    };
    item->setToolTip(5, tr("Gradient of the field, %1: rows Ex, Ey and Ez along x, y and z\n%2\n%3\n%4")
                            .arg(quantity_unit(to_qt(now->ready.unit), ProbeQuantity::gradient), row(g[0], g[3], g[4]),
                                 row(g[3], g[1], g[5]), row(g[4], g[5], g[2])));
  }
}

void ProbePanel::show_bars() {
  std::size_t at = 0;
  const Now* now = now_of(current(), at);
  if (!now) {
    bars_->set_empty(now_job_ ? tr("Computing. Esc stops it") : tr("Contributions at the selected probe"));
    bars_->set_shares({}, {}, {});
    return;
  }
  const std::size_t groups = now->ready.probing->group_count();
  std::vector<double> values;
  for (std::size_t g = 0; g < groups; ++g)
    values.push_back(now->shares.values[(at * (groups + 1) + g) * now->ready.probing->numbers()]);
  bars_->set_shares(to_names(now->ready.probing->groups()), std::move(values), to_qt(now->ready.unit));
  show_picked();
}

void ProbePanel::show_picked() {
  std::size_t at = 0;
  const Now* now = now_of(current(), at);
  if (!now) return;
  const std::uint32_t molecule = controller_.scene().probes[static_cast<std::size_t>(current())].molecule;
  std::vector<bool> marked(now->ready.probing->group_count(), false);
  if (!controller_.picked().empty()) {
    std::vector<std::uint8_t> picked(now->ready.probing->request().molecule->atom_count(), 0);
    for (const PickedAtom& atom : controller_.picked())
      if (atom.molecule == molecule && atom.atom < picked.size()) picked[atom.atom] = 1;
    const auto& atoms = now->ready.probing->request().charges.atoms;
    for (std::size_t i = 0; i < atoms.size(); ++i)
      if (picked[atoms[i]] != 0) marked[now->ready.probing->groups().of[i]] = true;
  }
  bars_->set_marked(std::move(marked));
}

void ProbePanel::show_plot() {
  const QString unit = QString::fromUtf8(name(controller_.scene().probing.potential.unit));
  const ProbeQuantity which = shown_quantity();
  PlotLabels labels;
  labels.x = tr("Frame");
  labels.whole_x = true;
  const QString own_unit = quantity_unit(unit, which);
  labels.y = which == ProbeQuantity::potential  ? tr("Potential (%1)").arg(own_unit)
             : which == ProbeQuantity::gradient ? tr("Field gradient (%1)").arg(own_unit)
                                                : tr("Field (%1)").arg(own_unit);
  labels.empty = over_frames_->busy()                 ? tr("Computing. Esc stops it")
                 : controller_.frame_count() < 2      ? tr("A trajectory has a plot over its frames")
                 : controller_.scene().probes.empty() ? tr("Add a probe")
                                                      : tr("Press Over frames");
  plot_->set_labels(labels);
  plot_->set_curves(over_frames_->curves(which, current(), bars_->chosen(), palette().color(QPalette::WindowText)));
  show_cursor();
}

void ProbePanel::show_cursor() {
  std::optional<double> cursor;
  if (controller_.frame_count() > 1) cursor = static_cast<double>(controller_.scene().frame);
  plot_->set_cursor(cursor);
}

void ProbePanel::show_figures() {
  QString text = fault_;
  std::size_t at = 0;
  if (const Now* now = now_of(current(), at)) {
    const ProbeRequest& request = now->ready.probing->request();
    text = tr("%1; %2 of %3 charges, total %4\u202fe")
               .arg(to_qt(describe(request.method)))
               .arg(tr("%1 groups").arg(now->ready.probing->group_count()))
               .arg(request.charges.spheres.size())
               .arg(to_qt(charge_text(request.charges.total)));
    if (now->ready.expected_error > 0)
      text += tr("; expected relative error %1\u202f%").arg(100 * now->ready.expected_error, 0, 'g', 2);
    if (now->shares.solutions > 0)
      text += tr("; sums of contributions are within %1 %3 of the totals, whose estimated error is up to %2 %3")
                  .arg(now->shares.apart * request.factor, 0, 'g', 2)
                  .arg(now->shares.error * request.factor, 0, 'g', 2)
                  .arg(to_qt(now->ready.unit));
  }
  if (const QString mean = over_frames_->mean_text(current(), shown_quantity()); !mean.isEmpty())
    text += QLatin1Char('\n') + mean;
  figures_->setText(text);
  figures_->setVisible(!text.isEmpty());
}

void ProbePanel::show_controls() {
  const bool any = current() >= 0;
  hint_->setVisible(list_->topLevelItemCount() == 0);
  tool_->setEnabled(!controller_.scene().molecules.empty());
  remove_->setEnabled(any);
  colour_->setEnabled(any && fault_.isEmpty());
  frames_->setEnabled(any && !over_frames_->busy() && fault_.isEmpty() && controller_.frame_count() > 1);
  export_->setEnabled(any && !over_frames_->busy() && fault_.isEmpty());
}

void ProbePanel::set(const QString& what, const std::function<void(ProbeSettings&)>& change) {
  ProbeSettings next = controller_.scene().probing;
  change(next);
  if (next == controller_.scene().probing) return;
  controller_.edit(what, [&](Scene& scene) { scene.probing = next; });
}

std::vector<PickedAtom> ProbePanel::atoms_of(const Now& now, std::uint32_t molecule, std::size_t group) {
  std::vector<PickedAtom> picked;
  const auto& atoms = now.ready.probing->request().charges.atoms;
  for (std::size_t i = 0; i < atoms.size(); ++i)
    if (now.ready.probing->groups().of[i] == group) picked.push_back({molecule, atoms[i]});
  return picked;
}

void ProbePanel::choose_group(int group) {
  std::size_t at = 0;
  const Now* now = now_of(current(), at);
  if (!now || group < 0) return;
  const std::uint32_t molecule = controller_.scene().probes[static_cast<std::size_t>(current())].molecule;
  controller_.set_picked(atoms_of(*now, molecule, static_cast<std::size_t>(group)));
  show_plot();
  Q_EMIT centre_asked();
}

void ProbePanel::colour_structure() {
  const int probe = current();
  std::size_t at = 0;
  const Now* now = now_of(probe, at);
  if (!now) return;
  const std::uint32_t molecule = controller_.scene().probes[static_cast<std::size_t>(probe)].molecule;
  // The few next to the probe add far more than all others: full colour is where nine in ten are below it.
  std::vector<double> amounts;
  for (const double value : bars_->values()) amounts.push_back(std::abs(value));
  float range = 0;
  if (!amounts.empty()) {
    const auto place = amounts.begin() + static_cast<std::ptrdiff_t>((amounts.size() - 1) * 9 / 10);
    std::nth_element(amounts.begin(), place, amounts.end());
    if (*place > 0) {
      const double unit = std::pow(10.0, std::floor(std::log10(*place)) - 1);
      range = static_cast<float>(std::ceil(*place / unit) * unit);
    }
  }
  controller_.edit(tr("Colour by contributions"), [&](Scene& scene) {
    for (Representation& representation : scene.representations) {
      if (representation.molecule != molecule || representation.style == Style::hydrogen_bonds ||
          representation.style == Style::vectors)
        continue;
      representation.colouring = Colouring::probe;
      representation.probe = static_cast<std::uint32_t>(probe);
      representation.colours = ColourMap::automatic;
      representation.lower = -range;
      representation.upper = range;
    }
  });
}

void ProbePanel::remove_current() {
  const int probe = current();
  if (probe < 0) return;
  controller_.edit(tr("Remove probe"), [&](Scene& scene) { remove_probe(scene, static_cast<std::size_t>(probe)); });
}

void ProbePanel::compute() {
  if (current() >= 0) over_frames_->compute(static_cast<std::size_t>(current()));
}

ProbeQuantity ProbePanel::shown_quantity() const {
  return static_cast<ProbeQuantity>(std::max(0, quantity_->currentIndex()));
}

void ProbePanel::cancel() {
  if (now_job_) {
    now_job_->cancel();
    now_job_.reset();
    stale_ = false;
    fault_ = tr("Computing was cancelled; any change of the probes begins again");
    show_figures();
    show_bars();
  }
  over_frames_->cancel();
}

void ProbePanel::write(const QString& path) {
  if (current() >= 0) over_frames_->write(static_cast<std::size_t>(current()), path);
}

void ProbePanel::ask_export() {
  ask_where_to_save(this,
                    {tr("Export probes"),
                     tr("Tables (*.csv)"),
                     QStringLiteral("csv"),
                     stem_of(controller_.scene()) + QStringLiteral("-probes"),
                     {}},
                    [this](const QString& path) { write(path); })
      ->setObjectName(QStringLiteral("export_probes"));
}

}  // namespace isolume
