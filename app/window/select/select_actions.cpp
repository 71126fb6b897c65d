// The Select menu: which atoms are selected, and which classes of atoms are shown.
#include "app/window/select/select_actions.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QInputDialog>
#include <QVBoxLayout>
#include <algorithm>

#include "app/models/labels.h"
#include "app/scene/named_selections.h"
#include "app/view/atom_classes.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/selection_edit.h"
#include "molecule/selection/index_selection.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

using Mask = std::vector<std::uint8_t>;

std::string words_of(const Mask& mask) {
  std::vector<std::uint32_t> atoms;
  for (std::uint32_t i = 0; i < mask.size(); ++i)
    if (mask[i]) atoms.push_back(i);
  return index_selection(std::move(atoms));
}

/// The atoms that are bonded to one of the mask, and those of the mask.
Mask grown(const Topology& topology, const Mask& mask) {
  Mask result = mask;
  for (const Bond& bond : topology.bonds)
    if (mask[bond.a] || mask[bond.b]) result[bond.a] = result[bond.b] = 1;
  return result;
}

/// The next larger part: whole residues, then chains, then what bonds join, then all.
Mask wider(const Topology& topology, const Frame& frame, const Mask& mask) {
  if (std::find(mask.begin(), mask.end(), 1) == mask.end()) return mask;
  for (const char* part : {"same residue as", "same chain as", "same fragment as"}) {
    Mask result = Selection(std::string(part) + " (" + words_of(mask) + ")").mask(topology, frame);
    for (std::size_t i = 0; i < mask.size(); ++i) result[i] = result[i] | mask[i];
    if (result != mask) return result;
  }
  return Mask(mask.size(), 1);
}

/// Without those that are bonded to one that is not in the mask.
Mask shrunk(const Topology& topology, const Mask& mask) {
  Mask result = mask;
  for (const Bond& bond : topology.bonds)
    if (!mask[bond.a] || !mask[bond.b]) result[bond.a] = result[bond.b] = 0;
  return result;
}

}  // namespace

SelectActions::SelectActions(QMenu& menu, QWidget& viewport, SceneController& controller, LivePicture& picture)
    : viewport_(viewport), controller_(controller), picture_(picture) {
  add(menu, "select_all", tr("&All"), tr("Select all atoms of the visible molecules"), QKeySequence::SelectAll,
      [this] { select(QStringLiteral("all")); });
  add(menu, "select_invert", tr("&Invert"), tr("Invert the selection"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_I),
      [this] {
        change(
            [](const Topology&, const Frame&, const Mask& selected, std::uint32_t) {
              Mask result = selected;
              for (std::uint8_t& atom : result) atom = atom ? 0 : 1;
              return result;
            },
            true);
      });
  menu.addSeparator();
  add_classes(menu);
  menu.addSeparator();
  add_growing(menu);
  menu.addSeparator();
  add(menu, "select_words", tr("Atoms by &expression..."),
      tr("Select atoms with an expression such as \"chain A and resid 10 to 20\""), {}, [this] { ask_words(); })
      ->setProperty("words", tr("selection language words query find"));
  edits_.when_idle([this] { Q_EMIT edited(); });
  connect(&controller_, &SceneController::scene_changed, this, &SelectActions::enable);
  connect(&controller_, &SceneController::picked_changed, this, &SelectActions::enable);
  connect(&controller_, &SceneController::picked_changed, this, [this] {
    if (!taking_) waiting_.clear();  // they were to change what another selection has replaced
  });
  enable();
}

QAction* SelectActions::add(QMenu& menu, const char* name, const QString& text, const QString& tip,
                            const QKeySequence& key, std::function<void()> what) {
  auto* action = new QAction(text, this);
  action->setObjectName(QLatin1String(name));
  const QString shown = key.toString(QKeySequence::NativeText);
  action->setToolTip(shown.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, shown));
  action->setShortcut(key);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  viewport_.addAction(action);
  menu.addAction(action);
  all_ += action;
  connect(action, &QAction::triggered, this, std::move(what));
  return action;
}

