// The panel of computed fields: the menu that adds fields, and what they are at first.
#include <QMenu>
#include <QTreeView>
#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "app/documents/titles.h"
#include "app/fields/field_atoms.h"
#include "app/models/labels.h"
#include "app/view/usual_look.h"
#include "app/view/usual_potential.h"
#include "app/window/panels/field_panel.h"
#include "app/window/widgets/list_bar.h"

namespace isolume {

void FieldPanel::fill_add_menu() {
  QMenu* menu = bar_->add_button()->menu();
  menu->clear();
  struct Entry {
    Field::Kind kind;
    QString text, needs;
    bool isosurfaces = false;
  };
  const Entry entries[] = {
      {Field::Kind::gaussian, tr("Molecular surface (smooth)"), tr("needs atoms")},
      {Field::Kind::solvent_excluded, tr("Solvent-excluded surface"), tr("needs atoms")},
      {Field::Kind::solvent_accessible, tr("Solvent-accessible surface"), tr("needs atoms")},
      {Field::Kind::cavities, tr("Cavities and pockets"), tr("needs atoms")},
      {Field::Kind::orbital, tr("Orbital"), tr("needs orbitals, as in a Molden file")},
      {Field::Kind::potential, tr("Electrostatic potential"),
       tr("needs partial charges, as in a PQR, PSF or PRMTOP file")},
      {Field::Kind::potential, tr("Isosurfaces of the potential"), tr("needs partial charges"), true},
      {Field::Kind::volume, tr("Isosurface of a map"), tr("needs a map, as in a cube, OpenDX or MRC file")}};
  for (const Entry& entry : entries) {
    const bool possible = molecule_for(controller_, entry.kind) >= 0;
    QAction* action = menu->addAction(possible ? entry.text : entry.text + tr(" (%1)").arg(entry.needs));
    action->setEnabled(possible);
    connect(action, &QAction::triggered, this, [this, kind = entry.kind, isosurfaces = entry.isosurfaces] {
      isosurfaces ? add_isosurfaces() : add(kind);
    });
  }
}

void FieldPanel::add(Field::Kind kind) {
  const int molecule = molecule_for(controller_, kind);
  if (molecule < 0) {
    // A key or a button that does nothing says why.
    const auto first = controller_.scene().molecules.empty() ? nullptr : controller_.molecule(0);
    if (kind != Field::Kind::potential || !first) return;
    // The command line's words name its options.
    Q_EMIT refused(
        !first->orbitals.empty()
            ? to_qt(no_charges_text(*first))
            : tr("%1 has no partial charges, so it has no electrostatic potential. Open a file with charges: "
                 "PQR (pdb2pqr makes one from a PDB file), PSF, PRMTOP, MOL2 or extended XYZ.")
                  .arg(to_qt(file_title(controller_.scene().molecules[0].paths))));
    return;
  }
  if (kind == Field::Kind::potential) {
    const auto loaded = controller_.molecule(static_cast<std::size_t>(molecule));
    return add_field(usual_potential(*loaded, static_cast<std::uint32_t>(molecule)));
  }
  Field field;
  field.kind = kind;
  field.molecule = static_cast<std::uint32_t>(molecule);
  if (wraps_atoms(kind)) {
    field.both_signs = false;
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

void FieldPanel::add_isosurfaces() {
  const int molecule = molecule_for(controller_, Field::Kind::potential);
  if (molecule < 0) return;
  const auto loaded = controller_.molecule(static_cast<std::size_t>(molecule));
  add_field(potential_isosurfaces(*loaded, static_cast<std::uint32_t>(molecule)));
}

void FieldPanel::add_field(const Field& field) {
  const QString what = has_potential(field) ? label(Field::Kind::potential) : label(field.kind);
  controller_.edit(tr("Add %1").arg(what.toLower()), [&](Scene& scene) {
    scene.fields.push_back(field);
    if (wraps_atoms(field.kind)) hide_water(scene, field.molecule);
    if (wraps_atoms(field.kind) && has_potential(field)) hide_ions(scene, field.molecule);
  });
  choose(model_.rowCount() - 1);
}

}  // namespace isolume
