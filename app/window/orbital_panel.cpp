// The panel of a molecule's orbitals: what it shows of the scene, and what it changes.
#include "app/window/orbital_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <iterator>
#include <utility>

#include "app/models/labels.h"
#include "app/session/orbital_identity.h"
#include "app/window/colour_button.h"
#include "app/window/field_panel.h"
#include "app/window/level_diagram.h"
#include "app/window/orbital_energies.h"
#include "app/window/value_slider.h"
#include "molecule/error.h"

namespace isolume {
namespace {

/// Colours of the phases of several orbitals at once, apart for colour-blind eyes too (after Okabe and Ito).
constexpr glm::u8vec4 phases[][2] = {{{0, 114, 178, 255}, {213, 94, 0, 255}},
                                     {{0, 158, 115, 255}, {204, 121, 167, 255}},
                                     {{86, 180, 233, 255}, {230, 159, 0, 255}}};

/// How Field::orbital names an orbital of these: its number from 1 within its spin.
std::string number_of(const Orbitals& orbitals, std::size_t index) {
  std::size_t number = 1;
  for (std::size_t i = 0; i < index; ++i) number += orbitals.orbitals[i].spin == orbitals.orbitals[index].spin;
  return std::to_string(number);
}

}  // namespace

OrbitalPanel::OrbitalPanel(SceneController& controller, QWidget* parent) : QWidget(parent), controller_(controller) {
  setAccessibleName(tr("Orbitals"));
  sorted_.setSourceModel(&model_);
  sorted_.setSortRole(OrbitalModel::sort_role);
  sorted_.setFilterKeyColumn(-1);
  sorted_.setFilterCaseSensitivity(Qt::CaseInsensitive);
  build();
  connect_views();
  connect_form();
  connect(&controller_, &SceneController::scene_changed, this, &OrbitalPanel::show_scene);
  show_scene(controller_.scene());
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
    filling_ = true;  // rows that go away are not chosen anew
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
  connect(style_, &QComboBox::activated, this, [this](int row) {
    edit(tr("Change surface style"), [row](Field& f) { f.style = static_cast<Surface::Style>(row); });
  });
  connect(opacity_, &ValueSlider::moved, this, [this](double percent) {
    edit(
        tr("Change opacity"), [percent](Field& f) { f.opacity = static_cast<float>(percent / 100); }, true);
  });
}

std::vector<int> OrbitalPanel::fields() const {
  std::vector<int> result;
  const auto& all = controller_.scene().fields;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == Field::Kind::orbital && static_cast<int>(all[i].molecule) == molecule_) {
      result.push_back(static_cast<int>(i));
    }
  }
  return result;
}

int OrbitalPanel::field() const {
  const std::vector<int> all = fields();
  return all.empty() ? -1 : all[static_cast<std::size_t>(std::clamp(chosen_, 0, static_cast<int>(all.size()) - 1))];
}

