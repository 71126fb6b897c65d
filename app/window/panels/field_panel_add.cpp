// The panel of computed fields: the menu that adds fields, and their initial settings.
#include <QMenu>
#include <QTreeView>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "app/documents/documents.h"
#include "app/documents/table_charges.h"
#include "app/documents/titles.h"
#include "app/fields/field_atoms.h"
#include "app/models/labels.h"
#include "app/models/scene_list_model.h"
#include "app/scene/density_name.h"
#include "app/view/give_charges.h"
#include "app/view/usual_contacts.h"
#include "app/view/usual_look.h"
#include "app/view/usual_potential.h"
#include "app/window/panels/field_panel.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/list_bar.h"

namespace isolume {
namespace {

/// The first molecule that the built-in tables give charges to; -1 where there is none.
int molecule_for_tables(const SceneController& controller) {
  for (std::size_t i = 0; i < controller.scene().molecules.size(); ++i) {
    const auto molecule = controller.molecule(i);
    if (molecule && controller.scene().molecules[i].templates.empty() && takes_tables(*molecule))
      return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

void FieldPanel::fill_add_menu() {
  QMenu* menu = bar_->add_button()->menu();
  menu->clear();
  struct Entry {
    Field::Kind kind;
    QString text, needs;
    bool isosurfaces = false;
    const char* density = nullptr;
    bool bare = false;
  };
  const Entry entries[] = {
      {Field::Kind::gaussian, tr("Molecular surface (smooth)"), tr("needs atoms")},
      {Field::Kind::solvent_excluded, tr("Solvent-excluded surface"), tr("needs atoms")},
      {Field::Kind::solvent_accessible, tr("Solvent-accessible surface"), tr("needs atoms")},
      {Field::Kind::solvent_excluded, tr("Van der Waals surface"), tr("needs atoms"), false, nullptr, true},
      {Field::Kind::cavities, tr("Cavities and pockets"), tr("needs atoms")},
      {Field::Kind::contacts, tr("Noncovalent contacts"), tr("needs atoms")},
      {Field::Kind::orbital, tr("Orbital"), tr("needs orbitals, as in a Molden file")},
      {Field::Kind::orbital, tr("Electron density"), tr("needs orbitals"), false, electron_density_name},
      {Field::Kind::orbital, tr("Spin density"), tr("needs orbitals"), false, spin_density_name},
      {Field::Kind::potential, tr("Electrostatic potential"),
       tr("needs partial charges, as in a PQR, PSF or PRMTOP file")},
      {Field::Kind::potential, tr("Isosurfaces of the potential"), tr("needs partial charges"), true},
      {Field::Kind::volume, tr("Isosurface of a map"), tr("needs a map, as in a cube, OpenDX or MRC file")}};
  for (const Entry& entry : entries) {
    const bool possible =
        molecule_for(controller_, entry.kind) >= 0 ||
        (entry.kind == Field::Kind::potential && !entry.isosurfaces && molecule_for_tables(controller_) >= 0);
    QAction* action = menu->addAction(possible ? entry.text : entry.text + tr(" (%1)").arg(entry.needs));
    action->setEnabled(possible);
    connect(action, &QAction::triggered, this,
            [this, kind = entry.kind, isosurfaces = entry.isosurfaces, density = entry.density, bare = entry.bare] {
              density ? add_density(density) : isosurfaces ? add_isosurfaces() : add(kind, bare);
            });
  }
}

void FieldPanel::add(Field::Kind kind, bool bare) {
  const int molecule = molecule_for(controller_, kind);
  if (molecule < 0) {
    if (const int bare = molecule_for_tables(controller_); kind == Field::Kind::potential && bare >= 0)
      return add_charged(bare);
    // A key or a button that does nothing says why.
    const auto first = controller_.scene().molecules.empty() ? nullptr : controller_.molecule(0);
    if (kind != Field::Kind::potential || !first) return;
    // The command line's words name its options.
    Q_EMIT refused(
        !first->orbitals.empty()
            ? tr("%1 has orbitals and no partial charges. Compute: Electron density has the exact potential of its "
                 "electrons and nuclei on the density.")
                  .arg(to_qt(file_title(controller_.scene().molecules[0].paths)))
            : tr("%1 has no partial charges, so it has no electrostatic potential. Open a file with charges: "
                 "PQR (pdb2pqr makes one from a PDB file), PSF, PRMTOP, MOL2 or extended XYZ.")
                  .arg(to_qt(file_title(controller_.scene().molecules[0].paths))));
    return;
  }
  if (kind == Field::Kind::potential) {
    const auto loaded = controller_.molecule(static_cast<std::size_t>(molecule));
    return add_field(usual_potential(*loaded, static_cast<std::uint32_t>(molecule)));
  }
  if (kind == Field::Kind::contacts) {
    const auto loaded = controller_.molecule(static_cast<std::size_t>(molecule));
    return add_field(usual_contacts(*loaded, static_cast<std::uint32_t>(molecule)));
  }
  Field field;
  field.kind = kind;
  field.molecule = static_cast<std::uint32_t>(molecule);
  if (wraps_atoms(kind)) {
    field.both_signs = false;
    if (bare) field.probe_radius = 0;
    colour_plainly(controller_.scene(), field);
    // Of a solvated system one wants the molecule's surface, not the box's.
    const auto loaded = controller_.molecule(static_cast<std::size_t>(molecule));
    for (const Representation& r : controller_.scene().representations) {
      if (r.molecule == field.molecule && r.style == Style::cartoon) field.selection = r.selection;
    }
  } else if (kind == Field::Kind::orbital) {
    // The next that is not shown yet: HOMO, LUMO, HOMO-1, LUMO+1 ...
    std::size_t shown = 0;
    std::vector<std::string> names;
    for (const Field& f : controller_.scene().fields) {
      if (f.kind != kind || f.molecule != field.molecule) continue;
      ++shown;
      names.push_back(f.orbital);
    }
    for (int i = 0; std::find(names.begin(), names.end(), field.orbital) != names.end(); ++i) {
      const int step = i / 2 + i % 2;
      field.orbital =
          i % 2 == 0 ? (step == 0 ? "lumo" : "lumo+" + std::to_string(step)) : "homo-" + std::to_string(step);
    }
    std::tie(field.colour, field.negative_colour) = phase_colours(shown);
  } else if (kind == Field::Kind::volume) {
    field.both_signs = false;
  }
  add_field(field);
}

void FieldPanel::add_density(const std::string& name) {
  const int molecule = molecule_for(controller_, Field::Kind::orbital);
  if (molecule < 0) return;
  Field field;
  field.kind = Field::Kind::orbital;
  field.molecule = static_cast<std::uint32_t>(molecule);
  field.orbital = name;
  field.both_signs = name == spin_density_name;
  field.opacity = 0.5f;
  const auto& fields = controller_.scene().fields;
  std::tie(field.colour, field.negative_colour) =
      phase_colours(static_cast<std::size_t>(std::count_if(fields.begin(), fields.end(), [&](const Field& f) {
        return f.kind == field.kind && f.molecule == field.molecule;
      })));
  add_field(field);
}

void FieldPanel::add_charged(int number) {
  Q_EMIT progress(tr("Adding hydrogens and charges"), -1);
  struct Charged {
    Scene scene;
    GivenCharges given;
  };
  run_async(
      this,
      [documents = &controller_.documents(), scene = controller_.scene(), index = static_cast<std::uint32_t>(number)] {
        Charged result{scene, {}};
        result.given = give_charges(result.scene, *documents, index);
        result.scene.fields.push_back(usual_potential(*documents->molecule(result.scene.molecules[index]), index));
        hide_water(result.scene, index);
        hide_ions(result.scene, index);
        return result;
      },
      [this, number, before = controller_.scene()](Charged charged) mutable {
        Q_EMIT progress({}, 0);
        const Scene& now = controller_.scene();
        if (now.molecules != before.molecules) return;
        for (Scene* then : {&before, &charged.scene}) {  // turning and playing go on meanwhile
          then->camera = now.camera;
          then->frame = now.frame;
        }
        if (!(now == before)) return add_charged(number);  // something else was changed
        controller_.set_picked({});
        controller_.edit(tr("Add electrostatic surface"), [&](Scene& scene) { scene = charged.scene; });
        const GivenCharges& given = charged.given;
        choose(model_.rowCount() - 1);
        QString text = given.hydrogens == 1 ? tr("1 hydrogen added") : tr("%1 hydrogens added").arg(given.hydrogens);
        text += tr("; charges of AMBER ff14SB, %1 e in all")
                    .arg(std::abs(given.charge) < 5e-4 ? 0.0 : given.charge, 0, 'g', 4);
        if (given.uncharged == 1) text += tr("; one residue has none");
        if (given.uncharged > 1) text += tr("; %1 residues have none").arg(given.uncharged);
        if (given.estimated == 1) text += tr("; charges of one residue are estimated");
        if (given.estimated > 1) text += tr("; charges of %1 residues are estimated").arg(given.estimated);
        if (given.uncharged + given.estimated > 0) text += tr(" (listed in Molecules)");
        Q_EMIT told(text);
      },
      [this](const QString& message) {
        Q_EMIT progress({}, 0);
        Q_EMIT refused(message);
      });
}

void FieldPanel::add_isosurfaces() {
  const int molecule = molecule_for(controller_, Field::Kind::potential);
  if (molecule < 0) return;
  const auto loaded = controller_.molecule(static_cast<std::size_t>(molecule));
  add_field(potential_isosurfaces(*loaded, static_cast<std::uint32_t>(molecule)));
}

void FieldPanel::add_field(const Field& field) {
  const QString what = has_potential(field) ? label(Field::Kind::potential) : scene_row(field).what;
  controller_.edit(tr("Add %1").arg(what.toLower()), [&](Scene& scene) {
    scene.fields.push_back(field);
    if (wraps_atoms(field.kind)) hide_water(scene, field.molecule);
    if (wraps_atoms(field.kind) && has_potential(field)) hide_ions(scene, field.molecule);
  });
  choose(model_.rowCount() - 1);
}

}  // namespace isolume
