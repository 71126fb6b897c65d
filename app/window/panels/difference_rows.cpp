// The part of a field's form that says what is taken off its values.
#include "app/window/panels/difference_rows.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>

#include "app/documents/titles.h"
#include "app/fields/difference.h"
#include "app/fields/surface_paint.h"
#include "app/models/labels.h"
#include "app/scene/built_in_tables.h"
#include "app/scene/named_selections.h"
#include "app/view/charge_sets.h"
#include "app/view/usual_potential.h"
#include "app/window/widgets/method_titles.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"

namespace isolume {
namespace {

constexpr int shown_frame = -1;

using Kind = Subtrahend::Kind;

/// Fields whose values, or the values that colour them, something can be taken off.
bool can_differ(const Field& field) {
  Field other = field;
  other.minus.kind = Kind::potential;
  return shows_difference(other);
}

void set_items(QComboBox* box, const QStringList& items) {
  QStringList now;
  for (int i = 0; i < box->count(); ++i) now += box->itemText(i);
  if (now == items) return;
  const QSignalBlocker quiet(box);
  box->clear();
  box->addItems(items);
}

}  // namespace

DifferenceRows::DifferenceRows(QGridLayout* form, SceneController& controller, QObject* parent)
    : QObject(parent), form_(form), controller_(controller) {
  build(form);
  connect_boxes();
}

void DifferenceRows::build(QGridLayout* form) {
  minus_ = make_box(tr("Minus"),
                    tr("Show a difference: less the potential of another frame, molecule, selection, charge set or "
                       "method, or less a map. It follows the frame"),
                    {});
  molecule_ = make_box(tr("Molecule that is subtracted"), tr("Molecule whose charges are subtracted"), {});
  atoms_ = new SelectionEdit;
  atoms_->line()->setAccessibleName(tr("Atoms that are subtracted"));
  charges_ = make_box(tr("Charges that are subtracted"), tr("Charge set of the molecule that is subtracted"), {});
  frame_ = new QSpinBox;
  frame_->setAccessibleName(tr("Frame that is subtracted"));
  frame_->setToolTip(tr("Always this frame, or the one that is shown"));
  frame_->setSpecialValueText(tr("Shown frame"));
  frame_->setMinimum(shown_frame);
  frame_->setKeyboardTracking(false);
  method_ = make_box(tr("Method that is subtracted"),
                     tr("Method of the potential that is subtracted. Its other settings are those of the first"),
                     method_titles());
  map_ = make_box(tr("Map that is subtracted"), tr("Map that is subtracted, from any file of the scene"), {});
  resample_ = new QCheckBox(tr("Resample"));
  resample_->setAccessibleName(tr("Resample the map"));
  resample_->setToolTip(tr("Interpolate the map where its points are not those of the first. Else that is refused"));
  const QString errors =
      tr("Map of standard errors. The difference is faded where it is within its own standard error");
  own_error_ = make_box(tr("Standard error of the first"), errors, {});
  error_ = make_box(tr("Standard error of the map"), errors, {});
  add_row(form, tr("Minus"), minus_);
  add_row(form, tr("Its molecule"), molecule_);
  add_row(form, tr("Its atoms"), atoms_, true);
  add_row(form, tr("Its charges"), charges_);
  add_row(form, tr("Its frame"), frame_);
  add_row(form, tr("Its method"), method_);
  add_row(form, tr("Its map"), map_);
  add_row(form, QString(), resample_);
  add_row(form, tr("Error, first"), own_error_);
  add_row(form, tr("Error, map"), error_);
}

void DifferenceRows::connect_boxes() {
  connect(minus_, &QComboBox::activated, this,
          [this](int index) { choose(static_cast<Kind>(minus_->itemData(index).toInt())); });
  connect(molecule_, &QComboBox::activated, this, [this](int index) {
    if (index < 0 || index >= static_cast<int>(charged_.size())) return;
    Q_EMIT edited(
        tr("Change molecule that is subtracted"),
        [molecule = charged_[static_cast<std::size_t>(index)]](Field& f) {
          f.minus.molecule = molecule;
          f.minus.charges.clear();
        },
        false);
  });
  connect(atoms_, &SelectionEdit::entered, this, [this](const QString& text) {
    Q_EMIT edited(
        tr("Change atoms that are subtracted"), [text](Field& f) { f.minus.selection = text.toStdString(); }, false);
  });
  connect(charges_, &QComboBox::activated, this, [this](int index) {
    if (index < 0 || index >= static_cast<int>(sets_.size())) return;
    Q_EMIT edited(
        tr("Change charges that are subtracted"),
        [set = sets_[static_cast<std::size_t>(index)]](Field& f) { f.minus.charges = set; }, false);
  });
  connect(frame_, &QSpinBox::valueChanged, this, [this](int frame) {
    Q_EMIT edited(
        tr("Change frame that is subtracted"),
        [frame](Field& f) {
          f.minus.fixed = frame != shown_frame;
          f.minus.frame = static_cast<std::uint32_t>(std::max(0, frame));
        },
        true);
  });
  connect(method_, &QComboBox::activated, this, [this](int index) {
    Q_EMIT edited(
        tr("Change method that is subtracted"),
        [index](Field& f) { f.minus.potential.method = static_cast<PotentialMethod>(index); }, false);
  });
  connect(map_, &QComboBox::activated, this, [this](int index) {
    if (index < 0 || index >= static_cast<int>(maps_.size())) return;
    const MapPlace place = maps_[static_cast<std::size_t>(index)].place;
    Q_EMIT edited(
        tr("Change map that is subtracted"),
        [place, error = error_of(place)](Field& f) {
          f.minus.molecule = place.molecule;
          f.minus.volume = place.volume;
          f.minus.error = error;
        },
        false);
  });
  connect(resample_, &QCheckBox::clicked, this, [this](bool on) {
    Q_EMIT edited(
        on ? tr("Resample the map") : tr("Do not resample the map"), [on](Field& f) { f.minus.resample = on; }, false);
  });
  connect(own_error_, &QComboBox::activated, this, [this] { choose_error(own_error_, &Subtrahend::own_error); });
  connect(error_, &QComboBox::activated, this, [this] { choose_error(error_, &Subtrahend::error); });
}

MapChoice DifferenceRows::error_of(const MapPlace& map) const {
  const auto molecule = controller_.molecule(map.molecule);
  for (std::size_t v = 0; molecule && v < molecule->volumes.size(); ++v)
    if (v != map.volume && molecule->volumes[v]->name.find("standard error") != std::string::npos)
      return {true, map.molecule, static_cast<std::uint32_t>(v)};
  return {};
}

void DifferenceRows::choose(Kind kind) {
  if (kind == field_.minus.kind) return;
  Subtrahend minus;
  minus.kind = kind;
  Field settings = field_;
  if (kind == Kind::potential) {
    minus.molecule = charged_.empty() ? field_.molecule : charged_.front();
    minus.selection = field_.selection;
    for (const std::uint32_t molecule : charged_)
      if (molecule == field_.molecule) minus.molecule = molecule;
    const auto loaded = controller_.molecule(minus.molecule);
    if (!has_potential(field_) && loaded) paint_by_usual_potential(settings, *loaded);
    minus.potential = settings.potential;
    // What differs at once: an earlier frame, else another molecule.
    minus.fixed = loaded && loaded->frame_count() > 1;
    if (!minus.fixed)
      for (const std::uint32_t molecule : charged_)
        if (molecule != field_.molecule && minus.molecule == field_.molecule) minus.molecule = molecule;
  } else if (kind == Kind::map) {
    const bool own_map = !has_potential(field_);
    const MapPlace own = field_.kind == Field::Kind::volume && !painted_by_map(field_)
                             ? MapPlace{field_.molecule, field_.volume}
                             : MapPlace{field_.map_molecule, field_.map_volume};
    MapPlace place = maps_.empty() ? MapPlace{} : maps_.front().place;
    for (auto map = maps_.rbegin(); map != maps_.rend(); ++map)
      if (!own_map || !(map->place == own)) place = map->place;
    minus.molecule = place.molecule;
    minus.volume = place.volume;
    minus.error = error_of(place);
    if (own_map) minus.own_error = error_of(own);
  }
  Q_EMIT edited(
      kind == Kind::none ? tr("Show no difference") : tr("Show a difference"),
      [minus](Field& f) {
        f.minus = minus;
        f.paint_range = 0;  // of other values
      },
      false);
}

void DifferenceRows::choose_error(QComboBox* box, MapChoice Subtrahend::*which) {
  const int index = box->currentIndex() - 1;  // behind "None"
  MapChoice chosen;
  if (index >= 0 && index < static_cast<int>(maps_.size())) {
    const MapPlace place = maps_[static_cast<std::size_t>(index)].place;
    chosen = {true, place.molecule, place.volume};
  }
  Q_EMIT edited(
      tr("Change standard error"), [chosen, which](Field& f) { f.minus.*which = chosen; }, false);
}

void DifferenceRows::show_molecules_with_charges() {
  charged_.clear();
  QStringList names;
  for (std::size_t m = 0; m < controller_.scene().molecules.size(); ++m) {
    const auto loaded = controller_.molecule(m);
    if (!loaded || !loaded->topology || !loaded->topology->has_charges) continue;
    charged_.push_back(static_cast<std::uint32_t>(m));
    names += to_qt(file_title(controller_.scene().molecules[m].paths));
  }
  set_items(molecule_, names);
}

void DifferenceRows::show_charges(const Field& field) {
  sets_ = {std::string()};
  QStringList titles{tr("As shown")};
  if (field.minus.molecule < controller_.scene().molecules.size() &&
      controller_.scene().molecules[field.minus.molecule].assembly.empty()) {
    for (const ChargeSetChoice& set : charge_sets(controller_.scene(), controller_.documents(), field.minus.molecule)) {
      if (!set.charged || set.templates.size() > 1) continue;
      if (!set.templates.empty() && !names_tables(set.templates.front())) continue;
      sets_.push_back(set.templates.empty() ? "file" : set.templates.front());
      titles += to_qt(set.title);
    }
  }
  if (std::find(sets_.begin(), sets_.end(), field.minus.charges) == sets_.end()) {  // set elsewhere
    sets_.push_back(field.minus.charges);
    titles += to_qt(field.minus.charges);
  }
  set_items(charges_, titles);
  charges_->setCurrentIndex(
      static_cast<int>(std::find(sets_.begin(), sets_.end(), field.minus.charges) - sets_.begin()));
}

void DifferenceRows::show_maps_of(QComboBox* box, const QString& none, const MapChoice& chosen) {
  QStringList items;
  if (!none.isEmpty()) items += none;
  int now = none.isEmpty() ? -1 : 0;
  for (const Map& map : maps_) {
    if (chosen.given && map.place == MapPlace{chosen.molecule, chosen.volume}) now = static_cast<int>(items.size());
    items += map.text;
  }
  set_items(box, items);
  box->setCurrentIndex(now);
}

void DifferenceRows::show_field(const Field& field) {
  field_ = field;
  show_molecules_with_charges();
  maps_.clear();
  for (std::size_t m = 0; m < controller_.scene().molecules.size(); ++m) {
    const auto loaded = controller_.molecule(m);
    for (std::size_t v = 0; loaded && v < loaded->volumes.size(); ++v)
      maps_.push_back({to_qt(map_title(*loaded->volumes[v], *loaded)).simplified(),
                       {static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(v)}});
  }
  const Subtrahend& minus = field.minus;
  const bool possible = can_differ(field);
  QStringList items{tr("Nothing")};
  std::vector<Kind> kinds{Kind::none};
  if (!charged_.empty() || minus.kind == Kind::potential) {
    items += tr("Another potential");
    kinds.push_back(Kind::potential);
  }
  const std::size_t own_maps = has_potential(field) ? 0 : 1;
  if (maps_.size() > own_maps || minus.kind == Kind::map) {
    items += tr("A map");
    kinds.push_back(Kind::map);
  }
  set_items(minus_, items);
  for (int i = 0; i < static_cast<int>(kinds.size()); ++i)
    minus_->setItemData(i, static_cast<int>(kinds[static_cast<std::size_t>(i)]));
  minus_->setCurrentIndex(std::max(0, minus_->findData(static_cast<int>(minus.kind))));

  const bool potential = possible && minus.kind == Kind::potential;
  const bool map = possible && minus.kind == Kind::map;
  const auto loaded = controller_.molecule(minus.molecule);
  if (potential) {
    molecule_->setCurrentIndex(
        static_cast<int>(std::find(charged_.begin(), charged_.end(), minus.molecule) - charged_.begin()));
    atoms_->set_molecule(loaded, controller_.scene().frame, names_of(controller_.scene(), minus.molecule));
    atoms_->set_text(to_qt(minus.selection));
    show_charges(field);
    const QSignalBlocker quiet(frame_);
    const auto last = loaded ? std::max<std::size_t>(1, loaded->frame_count()) - 1 : std::size_t{0};
    frame_->setMaximum(std::max(static_cast<int>(last), static_cast<int>(minus.frame)));
    if (!frame_->hasFocus()) frame_->setValue(minus.fixed ? static_cast<int>(minus.frame) : shown_frame);
    method_->setCurrentIndex(static_cast<int>(minus.potential.method));
  }
  if (map) {
    show_maps_of(map_, {}, {true, minus.molecule, minus.volume});
    resample_->setChecked(minus.resample);
    show_maps_of(own_error_, tr("None"), minus.own_error);
    show_maps_of(error_, tr("None"), minus.error);
  }
  const bool errors = map && (maps_.size() > own_maps + 1 || minus.own_error.given || minus.error.given);
  show_row(form_, minus_, possible && kinds.size() > 1);
  show_row(form_, molecule_, potential && charged_.size() > 1);
  show_row(form_, atoms_, potential);
  show_row(form_, charges_, potential && sets_.size() > 2);
  show_row(form_, frame_, potential && ((loaded && loaded->frame_count() > 1) || minus.fixed));
  show_row(form_, method_, potential);
  show_row(form_, map_, map);
  show_row(form_, resample_, map && field.kind == Field::Kind::volume && values_differ(field));
  show_row(form_, own_error_, errors);
  show_row(form_, error_, errors);
}

}  // namespace isolume