void SelectActions::add_classes(QMenu& menu) {
  const struct {
    const char *name, *words;
    QString text, tip;
  } parts[] = {
      {"select_protein", "protein", tr("&Protein"), tr("Select amino acids")},
      {"select_nucleic", "nucleic", tr("&Nucleic acid"), tr("Select nucleotides")},
      {"select_ligand", "ligand", tr("&Ligands"), tr("Select molecules other than polymers, water, ions and lipids")},
      {"select_lipid", "lipid", tr("Lipi&ds"), tr("Select lipids")},
      {"select_water", "water", tr("&Water"), tr("Select water")},
      {"select_ion", "ion", tr("I&ons"), tr("Select ions")},
      {"select_hydrogen", "hydrogen", tr("&Hydrogens"), tr("Select hydrogen atoms")},
      {"select_backbone", "backbone", tr("&Backbone"), tr("Select the backbone of proteins and nucleic acids")},
      {"select_sidechain", "sidechain", tr("Side chains"), tr("Select side chains and bases")},
  };
  for (const auto& part : parts)
    add(menu, part.name, part.text, part.tip, {}, [this, words = QString::fromUtf8(part.words)] { select(words); });
  const auto submenu = [&menu](const QString& title) {
    QMenu* result = menu.addMenu(title);
    result->setAccessibleName(QString(title).remove(QLatin1Char('&')));
    result->setToolTipsVisible(true);
    return result;
  };
  QMenu* show = submenu(tr("&Show"));
  QMenu* hide = submenu(tr("Hide"));
  for (const AtomClass& entry : atom_classes()) {
    const QString words = QString::fromUtf8(entry.words), title = tr(entry.title);
    const QString lower = title.toLower();
    add(*show, ("show_" + std::string(entry.words)).c_str(), title, tr("Show %1 in the picture").arg(lower), {},
        [this, words, lower] { show_class(words, lower); });
    add(*hide, ("hide_" + std::string(entry.words)).c_str(), title, tr("Hide %1 in the picture").arg(lower), {},
        [this, words, lower] { hide_class(words, lower); });
  }
}

void SelectActions::add_growing(QMenu& menu) {
  const auto of_selected = [&](const char* name, const QString& text, const QString& tip, const QKeySequence& key,
                               std::function<void()> what) {
    of_selected_ += add(menu, name, text, tip, key, std::move(what));
  };
  of_selected("select_grow", tr("&Grow by a bond"), tr("Add atoms bonded to the selection"),
              QKeySequence(Qt::CTRL | Qt::Key_Plus), [this] {
                change([](const Topology& topology, const Frame&, const Mask& mask,
                          std::uint32_t) { return grown(topology, mask); },
                       true);
              });
  of_selected("select_shrink", tr("Sh&rink by a bond"), tr("Remove atoms bonded to unselected atoms"),
              QKeySequence(Qt::CTRL | Qt::Key_Minus), [this] {
                change([](const Topology& topology, const Frame&, const Mask& mask,
                          std::uint32_t) { return shrunk(topology, mask); },
                       true);
              });
  of_selected("select_wider", tr("E&xtend"), tr("Extend the selection to residues, again to chains, then to molecules"),
              QKeySequence(Qt::CTRL | Qt::Key_Up), [this] {
                change([](const Topology& topology, const Frame& frame, const Mask& mask,
                          std::uint32_t) { return wider(topology, frame, mask); },
                       true);
              });
  of_selected("select_residue", tr("Same resid&ue"), tr("Extend the selection to whole residues"), {},
              [this] { select_of_selected(QStringLiteral("same residue as (%1)")); });
  of_selected("select_chain", tr("Same &chain"), tr("Extend the selection to whole chains"), {},
              [this] { select_of_selected(QStringLiteral("same chain as (%1)")); });
  of_selected("select_molecule", tr("Same &molecule"), tr("Extend the selection to all atoms joined by bonds"), {},
              [this] { select_of_selected(QStringLiteral("same fragment as (%1)")); });
  of_selected("select_within_4", tr("Residues within &4 \u00c5"), tr("Select whole residues near the selected atoms"),
              {}, [this] { select_of_selected(QStringLiteral("same residue as within 4 of (%1)")); });
  of_selected("select_within", tr("Residues wi&thin..."), tr("Select whole residues within a distance that you enter"),
              {}, [this] { ask_distance(); });
}

