// What the mouse does to atoms and surfaces in the 3D view: hover, select, measure, turn an isovalue.
#include "app/window/shell/pick_actions.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "app/fields/field_styles.h"
#include "app/models/labels.h"
#include "app/scene/moved_molecules.h"
#include "app/scene/named_selections.h"
#include "app/view/measurement.h"
#include "app/window/over_time/probe_tool.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/measure_panel.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/panels.h"
#include "app/window/shell/status_line.h"
#include "app/window/shell/view_actions.h"
#include "app/window/viewport/label_painter.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/value_slider.h"
#include "molecule/selection/selection.h"
#include "render/tiles.h"

namespace isolume {
namespace {

/// The atoms of one molecule of the view that lie in a box of the picture, of those that a representation shows.
std::vector<PickedAtom> atoms_in_box(const BuiltView& built, Documents& documents, const Camera& camera, QSizeF size,
                                     const QRectF& box, std::size_t tile) {
  std::vector<PickedAtom> result;
  const bool tiled = tile < built.view.tiles.size();
  const SceneView& view = tiled ? built.view.tiles[tile] : built.view;
  for (std::uint32_t m = 0; m < built.scene.molecules.size(); ++m) {
    if (tiled && view.object != m + 1) continue;
    const auto molecule = documents.loaded(built.scene.molecules[m]);
    if (!molecule || !molecule->topology || m >= built.drawn.size() || !built.frames[m] || !built.drawn[m]) continue;
    const Frame& frame = *built.frames[m];
    const std::vector<glm::vec3>& places = built.drawn[m]->positions;
    std::vector<std::uint8_t> shown(molecule->atom_count(), 0);
    for (const Representation& representation : built.scene.representations) {
      if (!representation.visible || representation.molecule != m || !built.scene.molecules[m].visible) continue;
      const std::string words = with_names(built.scene, m, representation.selection);
      const auto mask = Selection(words).mask(*molecule->topology, frame);
      for (std::size_t i = 0; i < mask.size(); ++i) shown[i] = shown[i] | mask[i];
    }
    for (std::uint32_t i = 0; i < shown.size() && i < places.size(); ++i) {
      if (shown[i] && box.contains(project(view, camera, glm::dvec3(places[i]), size))) {
        result.push_back({m, i});
      }
    }
  }
  return result;
}

/// "12 atoms of 3 residues selected: A/ALA 12, A/GLY 13, A/SER 14": for who cannot see halos. Empty without atoms.
QString selection_summary(const SceneController& controller) {
  constexpr int most_named = 5;
  const auto& picked = controller.picked();
  if (picked.empty()) return {};
  std::map<std::uint32_t, std::vector<std::uint8_t>> seen;  // residues of each molecule
  QStringList names;
  std::size_t residues = 0;
  for (const PickedAtom& atom : picked) {
    const auto topology = controller.topology(atom.molecule);
    if (!topology || atom.atom >= topology->atoms.size()) continue;
    std::vector<std::uint8_t>& own = seen[atom.molecule];
    own.resize(topology->residues.size());
    const std::uint32_t number = topology->atoms[atom.atom].residue;
    if (std::exchange(own[number], 1)) continue;
    ++residues;
    if (names.size() >= most_named) continue;
    const Residue& residue = topology->residues[number];
    const QString chain = to_qt(topology->chains[residue.chain].id);
    names += QStringLiteral("%1%2 %3")
                 .arg(chain.isEmpty() ? chain : chain + QLatin1Char('/'), to_qt(residue.name))
                 .arg(residue.number);
  }
  QString text =
      PickActions::tr("%1 of %2 selected: %3")
          .arg(atom_count_label(picked.size()),
               residues == 1 ? PickActions::tr("1 residue") : PickActions::tr("%1 residues").arg(count_label(residues)),
               names.join(QStringLiteral(", ")));
  if (residues > static_cast<std::size_t>(names.size()))
    text += PickActions::tr(" and %1 more").arg(residues - static_cast<std::size_t>(names.size()));
  return text;
}

}  // namespace

PickActions::PickActions(MainWindow& window)
    : window_(window),
      controller_(window.controller()),
      viewport_(window.viewport()),
      picture_(window.picture()),
      actions_(window.commands()) {
  connect(&viewport_, &Viewport::hovered, this, [this](PickId id) { show_hover(as_now(id)); });
  connect(&viewport_, &Viewport::clicked, this,
          [this](PickId id, Qt::KeyboardModifiers modifiers) { pick(as_now(id), modifiers); });
  connect(&viewport_, &Viewport::double_clicked, this, [this](PickId seen) {
    const PickId id = as_now(seen);
    if (measuring_ > 0 || window_.probe_tool().active()) {
      pick(id, Qt::NoModifier);
    } else if (id.object == 0) {
      window_.view_actions().reset();
    } else {
      pick(id, Qt::NoModifier);
      window_.view_actions().centre_on_picked();
    }
  });
  connect(&viewport_, &Viewport::box_drawn, this, &PickActions::pick_box);
  connect(&viewport_, &Viewport::isovalue_turned, this, &PickActions::turn_isovalue);
  for (int i = 0; i < actions_.measures.size(); ++i) {
    connect(actions_.measures[i], &QAction::triggered, this, [this, i] { measure_atoms(i < 4 ? i + 1 : 2, i == 4); });
  }
  connect(actions_.add_labels, &QAction::triggered, this, [this] {
    window_.panels().raise("measure", true);
    window_.measure().label_selected();
  });
  connect(actions_.remove_measurements, &QAction::triggered, this,
          [this] { controller_.edit(tr("Remove measurements"), [](Scene& scene) { scene.measurements.clear(); }); });
  connect(actions_.pick_none, &QAction::triggered, this, [this] { controller_.set_picked({}); });
  connect(&controller_, &SceneController::picked_changed, this, &PickActions::show_picked);
}

void PickActions::show_picked() {
  actions_.centre->setEnabled(!controller_.picked().empty());
  actions_.fit_picked->setEnabled(!controller_.picked().empty());
  atom_text_.clear();
  if (!controller_.picked().empty()) {
    const PickedAtom last = controller_.picked().back();
    atom_text_ = describe({last.molecule + 1, last.atom});
    if (controller_.picked().size() > 1) atom_text_ += tr("   %1 atoms selected").arg(controller_.picked().size());
  }
  viewport_.describe_selection(selection_summary(controller_));
  window_.status().show_atom(atom_text_);
}

PickId PickActions::as_now(PickId id) const {
  const auto& drawn = picture_.drawn();
  if (!drawn || id.object == 0 || id.object >= field_objects) return id;
  const auto place = molecule_in(controller_.scene(), drawn->scene, id.object - 1);
  id.object = place ? *place + 1 : 0;
  return id;
}

QString PickActions::describe(PickId id) const {
  if (id.object == 0) return {};
  const auto topology = controller_.topology(id.object - 1);
  if (!topology || id.part >= topology->atoms.size()) return {};
  const Frame* frame = nullptr;
  const auto& built = picture_.built();
  const bool same = built && built->scene.molecules.size() == controller_.scene().molecules.size();
  if (same && id.object - 1 < built->frames.size()) frame = built->frames[id.object - 1].get();
  return atom_label(*topology, frame, id.part);
}

void PickActions::show_hover(PickId id) {
  const QString text = describe(id);
  window_.status().show_atom(text.isEmpty() ? atom_text_ : text);
}

void PickActions::pick(PickId id, Qt::KeyboardModifiers modifiers) {
  const bool add = modifiers.testFlag(Qt::ControlModifier) || modifiers.testFlag(Qt::ShiftModifier);
  const bool on_atom = id.object != 0 && !describe(id).isEmpty();
  if (window_.probe_tool().active())
    return window_.probe_tool().pick(id, on_atom, modifiers.testFlag(Qt::ShiftModifier));
  if (ruler_) return add_ruler_end(id, on_atom && !modifiers.testFlag(Qt::ShiftModifier));
  if (measuring_ > 0 && !on_atom) return;  // not on an atom: the atoms picked so far stay
  std::vector<PickedAtom> picked = add || measuring_ > 0 ? controller_.picked() : std::vector<PickedAtom>{};
  if (on_atom) {
    const PickedAtom atom{id.object - 1, id.part};
    if (measuring_ > 0 && !picked.empty() && picked.back() == atom) return;
    if (add && measuring_ == 0 && std::erase(picked, atom) > 0) {
      controller_.set_picked(std::move(picked));
      return;
    }
    picked.push_back(atom);
  }
  controller_.set_picked(std::move(picked));
  if (measuring_ > 0 && controller_.picked().size() == static_cast<std::size_t>(measuring_)) {
    add_measurement();
  }
  if (measuring_ > 0) show_measuring();
}

void PickActions::add_ruler_end(PickId id, bool on_atom) {
  std::vector<PickedAtom> picked = controller_.picked();
  if (on_atom) {
    const PickedAtom atom{id.object - 1, id.part};
    if (!picked.empty() && picked.back() == atom) return;
    picked.push_back(atom);
    controller_.set_picked(std::move(picked));
  } else if (id.placed) {
    const ScenePoint point{id.place};
    if (!points_.empty() && points_.back() == point) return;  // a double click
    points_.push_back(point);
  }
  if (ends() == measuring_) add_measurement();
  show_measuring();
}

int PickActions::ends() const {
  return static_cast<int>(controller_.picked().size() + points_.size());
}

void PickActions::pick_box(QRectF box, bool adds) {
  const auto built = picture_.built();
  if (!built) return;
  // The box belongs to the tile in which it was begun: that of its middle.
  const std::size_t tile = viewport_.tile_at(box.center());
  const QRectF room = viewport_.tile_rect(tile);
  const Camera seen =
      tile < built->view.tiles.size() ? tile_camera(viewport_.camera(), built->view.tiles[tile]) : viewport_.camera();
  box.translate(-room.topLeft());
  run_async(
      this,
      [built, documents = &controller_.documents(), seen, size = room.size(), box, tile] {
        return atoms_in_box(*built, *documents, seen, size, box, tile);
      },
      [this, built, adds, number = controller_.begin_picking()](const std::vector<PickedAtom>& in_picture) {
        const std::vector<PickedAtom> found = controller_.atoms_now(built->scene, in_picture);
        std::vector<PickedAtom> picked = controller_.picked();
        const auto order = [](const PickedAtom& a, const PickedAtom& b) {
          return std::pair(a.molecule, a.atom) < std::pair(b.molecule, b.atom);
        };
        std::erase_if(picked, [&](const PickedAtom& atom) {
          return std::binary_search(found.begin(), found.end(), atom, order);
        });
        if (adds) picked.insert(picked.end(), found.begin(), found.end());
        controller_.finish_picking(number, std::move(picked));
      },
      [this](const QString& message) { window_.say(message, true); });
}

void PickActions::measure_atoms(int count, bool ruler) {
  if (measuring_ == count && ruler_ == ruler) {
    end_measuring();
    return;
  }
  window_.probe_tool().end();
  const bool ready = measuring_ == 0 && controller_.picked().size() == static_cast<std::size_t>(count);
  measuring_ = count;
  ruler_ = ruler;
  points_.clear();
  if (ready) {
    add_measurement();
    end_measuring();
    return;
  }
  controller_.set_picked({});
  show_measuring();
}

void PickActions::measure_from(std::uint32_t molecule, std::uint32_t atom, int count) {
  end_measuring();
  controller_.set_picked({});
  measure_atoms(count);
  controller_.set_picked({PickedAtom{molecule, atom}});
  show_measuring();
}

void PickActions::select_words(std::optional<std::uint32_t> only, const QString& words,
                               std::function<void(std::size_t)> done, std::function<void(const QString&)> failed) {
  run_async(
      this,
      [documents = &controller_.documents(), built = picture_.built(), only, words, scene = controller_.scene()] {
        std::vector<PickedAtom> picked;
        bool any = false;
        for (std::uint32_t m = 0; m < scene.molecules.size(); ++m) {
          if (only ? m != *only : !scene.molecules[m].visible) continue;
          // What was moved just now may still have to be placed.
          const auto molecule = documents->molecule(scene.molecules[m]);
          if (!molecule->topology) continue;
          any = true;
          const std::string text = with_names(scene, m, words.toStdString());
          const Frame none;
          const Frame* frame = built && m < built->frames.size() ? built->frames[m].get() : nullptr;
          for (const std::uint32_t atom : Selection(text).atoms(*molecule->topology, frame ? *frame : none))
            picked.push_back({m, atom});
        }
        if (!any) throw Error("there are no atoms to select", Error::Kind::usage);
        return picked;
      },
      [this, done = std::move(done), picking = controller_.begin_picking()](std::vector<PickedAtom> picked) {
        if (done) done(picked.size());
        controller_.finish_picking(picking, std::move(picked));
      },
      std::move(failed));
}

void PickActions::add_measurement() {
  Measurement measurement;
  measurement.ruler = ruler_;
  for (const PickedAtom& atom : controller_.picked()) measurement.atoms.push_back({atom.molecule, atom.atom});
  measurement.points = std::exchange(points_, {});
  const auto& there = controller_.scene().measurements;
  const bool known = std::any_of(there.begin(), there.end(), [&](const Measurement& m) {
    return m.atoms == measurement.atoms && m.points == measurement.points && m.ruler == measurement.ruler;
  });
  controller_.set_picked({});
  if (known) return;
  controller_.edit(tr("Add %1").arg(to_qt(measurement_name(measurement))),
                   [&](Scene& scene) { scene.measurements.push_back(measurement); });
}

void PickActions::show_measuring() {
  for (int i = 0; i < actions_.measures.size(); ++i)
    actions_.measures[i]->setChecked(i < 4 ? measuring_ == i + 1 && !ruler_ : measuring_ == 2 && ruler_);
  if (measuring_ == 0) {
    viewport_.set_hint({});
    return;
  }
  QString name = to_qt(measurement_name(static_cast<std::size_t>(measuring_)));
  name[0] = name[0].toUpper();
  const int left = measuring_ - ends();
  if (ruler_) {
    const QString from = points_.empty() ? QString() : tr(" from %1").arg(point_label(points_.back().position));
    viewport_.set_hint(left == 1 ? tr("Ruler%1: click the other end. Esc ends").arg(from)
                                 : tr("Ruler: click two ends, atoms or points of a surface, a map or the background "
                                      "(Shift: the point on an atom). Esc ends"));
    return;
  }
  const QString atoms = left == 1 ? tr("1 more atom") : tr("%1 more atoms").arg(left);
  viewport_.set_hint(tr("%1: click %2. Esc ends").arg(name, atoms));
}

void PickActions::end_measuring() {
  const bool was = measuring_ > 0;
  measuring_ = 0;
  ruler_ = false;
  points_.clear();
  show_measuring();
  if (was) controller_.set_picked({});
}

void PickActions::turn_isovalue(double steps) {
  const Scene& scene = controller_.scene();
  int field = window_.field_panel().current();
  for (std::size_t i = 0;
       i < scene.fields.size() && (field < 0 || !scene.fields[static_cast<std::size_t>(field)].visible); ++i) {
    if (scene.fields[i].visible) field = static_cast<int>(i);
  }
  if (field < 0 || !scene.fields[static_cast<std::size_t>(field)].visible) return;
  controller_.edit(
      tr("Change isovalue"),
      [&](Scene& next) {
        Field& f = next.fields[static_cast<std::size_t>(field)];
        // Rounded to what a person would type.
        const double value = shown_isovalue(f) * std::pow(1.1, steps);
        const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 2);
        f.isovalue = std::round(value / unit) * unit;
      },
      true);
  const Field& turned = controller_.scene().fields[static_cast<std::size_t>(field)];
  const QString unit = turned.kind == Field::Kind::potential ? QString::fromUtf8(name(turned.potential.unit))
                                                             : isovalue_unit(turned.kind);
  window_.status().showMessage(tr("Isovalue %1 %2").arg(turned.isovalue, 0, 'g', 3).arg(unit), 2000);
}

}  // namespace isolume
