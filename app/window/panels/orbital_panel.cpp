// The panel of a molecule's orbitals: how its widgets change the scene.
#include "app/window/panels/orbital_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <tuple>
#include <utility>

#include "app/models/labels.h"
#include "app/scene/path_part.h"
#include "app/window/panels/shape_rows.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/colour_button.h"
#include "app/window/widgets/level_diagram.h"
#include "app/window/widgets/number_tips.h"
#include "app/window/widgets/orbital_energies.h"
#include "app/window/widgets/value_slider.h"
#include "molecule/quantum/orbital_energies.h"

namespace isolume {
namespace {

/// How Field::orbital names an orbital of these: its number from 1 within its spin.
std::string number_of(const Orbitals& orbitals, std::size_t index) {
  std::size_t number = 1;
  for (std::size_t i = 0; i < index; ++i) number += orbitals.orbitals[i].spin == orbitals.orbitals[index].spin;
  return std::to_string(number);
}

}  // namespace

OrbitalPanel::OrbitalPanel(SceneController& controller, QWidget* parent) : QWidget(parent), controller_(controller) {
  setAccessibleName(tr("Orbitals"));
  set_cost(this, tr("Each shown orbital is computed; time grows with the grid and the basis. The Surfaces and maps "
                    "panel shows how long the last one took"));
  sorted_.setSourceModel(&model_);
  sorted_.setSortRole(OrbitalModel::sort_role);
  sorted_.setFilterKeyColumn(-1);
  sorted_.setFilterCaseSensitivity(Qt::CaseInsensitive);
  build();
  connect_views();
  connect_form();
  controller_.listen(this, SceneParts::molecules | SceneParts::fields | SceneParts::frame, &OrbitalPanel::show_scene);
  show_scene(controller_.scene());
}

OrbitalPanel::~OrbitalPanel() {
  if (job_) job_->cancel();
}

void OrbitalPanel::connect_views() {
  const auto homo = [this] { show_orbital("homo", Spin::alpha, tr("Show HOMO")); };
  const auto lumo = [this] { show_orbital("lumo", Spin::alpha, tr("Show LUMO")); };
  connect(homo_, &QPushButton::clicked, this, homo);
  connect(lumo_, &QPushButton::clicked, this, lumo);
  const auto key = [this](Qt::Key k, auto act) {
    auto* shortcut = new QShortcut(k, this);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, act);
  };
  key(Qt::Key_H, homo);
  key(Qt::Key_L, lumo);
  key(Qt::Key_BracketLeft, [this] { step_by_energy(-1); });
  key(Qt::Key_BracketRight, [this] { step_by_energy(1); });
  connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
    filling_ = true;  // rows that go away are not chosen again
    sorted_.setFilterFixedString(text.trimmed());
    filling_ = false;
  });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& index) { show_row(index); });
  connect(table_, &QTableView::clicked, this, &OrbitalPanel::show_row);
  connect(levels_, &LevelDiagram::chosen, this, [this](int orbital) { show_index(static_cast<std::size_t>(orbital)); });
  connect(energies_, &OrbitalEnergies::frame_clicked, this,
          [this](std::size_t frame) { controller_.touch([&](Scene& scene) { scene.frame = frame; }); });
  connect(energies_, &OrbitalEnergies::matched, this, [this] { show_scene(controller_.scene()); });
  connect(energies_, &OrbitalEnergies::orbital_clicked, this, [this](std::size_t frame, std::size_t index) {
    const auto molecule = controller_.molecule(static_cast<std::size_t>(std::max(0, molecule_)));
    const auto orbitals = molecule ? molecule->orbitals_at(frame) : nullptr;
    if (!orbitals || index >= orbitals->count()) return;
    edit(tr("Follow orbital"), [&](Field& f) {
      f.orbital = number_of(*orbitals, index);
      f.spin = orbitals->orbitals[index].spin;
      f.follow = true;
      f.follow_from = static_cast<std::uint32_t>(frame);
      f.visible = true;
    });
  });
}