QAction* SelectActions::find(const QString& name) const {
  for (QAction* action : all_)
    if (action->objectName() == name) return action;
  return nullptr;
}

void SelectActions::enable() {
  const bool any = !controller_.scene().molecules.empty(), some = !controller_.picked().empty();
  for (QAction* action : all_) action->setEnabled(any);
  for (QAction* action : of_selected_) action->setEnabled(some);
}

void SelectActions::select(const QString& words) {
  change([text = words.toStdString(), scene = controller_.scene()](const Topology& topology, const Frame& frame,
                                                                   const Mask&, std::uint32_t molecule) {
    return Selection(with_names(scene, molecule, text)).mask(topology, frame);
  });
}

void SelectActions::select_in(std::uint32_t only, const QString& words) {
  change([text = words.toStdString(), scene = controller_.scene(), only](const Topology& topology, const Frame& frame,
                                                                         const Mask& mask, std::uint32_t molecule) {
    if (molecule != only) return Mask(mask.size(), 0);
    return Selection(with_names(scene, molecule, text)).mask(topology, frame);
  });
}

void SelectActions::select_of_selected(const QString& words) {
  change(
      [words](const Topology& topology, const Frame& frame, const Mask& mask, std::uint32_t) {
        if (std::find(mask.begin(), mask.end(), 1) == mask.end()) return mask;
        return Selection(words.arg(to_qt(words_of(mask))).toStdString()).mask(topology, frame);
      },
      true);
}

void SelectActions::change(Change change, bool of_selected) {
  const auto built = picture_.built();
  if (!built || built->scene.molecules != controller_.scene().molecules) {
    // Molecules are still being read or placed: as soon as they are shown, unless others are selected meanwhile.
    if (controller_.scene().molecules.empty()) return;
    connect(
        &picture_, &LivePicture::shown, this,
        [this, change = std::move(change), of_selected, number = controller_.begin_picking()] {
          if (controller_.finish_picking(number, controller_.picked())) this->change(change, of_selected);
        },
        Qt::SingleShotConnection);
    return;
  }
  if (finding_ && of_selected) return waiting_.push_back(std::move(change));
  waiting_.clear();
  finding_ = true;
  const std::uint64_t number = controller_.begin_picking();
  const auto next = [this, number] {
    if (number != newest_) return;
    finding_ = false;
    if (waiting_.empty()) return;
    const Change first = std::move(waiting_.front());
    std::deque<Change> others(waiting_.begin() + 1, waiting_.end());
    this->change(first, true);
    waiting_ = std::move(others);
  };
  newest_ = number;
  run_async(
      this,
      [built, documents = &controller_.documents(), picked = controller_.picked(), change = std::move(change)] {
        std::vector<PickedAtom> result;
        for (std::uint32_t m = 0; m < built->scene.molecules.size(); ++m) {
          const auto molecule = documents->loaded(built->scene.molecules[m]);
          if (!built->scene.molecules[m].visible || !molecule || !molecule->topology) continue;
          Mask mask(molecule->atom_count(), 0);
          for (const PickedAtom& atom : picked)
            if (atom.molecule == m && atom.atom < mask.size()) mask[atom.atom] = 1;
          const Frame none;
          const bool there = m < built->frames.size() && built->frames[m];
          mask = change(*molecule->topology, there ? *built->frames[m] : none, mask, m);
          for (std::uint32_t i = 0; i < mask.size(); ++i)
            if (mask[i]) result.push_back({m, i});
        }
        return result;
      },
      [this, built, number, next](std::vector<PickedAtom> found) {
        std::vector<PickedAtom> picked = controller_.atoms_now(built->scene, std::move(found));
        const std::size_t atoms = picked.size();
        taking_ = true;
        const bool taken = controller_.finish_picking(number, std::move(picked));
        taking_ = false;
        if (taken) Q_EMIT told(atoms == 0 ? tr("No such atoms") : tr("%1 selected").arg(atom_count_label(atoms)));
        next();
      },
      [this, next](const QString& message) {
        Q_EMIT failed(message);
        next();
      });
}

