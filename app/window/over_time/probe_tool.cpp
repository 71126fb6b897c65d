// The tool that puts probes where the user clicks.
#include "app/window/over_time/probe_tool.h"

#include <QAction>
#include <QMenu>
#include <algorithm>

#include "app/fields/field_styles.h"
#include "app/fields/probes/scene_probes.h"
#include "app/models/labels.h"
#include "app/window/over_time/residue_rows.h"
#include "molecule/base/error.h"

namespace isolume {

ProbeTool::ProbeTool(SceneController& controller, std::function<bool(PickedAtom, glm::vec3&)> position, QObject* parent)
    : QObject(parent),
      controller_(controller),
      position_(std::move(position)),
      action_(new QAction(tr("Pro&be"), this)) {
  action_->setObjectName(QStringLiteral("probe"));
  action_->setCheckable(true);
  action_->setShortcut(QKeySequence(Qt::Key_6));
  action_->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  action_->setToolTip(
      tr("Potential and field where you click, and what each residue adds to them: an atom, the middle "
         "of a bond, with Shift a residue, or a point of a surface (6)"));
  action_->setProperty("words", tr("probe potential field contribution residue bond electrostatic Stark"));
  connect(action_, &QAction::toggled, this, [this](bool on) {
    if (on) Q_EMIT began();
    Q_EMIT hint_changed(
        on ? tr("Probe: click an atom, the middle of a bond or a surface (Shift: the residue). Esc ends") : QString());
  });
}

bool ProbeTool::active() const {
  return action_->isChecked();
}

void ProbeTool::end() {
  action_->setChecked(false);
}

std::int64_t ProbeTool::bonded(PickId id) const {
  constexpr double aside = 0.4, from_atom = 0.25;  // angstrom from the axis at most, parts of the bond at least
  const auto topology = controller_.topology(id.object - 1);
  glm::vec3 here;
  if (!id.placed || !topology || !position_({id.object - 1, id.part}, here)) return -1;
  for (const Bond& bond : topology->bonds) {
    if (bond.a != id.part && bond.b != id.part) continue;
    const std::uint32_t other = bond.a == id.part ? bond.b : bond.a;
    glm::vec3 there;
    if (!position_({id.object - 1, other}, there)) continue;
    const glm::dvec3 along = glm::dvec3(there) - glm::dvec3(here), to = id.place - glm::dvec3(here);
    const double squared = glm::dot(along, along);
    if (!(squared > 0)) continue;
    const double part = glm::dot(to, along) / squared;
    if (part >= from_atom && part <= 1 - from_atom && glm::length(to - part * along) <= aside) return other;
  }
  return -1;
}

FieldProbe ProbeTool::at_atom(PickId id, bool residue) const {
  FieldProbe probe;
  probe.molecule = id.object - 1;
  probe.atom = id.part;
  probe.kind = residue ? FieldProbe::Kind::residue : FieldProbe::Kind::atom;
  return probe;
}

FieldProbe ProbeTool::at_point(PickId id) const {
  const Scene& scene = controller_.scene();
  FieldProbe probe;
  probe.position = id.place;
  if (id.object >= field_objects && id.object - field_objects < scene.fields.size())
    probe.molecule = scene.fields[id.object - field_objects].molecule;
  const auto has_charges = [this](std::size_t m) {
    const auto topology = controller_.topology(m);
    return topology && topology->has_charges;
  };
  // The surface of a map that is a file of its own: the charges are another molecule's.
  for (std::uint32_t m = 0; m < scene.molecules.size() && !has_charges(probe.molecule); ++m)
    if (has_charges(m)) probe.molecule = m;
  return probe;
}

void ProbeTool::pick(PickId id, bool on_atom, bool residue) {
  if (!on_atom) {
    if (id.placed && id.object >= field_objects) add(at_point(id));
    return;
  }
  FieldProbe probe = at_atom(id, residue);
  if (const std::int64_t other = residue ? -1 : bonded(id); other >= 0) {
    probe.kind = FieldProbe::Kind::bond;
    probe.second = static_cast<std::uint32_t>(other);
  }
  add(probe);
}

void ProbeTool::add_entries(QMenu& menu, PickId id, bool on_atom) {
  const auto act = [this](QMenu& into, const QString& text, const FieldProbe& probe) {
    connect(into.addAction(text), &QAction::triggered, this, [this, probe] { add(probe); });
  };
  if (!on_atom) {
    if (id.placed && id.object >= field_objects) act(menu, tr("Pro&be here"), at_point(id));
    return;
  }
  const auto topology = controller_.topology(id.object - 1);
  if (!topology || id.part >= topology->atoms.size()) return;
  QMenu* sub = menu.addMenu(tr("Pro&be here"));
  sub->setAccessibleName(tr("Probe here"));
  sub->setToolTipsVisible(true);
  const auto name = [&](std::uint32_t atom) { return to_qt(topology->atoms[atom].name); };
  act(*sub, tr("Atom %1").arg(name(id.part)), at_atom(id, false));
  act(*sub, tr("Residue %1").arg(residue_title(*topology, topology->atoms[id.part].residue)), at_atom(id, true));
  for (const Bond& bond : topology->bonds) {
    if (bond.a != id.part && bond.b != id.part) continue;
    FieldProbe probe = at_atom(id, false);
    probe.kind = FieldProbe::Kind::bond;
    probe.second = bond.a == id.part ? bond.b : bond.a;
    act(*sub, tr("Bond %1\u2013%2").arg(name(id.part), name(probe.second)), probe);
  }
}

void ProbeTool::add(const FieldProbe& probe) {
  if (probe.molecule >= controller_.scene().molecules.size()) return;
  const auto& there = controller_.scene().probes;
  auto found = std::find(there.begin(), there.end(), probe);
  const auto place = static_cast<int>(found - there.begin());
  if (found == there.end()) controller_.edit(tr("Add probe"), [&](Scene& scene) { scene.probes.push_back(probe); });
  Q_EMIT added(place);
}

QString probe_label(const SceneController& controller, std::size_t number) {
  const FieldProbe& probe = controller.scene().probes[number];
  if (probe.kind == FieldProbe::Kind::point)
    return QStringLiteral("(%1, %2, %3)")
        .arg(probe.position.x, 0, 'f', 2)
        .arg(probe.position.y, 0, 'f', 2)
        .arg(probe.position.z, 0, 'f', 2);
  const auto topology = controller.topology(probe.molecule);
  try {
    if (topology) return to_qt(place_of(controller.scene(), number, *topology).name);
  } catch (const Error&) {  // the panel of probes says what is wrong
  }
  return QStringLiteral("\u2013");
}

}  // namespace isolume
