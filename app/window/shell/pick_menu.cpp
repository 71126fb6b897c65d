// The context menu of the 3D view, for the atoms or the surface under the pointer.
#include "app/window/shell/pick_menu.h"

#include <QApplication>
#include <QClipboard>
#include <algorithm>
#include <cctype>

#include "app/fields/field_styles.h"
#include "app/models/labels.h"
#include "app/models/scene_list_model.h"
#include "app/scene/named_selections.h"
#include "app/scene/scene_commands.h"
#include "app/view/representation_overlap.h"
#include "app/view/usual_look.h"
#include "app/view/usual_potential.h"
#include "app/window/live/check_export.h"
#include "app/window/over_time/probe_tool.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/measure_panel.h"
#include "app/window/panels/representation_panel.h"
#include "app/window/select/select_actions.h"
#include "app/window/shell/file_actions.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/panels.h"
#include "app/window/shell/pick_actions.h"
#include "app/window/shell/view_actions.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/save_dialog.h"
#include "formats/write/write.h"
#include "molecule/frames.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/index_selection.h"
#include "molecule/selection/selection.h"

namespace isolume {

void PickMenu::add_title(QMenu& menu, const QString& text) {
  QAction* title = menu.addAction(QString(text).replace(QLatin1Char('&'), QStringLiteral("&&")));
  QFont font = menu.font();
  font.setBold(true);
  title->setFont(font);
  title->setEnabled(false);
}

namespace {

/// Colours that stay apart for all eyes (after M. Okabe and K. Ito).
QList<QPair<QString, glm::u8vec4>> part_colours() {
  const auto tr = [](const char* text) { return QCoreApplication::translate("MainWindow", text); };
  return {{tr("&Orange"), {230, 159, 0, 255}},   {tr("&Sky blue"), {86, 180, 233, 255}},
          {tr("&Green"), {0, 158, 115, 255}},    {tr("&Yellow"), {240, 228, 66, 255}},
          {tr("&Blue"), {0, 114, 178, 255}},     {tr("&Vermilion"), {213, 94, 0, 255}},
          {tr("&Purple"), {204, 121, 167, 255}}, {tr("G&rey"), {150, 150, 150, 255}}};
}

/// "Molecular surface (smooth): protein".
QString surface_title(const Field& field) {
  const SceneRow row = scene_row(field);
  return row.detail.isEmpty() ? row.what : QStringLiteral("%1: %2").arg(row.what, row.detail);
}

}  // namespace

PickMenu::PickMenu(MainWindow& window, PickActions& picking)
    : window_(window), picking_(picking), controller_(window.controller()), picture_(window.picture()) {
  connect(&window.viewport(), &Viewport::menu_asked, this, &PickMenu::show);
}

void PickMenu::show(PickId seen, QPoint global) {
  const PickId id = picking_.as_now(seen);
  auto* menu = new QMenu(&window_);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setAccessibleName(tr("Context menu of the 3D view"));
  menu->setToolTipsVisible(true);
  const bool on_atom = !picking_.describe(id).isEmpty();
  const auto& fields = controller_.scene().fields;
  if (id.object >= field_objects && id.object - field_objects < fields.size()) {
    const auto index = static_cast<std::size_t>(id.object - field_objects);
    add_title(*menu, surface_title(fields[index]));
    window_.probe_tool().add_entries(*menu, id, false);
    add_surface_entries(*menu, index);
    menu->addSeparator();
  }
  if (controller_.picked().size() > 1) add_picked_menu(*menu);
  if (on_atom) {
    add_selection_menu(*menu, id);
    // Through a transparent surface the atom behind it is clicked on; the surface may be meant as well.
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (!fields[i].visible || fields[i].molecule != id.object - 1 || fields[i].opacity >= 0.75f) continue;
      QMenu* sub = menu->addMenu(surface_title(fields[i]));
      sub->setAccessibleName(sub->title());
      add_surface_entries(*sub, i);
    }
  }
  MainActions& actions = window_.commands();
  menu->addActions({actions.fit, actions.reset, actions.orthographic});
  menu->addSeparator();
  menu->addActions({actions.copy_picture, actions.export_picture, actions.copy_command});
  menu->popup(global);
}