void SelectActions::show_class(const QString& words, const QString& title) {
  change_class(words, tr("Show %1").arg(title), true);
}

void SelectActions::hide_class(const QString& words, const QString& title) {
  change_class(words, tr("Hide %1").arg(title), false);
}

void SelectActions::show_in(std::uint32_t molecule, const QString& words, const QString& title, bool show) {
  change_class(words, show ? tr("Show %1").arg(title) : tr("Hide %1").arg(title), show, molecule);
}

void SelectActions::change_class(const QString& words, const QString& what, bool show,
                                 std::optional<std::uint32_t> only) {
  const auto built = picture_.built();
  if (!built || built->scene.molecules != controller_.scene().molecules) return;
  edits_.add([this, words, what, show, only] { compute_class(words, what, show, only); });
}

void SelectActions::compute_class(const QString& words, const QString& what, bool show,
                                  std::optional<std::uint32_t> only) {
  const auto built = picture_.built();
  if (!built || built->scene.molecules != controller_.scene().molecules) return edits_.end();
  run_async(
      this,
      [built, documents = &controller_.documents(), scene = controller_.scene(), text = words.toStdString(), show,
       only] {
        return show ? with_class_shown(scene, *documents, built->frames, text, only)
                    : with_class_hidden(scene, *documents, built->frames, text, only);
      },
      [this, words, what, show, only, before = controller_.scene().representations,
       molecules = controller_.scene().molecules](const std::vector<Representation>& next) {
        const Scene& scene = controller_.scene();
        if (scene.molecules == molecules && scene.representations != before)
          return compute_class(words, what, show, only);  // of what was changed meanwhile
        if (scene.molecules == molecules)
          controller_.edit(what, [&](Scene& changed) { changed.representations = next; });
        edits_.end();
      },
      [this](const QString& message) {
        Q_EMIT failed(message);
        edits_.end();
      });
}

void SelectActions::ask_distance() {
  auto* dialog = new QInputDialog(viewport_.window());
  dialog->setObjectName(QStringLiteral("within"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setInputMode(QInputDialog::DoubleInput);
  dialog->setWindowTitle(tr("Residues within a distance"));
  dialog->setLabelText(tr("Distance from the selected atoms (\u00c5)"));
  dialog->setDoubleRange(0.5, 100);
  dialog->setDoubleDecimals(1);
  dialog->setDoubleValue(5);
  connect(dialog, &QInputDialog::doubleValueSelected, this, [this](double distance) {
    select_of_selected(QStringLiteral("same residue as within %1 of (%2)").arg(distance).arg(QStringLiteral("%1")));
  });
  dialog->open();
}

void SelectActions::ask_words() {
  auto* dialog = new QDialog(viewport_.window());
  dialog->setObjectName(QStringLiteral("select_words"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Select atoms"));
  dialog->setAccessibleName(dialog->windowTitle());
  auto* line = new SelectionEdit(dialog);
  line->setMinimumWidth(24 * dialog->fontMetrics().averageCharWidth() * 2);
  if (!controller_.scene().molecules.empty())
    line->set_molecule(controller_.molecule(0), controller_.scene().frame, names_of(controller_.scene(), 0));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, dialog);
  auto* layout = new QVBoxLayout(dialog);
  layout->addWidget(line);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  connect(buttons, &QDialogButtonBox::accepted, dialog, [this, dialog, line] {
    select(line->text());
    dialog->accept();
  });
  dialog->open();
  line->line()->setFocus();
}

}  // namespace isolume