void OrbitalPanel::connect_form() {
  connect(shown_, &QComboBox::activated, this, [this](int row) {
    chosen_ = row;
    show_scene(controller_.scene());
  });
  connect(localisation_, &QComboBox::activated, this, [this](int row) {
    static constexpr const char* methods[] = {"", "pipek-mezey", "boys"};
    set_localisation(methods[row]);
  });
  connect(add_, &QToolButton::clicked, this, &OrbitalPanel::add_field);
  connect(remove_, &QToolButton::clicked, this, &OrbitalPanel::remove_field);
  connect(follow_, &QCheckBox::clicked, this, &OrbitalPanel::set_following);
  connect(isovalue_, &ValueSlider::moved, this, [this](double value) {
    const auto change = [value](Field& f) {
      f.isovalue = value;
      f.enclosed = 0;
    };
    edit(tr("Change isovalue"), change, true);
  });
  connect(enclosed_, &ValueSlider::moved, this, [this](double percent) {
    edit(
        tr("Change enclosed probability"), [percent](Field& f) { f.enclosed = percent / 100; }, true);
  });
  connect(colour_, &ColourButton::chosen, this, [this](const QColor& c) {
    edit(tr("Change colour"), [&](Field& f) { f.colour = {c.red(), c.green(), c.blue(), 255}; });
  });
  connect(negative_colour_, &ColourButton::chosen, this, [this](const QColor& c) {
    edit(tr("Change colour"), [&](Field& f) { f.negative_colour = {c.red(), c.green(), c.blue(), 255}; });
  });
  connect(shape_, &ShapeRows::edited, this,
          [this](const QString& what, const std::function<void(Field&)>& change, bool merge) {
            edit(what, change, merge);
          });
  connect(opacity_, &ValueSlider::moved, this, [this](double percent) {
    edit(
        tr("Change opacity"), [percent](Field& f) { f.opacity = static_cast<float>(percent / 100); }, true);
  });
}

void OrbitalPanel::edit(const QString& what, const std::function<void(Field&)>& change, bool merge) {
  const int index = field();
  if (index < 0 || filling_) return;
  controller_.edit(
      what, [&](Scene& scene) { change(scene.fields[static_cast<std::size_t>(index)]); }, merge);
}

void OrbitalPanel::show_orbital(const std::string& name, Spin spin, const QString& what) {
  if (molecule_ < 0) return;
  const int index = field();
  controller_.edit(what, [&](Scene& scene) {
    if (index < 0) {
      Field next;
      next.kind = Field::Kind::orbital;
      next.molecule = static_cast<std::uint32_t>(molecule_);
      scene.fields.push_back(next);
    }
    Field& shown = index < 0 ? scene.fields.back() : scene.fields[static_cast<std::size_t>(index)];
    shown.orbital = name;
    shown.spin = spin;
    shown.visible = true;
    // The orbital chosen in this frame is followed from now on.
    shown.follow_from = static_cast<std::uint32_t>(scene.frame);
  });
}

void OrbitalPanel::show_index(std::size_t orbital) {
  const auto& orbitals = model_.orbitals();
  if (!orbitals || orbital >= orbitals->count()) return;
  const std::string name = number_of(*orbitals, orbital);
  show_orbital(name, orbitals->orbitals[orbital].spin, tr("Show orbital %1").arg(to_qt(name)));
}

void OrbitalPanel::show_row(const QModelIndex& index) {
  if (!index.isValid() || filling_) return;
  const int row = sorted_.mapToSource(index).row();
  const int shown = field();
  if (shown >= 0) {  // "homo" stays "homo" where it is that row
    const Field& f = controller_.scene().fields[static_cast<std::size_t>(shown)];
    if (f.visible && orbital_of(f) == static_cast<std::size_t>(row)) return;
  }
  show_index(static_cast<std::size_t>(row));
}