void PickMenu::change_words(std::uint32_t number, const QString& what, const QString& selection,
                            std::function<void(std::vector<Representation>&, const std::vector<Overlap>&)> change) {
  const Scene& scene = controller_.scene();
  if (number >= scene.molecules.size()) return;
  window_.selecting().edits().add([this, number, what, selection, change, molecules = scene.molecules] {
    compute_words(number, what, selection, change, molecules);
  });
}

void PickMenu::compute_words(
    std::uint32_t number, const QString& what, const QString& selection,
    const std::function<void(std::vector<Representation>&, const std::vector<Overlap>&)>& change,
    const std::vector<SceneMolecule>& molecules) {
  const auto built = picture_.built();
  const Scene& scene = controller_.scene();
  EditQueue& edits = window_.selecting().edits();
  if (scene.molecules != molecules) return edits.end();  // the number may be another one's by now
  run_async(
      this,
      [documents = &controller_.documents(), entry = scene.molecules[number], built, number,
       shown = with_names(scene).representations, frame = scene.frame, words = selection.toStdString()] {
        const auto molecule = documents->molecule(entry);  // which may just have been moved
        const bool there = built && number < built->frames.size() && built->frames[number];
        return overlaps(shown, number, *molecule, there ? *built->frames[number] : frame_at(*molecule, frame), words);
      },
      [this, &edits, number, what, selection, change, shown = scene.representations,
       molecules](const std::vector<Overlap>& lie) {
        const Scene& now = controller_.scene();
        if (now.molecules == molecules && now.representations != shown)
          return compute_words(number, what, selection, change, molecules);  // of what was changed meanwhile
        if (now.molecules == molecules) controller_.edit(what, [&](Scene& next) { change(next.representations, lie); });
        edits.end();
      },
      [this, &edits](const QString& message) {
        window_.say(message, true);
        edits.end();
      });
}

void PickMenu::colour_words(std::uint32_t molecule, const QString& selection, glm::u8vec4 colour) {
  change_words(molecule, tr("Colour atoms"), selection,
               [words = selection.toStdString(), colour](auto& representations, const auto& lie) {
                 colour_atoms(representations, lie, words, colour);
               });
}

void PickMenu::hide_words(std::uint32_t molecule, const QString& selection) {
  change_words(molecule, tr("Hide atoms"), selection,
               [words = selection.toStdString()](auto& representations, const auto& lie) {
                 hide_atoms(representations, lie, words);
               });
}

void PickMenu::add_surroundings_of(std::uint32_t molecule, const QString& selection, Style style) {
  change_words(molecule, tr("Add representation"), selection,
               [this, molecule, words = selection.toStdString(), style](auto& representations, const auto& lie) {
                 show_around(representations, lie, molecule, words, style);
                 const int last = static_cast<int>(representations.size()) - 1;
                 QMetaObject::invokeMethod(
                     this, [this, last] { window_.representations().choose(last); }, Qt::QueuedConnection);
               });
}

void PickMenu::add_representation_of(std::uint32_t molecule, const QString& selection, Style style) {
  controller_.edit(tr("Add representation"), [&](Scene& scene) {
    Representation next;
    next.molecule = molecule;
    next.selection = selection.toStdString();
    next.style = style;
    scene.representations.push_back(next);
  });
  window_.representations().choose(static_cast<int>(controller_.scene().representations.size()) - 1);
}

void PickMenu::label_words(std::uint32_t molecule, const QString& selection, LabelSet::Text text) {
  LabelSet labels;
  labels.molecule = molecule;
  labels.selection = selection.toStdString();
  labels.text = text;
  window_.panels().raise("measure", true);
  window_.measure().add_labels(labels);
}

