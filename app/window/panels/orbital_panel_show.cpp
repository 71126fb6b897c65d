// The panel of a molecule's orbitals: how it shows the scene and the results.
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "app/fields/inputs/orbital_identity.h"
#include "app/models/labels.h"
#include "app/scene/density_name.h"
#include "app/scene/path_part.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/orbital_panel.h"
#include "app/window/panels/shape_rows.h"
#include "app/window/widgets/colour_button.h"
#include "app/window/widgets/level_diagram.h"
#include "app/window/widgets/orbital_energies.h"
#include "app/window/widgets/value_slider.h"
#include "molecule/base/error.h"
#include "molecule/quantum/orbital_doubt.h"

namespace isolume {

std::vector<int> OrbitalPanel::fields() const {
  std::vector<int> result;
  const auto& all = controller_.scene().fields;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == Field::Kind::orbital && static_cast<int>(all[i].molecule) == molecule_ &&
        !names_density(all[i].orbital)) {
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

void OrbitalPanel::show_results(const std::vector<FieldResult>& results) {
  results_ = results;
  for (FieldResult& result : results_) result.items.clear();  // drawings are not kept here
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
       std::initializer_list<QWidget*>{shown_, isovalue_, enclosed_, colour_, negative_colour_, opacity_}) {
    widget->setEnabled(index >= 0);
  }
  shape_->set_enabled(index >= 0);
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
  } else {
    enclosed_->set_value(enclosed_->box()->minimum());  // shown as not counted
  }
  colour_->set_colour(f.colour);
  negative_colour_->set_colour(f.negative_colour);
  shape_->show_field(f);
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
  PathPart shown;
  if (molecule_ >= 0)
    for (const std::string& path : scene.molecules[static_cast<std::size_t>(molecule_)].paths)
      if (const PathPart part = path_part(path); part.kind == PathPart::Kind::localised) shown = part;
  if (!localising()) localisation_->setCurrentIndex(shown.method == "boys" ? 2 : shown.method == "pipek-mezey" ? 1 : 0);
  localisation_->setEnabled(orbitals != nullptr);
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
    // There is no room for all.
    table_->setColumnHidden(OrbitalModel::hartree_column, symmetry && orbitals->unrestricted);
  }
  if (!orbitals) {
    about_->setText(molecule_ < 0 ? tr("No orbitals. Open a file with orbitals (Molden, FCHK, WFX, logs).")
                                  : tr("This frame has no orbitals."));
    about_->setToolTip({});
  } else {
    QString text = tr("%1 orbitals, %2 functions").arg(orbitals->count()).arg(orbitals->basis->function_count());
    if (orbitals->norm_residual >= 0) {
      text += tr("; orthonormal to %1").arg(QString::number(orbitals->norm_residual, 'e', 0));
    }
    if (localisation_->currentIndex() > 0) text += QStringLiteral("; ") + to_qt(orbitals->convention);
    const std::string doubt = orbital_doubt(orbitals->norm_residual);
    if (!doubt.empty()) text += QLatin1Char('\n') + to_qt(doubt);
    about_->setForegroundRole(doubt.empty() ? QPalette::PlaceholderText : QPalette::Text);
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
