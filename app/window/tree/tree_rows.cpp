// The rows of the scene tree: the objects of a scene, in order.
#include "app/window/tree/tree_rows.h"

#include <QCoreApplication>
#include <algorithm>

#include "app/documents/titles.h"
#include "app/models/labels.h"
#include "app/models/scene_list_model.h"
#include "app/view/measurement.h"
#include "app/view/probe_mark.h"
#include "app/window/over_time/probe_tool.h"
#include "app/window/panels/label_form.h"
#include "app/window/panels/measure_panel.h"

namespace isolume {
namespace {

using Kind = TreeRow::Kind;
constexpr glm::u8vec4 usual_carbon{144, 144, 144, 255};
constexpr std::size_t most_parts = 200;  // of a kind in a molecule; a capsid has hundreds of chains
constexpr std::size_t loose_parts = 6;   // more are in a group of their own

QString tr(const char* text) {
  return QCoreApplication::translate("SceneTree", text);
}

Qt::CheckState state(bool visible) {
  return visible ? Qt::Checked : Qt::Unchecked;
}

QColor to_colour(glm::u8vec4 colour) {
  return {colour.r, colour.g, colour.b};
}

class Rows {
 public:
  Rows(const SceneController& controller, const std::vector<std::vector<MoleculePart>>& parts)
      : controller_(controller), scene_(controller.scene()), parts_(parts) {}

  std::vector<TreeRow> all() {
    for (std::uint32_t m = 0; m < scene_.molecules.size(); ++m) add_molecule(m);
    add_measurements();
    add_labels();
    add_interactions();
    add_probes();
    add_selections();
    return std::move(rows_);
  }

 private:
  TreeRow& add(Kind kind, int level, std::size_t index, const QString& title, std::optional<Qt::CheckState> visible) {
    TreeRow row;
    row.kind = kind;
    row.level = level;
    row.index = index;
    row.title = title;
    row.visible = visible;
    rows_.push_back(row);
    return rows_.back();
  }

  void add_molecule(std::uint32_t m) {
    const SceneMolecule& molecule = scene_.molecules[m];
    TreeRow& row = add(Kind::molecule, 0, m, to_qt(file_title(molecule.paths)), state(molecule.visible));
    row.molecule = m;
    if (molecule.paths.size() > 1) row.detail = tr("and %1 more").arg(molecule.paths.size() - 1);
    const auto loaded = controller_.molecule(m);
    if (loaded && loaded->topology && row.detail.isEmpty() && loaded->atom_count() > 0)
      row.detail = atom_count_label(loaded->atom_count());
    if (m < parts_.size() && loaded && loaded->topology) {
      add_parts(m, *loaded->topology, MoleculePart::Kind::chain);
      add_parts(m, *loaded->topology, MoleculePart::Kind::ligand);
    }
    for (std::size_t i = 0; i < scene_.representations.size(); ++i)
      if (scene_.representations[i].molecule == m) add_representation(i);
    for (std::size_t i = 0; i < scene_.fields.size(); ++i)
      if (scene_.fields[i].molecule == m) add_field(i);
  }

  void add_parts(std::uint32_t m, const Topology& topology, MoleculePart::Kind kind) {
    const bool chains = kind == MoleculePart::Kind::chain;
    const auto& parts = parts_[m];
    const auto count =
        static_cast<std::size_t>(std::count_if(parts.begin(), parts.end(), [&](auto& p) { return p.kind == kind; }));
    const int level = count > loose_parts ? 2 : 1;
    if (level == 2) {
      TreeRow& group = add(chains ? Kind::chains : Kind::ligands, 1, 0, chains ? tr("Chains") : tr("Ligands"), {});
      group.molecule = m;
      group.detail = count > most_parts ? tr("the first %1 of %2").arg(most_parts).arg(count) : QString::number(count);
    }
    std::size_t added = 0;
    for (std::size_t i = 0; i < parts.size() && added < most_parts; ++i) {
      const MoleculePart& part = parts[i];
      if (part.kind != kind || part.first_atom >= topology.atoms.size()) continue;
      ++added;
      TreeRow& row = add(chains ? Kind::chain : Kind::ligand, level, i,
                         chains ? tr("Chain %1").arg(to_qt(part.name)) : to_qt(part.name), state(part.shown));
      row.molecule = m;
      row.enabled = scene_.molecules[m].visible;
      row.detail = atom_count_label(part.atoms);
      if (!chains && !part.chain.empty()) row.detail = tr("chain %1, %2").arg(to_qt(part.chain), row.detail);
      row.words = chains ? to_qt(chain_selection(part.chain)) : residue_selection(topology, part.first_atom);
    }
  }

  void add_representation(std::size_t i) {
    const Representation& own = scene_.representations[i];
    const SceneRow shown = scene_row(own);
    TreeRow& row = add(Kind::representation, 1, i, shown.what, state(own.visible));
    row.molecule = own.molecule;
    row.detail = shown.detail;
    if (own.colouring == Colouring::uniform || own.colouring == Colouring::element) {
      row.colour = own.colour.a > 0 ? own.colour : usual_carbon;
      row.swatch = {to_colour(*row.colour)};
    }
  }