std::optional<std::size_t> OrbitalPanel::orbital_of(const Field& field) const {
  const auto molecule = controller_.molecule(field.molecule);
  if (!molecule || !model_.orbitals()) return std::nullopt;
  try {
    const std::size_t last = molecule->orbitals.size() - 1;
    const std::size_t frame = std::min(controller_.scene().frame, last);
    const std::size_t from = std::min<std::size_t>(field.follow_from, last);
    if (!field.follow || frame == from) return model_.orbitals()->find(field.orbital, field.spin);
    const auto start = molecule->orbitals_at(from);
    const auto tracks = known_orbital_tracks(molecule);
    if (!start || !tracks) return std::nullopt;
    const auto tracked = tracks->follow(from, start->find(field.orbital, field.spin), frame);
    return tracked ? std::optional(tracked->index) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
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
    // What is followed from now on is what was chosen in this frame.
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
    next.colour = phases[count % std::size(phases)][0];
    next.negative_colour = phases[count % std::size(phases)][1];
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

void OrbitalPanel::set_following(bool on) {
  const int index = field();
  if (index < 0) return;
  const Scene& scene = controller_.scene();
  const auto now = orbital_of(scene.fields[static_cast<std::size_t>(index)]);
  edit(on ? tr("Follow orbital") : tr("Stop following"), [&](Field& f) {
    // What is seen stays: the orbital of this frame is followed from here, or named by its number.
    if (now && !(on && f.follow_from == scene.frame)) {
      const bool by_role = on && model_.orbitals()->find(f.orbital, f.spin) == *now;
      if (!by_role) f.orbital = number_of(*model_.orbitals(), *now);
    }
    f.follow = on;
    f.follow_from = static_cast<std::uint32_t>(scene.frame);
  });
}

void OrbitalPanel::show_results(const std::vector<FieldResult>& results) {
  results_ = results;
  for (FieldResult& result : results_) result.items.clear();  // what is drawn is not kept here
  show_form(controller_.scene());
  show_chosen(controller_.scene());  // orbitals that are followed may be known only now
}

void OrbitalPanel::show_match() {
  const int index = field();
  const Scene& scene = controller_.scene();
  if (index < 0 || !scene.fields[static_cast<std::size_t>(index)].follow) {
    match_->clear();
    return;
  }
  const Field& f = scene.fields[static_cast<std::size_t>(index)];
  const auto i = static_cast<std::size_t>(index);
  QString text = tr("from frame %1").arg(f.follow_from);
  if (i < results_.size() && results_[i].orbital && results_[i].orbital->followed) {
    const ShownOrbital& shown = *results_[i].orbital;
    text += tr(", overlap %1").arg(shown.overlap, 0, 'f', 2);
    if (shown.weak) text = QChar(0x26a0) + QStringLiteral(" ") + text + tr(": weak match");
  }
  match_->setText(text);
}

void OrbitalPanel::show_form(const Scene& scene) {
  const std::vector<int> all = fields();
  chosen_ = std::clamp(chosen_, 0, std::max(0, static_cast<int>(all.size()) - 1));
  QStringList names;
  for (const int i : all) {
    const Field& f = scene.fields[static_cast<std::size_t>(i)];
    QString name = orbital_label(f.orbital);
    if (model_.orbitals() && model_.orbitals()->unrestricted)
      name += f.spin == Spin::alpha ? tr(", alpha") : tr(", beta");
    if (f.follow) name += tr(" of frame %1").arg(f.follow_from);
    names += name;
  }
  QStringList now;
  for (int i = 0; i < shown_->count(); ++i) now += shown_->itemText(i);
  const QSignalBlocker quiet(shown_);
  if (now != names) {
    shown_->clear();
    shown_->addItems(names);
  }
  shown_->setCurrentIndex(all.empty() ? -1 : chosen_);
  const int index = field();
  form_->setEnabled(molecule_ >= 0);
  remove_->setEnabled(index >= 0);
  for (QWidget* widget :
       std::initializer_list<QWidget*>{shown_, isovalue_, enclosed_, colour_, negative_colour_, style_, opacity_}) {
    widget->setEnabled(index >= 0);
  }
  const auto molecule = molecule_ < 0 ? nullptr : controller_.molecule(static_cast<std::size_t>(molecule_));
  follow_->setEnabled(index >= 0 && molecule && molecule->orbitals.size() > 1);
  show_match();
  if (index < 0) {
    follow_->setChecked(false);
    return;
  }
  const auto i = static_cast<std::size_t>(index);
  const Field& f = scene.fields[i];
  const std::optional<ShownOrbital> computed = i < results_.size() ? results_[i].orbital : std::nullopt;
  follow_->setChecked(f.follow);
  // Each of the two values decides; the other one shows what it comes to.
  isovalue_->set_value(f.enclosed > 0 && computed ? std::abs(computed->isovalue) : effective_isovalue(f));
  if (f.enclosed > 0) {
    enclosed_->set_value(100 * f.enclosed);
  } else if (computed && computed->enclosed > 0) {
    enclosed_->set_value(100 * computed->enclosed);
  }
  colour_->set_colour(f.colour);
  negative_colour_->set_colour(f.negative_colour);
  style_->setCurrentIndex(static_cast<int>(f.style));
  opacity_->set_value(100 * double(f.opacity));
}

void OrbitalPanel::show_chosen(const Scene& scene) {
  const bool before = std::exchange(filling_, true);
  std::vector<std::size_t> shown;
  const int edited = field();
  if (edited >= 0) {
    if (const auto now = orbital_of(scene.fields[static_cast<std::size_t>(edited)])) shown.push_back(*now);
  }
  for (const int i : fields()) {
    const auto now = i == edited ? std::nullopt : orbital_of(scene.fields[static_cast<std::size_t>(i)]);
    if (now) shown.push_back(*now);
  }
  levels_->set_shown(shown);
  const auto molecule = molecule_ < 0 ? nullptr : controller_.molecule(static_cast<std::size_t>(molecule_));
  const std::size_t frames = molecule ? molecule->orbitals.size() : 0;
  energies_->show_frame(frames == 0 ? 0 : std::min(scene.frame, frames - 1), shown);
  if (edited >= 0 && !shown.empty()) {
    const QModelIndex wanted = sorted_.mapFromSource(model_.index(static_cast<int>(shown.front()), 0));
    if (table_->currentIndex().row() != wanted.row()) {
      table_->setCurrentIndex(wanted);
      table_->scrollTo(wanted, QAbstractItemView::PositionAtCenter);
    }
  } else {
    table_->clearSelection();
  }
  filling_ = before;
}

void OrbitalPanel::show_scene(const Scene& scene) {
  molecule_ = molecule_for(controller_, Field::Kind::orbital);
  const auto molecule = molecule_ < 0 ? nullptr : controller_.molecule(static_cast<std::size_t>(molecule_));
  std::shared_ptr<const Orbitals> orbitals;
  if (molecule && !molecule->orbitals.empty()) {
    orbitals = molecule->orbitals_at(std::min(scene.frame, molecule->orbitals.size() - 1));
  }
  filling_ = true;
  if (orbitals != model_.orbitals()) {
    model_.set_orbitals(orbitals);
    levels_->set_orbitals(orbitals);
    table_->setColumnHidden(OrbitalModel::spin_column, !orbitals || !orbitals->unrestricted);
    // Labels that are all the same ("A" of a molecule without symmetry) say nothing.
    bool symmetry = false;
    for (std::size_t i = 1; orbitals && i < orbitals->count(); ++i) {
      symmetry |= orbitals->orbitals[i].symmetry != orbitals->orbitals[0].symmetry;
    }
    table_->setColumnHidden(OrbitalModel::symmetry_column, !symmetry);
  }
  if (!orbitals) {
    about_->setText(molecule_ < 0 ? tr("No orbitals here: open a Molden file.") : tr("This frame has no orbitals."));
    about_->setToolTip({});
  } else {
    QString text = tr("%1 orbitals, %2 functions").arg(orbitals->count()).arg(orbitals->basis->function_count());
    if (orbitals->norm_residual >= 0) {
      text += tr("; orthonormal to %1").arg(QString::number(orbitals->norm_residual, 'e', 0));
    }
    about_->setText(text);
    about_->setToolTip(tr("Self-check |C^T S C - 1|; read as %1").arg(to_qt(orbitals->convention)));
  }
  tabs_->setTabEnabled(2, molecule && molecule->orbitals.size() > 1);
  energies_->set_molecule(molecule);
  homo_->setEnabled(orbitals && orbitals->homo());
  lumo_->setEnabled(orbitals && orbitals->lumo());
  show_form(scene);
  show_chosen(scene);
  filling_ = false;
}

}  // namespace isolume