void PickMenu::add_surface_of(std::uint32_t molecule, const QString& selection, bool painted) {
  controller_.edit(tr("Add molecular surface"), [&](Scene& scene) {
    Field next;
    next.molecule = molecule;
    next.selection = selection.toStdString();
    next.both_signs = false;
    next.opacity = 0.6f;
    colour_plainly(scene, next);
    const auto loaded = controller_.molecule(molecule);
    if (painted && loaded) {
      next.kind = Field::Kind::solvent_excluded;
      paint_by_usual_potential(next, *loaded);
    }
    scene.fields.push_back(next);
  });
}

void PickMenu::ask_atoms(std::uint32_t number, const QString& selection) {
  const SceneMolecule entry = controller_.scene().molecules.at(number);
  const std::size_t frame = controller_.scene().frame;
  const auto save = [this, entry, frame, selection](const QString& path) {
    run_async(
        this,
        [documents = &controller_.documents(), entry, frame, words = selection.toStdString(), file = path.toStdString(),
         scene = controller_.scene()] {
          check_export(QString::fromStdString(file), scene);
          const auto molecule = documents->molecule(entry);  // which may just have been moved
          const Frame shown = frame_at(*molecule, frame);
          const auto atoms = Selection(words).atoms(*molecule->topology, shown);
          if (atoms.empty()) throw Error(empty_selection(words, *molecule->topology), Error::Kind::usage);
          const auto writer = create_writer(file, *molecule, atoms);
          writer->add(shown);
          writer->finish();
          return atoms.size();
        },
        [this, path](std::size_t atoms) {
          window_.say(tr("%1 written to %2").arg(atom_count_label(atoms), path), false);
        },
        [this](const QString& message) { window_.say(message, true); });
  };
  ask_where_to_save(
      &window_,
      {tr("Export atoms"), tr("Structures (*.pdb *.cif *.bcif *.pqr *.gro *.mol2 *.xyz)"), QStringLiteral("pdb"),
       stem_of(controller_.scene()) + QStringLiteral("-selection"), window_.files().save_folder()},
      save)
      ->setObjectName(QStringLiteral("atoms"));
}

void PickMenu::add_selection_menu(QMenu& menu, PickId id) {
  const std::uint32_t number = id.object - 1, atom = id.part;
  const auto atoms = controller_.topology(number);
  if (!atoms) return;
  const Topology& topology = *atoms;
  const PickedAtom here{number, atom};
  add_title(menu, atom_name(topology, atom));
  const auto act = [&menu, this](const QString& text, auto what) {
    connect(menu.addAction(text), &QAction::triggered, this, what);
  };
  act(tr("&Centre here"), [this, here] {
    controller_.set_picked({here});
    window_.view_actions().centre_on_picked();
  });
  act(tr("Measure &distance from here"), [this, here] { picking_.measure_from(here.molecule, here.atom, 2); });
  window_.probe_tool().add_entries(menu, id, true);
  const QString residue = residue_selection(topology, atom);
  const auto words = [](const std::string& id) {
    return !id.empty() && std::all_of(id.begin(), id.end(), [](unsigned char c) { return std::isalnum(c); });
  };
  const Chain& chain = topology.chain_of(atom);
  const QString of_chain = words(chain.id) ? QStringLiteral("chain %1").arg(to_qt(chain.id)) : QString();
  const auto part = [&](const QString& title, const QString& selection, const QString& around = {}) {
    QMenu* sub = menu.addMenu(title);
    sub->setAccessibleName(QString(title).remove(QLatin1Char('&')));
    add_part_entries(*sub, number, selection, selection == residue, around);
  };
  part(tr("&Residue %1 %2").arg(to_qt(topology.residue_of(atom).name)).arg(topology.residue_of(atom).number), residue);
  part(tr("&Within 5 \u00c5"), QStringLiteral("not water and same residue as within 5 of (%1)").arg(residue), residue);
  if (!of_chain.isEmpty()) part(tr("C&hain %1").arg(to_qt(chain.id)), of_chain);
  part(tr("&Molecule"), QStringLiteral("all"));
  act(tr("S&uperpose the molecule..."), [this, number] { window_.view_actions().superpose(static_cast<int>(number)); });
  act(tr("Remove the m&olecule"), [this, number] {
    controller_.edit(tr("Remove molecule"), [number](Scene& scene) { remove_molecule(scene, number); });
  });
  menu.addSeparator();
}