  void add_field(std::size_t i) {
    const Field& own = scene_.fields[i];
    const SceneRow shown = scene_row(own);
    TreeRow& row = add(Kind::field, 1, i, shown.what, state(own.visible));
    row.molecule = own.molecule;
    row.detail = shown.detail;
    row.swatch = shown.colours;
    if (!row.swatch.empty()) row.colour = own.colour;
    const auto molecule = controller_.molecule(own.molecule);
    if (own.kind == Field::Kind::volume && molecule && own.volume < molecule->volumes.size())
      row.detail = to_qt(volume_title(*molecule, own.volume));
  }

  /// A group, whose check box is that of all its rows.
  template <class List>
  void add_group(Kind kind, const QString& title, const List& list) {
    const auto shown = std::count_if(list.begin(), list.end(), [](const auto& own) { return own.visible; });
    const bool some = shown > 0 && shown < static_cast<long>(list.size());
    add(kind, 0, 0, title, some ? Qt::PartiallyChecked : state(shown > 0)).detail = QString::number(list.size());
  }

  void add_measurements() {
    if (scene_.measurements.empty()) return;
    add_group(Kind::measurements, tr("Measurements"), scene_.measurements);
    for (std::size_t i = 0; i < scene_.measurements.size(); ++i) {
      const Measurement& own = scene_.measurements[i];
      QString name = to_qt(measurement_name(own));
      name[0] = name[0].toUpper();
      TreeRow& row = add(Kind::measurement, 1, i, name, state(own.visible));
      row.detail = measured_ends_label(controller_, own);
      row.colour = own.colour;
      row.swatch = {to_colour(own.colour)};
    }
  }

  /// The name of a molecule before its parts, where there are several.
  QString of_molecule(std::uint32_t molecule, const QString& text) const {
    if (scene_.molecules.size() < 2) return text;
    return tr("%1: %2").arg(to_qt(file_title(scene_.molecules[molecule].paths)), text);
  }

  void add_labels() {
    if (scene_.labels.empty()) return;
    add_group(Kind::labels, tr("Labels"), scene_.labels);
    for (std::size_t i = 0; i < scene_.labels.size(); ++i) {
      const LabelSet& own = scene_.labels[i];
      const bool text = own.text == LabelSet::Text::own;
      TreeRow& row = add(Kind::label_set, 1, i, text ? to_qt(own.own) : LabelForm::title(own.text), state(own.visible));
      row.detail = of_molecule(own.molecule, to_qt(own.selection));
      row.renames = text;
    }
  }

  void add_interactions() {
    if (scene_.interactions.empty()) return;
    add_group(Kind::interactions, tr("Interactions"), scene_.interactions);
    for (std::size_t i = 0; i < scene_.interactions.size(); ++i) {
      const InteractionSet& own = scene_.interactions[i];
      const QString atoms =
          own.other.empty() ? to_qt(own.selection) : tr("%1 with %2").arg(to_qt(own.selection), to_qt(own.other));
      add(Kind::interaction_set, 1, i, tr("Interactions"), state(own.visible)).detail =
          of_molecule(own.molecule, atoms);
    }
  }

  void add_probes() {
    if (scene_.probes.empty()) return;
    add_group(Kind::probes, tr("Probes"), scene_.probes);
    for (std::size_t i = 0; i < scene_.probes.size(); ++i) {
      const FieldProbe& own = scene_.probes[i];
      TreeRow& row = add(Kind::probe, 1, i, tr("Probe %1").arg(i + 1), state(own.visible));
      row.detail = of_molecule(own.molecule, probe_label(controller_, i));
      row.swatch = {to_colour(probe_colour(i))};
    }
  }

  void add_selections() {
    QStringList seen;
    for (std::size_t i = 0; i < scene_.selections.size(); ++i) {
      const NamedSelection& own = scene_.selections[i];
      const QString name = to_qt(own.name);
      if (seen.contains(name)) continue;
      if (seen.isEmpty()) add(Kind::selections, 0, 0, tr("Named selections"), {});
      seen += name;
      TreeRow& row = add(Kind::selection, 1, i, name, {});
      row.detail = of_molecule(own.molecule, to_qt(own.selection)).left(200);
      row.words = QStringLiteral("@") + name;
      row.renames = true;
    }
  }

  const SceneController& controller_;
  const Scene& scene_;
  const std::vector<std::vector<MoleculePart>>& parts_;
  std::vector<TreeRow> rows_;
};

}  // namespace

QString TreeRow::key() const {
  return QStringLiteral("%1/%2/%3")
      .arg(static_cast<int>(kind))
      .arg(molecule)
      .arg(is_part() ? words : QString::number(index));
}

bool TreeRow::is_group() const {
  return kind == Kind::chains || kind == Kind::ligands || kind == Kind::measurements || kind == Kind::labels ||
         kind == Kind::interactions || kind == Kind::selections || kind == Kind::probes;
}

std::vector<TreeRow> tree_rows(const SceneController& controller, const std::vector<std::vector<MoleculePart>>& parts) {
  return Rows(controller, parts).all();
}

}  // namespace isolume