void OrbitalPanel::step_by_energy(int by) {
  const auto& orbitals = model_.orbitals();
  const int shown = field();
  if (!orbitals || shown < 0) return;
  const auto now = orbital_of(controller_.scene().fields[static_cast<std::size_t>(shown)]);
  if (!now) return;
  const FrontierOrder frontier(*orbitals, orbitals->orbitals[*now].spin);
  if (!frontier.energies) {  // natural orbitals go by occupation
    const auto at = std::find(frontier.order.begin(), frontier.order.end(), *now) - frontier.order.begin() + by;
    if (at >= 0 && at < std::ssize(frontier.order)) show_index(frontier.order[static_cast<std::size_t>(at)]);
    return;
  }
  const double energy = orbitals->orbitals[*now].energy;
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < orbitals->count(); ++i) {
    if (i == *now || orbitals->orbitals[i].spin != orbitals->orbitals[*now].spin) continue;
    const double e = orbitals->orbitals[i].energy;
    // Of equal energies, file order decides.
    const bool beyond = by > 0 ? e > energy || (e == energy && i > *now) : e < energy || (e == energy && i < *now);
    if (!beyond) continue;
    const bool nearer =
        !best || (by > 0 ? e < orbitals->orbitals[*best].energy : e >= orbitals->orbitals[*best].energy);
    if (nearer) best = i;
  }
  if (best) show_index(*best);
}

void OrbitalPanel::add_field() {
  const std::size_t count = fields().size();
  if (count == 0) return show_orbital("homo", Spin::alpha, tr("Show HOMO"));
  const int from = field();
  controller_.edit(tr("Show another orbital"), [&](Scene& scene) {
    Field next = scene.fields[static_cast<std::size_t>(from)];
    next.orbital = next.orbital == "lumo" ? "homo" : "lumo";
    next.follow_from = static_cast<std::uint32_t>(scene.frame);
    std::tie(next.colour, next.negative_colour) = phase_colours(count);
    scene.fields.push_back(next);
  });
  chosen_ = static_cast<int>(count);
  show_scene(controller_.scene());
}

void OrbitalPanel::remove_field() {
  const int index = field();
  if (index < 0) return;
  controller_.edit(tr("Hide orbital"), [&](Scene& scene) { scene.fields.erase(scene.fields.begin() + index); });
}

void OrbitalPanel::cancel() {
  if (!job_) return;
  std::exchange(job_, nullptr)->cancel();
  Q_EMIT progress({}, 0);
  show_scene(controller_.scene());
}

void OrbitalPanel::set_localisation(const std::string& method) {
  if (molecule_ < 0) return;
  const auto place = static_cast<std::size_t>(molecule_);
  SceneMolecule entry = controller_.scene().molecules[place];
  const std::vector<std::string> before = entry.paths;
  entry.paths = with_localisation(before, method);
  cancel();
  if (entry.paths == before) return;
  job_ = std::make_shared<Job>();
  Q_EMIT progress(tr("Localising orbitals"), -1);
  const auto end = [this, job = job_] {
    if (job != job_) return false;  // another one was asked for meanwhile
    job_.reset();
    Q_EMIT progress({}, 0);
    return true;
  };
  run_async(
      this, [documents = &controller_.documents(), entry] { return documents->molecule(entry); },
      [this, place, entry, before, method, end](const std::shared_ptr<const Molecule>&) {
        if (!end()) return;
        const auto& molecules = controller_.scene().molecules;
        if (place < molecules.size() && molecules[place].paths == before)
          controller_.edit(method.empty() ? tr("Show canonical orbitals") : tr("Localise orbitals"),
                           [&](Scene& scene) { scene.molecules[place].paths = entry.paths; });
        show_scene(controller_.scene());
      },
      [this, end](const QString& message) {
        if (!end()) return;
        Q_EMIT failed(message);
        show_scene(controller_.scene());
      });
}

void OrbitalPanel::set_following(bool on) {
  const int index = field();
  if (index < 0) return;
  const Scene& scene = controller_.scene();
  const auto now = orbital_of(scene.fields[static_cast<std::size_t>(index)]);
  edit(on ? tr("Follow orbital") : tr("Stop following"), [&](Field& f) {
    // The picture stays: the orbital of this frame is followed from here, or named by its number.
    if (now && !(on && f.follow_from == scene.frame)) {
      const bool by_role = on && model_.orbitals()->find(f.orbital, f.spin) == *now;
      if (!by_role) f.orbital = number_of(*model_.orbitals(), *now);
    }
    f.follow = on;
    f.follow_from = static_cast<std::uint32_t>(scene.frame);
  });
}

}  // namespace isolume