void PickMenu::add_part_entries(QMenu& menu, std::uint32_t number, const QString& selection, bool residue,
                                const QString& around) {
  const auto molecule = controller_.molecule(number);
  const auto add = [&menu, this](const QString& text, auto what) {
    connect(menu.addAction(text), &QAction::triggered, this, what);
  };
  for (const Style style : {Style::sticks, Style::ball_and_stick, Style::spheres, Style::lines}) {
    add(tr("Show as %1").arg(label(style).toLower()), [this, number, selection, around, style] {
      around.isEmpty() ? add_representation_of(number, selection, style) : add_surroundings_of(number, around, style);
    });
  }
  add(tr("Molecular &surface"), [this, number, selection] { add_surface_of(number, selection, false); });
  if (molecule && molecule->topology->has_charges)
    add(tr("Surface coloured by po&tential"), [this, number, selection] { add_surface_of(number, selection, true); });
  QMenu* colours = menu.addMenu(tr("&Colour"));
  colours->setAccessibleName(tr("Colour"));
  for (const auto& [name, colour] : part_colours()) {
    QPixmap patch(16, 16);
    patch.fill(QColor(colour.r, colour.g, colour.b));
    connect(colours->addAction(QIcon(patch), name), &QAction::triggered, this,
            [this, number, selection, colour = colour] { colour_words(number, selection, colour); });
  }
  add(tr("La&bel residues"), [this, number, selection, residue, around] {
    const bool few = residue || !around.isEmpty();  // else waters are left out
    label_words(number, few ? selection : QStringLiteral("(%1) and (guide or ligand)").arg(selection),
                LabelSet::Text::residue);
  });
  if (residue)
    add(tr("Label &atoms"), [this, number, selection] { label_words(number, selection, LabelSet::Text::atom); });
  add(tr("Se&lect"), [this, number, selection] {
    picking_.select_words(number, selection, {}, [this](const QString& message) { window_.say(message, true); });
  });
  add(tr("&Hide"), [this, number, selection] { hide_words(number, selection); });
  add(tr("&Export atoms..."), [this, number, selection] { ask_atoms(number, selection); });
  add(tr("Copy selection &text"), [selection] { QApplication::clipboard()->setText(selection); });
}

void PickMenu::add_picked_menu(QMenu& menu) {
  const auto& picked = controller_.picked();
  const std::uint32_t number = picked.front().molecule;
  const QString words = picked_words(number);
  add_title(menu, tr("%1 selected").arg(atom_count_label(picked.size())));
  const auto act = [&menu, this](const QString& text, auto what) {
    connect(menu.addAction(text), &QAction::triggered, this, what);
  };
  act(tr("Show as s&ticks"), [=, this] { add_representation_of(number, words, Style::sticks); });
  act(tr("Show as s&pheres"), [=, this] { add_representation_of(number, words, Style::spheres); });
  act(tr("Molecular &surface"), [=, this] { add_surface_of(number, words, false); });
  act(tr("La&bel residues"), [=, this] { label_words(number, words, LabelSet::Text::residue); });
  act(tr("H&ide"), [=, this] { hide_words(number, words); });
  act(tr("&Export atoms..."), [=, this] { ask_atoms(number, words); });
  act(tr("Copy selection te&xt"), [words] { QApplication::clipboard()->setText(words); });
  menu.addAction(window_.commands().fit_picked);
  menu.addAction(window_.commands().pick_none);
  menu.addSeparator();
}

QString PickMenu::picked_words(std::uint32_t molecule) const {
  std::vector<std::uint32_t> atoms;
  for (const PickedAtom& atom : controller_.picked()) {
    if (atom.molecule == molecule) atoms.push_back(atom.atom);
  }
  return to_qt(index_selection(std::move(atoms)));
}

}  // namespace isolume
